"""A whole question about odds as one line of text, to be kept, sent and asked again.

Fields stand between bars, players first or anywhere, the others by their word:

=======================  ==========================================================================
`AhKh`, `QQ+,AK:0.5`     a player's hand or range, as `engine.ranges` reads it
`Villain = QQ+`          the same with a name
`Villain = 2c2d folded`  two cards of a player who takes no part: they are dead
`board Ks 7d 2h`         0, 3, 4 or 5 cards
`dead 2c 2d`             cards known to be out of play
`exact`                  to be counted exactly, even if it takes two minutes
`samples 100000`         to be sampled with so many deals
`seed 7`                 of the samples
`ranking 3`              `15%` means the best hands against so many random ones, 1 to 9; without it one
`pot 150`                chips in the middle before the first player acts
`call 50`                chips that a call would cost them; the pot holds the bet
`bet 75`                 chips that they would bet, or with a call raise in all
=======================  ==========================================================================

A word may be followed by a colon. A line has 64 fields and 200,000 characters at most, and control characters of a
name are lost. `AhKh | Villain = QQ+ | board Ks7d2h | pot 150 | call 50` is such a line.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from msgspec import Struct

from engine.cards import MOST_OPPONENTS, Card, CardTextError, HoleCards, cards_of, format_cards, parse_cards
from engine.equity.checks import EquityError
from engine.equity.question import EquityQuestion
from engine.foreign_text import printable
from engine.ranges import Range, RangeTextError, format_range, parse_range

BAR: Final = "|"
_LONGEST_LINE: Final = 200_000
"""Characters of a whole question."""
_MOST_FIELDS: Final = 64  # players, folded hands and all words together are fewer


class QuestionLineError(EquityError):
    """A line that is no question: `length` characters are at fault from index `position` on, none if it is 0."""

    def __init__(self, message: str, position: int, length: int) -> None:
        super().__init__(message)
        self.position = position
        self.length = length


class FoldedHand(Struct, frozen=True):
    """Two known cards of a player who takes no part, with their place among all players and their name, if any."""

    place: int
    name: str
    hole_cards: HoleCards

    def __str__(self) -> str:
        return f"{self.name} {format_cards(self.hole_cards)}".strip()


class SharedQuestion(Struct, frozen=True):
    """A question with what is asked about it.

    Attributes
    ----------
    question : EquityQuestion
        Its labels are the players' names, empty for a player without one; none if nobody has one. The cards of the
        folded hands are the last of its dead cards.
    seed : int
        Of what is sampled.
    pot, to_call, bet : float or None
        Chips, as `engine.equity.decisions` takes them; None for what is not asked.
    texts : tuple of str
        The players of the question as they were written, if they were.
    folded : tuple of FoldedHand
        In the order of their places.
    ranking : int
        Against how many random hands the hands of a percentage are the best, 1 to 9.
    """

    question: EquityQuestion
    seed: int = 0
    pot: float | None = None
    to_call: float | None = None
    bet: float | None = None
    texts: tuple[str, ...] = ()
    folded: tuple[FoldedHand, ...] = ()
    ranking: int = 1

    @property
    def dead(self) -> tuple[Card, ...]:
        """The dead cards without those of folded hands."""
        dead = self.question.dead
        return dead[: len(dead) - 2 * len(self.folded)]


class _Field(NamedTuple):
    text: str
    position: int

    def error(self, message: str) -> QuestionLineError:
        return QuestionLineError(message, self.position, len(self.text))

    def part(self, start: int, end: int | None = None) -> "_Field":
        """Return a part of it, without the spaces around."""
        text = self.text[start:end]
        return _Field(text.strip(), self.position + start + len(text) - len(text.lstrip()))


_WORD = re.compile(r"(board|dead|exact|samples|seed|ranking|pot|call|bet)(?![^\s:0-9])\s*:?", re.IGNORECASE)
_FOLDED = re.compile(r"(?:^|[\s,;])folded$", re.IGNORECASE)
_ALONE = ("board", "dead", "exact")
_WHOLE = re.compile(r"[0-9]{1,39}", re.ASCII)
_AMOUNT = re.compile(r"(?:[0-9]{1,300}(?:\.[0-9]{0,300})?|\.[0-9]{1,300})(?:[eE][-+]?[0-9]{1,3})?")


def parse_question(line: str, *, opponents: int | None = None) -> SharedQuestion:
    """Read a question from one line; the module's docstring shows what may be written.

    Parameters
    ----------
    opponents : int, optional
        Whose order `15%` takes the best hands from (`engine.ranges.parse_range`), whatever the line says of that.

    Returns
    -------
    SharedQuestion
        Whether it has an answer is for `engine.equity.solve.solve` to say.

    Raises
    ------
    QuestionLineError
        If a field cannot be read or stands twice; it says which and where.

    Examples
    --------
    >>> shared = parse_question("AhKh | Villain = QQ+ | board Ks7d2h | pot 150 | call 50")
    >>> shared.question.labels, shared.pot, shared.to_call
    (('', 'Villain'), 150.0, 50.0)
    """
    players: list[_Player] = []
    given: dict[str, _Field] = {}
    for field in _fields(line):
        word = _WORD.match(field.text)
        if "=" in field.text or word is None:
            players.append(_player(field))
            continue
        if word[1].lower() in given:
            raise field.error(f"The question says '{word[1]}' twice.")
        rest = field.part(word.end())
        # Where a number is missing, the word itself is at fault.
        given[word[1].lower()] = rest if rest.text or word[1].lower() in _ALONE else field
    if "exact" in given and given["exact"].text:
        raise given["exact"].error("Nothing follows the word 'exact'.")
    ranking = opponents or _ranking(given.get("ranking"))
    playing = [player for player in players if not player.is_folded]
    folded = tuple(_folded(place, player) for place, player in enumerate(players) if player.is_folded)
    question = EquityQuestion(
        players=tuple(_range(player.hands, ranking) for player in playing),
        board=_cards(given.get("board")),
        dead=(*_cards(given.get("dead")), *(card for hand in folded for card in hand.hole_cards)),
        samples=_whole_number("samples", given.get("samples")),
        is_exact="exact" in given,
        labels=tuple(player.name for player in playing) if any(player.name for player in playing) else (),
    )
    return SharedQuestion(
        question,
        seed=_whole_number("seed", given.get("seed")) or 0,
        pot=_amount("pot", given.get("pot")),
        to_call=_amount("call", given.get("call")),
        bet=_amount("bet", given.get("bet")),
        texts=tuple(player.hands.text for player in playing),
        folded=folded,
        ranking=ranking,
    )


def format_question(shared: SharedQuestion) -> str:
    """Write a question as one line that reads back as the same question.

    A range is written as a percentage only if it was before, and then with its ranking unless that is the usual
    one. Signs that mean something in such a line, and line breaks, become spaces in names.

    Examples
    --------
    >>> format_question(parse_question("AhKh|QQ+,JJ:0.5|board: Ks 7d 2h|call 50|pot 150.0"))
    'AhKh | QQ+,JJ:0.5 | board Ks7d2h | pot 150 | call 50'
    """
    question = shared.question
    texts = [
        format_range(hands, opponents=shared.ranking if "%" in text else None)
        for hands, text in zip(question.players, shared.texts or ("",) * len(question.players), strict=True)
    ]
    has_percentage = any("%" in text for text in texts)
    names = question.labels or ("",) * len(texts)
    fields = [_named(name, text) for name, text in zip(names, texts, strict=True)]
    for hand in shared.folded:
        fields.insert(hand.place, _named(hand.name, f"{format_cards(hand.hole_cards)} folded"))
    words = [
        ("board", format_cards(question.board)),
        ("dead", format_cards(shared.dead)),
        ("samples", str(question.samples or "")),
        ("seed", str(shared.seed or "")),
        ("ranking", str(shared.ranking) if has_percentage and shared.ranking != 1 else ""),
        ("pot", _format_amount(shared.pot)),
        ("call", _format_amount(shared.to_call)),
        ("bet", _format_amount(shared.bet)),
    ]
    fields += ["exact"] if question.is_exact else []
    fields += [f"{word} {text}" for word, text in words if text]
    return f" {BAR} ".join(fields)


def _named(name: str, text: str) -> str:
    written = " ".join(re.sub(r"[|=]", " ", printable(name)).split())
    return f"{written} = {text}" if written else text


class _Player(NamedTuple):
    name: str
    hands: _Field
    is_folded: bool


def _player(field: _Field) -> _Player:
    name, is_named, _ = field.text.partition("=")
    hands = field.part(len(name) + 1) if is_named else field
    folded = _FOLDED.search(hands.text)
    return _Player(
        printable(name.strip()) if is_named else "",
        hands if folded is None else hands.part(0, folded.start()),
        is_folded=folded is not None,
    )


def _folded(place: int, player: _Player) -> FoldedHand:
    combos = np.flatnonzero(_range(player.hands, 1).weights)
    if len(combos) != 1:
        raise player.hands.error("A folded hand has two known cards, such as '2c2d folded'.")
    return FoldedHand(place, player.name, cards_of(int(combos[0])))


def _ranking(field: _Field | None) -> int:
    ranking = _whole_number("ranking", field)
    if field is None or ranking is None:
        return 1
    if not 1 <= ranking <= MOST_OPPONENTS:
        raise field.error(f"A ranking is against 1 to {MOST_OPPONENTS} random hands.")
    return ranking


def _fields(line: str) -> Iterator[_Field]:
    if len(line) > _LONGEST_LINE:
        message = f"A question has {_LONGEST_LINE:,} characters at most, and this has {len(line):,}."
        raise QuestionLineError(message, _LONGEST_LINE, len(line) - _LONGEST_LINE)
    if (bars := line.count(BAR)) >= _MOST_FIELDS:
        message = f"A question has {_MOST_FIELDS} fields at most, and this has {bars + 1:,}."
        raise QuestionLineError(message, 0, len(line))
    whole = _Field(line, 0)
    start = 0
    for text in line.split(BAR):
        field = whole.part(start, start + len(text))
        if not field.text:
            first, end = max(start - 1, 0), min(start + len(text) + 1, len(line))
            raise QuestionLineError("There is nothing between two bars of the question.", first, end - first)
        yield field
        start += len(text) + len(BAR)


def _range(field: _Field, opponents: int) -> Range:
    try:
        return parse_range(field.text, opponents=opponents)
    except RangeTextError as error:
        raise QuestionLineError(str(error), field.position + error.position, error.length) from error


def _cards(field: _Field | None) -> tuple[Card, ...]:
    if field is None:
        return ()
    try:
        return parse_cards(field.text)
    except CardTextError as error:
        raise QuestionLineError(str(error), field.position + error.position, error.length) from error


def _whole_number(word: str, field: _Field | None) -> int | None:
    if field is None:
        return None
    if _WHOLE.fullmatch(field.text) is None:
        raise field.error(f"A whole number must follow the word '{word}'.")
    return int(field.text)


def _amount(word: str, field: _Field | None) -> float | None:
    if field is None:
        return None
    if _AMOUNT.fullmatch(field.text) is None:
        raise field.error(f"A number of chips must follow the word '{word}'.")
    return float(field.text)


def _format_amount(chips: float | None) -> str:
    if chips is None:
        return ""
    return repr(float(chips)).removesuffix(".0")
