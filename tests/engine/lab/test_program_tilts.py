"""What programs have in common is learned from them, the same from the same seed, and written as it is read."""

from pathlib import Path

import msgspec
import numpy as np
import pytest

from engine.agents.learned.beliefs import tilts_of_programs
from engine.agents.learned.tilts import KINDS
from engine.lab import program_tilts
from engine.lab.program_tilts import STYLES, learned, main


def test_the_same_seed_teaches_the_same() -> None:
    first, again, other = (learned(2, 8, seed) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert first.shape == (len(KINDS),)
    assert np.isfinite(first).all()
    never_learned = [at for at, kind in enumerate(KINDS) if kind.startswith("looseness, betting")]
    assert not first[never_learned].any()


def test_what_is_learned_is_written_for_every_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_tilts, "learned", lambda *_: np.arange(len(KINDS)) / 3)
    assert main([str(tmp_path / "tilts.json")]) == 0
    written = msgspec.json.decode((tmp_path / "tilts.json").read_bytes())
    assert list(written) == list(KINDS)
    assert list(written.values()) == pytest.approx(np.arange(len(KINDS)) / 3, abs=0.005)


def test_the_app_has_what_half_of_the_styles_teach() -> None:
    """So many are learned from that no single one makes it; the signs are those of most programs."""
    assert len(set(STYLES)) == 12
    shipped = dict(zip(KINDS, tilts_of_programs().tolist(), strict=True))
    assert shipped["looseness after the flop"] > 0.5
    assert shipped["looseness, facing a bet on the river"] > 0.5
    assert shipped["aggression, betting as the last raiser"] > 0.5
