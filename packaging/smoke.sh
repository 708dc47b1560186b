#!/usr/bin/env bash
# Tries a Debian package of the app, unpacked and with a home where nothing is yet, and says what it takes:
#   smoke.sh dist/soulread_VERSION_ARCHITECTURE.deb
set -euo pipefail
exec 2>&1
package=$1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir "$place"/{root,home,here,there}
dpkg-deb -x "$package" "$place/root"
echo "$package: $(($(stat -c %s "$package") >> 20)) MB, installed $(du -sm "$place/root" | cut -f 1) MB"

TIMEFORMAT="  %R s"
start() {  # in a folder, with a text that must be in its answer, a command that has nothing to complain of
  echo "in $1: ${*:3}"
  time env -i -C "$place/$1" HOME="$place/home" LANG=C.UTF-8 PATH="$place/root/usr/bin:/usr/bin:/bin" "${@:3}" \
    >"$place/answer" 2>"$place/errors" && grep -qF "$2" "$place/answer" && ! grep -qv "% done" "$place/errors" && return
  cat "$place/answer" "$place/errors"
  echo "soulread: '$2' alone was expected"
  exit 1
}
code() { find "$place/home/.cache/soulread" -name "*.nb?" -printf "%P %T@ %s\n" | sort; }
window=(soulread-app --offscreen --autoplay 2 --screenshot window.png)

start here "100 hands of 2 seats" soulread match fold nit --hands 50 --matches 2 --workers 2  # compiles all
before=$(code)
start here "10,273,824 showdowns counted, exact" soulread odds AhKh QQ  # 6 pairs on 1,712,304 boards
start here "sum of stacks 60000" "${window[@]}"
start there "sum of stacks 60000" "${window[@]}"
if [ -z "$before" ] || ! diff <(echo "$before") <(code); then
  echo "soulread: compiled code is not kept, or was compiled again"
  exit 1
fi
echo "$(wc -l <<<"$before") files of compiled code, all of the first start"
