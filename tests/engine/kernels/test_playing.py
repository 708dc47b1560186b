"""The kernels' betting and features against the rules and `situations`, action by action."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.agents.learned.network import stored_likelihoods
from engine.agents.learned.reader import LearnedReader
from engine.agents.learned.situations import ActionChoice, Situation, situations
from engine.agents.soulread.play import choice_of, moment_of, play_of, rows_on
from engine.cards import Card, Combo, Street, cards_of
from engine.game.events import ActionKind, GameKind, SeatStart, raise_to
from engine.game.observation import Observation
from engine.game.rules import TableRules, pots_of
from engine.game.table import Table
from engine.kernels import playing
from engine.kernels.rollouts import winnings

KINDS = {
    ActionKind.FOLD: playing.FOLDS,
    ActionKind.CHECK: playing.CHECKING,
    ActionKind.CALL: playing.CALLS,
    ActionKind.RAISE: playing.SMALL,
}


def _table(rng: np.random.Generator, players: int) -> Table:
    big_blind = int(rng.choice([2, 20, 100]))
    stacks = [int(big_blind * bb) for bb in rng.choice([1, 3, 10, 40, 100, 250, 500], size=players)]
    return Table(
        hand_number=1,
        kind=GameKind.CASH,
        seats=[SeatStart(seat, f"p{seat}", stack) for seat, stack in enumerate(stacks)],
        button=int(rng.integers(players)),
        rules=_rules(rng, big_blind),
        deck=[Card(card) for card in rng.permutation(52).tolist()],
    )


def _rules(rng: np.random.Generator, big_blind: int) -> TableRules:
    """Return stakes: half of the time blinds and an ante, otherwise all that a format can add."""
    small_blind, ante = big_blind // 2, int(rng.choice([0, big_blind // 2]))
    if rng.random() < 0.5:
        return TableRules(small_blind, big_blind, ante)
    for_all, straddle, most = rng.choice([0, big_blind]), rng.choice([0, 2, 3]) * big_blind, rng.choice([0, 1, 4])
    return TableRules(
        *(small_blind, big_blind, ante, int(most), int(for_all), int(straddle)),
        counts_bets=False,
        raises_to_twice=bool(rng.integers(2)),
    )


def _act(rng: np.random.Generator, table: Table) -> tuple[int, int]:
    """Take a legal action at random, and return it as the kernels take it."""
    legal = table.legal_actions()
    assert legal is not None
    choices = [playing.CHECKING if legal.can_check else playing.CALLS] * 3
    choices += [] if legal.can_check else [playing.FOLDS]
    choices += [playing.SMALL] * 2 if legal.can_raise else []
    chosen = int(rng.choice(choices))
    total = 0
    if chosen == playing.SMALL:
        total = min(legal.max_raise_to, legal.min_raise_to + int(rng.choice([0, 0, 3, 50, 10_000])))
    kind = next(kind for kind, code in KINDS.items() if code == chosen)
    table.apply(raise_to(total) if total else type(raise_to(1))(kind))
    return chosen, total


@settings(max_examples=120)
@given(st.integers(0, 2**32 - 1), st.integers(2, 10))
def test_a_hand_goes_on_by_the_rules(seed: int, players: int) -> None:
    rng = np.random.default_rng(seed)
    table = _table(rng, players)
    if table.to_act is None:
        return
    moment = moment_of(table.observe(table.to_act))
    street, unmatched = Street.PREFLOP, 0
    while (seat := table.to_act) is not None:
        observation = table.observe(seat)
        if observation.street > street:
            assert moment.hand[playing.TO_ACT] == -1
            playing.deal_street(moment)
            street, unmatched = Street(street + 1), 0
            assert street == observation.street
        known = moment_of(observation)
        for of_hand, of_observation in zip(moment[:3], known[:3], strict=True):
            kept = of_hand.copy()
            if kept.ndim == 2:  # how often a seat has acted: the observation's moment says whether
                kept[:, playing.ACTED] = np.minimum(kept[:, playing.ACTED], 1)
            np.testing.assert_allclose(kept, of_observation)
        legal = observation.legal
        assert legal is not None
        assert playing.raise_bounds(moment, seat) == (legal.min_raise_to, legal.max_raise_to)
        assert min(playing.owed(moment, seat), observation.me.stack) == legal.call_amount
        assert (playing.pot_of(moment), moment.hand[playing.TO_ACT]) == (observation.pot - unmatched, seat)
        chosen, total = _act(rng, table)
        unmatched = max(total - max(view.bet + view.stack for view in observation.opponents), unmatched)
        playing.act(moment, seat, chosen, total)
    folded = [bool(view) for view in moment.seats[:, playing.FOLDED]]
    strengths = rng.integers(1, 4, size=players)
    _check_winnings(moment.seats, folded, strengths, int(moment.stakes[playing.DEAD]))


def _check_winnings(
    seats: playing.Integers,
    folded: list[bool],
    strengths: np.ndarray[tuple[int], np.dtype[np.int64]],
    dead: int,
) -> None:
    """Compare the shares of all pots, uncalled bets returned, with those of the rules, odd chips divided."""
    stacks, committed = seats[:, playing.STACK].tolist(), seats[:, playing.COMMITTED].tolist()
    second, most = sorted(committed)[-2:]
    owner = committed.index(most)
    wins = [Fraction(0)] * len(committed)
    if most > second and not folded[owner]:
        wins[owner] += most - second
        stacks[owner] += most - second
        committed[owner] = second
    for chips, places in pots_of(stacks, committed, folded, dead):
        best = max(strengths[place] for place in places)
        winners = [place for place in places if strengths[place] == best]
        for place in winners:
            wins[place] += Fraction(chips, len(winners))
    for place, is_folded in enumerate(folded):
        if not is_folded:
            found = winnings(seats, place, strengths.astype(np.int16), dead)
            assert abs(found - float(wins[place])) < 1e-6


def _observed(seed: int, players: int) -> list[tuple[Observation, Situation]]:
    rng = np.random.default_rng(seed)
    table = _table(rng, players)
    seen = []
    while (seat := table.to_act) is not None:
        seen.append(table.observe(seat))
        _act(rng, table)
    return list(zip(seen, situations(table.events), strict=True))


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.integers(2, 10))
def test_a_choice_is_as_likely_as_the_networks_say(seed: int, players: int) -> None:
    """All choices but folding, whose odds are made sound: no raises where closed, only one where they are fixed."""
    likelihoods = stored_likelihoods().at(players)
    for observation, situation in _observed(seed, players):
        play = play_of(observation, LearnedReader(adapts=False))
        post = likelihoods.networks.postflop
        scratch = playing.new_scratch(len(post.situation), len(post.first_bias), len(post.second_bias))
        rows, kinds = rows_on(likelihoods, observation.board), likelihoods.first_layer(observation.board)[1]
        combo = int(np.random.default_rng(seed).integers(1326))
        if set(observation.board) & set(cards_of(Combo(combo))):
            continue  # rows of combos that the board blocks mean nothing
        playing.choose(moment_of(observation), play, rows[kinds[combo]], 0.5, scratch)
        described = situation.features[: len((play.postflop if situation.board else play.preflop).situation)]
        np.testing.assert_allclose(scratch.features[: len(described)], described, atol=1e-5)
        legal = observation.legal
        assert legal is not None
        possible = situation.possible.copy()
        possible[playing.SMALL :] &= legal.can_raise
        expected = np.where(possible, _plain(situation)[kinds[combo]], 0)
        expected[0] = found_fold = scratch.numbers[0]
        if expected[1:].sum() > 0:
            expected[1:] *= (1 - found_fold) / expected[1:].sum()
            if 0 < legal.max_raise_to < observation.me.stack + observation.me.bet:
                only = choice_of(observation, situation.raises, raise_to(legal.max_raise_to))
                covers = legal.max_raise_to >= max(view.stack + view.bet for view in observation.opponents)
                assert (only is ActionChoice.ALL_IN) is covers
                expected[playing.SMALL :] = np.where(
                    np.arange(playing.SMALL, playing.CHOICES) == only, expected[playing.SMALL :].sum(), 0
                )
            np.testing.assert_allclose(scratch.numbers, expected, atol=2e-4)


def _plain(situation: Situation) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Return what the networks say by numpy alone, sizes before the flop as they have them: a row per kind."""
    at_work = stored_likelihoods().at(situation.seats)
    rows, _ = at_work.first_layer(situation.board)
    network = at_work.networks.postflop if situation.board else at_work.networks.preflop
    known = np.clip(situation.features, network.lowest, network.highest)
    first = np.maximum(rows + known @ network.situation + network.first_bias, 0)
    second = np.maximum(first @ network.hidden + network.second_bias, 0)
    numbers = second @ network.output + network.output_bias
    numbers = np.where(situation.possible, numbers, -np.inf)
    odds = np.exp(numbers - numbers.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)
