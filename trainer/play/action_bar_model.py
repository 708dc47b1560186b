"""What the action bar offers and what is set in it: only what `Observation.legal` allows, in words and amounts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from fractions import Fraction

from engine.cards import Street
from engine.game.events import CALL, CHECK, Action, ActionKind, Chips, raise_to
from engine.game.sizing import pot_fraction_total
from trainer.history.log_model import log_lines
from trainer.play.meters_model import idle_text
from trainer.session.amounts import AmountTextError, Units
from trainer.session.types import Stage, TableView

POT_FRACTIONS = (("1/3", Fraction(1, 3)), ("1/2", Fraction(1, 2)), ("2/3", Fraction(2, 3)), ("Pot", Fraction(1)))
_SECOND_THOUGHT_SECONDS = 0.4
"""How long after a question the second press begins to count: a double press is no second thought."""

_FRACTION_NAMES = ("One third of the pot", "Half the pot", "Two thirds of the pot", "The pot", "All-in")


class Waiting(StrEnum):
    """What can be done while there is nothing to decide, in the words of its button."""

    SKIP_TO_TURN = "Skip to your turn"
    SKIP_TO_END = "Skip to the end"
    DEAL = "Next hand"
    BUY_IN = "Buy in again"
    FINISH = "Finish the session"
    NEW_GAME = "New game…"
    RESULTS = "Results"


_WHEN_BROKE = (Waiting.BUY_IN, Waiting.FINISH)
_BROKE = "You are out of chips: buy in again, or finish the session."
_AFTER = (Waiting.NEW_GAME, Waiting.RESULTS)


@dataclass(frozen=True, slots=True)
class Preset:
    """A size at one key: its sign, its name in words, and the street total it sets; None where illegal."""

    sign: str
    name: str
    amount: Chips | None


@dataclass(frozen=True, slots=True)
class Offer:
    """What can be done at one moment."""

    units: Units
    # hand number and event count of the decision that is asked for; None if it is not your turn
    decision: tuple[int, int] | None = None
    prompt: str = ""  # what there is to decide, or what is happening
    is_check_free: bool = False  # folding would give up a free check
    passive: Action = CHECK  # check or call
    passive_text: str = "Check"  # `Check`, `Call 40`, `Call 640 (all-in)`
    passive_cost: Chips = 0  # chips of the call
    raise_word: str = "Bet"  # `Bet` or `Raise to`
    least: Chips = 0  # bounds of a bet or raise as a street total, both 0 if none is allowed
    most: Chips = 0
    small_step: Chips = 1  # one small blind
    big_step: Chips = 1  # one big blind
    own_bet: Chips = 0  # in front of you on this street
    stack: Chips = 0  # behind
    presets: tuple[Preset, ...] = tuple(
        Preset(sign, name, None)
        for sign, name in zip(("1/3", "1/2", "2/3", "Pot", "All-in"), _FRACTION_NAMES, strict=True)
    )
    waiting: tuple[Waiting, ...] = ()  # what can be done while there is nothing to decide; the first at a key

    @property
    def can_raise(self) -> bool:
        """Whether a bet or raise is allowed."""
        return self.most > 0

    def is_all_in(self, amount: Chips) -> bool:
        """Whether a bet or raise to so much is the most there is, and takes all chips."""
        return amount == self.most and not (self.least == amount < self.own_bet + self.stack)

    def clamp(self, amount: Chips) -> Chips:
        """Return the nearest legal bet or raise."""
        return min(max(amount, self.least), self.most)

    def stepped(self, amount: Chips, steps: int, *, is_fine: bool) -> Chips:
        """Return the legal bet or raise so many big blinds (small blinds if fine) further."""
        return self.clamp(amount + steps * (self.small_step if is_fine else self.big_step))

    def snapped(self, amount: Chips) -> Chips:
        """Return the nearest round amount, a whole number of small blinds, or a bound if that is nearer."""
        step = self.small_step
        rounded = self.clamp((amount + step // 2) // step * step)
        return min((rounded, self.least, self.most), key=lambda choice: abs(choice - amount))

    def raise_text(self, amount: Chips) -> str:
        """Say what the raise button does: `Raise to 240 (all-in)`."""
        if not self.can_raise:
            return "Raise"
        return f"{self.raise_word} {self.units.text(amount)}" + (" (all-in)" if self.is_all_in(amount) else "")

    def raise_action(self, amount: Chips) -> Action:
        """Return the bet or raise to a legal total."""
        return raise_to(self.clamp(amount))

    def read_amount(self, text: str) -> Chips:
        """Read a typed bet or raise as a street total. Raise AmountTextError, in a sentence, if it is not legal."""
        least, most = self.units.text(self.least), self.units.text(self.most)
        if not text.strip():
            raise AmountTextError(f"Type an amount from {least} to {most}.")
        amount = self.units.parse(text)
        is_legal = self.least <= amount <= self.most
        for bound in (self.most, self.least):  # what is written as a bound is, rounded in big blinds, is meant
            written = self.units.text(bound)
            if amount == self.units.parse(written) or (not is_legal and self.units.text(amount) == written):
                return bound
        is_part_of_chip = "." in text and not self.units.in_big_blinds
        said = text.strip() if is_part_of_chip else self.units.text(amount)
        if amount < self.least:
            raise AmountTextError(f"{said} is too little: the least is {least}.")
        if amount > self.most:
            what = "all-in is" if self.is_all_in(self.most) else "a raise is to"
            raise AmountTextError(f"{said} is too much: {what} {most}.")
        return amount

    def question(self, action: Action, *, asks_when_big: bool) -> str:
        """Say why an action should be asked for twice, or nothing.

        Folding where checking is free always is; with `asks_when_big` a call, bet or raise of all chips or of
        at least half of those behind is too.
        """
        if action.kind is ActionKind.FOLD:
            return "Checking is free." if self.is_check_free else ""
        cost = self._cost(action)
        if not asks_when_big or cost == 0 or 2 * cost < self.stack:
            return ""
        if cost >= self.stack:
            return "All your chips."
        return f"{self.units.text(cost)} of your {self.units.text(self.stack)}."

    def confirmation(self, action: Action, key: str) -> str:
        """Say how to insist on an action, whose key is given, and how to take it back."""
        if action.kind is ActionKind.FOLD:
            verb = "folds anyway"
        elif self._cost(action) >= self.stack:
            verb = "goes all-in"
        elif action.kind is ActionKind.CALL:
            verb = "calls"
        else:
            verb = "bets" if self.raise_word == "Bet" else "raises"
        return f"{key} again or Enter {verb}, Esc takes it back."

    def _cost(self, action: Action) -> Chips:
        return {
            ActionKind.FOLD: 0,
            ActionKind.CHECK: 0,
            ActionKind.CALL: self.passive_cost,
            ActionKind.RAISE: action.raise_to - self.own_bet,
        }[action.kind]


class Answer(Enum):
    """What becomes of an action that was chosen."""

    IGNORED = auto()
    ASKED = auto()
    TAKEN = auto()


class ActionBarModel:
    """What is offered, the amount set or typed, and the action that is asked for twice."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.offer = Offer(Units(1))
        self.amount = self._untyped = 0  # the street total that the raise button would bet, in chips
        self.is_amount_chosen = False  # by the player, on this turn
        self.refusal = ""  # why what is typed cannot be bet; "" while it can
        self.armed: Action | None = None  # what is asked for once more
        # whether the buttons have just changed their meaning, so that a press is a slip
        self.is_guarded = self.asks_when_big = False
        self._clock = clock
        self._armed_at = 0.0
        self.view: TableView | None = None
        self._in_big_blinds = False
        self._meaning: object = None

    @property
    def can_raise(self) -> bool:
        """Whether a bet or raise can be chosen now."""
        return self.offer.decision is not None and self.offer.can_raise

    def show_view(self, view: TableView) -> bool:
        """Offer what can be done in a view; return whether that is something else than before."""
        self.view = view
        self.offer = offer_of(view, self._in_big_blinds)
        meaning = self.offer.decision or self.offer.waiting
        if meaning == self._meaning:
            return False
        self._meaning = meaning
        self.amount, self.is_amount_chosen, self.refusal, self.armed = self.offer.least, False, "", None
        return True

    def show_no_hand(self, *, is_over: bool) -> None:
        """Offer to buy in again, or what there is after the session, where no hand is on the table."""
        waiting, prompt = (_AFTER, "The session is over.") if is_over else (_WHEN_BROKE, _BROKE)
        self.offer = Offer(self.offer.units, prompt=prompt, waiting=waiting)

    def clear(self) -> None:
        """Offer nothing."""
        self.view = None
        self._offer_nothing()

    def set_units(self, in_big_blinds: bool) -> None:
        """Write and read amounts in big blinds or in chips, from the next view on."""
        self._in_big_blinds = in_big_blinds
        self.refusal = ""  # the amount shown is the last one that was legal

    def set_amount(self, amount: Chips) -> bool:
        """Set the nearest legal amount; return whether that changes anything."""
        amount, self.is_amount_chosen = self.offer.clamp(amount), True
        if amount == self.amount and not self.refusal:
            return False
        self.amount, self.refusal, self.armed = amount, "", None
        return True

    def type_amount(self, text: str) -> None:
        """Take a typed amount, or say why it cannot be bet."""
        self.is_amount_chosen = True
        try:
            self.amount, self.refusal = self.offer.read_amount(text), ""
        except AmountTextError as error:
            self.refusal = str(error)
        self.armed = None

    def begin_typing(self) -> None:
        """Remember the amount for `take_typing_back`."""
        self._untyped = self.amount

    def take_typing_back(self) -> None:
        """Set the amount from before the typing."""
        self.amount, self.is_amount_chosen, self.refusal = self._untyped, False, ""

    def choose(self, action: Action) -> Answer:
        """Take an action, or ask first where it should be asked for twice."""
        if self.offer.decision is None or self.is_guarded:
            return Answer.IGNORED
        if self.offer.question(action, asks_when_big=self.asks_when_big):
            if self.armed != action:
                self.armed, self._armed_at = action, self._clock()
                return Answer.ASKED
            if self._clock() - self._armed_at < _SECOND_THOUGHT_SECONDS:
                return Answer.IGNORED
        self._offer_nothing()  # no second action before the table has answered
        return Answer.TAKEN

    def warning(self, keys: Mapping[str, str]) -> str:
        """Say what stands against the action chosen or the amount typed; "" if nothing does."""
        if self.armed is None:
            return self.refusal
        reason = self.offer.question(self.armed, asks_when_big=self.asks_when_big)
        intent = {ActionKind.FOLD: "fold", ActionKind.RAISE: "raise"}.get(self.armed.kind, "call")
        return f"{reason} {self.offer.confirmation(self.armed, keys[intent])}"

    def _offer_nothing(self) -> None:
        self.offer = Offer(self.offer.units)
        self._meaning, self.refusal, self.armed = None, "", None


