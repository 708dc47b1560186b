"""Table 3 of Li et al. 2017 again: eight programs heads-up, everybody against everybody."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from engine.agents.rule_based.contest import CONTEST
from engine.agents.styles import style_label
from engine.commands import aligned
from engine.figures.mean import Mean, mean_of
from engine.lab.experiments.experiment import Outcome, Row, Setting, error_of, in_words
from engine.lab.experiments.figures.tables_of_eight import lineup
from engine.lab.experiments.picture import Axis, Cells, Curve, Marker, Named, Panel, Picture, Stroke, named
from engine.lab.experiments.records import MatchRecord, Task
from engine.words import listed

TITLE = "Table 3: eight programs heads-up, everybody against everybody"
PAPER_TOTALS = {
    "FOLD": 0.89, "HC": 0.69, "XDDS": 0.62, "HARRY1": 0.49, "LUO": 0.48, "FANDY": 0.35, "HARRY2": 0.35, "XJX": 0.15
}  # fmt: skip
PAPER_CHIPS = 3533.0
PAPER = (
    "The paper's FOLD wins 0.89 of its matches, 0.65 to 1.00 of those with each opponent, and 3,533 ± 381 of the "
    "opponent's 4,000 chips; who beats whom is not transitive."
)
MATCHES = 100


class _Cell(NamedTuple):
    """Share of matches won, one that ends level counting half, and chips won less lost."""

    wins: Mean
    chips: Mean


class _Cross(NamedTuple):
    """A cross table: each pair's cell, and the total of each player, best first."""

    cells: dict[tuple[str, str], _Cell]
    totals: dict[str, _Cell]


def tasks(setting: Setting) -> list[Task]:
    """Return the matches of each pair of players; programs meet each other once for all agents."""
    count = setting.count(MATCHES)
    pairs = {pair: None for agent in setting.agents for pair in combinations(lineup(agent), 2)}
    return [setting.task(pair, number) for number in range(count) for pair in pairs]


def outcome(setting: Setting, records: Mapping[Task, MatchRecord]) -> Outcome:
    """Return a cross table for each agent."""
    count = setting.count(MATCHES)
    tables = {agent: _cross(setting, agent, count, records) for agent in setting.agents}
    rows = [row for agent, cross in tables.items() for row in _rows(agent, cross)]
    text = "\n\n".join(_table(agent, cross) for agent, cross in tables.items())
    words = " ".join([PAPER, *(_sentences(agent, cross) for agent, cross in tables.items())])
    return Outcome(tuple(rows), text, words, _picture(tables))


def _cross(setting: Setting, agent: str, count: int, records: Mapping[Task, MatchRecord]) -> _Cross:
    wins: dict[tuple[str, str], list[float]] = {}
    chips: dict[tuple[str, str], list[float]] = {}
    players = lineup(agent)
    for pair in combinations(players, 2):
        played = [records[setting.task(pair, number)] for number in range(count)]
        for one, other in (pair, pair[::-1]):
            wins[one, other] = [2.0 - match.of(one).rank for match in played]
            chips[one, other] = [float(match.of(one).chips) for match in played]
    cells = {pair: _Cell(mean_of(wins[pair]), mean_of(chips[pair])) for pair in wins}
    totals = {player: _Cell(_total(player, players, wins), _total(player, players, chips)) for player in players}
    order = sorted(totals, key=lambda player: -totals[player].wins.value)
    return _Cross(cells, {player: totals[player] for player in order})


def _total(player: str, players: Sequence[str], values: Mapping[tuple[str, str], list[float]]) -> Mean:
    """Return the mean over opponents; matches of one number are one observation, for they have the same decks."""
    by_number = zip(*(values[player, other] for other in players if other != player), strict=True)
    return mean_of([sum(of_number) / (len(players) - 1) for of_number in by_number])


def _rows(agent: str, cross: _Cross) -> list[Row]:
    rows = []
    for player, total in cross.totals.items():
        found = [(other, cross.cells[player, other], None, None) for other in cross.totals if other != player]
        paper = (_paper_total(player, agent), PAPER_CHIPS if player == agent else None)
        for other, cell, of_wins, of_chips in [*found, ("all", total, *paper)]:
            for name, mean, known in (("wins", cell.wins, of_wins), ("chips won less lost", cell.chips, of_chips)):
                rows.append(Row.of(agent, player, other, name, None, mean, known))
    return rows


def _paper_total(player: str, agent: str) -> float | None:
    """Return what the program of the paper won in whose place a player is; None if that is nobody's."""
    names = {program.style: name for name, program in CONTEST.items()}
    return PAPER_TOTALS.get("FOLD" if player == agent else names.get(player, ""))


