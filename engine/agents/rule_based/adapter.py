"""A rule-based player who counts what opponents do and plays against it: a tight-aggressive temper that moves.

Counted of each opponent, from public events alone, are bets after the flop that they fold to and that they make,
and raises before the flop, first ones and later ones. Each share begins as a usual player's (chosen, not measured)
and weighs like some chances already seen. A decision rests on the shares of the opponents it is about and on
nothing else that is remembered; its trace holds them, so that it can be made again from there.
"""

from collections.abc import Iterator, Sequence
from math import prod

from msgspec import Struct, structs

from engine.agents.agent import Figure, Trace
from engine.agents.fold.opponent_model import shrink
from engine.agents.rule_based.ruling import RulePlayer, Ruling
from engine.agents.rule_based.temper import Temper, play_by, seats_factor
from engine.agents.rule_based.tempers import TIGHT_AGGRESSIVE
from engine.cards import Street
from engine.codec import pack, unpack
from engine.game.events import ActionKind, ActionTaken, PublicEvent
from engine.game.history import moments
from engine.game.observation import Observation, SeatView
from engine.game.statistics import Ratio

MOST_REMEMBERED = 200
"""So many players are remembered, those met last."""

FOLDS, BETS, OPENS, RERAISES = "folds to bets", "bets after the flop", "raises first", "raises again"
"""Names of the figures: shares of bets and raises after the flop that are folded to, of checks or bets that are
bets, of first decisions before the flop without and with a raise that are raises."""

_USUAL = {FOLDS: 0.42, BETS: 0.4, OPENS: 0.2, RERAISES: 0.06}
_WEIGHT = {FOLDS: 12.0, BETS: 15.0, OPENS: 20.0, RERAISES: 30.0}

_RULES = {FOLDS: "adapted_to_folds", BETS: "adapted_to_bets"}
_RULES |= {OPENS: "adapted_to_opens", RERAISES: "adapted_to_reraises"}


class _Counts(Struct, frozen=True):
    """What was counted of one player."""

    folds: Ratio = Ratio()
    bets: Ratio = Ratio()
    opens: Ratio = Ratio()
    reraises: Ratio = Ratio()

    def of(self, name: str) -> Ratio:
        """Return the count behind a figure."""
        return {FOLDS: self.folds, BETS: self.bets, OPENS: self.opens, RERAISES: self.reraises}[name]

    def counted(self, name: str, is_done: bool) -> "_Counts":
        """Return the counts with one more chance counted."""
        one = Ratio(int(is_done), 1)
        field = {FOLDS: "folds", BETS: "bets", OPENS: "opens", RERAISES: "reraises"}[name]
        return structs.replace(self, **{field: self.of(name) + one})


