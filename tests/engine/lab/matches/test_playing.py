"""Matches: what is dealt to whom, what is counted, and that standard errors are what they say."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from itertools import count, pairwise
from math import sqrt
from typing import TypeVar

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.agents.agent import ActionValue, Decision, Trace, Values
from engine.agents.readers import UnknownReaderError
from engine.agents.rule_based.rule_agent import RuleAgent
from engine.agents.rule_based.tempers import TEMPERS
from engine.agents.styles import STYLES, Style, UnknownStyleError
from engine.cards import Street
from engine.figures.board_luck import board_luck
from engine.game.events import (
    CALL,
    CHECK,
    FOLD,
    Action,
    ActionKind,
    ActionTaken,
    HoleCardsShown,
    end_of,
    raise_to,
    start_of,
)
from engine.game.format_file import built_in
from engine.game.observation import Observation
from engine.game.phh import RecordedHand
from engine.game.statistics import count_hand
from engine.lab.matches.counted.curves import MOST_POINTS, Curve, CurvePoint
from engine.lab.matches.counted.realised_values import Move
from engine.lab.matches.counted.tally import Difference, WinRate
from engine.lab.matches.plan import MatchError, MatchPlan, seed_of_match
from engine.lab.matches.playing import PlayedHand, match
from engine.lab.matches.results import MatchResult
from engine.lab.matches.several import SeveralMatches, hands_of_match, several_matches
from engine.lab.matches.sharing import Sharing
from engine.lab.reading import ScoredPoint

T = TypeVar("T")


class Witness:
    """Goes by a stub of a rule and remembers every finished hand that it was told of."""

    def __init__(self, style: str) -> None:
        self.style = style
        self.past: list[Observation] = []

    def decide(
        self, observation: Observation, seed: int, *, deadline: float | None = None, deals: int | None = None
    ) -> Decision:
        action = self.choose(observation, seed)
        return Decision(action, Trace(style=self.style, seed=seed, observation=observation, rule="", action=action))

    def choose(self, observation: Observation, seed: int) -> Action:
        """Check or call, so that all see every river."""
        assert observation.legal is not None
        return CHECK if observation.legal.can_check else CALL

    def hand_finished(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
        self.past.append(observation)


class Gambler(Witness):
    """Raises, calls and folds by lot, more or less as much as is allowed."""

    def choose(self, observation: Observation, seed: int) -> Action:
        legal = observation.legal
        assert legal is not None
        lot = np.random.default_rng([seed, 7]).random()
        if lot < 0.3 and legal.can_raise:
            return raise_to(min(legal.max_raise_to, 2 * legal.min_raise_to))
        if lot < 0.9:
            return super().choose(observation, seed)
        return CHECK if legal.can_check else FOLD


class Jammer(Witness):
    """Goes all-in by lot."""

    def choose(self, observation: Observation, seed: int) -> Action:
        legal = observation.legal
        assert legal is not None
        if legal.can_raise and np.random.default_rng([seed, 9]).random() < 0.2:
            return raise_to(legal.max_raise_to)
        return super().choose(observation, seed)


class Raiser(Witness):
    """Opens for two and a half big blinds, and is in its own way for the rest."""

    def choose(self, observation: Observation, seed: int) -> Action:
        legal = observation.legal
        assert legal is not None
        if not observation.board and legal.can_raise and max(view.bet for view in observation.seats) == 100:
            return raise_to(250)
        return super().choose(observation, seed)


class Folder(Witness):
    """Folds whenever there is anything to call."""

    def choose(self, observation: Observation, seed: int) -> Action:
        assert observation.legal is not None
        return CHECK if observation.legal.can_check else FOLD


def worth(action: Action, value: float) -> ActionValue:
    return ActionValue(
        action=action,
        value=value,
        stderr=1.0,
        behind=0.0,
        behind_stderr=0.0,
        all_fold=0.0,
        called_equity=None,
        later=0.0,
        usual=1.0,
        guard=0.0,
        samples=1,
    )


class Prophet(Raiser):
    """Says that everything is worth 120 chips, and notes what it does."""

    def __init__(self, style: str) -> None:
        super().__init__(style)
        self.done: list[tuple[Observation, Action]] = []

    def decide(
        self, observation: Observation, seed: int, *, deadline: float | None = None, deals: int | None = None
    ) -> Decision:
        decision = super().decide(observation, seed, deals=deals)
        self.done.append((observation, decision.action))
        values = Values(actions=(worth(FOLD, 0.0), worth(decision.action, 120.0)), samples=1)
        return Decision(decision.action, replace(decision.trace, values=values))


class Wagerer(Prophet):
    """Bets, raises and goes all-in by lot."""

    def choose(self, observation: Observation, seed: int) -> Action:
        legal = observation.legal
        assert legal is not None
        lot = np.random.default_rng([seed, 5]).random()
        if lot < 0.3 and legal.can_raise:
            return raise_to(legal.max_raise_to if lot < 0.05 else legal.min_raise_to)
        return CHECK if legal.can_check else CALL if lot < 0.9 else FOLD


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Witness]]:
    """Register cheap styles; gives the players that were made of each."""
    players: dict[str, list[Witness]] = defaultdict(list)

    def register(style: str, kind: type[Witness]) -> None:
        def make() -> Witness:
            players[style].append(kind(style))
            return players[style][-1]

        monkeypatch.setitem(STYLES, style, Style(style, "A stub.", make))

    for style in "abcde":
        register(style, Witness)
    register("gambler", Gambler)
    register("jammer", Jammer)
    register("raiser", Raiser)
    register("prophet", Prophet)
    register("wagerer", Wagerer)
    register("folder", Folder)
    return players


def played(
    *styles: str, seats: int | None = None, hands: int = 24, seed: int = 3
) -> tuple[MatchPlan, list[MatchResult]]:
    plan = MatchPlan(styles, seats or len(styles), hands, seed)
    return plan, list(match(plan, clock=lambda: 0.0))


def position(observation: Observation) -> int:
    """Seats from the button on."""
    return (observation.seat - observation.button) % len(observation.seats)


def deck_nets(players: dict[str, list[Witness]], style: str, decks: int) -> tuple[list[float], list[float]]:
    """Give chips won and hands dealt in of a style with each deck, from what its players were told."""
    won, dealt = [0.0] * decks, [0.0] * decks
    for player in players[style]:
        for observation in player.past:
            won[observation.hand_number - 1] += count_hand(observation.events)[observation.seat].net
            dealt[observation.hand_number - 1] += 1
    return won, dealt


# What is dealt


@pytest.mark.parametrize(
    ("styles", "seats", "rotations"),
    [("ab", 2, 2), ("ab", 6, 2), ("abc", 3, 3), ("abc", 6, 3), ("abcde", 10, 5), ("ab", 5, 5), ("abcd", 6, 6)],
)
def test_every_style_is_dealt_the_same_cards_in_the_same_positions(
    made: dict[str, list[Witness]], styles: str, seats: int, rotations: int
) -> None:
    plan, results = played(*styles, seats=seats, hands=6 * rotations)
    assert (plan.rotations, results[-1].decks, results[-1].hands) == (rotations, 6, 6 * rotations)
    boards = set()
    for deck in range(6):
        seen = {
            style: Counter(
                (position(past), past.hole_cards, past.board)
                for player in made[style]
                for past in player.past
                if past.hand_number == deck + 1
            )
            for style in styles
        }
        (board,) = {board for cards in seen.values() for _, _, board in cards}
        boards.add(board)
        for cards in seen.values():
            assert len(cards) == seats  # every position once, each with its own hole cards
            assert {at for at, _, _ in cards} == set(range(seats))
            assert cards.keys() == seen[styles[0]].keys()
            assert len(set(cards.values())) == 1  # and each equally often
        assert sum(cards.total() for cards in seen.values()) == seats * rotations
    assert len(boards) == 6


def test_styles_that_play_alike_come_out_even_to_the_chip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        STYLES, "twin", Style("Twin", "Another.", lambda: RuleAgent("twin", *TEMPERS["tight-passive"]))
    )
    for seats in (2, 4):
        _, results = played("tight-passive", "twin", seats=seats, hands=40)
        assert [style.net for style in results[-1].styles] == [0, 0]
        assert [style.win_rate for style in results[-1].styles] == [WinRate(0.0, 0.0, results[-1].decks)] * 2
        assert any(style.vpip for style in results[-1].styles)


def test_the_button_moves_on_and_the_order_of_styles_changes(made: dict[str, list[Witness]]) -> None:
    played(*"abc", hands=60)
    (a,), (b,) = made["a"], made["b"]
    buttons = [past.button for past in a.past[::3]]
    assert all((after - before) % 3 == 1 for before, after in pairwise(buttons))
    left_of_a = {(mine.seat - others.seat) % 3 for mine, others in zip(b.past, a.past, strict=True)}
    assert left_of_a == {1, 2}


def test_every_hand_starts_with_full_stacks(made: dict[str, list[Witness]]) -> None:
    played("gambler", "a", hands=60)
    nets = set()
    for past in made["a"][0].past:
        counts = count_hand(past.events)
        nets.add(counts[past.seat].net)
        assert sum(view.stack for view in past.seats) == 20_000
        assert {start.stack for start in past.events[0].seats} == {10_000}  # type: ignore[union-attr]
    assert len(nets) > 5


@pytest.mark.parametrize("name", ["cash-ante", "cash-straddle"])
def test_no_chips_are_lost_with_a_straddle_or_an_ante_for_all(made: dict[str, list[Witness]], name: str) -> None:
    plan = MatchPlan(("jammer", "gambler", "a"), 3, 60, 3, game=built_in(name))
    *_, result = match(plan, clock=lambda: 0.0)
    assert sum(style.net for style in result.styles) == 0
    assert sum(style.adjusted_net for style in result.styles) == pytest.approx(0, abs=1e-6)
    started = start_of(made["a"][0].past[0].events)
    assert {start.stack for start in started.seats} == {built_in(name).starting_stack}


@pytest.mark.parametrize("stack", [1, 5, 200, 10_000])
def test_stacks_are_as_deep_as_the_plan_says(made: dict[str, list[Witness]], stack: int) -> None:
    *_, result = match(MatchPlan(("jammer", "gambler", "a"), 3, 60, 3, stack), clock=lambda: 0.0)
    nets = set()
    for past in made["a"][0].past:
        started = start_of(past.events)
        assert {start.stack for start in started.seats} == {100 * stack}
        nets |= {counts.net for counts in count_hand(past.events).values()}
    assert max(nets) > 100 * stack / 2
    assert -100 * stack in nets
    assert sum(style.adjusted_net for style in result.styles) == pytest.approx(0, abs=1e-6 * stack)


def test_players_keep_their_names_and_hear_of_all_their_hands(made: dict[str, list[Witness]]) -> None:
    played("a", "b", "c", seats=6, hands=30)
    for style in "abc":
        assert len(made[style]) == 2
        for number, player in enumerate(made[style], 1):
            assert {past.me.name for past in player.past} == {f"{style} {number}"}
            assert len(player.past) == 30
            assert {position(past) for past in player.past} == set(range(6))
    played("a", "b", hands=4)
    assert {past.me.name for past in made["a"][-1].past} == {"a"}


# What is counted


@pytest.mark.parametrize(("styles", "seats"), [(("gambler", "a"), 2), (("gambler", "a", "folder"), 7)])
def test_a_match_is_zero_sum(made: dict[str, list[Witness]], styles: tuple[str, ...], seats: int) -> None:
    _, results = played(*styles, seats=seats, hands=70)
    for result in results:
        assert sum(style.net for style in result.styles) == 0
        assert sum(style.adjusted_net for style in result.styles) == pytest.approx(0, abs=1e-6)
        assert sum(style.hands for style in result.styles) == seats * result.hands
        for style in result.styles:
            assert style.win_rate.bb_per_100 == pytest.approx(style.net / style.hands)  # 100 chips are a big blind
    assert any(style.net for style in results[-1].styles)


def test_what_is_known_beforehand(made: dict[str, list[Witness]]) -> None:
    # Heads-up the raiser takes the blinds from the button each time. In the big blind it sees the folder fold the
    # button: so it wins half a big blind and a whole one in turn, 75 chips a hand, with every deck the same.
    _, results = played("raiser", "folder", hands=40)
    raiser, folder = results[-1].styles
    assert (raiser.net, folder.net) == (3000, -3000)
    assert raiser.win_rate.bb_per_100 == 75.0
    assert raiser.win_rate.stderr == pytest.approx(0, abs=1e-5)
    assert (raiser.vpip, raiser.pfr, raiser.aggression) == (1.0, 1.0, None)
    assert (folder.vpip, folder.pfr, folder.aggression) == (0.0, 0.0, None)
    assert (raiser.decisions, folder.decisions) == (20, 40)
    (difference,) = results[-1].differences
    assert (difference.style, difference.other) == ("raiser", "folder")
    assert difference.rate.bb_per_100 == 150.0
    assert (raiser.adjusted, difference.adjusted) == (raiser.win_rate, difference.rate)  # there is no board


def test_the_curve_is_of_what_was_won_and_ends_now(made: dict[str, list[Witness]]) -> None:
    _, results = played("raiser", "folder", hands=40)  # 75 chips a hand, as above
    for result in results:
        assert [point.hands for point in result.curve] == list(range(4, result.hands + 1, 2))
        assert [point.chips[0].value for point in result.curve] == [75.0 * point.hands for point in result.curve]
        assert [point.chips[1].value for point in result.curve] == [-75.0 * point.hands for point in result.curve]
    _, results = played("gambler", "a", seats=3, hands=60)
    last = results[-1].curve[-1]
    for style, chips, adjusted in zip(results[-1].styles, last.chips, last.adjusted, strict=True):
        assert (chips.value, adjusted.value) == (style.net, style.adjusted_net)
        assert chips.stderr == pytest.approx(style.win_rate.stderr * style.hands)  # 100 chips are a big blind
        assert adjusted.stderr == pytest.approx(style.adjusted.stderr * style.hands)


def test_a_long_curve_has_few_points_evenly_apart() -> None:
    curve, sizes = Curve(), list[int]()
    for hands in range(1, 1001):
        points = [point.hands for point in curve.add(CurvePoint(hands, ()))]
        sizes.append(len(points))
        assert points[-1] == hands
        steps = {after - before for before, after in pairwise(points[:-1])}
        assert len(steps) <= 1
        assert len(points) < 2 or 0 < points[-1] - points[-2] <= max(steps, default=1)
    assert max(sizes) <= MOST_POINTS
    assert min(sizes[MOST_POINTS:]) >= MOST_POINTS // 2


def test_decisions_are_timed_from_the_second_deck_on(made: dict[str, list[Witness]]) -> None:
    ticks = count()

    def slow_first_deck() -> float:
        tick = next(ticks)
        return float(1000 * tick if tick < 2 * 3 else tick)

    # 3 decisions with each deck: raise and fold with one button, fold with the other.
    *_, result = match(MatchPlan(("raiser", "folder"), 2, 20), clock=slow_first_deck)
    assert [style.decisions for style in result.styles] == [10, 20]
    assert [style.decision_seconds for style in result.styles] == [1.0, 1.0]


# How sure it is


def ratio_with_stderr(won: NDArray[np.float64], dealt: NDArray[np.float64]) -> tuple[float, float]:
    """Leave out each deck in turn: the jackknife knows nothing of our formula."""
    decks = len(won)
    without = np.array([(won.sum() - won[k]) / (dealt.sum() - dealt[k]) for k in range(decks)])
    spread = (decks - 1) / decks * ((without - without.mean()) ** 2).sum()
    return float(won.sum() / dealt.sum()), sqrt(float(spread))


@pytest.mark.every(2)
@pytest.mark.parametrize(("styles", "seats"), [(("gambler", "a"), 2), (("gambler", "a", "raiser"), 4)])
def test_standard_errors_are_those_of_the_jackknife_over_decks(
    made: dict[str, list[Witness]], styles: tuple[str, ...], seats: int
) -> None:
    _, results = played(*styles, seats=seats, hands=240)
    result = results[-1]
    decks = {style: np.array(deck_nets(made, style, result.decks)) for style in styles}
    has_even_decks = all(len(set(dealt)) == 1 for _, dealt in decks.values())
    assert has_even_decks == (seats % len(styles) == 0)
    # Exact where every deck has as many hands of a style; otherwise the two differ by terms of order 1 / decks.
    tolerance = 1e-9 if has_even_decks else 0.03
    for style in result.styles:
        rate, stderr = ratio_with_stderr(*decks[style.style])
        assert style.win_rate.bb_per_100 == pytest.approx(rate, rel=1e-9)
        assert style.win_rate.stderr == pytest.approx(stderr, rel=tolerance)
        assert stderr > 0
    for difference in result.differences:
        (won, dealt), (won_by_other, dealt_to_other) = decks[difference.style], decks[difference.other]
        if has_even_decks:
            apart = won / dealt.sum() - won_by_other / dealt_to_other.sum()
            assert difference.rate.bb_per_100 == pytest.approx(apart.sum(), rel=1e-9)
            stderr = float(apart.std(ddof=1)) * sqrt(len(apart))
            assert difference.rate.stderr == pytest.approx(stderr, rel=1e-9)


def test_the_luck_of_the_board_is_taken_out_hand_by_hand(made: dict[str, list[Witness]]) -> None:
    plan, hands = MatchPlan(("jammer", "gambler", "folder"), 3, 150, 3), list[RecordedHand]()
    *_, result = match(plan, clock=lambda: 0.0, watch=lambda played: hands.append(played.hand))
    for style in result.styles:
        nets = []
        for hand in hands:
            seat = hand.players.index(style.style)
            nets.append(count_hand(hand.events)[seat].net - board_luck(hand.events, hand.hole_cards)[:, seat].sum())
        decks = np.array(nets).reshape(-1, plan.rotations).sum(axis=1)
        rate, stderr = ratio_with_stderr(decks, np.full(len(decks), float(plan.rotations)))
        assert style.adjusted_net == pytest.approx(sum(nets))
        assert style.adjusted.bb_per_100 == pytest.approx(rate, rel=1e-9)
        assert style.adjusted.stderr == pytest.approx(stderr, rel=1e-9)
    for style in result.styles[:2]:  # who folds has little to lose by the board
        assert style.adjusted.stderr < 0.8 * style.win_rate.stderr
    rates = [style.adjusted.bb_per_100 for style in result.styles]
    apart = [difference.adjusted.bb_per_100 for difference in result.differences]
    assert apart == pytest.approx([rates[0] - rates[1], rates[0] - rates[2], rates[1] - rates[2]])


def test_what_actions_of_known_worth_were_predicted_to_be_worth(made: dict[str, list[Witness]]) -> None:
    # Opened on the button, the folder's big blind is won each time, and the small blind comes back.
    _, results = played("prophet", "folder", hands=40)
    (value,) = results[-1].values
    assert (value.style, value.street, value.move, value.decisions) == ("prophet", Street.PREFLOP, Move.RAISE, 20)
    assert (value.predicted, value.realised) == (1.2, 1.5)
    assert value.stderr == pytest.approx(0, abs=1e-6)
    assert played("raiser", "folder")[1][-1].values == ()


def move_of(observation: Observation, action: Action) -> Move:
    if action.kind is not ActionKind.RAISE:
        return Move(str(action.kind))
    if action.raise_to == observation.me.stack + observation.me.bet:
        return Move.ALL_IN
    return Move.RAISE if any(view.bet for view in observation.seats) else Move.BET


def test_predicted_against_realised_by_street_and_kind_of_action(made: dict[str, list[Witness]]) -> None:
    plan, hands = MatchPlan(("wagerer", "gambler"), 2, 300, 4), dict[tuple[int, int], RecordedHand]()

    def note(played: PlayedHand) -> None:
        hand, _ = played
        started = start_of(hand.events)
        hands[started.hand_number, hand.players.index("wagerer")] = hand

    *_, result = match(plan, clock=lambda: 0.0, watch=note)
    found: dict[tuple[Street, Move], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    (wagerer,) = made["wagerer"]
    assert isinstance(wagerer, Wagerer)
    for observation, action in wagerer.done:
        if action != FOLD:
            hand = hands[observation.hand_number, observation.seat]
            ended = end_of(hand.events)
            luck = board_luck(hand.events, hand.hole_cards)[observation.street :, observation.seat].sum()
            gained = ended.stacks[observation.seat] - observation.me.stack - luck
            cell = observation.street, move_of(observation, action)
            found[cell][observation.hand_number].append(gained / 100 - 1.2)
    assert {move for _, move in found} == set(Move)
    assert {street for street, _ in found} == set(Street)
    assert {(value.street, value.move) for value in result.values} == found.keys()
    for value in result.values:
        decks = found[value.street, value.move].values()
        counts = np.array([len(deck) for deck in decks], dtype=float)
        assert (value.style, value.decisions, value.predicted) == ("wagerer", counts.sum(), pytest.approx(1.2))
        apart = sum(map(sum, decks)) / counts.sum()
        assert value.realised - value.predicted == pytest.approx(apart)
        if len(counts) == 1:
            assert value.stderr is None
        elif len(counts) > 50:
            _, stderr = ratio_with_stderr(np.array([sum(deck) for deck in decks]), counts)
            assert value.stderr == pytest.approx(stderr, rel=0.05)


@pytest.mark.slow
def test_standard_errors_match_the_spread_of_repeated_matches(made: dict[str, list[Witness]]) -> None:
    matches = 50
    rates, stderrs, naive = [], [], []
    for seed in range(matches):
        made.clear()
        _, results = played("gambler", "a", hands=40, seed=seed)
        rates.append(results[-1].styles[0].win_rate.bb_per_100)
        stderrs.append(results[-1].styles[0].win_rate.stderr)
        nets = np.array([count_hand(past.events)[past.seat].net for past in made["gambler"][0].past])
        naive.append(nets.std(ddof=1) / sqrt(len(nets)))
    spread, expected = np.std(rates, ddof=1), sqrt(np.mean(np.square(stderrs)))
    error_of_spread = 1 / sqrt(2 * (matches - 1))  # relative, for normal rates
    assert spread / expected == pytest.approx(1, abs=4 * error_of_spread)
    # As if all hands were independent, the error would be told far too large: duplicate deals take luck out.
    assert sqrt(np.mean(np.square(naive))) > 1.5 * spread


def test_a_match_is_reproducible(made: dict[str, list[Witness]]) -> None:
    for styles, seats in ((("gambler", "random", "tight-passive"), 4), (("fold:uniform", "fold-paper"), 2)):
        _, once = played(*styles, seats=seats, hands=24 if seats == 4 else 6)
        _, again = played(*styles, seats=seats, hands=24 if seats == 4 else 6)
        assert once == again
    _, other = played("gambler", "random", "tight-passive", seats=4, seed=4)
    assert other[-1].styles != played("gambler", "random", "tight-passive", seats=4)[1][-1].styles


def test_who_watches_sees_every_hand_with_all_cards_and_changes_nothing(made: dict[str, list[Witness]]) -> None:
    plan, hands = MatchPlan(("gambler", "a"), 3, 12, 5), list[PlayedHand]()
    watched = list(match(plan, clock=lambda: 0.0, watch=hands.append))
    assert watched == list(match(plan, clock=lambda: 0.0))
    assert len(hands) == watched[-1].hands
    for hand, traces in hands:
        assert [trace.observation.to_act for trace in traces] == actors(hand)
        assert sorted(hand.players) == sorted({"gambler 1", "a 1", "gambler 2", "a 2"} & set(hand.players))
        assert len({card for cards in hand.hole_cards for card in cards}) == 6
        for event in hand.events:
            if isinstance(event, HoleCardsShown):
                assert set(event.hole_cards) == set(hand.hole_cards[event.seat])


def actors(hand: RecordedHand) -> list[int]:
    """Give who acted, in order."""
    return [event.seat for event in hand.events if isinstance(event, ActionTaken)]


def test_a_match_played_again_has_the_same_hands(made: dict[str, list[Witness]]) -> None:
    plan, hands = MatchPlan(("gambler", "wagerer", "a"), 3, 12, 5), list[PlayedHand]()
    list(match(replace(plan, seed=seed_of_match(5, 2)), watch=hands.append))
    assert list(hands_of_match(plan, 2)) == hands
    assert list(hands_of_match(plan, 1)) != hands
    with pytest.raises(MatchError, match="1 to 100,000 matches can be played, not 100,001"):
        hands_of_match(plan, 100_000)


def test_each_deck_adds_a_complete_answer(made: dict[str, list[Witness]]) -> None:
    _, results = played("gambler", "a", hands=21)
    assert [result.decks for result in results] == list(range(2, 12))  # 21 hands are rounded up to whole decks
    assert [result.hands for result in results] == list(range(4, 23, 2))
    _, shorter = played("gambler", "a", hands=10)
    assert shorter[-1].styles == results[len(shorter) - 1].styles
    assert all(isinstance(one, Difference) for one in results[0].differences)


def test_to_cease_to_iterate_is_to_stop(made: dict[str, list[Witness]]) -> None:
    results: Iterator[MatchResult] = match(MatchPlan(("a", "b"), 2, 1_000_000))
    assert next(results).decks == 2
    assert next(results).decks == 3
    assert len(made["a"][0].past) == 6


# Bad input


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        (MatchPlan((), 2), "A match takes 2 to 10 styles, not 0."),
        (MatchPlan(("fold",), 2), "A match takes 2 to 10 styles, not 1."),
        (MatchPlan(tuple(f"fold:{n}" for n in range(11)), 11), "A match takes 2 to 10 styles, not 11."),
        (MatchPlan(("fold", "random", "fold"), 3), "'fold' is named twice; the styles of a match must differ."),
        (MatchPlan(("fold", "random"), 1), "A table has 2 to 10 seats, not 1."),
        (MatchPlan(("fold", "random"), 11), "A table has 2 to 10 seats, not 11."),
        (MatchPlan(("fold", "fold-paper", "random"), 2), "3 styles need as many seats, and there are 2."),
        (
            MatchPlan(("fold", "random"), 2, 3),
            "This match takes 4 to 100,000,000 hands (2 decks of 2 rotations or more), not 3.",
        ),
        (
            MatchPlan(("fold", "random"), 5, 10**9),
            "This match takes 10 to 100,000,000 hands (2 decks of 5 rotations or more), not 1,000,000,000.",
        ),
        (MatchPlan(("fold", "random"), 2, seed=-1), "The seed must be from 0 to 9223372036854775807, not -1."),
        (
            MatchPlan(("fold", "random"), 2, seed=2**63),
            "The seed must be from 0 to 9223372036854775807, not 9223372036854775808.",
        ),
    ],
)
def test_a_match_that_cannot_be_played_is_refused_at_once(plan: MatchPlan, sentence: str) -> None:
    with pytest.raises(MatchError) as caught:
        match(plan)
    assert str(caught.value) == sentence


def test_unknown_styles_and_readers_are_refused_at_once() -> None:
    with pytest.raises(UnknownStyleError, match="There is no style 'guru'"):
        match(MatchPlan(("fold", "guru"), 2))
    with pytest.raises(UnknownReaderError, match="There is no reader 'psychic'"):
        match(MatchPlan(("fold", "fold:psychic"), 2))


# Several matches


def untimed(result: MatchResult) -> MatchResult:
    return replace(result, styles=tuple(replace(style, decision_seconds=0.0) for style in result.styles))


def test_seeds_of_matches_differ_and_the_first_is_the_plans() -> None:
    seeds = [seed_of_match(7, number) for number in range(100)]
    assert seeds[0] == 7
    assert len(set(seeds)) == 100
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert seeds[1:] != [seed_of_match(8, number) for number in range(1, 100)]


@pytest.mark.parametrize("count", [3, 12])
def test_several_matches_are_the_same_as_one_after_the_other(made: dict[str, list[Witness]], count: int) -> None:
    plan = MatchPlan(("gambler", "wagerer", "a"), 3, 12, 5)
    *_, several = several_matches(plan, count)
    singles = [list(match(replace(plan, seed=seed_of_match(5, number))))[-1] for number in range(count)]
    assert (several.result.matches, several.result.decks, several.result.hands) == (count, 4 * count, 12 * count)
    for at, style in enumerate(several.result.styles):
        assert style.net == sum(single.styles[at].net for single in singles)
        assert style.decisions == sum(single.styles[at].decisions for single in singles)
        won = np.array([single.styles[at].net for single in singles], dtype=float)
        if count >= 10:  # each match is one observation
            rate, stderr = ratio_with_stderr(won, np.full(count, 12.0))
            assert (style.win_rate.bb_per_100, style.win_rate.observations) == (pytest.approx(rate), count)
            assert style.win_rate.stderr == pytest.approx(stderr, rel=1e-9)
        else:
            assert style.win_rate.observations == 4 * count
    for value in several.result.values:
        same = [
            one
            for single in singles
            for one in single.values
            if (one.style, one.street, one.move) == (value.style, value.street, value.move)
        ]
        assert value.decisions == sum(one.decisions for one in same)
        realised = sum(one.realised * one.decisions for one in same) / value.decisions
        assert value.realised == pytest.approx(realised)


def test_everybody_begins_each_match_as_a_stranger(made: dict[str, list[Witness]]) -> None:
    list(several_matches(MatchPlan(("a", "gambler"), 2, 20, 5), 3))
    memories = [player.past for player in made["a"] if player.past]
    assert [len(past) for past in memories] == [20, 20, 20]
    assert len({past[0].hole_cards for past in memories}) > 1


def test_an_executor_changes_nothing(made: dict[str, list[Witness]]) -> None:
    plan, hands = MatchPlan(("jammer", "gambler"), 2, 10, 5), list[int]()

    def play(executor: Executor | None) -> list[SeveralMatches]:
        found = several_matches(plan, 11, readers=["uniform"], sharing=Sharing(executor, hands.append))
        return [SeveralMatches(untimed(one.result), one.points) for one in found]

    def untimed_points(several: SeveralMatches) -> list[ScoredPoint]:
        return [point._replace(seconds=0.0) for point in several.points[0]]

    alone = play(None)
    with ThreadPoolExecutor(3) as executor:
        shared = play(executor)
    assert [one.result for one in alone] == [one.result for one in shared]
    assert untimed_points(alone[-1]) == untimed_points(shared[-1])
    assert {point.hand for point in alone[-1].points[0]} <= set(range(110))
    assert max(point.hand for point in alone[-1].points[0]) >= 100
    assert sum(hands) == 2 * 110


class Breaking(Executor):
    """Does all tasks but one, at which it breaks."""

    def __init__(self, at: int) -> None:
        self.left = at

    def submit(self, task: Callable[..., T], /, *args: object, **kwargs: object) -> "Future[T]":
        future: Future[T] = Future()
        self.left -= 1
        if self.left == -1:
            future.set_exception(BrokenExecutor())
        else:
            future.set_result(task(*args, **kwargs))
        return future


def test_a_worker_that_dies_loses_no_finished_match(made: dict[str, list[Witness]]) -> None:
    results = several_matches(MatchPlan(("gambler", "a"), 2, 8, 5), 4, sharing=Sharing(Breaking(1)))
    counts = [next(results).result.matches for _ in range(3)]
    assert counts == [1, 2, 3]
    with pytest.raises(BrokenExecutor):
        next(results)
