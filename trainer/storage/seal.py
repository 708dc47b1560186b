"""Sealed bytes: what must not be read in the stored hands while a hand is played, and the key that opens it.

The key is 32 random bytes in a file of its own, mode 0600. Sealed is encrypted, then authenticated: the stream is
SHAKE-256 of the key and a random number of 16 bytes, the mark keyed BLAKE2b. Both are of the standard library. What
is sealed is filled up first, since its length alone would distinguish a bluff from a value bet.

It protects from whoever sees the stored hands without the key: in a backup, a copy or a synchronised folder, with a
database tool, by a program that indexes files. It does not protect from a program that may read the key, too, such
as any that the same user runs: a session that outlives a crash must be able to go on by what is on the disk.
"""

import hashlib
import hmac
import os
from pathlib import Path

import numpy as np

from engine.atomic_file import make_private_file, write_whole
from engine.codec import StoredDataError
from trainer.settings import set_aside

KEY_FILE = "soulread.key"
"""The key to what is sealed in the database, next to the settings: by default in another folder than that."""

_KEY_BYTES = 32
_SALT_BYTES = _MARK_BYTES = 16
_STEP_BYTES = 4096
"""Sealed are so many bytes, or a whole number of times as many; most traces are shorter."""
_SIZE_BYTES = 4
_SIGN = b"\x02"
"""Begins sealed bytes: neither JSON nor zlib does."""


class Key:
    """Seals and opens with a secret of at most 64 bytes."""

    def __init__(self, secret: bytes) -> None:
        self._stream_key = hashlib.blake2b(b"stream", key=secret, digest_size=32).digest()
        self._mark_key = hashlib.blake2b(b"mark", key=secret, digest_size=32).digest()

    def seal(self, data: bytes) -> bytes:
        """Return bytes that show nothing but their length in steps of 4 kB."""
        salt = os.urandom(_SALT_BYTES)
        sized = len(data).to_bytes(_SIZE_BYTES, "big") + data
        hidden = self._mixed(salt, sized + bytes(-len(sized) % _STEP_BYTES))
        return _SIGN + salt + self._mark(salt + hidden) + hidden

    def open(self, sealed: bytes) -> bytes:
        """Return what was sealed. Raise StoredDataError if it was sealed with another key, or is damaged."""
        salt, hidden = sealed[1 : 1 + _SALT_BYTES], sealed[1 + _SALT_BYTES + _MARK_BYTES :]
        mark = sealed[1 + _SALT_BYTES : 1 + _SALT_BYTES + _MARK_BYTES]
        if not is_sealed(sealed) or not hmac.compare_digest(mark, self._mark(salt + hidden)):
            raise StoredDataError("What is sealed cannot be opened: its key is another one, or it is damaged.")
        sized = self._mixed(salt, hidden)
        return sized[_SIZE_BYTES : _SIZE_BYTES + int.from_bytes(sized[:_SIZE_BYTES], "big")]

    def _mixed(self, salt: bytes, data: bytes) -> bytes:
        stream = hashlib.shake_256(self._stream_key + salt).digest(len(data))
        return (np.frombuffer(data, np.uint8) ^ np.frombuffer(stream, np.uint8)).tobytes()

    def _mark(self, data: bytes) -> bytes:
        return hashlib.blake2b(data, key=self._mark_key, digest_size=_MARK_BYTES).digest()


def is_sealed(data: bytes) -> bool:
    """Whether bytes are sealed, as their beginning says."""
    return data[:1] == _SIGN


def stored_key(path: Path) -> Key:
    """Read the key of a file, or make one there, which opens nothing sealed before; a damaged file is set aside.

    Either way only the user may read the file from now on.
    Raise OSError if the file can be neither read nor written.
    """
    try:
        secret = path.read_bytes()
    except FileNotFoundError:
        pass
    else:
        if len(secret) == _KEY_BYTES:
            make_private_file(path)
            return Key(secret)
        set_aside(path)
    secret = os.urandom(_KEY_BYTES)
    write_whole(path, secret, is_private=True)
    return Key(secret)
