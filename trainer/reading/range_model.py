"""What the read panel shows: an opponent's range as a grid, cell by cell, and how it came to be.

Everything follows from the values that a reader left behind (`Prediction`); nothing is read or estimated again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import isclose
from textwrap import fill

import numpy as np
from numpy.typing import NDArray

from engine.agents.agent import ActionClass, Figure, Prediction, RangeShares, RangeUpdate, UnderstoodAction
from engine.agents.explain import explain_chain, figure_name, figure_value
from engine.agents.posterior import Chain, ChainFactor, chain_of, effective_combos, posterior_of
from engine.agents.readers import DEFAULT_READER, READERS
from engine.agents.value_reasons import capital, rounded_parts
from engine.cards import (
    COMBO_CLASS,
    COMBO_COUNT,
    STREET_NAMES,
    Card,
    Combo,
    HoleCards,
    Street,
    card_symbols,
    cards_of,
    class_name,
    class_of,
    combo_of,
    combos_of_class,
    frozen,
    unblocked,
)
from engine.codec import Vector
from engine.game.events import (
    ActionKind,
    ActionTaken,
    BoardDealt,
    Posted,
    Seat,
)
from engine.game.observation import HandView
from engine.ranges import Range, class_cells, format_range
from engine.words import counted
from trainer.session.amounts import Units
from trainer.session.types import PointRanges

_TIP_WIDTH = 84  # letters in a line of a tool tip, which does not break lines by itself
SHARE_NAMES = ("super-strong", "strong", "medium", "weak", "drawing")

_ACTION_WORDS = {
    ActionClass.FOLD: "folds",
    ActionClass.CHECK: "checks",
    ActionClass.CALL: "calls",
    ActionClass.OPEN_RAISE: "raises",
    ActionClass.THREE_BET: "3-bets",
}
_LEAST_WEIGHT = 1e-5  # against the largest; what is rarer would only lengthen the text
_SIZED = (ActionClass.HALF_POT, ActionClass.THREE_QUARTER_POT, ActionClass.OVERBET)

_TITLES = {
    "learned": "Learned",
    "learned-fixed": "Learned, no memory",
    "paper": "Paper",
    "paper-tuned": "Paper, tuned",
    "markov": "Markov",
    "uniform": "Uniform",
}
_TRUST = {
    "learned": (
        "Calibrated on real hands of other players.",
        "The learned reader multiplies how likely each action is with each hand, learned from real hands with all "
        "cards known. How often it was right on hands it had not seen, and at this table, is behind 'How sure is "
        "this?'.",
    ),
    "learned-fixed": (
        "Calibrated for strangers: it remembers nobody.",
        "The learned reader without what earlier hands say of a player; the difference is what they are worth.",
    ),
    "paper": (
        "Overconfident: a hint and no more.",
        "The paper's reader is known to be overconfident: it multiplies factors that are not independent, so it "
        "narrows a range more than the actions justify. Take the grids as a hint, not as odds.",
    ),
    "paper-tuned": (
        "Tuned on real hands, and still a rough model.",
        "The paper's model with its cut points tuned on real hands with all cards known. It still knows only how "
        "strong a hand is and how much was bet.",
    ),
    "markov": (
        "Coarse: it knows kinds of hands, not the hands.",
        "The Markov reader, the paper's rival, follows the category of a hand from street to street. Hands of the "
        "same category are alike to it.",
    ),
    "uniform": (
        "Nobody is read: every hand is as likely as another.",
        "The uniform reader ignores what opponents do; it is a yardstick for the others.",
    ),
}


NOT_ACTED = "has not acted"
"""What is said of a player before their first action."""


def percent(share: float) -> str:
    """Write a share 0-1 as percent with the digits that matter.

    >>> percent(0.413), percent(0.0004), percent(0.00001), percent(0.0)
    ('41.3%', '0.04%', '<0.01%', '0%')
    """
    if share <= 0:
        return "0%"
    if share < 0.00005:
        return "<0.01%"
    return f"{share:.2%}" if share < 0.001 else f"{share:.1%}"


def share_texts(shares: Sequence[float]) -> list[str]:
    """Write the parts of a whole as `percent` does, but so that they add up.

    >>> share_texts((0.2046, 0.2046, 0.2046, 0.3862)), share_texts((0.9996, 0.0004))
    (['20.5%', '20.5%', '20.4%', '38.6%'], ['100.0%', '0.04%'])
    """
    parts = zip(shares, rounded_parts(shares, 1), strict=True)
    return [percent(share) if share < 0.001 else f"{part:.1f}%" for share, part in parts]


def action_words(action: UnderstoodAction) -> str:
    """Say an understood action in the third person, such as `raises 75% pot, all-in`."""
    words = _ACTION_WORDS.get(action.action_class, f"{action.raises_faced + 2}-bets")
    if action.action_class in _SIZED:
        size = f"{max(action.size_over_pot, 0.01):.0%} pot"
        words = f"{'raises' if action.is_facing_bet else 'bets'} {size}"
    return f"{words}, all-in" if action.is_all_in else words


def trust_line(reader: str) -> tuple[str, str]:
    """Say how far a reader can be trusted, by its registered name: in one line, and in full."""
    unknown = "How far to trust it is not known."
    return _TRUST.get(reader, (unknown, f"How far the reader '{reader}' can be trusted has not been measured."))


def reader_title(reader: str) -> str:
    """Return what a reader is called on the screen, by its registered name."""
    return _TITLES.get(reader, reader.replace("-", " ").capitalize())


def reader_choices() -> tuple[tuple[str, str], ...]:
    """Return name and title of every registered reader, the default one first, yardsticks last."""
    order = list(_TITLES)
    names = sorted(READERS, key=lambda name: (order.index(name) if name in order else len(order) - 1, name))
    names.sort(key=lambda name: name != DEFAULT_READER)
    return tuple((name, reader_title(name)) for name in names)


EFFECTIVE_TIP = (
    "Effective combos: so many combos, all equally likely, would be as hard to tell apart. Live combos: those that "
    "no known card takes away. The fewer are left effective, the more has been read."
)


def _effective(weights: NDArray[np.floating]) -> str:
    return f"{effective_combos(weights):,.0f} effective combos"


@dataclass(frozen=True, slots=True)
class HandPoint:
    """A point of a hand to go back to, after `event_count` events."""

    event_count: int
    street: Street
    label: str


def _action_label(event: ActionTaken, name: str | None, units: Units) -> str:
    """Say an action with its chips; without a name it is the reader's own."""
    verb, chips = {
        ActionKind.FOLD: ("fold", ""),
        ActionKind.CHECK: ("check", ""),
        ActionKind.CALL: ("call", f" {units.text(event.amount)}"),
        ActionKind.RAISE: ("raise", f" to {units.text(event.action.raise_to)}"),
    }[event.action.kind]
    if event.action.kind is ActionKind.RAISE and event.street is not Street.PREFLOP and event.to_call == 0:
        verb, chips = "bet", f" {units.text(event.amount)}"
    who = "you " + verb if name is None else f"{name} {verb}s"
    return f"{STREET_NAMES[event.street]}: {who}{chips}{', all-in' if event.is_all_in else ''}"


