"""The player's own reader: what it makes of each point of the hand, the newest first, then the points missed.

It sees what the player sees, remembers opponents over the session, and learns a hand only after it, so that every
point of a hand is read with the same memory. What it read is judged by the cards that others held when the hand has
ended. All of it runs on the lane `reading`.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, takewhile
from time import monotonic
from typing import Protocol

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from engine.agents.agent import Answers, KnownPlayers, KnowsPlayers, Reader, Remembers
from engine.agents.calibration import TableTally
from engine.cards import HoleCards
from engine.codec import StoredDataError
from engine.game.events import (
    ActionTaken,
    BoardDealt,
    Chips,
    HandStarted,
    HoleCardsShown,
    Posted,
    PostKind,
    PublicEvent,
    Seat,
    raise_to,
    start_of,
)
from engine.game.observation import HandView, Observation
from trainer.jobs import Job, Jobs
from trainer.session.tallies import Tallies
from trainer.session.types import HintPoint, PointRanges, PointReading, PotEquities, RunOutPoint

_log = logging.getLogger(__name__)


class Keeper(Protocol):
    """Stores what a reader has learned, from its lane."""

    def save_reader_memory(self, name: str, hand: int, memory: bytes) -> None:
        """Take a reader's name, the number of the last hand it has learned, and its memory."""

    def save_players(self, players: KnownPlayers) -> None:
        """Take what later sessions are to know of the players."""


LANE = "reading"
_KEPT_EVERY = 10  # hands between two times that what was learned is kept
_PAUSE_MILLISECONDS = 40
"""Between two readings: the panels cost the window a frame each time, and bots at full speed act faster."""

_HINT_SECONDS, _HINT_DEALS = 1.0, 8_192  # what comes first ends a hint


def is_reading_point(observation: HandView) -> bool:
    """Return whether the newest event changes what can be read: the last blind, an action, board cards."""
    started = start_of(observation.events)
    return is_reading_event(started, observation.events[-1])


def is_reading_event(started: HandStarted, event: PublicEvent) -> bool:
    """Return whether an event of a hand changes what can be read."""
    if isinstance(event, Posted):
        return event.kind is (PostKind.STRADDLE if started.straddle else PostKind.BIG_BLIND)
    return isinstance(event, ActionTaken | BoardDealt)


