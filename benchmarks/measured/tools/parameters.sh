#!/bin/sh
# parameters.sh PREFIX BLOCKS: the blocks as parameters of the system, each behind the simulator's flag
for block in $(echo "$2" | tr + ' '); do
  [ "$block" = base ] || printf '%s%s=1 ' "$1" "$(echo "${block%-dsp}" | tr a-z A-Z)"
done
