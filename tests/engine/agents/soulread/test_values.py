"""What actions are worth, against enumerations and plain play by the rules, and whether errors are honest."""

from collections.abc import Mapping
from itertools import combinations, islice, pairwise, product

import numpy as np
import pytest
from msgspec.structs import replace

from engine.agents.agent import CALLING_DOWN, LARGE_BETS, ActionValue, Values
from engine.agents.learned.beliefs import OF_PROGRAMS
from engine.agents.learned.network import stored_likelihoods
from engine.agents.learned.reader import LearnedReader, Numbers
from engine.agents.learned.tilts import CONTEXTS
from engine.agents.soulread import dealing, values
from engine.agents.soulread import play as playing_on
from engine.agents.soulread.agent import choose
from engine.agents.styles import make_agent
from engine.cards import CARD_COUNT, Card, Combo, Street, cards_of, parse_cards
from engine.equity.question import EquityQuestion
from engine.equity.solve import solve
from engine.game.events import CALL, CHECK, FOLD, Action, ActionKind, Seat, raise_to
from engine.game.observation import Observation
from engine.game.rules import TableRules
from engine.ranges import parse_range
from tests.engine.agents.hands import deal, play, turn_of
from tests.engine.agents.soulread.spots import predicted, valued
from tests.reference.equity import strength
from tests.reference.rollouts import PlainPlay, dealt

RANGE = "AhKd,QsQd,7h7d,6c5c,Ts9s,AcTc,4h4d,KhJh"


def of(found: Values, action: Action) -> ActionValue:
    return next(one for one in found.actions if one.action == action)


def to_call(observation: Observation) -> int:
    assert observation.legal is not None
    return observation.legal.call_amount


# Where a call ends the hand, its value is the equity's


@pytest.mark.parametrize(
    ("words", "board", "deals"),
    [
        ("300 c | x 400 c | x x | 900", "Ac8d5s2h9c", 4096),
        ("300 c | x 400 c | x 9300", "Ac8d5s2h", 1200),
        ("300 c | 9700", "Ac8d5s", 2048),
        ("10000", "", 1024),
    ],
    ids=["river", "turn", "flop", "preflop"],
)
def test_a_call_that_ends_the_betting_is_worth_the_equity(words: str, board: str, deals: int) -> None:
    hero = turn_of(play(deal(board=board), words)).seat
    observation = turn_of(play(deal(hole_cards={hero: "AsJd"}, board=board), words))
    (*_, exact) = solve(EquityQuestion((parse_range("AsJd"), parse_range(RANGE)), observation.board))
    equity, pot = exact.value[0].equity, observation.pot + to_call(observation)
    found = of(valued(observation, predicted(observation, {1 - hero: RANGE}), deals), CALL)
    assert abs(found.value - (equity * pot - to_call(observation))) < 4 * found.stderr
    assert 0 < found.stderr < 0.02 * pot
    assert found.called_equity == pytest.approx(equity, abs=4 * found.stderr / pot)
    assert (found.later, found.all_fold) == (0, 0)


def test_the_error_of_a_call_goes_to_zero() -> None:
    """Combos are taken at equal distances, so that it falls as the samples, not as their root, within a board."""
    table = play(deal(hole_cards={1: "AsJd"}, board="Ac8d5s2h9c"), "300 c | x 400 c | x x | x 900")
    observation = turn_of(table)
    assert observation.seat == 1
    few, many = (
        of(valued(observation, predicted(observation, {0: RANGE}), deals), CALL).stderr for deals in (128, 8192)
    )
    assert many < few / 5
    assert many < 0.005 * observation.pot


THEIRS = {1: "AhKd,QsQd,7h7d,6c5c,KhJh", 2: "AcTc,QsQh,8h8s,Ts9s,6c6d,AhKd"}


@pytest.mark.parametrize("for_all", [0, 900])
def test_a_call_with_side_pots_is_worth_what_all_deals_give(for_all: int) -> None:
    """5,700 for a main pot of 6,000 with both, an ante for all, and a side pot of 8,000 with the deeper one."""
    rules = TableRules(50, 100, big_blind_ante=for_all)
    table = deal((6000, 2000, 10_000 + for_all), hole_cards={0: "AsJd"}, board="Ac8d5s2h", rules=rules)
    observation = turn_of(play(table, "300 c c | x x x | 1700 9700"))
    assert (observation.seat, to_call(observation)) == (0, 5700)
    found = of(valued(observation, predicted(observation, THEIRS), 4800), CALL)
    exact = by_all_deals(observation, 6000 + for_all)
    assert abs(found.value - exact) < 4 * found.stderr
    assert found.stderr < 250


