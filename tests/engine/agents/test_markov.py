"""The Markov reader against sums over all paths of categories, and what a prediction promises."""

import random
from collections import Counter
from itertools import product

import msgspec
import numpy as np
import pytest

from engine.agents import markov
from engine.agents.agent import ActionClass, UnderstoodAction
from engine.agents.fold.understand import understand
from engine.agents.markov import (
    ACTION_CLASSES,
    CATEGORIES,
    CLASS_NUMBERS,
    POSSIBLE_MOVES,
    HandCategory,
    MarkovCounts,
    MarkovModel,
    MarkovReader,
    decode_counts,
    default_model,
    encode_counts,
    hand_categories,
)
from engine.agents.posterior import posterior_of
from engine.agents.readers import make_reader
from engine.cards import (
    CARD_COUNT,
    COMBO_COUNT,
    Card,
    Street,
    cards_of,
    combo_of,
    parse_cards,
    rank_of,
    relabel_suits,
    unblocked,
)
from engine.equity.checks import EquityError
from engine.game.observation import Observation
from engine.resources import ResourceError, read_text
from engine.strength import Category, best_five, category_of, strength
from tests.engine.agents.hands import deal, play


def counts_at_random(seed: int) -> MarkovCounts:
    """Counts that could be, rare ones and none among them."""
    random = np.random.default_rng(seed)
    moves = np.where(POSSIBLE_MOVES, random.integers(0, 40, (3, CATEGORIES, CATEGORIES)), 0)
    actions = random.integers(0, 60, (4, 2, CATEGORIES, ACTION_CLASSES)) * random.integers(
        0, 2, (4, 2, CATEGORIES, ACTION_CLASSES)
    )
    actions[:, 0, :, [0, 2]] = 0  # who faces no bet neither folds nor calls
    actions[:, 1, :, 1] = 0  # and who faces one does not check
    starts = np.append(random.integers(1, 90, 4), np.zeros(CATEGORIES - 4, np.int64))
    return MarkovCounts({"made up": 1}, starts, moves, actions)


def smoothed(count: int, row: list[int]) -> float:
    """A count's probability among the possibilities of its row, each seen once more."""
    return (count + 1) / (sum(row) + len(row))


def step(counts: MarkovCounts, street: int, before: int, after: int) -> float:
    row = [int(counts.moves[street, before, c]) for c in range(CATEGORIES) if POSSIBLE_MOVES[before, c]]
    return smoothed(int(counts.moves[street, before, after]), row) if POSSIBLE_MOVES[before, after] else 0.0


def chance(counts: MarkovCounts, action: UnderstoodAction, category: int) -> float:
    numbers = [0, 2, 3, 4, 5] if action.is_facing_bet else [1, 3, 4, 5]
    number = CLASS_NUMBERS[action.action_class]
    if number not in numbers:
        return 1.0
    row = counts.actions[action.street, int(action.is_facing_bet), category]
    return smoothed(int(row[number]), [int(row[n]) for n in numbers])


def sum_over_paths(counts: MarkovCounts, actions: list[UnderstoodAction], street: Street) -> list[float]:
    """P(the actions, category on the street), every path of categories by itself."""
    totals = [0.0] * CATEGORIES
    for path in product(range(4), *[range(CATEGORIES)] * street):
        starts = [int(count) for count in counts.starts[:4]]
        probability = smoothed(starts[path[0]], starts)
        for at in range(street):
            probability *= step(counts, at, path[at], path[at + 1])
        for action in actions:
            probability *= chance(counts, action, path[action.street])
        totals[path[-1]] += probability
    return totals


def hand_on_the_river() -> Observation:
    """Three players see a flop; the big blind check-raises, bets the turn and has acted on the river."""
    table = deal([10_000] * 4, hole_cards={3: "AhJh"}, board="AcTd4hQc5c")
    return play(table, "f 300 c c | x x 200 700 f c | 900 c | x 2500").observe(3)


def actions_of(observation: Observation, seat: int) -> list[UnderstoodAction]:
    return [action for action in understand(observation.events) if action.seat == seat]


# The model


