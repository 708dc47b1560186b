from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.agents.evolved.policy import (
    NetworkSettings,
    PolicyFileError,
    StoredPolicy,
    parse_policy,
    policy_bytes,
    read_policy,
)
from engine.agents.style_file import StyleFileError
from engine.agents.styles import named_style
from tests.hostile import damaged_archives, refusal

SMALL = NetworkSettings(opponent_width=2, game_width=3, head=(4,))


def policy_of(network: NetworkSettings = SMALL, seed: int = 1) -> StoredPolicy:
    weights = np.random.default_rng(seed).normal(0, 1, network.weights).astype(np.float32)
    return StoredPolicy(network, weights, "by lot")


@settings(max_examples=20)
@given(
    st.builds(
        NetworkSettings,
        steps=st.integers(1, 20),
        layers=st.integers(1, 3),
        opponent_width=st.integers(1, 9),
        game_width=st.integers(1, 9),
        head=st.lists(st.integers(1, 9), max_size=4).map(tuple),
        feature_scale=st.floats(0.1, 100),
        logit_scale=st.floats(0.1, 100),
    )
)
def test_a_policy_comes_back_bit_for_bit(network: NetworkSettings) -> None:
    policy = policy_of(network)
    data = policy_bytes(policy)
    assert data == policy_bytes(policy)
    again = parse_policy(data, "it")
    assert (again.settings, again.origin) == (network, "by lot")
    assert again.weights.tobytes() == policy.weights.tobytes()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"steps": 0}, "steps of a network is 1 to 20, not 0."),
        ({"layers": 9}, "layers of a network is 1 to 8, not 9."),
        ({"opponent_width": 1001}, "opponent_width of a network is 1 to 1000, not 1001."),
        ({"game_width": -1}, "game_width of a network is 1 to 1000, not -1."),
        ({"head": (4,) * 5}, "head of a network is up to 4 widths of 1 to 1000."),
        ({"head": (0,)}, "head of a network is up to 4 widths of 1 to 1000."),
        ({"logit_scale": 0.0}, "logit_scale of a network is above 0 and at most 100."),
        ({"feature_scale": float("nan")}, "feature_scale of a network is above 0 and at most 100."),
        ({"layers": 8, "game_width": 1000}, "A network has at most 10,000,000 weights, not 60,0"),
    ],
)
def test_settings_that_do_not_fit_are_refused(changes: dict[str, object], words: str) -> None:
    with pytest.raises(PolicyFileError) as error:
        replace(SMALL, **changes).verify()
    assert str(error.value).startswith(words)


def archive(path: Path, **arrays: object) -> bytes:
    whole = {"version": np.int64(1), "settings": np.zeros(3, np.uint8), "weights": np.zeros(3, np.float32)} | arrays
    np.savez(path, **{name: value for name, value in whole.items() if value is not None})
    return path.read_bytes()


def test_what_is_no_policy_is_refused_in_a_sentence(tmp_path: Path) -> None:
    good = policy_bytes(policy_of())
    with np.load(Path(_written(tmp_path / "good.policy", good)), allow_pickle=False) as arrays:
        text = arrays["settings"]
    path = tmp_path / "bad.npz"
    for data, words in (
        (b"", "it is no policy: it lacks what a policy's file has, or is damaged."),
        (b"PK\x03\x04", "it is no policy: it lacks"),
        (good[:-30], "it is no policy: it lacks"),
        (good[:200] + b"\xff" * 40 + good[240:], "it is no policy: "),
        (archive(path, weights=None), "it is no policy: it lacks"),
        (archive(path, weights=np.array([{}], object)), "it is no policy: it lacks"),
        (archive(path, version=np.int64(2)), "it is a policy of another version of Soulread"),
        (archive(path, version=np.array([1, 1])), "it is a policy of another version of Soulread"),
        (archive(path, settings=np.zeros(20_000, np.uint8)), "it is no policy: its settings are no text."),
        (archive(path), "it is no policy: "),
        (archive(path, settings=text), "it is no policy: its network has 250 weights, not these."),
        (
            archive(path, settings=text, weights=np.full(250, np.nan, np.float32)),
            "it is no policy: some of its weights are no finite numbers.",
        ),
    ):
        with pytest.raises(PolicyFileError) as error:
            parse_policy(data, "it")
        assert str(error.value).startswith(words)
        assert "\n" not in str(error.value)


@given(damaged_archives(policy_bytes(policy_of())))
def test_no_damage_is_more_than_a_sentence(data: bytes) -> None:
    refusal(PolicyFileError, lambda: parse_policy(data, "it"))


def test_an_archive_that_unpacks_to_far_more_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "bomb.policy"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive, archive.open("weights.npy", "w") as member:
        for _ in range(50):
            member.write(bytes(1_000_000))
    with pytest.raises(
        PolicyFileError, match=r"bomb\.policy is no policy: it unpacks to more than 40,100,000 bytes\.$"
    ):
        read_policy(path)


def test_a_policy_is_named_by_its_file(tmp_path: Path) -> None:
    path = _written(tmp_path / "mine.policy", policy_bytes(policy_of()))
    assert named_style(path) == path
    with pytest.raises(StyleFileError, match=r"none\.policy cannot be read: No such file"):
        named_style(str(tmp_path / "none.policy"))
    with pytest.raises(StyleFileError, match=r"bad\.policy is no policy: "):
        named_style(_written(tmp_path / "bad.policy", b"no"))


def _written(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    return str(path)
