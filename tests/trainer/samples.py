"""Hands and readings for the tests of panels, hand-built and real.

`played()` is a hand of the real engine with the real reader. For what must be known beforehand,
`play(opponents)` writes a hand in which everybody stays in, through the river, where the human on the button faces
a bet; `readings` reads it with a simple strength rule over phevaluator's ranks. So the figures are plausible,
their sums are right, and nothing of them depends on the code under test.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from phevaluator import evaluate_cards

from engine.agents.agent import (
    Adjustment,
    Figure,
    Outs,
    Prediction,
    RangeShares,
    RangeUpdate,
    Reading,
    Thresholds,
    Trace,
)
from engine.agents.fold.understand import understand
from engine.agents.readers import make_reader
from engine.agents.reading import range_shares, reading
from engine.agents.styles import make_agent
from engine.cards import COMBO_CARDS, COMBO_COUNT, Card, Street, format_card, parse_cards, unblocked
from engine.codec import frozen_vector
from engine.equity.snapshot import Estimate, Method
from engine.game.events import (
    CALL,
    CHECK,
    Action,
    ActionKind,
    ActionTaken,
    BoardDealt,
    GameKind,
    HandStarted,
    Posted,
    PostKind,
    PublicEvent,
    SeatStart,
    raise_to,
    start_of,
)
from engine.game.formats import GameConfig, SeatConfig
from engine.game.history import observation_at
from engine.game.observation import LegalActions, Observation, Pot, SeatView
from engine.play import Dealer
from tests.engine.played import play_hand
from trainer.session.types import PointReading

NAMES = ("You", "Ada", "Boris", "Chloé", "Dmitri", "Elena", "Farid", "Greta", "Hiro", "Inés")
HERO = 0
BIG_BLIND = 20
STACK = 4000
HOLE_CARDS = parse_cards("AhJh")
BOARD = parse_cards("Ac Td 4h Qc 5c")


class _Writer:
    """Keeps the chips of a hand while it is written down."""

    def __init__(self, seats: int) -> None:
        self.stacks = [STACK] * seats
        self.bets = [0] * seats
        self.pot = 0
        self.street = Street.PREFLOP
        self.events: list[PublicEvent] = [
            HandStarted(
                7,
                GameKind.CASH,
                tuple(SeatStart(seat, NAMES[seat], STACK) for seat in range(seats)),
                button=HERO,
                small_blind=BIG_BLIND // 2,
                big_blind=BIG_BLIND,
                ante=0,
            )
        ]

    def put(self, seat: int, amount: int) -> None:
        self.stacks[seat] -= amount
        self.bets[seat] += amount
        self.pot += amount

    def post(self, seat: int, kind: PostKind, amount: int) -> None:
        self.events.append(Posted(seat, kind, amount, is_all_in=False))
        self.put(seat, amount)

    def act(self, seat: int, action: Action) -> None:
        to_call = max(self.bets) - self.bets[seat]
        amount = {ActionKind.CALL: to_call, ActionKind.RAISE: action.raise_to - self.bets[seat]}.get(action.kind, 0)
        self.events.append(
            ActionTaken(
                seat, self.street, action, amount, False, to_call, self.pot, self.stacks[seat], self.bets[seat]
            )
        )
        self.put(seat, amount)

    def deal(self, street: Street, cards: Sequence[Card]) -> None:
        self.street = street
        self.bets = [0] * len(self.bets)
        self.events.append(BoardDealt(street, tuple(cards)))


@cache
def play(opponents: int) -> tuple[PublicEvent, ...]:
    """Write the events of a hand against 1 to 9 opponents, up to the human's decision on the river."""
    seats = opponents + 1
    hand = _Writer(seats)
    order = [*range(1, seats), HERO]
    small, big = (HERO, 1) if opponents == 1 else (1, 2)
    hand.post(small, PostKind.SMALL_BLIND, BIG_BLIND // 2)
    hand.post(big, PostKind.BIG_BLIND, BIG_BLIND)
    first = [HERO, 1] if opponents == 1 else order[2:] + order[:2]
    hand.act(first[0], raise_to(60))
    re_raiser = first[3] if opponents >= 4 else None
    for seat in first[1:]:
        hand.act(seat, raise_to(140) if seat == re_raiser else CALL)
    for seat in first:
        if max(hand.bets) > hand.bets[seat]:
            hand.act(seat, CALL)
    bettors = {Street.FLOP: order[(opponents - 1) // 2], Street.TURN: order[0], Street.RIVER: order[opponents - 1]}
    shares = {Street.FLOP: 0.5, Street.TURN: 0.7, Street.RIVER: 1.2}
    boards = {Street.FLOP: BOARD[:3], Street.TURN: BOARD[3:4], Street.RIVER: BOARD[4:]}
    for street, cards in boards.items():
        hand.deal(street, cards)
        start = order.index(bettors[street])
        for seat in order[:start]:
            hand.act(seat, CHECK)
        hand.act(bettors[street], raise_to(int(shares[street] * min(hand.pot, 300))))
        for seat in order[start + 1 :] + order[:start]:
            if street is Street.RIVER and seat == HERO:
                return tuple(hand.events)
            hand.act(seat, CALL)
    return tuple(hand.events)


def observe(events: Sequence[PublicEvent]) -> Observation:
    """Give the human's observation after these events of a hand in which nobody folds."""
    start = start_of(events)
    bets, committed = ({seat.seat: 0 for seat in start.seats} for _ in range(2))
    board: tuple[Card, ...] = ()
    street = Street.PREFLOP
    for event in events[1:]:
        if isinstance(event, BoardDealt):
            bets = dict.fromkeys(bets, 0)
            board, street = board + event.cards, event.street
        elif isinstance(event, Posted | ActionTaken):
            bets[event.seat] += event.amount
            committed[event.seat] += event.amount
    views = tuple(
        SeatView(s.seat, s.name, s.stack - committed[s.seat], bets[s.seat], committed[s.seat], False, False, None)
        for s in start.seats
    )
    to_call = max(bets.values()) - bets[HERO]
    return Observation(
        seat=HERO,
        hole_cards=(HOLE_CARDS[0], HOLE_CARDS[1]),
        hand_number=start.hand_number,
        kind=start.kind,
        button=start.button,
        small_blind=start.small_blind,
        big_blind=start.big_blind,
        ante=start.ante,
        street=street,
        board=board,
        seats=views,
        pots=(Pot(sum(committed.values()), tuple(committed)),),
        to_act=HERO,
        legal=LegalActions(to_call == 0, to_call, to_call + BIG_BLIND, STACK),
        events=tuple(events),
    )


@cache
def strength(board: tuple[Card, ...]) -> NDArray[np.float64]:
    """Give every combo's rank 0-1 among the combos the board leaves, before the flop by a points rule."""
    high, low = (COMBO_CARDS[:, i].astype(np.int64) for i in (0, 1))
    if board:
        names = [format_card(card) for card in board]
        score = np.array(
            [-evaluate_cards(*names, format_card(a), format_card(b)) if live else -9999.0
             for a, b, live in zip(high, low, unblocked(board), strict=True)]
        )  # fmt: skip
    else:
        ranks = (high >> 2, low >> 2)
        pair, suited = ranks[0] == ranks[1], (high & 3) == (low & 3)
        gap = ranks[0] - ranks[1]
        score = 2 * np.maximum(*ranks) + np.minimum(*ranks) + 16.0 * pair + 4 * suited - 1.5 * np.minimum(gap, 5)
    order = np.empty(COMBO_COUNT)
    order[np.argsort(score, kind="stable")] = np.linspace(0, 1, COMBO_COUNT)
    return order


_SHAPES = {
    "fold": (0.15, -0.2),
    "check": (0.40, 0.35),
    "call": (0.66, 0.30),
    "raise": (0.86, 0.18),
    "3-bet": (0.95, 0.10),
    "4-bet or more": (0.98, 0.06),
    "half pot": (0.80, 0.22),
    "three-quarter pot": (0.88, 0.16),
    "pot or overbet": (0.94, 0.12),
}


def likelihood(action_class: str, board: tuple[Card, ...], live: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Give a bell of hands around those that usually act so, with a floor for bluffs."""
    centre, width = _SHAPES[action_class]
    values: NDArray[np.float64] = 0.03 + 0.75 * np.exp(-(((strength(board) - centre) / abs(width)) ** 2))
    return values * live


def predict(observation: Observation, seat: int) -> Prediction:
    """Read one opponent as the paper does, element-wise products normalised."""
    live = unblocked((*observation.hole_cards, *observation.board))
    prior = live / live.sum()
    posterior = prior.copy()
    updates: list[RangeUpdate] = []
    board: tuple[Card, ...] = ()
    boards = []
    for event in observation.events:
        board += event.cards if isinstance(event, BoardDealt) else ()
        boards.append(board)
    for action in understand(observation.events):
        if action.seat == seat:
            at_board = boards[action.event_index]
            values = likelihood(action.action_class, at_board, live)
            mean = float(posterior @ values)
            posterior = posterior * values / mean
            figures = (
                Figure(f"entry rate, {action.position}", 0.24 + 0.02 * seat, 0.27, 14.0),
                Figure(f"P({action.action_class}) of all hands", 0.31, 0.28, 9.0),
            )
            updates.append(RangeUpdate(action, at_board, frozen_vector(values), mean, figures))
    return Prediction(seat, "paper", frozen_vector(prior), tuple(updates), frozen_vector(posterior))


def read(observation: Observation) -> Reading:
    """Read every opponent; the win rates are plausible figures, not computed ones."""
    opponents = len(observation.seats) - 1
    street = int(observation.street)
    to_call = observation.legal.call_amount if observation.legal else 0
    outs = Outs(parse_cards("Kc Kd Kh Ks"), 4 / 46) if street in (1, 2) else None
    win = 0.62 ** (1 + (opponents - 1) / 3) * (1 - 0.08 * street)
    return Reading(
        predictions=tuple(predict(observation, seat) for seat in range(1, opponents + 1)),
        win_rate=Estimate(win, Method.SAMPLED, float(np.sqrt(win * (1 - win) / 500)), 500),
        win_rate_random=Estimate(0.72 ** (1 + (opponents - 1) / 3) + 0.03 * street, Method.SAMPLED, 0.018, 500),
        outs=outs,
        pot_odds=to_call / (observation.pot + to_call),
        spr=observation.me.stack / observation.pot,
        seed=11,
    )


@cache
def reading_at(opponents: int, event_count: int) -> PointReading:
    """Give the human reader's view after so many events of `play(opponents)`."""
    observation = observe(play(opponents)[:event_count])
    reading = read(observation)
    shares = {}
    for prediction in reading.predictions:
        rank = strength(observation.board)
        best, strong, better = (float(prediction.posterior[rank > bound].sum()) for bound in (0.97, 0.9, 0.6))
        draws = 0.2 * (1 - strong) if observation.street in (Street.FLOP, Street.TURN) else 0.0
        medium = (better - strong) * 0.8
        shares[prediction.seat] = RangeShares(best, strong - best, medium, 1 - strong - medium - draws, draws)
    return PointReading(observation.hand_number, event_count, observation, reading.predictions, shares, reading)


def action_points(opponents: int) -> tuple[int, ...]:
    """Give the event counts after each action and each board of `play(opponents)`."""
    return tuple(
        index + 1 for index, event in enumerate(play(opponents)) if isinstance(event, ActionTaken | BoardDealt)
    )


def readings(opponents: int) -> tuple[PointReading, ...]:
    """Give the readings at every point of the hand, the last one on the river."""
    return tuple(reading_at(opponents, count) for count in action_points(opponents))


def trace(opponents: int = 2, event_count: int | None = None) -> Trace:
    """Give a trace as a reading agent leaves it, of the seat on the button, with the paper's example thresholds."""
    count = event_count or action_points(opponents)[-1]
    point = reading_at(opponents, count)
    return Trace(
        style="fold",
        seed=5,
        observation=point.own,
        reading=point.reading,
        base=Thresholds(0.45, 0.62, 0.78),
        adjustments=(
            Adjustment("players", (Figure("opponents", opponents, 1),), Thresholds(0.38, 0.55, 0.72)),
            Adjustment(
                "stack_medium", (Figure("effective stack in big blinds", 60, 0),), Thresholds(0.38, 0.55, 0.72)
            ),
            Adjustment("pot_odds", (Figure("needed if all call", 0.2, 0),), Thresholds(0.33, 0.55, 0.72)),
        ),
        rule="call_range_call",
        action=CALL,
    )


def plain_trace() -> Trace:
    """Give a trace of a style that reads no hands: figures and a rule alone."""
    return Trace(
        style="calling station",
        seed=5,
        observation=observe(play(2)),
        figures=(Figure("win rate against any hand", 0.64, 0.5), Figure("calls from", 0.4, 0.4)),
        rule="call_strength",
        action=CALL,
    )


class PlayedHand(NamedTuple):
    """A hand that the real engine played and read: the human's last observation, traces, readings."""

    observation: Observation
    traces: tuple[Trace, ...]
    readings: tuple[PointReading, ...]


@cache
def played(seats: int = 3, style: str = "fold", least_actions: int = 9) -> PlayedHand:
    """Play hands until one in which the human calls along to a showdown, and read it as the session does."""
    config = GameConfig(
        kind=GameKind.CASH,
        seats=tuple(SeatConfig(NAMES[seat], style if seat else "human") for seat in range(seats)),
        starting_stack=STACK,
        small_blind=BIG_BLIND // 2,
        big_blind=BIG_BLIND,
        seed=4,
    )
    dealer = Dealer(config, {seat: make_agent(style) for seat in range(1, seats)})
    events: tuple[PublicEvent, ...] = ()
    for _ in range(200):
        events = play_hand(dealer, _call_along)
        acted = sum(isinstance(event, ActionTaken) for event in events)
        if acted >= least_actions and dealer.observe(HERO).opponents and len(dealer.observe(HERO).board) == 5:
            break
    observation = dealer.observe(HERO)
    reader = make_reader()
    counts = [
        count
        for count, event in enumerate(events, start=1)
        if isinstance(event, ActionTaken | BoardDealt)
        or (isinstance(event, Posted) and event.kind is PostKind.BIG_BLIND)
    ]
    points = []
    for count in counts:
        at = observation_at(observation, count)
        predictions = reader.read(at)
        shares = {made.seat: tuple(range_shares(made.posterior, at.board)) for made in predictions}
        found = reading(at, predictions, seed=count)
        points.append(PointReading(at.hand_number, count, at, predictions, shares, found))  # type: ignore[arg-type]
    return PlayedHand(observation, dealer.open_traces(), tuple(points))


def _call_along(observation: Observation) -> Action:
    return CHECK if observation.legal and observation.legal.can_check else CALL