@pytest.mark.every(4)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("street", [Street.PREFLOP, Street.FLOP, Street.TURN, Street.RIVER])
def test_forward_is_the_sum_over_all_paths(seed: int, street: Street) -> None:
    counts = counts_at_random(seed)
    observation = hand_on_the_river()
    for seat in (0, 1, 2):
        actions = [action for action in actions_of(observation, seat) if action.street <= street]
        prior, likelihoods = MarkovModel(counts).forward(actions, street)
        assert prior == pytest.approx(sum_over_paths(counts, [], street), rel=1e-12)
        assert len(likelihoods) == len(actions)
        for likelihood in likelihoods:
            assert ((likelihood > 0) & (likelihood <= 1 + 1e-12)).all()
        joint = np.prod([prior, *likelihoods], axis=0)
        assert joint == pytest.approx(sum_over_paths(counts, actions, street), rel=1e-10)


def test_an_action_says_of_the_category_on_its_own_street_what_was_counted() -> None:
    counts = counts_at_random(7)
    (action,) = actions_of(play(deal([10_000] * 3), "300").observe(1), 0)
    _, (likelihood,) = MarkovModel(counts).forward([action], Street.PREFLOP)
    expected = [chance(counts, action, category) for category in range(4)]
    assert likelihood[:4] == pytest.approx(expected, rel=1e-12)


def test_the_fold_of_a_free_check_says_nothing() -> None:
    folded = play(deal([10_000] * 3), "c c f").observe(0)
    action = actions_of(folded, 2)[-1]
    assert (action.action_class, action.is_facing_bet) == (ActionClass.FOLD, False)
    assert (MarkovModel(counts_at_random(1)).emission(action) == 1).all()


def test_choices_share_probability_one() -> None:
    model = default_model()
    base = actions_of(hand_on_the_river(), 1)[0]
    preflop = [ActionClass.OPEN_RAISE, ActionClass.THREE_BET, ActionClass.FOUR_BET]
    postflop = [ActionClass.HALF_POT, ActionClass.THREE_QUARTER_POT, ActionClass.OVERBET]
    for street in Street:
        raises = postflop if street else preflop
        for facing, passive in ((False, [ActionClass.CHECK]), (True, [ActionClass.FOLD, ActionClass.CALL])):
            found = sum(
                model.emission(
                    msgspec.structs.replace(base, street=street, is_facing_bet=facing, action_class=action_class)
                )
                for action_class in (*passive, *raises)
            )
            assert found == pytest.approx(np.ones(CATEGORIES))


def test_hands_move_only_where_the_model_lets_them() -> None:
    random = np.random.default_rng(5)
    seen = np.zeros_like(POSSIBLE_MOVES)
    for _ in range(150):
        board = [Card(int(card)) for card in random.choice(CARD_COUNT, 5, replace=False)]
        for size, later in ((0, 3), (3, 4), (4, 5)):
            before, after = hand_categories(tuple(board[:size])), hand_categories(tuple(board[:later]))
            live = unblocked(board)
            seen[before[live], after[live]] = True
    assert not (seen & ~POSSIBLE_MOVES).any()
    assert seen.sum() > 30
    assert all(POSSIBLE_MOVES[category, category] for category in HandCategory)


# The shipped counts


def test_the_shipped_counts_are_of_real_hands_and_possible() -> None:
    counts = decode_counts(read_text(markov.RESOURCE))
    assert set(counts.hands) == {"pluribus", "bovada_6max"}
    assert not counts.moves[:, ~POSSIBLE_MOVES].any()
    assert not counts.starts[4:].any()
    dealt = counts.starts.sum()
    # Pocket pairs are 78 of 1326 hands, and 30 of them are tens or higher: within four standard errors.
    for categories, share in (((2, 3), 78 / 1326), ((3,), 30 / 1326)):
        found = counts.starts[list(categories)].sum() / dealt
        assert found == pytest.approx(share, abs=4 * (share * (1 - share) / dealt) ** 0.5)


def test_better_hands_are_bet_more_often() -> None:
    # Every counted street agrees with poker: sets and full houses are bet more often than small high cards.
    base = actions_of(hand_on_the_river(), 1)[-1]
    for street in (Street.FLOP, Street.TURN, Street.RIVER):
        check = msgspec.structs.replace(
            base, street=street, is_facing_bet=False, action_class=ActionClass.CHECK, size_over_pot=0.0
        )
        checked = default_model().emission(check)
        assert checked[HandCategory.THREE_OF_A_KIND] < checked[HandCategory.SMALL_PAIR]


