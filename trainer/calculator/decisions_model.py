"""What a call and a bet of one player have to be worth, what their hand is worth, and their outs.

Text that cannot be read is marked and explained; the figures stay those of the last good amounts.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Literal

from PySide6.QtCore import QObject, Signal

from engine.cards import BOARD_SIZE, Card, HoleCards, Street, format_cards
from engine.equity.checks import EquityError
from engine.equity.decisions import BetFigures, CallFigures, bet_of_pot, figures_of_bet, figures_of_call
from engine.equity.outs import OutFigures, figures_of_outs
from engine.equity.snapshot import Method
from trainer.calculator.input_model import FieldError
from trainer.calculator.odds_model import OddsModel
from trainer.jobs import Job, Jobs

LANE = "odds-decisions"
Amount = Literal["pot", "to_call", "bet"]
AMOUNTS: tuple[Amount, ...] = ("pot", "to_call", "bet")
BET_PRESETS = (("⅓", 1 / 3), ("½", 1 / 2), ("⅔", 2 / 3), ("¾", 3 / 4), ("Pot", 1.0), ("2×", 2.0))
MEANINGS: dict[Amount, str] = {
    "pot": "All that lies in the middle, the bet to be called included; in chips or big blinds, as you like",
    "to_call": "What a call costs; empty for none",
    "bet": "What the player would put in; a raise holds the call",
}
_ASKED = "Enter the pot and what a call costs, or what this player would bet."
_CLOSE_STDERRS = 2.0
_NUMBER = re.compile(r"(?:[0-9]{1,3}(?:[, '][0-9]{3})+|[0-9]{1,15})?(?:\.[0-9]{1,6})?", re.ASCII)
_OUTS_BOARDS = (BOARD_SIZE[Street.FLOP], BOARD_SIZE[Street.TURN])

CountOuts = Callable[[HoleCards, Sequence[Card], Sequence[Card]], OutFigures | None]


class Verdict(StrEnum):
    """What the equity says of a call; the values name the colour."""

    CALL = "good"
    FOLD = "bad"
    CLOSE = "warning"
    UNKNOWN = "text_muted"


@dataclass(frozen=True, slots=True)
class AmountField:
    """An amount: the text, the chips last understood from it, and what is wrong with the text."""

    text: str = ""
    chips: float | None = None
    error: FieldError | None = None


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One figure: its name, its value, its sum in numbers, and what it means."""

    name: str
    value: str
    how: str
    meaning: str


@dataclass(frozen=True, slots=True)
class EquityNeeded:
    """For the bar: the equity that a call needs, and the player's with its standard error if it is known, 0-1."""

    required: float
    equity: float | None = None
    stderr: float = 0.0
    text: str = ""


@dataclass(frozen=True, slots=True)
class CallView:
    """A call: the verdict in words, what colours it, the bar, the figures."""

    sentence: str
    verdict: Verdict
    needed: EquityNeeded
    rows: tuple[FigureRow, ...]


@dataclass(frozen=True, slots=True)
class OutCard:
    """An out; `holder` says where it lies if it cannot come any more."""

    card: Card
    holder: str = ""


@dataclass(frozen=True, slots=True)
class OutsView:
    """The outs, what they are worth exactly and by the rule of 2 and 4, or why there are none."""

    sentence: str
    cards: tuple[OutCard, ...] = ()
    rows: tuple[tuple[str, str, str], ...] = ()
    tips: tuple[str, ...] = ()


# ---- amounts ------------------------------------------------------------------------------------------------


def read_amount(amount: Amount, field: AmountField, text: str) -> AmountField:
    """Return the field with a new text; if it is no such amount, the chips stay what they were.

    `amount` is one of `AMOUNTS`; a pot may be 0, a call and a bet may not.
    """
    bare = text.strip()
    if not bare:
        return AmountField(text)
    start = len(text) - len(text.lstrip())

    def wrong(message: str) -> AmountField:
        kept = f" Used instead: {format_chips(field.chips)}." if field.chips is not None else ""
        return replace(field, text=text, error=FieldError(message + kept, start, len(bare)))

    if _NUMBER.fullmatch(bare) is None or not any(sign.isdigit() for sign in bare):
        return wrong("This is no amount, such as 150, 12.5 or 1,500.")
    chips = float(re.sub(r"[, ']", "", bare))
    if chips == 0 and amount != "pot":
        return wrong(f"A {'call' if amount == 'to_call' else 'bet'} is more than 0; leave it empty for none.")
    return AmountField(text, chips)