class _PlayersReader:
    """The reader and its memory, on the lane; made there, since it loads what it needs."""

    def __init__(self, name: str, known: Callable[[], KnownPlayers], *, was_played_elsewhere: bool) -> None:
        self.name = name
        self.known = known
        self._was_played_elsewhere = was_played_elsewhere
        self.is_dismissed = False
        self._made: Reader | None = None
        self._since_kept = 0

    def _reader(self) -> Reader:
        from engine.agents.learned.beliefs import OF_PEOPLE, OF_PROGRAMS
        from engine.agents.readers import DEFAULT_READER, READERS, make_reader

        if self._made is None:
            strangers = OF_PEOPLE if self._was_played_elsewhere else OF_PROGRAMS
            made = make_reader(self.name if self.name in READERS else DEFAULT_READER, strangers=strangers)
            if isinstance(made, KnowsPlayers):
                made.meet(self.known())
            self._made = made
        return self._made

    def recall(self, memory: bytes, hands: Callable[[], Iterable[Observation]]) -> Iterator[int]:
        """Take a memory up, or learn the hands in it again where it is damaged or another version's."""
        reader = self._reader()
        try:
            if isinstance(reader, Remembers):
                reader.recall(memory)
        except StoredDataError as error:
            _log.warning("The memory of the player's reader is left out: %s", error)
            yield from self.learn(hands())

    def learn(self, hands: Iterable[HandView], keep: Keeper | None = None) -> Iterator[int]:
        """Learn hands until nobody needs the reader any more, and yield after each how many; keep the memory."""
        reader, number = self._reader(), 0
        for count, final in enumerate(hands, start=1):
            if self.is_dismissed:
                return
            _learn(reader, final)
            self._since_kept, number = self._since_kept + 1, final.hand_number
            yield count
        if keep is not None and number and isinstance(reader, KnowsPlayers):
            keep.save_players(reader.known_players())
        if keep is not None and self._since_kept >= _KEPT_EVERY and isinstance(reader, Remembers):
            keep.save_reader_memory(self.name, number, reader.memory())
            self._since_kept = 0

    def judge(
        self, final: Observation, hole_cards: Mapping[Seat, HoleCards], seed: int, tallies: Tallies
    ) -> Iterator[tuple[TableTally, ...]]:
        """Return the tallies of all readers with a hand that has ended, if this one is still needed."""
        if not self.is_dismissed:
            yield tallies.judge(self._reader(), final, hole_cards, seed)

    def ranges(self, observation: HandView) -> PointRanges:
        from engine.agents.reading import range_shares

        predictions = self._reader().read(observation)
        shares = {}
        for prediction in predictions:
            shares[prediction.seat] = range_shares(prediction.posterior, observation.board)
        count = len(observation.events)
        return PointRanges(observation.hand_number, count, observation, predictions, shares)

    def read(self, observation: HandView, seed: int) -> Iterator[PointRanges]:
        """Return the ranges as soon as they are known, then the same with the win rates, if there is a viewer."""
        from engine.agents.fold.parameters import default_parameters
        from engine.agents.reading import opponents_in, reading, win_rate_of

        ranges = self.ranges(observation)
        yield ranges
        if not isinstance(observation, Observation):
            return
        hand, count, predictions = ranges.hand_number, ranges.event_count, ranges.predictions
        made = reading(observation, predictions, _seed_at(seed, observation))
        against = opponents_in(observation)
        win = win_random = None
        if len(against) < len(predictions) and not observation.me.is_folded:
            met = [prediction.posterior for prediction in predictions if prediction.seat in against]
            deals = default_parameters().decision.deals_against(len(met))
            win, win_random = win_rate_of(observation, met, made.seed, deals)
        yield PointReading(hand, count, observation, predictions, ranges.shares, made, against, win, win_random)

    def hint(self, observation: Observation, seed: int, amount: Chips | None) -> Iterator[HintPoint]:
        """Return what every action is worth to the observer, more precisely with each step.

        A bet or raise to an amount is compared with the usual ones.
        """
        from engine.agents.learned.reader import LearnedReader
        from engine.agents.soulread.answers import answers_of
        from engine.agents.soulread.survival import kept_lead
        from engine.agents.soulread.values import values_of

        if kept := kept_lead(observation):
            yield HintPoint(observation=observation, reader=self.name, kept_lead=kept)
            return
        reader = self._reader()
        if not isinstance(reader, LearnedReader):
            yield HintPoint(observation=observation, reader=reader.name, why_not=_NEEDS_NETWORKS)
            return
        until, predictions = monotonic() + _HINT_SECONDS, reader.read(observation)
        answers: tuple[Answers, ...] = ()
        also = () if amount is None else (raise_to(amount),)
        seed = _seed_at(seed, observation)
        for values in values_of(observation, predictions, reader, seed, also, gives_up=False):
            is_done = values.samples >= _HINT_DEALS or monotonic() >= until
            yield HintPoint(
                observation=observation,
                reader=reader.name,
                is_adapted=reader.adapts,
                values=values,
                answers=answers,
                is_done=is_done,
            )
            if is_done:
                return
            if not answers:
                answers = answers_of(observation, predictions, reader, [one.action for one in values.actions])


def _learn(reader: Reader, final: HandView) -> None:
    """Let a reader learn a finished hand, and of what came of the player's own bets what hints need."""
    from engine.agents.learned.reader import LearnedReader
    from engine.review.hands import learn_own_bets

    if isinstance(reader, LearnedReader) and isinstance(final, Observation):
        learn_own_bets(reader, final)
    reader.learn(final.events)


_NEEDS_NETWORKS = (
    "There is no hint by this reader, which does not know how players go on: choose Learned above the ranges."
)