def test_counts_survive_being_stored() -> None:
    counts = counts_at_random(3)
    again = decode_counts(encode_counts(counts))
    assert again.hands == counts.hands
    for name in ("starts", "moves", "actions"):
        assert (getattr(again, name) == getattr(counts, name)).all()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda file: file | {"schema": 99},
            r"has the version 99, and this program reads 1; install the app anew\.$",
        ),
        (lambda file: {name: file[name] for name in file if name != "schema"}, r"has the version None, "),
        (lambda file: file | {"starts": [1, 2]}, r"is broken: the shape of starts is \(2,\), not \(11,\);"),
        (lambda file: file | {"moves": [[[1]], [[1, 2]]]}, r"is broken: .*; install the app anew\.$"),
        (lambda file: file | {"starts": [-1] * 11}, r"is broken: starts are counts of 0 to "),
        (lambda file: file | {"starts": [10**30] * 11}, r"is broken: .*; install the app anew\.$"),
        (lambda file: file | {"starts": [0.5] * 11}, r"is broken: .*; install the app anew\.$"),
        (lambda file: file | {"extra": 1}, r"is broken: .*; install the app anew\.$"),
        (lambda file: {"schema": 1}, r"is broken: .*; install the app anew\.$"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(change: object, sentence: str) -> None:
    file = msgspec.json.decode(read_text(markov.RESOURCE))
    with pytest.raises(ResourceError, match=r"^The app's file resources/markov_reader\.json " + sentence):
        decode_counts(msgspec.json.encode(change(file)).decode())  # type: ignore[operator]


@pytest.mark.parametrize("text", ["", "[]", "no JSON", '{"schema": 1', "null"])
def test_what_is_no_model_is_refused(text: str) -> None:
    with pytest.raises(
        ResourceError, match=r"^The app's file resources/markov_reader\.json .*install the app anew\.$"
    ):
        decode_counts(text)


# The reader


def test_the_posterior_is_the_forward_probability_shared_out_over_the_combos_left() -> None:
    counts = counts_at_random(11)
    observation = hand_on_the_river()
    categories = hand_categories(observation.board)
    live = unblocked((*observation.board, *observation.hole_cards))
    reader = MarkovReader(MarkovModel(counts))
    for seat in (0, 1, 2):
        made = reader.predict(observation, seat)
        joint = sum_over_paths(counts, actions_of(observation, seat), Street.RIVER)
        left = [int((live & (categories == category)).sum()) for category in range(CATEGORIES)]
        total = sum(joint[category] for category in range(CATEGORIES) if left[category])
        expected = [
            joint[categories[combo]] / left[categories[combo]] / total if live[combo] else 0.0
            for combo in range(len(categories))
        ]
        assert made.posterior == pytest.approx(np.array(expected), rel=1e-4, abs=1e-9)


def test_prior_times_likelihoods_is_the_posterior() -> None:
    observation = hand_on_the_river()
    for made in make_reader("markov").read(observation):
        assert (made.posterior == posterior_of(made.prior, made.updates)).all()
        running = made.prior.astype(np.float64)
        for update in made.updates:
            assert update.replaces is None
            assert update.mean_likelihood == pytest.approx(float(running @ update.likelihood), rel=1e-5)
            assert update.likelihood.max() <= 1
            running = running * update.likelihood / float(running @ update.likelihood)
        assert made.posterior == pytest.approx(running, rel=1e-4, abs=1e-9)


def test_a_street_without_an_action_moves_the_categories_on() -> None:
    # A pair of the board is everybody's: with the turn it comes, all high cards go.
    table = play(deal([10_000] * 2, hole_cards={0: "AhJh"}, board="KcTd4hTc5c"), "300 c | x x")
    observation = table.observe(0)
    assert len(observation.board) == 4
    made = make_reader("markov").predict(observation, 1)
    categories = hand_categories(observation.board)
    assert not (made.posterior[categories < HandCategory.SMALL_PAIR]).any()
    assert made.posterior.sum() == pytest.approx(1, abs=1e-6)


def test_hands_of_one_category_are_not_told_apart() -> None:
    observation = hand_on_the_river()
    made = make_reader("markov").predict(observation, 2)
    kings, fives = combo_of(*parse_cards("KdKs")), combo_of(*parse_cards("JsJd"))
    assert hand_categories(observation.board)[kings] == hand_categories(observation.board)[fives]
    assert made.posterior[kings] == made.posterior[fives] > 0


@pytest.mark.parametrize("permutation", [(1, 0, 3, 2), (3, 0, 1, 2), (2, 3, 0, 1)])
def test_suits_have_no_names(permutation: tuple[int, ...]) -> None:
    def posterior(own: str, board: str, relabel: bool) -> np.ndarray:
        change = permutation if relabel else (0, 1, 2, 3)
        texts = [
            "".join(
                "23456789TJQKA"[card >> 2] + "cdhs"[card & 3] for card in relabel_suits(parse_cards(cards), change)
            )
            for cards in (own, board)
        ]
        table = play(deal([10_000] * 3, hole_cards={0: texts[0]}, board=texts[1]), "300 c c | x x 300 c f | 800")
        return np.array(make_reader("markov").predict(table.observe(0), 1).posterior)

    plain, changed = posterior("AhJh", "AcTd4hQc5c", False), posterior("AhJh", "AcTd4hQc5c", True)
    for first in range(CARD_COUNT):
        for second in range(first):
            cards = relabel_suits((Card(first), Card(second)), permutation)
            assert changed[combo_of(*cards)] == pytest.approx(plain[combo_of(first, second)], rel=1e-5)


def test_it_remembers_nobody() -> None:
    table = play(deal([10_000] * 2, hole_cards={0: "AhJh"}, board="KcTd4hTc5c"), "300 c | x 400 c | x x | x x")
    reader = make_reader("markov")
    before = reader.predict(table.observe(0), 1).posterior
    for _ in range(20):
        reader.learn(table.observe(0).events)
    assert (reader.predict(table.observe(0), 1).posterior == before).all()


TEN = 8


def slow_category(hole_cards: tuple[Card, ...], board: tuple[Card, ...]) -> HandCategory:
    """Judge one hand by its best five cards, read one by one."""
    if not board:
        is_big = max(map(rank_of, hole_cards)) >= TEN
        is_pair = rank_of(hole_cards[0]) == rank_of(hole_cards[1])
        return HandCategory(2 * is_pair + is_big)
    cards = (*hole_cards, *board)
    category = category_of(strength(cards))
    if category is Category.HIGH_CARD:
        return HandCategory(int(max(map(rank_of, hole_cards)) >= TEN))
    if category is Category.PAIR:
        ranks = Counter(map(rank_of, best_five(cards)))
        return HandCategory(2 + (ranks.most_common(1)[0][0] >= TEN))
    return HandCategory[category.name]


@pytest.mark.every(4)
@pytest.mark.parametrize("size", [0, 3, 4, 5])
def test_every_combo_is_in_the_category_of_its_best_five_cards(size: int) -> None:
    rng = random.Random(size)
    for _ in range(1 if size == 0 else 6):
        board = tuple(Card(card) for card in rng.sample(range(CARD_COUNT), size))
        found = hand_categories(board)
        live = unblocked(board)
        assert found.shape == (COMBO_COUNT,)
        assert (found[~live] == -1).all()
        for combo in np.flatnonzero(live).tolist():
            assert found[combo] == slow_category(cards_of(combo), board)


def test_before_the_flop_there_are_four() -> None:
    # Pairs: 5 big ranks and 8 small ones, 6 combos each. Small high cards: C(8, 2) pairs of ranks, 16 combos each.
    assert np.bincount(hand_categories(())).tolist() == [28 * 16, 1326 - 78 - 28 * 16, 48, 30]


@pytest.mark.parametrize(
    ("hole_cards", "board", "expected"),
    [
        ("Ah9d", "", HandCategory.BIG_HIGH_CARD),  # the paper's examples
        ("8h4d", "", HandCategory.SMALL_HIGH_CARD),
        ("KhKd", "", HandCategory.BIG_PAIR),
        ("5h5d", "", HandCategory.SMALL_PAIR),
        ("9h8h", "AcKd2s", HandCategory.SMALL_HIGH_CARD),  # the hole cards decide, not the board's ace
        ("Ah8h", "TcTd2s", HandCategory.BIG_PAIR),  # a pair on the board is everybody's
        ("Ah2h", "AcAd2s", HandCategory.FULL_HOUSE),
        ("Ah5h", "2h3h4h", HandCategory.STRAIGHT_FLUSH),
    ],
)  # fmt: skip
def test_examples(hole_cards: str, board: str, expected: HandCategory) -> None:
    assert hand_categories(parse_cards(board))[combo_of(*parse_cards(hole_cards))] == expected


def test_cards_that_are_no_board_are_refused() -> None:
    with pytest.raises(EquityError, match="A board has 0, 3, 4 or 5 cards, not 2"):
        hand_categories(parse_cards("AhKh"))
    with pytest.raises(EquityError, match="The card Ah is twice on the board"):
        hand_categories((Card(50), Card(50), Card(1)))
