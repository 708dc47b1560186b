"""What Qt needs of a Linux system and finds missing, by Debian package; the set-up installs it.

`python -m trainer.system_libraries ARGUMENTS` prints the packages that a start of soulread with these arguments
lacks.
"""

import ctypes
import os
import sys
from collections.abc import Mapping, Sequence

DRAWING = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libxkbcommon.so.0": "libxkbcommon0",
}
"""To draw at all."""

WINDOW = {
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
}
"""For a window on an X server."""

NO_SCREEN_PLATFORMS = ("offscreen", "minimal", "minimalegl")


def platform_of(environment: Mapping[str, str]) -> str:
    """Return the name of Qt's platform that the environment asks for, or nothing."""
    return environment.get("QT_QPA_PLATFORM", "").split(":")[0]


def is_for_x_server(environment: Mapping[str, str]) -> bool:
    """Return whether a window opened in this environment is one on an X server."""
    platform = platform_of(environment)
    if platform:
        return platform == "xcb"
    return bool(environment.get("DISPLAY")) and not environment.get("WAYLAND_DISPLAY")


def missing(libraries: Mapping[str, str]) -> list[str]:
    """Return the packages of those libraries that cannot be loaded."""
    packages = []
    for name, package in libraries.items():
        try:
            ctypes.CDLL(name)
        except OSError:
            packages.append(package)
    return packages


def missing_for(arguments: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    """Return the packages that a start of soulread with these arguments lacks; a command loads nothing of Qt."""
    if not sys.platform.startswith("linux"):
        return []
    is_command = bool(arguments) and not arguments[0].startswith("-")
    if is_command or {"-h", "--help", "--version"} & {*arguments}:
        return []
    # As with every option, a beginning will do.
    is_offscreen = any(len(word) > 2 and "--offscreen".startswith(word) for word in arguments)
    return missing(DRAWING if is_offscreen or not is_for_x_server(environment) else DRAWING | WINDOW)


if __name__ == "__main__":
    sys.stdout.write(" ".join(missing_for(sys.argv[1:], os.environ)))
