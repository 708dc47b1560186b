"""What tests of the engine's commands share."""

from collections.abc import Callable

import pytest

from engine.cli import main
from engine.commands import BAD_INPUT


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Run a command that does what it is asked; give what it prints."""

    def run(*arguments: str) -> str:
        assert main(arguments) == 0
        return capsys.readouterr().out

    return run


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Run a command that refuses what it is given; give the one line that it says, and nothing else."""

    def run(*arguments: str) -> str:
        assert main(arguments) == BAD_INPUT
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        return err

    return run