def _seed_at(seed: int, observation: HandView) -> int:
    """Return the seed of what is sampled at a point of a hand."""
    entropy = [seed, observation.hand_number, len(observation.events)]
    return int(np.random.SeedSequence(entropy).generate_state(1, np.uint64)[0] >> np.uint64(1))


def is_run_out(observation: HandView) -> bool:
    """Return whether the newest event left an all-in in which the viewer is, if any, with all cards turned up."""
    live = [view for view in observation.seats if view.is_live]
    return (
        isinstance(observation.events[-1], HoleCardsShown | BoardDealt)
        and (observation.me is None or observation.me.is_live)
        and len(live) > 1
        and any(view.is_all_in for view in live)
        and all(view.shown for view in live)
    )


def _run_out(observation: HandView) -> RunOutPoint:
    """Count what every pot is worth to whom: over all boards to come, other players' open cards being dead."""
    from engine.cards import format_cards
    from engine.equity.question import EquityQuestion
    from engine.equity.solve import solve
    from engine.ranges import parse_range

    hands = {view.seat: view.shown for view in observation.seats if view.is_live and view.shown}
    pots = []
    for pot in observation.pots:
        seats = [seat for seat in pot.seats if seat in hands]
        if len(seats) > 1:
            dead = tuple(card for seat, cards in hands.items() if seat not in seats for card in cards)
            players = tuple(parse_range(format_cards(hands[seat], "")) for seat in seats)
            *_, answer = solve(EquityQuestion(players, observation.board, dead, is_exact=True))
            found = {seat: player.equity for seat, player in zip(seats, answer.value, strict=True)}
            pots.append(PotEquities(pot.amount, found))
        else:  # a side pot with chips of who has folded, which nobody else can win
            pots.append(PotEquities(pot.amount, dict.fromkeys(seats, 1.0)))
    return RunOutPoint(observation.hand_number, len(observation.events), observation, tuple(pots))


