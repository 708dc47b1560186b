"""`soulread export`: writes stored hands for other programs."""

import os.path
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from engine.commands import BAD_INPUT, STOPPED, InputError, Parser, Progress, tell, write
from engine.foreign_text import shortened
from engine.hand_histories.export import BY_ENDING, FORMS
from trainer.exporting.run import BATCH, ExportError, ExportReport, export_hands, summary
from trainer.storage.browse import HERE, HandFilter, Order
from trainer.storage.store import Store
from trainer.storage.stored import StoreError
from trainer.stored_command import add_data_argument, stored_hands

_RANGE: Final = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")


def main(arguments: Sequence[str], settings: Path, database: Path) -> int:
    """Write hands and return the exit code: 0, or 2 if none can be written, 130 if it was stopped.

    Arguments are those of `trainer.backup.backup`.
    """
    try:
        options = _parser().parse_args(arguments)
        path = options.output
        form = options.format or BY_ENDING.get(path.suffix.lower())
        if form is None:
            raise InputError(f"--format must say how {shortened(path.name)} is written: its ending does not.")
        if os.path.exists(path):
            raise InputError(f"{shortened(str(path), 200)} is there already, and is left as it is.")
        numbers = _numbers(options.hands)
        if numbers and options.session is None:
            raise InputError("--hands are numbers in a session, so it needs --session.")
        with stored_hands(options.data, settings, database, "Nothing can be exported.") as store:
            report = _exported(options.session, options.site, numbers, path, form, store)
    except KeyboardInterrupt:
        tell("It was stopped; nothing is written.")
        return STOPPED
    except (InputError, ExportError, StoreError) as error:
        tell(str(error))
        return BAD_INPUT
    write(summary(report, path))
    return 0


def _parser() -> Parser:
    parser = Parser(
        prog="soulread export",
        description="Write stored hands for other programs: as PHH, Open Hand History, text of PokerStars, or CSV "
        "with a row for each. Hands that were played here have the hole cards that you saw. Close the app first: "
        "it owns the stored hands.",
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="must not be there yet")
    parser.add_argument("--format", choices=tuple(FORMS), help="default: by the ending of FILE")
    parser.add_argument("--session", type=int, metavar="N", help="of one session only, by its number in the store")
    parser.add_argument("--hands", nargs="+", default=[], metavar="A-B", help="numbers of hands in the session")
    parser.add_argument(
        "--site", default="", metavar="NAME", help="played there only; 'here' for those played here"
    )
    add_data_argument(parser)
    return parser


def _numbers(texts: Sequence[str]) -> list[range]:
    """Return the numbers that are named one by one or as from one to another."""
    found = []
    for text in texts:
        named = _RANGE.fullmatch(text)
        if named is None:
            raise InputError(f"'{shortened(text)}' is no number of a hand, such as 7, nor several, such as 7-20.")
        found.append(range(int(named[1]), int(named[2] or named[1]) + 1))
    return found


def _site(name: str, store: Store) -> str:
    """Return a site as it is written in the store, in whatever case it is named; "" stays."""
    sites = sorted({HERE, *(one.venue.site for one in store.sessions() if one.venue is not None)})
    for site in ("", *sites):
        if site.casefold() == name.casefold():
            return site
    raise InputError(f"No hand of '{shortened(name)}' is stored; sites are {', '.join(sites)}.")


def _exported(
    session: int | None, site: str, numbers: Sequence[range], path: Path, form: str, store: Store
) -> ExportReport:
    progress = Progress()
    try:
        wanted_site = _site(site, store)
        found = store.browse.find(HandFilter(session=session, site=wanted_site), Order.PLAYED, is_rising=True)
        wanted = [int(number) for number in found.hand_ids]
        if numbers:
            batches = (wanted[begin : begin + BATCH] for begin in range(0, len(wanted), BATCH))
            rows = (row for batch in batches for row in store.browse.rows(batch))
            wanted = [row.hand_id for row in rows if any(row.number in some for some in numbers)]
        if not wanted:
            raise InputError("No hand that has ended is stored of what is asked for.")
        for report in export_hands(store, wanted, path, form):
            progress.show(summary(report, path))
        return report
    finally:
        progress.clear()
