#!/bin/sh
# designs.sh LIST [FORM]: systems to build for the lines of `isx confirm --list`, in the form given: %s is the system, and
# the second %s of "--report" forms its point. A multiplier on the port is the same multiplier.
set -eu
while IFS="$(printf '\t')" read -r point blocks; do
  system=$(echo "$blocks" | tr , + | sed 's/-on-port//g')
  case ${2:-} in
    reports) printf -- '--report %s=reports/designs/%s.flow2.json ' "$point" "${system:-base}" ;;
    *) echo "${system:-base}" ;;
  esac
done < "$1"
