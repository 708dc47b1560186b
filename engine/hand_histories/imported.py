"""A hand that a text tells, played by the rules: its public events, or the reason why it cannot have been so.

The text says who did what; the rules say whose turn it is, what a call costs, what comes back uncalled and what is
in each pot. Where both say something they have to agree:

- Nobody acts out of turn. A fold out of turn waits for its turn; a check that nobody could answer is left out.
- A raise may be less than the rules allow, as sites round or re-open otherwise; it is taken as it was made. Where
  nobody has the chips to answer it is a call, and the rest comes back.
- Where nobody can bet any more, hole cards lie open before the rest of the board. Texts tell them at the showdown.
- What is collected is what was in the pots less the rake. Who collects has it of the last pot that they can win,
  and the rest of those before. Rake that is not told is at most 15% of the pot, in a tournament nothing.
- Where all hole cards of a showdown on one board are known, those collect who have the best hands.
- An uncalled bet that the text does not return is among what is collected, unless pot and rake say otherwise.
- The button may be at an empty seat; then the player before it counts as the button, so that the order stays.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final

from msgspec import Struct, structs

from engine.cards import Card, HoleCards, Street
from engine.foreign_text import shortened
from engine.game.events import (
    CALL,
    CHECK,
    FOLD,
    ActionKind,
    Chips,
    GameKind,
    HandEnded,
    HandStarted,
    PostKind,
    PotAwarded,
    Seat,
    SeatStart,
    UncalledBetReturned,
    raise_to,
)
from engine.game.observation import HandView
from engine.game.phh import PublicRecord, seen_by, seen_by_all
from engine.game.public_hand import PublicHand
from engine.game.rules import MAX_SEATS, MIN_SEATS, Award, CorrectedBetting, Phase, RulesError, TableRules
from engine.hand_histories.told import (
    CENTS,
    Act,
    Collect,
    Deal,
    Muck,
    Post,
    RefusedError,
    Return,
    Show,
    Step,
    ToldHand,
    ToldSeat,
)

_MOST_RAKE: Final = 0.15
_LONGEST_NUMBER = 15
_AMOUNTS = ("small_blind", "big_blind", "ante", "splash", "pot", "rake")
_DEALT = {Street.FLOP: 3, Street.TURN: 1, Street.RIVER: 1}


class ImportedHand(Struct, frozen=True):
    """A finished hand that was played elsewhere.

    Attributes
    ----------
    site, number : str
        Who wrote it, and their number of it: the name by which it is known again.
    played : datetime or None
        When, by the clock of the text.
    table, tournament : str
        Names or numbers; no tournament in cash games.
    currency : str
        ISO code of the money, "" without any.
    scale : int
        Chips per unit of money or of tournament chips.
    record : PublicRecord
        Events, names and the hole cards that are known; those dealt in are numbered from 0 as they sit.
    hero : int or None
        The seat whose hand it is.
    rake : int
        Chips taken of the pots.
    remarks : tuple of str
        What the text tells beyond that, a sentence each.
    """

    site: str
    number: str
    played: datetime | None
    table: str
    tournament: str
    currency: str
    scale: int
    record: PublicRecord
    hero: Seat | None
    rake: Chips
    remarks: tuple[str, ...] = ()

    @property
    def final(self) -> HandView:
        """What the hero had seen at the end, an `Observation`; what everybody had if the hand is nobody's own."""
        own = self.hero if self.hero in self.record.hole_cards else None
        seen = None if own is None else seen_by(self.record, self.record.players[own])
        final = seen or seen_by_all(self.record)
        return structs.replace(final, currency=self.currency) if self.scale == CENTS else final

    @property
    def is_watched(self) -> bool:
        """Whether the hand is nobody's own: no hero is told, or not what they held."""
        return self.hero not in self.record.hole_cards


def owned(hand: ImportedHand, names: Collection[str]) -> ImportedHand:
    """Return a hand that is nobody's as that of the one of these players whose hole cards are known.

    It stays as it is where its hero is known, and where none or several of them played it.
    """
    if not hand.is_watched:
        return hand
    seats = [seat for seat in hand.record.hole_cards if hand.record.players[seat] in names]
    return structs.replace(hand, hero=seats[0]) if len(seats) == 1 else hand


