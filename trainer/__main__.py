"""Arguments, log file and start-up: everything before the first window.

`soulread` opens the app, `soulread odds ...` and the other commands of `engine.__main__` need no Qt. What stops a
start (no display, a missing system library) is said in one sentence, with exit code 2.
"""

import argparse
import ctypes
import importlib.metadata
import logging
import logging.handlers
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from engine.atomic_file import make_private_file, make_private_folder
from engine.commands import BAD_INPUT, InputError, Parser, tell
from engine.foreign_text import shortened
from trainer import system_libraries

STARTED = time.perf_counter()

_STORED = {
    "verify": ("trainer.verify", "main"),
    "import": ("trainer.importing.command", "main"),
    "export": ("trainer.exporting.command", "main"),
    "backup": ("trainer.backup", "backup"),
    "restore": ("trainer.backup", "restore"),
}
"""Commands that need the stored hands: the module and function of each."""

_COMMANDS = {
    "odds": "win, tie and equity of hands or ranges",
    "icm": "what stacks of a tournament are worth in prizes",
    "push": "which hands short stacks go all-in with, where everybody pushes or folds",
    "preflop": "which hands players raise, call and fold in a spot before the flop",
    "match": "styles of play against each other",
    "styles": "all styles of play, and what they are measured to do",
    "import": "take hands of other sites into the stored hands",
    "export": "write stored hands for other programs",
    "backup": "copy the stored hands into a file",
    "restore": "take them back",
    "verify": "check that a session was dealt fairly",
    "figures": "what players did and won, on recorded hands",
    "review": "what each decision of a player cost, on recorded hands",
    "replay": "recorded hands step by step, in the window or as JSON",
    "reading": "how well a reader reads, on recorded hands",
    "figure7": "the FOLD paper's figure 7 again, on recorded hands",
    "experiment": "other figures and tables of papers again",
    "evolve": "policies evolved against styles of play",
    "join": "play at tables that other people run",
}
"""All commands, and what they do."""

_M_ARENA_MAX = -8
"""Of glibc's <malloc.h>."""

_log = logging.getLogger("trainer")


class Folders(NamedTuple):
    """Where the user's files are."""

    settings: Path
    database: Path
    log: Path


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program with the arguments after its name, by default the process's, and return its exit code."""
    try:
        return _run(list(sys.argv[1:] if arguments is None else arguments))
    except InputError as error:
        tell(str(error))
        return BAD_INPUT


def _run(arguments: list[str]) -> int:
    if getattr(sys, "frozen", False):
        from multiprocessing import freeze_support

        freeze_support()  # a process that plays matches is this program again
        # What the window opens, such as a file manager for the folder of the log, is to load its own libraries, and
        # this program ours, also where it is started by itself.
        os.environ["LD_LIBRARY_PATH"] = os.environ.get("LD_LIBRARY_PATH_ORIG", "")
        os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"
    if arguments and arguments[0] in _STORED:
        module, function = _STORED[arguments[0]]
        run_stored = getattr(importlib.import_module(module), function)
        folders = _folders(None)
        return int(run_stored(arguments[1:], folders.settings, folders.database))
    replay: argparse.Namespace | None = None
    if arguments and arguments[0] == "replay" and not {"--json", "--help", "-h"} & set(arguments):
        replay, arguments = _replay_options(arguments[1:])
    if arguments and not arguments[0].startswith("-"):
        if arguments[0] not in _COMMANDS:
            raise InputError(f"There is no command '{shortened(arguments[0])}'. See soulread --help.")
        from engine.__main__ import main as run_command

        return run_command(arguments)
    parser = _parser()
    options = parser.parse_args(arguments)
    options.started, options.replay = STARTED, replay
    if options.offscreen and options.autoplay is None and options.screenshot is None:
        parser.error("--offscreen shows nothing, so it needs --autoplay or --screenshot")
    if options.autoplay is None and (options.players, options.seed) != (None, None):
        parser.error("--players and --seed are of --autoplay")
    if problem := _screen_problem(options.offscreen):
        print(f"soulread: {problem}", file=sys.stderr)
        return 2
    if options.offscreen:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    folders = _folders(options.data)
    if options.data is None:
        _close_to_others(folders)
    _write_log(folders.log)
    _share_one_heap()
    try:
        from trainer.app import run
    except ImportError as error:
        _log.exception("An import failed")
        print(f"soulread: {_import_problem(error)}", file=sys.stderr)
        return 2
    return run(options, folders.settings, folders.database, folders.log, version())


