"""A whole question about odds as one line of text, to be kept, sent and asked again.

Fields stand between bars, players first or anywhere, the others by their word:

=====================  ==========================================================================
`AhKh`, `QQ+,AK:0.5`   a player's hand or range, as `engine.ranges` reads it
`Villain = QQ+`        the same with a name
`board Ks 7d 2h`       0, 3, 4 or 5 cards
`dead 2c 2d`           cards known to be out of play
`exact`                to be counted exactly, even if it takes two minutes
`samples 100000`       to be sampled with so many deals
`seed 7`               of the samples
`pot 150`              chips in the middle before the first player acts
`call 50`              chips that a call would cost him; the pot holds the bet
`bet 75`               chips that he would bet, or beside a call raise in all
=====================  ==========================================================================

A word may be followed by a colon. `AhKh | Villain = QQ+ | board Ks7d2h | pot 150 | call 50` is such a line.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec import Struct

from engine.cards import Card, CardTextError, format_cards, parse_cards
from engine.checks import EquityError
from engine.equity import EquityQuestion
from engine.ranges import Range, RangeTextError, format_range, parse_range

BAR: Final = "|"


class QuestionLineError(EquityError):
    """A line that is no question.

    Attributes
    ----------
    position : int
        Index of the first character at fault, from 0.
    length : int
        How many characters are at fault; 0 if there are none at all.
    """

    def __init__(self, message: str, position: int, length: int) -> None:
        super().__init__(message)
        self.position = position
        self.length = length


class SharedQuestion(Struct, frozen=True):
    """A question with what is asked about it.

    Attributes
    ----------
    question : EquityQuestion
        Its labels are the players' names, empty for a player without one; none if nobody has one.
    seed : int
        Of what is sampled.
    pot, to_call, bet : float or None
        Chips, as `engine.decision_figures` takes them; None for what is not asked.
    texts : tuple of str
        The players as they were written, if they were.
    """

    question: EquityQuestion
    seed: int = 0
    pot: float | None = None
    to_call: float | None = None
    bet: float | None = None
    texts: tuple[str, ...] = ()


class _Field(NamedTuple):
    text: str
    position: int

    def error(self, message: str) -> QuestionLineError:
        return QuestionLineError(message, self.position, len(self.text))

    def part(self, start: int, end: int | None = None) -> "_Field":
        """Give a part of it, without the spaces around."""
        text = self.text[start:end]
        return _Field(text.strip(), self.position + start + len(text) - len(text.lstrip()))


_WORD = re.compile(r"(board|dead|exact|samples|seed|pot|call|bet)(?![^\s:0-9])\s*:?", re.IGNORECASE)
_ALONE = ("board", "dead", "exact")
_WHOLE = re.compile(r"[0-9]{1,39}", re.ASCII)
_AMOUNT = re.compile(r"(?:[0-9]{1,300}(?:\.[0-9]{0,300})?|\.[0-9]{1,300})(?:[eE][-+]?[0-9]{1,3})?")


def parse_question(line: str, *, opponents: int = 1) -> SharedQuestion:
    """Read a question from one line; the module's docstring shows what may be written.

    Parameters
    ----------
    line : str
    opponents : int
        Whose order `15%` takes the best hands from (`engine.ranges.parse_range`).

    Returns
    -------
    SharedQuestion
        Whether it has an answer is for `engine.equity.solve` to say.

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
    hands: list[_Field] = []
    names: list[str] = []
    given: dict[str, _Field] = {}
    for field in _fields(line):
        word = _WORD.match(field.text)
        if "=" in field.text:
            at = field.text.index("=")
            names.append(field.text[:at].strip())
            hands.append(field.part(at + 1))
        elif word is not None:
            if word[1].lower() in given:
                raise field.error(f"The question says '{word[1]}' twice.")
            rest = field.part(word.end())
            # Where a number is missing, the word itself is at fault.
            given[word[1].lower()] = rest if rest.text or word[1].lower() in _ALONE else field
        else:
            names.append("")
            hands.append(field)
    if "exact" in given and given["exact"].text:
        raise given["exact"].error("Nothing follows the word 'exact'.")
    question = EquityQuestion(
        players=tuple(_range(field, opponents) for field in hands),
        board=_cards(given.get("board")),
        dead=_cards(given.get("dead")),
        samples=_whole_number("samples", given.get("samples")),
        is_exact="exact" in given,
        labels=tuple(names) if any(names) else (),
    )
    return SharedQuestion(
        question,
        seed=_whole_number("seed", given.get("seed")) or 0,
        pot=_amount("pot", given.get("pot")),
        to_call=_amount("call", given.get("call")),
        bet=_amount("bet", given.get("bet")),
        texts=tuple(field.text for field in hands),
    )


def format_question(shared: SharedQuestion) -> str:
    """Write a question as one line that reads back as the same question.

    Ranges are written without percentages, so that no ranking of hands has to be known. Signs that mean something
    in such a line, and line breaks, become spaces in names.

    Parameters
    ----------
    shared : SharedQuestion
        `texts` do not count.

    Returns
    -------
    str

    Examples
    --------
    >>> format_question(parse_question("AhKh|QQ+,JJ:0.5|board: Ks 7d 2h|call 50|pot 150.0"))
    'AhKh | QQ+,JJ:0.5 | board Ks7d2h | pot 150 | call 50'
    """
    question = shared.question
    names = [" ".join(re.sub(r"[|=]", " ", name).split()) for name in question.labels]
    fields = [
        f"{name} = {format_range(hands)}" if name else format_range(hands)
        for name, hands in zip(names or [""] * len(question.players), question.players, strict=True)
    ]
    words = [
        ("board", format_cards(question.board)),
        ("dead", format_cards(question.dead)),
        ("samples", str(question.samples or "")),
        ("seed", str(shared.seed or "")),
        ("pot", _format_amount(shared.pot)),
        ("call", _format_amount(shared.to_call)),
        ("bet", _format_amount(shared.bet)),
    ]
    fields += ["exact"] if question.is_exact else []
    fields += [f"{word} {text}" for word, text in words if text]
    return f" {BAR} ".join(fields)


def _fields(line: str) -> Iterator[_Field]:
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
