"""What the odds window shows: hands and ranges as typed, the cards on the table, and their odds as they come in.

Every field keeps what it last understood: text that cannot be read is marked and explained, and the odds stay
those of the last good text. Probabilities become percent only in this module.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from itertools import chain, count, repeat

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from engine.cards import (
    BOARD_SIZE,
    CARD_COUNT,
    Card,
    CardTextError,
    Street,
    cards_of,
    format_card,
    format_cards,
    parse_cards,
    unblocked,
)
from engine.equity import EquityQuestion, EquitySnapshot, Method, solve
from engine.ranges import Range, RangeTextError, format_range, parse_range
from trainer.jobs import Job, Jobs

MIN_PLAYERS = 2
MAX_PLAYERS = 10
BOARD_CARDS = BOARD_SIZE[Street.RIVER]
DEBOUNCE_MS = 60
LANE = "odds"
SEED = 20170725
"""Of the sampled deals: the same question gets the same answer."""

_LEAST_WEIGHT = 1e-5  # beside the largest; what is rarer would only lengthen the text

Solve = Callable[[EquityQuestion], Iterator[EquitySnapshot]]


@dataclass(frozen=True, slots=True)
class FieldError:
    """What is wrong with a text: one sentence, and the characters at fault (none if `length` is 0)."""

    message: str
    position: int = 0
    length: int = 0


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One player's hand or range.

    Attributes
    ----------
    key : int
        Names the row for as long as it lives.
    name : str
        Empty for a player without a name of its own.
    text : str
        As typed.
    hands : Range or None
        What was last understood; None while nothing was, or the text is empty.
    hole_cards : tuple of Card
        The two cards, if the hands are one combo; else empty.
    understood : str
        The text that `hands` came from.
    error : FieldError or None
    """

    key: int
    name: str = ""
    text: str = ""
    hands: Range | None = None
    hole_cards: tuple[Card, ...] = ()
    understood: str = ""
    error: FieldError | None = None


@dataclass(frozen=True, slots=True)
class CardField:
    """The board or the dead cards: the text, and the cards last understood from it."""

    text: str = ""
    cards: tuple[Card, ...] = ()
    error: FieldError | None = None


@dataclass(frozen=True, slots=True)
class PlayerOdds:
    """One player's line of the results, ready to show.

    Attributes
    ----------
    win, tie, equity, error : str
        Percent; `error` is the standard error of the equity, or "exact".
    win_share, tie_share, equity_share, stderr : float
        The same as numbers 0-1, for the bar.
    """

    win: str
    tie: str
    equity: str
    error: str
    win_share: float
    tie_share: float
    equity_share: float
    stderr: float


class RunState(Enum):
    """How far the odds of the question on screen are."""

    NOTHING = auto()
    WAITING = auto()
    RUNNING = auto()
    STOPPED = auto()
    FINISHED = auto()
    FAILED = auto()


def read_player(row: PlayerRow, text: str) -> PlayerRow:
    """Give the row with a new text; if it cannot be read, the hands stay what they were."""
    if not text.strip():
        return PlayerRow(row.key, row.name, text)
    try:
        hands = parse_range(text)
    except RangeTextError as error:
        return replace(row, text=text, error=_field_error(error, row.understood))
    if hands.is_empty:
        message = "This range holds no hand: all its weights are 0."
        return replace(row, text=text, error=FieldError(_with_understood(message, row.understood)))
    return _understood(row, text, hands)


def _understood(row: PlayerRow, text: str, hands: Range) -> PlayerRow:
    combos = np.flatnonzero(hands.weights)
    hole_cards = cards_of(int(combos[0])) if len(combos) == 1 else ()
    return PlayerRow(row.key, row.name, text, hands, hole_cards, text.strip(" ,;"))


def take_range(row: PlayerRow, hands: Range) -> PlayerRow:
    """Give the row with a range that needs no reading, such as a painted one; its text follows."""
    text = format_range(hands)
    return _understood(row, text, hands) if not hands.is_empty else PlayerRow(row.key, row.name)


def read_cards(field: CardField, text: str, most: int = CARD_COUNT) -> CardField:
    """Give the field with a new text; if it cannot be read or is too long, the cards stay what they were."""
    understood = format_cards(field.cards)
    try:
        cards = parse_cards(text)
    except CardTextError as error:
        return replace(field, text=text, error=_field_error(error, understood))
    if len(cards) > most:
        end = next(end for end in range(len(text)) if _card_count(text[:end]) == most)
        position = len(text) - len(text[end:].lstrip(" \t,|/"))
        message = _with_understood(f"There is room for {most} cards only.", understood)
        return replace(field, text=text, error=FieldError(message, position, len(text) - position))
    return CardField(text, cards)


