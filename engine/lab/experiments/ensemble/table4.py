"""Table 4 of the ensemble paper again: A* and what stands for the other players, everybody against everybody."""

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Final

from msgspec import Struct

from engine.agents.rule_based.people import PEOPLE
from engine.agents.styles import SOULREAD
from engine.commands import aligned
from engine.figures.mean import NORMAL_95, Mean
from engine.lab.evolution.run import Job
from engine.lab.experiments.ensemble.ensemble_experiment import MBB, Measured, OverSeeds, over_seeds, sets_made_by
from engine.lab.experiments.ensemble.matches import O_RANDOM, Match, match_of
from engine.lab.experiments.ensemble.sets import A_STAR, PolicySet
from engine.lab.experiments.ensemble.table3 import matches_with
from engine.lab.experiments.experiment import Outcome, Row, Setting
from engine.lab.experiments.picture import Axis, Cells, Curve, Marker, Named, Panel, Picture, Stroke, named
from engine.lab.matches.plan import seed_of_match
from engine.words import listed

TITLE = "Table 4: A* and others, everybody against everybody, thousandths of a big blind a hand"
PAPER = (
    "The paper's A* beats ASHE (676), NFSP (32,255), the knowledge AI (230) and O random (6,359), and loses to "
    "Slumbot (-48) and DeepStack (-897)."
)
TAKES_SETS = True


class _Player(Struct, frozen=True):
    """Who plays: styles, whose mean counts, whom they stand for, and how many hands at most with another."""

    name: str
    styles: tuple[str, ...]
    stands_for: str
    hands: int
    paper: float | None = None


_PLAYERS: Final = (
    _Player("A*", (A_STAR,), "A*", 20_000),
    _Player("Soulread", (SOULREAD,), "ASHE", 400, 676),
    _Player("FOLD", ("fold",), "", 4_000),
    _Player("near-equilibrium", ("near-equilibrium",), "Slumbot", 20_000, -48),
    _Player("five people", tuple(PEOPLE), "the knowledge AI", 20_000, 230),
    _Player("O random", (O_RANDOM,), "O random", 20_000, 6359),
)
"""`paper` is what the paper's A* wins from whom the player stands for."""

_SHORT_HANDS = 12

_Pair = tuple[_Player, _Player]


def jobs(setting: Setting, folder: Path) -> list[Job]:
    """Return nothing beside the sets."""
    return []


def matches(setting: Setting, sets: Sequence[PolicySet]) -> list[tuple[Match, PolicySet | None]]:
    """Return the matches of each two players, those of A* with each set; the longest first."""
    found = [
        (match, one)
        for pair in combinations(_PLAYERS, 2)
        for one in _sets_of(pair, sets)
        for match in _matches_of(setting, pair, one)
    ]
    return sorted(found, key=lambda match: SOULREAD not in (match[0].agent, match[0].rival))


def _sets_of(pair: _Pair, sets: Sequence[PolicySet]) -> Sequence[PolicySet | None]:
    return sets if A_STAR in pair[0].styles else [None]


def _matches_of(setting: Setting, pair: _Pair, one: PolicySet | None) -> list[Match]:
    first, second = pair
    if one is not None and second.styles == (O_RANDOM,):
        return matches_with(setting, one, A_STAR, O_RANDOM)
    number = 1000 * (one.seed if one is not None else 1)
    hands = _hands_of(setting, pair)
    # Each with decks of its own: their errors are added as those of independent matches.
    return [
        match_of(agent, rival, one, seed_of_match(setting.seed, number + at), hands)
        for at, (agent, rival) in enumerate(product(first.styles, second.styles))
    ]


def _hands_of(setting: Setting, pair: tuple[_Player, _Player]) -> int:
    """Return how many hands each two styles of a pair of players play."""
    first, second = pair
    if setting.is_short:
        return _SHORT_HANDS
    return min(first.hands, second.hands) // (len(first.styles) * len(second.styles))


def outcome(setting: Setting, measured: Measured) -> Outcome:
    """Return what each player wins from each other, A* over sets."""
    cells = {pair: _cell(setting, measured, pair) for pair in combinations(_PLAYERS, 2)}
    words = f"{PAPER} {_stand_ins()} {_sentences(cells)} {sets_made_by(measured)}"
    return Outcome(tuple(_rows(setting, measured, cells)), _table(setting, measured, cells), words, _picture(cells))


