"""Learns what programs have in common against the people that the networks learned from.

python -m engine.lab.program_tilts [FILE]

Half of the styles play each other at tables of two to six, and all are learned as if they were one player, of whom
nothing is expected; the others are left for tests of what is learned (`docs/reading.md`). Of leanings to strong
hands half is taken: programs of other authors have less of them. To be run again when the networks have changed.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import msgspec
import numpy as np
from msgspec.structs import replace

from engine.agents.learned.adaptation import belief_of
from engine.agents.learned.beliefs import RESOURCE, Spreads
from engine.agents.learned.reader import LearnedReader
from engine.agents.learned.tilts import KINDS, STRONG, Numbers
from engine.agents.styles import make_agent
from engine.game.events import PublicEvent, start_of, with_start
from engine.game.format_file import cash_game
from engine.game.formats import SeatConfig
from engine.play import Dealer

STYLES = (
    *("fold-2017", "calling station", "loose-aggressive", "o4", "o6", "o7"),
    *("lead keeper", "min-raiser", "fit-or-fold", "gear changer", "stack player", "maniac"),
)
_SEATS = 6, 6, 4, 2
_TABLES, _HANDS, _SEED = 200, 40, 41
_ONE = "a program"
_OF_LEANINGS = 0.5


def learned(tables: int, hands: int, seed: int) -> Numbers:
    """Return what is learned at so many tables with so many hands each, by `KINDS`, in log-odds."""
    rng = np.random.default_rng(seed)
    reader = LearnedReader(strangers=Spreads(unusual=-1.0))
    for _ in range(tables):
        styles = [STYLES[at] for at in rng.permutation(len(STYLES))[: rng.choice(_SEATS)].tolist()]
        seats = tuple(SeatConfig(f"{number}", style) for number, style in enumerate(styles, 1))
        agents = {seat: make_agent(style) for seat, style in enumerate(styles)}
        dealer = Dealer(cash_game(seats, seed=int(rng.integers(1 << 40))), agents)
        for _ in range(hands):
            dealer.start_hand()
            while dealer.to_act is not None:
                decision = dealer.decide()
                dealer.apply(decision.action, decision)
            reader.learn(_of_one(dealer.events))
    numbers = belief_of(reader.known_players()[_ONE])[0].copy()
    numbers[STRONG] *= _OF_LEANINGS
    return numbers


def _of_one(events: tuple[PublicEvent, ...]) -> tuple[PublicEvent, ...]:
    """Return a hand in which everybody has the same name."""
    return with_start(events, seats=tuple(replace(seat, name=_ONE) for seat in start_of(events).seats))


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn and write the file, the app's own if none is named; some minutes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=Path(str(files("resources").joinpath(RESOURCE))))
    path: Path = parser.parse_args(arguments).file
    numbers = learned(_TABLES, _HANDS, _SEED)
    by_kind = {kind: round(number, 2) for kind, number in zip(KINDS, numbers.tolist(), strict=True)}
    path.write_bytes(msgspec.json.format(msgspec.json.encode(by_kind), indent=1) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
