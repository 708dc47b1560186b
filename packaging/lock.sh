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
    --universal --python-version 3.11 "$@"
}
lock --extra build pyproject.toml -o packaging/requirements.lock
lock --extra build --extra dev --extra lab --extra dask --extra training --extra solving pyproject.toml -o packaging/requirements-dev.lock
