import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import resources
from engine.agents.learned import network as module
from engine.agents.learned.combo_features import combo_features, preflop_combo_features
from engine.agents.learned.network import (
    Likelihoods,
    Model,
    as_arrays,
    at_work,
    from_arrays,
    pool_sizes,
    softmax,
    stored,
    stored_likelihoods,
)
from engine.agents.learned.situations import ActionChoice, situations
from engine.cards import COMBO_CLASS, Street, unblocked
from engine.resources import ResourceError
from tests.engine.agents.hands import deal, play
from tests.engine.agents.learned.models import random_model, random_networks

HAND = "f f 250 f c f | x 300 c | x x | 500 f"


def test_probabilities_are_those_of_the_layers_one_after_another() -> None:
    """Against the plain network in float64: all features in one row, and no sums kept from before."""
    networks = random_networks()
    at_work = Likelihoods(networks)
    for situation in situations(play(deal((10_000,) * 6, board="Ks7d2h4c9s"), HAND).events):
        if situation.street is Street.PREFLOP:
            layers, rows = networks.preflop, preflop_combo_features()[COMBO_CLASS]
        else:
            layers, rows = networks.postflop, combo_features(situation.board)
        inputs = np.hstack([rows, np.tile(situation.features, (1326, 1))]).astype(np.float64)
        first = np.maximum(inputs @ np.vstack([layers.combo, layers.situation]) + layers.first_bias, 0)
        second = np.maximum(first @ layers.hidden + layers.second_bias, 0)
        odds = np.exp(second @ layers.output + layers.output_bias) * situation.possible
        expected = odds / odds.sum(axis=1, keepdims=True)
        if situation.street is Street.PREFLOP:
            firsts = np.unique(COMBO_CLASS, return_index=True)[1]
            expected = pool_sizes(expected, expected[firsts], (12_580, 2_432)[situation.raises])
        found = at_work.probabilities(situation)
        live = unblocked(situation.board)
        np.testing.assert_allclose(found[live], expected[live], atol=2e-5)
        assert found.shape == (1326, 8)
        assert (found[:, ~situation.possible] == 0).all()
        np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-5)


def test_two_seats_have_networks_of_their_own() -> None:
    """The hand is followed alike; from the deal on another pair of networks answers where two are dealt in."""
    model = random_model()
    for stacks, networks in (((10_000,) * 2, model.heads_up), ((10_000,) * 3, model.many)):
        words = "c x | x x" if len(stacks) == 2 else "f c x | x x"
        for situation in situations(play(deal(stacks, board="Ks7d2h4c9s"), words).events):
            found = at_work(model).at(situation.seats).probabilities(situation)
            live = unblocked(situation.board)
            if situation.street is Street.FLOP:
                assert (found[live] == Likelihoods(networks).probabilities(situation)[live]).all()
            assert situation.seats == len(stacks)


def test_what_is_trained_on_fewer_raises_heeds_their_size_less() -> None:
    networks = random_networks()
    situation = situations(play(deal(), "250").events)[0]
    sizes = np.flatnonzero(situation.possible[3:]) + 3
    few, many = (
        Likelihoods(networks, count).probabilities(situation)[:, sizes] for count in ((50,) * 3, (9_000,) * 3)
    )
    few, many = (found / found.sum(axis=1, keepdims=True) for found in (few, many))
    assert (np.ptp(few, axis=0) < np.ptp(many, axis=0)).all()


def some_choices(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet([0.3] * 8, 169).astype(np.float32)


@pytest.mark.parametrize("trained", [12_580, 2_432, 454])
def test_a_size_adds_little_to_what_the_raise_says(trained: int) -> None:
    given = some_choices(trained)
    found = pool_sizes(given, given, trained)
    np.testing.assert_allclose(found[:, :3], given[:, :3])
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-6)
    shares = found[:, 3:] / found[:, 3:].sum(axis=1, keepdims=True)
    # Within e^0.25 of its average either way, and again as much since the shares of a hand add up to 1.
    assert shares.max(axis=0) == pytest.approx(shares.min(axis=0), rel=np.exp(4 * 0.25) - 1)
    assert not np.allclose(shares, shares[0])


def test_the_rarer_a_size_the_less_it_says() -> None:
    def spread(share: float) -> float:
        given = np.tile(np.float32([0.5, 0, 0, 0.5 - share, share, 0, 0, 0]), (169, 1))
        given[::2, 4] *= 1.5  # every other hand likes this size more
        given[::2, 3] = 0.5 - given[::2, 4]
        sizes = pool_sizes(given, given, 10_000)[:, 4]
        return float(sizes.max() / sizes.min())

    assert 1 < spread(0.001) < spread(0.01) < spread(0.1) < 1.5


def test_without_a_raise_nothing_is_pooled() -> None:
    given = np.tile(np.float32([0.25, 0, 0.75, 0, 0, 0, 0, 0]), (169, 1))
    given[7] = np.float32([1, 0, 0, 0, 0, 0, 0, 0])
    assert (pool_sizes(given, given, 10_000) == given).all()


