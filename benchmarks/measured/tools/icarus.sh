#!/bin/sh
# icarus.sh KERNEL.BLOCKS OUTPUT: as many of the first inputs as take about 200,000 cycles, at least two
set -eu
kernel=${1%%.*} blocks=${1#*.}
cycles=$(head -1 "build/verilator/$1.txt" | cut -d' ' -f1)
count=$((200000 / cycles))
[ "$count" -ge 2 ] || count=2
[ "$count" -le 20 ] || count=20
set -- "$1" "$2" $(python3 tools/reference.py words "$kernel")
iverilog -g2005-sv -o "$2.vvp" -s tb $(tools/parameters.sh -Ptb. "$blocks") sim/tb.v $(ls units/*.v | grep -v board) "$PICORV32"
vvp -n "$2.vvp" +program="build/programs/$1.hex" +inputs="build/inputs/$kernel.txt" +in="$3" +out="$4" +count="$count" |
  grep '^[0-9]' > "$2"
rm "$2.vvp"
[ "$(wc -l < "$2")" = "$count" ]
