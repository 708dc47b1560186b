"""`soulread backup` and `soulread restore`: the stored hands copied into a file, and taken from it."""

import os.path
from collections.abc import Sequence
from pathlib import Path

from engine.commands import BAD_INPUT, InputError, Parser, tell, write
from engine.foreign_text import shortened
from engine.words import counted
from trainer.storage.stored import StoreError
from trainer.stored_command import add_data_argument, stored_hands

_FAILURE = "The stored hands cannot be used."


def backup(arguments: Sequence[str], settings: Path, database: Path) -> int:
    """Copy the stored hands and return the exit code: 0, or 2 if they cannot be copied.

    Parameters
    ----------
    arguments : sequence of str
        What follows the name of the command.
    settings, database : Path
        Those of the app: the stored hands, and beside the settings the key to what is sealed in them.
    """
    parser = _parser(
        "backup",
        "Copy the stored hands into one file. All hands that have ended can be read from it wherever it is; the "
        "seed of a session that can go on stays sealed by a key that is not in it.",
        "the file to be written, which must not be there yet",
    )
    try:
        options = parser.parse_args(arguments)
        if os.path.exists(options.file):
            raise InputError(f"{shortened(str(options.file), 200)} is there already, and is left as it is.")
        with stored_hands(options.data, settings, database, _FAILURE) as store:
            store.file.backup(options.file)
            hands = sum(session.hands for session in store.sessions())
    except (InputError, StoreError) as error:
        tell(str(error))
        return BAD_INPUT
    write(f"{counted(hands, 'hand')} copied into {shortened(str(options.file), 200)}.")
    return 0


def restore(arguments: Sequence[str], settings: Path, database: Path) -> int:
    """Take the stored hands from a backup and return the exit code: 0, or 2 if they cannot be; as of `backup`."""
    parser = _parser(
        "restore",
        "Take the stored hands from a backup. Those stored now are set aside in a file beside them, never deleted.",
        "the file that 'soulread backup' or Game > Stored hands has written",
    )
    try:
        options = parser.parse_args(arguments)
        with stored_hands(options.data, settings, database, _FAILURE, is_new_wanted=True) as store:
            hands, sessions = store.file.prepare_restore(options.file)
        with stored_hands(options.data, settings, database, _FAILURE) as store:
            notice = store.file.notice
    except (InputError, StoreError) as error:
        tell(str(error))
        return BAD_INPUT
    write(f"{counted(hands, 'hand')} of {counted(sessions, 'session')} restored. {notice}")
    return 0


def _parser(name: str, description: str, about_file: str) -> Parser:
    parser = Parser(prog=f"soulread {name}", description=f"{description} Close the app first: it owns them.")
    parser.add_argument("file", type=Path, metavar="FILE", help=about_file)
    add_data_argument(parser)
    return parser