def hand_points(observation: HandView, in_big_blinds: bool = False) -> tuple[HandPoint, ...]:
    """Return the points of a hand in order: the deal, then each action and each street's cards."""
    units = Units.of(observation, in_big_blinds)
    names = {view.seat: view.name for view in observation.seats if view.seat != observation.viewer}
    points: list[HandPoint] = []
    dealt = 0
    for count, event in enumerate(observation.events, start=1):
        if isinstance(event, ActionTaken):
            points.append(HandPoint(count, event.street, _action_label(event, names.get(event.seat), units)))
        elif isinstance(event, BoardDealt):
            label = f"{STREET_NAMES[event.street]}: {card_symbols(event.cards, ' ')}"
            points.append(HandPoint(count, event.street, label))
        elif not points:
            dealt = count
    return (HandPoint(dealt, Street.PREFLOP, "Preflop: the deal"), *points)


POSITION_SHORT = {"button": "BTN", "small blind": "SB", "big blind": "BB", "straddle": "STR", "": ""}


def position_name(observation: HandView, seat: Seat) -> str:
    """Return what a seat is called by its place: the button, a blind, or nothing."""
    if seat == observation.button:
        return "button"
    for event in observation.events:
        if isinstance(event, Posted) and event.seat == seat and not event.kind.is_ante:
            return event.kind.value
    return ""


