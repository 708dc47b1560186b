"""The commands by name, and what all their arguments share; `join` loads nothing that only the others need.

A server waits for its players for a few seconds only, and on a busy machine loading what calculates odds takes as
long.
"""

import argparse
from collections.abc import Sequence
from typing import Final, NoReturn

BAD_INPUT: Final = 2
"""Exit code for anything the user has to put right."""

STOPPED: Final = 130
"""Exit code for a command stopped from the keyboard, as shells give it."""


class InputError(ValueError):
    """A command line that cannot be carried out; the text is what to print."""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, without the usage text."""

    def error(self, message: str) -> NoReturn:
        """Raise the sentence as an `InputError`."""
        sentence = message[0].upper() + message[1:].rstrip(".")
        raise InputError(f"{sentence}. See {self.prog} --help.")


def main(arguments: Sequence[str]) -> int:
    """Run a command and give its exit code, as `engine.cli.main` does.

    Parameters
    ----------
    arguments : sequence of str
        The command's name and its arguments.
    """
    if arguments and arguments[0] == "join":
        from engine.join.command import main as join

        return join(arguments[1:])
    from engine.cli import main as run

    return run(arguments)
