"""Open Hand History: a JSON object `{"ohh": ...}` a hand, with a blank line between two; read, and written.

Source: The Open Hand History specification 1.4.6, hh-specs.handhistory.org. Every amount is what the action added;
what comes back uncalled is not told. Where it leaves a choice, or writers differ:

- An ante of the big blind alone, or a second one, is that for all. An extra blind is live up to the big blind.
- Of a hand that was run more than once, flagged `Run_It_Twice`, each street comes once more for a further board.
- The clock is UTC; what is written has that of the hand, whichever it was.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from itertools import groupby
from typing import Any, Final

import msgspec
from msgspec import Struct

from engine.cards import BOARD_SIZE, Card, HoleCards, Street, format_card
from engine.codec import build_schema
from engine.foreign_text import shortened
from engine.game.events import (
    ActionKind,
    ActionTaken,
    BoardDealt,
    Chips,
    GameKind,
    HoleCardsMucked,
    HoleCardsShown,
    Posted,
    PostKind,
    PotAwarded,
    Seat,
    start_of,
)
from engine.hand_histories.imported import ImportedHand
from engine.hand_histories.told import (
    CENTS,
    MOST_CHIPS,
    RUN_AGAIN,
    Act,
    Collect,
    Deal,
    Muck,
    NotImportedError,
    Post,
    Show,
    Step,
    ToldHand,
    ToldSeat,
    board_in,
    board_remark,
    cards_of,
    hole_cards_of,
)

HEADER: Final = re.compile(r'\{\s*"ohh"\s*:')

_VERSION: Final = "1.4.6"
_CURRENCY = re.compile(r"[A-Z]{3}")
_HOLDEM, _NO_LIMIT = "Holdem", "NL"
_LIMITS: Final = {"PL": "pot-limit", "FL": "fixed-limit"}
_RUN_TWICE: Final = "Run_It_Twice"
_NOT_PLAYED: Final = {"Cap": "Its bets are capped", "Bomb_Pot": "It is a bomb pot"}
_NUMBERS: Final = ("second", "third")
_WRITTEN_POSTS: Final = {
    PostKind.ANTE: "Post Ante",
    PostKind.BIG_BLIND_ANTE: "Post Ante",
    PostKind.SMALL_BLIND: "Post SB",
    PostKind.BIG_BLIND: "Post BB",
    PostKind.STRADDLE: "Straddle",
    PostKind.DEAD_BLIND: "Post Dead",
}
_POSTS: Final = {name: kind for kind, name in _WRITTEN_POSTS.items() if kind is not PostKind.BIG_BLIND_ANTE}
_EXTRA: Final = "Post Extra Blind"
_ACTS: Final = {
    "Fold": ActionKind.FOLD,
    "Check": ActionKind.CHECK,
    "Call": ActionKind.CALL,
    "Bet": ActionKind.RAISE,
    "Raise": ActionKind.RAISE,
}
_DEALT, _SHOWS, _MUCKS = "Dealt Cards", "Shows Cards", "Mucks Cards"
_SPLASH: Final = "Add to Pot"
"""What the site does, where no player is named."""

_IDLE: Final = ("Added Chips", "Sits Down", "Stands Up", "Player Adjustment")
_STREETS: Final = {street.name.capitalize(): street for street in Street}
_Dealt = tuple[Street, tuple[Card, ...]]
_SEAT_COUNTS: Final = (2, 6, 9, 10)


class _Limit(Struct):
    bet_type: str
    bet_cap: Decimal | None = None


class _Player(Struct):
    id: int
    seat: int
    starting_stack: Decimal
    name: str | None = None
    display: str | None = None


class _Action(Struct):
    action: str
    player_id: int | None = None
    amount: Decimal | None = None
    cards: list[str] | str | None = None


class _Round(Struct):
    street: str
    actions: list[_Action]
    cards: list[str] | str | None = None


class _Win(Struct):
    player_id: int
    win_amount: Decimal


class _Pot(Struct):
    player_wins: list[_Win]
    number: int | None = None
    rake: Decimal | None = None
    jackpot: Decimal | None = None


class _Tournament(Struct):
    tournament_number: str | int = ""


class _Hand(Struct):
    game_number: str | int
    game_type: str
    bet_limit: _Limit
    dealer_seat: int
    small_blind_amount: Decimal
    big_blind_amount: Decimal
    players: list[_Player]
    rounds: list[_Round]
    pots: list[_Pot]
    site_name: str | None = None
    network_name: str | None = None
    start_date_utc: str | None = None
    table_name: str | None = None
    tournament: bool | None = None
    tournament_info: _Tournament | None = None
    currency: str | None = None
    ante_amount: Decimal | None = None
    hero_player_id: int | None = None
    flags: list[str] | None = None


class _File(Struct):
    ohh: _Hand


def told_hand(text: str) -> ToldHand:
    """Return what an object tells; `NotImportedError` if it is none of no-limit hold'em, or damaged."""
    try:
        build_schema(_File)
        hand = msgspec.json.decode(text[: text.rfind("}") + 1], type=_File, strict=False).ohh
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise NotImportedError(f"It is no whole object of a hand: {shortened(str(error), 120)}.") from error
    if hand.game_type != _HOLDEM:
        raise NotImportedError(f"It is {shortened(hand.game_type)}, not hold'em.")
    if hand.bet_limit.bet_type != _NO_LIMIT:
        limit = hand.bet_limit.bet_type
        raise NotImportedError(f"It is {_LIMITS.get(limit, shortened(limit))}, not no-limit.")
    flags = ["Cap"] * bool(hand.bet_limit.bet_cap) + (hand.flags or [])
    for flag, what in _NOT_PLAYED.items():
        if flag in flags:
            raise NotImportedError(f"{what}, which is not played here.")
    return _Reading(hand).told()


