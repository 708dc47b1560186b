"""The forms of everything that is stored, events, observations, traces: JSON, or packed in few bytes.

All such values are frozen `msgspec.Struct`s, so their types are their schema: reading checks every field and
refuses what does not fit. The one thing added here is numpy vectors, written as little-endian bytes, in JSON as
base64 of them. Packed is the same as MessagePack, compressed by zlib. Weights are in NumPy archives.
"""

import zlib
from functools import cache
from threading import Lock
from tokenize import TokenError
from typing import Any, Final, TypeVar
from zipfile import BadZipFile

import msgspec
import numpy as np
from numpy.typing import NDArray

from engine.cards import frozen
from engine.foreign_text import shortened

Vector = NDArray[np.float32]
"""One number per combo: float32, shape (1326,), read-only."""

T = TypeVar("T")

ARCHIVE_ERRORS: Final = (
    BadZipFile, zlib.error, EOFError, KeyError, ValueError, RuntimeError, TokenError, SyntaxError, OverflowError,
    MemoryError,
)  # fmt: skip
"""What reading a NumPy archive that is damaged or none ends with, beside `OSError`."""


class StoredDataError(ValueError):
    """Stored text that is not what it should be; the message says where it first departs."""


def frozen_vector(values: Any) -> Vector:
    """Copy values into a read-only float32 vector of shape (1326,), or whatever shape they have."""
    return frozen(np.array(values, dtype=np.float32))


def encode(value: Any) -> bytes:
    """Return the JSON bytes of a Struct, or of a list or tuple of them."""
    return _encoder.encode(value)


def decode(data: bytes, kind: type[T]) -> T:
    """Read JSON bytes as the given type.

    Raises
    ------
    StoredDataError
        If the bytes are no JSON or do not fit the type.
    """
    try:
        build_schema(kind)
        return msgspec.json.decode(data, type=kind, dec_hook=_from_stored)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise _refusal(kind, error) from error


def pack(value: Any) -> bytes:
    """Return a Struct, or a list or tuple of them, in few bytes."""
    return zlib.compress(_packer.encode(value))


def unpack(data: bytes, kind: type[T], most: int | None = None) -> T:
    """Read packed bytes as the given type.

    Parameters
    ----------
    most : int, optional
        How many bytes foreign ones may be when they are decompressed.

    Raises
    ------
    StoredDataError
        If they are damaged, more than that, or do not fit the type.
    """
    try:
        build_schema(kind)
        plain = zlib.decompress(data) if most is None else _decompressed(data, most)
        return msgspec.msgpack.decode(plain, type=kind, dec_hook=_from_stored)
    except (zlib.error, msgspec.DecodeError, ValueError, RecursionError) as error:
        raise _refusal(kind, error) from error


def _decompressed(data: bytes, most: int) -> bytes:
    whole = zlib.decompressobj()
    plain = whole.decompress(data, most)
    if not whole.eof:
        raise ValueError(f"it is cut short, or has more than {most:,} bytes")
    return plain


def build_schema(kind: Any) -> None:
    """Build what msgspec reads a type by, once and in one thread; to be called before msgspec itself reads it.

    WORKAROUND: msgspec (seen with 0.22.0) crashes the process when two threads read a Struct for the first time.
    """
    with _lock:
        _built(kind)


@cache
def _built(kind: Any) -> None:
    msgspec.json.Decoder(kind, dec_hook=_from_stored)


_lock = Lock()


def _refusal(kind: Any, error: Exception) -> StoredDataError:
    what = getattr(kind, "__name__", "value")
    return StoredDataError(f"The stored {what} cannot be read: {shortened(str(error), 200)}")


def _to_stored(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.astype("<f4").tobytes()
    if isinstance(value, np.generic):
        return value.item()
    raise NotImplementedError(f"{type(value).__name__} has no stored form")


def _from_stored(kind: Any, data: Any) -> Any:
    if getattr(kind, "__origin__", kind) is not np.ndarray:
        raise NotImplementedError(f"{kind} has no stored form")
    return np.frombuffer(msgspec.convert(data, bytes), dtype="<f4").astype(np.float32, copy=False)


_encoder = msgspec.json.Encoder(enc_hook=_to_stored)
_packer = msgspec.msgpack.Encoder(enc_hook=_to_stored)
