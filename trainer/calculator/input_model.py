"""What is entered in the odds window, as one immutable value: players, cards, method and chips.

A field whose text cannot be read, or names a card that lies elsewhere, keeps what it last understood.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from msgspec.structs import replace as replace_fields

from engine.cards import (
    BOARD_SIZE,
    CARD_COUNT,
    Card,
    CardTextError,
    Street,
    cards_of,
    format_card,
    format_cards,
    parse_cards,
    unblocked,
)
from engine.equity.notation import FoldedHand, SharedQuestion
from engine.equity.question import EquityQuestion
from engine.foreign_text import shortened
from engine.ranges import Range, RangeTextError, format_range, parse_range
from engine.words import counted

MIN_PLAYERS = 2
MAX_PLAYERS = 10
BOARD_CARDS = BOARD_SIZE[Street.RIVER]
DEFAULT_SEED = 0
"""Of the sampled deals: the same question gets the same answer, here and from the command line."""

_LONGEST_CARD = 3  # characters, such as 10h
_ONE_CARD = re.compile(r"(?:10|[^\s,|/])[^\s,|/]")  # in a text of which all can be read

Used = dict[Card, str]
"""Where cards lie, in words: `on the board`, `in Anna's hand`."""


@dataclass(frozen=True, slots=True)
class FieldError:
    """What is wrong with a text: one sentence, and the characters at fault (none if `length` is 0).

    `is_taken`: a card lies elsewhere, so that the text may become good without being changed.
    """

    message: str
    position: int = 0
    length: int = 0
    is_taken: bool = False


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One player's hand or range.

    `hands` is what was last understood, from the text `understood`; `key` names the row for as long as it lives.
    """

    key: int
    name: str = ""
    text: str = ""
    hands: Range | None = None
    hole_cards: tuple[Card, ...] = ()
    understood: str = ""
    error: FieldError | None = None
    is_folded: bool = False

    @property
    def takes_part(self) -> bool:
        return self.hands is not None and not self.is_folded


@dataclass(frozen=True, slots=True)
class CardField:
    """The board or the dead cards: the text, and the cards last understood from it."""

    text: str = ""
    cards: tuple[Card, ...] = ()
    error: FieldError | None = None


@dataclass(frozen=True, slots=True)
class OddsInput:
    """Everything entered; `samples` None leaves the choice to the engine, amounts are in chips."""

    rows: tuple[PlayerRow, ...]
    board: CardField = CardField()
    dead: CardField = CardField()
    samples: int | None = None
    is_exact: bool = False
    seed: int = DEFAULT_SEED
    ranking: int = 1
    pot: float | None = None
    to_call: float | None = None
    bet: float | None = None

    def name_of(self, index: int) -> str:
        return self.rows[index].name or f"Player {index + 1}"

    def index_of(self, key: int) -> int | None:
        """Return the row of a key, None if it is gone."""
        return next((index for index, row in enumerate(self.rows) if row.key == key), None)

    @property
    def taking_part(self) -> tuple[int, ...]:
        """The rows that are players of the question."""
        return tuple(index for index, row in enumerate(self.rows) if row.takes_part)

    @property
    def dead_cards(self) -> tuple[Card, ...]:
        """The dead cards and those of folded hands."""
        folded = (card for row in self.rows if row.is_folded for card in row.hole_cards)
        return tuple(dict.fromkeys((*self.dead.cards, *folded)))

    @property
    def blockers(self) -> tuple[Card, ...]:
        return (*self.board.cards, *self.dead_cards)

    def used_cards(self, *, besides: str | int) -> Used:
        """Return which cards are taken and where, leaving out `"board"`, `"dead"` or a player's index."""
        return {card: place for key, place, cards in self._places() if key != besides for card in cards}

    def _places(self) -> Iterator[tuple[str | int, str, tuple[Card, ...]]]:
        yield "board", "on the board", self.board.cards
        yield "dead", "among the dead cards", self.dead.cards
        for index, row in enumerate(self.rows):
            yield index, f"in {self.name_of(index)}'s hand", row.hole_cards

    def clashes(self) -> dict[str | int, str]:
        """Say for "board", "dead" or a row which card lies elsewhere too, or that nothing of a range is left."""
        found: dict[str | int, str] = {}
        places = list(self._places())
        for card in {card for _, _, cards in places for card in cards}:
            holders = [(key, place) for key, place, cards in places if card in cards]
            if len(holders) > 1:
                where = " and ".join(place for _, place in holders)
                for key, _ in holders:
                    found.setdefault(key, f"The {format_card(card)} is {where}.")
        live = unblocked(self.blockers)
        for index, row in enumerate(self.rows):
            hands = row.hands if row.takes_part and index not in found else None
            if hands is not None and not hands.weights[live].any():
                found[index] = "The board and the dead cards leave no combo of this range."
        return found

    def problem(self) -> str:
        """Say in one sentence why there is nothing to compute; empty if there is."""
        clashes = self.clashes()
        if clashes:
            key, message = next(iter(clashes.items()))
            return message if "leave no combo" not in message else f"{self.name_of(int(key))}: {message}"
        if len(self.taking_part) < MIN_PLAYERS:
            return "Enter the hands or ranges of at least two players."
        missing = BOARD_SIZE[Street.FLOP] - len(self.board.cards)
        if 0 < missing < BOARD_SIZE[Street.FLOP]:
            return f"The flop needs {counted(missing, 'more card')}."
        return ""

    def question(self) -> EquityQuestion | None:
        """Return what is to be computed, or None if `problem` says why not."""
        if self.problem():
            return None
        used = self.taking_part
        is_numbered = used == tuple(range(len(used))) and not any(row.name for row in self.rows)
        return self._asked(() if is_numbered else tuple(self.name_of(index) for index in used))

    def _asked(self, labels: tuple[str, ...]) -> EquityQuestion:
        return EquityQuestion(
            players=tuple(row.hands for row in self.rows if row.hands is not None and not row.is_folded),
            board=self.board.cards,
            dead=self.dead_cards,
            samples=self.samples,
            is_exact=self.is_exact,
            labels=labels,
        )

    def shared(self) -> SharedQuestion | None:
        """Return what can be written as one line, or None if no player has a hand yet."""
        if not self.taking_part:
            return None
        used = self.taking_part
        written = [row for row in self.rows if row.hands is not None]
        folded = tuple(
            FoldedHand(place, row.name, (row.hole_cards[0], row.hole_cards[1]))
            for place, row in enumerate(written)
            if row.is_folded
        )
        names = tuple(self.rows[index].name for index in used)
        question = replace_fields(
            self._asked(names if any(names) else ()),
            dead=(*self.dead.cards, *(card for hand in folded for card in hand.hole_cards)),
        )
        return SharedQuestion(
            question,
            self.seed,
            self.pot,
            self.to_call,
            self.bet,
            texts=tuple(self.rows[index].understood for index in used),
            folded=folded,
            ranking=self.ranking,
        )


