"""The words of the Huawei 2015 server: its lines in, typed messages out. No state of the game, no socket.

Lines come in blocks, `inquire/` to `/inquire`; `game-over` stands alone. What cannot be read becomes a
`Malformed`, never an exception, and the rest of its block is still read.

Source: Huawei Software Elite Challenge 2015, protocol of the server v1.26.
"""

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct

from engine.cards import Card, HoleCards, Street, make_card
from engine.game.events import Chips


class RowAction(StrEnum):
    """What a player did last, in the server's words."""

    BLIND = "blind"
    CHECK = "check"
    CALL = "call"
    RAISE = "raise"
    ALL_IN = "all_in"
    FOLD = "fold"


class SeatLine(Struct, frozen=True):
    """A player dealt in: its id, chips in front (the stack) and coins behind, with which it is rebought."""

    player: str
    chips: Chips
    coins: Chips


class Seating(Struct, frozen=True):
    """`seat/`: a hand begins. Clockwise from the button; then the small blind, and unless heads-up the big one."""

    lines: tuple[SeatLine, ...]
    has_big_blind: bool


class BlindsPosted(Struct, frozen=True):
    """`blind/`: who posted how much, the small blind first."""

    posts: tuple[tuple[str, Chips], ...]


class CardsHeld(Struct, frozen=True):
    """`hold/`: our own hole cards."""

    cards: HoleCards


class BoardCards(Struct, frozen=True):
    """`flop/`, `turn/`, `river/`: new board cards."""

    street: Street
    cards: tuple[Card, ...]


class Row(Struct, frozen=True):
    """A player who has acted in this hand: `bet` is what it has put in during the whole hand."""

    player: str
    chips: Chips
    coins: Chips
    bet: Chips
    action: RowAction


class Rows(Struct, frozen=True):
    """`inquire/`, which wants an answer, or `notify/`, the nearest previous player first.

    `pot` is None if that line could not be read; `is_whole` False if any could not, unless the rows add up to the
    pot.
    """

    rows: tuple[Row, ...]
    pot: Chips | None
    is_question: bool
    is_whole: bool


class CardsShown(Struct, frozen=True):
    """`showdown/`: the whole board and the hole cards of everybody who had not folded."""

    board: tuple[Card, ...]
    hands: tuple[tuple[str, HoleCards], ...]


class PotsWon(Struct, frozen=True):
    """`pot-win/`: what each winner gets, an uncalled bet included. Nobody, if the pot is discarded."""

    winners: tuple[tuple[str, Chips], ...]


class GameOver(Struct, frozen=True):
    """`game-over`."""


class Malformed(Struct, frozen=True):
    """What could not be read, and why."""

    text: str
    reason: str


Message = Seating | BlindsPosted | CardsHeld | BoardCards | Rows | CardsShown | PotsWon | GameOver | Malformed

_GAME_OVER: Final = "game-over"
_QUESTIONS: Final = ("inquire", "notify")
_BOARDS: Final = {"flop": Street.FLOP, "turn": Street.TURN, "river": Street.RIVER}
_SUITS: Final = {"CLUBS": 0, "DIAMONDS": 1, "HEARTS": 2, "SPADES": 3}
_RANKS: Final = {
    name: rank for rank, name in enumerate(("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"))
}
_MOST_LINES: Final = 64
"""A block has at most 18 lines; what goes on longer has lost its end."""
_SHOWN_TEXT: Final = 200
_CHIPS: Final = r"(\d{1,12})"
_SEAT_LINE: Final = re.compile(rf"(button: |small blind: |big blind: |)(\S+) {_CHIPS} {_CHIPS}", re.ASCII)
_POST_LINE: Final = re.compile(rf"(\S+?): {_CHIPS}", re.ASCII)
_ROW: Final = re.compile(rf"(\S+) {_CHIPS} {_CHIPS} {_CHIPS} (blind|check|call|raise|all_in|fold)", re.ASCII)
_POT_LINE: Final = re.compile(rf"total pot: {_CHIPS}", re.ASCII)
_HAND_LINE: Final = re.compile(r"\d+: (\S+) (\S+) (\S+) (\S+) (\S+) \S+", re.ASCII)


class _LineError(ValueError):
    """A line or block that does not say what it should."""