@dataclass(frozen=True, slots=True)
class RangeStep:
    """A range, float32 of shape (1326,) and normalised, before and after one more action (None: the prior).

    `is_counted` is False where a later update of its street stands for it.
    """

    update: RangeUpdate | None
    before: Vector
    after: Vector
    is_counted: bool

    @property
    def street(self) -> str:
        """The street's name, or the start."""
        return STREET_NAMES[self.update.action.street] if self.update else "Start"

    @property
    def is_informative(self) -> bool:
        """Whether the action distinguishes any hands: its likelihoods differ."""
        if self.update is None:
            return False
        possible = self.update.likelihood[self.before > 0]
        return bool(len(possible)) and float(possible.max() - possible.min()) > 1e-6

    @property
    def words(self) -> str:
        """The action in words."""
        return action_words(self.update.action) if self.update else "before any action"


@dataclass(frozen=True, slots=True, eq=False)
class GridView:
    """One 13x13 grid, arrays of shape (169,).

    `values`: mean weight of the unblocked combos over the largest; `sums`: shares of the range; `live`: unblocked
    combos; `own_blocked`: whether the observer's cards block some.
    """

    values: Vector
    sums: Vector
    live: NDArray[np.uint8]
    own_blocked: NDArray[np.bool_]

    @property
    def is_even(self) -> bool:
        """Whether every hand is as likely as another, as before any action."""
        values = self.values[self.live > 0]
        return bool(len(values)) and float(values.min()) > float(values.max()) - 1e-6 >= 0


@dataclass(frozen=True, slots=True)
class ComboRow:
    """One combo of a class: its text, and its share of the range now, before any action, and P(action | combo)."""

    combo: Combo
    text: str
    share: float
    prior: float
    likelihood: float | None
    is_blocked: bool


@dataclass(frozen=True, slots=True)
class ChainLine:
    """One action of a chain: its text, and whether the posterior has it."""

    text: str
    is_counted: bool


@dataclass(frozen=True, slots=True)
class ChainView:
    """How a class or a combo came to its probability: `product`, and a line per action, newest first.

    `newest` is the newest line that distinguishes hands; empty if none does.
    """

    title: str
    product: str
    lines: tuple[ChainLine, ...]
    newest: str


@dataclass(frozen=True, slots=True)
class CellDetails:
    """What there is to say about one cell; `chain` is None if every combo is blocked."""

    title: str
    summary: str
    chain: ChainView | None
    combos: tuple[ComboRow, ...]
    figures: tuple[str, ...] = ()

    @property
    def why(self) -> str:
        """The newest action that distinguishes hands, and what it says of this class; empty before any."""
        return self.chain.newest if self.chain else ""

    @property
    def text(self) -> str:
        """The class as a whole, in one line."""
        return f"{self.heading}. {self.why}" if self.why else self.heading

    @property
    def heading(self) -> str:
        """The class, its live combos, and its prior times likelihoods."""
        return f"{self.title}: {self.summary}" + (f", {self.chain.product}" if self.chain else "")

    @property
    def lines(self) -> str:
        """The class, its chain, each live combo with its own share, and the model's numbers, line by line."""
        live = [f"{row.text}  {percent(row.share)}" for row in self.combos if not row.is_blocked]
        rows = ["   ".join(live[start : start + 4]) for start in range(0, len(live), 4)]
        chain: list[str] = []
        if self.chain:
            texts = [line.text for line in self.chain.lines]
            chain = [fill(line, _TIP_WIDTH, subsequent_indent="    ") for line in texts]
        return "\n".join([self.heading, *rows, *chain, *self.figures])


