"""The model of play is sound: bigger bets are folded to more, tiny ones to little, and the nuts never."""

from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.agents.agent import CALLING_DOWN, LARGE_BETS
from engine.agents.learned.combo_features import shares_weaker
from engine.agents.learned.network import stored_likelihoods
from engine.agents.learned.reader import LearnedReader
from engine.agents.learned.situations import ActionChoice, situations
from engine.agents.learned.tilts import CONTEXTS, USUAL_TIGHTNESS, context_of, stage_of, strengths_on
from engine.agents.soulread.play import actions_of, kind_strengths, moment_of, play_of, rows_on, ways_on
from engine.cards import CARD_COUNT, COMBO_COUNT, Card, Street, combo_of, parse_cards, unblocked
from engine.game.events import CALL, CHECK, FOLD, Action, ActionTaken, GameKind, PublicEvent, SeatStart, raise_to
from engine.game.observation import Observation
from engine.game.rules import TableRules
from engine.game.table import Table
from engine.kernels import playing
from tests.engine.agents.hands import deal, play, turn_of

SIZES = (0.1, 0.2, 0.33, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0)
SPOTS = 30


class Answers(NamedTuple):
    """How often hands fold to a first bet after the flop.

    Attributes
    ----------
    folds : ndarray of float64, shape (sizes, hands)
    sizes : tuple of float
        Those of `SIZES` that are legal there.
    strengths : ndarray of float64, shape (hands,)
        Share of hands that each one beats.
    """

    street: Street
    players: int
    sizes: tuple[float, ...]
    folds: NDArray[np.float64]
    strengths: NDArray[np.float64]