def format_chips(chips: float | None) -> str:
    """Write an amount for a field: empty for none, without decimals that are not needed."""
    return "" if chips is None else f"{round(chips, 6):.6f}".rstrip("0").rstrip(".")


# ---- words --------------------------------------------------------------------------------------------------


def chips_text(chips: float, *, signed: bool = False) -> str:
    """Write chips for reading, rounded to cents; a gain or loss with its sign."""
    rounded = round(abs(chips), 2)
    sign = "" if rounded == 0 else "−" if chips < 0 else "+" if signed else ""
    return sign + f"{rounded:,.2f}".rstrip("0").rstrip(".")


def verdict_of(ev: float, stderr: float, *, is_exact: bool, is_running: bool) -> tuple[str, Verdict]:
    """Return the advice on a call from its EV in chips; within two standard errors of 0 it is too close."""
    if chips_text(ev) == "0" and is_exact:
        return "Calling and folding are worth the same", Verdict.CLOSE
    if not is_exact and abs(ev) <= _CLOSE_STDERRS * stderr:
        return f"Too close to tell {'yet' if is_running else 'with so many deals'}", Verdict.CLOSE
    if ev > 0:
        return f"Calling wins {chips_text(ev, signed=True)} on average", Verdict.CALL
    return f"Folding is better: a call loses {chips_text(-ev)} on average", Verdict.FOLD


def call_rows(figures: CallFigures, stderr: float, *, is_exact: bool) -> tuple[FigureRow, ...]:
    """Write the figures of a call, those of the equity only if there is one."""
    pot, to_call = chips_text(figures.pot), chips_text(figures.to_call)
    ratio = f"{figures.odds:.3g}" if figures.odds < 1000 else f"{figures.odds:,.0f}"
    rows = [
        FigureRow(
            "Pot odds",
            f"{ratio} : 1",
            f"{pot} to {to_call}, or {figures.required_equity:.1%}",
            "Chips to be won for each chip called: the pot to the call",
        ),
        FigureRow(
            "Required equity",
            f"{figures.required_equity:.1%}",
            f"{to_call} ÷ ({pot} + {to_call})",
            "Equity at which the call breaks even if no more bets follow: call ÷ (pot + call), after Sklansky 1999",
        ),
    ]
    if figures.equity is not None and figures.ev is not None:
        error = "" if is_exact else f" ± {chips_text(stderr * (figures.pot + figures.to_call))}"
        rows += [
            FigureRow(
                "Equity",
                f"{figures.equity:.2%}",
                "exact, against the others" if is_exact else f"± {stderr:.2%}, against the others",
                "Share of the pot that the hand wins at showdown, from the odds of this question",
            ),
            FigureRow(
                "EV of the call",
                f"{chips_text(figures.ev, signed=True)}{error}",
                f"{figures.equity:.1%} × {pot} − {1 - figures.equity:.1%} × {to_call}",
                "Chips that the call wins on average, a fold being 0: equity × pot − (1 − equity) × call; "
                "its error is the equity's times (pot + call)",
            ),
        ]
    before = chips_text(figures.pot - figures.to_call)
    rows.append(
        FigureRow(
            "Minimum defence",
            f"{figures.defence_frequency:.1%}",
            f"{before} ÷ {pot}",
            "Minimum defence frequency: share of hands that must not fold, or a bet with any two cards profits. "
            "The pot before the bet ÷ (that pot + bet), after Chen and Ankenman 2006",
        )
    )
    return tuple(rows)


