"""Several matches of strangers, shared out over an executor, with the same result whoever plays them."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from copy import deepcopy
from functools import partial
from itertools import chain
from time import monotonic, process_time
from typing import NamedTuple

from msgspec.structs import replace

from engine.agents.learned.beliefs import OF_PROGRAMS
from engine.agents.readers import make_reader
from engine.codec import decode, encode
from engine.game.events import GameKind
from engine.lab.matches.counted.curves import Curve, CurvePoint, point_of
from engine.lab.matches.counted.tally import MatchTally
from engine.lab.matches.counted.tournament_tally import TournamentTally
from engine.lab.matches.kept.match_file import MatchFileError
from engine.lab.matches.kept.run_file import RunFile
from engine.lab.matches.plan import LEAST_DECKS, MAX_MATCHES, MatchError, MatchPlan, seed_of_match
from engine.lab.matches.playing import PlayedHand, play_decks, play_tournaments, players_of
from engine.lab.matches.results import LEAST_MATCHES, FinishedMatch, MatchResult, TournamentResult
from engine.lab.matches.sharing import ALONE, Sharing, as_they_end
from engine.lab.reading import ScoredPoint, Scorer

_SECONDS_OF_SAYING = 0.25
"""At least between two reports of a match that is played alone."""


class SeveralMatches(NamedTuple):
    """Matches so far: their result, and of each reader asked for the points that it was scored on."""

    result: MatchResult
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
    sharing: Sharing = ALONE,
    file: RunFile | None = None,
    say: Callable[[bytes], object] | None = None,
) -> Iterator[SeveralMatches]:
    """Play independent matches of the same cash game, in each of which the agents begin as strangers.

    Parameters
    ----------
    matches : int
        How many, each with a seed of its own, by `seed_of_match`.
    readers : sequence of str
        Names of readers to score on the hands, each beginning every match without memories.
    sharing : Sharing
        Who plays them; it notes hands after each deck or many.
    file : RunFile, optional
        Of just such matches: those that it has are taken from it, and every other is kept there once it ends.
    say : callable, optional
        Of one match alone: called now and then where it is played, with what `unfinished` takes.

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
    MatchFileError
        If the file cannot be read or written.

    Examples
    --------
    >>> plan = MatchPlan(("random", "tight-passive"), seats=2, hands=40, seed=1)
    >>> *_, (result, _) = several_matches(plan, 3)
    >>> result.matches, result.hands
    (3, 120)
    """
    plan.verify_kind(GameKind.CASH)
    check_matches(plan, matches, readers)
    play = partial(_play_match, plan, tuple(readers), sharing.note, say if matches == 1 else None)
    return _summed(plan, len(readers), _in_order(play, matches, sharing, file), is_alone=matches == 1)


def several_tournaments(
    plan: MatchPlan,
    matches: int,
    *,
    sharing: Sharing = ALONE,
    file: RunFile | None = None,
    say: Callable[[bytes], object] | None = None,
) -> Iterator[TournamentResult]:
    """Play independent matches of the same tournament, each whole and once in every rotation.

    In each rotation all begin as strangers, with the decks, the button and the random numbers of the others. The
    parameters, the order of results and the errors are those of `several_matches`; hands are noted one by one.

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
    play = partial(_play_tournaments, plan, sharing.note, say if matches == 1 else None)
    return _tournaments_summed(plan, _in_order(play, matches, sharing, file))


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
    one = _plan_of(plan, number)
    if plan.game.kind == GameKind.TOURNAMENT:
        return play_tournaments(one, _tournament_tally(plan))
    return _cash_hands(one)


def _cash_hands(plan: MatchPlan) -> Iterator[PlayedHand]:
    hands: list[PlayedHand] = []
    for _ in play_decks(plan, players_of(plan), process_time, hands.append):
        yield from hands
        hands.clear()


# ---- one match --------------------------------------------------------------------------------------------


def unfinished(plan: MatchPlan, said: bytes) -> MatchResult | TournamentResult:
    """Return what a match has come to that is played alone: of its decks so far, or of its tournaments that ended.

    Parameters
    ----------
    said : bytes
        As `say` was called with.
    """
    one = decode(said, FinishedMatch)
    if plan.game.kind == GameKind.TOURNAMENT:
        *_, tournaments = _tournaments_summed(plan, iter([one]))
        return tournaments
    *_, match = _summed(plan, 0, iter([one]), is_alone=True)
    return match.result


_Say = Callable[[bytes], object] | None


