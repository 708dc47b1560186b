"""Stage 2, opponent modelling: how likely a player takes an action with each hand (Li et al. 2017, sec. 4.2).

The *range model* is the entry rate by position (eq. 5), the *behaviour model* P(action | hand). For a stranger both
are the default model, DFModel; what is counted of a player moves them towards that player.

DFModel lays hands out on an axis of strength and cuts it into domains, from folding to overbetting. Eq. 6 is an
action's relative value for a hand; normalised over the actions possible it is P(action | hand). Where the paper
leaves room we chose:

- After the flop the axis is P_win, the exact equity against one uniform hand on the current board; before it, the
  share of hands that are weaker.
- The domain of an action that was not possible goes to the next weaker one that was, or else to the next stronger.
- With more players a cut point `c` moves to where a hand has the same odds against its fair share: against `k`
  opponents it needs `c / (c + (1 - c) k)` of the pot, and its P_win against one of them is taken as the k-th root.
- An entry is a hand in which the player acted before the flop and did not fold before it.
- Adaptation works on frequencies. The default model's share of each action, the share of hands in its domain, is a
  prior of some decisions, the player's counts are added, and the domains are cut again to hold the shrunk shares:
  before the flop of all hands, after it of those that reach a flop.

docs/reading.md, "The paper's reader", compares these choices with others; some are numbers in the parameters. With
a temper other than 1 a likelihood is P(action | hand) no more, but what of it is believed.
"""

import logging
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from msgspec import Struct
from msgspec.structs import astuple
from numpy.typing import NDArray

from engine.agents.agent import ActionClass, Figure, KnownPlayer, KnownPlayers, PositionGroup, UnderstoodAction
from engine.agents.fold.parameters import Behaviour, Parameters
from engine.agents.fold.understand import AGGRESSION, POSTFLOP_RAISES, is_raise_class, understand
from engine.cards import COMBO_CLASS, Card, Street, class_name, frozen
from engine.codec import StoredDataError, pack, unpack
from engine.game.events import ActionKind, ActionTaken, HandStarted, PublicEvent

_log = logging.getLogger(__name__)

Strengths = NDArray[np.float64]
"""One number 0-1 per combo: float64, shape (1326,)."""

RANKING_OPPONENTS = 3
"""Hands are ranked before the flop by equity against at most this many random hands: of 1 to 5 the best fit to
six-handed hands of Pluribus and of Bovada 2019 (log-loss 7.36 nats against 7.46 with 1 and 7.38 with 5)."""

AXIS = (ActionClass.FOLD, ActionClass.CHECK, ActionClass.CALL, *POSTFLOP_RAISES)
"""The six actions of DFModel, weak to strong."""

FACING_BET = tuple(action_class for action_class in AXIS if action_class is not ActionClass.CHECK)
FREE = (ActionClass.CHECK, *POSTFLOP_RAISES)


class Domain(Struct, frozen=True):
    """The strengths that an action fits perfectly, 0-1, and the one it fits best (Li et al. 2017, fig. 2)."""

    action_class: ActionClass
    low: float
    high: float
    baseline: float


@lru_cache(maxsize=256)
def win_probabilities(board: tuple[Card, ...]) -> Strengths:
    """Return P_win of every combo: its exact equity against one uniform hand on a board in rising order.

    Returns
    -------
    ndarray of float64, shape (1326,), read-only
        0 for combos that the board blocks. The last 256 boards are kept: 2.7 MB. About 1 ms for a new flop.
    """
    from engine.equity.combos import combo_equities

    return frozen(np.asarray(combo_equities(board), dtype=np.float64))


@lru_cache(maxsize=4)
def ranked_strengths(ranking: str) -> Strengths:
    """Return the share of hands weaker than each combo before the flop, by a ranking of the 169 hand classes.

    Their names stand between spaces, strongest first. The combos of a class share the middle of their places:
    float64, shape (1326,), read-only.
    """
    places = {name: place for place, name in enumerate(ranking.split())}
    order = np.array([places[class_name(hand_class)] for hand_class in COMBO_CLASS])
    counts = np.bincount(order, minlength=len(places))
    return frozen((1 - (np.cumsum(counts) - counts / 2) / len(order))[order])