def _card_count(text: str) -> int:
    try:
        return len(parse_cards(text))
    except CardTextError:
        return 0


def _field_error(error: RangeTextError | CardTextError, understood: str) -> FieldError:
    return FieldError(_with_understood(str(error), understood), error.position, error.length)


def _with_understood(message: str, understood: str) -> str:
    if not understood:
        return message
    shown = understood if len(understood) <= 24 else understood[:23] + "…"
    return f"{message} Used instead: {shown}."


def kind_of(row: PlayerRow) -> str:
    """Say in a word what the row holds: a hand, a range, any two cards, or nothing yet."""
    if row.hands is None:
        return "empty"
    if row.hole_cards:
        return "hand"
    return "any two cards" if row.hands.weights.min() == 1 else "range"


def describe_row(row: PlayerRow, blockers: Sequence[Card]) -> str:
    """Say how many combos the row holds and how many of them board and dead cards take away."""
    if row.hands is None:
        return "empty: left out" if row.error is None else ""
    hands = row.hands
    if row.hole_cards:
        return f"hand · {format_cards(row.hole_cards)}"
    blocked = hands.combo_count - hands.without(blockers).combo_count
    parts = [kind_of(row), f"{_number(hands.combo_count)} combos", f"{100 * hands.fraction:.1f}%"]
    if blocked > 0:
        parts.append(f"{_number(blocked)} blocked")
    return " · ".join(parts)


def _number(value: float) -> str:
    """Write a count that weights may have made fractional."""
    return f"{value:,.0f}" if abs(value - round(value)) < 0.005 else f"{value:,.1f}"


def format_odds(win: float, tie: float, equity: float, stderr: float, method: Method) -> PlayerOdds:
    """Write one player's shares 0-1 as percent, with the digits that the standard error leaves any meaning."""
    digits = 3 if method is not Method.EXACT and 100 * stderr < 0.005 else 2
    shown = "exact" if method is Method.EXACT else f"±{100 * stderr:.{digits}f}%"
    texts = (f"{100 * share:.{digits}f}%" for share in (win, tie, equity))
    return PlayerOdds(next(texts), next(texts), next(texts), shown, win, tie, equity, stderr)


def format_run(snapshot: EquitySnapshot, state: RunState) -> str:
    """Write the method, the number of deals, the time and the speed in one line."""
    deals = f"{snapshot.count:,} deals"
    speed = f", {_speed(snapshot.count / snapshot.seconds)}" if snapshot.seconds > 0 else ""
    took = f"{_seconds(snapshot.seconds)}{speed}"
    if snapshot.method is Method.EXACT:
        return f"Exact: all {deals} in {took}"
    if state is RunState.FINISHED:
        return f"Sampled: {deals} in {took}"
    done = f"{100 * snapshot.progress:.0f}% of the work done"
    if state is RunState.STOPPED:
        return f"Partial, stopped by you: {deals} sampled, {done}, {_seconds(snapshot.seconds)}"
    return f"So far: {deals} sampled, {done}, {_seconds(snapshot.seconds)}"


def _seconds(seconds: float) -> str:
    return f"{1000 * seconds:.2g} ms" if seconds < 0.01 else f"{seconds:.2f} s"


def _speed(per_second: float) -> str:
    for size, word in ((1e9, " billion"), (1e6, " million"), (1e3, " thousand")):
        if per_second >= size:
            return f"{per_second / size:.1f}{word} per second"
    return f"{per_second:.0f} per second"