def _table(agent: str, cross: _Cross) -> str:
    order = list(cross.totals)
    rows = [["wins, chips", *(str(number) for number in range(1, len(order) + 1)), "all", "the paper"]]
    for number, player in enumerate(order, 1):
        cells = ["-" if other == player else _cell(cross.cells[player, other]) for other in order]
        total = cross.totals[player]
        words = f"{in_words(total.wins)}, {in_words(total.chips, 0, '+')}"
        paper = _paper_total(player, agent)
        rows.append([f"{number} {style_label(player)}", *cells, words, "-" if paper is None else f"{paper:.2f}"])
    return aligned(rows)


def _cell(cell: _Cell) -> str:
    return f"{cell.wins.value:.2f} {cell.chips.value:+,.0f}"


def _cycles(cross: _Cross) -> list[tuple[str, str, str]]:
    """Return the triples of players of whom each wins more than half from the next."""

    def beats(one: str, other: str) -> bool:
        return cross.cells[one, other].wins.value > 0.5

    found = []
    for a, b, c in combinations(cross.totals, 3):
        for first, second, third in ((a, b, c), (a, c, b)):
            if beats(first, second) and beats(second, third) and beats(third, first):
                found.append((first, second, third))
    return found


def _sentences(agent: str, cross: _Cross) -> str:
    name, total = style_label(agent), cross.totals[agent]
    place = list(cross.totals).index(agent) + 1
    against = {other: cross.cells[agent, other].wins for other in cross.totals if other != agent}
    worst, best = (choose(against, key=lambda other: against[other].value) for choose in (min, max))
    cycles = _cycles(cross)
    error = total.wins.stderr or 0.0
    apart = total.wins.value - PAPER_TOTALS["FOLD"]
    if abs(apart) <= 2 * error:
        verdict = "which agrees with the paper's within two standard errors"
    else:
        verdict = f"which is {'more' if apart > 0 else 'less'} than the paper's FOLD won from its opponents"
    sentence = (
        f"{name} comes out number {place} of {len(cross.totals)} and wins {in_words(total.wins)} of its matches, "
        f"{verdict}, from {in_words(against[worst])} of those with {style_label(worst)} to "
        f"{in_words(against[best])} with {style_label(best)}, and {in_words(total.chips, 0, '+')} chips a match. "
    )
    if not cycles:
        return sentence + f"Among these {len(cross.totals)} who beats whom is transitive, unlike in the paper."
    some = listed([style_label(player) for player in cycles[0]])
    rest = "" if len(cycles) == 1 else f", as do {len(cycles) - 1} other triples"
    return sentence + f"Not transitive, as in the paper: {some} beat each other in a circle{rest}."


def _picture(tables: Mapping[str, _Cross]) -> Picture:
    places = tuple(map(float, range(1, len(PAPER_TOTALS) + 1)))
    curves = []
    for number, (agent, cross) in enumerate(tables.items()):
        means = [total.wins for total in cross.totals.values()]
        errors = tuple(map(error_of, means))
        values = tuple(mean.value for mean in means)
        curves.append(Curve(places[: len(values)], values, f"with {style_label(agent)}", number, y_errors=errors))
    paper = Curve(
        places, tuple(PAPER_TOTALS.values()), "the paper", Named.PAPER, Stroke.DASHED, marker=Marker.DIAMOND
    )
    totals = Panel(
        (*curves, paper),
        Axis("place", tuple((place, f"{place:.0f}") for place in places)),
        Axis("share of all matches won", low=0, high=1.02),
        weight=3.4,
    )
    lines = ((*(_panel(cross) for cross in tables.values()), totals),)
    return Picture(lines, 7.4 * len(tables) + 3.4, 5.6)


def _panel(cross: _Cross) -> Panel:
    order = list(cross.totals)
    shares, words = [], []
    for player in order:
        cells = [None if other == player else cross.cells[player, other] for other in order]
        cells.append(cross.totals[player])
        shares.append(tuple(None if cell is None else cell.wins.value for cell in cells))
        words.append(tuple("" if cell is None else _in_cell(cell) for cell in cells))
    names = [style_label(player) for player in order]
    return Panel(
        (Cells(tuple(shares), tuple(words)),),
        Axis(ticks=named([*names, "ALL"])),
        Axis(ticks=named(names), is_reversed=True),
        "matches won by the row; chips won less lost, standard error",
        weight=7.4,
    )


def _in_cell(cell: _Cell) -> str:
    error = "" if cell.chips.stderr is None else f"\n±{cell.chips.stderr:,.0f}"
    return f"{cell.wins.value:.2f}\n{cell.chips.value:+,.0f}{error}"