def filled(shared: SharedQuestion, keys: Iterator[int], ranking: int) -> OddsInput:
    """Return what is entered once a whole question has been taken from one line; percentages get this ranking."""
    question = shared.question
    names = question.labels or ("",) * len(question.players)
    texts = shared.texts or tuple(map(format_range, question.players))
    rows = [
        ranked(_understood(PlayerRow(next(keys), name), text, hands), shared.ranking, ranking)
        for name, text, hands in zip(names, texts, question.players, strict=True)
    ]
    for hand in shared.folded:
        cards = format_cards(hand.hole_cards)
        row = _understood(PlayerRow(next(keys), hand.name), cards, parse_range(cards))
        rows.insert(hand.place, replace(row, is_folded=True))
    return OddsInput(
        rows=at_least_two(rows, keys),
        board=CardField(format_cards(question.board, " "), question.board),
        dead=CardField(format_cards(shared.dead, " "), shared.dead),
        samples=question.samples,
        is_exact=question.is_exact,
        seed=shared.seed,
        ranking=ranking,
        pot=shared.pot,
        to_call=shared.to_call,
        bet=shared.bet,
    )


def at_least_two(rows: Sequence[PlayerRow], keys: Iterator[int]) -> tuple[PlayerRow, ...]:
    """Return the rows, with empty ones for who is missing."""
    return (*rows, *(PlayerRow(next(keys)) for _ in range(MIN_PLAYERS - len(rows))))


# ---- one field ------------------------------------------------------------------------------------------


def read_player(row: PlayerRow, text: str, used: Used | None = None, ranking: int = 1) -> PlayerRow:
    """Return the row with a new text; if it cannot be read, or names a used card, the hands stay what they were."""
    if not text.strip():
        return PlayerRow(row.key, row.name, text)
    try:
        hands = parse_range(text, opponents=ranking)
    except RangeTextError as error:
        return replace(row, text=text, error=_field_error(error, row.understood))
    if hands.is_empty:
        message = "This range holds no hand: all its weights are 0."
        return replace(row, text=text, error=FieldError(_with_understood(message, row.understood)))
    read = _understood(row, text, hands)
    taken = _taken(text, read.hole_cards, used or {}, row.understood)
    return read if taken is None else replace(row, text=text, error=taken)


def _understood(row: PlayerRow, text: str, hands: Range) -> PlayerRow:
    combos = np.flatnonzero(hands.weights)
    hole_cards = cards_of(int(combos[0])) if len(combos) == 1 else ()
    is_folded = row.is_folded and bool(hole_cards)
    return PlayerRow(row.key, row.name, text, hands, hole_cards, text.strip(" ,;"), is_folded=is_folded)


