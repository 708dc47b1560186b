"""Text from elsewhere as a message, a log or a terminal may show it: one line, printable, not too long.

A file, a server or a command line may hold anything: line breaks, the escape sequences that recolour or rewrite a
terminal, signs that turn the direction of writing, a megabyte of one letter. None of that belongs in a sentence.
"""

from typing import Final

LONGEST_SHOWN: Final = 60
"""Characters of foreign text that a sentence quotes."""

_LONGEST_LINE: Final = 500
_REPLACEMENT: Final = "\ufffd"
_FORMULA_SIGNS: Final = ("=", "+", "-", "@", "\t")


def printable(text: str) -> str:
    r"""Return text character for character, spaces for white space and U+FFFD for whatever else cannot be printed.

    That is all of Unicode's separators and control, format, surrogate, private and unassigned characters, as
    `str.isprintable` tells them. The length stays, so positions in the text do too.

    Examples
    --------
    >>> printable("AhKh\n\x1b[2J")
    'AhKh �[2J'
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else " " if sign.isspace() else _REPLACEMENT for sign in text)


def shortened(text: str, most: int = LONGEST_SHOWN) -> str:
    """Return text as a sentence may quote it: `printable`, and cut to so many characters, the mark included.

    Examples
    --------
    >>> shortened("x" * 100_000, 5)
    'xxxx…'
    """
    return printable(text) if len(text) <= most else printable(text[: most - 1]) + "…"


def fit_for_terminal(text: str) -> str:
    """Return what is written to a terminal, each line of it `shortened` to 500 characters.

    Only the line breaks of the sentence itself are left, since what it quotes has none.
    """
    return "\n".join(shortened(line, _LONGEST_LINE) for line in text.split("\n"))


def cell_text(text: str) -> str:
    """Return text as a cell of a table that no program takes for a formula.

    Examples
    --------
    >>> cell_text("=SUM(A1)"), cell_text("Ada")
    ("'=SUM(A1)", 'Ada')
    """
    return f"'{text}" if text.startswith(_FORMULA_SIGNS) else text
