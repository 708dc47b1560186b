"""Questions about odds in small text files: one line as `engine.equity.notation` has it, and comments after `#`."""

from pathlib import Path

from engine.atomic_file import write_whole
from engine.foreign_text import shortened

ENDING = ".odds.txt"
_MOST_BYTES = 1_000_000


class QuestionFileError(ValueError):
    """A file that holds no question, or cannot be written; the message is one sentence."""


def read_question_file(path: Path) -> str:
    """Return the line of a file; QuestionFileError if it cannot be read, is no text, or has not one line."""
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # a ValueError for a name that no file can have
        what = (isinstance(error, OSError) and error.strerror) or str(error)
        raise QuestionFileError(f"{shortened(path.name)} cannot be read: {what}.") from error
    if len(data) > _MOST_BYTES:
        raise QuestionFileError(f"{shortened(path.name)} is too large for a question.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise QuestionFileError(f"{shortened(path.name)} is no text file.") from error
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if len(lines) != 1:
        raise QuestionFileError(
            f"{shortened(path.name)} holds {len(lines) or 'no'} lines of a question, and one is needed."
        )
    return lines[0]


def write_question_file(path: Path, line: str) -> None:
    """Write a file whole, or leave what was there before and raise QuestionFileError.

    A name that the line begins with loses its leading `#`: the line would be a comment.
    """
    try:
        write_whole(path, f"{line.lstrip('# ')}\n".encode())
    except OSError as error:
        raise QuestionFileError(f"{shortened(path.name)} cannot be written: {error.strerror or error}.") from error
