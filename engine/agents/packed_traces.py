"""The traces of a hand in few bytes: without whatever follows from the hand or from the rest of them.

What an agent saw follows from the hand's events, the cards it held and whose turn it was; what it understood, and
the board of each update, from the events. A prior mostly is uniform over what the observer cannot see, a posterior
the product of prior and likelihoods. And P(action | combo) is the same for every observer who reads alike, except
where the observer's own cards block it: so the observers' vectors are put together into one. Whatever does not
follow in one of these ways is kept as it is: every trace comes back bit for bit.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from engine.agents.agent import (
    Adjustment,
    Figure,
    Prediction,
    RangeUpdate,
    Reading,
    Thresholds,
    Trace,
    Values,
)
from engine.agents.fold.understand import understand
from engine.agents.posterior import boards_at, posterior_of, uniform_prior
from engine.cards import CLASS_COUNT, COMBO_CLASS, COMBO_COUNT, Card, HoleCards, unblocked
from engine.codec import StoredDataError, Vector, decode, encode, frozen_vector, pack, unpack
from engine.game.events import Action, PublicEvent, Seat
from engine.game.history import HandState, HistoryError
from engine.game.observation import LegalActions, Observation

_FOLLOWS, _SAME = -1, -2  # of a vector: it is what the rest makes it; a posterior that is the prior
_AT_ACTION, _AT_DECISION, _NOTHING = 0, 1, 2  # whose board, with the observer's cards, blocks a likelihood


class _Update(Struct, frozen=True, array_like=True):
    """A `RangeUpdate`: the action's event, which vector it is of, and which combos are blocked there."""

    event: int
    vector: int
    blocked: int
    mean: float
    figures: tuple[Figure, ...]
    replaces: int | None


class _Prediction(Struct, frozen=True, array_like=True):
    seat: Seat
    reader: str
    prior: int
    updates: tuple[_Update, ...]
    posterior: int


class _Trace(Struct, frozen=True, array_like=True):
    """A `Trace`: how many events were seen by whom, and what was made of them; `reading` has no predictions."""

    seat: Seat
    hole_cards: HoleCards
    event_count: int
    legal: LegalActions | None
    style: str
    seed: int
    reading: Reading | None
    predictions: tuple[_Prediction, ...]
    base: Thresholds | None
    adjustments: tuple[Adjustment, ...]
    figures: tuple[Figure, ...]
    rule: str
    action: Action
    schema: int
    values: Values | None = None


class _Hand(Struct, frozen=True, array_like=True):
    """All traces of a hand; `whole` are those that do not follow from its events, by their place."""

    events: tuple[PublicEvent, ...]
    traces: tuple[_Trace | None, ...]
    vectors: tuple[bytes, ...]
    whole: dict[int, bytes]


def pack_traces(traces: Sequence[Trace]) -> bytes:
    """Return the traces of one hand, in the order they were made, in few bytes; it takes some milliseconds."""
    events: tuple[PublicEvent, ...] = max((trace.observation.events for trace in traces), key=len, default=())
    hand, vectors = _HandFollower(events), _Vectors()
    packed = [_packed(trace, hand, vectors) for trace in traces]
    whole = {at: encode(traces[at]) for at, found in enumerate(packed) if found is None}
    return pack(_Hand(events, tuple(packed), vectors.packed(), whole))


def unpack_traces(data: bytes) -> tuple[Trace, ...]:
    """Return packed traces; a `StoredDataError` if they are damaged."""
    stored = unpack(data, _Hand)
    try:
        hand, vectors = _HandFollower(stored.events), [_vector_of(packed) for packed in stored.vectors]
        return tuple(
            decode(stored.whole[at], Trace) if found is None else _unpacked(found, hand, vectors)
            for at, found in enumerate(stored.traces)
        )
    except (LookupError, ValueError, HistoryError) as error:
        raise StoredDataError(f"The stored traces cannot be read: {error}") from error


class _HandFollower:
    """What follows from a hand's events alone."""

    def __init__(self, events: tuple[PublicEvent, ...]) -> None:
        self.events = events
        self.boards = boards_at(events)
        self.understood = {action.event_index: action for action in understand(events)}
        self._moment: HandState | None = None

    def observe(
        self, seat: Seat, hole_cards: HoleCards, event_count: int, legal: LegalActions | None
    ) -> Observation:
        """Return what a seat to act saw; asked for in the order of the hand, it goes through the events once."""
        moment = self._moment
        if moment is None or len(moment.events) > event_count:
            moment = self._moment = HandState(self.events[0])
        for event in self.events[len(moment.events) : event_count]:
            moment.add(event)
        return structs.replace(moment.observe(seat, hole_cards), to_act=seat, legal=legal)


class _Vectors:
    """Different vectors, each put together from what its observers know of it."""

    def __init__(self) -> None:
        self._values: list[Vector] = []
        self._known: list[NDArray[np.bool_]] = []
        self._of_event: dict[int, list[int]] = {}

    def add(self, vector: Vector, known: NDArray[np.bool_], event: int = -1) -> int:
        """Return the number of the vector that equals this one where it is known; `event` is what it is of."""
        numbers = self._of_event.setdefault(event, [])
        for number in numbers:
            both = known & self._known[number]
            if both.any() and (vector[both] == self._values[number][both]).all():
                self._values[number][known] = vector[known]
                self._known[number] |= known
                return number
        self._values.append(np.where(known, vector, np.float32(0)))
        self._known.append(known.copy())
        numbers.append(len(self._values) - 1)
        return numbers[-1]

    def packed(self) -> tuple[bytes, ...]:
        return tuple(map(_packed_vector, self._values, self._known))


