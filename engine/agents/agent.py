"""What an agent is, and what a decision carries: the action and the whole computation behind it.

A `Trace` is the outputs of the agent's stages, each the only input of the next, not a story made up afterwards:
what moved the choice is in it, and `engine.agents.explain` alone turns it into sentences. Traces show hole cards,
so the dealer keeps them sealed while a hand is running.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol, runtime_checkable

from msgspec import Struct, structs

from engine.cards import Card, Street
from engine.codec import Vector
from engine.equity.snapshot import Estimate
from engine.game.events import Action, Chips, PublicEvent, Seat
from engine.game.observation import HandView, Observation, SeatView

_NEAR, _UNSURE = 0.01, 0.5  # pots, and standard errors of a difference

_TRACE_SCHEMA = 2
"""Schema 1 has the former names of styles."""

OUT_OF_TIME, NOT_READY, FAILED = "out_of_time", "not_ready", "failed"
"""Rules of decisions that an agent did not make, in time or at all: a check where it is free, else a fold."""


class Figure(Struct, frozen=True):
    """A named model number, what it is without any history, and how many observations moved it."""

    name: str
    value: float
    default: float
    count: float = 0.0


GOING_ON, RAISING = "share that goes on", "share that raises"
"""Names of the figures of a learned reader: parts of the range until then."""


STACK_OVER_AVERAGE = "stack over the average"
"""Name of the figure by which a player with a lead to keep knows that lead."""


class PositionGroup(StrEnum):
    """The paper's four position groups (Li et al. 2017, eq. 5)."""

    EARLY = "early"
    MIDDLE = "middle"
    LATE = "late"
    BLINDS = "blinds"


