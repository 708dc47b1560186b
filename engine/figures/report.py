"""Figures of players as text, CSV and JSON."""

import csv
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

import msgspec
import numpy as np

from engine.cards import HandClass, class_name
from engine.commands import aligned
from engine.figures.mean import Mean, rate_interval
from engine.figures.player_figures import (
    KNOWN_TO,
    Line,
    PlayerFigures,
    by_position,
    figures_of,
    hands_to_know,
    values_of,
)
from engine.figures.seat_hands import SeatHands
from engine.figures.tendencies import KINDS, Decisions, Tendency, clearest, tendencies
from engine.foreign_text import cell_text
from engine.game.phh import SkippedCount
from engine.game.statistics import Ratio
from engine.words import counted

NOTHING = "-"
EVERYWHERE = "all"

COUNTED = {
    "vpip": "VPIP",
    "pfr": "PFR",
    "three_bet": "3B",
    "fold_to_three_bet": "F3B",
    "c_bet": "CB",
    "fold_to_c_bet": "FCB",
    "aggression": "AF",
    "went_to_showdown": "WTSD",
    "won_at_showdown": "W$SD",
}
"""The counts of `PlayerStatistics` by what they are called beside a player."""

USUAL_NOTE = (
    "Usual: what players of recorded hands do with the same hole cards in the same spots, ± how far chance takes\n"
    "one from it. It is no solution of the game, and may be off by some three percentage points.\n"
    "*: too far from it to be chance."
)

_UNTIL = f"Hands until the win rate as won is known to ±{KNOWN_TO:g} bb/100"
_NOTE = (
    "95% intervals, as of hands that are independent of each other. Value-adjusted: without the luck of all "
    "boards,\nthat of all-ins included."
)
_ABOVE_NOTE = "Above folding: more than if each hand had been folded at once, all-in adjusted."


def known_words(rate: Mean) -> str:
    """Say how many hands it takes until a win rate is known to `KNOWN_TO`.

    >>> known_words(Mean(8.0, 25.0, 1600)), known_words(Mean(8.0, 2.0, 160000)), known_words(Mean(8.0, 25.0, 99))
    ('150,000', 'known', 'too few to say')
    """
    needed = hands_to_know(rate)
    if needed is None:
        return "too few to say"
    return "known" if needed <= rate.observations else f"{float(f'{needed:.2g}'):,.0f}"


def as_table(players: Mapping[str, SeatHands]) -> str:
    """Return a row for each player."""
    rows: list[tuple[str, ...]] = [
        (
            "Player",
            "Hands",
            "bb/100",
            "95% interval",
            "Value-adj.",
            "95% interval",
            "Until known",
            *COUNTED.values(),
        )
    ]
    for name, hands in players.items():
        figures = figures_of(hands)
        rows.append(
            (
                name,
                f"{len(hands):,}",
                *_rate_cells(figures.rates[Line.NET]),
                *_rate_cells(figures.rates.get(Line.VALUE)),
                known_words(figures.rates[Line.NET]),
                *(_share(field, getattr(figures.counts, field)) for field in COUNTED),
            )
        )
    return "\n".join([aligned(rows), _NOTE, f"Until known: {_UNTIL[0].lower()}{_UNTIL[1:]}."])


def as_player_table(name: str, hands: SeatHands) -> str:
    """Return what one player did and won, a column for each position, every share with its counts."""
    columns = _columns(hands)
    rows: list[tuple[str, ...]] = [
        (name, *columns),
        ("hands", *(f"{one.counts.hands:,}" for one in columns.values())),
    ]
    for line in Line:
        rates = [_rate_cells(one.rates.get(line)) for one in columns.values()]
        rows.append((f"{line}, bb/100", *(rate for rate, _ in rates)))
        if line in (Line.NET, Line.VALUE, Line.ABOVE_FOLDING):
            rows.append(("  95% interval", *(interval for _, interval in rates)))
    rows += [
        (title, *(_with_counts(field, getattr(one.counts, field)) for one in columns.values()))
        for field, title in COUNTED.items()
    ]
    known = known_words(columns[EVERYWHERE].rates[Line.NET])
    return "\n".join([aligned(rows), _NOTE, _ABOVE_NOTE, f"{_UNTIL}: {known}."])


def as_tendencies(name: str, decisions: Decisions, missing: int) -> str:
    """Return what a player does in each kind of spot beside what is usual with the same hands, and what is clear.

    `missing` are hands in which their cards are not known.
    """
    found = tendencies(decisions)
    rows: list[tuple[str, ...]] = [(name, "decisions", *(cell for kind in KINDS for cell in (kind, "usual")))]
    for one in found:
        cells = [cell for kind in range(len(KINDS)) for cell in tendency_cells(one, kind)]
        rows.append((one.spot, f"{one.decisions:,}", *cells))
    lines = [aligned(rows), USUAL_NOTE, clearest_words(found)]
    if missing:
        hands = counted(missing, "hand")
        lines.append(f"Their cards are not known in {hands}: if that hangs on how these ended, folds are missing.")
    return "\n".join(lines)


def tendency_cells(one: Tendency, kind: int) -> tuple[str, str]:
    """Write how often an action of a kind was done, and what is usual; both nothing where there was no such action.

    >>> c_bets = Tendency("C-bet, flop", 40, (0, 8, 32), (0.0, 0.45, 0.55), (0.0, 0.07, 0.07))
    >>> [tendency_cells(c_bets, kind) for kind in range(3)]
    [('- ', '-'), ('20.0%*', '45.0 ± 7.0%'), ('80.0%*', '55.0 ± 7.0%')]
    """
    if not one.done[kind] and not one.usual[kind]:
        return f"{NOTHING} ", NOTHING
    mark = "*" if one.is_clear(kind) else " "
    return f"{_done(one, kind)}{mark}", f"{100 * one.usual[kind]:.1f} ± {100 * one.stderrs[kind]:.1f}%"


