"""Styles against each other over many hands: how much each wins, and how sure that is.

In a match of a cash game everybody starts every hand with the same stack, so that all hands weigh alike. Luck is
taken out by duplicate deals: each deck is played once in each rotation of the styles over the seats, so every
style gets the same hole cards in the same position with the same board to come, and the same random numbers for
its decisions. For each deck the order of the styles round the table is drawn afresh, so that none always acts
behind the same other, and the button moves on. The luck of the board's cards is taken out too, that of all-ins
included (`engine.lab.matches.board_luck`); what was won is counted both with and without it.

The hands of a deck are not independent, and standard errors do not treat them so: a deck is one observation.
Learning makes later hands differ from earlier ones, which no standard error of one match knows; a match is how
strangers do against each other over just so many hands. Nor can a match be cut, for what is learned in one hand
decides the next. What can be shared out are several matches, each of strangers: `several_matches` plays them, and
from `LEAST_MATCHES` on takes each as one observation, however its hands hang together.

Of a format for tournaments a match is one whole tournament, with the same decks in each rotation of the styles over
the seats and strangers in each; all its rotations are one observation, and `several_tournaments` plays them.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, wait
from functools import partial
from math import ceil
from time import process_time
from typing import NamedTuple, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from engine.agents.agent import Agent, Trace
from engine.agents.readers import make_reader
from engine.agents.styles import make_agent, style_name
from engine.game.events import Chips, GameKind, HandStarted, Seat
from engine.game.format_file import built_in
from engine.game.formats import MAX_SEED, GameConfig, GameConfigError, GameFormat, SeatConfig
from engine.game.phh import RecordedHand
from engine.game.rules import MAX_SEATS, MIN_SEATS
from engine.lab.matches.realised_values import RealisedValue
from engine.lab.matches.tally import (
    Difference,
    MatchTally,
    RankDifference,
    StyleResult,
    TournamentStyle,
    TournamentTally,
)
from engine.lab.reading import ScoredPoint, Scorer
from engine.play import Dealer, Stream, stream_seed
from engine.session_state import DealerState, SeatRecord

DEFAULT_HANDS = 1000
MAX_HANDS = 100_000_000
MAX_STACK = 10_000
"""In big blinds, as `MatchPlan.stack`."""

MAX_MATCHES = 100_000
LEAST_MATCHES = 10
"""With fewer, what they differ by is not known well enough for a standard error."""

MOST_TOURNAMENT_HANDS = 10_000
"""So many are played of a tournament without `max_hands` and without an end, as where all always fold."""

_LEAST_DECKS = 2
"""With fewer there is no standard error."""

_SECONDS_OF_WAITING = 0.2

_T = TypeVar("_T")


class MatchError(ValueError):
    """A match that cannot be played; the message names the value and the rule."""


class MatchPlan(Struct, frozen=True):
    """A match before it begins; it depends on the plan alone.

    Attributes
    ----------
    styles : tuple of str
        Two or more, as `make_agent` takes them, no name twice.
    seats : int
        2 to 10, as many as styles or more; the styles repeat round the table.
    hands : int or None
        To be played of a cash game; as many more as complete the last deck's rotations; None for `DEFAULT_HANDS`.
        A tournament is played to its end and takes None.
    stack : int or None
        Big blinds that everybody starts each hand of a cash game or a tournament with, 1 to 10,000; None for the
        stack of the format.
    game : GameFormat
        Of a cash game stacks are the same at the start of each hand, whether it resets them or not.
    """

    styles: tuple[str, ...]
    seats: int
    hands: int | None = None
    seed: int = 0
    stack: int | None = None
    game: GameFormat = built_in("cash")

    @property
    def starting_stack(self) -> Chips:
        """Chips that everybody starts each hand of a cash game, or a tournament, with."""
        return self.game.starting_stack if self.stack is None else self.stack * self.game.big_blind

    @property
    def rotations(self) -> int:
        """How often each deck or tournament is played: until the styles would sit as in the beginning."""
        return self.seats if self.seats % len(self.styles) else len(self.styles)

    @property
    def decks(self) -> int:
        """How many decks of a cash game are played."""
        return ceil((DEFAULT_HANDS if self.hands is None else self.hands) / self.rotations)

    def verify(self) -> None:
        """Raise `MatchError` if no match can be played like that; the styles' names are not looked up."""
        names = [style_name(style) for style in self.styles]
        for at, name in enumerate(names):
            if name in names[:at]:
                raise MatchError(f"'{name}' is named twice; the styles of a match must differ.")
        if not 2 <= len(self.styles) <= MAX_SEATS:
            raise MatchError(f"A match takes 2 to {MAX_SEATS} styles, not {len(self.styles)}.")
        if not MIN_SEATS <= self.seats <= MAX_SEATS:
            raise MatchError(f"A table has {MIN_SEATS} to {MAX_SEATS} seats, not {self.seats}.")
        if self.seats < len(self.styles):
            raise MatchError(f"{len(self.styles)} styles need as many seats, and there are {self.seats}.")
        if self.hands is not None:
            self._verify_hands(self.hands)
        if self.stack is not None and not 1 <= self.stack <= MAX_STACK:
            raise MatchError(f"A stack has 1 to {MAX_STACK:,} big blinds, not {self.stack:,}.")
        try:
            replace(self.game, starting_stack=self.starting_stack).verify_seats(self.seats)
        except GameConfigError as error:
            raise MatchError(str(error)) from error
        if not 0 <= self.seed <= MAX_SEED:
            raise MatchError(f"The seed must be from 0 to {MAX_SEED}, not {self.seed}.")

    def _verify_hands(self, hands: int) -> None:
        if self.game.kind == GameKind.TOURNAMENT:
            raise MatchError(
                f"'{self.game.name}' is a tournament and played to its end: a number of hands, such as {hands:,}, "
                "is for cash games, and a number of matches for both."
            )
        least = _LEAST_DECKS * self.rotations
        if not least <= hands <= MAX_HANDS:
            raise MatchError(
                f"This match takes {least} to {MAX_HANDS:,} hands ({_LEAST_DECKS} decks of {self.rotations} "
                f"rotations or more), not {hands:,}."
            )

    def verify_kind(self, kind: GameKind) -> None:
        """Raise `MatchError` if no match can be played like that, or if it is of the other kind of game."""
        self.verify()
        if self.game.kind != kind:
            is_cash = self.game.kind == GameKind.CASH
            one, other = ("cash game", "tournament") if is_cash else ("tournament", "cash game")
            raise MatchError(f"'{self.game.name}' is a {one}, and a {other} is asked for.")