def _play_match(
    plan: MatchPlan, readers: Sequence[str], note: Callable[[int], object] | None, say: _Say, number: int
) -> FinishedMatch:
    one = _plan_of(plan, number)
    scorers = [Scorer(make_reader(name, strangers=OF_PROGRAMS), one.seed) for name in readers]

    def score(played: PlayedHand) -> None:
        for scorer in scorers:
            scorer.add(played.hand)

    decks, due = 0, 0.0
    curve, points = Curve(), tuple[CurvePoint, ...]()
    for tally in play_decks(one, players_of(one), process_time, score if scorers else None):
        if note is not None:
            note((tally.decks - decks) * one.rotations)
        decks = tally.decks
        if say is not None and decks >= LEAST_DECKS:
            hands, big_blind = decks * one.rotations, one.game.big_blind
            points = curve.add(point_of(hands, tally.style_results(one.styles), big_blind))
            if monotonic() >= due:
                say(encode(FinishedMatch(number, tally=tally.stored(), curve=points)))
                due = monotonic() + _SECONDS_OF_SAYING
    scored = tuple(tuple(scorer.points) for scorer in scorers)
    return FinishedMatch(number, tally=tally.stored(), points=scored, curve=points)


def _play_tournaments(
    plan: MatchPlan, note: Callable[[int], object] | None, say: _Say, number: int
) -> FinishedMatch:
    tally = _tournament_tally(plan)

    def say_so_far() -> None:
        so_far = deepcopy(tally)
        so_far.end_match()
        assert say is not None
        say(encode(FinishedMatch(number, tournaments=so_far.stored())))

    for _ in play_tournaments(_plan_of(plan, number), tally, say_so_far if say is not None else None):
        if note is not None:
            note(1)
    return FinishedMatch(number, tournaments=tally.stored())


def _plan_of(plan: MatchPlan, number: int) -> MatchPlan:
    return replace(plan, seed=seed_of_match(plan.seed, number))


def _tournament_tally(plan: MatchPlan) -> TournamentTally:
    return TournamentTally(len(plan.styles), plan.seats, plan.marks)


# ---- sharing out and summing up ---------------------------------------------------------------------------


def _in_order(
    play: Callable[[int], FinishedMatch],
    matches: int,
    sharing: Sharing,
    file: RunFile | None,
) -> Iterator[FinishedMatch]:
    """Return matches in their order, each kept in the file once it ends; what breaks is raised at the end."""
    waiting: dict[int, FinishedMatch] = {}
    left = deque(range(matches))

    def is_there(number: int) -> bool:
        return number in waiting if file is None else number in file

    def take(number: int) -> FinishedMatch:
        return waiting.pop(number) if file is None else file[number]

    missing = [partial(play, number) for number in left if not is_there(number)]
    try:
        for match in chain([None], as_they_end(missing, sharing)):
            if match is not None and file is not None:
                file.add(match)
            elif match is not None:
                waiting[match.number] = match
            while left and is_there(left[0]):
                yield take(left.popleft())
    except (BrokenExecutor, MatchFileError):
        yield from map(take, filter(is_there, left))
        raise


def _tournaments_summed(plan: MatchPlan, matches: Iterator[FinishedMatch]) -> Iterator[TournamentResult]:
    tally = _tournament_tally(plan)
    for one in matches:
        with _fitting(one):
            assert one.tournaments is not None
            tally.add(TournamentTally.restored(one.tournaments, len(plan.styles), plan.seats, plan.marks))
        yield TournamentResult.of(plan, tally)


def _summed(
    plan: MatchPlan, readers: int, matches: Iterator[FinishedMatch], *, is_alone: bool
) -> Iterator[SeveralMatches]:
    by_deck, by_match = (MatchTally(len(plan.styles), plan.game.big_blind) for _ in range(2))
    points: list[list[ScoredPoint]] = [[] for _ in range(readers)]
    curve = Curve()
    for count, one in enumerate(matches, 1):
        before = by_deck.decks * plan.rotations
        with _fitting(one):
            assert one.tally is not None
            played = MatchTally.restored(one.tally, len(plan.styles), plan.game.big_blind)
            for all_points, new in zip(points, one.points, strict=True):
                all_points += [point._replace(hand=point.hand + before) for point in new]
        by_deck.add(played)
        by_match.add(played.as_one())
        tally = by_match if count >= LEAST_MATCHES else by_deck
        result = MatchResult.of(plan, tally, curve, count)
        if is_alone and one.curve:
            result = replace(result, curve=one.curve)
        yield SeveralMatches(result, tuple(map(tuple, points)))


@contextmanager
def _fitting(match: FinishedMatch) -> Iterator[None]:
    """Say of a kept match in a sentence that it is none of its run."""
    try:
        yield
    except (ValueError, AssertionError) as error:
        raise MatchFileError(f"Match {match.number + 1} is kept in a form that does not fit its run.") from error