def _done(one: Tendency, kind: int) -> str:
    return f"{one.done[kind] / one.decisions:.1%}"


def clearest_words(found: Sequence[Tendency]) -> str:
    """Say which tendency is the least likely chance, in one sentence."""
    if not found:
        return "No decisions with hole cards that are known."
    clear = clearest(found)
    if clear is None:
        decisions = counted(sum(one.decisions for one in found), "decision")
        return (
            f"In {decisions} nothing differs from what is usual by more than chance and the model's errors explain."
        )
    one, kind = clear
    times = f"{one.done[kind]:,} of {one.decisions:,} times ({_done(one, kind)})"
    spot, usual = f"{one.spot[0].lower()}{one.spot[1:]}", tendency_cells(one, kind)[1]
    return f"Clearest: {spot}: {KINDS[kind]} {times}, usually {usual}."


def as_json(source: str, hands: int, skipped: Sequence[SkippedCount], players: Mapping[str, SeatHands]) -> str:
    """Return the figures as one JSON object.

    It has `source`, `hands` and `skipped`, and for each of `players` `player`, `hands`, `net_chips`, `net_bb`,
    `rates` by line (`bb_per_100`, `stderr`, `interval` and `hands_to_know`; null where hole cards are not known),
    `counts` (`done` and `chances`), and the same for each of `positions`.
    """
    return msgspec.json.encode(
        {
            "source": source,
            "hands": hands,
            "skipped": skipped,
            "players": [
                {
                    "player": name,
                    **_fields(figures_of(rows)),
                    "positions": {position: _fields(one) for position, one in by_position(rows).items()},
                }
                for name, rows in players.items()
            ],
        }
    ).decode()


def as_csv(players: Mapping[str, SeatHands]) -> str:
    """Return the figures as CSV, a row for each position of each player and one for all."""
    rows = [
        (cell_text(name), position, *_values(figures))
        for name, hands in players.items()
        for position, figures in _columns(hands).items()
    ]
    return _csv([("player", "position", *_titles()), *rows])


def classes_as_csv(found: Mapping[HandClass, PlayerFigures]) -> str:
    """Return a player's figures by starting hand as CSV."""
    return _csv([("hand", *_titles()), *((class_name(one), *_values(figures)) for one, figures in found.items())])


def lines_as_csv(hands: SeatHands) -> str:
    """Return what a player had won after each hand, in big blinds, as CSV; empty where cards are not known."""
    lines = [np.cumsum(values_of(hands, line)).tolist() for line in Line]
    rows = (["" if np.isnan(value) else value for value in values] for values in zip(*lines, strict=True))
    return _csv([("hand", *map(_name, Line)), *((number, *row) for number, row in enumerate(rows, 1))])


def _csv(rows: Sequence[Sequence[object]]) -> str:
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _name(line: Line) -> str:
    return line.replace("-", "_").replace(" ", "_")


def _titles() -> tuple[str, ...]:
    """Return what `_values` are called."""
    return (
        *("hands", "net_chips", "net_bb"),
        *(name for line in Line for name in (f"{_name(line)}_bb_per_100", f"{_name(line)}_stderr")),
        *(name for field in COUNTED for name in (f"{field}_done", f"{field}_chances")),
    )


def _values(figures: PlayerFigures) -> tuple[object, ...]:
    counts = figures.counts
    means = [figures.rates.get(line) for line in Line]
    shares: list[Ratio] = [getattr(counts, field) for field in COUNTED]
    return (
        *(counts.hands, counts.net, counts.net_bb),
        *(cell for mean in means for cell in ((mean.value, mean.stderr) if mean else ("", ""))),
        *(cell for share in shares for cell in (share.done, share.chances)),
    )


def _columns(hands: SeatHands) -> dict[str, PlayerFigures]:
    return {EVERYWHERE: figures_of(hands), **by_position(hands)}


def _fields(figures: PlayerFigures) -> dict[str, Any]:
    counts = figures.counts
    return {
        "hands": counts.hands,
        "net_chips": counts.net,
        "net_bb": counts.net_bb,
        "rates": {_name(line): _rate_fields(figures.rates.get(line)) for line in Line},
        "counts": {field: getattr(counts, field) for field in COUNTED},
    }


def _rate_fields(rate: Mean | None) -> dict[str, Any] | None:
    if rate is None:
        return None
    return {
        "bb_per_100": rate.value,
        "stderr": rate.stderr,
        "interval": rate_interval(rate),
        "hands_to_know": hands_to_know(rate),
    }


def _rate_cells(rate: Mean | None) -> tuple[str, str]:
    if rate is None:
        return NOTHING, NOTHING
    limits = rate_interval(rate)
    return f"{rate.value:+,.1f}", NOTHING if limits is None else f"{limits[0]:+,.1f} to {limits[1]:+,.1f}"


def _share(field: str, ratio: Ratio) -> str:
    if ratio.value is None:
        return "∞" if ratio.done else NOTHING
    return f"{ratio.value:.1f}" if field == "aggression" else f"{ratio.value:.0%}"


def _with_counts(field: str, ratio: Ratio) -> str:
    return f"{_share(field, ratio)} ({ratio.done:,}/{ratio.chances:,})"
