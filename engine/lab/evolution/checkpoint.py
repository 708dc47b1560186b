"""Where an evolving population stands, kept after each generation so that a run goes on where it was killed.

The file is a NumPy archive, whose members have checksums; it is written beside the old one and put in its place, so
that there is always a whole one.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple
from zipfile import BadZipFile, ZipFile

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from engine.codec import decode, encode
from engine.lab.evolution.settings import EvolutionError, EvolutionSettings
from engine.lab.evolution.targets import Target

CHECKPOINT_ENDING: Final = ".checkpoint"

_SCHEMA: Final = 1
_MOST_BYTES: Final = 1 << 36
_CURVE_NUMBERS: Final = 4


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """What a population is evolved by; one of another header is another run."""

    target: Target
    seed: int
    sources: str
    settings: EvolutionSettings
    schema: int = _SCHEMA


class Progressed(NamedTuple):
    """How far a run is.

    Attributes
    ----------
    population : ndarray of float32, shape (population, weights)
        Of the next generation to be evaluated; after the last one the survivors, the best first.
    curve : ndarray of float64, shape (generations so far, 4)
        Mean and best fitness, mean and best payoff in big blinds per hand.
    champion : ndarray of float64, shape (0,) or (2 * rivals,)
        Means and standard errors of the first survivor on the final test, once it is made.
    """

    population: NDArray[np.float32]
    curve: NDArray[np.float64]
    champion: NDArray[np.float64]


def write_checkpoint(path: Path, header: Header, run: Progressed) -> None:
    """Keep where a run stands; `EvolutionError` if that cannot be written, and then the file is as before."""
    data = np.frombuffer(encode(header), np.uint8)
    archive = BytesIO()
    np.savez(archive, header=data, population=run.population, curve=run.curve, champion=run.champion)
    write_whole(path, archive.getvalue())


def write_whole(path: Path, data: bytes | Callable[[BinaryIO], object]) -> None:
    """Write a file so that there is either the old one or the whole new one; `EvolutionError` if it cannot be."""
    beside = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("wb") as file:
            if callable(data):
                data(file)
            else:
                file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise EvolutionError(f"{path} cannot be written: {error.strerror or error}.") from error


def read_checkpoint(path: Path, header: Header) -> Progressed | None:
    """Return where a run stands, None if it was not begun.

    Raises
    ------
    EvolutionError
        If the file cannot be read, is damaged, or is of another run.
    """
    damaged = f"{path} is no checkpoint of this version of Soulread, or damaged; without it that run begins anew."
    try:
        with path.open("rb") as file:
            with ZipFile(file) as archive:
                if sum(member.file_size for member in archive.infolist()) > _MOST_BYTES:
                    raise EvolutionError(damaged)
            file.seek(0)
            with np.load(file, allow_pickle=False) as arrays:
                text, population, curve, champion = (
                    arrays[name] for name in ("header", "population", "curve", "champion")
                )
        found = decode(text.astype(np.uint8).tobytes(), Header)
    except FileNotFoundError:
        return None
    except (KeyError, ValueError, BadZipFile, EOFError, NotImplementedError) as error:
        raise EvolutionError(damaged) from error
    except OSError as error:
        raise EvolutionError(f"{path} cannot be read: {error.strerror or error}.") from error
    if found != header:
        raise EvolutionError(f"{path} {_what_differs(found, header)}; give another folder.")
    settings, done = header.settings, len(curve)
    is_last = done == settings.generations
    rows = settings.breeding.survivors if is_last else settings.breeding.population
    tests = (0, 2 * len(header.target.rivals)) if is_last else (0,)
    is_sound = population.shape == (rows, settings.network.weights) and curve.shape == (done, _CURVE_NUMBERS)
    if not is_sound or done > settings.generations or champion.shape not in ((size,) for size in tests):
        raise EvolutionError(damaged)
    return Progressed(population.astype(np.float32), curve.astype(np.float64), champion.astype(np.float64))


def _what_differs(found: Header, asked: Header) -> str:
    theirs, ours = _as_words(found), _as_words(asked)
    for name, value in ours.items():
        if theirs.get(name) != value:
            return f"was begun with the {name} {theirs.get(name)}, and {value} is asked for"
    return "was begun by another version of Soulread, which may play otherwise"


def _as_words(header: Header) -> dict[str, object]:
    settings = structs.asdict(header.settings)
    network, breeding = settings.pop("network"), settings.pop("breeding")
    words = {"seed": header.seed, "target": header.target.name}
    return {**words, **structs.asdict(network), **structs.asdict(breeding), **settings}
