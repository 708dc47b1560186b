"""How a session stands: the figures of its finished hands, chips, places, and the words by which it ends."""

from array import array
from collections.abc import Iterable, Mapping

from engine.game.events import Chips, GameKind, HandStarted, Seat, net_of
from engine.game.observation import Observation
from engine.game.statistics import PlayerStatistics, Statistics
from engine.play import Dealer
from engine.session_state import NextLevel
from engine.words import listed
from trainer.session.types import SessionResult, ordinal


class Tally:
    """The figures of finished hands; `hero_net` is what the player had won after each, all together."""

    def __init__(
        self,
        statistics: Mapping[Seat, PlayerStatistics] | None = None,
        hero_net: Iterable[Chips] = (),
        last_hand: int = 0,
    ) -> None:
        self.statistics = Statistics(statistics)
        self.hero_net = array("q", hero_net)  # of all hands of a long session
        self.last_hand = last_hand

    def add(self, final: Observation) -> None:
        """Count a finished hand, as the player saw it, unless it is counted already."""
        if final.hand_number <= self.last_hand:
            return
        self.last_hand = final.hand_number
        self.statistics.add(final.events)
        before = self.hero_net[-1] if self.hero_net else 0
        self.hero_net.append(before + net_of(final.events)[final.seat])

    def copy(self) -> "Tally":
        """Return one that goes on by itself."""
        return Tally(self.statistics.by_seat(), self.hero_net, self.last_hand)


class Standing:
    """Reads chips and places off a dealer between two jobs.

    `places` has the finishing place of each seat that is out of a tournament for good, as of `places_news`;
    `next_level` says when the blinds rise, as of `look_at_blinds`.
    """

    def __init__(self, dealer: Dealer, hero: Seat) -> None:
        self._dealer = dealer
        self._hero = hero
        self.places = self._final_places()
        self.next_level = dealer.state.next_level(dealer.config)

    @property
    def must_rebuy(self) -> bool:
        """Whether the player is out of chips in a cash game that goes on, and has to buy in again to go on, too."""
        config = self._dealer.config
        has_ended = config.max_hands is not None and self._dealer.state.hands_dealt >= config.max_hands
        return config.sells_chips and self._is_broke and not has_ended

    def places_news(self) -> list[str]:
        """Say who else is out of a tournament now; the player's own place is part of `ending`."""
        before, self.places = self.places, self._final_places()
        fresh = self.places.keys() - before.keys()
        sentences = []
        for place in sorted({self.places[seat] for seat in fresh}, reverse=True):
            names = [self._name(seat) for seat in sorted(fresh) if self.places[seat] == place]
            if not (self._hero in fresh and self.places[self._hero] == place):
                sentences.append(f"{listed(names)} finish{'es' if len(names) == 1 else ''} {ordinal(place)}.")
        return sentences

    def look_at_blinds(self, played: HandStarted | None = None) -> None:
        """Note when the blinds rise: as the next hand begins, or after the hand played, from that one on."""
        state, config = self._dealer.state, self._dealer.config
        rules = state.rules(config)
        if played is not None and (rules.small_blind, rules.big_blind, rules.ante) != (
            played.small_blind,
            played.big_blind,
            played.ante,
        ):
            self.next_level = NextLevel(0, rules)
        else:
            self.next_level = state.next_level(config)

    def ending(self, hand_number: int) -> str:
        """Say why the session is over with this hand; "" if it goes on."""
        dealer = self._dealer
        if not self._is_cash and self._is_broke and dealer.state.seats[self._hero].rebuys >= dealer.config.rebuys:
            others = "" if dealer.end_reason else " The others are placed by their chips of then."
            return f"{self._own_place()} You lost your last chips in hand {hand_number}.{others}"
        if dealer.end_reason is None:
            return ""
        is_winner = not dealer.config.does_reset_stacks and not any(
            chips for seat, chips in dealer.stacks.items() if seat != self._hero
        )
        return f"{self._own_place()} {'You won all the chips.' if is_winner else dealer.end_reason}".lstrip()

    def result(self, reason: str, tally: Tally, *, was_study: bool) -> SessionResult:
        """Return the figures of the session so far or at its end."""
        dealer, is_over = self._dealer, self._dealer.end_reason is not None
        if not self._is_cash and not is_over and not self._is_broke:
            reason += " The tournament is not over: places are by the chips as they stand."
        return SessionResult(
            reason=reason,
            hands=dealer.state.hands_dealt,
            names={seat: player.name for seat, player in enumerate(dealer.config.seats)},
            stacks=dealer.stacks,
            bought_in=dealer.bought_in,
            big_blind=dealer.config.big_blind,
            hero_net=tuple(tally.hero_net),
            places={} if self._is_cash else dealer.places,
            prizes=(dealer.state.prizes if is_over else dealer.state.prize_worth)(dealer.config),
            was_study=was_study,
            has_stacks=not dealer.config.does_reset_stacks,
            is_over=is_over,
            do_blinds_rise=dealer.config.do_blinds_rise,
        )

    @property
    def _is_cash(self) -> bool:
        return self._dealer.config.kind == GameKind.CASH

    @property
    def _is_broke(self) -> bool:
        return self._dealer.stacks[self._hero] == 0

    def _final_places(self) -> dict[Seat, int]:
        """Return the places of those who are out of a tournament for good."""
        config, seats = self._dealer.config, self._dealer.state.seats
        if self._is_cash:
            return {}
        out = {seat for seat, record in enumerate(seats) if not record.stack and record.rebuys >= config.rebuys}
        return {seat: place for seat, place in self._dealer.places.items() if seat in out}

    def _own_place(self) -> str:
        """Say in a sentence how the player finishes a tournament, and who shares the place."""
        if self._is_cash:
            return ""
        places = self._dealer.places
        place = places[self._hero]
        level = [self._name(seat) for seat, other in places.items() if other == place and seat != self._hero]
        prize = self._dealer.state.prizes(self._dealer.config).get(self._hero, 0)
        each = " each" if level else ""
        won = f" and win {prize:.2f} buy-ins{each}" if prize else ""
        return f"{listed(['You', *level])} finish {ordinal(place)} of {len(places)}{won}."

    def _name(self, seat: Seat) -> str:
        return self._dealer.config.seats[seat].name