def bet_rows(figures: BetFigures, to_call: float, stderr: float, *, is_exact: bool) -> tuple[FigureRow, ...]:
    """Write the figures of a bet or raise, that of the equity only if there is one."""
    pot, bet = chips_text(figures.pot), chips_text(figures.bet)
    what = "raise" if to_call else "bet"
    rows = [
        FigureRow(
            "Folds needed, bluff",
            f"{figures.bluff_fold_equity:.1%}",
            f"{bet} ÷ ({pot} + {bet})",
            f"Break-even fold equity of a pure bluff: how often all others have to fold for a {what} with a hand "
            f"that never wins when called. {what.capitalize()} ÷ (pot + {what}), after Chen and Ankenman 2006",
        )
    ]
    if figures.equity is not None and figures.fold_equity is not None:
        after = figures.pot + 2 * figures.bet - to_call
        loss = figures.bet - figures.equity * after
        value = f"{figures.fold_equity:.1%}"
        if not is_exact and figures.fold_equity > 0:
            # d/dx of x / (x + pot), the loss x moving by the final pot times the equity's error
            value += f" ± {stderr * after * figures.pot / (loss + figures.pot) ** 2:.1%}"
        how = f"{chips_text(loss)} ÷ ({chips_text(loss)} + {pot})" if loss > 0 else "wins even if always called"
        rows.append(
            FigureRow(
                "Folds needed, this hand",
                value,
                how,
                f"Break-even fold equity with the equity of {figures.equity:.1%} when called: what the "
                f"{what} loses when called ÷ (that + pot). One caller calls all of it, with a hand of his whole "
                "range; who calls usually holds better, so take it as the least",
            )
        )
    rows.append(
        FigureRow(
            "Others must defend",
            f"{figures.defence_frequency:.1%}",
            f"{pot} ÷ ({pot} + {bet})",
            f"Minimum defence frequency of all others together: how often they must not fold, or this {what} with "
            "any two cards profits",
        )
    )
    return tuple(rows)


def outs_meaning() -> str:
    """Say what counts as an out."""
    from engine.agents.explain import out_definition

    return out_definition()


def outs_view(outs: OutFigures, holders: dict[Card, str]) -> OutsView:
    """Write the outs; `holders` says where cards lie that cannot come any more."""
    count = len(outs.cards)
    cards = tuple(OutCard(card, holders.get(card, "")) for card in outs.cards)
    gone = sum(bool(card.holder) for card in cards)
    sentence = f"{count or 'No'} out{'' if count == 1 else 's'} against any two cards"
    if gone:
        sentence += f", {gone} of them known to be elsewhere"
    rows = [("Next card", f"{outs.next_card:.1%}", f"{outs.rule_next_card:.0%}")]
    tips = [f"Exact: {count} outs among the cards that this player has not seen. Rule of 2: 2% for each out"]
    if outs.by_river != outs.next_card:
        rows.append(("By the river", f"{outs.by_river:.1%}", f"{outs.rule_by_river:.0%}"))
        tips.append("Exact: at least one of two cards to come is an out. Rule of 4: 4% for each out, at most 100%")
    return OutsView(sentence, cards, tuple(rows), tuple(tips))


# ---- the panel ----------------------------------------------------------------------------------------------