def offer_of(view: TableView, in_big_blinds: bool) -> Offer:
    """Return what can be done in a view."""
    observation = view.observation
    units = Units(observation.big_blind, in_big_blinds)
    if view.stage is Stage.YOUR_TURN and view.own.legal is not None:
        return _decision_model(view, units)
    return Offer(units=units, prompt=_news(view, units), waiting=_waiting(view))


def _waiting(view: TableView) -> tuple[Waiting, ...]:
    """Return what can be done while there is nothing to decide."""
    match view.stage:
        case Stage.THINKING | Stage.SHOWING:
            return (Waiting.SKIP_TO_END if idle_text(view.observation) else Waiting.SKIP_TO_TURN,)
        case Stage.HAND_OVER:
            return _WHEN_BROKE if view.can_rebuy else (Waiting.DEAL,)
        case Stage.SESSION_OVER:
            return _AFTER
    return ()


def _decision_model(view: TableView, units: Units) -> Offer:
    observation = view.own
    legal = observation.legal
    assert legal is not None
    me = observation.me
    pot = units.text(observation.pot)
    if legal.can_check:
        prompt = f"Your turn: nothing to call, pot {pot}"
        passive, text = CHECK, "Check"
    else:
        prompt = f"Your turn: {units.text(legal.call_amount)} to call, pot {pot}"
        all_in = " (all-in)" if legal.call_amount == me.stack else ""
        passive, text = CALL, f"Call {units.text(legal.call_amount)}{all_in}"
    has_bet = not legal.can_check or observation.street is Street.PREFLOP
    return Offer(
        units=units,
        decision=(observation.hand_number, len(observation.events)),
        prompt=prompt,
        is_check_free=legal.can_check,
        passive=passive,
        passive_text=text,
        passive_cost=legal.call_amount,
        raise_word="Raise to" if has_bet else "Bet",
        least=legal.min_raise_to,
        most=legal.max_raise_to,
        small_step=observation.small_blind,
        big_step=observation.big_blind,
        own_bet=me.bet,
        stack=me.stack,
        presets=_presets(view),
    )


