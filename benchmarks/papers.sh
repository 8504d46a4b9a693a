#!/usr/bin/env bash
# The rows of docs/papers.md that need a GPU, each table with the paper's figures beside those of this machine.
#
#   bash benchmarks/papers.sh ISX_PAPERS OUT
#
# ISX_PAPERS is a release build of isx-papers. A folder for each row goes to OUT (results.json, table.md, charts) and the tables to
# stdout. No time is kept of an answer that was not compared; a wrong one ends its row with exit code 7. On an H200 with 16 cores
# it takes about seven minutes, most of it for textbook loops on one core. BOYER is the number of instances of 60,000 items and
# more (the paper has 10, this takes 3).
set -u
papers=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
mkdir -p "$2" && cd "$2" || exit 1
begun=$SECONDS

row() { # row NAME SECONDS ARGUMENTS.. : runs isx-papers, and says how it ended
    local name=$1 most=$2 start=$SECONDS
    shift 2
    timeout "$most" "$papers" "$@" --out "$name" >"$name.txt" 2>"$name.err"
    echo "== $name: exit $?, $((SECONDS - start)) s"
    [ -s "$name/table.md" ] || tail -3 "$name.err"
}
section() { # section FILE WORDS: the sections whose title has these words
    awk -v words="$2" '/^## / { on = index($0, words) } on' "$1" 2>/dev/null
}

# B. Suri 2011, and B. Suri, U. Bordoloi, P. Eles 2012: occupancy, the host that waits, adjacent cells, the case study by every
# technique, two cores and all; means of five instances.
row thesis 240 thesis --gpu --instances paper --each 5 --repeat 3
for words in "Figure 5.3" "Figure 6.2" "Figure 6.3" "DATE 2012" "Equation 3.1"; do section thesis/table.md "$words"; done

# V. Boyer, D. El Baz, M. Elkihel 2012: Tables 1 to 3.
row boyer 60 boyer --gpu --items 10000,20000,30000,40000,50000 --each 10 --engine core --engine cuda-boyer --repeat 1
row boyer-large 90 boyer --gpu --items 60000,70000,80000,90000,100000 --each "${BOYER:-3}" --engine core --engine cuda-boyer --repeat 0
for part in boyer boyer-large; do section $part/table.md "Tables 1 to 3"; done

# D. Lemos and others: Table 1, and batches of unequal numbers of items.
row lemos 260 lemos --gpu --grids --repeat 1
section lemos/table.md "instances"
section lemos/table.md "Table 1"
row lemos-unequal 60 lemos --gpu --unequal --instances 200 --repeat 3
section lemos-unequal/table.md "instances"

# J. O'Connell, C. Mumford 2014: the knapsack by rows and by diagonals, and the counters of Figure 5.
row waves 60 waves --gpu --lengths 3000 --capacities 10000,100000,300000 --cities 14 --repeat 1 --patience 5
section waves/table.md "knapsack, capacity"
if command -v ncu >/dev/null; then
    start=$SECONDS
    timeout 90 bash "$here/wave_counters.sh" "$papers" counters
    echo "== counters: exit $?, $((SECONDS - start)) s"
else
    echo "== counters: there is no ncu"
fi
echo "== all: $((SECONDS - begun)) s"