@cache
def answers() -> tuple[Answers, ...]:
    """Return some of generated spots: 2 to 4 players, a raise before the flop, checks up to one bet."""
    rng = np.random.default_rng(14)
    return tuple(_answers(rng, 2 + at % 3, Street(1 + at // 3 % 3)) for at in range(SPOTS))


def _answers(rng: np.random.Generator, players: int, street: Street) -> Answers:
    deck = [Card(card) for card in rng.permutation(CARD_COUNT).tolist()]
    depth = int(rng.choice([8_000, 20_000]))
    actions: list[Action] = [raise_to(int(rng.choice([300, 1000]))), *[CALL] * (players - 1)]
    actions += [CHECK] * (players * (street - 1))
    before = turn_of(_played(deck, players, depth, actions))
    legal = before.legal
    assert legal is not None
    totals = {size: int(size * before.pot) for size in SIZES}
    totals = {size: to for size, to in totals.items() if legal.min_raise_to <= to < legal.max_raise_to}
    strengths, are_live = shares_weaker(before.board), unblocked(before.board)
    live = np.flatnonzero(are_live & ((np.arange(COMBO_COUNT) % 13 == 0) | (strengths > 0.998)))
    folds = [
        _folds(turn_of(_played(deck, players, depth, [*actions, raise_to(to)])), live) for to in totals.values()
    ]
    return Answers(street, players, tuple(totals), np.array(folds), strengths[live])


def _played(deck: list[Card], players: int, depth: int, actions: list[Action]) -> Table:
    table = Table(
        hand_number=1,
        kind=GameKind.CASH,
        seats=[SeatStart(seat, f"p{seat}", depth) for seat in range(players)],
        button=0 if players < 4 else 1,
        rules=TableRules(50, 100),
        deck=deck,
    )
    for action in actions:
        table.apply(action)
    return table


def _folds(observation: Observation, combos: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return how often each combo folds for the seat to act."""
    return _chosen(observation, combos)[:, playing.FOLDS]


def _chosen(
    observation: Observation, combos: NDArray[np.int64], how: playing.Play | None = None
) -> NDArray[np.float64]:
    """Return P(choice | combo) for the seat to act, by the kernel; by default of an average player."""
    likelihoods = stored_likelihoods().at(len(observation.seats))
    moment, how = moment_of(observation), how or play_of(observation, LearnedReader(adapts=False))
    network = likelihoods.networks.postflop
    scratch = playing.new_scratch(len(network.situation), len(network.first_bias), len(network.second_bias))
    rows, kinds = rows_on(likelihoods, observation.board), likelihoods.first_layer(observation.board)[1]
    strengths = shares_weaker(observation.board)
    found = []
    for combo in combos.tolist():
        playing.choose(moment, how, rows[kinds[combo]], strengths[combo], scratch)
        found.append(scratch.numbers.copy())
    return np.array(found)


@pytest.mark.parametrize(
    ("stacks", "words", "largest"),
    [
        # Heads-up the button acts first before the flop, the big blind after it.
        ((1_000, 20_000), "c x |", 900),
        ((280, 20_000), "c x |", 180),
        ((20_000, 280), "c x | x", 180),
        ((150, 20_000), "c x |", 100),
        ((20_000, 280), "", 280),
        ((3_000, 20_000, 1_000), "c c x |", 2_900),
        ((3_000, 20_000, 1_000), "f c x |", 900),
    ],
)
def test_nobody_bets_more_than_others_can_call(stacks: tuple[int, ...], words: str, largest: int) -> None:
    observation = turn_of(play(deal(stacks), words))
    assert max(action.raise_to for action in actions_of(observation)) == largest
    assert observation.legal is not None
    own = raise_to(observation.legal.max_raise_to)
    assert actions_of(observation, [own])[-1] == own


def test_who_puts_in_nearly_all_puts_in_all() -> None:
    for behind in range(300, 2_000, 50):
        observation = turn_of(play(deal((behind, 20_000)), "c x |"))
        least, *between, most = (action.raise_to for action in actions_of(observation)[1:])
        assert (least, most) == (100, behind - 100)
        assert all(total < 0.85 * most for total in between)


def test_bigger_bets_are_folded_to_more() -> None:
    """Ranges do; of single hands few fold 0.02 less to the next bigger bet, and none 0.1."""
    drops = []
    for spot in answers():
        means = spot.folds.mean(axis=1)
        assert (np.diff(means) > -0.01).all(), (spot.street, spot.players, spot.sizes, means)
        drops.append(-np.diff(spot.folds, axis=0).ravel())
    every = np.concatenate(drops)
    assert every.max() < 0.1
    assert (every > 0.02).mean() < 0.01


def test_the_nuts_never_fold_on_the_river() -> None:
    best = [spot for spot in answers() if spot.street is Street.RIVER and spot.strengths.max() > 0.998]
    assert len(best) >= 2
    for spot in best:
        assert spot.folds[:, spot.strengths > 0.998].max() == 0


class _KnowsThatAllBet(LearnedReader):
    """Has counted how many bets of twelve everybody made, where most would have made five."""

    bets = 10

    def counts(self, name: str) -> NDArray[np.float64]:
        counts = super().counts(name)
        counts[CONTEXTS.index("betting the flop")] = [[0, 12 - self.bets, self.bets], [0, 7, 5]]
        return counts


def test_the_player_goes_on_better_than_an_average_one() -> None:
    """In the sound ways strong hands bet more often, weak ones call less; who calls down hardly folds any."""
    deck = [Card(card) for card in np.random.default_rng(3).permutation(CARD_COUNT)]
    reader = _KnowsThatAllBet(adapts=False)
    checked, bet = [CALL, CHECK, CHECK, CHECK, CHECK], [CALL, CHECK, CHECK, CHECK, raise_to(150)]
    for actions, column in ((checked, None), (bet, playing.FOLDS)):
        observation = turn_of(_played(deck, 2, 10_000, actions))
        strengths, live = shares_weaker(observation.board), unblocked(observation.board)
        weak, strong = np.flatnonzero(live & (strengths < 0.3)), np.flatnonzero(live & (strengths > 0.95))
        for at, how in enumerate(ways_on(observation, reader).values()):
            average, own = ([_chosen(observation, combos, one) for combos in (weak, strong)] for one in (None, how))
            if column is None:
                bets = [[table[:, playing.SMALL :].sum(axis=1).mean() for table in one] for one in (average, own)]
                assert (bets[1][1] > bets[0][1]) == (at < 2)
                assert bets[1][1] > bets[1][0]
            elif at < 2:
                assert own[0][:, column].mean() > average[0][:, column].mean()
                assert own[1][:, column].mean() <= average[1][:, column].mean()
            else:
                assert max(table[:, column].mean() for table in own) < 0.2 < average[0][:, column].mean()


def test_opponents_go_on_as_they_are_known_in_every_way() -> None:
    deck = [Card(card) for card in range(CARD_COUNT)]
    observation = turn_of(_played(deck, 2, 10_000, []))
    reader = _KnowsThatAllBet(adapts=False)
    assert CALLING_DOWN not in ways_on(observation, LearnedReader(adapts=False))
    assert list(ways_on(observation, reader)) == ["", LARGE_BETS, CALLING_DOWN]
    assert CALLING_DOWN not in ways_on(turn_of(_played(deck, 3, 10_000, [])), reader)
    # Twelve chances of 5/12 have a deviation of 1.7: 8 is not two of them more, and 9 is.
    for reader.bets, is_much in ((8, False), (9, True)):
        assert (CALLING_DOWN in ways_on(observation, reader)) == is_much
    known, own = play_of(observation, reader), [view.seat for view in observation.seats].index(observation.seat)
    for way in ways_on(observation, reader).values():
        for name in ("factors", "leanings"):
            before, after = getattr(known, name), getattr(way, name)
            assert (np.delete(before, own, axis=0) == np.delete(after, own, axis=0)).all()
            assert (before[own] != after[own]).any()


def test_every_combo_has_its_own_strength() -> None:
    """Also where a combo that the board blocks has its kind: Kc is one of the kings without a heart."""
    likelihoods = stored_likelihoods().heads_up
    for board in map(parse_cards, ("", "Kc 8h 5h", "Kc 8h 5h 5d", "Kc 8h 5h 5d 2s")):
        strengths, kinds = kind_strengths(likelihoods, board), likelihoods.first_layer(board)[1]
        live = unblocked(board)
        assert np.array_equal(strengths[kinds[live]], shares_weaker(board)[live])


def test_a_tenth_of_a_pot_is_folded_to_less_than_half_a_pot() -> None:
    """Heads-up by far; of three and four players random hands fold 0.27 to 0.82 times as often, measured."""
    spots = [spot for spot in answers() if spot.sizes[0] == 0.1]
    assert {spot.players for spot in spots} == {2, 3, 4}
    for spot in spots:
        least, half = spot.folds[0].mean(), spot.folds[spot.sizes.index(0.5)].mean()
        assert least < (0.4 if spot.players == 2 else 0.85) * half


@pytest.mark.parametrize(
    ("word", "part"), [("250", 1.0), ("250 900", 1.0), ("250 900 2200", 1 / 4), ("250 900 2200 5000", 1 / 16)]
)
def test_four_bets_and_more_are_folded_to_less_than_the_networks_say(word: str, part: float) -> None:
    """By their odds of folding against calling, of hands that are not among the very best."""
    table = play(deal((10_000,) * 6), f"f f {word}")
    observation, likelihoods = turn_of(table), stored_likelihoods().at(6)
    (*_, situation) = situations(play(deal((10_000,) * 6), f"f f {word} c").events)
    usual = likelihoods.probabilities(situation)
    combos = np.flatnonzero(shares_weaker(()) < 0.98)[::17]
    folds, calls = _chosen(observation, combos)[:, [playing.FOLDS, playing.CALLS]].T
    expected = usual[combos, playing.FOLDS] / usual[combos, playing.CALLS]
    np.testing.assert_allclose(folds / calls, part * expected, rtol=1e-3)


@pytest.mark.parametrize(("total", "part"), [(400, 1.0), (3_100, 1.0), (6_100, 2.0), (10_000, 99 / 30)])
@pytest.mark.parametrize("players", [2, 6])
def test_limpers_fold_to_dear_raises_more_than_the_networks_say(players: int, total: int, part: float) -> None:
    """By their odds of folding against calling, of hands not among the very best; others as the networks say."""
    stacks, folds_before = (10_000,) * players, "f " * (players - 3)
    for words, limps in (
        (f"{folds_before}c {'f ' * (players > 2)}{total}", True),
        (f"{folds_before}{total}", False),
    ):
        table = play(deal(stacks), words)
        observation, likelihoods = turn_of(table), stored_likelihoods().at(players)
        (*_, situation) = situations(play(deal(stacks), f"{words} c").events)
        assert (CONTEXTS[context_of(situation)] == "facing a raise after limping") == limps
        usual = likelihoods.probabilities(situation)
        combos = np.flatnonzero(shares_weaker(()) < 0.98)[::17]
        folds, calls = _chosen(observation, combos)[:, [playing.FOLDS, playing.CALLS]].T
        expected = usual[combos, playing.FOLDS] / usual[combos, playing.CALLS]
        np.testing.assert_allclose(folds / calls, (part if limps else 1) * expected, rtol=1e-3)


@pytest.mark.parametrize("seed", range(30))
def test_what_is_known_of_a_player_shifts_choices_where_the_reader_learned_it(seed: int) -> None:
    """The kernel finds the contexts, strengths and tightness of the reader again, whoever has come in or not."""
    rng = np.random.default_rng([14, seed])
    deck = [Card(card) for card in rng.permutation(CARD_COUNT).tolist()]
    table = _played(deck, int(rng.integers(2, 7)), 20_000, [])
    while table.to_act is not None:
        observation = turn_of(table)
        legal = observation.legal
        assert legal is not None
        passive = CHECK if legal.can_check else CALL
        combo = combo_of(*observation.hole_cards)
        (*_, situation) = situations(_with(observation, passive))
        if legal.can_raise:
            choice = ActionChoice.CHECK if legal.can_check else ActionChoice.CALL
            plain, shifted = (_odds_of(observation, combo, choice, shift=shift) for shift in (False, True))
            strong = strengths_on(observation.board)[combo]
            leaning = (1 + stage_of(situation)) * strong[choice] + strong[ActionChoice.ALL_IN]
            expected = (2 + context_of(situation)) * np.exp(leaning)
            assert shifted / plain == pytest.approx(expected, rel=1e-3)
        is_best = shares_weaker(())[combo] > 0.98  # and so never folds
        if observation.street is Street.PREFLOP and not legal.can_check and not is_best:
            tightness = stored_likelihoods().at(len(observation.seats)).tightness(situation)
            is_raised, slopes = min(situation.raises, 1), (0.3, -0.2)
            plain, shifted = (_odds_of_going_on(observation, pair) for pair in ((0.0, 0.0), slopes))
            above = (tightness - USUAL_TIGHTNESS[is_raised]) * min(3000 / legal.call_amount, 1) ** 0.5
            assert shifted / plain == pytest.approx(np.exp(slopes[is_raised] * above), rel=1e-3)
        raises = legal.can_raise and rng.random() < 0.3
        folds = not legal.can_check and rng.random() < 0.3
        total = legal.max_raise_to if rng.random() < 0.2 else min(3 * legal.min_raise_to // 2, legal.max_raise_to)
        table.apply(raise_to(total) if raises else FOLD if folds else passive)


def _with(observation: Observation, passive: Action) -> tuple[PublicEvent, ...]:
    """Return the events of a hand with a check or call of the seat to act."""
    me, legal = observation.me, observation.legal
    assert legal is not None
    to_call = legal.call_amount
    taken = ActionTaken(
        seat=me.seat,
        street=observation.street,
        action=passive,
        amount=to_call,
        is_all_in=to_call == me.stack,
        to_call=to_call,
        pot=observation.pot,
        stack=me.stack,
        bet=me.bet,
    )
    return (*observation.events, taken)


def _odds_of_going_on(observation: Observation, slopes: tuple[float, float]) -> float:
    """Return the odds of not folding before the flop, of players who are so much looser where most fold."""
    how = play_of(observation, LearnedReader(adapts=False))
    how.where_most_fold[:] = slopes
    folds = _chosen(observation, np.array([combo_of(*observation.hole_cards)]), how)[0, playing.FOLDS]
    return float((1 - folds) / folds)


def _odds_of(observation: Observation, combo: int, choice: ActionChoice, *, shift: bool) -> float:
    """Return the odds of a check or call against going all-in, by other factors in each context if shifted."""
    likelihoods = stored_likelihoods().at(len(observation.seats))
    how = play_of(observation, LearnedReader(adapts=False))
    if shift:
        how.factors[:, :, :, choice] = 2 + np.arange(playing.CONTEXTS)[:, None]
        how.leanings[:, :, choice] = 1 + np.arange(3)
        how.leanings[:, :, ActionChoice.ALL_IN] = -1
    network = likelihoods.networks.postflop
    scratch = playing.new_scratch(len(network.situation), len(network.first_bias), len(network.second_bias))
    row = rows_on(likelihoods, observation.board)[likelihoods.first_layer(observation.board)[1][combo]]
    playing.choose(moment_of(observation), how, row, shares_weaker(observation.board)[combo], scratch)
    return float(scratch.numbers[choice] / scratch.numbers[playing.ALL_IN])
