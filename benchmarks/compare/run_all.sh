#!/usr/bin/env bash
# Runs every comparison: benchmarks/compare/run_all.sh OUTDIR [correctness|speed]
#
# Builds isx, makes a Python environment outside the repository ($ISX_COMPARE_VENV, by default in the cache folder), and
# leaves in OUTDIR a .json and a .md a comparison and summary.md. Exit code 1 where isx and an independent answer differ.
# Give it a quiet machine: it times things. The correctness part takes some minutes, the speed part up to an hour.
set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    echo "usage: $0 OUTDIR [correctness|speed]" >&2
    exit 2
fi
mkdir -p "$1"
out=$(cd "$1" && pwd)
part=${2:-all}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
venv=${ISX_COMPARE_VENV:-${XDG_CACHE_HOME:-$HOME/.cache}/isx-compare-venv}

case $part in
    correctness) scripts="controls differential attack compare_taskset compare_blocks compare_mckp compare_edf compare_priorities compare_schedulability compare_base compare_fixed_sum compare_knapsack compare_proofs" ;;
    speed) scripts="compare_speed compare_growth" ;;
    all) scripts="controls differential attack compare_taskset compare_blocks compare_mckp compare_edf compare_priorities compare_schedulability compare_base compare_fixed_sum compare_knapsack compare_proofs compare_speed compare_growth" ;;
    *) echo "$0: $part is neither correctness nor speed" >&2; exit 2 ;;
esac

if [ -z "${ISX:-}" ]; then
    cargo build --release --locked --manifest-path "$root/Cargo.toml"
fi
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt"

if [ -z "${VERIPB:-}" ] && ! command -v veripb >/dev/null && [[ $scripts == *compare_proofs* ]]; then
    [ -x "$venv/bin/veripb" ] || cargo install veripb --version 3.0.2 --locked --quiet --root "$venv"
    export VERIPB="$venv/bin/veripb"
fi

differences=0
for script in $scripts; do
    echo "== $script" >&2
    PYTHONDONTWRITEBYTECODE=1 "$venv/bin/python" "$here/$script.py" --out "$out" || differences=1
    if [ "$script" = differential ] || [ "$script" = attack ]; then
        PYTHONDONTWRITEBYTECODE=1 "$venv/bin/python" "$here/$script.py" --out "$out" --plant || differences=1
    fi
done
"$venv/bin/python" "$here/summary.py" "$out" "benchmarks/compare/run_all.sh OUTDIR${2:+ $2}"
exit $differences
