"""Training, on a few hands: what is taken from hands, that it learns, and that it can be repeated."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.agents.learned.network import Likelihoods, Networks
from engine.agents.learned.situations import ActionChoice, situations
from engine.cards import cards_of
from engine.game.events import FOLD, GameKind, HandStarted, SeatStart, raise_to
from engine.game.phh import RecordedHand
from engine.game.rules import TableRules
from engine.game.table import Table
from engine.lab import training
from engine.lab.training import Choices, Schedule, TrainingError, choices_of, hands_of, heads_up_hands, train

ACE = 12


def recorded(seed: int) -> RecordedHand:
    """Play heads-up: the button raises with an ace and folds without, and the big blind calls and checks."""
    generator = np.random.default_rng(seed)
    deck = [int(card) for card in generator.permutation(52)]
    table = Table(
        hand_number=seed,
        kind=GameKind.CASH,
        seats=[SeatStart(0, "Ann", 10_000), SeatStart(1, "Bob", 10_000)],
        button=1,
        rules=TableRules(50, 100),
        deck=deck,
    )
    cards = tuple(table.private_event(seat).hole_cards for seat in (0, 1))
    table.apply(raise_to(250) if ACE in (card >> 2 for card in cards[1]) else FOLD)
    while (legal := table.legal_actions()) is not None:
        from engine.game.events import CALL, CHECK

        table.apply(CHECK if legal.can_check else CALL)
    return RecordedHand(str(seed), ("Ann", "Bob"), cards, table.events)


@pytest.fixture(scope="module")
def hands() -> list[RecordedHand]:
    return [recorded(seed) for seed in range(400)]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = Schedule((24, 12), 2, 60, 64, 1e-2, 1e-4, 0.0), Schedule((8, 8), 1, 1, 64, 1e-2, 1e-4, 0.1)
    monkeypatch.setattr(training, "TEACHERS", {"preflop": before, "postflop": after})
    monkeypatch.setattr(training, "PUPIL", {"preflop": replace(before, networks=1), "postflop": after})


def test_every_choice_is_one_row(hands: list[RecordedHand]) -> None:
    preflop, postflop = choices_of(hands, seed=1)
    found = [situation for hand in hands for situation in situations(hand.events)]
    assert len(preflop.choice) + len(postflop.choice) == len(found)
    assert preflop.others.shape[:2] == (1, 169)
    assert postflop.others.shape[1] == training.OTHER_COMBOS
    assert postflop.board.max() + 1 == len(postflop.others)
    assert (preflop.possible[np.arange(len(preflop.choice)), preflop.choice]).all()


def test_heads_up_hands_are_taken_with_shorter_stacks_too(
    hands: list[RecordedHand], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "PUSHED_HANDS", 5)
    found = list(heads_up_hands(hands[:50], seed=1))
    assert [hand for hand in found if hand in hands] == hands[:50]
    assert 60 < len(found) < 50 + 50 + 5
    stacks = [start.seats[0].stack for hand in found if isinstance(start := hand.events[0], HandStarted)]
    assert sum(stack < 10_000 for stack in stacks) == len(found) - 50
    assert found == list(heads_up_hands(hands[:50], seed=1))


@pytest.mark.slow
def test_it_learns_what_players_do(hands: list[RecordedHand], quick: None) -> None:
    networks = train(choices_of(hands, seed=1), 1, lambda line: None)
    situation = situations(hands[0].events)[0]
    likely = Likelihoods(networks).probabilities(situation)[:, ActionChoice.FOLD]
    has_ace = np.array([ACE in (card >> 2 for card in cards_of(combo)) for combo in range(1326)])
    assert likely[has_ace].max() < 0.2
    assert likely[~has_ace].min() > 0.8


@pytest.mark.slow
def test_the_same_seed_gives_the_same_networks(hands: list[RecordedHand], quick: None) -> None:
    first, second = (train(choices_of(hands[:100], seed=1), 7, lambda line: None) for _ in range(2))
    for ours, theirs in zip(first, second, strict=True):
        assert all((a == b).all() for a, b in zip(ours, theirs, strict=True))


@pytest.mark.slow
def test_a_feature_that_never_varied_misleads_nobody(hands: list[RecordedHand], quick: None) -> None:
    choices = choices_of(hands[:100], seed=1)
    networks: Networks = train(choices, 1, lambda line: None)
    constant = np.ptp(choices[0].situation, axis=0) == 0
    assert constant.any()
    assert (networks.preflop.lowest[constant] == networks.preflop.highest[constant]).all()
    situation = situations(hands[0].events)[0]
    elsewhere = replace(situation, features=situation.features + 5 * constant.astype(np.float32))
    found, same = (Likelihoods(networks).probabilities(one) for one in (elsewhere, situation))
    assert (found == same).all()


def test_missing_hands_are_told(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match=r"There is no file pluribus\.phhs"):
        next(hands_of([tmp_path / "pluribus.phhs"], is_apart=False))
    with pytest.raises(TrainingError, match="no hands to learn from"):
        choices_of([], seed=1)
    assert training.main([str(tmp_path)]) == 2


def test_missing_libraries_are_told(hands: list[RecordedHand], monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(training, "import_module", absent)
    choices: tuple[Choices, Choices] = choices_of(hands[:20], seed=1)
    with pytest.raises(TrainingError, match="needs jax and optax"):
        train(choices, 1, lambda line: None)
