"""Solves the small game by external-sampling Monte Carlo CFR of OpenSpiel, and stores the strategy.

OpenSpiel's solver in Python takes whatever has the methods that it calls, so a deal and a place of the betting tree
are a state. It makes twice as many iterations a second as the solver in C++ does of a game written in Python.

Source
------
Lanctot, Waugh, Zinkevich, Bowling, "Monte Carlo sampling for regret minimization in extensive games", NIPS 2009;
Lanctot et al., "OpenSpiel: a framework for reinforcement learning in games", 2019.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.agents.near_equilibrium.betting_tree import BLINDS, End, Place, betting_tree
from engine.agents.near_equilibrium.buckets import bucket_count
from engine.agents.near_equilibrium.strategy import RESOURCE, Strategy, parse_strategy, strategy_bytes
from engine.lab.near_equilibrium.best_response import exploitability
from engine.lab.near_equilibrium.small_game import Deals, Odds, deal, showdown_odds, winnings

ITERATIONS = 1_475_000
DEALS = 100_000

_REPORTED = 50_000
"""Iterations after which progress is said."""


class SolvingError(ValueError):
    """What keeps the small game from being solved; the message says it."""


class _Game:
    """The small game as OpenSpiel's solver sees it: each play of it begins with one of the deals."""

    def __init__(self, deals: Deals, odds: Odds, dynamics: object, seed: int) -> None:
        self.deals = [tuple(map(tuple, one)) for one in deals.buckets.tolist()]
        self.odds: list[list[list[float]]] = [table.tolist() for table in odds]
        self.steps = [[int(step) for step in place.steps] for place in betting_tree()]
        self.keys = [[(place.number, at) for at in range(bucket_count(place.street))] for place in betting_tree()]
        self._dynamics = dynamics
        self._random = np.random.default_rng([seed, 1])

    def num_players(self) -> int:
        return 2

    def get_type(self) -> "_Game":
        return self

    @property
    def dynamics(self) -> object:
        return self._dynamics

    def new_initial_state(self) -> "_State":
        return _State(self, self.deals[int(self._random.integers(len(self.deals)))], betting_tree()[0])


class _State:
    """A deal and how far its betting has come."""

    __slots__ = ("_deal", "_game", "_place")

    def __init__(self, game: _Game, deal: tuple[tuple[int, ...], ...], place: Place | End) -> None:
        self._game, self._deal, self._place = game, deal, place

    def is_terminal(self) -> bool:
        return isinstance(self._place, End)

    def is_chance_node(self) -> bool:
        return False

    def current_player(self) -> int:
        assert isinstance(self._place, Place)
        return self._place.player

    def legal_actions(self) -> list[int]:
        assert isinstance(self._place, Place)
        return self._game.steps[self._place.number]

    def child(self, action: int) -> "_State":
        assert isinstance(self._place, Place)
        return _State(self._game, self._deal, self._place.steps[action])  # type: ignore[index]  # an IntEnum's number

    def information_state_string(self, player: int) -> tuple[int, int]:
        """Return what a player knows; any key will do, and a tuple is there already."""
        place = self._place
        assert isinstance(place, Place)
        return self._game.keys[place.number][self._deal[place.street][player]]

    def player_return(self, player: int) -> float:
        end = self._place
        assert isinstance(end, End)
        first, second = self._deal[end.street]
        won = winnings(end, self._game.odds[end.street][first][second]) / BLINDS[1]
        return won if player == 0 else -won


def solve(deals: Deals, odds: Odds, iterations: int, seed: int, say: Callable[[str], None]) -> Strategy:
    """Return the average strategy of a number of iterations; the same for the same seed.

    Raises
    ------
    SolvingError
        If OpenSpiel is not installed.
    """
    mccfr, dynamics = _libraries()
    game = _Game(deals, odds, dynamics, seed)
    np.random.seed(seed)  # noqa: NPY002  # the solver draws from numpy's own generator
    solver = mccfr.ExternalSamplingSolver(game)
    for done in range(1, iterations + 1):
        solver.iteration()
        if done % _REPORTED == 0:
            say(f"{done:,} of {iterations:,} iterations")
    average = solver.average_policy()

    def table(place: Place) -> NDArray[np.float64]:
        rows = []
        for bucket in range(bucket_count(place.street)):
            chances = average.action_probabilities(_State(game, ((bucket, bucket),) * 4, place))
            rows.append([chances[step] for step in place.steps])
        return np.array(rows)

    return tuple(table(place) for place in betting_tree())


def _libraries() -> tuple[Any, Any]:
    """Return the module of OpenSpiel's solver and the kind of game that it asks for; only solving needs them."""
    try:
        pyspiel, mccfr = (
            import_module(name) for name in ("pyspiel", "open_spiel.python.algorithms.external_sampling_mccfr")
        )
    except ImportError:
        raise SolvingError("Solving needs OpenSpiel: pip install soulread[solving].") from None
    return mccfr, pyspiel.GameType.Dynamics.SEQUENTIAL


def main(arguments: Sequence[str] | None = None) -> int:
    """Solve the small game, measure and store the strategy; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="make near-equilibrium",
        description="Solve the small heads-up game by OpenSpiel, and say what a best response to the result wins.",
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--iterations", type=int, default=ITERATIONS, metavar="N")
    parser.add_argument("--deals", type=int, default=DEALS, metavar="N", help="to play on, and to measure on")
    parser.add_argument("--file", type=Path, default=Path("resources", RESOURCE), help="to write")
    options = parser.parse_args(arguments)

    def say(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    if min(options.iterations, options.deals) < 1:
        say("Solving takes an iteration and a deal at least.")
        return 2
    seeds = np.random.SeedSequence(options.seed).generate_state(3).tolist()
    deals, known, fresh = (deal(options.deals, seed) for seed in seeds)
    odds = showdown_odds(deals)
    try:
        strategy = solve(deals, odds, options.iterations, options.seed, say)
    except SolvingError as error:
        say(str(error))
        return 2
    data = strategy_bytes(strategy)
    lost = exploitability(parse_strategy(data), known, fresh, odds)
    print(f"Best responses win {1000 * lost.value:,.0f} ± {1000 * lost.stderr:,.0f} mbb a hand.")
    try:
        options.file.write_bytes(data)
    except OSError as error:
        say(f"{options.file} cannot be written: {error.strerror or error}.")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
