"""Table 5 of the ensemble paper again: what its agent takes of storage and time."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from engine.agents.evolved.ensemble import MixingRule
from engine.agents.rule_based.pool import POOL
from engine.commands import aligned
from engine.lab.evolution.run import Job
from engine.lab.evolution.settings import evolved_by
from engine.lab.evolution.targets import BASE, EXPLOITERS, Target
from engine.lab.experiments.ensemble.ensemble_experiment import Measured, sets_made_by
from engine.lab.experiments.ensemble.matches import Match, match_of
from engine.lab.experiments.ensemble.sets import A_BASE, A_STAR, A_TAR, PolicySet, set_folder, settings_of
from engine.lab.experiments.experiment import Outcome, Row, Setting
from engine.lab.experiments.picture import Axis, Cells, Panel, Picture, named
from engine.lab.matches.plan import seed_of_match

TITLE = "Table 5: what A* takes of storage and time"
PAPER = (
    "The paper's A* takes 30 GB in training, for strengths of hands, 2,000 CPU hours, 0.5 GB in play and less than "
    "0.1 s for an action."
)
TAKES_SETS = True

_TIMED_RIVAL: Final = "calling station"
"""Whose hands are long; at the ordinary table."""

_TABLE_HANDS, _BULK_HANDS = 1000, 20_000
_SHORT_TABLE_HANDS, _SHORT_BULK_HANDS = 40, 1000

_MEGABYTE, _HOUR = 1e6, 3600.0


class _Line(NamedTuple):
    """One line of the table: what it is, what was measured, its unit, digits, and the paper's number."""

    measure: str
    value: float
    unit: str
    digits: int
    paper: float | None


def jobs(setting: Setting, folder: Path) -> list[Job]:
    """Return nothing beside the sets."""
    return []


def matches(setting: Setting, sets: Sequence[PolicySet]) -> list[tuple[Match, PolicySet | None]]:
    """Return matches of the first set that are timed."""
    one = sets[0]
    in_bulk = [_bulk_match(setting, one, agent, style) for agent in (A_TAR, A_BASE) for style in POOL]
    return [
        (match, one) for match in (*in_bulk, _table_match(setting, one, "cpu"), _table_match(setting, one, "wall"))
    ]


def _bulk_match(setting: Setting, one: PolicySet, agent: str, style: str) -> Match:
    hands = _SHORT_BULK_HANDS if setting.is_short else _BULK_HANDS
    return match_of(agent, style, one, seed_of_match(setting.seed, 2), hands, "cpu")


def _table_match(setting: Setting, one: PolicySet, clock: str) -> Match:
    hands = _SHORT_TABLE_HANDS if setting.is_short else _TABLE_HANDS
    return match_of(A_STAR, _TIMED_RIVAL, one, seed_of_match(setting.seed, 2), hands, clock)


def outcome(setting: Setting, measured: Measured) -> Outcome:
    """Return storage, CPU hours and seconds, beside the paper's."""
    lines = _lines(setting, measured)
    rows = tuple(
        Row(A_STAR, A_STAR, "", f"{line.measure}, {line.unit}", None, line.value, None, 1, line.paper)
        for line in lines
    )
    return Outcome(rows, _table(lines), f"{PAPER} {_sentences(lines)} {sets_made_by(measured)}", _picture(lines))


def _lines(setting: Setting, measured: Measured) -> list[_Line]:
    from engine.kernels.evolved.tree import new_tree

    one, played, settings = measured.sets[0], measured.played, settings_of(setting)
    seconds = sum(
        _hands_trained(setting, target, style)
        * played[_bulk_match(setting, one, A_TAR if target.style else A_BASE, style)].seconds
        for target in (*EXPLOITERS, BASE)
        for style in target.rivals
    )
    trained = [set_folder(setting, policies.seed, measured.folder) for policies in measured.sets]
    kept = [
        sum(file.stat().st_size for file in path.iterdir() if file.is_file()) for path in trained if path.is_dir()
    ]
    learned = (*new_tree(), *one.ensemble(MixingRule.SAFE).compiled().mixing.likeness)
    memory = sum(array.nbytes for array in learned)
    how = f"the base by {evolved_by(settings, BASE)}, and the exploiters"
    lines = [_Line("storage in training", max(kept) / _MEGABYTE, "MB", 1, 30_000)] if kept else []
    return [
        *lines,
        _Line(f"training, {how}", seconds / _HOUR, "CPU hours", 2, 2000),
        _Line("storage in play: policies and library", one.stored_bytes / _MEGABYTE, "MB", 2, 500),
        _Line("memory in play, of what is learned of an opponent", memory / _MEGABYTE, "MB", 1, None),
        _Line("CPU time of an action", 1000 * played[_table_match(setting, one, "cpu")].seconds, "ms", 2, 100),
        _Line("response of an action", 1000 * played[_table_match(setting, one, "wall")].seconds, "ms", 2, 100),
    ]


def _hands_trained(setting: Setting, target: Target, style: str) -> int:
    """Return how many hands a target plays against a style in all its generations."""
    settings = settings_of(setting)
    whole = settings.generations_of(target)
    met = sum(style in target.rivals_at(generation, whole) for generation in range(whole))
    return met * settings.breeding.population * 2 * settings.pairs


def _value(line: _Line) -> str:
    return f"{line.value:,.{line.digits}f} {line.unit}"


def _printed(line: _Line) -> str:
    return "-" if line.paper is None else f"{line.paper:,g} {line.unit}"


def _table(lines: Sequence[_Line]) -> str:
    rows = [["", "ours", "the paper"]]
    return aligned([*rows, *([line.measure, _value(line), _printed(line)] for line in lines)])


def _sentences(lines: Sequence[_Line]) -> str:
    at = {line.unit: line for line in lines}
    hours, action = at["CPU hours"], lines[-2]
    return (
        f"Ours takes {_value(hours)} by the time that hands of its finished policies take, decks, breeding and "
        f"checkpoints apart, and {_value(action)} of CPU for an action, against a {_TIMED_RIVAL}: a network of "
        "fewer weights and fewer hands for each evaluation, compiled, with strengths counted and not stored."
    )


def _picture(lines: Sequence[_Line]) -> Picture:
    words = tuple((_value(line), _printed(line)) for line in lines)
    shares = tuple((0.5, 0.5) for _ in lines)
    panel = Panel(
        (Cells(shares, words),),
        Axis("", named(["ours", "the paper"])),
        Axis("", named([line.measure for line in lines]), is_reversed=True),
        has_legend=False,
    )
    return Picture(((panel,),), 9, 0.6 + 0.45 * len(lines))
