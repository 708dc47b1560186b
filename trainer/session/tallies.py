"""What the readers of a session made of its table: counted on the lane `reading`, and stored with the session."""

import logging
from collections.abc import Callable, Mapping

import numpy as np

from engine.agents.agent import Reader
from engine.agents.calibration import TableTally, judged_hand
from engine.cards import HoleCards
from engine.codec import StoredDataError, pack, unpack
from engine.game.events import Seat
from engine.game.observation import Observation

_log = logging.getLogger(__name__)

TallyKeeper = Callable[[int, bytes], None]
"""Takes the number of the last hand judged, and the tallies of all readers."""


class Tallies:
    """One tally for every reader that has read hands of the session; `keep` takes them after each hand."""

    def __init__(self) -> None:
        self.keep: TallyKeeper | None = None
        self._by_reader: dict[str, TableTally] = {}

    def judge(
        self, reader: Reader, final: Observation, hole_cards: Mapping[Seat, HoleCards], seed: int
    ) -> tuple[TableTally, ...]:
        """Count what a reader, which has not learned it, read in a finished hand; return the tallies of all."""
        tally, number = self._by_reader.get(reader.name, TableTally(reader.name)), final.hand_number
        if number > tally.last_hand:  # the last one before a session was resumed ends twice
            ties = np.random.default_rng([seed, number])
            points = tuple(judged_hand(reader, final, hole_cards, ties))
            self._by_reader[reader.name] = tally.add(number, points)
            if self.keep is not None:
                self.keep(number, pack(self._all))
        return self._all

    def recall(self, stored: bytes) -> tuple[TableTally, ...]:
        """Go on from what was kept, from nothing where that is damaged; return it."""
        try:
            self._by_reader = {tally.reader: tally for tally in unpack(stored, tuple[TableTally, ...])}
        except StoredDataError as error:
            _log.warning("How often the readers were right is counted from here on: %s", error)
        return self._all

    @property
    def _all(self) -> tuple[TableTally, ...]:
        return tuple(self._by_reader.values())
