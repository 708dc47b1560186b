"""Figure 5 of Li et al. 2017 again: how often each program folds, checks, calls and raises, street by street."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from engine.agents.styles import style_label
from engine.cards import Street
from engine.commands import aligned
from engine.figures.mean import Mean
from engine.lab.experiments.experiment import Outcome, Row, Setting, error_of
from engine.lab.experiments.figures.tables_of_eight import lineup, records_of_eight, tasks_of_eight
from engine.lab.experiments.picture import Axis, Bars, Named, Panel, Picture, named
from engine.lab.experiments.records import KINDS, STREETS, MatchRecord, Task
from engine.lab.matches.counted.tally import Observations

TITLE = "Figure 5: how often each program folds, checks, calls and raises"
PAPER = "The paper shows HC, HARRY1 and FOLD, and that their styles are very different; it prints no numbers."
MATCHES = 100

_ALIKE = 0.05  # of all actions, by total variation: styles that differ by less are hardly two


def tasks(setting: Setting) -> list[Task]:
    """Return the matches of each agent with the seven programs."""
    return tasks_of_eight(setting, setting.agents, setting.count(MATCHES))


def outcome(setting: Setting, records: Mapping[Task, MatchRecord]) -> Outcome:
    """Count what everybody did, the programs at the tables of the first agent."""
    count = setting.count(MATCHES)
    shares: dict[str, list[list[Mean | None]]] = {}
    rows: list[Row] = []
    for agent in setting.agents:
        played = records_of_eight(setting, agent, count, records)
        for player in lineup(agent):
            if player not in shares:
                shares[player] = _shares(np.array([one.of(player).actions for one in played]))
                rows += _rows(agent, player, shares[player])
    return Outcome(tuple(rows), _table(shares), _paragraph(shares), _picture(shares))


def _shares(actions: NDArray[np.int64]) -> list[list[Mean | None]]:
    """Return by street and kind the share of all actions; a match is an observation, and None where none acted."""
    return [
        [_share(of_street[:, kind], of_street.sum(axis=1)) for kind in range(len(KINDS))]
        for of_street in actions.transpose(1, 0, 2)
    ]


def _share(done: NDArray[np.int64], actions: NDArray[np.int64]) -> Mean | None:
    if not actions.sum():
        return None
    observations = Observations(2, 1)
    for one, total in zip(done.tolist(), actions.tolist(), strict=True):
        observations.current[:, 0] = one, total
        observations.end()
    return observations.mean(0, {0: 1.0})


def _rows(agent: str, player: str, shares: Sequence[Sequence[Mean | None]]) -> list[Row]:
    return [
        Row.of(agent, player, "", f"share of actions: {kind.value} {street.name.lower()}", None, share)
        for street, of_street in zip(STREETS, shares, strict=True)
        for kind, share in zip(KINDS, of_street, strict=True)
        if share is not None
    ]


def _table(shares: Mapping[str, Sequence[Sequence[Mean | None]]]) -> str:
    kinds = "/".join(kind.value for kind in KINDS)
    rows = [[f"% {kinds}", *(street.name.lower() for street in STREETS)]]
    for player, of_player in shares.items():
        cells = [
            "/".join("-" if one is None else f"{one.value:.0%}"[:-1] for one in street) for street in of_player
        ]
        rows.append([style_label(player), *cells])
    return aligned(rows)


def _distance(one: Sequence[Sequence[Mean | None]], other: Sequence[Sequence[Mean | None]]) -> float:
    """Return the total variation between what two programs do, 0-1, in the mean over streets."""
    apart = [
        sum(abs(a.value - b.value) for a, b in zip(mine, theirs, strict=True) if a is not None and b is not None)
        / 2
        for mine, theirs in zip(one, other, strict=True)
        if mine[0] is not None and theirs[0] is not None
    ]
    return sum(apart) / len(apart)


def _paragraph(shares: Mapping[str, Sequence[Sequence[Mean | None]]]) -> str:
    apart = {pair: _distance(shares[pair[0]], shares[pair[1]]) for pair in combinations(shares, 2)}
    nearest, farthest = min(apart, key=apart.__getitem__), max(apart, key=apart.__getitem__)
    alike = sum(one < _ALIKE for one in apart.values())
    verdict = "agrees with" if not alike else f"agrees but for {alike} of {len(apart)} pairs with"
    return (
        f"{PAPER} Ours {verdict} that: two programs do different things in {np.mean(list(apart.values())):.0%} of "
        f"their actions on average (total variation, mean over streets), the nearest, {_named(nearest)}, in "
        f"{apart[nearest]:.0%}, the farthest, {_named(farthest)}, in {apart[farthest]:.0%}."
    )


def _named(pair: tuple[str, str]) -> str:
    return " and ".join(map(style_label, pair))


def _picture(shares: Mapping[str, Sequence[Sequence[Mean | None]]]) -> Picture:
    panels = tuple(_panel(shares, at, street) for at, street in enumerate(STREETS))
    return Picture((panels,), 12, 1.4 + 0.38 * len(shares), has_shared_legend=True)


def _panel(shares: Mapping[str, Sequence[Sequence[Mean | None]]], at: int, street: Street) -> Panel:
    starts, bars = np.zeros(len(shares)), []
    for number, kind in enumerate(KINDS):
        means = [of_player[at][number] for of_player in shares.values()]
        widths = np.array([0.0 if mean is None else 100 * mean.value for mean in means])
        errors = tuple(0.0 if mean is None else 100 * error_of(mean) for mean in means)
        is_last = kind == KINDS[-1]  # all end at 100%
        bars.append(
            Bars(
                tuple(widths.tolist()),
                (Named(kind.value),) * len(shares),
                kind.value,
                tuple(starts.tolist()),
                () if is_last else errors,
            )
        )
        starts += widths
    names = [style_label(player) for player in shares] if at == 0 else [""] * len(shares)
    return Panel(
        tuple(bars),
        Axis("% of actions", low=0, high=100),
        Axis(ticks=named(names), is_reversed=True),
        street.name.lower(),
    )