def imported(told: ToldHand) -> ImportedHand:
    """Return a told hand played by the rules.

    Raises
    ------
    RefusedError
        If it breaks off, breaks the rules of the game, or its chips do not add up; the message says where.
    """
    return _Replay(_in_whole_chips(told)).played()


class _Replay:
    """One told hand on its way through the rules."""

    def __init__(self, told: ToldHand) -> None:
        self._told = told
        seats = _dealt_in(told)
        self._places = {seat.name: place for place, seat in enumerate(seats)}
        self._names = tuple(seat.name for seat in seats)
        self._cards: dict[int, HoleCards] = {
            self._places[name]: cards for name, cards in told.hole_cards.items() if name in self._places
        }
        self._will_fold: set[int] = set()
        self._collected: dict[int, Chips] = {}
        self._collected_of: dict[tuple[int, int | None], Chips] = {}
        self._returned: dict[int, Chips] = {}
        self._not_bet: dict[int, Chips] = {}
        posts = [step for step in told.steps if isinstance(step, Post)]
        self._betting = self._begin(seats, posts)
        self._hand = PublicHand(self._started(seats, posts), self._betting)
        self._post(posts)

    def _begin(self, seats: Sequence[ToldSeat], posts: Sequence[Post]) -> CorrectedBetting:
        """Return the betting before anything is posted."""
        told = self._told
        rules, stacks = TableRules(told.small_blind, told.big_blind), [seat.stack for seat in seats]
        try:
            betting = CorrectedBetting(rules, stacks, _button(told, seats))
        except RulesError as error:
            raise RefusedError(str(error)) from error
        # Of several who post one the first owes it; the others have come back.
        small, big = (
            next((self._places[post.player] for post in posts if post.kind is kind), None)
            for kind in (PostKind.SMALL_BLIND, PostKind.BIG_BLIND)
        )
        betting.place_blinds(small, big)
        betting.dead = told.splash
        if straddle := _posted(posts, PostKind.STRADDLE):
            betting.set_price_to_call(straddle)
        return betting

    def _started(self, seats: Sequence[ToldSeat], posts: Sequence[Post]) -> HandStarted:
        told = self._told
        return HandStarted(
            int(told.number) if told.number.isdecimal() and len(told.number) <= _LONGEST_NUMBER else 1,
            told.kind,
            tuple(SeatStart(place, shortened(seat.name), seat.stack) for place, seat in enumerate(seats)),
            _button(told, seats),
            told.small_blind,
            told.big_blind,
            told.ante,
            straddle=_posted(posts, PostKind.STRADDLE),
            big_blind_ante=_posted(posts, PostKind.BIG_BLIND_ANTE),
            splash=told.splash,
        )

    def _post(self, posts: Sequence[Post]) -> None:
        for post in posts:
            place = self._places[post.player]
            if post.amount > self._betting.stacks[place]:
                raise RefusedError(f"{shortened(post.player)} posts more than they have.")
            self._hand.post(place, post.kind, post.amount)
        self._hand.ask_first()

    def played(self) -> ImportedHand:
        """Do all that is told, award the pots and return the hand."""
        for step in self._told.steps:
            match step:
                case Act():
                    self._act(step)
                case Deal(cards):
                    self._deal(cards)
                case Show(player, cards):
                    self._show(self._place(player), cards)
                case Muck(player):
                    self._muck(self._place(player))
                case Return(player, amount):
                    _add(self._returned, self._place(player), amount)
                case Collect(player, amount, pot):
                    place = self._place(player)
                    _add(self._collected, place, amount)
                    self._collected_of[place, pot] = self._collected_of.get((place, pot), 0) + amount
                case Post():
                    pass
        self._fold_who_must()
        while self._deal_untold():
            pass
        rake = self._end()
        return self._result(rake)

    def _place(self, player: str) -> int:
        try:
            return self._places[player]
        except KeyError:
            raise RefusedError(f"{shortened(player)} was not dealt in.") from None

    def _act(self, act: Act) -> None:
        betting, place = self._betting, self._place(act.player)
        self._fold_who_must(place)
        if betting.phase is Phase.STREET_OVER:
            self._deal_untold()
        if act.kind is ActionKind.FOLD and not betting.is_folded[place] and not betting.stacks[place]:
            betting.give_turn(place)  # whose blinds were all their chips and who sits out
        elif betting.phase is not Phase.BETTING:
            if act.kind is ActionKind.CHECK and not betting.is_folded[place]:
                return  # nobody is left who could be called by a bet
            raise RefusedError(f"{shortened(act.player)} acts when nobody is to act.")
        if place != betting.to_act:
            if act.kind is ActionKind.FOLD:
                self._will_fold.add(place)
                return
            turn = self._names[betting.to_act or 0]
            raise RefusedError(f"{shortened(act.player)} acts when it is the turn of {shortened(turn)}.")
        to_call = betting.to_call
        if act.kind is ActionKind.FOLD:
            self._hand.take(FOLD)
        elif act.kind is ActionKind.CHECK:
            if to_call:
                raise RefusedError(f"{shortened(act.player)} checks with {to_call} to call.")
            self._hand.take(CHECK)
        elif act.kind is ActionKind.CALL:
            self._call(act, to_call)
        else:
            self._raise(act, place, to_call)

    def _call(self, act: Act, to_call: Chips) -> None:
        if act.amount and act.amount != to_call:
            raise RefusedError(f"{shortened(act.player)} calls {act.amount} chips, and {to_call} were to call.")
        self._hand.take(CALL if to_call else CHECK)

    def _raise(self, act: Act, place: int, to_call: Chips) -> None:
        betting = self._betting
        bet, stack = betting.bets[place], betting.stacks[place]
        total = act.total or bet + act.amount
        if total > bet + stack:
            raise RefusedError(f"{shortened(act.player)} bets more than they have.")
        if total <= bet + to_call:
            if total < bet + to_call:
                raise RefusedError(f"{shortened(act.player)} bets less than a call.")
            self._hand.take(CALL if to_call else CHECK)
            return
        action = raise_to(total)
        if betting.can(action) or betting.allow_raise(total):
            self._hand.take(action)
            return
        _add(self._not_bet, place, total - bet - to_call)
        self._hand.take(CALL if to_call else CHECK)

    def _fold_who_must(self, before: int | None = None) -> None:
        """Fold those whose turn it is and who have done so out of turn; not the one who acts now."""
        betting = self._betting
        while betting.to_act in self._will_fold and betting.to_act != before:
            self._will_fold.discard(betting.to_act)
            self._hand.take(FOLD)

    def _deal(self, cards: tuple[Card, ...]) -> None:
        self._fold_who_must()
        betting = self._betting
        if betting.phase not in (Phase.STREET_OVER, Phase.RUN_OUT):
            turn = "" if betting.to_act is None else f": {shortened(self._names[betting.to_act])} has not acted"
            raise RefusedError(f"Board cards come when none are due{turn}.")
        if betting.phase is Phase.RUN_OUT:
            self._turn_up()
        street = Street(betting.street + 1)
        if len(cards) != _DEALT[street]:
            raise RefusedError(f"The {street.name.lower()} has {len(cards)} cards, not {_DEALT[street]}.")
        self._hand.deal(cards)

    def _turn_up(self) -> None:
        """Show what those show who are still in, where nobody can bet any more."""
        for step in self._told.steps:
            if isinstance(step, Show) and not self._betting.is_folded[place := self._place(step.player)]:
                self._show(place, step.cards)

    def _deal_untold(self) -> bool:
        """Deal the next street from the board of the summary where the text has no line for it; return whether."""
        street, board = Street(min(self._betting.street + 1, Street.RIVER)), self._told.board
        begin = len(self._hand.board)
        cards = board[begin : begin + _DEALT[street]]
        is_due = self._betting.phase in (Phase.STREET_OVER, Phase.RUN_OUT) and len(cards) == _DEALT[street]
        if is_due:
            self._deal(cards)
        return is_due

    def _show(self, place: int, cards: HoleCards) -> None:
        self._fold_who_must()
        if self._cards.setdefault(place, cards) != cards:
            raise RefusedError(f"{shortened(self._names[place])} shows other cards than they were dealt.")
        if place not in self._hand.shown:
            self._hand.show(place, cards)

    def _muck(self, place: int) -> None:
        self._fold_who_must()
        if self._betting.phase is Phase.SHOWDOWN:
            self._hand.muck(place)

    def _end(self) -> Chips:
        """Give the pots to who collected them, and return the rake."""
        hand, betting, told = self._hand, self._betting, self._told
        if betting.phase not in (Phase.SHOWDOWN, Phase.FOLDED_OUT):
            raise RefusedError("It ends before the hand does.")
        if betting.pot and not self._collected:
            raise RefusedError("It does not say who won.")
        self._verify_cards()
        told_pot = self._settle_uncalled()
        pot, taken = betting.pot, sum(self._collected.values())
        rake = pot - taken
        if rake < 0:
            raise RefusedError(f"{taken} chips are collected, and {pot} were in the pot.")
        most = told.rake if told.rake is not None else int(pot * _MOST_RAKE)
        if (told.rake is not None and rake != told.rake) or rake > (most if told.kind is GameKind.CASH else 0):
            raise RefusedError(f"Of {pot} chips {taken} are collected, and the rake is not the difference.")
        if told_pot is not None and told_pot != pot:
            raise RefusedError(f"The pot is said to be {told_pot} chips, and {pot} were put in.")
        self._verify_winners()
        hand.events += self._awards()
        betting.end([stack + self._collected.get(place, 0) for place, stack in enumerate(betting.stacks)])
        hand.events.append(HandEnded(betting.stacks))
        return rake

    def _verify_cards(self) -> None:
        cards = [card for pair in self._cards.values() for card in pair] + list(self._hand.board)
        if len(set(cards)) < len(cards):
            raise RefusedError("A card is dealt twice.")

    def _settle_uncalled(self) -> Chips | None:
        """Count as collected what the text returns beyond the rules; give the told pot so counted, None if none."""
        pot, rake = self._told.pot, self._told.rake
        back = dict(self._not_bet)
        for event in self._hand.events:
            if isinstance(event, UncalledBetReturned):
                _add(back, event.seat, event.amount)
        taken = sum(self._collected.values())
        if not self._returned and rake is not None and taken + rake == self._betting.pot:
            return None
        for place in back.keys() | self._returned.keys():
            if beyond := self._returned.get(place, 0) - back.get(place, 0):
                _add(self._collected, place, beyond)
                pot = None if pot is None else pot + beyond
                if not self._collected[place]:
                    del self._collected[place]
                elif self._collected[place] < 0:
                    raise RefusedError(f"A bet of {shortened(self._names[place])} should come back uncalled.")
        return pot

    def _verify_winners(self) -> None:
        """Refuse a showdown on one board with all hole cards known in which others collect than have won."""
        betting = self._betting
        live = [place for place, folded in enumerate(betting.is_folded) if not folded]
        if self._told.remarks or betting.phase is not Phase.SHOWDOWN or not all(p in self._cards for p in live):
            return
        winners = {award.place for award in self._won()}
        if not set(self._collected) <= winners:
            wrong = self._names[min(set(self._collected) - winners)]
            raise RefusedError(f"{shortened(wrong)} collects, and others have the better hands.")

    def _won(self) -> tuple[Award, ...]:
        """Return what is won at a showdown by the hole cards that are known; all others lose."""
        from engine.strength import strength

        is_folded, board = self._betting.is_folded, self._hand.board
        strengths = [0] * len(self._names)
        for place, cards in self._cards.items():
            if not is_folded[place]:
                strengths[place] = strength(cards + board)
        return self._betting.awards(strengths)

    def _awards(self) -> list[PotAwarded]:
        """Return what each collected of which pot, in the order told; what is left of the pots is the rake."""
        pots = self._betting.pots()
        if awards := self._told_awards(pots):
            return awards
        # Who splits two pots may have collected the same otherwise; the cards tell, unless there is rake.
        if len(pots) > 1 and self._betting.phase is Phase.SHOWDOWN and set(self._collected) <= set(self._cards):
            won: dict[int, Chips] = {}
            awards = [PotAwarded(award.place, award.pot, award.amount) for award in self._won()]
            for award in awards:
                _add(won, award.seat, award.amount)
            if won == self._collected:
                return awards
        left = [chips for chips, _ in pots]
        can_win = {
            place: [number for number, (_, places) in enumerate(pots) if place in places]
            for place in self._collected
        }
        awards = []
        for place in sorted(can_win, key=lambda place: len(can_win[place])):
            wanted = self._collected[place]
            for number in reversed(can_win[place]):
                amount = min(wanted, left[number])
                left[number] -= amount
                wanted -= amount
                if amount:
                    awards.append(PotAwarded(place, number, amount))
            if wanted:
                raise RefusedError(f"{shortened(self._names[place])} collects more than they can win.")
        told = [*self._collected]
        return sorted(awards, key=lambda award: (-award.pot, told.index(award.seat)))

    def _told_awards(self, pots: Sequence[tuple[Chips, tuple[int, ...]]]) -> list[PotAwarded]:
        """Return the awards where the text names the pot of each, and that can be; none otherwise."""
        left = [chips for chips, _ in pots]
        awards, won = [], dict[int, Chips]()
        for (place, pot), amount in self._collected_of.items():
            if pot is None or not 0 <= pot < len(pots) or place not in pots[pot][1] or amount > left[pot]:
                return []
            left[pot] -= amount
            _add(won, place, amount)
            awards.append(PotAwarded(place, pot, amount))
        return sorted(awards, key=lambda award: -award.pot) if won == self._collected else []

    def _result(self, rake: Chips) -> ImportedHand:
        told, hand = self._told, self._hand
        names = tuple(start.name for start in hand.started.seats)
        cards = dict(sorted(self._cards.items()))
        scale = CENTS if told.kind is GameKind.CASH else 1
        return ImportedHand(
            site=told.site,
            number=told.number,
            played=told.played,
            table=told.table,
            tournament=told.tournament,
            currency=told.currency,
            scale=told.scale or scale,
            record=PublicRecord(f"{told.site} {told.number}", names, cards, tuple(hand.events), True),
            hero=self._places.get(told.hero),
            rake=rake,
            remarks=told.remarks,
        )


