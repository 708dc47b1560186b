"""Several matches of strangers, shared out over an executor, with the same result whoever plays them."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, wait
from functools import partial
from time import process_time
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from engine.agents.readers import make_reader
from engine.game.events import GameKind
from engine.lab.matches.curves import Curve
from engine.lab.matches.plan import MAX_MATCHES, MatchError, MatchPlan, seed_of_match
from engine.lab.matches.playing import PlayedHand, play_decks, play_tournaments, players_of
from engine.lab.matches.results import LEAST_MATCHES, MatchResult, TournamentResult
from engine.lab.matches.tally import MatchTally
from engine.lab.matches.tournament_tally import TournamentTally
from engine.lab.reading import ScoredPoint, Scorer

_SECONDS_OF_WAITING = 0.2

_T = TypeVar("_T")


class SeveralMatches(NamedTuple):
    """Matches so far: their result, and of each reader asked for the points that it was scored on."""

    result: MatchResult
    points: tuple[tuple[ScoredPoint, ...], ...]


class _Played(NamedTuple):
    tally: MatchTally
    points: tuple[tuple[ScoredPoint, ...], ...]


def check_matches(plan: MatchPlan, matches: int, readers: Sequence[str] = ()) -> None:
    """Raise what `several_matches` would raise, before anything is made ready for it."""
    plan.verify()
    if not 1 <= matches <= MAX_MATCHES:
        raise MatchError(f"1 to {MAX_MATCHES:,} matches can be played, not {matches:,}.")
    players_of(plan)
    for reader in readers:
        make_reader(reader)


def several_matches(
    plan: MatchPlan,
    matches: int,
    *,
    readers: Sequence[str] = (),
    executor: Executor | None = None,
    note: Callable[[int], object] | None = None,
    idle: Callable[[], object] | None = None,
) -> Iterator[SeveralMatches]:
    """Play independent matches of the same cash game, in each of which the agents begin as strangers.

    Parameters
    ----------
    matches : int
        How many, each with a seed of its own, by `seed_of_match`.
    readers : sequence of str
        Names of readers to score on the hands, each beginning every match without memories.
    executor : concurrent.futures.Executor, optional
        Shares the matches out, one worker each; the result is the same for any number of workers. Without one
        they are played one after the other in the calling thread.
    note : callable, optional
        Called with the number of further hands after each deck or many, where they are played: an executor of
        processes pickles it.
    idle : callable, optional
        Called every fifth of a second while the executor is waited for.

    Returns
    -------
    iterator of SeveralMatches
        One after each match, in their order; the last is final. To stop, cease to iterate and shut the executor
        down.

    Raises
    ------
    MatchError
        If no such matches can be played.
    UnknownStyleError, UnknownReaderError
        If a style or a reader has no such name.
    concurrent.futures.BrokenExecutor
        If a worker dies, after a last result with all matches that were finished.

    Examples
    --------
    >>> plan = MatchPlan(("random", "tight-passive"), seats=2, hands=40, seed=1)
    >>> *_, (result, _) = several_matches(plan, 3)
    >>> result.matches, result.hands
    (3, 120)
    """
    plan.verify_kind(GameKind.CASH)
    check_matches(plan, matches, readers)
    tasks = [partial(_play_match, one, tuple(readers), note) for one in _plans(plan, matches)]
    return _summed(plan, len(readers), _done(tasks, executor, idle))


def several_tournaments(
    plan: MatchPlan,
    matches: int,
    *,
    executor: Executor | None = None,
    note: Callable[[int], object] | None = None,
    idle: Callable[[], object] | None = None,
) -> Iterator[TournamentResult]:
    """Play independent matches of the same tournament, each whole and once in every rotation.

    In each rotation all begin as strangers, with the decks, the button and the random numbers of the others. The
    parameters, the order of results and the errors are those of `several_matches`, `note` being called after each
    hand.

    Examples
    --------
    >>> from engine.game.format_file import built_in
    >>> plan = MatchPlan(("shover", "tight-passive"), seats=2, seed=1, game=built_in("paper"))
    >>> *_, result = several_tournaments(plan, 2)
    >>> result.matches, result.tournaments, sum(style.rank.value for style in result.styles)
    (2, 4, 3.0)
    """
    plan.verify_kind(GameKind.TOURNAMENT)
    check_matches(plan, matches)
    tasks = [partial(_play_tournaments, one, note) for one in _plans(plan, matches)]
    return _tournaments_summed(plan, _done(tasks, executor, idle))


def hands_of_match(plan: MatchPlan, number: int) -> Iterator[PlayedHand]:
    """Play one of several matches again to look at its hands, which are the same as before.

    Parameters
    ----------
    number : int
        Which of the matches of `several_matches` or `several_tournaments`, from 0.

    Returns
    -------
    iterator of PlayedHand
        In the order played: each deck in all its rotations, a tournament whole in one rotation after another.

    Raises
    ------
    MatchError
        If no such matches can be played.
    UnknownStyleError, UnknownReaderError
        If a style or its reader has no such name.

    Examples
    --------
    >>> plan = MatchPlan(("random", "tight-passive"), seats=2, hands=40, seed=1)
    >>> [hand.name for hand, _ in hands_of_match(plan, 7)][:4]
    ['deck 0', 'deck 0', 'deck 1', 'deck 1']
    """
    check_matches(plan, number + 1)
    one = replace(plan, seed=seed_of_match(plan.seed, number))
    if plan.game.kind == GameKind.TOURNAMENT:
        return play_tournaments(one, _tournament_tally(plan))
    return _cash_hands(one)


def _cash_hands(plan: MatchPlan) -> Iterator[PlayedHand]:
    hands: list[PlayedHand] = []
    for _ in play_decks(plan, players_of(plan), process_time, hands.append):
        yield from hands
        hands.clear()


def _plans(plan: MatchPlan, matches: int) -> list[MatchPlan]:
    return [replace(plan, seed=seed_of_match(plan.seed, number)) for number in range(matches)]


def _play_match(plan: MatchPlan, readers: Sequence[str], note: Callable[[int], object] | None) -> _Played:
    scorers = [Scorer(make_reader(name), plan.seed) for name in readers]

    def score(played: PlayedHand) -> None:
        for scorer in scorers:
            scorer.add(played.hand)

    decks = 0
    for tally in play_decks(plan, players_of(plan), process_time, score if scorers else None):
        if note is not None:
            note((tally.decks - decks) * plan.rotations)
        decks = tally.decks
    return _Played(tally, tuple(tuple(scorer.points) for scorer in scorers))


def _play_tournaments(plan: MatchPlan, note: Callable[[int], object] | None) -> TournamentTally:
    tally = _tournament_tally(plan)
    for _ in play_tournaments(plan, tally):
        if note is not None:
            note(1)
    return tally


def _tournament_tally(plan: MatchPlan) -> TournamentTally:
    return TournamentTally(len(plan.styles), plan.seats, plan.marks)


def _tournaments_summed(plan: MatchPlan, matches: Iterator[TournamentTally]) -> Iterator[TournamentResult]:
    tally = _tournament_tally(plan)
    for one in matches:
        tally.add(one)
        yield TournamentResult.of(plan, tally)


def _done(
    tasks: Sequence[Callable[[], _T]], executor: Executor | None, idle: Callable[[], object] | None
) -> Iterator[_T]:
    """Return results in the order of the tasks; if the executor breaks, first those that there are."""
    if executor is None:
        yield from (task() for task in tasks)
        return
    futures: list[Future[_T]] = [executor.submit(task) for task in tasks]
    for at, future in enumerate(futures):
        while not wait([future], _SECONDS_OF_WAITING).done:
            if idle is not None:
                idle()
        if isinstance(broken := future.exception(), BrokenExecutor):
            yield from (later.result() for later in futures[at:] if later.exception() is None)
            raise broken
        yield future.result()


def _summed(plan: MatchPlan, readers: int, matches: Iterator[_Played]) -> Iterator[SeveralMatches]:
    by_deck, by_match = (MatchTally(len(plan.styles), plan.game.big_blind) for _ in range(2))
    points: list[list[ScoredPoint]] = [[] for _ in range(readers)]
    curve = Curve()
    for count, played in enumerate(matches, 1):
        before = by_deck.decks * plan.rotations
        for all_points, new in zip(points, played.points, strict=True):
            all_points += [point._replace(hand=point.hand + before) for point in new]
        by_deck.add(played.tally)
        by_match.add(played.tally.as_one())
        tally = by_match if count >= LEAST_MATCHES else by_deck
        yield SeveralMatches(MatchResult.of(plan, tally, curve, count), tuple(map(tuple, points)))
