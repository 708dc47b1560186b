import json

import pytest

from engine.agents.readers import READERS, make_reader
from engine.cards import combo_of
from engine.game.events import ActionTaken
from engine.lab.explained_hand import as_json, as_text, explained
from tests.engine.lab.recorded import random_hand


@pytest.mark.parametrize("name", sorted(READERS))
def test_every_action_is_explained_by_every_reader(name: str) -> None:
    hand, reader = random_hand(4), make_reader(name)
    points = explained(reader, hand)
    assert len(points) == sum(isinstance(event, ActionTaken) for event in hand.events)
    for point in points:
        product = point.chain.prior
        for factor in point.chain.factors:
            product *= factor.ratio
        assert point.chain.posterior == pytest.approx(product, rel=1e-6)
        assert len(point.texts) == len(point.chain.factors)
        seat = hand.players.index(point.player)
        assert point.chain.combos == (combo_of(*hand.hole_cards[seat]),)
        shares = [one.share for one in point.likeliest]
        assert shares == sorted(shares, reverse=True)


def test_explanations_are_written_as_text_and_as_json() -> None:
    hand, reader = random_hand(4), make_reader("learned")
    points = explained(reader, hand)
    text, whole = as_text(hand, reader, points), json.loads(as_json(hand, reader, points))
    assert whole["reader"] == "learned"
    assert len(whole["points"]) == len(points)
    first = whole["points"][0]
    assert first["texts"][0] in text
    assert first["chain"]["factors"][0]["effects"]
    assert f"{points[-1].chain.posterior:.4%}" in text