class DecisionsModel(QObject):
    """Follows the calculator's question: what a call or a bet of one of its players is worth.

    The chips live in `model`, so that they are saved, shared and undone with the question.
    """

    changed = Signal()

    def __init__(self, model: OddsModel, jobs: Jobs, count_outs: CountOuts = figures_of_outs) -> None:
        super().__init__()
        self._model = model
        self._jobs = jobs
        self._count_outs = count_outs
        self.fields: dict[Amount, AmountField] = dict.fromkeys(AMOUNTS, AmountField())
        self._chosen_key = -1
        self._row_keys: frozenset[int] = frozenset()
        self._outs_of: tuple[HoleCards, tuple[Card, ...], tuple[Card, ...]] | None = None
        self._outs: OutFigures | str | None = None
        self._job: Job | None = None
        model.input_changed.connect(self._on_input_changed)
        model.odds_changed.connect(self.changed)
        self._on_input_changed()

    # ---- whose decision

    @property
    def players(self) -> tuple[tuple[int, str], ...]:
        """Key and name of every player who has a hand or a range."""
        model = self._model
        return tuple(
            (model.entered.rows[index].key, model.entered.name_of(index)) for index in model.entered.taking_part
        )

    @property
    def chosen(self) -> int | None:
        """Row of the player whose decision it is: the one chosen while they play, else the first; or None."""
        playing = self._model.entered.taking_part
        chosen = [index for index in playing if self._model.entered.rows[index].key == self._chosen_key]
        return next(iter(chosen or playing), None)

    @property
    def chosen_place(self) -> int:
        """Place of the chosen player among `players`; -1 for nobody."""
        chosen = self.chosen
        keys = [key for key, _ in self.players]
        return -1 if chosen is None else keys.index(self._model.entered.rows[chosen].key)

    def choose(self, key: int) -> None:
        self._chosen_key = key
        self._find_outs()
        self.changed.emit()

    # ---- chips

    def set_text(self, amount: Amount, text: str) -> None:
        """Take a new text for an amount; the chips go into the question."""
        self.fields[amount] = read_amount(amount, self.fields[amount], text)
        chips = {name: field.chips for name, field in self.fields.items()}
        self._model.entry.set_amounts(pot=chips["pot"], to_call=chips["to_call"], bet=chips["bet"])
        self.changed.emit()

    @property
    def can_preset(self) -> bool:
        """Whether there is a pot to take a share of."""
        return bool(self.fields["pot"].chips) and not self._pot_error()

    def preset(self, fraction: float) -> None:
        """Bet a share of the pot, in whole chips if pot and call are; with something to call, raise by it."""
        pot, to_call = self.fields["pot"].chips, self.fields["to_call"].chips or 0.0
        if pot is not None and self.can_preset:
            chips = bet_of_pot(pot, fraction, to_call)
            is_whole = pot % 1 == 0 and to_call % 1 == 0 and chips >= to_call + 1
            self.set_text("bet", format_chips(round(chips) if is_whole else round(chips, 2)))

    def error_of(self, amount: Amount) -> FieldError | None:
        """Return what is wrong with an amount, by itself or against the others."""
        own = self.fields[amount].error
        if own is not None or amount == "to_call":
            return own
        message = self._pot_error() if amount == "pot" else self._bet_error()
        return FieldError(message) if message else None

    def _pot_error(self) -> str:
        pot, to_call = self.fields["pot"].chips, self.fields["to_call"].chips
        if pot is None or to_call is None or pot >= to_call:
            return ""
        return f"The pot holds the bet to be called, so it is at least {chips_text(to_call)}."

    def _bet_error(self) -> str:
        bet, to_call = self.fields["bet"].chips, self.fields["to_call"].chips
        if bet is None or to_call is None or bet > to_call:
            return ""
        return f"A raise holds the call, so it is more than {chips_text(to_call)}."

    def _on_input_changed(self) -> None:
        keys = frozenset(row.key for row in self._model.entered.rows)
        is_new = not keys & self._row_keys  # another question, not this one edited
        self._row_keys = keys
        for amount in AMOUNTS:
            chips: float | None = getattr(self._model.entered, amount)
            if is_new or chips != self.fields[amount].chips:
                self.fields[amount] = AmountField(format_chips(chips), chips)
        self._find_outs()
        self.changed.emit()

    # ---- figures

    @property
    def is_faint(self) -> bool:
        """Whether the equities have been those of the question before for so long that they should look it."""
        return self._model.run.is_faint

    def _equity(self) -> tuple[float | None, float, bool]:
        """Return the player's equity, its standard error, and whether it is exact."""
        odds = None if self.chosen is None else self._model.odds(self.chosen)
        snapshot = self._model.run.snapshot
        if odds is None or snapshot is None:
            return None, 0.0, False
        return odds.equity_share, odds.stderr, snapshot.method is Method.EXACT

    def hint(self) -> str:
        """Say what to enter while there is nothing to figure; empty if there is."""
        fields = self.fields
        if fields["to_call"].chips is None and fields["bet"].chips is None:
            return _ASKED
        if fields["pot"].chips is None:
            return "Enter the pot as well."
        figures = self._figures_of_call()
        return figures if isinstance(figures, str) else ""

    def _figures_of_call(self) -> CallFigures | str | None:
        """Figure the call, or say why the engine refuses; None if an amount is missing or marked as wrong."""
        pot, to_call = self.fields["pot"].chips, self.fields["to_call"].chips
        if pot is None or to_call is None or self._pot_error():
            return None
        try:
            return figures_of_call(pot, to_call, self._equity()[0])
        except EquityError as error:
            return str(error)

    def call(self) -> CallView | None:
        """Figure the call, if pot and call are known."""
        figures = self._figures_of_call()
        if not isinstance(figures, CallFigures):
            return None
        equity, stderr, is_exact = self._equity()
        if equity is None or figures.ev is None:
            needed = EquityNeeded(figures.required_equity, text=f"needs {figures.required_equity:.1%}")
            sentence = f"A call needs {figures.required_equity:.1%} equity"
            return CallView(sentence, Verdict.UNKNOWN, needed, call_rows(figures, 0.0, is_exact=False))
        sentence, verdict = verdict_of(
            figures.ev,
            stderr * (figures.pot + figures.to_call),
            is_exact=is_exact,
            is_running=self._model.run.is_busy,
        )
        text = f"has {equity:.1%}, needs {figures.required_equity:.1%}"
        needed = EquityNeeded(figures.required_equity, equity, stderr, text)
        return CallView(sentence, verdict, needed, call_rows(figures, stderr, is_exact=is_exact))

    def bet(self) -> tuple[FigureRow, ...]:
        """Figure the bet or raise; no rows unless pot and bet are known."""
        pot, bet, to_call = (self.fields[name].chips for name in ("pot", "bet", "to_call"))
        if pot is None or bet is None or self._pot_error() or self._bet_error():
            return ()
        equity, stderr, is_exact = self._equity()
        figures = figures_of_bet(pot, bet, equity, to_call or 0.0)
        return bet_rows(figures, to_call or 0.0, stderr, is_exact=is_exact)

    # ---- outs

    def outs(self) -> OutsView:
        """Return the outs of the player's hand, or say why there are none."""
        index = self.chosen
        if index is None:
            return OutsView("")
        row, board = self._model.entered.rows[index], self._model.entered.board.cards
        if not row.hole_cards:
            return OutsView("Outs are counted for a hand; this player holds a range")
        if len(board) not in _OUTS_BOARDS:
            is_river = len(board) > max(_OUTS_BOARDS)
            return OutsView("No card is to come" if is_river else "Outs are counted on the flop and the turn")
        if self._outs_of is None:
            return OutsView("Outs are counted once no card stands in two places")
        if self._job is not None:
            return OutsView("Counting …")
        if isinstance(self._outs, str):
            return OutsView(self._outs)
        if self._outs is None:
            return OutsView("No outs: this hand is not behind a random one")
        return outs_view(self._outs, self._model.entered.used_cards(besides=index))

    def _find_outs(self) -> None:
        """Have the outs counted if they are of another hand, board or deck."""
        index, board, dead = self.chosen, self._model.entered.board.cards, self._model.entered.dead_cards
        hole_cards = () if index is None else self._model.entered.rows[index].hole_cards
        wanted = None
        known = (*hole_cards, *board, *dead)
        if len(hole_cards) == 2 and len(board) in _OUTS_BOARDS and len({*known}) == len(known):
            wanted = (hole_cards[0], hole_cards[1]), board, dead
        if wanted == self._outs_of:
            return
        if self._job is not None:
            self._job.cancel()
        self._outs_of, self._outs, self._job = wanted, None, None
        if wanted is not None:
            work = partial(self._count_outs, *wanted)
            self._job = self._jobs.submit(LANE, work, self._on_outs, on_error=self._on_error, newest_wins=True)

    def _on_outs(self, outs: OutFigures | None) -> None:
        self._outs, self._job = outs, None
        self.changed.emit()

    def _on_error(self, error: Exception) -> None:
        is_ours = isinstance(error, EquityError)
        self._outs = str(error) if is_ours else f"Something went wrong in the engine: {error}"
        self._job = None
        self.changed.emit()

    def spoken_outs(self) -> str:
        """Name the outs for a screen reader."""
        view = self.outs()
        cards = [format_cards((out.card,)) + (f" ({out.holder})" if out.holder else "") for out in view.cards]
        return f"{view.sentence}: {', '.join(cards)}" if cards else view.sentence