@lru_cache(maxsize=10)
def preflop_strengths(opponents: int) -> Strengths:
    """Return the share of hands weaker than each combo before the flop, ranked by equity against random hands.

    Combos that tie share the middle of their places, so the mean is 1/2: float64, shape (1326,), read-only.
    """
    from engine.preflop import equity_against_random

    equity = np.asarray(equity_against_random(opponents), dtype=np.float64)
    _, inverse, counts = np.unique(equity.round(6), return_inverse=True, return_counts=True)
    middle = (np.cumsum(counts) - counts / 2) / len(equity)
    return frozen(middle[inverse])


def relative_values(
    strengths: Strengths, domains: Sequence[Domain], theta: float, *, is_capped: bool = True
) -> NDArray[np.float64]:
    """Return the relative values of actions for every hand, a row for each action (Li et al. 2017, eq. 6).

    theta inside the domain, `baseline / (baseline - P_win)` below the baseline, `(1 - baseline) / (P_win -
    baseline)` above it. Capped at theta, which the formula as printed exceeds close to the baseline of a narrow
    domain.

    >>> call = Domain(ActionClass.CALL, 0.57, 0.68, 0.61)
    >>> float(relative_values(np.array([0.55]), [call], 50.0).round(2)[0, 0])
    10.17
    """
    low, high, baseline = (
        np.array(bounds)[:, None]
        for bounds in zip(*((domain.low, domain.high, domain.baseline) for domain in domains), strict=True)
    )
    distance = baseline - strengths
    outside = np.where(distance > 0, baseline, 1 - baseline) / np.maximum(np.abs(distance), 1e-9)
    inside = (strengths >= low) & ((strengths < high) | (high >= 1.0))
    return np.where(inside, theta, np.minimum(outside, theta) if is_capped else outside)


def action_likelihoods(
    strengths: Strengths, domains: Sequence[Domain], theta: float, *, is_capped: bool = True
) -> dict[ActionClass, Strengths]:
    """Return P(action | hand) for every action of a situation and every hand; over the actions it sums to 1."""
    relative = relative_values(strengths, domains, theta, is_capped=is_capped)
    shares = relative / relative.sum(axis=0)
    return {domain.action_class: row for domain, row in zip(domains, shares, strict=True)}


def situation_domains(domains: Sequence[Domain], possible: Sequence[ActionClass]) -> tuple[Domain, ...]:
    """Return the domains of the actions possible: the others' go to the next weaker one, else the next stronger."""
    kept = [domain for domain in domains if domain.action_class in possible]
    lows = [0.0, *(domain.low for domain in kept[1:])]
    highs = [*lows[1:], 1.0]
    return tuple(
        Domain(domain.action_class, low, high, domain.baseline)
        for domain, low, high in zip(kept, lows, highs, strict=True)
    )


def _entry_domains(entry: float, possible: Sequence[ActionClass]) -> tuple[Domain, ...]:
    """Return domains before the flop by the entry rate alone (Li et al. 2017, eq. 5): calls and raises alike.

    Whoever may check does so with any hand.
    """
    bounds = {ActionClass.FOLD: (0.0, 1 - entry), ActionClass.CHECK: (0.0, 1.0)}
    return tuple(
        Domain(action_class, low, high, (low + high) / 2)
        for action_class in possible
        for low, high in [bounds.get(action_class, (1 - entry, 1.0))]
    )


def reaching_top(domain: Domain) -> Domain:
    """Return a call's domain up to the strongest hands, as if nobody raised them; others as they are."""
    if domain.action_class is not ActionClass.CALL:
        return domain
    return Domain(domain.action_class, domain.low, 1.0, (domain.low + 1) / 2)


def default_domains(behaviour: Behaviour) -> tuple[Domain, ...]:
    """Return the six domains of DFModel, weak to strong, for a pot of two players (Li et al. 2017, fig. 2)."""
    cuts = (0.0, *astuple(behaviour.cut_points), 1.0)
    return tuple(map(Domain, AXIS, cuts[:-1], cuts[1:], astuple(behaviour.baselines)))


def fair_odds(win_rate: float, opponents: float) -> float:
    """Return the share of a pot with `opponents` opponents that has the odds of `win_rate` against one.

    The odds are taken against the fair share: half the pot against one opponent is a third against two.

    >>> round(fair_odds(0.7, 2), 3)
    0.538
    """
    return win_rate / (win_rate + (1 - win_rate) * opponents)


def multiway_cut(cut: float, opponents: float) -> float:
    """Return where a cut point of a two-player pot lies on the axis of P_win against several opponents."""
    return float(fair_odds(cut, opponents) ** (1 / opponents))


