"""Styles against each other over many hands: how much each wins, and how sure that is.

In a match of a cash game everybody starts every hand with the same stack, so that all hands weigh alike. Luck is
taken out by duplicate deals: each deck is played once in each rotation of the styles over the seats, so every
style gets the same hole cards in the same position with the same board to come, and the same random numbers for
its decisions. For each deck the order of the styles round the table is drawn afresh, unless the plan fixes it, so
that none always acts behind the same other, and the button moves on. The luck of the board's cards is taken out
too, that of all-ins included (`engine.figures.board_luck`); what was won is counted both with and
without it.

The hands of a deck are not independent, and standard errors do not treat them so: a deck is one observation.
Learning makes later hands differ from earlier ones, which no standard error of one match knows; a match is how
strangers do against each other over just so many hands. Nor can a match be cut, for what is learned in one hand
decides the next. What can be shared out are several matches, each of strangers: `engine.lab.matches.several` plays
them, and from `LEAST_MATCHES` on takes each as one observation, however its hands hang together.

Of a format for tournaments a match is one whole tournament, with the same decks in each rotation of the styles over
the seats and strangers in each; all its rotations are one observation.
"""

from collections.abc import Callable, Iterator
from math import ceil
from time import process_time
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from engine.agents.agent import Agent, Trace
from engine.agents.styles import make_agent, style_name
from engine.game.events import GameKind, Seat, start_of
from engine.game.formats import GameConfig, SeatConfig
from engine.game.phh import RecordedHand
from engine.game.rules import Betting
from engine.lab.matches.counted.curves import Curve
from engine.lab.matches.counted.tally import MatchTally
from engine.lab.matches.counted.tournament_tally import TournamentTally
from engine.lab.matches.plan import LEAST_DECKS, MatchPlan, Seating
from engine.lab.matches.results import MatchResult
from engine.play import Dealer
from engine.session_state import DealerState, SeatRecord


class PlayedHand(NamedTuple):
    """A finished hand of a match with everybody's hole cards, and the trace of each decision in order.

    Hole cards and players are of those dealt in, in rising order of their seats. A deck's hands are named after it,
    those of a tournament after their number in it.
    """

    hand: RecordedHand
    traces: tuple[Trace, ...]


class Player(Struct):
    """One of a style's players, who keeps name and memory through the match."""

    style: int
    name: str
    agent: Agent


def match(
    plan: MatchPlan,
    *,
    clock: Callable[[], float] = process_time,
    watch: Callable[[PlayedHand], object] | None = None,
) -> Iterator[MatchResult]:
    """Play a match of a cash game; each step plays decks in all their rotations, timed by CPU seconds by default.

    Parameters
    ----------
    watch : callable, optional
        Takes each hand when it is over; changes nothing of the match.

    Returns
    -------
    iterator of MatchResult
        One after each deck from the second on, or after many decks if nobody watches and all styles are compiled
        (`engine.lab.matches.bulk`); the last is final. To stop, cease to iterate.

    Raises
    ------
    MatchError
        If no match can be played like that.
    UnknownStyleError, UnknownReaderError
        If a style or its reader has no such name.

    Examples
    --------
    >>> *_, result = match(MatchPlan(("random", "tight-passive"), seats=2, hands=40, seed=1))
    >>> result.decks, [style.hands for style in result.styles], sum(style.net for style in result.styles)
    (20, [40, 40], 0)
    """
    plan.verify_kind(GameKind.CASH)
    tallies = play_decks(plan, players_of(plan), clock, watch)
    curve = Curve()
    return (MatchResult.of(plan, tally, curve) for tally in tallies if tally.decks >= LEAST_DECKS)


def players_of(plan: MatchPlan, make: Callable[[str], Agent] = make_agent) -> list[list[Player]]:
    """Return for each style as many players as it may have at the table, all with names of their own.

    `make` makes a player from the name of a style.

    Raises
    ------
    UnknownStyleError, UnknownReaderError
        If a style or its reader has no such name.
    """
    most = ceil(plan.seats / len(plan.styles))
    return [
        [Player(at, name if most == 1 else f"{name} {number}", make(style)) for number in range(1, most + 1)]
        for at, (style, name) in enumerate(zip(plan.styles, map(style_name, plan.styles), strict=True))
    ]