@dataclass(frozen=True, slots=True)
class Truth:
    """The hand an opponent really held: its probability, and its rank (worst among equals) of the live combos.

    No rank is said where all are alike: the last would read as the least likely.
    """

    hand_class: int
    short: str
    text: str


class OpponentRange:
    """One opponent's range at one point of a hand, step by step.

    `shares` are those of `SHARE_NAMES`; `owner` is a possessive.
    """

    def __init__(
        self,
        prediction: Prediction,
        observation: HandView,
        shares: RangeShares | None = None,
        owner: str = "your",
    ) -> None:
        self.prediction = prediction
        self.observation = observation
        self.seat = prediction.seat
        self.name = observation.view(prediction.seat).name
        self.position = position_name(observation, prediction.seat)
        self.shares = shares
        self.dead: tuple[Card, ...] = (*observation.own_cards, *observation.board)
        self._own = observation.own_cards
        self._owner = owner
        self._board = observation.board
        self._events = observation.events
        self._sentences: dict[int, str] = {}
        self._chains: dict[tuple[int, tuple[Combo, ...]], ChainView] = {}

    @property
    def last_action(self) -> str:
        """The newest action as the reader understood it."""
        updates = self.prediction.updates
        return action_words(updates[-1].action) if updates else NOT_ACTED

    @property
    def even_words(self) -> str:
        """What there is to say where no hand is likelier than another."""
        return "every hand alike" if self.prediction.updates else f"{NOT_ACTED}: every hand alike"

    @cached_property
    def effective(self) -> float:
        """Effective number of combos of the posterior."""
        return effective_combos(self.prediction.posterior)

    @cached_property
    def steps(self) -> tuple[RangeStep, ...]:
        """The prior, then one step per update; the last one ends at the posterior."""
        prior = self.prediction.prior
        updates = self.prediction.updates
        replaced = {update.replaces for update in updates}
        made = [RangeStep(None, prior, prior, True)]
        for index, update in enumerate(updates):
            is_last = index == len(updates) - 1
            after = self.prediction.posterior if is_last else posterior_of(prior, updates[: index + 1])
            made.append(RangeStep(update, made[-1].after, after, index not in replaced))
        return tuple(made)

    def grid(self, step: int | None = None) -> GridView:
        """Return the grid of the posterior, or of the range after one of its steps."""
        weights = self.prediction.posterior if step is None else self.steps[step].after
        return grid_of(weights, self.dead, self._own)

    def details(self, hand_class: int, step: int | None = None) -> CellDetails:
        """Say what there is to say about a class after a step; None means the last."""
        steps = self.steps if step is None else self.steps[: step + 1]
        at = steps[-1]
        cause = next((made for made in reversed(steps) if made.is_informative), None)
        live = unblocked(self.dead)
        combos = np.array(combos_of_class(hand_class))
        possible = combos[live[combos]]
        title = class_name(hand_class)
        likelihood = cause.update.likelihood if cause and cause.update else None
        rows = [
            ComboRow(
                combo,
                card_symbols(cards_of(combo)),
                float(at.after[combo]),
                float(self.prediction.prior[combo]),
                float(likelihood[combo]) if likelihood is not None and live[combo] else None,
                not live[combo],
            )
            for combo in combos_of_class(hand_class)
        ]
        rows.sort(key=lambda row: (row.is_blocked, -row.share))
        if not len(possible):
            summary = f"all {len(combos)} combos are blocked by {self._blockers(hand_class)}"
            return CellDetails(title, summary, None, tuple(rows))
        summary = f"{counted(len(possible), 'combo')} live"
        if len(possible) < len(combos):
            summary = f"{len(possible)} of {len(combos)} combos live"
        figures = tuple(figure_line(figure) for figure in cause.update.figures) if cause and cause.update else ()
        return CellDetails(title, summary, self.chain(combos_of_class(hand_class), step), tuple(rows), figures)

    def chain(self, combos: Sequence[Combo], step: int | None = None) -> ChainView:
        """Take the probability of a class's combos, or of one combo, after a step apart; None means the last."""
        at = len(self.steps) - 1 if step is None else step
        key = at, tuple(combos)
        if key not in self._chains:
            made = self.prediction
            until = Prediction(made.seat, made.reader, made.prior, made.updates[:at], self.steps[at].after)
            self._chains[key] = self._chain_view(chain_of(until, combos, self._events))
        return self._chains[key]

    def _chain_view(self, chain: Chain) -> ChainView:
        is_class = len(chain.combos) > 1
        first = chain.combos[0]
        title = class_name(class_of(first)) if is_class else card_symbols(cards_of(first))
        texts = explain_chain(chain, title)
        lines = [
            ChainLine(_chain_line(factor, text), factor.counts)
            for factor, text in zip(chain.factors, texts, strict=True)
        ]
        telling = [
            line
            for line, factor, step in zip(lines, chain.factors, self.steps[1:], strict=False)
            if factor.counts and step.is_informative
        ]
        newest = telling[-1].text if telling else ""
        return ChainView(title, _product_text(chain), tuple(lines[::-1]), newest)

    def _blockers(self, hand_class: int) -> str:
        cards = {card for combo in combos_of_class(hand_class) for card in cards_of(combo)}
        own = [card for card in self._own if card in cards]
        board = [card for card in self._board if card in cards]
        parts = [f"{self._owner} {card_symbols(own, ' ')}"] if own else []
        parts += [f"the board's {card_symbols(board, ' ')}"] if board else []
        return " and ".join(parts)

    def sentence(self, step: int) -> str:
        """Say how one step moved the range: how far it narrowed and which classes gained and lost most."""
        if step not in self._sentences:
            self._sentences[step] = self._sentence(self.steps[step])
        return self._sentences[step]

    def _sentence(self, at: RangeStep) -> str:
        if at.update is None:
            live = int(unblocked(self.dead).sum())
            if round(effective_combos(at.after)) == live:
                return f"Before any action: {live:,} live combos, all equally likely."
            return f"Before any action: {_effective(at.after)} of {live:,} live ones."
        if not at.is_informative:
            reason = at.update.figures[0].name if at.update.figures else "every hand would do it alike"
            return f"{at.street}, {at.words}: nothing changes, {reason}."
        gain = class_cells(at.after - at.before, self.dead).total
        order = np.argsort(gain, kind="stable")
        more = ", ".join(class_name(int(c)) for c in order[::-1][:4] if gain[c] > 0)
        less = ", ".join(class_name(int(c)) for c in order[:4] if gain[c] < 0)
        moved = f"{effective_combos(at.before):,.0f} → {_effective(at.after)}"
        text = f"{at.street}, {at.words}: {moved}"
        if more and less:
            text += f"; more {more}; less {less}"
        return text + ("." if at.is_counted else ". A later action stands for this street now.")

    def truth(self, hole_cards: HoleCards) -> Truth:
        """Say how likely the range had the hand that the opponent really held."""
        combo = combo_of(*hole_cards)
        posterior = self.prediction.posterior.astype(np.float64)
        share = float(posterior[combo])
        at_least = posterior >= share
        live = unblocked(self.dead)
        rank, count = int((at_least & live).sum()), int(live.sum())
        shown = card_symbols(hole_cards)
        place, short = f"likelihood rank {rank:,} of {count:,} live combos", f"{rank:,} of {count:,}"
        if rank == count and not (live & (posterior > share)).any():
            place, short = "like every other live combo", "like all"
        return Truth(
            hand_class=int(class_of(combo)),
            short=f"{shown} {percent(share)}, {short}",
            text=f"true hand {shown}: {percent(share)}, {place}",
        )


