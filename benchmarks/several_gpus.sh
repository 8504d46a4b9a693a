#!/usr/bin/env bash
# One GPU against two: tests, ten hard 0-1 knapsack problems with capacity 1e10, and several files.
#
#   bash benchmarks/several_gpus.sh ISX GPU_TESTS OUT
#
# ISX is the command, GPU_TESTS the program that `cargo test --release --test gpu --no-run` names; neither needs cargo. Problems,
# answers and a table go to the folder OUT; the table is printed last. With one GPU only, it takes both parts. Takes about two
# minutes on two H200s.
set -u
isx=$(realpath "$1")
tests=$(realpath "$2")
mkdir -p "$3" && cd "$3" || exit 1
gpus=$("$isx" devices --json | grep -c '"compute_capability"')
pair=0,1
[ "$gpus" -ge 2 ] || pair=0,0
table=table.txt
: >"$table"
say() { echo "$*" | tee -a "$table"; }
say "GPUs: $gpus, pairs: $pair; $(nproc) cores"

# What an answer says, without how long it took and what computed it.
said() { grep -E '"(value|weight|picks)":' "$1" | sha256sum | cut -c1-12; }
# The seconds of an answer after reading and reducing.
seconds() { sed -n 's/.*"solve":\([0-9.e-]*\),"traceback":\([0-9.e-]*\).*/\1 \2/p' "$1" | awk '{printf "%.3f", $1 + $2}'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", (b > 0 ? a / b : 0) }'; }
now() { date +%s.%N; }
since() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.2f", b - a }'; }

begun=$(now)
for module in several:: knapsack::; do
    ISX_REQUIRE_GPU=1 ISX_GPU_CASES=${ISX_GPU_CASES:-1000} timeout 45 "$tests" "$module" >"tests-${module%::}.txt" 2>&1
    say "tests $module exit $?, $(grep -h 'test result' "tests-${module%::}.txt")"
done
say "tests took $(since "$begun") s"

# Ten problems of Jooken's kind: items, groups, epsilon, share of small items, noise.
problems="400:6:0.00001:0.1:100 400:10:0.00001:0.2:300 600:10:0.0001:0.1:100 600:14:0.00001:0.1:200 800:14:0.00001:0.2:100
800:10:0.001:0.1:300 1000:14:0.0001:0.1:100 1000:10:0.00001:0.3:200 1200:14:0.00001:0.1:300 1200:10:0.0001:0.2:100"
: >ratios.txt
for problem in $problems; do
    IFS=: read -r items groups epsilon share small <<<"$problem"
    name="jooken-$items-$groups-$epsilon-$share-$small"
    "$isx" generate knapsack -q --kind jooken --capacity 10000000000 --items "$items" --groups "$groups" \
        --epsilon "$epsilon" --small-share "$share" --small "$small" --seed 28 -o "$name.txt" 2>/dev/null
    for device in 0 "$pair"; do
        timeout 20 "$isx" solve knapsack "$name.txt" --engine cuda --picks --json --gpu "$device" \
            >"$name.$device.json" 2>"$name.$device.err" || say "$name on $device: $(cat "$name.$device.err")"
    done
    one=$(seconds "$name.0.json") two=$(seconds "$name.$pair.json")
    same=different
    [ -n "$one" ] && [ "$(said "$name.0.json")" = "$(said "$name.$pair.json")" ] && same=same
    [ -n "$one" ] && [ -n "$two" ] && ratio "$one" "$two" >>ratios.txt && echo >>ratios.txt
    say "$name: one ${one:-failed} s, two ${two:-failed} s, $(ratio "${one:-0}" "${two:-0}") times, answers $same"
done
say "median of the ratios: $(sort -n ratios.txt | awk '{a[NR] = $1} END {print NR % 2 ? a[(NR + 1) / 2] : (a[NR / 2] + a[NR / 2 + 1]) / 2}')"

echo
cat "$table"
