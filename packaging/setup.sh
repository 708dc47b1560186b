#!/usr/bin/env bash
# Makes .venv from a lock file and names the system libraries that are missing.
# With CI=true or SOULREAD_APT=1 it installs those by itself.
set -euo pipefail
lock=$1
python=${PYTHON:-python3.11}

if ! command -v "$python" >/dev/null; then
  echo "soulread: $python is not installed. On Debian: sudo apt-get install python3.11 python3-venv" >&2
  exit 1
fi
if [ ! -x .venv/bin/python ]; then
  "$python" -m venv .venv || { rm -rf .venv; echo "soulread: on Debian: sudo apt-get install python3-venv" >&2; exit 1; }
fi
.venv/bin/pip install -q --disable-pip-version-check --require-hashes --only-binary=:all: -r "$lock"
.venv/bin/pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .

# What Qt asks of a fresh Debian: the first line to draw at all, the second for a real window.
[ "$(uname -s)" = Linux ] && command -v dpkg-query >/dev/null || exit 0
packages="libglib2.0-0 libegl1 libgl1 libx11-6 libdbus-1-3 libfontconfig1 libfreetype6 libxkbcommon0
 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libxcb-xkb1"
missing=""
for package in $packages; do
  # Newer Debian and Ubuntu append t64 to some of the names.
  state=$(dpkg-query -W -f='${Status}\n' "$package" "${package}t64" 2>/dev/null || true)
  grep -q '^install ok installed' <<<"$state" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
root=""
[ "$(id -u)" = 0 ] || root="sudo "
install="${root}apt-get install -y --no-install-recommends$missing"
if [ "${CI:-}" = true ] || [ "${SOULREAD_APT:-}" = 1 ]; then
  ${root}apt-get update -qq && $install
else
  echo "soulread: system libraries are missing. Install them with this command, then try again:" >&2
  echo "  $install" >&2
  exit 1
fi