class _Reading:
    """One object on its way to what it tells."""

    def __init__(self, hand: _Hand) -> None:
        self._hand = hand
        self._scale = 1 if hand.tournament else CENTS
        self._names = {one.id: one.name or one.display or f"Player {one.seat}" for one in hand.players}
        self._cards: dict[str, HoleCards] = {}
        self._steps: list[Step] = []
        self._splash: Chips = 0
        self._remarks: list[str] = []

    def told(self) -> ToldHand:
        """Read all rounds and pots."""
        hand = self._hand
        boards: list[list[tuple[Card, ...]]] = []
        dealt: list[Street] = []
        for one in hand.rounds:
            street = _STREETS.get(one.street, Street.PREFLOP)
            if street is not Street.PREFLOP:
                cards = cards_of(_joined(one.cards))
                again = dealt.count(street)
                dealt.append(street)
                if not again:
                    self._steps.append(Deal(cards))
                boards += [[] for _ in range(len(boards), again + 1)]
                boards[again].append(cards)
            for action in one.actions:
                self._read(action)
        for number, board in zip(_NUMBERS, boards[1:], strict=False):
            other = [card for street in board for card in street]
            first = [card for street in boards[0] for card in street]
            self._remarks.append(board_remark(number, first[: len(first) - len(other)] + other))
        if _RUN_TWICE in (hand.flags or ()) and not self._remarks:
            self._remarks.append(f"{RUN_AGAIN}.")
        for pot in hand.pots:
            self._steps += [
                Collect(self._name(win.player_id), self._chips(win.win_amount), pot.number)
                for win in pot.player_wins
            ]
        taken = [self._chips(part) for pot in hand.pots for part in (pot.rake, pot.jackpot)]
        hero = "" if hand.hero_player_id is None else self._names.get(hand.hero_player_id, "")
        self._find_ante_for_all()
        antes = [post.amount for post in self._posts(PostKind.ANTE)]
        return ToldHand(
            site=shortened(hand.site_name or hand.network_name or "Open Hand History"),
            number=shortened(str(hand.game_number)),
            played=_when(hand.start_date_utc or ""),
            kind=GameKind.TOURNAMENT if hand.tournament else GameKind.CASH,
            table=shortened(hand.table_name or ""),
            tournament=shortened(str(hand.tournament_info.tournament_number)) if hand.tournament_info else "",
            currency="" if hand.tournament else _currency(hand.currency or ""),
            small_blind=self._chips(hand.small_blind_amount),
            big_blind=self._chips(hand.big_blind_amount),
            ante=max(*antes, self._chips(hand.ante_amount)) if antes else 0,
            splash=self._splash,
            seats=tuple(
                ToldSeat(one.seat, self._names[one.id], self._chips(one.starting_stack)) for one in hand.players
            ),
            button=hand.dealer_seat,
            hero=hero if hero in self._cards else "",
            hole_cards=self._cards,
            steps=tuple(self._steps),
            rake=sum(taken) if any(pot.rake is not None for pot in hand.pots) else None,
            remarks=tuple(self._remarks),
        )

    def _posts(self, kind: PostKind) -> list[Post]:
        return [step for step in self._steps if isinstance(step, Post) and step.kind is kind]

    def _find_ante_for_all(self) -> None:
        """Tell the ante that the big blind posts for all from those that each posts."""
        antes, big = self._posts(PostKind.ANTE), self._posts(PostKind.BIG_BLIND)
        own = [post for post in antes if big and post.player == big[0].player]
        if len(own) == 2 or len(own) == len(antes) == 1:
            at = next(at for at, step in enumerate(self._steps) if step is own[-1])
            self._steps[at] = Post(own[-1].player, PostKind.BIG_BLIND_ANTE, own[-1].amount)

    def _read(self, action: _Action) -> None:
        what = action.action
        if what in _IDLE:
            return
        if what == _SPLASH and action.player_id is None:
            self._splash += self._chips(action.amount)
            return
        name, amount = self._name(action.player_id), self._chips(action.amount)
        if what in _POSTS:
            self._steps.append(Post(name, _POSTS[what], amount))
        elif what == _EXTRA:
            live = min(amount, self._chips(self._hand.big_blind_amount))
            self._steps.append(Post(name, PostKind.BIG_BLIND, live))
            self._steps += [Post(name, PostKind.DEAD_BLIND, amount - live)] * (amount > live)
        elif what in _ACTS:
            self._steps.append(Act(name, _ACTS[what], amount))
        elif what in (_DEALT, _SHOWS, _MUCKS):
            pair = hole_cards_of(_joined(action.cards))
            if what == _MUCKS:
                self._steps.append(Muck(name))
            if pair is not None and what == _SHOWS:
                self._steps.append(Show(name, pair))
            elif pair is not None:
                self._cards.setdefault(name, pair)
        else:
            raise NotImportedError(f"The action '{shortened(what)}' is not understood.")

    def _name(self, player: int | None) -> str:
        name = self._names.get(player) if player is not None else None
        if name is None:
            raise NotImportedError(f"Player {player} acts and has no seat.")
        return name

    def _chips(self, amount: Decimal | None) -> Chips:
        if amount is None:
            return 0
        if not amount.is_finite() or not 0 <= amount <= MOST_CHIPS:
            raise NotImportedError(f"{shortened(str(amount))} is no amount.")
        chips = int(amount * self._scale)
        if chips != amount * self._scale:
            raise NotImportedError(f"{shortened(str(amount))} is no whole number of the smallest coin.")
        return chips


