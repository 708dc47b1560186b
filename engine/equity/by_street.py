"""The equity of the same hands and ranges on each street, from before the flop to the board as it lies."""

from collections.abc import Generator
from concurrent.futures import Executor

from msgspec import Struct
from msgspec.structs import replace

from engine.cards import BOARD_SIZE, Street
from engine.checks import EquityError
from engine.equity.solve import EquityQuestion, EquitySnapshot, Snapshots, solve


class StreetEquities(Struct, frozen=True):
    """What the players had on each street.

    Attributes
    ----------
    streets : tuple of Street
        Those that the board has reached, the first before the flop.
    answers : tuple of EquitySnapshot
        Of the first of these streets, in order. All but the last are final; the last may still be refined.
    is_final : bool
        Whether there is a final answer for every street.
    """

    streets: tuple[Street, ...]
    answers: tuple[EquitySnapshot, ...]
    is_final: bool


def equity_by_street(
    question: EquityQuestion, *, seed: int = 0, executor: Executor | None = None
) -> Generator[StreetEquities, None, None]:
    """Compute the equity on each street up to that of the question, step by step.

    Parameters
    ----------
    question : EquityQuestion
        Of its board the first three cards are the flop, the fourth is the turn and the fifth the river. Before they
        are dealt they are in the deck like any others: a hand that the turn will make impossible is possible on
        the flop. Dead cards are dead from the start.
    seed : int
        As for `engine.equity.solve.solve`.
    executor : Executor, optional
        As for `engine.equity.solve.solve`.

    Returns
    -------
    generator of StreetEquities
        The streets in order; what `solve` says of the board as it was then, bit for bit. To cancel, stop
        iterating.

    Raises
    ------
    EquityError
        At once, as `solve` does for the question itself: it has no answer, or no exact one in two minutes though
        that is asked for. An earlier street that would take too long is sampled instead.

    Notes
    -----
    Each street costs what `solve` costs. All four take two hands 2 ms together, two ranges of 300 combos 65 ms
    without the table of `engine.equity.matchups`; wide ranges of three or more players are sampled, a tenth of a
    second a street.

    Examples
    --------
    >>> from engine.cards import parse_cards
    >>> from engine.ranges import parse_range
    >>> hands = parse_range("AhKh"), parse_range("QsQd")
    >>> *_, last = equity_by_street(EquityQuestion(hands, parse_cards("Kd 7s 2c Qh")))
    >>> [(street.name, round(answer.players[0].equity, 4)) for street, answer in zip(last.streets, last.answers)]
    [('PREFLOP', 0.4621), ('FLOP', 0.9121), ('TURN', 0.0)]
    """
    # What is wrong with the question is said at once; nothing is computed before the first step.
    here = solve(question, seed=seed, executor=executor)
    streets = tuple(street for street in Street if BOARD_SIZE[street] <= len(question.board))
    earlier = [_solve_on(street, question, seed, executor) for street in streets[:-1]]
    return _in_order(streets, [*earlier, here])


def _solve_on(street: Street, question: EquityQuestion, seed: int, executor: Executor | None) -> Snapshots:
    """Ask the question as it was on an earlier street."""
    asked = replace(question, board=tuple(question.board[: BOARD_SIZE[street]]))
    try:
        return solve(asked, seed=seed, executor=executor)
    except EquityError:
        if not question.is_exact:
            raise
        return solve(replace(asked, is_exact=False), seed=seed, executor=executor)


def _in_order(streets: tuple[Street, ...], solvers: list[Snapshots]) -> Generator[StreetEquities, None, None]:
    answered: tuple[EquitySnapshot, ...] = ()
    for solver in solvers:
        for snapshot in solver:
            is_final = snapshot.is_final and len(answered) + 1 == len(streets)
            yield StreetEquities(streets, (*answered, snapshot), is_final)
        answered += (snapshot,)
