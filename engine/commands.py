"""What all commands share: exit codes, errors, the parser, and what they print."""

import argparse
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, NoReturn

from engine.foreign_text import fit_for_terminal, printable

if TYPE_CHECKING:
    from engine.game.phh import SkippedCount

BAD_INPUT: Final = 2
"""Exit code for anything the user has to put right."""

FAILED: Final = 1
"""Exit code for work that broke off by no fault of the user's."""

STOPPED: Final = 130
"""Exit code for a command stopped from the keyboard, as shells give it."""


_SHOWN_REASONS = 10
_SECONDS_OF_PROGRESS = 0.2
_SECONDS_OF_LINES = 1.0  # of progress where stderr is no terminal


class InputError(ValueError):
    """A command line that cannot be carried out; the text is what to print."""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, without the usage text."""

    def error(self, message: str) -> NoReturn:
        """Raise the sentence as an `InputError`."""
        for kind, name in (("int", "whole number"), ("float", "number")):
            message = re.sub(rf"invalid {kind} value: (.*)", rf"\1 is no {name}", message)
        sentence = message[0].upper() + message[1:].rstrip(".")
        raise InputError(f"{sentence}. See {self.prog} --help.")


def tell(text: str) -> None:
    """Print on stderr, each line fit for a terminal whatever it quotes."""
    print(fit_for_terminal(text), file=sys.stderr)


def tell_skipped(skipped: "Sequence[SkippedCount]", read: int, file: Path) -> None:
    """Say on stderr what was skipped of a file beside the hands that were read, and why."""
    count = sum(one.count for one in skipped)
    if count:
        tell(f"{count:,} of {read + count:,} hands of {file} were skipped:")
        for one in skipped[:_SHOWN_REASONS]:
            tell(f"  {one.count:,}: {one.reason} (the first: {one.first})")
        if len(skipped) > _SHOWN_REASONS:
            tell(f"  and for {len(skipped) - _SHOWN_REASONS:,} other reasons")


def write(text: str) -> None:
    """Print on stdout; signs that its encoding lacks become question marks, control characters are replaced."""
    encoding = sys.stdout.encoding or "utf-8"
    text = "".join(part if part in ("\n", "\r\n") else printable(part) for part in re.split(r"(\r?\n)", text))
    try:
        print(text.encode(encoding, "replace").decode(encoding), flush=True)
    except BrokenPipeError:
        _leave_stdout()  # the reader, such as `head -1`, has what it wants
    except OSError as error:
        _leave_stdout()
        raise InputError(f"The answer cannot be written: {error.strerror}.") from error


def _leave_stdout() -> None:
    """Send what is still buffered nowhere, or Python would try to write it again on exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def aligned(rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Put rows below one another, the first columns to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if at < left else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


class Progress:
    """Says on stderr how far long work is: in one line that is written over and over, if a player is looking.

    With `has_lines` there is a line of its own each second otherwise, for programs; work that is shorter is silent.
    """

    def __init__(self, *, has_lines: bool = False) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._is_shown = self._is_terminal or has_lines
        self._pause = _SECONDS_OF_PROGRESS if self._is_terminal else _SECONDS_OF_LINES
        self._started = self._last = monotonic()

    @property
    def seconds(self) -> float:
        """How long it has been going on."""
        return monotonic() - self._started

    def show(self, message: str) -> None:
        """Show it, unless something was shown just before."""
        now = monotonic()
        if self._is_shown and now - self._last >= self._pause:
            self._last = now
            message = printable(message)
            line = f"\r{message}\x1b[K" if self._is_terminal else f"{message}\n"
            print(line, end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Empty the line on a terminal."""
        if self._is_terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