def _cell(setting: Setting, measured: Measured, pair: _Pair) -> OverSeeds:
    of_sets = []
    for one in _sets_of(pair, measured.sets):
        played = [measured.played[match] for match in _matches_of(setting, pair, one)]
        of_sets.append([Mean(match.mean, match.stderr, match.match.hands // 2) for match in played])
    return over_seeds(of_sets)


def _hands_played(setting: Setting, measured: Measured, pair: _Pair) -> int:
    return sum(match.hands for one in _sets_of(pair, measured.sets) for match in _matches_of(setting, pair, one))


def _rows(setting: Setting, measured: Measured, cells: Mapping[_Pair, OverSeeds]) -> list[Row]:
    rows = []
    for pair, cell in cells.items():
        first, second = pair
        measure = "mbb a hand, luck of the board taken out; error of the deals; count: hands"
        paper = second.paper if first.styles == (A_STAR,) else None
        hands = _hands_played(setting, measured, pair)
        value, error = MBB * cell.mean.value, MBB * cell.of_deals
        rows.append(Row(first.name, first.name, second.name, measure, None, value, error, hands, paper))
        if cell.mean.stderr is not None:
            measure = "mbb a hand, luck of the board taken out; count: sets"
            error, count = MBB * cell.mean.stderr, cell.mean.observations
            rows.append(Row(first.name, first.name, second.name, measure, None, value, error, count, paper))
    return rows


def _table(setting: Setting, measured: Measured, cells: Mapping[_Pair, OverSeeds]) -> str:
    rows = [["mbb/hand against", *(player.name for player in _PLAYERS)]]
    hands = [["hands", *(player.name for player in _PLAYERS)]]
    for player in _PLAYERS:
        line, counted = [player.name], [player.name]
        for other in _PLAYERS:
            if player is other:
                line.append("-")
                counted.append("-")
                continue
            pair = (player, other) if (player, other) in cells else (other, player)
            sign = 1 if pair[0] is player else -1
            cell = cells[pair]
            line.append(f"{sign * MBB * cell.mean.value:,.0f} ± {MBB * cell.stderr:,.0f}")
            counted.append(f"{_hands_played(setting, measured, pair):,}")
        rows.append(line)
        hands.append(counted)
    return f"{aligned(rows)}\n\n{aligned(hands)}"


def _stand_ins() -> str:
    standing = [f"{one.name} for {one.stands_for}" for one in _PLAYERS if one.stands_for not in ("", one.name)]
    return f"Here {listed(standing)} stand in, since the paper's programs cannot be had; nobody does for NFSP."


def _sentences(cells: Mapping[_Pair, OverSeeds]) -> str:
    parts = []
    for (first, second), cell in cells.items():
        if first.styles != (A_STAR,):
            continue
        how = "beats" if cell.mean.value > 0 else "loses to"
        is_sure = cell.is_sure and abs(cell.mean.value) > NORMAL_95 * cell.of_deals
        sure = "" if is_sure else ", which may be chance"
        value = f"{MBB * cell.mean.value:,.0f} ± {MBB * cell.stderr:,.0f}"
        parts.append(f"{how} {second.name} ({value}{sure})")
    return f"Our A* {listed(parts)}."


def _picture(cells: Mapping[_Pair, OverSeeds]) -> Picture:
    names = named([player.name for player in _PLAYERS])
    shares, words = [], []
    for player in _PLAYERS:
        line: list[float | None] = []
        said = []
        for other in _PLAYERS:
            if player is other:
                line.append(None)
                said.append("")
                continue
            pair = (player, other) if (player, other) in cells else (other, player)
            value = (1 if pair[0] is player else -1) * cells[pair].mean.value
            line.append(0.5 + 0.5 * value / (1 + abs(value)))
            said.append(f"{MBB * value:,.0f}\n± {MBB * cells[pair].stderr:,.0f}")
        shares.append(tuple(line))
        words.append(tuple(said))
    table = Panel(
        (Cells(tuple(shares), tuple(words)),),
        Axis("", names),
        Axis("", names, is_reversed=True),
        "row against column, mbb a hand",
        has_legend=False,
    )
    met = [(at, other) for at, other in enumerate(_PLAYERS[1:])]
    of_star = [cells[_PLAYERS[0], other] for _, other in met]
    ours = Curve(
        tuple(float(at) for at, _ in met),
        tuple(cell.mean.value for cell in of_star),
        "ours",
        stroke=Stroke.NONE,
        y_errors=tuple(cell.stderr for cell in of_star),
    )
    printed = [(at, other.paper) for at, other in met if other.paper is not None]
    paper = Curve(
        tuple(float(at) for at, _ in printed),
        tuple(value / MBB for _, value in printed),
        "the paper, whom they stand for",
        Named.PAPER,
        Stroke.NONE,
        Marker.DIAMOND,
    )
    across = Axis("", named([other.name for _, other in met]), low=-0.5, high=len(met) - 0.5)
    star = Panel((ours, paper), across, Axis("big blinds a hand that A* wins"), weight=0.7)
    return Picture(((table, star),), 12.5, 4.6)
