#!/usr/bin/env bash
# Makes dist/soulread_VERSION_ARCHITECTURE.deb, the app with its own Python and packages, and tries it.
# They are installed for it in build/venv, so that nothing else can get in.
set -euo pipefail
umask 022
root=build/root
app=$root/usr/lib/soulread
shared=$root/usr/share

BIN=build/venv/bin bash packaging/setup.sh packaging/requirements.lock
build/venv/bin/pip install -qq --disable-pip-version-check --no-deps --require-hashes --only-binary=:all: \
  -r packaging/pyinstaller.lock
rm -rf $root
build/venv/bin/pyinstaller --noconfirm --log-level ERROR --distpath $root/usr/lib --workpath build packaging/soulread.spec

# Not all: what was patched for a wheel may not load any more once it is stripped.
strip --strip-unneeded $app/_internal/{libpython*,python3*/lib-dynload/*.so,llvmlite/binding/*.so}
# Players may not write bytecode there.
build/venv/bin/python -m compileall -q -s $root --invalidation-mode unchecked-hash $app/_internal/{engine,trainer,resources}

# Elsewhere than on Windows the program for the terminal and that for the desktop are the same.
mkdir -p $root/usr/bin
ln -s ../lib/soulread/soulread $root/usr/bin/soulread
ln -s ../lib/soulread/soulread $root/usr/bin/soulread-app
install -D -m 644 -t $shared/applications packaging/soulread.desktop
install -D -m 644 -t $shared/icons/hicolor/scalable/apps resources/soulread.svg
install -D -m 644 -t $shared/icons/hicolor/256x256/apps resources/soulread.png
doc=$shared/doc/soulread
install -D -m 644 "$(build/venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')/LICENSE.txt" $doc/python.txt
cat LICENSE - >$doc/copyright <<END

Soulread brings along what it is made of: Python (python.txt), Qt and Qt for Python (LGPL 3) and OpenSSL (Apache 2.0, both in
/usr/share/common-licenses), libffi (MIT), SQLite (public domain), and Python packages with their licences in
/usr/lib/soulread/_internal/*.dist-info.
END

read -r _ version < <(build/venv/bin/soulread --version)
architecture=$(dpkg --print-architecture)
mkdir $root/DEBIAN
cat >$root/DEBIAN/control <<END
Package: soulread
Version: $version
Architecture: $architecture
Maintainer: The Soulread maintainers
Section: games
Priority: optional
Installed-Size: $(du -sk $root | cut -f 1)
Depends: libc6 (>= $(grep -raohE 'GLIBC_2\.[0-9]+' $app | sort -Vu | sed -n '$s/GLIBC_//p')), libstdc++6, zlib1g, $(
  build/venv/bin/python -c 'from trainer.system_libraries import DRAWING, WINDOW; print(*(DRAWING | WINDOW).values(), sep=", ")'
)
Description: $(sed -n 's/^Comment=//p' packaging/soulread.desktop)
END
package=dist/soulread_${version}_$architecture.deb
mkdir -p dist
dpkg-deb --build --root-owner-group -Zxz $root "$package" >/dev/null
bash packaging/smoke.sh "$package"
