#!/usr/bin/env bash
# Pins pyproject.toml's dependencies by name, version and hash, without addresses.
# The tool that does so is pinned the same way, in lock-tool.txt.
set -euo pipefail
bin=${BIN:-.venv/bin}
tool=$(mktemp -d)
trap 'rm -rf "$tool"' EXIT
"$bin/python" -m venv "$tool"
"$tool/${bin##*/}/pip" install -qq --disable-pip-version-check --require-hashes --only-binary=:all: -r packaging/lock-tool.txt
lock() {
  "$tool/${bin##*/}/uv" pip compile -q --generate-hashes --no-emit-index-url --no-emit-find-links --no-header \
    --universal --python-version "$@"
}
lock 3.11 --extra build pyproject.toml -o packaging/requirements.lock
lock 3.11 --extra build --extra dev --extra lab --extra dask --extra training --extra solving pyproject.toml -o packaging/requirements-dev.lock
# What a test reads exported hands with, apart from all else. Of it only what writes tables needs pyarrow.
lock 3.11.5 --no-emit-package pyarrow - -o packaging/foreign-parser.lock <<<"pokerdf==1.8.0"
# What `make package` freezes the app with, apart from all else.
lock 3.11 - -o packaging/pyinstaller.lock <<<"pyinstaller==6.22.0"