def play_decks(
    plan: MatchPlan,
    players: list[list[Player]],
    clock: Callable[[], float],
    watch: Callable[[PlayedHand], object] | None = None,
) -> Iterator[MatchTally]:
    """Play deck after deck of a cash game, with players by `players_of`; `watch` takes each finished hand.

    Yields the same tally after each deck, or after many if nobody watches and all styles are compiled.
    """
    from engine.lab.matches.bulk import BulkMatch  # with kernels, which whoever asks for help can spare
    from engine.lab.matches.compiled import compiled

    tally = MatchTally(len(plan.styles), plan.game.big_blind)
    stacks = [plan.starting_stack] * plan.seats
    start = Betting(plan.game.rules_at(0, sum(stacks)), stacks, plan.seats - 1)
    styles = compiled([of_style[0].agent for of_style in players], start)
    if watch is None and styles is not None:
        is_drawn = plan.seating == Seating.DRAWN
        in_bulk = BulkMatch(start, stacks[0], plan.rotations, seed=plan.seed, styles=styles, is_drawn=is_drawn)
        yield from in_bulk.tallies(tally, plan.decks, clock)
        return
    for deck in range(plan.decks):
        for rotation in range(plan.rotations):
            seated = _seated(plan, players, deck, rotation)
            played = _play_hand(seated, plan, deck, tally, clock)
            tally.add_hand(played.hand, played.traces, {seat: player.style for seat, player in seated.items()})
            if watch is not None:
                watch(played)
        tally.end_deck()
        yield tally


def _seated(plan: MatchPlan, players: list[list[Player]], deck: int, rotation: int) -> dict[Seat, Player]:
    """Return who sits where: styles round the table in the order of the deck, turned by the rotation."""
    order = list(range(len(plan.styles)))
    if plan.seating == Seating.DRAWN:
        order = np.random.default_rng([plan.seed, deck]).permutation(order).tolist()
    ring = [players[order[place % len(order)]][place // len(order)] for place in range(plan.seats)]
    return {Seat((place + rotation) % plan.seats): player for place, player in enumerate(ring)}


def _play_hand(
    seated: dict[Seat, Player], plan: MatchPlan, deck: int, tally: MatchTally, clock: Callable[[], float]
) -> PlayedHand:
    """Play one hand: that of this number in a session of this seed, with full stacks, whoever sits where."""
    config = replace(_game(seated, plan), max_hands=None)
    full = SeatRecord(config.starting_stack, config.starting_stack)
    last_big_blind = Seat(deck % len(seated))
    state = DealerState(deck, (full,) * len(seated), last_big_blind)
    dealer = Dealer.restore(config, state, {seat: player.agent for seat, player in seated.items()})
    dealer.start_hand()
    while (seat := dealer.to_act) is not None:
        started = clock()
        decision = dealer.decide()
        tally.add_decision(seated[seat].style, clock() - started)
        dealer.apply(decision.action, decision)
    return _finished(dealer, f"deck {deck}")


def _finished(dealer: Dealer, name: str) -> PlayedHand:
    started = start_of(dealer.events)
    hand = RecordedHand(
        name=name,
        players=tuple(seat.name for seat in started.seats),
        hole_cards=tuple(dealer.private_event(seat.seat).hole_cards for seat in started.seats),
        events=dealer.events,
    )
    return PlayedHand(hand, dealer.open_traces())


def _game(seated: dict[Seat, Player], plan: MatchPlan) -> GameConfig:
    names = tuple(SeatConfig(seated[seat].name, seated[seat].agent.style) for seat in sorted(seated))
    return replace(plan.game.game(names, seed=plan.seed), starting_stack=plan.starting_stack)


def play_tournaments(
    plan: MatchPlan, tally: TournamentTally, on_end: Callable[[], object] | None = None
) -> Iterator[PlayedHand]:
    """Play a tournament in all its rotations, in each with strangers: hand by hand, each counted.

    `on_end` is called whenever one has ended.
    """
    for rotation in range(plan.rotations):
        for dealer, style_of in tournament(plan, rotation):
            tally.add_hand(dealer.events, style_of, dealer.hand_number)
            yield _finished(dealer, f"hand {dealer.hand_number}")
        tally.cut += dealer.end_reason is None
        tally.end_tournament(dealer.state, dealer.config, style_of)
        if on_end is not None:
            on_end()
    tally.end_match()


def tournament(
    plan: MatchPlan, rotation: int = 0, *, make: Callable[[str], Agent] = make_agent
) -> Iterator[tuple[Dealer, dict[Seat, int]]]:
    """Play one whole tournament of strangers, in one rotation of the styles; `make` as of `players_of`.

    Yields
    ------
    tuple of Dealer and dict
        After each hand: the same dealer, and the number of each seat's style.
    """
    seated = _seated(plan, players_of(plan, make), 0, rotation)
    style_of = {seat: player.style for seat, player in seated.items()}
    dealer = Dealer(_game(seated, plan), {seat: player.agent for seat, player in seated.items()})
    while dealer.end_reason is None and dealer.hand_number < plan.most_hands:
        dealer.start_hand()
        while dealer.to_act is not None:
            decision = dealer.decide()
            dealer.apply(decision.action, decision)
        yield dealer, style_of