class Readings(QObject):
    """Reads the points of one hand until the next begins, on a lane; an unknown `reader` means the default one."""

    # PointRanges: the newest point, one asked for, or one of those filled in; then, as a PointReading, with its win
    # rates
    reading_changed = Signal(object)
    looked_up = Signal(object)  # PointRanges: a point of any hand that `look_up` asked for
    # RunOutPoint: an all-in with all cards turned up, at one street of its run-out
    run_out_changed = Signal(object)
    hint_changed = Signal(object)  # HintPoint: as far as a hint that was asked for goes
    learned = Signal(object)  # how many of the hands to remember are learned
    judged = Signal(object)  # tuple of TableTally: of every reader that has read hands of this session
    failed = Signal(str)  # one sentence, once per hand at most

    def __init__(
        self,
        jobs: Jobs,
        seed: int = 0,
        parent: QObject | None = None,
        *,
        reader: str = "",
        lane: str = LANE,
        was_played_elsewhere: bool = False,
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._was_played_elsewhere = was_played_elsewhere
        self._lane = lane
        self.seed = seed  # of whatever is sampled; the same seed makes the same readings
        self._known: Callable[[], KnownPlayers] = dict
        self._reader = self._players_reader(reader)
        self.keep: Keeper | None = None  # of what was learned
        self.tallies = Tallies()  # the lane's
        self._past: list[Observation] = []
        self._stored: Callable[[], Iterable[Observation]] = tuple
        self._is_stored: Callable[[], bool] = bool
        self._last_hand = 0
        self._job: Job | None = None
        self._look_up_job: Job | None = None
        self._hint_job: Job | None = None
        self._cache: dict[int, PointRanges] = {}
        self._missing: dict[int, HandView] = {}
        self._wanted: int | None = None
        self._has_failed = False
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MILLISECONDS)
        self._pause.timeout.connect(self._go_on)

    @property
    def reader(self) -> str:
        """Name of who reads, empty for the default one."""
        return self._reader.name

    def _players_reader(self, name: str) -> _PlayersReader:
        return _PlayersReader(name, self._known, was_played_elsewhere=self._was_played_elsewhere)

    def meet(self, known: Callable[[], KnownPlayers]) -> None:
        """Let readers begin with what is known of the players; it is asked for in the lane."""
        self._known = self._reader.known = known

    def read_again(self, stored: Callable[[], Iterable[Observation]], is_stored: Callable[[], bool]) -> None:
        """Let another reader learn the hands that the store returns, while they are stored: none is kept here."""
        self._stored, self._is_stored = stored, is_stored

    def remember(self, observations: Sequence[Observation]) -> None:
        """Learn finished hands of the player, oldest first; one that is known already is passed over."""
        past = [observation for observation in observations if observation.hand_number > self._last_hand]
        if past:
            self._last_hand = past[-1].hand_number
            if not self._is_stored():
                self._past.extend(past)
            self.learn(past)

    def resume(
        self,
        memory: tuple[int, bytes] | None,
        observations: Sequence[Observation],
        stored: Callable[[], Iterable[Observation]],
        tallies: bytes | None = None,
    ) -> None:
        """Go on as the reader whose memory this is, after the number of its last hand; then learn the hands since.

        `observations` are the final ones of these, oldest first; `stored` returns all hands, for another reader;
        `tallies` are those that were kept.
        """
        if tallies is not None:
            self._jobs.submit(self._lane, partial(self.tallies.recall, tallies), self._on_judged)
        self._stored = stored
        if memory is not None:
            reader, (last, data) = self._reader, memory
            self._last_hand = last
            self._submit(lambda: reader.recall(data, lambda: _up_to(last, stored)))
        self.remember(observations)

    def learn(self, hands: Iterable[HandView]) -> None:
        """Learn finished hands, oldest first, which are read one by one in the lane and not kept."""
        reader, keep = self._reader, self.keep
        self._submit(lambda: reader.learn(hands, keep))

    def judge(self, final: Observation, hole_cards: Mapping[Seat, HoleCards]) -> None:
        """Judge what was read in a hand that has ended and is not learned yet, by the cards that others held."""
        reader, seed, tallies = self._reader, self.seed, self.tallies
        self._jobs.submit(
            self._lane, lambda: reader.judge(final, hole_cards, seed, tallies), self._on_judged, on_error=_pass_over
        )

    def _submit(self, work: Callable[[], Iterator[int]]) -> None:
        self._jobs.submit(self._lane, work, self._on_learned, on_error=self._on_error)

    def set_reader(self, name: str) -> None:
        """Let another reader read: it learns every hand remembered, then reads the points of this hand again."""
        if name == self._reader.name:
            return
        self._stop()
        self.cancel_hint()
        self._reader.is_dismissed = True
        self._reader = self._players_reader(name)
        past = tuple(self._past)
        earlier = past[0].hand_number - 1 if past else self._last_hand
        if self._last_hand:
            self.learn(chain(_up_to(earlier, self._stored), past))
        self._missing |= {count: point.observation for count, point in self._cache.items()}
        self._cache.clear()
        self._has_failed = False
        self._go_on()

    def begin_hand(self) -> None:
        """Forget the points of the hand before."""
        self._stop()
        self._cache.clear()
        self._missing.clear()
        self._wanted = None
        self._has_failed = False

    def add(self, observations: Sequence[HandView]) -> None:
        """Read points that have just been shown: the last one first, the others when nothing newer is wanted.

        An all-in that is run out comes before all of them, street by street.
        """
        for observation in observations:
            if is_run_out(observation):
                self._jobs.submit(
                    self._lane, partial(_run_out, observation), self._on_run_out, on_error=self._on_error
                )
        points = [observation for observation in observations if is_reading_point(observation)]
        if points:
            self._missing |= {len(point.events): point for point in points}
            self._wanted = len(points[-1].events)
            self._stop()
            self._go_on()

    def request(self, observation: HandView) -> None:
        """Answer, by `reading_changed`, for a point of this hand: at once if it is known."""
        count = len(observation.events)
        if count in self._cache:
            self.reading_changed.emit(self._cache[count])
            return
        self._missing[count] = observation
        self._wanted = count
        self._stop()
        self._go_on()

    def look_up(self, observation: HandView) -> None:
        """Answer, by `looked_up`, for a point of any hand, read with what the reader has learned until now."""
        known = self._cache.get(len(observation.events))
        if known is not None and known.observation.events == observation.events:
            self.looked_up.emit(known)
            return
        reader = self._reader
        self._stop_looking_up()
        self._look_up_job = self._jobs.submit(
            self._lane, lambda: reader.ranges(observation), self._on_looked_up, on_error=self._on_look_up_error
        )

    def request_hint(self, observation: Observation, amount: Chips | None = None) -> None:
        """Answer, by `hint_changed`, what every action of the player's turn is worth; the newest request wins.

        Among them a bet or raise to an amount, which has to be legal.
        """
        reader, seed = self._reader, self.seed
        self.cancel_hint()
        self._hint_job = self._jobs.submit(
            self._lane,
            lambda: reader.hint(observation, seed, amount),
            self.hint_changed.emit,
            on_error=partial(self._on_hint_error, observation),
        )

    def cancel_hint(self) -> None:
        """Work no hint out any more."""
        if self._hint_job is not None:
            self._hint_job.cancel()
            self._hint_job = None

    # What comes back after `stop` may find this object gone.

    def _on_learned(self, learned: object) -> None:
        if not self._reader.is_dismissed:
            self.learned.emit(learned)

    def _on_judged(self, tallies: tuple[TableTally, ...]) -> None:
        if not self._reader.is_dismissed:
            self.judged.emit(tallies)

    def _on_run_out(self, point: RunOutPoint) -> None:
        if not self._reader.is_dismissed:
            self.run_out_changed.emit(point)

    def _on_looked_up(self, point: PointRanges) -> None:
        self._look_up_job = None
        self.looked_up.emit(point)

    def _on_look_up_error(self, error: Exception) -> None:
        self._look_up_job = None
        self.failed.emit(f"This moment cannot be read: {error}")

    def _on_hint_error(self, observation: Observation, error: Exception) -> None:
        why_not = f"There is no hint: {error}"
        self.hint_changed.emit(HintPoint(observation=observation, reader=self.reader, why_not=why_not))

    @property
    def is_idle(self) -> bool:
        """Whether every point is read."""
        return self._job is None and not self._missing

    def stop(self) -> None:
        """Learn and read nothing more."""
        self._reader.is_dismissed = True
        self._stop()
        self._stop_looking_up()
        self.cancel_hint()
        self._missing.clear()

    def _stop_looking_up(self) -> None:
        if self._look_up_job is not None:
            self._look_up_job.cancel()
            self._look_up_job = None

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _go_on(self) -> None:
        """Read the point wanted, or else the newest one missing."""
        if self._job is not None or not self._missing or self._pause.isActive():
            return
        count = self._wanted if self._wanted in self._missing else max(self._missing)
        observation, reader, seed = self._missing[count], self._reader, self.seed
        self._job = self._jobs.submit(
            self._lane, lambda: reader.read(observation, seed), self._on_read, on_error=self._on_error
        )

    def _on_read(self, point: PointRanges) -> None:
        if point.is_whole:
            self._job = None
            self._cache[point.event_count] = point
            self._missing.pop(point.event_count, None)
        self.reading_changed.emit(point)
        self._pause.start()

    def _on_error(self, error: Exception) -> None:
        if self._reader.is_dismissed:
            return
        self._job = None
        self._missing.clear()
        if not self._has_failed:
            self._has_failed = True
            self.failed.emit(f"This hand cannot be read: {error}")


def _pass_over(_error: Exception) -> None:
    """Leave out a hand that could not be judged, which `jobs` has logged: play needs it not."""


def _up_to(number: int, stored: Callable[[], Iterable[Observation]]) -> Iterator[Observation]:
    """Return the stored hands up to that of a number, read when they are asked for."""
    if number:
        yield from takewhile(lambda observation: observation.hand_number <= number, stored())


def points_of(observation: Observation) -> Iterator[Observation]:
    """Return every reading point of a hand, in order, up to an observation of it."""
    from engine.game.history import observation_at

    for count in range(1, len(observation.events) + 1):
        point = observation_at(observation, count)
        if is_reading_point(point):
            yield point
