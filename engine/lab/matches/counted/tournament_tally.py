"""What is counted of tournaments, and what follows for each style: means over its players, errors over matches."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from operator import add

import numpy as np
from msgspec import Struct

from engine.figures.mean import Mean, mean_interval, no_surer
from engine.game.events import PublicEvent, Seat
from engine.game.formats import GameFormat
from engine.game.statistics import PlayerStatistics, count_hand
from engine.lab.matches.counted.curves import Marks
from engine.lab.matches.counted.tally import Observations
from engine.session_state import DealerState


class TournamentStyle(Struct, frozen=True):
    """What one style came to in tournaments, all its players together, in the mean over players.

    Attributes
    ----------
    players : int
        So many it had in all tournaments together.
    rank : Mean
        Place, counted from 1; who share places have the mean of them. Its standard error is no
        less than if one tournament had ended a place off: who has come first in all of a few may not always.
    first : Mean
        Share 0-1 of first places, of a shared one a part.
    survived : Mean
        Hands after which it still had chips, or could still buy some.
    chips : Mean
        Won less lost in a tournament, rebuys taken off.
    prizes : Mean or None
        In buy-ins, of which the entry costs one; None without prizes.
    fluctuation : Mean
        Of the chips, in chips squared: the sum over hands, from the second on, of the square of what was won or
        lost (Li et al. 2017, eq. 28; a rebuy changes nothing, for what can be bought counts as left).
    vpip, pfr, aggression : float or None
        As of `StyleResult`.
    places : tuple of float
        How many of its players took each place, the first to the last of the table; who share places have an equal
        part of each.
    """

    style: str
    players: int
    rank: Mean
    first: Mean
    survived: Mean
    chips: Mean
    prizes: Mean | None
    fluctuation: Mean
    vpip: float | None
    pfr: float | None
    aggression: float | None
    places: tuple[float, ...] = ()

    @property
    def rank_interval(self) -> tuple[float, float] | None:
        """Where the true mean rank lies with 95%, within the places that there are; None of one match."""
        limits = mean_interval(self.rank)
        return None if limits is None else (max(limits[0], 1.0), min(limits[1], float(len(self.places))))


class RankDifference(Struct, frozen=True):
    """Mean rank of a style less that of another at the same table; below 0 the style places better.

    Its standard error is no less than if these two had changed neighbouring places once.
    """

    style: str
    other: str
    rank: Mean


_RANK, _FIRST, _SURVIVED, _CHIPS, _PRIZES, _FLUCTUATION, _PLAYERS = range(7)


class StoredTournaments(Struct, frozen=True):
    """What was counted of one match of tournaments, as a file keeps it: arrays row by row, without their shapes."""

    tournaments: int
    cut: int
    hands: int
    longest: int
    sums: tuple[float, ...]
    statistics: tuple[PlayerStatistics, ...]
    places: tuple[float, ...]
    won: tuple[float, ...]


class TournamentTally:
    """What is counted of tournaments; every match, all rotations of it together, is an observation.

    Parameters
    ----------
    marks : sequence of int
        After which hands chips are noted.
    """

    def __init__(self, styles: int, seats: int, marks: Sequence[int]) -> None:
        self.tournaments = 0
        self.cut = 0
        self.hands = 0
        self.statistics = [PlayerStatistics()] * styles
        self.observations = Observations(7, styles)
        self.places = np.zeros((styles, seats))
        self.marks = Marks(styles, marks)

    def add_hand(self, events: Sequence[PublicEvent], style_of: Mapping[Seat, int], number: int) -> None:
        """Count a finished hand, with its number in its tournament and that of each seat's style."""
        self.hands += 1
        counted = count_hand(events)
        for seat, counts in counted.items():
            style = style_of[seat]
            self.statistics[style] += counts
            if number > 1:
                self.observations.current[_FLUCTUATION, style] += counts.net**2
        self.marks.add_hand(number, ((style_of[seat], counts.net) for seat, counts in counted.items()))

    def end_tournament(self, state: DealerState, game: GameFormat, style_of: Mapping[Seat, int]) -> None:
        """Count how a tournament has ended."""
        self.tournaments += 1
        self.marks.end_tournament()
        places, prizes, survived = state.places(game), state.prizes(game), state.hands_survived(game)
        for seat, place in places.items():
            sharing, record = list(places.values()).count(place), state.seats[seat]
            self.places[style_of[seat], place - 1 : place - 1 + sharing] += 1 / sharing
            self.observations.current[:, style_of[seat]] += (
                place + (sharing - 1) / 2,
                1 / sharing if place == 1 else 0,
                survived[seat],
                record.stack - record.bought_in,
                prizes.get(seat, 0),
                0,  # counted hand by hand
                1,
            )

    def end_match(self) -> None:
        """Make one observation of all tournaments since the last match."""
        self.marks.end_match(self.observations.current[_PLAYERS])
        self.observations.end()

    def add(self, other: "TournamentTally") -> None:
        """Add the observations of other matches of the same styles."""
        self.tournaments += other.tournaments
        self.cut += other.cut
        self.hands += other.hands
        self.statistics = list(map(add, self.statistics, other.statistics))
        self.observations.add(other.observations)
        self.places += other.places
        self.marks.add(other.marks)

    def stored(self) -> StoredTournaments:
        """Return all that was counted of one match."""
        return StoredTournaments(
            tournaments=self.tournaments,
            cut=self.cut,
            hands=self.hands,
            longest=self.marks.longest,
            sums=tuple(self.observations.sums.flat),
            statistics=tuple(self.statistics),
            places=tuple(self.places.flat),
            won=tuple(self.marks.won.flat),
        )

    @classmethod
    def restored(
        cls, stored: StoredTournaments, styles: int, seats: int, marks: Sequence[int]
    ) -> "TournamentTally":
        """Return what was stored of such a match; ValueError if it cannot have been."""
        tally = cls(styles, seats, marks)
        tally.tournaments, tally.cut, tally.hands = stored.tournaments, stored.cut, stored.hands
        tally.statistics = [counts for _, counts in zip(range(styles), stored.statistics, strict=True)]
        tally.observations.current = np.reshape(stored.sums, tally.observations.sums.shape)
        tally.places = np.reshape(stored.places, tally.places.shape)
        tally.marks.restore(np.reshape(stored.won, tally.marks.won.shape), stored.longest)
        tally.end_match()
        return tally

    def style_results(self, styles: Sequence[str], *, has_prizes: bool) -> tuple[TournamentStyle, ...]:
        """Sum up each style."""
        return tuple(self._style_result(at, style, has_prizes) for at, style in enumerate(styles))

    def differences(self, styles: Sequence[str]) -> tuple[RankDifference, ...]:
        """Compare the ranks of each two styles."""
        return tuple(
            RankDifference(
                one, other, no_surer(self.observations.mean(_RANK, {at: 1.0, after: -1.0}), 2 / self.tournaments)
            )
            for (at, one), (after, other) in combinations(enumerate(styles), 2)
        )

    def _style_result(self, at: int, style: str, has_prizes: bool) -> TournamentStyle:
        counts, alone = self.statistics[at], {at: 1.0}
        mean = self.observations.mean
        return TournamentStyle(
            style=style,
            players=int(self.observations.sums[_PLAYERS, at]),
            rank=no_surer(mean(_RANK, alone), 1 / self.tournaments),
            first=mean(_FIRST, alone),
            survived=mean(_SURVIVED, alone),
            chips=mean(_CHIPS, alone),
            prizes=mean(_PRIZES, alone) if has_prizes else None,
            fluctuation=mean(_FLUCTUATION, alone),
            vpip=counts.vpip.value,
            pfr=counts.pfr.value,
            aggression=counts.aggression.value,
            places=tuple(self.places[at].tolist()),
        )
