"""Whatever is done to a hand history, it is imported or left out with a reason, and quickly."""

import pytest

from engine.hand_histories.export import exported
from engine.hand_histories.files import read_text
from engine.hand_histories.imported import ImportedHand
from tests.engine.hand_histories import told_hands
from tests.engine.hand_histories.fuzz import fuzz

TEXTS = [text for name, text in vars(told_hands).items() if name.isupper()]
HANDS = [hand for text in TEXTS for hand in read_text(text) if isinstance(hand, ImportedHand)]
TEXTS += ["".join(exported(HANDS[at : at + 2], form)) for form in ("phh", "ohh") for at in range(len(HANDS))]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.slow
def test_damaged_hands_are_read_or_left_out(seed: int) -> None:
    found = fuzz(TEXTS, 700, seed)
    assert found.imported
    assert found.left_out