def by_all_deals(observation: Observation, main: int) -> float:
    """Count the chips of the main pot with both opponents and 8,000 with the second, 5,700 paid."""
    ranges = [np.flatnonzero(parse_range(text).weights).tolist() for text in THEIRS.values()]
    total = weight = 0.0
    me = observation.hole_cards
    for first, second in product(*ranges):
        cards = (*me, *cards_of(Combo(first)), *cards_of(Combo(second)), *observation.board)
        if len(set(cards)) < len(cards):
            continue
        for river in set(range(CARD_COUNT)) - set(cards):
            board = (*observation.board, river)
            mine, one, other = (strength((*hand, *board)) for hand in (me, cards[2:4], cards[4:6]))
            best, ties = max(mine, one, other), [mine, one, other].count(max(mine, one, other))
            total += main / ties if mine == best else 0
            total += 0 if mine < other else 8000 if mine > other else 4000
            weight += 1
    return total / weight - 5700


def test_the_deviation_of_a_check_is_that_of_the_showdown() -> None:
    """A pot that is won or lost, never shared: what later play adds in the mean adds nothing to it."""
    words = "300 c | x x | x x | x"
    hero = turn_of(play(deal(board="Ac8d5s2h9c"), words)).seat
    observation = turn_of(play(deal(hole_cards={hero: "AsJd"}, board="Ac8d5s2h9c"), words))
    theirs = "AhKd,QsQd,7h7d,6c5c"  # the first alone is ahead
    found = of(valued(observation, predicted(observation, {1 - hero: theirs}), 4096), CHECK)
    weights = parse_range(theirs).weights
    assert np.count_nonzero(weights) == 4
    assert found.called_equity == pytest.approx(3 / 4, abs=0.01)
    assert found.deviation == pytest.approx(observation.pot * np.sqrt(3 / 4 * 1 / 4), rel=0.03)


def test_readings_that_go_with_no_board_still_give_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """One opponent surely holds the ace of hearts, and it is every river: any two cards stand for them then."""
    observation = turn_of(play(deal(hole_cards={1: "AsJd"}, board="Ac8d5s2h"), "300 c | x 400 c | x"))
    (ace,) = parse_cards("Ah")
    monkeypatch.setattr(dealing, "_packs", lambda board, number: np.full((20, 1), ace))
    found = valued(observation, predicted(observation, {1 - observation.seat: "AhKd"}), 240)
    assert all(np.isfinite([one.value, one.stderr, one.behind_stderr]).all() for one in found.actions)


# Against plain play at the rules' table


BETS_ANYTHING = [at for at, context in enumerate(CONTEXTS) if context.startswith("betting")]
ANSWERS = [at for at, context in enumerate(CONTEXTS) if context.startswith("facing")]


