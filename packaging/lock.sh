#!/usr/bin/env bash
# Pins pyproject.toml's dependencies by name, version and hash, without addresses.
set -euo pipefail
tool=$(mktemp -d)
trap 'rm -rf "$tool"' EXIT
.venv/bin/python -m venv "$tool" && "$tool/bin/pip" -q install uv
lock() {
  "$tool/bin/uv" pip compile -q --generate-hashes --no-emit-index-url --no-emit-find-links --no-header \
    --universal --python-version 3.11 --extra build "${@:2}" pyproject.toml -o "$1"
}
lock packaging/requirements.lock
lock packaging/requirements-dev.lock --extra dev --extra lab --extra training