class OddsViewModel(QObject):
    """Holds what was entered, has it computed shortly after the last change, and shows what comes back.

    Parameters
    ----------
    jobs : Jobs
    solve_question : callable, optional
        Gives the snapshots of a question; runs in a worker. By default the engine's `solve`, which shares long work
        out over the threads of `jobs`.
    random : numpy.random.Generator, optional
        Deals random boards; by default one of its own.

    Attributes
    ----------
    clashes : dict
        For "board", "dead" or a player's index: which of its cards stands elsewhere too, or that nothing of a range
        is left.

    pot, to_call, bet : float or None
        Chips, as `engine.decision_figures` takes them; None for what is not asked.

    Signals
    -------
    input_changed
        Rows, board, dead cards, chips or what is said about them.
    odds_changed
        Results, the state of the run or its line of text.
    """

    input_changed = Signal()
    odds_changed = Signal()

    def __init__(
        self, jobs: Jobs, solve_question: Solve | None = None, random: np.random.Generator | None = None
    ) -> None:
        super().__init__()
        self._jobs = jobs
        # The lane's work holds the executor alone: whoever lets go of `jobs` last destroys it.
        self._solve: Solve = solve_question or partial(solve, seed=SEED, executor=jobs.executor)
        self._keys = count()
        self._random = random or np.random.default_rng()
        self.rows: tuple[PlayerRow, ...] = tuple(PlayerRow(next(self._keys)) for _ in range(MIN_PLAYERS))
        self.board = CardField()
        self.dead = CardField()
        self.clashes: dict[str | int, str] = {}
        self.samples: int | None = None
        self.is_exact_wanted = False
        self.state = RunState.NOTHING
        self.failure = ""
        self._snapshot: EquitySnapshot | None = None
        self._question: EquityQuestion | None = None
        self._answered: EquityQuestion | None = None
        self._row_keys: tuple[int, ...] = ()
        self.pot: float | None = None
        self.to_call: float | None = None
        self.bet: float | None = None
        self._job: Job | None = None
        self._debounce = QTimer(self, singleShot=True, interval=DEBOUNCE_MS)
        self._debounce.timeout.connect(self.start)

    # ---- what is entered

    def set_question(
        self,
        players: Sequence[str | Range],
        board: Sequence[Card] | str = (),
        dead: Sequence[Card] | str = (),
        names: Sequence[str] = (),
        *,
        pot: float | None = None,
        to_call: float | None = None,
        bet: float | None = None,
    ) -> None:
        """Replace everything entered, for instance by a position at the table.

        Parameters
        ----------
        players : sequence of str or Range
            At most ten; of a Range only the ratios of the weights matter, so they are scaled up to 1 and rounded.
        board, dead : cards, or their text
        names : sequence of str
            One per player, or none.
        pot, to_call, bet : float, optional
            Chips; see `set_amounts`.
        """
        self.pot, self.to_call, self.bet = pot, to_call, bet
        rows = []
        for hands, name in zip(players[:MAX_PLAYERS], chain(names, repeat("")), strict=False):
            row = PlayerRow(next(self._keys), name)
            rows.append(read_player(row, hands) if isinstance(hands, str) else take_range(row, readable(hands)))
        while len(rows) < MIN_PLAYERS:
            rows.append(PlayerRow(next(self._keys)))
        self.rows = tuple(rows)
        self.board = read_cards(CardField(), _text_of(board), BOARD_CARDS)
        self.dead = read_cards(CardField(), _text_of(dead))
        self._changed()

    def clear(self) -> None:
        """Go back to two empty players and no cards."""
        self.set_question(())

    def set_player_text(self, index: int, text: str) -> None:
        """Take a new text for a player."""
        self._replace_row(index, read_player(self.rows[index], text))

    def set_player_range(self, index: int, hands: Range) -> None:
        """Take a range that was painted; its text follows."""
        self._replace_row(index, take_range(self.rows[index], hands))

    def _replace_row(self, index: int, row: PlayerRow) -> None:
        self.rows = (*self.rows[:index], row, *self.rows[index + 1 :])
        self._changed()

    @property
    def can_add(self) -> bool:
        """Whether there is room for one more player."""
        return len(self.rows) < MAX_PLAYERS

    @property
    def can_remove(self) -> bool:
        """Whether there are more than two players."""
        return len(self.rows) > MIN_PLAYERS

    def add_player(self) -> None:
        """Add an empty row."""
        if self.can_add:
            self.rows = (*self.rows, PlayerRow(next(self._keys)))
            self._changed()

    def remove_player(self, index: int) -> None:
        """Take a row away."""
        if self.can_remove:
            self.rows = (*self.rows[:index], *self.rows[index + 1 :])
            self._changed()

    def set_board_text(self, text: str) -> None:
        """Take a new text for the board."""
        self.board = read_cards(self.board, text, BOARD_CARDS)
        self._changed()

    def set_dead_text(self, text: str) -> None:
        """Take a new text for the dead cards."""
        self.dead = read_cards(self.dead, text)
        self._changed()

    def deal_board(self, street: Street) -> None:
        """Complete the board at random up to a street; what lies there stays if it is not longer than that."""
        kept = self.board.cards[: BOARD_SIZE[street]]
        taken = {*kept, *self.dead.cards, *(card for row in self.rows for card in row.hole_cards)}
        free = [card for card in range(CARD_COUNT) if card not in taken]
        missing = BOARD_SIZE[street] - len(kept)
        if len(free) >= missing:
            drawn = self._random.choice(len(free), missing, replace=False)
            self.set_board_text(format_cards([*kept, *(free[at] for at in drawn)], " "))

    def clear_board(self, street: Street) -> None:
        """Take back the cards of a street and of those after it."""
        before = BOARD_SIZE[Street(street - 1)] if street > Street.PREFLOP else 0
        self.set_board_text(format_cards(self.board.cards[:before], " "))

    def set_method(self, *, is_exact: bool, samples: int | None) -> None:
        """Choose exact counting, a number of sampled deals, or neither: the engine's own choice."""
        if (is_exact, samples) != (self.is_exact_wanted, self.samples):
            self.is_exact_wanted, self.samples = is_exact, samples
            self._changed()

    def set_amounts(
        self, *, pot: float | None = None, to_call: float | None = None, bet: float | None = None
    ) -> None:
        """Take the chips of a decision, None for what is not asked; the odds stay what they are."""
        if (pot, to_call, bet) != (self.pot, self.to_call, self.bet):
            self.pot, self.to_call, self.bet = pot, to_call, bet
            self.input_changed.emit()

    # ---- what is said about it

    def name_of(self, index: int) -> str:
        """Give a player's name, or its number."""
        return self.rows[index].name or f"Player {index + 1}"

    def used_cards(self, *, besides: str | int) -> dict[Card, str]:
        """Tell which cards are taken and where, leaving out `"board"`, `"dead"` or a player's index."""
        return {card: place for key, place, cards in self._places() if key != besides for card in cards}

    def _places(self) -> Iterator[tuple[str | int, str, tuple[Card, ...]]]:
        yield "board", "on the board", self.board.cards
        yield "dead", "among the dead cards", self.dead.cards
        for index, row in enumerate(self.rows):
            yield index, f"in {self.name_of(index)}'s hand", row.hole_cards

    def _find_clashes(self) -> dict[str | int, str]:
        found: dict[str | int, str] = {}
        places = list(self._places())
        for card in {card for _, _, cards in places for card in cards}:
            holders = [(key, place) for key, place, cards in places if card in cards]
            if len(holders) > 1:
                where = " and ".join(place for _, place in holders)
                for key, _ in holders:
                    found.setdefault(key, f"The {format_card(card)} is {where}.")
        live = unblocked((*self.board.cards, *self.dead.cards))
        for index, row in enumerate(self.rows):
            if row.hands is not None and index not in found and not row.hands.weights[live].any():
                found[index] = "The board and the dead cards leave no combo of this range."
        return found

    def problem(self) -> str:
        """Say in one sentence why there is nothing to compute; empty if there is."""
        if self.clashes:
            key, message = next(iter(self.clashes.items()))
            return message if "leave no combo" not in message else f"{self.name_of(int(key))}: {message}"
        for index, row in enumerate(self.rows):
            if row.error is not None and row.hands is None:
                return f"{self.name_of(index)} has no hand that can be read."
        if sum(row.hands is not None for row in self.rows) < MIN_PLAYERS:
            return "Enter the hands or ranges of at least two players."
        missing = BOARD_SIZE[Street.FLOP] - len(self.board.cards)
        if 0 < missing < BOARD_SIZE[Street.FLOP]:
            return f"The flop needs {missing} more card{'s' if missing > 1 else ''}."
        return ""

    def question(self) -> EquityQuestion | None:
        """Give what is to be computed, or None if `problem` says why not."""
        if self.problem():
            return None
        used = [index for index, row in enumerate(self.rows) if row.hands is not None]
        is_numbered = used == list(range(len(used))) and not any(row.name for row in self.rows)
        return EquityQuestion(
            players=tuple(row.hands for row in self.rows if row.hands is not None),
            board=self.board.cards,
            dead=self.dead.cards,
            samples=self.samples,
            is_exact=self.is_exact_wanted,
            labels=() if is_numbered else tuple(self.name_of(index) for index in used),
        )

    # ---- the odds

    @property
    def answered(self) -> EquityQuestion | None:
        """The question that the results shown answer: the one before the last change while they are stale."""
        return None if self._snapshot is None else self._answered

    @property
    def snapshot(self) -> EquitySnapshot | None:
        """The results shown, if there are any; its players are those of `answered`."""
        return self._snapshot

    def row_of(self, player: int) -> int | None:
        """Give the row of a player of `answered`, or None if it is gone."""
        keys = [row.key for row in self.rows]
        key = self._row_keys[player] if player < len(self._row_keys) else None
        return keys.index(key) if key in keys else None

    @property
    def is_busy(self) -> bool:
        """Whether a run is about to start or going on."""
        return self.state in (RunState.WAITING, RunState.RUNNING)

    @property
    def is_stale(self) -> bool:
        """Whether the results shown still answer the question before the last change."""
        return self.state is RunState.WAITING and self._snapshot is not None

    @property
    def progress(self) -> float:
        """Part of the running work that is done, 0 to 1; 0 while nothing runs."""
        if self._snapshot is None or self.state is not RunState.RUNNING:
            return 0.0
        return self._snapshot.progress

    def odds(self, index: int) -> PlayerOdds | None:
        """Give a row's line of the results, if there is one."""
        key = self.rows[index].key
        if self._snapshot is None or key not in self._row_keys:
            return None
        player = self._snapshot.players[self._row_keys.index(key)]
        return format_odds(player.win, player.tie, player.equity, player.stderr, self._snapshot.method)

    def run_text(self) -> str:
        """Say what the results are, or why there are none."""
        if self.state is RunState.NOTHING:
            return self.problem()
        if self.state is RunState.FAILED:
            return self.failure
        if self.state is RunState.WAITING:
            return "Starting …"
        if self._snapshot is None:
            return "Stopped before the first result."
        return format_run(self._snapshot, self.state)

    def _changed(self) -> None:
        self.clashes = self._find_clashes()
        self.input_changed.emit()
        question = self.question()
        if question is not None and question == self._question and self.state is not RunState.NOTHING:
            return
        self._cancel()
        self._question = question
        if question is None:
            self._snapshot, self.state = None, RunState.NOTHING
        else:
            self.state = RunState.WAITING
            self._debounce.start()
        self.odds_changed.emit()

    def start(self) -> None:
        """Compute now, from the beginning."""
        self._cancel()
        question = self.question()
        if question is None:
            return
        self._question = question
        keys = tuple(row.key for row in self.rows if row.hands is not None)
        self.state = RunState.WAITING
        self._job = self._jobs.submit(
            LANE,
            partial(self._solve, question),
            lambda snapshot: self._on_snapshot(question, keys, snapshot),
            on_error=self._on_error,
            newest_wins=True,
        )
        self.odds_changed.emit()

    def stop(self) -> None:
        """Stop the run; what is there stays, labelled as partial."""
        if not self.is_busy:
            return
        if self.is_stale:
            self._snapshot = None
        self._cancel()
        self.state = RunState.STOPPED
        self.odds_changed.emit()

    def _cancel(self) -> None:
        self._debounce.stop()
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _on_snapshot(self, question: EquityQuestion, keys: tuple[int, ...], snapshot: EquitySnapshot) -> None:
        self._answered, self._snapshot, self._row_keys = question, snapshot, keys
        self.state = RunState.FINISHED if snapshot.is_final else RunState.RUNNING
        self.odds_changed.emit()

    def _on_error(self, error: Exception) -> None:
        self._snapshot = None
        self.state = RunState.FAILED
        is_ours = isinstance(error, ValueError)
        self.failure = str(error) if is_ours else f"Something went wrong in the engine: {error}"
        self.odds_changed.emit()

    # ---- the odds as text

    def as_text(self) -> str:
        """Give the results as lines of plain text."""
        table = self._table()
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = [
            "  ".join(
                cell.ljust(width) if at < 2 else cell.rjust(width)
                for at, (cell, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in table
        ]
        return "\n".join([*lines, *self._footer()])

    def as_markdown(self) -> str:
        """Give the results as a Markdown table."""
        head, *lines = (f"| {' | '.join(line)} |" for line in self._table())
        return "\n".join([head, "|:--|:--|--:|--:|--:|--:|", *lines, "", *self._footer()])

    def _table(self) -> list[tuple[str, ...]]:
        table: list[tuple[str, ...]] = [("Player", "Hand or range", "Win", "Tie", "Equity", "Error")]
        for index, row in enumerate(self.rows):
            odds = self.odds(index)
            if odds is not None:
                table.append((self.name_of(index), row.understood, odds.win, odds.tie, odds.equity, odds.error))
        return table

    def _footer(self) -> list[str]:
        lines = [
            f"{label}: {format_cards(cards, ' ')}"
            for label, cards in (("Board", self.board.cards), ("Dead", self.dead.cards))
            if cards
        ]
        return [*lines, self.run_text()]


def _text_of(cards: Sequence[Card] | str) -> str:
    return cards if isinstance(cards, str) else format_cards(cards, " ")


def readable(hands: Range) -> Range:
    """Scale weights so that the largest is 1, and round them to the three digits that a reader can use."""
    largest = float(hands.weights.max())
    if largest == 0:
        return hands
    weights = (hands.weights / np.float32(largest)).tolist()
    return Range(np.array([float(f"{weight:.3g}") if weight >= _LEAST_WEIGHT else 0.0 for weight in weights]))