def _in_whole_chips(told: ToldHand) -> ToldHand:
    """Return a cash game's hand for play money with a chip for each unit, if all its amounts are whole."""
    if told.kind is not GameKind.CASH or told.currency or told.scale is not None:
        return told
    own = {name: value for name in _AMOUNTS if (value := getattr(told, name)) is not None}
    moved = [(step, _amounts_of(step)) for step in told.steps]
    amounts = [*own.values(), *(seat.stack for seat in told.seats)]
    if any(chips % CENTS for chips in amounts) or any(chips % CENTS for _, of in moved for chips in of.values()):
        return told
    return structs.replace(
        told,
        scale=1,
        seats=tuple(structs.replace(seat, stack=seat.stack // CENTS) for seat in told.seats),
        steps=tuple(
            structs.replace(step, **{name: chips // CENTS for name, chips in of.items()}) for step, of in moved
        ),
        **{name: chips // CENTS for name, chips in own.items()},
    )


def _amounts_of(step: Step) -> dict[str, Chips]:
    return {name: getattr(step, name) for name in ("amount", "total") if hasattr(step, name)}


def _add(chips: dict[int, Chips], place: int, amount: Chips) -> None:
    chips[place] = chips.get(place, 0) + amount


def _posted(posts: Sequence[Post], kind: PostKind) -> Chips:
    """Return the largest post of a kind."""
    return max((post.amount for post in posts if post.kind is kind), default=0)


def _button(told: ToldHand, seats: Sequence[ToldSeat]) -> int:
    """Return the place of the button, or of who sits before the empty seat that has it."""
    return max((place for place, seat in enumerate(seats) if seat.number <= told.button), default=len(seats) - 1)


def _dealt_in(told: ToldHand) -> list[ToldSeat]:
    """Return the seats of all who have any part in the hand, in rising order."""
    names = {seat.name for seat in told.seats}
    if len(names) < len(told.seats):
        raise RefusedError("Two players have the same name.")
    playing = {step.player for step in told.steps if not isinstance(step, Deal)} | set(told.hole_cards)
    if strangers := playing - names:
        raise RefusedError(f"{shortened(min(strangers))} plays and has no seat.")
    seats = sorted((seat for seat in told.seats if seat.name in playing), key=lambda seat: seat.number)
    if len({seat.number for seat in seats}) < len(seats):
        raise RefusedError("Two players sit in one seat.")
    if not MIN_SEATS <= len(seats) <= MAX_SEATS:
        raise RefusedError(f"{len(seats)} players are dealt in, not {MIN_SEATS} to {MAX_SEATS}.")
    return seats
