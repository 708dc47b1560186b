"""Which exercise comes next: each topic of the drills is a card of FSRS, which comes back when it may be forgotten.

FSRS (Free Spaced Repetition Scheduler) is `fsrs` of PyPI; what it keeps of a card is stored as it writes it.
"""

import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import numpy as np
from fsrs import Card, Rating, Scheduler
from fsrs.card import CardDict
from msgspec import Struct, structs

from engine.codec import StoredDataError, decode
from engine.training.exercise import RIGHT_POINTS, TOPICS, Drill, Progress

_log = logging.getLogger(__name__)

_HARD_POINTS = 50.0
"""An answer of fewer is forgotten as far as FSRS is concerned; one of fewer than `RIGHT_POINTS` was hard."""

_KNOWN_DAYS = 21.0
"""A mistake that FSRS expects to be remembered for so long does not come back."""

Topic = tuple[Drill, str]
EVERY_TOPIC: tuple[Topic, ...] = tuple((drill, topic) for drill in Drill for topic in TOPICS[drill])


class CardState(Struct, frozen=True):
    """What FSRS keeps of a card, as it writes it itself; times are ISO 8601."""

    card_id: int
    state: int
    step: int | None
    stability: float | None
    difficulty: float | None
    due: str
    last_review: str | None


class TopicRecord(Struct, frozen=True):
    """What is known of a topic: its card, its level, and how its answers went."""

    card: CardState
    progress: Progress = Progress()
    answers: int = 0
    points: float = 0.0


class Schedule:
    """Chooses topics, and takes how their answers went; it begins with records as they were stored, by name.

    `mistakes` are the player's, by name, the costliest first: topics, too.
    """

    def __init__(self, stored: Mapping[str, bytes]) -> None:
        self._scheduler = Scheduler(enable_fuzzing=False)
        self._topics: dict[Topic, TopicRecord] = {}
        self._cards: dict[Topic, Card] = {}
        self.mistakes: tuple[str, ...] = ()
        by_name = {topic_name(topic): topic for topic in EVERY_TOPIC}
        for name, data in stored.items():
            drill, _, topic_text = name.partition(": ")
            topic = (Drill.MISTAKES, topic_text) if drill == Drill.MISTAKES else by_name.get(name)
            if topic is None:
                continue  # of another version
            try:
                record = decode(data, TopicRecord)
                self._cards[topic] = _card_of(record.card)
            except (StoredDataError, ValueError) as error:
                _log.warning("What was practised of %s cannot be read: %s", name, error)
            else:
                self._topics[topic] = record

    def topics(self, drills: Sequence[Drill]) -> tuple[Topic, ...]:
        """Return the topics of some drills, also those that do not come back."""
        mistakes = ((Drill.MISTAKES, name) for name in self.mistakes)
        return tuple(topic for topic in (*EVERY_TOPIC, *mistakes) if topic[0] in drills)

    def is_known(self, topic: Topic) -> bool:
        """Return whether a mistake was right for so long that it does not come back."""
        card = self._cards.get(topic)
        is_mistake = topic[0] is Drill.MISTAKES
        return is_mistake and card is not None and (card.stability or 0.0) >= _KNOWN_DAYS

    def level(self, topic: Topic) -> int:
        """Return how hard the next exercise of a topic is."""
        record = self._topics.get(topic)
        return record.progress.level if record is not None else Progress().level

    def record(self, topic: Topic) -> TopicRecord | None:
        """Return what is known of a topic; None if it was never answered."""
        return self._topics.get(topic)

    def due(self, drills: Sequence[Drill], now: datetime) -> tuple[Topic, ...]:
        """Return the topics that are to come back by now, the most overdue first."""
        practised = [topic for topic in self.topics(drills) if topic in self._cards and not self.is_known(topic)]
        waiting = [topic for topic in practised if self._cards[topic].due <= now]
        return tuple(sorted(waiting, key=lambda topic: self._cards[topic].due))

    def choose(
        self, drills: Sequence[Drill], now: datetime, rng: np.random.Generator, last: Topic | None = None
    ) -> Topic:
        """Return what to ask: what is due, what is new, or anything; if it can be, not the topic just asked."""
        every = self.topics(drills)
        among = [topic for topic in every if not self.is_known(topic)] or list(every)
        if len(among) > 1 and last in among:
            among.remove(last)
        if due := [topic for topic in self.due(drills, now) if topic in among]:
            return due[0]
        new = [topic for topic in among if topic not in self._cards]
        # Of new mistakes only the costliest: there may be hundreds.
        first = next((topic for topic in new if topic[0] is Drill.MISTAKES), None)
        options = [topic for topic in new if topic[0] is not Drill.MISTAKES or topic == first] or among
        return options[int(rng.integers(len(options)))]

    def take(self, topic: Topic, points: float, now: datetime) -> TopicRecord:
        """Take how an answer went; return what is known of the topic now."""
        before = self._topics.get(topic)
        number = EVERY_TOPIC.index(topic) + 1 if topic in EVERY_TOPIC else 0
        card = self._cards.get(topic) or Card(card_id=number, due=now)
        card, _ = self._scheduler.review_card(card, _rating(points), review_datetime=now)
        self._cards[topic] = card
        record = TopicRecord(
            CardState(**card.to_dict()),
            (before.progress if before is not None else Progress()).after(points),
            (before.answers if before is not None else 0) + 1,
            (before.points if before is not None else 0.0) + points,
        )
        self._topics[topic] = record
        return record


def topic_name(topic: Topic) -> str:
    """Return the name under which a topic is stored."""
    return f"{topic[0].value}: {topic[1]}"


def _rating(points: float) -> Rating:
    return Rating.Good if points >= RIGHT_POINTS else Rating.Hard if points >= _HARD_POINTS else Rating.Again


def _card_of(state: CardState) -> Card:
    """Return a card as it was stored; ValueError if it is none."""
    values = structs.asdict(state)
    card = Card.from_dict(CardDict(**values))  # type: ignore[typeddict-item]
    if card.due.tzinfo is None:
        raise ValueError(f"the time {state.due} has no zone")
    return card


def now_utc() -> datetime:
    """Return the time as FSRS counts it."""
    return datetime.now(UTC)