class MatchResult(Struct, frozen=True):
    """A match so far, or several: a complete answer about the decks played, with the difference of each two styles.

    `values` are those of the styles that say what their actions are worth. Standard errors are over decks, those
    of `LEAST_MATCHES` or more over matches.
    """

    plan: MatchPlan
    decks: int
    hands: int
    styles: tuple[StyleResult, ...]
    differences: tuple[Difference, ...]
    values: tuple[RealisedValue, ...] = ()
    matches: int = 1

    @classmethod
    def of(cls, plan: MatchPlan, tally: MatchTally, matches: int = 1) -> "MatchResult":
        """Sum up what was counted."""
        return cls(
            plan=plan,
            decks=tally.decks,
            hands=tally.decks * plan.rotations,
            styles=tally.style_results(plan.styles),
            differences=tally.differences(plan.styles),
            values=tally.values.result(plan.styles, plan.game.big_blind),
            matches=matches,
        )


class TournamentResult(Struct, frozen=True):
    """Tournaments so far: a complete answer about the matches played, with the difference of each two styles.

    Standard errors are over matches. `cut` of the tournaments had no end after `MOST_TOURNAMENT_HANDS` hands and
    are ranked as they stood then.
    """

    plan: MatchPlan
    matches: int
    tournaments: int
    cut: int
    hands: int
    styles: tuple[TournamentStyle, ...]
    differences: tuple[RankDifference, ...]

    @classmethod
    def of(cls, plan: MatchPlan, tally: TournamentTally) -> "TournamentResult":
        """Sum up what was counted."""
        return cls(
            plan=plan,
            matches=tally.observations.count,
            tournaments=tally.tournaments,
            cut=tally.cut,
            hands=tally.hands,
            styles=tally.style_results(plan.styles, has_prizes=bool(plan.game.payouts)),
            differences=tally.differences(plan.styles),
        )


class PlayedHand(NamedTuple):
    """A finished hand of a match with everybody's hole cards, and the trace of each decision in order.

    Hole cards and players are of those dealt in, in rising order of their seats. A deck's hands are named after it,
    those of a tournament after their number in it.
    """

    hand: RecordedHand
    traces: tuple[Trace, ...]


class _Player(Struct):
    """One of a style's players, who keeps name and memory through the match."""

    style: int
    name: str
    agent: Agent