@dataclass(frozen=True, slots=True)
class RangeAsked:
    """One opponent's range after `step` (None: the last), or only one class of it."""

    opponent: OpponentRange
    step: int | None = None
    hand_class: int | None = None

    @property
    def weights(self) -> NDArray[np.float32]:
        """Weights by combo, shape (1326,)."""
        one = self.opponent
        weights = one.prediction.posterior if self.step is None else one.steps[self.step].after
        return (
            weights if self.hand_class is None else np.where(self.hand_class == COMBO_CLASS, weights, np.float32(0))
        )

    @property
    def has_odds(self) -> bool:
        """Whether there is something to ask: the viewer is in the hand, and a combo is possible."""
        me = self.opponent.observation.me
        return me is not None and me.is_live and bool(self.weights.any())

    @property
    def text(self) -> str:
        """The range written out, the likeliest combo with weight 1, so that every field for ranges reads it."""
        return format_range(readable(Range(self.weights)))


def grid_of(weights: Vector, dead: Sequence[Card], own: Sequence[Card]) -> GridView:
    """Return the grid of the weights of all combos, of which dead cards, `own` among them, block some."""
    cells = class_cells(weights, dead)
    largest = float(cells.mean.max())
    return GridView(
        values=cells.mean / largest if largest > 0 else cells.mean,
        sums=cells.total,
        live=cells.unblocked,
        own_blocked=_blocked_by(own),
    )