def multiway_domains(domains: Sequence[Domain], opponents: int, how_far: float = 1.0) -> tuple[Domain, ...]:
    """Return the domains of a two-player pot moved to a pot with several opponents.

    `how_far` is the share of the further opponents that count, 0-1: with 0 nothing moves.
    """
    counted = 1 + (opponents - 1) * how_far
    if counted <= 1:
        return tuple(domains)
    return tuple(
        Domain(
            domain.action_class,
            multiway_cut(domain.low, counted),
            multiway_cut(domain.high, counted),
            multiway_cut(domain.baseline, counted),
        )
        for domain in domains
    )


def shrink(prior: float, weight: float, count: float, total: float) -> float:
    """Return a frequency between the prior, worth `weight` observations, and `count` out of `total`."""
    return (weight * prior + count) / (weight + total)


def recut(domains: Sequence[Domain], shares: Sequence[float], quantiles: Sequence[float]) -> tuple[Domain, ...]:
    """Return the domains cut so that each holds its share of the hands that see a flop.

    A baseline keeps its relative place inside its domain.
    """
    bounds = np.interp(np.cumsum([0.0, *shares]), _levels(len(quantiles)), quantiles)
    bounds[0], bounds[-1] = 0.0, 1.0
    moved = []
    for domain, low, high in zip(domains, bounds[:-1], bounds[1:], strict=True):
        width = domain.high - domain.low
        place = (domain.baseline - domain.low) / width if width > 0 else 0.5
        moved.append(Domain(domain.action_class, float(low), float(high), float(low + place * (high - low))))
    return tuple(moved)


def calling_from(low: float, domains: Sequence[Domain]) -> tuple[Domain, ...]:
    """Return the domains with another lower bound of the call, which takes from folding or leaves to it.

    The paper's adaptation: down for who calls too often and up for who folds often (Li et al. 2017, sec. 4.2).
    """
    fold, call, *rest = domains
    low = min(low, call.high)
    fold_high = low if fold.high == call.low else min(fold.high, low)
    place = (call.baseline - call.low) / (call.high - call.low) if call.high > call.low else 0.5
    return (
        Domain(fold.action_class, fold.low, fold_high, min(fold.baseline, fold_high)),
        Domain(call.action_class, low, call.high, low + place * (call.high - low)),
        *rest,
    )


def domain_shares(domains: Sequence[Domain], quantiles: Sequence[float]) -> list[float]:
    """Return the share of the hands that see a flop in each domain."""
    levels = _levels(len(quantiles))
    return [float(np.diff(np.interp([domain.low, domain.high], quantiles, levels))[0]) for domain in domains]


@lru_cache(maxsize=8)
def _levels(count: int) -> Strengths:
    """Return so many even steps from 0 to 1."""
    return frozen(np.linspace(0.0, 1.0, count))


class PlayerCounts:
    """What was counted of one player: entries, first and later preflop actions, actions after the flop."""

    def __init__(self) -> None:
        self.hands = 0
        self.entry: Counter[tuple[PositionGroup, bool]] = Counter()
        self.first: Counter[tuple[PositionGroup, int, ActionKind]] = Counter()
        self.again: Counter[ActionKind] = Counter()
        self.postflop: Counter[tuple[Street, bool, PositionGroup, ActionClass]] = Counter()

    def entries(self, position: PositionGroup) -> tuple[int, int]:
        """Return entries and opportunities from a position group."""
        entered = self.entry[position, True]
        return entered, entered + self.entry[position, False]

    def first_actions(self, position: PositionGroup, raises: int) -> tuple[int, int, int]:
        """Return raises, continuations and opportunities of first preflop actions."""
        counts = {kind: self.first[position, raises, kind] for kind in ActionKind}
        total = sum(counts.values())
        return counts[ActionKind.RAISE], total - counts[ActionKind.FOLD], total

    @property
    def choices(self) -> int:
        """How many choices were counted."""
        return self.first.total() + self.again.total() + self.postflop.total()

    def bets_faced(self) -> tuple[int, int]:
        """Return how often the player folded to a bet after the flop, and how often they faced one."""
        faced = {key: count for key, count in self.postflop.items() if key[1]}
        return sum(count for key, count in faced.items() if key[3] is ActionClass.FOLD), sum(faced.values())

    def count_hand(self, actions: Sequence[UnderstoodAction], kinds: Sequence[ActionKind]) -> None:
        """Count one player's actions of a finished hand, with their kinds."""
        self.hands += 1
        preflop = [(action, kind) for action, kind in zip(actions, kinds, strict=True) if not action.street]
        if preflop:
            first, first_kind = preflop[0]
            self.entry[first.position, preflop[-1][1] is not ActionKind.FOLD] += 1
            self.first[first.position, min(first.raises_faced, 2), first_kind] += 1
            self.again.update(kind for _, kind in preflop[1:])
        for action in actions:
            if action.street:
                self.postflop[action.street, action.is_facing_bet, action.position, action.action_class] += 1


