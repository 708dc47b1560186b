#!/usr/bin/env bash
# Starts an agent the way the Huawei contest of 2015 starts its players, by five values:
#   huawei2015.sh SERVER_IP SERVER_PORT MY_IP MY_PORT MY_ID
# SOULREAD_JOIN holds further options, for instance SOULREAD_JOIN="--agent fold-2017 --record hands.phhs".
set -euo pipefail
if [ $# -ne 5 ]; then
  echo "usage: $(basename "$0") SERVER_IP SERVER_PORT MY_IP MY_PORT MY_ID" >&2
  exit 2
fi
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
soulread=$here/.venv/bin/soulread
[ -x "$soulread" ] || soulread=$(command -v soulread) || {
  echo "soulread: it is not installed; run make run in $here first." >&2
  exit 1
}
read -ra options <<<"${SOULREAD_JOIN:-}"
exec "$soulread" join huawei "$@" "${options[@]}"
