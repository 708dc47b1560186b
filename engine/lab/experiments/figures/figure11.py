"""Figure 11 of Li et al. 2017 again: rank, hands survived, chips left and fluctuation of eight players."""

from collections.abc import Callable, Mapping, Sequence

from engine.agents.styles import style_label
from engine.commands import aligned
from engine.figures.mean import Mean, mean_of
from engine.lab.experiments.experiment import Outcome, Row, Setting, error_of, in_words, mean_rank
from engine.lab.experiments.figures.tables_of_eight import lineup, records_of_eight, tasks_of_eight
from engine.lab.experiments.picture import Axis, Bars, Panel, Picture, named
from engine.lab.experiments.records import START, MatchRecord, PlayerRecord, Task
from engine.words import listed

TITLE = "Figure 11: rank, hands survived, chips left and fluctuation of eight players"
PAPER = (
    "The paper's FOLD is the best of eight in mean rank, hands survived and chips left, and its chips fluctuate "
    "slightly more than the others'."
)
MATCHES = 100

RANK, SURVIVED, CHIPS, FLUCTUATION = (
    "rank",
    "hands survived",
    "chips left",
    "fluctuation, millions of chips squared",
)
_VALUES: dict[str, tuple[Callable[[PlayerRecord], float], Callable[[Sequence[float]], Mean]]] = {
    RANK: (lambda one: one.rank, mean_rank),
    SURVIVED: (lambda one: one.survived, mean_of),
    CHIPS: (lambda one: START + one.chips, mean_of),
    FLUCTUATION: (lambda one: one.fluctuation / 1e6, mean_of),
}

Standings = dict[str, dict[str, Mean]]
"""By measure, the mean of each player."""


def tasks(setting: Setting) -> list[Task]:
    """Return the matches of each agent with the seven programs."""
    return tasks_of_eight(setting, setting.agents, setting.count(MATCHES))


def outcome(setting: Setting, records: Mapping[Task, MatchRecord]) -> Outcome:
    """Return what came of all matches for each player."""
    count = setting.count(MATCHES)
    found: dict[str, Standings] = {}
    for agent in setting.agents:
        played = records_of_eight(setting, agent, count, records)
        found[agent] = {
            measure: {player: mean([value(one.of(player)) for one in played]) for player in lineup(agent)}
            for measure, (value, mean) in _VALUES.items()
        }
    rows = [
        Row.of(agent, player, "", measure, None, mean)
        for agent, standings in found.items()
        for measure, means in standings.items()
        for player, mean in means.items()
    ]
    text = "\n\n".join(_table(standings) for standings in found.values())
    words = " ".join([PAPER, *(_sentence(agent, standings) for agent, standings in found.items())])
    return Outcome(tuple(rows), text, words, _picture(found))


def _in_order(standings: Standings) -> list[str]:
    return sorted(standings[RANK], key=lambda player: standings[RANK][player].value)


def _table(standings: Standings) -> str:
    rows = [["", "rank", "survived", "chips left", "fluctuation, millions"]]
    for player in _in_order(standings):
        cells = [
            in_words(standings[measure][player], digits)
            for measure, digits in zip(_VALUES, (2, 0, 0, 2), strict=True)
        ]
        rows.append([style_label(player), *cells])
    return aligned(rows)


def _place(standings: Standings, measure: str, player: str) -> int:
    """Return the place of a player by a measure, 1 for the least rank or the most of anything else."""
    sign = 1 if measure == RANK else -1
    mine = sign * standings[measure][player].value
    return 1 + sum(sign * mean.value < mine for mean in standings[measure].values())


def _sentence(agent: str, standings: Standings) -> str:
    name = style_label(agent)
    places = {measure: _place(standings, measure, agent) for measure in (RANK, SURVIVED, CHIPS)}
    best = [measure for measure, place in places.items() if place == 1]
    rest = [f"number {place} in {measure}" for measure, place in places.items() if place > 1]
    parts = ([f"the best in {listed(best)}"] if best else []) + rest
    verdict = "as in the paper" if not rest else "where the paper's is the best in all three"
    others = [mean.value for player, mean in standings[FLUCTUATION].items() if player != agent]
    usual, mine = sum(others) / len(others), standings[FLUCTUATION][agent].value
    return (
        f"{name} is {listed(parts)}, {verdict}. Its chips fluctuate by {mine:.1f} million chips squared, "
        f"{mine / usual:.1f} times the mean of the others, number {_place(standings, FLUCTUATION, agent)} of "
        f"{len(others) + 1}{', more than the others as in the paper' if mine > usual else ', unlike in the paper'}."
    )


def _picture(found: Mapping[str, Standings]) -> Picture:
    lines = tuple(
        tuple(_panel(agent, standings, measure) for measure in _VALUES) for agent, standings in found.items()
    )
    return Picture(lines, 12, 3.3 * len(found))


def _panel(agent: str, standings: Standings, measure: str) -> Panel:
    order, means = _in_order(standings), standings[measure]
    names = [style_label(player) if measure == RANK else "" for player in order]
    bars = Bars(
        tuple(means[player].value for player in order),
        tuple(int(player == agent) for player in order),
        errors=tuple(error_of(means[player]) for player in order),
    )
    paper = "the paper: slightly above the others" if measure == FLUCTUATION else "the paper: best"
    label = measure.replace(" squared", "²")  # has room below a fourth of the window
    return Panel((bars,), Axis(label), Axis(ticks=named(names), is_reversed=True), paper)
