"""`python -m engine COMMAND ...`: the commands by name; `join` loads nothing that only the others need.

A server waits for its players for a few seconds only, and on a busy machine loading what calculates odds takes as
long.
"""

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code, as `engine.cli.main` does.

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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
