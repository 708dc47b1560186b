#!/usr/bin/env bash
# Installs the system libraries that a start of soulread with these arguments lacks, if it may, or says how to.
# As root or where sudo asks for no password it does so and says so; on a terminal it asks first.
set -euo pipefail

say() { echo "soulread: $*" >&2; }
lacks() { "${BIN:-.venv/bin}/python" -m trainer.system_libraries "$@"; }

missing=$(lacks "$@")
[ -n "$missing" ] || exit 0
if ! command -v apt-get >/dev/null; then
  say "Qt lacks system libraries that Debian has in these packages: $missing." \
    "Install what holds them here, then try again."
  exit 1
fi
command="apt-get install -y --no-install-recommends $missing"
give_up() {
  say "$1 Install them with this command, then try again:"
  if [ "$(id -u)" = 0 ]; then echo "  $command" >&2
  elif command -v sudo >/dev/null; then echo "  sudo $command" >&2
  else echo "  su -c '$command'" >&2; fi
  exit 1
}

as_root=()
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null; then
    give_up "Qt lacks system libraries."
  elif sudo -n true 2>/dev/null; then
    as_root=(sudo -n)
  elif [ "${CI:-}" != true ] && [ -t 0 ] && [ -t 2 ]; then
    read -r -p "soulread: Qt lacks system libraries: $missing. Install them now with sudo apt-get? [y/N] " answer || answer=""
    [[ $answer =~ ^[yY]([eE][sS])?$ ]] || give_up "Then nothing is installed."
    as_root=(sudo)
  else
    give_up "Qt lacks system libraries."
  fi
fi

say "Qt lacks system libraries; installing $missing with ${as_root[*]:+sudo }apt-get."
quietly() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive DEBCONF_NOWARNINGS=yes NEEDRESTART_MODE=a \
    apt-get -qq -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 "$@" </dev/null >/dev/null
}
quietly update || say "the lists of packages could not be renewed; trying with those that are there."
# shellcheck disable=SC2086  # a word for each package
quietly install -y --no-install-recommends $missing || give_up "That did not work."
missing=$(lacks "$@")
[ -z "$missing" ] || give_up "They are installed, and Qt still does not find them."
