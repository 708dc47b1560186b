"""Exit codes, errors and the parser that all commands share."""

import argparse
from typing import Final, NoReturn

BAD_INPUT: Final = 2
"""Exit code for anything the user has to put right."""

FAILED: Final = 1
"""Exit code for work that broke off by no fault of the user's."""

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