def test_a_hand_that_never_raises_stays_so() -> None:
    given = some_choices(3)
    given[5] = np.float32([1, 0, 0, 0, 0, 0, 0, 0])
    assert (pool_sizes(given, given, 10_000)[5] == given[5]).all()


def test_features_of_no_real_combo_are_answered_too() -> None:
    at_work = Likelihoods(random_networks())
    situation = situations(play(deal(board="Ks7d2h4c9s"), "c x | x x").events)[-1]
    rows = combo_features(situation.board)
    live = unblocked(situation.board)
    found = at_work.of_features(situation, rows)[live]
    np.testing.assert_allclose(found, at_work.probabilities(situation)[live], atol=2e-5)


def test_a_model_survives_being_stored() -> None:
    model = random_model()
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **as_arrays(model))
    file.seek(0)
    with np.load(file, allow_pickle=False) as arrays:
        read = from_arrays(dict(arrays))
    for ours, theirs in zip((*model.many, *model.heads_up), (*read.many, *read.heads_up), strict=True):
        for a, b in zip(ours, theirs, strict=True):
            assert (a == b).all()


def test_a_model_for_other_features_is_refused() -> None:
    arrays = as_arrays(random_model())
    arrays["signature"] = np.array(str(arrays["signature"]).replace("kicker", "side card"))
    with pytest.raises(ResourceError, match="made for another version"):
        from_arrays(arrays)
    del arrays["signature"]
    with pytest.raises(ResourceError, match="made for another version"):
        from_arrays(arrays)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda arrays: arrays.pop("postflop_hidden"), "an array is missing"),
        (lambda arrays: arrays.pop("heads_up_preflop_hidden"), "an array is missing"),
        (
            lambda arrays: arrays.update(preflop_output=np.array(["a", "b"])),
            "an array is missing or has no numbers",
        ),
        (lambda arrays: arrays.update(preflop_output=np.zeros((3, 8), np.float32)), "shapes"),
        (lambda arrays: arrays["postflop_combo"].__setitem__((0, 0), np.nan), "not finite"),
    ],
)
def test_a_damaged_model_is_refused_with_one_sentence(change, message: str) -> None:
    arrays = {name: array.copy() for name, array in as_arrays(random_model()).items()}
    change(arrays)
    with pytest.raises(ResourceError, match=message):
        from_arrays(arrays)


@pytest.mark.parametrize("content", [b"", b"no archive at all", b"PK\x03\x04 cut off"])
def test_a_damaged_file_is_refused_with_one_sentence(content: bytes, tmp_path, monkeypatch) -> None:
    (tmp_path / module.RESOURCE).write_bytes(content)
    monkeypatch.setattr(resources, "files", lambda package: tmp_path)
    stored.cache_clear()
    try:
        with pytest.raises(ResourceError, match=r"damaged: it cannot be read; install the app anew\.$"):
            stored()
        (tmp_path / module.RESOURCE).unlink()
        with pytest.raises(ResourceError, match="missing"):
            stored()
    finally:
        stored.cache_clear()


def test_the_model_that_ships_is_whole() -> None:
    assert isinstance(stored(), Model)
    situation = situations(play(deal((10_000,) * 6), "f").events)[0]
    probabilities = stored_likelihoods().at(situation.seats).probabilities(situation)
    # Under the gun, real players fold 7-2 offsuit and do not fold aces.
    from engine.cards import combo_of, parse_cards

    assert probabilities[combo_of(*parse_cards("7h2c")), ActionChoice.FOLD] > 0.9
    assert probabilities[combo_of(*parse_cards("AhAc")), ActionChoice.FOLD] < 0.1


def test_a_board_can_be_prepared_before_anybody_acts_on_it() -> None:
    prepared, surprised = Likelihoods(random_networks()), Likelihoods(random_networks())
    situation = situations(play(deal(board="Ks7d2h4c9s"), "c x | x x").events)[-1]
    prepared.prepare(situation.board)
    assert (prepared.probabilities(situation) == surprised.probabilities(situation)).all()


@given(
    st.lists(st.floats(-3e4, 3e4, width=32), min_size=8, max_size=8),
    st.lists(st.booleans(), min_size=8, max_size=8).filter(any),
)
def test_probabilities_are_those_of_softmax(numbers: list[float], possible: list[bool]) -> None:
    """Also of numbers whose exponentials no float can hold, and of impossible choices far above all others."""
    mask = np.array(possible)
    (row,) = softmax(np.array([numbers], dtype=np.float32), mask)
    given = np.array(numbers, dtype=np.float32).astype(np.float64)[mask]
    odds = np.exp(given - given.max())
    np.testing.assert_allclose(row[mask], odds / odds.sum(), atol=1e-6)
    assert (row[~mask] == 0).all()