def _packed_vector(values: Vector, known: NDArray[np.bool_]) -> bytes:
    """One number per class where that is all there is to it; bytes of the same place stand together."""
    of_classes = np.zeros(CLASS_COUNT, dtype="<f4")
    of_classes[COMBO_CLASS[known]] = values[known]
    is_by_class = bool((of_classes[COMBO_CLASS[known]] == values[known]).all())
    chosen = of_classes if is_by_class else values.astype("<f4")
    return chosen.view(np.uint8).reshape(-1, 4).T.tobytes()


def _vector_of(data: bytes) -> Vector:
    values = np.frombuffer(data, np.uint8).reshape(4, -1).T.copy().view("<f4").ravel()
    if values.size not in (CLASS_COUNT, COMBO_COUNT):
        raise StoredDataError(f"A stored vector has {values.size} numbers.")
    return values[COMBO_CLASS] if values.size == CLASS_COUNT else values


def _packed(trace: Trace, hand: _HandFollower, vectors: _Vectors) -> _Trace | None:
    """Leave out what follows; None if what the agent saw does not."""
    seen = trace.observation
    if seen.events != hand.events[: len(seen.events)]:
        return None
    try:
        if hand.observe(seen.seat, seen.hole_cards, len(seen.events), seen.legal) != seen:
            return None
    except (HistoryError, ValueError, LookupError):
        return None
    predictions: list[_Prediction] = []
    for prediction in trace.reading.predictions if trace.reading is not None else ():
        found = _packed_prediction(prediction, seen, hand, vectors)
        if found is None:
            return None
        predictions.append(found)
    return _Trace(
        seat=seen.seat,
        hole_cards=seen.hole_cards,
        event_count=len(seen.events),
        legal=seen.legal,
        style=trace.style,
        seed=trace.seed,
        reading=structs.replace(trace.reading, predictions=()) if trace.reading is not None else None,
        predictions=tuple(predictions),
        base=trace.base,
        adjustments=trace.adjustments,
        figures=trace.figures,
        rule=trace.rule,
        action=trace.action,
        schema=trace.schema,
        values=trace.values,
    )


def _packed_prediction(
    prediction: Prediction, seen: Observation, hand: _HandFollower, vectors: _Vectors
) -> _Prediction | None:
    updates = []
    for update in prediction.updates:
        event = update.action.event_index
        if hand.understood.get(event) != update.action or hand.boards[event] != update.board:
            return None
        boards = (update.board, seen.board)
        for blocked in (_AT_ACTION, _AT_DECISION, _NOTHING):
            known = _known(boards, blocked, seen.hole_cards)
            if not update.likelihood[~known].any():
                break
        vector = vectors.add(update.likelihood, known, event)
        updates.append(_Update(event, vector, blocked, update.mean_likelihood, update.figures, update.replaces))
    everything = np.ones(COMBO_COUNT, dtype=np.bool_)
    prior, posterior = _FOLLOWS, _FOLLOWS
    if not np.array_equal(prediction.prior, uniform_prior(seen)):
        prior = vectors.add(prediction.prior, everything)
    if np.array_equal(prediction.posterior, prediction.prior):
        posterior = _SAME
    elif not np.array_equal(prediction.posterior, posterior_of(prediction.prior, prediction.updates)):
        posterior = vectors.add(prediction.posterior, everything)
    return _Prediction(prediction.seat, prediction.reader, prior, tuple(updates), posterior)


def _known(boards: tuple[tuple[Card, ...], ...], blocked: int, hole_cards: HoleCards) -> NDArray[np.bool_]:
    """Which combos the likelihood of an observer with these cards is about."""
    if blocked == _NOTHING:
        return np.ones(COMBO_COUNT, dtype=np.bool_)
    return unblocked((*boards[blocked], *hole_cards))


def _unpacked(packed: _Trace, hand: _HandFollower, vectors: Sequence[Vector]) -> Trace:
    seen = hand.observe(packed.seat, packed.hole_cards, packed.event_count, packed.legal)
    reading = packed.reading
    if reading is not None:
        predictions = tuple(_unpacked_prediction(one, seen, hand, vectors) for one in packed.predictions)
        reading = structs.replace(reading, predictions=predictions)
    return Trace(
        style=packed.style,
        seed=packed.seed,
        observation=seen,
        reading=reading,
        base=packed.base,
        adjustments=packed.adjustments,
        figures=packed.figures,
        rule=packed.rule,
        action=packed.action,
        schema=packed.schema,
        values=packed.values,
    )


def _unpacked_prediction(
    packed: _Prediction, seen: Observation, hand: _HandFollower, vectors: Sequence[Vector]
) -> Prediction:
    updates = []
    for update in packed.updates:
        board = hand.boards[update.event]
        known = _known((board, seen.board), update.blocked, seen.hole_cards)
        likelihood = frozen_vector(np.where(known, vectors[update.vector], 0))
        action = hand.understood[update.event]
        updates.append(RangeUpdate(action, board, likelihood, update.mean, update.figures, update.replaces))
    prior = uniform_prior(seen) if packed.prior == _FOLLOWS else frozen_vector(vectors[packed.prior])
    if packed.posterior == _FOLLOWS:
        posterior = posterior_of(prior, updates)
    else:
        posterior = prior if packed.posterior == _SAME else frozen_vector(vectors[packed.posterior])
    return Prediction(packed.seat, packed.reader, prior, tuple(updates), posterior)