class MessageReader:
    """Puts lines together into messages.

    Examples
    --------
    >>> reader = MessageReader()
    >>> reader.feed("turn/ "), reader.feed("HEARTS 10 ")
    ((), ())
    >>> reader.feed("/turn ")
    (BoardCards(street=<Street.TURN: 2>, cards=(34,)),)
    >>> reader.feed("game-over ")
    (GameOver(),)
    """

    def __init__(self) -> None:
        self._block: str | None = None
        self._is_known = False
        self._lines: list[str] = []

    def feed(self, line: str) -> tuple[Message, ...]:
        """Take one line, with or without its ending, and give the messages that it completes."""
        text = line.strip()
        if not text:
            return ()
        if self._block is not None and text == f"/{self._block}":
            return self._finished()
        name, before = _beginning(text)
        if name is not None and self._goes_on(name):
            name = None
        if name is not None:
            found = self._broken_off(f"before {name}")
            if before:
                found += (_malformed(before, "outside of any block"),)
            if name == _GAME_OVER:
                return (*found, GameOver())
            self._block, self._is_known = name, name in _READERS
            return found if self._is_known else (*found, Malformed(text, "no such block is known"))
        if not self._is_known and text.startswith("/") and text[1:] in _READERS and self._lines:
            self._block, self._is_known = text[1:], True
            return (_malformed(text, "a block without a beginning"), *self._finished())
        self._lines.append(text)
        if len(self._lines) > _MOST_LINES:
            return self._broken_off(f"with {len(self._lines)} lines")
        return ()

    def end(self) -> tuple[Message, ...]:
        """Return what the end of the connection has cut off."""
        return self._broken_off("at the end")

    def _finished(self) -> tuple[Message, ...]:
        name, lines, is_known = self._block, self._lines, self._is_known
        self._block, self._is_known, self._lines = None, False, []
        return _READERS[name](name, lines) if name is not None and is_known else ()

    def _goes_on(self, name: str) -> bool:
        """Whether the block that has begun goes on where a line names another."""
        return self._is_known and (
            name not in (*_READERS, _GAME_OVER) or (name, self._block) == ("common", "showdown")
        )

    def _broken_off(self, where: str) -> tuple[Message, ...]:
        """Give up the block that has begun; what the rows of a question say still counts."""
        name, lines, is_known = self._block, self._lines, self._is_known
        self._block, self._is_known, self._lines = None, False, []
        if name is None:
            return tuple(_malformed(line, "outside of any block") for line in lines)
        if not is_known:
            return ()
        report = _rows("notify", lines)[-1:] if name in _QUESTIONS else ()
        return (_malformed(" | ".join(lines), f"{name} breaks off {where}"), *report)


def _beginning(text: str) -> tuple[str | None, str]:
    """Return the block that a line begins, with what stands in front of its name if that is known, or None."""
    if text.endswith(_GAME_OVER):
        return _GAME_OVER, text.removesuffix(_GAME_OVER)
    if text.endswith("/"):
        for name in sorted((*_READERS, "common"), key=len, reverse=True):
            if text.endswith(f"{name}/"):
                return name, text.removesuffix(f"{name}/")
        if re.fullmatch(r"[a-z][a-z-]*/", text, re.ASCII):
            return text[:-1], ""
    return None, ""


def _malformed(text: str, reason: str) -> Malformed:
    return Malformed(text if len(text) <= _SHOWN_TEXT else f"{text[:_SHOWN_TEXT]} ...", reason)


def _match(pattern: "re.Pattern[str]", line: str) -> "re.Match[str]":
    found = pattern.fullmatch(line)
    if found is None:
        raise _LineError(f"the line {line[:_SHOWN_TEXT]!r} is none of this block")
    return found


def _card(suit: str, rank: str) -> Card:
    if suit not in _SUITS or rank not in _RANKS:
        raise _LineError(f"{suit[:20]} {rank[:20]} is no card")
    return make_card(_RANKS[rank], _SUITS[suit])


def _cards(lines: Sequence[str], count: int) -> tuple[Card, ...]:
    if len(lines) != count:
        raise _LineError(f"there are {len(lines)} lines for {count} cards")
    words = [line.split() for line in lines]
    if any(len(pair) != 2 for pair in words):
        raise _LineError("a card is a suit and a rank")
    cards = tuple(_card(suit, rank) for suit, rank in words)
    if len(set(cards)) < count:
        raise _LineError("a card stands twice")
    return cards