def match(
    plan: MatchPlan,
    *,
    clock: Callable[[], float] = process_time,
    watch: Callable[["PlayedHand"], object] | None = None,
) -> Iterator[MatchResult]:
    """Play a match of a cash game; each step plays one deck in all its rotations, timed by CPU seconds by default.

    Parameters
    ----------
    watch : callable, optional
        Takes each hand when it is over; changes nothing of the match.

    Returns
    -------
    iterator of MatchResult
        One after each deck from the second on; the last is final. To stop, cease to iterate.

    Raises
    ------
    MatchError
        If no match can be played like that.
    UnknownStyleError, UnknownReaderError
        If a style or its reader has no such name.

    Examples
    --------
    >>> *_, result = match(MatchPlan(("random", "tight-passive"), seats=2, hands=40, seed=1))
    >>> result.decks, [style.hands for style in result.styles], sum(style.net for style in result.styles)
    (20, [40, 40], 0)
    """
    plan.verify_kind(GameKind.CASH)
    tallies = _decks(plan, _players(plan), clock, watch or (lambda hand: None))
    return (MatchResult.of(plan, tally) for tally in tallies if tally.decks >= _LEAST_DECKS)


def _players(plan: MatchPlan) -> list[list[_Player]]:
    """Return for each style as many players as it may have at the table, all with names of their own."""
    most = ceil(plan.seats / len(plan.styles))
    return [
        [_Player(at, name if most == 1 else f"{name} {number}", make_agent(style)) for number in range(1, most + 1)]
        for at, (style, name) in enumerate(zip(plan.styles, map(style_name, plan.styles), strict=True))
    ]


def _decks(
    plan: MatchPlan,
    players: list[list[_Player]],
    clock: Callable[[], float],
    watch: Callable[["PlayedHand"], object],
) -> Iterator[MatchTally]:
    """Play deck after deck; the same tally after each."""
    tally = MatchTally(len(plan.styles), plan.game.big_blind)
    for deck in range(plan.decks):
        for rotation in range(plan.rotations):
            seated = _seated(plan, players, deck, rotation)
            played = _play_hand(seated, plan, deck, tally, clock)
            tally.add_hand(played.hand, played.traces, {seat: player.style for seat, player in seated.items()})
            watch(played)
        tally.end_deck()
        yield tally


