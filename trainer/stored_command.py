"""What the commands share that need the stored hands."""

import os.path
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from engine.commands import InputError, Parser
from engine.foreign_text import shortened

if TYPE_CHECKING:
    from trainer.storage.store import Store


def add_data_argument(parser: Parser) -> None:
    """Let a command be told where the stored hands are."""
    parser.add_argument("--data", type=Path, metavar="DIR", help="where the stored hands are, as of the app")


@contextmanager
def stored_hands(
    data: Path | None, settings: Path, database: Path, failure: str, hint: str = "", *, is_new_wanted: bool = False
) -> Iterator["Store"]:
    """Open the stored hands, those in the folder `data` if it is given, and close them in the end.

    Parameters
    ----------
    data : Path or None
        The folder that the user names.
    settings, database : Path
        Those of the app: the stored hands, and beside the settings the key to what is sealed in them.
    failure, hint : str
        What is said before and after why they cannot be used.
    is_new_wanted : bool
        Whether a new database is made where there is none.

    Raises
    ------
    InputError
        If there are none, or another process owns them, or they cannot be used.
    """
    from trainer.storage.seal import KEY_FILE  # which needs a part of Qt
    from trainer.storage.store import Store

    if data is not None:
        settings, database = data / settings.name, data / database.name
    if not is_new_wanted and not os.path.exists(database):
        raise InputError(f"There are no stored hands in {shortened(str(database), 200)}.")
    store = Store(database, settings.with_name(KEY_FILE))
    try:
        if store.file.why_not_stored:
            raise InputError(f"{failure} {store.file.why_not_stored} {hint}".rstrip())
        yield store
    finally:
        store.close()