class Adapter(RulePlayer):
    """Plays tight and aggressive at first, then against what it has counted of each opponent, by name."""

    style = "adapter"

    def __init__(self) -> None:
        self._players: dict[str, _Counts] = {}

    def _ruling(self, observation: Observation, seed: int) -> Ruling:
        return adapted_ruling(observation, seed, self._known(observation))

    def hand_finished(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
        """Count what everybody else did."""
        names = {view.seat: view.name for view in observation.seats if view.seat != observation.seat}
        for name in names.values():
            self._players[name] = self._players.pop(name, _Counts())
        for event, counted, is_done in _chances(observation.events):
            if event.seat in names:
                name = names[event.seat]
                self._players[name] = self._players[name].counted(counted, is_done)
        for name in list(self._players)[:-MOST_REMEMBERED]:
            del self._players[name]

    def memory(self) -> bytes:
        """Return what was counted of every player, packed, those met last behind."""
        return pack(self._players)

    def recall(self, memory: bytes) -> None:
        """Take such counts in the place of its own; damaged ones are a `StoredDataError` and change nothing."""
        self._players = unpack(memory, dict[str, _Counts])

    def _known(self, observation: Observation) -> Figure | None:
        """Return the one share that the decision turns on, with what was seen of it; None before anybody raised."""
        name, views = _question(observation)
        if not views:
            return None
        usual = _USUAL[name]
        if name == OPENS:
            usual *= seats_factor(len(observation.seats))
        counts = [self._players.get(view.name, _Counts()).of(name) for view in views]
        shares = [shrink(usual, _WEIGHT[name], count.done, count.chances) for count in counts]
        # A bet wins at once if all fold.
        return Figure(name, prod(shares), usual ** len(views), float(sum(count.chances for count in counts)))


def _chances(events: Sequence[PublicEvent]) -> Iterator[tuple[ActionTaken, str, bool]]:
    """Yield each action that counts, what it is a chance of, and whether it was taken."""
    for event, hand in moments(events):
        if not isinstance(event, ActionTaken):
            continue
        is_raise = event.action.kind is ActionKind.RAISE
        if event.street is not Street.PREFLOP:
            if event.to_call:
                yield event, FOLDS, event.action.kind is ActionKind.FOLD
            else:
                yield event, BETS, is_raise
        elif event.seat not in hand.raisers[Street.PREFLOP]:
            yield event, RERAISES if hand.raises else OPENS, is_raise


def _question(observation: Observation) -> tuple[str, tuple[SeatView, ...]]:
    """Return which share a decision turns on, and whose: the last raiser's, or all opponents'."""
    raisers = [
        event.seat
        for event in observation.events
        if isinstance(event, ActionTaken)
        and event.street is observation.street
        and event.action.kind is ActionKind.RAISE
    ]
    if observation.street is Street.PREFLOP:
        return (RERAISES if len(raisers) > 1 else OPENS), tuple(observation.view(seat) for seat in raisers[-1:])
    return (BETS, (observation.view(raisers[-1]),)) if raisers else (FOLDS, observation.opponents)


def adapted_ruling(observation: Observation, seed: int, known: Figure | None) -> Ruling:
    """Return what the player does who knows this share of the opponents that a decision is about.

    Where a usual player's share leads to the same action, the rule is the one that led there.
    """
    if known is None:
        return play_by(TIGHT_AGGRESSIVE, observation, seed)
    usual = structs.replace(known, value=known.default)
    rule, action, figures = play_by(_adapted_temper(observation, known), observation, seed)
    if action != play_by(_adapted_temper(observation, usual), observation, seed)[1]:
        rule = _RULES[known.name]
    return rule, action, (*figures, known)


def _adapted_temper(observation: Observation, known: Figure) -> Temper:
    """Return the temper to play by against such opponents."""
    temper = TIGHT_AGGRESSIVE
    if known.name == FOLDS:
        return _against_folds(temper, known, max(1, len(observation.opponents)))
    if known.name == BETS:
        # Who bets twice as often as usual bets that much worse hands.
        surplus = _within(0.45 * (known.value - known.default), -0.15, 0.2)
        return structs.replace(temper, call_floor=temper.call_floor - surplus, raise_=temper.raise_ - 0.5 * surplus)
    factor = _within((known.value / max(known.default, 1e-9)) ** 0.7, 0.5, 3.0)
    return structs.replace(
        temper,
        call_raise=temper.call_raise * factor,
        three_bet=temper.three_bet * factor,
        call_three_bet=temper.call_three_bet * factor,
        four_bet=temper.four_bet * factor,
        stack_off=temper.stack_off * factor,
    )


def _against_folds(temper: Temper, known: Figure, opponents: int) -> Temper:
    """Bet often and little where all fold, with more hands and more chips where they call."""
    each, usual = (max(share, 1e-6) ** (1 / opponents) for share in (known.value, known.default))
    size = _within(temper.bet_size + 0.8 * (usual - each), 0.4, 1.0)
    # A bluff of `size` pots pays if all fold more often than this.
    margin = known.value - size / (1 + size)
    bluff = _within(temper.bluff + 4 * margin, 0.0, 0.9)
    return structs.replace(
        temper,
        bet=temper.bet + 0.3 * (each - usual),
        bet_size=size,
        bluff=bluff * opponents,
        semi_bluff=_within(temper.semi_bluff + 2 * margin, 0.1, 0.95) * opponents,
    )


def _within(value: float, least: float, most: float) -> float:
    return min(max(value, least), most)
