"""A recorded hand with what a reader made of every action, and why, about the hole cards really held."""

from collections.abc import Sequence

import msgspec
import numpy as np
from msgspec import Struct

from engine.agents.agent import Reader
from engine.agents.explain import action_text, explain_chain
from engine.agents.posterior import Chain, chain_of
from engine.cards import CLASS_COUNT, COMBO_CLASS, class_name, combo_of, format_cards
from engine.game.events import ActionTaken
from engine.game.phh import RecordedHand
from engine.lab.reading import decision_points

_MOST_CLASSES = 5


class ClassShare(Struct, frozen=True):
    """A hand class by name, and its probability 0-1."""

    name: str
    share: float


class ExplainedPoint(Struct, frozen=True):
    """One decision point: the target's likeliest classes, and how the true hole cards got their probability."""

    player: str
    street: str
    board: str
    action: str
    likeliest: tuple[ClassShare, ...]
    hole_cards: str
    chain: Chain
    texts: tuple[str, ...]


def explained(reader: Reader, hand: RecordedHand) -> tuple[ExplainedPoint, ...]:
    """Explain every decision point of a hand, each as the next player to act sees it.

    The reader has whatever it remembers of the players; it does not learn the hand.
    """
    found = []
    for point in decision_points(hand):
        observation = point.observation
        event = observation.events[-1]
        assert isinstance(event, ActionTaken)
        prediction = reader.predict(observation, point.target)
        shares = np.bincount(COMBO_CLASS, prediction.posterior, CLASS_COUNT)
        cards = hand.hole_cards[point.target]
        chain = chain_of(prediction, [combo_of(*cards)], observation.events)
        found.append(
            ExplainedPoint(
                player=hand.players[point.target],
                street=point.street.name.lower(),
                board=format_cards(observation.board, " "),
                action=action_text(event.action, event.to_call, event.street),
                likeliest=tuple(
                    ClassShare(class_name(int(best)), float(shares[best]))
                    for best in np.argsort(-shares, kind="stable")[:_MOST_CLASSES]
                ),
                hole_cards=format_cards(cards),
                chain=chain,
                texts=explain_chain(chain),
            )
        )
    return tuple(found)


def as_json(hand: RecordedHand, reader: Reader, points: Sequence[ExplainedPoint]) -> str:
    """Return explained points as one JSON object: `hand`, `reader` and `points`."""
    return msgspec.json.encode({"hand": hand.name, "reader": reader.name, "points": points}).decode()


def as_text(hand: RecordedHand, reader: Reader, points: Sequence[ExplainedPoint]) -> str:
    """Return explained points as text, a paragraph each."""
    parts = [f"Hand {hand.name}, read by '{reader.name}'"]
    for point in points:
        board = f" on {point.board}" if point.board else ""
        likeliest = ", ".join(f"{one.name} {one.share:.1%}" for one in point.likeliest)
        chain = point.chain
        factors = "".join(f" × {factor.ratio:.2f}" for factor in chain.factors)
        lines = [
            f"{point.street.capitalize()}{board}: {point.player}: {point.action}",
            f"  likeliest: {likeliest}",
            f"  {point.hole_cards}: {chain.prior:.4%}{factors} = {chain.posterior:.4%}",
            f"  {point.texts[-1]}",
        ]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)