class ActionClass(StrEnum):
    """The paper's classes of action (Li et al. 2017, sec. 4.1), before the flop and after it."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    OPEN_RAISE = "raise"
    THREE_BET = "3-bet"
    FOUR_BET = "4-bet or more"
    HALF_POT = "half pot"
    THREE_QUARTER_POT = "three-quarter pot"
    OVERBET = "pot or overbet"


class UnderstoodAction(Struct, frozen=True):
    """Stage 1: one public action in the paper's words.

    Attributes
    ----------
    event_index : int
        Which of `Observation.events` it is.
    size_over_pot : float
        Bet or raise increment over the pot (after calling, when facing a bet); 0 for anything else.
    players : int
        Seats still in the hand when it was taken, the actor included.
    raises_faced : int
        Bets and raises on this street before it; before the flop the big blind is none.
    stack_bb : float
        The actor's chips behind before it, in big blinds.
    possible : tuple of ActionClass
        The classes that the player could have chosen from, from passive to aggressive; empty in earlier traces.
    """

    event_index: int
    seat: Seat
    street: Street
    action_class: ActionClass
    size_over_pot: float
    position: PositionGroup
    players: int
    raises_faced: int
    is_facing_bet: bool
    is_all_in: bool
    stack_bb: float
    possible: tuple[ActionClass, ...] = ()


class RangeUpdate(Struct, frozen=True):
    """Stages 2 and 3: what one understood action says of an opponent's hole cards.

    Attributes
    ----------
    board : tuple of Card
        The board when it was taken.
    likelihood : ndarray of float32, shape (1326,)
        P(action | combo), 0-1; 0 for combos blocked by the board or the observer's cards.
    mean_likelihood : float
        Its mean over the range as it was before this update.
    figures : tuple of Figure
        The opponent model's numbers that made the likelihood.
    replaces : int or None
        Index of the earlier update of this opponent that no longer counts because this one stands for the
        whole street (the paper's rule); None if every update before it still counts.
    """

    action: UnderstoodAction
    board: tuple[Card, ...]
    likelihood: Vector
    mean_likelihood: float
    figures: tuple[Figure, ...]
    replaces: int | None = None


class Prediction(Struct, frozen=True):
    """Stage 3: the probability of every combo of one opponent.

    Attributes
    ----------
    reader : str
        Name of the reader that made it.
    prior : ndarray of float32, shape (1326,)
        Before any action; sums to 1, 0 where blocked.
    updates : tuple of RangeUpdate
        One per action of this hand, in order.
    posterior : ndarray of float32, shape (1326,)
        The prior times the likelihood of every update that counts, normalised to sum 1.
    """

    seat: Seat
    reader: str
    prior: Vector
    updates: tuple[RangeUpdate, ...]
    posterior: Vector


class Outs(Struct, frozen=True):
    """The cards that make a hand that is behind the likely best one (Li et al. 2017, eq. 29).

    `hit_probability` is the chance to see at least one of them by the river.
    """

    cards: tuple[Card, ...]
    hit_probability: float


class Reading(Struct, frozen=True):
    """What a reader makes of the table before it chooses: the same for an agent and for the player's panels.

    Attributes
    ----------
    predictions : tuple of Prediction
        One per opponent still in the hand, in seat order.
    win_rate, win_rate_random : Estimate
        Share of the pot won at showdown, ties shared, against the predicted ranges and against random hands.
    outs : Outs or None
        On flop and turn, for a hand that is behind.
    pot_odds : float
        Share of the final pot a call would cost, 0-1; 0 if there is nothing to call.
    spr : float
        Effective stack behind over the pot.
    """

    predictions: tuple[Prediction, ...]
    win_rate: Estimate
    win_rate_random: Estimate
    outs: Outs | None
    pot_odds: float
    spr: float
    seed: int


class RangeShares(NamedTuple):
    """How much of a range is super-strong, strong, medium, weak and drawing; sums to 1."""

    super_strong: float
    strong: float
    medium: float
    weak: float
    drawing: float


class Thresholds(Struct, frozen=True):
    """Win rates from which on the agent calls, raises half a pot, raises one pot (algorithm 2)."""

    call: float
    raise_half: float
    raise_pot: float


class Adjustment(Struct, frozen=True):
    """One named reason that moved the thresholds: the numbers it used, and the thresholds after it."""

    code: str
    figures: tuple[Figure, ...]
    after: Thresholds


class ActionValue(Struct, frozen=True, kw_only=True):
    """What one action is worth, in chips against folding at once, every player going on as they are expected to.

    Attributes
    ----------
    value, stderr : float
        Chips won from here on, and the standard error of that.
    deviation : float
        Standard deviation of the chips won from here on.
    behind, behind_stderr : float
        Chips less than the action of most value, 0 for that, and the smaller error of this: all actions were tried
        on the same deals.
    all_fold : float
        Probability that all others fold before the player acts again, 0-1.
    called_equity : float or None
        Share of the pot at a showdown against those who do not, 0-1; None if all always fold.
    later : float
        Probability that there is betting on a later street, 0-1.
    usual : float
        How often players like those that the model of play learned from do this with such a hand, 0-1; sizes by
        the model's few classes.
    guard : float
        Chips that count against the action because few would do it, or as a limp (`engine.agents.soulread.values`).
    risk : float
        Chips that count against it because they are at stake in a tournament (`engine.agents.soulread.survival`).
    samples : int
        Deals that it was tried on.
    """

    action: Action
    value: float
    stderr: float
    deviation: float = 0.0
    behind: float
    behind_stderr: float
    all_fold: float
    called_equity: float | None
    later: float
    usual: float
    guard: float
    risk: float = 0.0
    samples: int

    @property
    def counted(self) -> float:
        """What it is chosen by: its value less all that counts against it."""
        return self.value - self.guard - self.risk


class Responses(Struct, frozen=True, kw_only=True):
    """How one opponent has answered in spots of one kind, counted, and what an average player would have.

    Attributes
    ----------
    spot : str
        One of `engine.agents.learned.tilts.CONTEXTS`.
    chances : int
        How often they were in it.
    folds, raises : int
        How often they folded and bet or raised.
    usual_folds, usual_raises : float
        How often an average player would have in the same spots.
    odds_of_folding, odds_of_raising : float
        What the model of play makes of that: factors on the odds of an average player.
    sharpness : float
        How much their hole cards matter after the flop to what they do, over an average player's.
    """

    seat: Seat
    spot: str
    chances: int
    folds: int
    raises: int
    usual_folds: float
    usual_raises: float
    odds_of_folding: float
    odds_of_raising: float
    sharpness: float = 1.0


class GoingOn(Struct, frozen=True):
    """The part of a range that calls a bet, or that raises it.

    Attributes
    ----------
    share : float
        Part of the whole range, 0-1.
    ahead : float
        Of it, what the observer's hand beats now, ties half; before the flop, against what it is the favourite.
    hands : tuple of (str, float)
        What it consists of and how much of it each is, the strongest first: after the flop made hands and draws,
        before it the likeliest hands as ranges are written, or kinds of hole cards if those are many.
    """

    share: float
    ahead: float
    hands: tuple[tuple[str, float], ...]


class Answer(Struct, frozen=True):
    """What one opponent does about a bet if all before them fold: they fold, call or raise, which sums to 1."""

    seat: Seat
    folds: float
    calls: GoingOn
    raises: GoingOn


Answers = tuple[Answer, ...]
"""What every opponent who can still act does about one action, in their order; empty if it is no bet or raise."""


LARGE_BETS, CALLING_DOWN = "large bets for value", "calling down"
"""Ways in which a player may go on after the flop, beside playing soundly."""


class Values(Struct, frozen=True):
    """What every action is worth: folding first, then check or call, then bets and raises, the smallest first.

    Attributes
    ----------
    samples : int
        Deals that the actions still compared at the end were tried on.
    responses : tuple of Responses
        What is known of the opponents in the spots that the actions put them in.
    pair_errors : tuple of float
        Standard errors in chips of the differences of two actions, on the same deals: of the first and each after
        it, of the second and each after it, and so on. Empty in earlier traces, which have those to the best alone.
    way : str
        How the player goes on later: `LARGE_BETS`, `CALLING_DOWN`, or "" for soundly.
    """

    actions: tuple[ActionValue, ...]
    samples: int
    responses: tuple[Responses, ...] = ()
    pair_errors: tuple[float, ...] = ()
    way: str = ""

    @property
    def best(self) -> ActionValue:
        """The action of most value."""
        return max(self.actions, key=lambda action: action.value)

    def error_between(self, one: ActionValue, other: ActionValue) -> float:
        """Return the standard error of the difference of two of the actions, in chips; the most, if not known."""
        first, second = sorted((self.actions.index(one), self.actions.index(other)))
        if first == second:
            return 0.0
        if not self.pair_errors:
            errors = one.behind_stderr, other.behind_stderr
            return max(errors) if self.best in (one, other) else sum(errors)
        return self.pair_errors[first * (2 * len(self.actions) - first - 1) // 2 + second - first - 1]

    def nearly_best(self, pot: Chips) -> tuple[ActionValue, ...]:
        """Return the actions that one is drawn from: those, all counted, that are hardly or not surely behind.

        That is by a hundredth of the pot, or by half the standard error of the difference.
        """
        best = max(self.actions, key=lambda one: one.counted)
        return tuple(
            one
            for one in self.actions
            if best.counted - one.counted <= max(_NEAR * pot, _UNSURE * self.error_between(one, best))
        )

    def of(self, action: Action) -> ActionValue | None:
        """Return what an action is worth; None if it was not tried."""
        return next((one for one in self.actions if one.action == action), None)


class Trace(Struct, frozen=True, kw_only=True):
    """Everything that one decision was made of; with the agent's memory it can be made again from it.

    Attributes
    ----------
    reading : Reading or None
        Stages 1-3; None for styles that do not read hands.
    base : Thresholds or None
        Thresholds before any adjustment; None for styles that have none.
    adjustments : tuple of Adjustment
        In the order applied.
    figures : tuple of Figure
        Further numbers the rule used (hand percentile, bluff draw, and so on).
    rule : str
        Code of the special case or of the line of the algorithm that chose.
    values : Values or None
        What every action is worth; None for styles that do not compare them.
    """

    style: str
    seed: int
    observation: Observation
    reading: Reading | None = None
    base: Thresholds | None = None
    adjustments: tuple[Adjustment, ...] = ()
    figures: tuple[Figure, ...] = ()
    rule: str
    action: Action
    schema: int = _TRACE_SCHEMA
    values: Values | None = None

    def __post_init__(self) -> None:
        """Name the style of a trace of schema 1 as it is called now."""
        if self.schema < 2:
            structs.force_setattr(self, "style", renamed_style(self.style))

    @property
    def thresholds(self) -> Thresholds | None:
        """The thresholds in force, after all adjustments."""
        return self.adjustments[-1].after if self.adjustments else self.base


def renamed_style(style: str) -> str:
    """Return the present name of a style stored when the agent of the FOLD paper was called Soulread.

    >>> renamed_style("soulread"), renamed_style("soulread:uniform"), renamed_style("random")
    ('fold', 'fold:uniform', 'random')
    """
    name, sign, reader = style.partition(":")
    return f"fold{sign}{reader}" if name == "soulread" else style


class Decision(Struct, frozen=True):
    """An action and the computation that led to it."""

    action: Action
    trace: Trace


class Agent(Protocol):
    """A player. It sees observations only; it can remember what it saw."""

    style: str

    def decide(
        self, observation: Observation, seed: int, *, deadline: float | None = None, deals: int | None = None
    ) -> Decision:
        """Choose a legal action for the observing seat, whose turn it is.

        Without a deadline the decision depends on the observation, the seed, the number of deals and earlier
        observations alone. Until a deadline on the clock of `time.monotonic` an agent that samples goes on, and its
        trace says how many `deals` make that decision again; with 0 it does not compare actions, where it otherwise
        would.
        """

    def hand_finished(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
        """Learn from a finished hand: its events, with whatever cards were shown, and its own decisions in it."""


class Reader(ABC):
    """Turns public actions into a probability of every combo, per opponent; remembers opponents by name."""

    name: str

    def predict(self, observation: HandView, seat: Seat) -> Prediction:
        """Predict one other seat that was dealt in, whether it has folded or not.

        Raises
        ------
        NoOpponentError
            If the seat is the viewer's own or was not dealt in.
        """
        return self.predict_views(observation, (_opponent_of(observation, seat),))[0]

    def read(self, observation: HandView) -> tuple[Prediction, ...]:
        """Predict every opponent still in the hand, in seat order."""
        return self.predict_views(observation, observation.opponents)

    @abstractmethod
    def predict_views(self, observation: HandView, views: Sequence[SeatView]) -> tuple[Prediction, ...]:
        """Predict some opponents, in their order."""

    @abstractmethod
    def learn(self, events: tuple[PublicEvent, ...], observer: Seat | None = None) -> None:
        """Learn from a finished hand of everybody in it, with whatever cards were shown.

        What the observer did says nothing of opponents: where players are learned of together, it is left out.
        """


@runtime_checkable
class Remembers(Protocol):
    """An agent or reader that learns; one that is none of these has nothing to remember."""

    def memory(self) -> bytes:
        """Return everything learned from finished hands, packed; the same hands give the same bytes."""

    def recall(self, memory: bytes) -> None:
        """Take the memory of another one of its kind in the place of its own: from here on both decide alike.

        Raises
        ------
        StoredDataError
            If it is damaged or of another kind; nothing has changed then.
        """


class KnownPlayer(Struct, frozen=True):
    """What was learned of one player, to be kept for later sessions; public events alone decide it.

    Attributes
    ----------
    choices : int
        How many choices of the player the learned reader's model was learned from.
    model : bytes
        That model, in a form that whoever has learned it can distinguish from those of other versions; b"" if none.
    counted : int
        How many choices of the player the paper's reader has counted.
    counts : bytes
        Its counts, in such a form; b"" if none.
    """

    choices: int
    model: bytes
    counted: int = 0
    counts: bytes = b""

    def with_more(self, other: "KnownPlayer") -> "KnownPlayer":
        """Return what is known together with another: of each reader's what was learned from more choices."""
        learned = other if other.choices > self.choices else self
        counted = other if other.counted > self.counted else self
        return KnownPlayer(learned.choices, learned.model, counted.counted, counted.counts)


class Taught(Struct, frozen=True):
    """A player of files: what is known, and the digests of the hands in that, in rising order, of 8 bytes each."""

    known: KnownPlayer
    hands: bytes = b""


KnownPlayers = Mapping[str, KnownPlayer]
"""Players known from earlier sessions, by the names that they have at this table."""


@runtime_checkable
class KnowsPlayers(Protocol):
    """An agent or reader whose models of players can go from one session to the next."""

    def known_players(self) -> dict[str, KnownPlayer]:
        """Return what was learned of each player met, by name: the same for all that learned the same hands."""

    def meet(self, players: KnownPlayers) -> None:
        """Begin with what was learned of players before; one whose model cannot be read stays a stranger."""


def best_known(models: Iterable[KnownPlayers]) -> dict[str, KnownPlayer]:
    """Return per player what was learned from most choices, the first of several."""
    best: dict[str, KnownPlayer] = {}
    for players in models:
        for name, player in players.items():
            best[name] = best[name].with_more(player) if name in best else player
    return best


class NoOpponentError(ValueError):
    """A seat of which nothing can be predicted; the message says why."""


def _opponent_of(observation: HandView, seat: Seat) -> SeatView:
    """Return the public view of a seat that the viewer can read: any other that was dealt in."""
    if seat == observation.viewer:
        raise NoOpponentError(f"Seat {seat} is the viewer's own, and a reader reads the others.")
    try:
        return observation.view(seat)
    except ValueError as error:
        raise NoOpponentError(str(error)) from None
