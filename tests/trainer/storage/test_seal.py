"""What is sealed: it tells nothing, is never sealed twice alike, and is opened by its key alone, as it was."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.codec import StoredDataError
from tests.conftest import on_posix
from trainer.storage.seal import Key, is_sealed, stored_key
from trainer.storage.store import Store

KEY = Key(b"one")
STEP = 4096


@given(st.binary(max_size=200) | st.integers(STEP - 9, 2 * STEP + 9).map(bytes))
def test_what_was_sealed_comes_back(data: bytes) -> None:
    sealed = KEY.seal(data)
    assert is_sealed(sealed)
    assert KEY.open(sealed) == data


def test_the_length_does_not_tell_a_bluff_from_a_value_bet() -> None:
    lengths = {len(KEY.seal(bytes(size))) for size in (0, 1, 587, 635, 4000)}
    assert len(lengths) == 1
    assert len(KEY.seal(bytes(5000))) - lengths.pop() == STEP


def test_the_same_is_never_sealed_twice_alike() -> None:
    """Were a stream used again, two sealed items would differ by what was sealed alone."""
    sealed = [KEY.seal(b"all the same") for _ in range(100)]
    assert len({one[:17] for one in sealed}) == len({one[-64:] for one in sealed}) == 100
    zeros = [KEY.seal(bytes(STEP)) for _ in range(2)]
    alike = sum(a == b for a, b in zip(zeros[0][-STEP:], zeros[1][-STEP:], strict=True))
    assert alike < STEP // 64, "as many bytes of two streams are alike as by chance, 16 on average"


def test_any_change_is_noticed_before_anything_is_opened() -> None:
    sealed = KEY.seal(b"A trace.")
    for at in [*range(60), len(sealed) - 1]:
        changed = bytearray(sealed)
        changed[at] ^= 1
        with pytest.raises(StoredDataError, match="key"):
            KEY.open(bytes(changed))
    for size in range(40):
        with pytest.raises(StoredDataError, match="key"):
            KEY.open(sealed[:size])
    for other in (sealed + b"x", sealed[:-1], Key(b"two").seal(b"A trace.")):
        with pytest.raises(StoredDataError, match="key"):
            KEY.open(other)


@on_posix
def test_a_key_that_others_could_read_is_closed_to_them_and_that_is_said(tmp_path: Path) -> None:
    database, path = tmp_path / "soulread.db", tmp_path / "apart" / "soulread.key"
    first = Store(database, path)
    first.close()
    secret = path.read_bytes()
    path.chmod(0o644)
    second = Store(database, path)
    assert second.file.notice == "Others could read the key of the stored hands until now."
    assert second.file.is_kept
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.read_bytes() == secret
    second.close()
    third = Store(database, path)
    assert third.file.notice == ""
    third.close()


def test_a_key_that_cannot_be_read_loses_nothing(tmp_path: Path) -> None:
    database, path = tmp_path / "soulread.db", tmp_path / "soulread.key"
    first = Store(database, path)
    first.close()
    before = database.read_bytes()
    path.rename(tmp_path / "kept")
    path.mkdir()
    second = Store(database, path)
    assert second.file.notice.startswith(f"The stored hands in {database} cannot be used (")
    assert second.file.notice.endswith("; this session is not stored.")
    assert not second.file.is_kept
    second.close()
    path.rmdir()
    (tmp_path / "kept").rename(path)
    assert database.read_bytes() == before
    third = Store(database, path)
    assert (third.file.notice, third.file.is_kept) == ("", True)
    third.close()


def test_a_new_key_is_as_long_as_it_says_and_another_each_time(tmp_path: Path) -> None:
    for name in ("a", "b"):
        stored_key(tmp_path / name)
    assert len((tmp_path / "a").read_bytes()) == len((tmp_path / "b").read_bytes()) == 32
    assert (tmp_path / "a").read_bytes() != (tmp_path / "b").read_bytes()
