"""The data files that ship with the app."""

from importlib.resources import files


class ResourceError(ValueError):
    """A data file of the app that is missing or broken; the message names it."""


def read_text(name: str) -> str:
    """Return the text of a file of the `resources` package, such as `preflop_equity.csv`, read as UTF-8.

    Raises
    ------
    ResourceError
        If the file is missing, cannot be read or is no UTF-8 text.

    Examples
    --------
    >>> read_text("no_such_file.csv")
    Traceback (most recent call last):
        ...
    engine.resources.ResourceError: The app's file resources/no_such_file.csv is missing; install the app anew.
    """
    try:
        return read_bytes(name).decode().replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ResourceError(f"The app's file resources/{name} cannot be read: {error}") from error


def read_bytes(name: str) -> bytes:
    """Return what is in a file of the `resources` package; errors as of `read_text`."""
    try:
        return files("resources").joinpath(name).read_bytes()
    except (FileNotFoundError, ModuleNotFoundError) as error:
        raise ResourceError(f"The app's file resources/{name} is missing; install the app anew.") from error
    except OSError as error:
        raise ResourceError(f"The app's file resources/{name} cannot be read: {error}") from error
