"""Files written in one go: whole, through links, with their permissions, and nothing lost where it fails."""

import sys
from itertools import islice
from pathlib import Path

import pytest

from engine.atomic_file import folders_from, is_open_to_others, make_private_file, make_private_folder, write_whole
from tests.conftest import on_posix


def test_a_file_is_made_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "ranges.txt"
    write_whole(path, b"Open = 22+\n")
    assert path.read_bytes() == b"Open = 22+\n"
    assert list(tmp_path.iterdir()) == [path]


@on_posix
def test_a_link_stays_a_link_and_permissions_stay(tmp_path: Path) -> None:
    target, link = tmp_path / "kept.txt", tmp_path / "link.txt"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files as Linux can")
def test_a_write_that_fails_half_way_leaves_the_old_file(tmp_path: Path) -> None:
    import resource

    path = tmp_path / "ranges.txt"
    path.write_text("kept")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            write_whole(path, bytes(3_000_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_text() == "kept"
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written_says_why(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="directory"):
        write_whole(tmp_path, b"new")
    with pytest.raises(OSError, match="No such file"):
        write_whole(tmp_path / "gone" / "file", b"new")


@on_posix
def test_a_private_file_is_for_its_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "ranges.txt"
    path.write_bytes(b"old")
    path.chmod(0o644)
    write_whole(path, b"new", is_private=True)
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"new", 0o600)
    make_private_file(path)
    assert path.read_bytes() == b"new"
    made = tmp_path / "made"
    make_private_file(made)
    assert (made.read_bytes(), made.stat().st_mode & 0o777) == (b"", 0o600)


@on_posix
def test_a_file_is_open_to_others_if_any_of_them_may_read_or_write_it(tmp_path: Path) -> None:
    path = tmp_path / "soulread.key"
    assert not is_open_to_others(path), "there is none"
    path.touch()
    for mode, is_open in ((0o600, False), (0o700, False), (0o640, True), (0o604, True), (0o602, True)):
        path.chmod(mode)
        assert is_open_to_others(path) is is_open, oct(mode)


@on_posix
def test_a_folder_that_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    make_private_folder(tmp_path)
    assert tmp_path.stat().st_mode & 0o777 == 0o755, "it may be anybody's"
    make_private_folder(tmp_path / "new")
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700


def test_folders_that_stand_in_for_one_are_beside_it(tmp_path: Path) -> None:
    found = list(islice(folders_from(tmp_path / "evolved"), 50))
    assert found[:3] == [tmp_path / "evolved", tmp_path / "evolved-2", tmp_path / "evolved-3"]
    assert len(set(found)) == 50
