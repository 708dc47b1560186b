"""Every style in every format of the app: legal actions, in sentences, and hands that can be rebuilt and read."""

import numpy as np
import pytest

from engine.agents.explain import explain
from engine.agents.readers import READERS, make_reader
from engine.agents.styles import STYLES, make_agent
from engine.game.format_file import FORMATS, built_in
from engine.game.formats import SeatConfig
from engine.game.history import HandState, observation_at
from engine.play import Dealer
from tests.engine.agents.stored import evidence_of

HANDS = 6  # enough for two seats to be taken by all of a group
STYLE_GROUPS = [tuple(STYLES)[at::3] for at in range(3)]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("styles", STYLE_GROUPS)
def test_every_style_plays_every_format_legally(name: str, styles: tuple[str, ...]) -> None:
    game_format = built_in(name)
    count = min(len(styles), game_format.most_seats)
    decided = 0
    for hand in range(HANDS):
        seated = [styles[(hand * count + seat) % len(styles)] for seat in range(count)]
        seats = tuple(SeatConfig(f"{style} {seat}", style) for seat, style in enumerate(seated))
        dealer = Dealer(
            game_format.game(seats, seed=hand), {seat: make_agent(style) for seat, style in enumerate(seated)}
        )
        dealer.start_hand()
        while dealer.to_act is not None:
            decision = dealer.decide(deals=64)
            for claim in explain(decision.trace):
                evidence_of(decision.trace, claim.evidence)
            dealer.apply(decision.action, decision)  # raises if it is not legal
            decided += 1
    assert decided >= HANDS


def test_what_is_shown_of_every_earlier_moment_is_what_the_table_had() -> None:
    """Antes for all, straddles and their pots, rebuilt from the events."""
    rng = np.random.default_rng(5)
    for name in FORMATS:
        game_format = built_in(name)
        seats = tuple(SeatConfig(f"p{seat}", "random") for seat in range(min(6, game_format.most_seats)))
        dealer = Dealer(game_format.game(seats, seed=3), {seat: make_agent("random") for seat in range(len(seats))})
        for _ in range(10):
            if dealer.end_reason is not None:
                break
            dealer.start_hand()
            seen = []
            while dealer.to_act is not None:
                seen.append(dealer.observe(0) if 0 in dealer.dealt_in else dealer.observe(dealer.dealt_in[0]))
                dealer.apply(dealer.decide(deals=int(rng.integers(8, 16))).action)
            final = dealer.observe(seen[0].seat) if seen else dealer.observe(dealer.dealt_in[0])
            for observation in seen:
                again = observation_at(final, len(observation.events))
                assert (again.pots, again.seats, again.dead) == (
                    observation.pots,
                    observation.seats,
                    observation.dead,
                )
            hand = HandState.after(final.events)
            assert hand.pot == sum(chips for chips, _ in hand.pots_by_place())


@pytest.mark.parametrize("name", ["cash-ante", "cash-straddle", "contest"])
@pytest.mark.parametrize("reader", READERS)
def test_every_reader_reads_every_kind_of_stakes(name: str, reader: str) -> None:
    seats = tuple(SeatConfig(f"p{seat}", "random") for seat in range(4))
    dealer = Dealer(built_in(name).game(seats, seed=1), {seat: make_agent("random") for seat in range(4)})
    for _ in range(3):
        dealer.start_hand()
        while dealer.to_act is not None:
            read = make_reader(reader).read(dealer.observe(dealer.to_act))
            assert read
            for prediction in read:
                assert prediction.posterior.sum() == pytest.approx(1, abs=1e-3)
            dealer.apply(dealer.decide().action)
