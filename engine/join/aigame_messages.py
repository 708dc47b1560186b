"""Messages of the Texas Hold'em AI Game (TrendMicro 2017), read: text in, typed messages out, never an exception.

A message is JSON, `{"eventName": ..., "data": ...}`, of bounded length and depth. Fields that are not read may be
missing, wrong or new; one that is read and wrong makes a `BadMessage`.
"""

import re
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from engine.cards import BOARD_SIZE, CARD_OF, Card, HoleCards
from engine.game.events import Chips
from engine.join.registration import LONGEST_MESSAGE

_CARDS: Final = {name.upper(): card for name, card in CARD_OF.items()}
_QUESTION: Final = re.compile(r'"eventName"\s*:\s*"__(action|bet)"')
_MOST_DEPTH: Final = 32
_BRACKETS: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)
_NO_TABLE: Final = "There is no table with its blinds and players"

_Number = Annotated[float, Meta(ge=0, le=1e15)]
"""Whole numbers may come as 20.0, or in quotes; a share of a split pot may have a fraction, which is left out."""


class Seated(Struct, frozen=True):
    """A player at the table by the hash of their name; chips are behind, on this street, and on those before it."""

    name: str
    chips: Chips
    bet: Chips
    earlier_bets: Chips
    is_folded: bool
    is_surviving: bool
    reloads: int
    hole_cards: HoleCards | None
    won: Chips | None

    @property
    def total(self) -> Chips:
        """Its chips with those put in during this hand."""
        return self.chips + self.bet + self.earlier_bets


class Blind(Struct, frozen=True):
    """Who owes a blind, and how much."""

    name: str
    amount: Chips


class TableState(Struct, frozen=True):
    """Everything public at one moment; what the message does not have is None.

    `players` are all who sat down, clockwise, who is out keeping the place; `pot` all chips put in during this
    hand.
    """

    hand_number: int | None
    players: tuple[Seated, ...]
    board: tuple[Card, ...]
    small_blind: Blind
    big_blind: Blind
    pot: Chips | None
    reload_chips: Chips | None
    most_reloads: int | None


class NewHand(Struct, frozen=True):
    """A hand begins; the blinds are posted and our hole cards dealt."""

    state: TableState


class Question(Struct, frozen=True):
    """We are to act; `me` is our player, with hole cards."""

    state: TableState
    me: Seated


class Acted(Struct, frozen=True):
    """Somebody acted, we too; the state is that afterwards, `word` what the server calls it."""

    state: TableState
    name: str
    word: str


class Dealt(Struct, frozen=True):
    """A new street."""

    state: TableState


class HandOver(Struct, frozen=True):
    """A hand is over: the chips are those afterwards, reloads included, and all hole cards are shown."""

    state: TableState


class ReloadOffer(Struct, frozen=True):
    """Who wants to may reload now."""

    players: tuple[Seated, ...]


class GameOver(Struct, frozen=True):
    """The game is over; chips count unused reloads. Nobody is in `players` if the message says nothing of them."""

    players: tuple[Seated, ...]


class Ignored(Struct, frozen=True):
    """An event of which nothing has to be known; `is_known` says whether the protocol has it."""

    event: str
    is_known: bool


class BadMessage(Struct, frozen=True):
    """What could not be read, whether it asks for an answer, and whether nobody has bet on its street yet."""

    text: str
    reason: str
    is_question: bool = False
    is_opening: bool = False


Message = NewHand | Question | Acted | Dealt | HandOver | ReloadOffer | GameOver | Ignored | BadMessage


class _Envelope(Struct):
    eventName: str  # noqa: N815
    data: msgspec.Raw = msgspec.Raw(b"null")


class _Player(Struct, rename="camel"):
    player_name: str
    chips: _Number
    bet: _Number = 0
    round_bet: _Number = 0
    folded: bool = False
    is_survive: bool = True
    reload_count: _Number = 0
    cards: list[str] | None = None
    win_money: Annotated[float, Meta(ge=-1e15, le=1e15)] | None = None


class _Blind(Struct, rename="camel"):
    player_name: str
    amount: _Number


class _Table(Struct, rename="camel"):
    small_blind: _Blind
    big_blind: _Blind
    board: list[str] | None = None
    round_count: Annotated[int, Meta(ge=0, le=1 << 53)] | None = None
    total_bet: _Number | None = None
    init_chips: _Number | None = None
    max_reload_count: int | None = None
    players: list[_Player] | None = None


class _Action(Struct, rename="camel"):
    player_name: str
    action: str


class _Data(Struct):
    """The data of every event that is followed; which of the fields there are depends on it."""

    players: list[_Player] | None = None
    table: _Table | None = None
    game: _Table | None = None
    me: _Player | None = msgspec.field(default=None, name="self")
    action: _Action | None = None


class _Seats(Struct):
    players: list[_Player] = []


_ENVELOPES: Final = msgspec.json.Decoder(_Envelope)
_DATA: Final = msgspec.json.Decoder(_Data, strict=False)
_SEATS: Final = msgspec.json.Decoder(_Seats, strict=False)