class _StoredCounts(Struct, frozen=True, array_like=True):
    """`PlayerCounts` as lists of key and count."""

    hands: int
    entry: list[tuple[tuple[PositionGroup, bool], int]]
    first: list[tuple[tuple[PositionGroup, int, ActionKind], int]]
    again: list[tuple[ActionKind, int]]
    postflop: list[tuple[tuple[Street, bool, PositionGroup, ActionClass], int]]

    @classmethod
    def of(cls, counts: PlayerCounts) -> "_StoredCounts":
        parts = counts.entry, counts.first, counts.again, counts.postflop
        return cls(counts.hands, *(list(part.items()) for part in parts))  # type: ignore[arg-type]

    def counts(self) -> PlayerCounts:
        counts = PlayerCounts()
        counts.hands = self.hands
        counts.entry.update(dict(self.entry))
        counts.first.update(dict(self.first))
        counts.again.update(dict(self.again))
        counts.postflop.update(dict(self.postflop))
        return counts


def counts_of(player: KnownPlayer) -> PlayerCounts:
    """Return what is kept of the counts of a player; `StoredDataError` if they cannot be read."""
    stored = unpack(player.counts, _StoredCounts)
    rows = (stored.entry, stored.first, stored.again, stored.postflop)
    if min((count for row in rows for _, count in row), default=0) < 0:
        raise StoredDataError("A player did something less than never.")
    return stored.counts()


