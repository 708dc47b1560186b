"""`soulread import`: takes hand histories of other sites and programs into the stored hands."""

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import msgspec

from engine.commands import BAD_INPUT, STOPPED, InputError, Parser, Progress, aligned, tell, write
from engine.foreign_text import shortened
from engine.hand_histories.files import KINDS, HandFileError
from trainer.importing.run import ImportReport, import_files, reason_lines, summary
from trainer.storage.store import Store
from trainer.storage.stored import StoreError
from trainer.stored_command import add_data_argument, stored_hands

_MOST_REASONS = 30
_OF_A_DRY_RUN = (
    "\nNothing was stored. New are all that can be, hands that are stored already or come twice among them."
)


def main(arguments: Sequence[str], settings: Path, database: Path) -> int:
    """Import files and return the exit code: 0, or 2 if there is no hand to be imported, 130 if it was stopped.

    Arguments are those of `trainer.backup.backup`.
    """
    try:
        options = _parser().parse_args(arguments)
        opened = stored_hands(options.data, settings, database, "Nothing can be imported.", is_new_wanted=True)
        with nullcontext() if options.dry_run else opened as store:
            report, is_stopped = _imported(options.paths, store, tuple(options.player or ()))
        text = _text(report) + _OF_A_DRY_RUN * options.dry_run
        write(msgspec.json.encode(report).decode() if options.json else text)
        if not is_stopped and report.read == report.left_out:
            raise InputError("There is no hand that can be imported." if report.files else "There is no file.")
    except (InputError, HandFileError, StoreError) as error:
        tell(str(error))
        return BAD_INPUT
    return STOPPED if is_stopped else 0


def _parser() -> Parser:
    parser = Parser(
        prog="soulread import",
        description="Take hands of no-limit hold'em that were played elsewhere into the stored hands, where they "
        "can be replayed, reviewed and counted; those that are nobody's own are stored as watched. Hands that are "
        "stored already are left as they are, so an import that was stopped goes on when it is begun again. Close "
        "the app first: it owns the stored hands.",
        epilog=f"Read are {KINDS}.",
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a file, or a folder with all in it")
    parser.add_argument(
        "--player",
        action="append",
        metavar="NAME",
        help="whose hands those are that the files give to nobody; may be given for several names",
    )
    parser.add_argument("--dry-run", action="store_true", help="read and count only; nothing is stored")
    add_data_argument(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _imported(paths: Sequence[Path], store: Store | None, players: tuple[str, ...]) -> tuple[ImportReport, bool]:
    """Return what came of it, and whether it was stopped from the keyboard."""
    found: ImportReport | None = None
    progress = Progress()
    try:
        for found in import_files(paths, store.imports if store is not None else None, {"": players}):
            progress.show(summary(found))
    except KeyboardInterrupt:
        if found is None:
            raise InputError("It was stopped before anything was imported.") from None
        return found, True
    finally:
        progress.clear()
    assert found is not None
    return found, False


def _text(report: ImportReport) -> str:
    rows = [["", "files", "new", "watched", "yours now", "before", "skipped", "refused"]]
    for one in report.origins:
        counts = (one.files, one.new, one.watched, one.turned, one.known, one.skipped, one.refused)
        rows.append([one.origin or "unknown", *(f"{count:,}" for count in counts)])
    reasons = [f"  {shortened(line, 200)}" for line in reason_lines(report.reasons[:_MOST_REASONS])]
    if more := len(report.reasons) - len(reasons):
        reasons.append(f"  and for {more:,} other reasons")
    owners = [
        f"Hands of {site} are nobody's own; if you played them, --player NAME makes them yours:"
        f" {', '.join(map(shortened, names[:6]))}"
        for site, names in report.owners.items()
    ]
    left_out = ["Left out:", *reasons] if reasons else []
    return "\n".join((summary(report), aligned(rows), *left_out, *owners))