def _currency(text: str) -> str:
    return text if _CURRENCY.fullmatch(text) else ""


def _joined(cards: Sequence[str] | str | None) -> str:
    return " ".join(cards) if isinstance(cards, list) else str(cards or "")


def _when(text: str) -> datetime | None:
    try:
        played = datetime.fromisoformat(text)
        return played.astimezone(UTC).replace(tzinfo=None) if played.tzinfo else played
    except (ValueError, OverflowError):
        return None


def written(hand: ImportedHand) -> str:
    """Return a hand as one such object in one line; amounts in money, or the chips of a tournament."""
    return _Writing(hand).text()


class _Writing:
    """One hand on its way to an object."""

    def __init__(self, hand: ImportedHand) -> None:
        self._hand = hand
        started = start_of(hand.record.events)
        self._started = started

    def text(self) -> str:
        """Return the object's JSON."""
        hand, started = self._hand, self._started
        is_tournament = started.kind is GameKind.TOURNAMENT
        last = max(start.seat for start in started.seats) + 1
        fields: dict[str, Any] = {
            "spec_version": _VERSION,
            "internal_version": _VERSION,
            "site_name": hand.site,
            "network_name": hand.site,
            "tournament": is_tournament,
            "game_number": hand.number,
            "start_date_utc": hand.played.isoformat() if hand.played else None,
            "table_name": hand.table,
            "game_type": _HOLDEM,
            "bet_limit": {"bet_type": _NO_LIMIT, "bet_cap": 0},
            "table_size": next(count for count in _SEAT_COUNTS if count >= last),
            "currency": hand.currency,
            "dealer_seat": started.button + 1,
            "small_blind_amount": self._money(started.small_blind),
            "big_blind_amount": self._money(started.big_blind),
            "ante_amount": self._money(started.ante),
            "flags": [_RUN_TWICE] * any(remark.startswith(RUN_AGAIN) for remark in hand.remarks)
            + ["Observed"] * (hand.hero is None),
            "players": [
                {
                    "id": start.seat,
                    "seat": start.seat + 1,
                    "name": start.name,
                    "starting_stack": self._money(start.stack),
                }
                for start in started.seats
            ],
            "rounds": list(self._rounds()),
            "pots": self._pots(),
        }
        if hand.hero is not None:
            fields["hero_player_id"] = hand.hero
        if is_tournament:
            fields["tournament_info"] = {"tournament_number": hand.tournament}
        return msgspec.json.encode({"ohh": fields}).decode()

    def _money(self, chips: Chips) -> float:
        return chips if self._hand.scale == 1 else chips / self._hand.scale

    def _rounds(self) -> Iterator[dict[str, Any]]:
        """Yield a round for each street and for the showdown."""
        posts, acts, streets, ends = [], [], [], []
        if self._started.splash:
            posts.append(self._action(None, _SPLASH, self._started.splash))
        for event in self._hand.record.events:
            match event:
                case Posted(seat, kind, amount, is_all_in):
                    posts.append(self._action(seat, _WRITTEN_POSTS[kind], amount, is_all_in=is_all_in))
                case ActionTaken():
                    acts.append((event.street, self._act(event)))
                case BoardDealt(street, cards):
                    streets.append((street, cards))
                case HoleCardsShown(seat, cards):
                    ends.append(self._action(seat, _SHOWS, cards=cards))
                case HoleCardsMucked(seat):
                    ends.append(self._action(seat, _MUCKS))
        shown = {event.seat for event in self._hand.record.events if isinstance(event, HoleCardsShown)}
        known = [
            self._action(seat, _DEALT, cards=cards)
            for seat, cards in self._hand.record.hole_cards.items()
            if seat not in shown or seat == self._hand.hero
        ]
        rounds = [(Street.PREFLOP, tuple[Card, ...]()), *streets]
        rounds += [one for remark in self._hand.remarks for one in _other_board(remark, streets)]
        for number, (street, board) in enumerate(rounds):
            actions = [act for when, act in acts if when is street] if number <= len(streets) else []
            yield _round(number, street.name.capitalize(), board, (posts + known if not number else []) + actions)
        if ends:
            yield _round(len(rounds), "Showdown", (), ends)

    def _act(self, event: ActionTaken) -> dict[str, Any]:
        if event.action.kind is not ActionKind.RAISE:
            what = event.action.kind.capitalize()
        else:
            what = "Raise" if event.street is Street.PREFLOP or event.bet + event.to_call else "Bet"
        return self._action(event.seat, what, event.amount, is_all_in=event.is_all_in and event.amount > 0)

    def _action(
        self,
        seat: Seat | None,
        what: str,
        amount: Chips = 0,
        *,
        is_all_in: bool = False,
        cards: HoleCards | None = None,
    ) -> dict[str, Any]:
        action: dict[str, Any] = {"player_id": seat, "action": what, "amount": self._money(amount)}
        action["is_allin"] = is_all_in
        if cards is not None:
            action["cards"] = [format_card(card) for card in cards]
        return action

    def _pots(self) -> list[dict[str, Any]]:
        """Return the pots, the main one first, which has all the rake; one without chips where nothing was won."""
        awards = [event for event in self._hand.record.events if isinstance(event, PotAwarded)]
        awards.sort(key=lambda award: award.pot)
        pots: list[dict[str, Any]] = []
        for number, group in groupby(awards, lambda award: award.pot):
            wins = list(group)
            rake = 0 if pots else self._hand.rake
            pots.append(
                {
                    "number": number,
                    "amount": self._money(sum(win.amount for win in wins) + rake),
                    "rake": self._money(rake),
                    "player_wins": [{"player_id": win.seat, "win_amount": self._money(win.amount)} for win in wins],
                }
            )
        return pots or [{"number": 0, "amount": 0, "rake": 0, "player_wins": []}]


def _round(number: int, street: str, board: Iterable[Card], actions: Iterable[dict[str, Any]]) -> dict[str, Any]:
    numbered = [{"action_number": at, **action} for at, action in enumerate(actions)]
    return {"id": number, "street": street, "cards": [format_card(card) for card in board], "actions": numbered}


def _other_board(remark: str, streets: Sequence[_Dealt]) -> list[_Dealt]:
    """Return the streets of a further board that a remark tells, whole or from where it is another."""
    _, told = board_in(remark) or ("", ())
    first = [card for _, cards in streets for card in cards]
    whole = (*first[: len(first) - len(told)], *told)
    begins = [BOARD_SIZE[street] - len(cards) for street, cards in streets]
    if not told or len(whole) != len(first):
        return []
    parts = [
        (street, whole[begin : BOARD_SIZE[street]]) for (street, _), begin in zip(streets, begins, strict=True)
    ]
    same = next((at for at, part in enumerate(parts) if part != streets[at]), len(parts))
    return parts[same:]
