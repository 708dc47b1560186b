"""Formats that the player has saved: text files, of which a bad one is named and nothing is lost."""

from pathlib import Path

import pytest
from msgspec import structs

from engine.game.format_file import FORMATS, built_in, format_text
from trainer.new_game.own_files import MOST_FILES, OwnFilesError
from trainer.new_game.own_formats import OwnFormats

MINE = structs.replace(built_in("cash"), name="Friday: deep & loose", starting_stack=40_000)


@pytest.fixture
def formats(tmp_path: Path) -> OwnFormats:
    return OwnFormats(tmp_path / "formats")


def test_without_a_folder_there_are_those_of_the_app(formats: OwnFormats) -> None:
    offered = formats.offered()
    assert [one.name for one in offered.all] == [built_in(name).name for name in FORMATS]
    assert not offered.own
    assert not offered.problems


def test_a_format_is_saved_changed_and_deleted(formats: OwnFormats) -> None:
    formats.save(MINE)
    (path,) = formats.offered().own.values()
    assert path.name == "friday-deep-loose.toml"
    assert path.read_text() == format_text(MINE)
    deeper = structs.replace(MINE, starting_stack=80_000)
    formats.save(deeper)
    assert formats.offered().all[-1] == deeper
    assert list(formats.folder.iterdir()) == [path]
    formats.delete(MINE.name)
    assert not list(formats.folder.iterdir())


def test_names_alike_in_a_file_name_stay_two_formats(formats: OwnFormats) -> None:
    for name in ("Friday!", "Friday?", "星期五"):
        formats.save(structs.replace(MINE, name=name))
    assert set(formats.offered().own) == {"Friday!", "Friday?", "星期五"}


def test_bad_files_are_named_and_stay(formats: OwnFormats) -> None:
    formats.save(MINE)
    texts = {"a.toml": "small_blnd = 1", "b.toml": format_text(MINE), "c.toml": format_text(MINE)}
    texts["c.toml"] = texts["c.toml"].replace(f'name = "{MINE.name}"', "")
    for name, text in texts.items():
        (formats.folder / name).write_text(text)
    offered = formats.offered()
    assert [one.name for one in offered.all].count(MINE.name) == 1
    assert offered.problems == (
        "The format a.toml cannot be played: 'small_blnd' is no setting of a format; did you mean 'small_blind'?",
        "The format c.toml needs a name.",
        f"The name '{MINE.name}' of friday-deep-loose.toml is taken by another format.",
    )
    assert {name: (formats.folder / name).read_text() for name in texts} == texts


def test_of_very_many_files_some_are_read(formats: OwnFormats) -> None:
    formats.folder.mkdir()
    for number in range(MOST_FILES + 1):
        (formats.folder / f"{number:03}.toml").write_text(format_text(structs.replace(MINE, name=f"n{number}")))
    offered = formats.offered()
    assert len(offered.own) == MOST_FILES
    assert offered.problems == (f"Only 200 of the 201 formats in {formats.folder} are read.",)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "A format needs a name of 1 to 60 characters."),
        ("x" * 61, "A format needs a name of 1 to 60 characters."),
        ("Cash game", "'Cash game' is a format of the app: save yours by another name."),
    ],
)
def test_a_name_that_makes_no_sense_is_refused(formats: OwnFormats, name: str, why: str) -> None:
    with pytest.raises(OwnFilesError) as refused:
        formats.save(structs.replace(MINE, name=name))
    assert str(refused.value) == why
    assert not formats.folder.exists()


def test_a_folder_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    file = tmp_path / "formats"
    file.write_text("no folder")
    formats = OwnFormats(file)
    assert formats.offered().problems == (f"The folder {file} cannot be read: Not a directory.",)
    with pytest.raises(OwnFilesError, match=r"could not be saved: File exists\."):
        formats.save(MINE)
    with pytest.raises(OwnFilesError, match=r"There is no format 'Mine' of your own\."):
        formats.delete("Mine")
