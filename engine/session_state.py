"""A session between two hands: chips, blinds places and prizes."""

from msgspec import Struct, structs

from engine.game.events import Chips, GameKind, Seat, TournamentStage
from engine.game.formats import GameFormat
from engine.game.rules import TableRules
from engine.tournaments.icm import prize_shares


class SeatRecord(Struct, frozen=True):
    """A seat between two hands.

    Attributes
    ----------
    bought_in : int
        All chips it ever brought, less those that a reset of the stacks took away; `stack - bought_in` is what it
        has won.
    rebuys : int
        How often it bought in again automatically.
    out_in_hand : int
        Number of the hand in which it lost its last chips, 0 while it has some.
    last_stack : int
        Its chips at the start of that hand: who had more finishes higher.
    """

    stack: Chips
    bought_in: Chips
    rebuys: int = 0
    out_in_hand: int = 0
    last_stack: Chips = 0


class NextLevel(Struct, frozen=True):
    """When the blinds of a tournament rise: after how many hands, the running one included, and to which stakes.

    Of a lap they are about as many: who comes back by a rebuy, or gets the button twice, makes it longer, and who
    goes out shorter.
    """

    hands: int
    rules: TableRules
    is_about: bool = False


class DealerState(Struct, frozen=True):
    """A session between two hands: with its game all that is needed to deal the next one, and the same again.

    Attributes
    ----------
    seats : tuple of SeatRecord
        One per seat of the game.
    big_blind_seat : int or None
        Who had the big blind in the hand before; None before the first hand.
    lap : int
        How often the button has been at every seat that was left then.
    buttons : tuple of int
        The seats where it has been since.
    has_keyed_streams : bool
        Whether the next hand's streams are those of `stream_seed`. Experiments and hands that an earlier version
        has begun go without, and so are dealt as ever; the next hand then has them.
    salt : str
        The player's part in the shuffle of the next hand (`engine.fair_deals`); only keyed streams take it.
    """

    hands_dealt: int
    seats: tuple[SeatRecord, ...]
    big_blind_seat: Seat | None = None
    lap: int = 0
    buttons: tuple[Seat, ...] = ()
    has_keyed_streams: bool = False
    salt: str = ""

    def level(self, game: GameFormat) -> int:
        """Return how often the blinds have risen by the next hand."""
        if game.doubles_each_lap:
            return self.lap
        return min(self.hands_dealt // game.hands_per_level, len(game.levels)) if game.levels else 0

    def rules(self, game: GameFormat) -> TableRules:
        """Return the stakes of the next hand."""
        return game.rules_at(self.level(game), self._chips)

    def next_level(self, game: GameFormat) -> NextLevel | None:
        """Return when the blinds rise next; None if they do not any more."""
        level = self.level(game)
        if game.doubles_each_lap:
            hands = max(len(set(self._left(game)) - set(self.buttons)), 1)
        elif level < len(game.levels):
            hands = (level + 1) * game.hands_per_level - self.hands_dealt
        else:
            return None
        return NextLevel(hands, game.rules_at(level + 1, self._chips), is_about=game.doubles_each_lap)

    def tournament_stage(self, game: GameFormat) -> TournamentStage:
        """Return what is left of a tournament at the next hand; hands that follow it only at the same blinds."""
        if game.kind != GameKind.TOURNAMENT or game.max_hands is None or self.next_level(game) is not None:
            return TournamentStage(payouts=game.payouts)
        return TournamentStage(game.max_hands - self.hands_dealt - 1, game.payouts)

    def reserve(self, game: GameFormat, seat: Seat) -> Chips:
        """Return the chips that a seat of a tournament can still buy once it is out of them; 0 in a cash game."""
        if game.kind == GameKind.CASH:
            return 0
        return max(game.rebuys - self.seats[seat].rebuys, 0) * game.starting_stack

    def after_button(self, game: GameFormat, button: Seat) -> "DealerState":
        """Return the same after a hand with the button there; at every seat that is left, it has made a lap."""
        buttons = tuple(sorted({*self.buttons, button}))
        if set(self._left(game)) <= set(buttons):
            return structs.replace(self, lap=self.lap + 1, buttons=())
        return structs.replace(self, buttons=buttons)

    def hands_survived(self, game: GameFormat) -> dict[Seat, int]:
        """Return after how many hands of a tournament every seat still had chips, or could still buy some."""
        left = set(self._left(game))
        return {
            seat: self.hands_dealt if seat in left else record.out_in_hand - 1
            for seat, record in enumerate(self.seats)
        }

    def places(self, game: GameFormat) -> dict[Seat, int]:
        """Return the place of every seat so far, counted from 1, best first; equal results share one.

        A cash game ranks by chips won; a tournament by hands survived, then chips won (Li et al. 2017, table 2),
        and who lose their last chips in the same hand by what they had before it. So a rebuy that is not spent
        counts like the chips that it would bring, as in the contest of that table, and who can still buy in again
        is not out.
        """
        survived = self.hands_survived(game)
        results = {
            seat: (record.stack - record.bought_in,)
            if game.kind == GameKind.CASH
            else (survived[seat], record.stack - record.bought_in, record.last_stack)
            for seat, record in enumerate(self.seats)
        }
        in_order = sorted(results, key=lambda seat: results[seat], reverse=True)
        return {seat: 1 + sum(other > results[seat] for other in results.values()) for seat in in_order}

    def prizes(self, game: GameFormat) -> dict[Seat, float]:
        """Return what every seat has won of the prizes as it stands, in buy-ins; empty without prizes.

        All that was bought in is paid out, rebuys included. Who share a place share its prize and the next ones.
        """
        if not game.payouts:
            return {}
        buy_ins = sum(record.bought_in for record in self.seats) / game.starting_stack
        places = self.places(game)
        sharing = {place: list(places.values()).count(place) for place in places.values()}
        return {
            seat: buy_ins * sum(game.payouts[place - 1 : place - 1 + sharing[place]]) / 100 / sharing[place]
            for seat, place in places.items()
        }

    def prize_worth(self, game: GameFormat) -> dict[Seat, float]:
        """Return what every seat's chips are worth of the prizes by the independent chip model, in buy-ins.

        Who is out has the prize of their place. Chips that can still be bought count. Empty without prizes.
        """
        worth, left = self.prizes(game), self._left(game)
        if worth:
            chips = [self.seats[seat].stack + self.reserve(game, seat) for seat in left]
            buy_ins = sum(record.bought_in for record in self.seats) / game.starting_stack
            for seat, share in zip(left, prize_shares(chips, game.payouts), strict=True):
                worth[seat] = buy_ins * share / 100
        return worth

    @property
    def _chips(self) -> Chips:
        return sum(record.stack for record in self.seats)

    def _left(self, game: GameFormat) -> list[Seat]:
        """Return the seats of a tournament that are not out for good."""
        return [seat for seat, record in enumerate(self.seats) if record.stack or self.reserve(game, seat)]
