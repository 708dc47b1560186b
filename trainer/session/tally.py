"""The figures of a session's finished hands."""

from collections.abc import Mapping, Sequence

from engine.game.events import Chips, HandEnded, HandStarted, Seat
from engine.game.observation import Observation
from engine.game.statistics import PlayerStatistics, Statistics


class Tally:
    """The figures of a session's finished hands.

    Parameters
    ----------
    statistics : mapping of int to PlayerStatistics
        Those so far.
    human_net : sequence of int
        Won or lost by the player after each hand so far, all hands together.
    last_hand : int
        Number of the last hand in them.
    """

    def __init__(
        self,
        statistics: Mapping[Seat, PlayerStatistics] | None = None,
        human_net: Sequence[Chips] = (),
        last_hand: int = 0,
    ) -> None:
        self.statistics = Statistics(statistics)
        self.human_net = list(human_net)
        self.last_hand = last_hand

    def add(self, final: Observation) -> None:
        """Count a finished hand, as the player saw it, unless it is counted already."""
        if final.hand_number <= self.last_hand:
            return
        self.last_hand = final.hand_number
        self.statistics.add(final.events)
        before = self.human_net[-1] if self.human_net else 0
        self.human_net.append(before + net_of(final)[final.seat])

    def copy(self) -> "Tally":
        """Return one that goes on by itself."""
        return Tally(self.statistics.by_seat(), self.human_net, self.last_hand)


def net_of(final: Observation) -> dict[Seat, Chips]:
    """Return what each seat dealt in won or lost in a finished hand."""
    started, ended = final.events[0], final.events[-1]
    assert isinstance(started, HandStarted)
    assert isinstance(ended, HandEnded)
    return {start.seat: stack - start.stack for start, stack in zip(started.seats, ended.stacks, strict=True)}