def take_range(row: PlayerRow, hands: Range, text: str = "") -> PlayerRow:
    """Return the row with a range that needs no reading, such as a painted one, and its text."""
    if hands.is_empty:
        return PlayerRow(row.key, row.name)
    return _understood(row, text or format_range(hands), hands)


def ranked(row: PlayerRow, before: int, ranking: int) -> PlayerRow:
    """Keep the hands of a row whose percentages were of one ranking, and write them again if of another."""
    if before == ranking or "%" not in row.text or row.hands is None or row.error is not None:
        return row
    return take_range(row, row.hands, format_range(row.hands, opponents=ranking))


def read_cards(field: CardField, text: str, most: int = CARD_COUNT, used: Used | None = None) -> CardField:
    """Return the field with a new text; if it cannot be read or is too long, the cards stay what they were."""
    understood = format_cards(field.cards)
    try:
        cards = parse_cards(text)
    except CardTextError as error:
        return replace(field, text=text, error=_field_error(error, understood))
    if len(cards) > most:
        position = next(islice(_ONE_CARD.finditer(text), most, None)).start()
        message = _with_understood(f"There is room for {most} cards only.", understood)
        return replace(field, text=text, error=FieldError(message, position, len(text) - position))
    taken = _taken(text, cards, used or {}, understood)
    return CardField(text, cards) if taken is None else replace(field, text=text, error=taken)


def _taken(text: str, cards: Sequence[Card], used: Used, understood: str) -> FieldError | None:
    """Return which card of a text lies elsewhere, if one does."""
    card = next((card for card in cards if card in used), None)
    if card is None:
        return None
    position, length = _place_of(card, text)
    message = _with_understood(f"The {format_card(card)} is {used[card]}.", understood)
    return FieldError(message, position, length, is_taken=True)


def _place_of(card: Card, text: str) -> tuple[int, int]:
    for length in range(2, _LONGEST_CARD + 1):
        for start in range(len(text) - length + 1):
            try:
                if parse_cards(text[start : start + length]) == (card,):
                    return start, length
            except CardTextError:
                continue
    return 0, len(text)


def _field_error(error: RangeTextError | CardTextError, understood: str) -> FieldError:
    return FieldError(_with_understood(str(error), understood), error.position, error.length)


def _with_understood(message: str, understood: str) -> str:
    if not understood:
        return message
    shown = shortened(understood)
    return f"{message} Used instead: {shown}{'' if shown.endswith('…') else '.'}"


def read_again(entered: OddsInput) -> OddsInput:
    """Take the texts that were refused for a card that lay elsewhere, if it no longer does."""
    errors = (entered.board.error, entered.dead.error, *(row.error for row in entered.rows))
    if not any(error is not None and error.is_taken for error in errors):
        return entered
    for key in ("board", "dead", *range(len(entered.rows))):
        used = entered.used_cards(besides=key)
        if isinstance(key, int):
            row = entered.rows[key]
            if row.error is not None and row.error.is_taken:
                entered = with_row(entered, key, read_player(row, row.text, used, entered.ranking))
        elif key == "board":
            if entered.board.error is not None and entered.board.error.is_taken:
                board = read_cards(entered.board, entered.board.text, BOARD_CARDS, used)
                entered = replace(entered, board=board)
        elif entered.dead.error is not None and entered.dead.error.is_taken:
            entered = replace(entered, dead=read_cards(entered.dead, entered.dead.text, used=used))
    return entered


def with_row(entered: OddsInput, index: int, row: PlayerRow) -> OddsInput:
    """Return the input with another row in place of one."""
    return replace(entered, rows=(*entered.rows[:index], row, *entered.rows[index + 1 :]))


# ---- in words -------------------------------------------------------------------------------------------


def describe_row(row: PlayerRow, blockers: Sequence[Card]) -> str:
    """Say how many combos the row holds and how many of them board and dead cards take away."""
    if row.hands is None:
        return "empty: left out" if row.error is None else ""
    hands = row.hands
    if row.hole_cards:
        return f"{'folded hand' if row.is_folded else 'hand'} · {format_cards(row.hole_cards)}"
    blocked = hands.combo_count - hands.without(blockers).combo_count
    if hands.weights.min() == 1:
        parts = ["any two cards"]
    else:
        parts = [f"{_number(hands.combo_count)} combos", f"{hands.fraction:.1%}"]
    if blocked > 0:
        parts.append(f"{_number(blocked)} blocked")
    return " · ".join(parts)


def _number(value: float) -> str:
    """Write a count that weights may have made fractional."""
    return f"{value:,.0f}" if abs(value - round(value)) < 0.005 else f"{value:,.1f}"