def readable(hands: Range) -> Range:
    """Scale weights so that the largest is 1, and round them to the three digits that a reader can use."""
    largest = float(hands.weights.max())
    if largest == 0:
        return hands
    weights = (hands.weights / np.float32(largest)).tolist()
    return Range(np.array([float(f"{weight:.3g}") if weight >= _LEAST_WEIGHT else 0.0 for weight in weights]))


def opponent_ranges(point: PointRanges) -> tuple[OpponentRange, ...]:
    """Return the range of every opponent still in the hand, in seat order."""
    return tuple(
        OpponentRange(prediction, point.observation, point.shares.get(prediction.seat))
        for prediction in point.predictions
    )


def figure_line(figure: Figure) -> str:
    """Write a model figure in a player's words, with a stranger's and what moved it."""
    return f"{capital(figure_name(figure))}: {figure_value(figure)}"


def _chain_line(factor: ChainFactor, text: str) -> str:
    """Put before the sentence of a factor which action it is of, and by how much that multiplies."""
    times = "" if isclose(factor.ratio, 1, rel_tol=1e-6) else f" ×{_ratio(factor.ratio)}"
    return f"{STREET_NAMES[factor.action.street]}, {action_words(factor.action)}{times}: {text}"


def _product_text(chain: Chain) -> str:
    """Write prior times likelihoods, a street's in one, and what they come to.

    >>> _product_text(Chain((Combo(0),), 0.004, (), 0.004))
    'prior 0.40%'
    """
    streets: dict[Street, float] = {}
    for factor in chain.factors:
        if not isclose(factor.ratio, 1, rel_tol=1e-6):
            street = factor.action.street
            streets[street] = streets.get(street, 1.0) * factor.ratio
    terms = [f" × {_ratio(ratio)} {STREET_NAMES[street].lower()}" for street, ratio in streets.items()]
    return f"prior {_share(chain.prior)}{''.join(terms)}" + (f" = {_share(chain.posterior)}" if terms else "")


def _share(share: float) -> str:
    """Write a share with two digits that count, so that a product can be followed."""
    return percent(share) if share < 0.0005 or share >= 0.0995 else f"{100 * share:#.2g}%"


def _ratio(value: float) -> str:
    """Write a factor with two digits that count, so that none that leaves something reads as 0.

    >>> _ratio(123.4), _ratio(1.16), _ratio(0.361), _ratio(0.00396), _ratio(0.00001), _ratio(0.0)
    ('123', '1.2', '0.36', '0.0040', '<0.0001', '0')
    """
    if value <= 0:
        return "0"
    if value < 0.0001:
        return "<0.0001"
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 0.995 else f"{value:#.2g}"


@lru_cache(maxsize=64)
def _blocked_by(cards: HoleCards) -> NDArray[np.bool_]:
    """Return which classes lose a combo to some cards."""
    everything = np.ones(COMBO_COUNT, dtype=np.float32)
    return frozen(class_cells(everything, cards).unblocked < class_cells(everything).unblocked)