_FOLLOWED: Final = frozenset(
    {"__new_round", "__action", "__bet", "__show_action", "__deal", "__round_end", "__start_reload"}
)
_KNOWN: Final = frozenset(
    {"__new_peer", "__new_peer_2", "__left", "__left_2", "__game_prepare", "__game_start", "_join", "__join"}
)


def parse_message(text: str) -> Message:
    """Read a message.

    Examples
    --------
    >>> parse_message('{"eventName": "__game_prepare", "data": {"countDown": 5}}')
    Ignored(event='__game_prepare', is_known=True)
    >>> parse_message('{"eventName": "__bet", "data": {"self": 7}}').is_question
    True
    """
    try:
        _check_bounds(text)
        envelope = _ENVELOPES.decode(text)
    except (msgspec.MsgspecError, UnicodeError, _TooMuchError) as error:
        asked = _QUESTION.search(text)
        return BadMessage(text, f"{error}.", asked is not None, asked is not None and asked[1] == "bet")
    event = envelope.eventName
    if event == "__game_over":
        return GameOver(_seats_of(envelope.data))
    if event not in _FOLLOWED:
        return Ignored(event, event in _KNOWN)
    try:
        return _followed(event, envelope.data)
    except (msgspec.MsgspecError, UnicodeError, ValueError) as error:
        return BadMessage(text, f"{error}.", event in ("__action", "__bet"), event == "__bet")


class _TooMuchError(ValueError):
    """A message that is longer or deeper than any that says something."""


def _check_bounds(text: str) -> None:
    if len(text) > LONGEST_MESSAGE:
        raise _TooMuchError(f"{len(text):,} characters are more than the {LONGEST_MESSAGE:,} of a message")
    depth = 0
    for found in _BRACKETS.finditer(text):  # strings are passed over
        depth += (found[0] in "[{") - (found[0] in "]}")
        if depth > _MOST_DEPTH:
            raise _TooMuchError(f"It is nested more than {_MOST_DEPTH} deep")


def _seats_of(data: msgspec.Raw) -> tuple[Seated, ...]:
    """Read the players of the last message, with which the game is over, whatever it holds."""
    try:
        return tuple(map(_seated, _SEATS.decode(data).players))
    except (msgspec.MsgspecError, UnicodeError, ValueError):
        return ()


def _followed(event: str, raw: msgspec.Raw) -> Message:
    data = _DATA.decode(raw)
    if event == "__start_reload":
        return ReloadOffer(tuple(map(_seated, data.players or ())))
    state = _state(data)
    match event:
        case "__new_round":
            return NewHand(state)
        case "__deal":
            return Dealt(state)
        case "__round_end":
            return HandOver(state)
        case "__show_action":
            if data.action is None:
                raise ValueError("Nobody's action is told")
            _place(state, data.action.player_name)
            return Acted(state, data.action.player_name, data.action.action)
    if data.me is None:
        raise ValueError("It does not say who we are")
    _place(state, data.me.player_name)
    return Question(state, _seated(data.me))


def _state(data: _Data) -> TableState:
    table = data.game or data.table
    players = data.players if table is None or table.players is None else table.players
    if table is None or not players:
        raise ValueError(_NO_TABLE)
    state = TableState(
        hand_number=table.round_count,
        players=tuple(map(_seated, players)),
        board=_cards(table.board or ()),
        small_blind=Blind(table.small_blind.player_name, int(table.small_blind.amount)),
        big_blind=Blind(table.big_blind.player_name, int(table.big_blind.amount)),
        pot=None if table.total_bet is None else int(table.total_bet),
        reload_chips=None if table.init_chips is None else int(table.init_chips),
        most_reloads=table.max_reload_count,
    )
    names = [player.name for player in state.players]
    if len(set(names)) < len(names):
        raise ValueError("A player sits there twice")
    if len(state.board) not in BOARD_SIZE.values():
        raise ValueError(f"There is no board of {len(state.board)} cards")
    for blind in (state.small_blind, state.big_blind):
        _place(state, blind.name)
    return state


def _seated(player: _Player) -> Seated:
    cards = _cards(player.cards or ())
    if len(cards) not in (0, 2):
        raise ValueError(f"Nobody has {len(cards)} hole cards")
    return Seated(
        name=player.player_name,
        chips=int(player.chips),
        bet=int(player.bet),
        earlier_bets=int(player.round_bet),
        is_folded=player.folded,
        is_surviving=player.is_survive,
        reloads=int(player.reload_count),
        hole_cards=(cards[0], cards[1]) if cards else None,
        won=None if player.win_money is None else max(int(player.win_money), 0),
    )


def _cards(texts: list[str] | tuple[()]) -> tuple[Card, ...]:
    unknown = [text for text in texts if text.upper() not in _CARDS]
    if unknown:
        raise ValueError(f"'{unknown[0]}' is no card")
    if len(set(texts)) < len(texts):
        raise ValueError("A card stands there twice")
    return tuple(_CARDS[text.upper()] for text in texts)


def _place(state: TableState, name: str) -> int:
    """Return the place of a player; refuse one who does not sit there."""
    for place, player in enumerate(state.players):
        if player.name == name:
            return place
    raise ValueError(f"Nobody of the name '{name}' sits there")