class Knowing(LearnedReader):
    """Knows numbers of players that nobody taught it."""

    def __init__(
        self,
        factors: Mapping[str, Numbers],
        leanings: Mapping[str, Numbers],
        sharpness: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(adapts=False)
        self.known, self.known_sharpness = (factors, leanings), sharpness or {}

    def factors(self, name: str) -> Numbers:
        return self.known[0].get(name, super().factors(name))

    def leanings(self, name: str) -> Numbers:
        return self.known[1].get(name, super().leanings(name))

    def sharpness(self, name: str, street: Street = Street.FLOP) -> float:
        return self.known_sharpness.get(name, 1.0)

    def counts(self, name: str) -> Numbers:
        """Return three bets of three, where most would have made one, of who bets anything."""
        counts = super().counts(name)
        if name in self.known[0] and self.known[0][name][BETS_ANYTHING, :, 3:].min() > 10:
            counts[BETS_ANYTHING[0]] = [[0, 0, 3], [0, 2, 1]]
        return counts


def odd_numbers(seed: int) -> tuple[Numbers, Numbers]:
    """Return factors that differ by context, size of the bet and choice, and leanings of both signs."""
    rng = np.random.default_rng(seed)
    return np.exp(rng.normal(0, 0.7, (len(CONTEXTS), 2, 8))), rng.normal(0, 1.0, (3, 8))


FEW = {1: "AhKd,QsQd,6c5c", 2: "AcTc,QsQh,6c6d"}

SPOTS = {
    "river, to bet": ((6000, 6000), "Ac8d5s2h9c", "300 c | x x | 400 c |", {0: "AhKd,QsQd,7h7d,6c5c,Ts9s,4h4d"}),
    "river, facing a bet": ((4000, 5000), "Ac8d5s2h9c", "300 c | x x | x 400 c | 900", {0: RANGE}),
    "river, three, facing a bet": ((3000, 2500, 5000), "Ac8d5s2h9c", "300 c c | x x x | x x x | x x 300 c", FEW),
    "turn, facing a bet": ((3000, 3000), "Ac8d5s2h", "300 c | x 400 c | 800", {1: "AhKd,6c5c"}),
    "turn, three, facing a bet": (
        (2000, 1500, 2500),
        "Ac8d5s2h",
        "300 c c | x x x | 400",
        {1: "AhKd", 2: "QsQh"},
    ),
    "river, three, an ante for all": (
        (3000, 2500, 5000),
        "Ac8d5s2h9c",
        "300 c c | x x x | x x x | x x 300 c",
        FEW,
    ),
    "river, raises to twice": ((6000, 6000), "Ac8d5s2h9c", "200 c | x x | 400 c |", {0: "AhKd,QsQd,7h7d,6c5c"}),
}
STAKES = {
    "river, three, an ante for all": TableRules(50, 100, big_blind_ante=400),
    "river, raises to twice": TableRules(50, 100, max_raises=2, counts_bets=False, raises_to_twice=True),
}


@pytest.mark.parametrize("spot", SPOTS)
def test_values_are_those_of_plain_play(spot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opponents play on by factors, leanings and a sharpness of their own, hero in a way of theirs."""
    monkeypatch.setattr(playing_on, "_WAYS", {"": playing_on._WAYS[LARGE_BETS]})
    stacks, board, words, ranges = SPOTS[spot]
    monkeypatch.setattr(values, "_CHECKED_RIVER", 0.0)
    monkeypatch.setattr(values, "_SEEN_FLOP", 0.0)
    monkeypatch.setattr(values, "_HOPELESS", np.inf)
    rules = STAKES.get(spot)
    hero = turn_of(play(deal(stacks, board=board, rules=rules), words)).seat
    table = deal(stacks, hole_cards={hero: "AsJd"}, board=board, rules=rules)
    observation = turn_of(play(table, words))
    opponents = [view.seat for view in observation.opponents]
    ranges = dict(zip(opponents, ranges.values(), strict=True))
    numbers = {seat: odd_numbers(seat) for seat in opponents}
    of_names = {view.name: numbers[view.seat] for view in observation.opponents}
    reader = Knowing(
        {name: of_name[0] for name, of_name in of_names.items()},
        {name: of_name[1] for name, of_name in of_names.items()},
        dict.fromkeys(of_names, 0.4),
    )
    predictions = predicted(observation, ranges)
    found = valued(observation, predictions, 4000, reader=reader, later_play=0.0)
    way = playing_on.ways_on(observation, reader)[""]
    own = [view.seat for view in observation.seats].index(hero)
    numbers[hero] = way.factors[own], way.leanings[own]
    is_river = len(observation.board) == 5
    plain = PlainPlay(
        stored_likelihoods(),
        {seat: of_seat[0] for seat, of_seat in numbers.items()},
        {seat: of_seat[1] for seat, of_seat in numbers.items()},
        {one.seat: (0.4, one.posterior.astype(np.float64)) for one in predictions},
        drawn_below=0.04 if is_river else 0.7,
    )
    tried = [one for one in found.actions if one.action != FOLD]
    for one in (tried[0], tried[-3]) if is_river else (tried[-3],):
        by_deal = plain_results(plain, observation, one.action, ranges)
        value, all_fold = by_deal.mean(axis=(0, 1)) - [observation.me.stack, 0]
        # All deals there are: only what was drawn in playing on errs.
        errors = np.sqrt(by_deal.var(axis=1, ddof=1).mean(axis=0) / by_deal[:, :, 0].size)
        assert abs(one.value - value) < 4 * np.hypot(one.stderr, errors[0])
        assert one.all_fold == pytest.approx(all_fold, abs=0.02 + 4 * errors[1])
        assert one.stderr < 0.04 * observation.pot


def against(kind: str) -> LearnedReader:
    """Return a reader that knows both players to bet with anything, to call with anything, or nothing of them."""
    factors = np.ones((len(CONTEXTS), 2, 8))
    if kind == "bets with anything":
        factors[BETS_ANYTHING, :, 3:] = np.exp(4)
    if kind == "calls with anything":
        factors[ANSWERS, :, 0] = np.exp(-4)
        factors[ANSWERS, :, 3:] = factors[BETS_ANYTHING, :, 3:] = np.exp(-3)
    return Knowing(dict.fromkeys(("A", "B"), factors), {})


@pytest.mark.parametrize(
    ("kind", "cards", "way"),
    [
        ("nothing", "AsAd", ""),
        ("calls with anything", "8h8c", LARGE_BETS),
        ("bets with anything", "9s8h", CALLING_DOWN),
    ],
)
def test_the_player_goes_on_in_the_way_that_wins_most(
    kind: str, cards: str, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Soundly, with large bets for value into who calls anything, and calling down who bets anything."""
    hero = turn_of(play(deal(board="Ac8d5s"), "300 c")).seat
    observation = turn_of(play(deal(hole_cards={hero: cards}, board="Ac8d5s"), "300 c"))
    predictions = predicted(observation, {1 - hero: "22+,A2+,K2+,Q2+,J7+,T7+,97+,86+,75+,64+,54"})
    found = valued(observation, predictions, 512, reader=against(kind))
    ways = {}
    for name, one in playing_on._WAYS.items():
        monkeypatch.setattr(playing_on, "_WAYS", {"": one})
        ways[name] = valued(observation, predictions, 512, reader=against(kind)).actions[0].value
    assert found.actions[0].value == ways[way]
    assert found.way == way == max(ways, key=ways.__getitem__)


def plain_results(
    plain: PlainPlay, observation: Observation, action: Action, ranges: Mapping[Seat, str]
) -> Numbers:
    """Return chips and all folding for all deals there are, each played on some times: shape (deals, times, 2)."""
    rng = np.random.default_rng(5)
    combos = [np.flatnonzero(parse_range(text).weights).tolist() for text in ranges.values()]
    found = []
    for held in product(*combos):
        cards = [*observation.hole_cards, *observation.board]
        cards += [card for combo in held for card in cards_of(Combo(combo))]
        if len(set(cards)) < len(cards):
            continue
        runouts = combinations(np.setdiff1d(np.arange(CARD_COUNT), cards).tolist(), 5 - len(observation.board))
        for runout in runouts:
            cards_to_come = [Card(card) for card in runout]
            hand = dealt(observation, dict(zip(ranges, held, strict=True)), cards_to_come).after(action)
            found.append([plain.results(hand, observation.seat, rng) for _ in range(2)])
    return np.array(found)


# Errors


def own_packs(seed: int) -> object:
    """Return what deals run-outs as `dealing` does, of packs that are this seed's alone."""

    def packs(board: tuple[Card, ...], number: int) -> Numbers:
        missing = 5 - len(board)
        rest = np.setdiff1d(np.arange(CARD_COUNT), board)
        rng = np.random.default_rng([seed, number])
        return np.array([rng.permutation(rest)[:missing] for _ in range(20)])

    return packs


@pytest.mark.parametrize(
    ("stacks", "board", "words"),
    [
        ((3000, 3000, 3000), "", "300"),
        ((5000, 6000, 8000), "Ac8d5s", "300 c c | x"),
        ((5000, 6000), "Ac8d5s2h", "300 c | x x | x"),
        ((5000, 6000, 7000), "Ac8d5s2h9c", "300 c c | x x x | x 300 c c | 500"),
    ],
    ids=["preflop", "flop", "turn", "river"],
)
def test_errors_are_what_values_vary_by(
    stacks: tuple[int, ...], board: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over 40 seeds, of each action, of how far it is behind checking or calling, and of neighbours."""
    hero = turn_of(play(deal(stacks, board=board), words)).seat
    observation = turn_of(play(deal(stacks, hole_cards={hero: "AsJd"}, board=board), words))
    monkeypatch.setattr(values, "_HOPELESS", np.inf)
    reader = LearnedReader(adapts=False)
    predictions = reader.read(observation)
    rows, pairs = [], []
    for seed in range(40):
        monkeypatch.setattr(dealing, "_packs", own_packs(seed))  # those of a board are every seed's
        _, found = islice(values.values_of(observation, predictions, reader, seed), 2)
        tried = [one for one in found.actions if one.action != FOLD]
        rows.append([(one.value, one.stderr, found.error_between(one, tried[0])) for one in tried])
        between = [found.error_between(*pair) for pair in pairwise(found.actions)]
        pairs.append((np.diff([one.value for one in found.actions]), between))
    differences, errors = np.moveaxis(np.array(pairs), 1, 0)
    # They vary by less before the flop, where seeds share the boards, and on the turn, with 20 of 46 tried.
    least = 0.65 if len(board) in (0, len("Ac8d5s2h")) else 0.75
    assert least < ratio(differences, errors) < 1.35
    value, stderr, behind_stderr = np.moveaxis(np.array(rows), 2, 0)
    assert least < ratio(value[:, stderr.any(axis=0)], stderr[:, stderr.any(axis=0)]) < 1.35
    behind = (value[:, :1] - value)[:, 1:]
    assert least < ratio(behind, behind_stderr[:, 1:]) < 1.35
    # On the same deals what is behind errs less than two values would.
    assert behind_stderr[:, 1:].mean() < 0.9 * np.hypot(stderr, stderr[:, :1])[:, 1:].mean()


def ratio(found: Numbers, errors: Numbers) -> float:
    """Return what numbers vary by over what is said they do, the mean of all columns."""
    return float(np.sqrt((found.var(axis=0, ddof=1) / (errors**2).mean(axis=0)).mean()))


def test_a_flop_that_is_seen_counts_a_part_of_the_pot_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same deals with and without: of every action its share of deals that see the flop, of folding nothing."""
    stacks = (10_000,) * 3
    hero = turn_of(deal(stacks)).seat
    observation = turn_of(deal(stacks, hole_cards={hero: "AsJd"}))
    ranges = predicted(observation, {view.seat: RANGE for view in observation.opponents})
    monkeypatch.setattr(values, "_LIMP", 1.0)
    monkeypatch.setattr(values, "_SEEN_FLOP", 0.5)
    counted = valued(observation, ranges, 128)
    monkeypatch.setattr(values, "_SEEN_FLOP", 0.0)
    played = valued(observation, ranges, 128)
    assert of(counted, CALL).later > 0.5
    for one in counted.actions:
        assert one.value - of(played, one.action).value == pytest.approx(observation.pot * one.later / 2)


@pytest.mark.parametrize(
    ("chips", "board", "words", "share"),
    [
        (10_000, "", "250", (3 / 2) ** 0.5),
        (2_000, "", "250", (3 / 2) ** 0.5 * (1750 / 350 - 2) / 6),  # of whose stack is the smaller
        (10_000, "Ac8d5s", "300 c | x", 1.0),
        (3_300, "Ac8d5s2h", "300 c | x x | x", (1 / 2) ** 0.5 * (3000 / 600 - 2) / 6),
        (1_500, "Ac8d5s2h", "300 c | x x | x", 0.0),
        (10_000, "Ac8d5s2h9c", "300 c | x x | x x | x 500", 0.0),
    ],
    ids=["before the flop", "shallow", "flop", "turn", "too shallow", "river"],
)
def test_later_betting_counts_heads_up_by_the_stacks_behind(
    chips: int, board: str, words: str, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same deals with and without: so many big blinds by rounds to come, how often, and by what is won then."""
    hero = turn_of(play(deal((chips, 10_000), board=board), words)).seat
    observation = turn_of(play(deal((chips, 10_000), hole_cards={hero: "AsJd"}, board=board), words))
    ranges = predicted(observation, {1 - hero: RANGE})
    monkeypatch.setattr(values, "_HOPELESS", np.inf)
    counted = valued(observation, ranges, 128, later_play=3.0)
    played = valued(observation, ranges, 128, later_play=0.0)
    for one in counted.actions:
        then = of(played, one.action)
        more = 3 * observation.big_blind * share * one.later * 2 * (one.called_equity or 0)
        assert one.value - then.value == pytest.approx(more)
        assert one.stderr == then.stderr
    assert any(one.later > 0.2 for one in counted.actions) or not share


def test_a_check_that_leaves_the_other_one_to_open_counts_a_round_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """The big blind on the flop: three rounds are to come after a check, two after any bet."""
    words, board = "300 c |", "Ac8d5s"
    hero = turn_of(play(deal(board=board), words)).seat
    observation = turn_of(play(deal(hole_cards={hero: "AsJd"}, board=board), words))
    ranges = predicted(observation, {1 - hero: RANGE})
    monkeypatch.setattr(values, "_HOPELESS", np.inf)
    counted, played = (valued(observation, ranges, 128, later_play=bb) for bb in (3.0, 0.0))
    for one in counted.actions:
        share = (3 / 2) ** 0.5 if one.action == CHECK else 1.0
        more = 3 * observation.big_blind * share * one.later * 2 * (one.called_equity or 0)
        assert one.value - of(played, one.action).value == pytest.approx(more)


@pytest.mark.parametrize(
    ("words", "chips", "counts"),
    [
        ("", 10_000, True),
        ("f", 10_000, True),
        ("", 80, False),
        ("c", 10_000, False),
        ("250", 10_000, False),
        ("f f", 10_000, False),
    ],
    ids=["under the gun", "after folds", "all-in", "after a limp", "after a raise", "in the small blind"],
)
def test_limping_first_in_counts_less_than_it_is_played_out_for(
    words: str, chips: int, counts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same deals with and without: of nothing but that call half the value counts, and it is guarded more."""
    hero = turn_of(play(deal((10_000,) * 4), words)).seat
    stacks = [chips if seat == hero else 10_000 for seat in range(4)]
    observation = turn_of(play(deal(stacks, hole_cards={hero: "AsAd"}), words))
    ranges = predicted(observation, {view.seat: RANGE for view in observation.opponents})
    counted = valued(observation, ranges, 128)
    monkeypatch.setattr(values, "_LIMP", 1.0)
    monkeypatch.setattr(values, "_LIMP_GUARD", 0.0)
    played = valued(observation, ranges, 128)
    for one in counted.actions:
        then = of(played, one.action)
        is_limp = counts and one.action == CALL
        part, pots = (0.5, 1.0) if is_limp else (1.0, 0.0)
        assert one.value == pytest.approx(part * then.value)
        assert one.stderr == pytest.approx(part * then.stderr)
        assert one.deviation == pytest.approx(part * then.deviation)
        assert one.guard - then.guard == pytest.approx(pots * observation.pot)
        assert one.behind == pytest.approx(counted.best.value - one.value)


@pytest.mark.parametrize(
    ("words", "seats", "counts"),
    [("250 700 f f", 4, True), ("250 700 f 1600 f", 4, True), ("250 f", 4, False), ("250 700", 2, False)],
    ids=["a 4-bet", "a 5-bet", "a 3-bet", "heads-up"],
)
def test_a_four_bet_is_guarded_five_times_as_much_as_other_raises(
    words: str, seats: int, counts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    hero = turn_of(play(deal((10_000,) * seats), words)).seat
    observation = turn_of(play(deal((10_000,) * seats, hole_cards={hero: "AsAd"}), words))
    ranges = predicted(observation, {view.seat: RANGE for view in observation.opponents})
    counted = valued(observation, ranges, 128)
    monkeypatch.setattr(values, "_FOUR_BET_GUARD", 0.05)
    played = valued(observation, ranges, 128)
    for one in counted.actions:
        then = of(played, one.action)
        is_four_bet = counts and one.action.raise_to > 0
        assert one.guard == pytest.approx((5 if is_four_bet else 1) * then.guard)


def test_a_limp_that_loses_loses_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What limps were measured to bring less is a part of what they win."""
    observation = turn_of(deal((10_000,) * 6, hole_cards={3: "7c2d"}))
    ranges = predicted(observation, {view.seat: RANGE for view in observation.opponents})
    counted = of(valued(observation, ranges, 256), CALL)
    monkeypatch.setattr(values, "_LIMP", 1.0)
    played = of(valued(observation, ranges, 256), CALL)
    assert counted.value == played.value < -20
    assert counted.stderr == played.stderr


@pytest.mark.parametrize(("cards", "equity"), [("AhAd", 1.0), ("6h5d", 0.0)], ids=["quads", "nothing"])
def test_a_check_that_ends_the_hand_is_worth_the_equity(cards: str, equity: float) -> None:
    """On the button on the river; out of position the other one may still bet, and a check is worth more."""
    words, board = "300 c | x x | x x |", "AsAcKd7h2c"
    for button, is_last in ((0, True), (1, False)):
        moves = f"{words} x" if is_last else words
        table = play(deal(hole_cards={0: cards}, board=board, button=button), moves)
        observation = turn_of(table)
        assert observation.seat == 0
        found = of(valued(observation, predicted(observation, {1: "QsQd,JsJd,KsKh"}), 128), CHECK)
        assert (found.value == pytest.approx(equity * observation.pot)) == is_last
        assert found.value >= equity * observation.pot


def test_who_opens_a_strong_hand_raises_it() -> None:
    """Good players do not limp; on these deals the traps that limps are for strangers would win most."""
    for hand in ("AsAd", "QsQd", "AsKd", "6s6d"):
        stacks = (10_000,) * 6
        hero = turn_of(deal(stacks)).seat
        observation = turn_of(deal(stacks, hole_cards={hero: hand}))
        decision = make_agent("soulread").decide(observation, seed=1)
        assert decision.action.kind is ActionKind.RAISE, hand


def test_an_amount_of_the_players_own_is_compared_on_the_same_deals() -> None:
    observation = turn_of(play(deal(hole_cards={0: "QcJc"}, board="Ks7s2d4c9h"), "250 c | x"))
    reader, own = LearnedReader(adapts=False), raise_to(430)
    predictions = reader.read(observation)
    usual = next(values.values_of(observation, predictions, reader, 1))
    found = next(values.values_of(observation, predictions, reader, 1, (own, raise_to(250))))
    assert found.of(own) is not None
    assert tuple(one for one in found.actions if one.action != own) == usual.actions
    totals = [one.action.raise_to for one in found.actions]
    assert totals == sorted(totals)


def test_errors_of_pairs_are_those_to_the_best_and_to_folding() -> None:
    """Also of actions that are given up on the way: as they were then."""
    table = play(deal(hole_cards={0: "QcJc"}, board="Ks7s2d4c9h"), "250 c | 300 900")
    found = valued(turn_of(table), predicted(turn_of(table), {1: "22+,A2+,KT+"}), 768)
    count = len(found.actions)
    assert any(one.samples < found.samples for one in found.actions), "one was given up"
    assert len(found.pair_errors) == count * (count - 1) // 2
    fold, best = found.actions[0], found.best
    for one in found.actions:
        assert found.error_between(one, fold) == pytest.approx(one.stderr, rel=0.01)
        if one.samples == found.samples:
            assert found.error_between(best, one) == pytest.approx(one.behind_stderr, rel=0.01)
        assert found.error_between(one, one) == 0


def test_actions_given_up_stay_as_far_behind_as_on_the_deals_they_were_tried_on() -> None:
    """On later deals the best one, too, wins more or less than before."""
    observation = turn_of(play(deal(hole_cards={0: "KcQc"}, board="Ks7s2d4c9h"), "250 c | x"))
    reader, kept = LearnedReader(adapts=False), 0
    for seed in range(4):
        steps = list(islice(values.values_of(observation, reader.read(observation), reader, seed), 8))
        for actions in zip(*(step.actions for step in steps), strict=True):
            last = actions[-1]
            given_up = next(number for number, one in enumerate(actions) if one.samples == last.samples)
            assert last.value + last.behind == pytest.approx(steps[-1].best.value)
            if len({step.best.action for step in steps[given_up:]}) == 1:
                assert last.behind == pytest.approx(actions[given_up].behind)
                kept += steps[given_up].best.value != steps[-1].best.value
    assert kept, "one was given up, and the best won more or less later"


def test_a_comparison_that_gives_nothing_up_tries_every_action_on_all_deals() -> None:
    observation = turn_of(play(deal(hole_cards={0: "QcJc"}, board="Ks7s2d4c9h"), "250 c | 300 900"))
    predictions = predicted(observation, {1: "22+,A2+,KT+"})
    reader = LearnedReader(adapts=False)
    for gives_up in (True, False):
        steps = values.values_of(observation, predictions, reader, 1, gives_up=gives_up)
        found = next(one for one in steps if one.samples >= 512)
        assert any(one.samples < found.samples for one in found.actions) == gives_up


@pytest.mark.parametrize(("words", "guard", "part"), [("", 0.1, 4), ("c x |", 0.07, 2), ("c x | x x |", 0.07, 2)])
def test_a_shove_into_a_small_pot_is_guarded_by_what_it_risks(words: str, guard: float, part: int) -> None:
    """Heads-up by so much for each factor of e by which it is rarer: of the pot, or of a part of the bet.

    Before the flop that is of 40 big blinds, and in proportion more of what is more.
    """
    observation = turn_of(play(deal(hole_cards={0: "Ks9d", 1: "AsJd"}, board="7c8d2h4s"), words))
    found = valued(observation, predicted(observation, {1 - observation.seat: RANGE}), 64)
    raises = [one for one in found.actions if one.action.kind is ActionKind.RAISE]
    commonest = max(one.usual for one in found.actions)
    rarity = {one.action.raise_to: np.log(commonest / one.usual) for one in raises}
    least, shove = raises[0], raises[-1]
    stake = observation.me.stack
    dear = 1 if words else stake / (40 * observation.big_blind)
    assert shove.guard / rarity[observation.me.bet + stake] == pytest.approx(guard * dear * stake / part)
    assert least.guard == pytest.approx(guard * observation.pot * rarity[least.action.raise_to])


def test_what_nobody_can_match_of_a_bet_changes_nothing() -> None:
    observation = turn_of(play(deal((20_000, 1_500), hole_cards={0: "AsKd"}, board="Ac8d5s"), "300 c | x"))
    steps = values.values_of(
        observation, predicted(observation, {1: RANGE}), LearnedReader(), 1, [raise_to(19_700)]
    )
    found = next(steps)
    largest, beyond = found.actions[-2:]
    assert (largest.action, beyond.action) == (raise_to(1_200), raise_to(19_700))
    assert replace(beyond, action=largest.action) == largest


@pytest.mark.parametrize("known", [False, True], ids=["a stranger", "who calls overbets"])
def test_aces_are_bet_a_hundred_pots_to_who_calls_overbets_alone(known: bool) -> None:
    """As Soulread did in a limped pot of two, 200 big blinds deep, where it believed 95% of a stranger to fold."""
    stacks, cards = (20_000, 20_000), {0: "AsAc", 1: "Qc4d"}
    observation = turn_of(play(deal(stacks, hole_cards=cards, board="3c6cKs"), "c x | x"))
    reader = LearnedReader()
    for _ in range(20 if known else 0):
        reader.learn(play(deal(stacks, board="3c6cKs2h9d"), "c x | x 500 c | x x | x x").events, observer=0)
    predictions = predicted(observation, {1: "22+,A2+,K2+,Q2+,J5+,T6+"})
    found = valued(observation, predictions, 512, reader=reader)
    assert (choose(found, observation.pot, 1) == raise_to(19_900)) is known
    shove = found.actions[-1]
    rarity = np.log(max(one.usual for one in found.actions) / shove.usual)
    stake = 9_950 if not known else observation.pot
    assert shove.guard / rarity == pytest.approx(0.07 * stake)


@pytest.mark.parametrize(
    ("players", "learned", "words"),
    [(2, "200 300 f", "200"), (3, "c c x | 200 f f", "c c x")],
    ids=["to 3-bets before the flop", "to bets of two thirds, three players"],
)
def test_no_larger_bet_is_folded_to_less(players: int, learned: str, words: str) -> None:
    """Who has folded to small ones alone was expected to fold to half as many larger ones; on the same deals."""
    stacks, reader = (10_000,) * players, LearnedReader(strangers=OF_PROGRAMS)
    for _ in range(8):
        reader.learn(play(deal(stacks, board="3c6cKs"), learned).events, observer=1)
    observation = turn_of(play(deal(stacks, hole_cards={1: "7c2d"}, board="4cJdKs"), words))
    ranges = {seat: "22+,A2+,K2+,Q2+,J2+,T6+" for seat in range(players) if seat != 1}
    raises = valued(observation, predicted(observation, ranges), 1, reader=reader).actions[1:]
    shares = [one.all_fold for one in raises if one.action.kind is ActionKind.RAISE]
    assert len(shares) > 5
    assert all(larger > smaller - 0.01 for smaller, larger in pairwise(shares)), shares