def _seats(_: str, lines: Sequence[str]) -> Message:
    found = [_match(_SEAT_LINE, line).groups() for line in lines]
    roles = [role.rstrip(": ") for role, *_ in found]
    usual = ["button", "small blind", "big blind"][: max(2, min(len(found), 3))]
    if len(found) < 2 or roles != usual + [""] * (len(found) - len(usual)):
        raise _LineError("a hand needs a button, a small blind and, with three or more, a big blind, in that order")
    players = tuple(SeatLine(player, int(chips), int(coins)) for _, player, chips, coins in found)
    if len({line.player for line in players}) < len(players):
        raise _LineError("a player stands twice")
    return Seating(players, "big blind" in roles)


def _posts(_: str, lines: Sequence[str]) -> Message:
    found = [_match(_POST_LINE, line).groups() for line in lines]
    if not 1 <= len(found) <= 2:
        raise _LineError("one or two blinds are posted")
    return BlindsPosted(tuple((player, int(chips)) for player, chips in found))


def _hole_cards(_: str, lines: Sequence[str]) -> Message:
    first, second = _cards(lines, 2)
    return CardsHeld((first, second))


def _board(name: str, lines: Sequence[str]) -> Message:
    return BoardCards(_BOARDS[name], _cards(lines, 3 if name == "flop" else 1))


def _rows(name: str, lines: Sequence[str]) -> tuple[Message, ...]:
    """Read what can be read of it: whoever is asked must answer."""
    rows: dict[str, Row] = {}
    pot: Chips | None = None
    damaged: list[Message] = []
    for line in lines:
        if found := _ROW.fullmatch(line):
            player, chips, coins, bet, action = found.groups()
            rows[player] = Row(player, int(chips), int(coins), int(bet), RowAction(action))
        elif found := _POT_LINE.fullmatch(line):
            pot = int(found[1])
        else:
            damaged.append(_malformed(line, f"no line of {name}"))
    if pot is None:
        damaged.append(_malformed(" | ".join(lines), f"{name} without a total pot"))
    adds_up = pot is not None and sum(row.bet for row in rows.values()) == pot
    report = Rows(tuple(rows.values()), pot, name == "inquire", not damaged or adds_up)
    return (*damaged, report)


def _showdown(_: str, lines: Sequence[str]) -> Message:
    if "common/" not in lines or "/common" not in lines:
        raise _LineError("a showdown tells the whole board")
    begin, end = lines.index("common/"), lines.index("/common")
    board = _cards(lines[begin + 1 : end], 5)
    hands: dict[str, HoleCards] = {}
    for line in (*lines[:begin], *lines[end + 1 :]):
        player, *words = _match(_HAND_LINE, line).groups()
        hands[player] = (_card(words[0], words[1]), _card(words[2], words[3]))
    known = [*board, *(card for pair in hands.values() for card in pair)]
    if len(set(known)) < len(known):
        raise _LineError("a card stands twice")
    return CardsShown(board, tuple(hands.items()))


def _winners(_: str, lines: Sequence[str]) -> Message:
    found = [_match(_POST_LINE, line).groups() for line in lines]
    return PotsWon(tuple((player, int(chips)) for player, chips in found))


def _strictly(
    read: Callable[[str, Sequence[str]], Message],
) -> Callable[[str, Sequence[str]], tuple[Message, ...]]:
    """Make a reader that raises on anything wrong give a `Malformed` instead."""

    def messages(name: str, lines: Sequence[str]) -> tuple[Message, ...]:
        try:
            return (read(name, lines),)
        except _LineError as error:
            return (_malformed(" | ".join(lines), f"{name}: {error}"),)

    return messages


_READERS: Final[dict[str, Callable[[str, Sequence[str]], tuple[Message, ...]]]] = {
    "seat": _strictly(_seats),
    "blind": _strictly(_posts),
    "hold": _strictly(_hole_cards),
    **dict.fromkeys(_BOARDS, _strictly(_board)),
    **dict.fromkeys(_QUESTIONS, _rows),
    "showdown": _strictly(_showdown),
    "pot-win": _strictly(_winners),
}
