"""Where an evolving population stands, kept after each generation so that a run goes on where it was killed.

The file is a NumPy archive, whose members have checksums; it is written beside the old one and put in its place, so
that there is always a whole one.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple
from zipfile import ZipFile

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from engine.atomic_file import write_whole
from engine.codec import ARCHIVE_ERRORS, decode, encode
from engine.lab.evolution.settings import EvolutionError, EvolutionSettings, parse_settings, settings_text
from engine.lab.evolution.targets import TARGETS, Target

CHECKPOINT_ENDING: Final = ".checkpoint"

CURVE_NUMBERS: Final = 4
"""Of each generation."""

_SCHEMA: Final = 1
_POPULATION: Final = "population.npy"
_MOST_OTHER_BYTES: Final = 1 << 20
_MOST_COURSES: Final = 100
_NUMBER_BYTES, _HEAD_BYTES = 8, 1000
"""Of a weight at most, and of what stands before them."""


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """What a population is evolved by; one of another header is another run."""

    target: Target
    seed: int
    sources: str
    settings: EvolutionSettings
    schema: int = _SCHEMA

    @property
    def generations(self) -> int:
        """How many there are in the end."""
        return self.settings.generations_of(self.target)

    @property
    def hands(self) -> int:
        """How many hands the whole run plays."""
        settings = self.settings
        policies = settings.breeding.survivors + 1  # all survivors are compared, and the best is measured
        return self.hands_of(self.generations) + policies * len(self.target.rivals) * 2 * settings.retest_pairs

    def hands_of(self, generations: int) -> int:
        """Return how many hands the first so many generations play."""
        rivals = sum(len(self.target.rivals_at(one, self.generations)) for one in range(generations))
        return rivals * self.settings.breeding.population * 2 * self.settings.pairs


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


class Won(NamedTuple):
    """Big blinds won per hand, and the standard error."""

    mean: float
    stderr: float


class Course(NamedTuple):
    """What a run has come to, without its population; `curve` and `champion` are as `Progressed` has them."""

    header: Header
    curve: NDArray[np.float64]
    champion: NDArray[np.float64]

    @property
    def won(self) -> dict[str, Won]:
        """What was won on the final test, by style; empty before it is made."""
        rivals = self.header.target.rivals if self.champion.size else ()
        means, errors = np.split(self.champion, 2)
        return {
            rival: Won(float(mean), float(error)) for rival, mean, error in zip(rivals, means, errors, strict=True)
        }

    @property
    def hands(self) -> int:
        """How many have been played of those of its header."""
        return self.header.hands if self.champion.size else self.header.hands_of(len(self.curve))


class OtherRunError(EvolutionError):
    """A checkpoint of another run than the one that is asked for."""


def write_checkpoint(path: Path, header: Header, run: Progressed) -> None:
    """Keep where a run stands; `EvolutionError` if that cannot be written, and then the file is as before."""
    data = np.frombuffer(encode(header), np.uint8)
    archive = BytesIO()
    np.savez(archive, header=data, population=run.population, curve=run.curve, champion=run.champion)
    write_file(path, archive.getvalue())


def write_file(path: Path, data: bytes) -> None:
    """Write a file whole and its folder, or leave the old one; `EvolutionError` if it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)
    except OSError as error:
        raise EvolutionError(f"{path} cannot be written: {error.strerror or error}.") from error


def read_checkpoint(path: Path, header: Header) -> Progressed | None:
    """Return where a run stands, None if it was not begun; a finished one may be of another version of Soulread.

    Raises
    ------
    OtherRunError
        If the file is of another run.
    EvolutionError
        If it cannot be read, or is damaged.
    """
    if not os.path.exists(path):
        return None
    with _opened(path) as (found, arrays, population_bytes):
        curve, champion = _course(path, found, arrays)
        if found != header and not (champion.size and structs.replace(found, sources=header.sources) == header):
            raise OtherRunError(f"{path} {_what_differs(found, header)}; give another folder.")
        settings = header.settings
        is_last = len(curve) == header.generations
        rows = settings.breeding.survivors if is_last else settings.breeding.population
        if population_bytes > _NUMBER_BYTES * rows * settings.network.weights + _HEAD_BYTES:
            raise _damaged(path)  # before it fills the memory
        population = arrays["population"]
        if population.shape != (rows, settings.network.weights) or not _is_finite(population, np.float32):
            raise _damaged(path)
    return Progressed(population, curve, champion)


def read_course(path: Path) -> Course:
    """Return what a checkpoint of whatever run tells; `EvolutionError` if it cannot be read or is damaged."""
    with _opened(path) as (header, arrays, _):
        return Course(header, *_course(path, header, arrays))


def courses_in(folder: Path) -> tuple[Course, ...]:
    """Return what the checkpoints of a folder tell, the exploiters first; errors as of `read_course`."""
    try:
        paths = [path for path in sorted(folder.iterdir()) if path.suffix == CHECKPOINT_ENDING]
    except OSError as error:
        raise EvolutionError(f"{folder} cannot be read: {error.strerror or error}.") from error
    return tuple(sorted(map(read_course, paths[:_MOST_COURSES]), key=lambda course: course.header.target.number))


@contextmanager
def _opened(path: Path) -> Iterator[tuple[Header, Mapping[str, NDArray[Any]], int]]:
    """Open a checkpoint: its header, its arrays, read when they are asked for, and the bytes of its population."""
    try:
        with path.open("rb") as file:
            with ZipFile(file) as archive:
                sizes = {member.filename: member.file_size for member in archive.infolist()}
                population = sizes.pop(_POPULATION, 0)
                if sum(sizes.values()) > _MOST_OTHER_BYTES:
                    raise _damaged(path)
            file.seek(0)
            with np.load(file, allow_pickle=False) as arrays:
                header = decode(arrays["header"].astype(np.uint8).tobytes(), Header)
                if header.target not in TARGETS or not _is_allowed(header.settings):
                    raise _damaged(path)
                yield header, arrays, population
    except EvolutionError:
        raise
    except ARCHIVE_ERRORS as error:
        raise _damaged(path) from error
    except OSError as error:
        raise EvolutionError(f"{path} cannot be read: {error.strerror or error}.") from error


def _course(
    path: Path, header: Header, arrays: Mapping[str, NDArray[Any]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the curve and the final test."""
    curve, champion = arrays["curve"], arrays["champion"]
    if not (_is_finite(curve, np.float64) and _is_finite(champion, np.float64)):
        raise _damaged(path)
    done, generations = len(curve), header.generations
    tests = (0, 2 * len(header.target.rivals)) if done == generations else (0,)
    if curve.shape != (done, CURVE_NUMBERS) or done > generations or champion.shape not in [(n,) for n in tests]:
        raise _damaged(path)
    return curve, champion


def _is_finite(array: NDArray[Any], dtype: type[np.floating]) -> bool:
    return array.dtype == dtype and bool(np.isfinite(array).all())


def _is_allowed(settings: EvolutionSettings) -> bool:
    """Tell whether settings are such as a run can have."""
    try:
        return parse_settings(settings_text(settings), settings) == settings
    except EvolutionError:
        return False


def _damaged(path: Path) -> EvolutionError:
    return EvolutionError(
        f"{path} is no checkpoint of this version of Soulread, or damaged; without it that run begins anew."
    )


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