def _replay_options(arguments: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
    """Return which recorded hands are wanted, and the other arguments; raise InputError if there are none."""
    from engine.replay_command import add_replay_arguments, check_replay

    parser = Parser(prog="soulread replay", allow_abbrev=False)
    add_replay_arguments(parser)
    options, others = parser.parse_known_args(arguments)
    check_replay(options)
    return options, others


def _parser() -> Parser:
    width = max(map(len, _COMMANDS))
    parser = Parser(
        prog="soulread",
        description="A Texas Hold'em trainer whose opponents read hands, and show how.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Commands; --help after one of them tells more:\n"
        + "\n".join(f"  {name.ljust(width)}  {what}" for name, what in _COMMANDS.items()),
    )
    parser.add_argument("--version", action="version", version=f"soulread {version()}")
    parser.add_argument("--data", type=Path, metavar="DIR", help="keep settings, hands and log in this folder")
    parser.add_argument("--offscreen", action="store_true", help="draw into memory, without a display")
    parser.add_argument("--autoplay", type=_at_least(1), metavar="N", help="play N hands by themselves and exit")
    parser.add_argument(
        "--players", type=_at_least(2, 10), metavar="K", help="seats of autoplay, 2-10 (default: 6)"
    )
    parser.add_argument("--seed", type=_at_least(0), metavar="S", help="of autoplay's cards and bots (default: 0)")
    parser.add_argument("--screenshot", type=Path, metavar="FILE", help="save a picture of the window at the end")
    parser.add_argument("--time-startup", action="store_true", help="print when the window was first shown")
    return parser


def _at_least(least: int, most: int = 2**63 - 1) -> Callable[[str], int]:
    def number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            bounds = f"from {least} to {most}" if most < 2**63 - 1 else f"of at least {least}"
            raise argparse.ArgumentTypeError(f"'{text}' is no whole number {bounds}.")
        return value

    return number


def version() -> str:
    """Return the version of the installed app."""
    try:
        return importlib.metadata.version("soulread")
    except importlib.metadata.PackageNotFoundError:
        return "of an unpacked source tree"


def _folders(data: Path | None) -> Folders:
    if data is not None:
        return Folders(data / "soulread.ini", data / "soulread.db", data / "soulread.log")
    import platformdirs

    return Folders(
        Path(platformdirs.user_config_dir("soulread", appauthor=False), "soulread.ini"),
        Path(platformdirs.user_data_dir("soulread", appauthor=False), "soulread.db"),
        Path(platformdirs.user_log_dir("soulread", appauthor=False), "soulread.log"),
    )


def _close_to_others(folders: Folders) -> None:
    """Let nobody else look into our own folders, which earlier versions left open; others stay as they are."""
    for folder in {path.parent for path in folders}:
        with suppress(OSError):  # there is none yet, or it is another's
            folder.chmod(0o700)


def _share_one_heap() -> None:
    """Let all threads take memory from one heap where the C library is glibc, before there are any.

    What one thread has freed serves another then: a session takes 70 MB less, and no heaps of freed memory grow.
    """
    if sys.platform.startswith("linux") and hasattr(c_library := ctypes.CDLL(None), "mallopt"):
        c_library.mallopt(_M_ARENA_MAX, 1)


class _PrivateLog(logging.handlers.RotatingFileHandler):
    """A log that only the user may read, also after the file has been changed."""

    def _open(self) -> TextIOWrapper:
        make_private_file(Path(self.baseFilename))
        return super()._open()


def _write_log(path: Path) -> None:
    """Send all log records, and whatever exception nobody caught, to the log file."""
    handler: logging.Handler
    try:
        make_private_folder(path.parent)
        handler = _PrivateLog(path, maxBytes=1_000_000, backupCount=2, encoding="utf-8")
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(handler)
    logging.getLogger().setLevel(logging.INFO)

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        _log.critical("Not caught", exc_info=(kind, error, trace))
        print(
            f"soulread: something went wrong ({shortened(str(error), 300)}); the details are in {path}.",
            file=sys.stderr,
        )

    sys.excepthook = hook


def _screen_problem(is_offscreen: bool) -> str:
    """Say in one sentence why no window can be opened, or ""."""
    if not sys.platform.startswith("linux"):
        return ""
    if missing := system_libraries.missing(system_libraries.DRAWING):
        return _install_sentence(missing)
    platform = system_libraries.platform_of(os.environ)
    is_screenless = platform in system_libraries.NO_SCREEN_PLATFORMS
    if is_offscreen or (platform and not is_screenless and platform not in ("xcb", "wayland")):
        return ""
    has_screen = bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    if not has_screen or is_screenless:
        return "there is no display to open a window on; start it in a desktop session, or with --offscreen."
    if not system_libraries.is_for_x_server(os.environ):
        return ""
    if missing := system_libraries.missing(system_libraries.WINDOW):
        return _install_sentence(missing)
    if not _x_server_answers():
        name = os.environ["DISPLAY"]
        return f"the display {name} does not answer; start it in a desktop session, or with --offscreen."
    return ""


def _install_sentence(packages: list[str]) -> str:
    return f"system libraries are missing; on Debian: sudo apt-get install {' '.join(packages)}"


def _x_server_answers() -> bool:
    """Ask before Qt does, which aborts the process when the display does not answer."""
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    answers = bool(xcb.xcb_connection_has_error(connection) == 0)
    xcb.xcb_disconnect(connection)
    return answers


def _import_problem(error: ImportError) -> str:
    if missing := system_libraries.missing_for(["--offscreen"], os.environ):
        return _install_sentence(missing)
    return f"a part of the app is missing ({error}); install it anew."


if __name__ == "__main__":
    sys.exit(main())
