"""Sessions that keep what was learned more often than in the app, so that few hands get past it."""

import pytest

from trainer.session import readings, recorded_dealer

KEPT_EVERY = 4


def keep_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded_dealer, "KEPT_EVERY", KEPT_EVERY)
    monkeypatch.setattr(readings, "_KEPT_EVERY", KEPT_EVERY)
