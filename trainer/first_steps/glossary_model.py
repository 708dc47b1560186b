"""The words of the game, of the FOLD paper and of the window, from one text, and which of them are looked for."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from msgspec import Struct

from engine.resources import ResourceError, read_text

PANELS: Final = ("table", "ranges", "reasoning", "log", "meters", "odds", "lab", "results", "review", "drills")
"""Where terms are met: the panels by their names, and the windows."""

_PAGE = "pages/glossary.md"
_ENTRY = re.compile(
    r"(?P<name>[^\n]+)\n(?:Also: (?P<also>[^\n]+)\n)?Panels: (?P<panels>[^\n]+)\n"
    r"(?P<text>[^\n]+)\nExample: (?P<example>[^\n]+)\n*"
)


class Term(Struct, frozen=True):
    """A term with its other names, the panels where it is met, what it is, and an example."""

    name: str
    also: tuple[str, ...]
    panels: tuple[str, ...]
    text: str
    example: str

    @property
    def page(self) -> str:
        """All of it in Markdown."""
        also = f"*Also: {', '.join(self.also)}*\n\n" if self.also else ""
        return f"## {self.name}\n\n{also}{self.text}\n\n*Example:* {self.example}\n"


@cache
def glossary() -> tuple[Term, ...]:
    """Return all terms in alphabetical order; ResourceError if the text is missing or damaged."""
    _, *entries = read_text(_PAGE).split("\n## ")
    return tuple(sorted(map(_term, entries), key=lambda term: term.name.casefold()))


def _term(entry: str) -> Term:
    found = _ENTRY.fullmatch(entry)
    if found is None:
        raise ResourceError(f"The app's file resources/{_PAGE} is damaged at '{entry.partition(chr(10))[0]}'.")
    return Term(
        found["name"],
        tuple((found["also"] or "").split(", ")) if found["also"] else (),
        tuple(found["panels"].split(", ")),
        found["text"],
        found["example"],
    )


def terms_found(terms: Sequence[Term], text: str, panel: str = "") -> tuple[Term, ...]:
    """Return the terms of a panel, or of all, that a text is looked for in; those named so come first."""
    wanted = text.strip().casefold()
    here = [term for term in terms if not panel or panel in term.panels]
    named = [term for term in here if any(wanted in name.casefold() for name in (term.name, *term.also))]
    told = [term for term in here if wanted in f"{term.text} {term.example}".casefold() and term not in named]
    starting = [term for term in named if term.name.casefold().startswith(wanted)]
    return (*starting, *(term for term in named if term not in starting), *told)
