#!/usr/bin/env bash
# Makes .venv, or the environment whose programs are in BIN, from a lock file.
set -euo pipefail
lock=$1
python=${PYTHON:-python3.11}
bin=${BIN:-.venv/bin}
venv=${bin%/*}

if ! command -v "$python" >/dev/null; then
  echo "soulread: $python is not installed. On Debian: sudo apt-get install python3.11 python3-venv" >&2
  exit 1
fi
echo "soulread: putting what it needs into $venv; only the first time takes long." >&2
if [ ! -x "$bin/python" ]; then
  "$python" -m venv "$venv" || { rm -rf "$venv"; echo "soulread: on Debian: sudo apt-get install python3-venv" >&2; exit 1; }
fi
# Twice quiet: errors only, no warnings of places or versions that are no concern of the user's.
# The lock is whole: pip need not look for what is needed, and would take a newer version of what is asked for with an
# extra (coverage[toml]), without a hash, as soon as there is one.
"$bin/pip" install -qq --disable-pip-version-check --no-deps --require-hashes --only-binary=:all: -r "$lock"
"$bin/pip" install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