def _presets(view: TableView) -> tuple[Preset, ...]:
    """Return the sizes, each with its amount only where exactly that much is legal."""
    legal = view.own.legal
    assert legal is not None
    presets = []
    for (sign, fraction), name in zip(POT_FRACTIONS, _FRACTION_NAMES, strict=False):
        total = pot_fraction_total(view.own, fraction) if legal.can_raise else 0
        is_legal = legal.can_raise and legal.min_raise_to <= total <= legal.max_raise_to
        presets.append(Preset(sign, name, total if is_legal else None))
    me, most = view.own.me, legal.max_raise_to
    is_fixed = legal.min_raise_to == most < me.bet + me.stack  # to twice the bet
    presets.append(Preset("All-in", _FRACTION_NAMES[-1], most if legal.can_raise and not is_fixed else None))
    return tuple(presets)


def _news(view: TableView, units: Units) -> str:
    """Say what is happening while it is not your turn."""
    if view.stage is Stage.WARMING_UP:
        return "Getting the engine ready…"
    if view.stage is Stage.SESSION_OVER and not view.is_played_on:
        return view.ending or "The session is over."
    if view.can_rebuy:
        return _BROKE
    if view.stage is Stage.THINKING and view.to_act is not None:
        return f"{view.observation.view(view.to_act).name} is thinking…"
    lines = log_lines(view.observation.events, units)
    return lines[-1].text if lines else ""
