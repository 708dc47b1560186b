from pathlib import Path

import pytest

from tests.conftest import on_posix
from trainer.settings import Settings, SettingsFile, set_aside

CHANGED = {
    "theme": "dark",
    "felt": "red",
    "four_colours": True,
    "big_blinds": True,
    "pace_seconds": 2.5,
    "automatic_deal": True,
    "confirm_big_bets": False,
    "bell": True,
    "bets_presets": True,
    "offers_tour": False,
    "lessons": False,
    "offer_guesses": True,
    "keys": (("fold", "X"), ("call", "C"), ("raise", "R"), ("next", "Return")),
    "reader": "uniform",
    "range_ranking": 6,
    "remember_players": False,
    "stored_megabytes": 40,
    "last_game": '{"seats": [1, "a;b,c"], "name": "Zoë = \\\\ %"}',
    "window_geometry": bytes(range(256)),
    "window_state": b"\0",
    "odds_geometry": bytes(range(255, -1, -1)),
    "odds_state": b"\1",
    "odds_question": "Zoë, a = AhKh | 22+,A2s+:0.5 | board Ks7d2h",
    "drills_geometry": b"\5",
    "figures_geometry": b"\6",
    "lab_geometry": b"\3\4",
    "lab_setup": '{"matches":7,"styles":["random","a = b"]}',
    "lab_kept": '{"matches":5}',
    "lab_experiment": '{"name":"fig8"}',
    "lab_evolution": '{"what":"base","text":"pairs = 7"}',
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config" / "soulread.ini"


def test_a_first_start_has_the_defaults_and_says_nothing(path: Path) -> None:
    file = SettingsFile(path)
    assert file.settings == Settings()
    assert file.notice == ""
    assert not path.exists()


def test_everything_comes_back(path: Path) -> None:
    file = SettingsFile(path)
    assert set(CHANGED) == set(Settings.__dataclass_fields__), "a field is not tested"
    file.change(**CHANGED)
    again = SettingsFile(path)
    assert again.settings == Settings(**CHANGED)
    assert again.notice == ""


def test_the_seed_that_an_earlier_version_kept_of_the_last_game_is_forgotten(path: Path) -> None:
    """That game may go on, and its cards follow from the seed."""
    SettingsFile(path).change(last_game='{"kind":"cash","seed":8765432109876543,"seats":[]}')
    assert "8765432109876543" in path.read_text()
    file = SettingsFile(path)
    assert (file.settings.last_game, file.notice) == ('{"kind":"cash","seed":0,"seats":[]}', "")
    assert "8765432109876543" not in path.read_text()


@pytest.mark.parametrize(
    "data",
    [b"\0" * 100, b"hello world", bytes(range(255, 0, -1)), b"[General\ntheme=dark", b"[General]\ntheme=\xff\xfe"],
    ids=["zeros", "prose", "bytes", "bracket", "no utf-8"],
)
def test_a_damaged_file_is_set_aside_and_kept(path: Path, data: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(data)
    file = SettingsFile(path)
    assert file.settings == Settings()
    assert file.notice.count(".") >= 1
    assert "soulread.ini.damaged-1" in file.notice
    assert path.with_name("soulread.ini.damaged-1").read_bytes() == data
    assert SettingsFile(path).notice == ""


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("theme", "pink"),
        ("felt", "pink"),
        ("pace_seconds", "5"),
        ("pace_seconds", "nan"),
        ("pace_seconds", "soon"),
        ("four_colours", "perhaps"),
        ("range_ranking", "0"),
        ("range_ranking", "two"),
        ("stored_megabytes", "9"),
        ("stored_megabytes", "much"),
        ("keys", "fold=F call=F"),
        ("keys", "fold=r"),
        ("keys", "jump=J"),
        ("window_state", "***"),
    ],
)
def test_one_wrong_value_costs_only_itself(path: Path, name: str, value: str) -> None:
    path.parent.mkdir()
    path.write_text(f"[General]\nversion=1\nbig_blinds=true\n{name}={value}\n")
    file = SettingsFile(path)
    assert file.settings == Settings(big_blinds=True)
    assert "damaged" in file.notice
    assert SettingsFile(path).settings == Settings(big_blinds=True)


def test_a_damaged_file_that_cannot_be_set_aside_stops_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder that is read-only, say."""
    path.parent.mkdir()
    path.write_text("[General]\nversion=1\nbig_blinds=true\ntheme=pink\n")

    def refused(_self: Path, _target: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "rename", refused)
    file = SettingsFile(path)
    assert file.settings == Settings(big_blinds=True)
    assert file.notice == f"The settings in {path} are damaged, so defaults stand in."
    assert "theme=pink" in path.read_text(), "it can still be looked at"


def test_a_key_may_be_written_small(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("[General]\nversion=1\nkeys=fold=a\n")
    assert SettingsFile(path).settings.key("fold") == "A"


def test_values_of_a_later_version_are_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("[General]\nversion=1\ntomorrow=42\n")
    SettingsFile(path).change(theme="light")
    assert "tomorrow=42" in path.read_text()


@on_posix
def test_nobody_else_may_read_it(path: Path) -> None:
    file = SettingsFile(path)
    for theme in ("dark", "light"):
        file.change(theme=theme)
        assert path.stat().st_mode & 0o777 == 0o600
    path.write_text("[General]\ntheme=pink\n")
    path.chmod(0o644)
    SettingsFile(path)
    assert {one.stat().st_mode & 0o777 for one in path.parent.iterdir()} == {0o600}
    assert len(list(path.parent.iterdir())) == 2


def test_damaged_files_are_numbered(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        path = tmp_path / "a"
        path.write_text(str(number))
        assert set_aside(path).name == f"a.damaged-{number}"
    assert (tmp_path / "a.damaged-2").read_text() == "2"


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    file = SettingsFile(tmp_path / "file" / "soulread.ini")
    assert file.change(theme="dark").theme == "dark"