class OpponentModel:
    """The range and behaviour models of every player met, by name; strangers get DFModel."""

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        self._behaviour = parameters.behaviour
        self._players: dict[str, PlayerCounts] = {}
        self._domains = default_domains(parameters.behaviour)

    def counts(self, name: str) -> PlayerCounts:
        """Return what was counted of a player; nothing for a stranger."""
        return self._players.get(name, PlayerCounts())

    def learn(self, events: Sequence[PublicEvent]) -> None:
        """Count a finished hand for every player in it, unless adaptation is switched off."""
        if not self.parameters.options.adaptation:
            return
        actions = understand(events, after_call=self.parameters.options.size_after_call)
        starts = [event for event in events if isinstance(event, HandStarted)]
        for start in starts[:1]:
            for seat in start.seats:
                mine = [action for action in actions if action.seat == seat.seat]
                if mine:
                    kinds = [_event(events, action).action.kind for action in mine]
                    self._players.setdefault(seat.name, PlayerCounts()).count_hand(mine, kinds)

    def memory(self) -> bytes:
        """Return what was counted of every player, packed."""
        return pack({name: _StoredCounts.of(counts) for name, counts in self._players.items()})

    def recall(self, memory: bytes) -> None:
        """Take such counts in the place of its own; damaged ones are a `StoredDataError` and change nothing."""
        stored = unpack(memory, dict[str, _StoredCounts])
        self._players = {name: counts.counts() for name, counts in stored.items()}

    def known_players(self) -> dict[str, KnownPlayer]:
        """Return what goes to the next session of each player: the counts, of 168 kinds at most, some 5 kB."""
        return {
            name: KnownPlayer(0, b"", counts.choices, pack(_StoredCounts.of(counts)))
            for name, counts in self._players.items()
        }

    def meet(self, players: KnownPlayers) -> None:
        """Begin with earlier counts of players; what cannot be read is left out, with a line in the log."""
        for name, player in players.items() if self.parameters.options.adaptation else ():
            if player.counts:
                try:
                    self._players[name] = counts_of(player)
                except StoredDataError as error:
                    _log.warning("What was counted of a player is left out: %s", error)

    def entry_rate(self, name: str, position: PositionGroup, seats: int) -> Figure:
        """Return a player's entry rate P_in from a position (Li et al. 2017, eq. 5), shrunk to the stranger's."""
        default = self.parameters.ranges.of(seats).entry.at(position)
        entered, hands = self.counts(name).entries(position)
        value = shrink(default, self.parameters.memory.entry, entered, hands)
        return Figure(f"entry rate {position.value}", value, default, float(hands))

    def likelihood(
        self,
        name: str,
        action: UnderstoodAction,
        events: Sequence[PublicEvent],
        board: tuple[Card, ...],
        earlier: Sequence[UnderstoodAction] = (),
    ) -> tuple[Strengths, tuple[Figure, ...]]:
        """Return P(action | hand) for every combo, and the model's numbers behind it.

        Parameters
        ----------
        events : sequence of PublicEvent
            The hand that `action.event_index` points into.
        board : tuple of Card
            As it was when they acted.
        earlier : sequence of UnderstoodAction
            The player's earlier actions of this hand.

        Returns
        -------
        likelihood : ndarray of float64, shape (1326,)
            Not masked: combos that the board blocks have some number too.
        """
        domains, figures = self.domains(name, action, events, earlier)
        theta = self._behaviour.theta if action.street else self._behaviour.theta_preflop
        strengths = self._strengths(action, events, board)
        shares = action_likelihoods(strengths, domains, theta, is_capped=self.parameters.options.cap)
        chosen = next(domain for domain in domains if domain.action_class is action.action_class)
        figures = (
            *figures,
            Figure("domain low", chosen.low, chosen.low),
            Figure("domain high", chosen.high, chosen.high),
            Figure("baseline", chosen.baseline, chosen.baseline),
        )
        likelihood, temper = shares[action.action_class], self._behaviour.temper.at(action.street)
        if temper == 1:
            return likelihood, figures
        return likelihood**temper, (*figures, Figure("temper", temper, 1.0))

    def _strengths(
        self, action: UnderstoodAction, events: Sequence[PublicEvent], board: tuple[Card, ...]
    ) -> Strengths:
        """Return every combo's place on the axis when an action was taken."""
        if action.street is Street.PREFLOP:
            if self._behaviour.ranking:
                return ranked_strengths(self._behaviour.ranking)
            return preflop_strengths(min(_seats(events) - 1, RANKING_OPPONENTS))
        return win_probabilities(tuple(sorted(board)))

    def domains(
        self,
        name: str,
        action: UnderstoodAction,
        events: Sequence[PublicEvent],
        earlier: Sequence[UnderstoodAction] = (),
    ) -> tuple[tuple[Domain, ...], tuple[Figure, ...]]:
        """Return the domains of the actions that a player could choose from, and the shares that cut them."""
        possible = action.possible
        if action.street is Street.PREFLOP:
            return self._preflop_domains(name, action, possible, earlier, _seats(events))
        adapted, figures = self.adapted_domains(name, action.street, action.is_facing_bet, action.position)
        how_far = self._behaviour.multiway if self.parameters.options.multiway else 0.0
        moved = multiway_domains(adapted, action.players - 1, how_far)
        return self._of_possible(moved, possible), figures

    def _of_possible(self, domains: Sequence[Domain], possible: Sequence[ActionClass]) -> tuple[Domain, ...]:
        """Return the domains of the actions possible, with or without those of the others between them."""
        if self.parameters.options.fill_domains:
            return situation_domains(domains, possible)
        return tuple(domain for domain in domains if domain.action_class in possible)

    def adapted_domains(
        self, name: str, street: Street, is_facing_bet: bool, position: PositionGroup
    ) -> tuple[tuple[Domain, ...], tuple[Figure, ...]]:
        """Return a player's domains in a two-player pot after the flop, and the shares that cut them.

        The street's counts are shrunk to DFModel, those from the position to the street's.
        """
        memory, options = self.parameters.memory, self.parameters.options
        classes = FACING_BET if is_facing_bet else FREE
        domains = situation_domains(self._domains, classes)
        row: tuple[float, ...] = getattr(self.parameters.behaviour.quantiles, street.name.lower())
        defaults = domain_shares(domains, row)
        postflop = self.counts(name).postflop
        here = [postflop[street, is_facing_bet, position, action_class] for action_class in classes]
        everywhere = [
            sum(postflop[street, is_facing_bet, group, action_class] for group in PositionGroup)
            for action_class in classes
        ]
        total = sum(everywhere)
        shares = [
            shrink(default, memory.street, count, total)
            for default, count in zip(defaults, everywhere, strict=True)
        ]
        if options.adapt_positions:
            shares = [
                shrink(share, memory.position, local, sum(here)) for share, local in zip(shares, here, strict=True)
            ]
        figures = tuple(
            Figure(f"share of {action_class.value}", share, default, float(total))
            for action_class, share, default in zip(classes, shares, defaults, strict=True)
        )
        if total and options.adapt_raises:
            return recut(domains, shares, row), figures
        # Without counts the cut points are DFModel's own, not their round trip through the quantiles.
        domains = self._of_possible(self._domains, classes)
        if total and is_facing_bet:
            domains = calling_from(float(np.interp(shares[0], _levels(len(row)), row)), domains)
        return domains, figures

    def _preflop_domains(
        self,
        name: str,
        action: UnderstoodAction,
        possible: Sequence[ActionClass],
        earlier: Sequence[UnderstoodAction],
        seats: int,
    ) -> tuple[tuple[Domain, ...], tuple[Figure, ...]]:
        entry, continuing, raising = self._preflop_shares(name, action, seats)
        figures: tuple[Figure, ...] = (entry, continuing, raising)
        inside, top = continuing.value, continuing.value * raising.value
        if earlier:
            first = max(earlier, key=lambda done: AGGRESSION[done.action_class])
            _, before, raised = self._preflop_shares(name, first, seats)
            shown = before.value * (raised.value if is_raise_class(first.action_class) else 1.0)
            going_on, again = self._again_shares(name)
            figures = (entry, Figure("range shown before", shown, shown), going_on, again)
            inside, top = shown * going_on.value, shown * again.value
        if not self.parameters.options.ranges_by_raises:
            return _entry_domains(entry.value, possible), (entry,)
        passive = [action_class for action_class in possible if not is_raise_class(action_class)]
        raises = [action_class for action_class in possible if is_raise_class(action_class)]
        edges = [0.0, 1 - inside, 1 - top, 1.0]
        names = (ActionClass.FOLD, passive[-1], raises[0] if raises else ActionClass.FOUR_BET)
        domains = [
            Domain(action_class, low, high, (low + high) / 2)
            for action_class, low, high in zip(names, edges[:-1], edges[1:], strict=True)
        ]
        found = situation_domains(domains, possible)
        if self._behaviour.call_reaches_top:
            found = tuple(map(reaching_top, found))
        return found, figures

    def _preflop_shares(self, name: str, action: UnderstoodAction, seats: int) -> tuple[Figure, Figure, Figure]:
        """Return entry rate, share of hands that continue, and share of those that raise, on a first action."""
        entry = self.entry_rate(name, action.position, seats)
        memory, raises = self.parameters.memory, min(action.raises_faced, 2)
        model = self.parameters.ranges.of(seats)
        ratio = model.continue_ratio.after(raises, action.position)
        raised, continued, total = self.counts(name).first_actions(action.position, raises)
        continuing = Figure(
            "share continuing",
            shrink(min(1.0, entry.value * ratio), memory.first_action, continued, total),
            min(1.0, entry.default * ratio),
            float(total),
        )
        share = default = model.raise_share.after(raises, action.position)
        if self.parameters.options.adapt_raises:
            share = shrink(default, memory.raise_share, raised, continued)
        return entry, continuing, Figure("share raising of these", share, default, float(continued))

    def _again_shares(self, name: str) -> tuple[Figure, Figure]:
        """Return the shares of a range shown that go on, and that raise, on a second preflop action."""
        defaults, weight = self.parameters.again, self.parameters.memory.raise_share
        counts = self.counts(name).again
        total = sum(counts.values())
        folds, raises = counts[ActionKind.FOLD], counts[ActionKind.RAISE]
        raising = defaults.raising
        if self.parameters.options.adapt_raises:
            raising = shrink(defaults.raising, weight, raises, total)
        return (
            Figure(
                "share going on",
                shrink(defaults.continuing, weight, total - folds, total),
                defaults.continuing,
                float(total),
            ),
            Figure("share raising again", raising, defaults.raising, float(total)),
        )


def _event(events: Sequence[PublicEvent], action: UnderstoodAction) -> ActionTaken:
    event = events[action.event_index]
    assert isinstance(event, ActionTaken)
    return event


def _seats(events: Sequence[PublicEvent]) -> int:
    return next(len(event.seats) for event in events if isinstance(event, HandStarted))
