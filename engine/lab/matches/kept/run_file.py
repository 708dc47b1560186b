"""The file of `soulread match --resume` and of the lab: finished matches of one plan, by their numbers."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from zlib import crc32

from msgspec import Struct, structs

from engine.agents.styles import style_name
from engine.codec import StoredDataError, decode
from engine.foreign_text import shortened
from engine.game.events import GameKind
from engine.lab.matches.kept.match_file import Form, MatchFile, OtherVersionError, opened_file
from engine.lab.matches.kept.sources import sources_of_play
from engine.lab.matches.plan import MAX_MATCHES, MatchPlan
from engine.lab.matches.results import FinishedMatch

_SCHEMA: Final = 1
_OF_READERS: Final = ("engine.agents.readers",)

RunFile = MatchFile[int, FinishedMatch]
"""Matches of a plan, counted from 0."""


class _Run(Struct, frozen=True):
    """What all matches of a file have in common."""

    schema: int
    sources: str
    plan: MatchPlan
    readers: tuple[str, ...]


class _Number(Struct, frozen=True):
    number: int


class _RunForm(Form[int, FinishedMatch]):
    match = FinishedMatch
    another = "another file"

    def __init__(self, run: _Run) -> None:
        self.header: _Run = run

    def key(self, match: FinishedMatch) -> int:
        return match.number

    def key_in(self, data: bytes) -> int:
        number = decode(data, _Number).number
        if not 0 <= number < MAX_MATCHES:
            raise StoredDataError(f"There is no match {number:,}.")
        return number

    def name(self, key: int) -> str:
        return f"Match {key + 1}"

    def what_differs(self, header: bytes) -> str:
        run, other = self.header, decode(header, _Run)
        theirs, ours = _as_words(other), _as_words(run)
        what = next((name for name in ours if theirs[name] != ours[name]), None)
        if what is not None:
            return f"have the {what} {shortened(theirs[what])}, and {shortened(ours[what])} is asked for"
        raise OtherVersionError(other.sources, run.sources)


@contextmanager
def open_run_file(
    path: str | Path, plan: MatchPlan, readers: Sequence[str] = (), *, is_anew: bool = False
) -> Iterator[RunFile]:
    """Open the file of a run, made if there is none, for this process alone; `is_anew` drops whatever it has.

    Raises
    ------
    MatchFileError
        If it cannot be opened or written, another process has it open, or it has matches of another plan, of other
        readers, or of another version of Soulread.
    UnknownStyleError, UnknownReaderError
        If a style or its reader has no such name.
    """
    sources = sources_of_play(plan.styles, modules=_OF_READERS if readers else ())
    form = _RunForm(_Run(_SCHEMA, sources, _normal(plan), tuple(readers)))
    with opened_file(path, form, is_anew=is_anew) as file:
        yield file


def _normal(plan: MatchPlan) -> MatchPlan:
    """Return the same plan with nothing left to defaults."""
    is_cash = plan.game.kind == GameKind.CASH
    game = structs.replace(plan.game, starting_stack=plan.starting_stack)
    return structs.replace(plan, hands=plan.decks * plan.rotations if is_cash else None, stack=None, game=game)


def _as_words(run: _Run) -> dict[str, str]:
    """Return what may differ between two runs, by what it is called."""
    plan = run.plan
    names = [style_name(style) for style in plan.styles]
    return {
        "styles": ", ".join(names),
        "seats": str(plan.seats),
        "hands": str(plan.hands),
        "seed": str(plan.seed),
        "seating": plan.seating,
        "readers": ", ".join(run.readers) or "none",
        **{f"format's {field}": str(value) for field, value in structs.asdict(plan.game).items()},
        **{
            f"rules of {name}": f"{crc32(rules.encode()):08x}"
            for name, rules in zip(names, plan.styles, strict=True)
        },
    }
