#!/usr/bin/env bash
# One thread against many, and an older build against a newer one: dense multiple-choice problems of 50 classes and capacity
# 390,500, weakly and strongly correlated, all the work and the best algorithm, values and items of every point.
#
#   bash benchmarks/limits.sh OLD_BENCH NEW_BENCH OUT [THREADS]
#
# Both programs are `isx-bench`, which compares every answer with the textbook's before it keeps a time. They run in turn, once
# each and again as long as both fit SECONDS_IN_ALL (95); most of that is the textbook. THREADS is 16 if not given, and FAMILY
# in the environment names other instances. Figures go to folders of OUT (results.json, table.md); the rows of all tables come last.
set -u
old=$(realpath "$1")
new=$(realpath "$2")
mkdir -p "$3" && cd "$3" || exit 1
threads=${4:-16} most=${SECONDS_IN_ALL:-95}
SECONDS=0 longest=0 round=1
while [ $((SECONDS + longest)) -lt $most ]; do
    begun=$SECONDS
    for build in old new; do
        run=$build-$round
        timeout $((most + 3 - SECONDS)) "${!build}" mckp --instances "${FAMILY:-correlated}" --engine dense --engine auto --threads "1,$threads" \
            --repeat 5 --out "$run" >"$run.txt" 2>"$run.err" || { echo "$run: exit $?, $(tail -1 "$run.err")" | tee -a failed.txt; break 2; }
    done
    longest=$((SECONDS - begun)) round=$((round + 1))
done
{
    echo "$(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2), $(nproc) cores, $SECONDS s"
    for table in */table.md; do
        [ -e "$table" ] || continue
        echo "${table%/table.md}"
        grep -E '^(## |\| (engine|textbook|dense|auto))|waited' "$table"
    done
} | tee summary.txt