def _seated(plan: MatchPlan, players: list[list[_Player]], deck: int, rotation: int) -> dict[Seat, _Player]:
    """Return who sits where: styles round the table in an order drawn for the deck, turned by the rotation."""
    order = np.random.default_rng([plan.seed, deck]).permutation(len(plan.styles)).tolist()
    ring = [players[order[place % len(order)]][place // len(order)] for place in range(plan.seats)]
    return {Seat((place + rotation) % plan.seats): player for place, player in enumerate(ring)}


def _play_hand(
    seated: dict[Seat, _Player], plan: MatchPlan, deck: int, tally: MatchTally, clock: Callable[[], float]
) -> PlayedHand:
    """Play one hand: that of this number in a session of this seed, with full stacks, whoever sits where."""
    config = replace(_game(seated, plan), max_hands=None)
    full = SeatRecord(config.starting_stack, config.starting_stack)
    last_big_blind = Seat(deck % len(seated))
    state = DealerState(deck, (full,) * len(seated), last_big_blind)
    dealer = Dealer.restore(config, state, {seat: player.agent for seat, player in seated.items()})
    dealer.start_hand()
    while (seat := dealer.to_act) is not None:
        started = clock()
        decision = dealer.decide()
        tally.add_decision(seated[seat].style, clock() - started)
        dealer.apply(decision.action, decision)
    return _finished(dealer, f"deck {deck}")


def _finished(dealer: Dealer, name: str) -> PlayedHand:
    started = dealer.events[0]
    assert isinstance(started, HandStarted)
    hand = RecordedHand(
        name=name,
        players=tuple(seat.name for seat in started.seats),
        hole_cards=tuple(dealer.private_event(seat.seat).hole_cards for seat in started.seats),
        events=dealer.events,
    )
    return PlayedHand(hand, dealer.open_traces())


def _game(seated: dict[Seat, _Player], plan: MatchPlan) -> GameConfig:
    names = tuple(SeatConfig(seated[seat].name, seated[seat].agent.style) for seat in sorted(seated))
    return replace(plan.game.game(names, seed=plan.seed), starting_stack=plan.starting_stack)


# ---- several matches --------------------------------------------------------------------------------------


class SeveralMatches(NamedTuple):
    """Matches so far: their result, and of each reader asked for the points that it was scored on."""

    result: MatchResult
    points: tuple[tuple[ScoredPoint, ...], ...]


class _Played(NamedTuple):
    tally: MatchTally
    points: tuple[tuple[ScoredPoint, ...], ...]


def seed_of_match(seed: int, number: int) -> int:
    """Return the seed of one of several matches: of the first, number 0, the seed itself; 63 bits."""
    return seed if number == 0 else stream_seed(seed, Stream.MATCH, number) >> 65


def check_matches(plan: MatchPlan, matches: int, readers: Sequence[str] = ()) -> None:
    """Raise what `several_matches` would raise, before anything is made ready for it."""
    plan.verify()
    if not 1 <= matches <= MAX_MATCHES:
        raise MatchError(f"1 to {MAX_MATCHES:,} matches can be played, not {matches:,}.")
    _players(plan)
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
        Called with the number of hands after each deck, where it is played: an executor of processes pickles it.
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
    >>> plan = MatchPlan(("shover", "tight-passive"), seats=2, seed=1, game=built_in("paper"))
    >>> *_, result = several_tournaments(plan, 2)
    >>> result.matches, result.tournaments, sum(style.rank.value for style in result.styles)
    (2, 4, 3.0)
    """
    plan.verify_kind(GameKind.TOURNAMENT)
    check_matches(plan, matches)
    tasks = [partial(_play_tournaments, one, note) for one in _plans(plan, matches)]
    return _tournaments_summed(plan, _done(tasks, executor, idle))


def _plans(plan: MatchPlan, matches: int) -> list[MatchPlan]:
    return [replace(plan, seed=seed_of_match(plan.seed, number)) for number in range(matches)]


def _play_match(plan: MatchPlan, readers: Sequence[str], note: Callable[[int], object] | None) -> _Played:
    scorers = [Scorer(make_reader(name), plan.seed) for name in readers]

    def score(played: PlayedHand) -> None:
        for scorer in scorers:
            scorer.add(played.hand)

    for tally in _decks(plan, _players(plan), process_time, score):  # noqa: B007 - the last is kept
        if note is not None:
            note(plan.rotations)
    return _Played(tally, tuple(tuple(scorer.points) for scorer in scorers))


def _play_tournaments(plan: MatchPlan, note: Callable[[int], object] | None) -> TournamentTally:
    """Play a tournament in all its rotations."""
    tally = TournamentTally(len(plan.styles))
    for _ in _tournament_hands(plan, tally):
        if note is not None:
            note(1)
    return tally


def _tournament_hands(plan: MatchPlan, tally: TournamentTally) -> Iterator[PlayedHand]:
    """Play a tournament in all its rotations, hand by hand, and count them."""
    for rotation in range(plan.rotations):
        seated = _seated(plan, _players(plan), 0, rotation)
        style_of = {seat: player.style for seat, player in seated.items()}
        dealer = Dealer(_game(seated, plan), {seat: player.agent for seat, player in seated.items()})
        most = plan.game.max_hands or MOST_TOURNAMENT_HANDS
        while dealer.end_reason is None and dealer.hand_number < most:
            dealer.start_hand()
            while dealer.to_act is not None:
                decision = dealer.decide()
                dealer.apply(decision.action, decision)
            tally.add_hand(dealer.events, style_of, dealer.hand_number)
            yield _finished(dealer, f"hand {dealer.hand_number}")
        tally.cut += dealer.end_reason is None
        tally.end_tournament(dealer.state, dealer.config, style_of)
    tally.observations.end()


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
        return _tournament_hands(one, TournamentTally(len(plan.styles)))
    return _cash_hands(one)


def _cash_hands(plan: MatchPlan) -> Iterator[PlayedHand]:
    hands: list[PlayedHand] = []
    for _ in _decks(plan, _players(plan), process_time, hands.append):
        yield from hands
        hands.clear()


def _tournaments_summed(plan: MatchPlan, matches: Iterator[TournamentTally]) -> Iterator[TournamentResult]:
    tally = TournamentTally(len(plan.styles))
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
    for count, played in enumerate(matches, 1):
        before = by_deck.decks * plan.rotations
        for all_points, new in zip(points, played.points, strict=True):
            all_points += [point._replace(hand=point.hand + before) for point in new]
        by_deck.add(played.tally)
        by_match.add(played.tally.as_one())
        tally = by_match if count >= LEAST_MATCHES else by_deck
        yield SeveralMatches(MatchResult.of(plan, tally, count), tuple(map(tuple, points)))
