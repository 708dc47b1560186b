"""What the charts of the odds window show, as pure functions of a question, the names and the engine's answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import accumulate
from math import ceil, floor, hypot, sqrt
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from engine.agents.value_reasons import capital, rounded_parts
from engine.cards import (
    BOARD_SIZE,
    CARD_COUNT,
    CLASS_COUNT,
    COMBO_CARDS,
    COMBO_CLASS,
    STREET_NAMES,
    Card,
    Street,
    card_symbols,
    cards_of,
    class_name,
    class_of,
    make_card,
    unblocked,
)
from engine.codec import frozen_vector
from engine.equity.board_hits import HitRow
from engine.equity.category_odds import CategoryOdds
from engine.equity.combos import ComboShares
from engine.equity.next_cards import NextCards
from engine.equity.question import EquityQuestion
from engine.equity.range_equities import RangeEquities, class_equities, equity_curve
from engine.equity.sampling import PlayerEquity
from engine.equity.snapshot import Method, Snapshot
from engine.equity.solve import EquitySnapshot
from engine.ranges import Range, class_cells
from engine.strength import Category
from engine.words import listed
from trainer.reading.range_model import GridView, percent, share_texts

CARD_ORDER: tuple[Card, ...] = tuple(make_card(rank, suit) for suit in (3, 2, 1, 0) for rank in range(12, -1, -1))
"""Cards as the map has them: a row for each suit, spades first, from ace to deuce."""

CATEGORY_NAMES = tuple(category.name.replace("_", " ").capitalize() for category in reversed(Category))
"""Final hands, the strongest first."""

BAND_ERRORS = 2
"""Standard errors on each side of a hand's equity that the bands of the graph have."""

_LEAST_SPREAD = 0.005
_SURE = 0.5e-4
_LOOSE = 0.005


class Chart(StrEnum):
    """The charts, by the titles of their tabs."""

    NEXT_CARD = "Next card"
    CATEGORIES = "Final hands"
    BOARD = "Board"
    GRAPH = "Graph"
    HEATMAP = "Heatmap"
    STREETS = "Streets"


@dataclass(frozen=True)
class ChartView:
    """What a chart shows of an answer; `source` is the function of the `ChartEngine` that answers."""

    chart: ClassVar[Chart]
    source: ClassVar[str]
    is_grid: ClassVar[bool] = False

    question: EquityQuestion
    names: tuple[str, ...]
    player: int
    result: Snapshot[Any]

    @property
    def note(self) -> str:
        """Where the numbers come from."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class MapCell:
    """One cell of a coloured map.

    `level` is its colour from -1 (worse) to 1 (better), `weight` its strength 0-1; None and "" if there is nothing
    to show. `number` has one decimal, `short` none; `text` is for the tool tip and the screen reader.
    """

    title: str
    number: str
    short: str
    level: float | None
    text: str
    weight: float = 1.0
    is_blocked: bool = False
    error: str = ""


@dataclass(frozen=True, slots=True)
class MapView:
    """A coloured map: its cells, and the legend's texts for the levels -1, 0 and 1."""

    cells: tuple[MapCell, ...]
    legend: tuple[str, str, str]


def note_of(method: Method, count: int, stderr: float, whose: str = "") -> str:
    """Say where numbers come from, with the largest standard error 0-1."""
    if method is Method.EXACT:
        return "Exact"
    return f"Sampled: {count:,} deals, {whose}standard error up to {_error_text(stderr)}"


def _error_text(stderr: float) -> str:
    # Rounded it must not read as none.
    return f"{stderr:.2%}" if stderr >= _SURE else f"{max(100 * stderr, 0.001):.3f}%"


def _with_error(text: str, stderr: float) -> str:
    return text + (f" ±{_error_text(stderr)}" if stderr > 0 else "")


def _number(share: float, stderr: float) -> str:
    """Write a share in percent for a cell: no decimal where it says nothing."""
    return f"{100 * share:.0f}" if stderr > _LOOSE else f"{100 * share:.1f}"


def _cell_error(stderr: float) -> str:
    """Write an error to stand next to a number in a cell."""
    return f"±{max(100 * stderr, 0.1):.1f}" if stderr > 0 else ""


def _points(difference: float, stderr: float = 0.0) -> str:
    """Write a difference of shares in percentage points with its sign."""
    return _with_error(f"{100 * difference:+.1f}".replace("-", "−"), stderr).removesuffix("%")


def _equity_text(share: float, stderr: float = 0.0) -> str:
    return _with_error(f"{share:.1%}", stderr)


# ---- next cards -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NextCardView(ChartView):
    """Everybody's equity with each card that may come on the question's board."""

    chart = Chart.NEXT_CARD
    source = "next_cards"
    result: Snapshot[NextCards]

    @cached_property
    def _equities(self) -> NDArray[np.float64]:
        """Equity by card of the answer and player."""
        return np.array([[player.equity for player in players] for players in self.result.value.players])

    @cached_property
    def now(self) -> NDArray[np.float64]:
        """Everybody's equity before the card: the mean over all that may come."""
        now: NDArray[np.float64] = self.result.value.chances @ self._equities
        return now

    @cached_property
    def _now_errors(self) -> NDArray[np.float64]:
        """The standard errors of `now`: those of the equities, and those of the chances that weigh them."""
        own = np.array([[player.stderr for player in players] for players in self.result.value.players])
        away = self._equities - self.now
        errors: NDArray[np.float64] = np.sqrt(
            self.result.value.chances**2 @ own**2 + self.result.value.chance_stderrs**2 @ away**2
        )
        return errors

    @cached_property
    def map(self) -> MapView:
        """The cells, by `CARD_ORDER`."""
        now = float(self.now[self.player])
        own = self._equities[:, self.player]
        spread = max(float(np.abs(own - now).max()), _LEAST_SPREAD)
        reasons = self._reasons()
        places = {card: at for at, card in enumerate(self.result.value.cards)}
        cells = tuple(
            self._cell(card, places[card], now, spread) if card in places else _blank(card, reasons.get(card, ""))
            for card in CARD_ORDER
        )
        middle = f"{_equity_text(now, float(self._now_errors[self.player]))} now"
        return MapView(cells, (f"{_points(-spread)} points", middle, f"{_points(spread)} points"))

    def _cell(self, card: Card, at: int, now: float, spread: float) -> MapCell:
        equity = float(self._equities[at, self.player])
        words = ", ".join(
            f"{name} {_equity_text(player.equity, player.stderr)}"
            for name, player in zip(self.names, self.result.value.players[at], strict=True)
        )
        chance = _with_error(
            percent(float(self.result.value.chances[at])), float(self.result.value.chance_stderrs[at])
        )
        return MapCell(
            title=card_symbols([card]),
            number=_number(equity, self.result.value.players[at][self.player].stderr),
            short=f"{100 * equity:.0f}",
            level=(equity - now) / spread,
            text=f"{card_symbols([card])} comes {chance} of the time: {words}",
            error=_cell_error(self.result.value.players[at][self.player].stderr),
        )

    def _reasons(self) -> dict[Card, str]:
        """Say why cards cannot come."""
        reasons = dict.fromkeys(self.question.dead, "is dead")
        reasons |= dict.fromkeys(self.question.board, "is on the board")
        for name, hands in zip(self.names, self.question.players, strict=True):
            reasons |= dict.fromkeys(held_for_sure(hands), f"is in {name}'s hand")
        return reasons

    def rows(self, card: Card | None) -> tuple[tuple[str, str, str, str], ...]:
        """Return each player's name, equity now, equity with a card and the difference in points."""
        places = {card: at for at, card in enumerate(self.result.value.cards)}
        at = None if card is None else places.get(card)
        rows = []
        for player, name in enumerate(self.names):
            now = float(self.now[player])
            now_error = float(self._now_errors[player])
            words = _equity_text(now, now_error)
            if at is None:
                rows.append((name, words, "", ""))
                continue
            then = self.result.value.players[at][player]
            # The card is a part of the mean over all of them.
            error = hypot(now_error, then.stderr * sqrt(1 - 2 * min(float(self.result.value.chances[at]), 0.5)))
            rows.append((name, words, _equity_text(then.equity, then.stderr), _points(then.equity - now, error)))
        return tuple(rows)

    @property
    def note(self) -> str:
        """Where the numbers come from."""
        worst = max((player.stderr for players in self.result.value.players for player in players), default=0.0)
        return note_of(self.result.method, self.result.count, worst)


def _blank(card: Card, reason: str) -> MapCell:
    title = card_symbols([card])
    why = reason or "cannot come: the players hold it in every deal"
    return MapCell(title, "", "", None, f"{title} {why}", is_blocked=True)


def held_for_sure(hands: Range) -> tuple[Card, ...]:
    """Return the cards that every combo of a range holds."""
    combos = np.flatnonzero(hands.weights)
    if not len(combos):
        return ()
    held = np.bincount(COMBO_CARDS[combos].reshape(-1), minlength=CARD_COUNT) == len(combos)
    return tuple(Card(int(card)) for card in np.flatnonzero(held))


# ---- final hands ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HandBar:
    """How often a player ends with a category, and the part 0-1 of that which wins; texts carry their errors."""

    player: int
    chance: float
    win: float
    label: str
    text: str
    chance_text: str
    share: str


@dataclass(frozen=True)
class CategoriesView(ChartView):
    """What all players end up with, or the chosen one alone."""

    chart = Chart.CATEGORIES
    source = "category_odds"
    result: Snapshot[tuple[CategoryOdds, ...]]
    is_of_all: bool = True

    @property
    def shown(self) -> tuple[int, ...]:
        """The players shown."""
        return tuple(range(len(self.names))) if self.is_of_all else (self.player,)

    @cached_property
    def bars(self) -> tuple[tuple[HandBar, ...], ...]:
        """A row of bars for each of `CATEGORY_NAMES`, a bar for each player shown."""
        return tuple(
            tuple(self._bar(player, category) for player in self.shown)
            for category in reversed(range(len(Category)))
        )

    def _bar(self, player: int, category: int) -> HandBar:
        odds = self.result.value[player]
        chance = float(odds.chances[category])
        win = min(float(odds.wins[category]), chance)
        name = CATEGORY_NAMES[len(Category) - 1 - category].lower()
        error, share_error = float(odds.chance_stderrs[category]), float(odds.share_stderrs[category])
        chance_text = share_texts(odds.chances.tolist())[category]
        words = _with_error(chance_text, error)
        share = _with_error(percent(win / chance), share_error) if chance > 0 else ""
        text = f"{self.names[player]}: {name} {words}" + (f", and then gets {share} of the pot" if share else "")
        return HandBar(player, chance, win, chance_text, text, words, share)

    @property
    def headings(self) -> tuple[str, ...]:
        """Of the table: chances alone for many players, else what they win too."""
        names = [self.names[player] for player in self.shown]
        if len(names) > 2:
            return ("Final hand", *(f">{name}" for name in names))
        return ("Final hand", *(f">{name}{what}" for name in names for what in ("", " wins")))

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """Of the table: chance, and for few players the share of the pot won when it happens."""
        rows = []
        for name, bars in zip(CATEGORY_NAMES, self.bars, strict=True):
            texts = [name]
            for bar in bars:
                texts.append(bar.chance_text)
                if len(bars) <= 2:
                    texts.append(bar.share or "–")
            rows.append(tuple(texts))
        return tuple(rows)

    @property
    def tips(self) -> tuple[str, ...]:
        """For each row of the table what its bars say."""
        return tuple("\n".join(bar.text for bar in bars) for bars in self.bars)

    @property
    def note(self) -> str:
        """Where the numbers come from."""
        worst = max(float(odds.chance_stderrs.max()) for odds in self.result.value)
        return note_of(self.result.method, self.result.count, worst, "a chance's ")


# ---- how a range hits the board -------------------------------------------------------------------------


@dataclass(frozen=True)
class BoardView(ChartView):
    """How one player's range hits the board."""

    chart = Chart.BOARD
    source = "hits"
    is_grid = True
    result: Snapshot[tuple[tuple[HitRow, ...], ...]]

    @property
    def hits(self) -> tuple[HitRow, ...]:
        """The rows that hold a combo: made hands, the strongest first, then draws."""
        return self.result.value[self.player]

    @property
    def hands(self) -> Range:
        """The whole range."""
        return self.question.players[self.player]

    @cached_property
    def _live(self) -> NDArray[np.bool_]:
        return unblocked(blockers_of(self.question, self.player))

    def members(self, chosen: Sequence[int]) -> NDArray[np.bool_]:
        """Return the live combos of any of the rows chosen, or all of them if none is."""
        if not chosen:
            return self._live & (self.hands.weights > 0)
        members: NDArray[np.bool_] = np.logical_or.reduce([self.hits[row].members for row in chosen])
        return members

    def chosen_range(self, chosen: Sequence[int]) -> Range:
        """Return the part of the range that is in the rows chosen."""
        return Range(np.where(self.members(chosen), self.hands.weights, np.float32(0)))

    def grid(self, chosen: Sequence[int]) -> GridView:
        """Return the rows chosen as a grid, on the scale of the whole range."""
        blockers = blockers_of(self.question, self.player)
        whole = class_cells(self.hands.weights, blockers)
        part = class_cells(self.chosen_range(chosen).weights, blockers)
        largest, total = max(float(whole.mean.max()), 1e-12), max(float(whole.total.sum()), 1e-12)
        return GridView(
            values=frozen_vector(part.mean / largest),
            sums=frozen_vector(part.total / total),
            live=part.unblocked,
            own_blocked=np.zeros(CLASS_COUNT, dtype=np.bool_),
        )

    @cached_property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """Of each hit: name, combos, percent (of made hands they add up to 100%) and percent with it or better."""
        made = [hit for hit in self.hits if not hit.is_draw]
        shares = share_texts([hit.share for hit in made])
        sums = accumulate(rounded_parts([hit.share for hit in made], 1))
        better = [
            percent(hit.at_least) if hit.at_least < 0.001 else f"{part:.1f}%"
            for hit, part in zip(made, sums, strict=True)
        ]
        drawn = [percent(hit.share) for hit in self.hits[len(made) :]]
        no_order = [""] * (len(drawn) if self.is_ordered else len(self.hits))
        return tuple(
            (capital(hit.name), _count(hit.combos), *texts)
            for hit, *texts in zip(
                self.hits, shares + drawn, (better if self.is_ordered else []) + no_order, strict=True
            )
        )

    def describe(self, hand_class: int, chosen: Sequence[int]) -> str:
        """Say how much of a class is in the rows chosen, and in which rows its combos are."""
        members = self.members(chosen)
        of_class = _of_class(hand_class) & (self.hands.weights > 0) & self._live
        count = int(np.count_nonzero(members & of_class))
        live = int(np.count_nonzero(_of_class(hand_class) & self._live))
        rows = [
            f"{hit.name} {inside}" for hit in self.hits if (inside := int(np.count_nonzero(hit.members & of_class)))
        ]
        head = f"{class_name(hand_class)}: {count} of {live} live combos"
        return "\n".join([head, ", ".join(rows)]) if rows else head

    def summary(self, chosen: Sequence[int]) -> str:
        """Say how many combos the rows chosen hold."""
        everything = self.members(())
        total = float(self.hands.weights[everything].sum(dtype=np.float64))
        part = float(self.hands.weights[self.members(chosen)].sum(dtype=np.float64))
        if not chosen:
            return f"{_count(total)} live combo{'' if total == 1 else 's'}"
        names = capital(", ".join(self.hits[row].name for row in chosen))
        share = self.rows[chosen[0]][2] if len(chosen) == 1 else percent(part / total) if total > 0 else "0%"
        return f"{names}: {_count(part)} of {_count(total)} live combos, {share}"

    @property
    def is_ordered(self) -> bool:
        """Whether the rows are made hands, of which one is better than another: not before the flop."""
        return bool(self.question.board)

    @property
    def note(self) -> str:
        """Where the numbers come from."""
        return "Exact: combos left by the board, dead cards and known hands"


def blockers_of(question: EquityQuestion, player: int) -> tuple[Card, ...]:
    """Return the cards that a player cannot hold: board, dead cards, and what others hold for sure."""
    others = (hands for other, hands in enumerate(question.players) if other != player)
    known = (card for hands in others for card in held_for_sure(hands))
    return tuple(dict.fromkeys((*question.board, *question.dead, *known)))


def _of_class(hand_class: int) -> NDArray[np.bool_]:
    of_class: NDArray[np.bool_] = np.equal(COMBO_CLASS, hand_class)
    return of_class


def _count(value: float) -> str:
    """Write a count that weights may have made fractional."""
    return f"{value:,.0f}" if abs(value - round(value)) < 0.005 else f"{value:,.1f}"


# ---- range against range --------------------------------------------------------------------------------


class GraphLine:
    """One player's range from its best hand to its worst, in percent, as float64 arrays of shape (201,).

    `band` is the same `BAND_ERRORS` standard errors lower and higher; None where all is exact.
    """

    def __init__(self, name: str, shares: ComboShares) -> None:
        self.name = name
        self.equities = 100 * equity_curve(shares)
        self.places = np.linspace(0, 100, len(self.equities))
        is_sampled = bool(shares.stderrs.any())
        lower, upper = (100 * equity_curve(shares, errors=errors) for errors in (-BAND_ERRORS, BAND_ERRORS))
        self.band = (lower, upper) if is_sampled else None
        combos = np.flatnonzero(shares.weights)
        self._combos = combos[np.argsort(-shares.equities[combos], kind="stable")]
        self._own, self._errors = shares.equities[self._combos], shares.stderrs[self._combos]
        self._ends = np.cumsum(shares.weights[self._combos], dtype=np.float64)
        self.mean, self.stderr = shares.equity, shares.stderr

    def at(self, place: float) -> tuple[str, str]:
        """Return equity and hands at a place in percent of the range: the combo there, and its class."""
        if not len(self._combos):
            return "–", ""
        share = min(max(place / 100, 0.0), 1.0) * self._ends[-1]
        at = min(int(np.searchsorted(self._ends, share)), len(self._combos) - 1)
        combo = int(self._combos[at])
        hand = f"{class_name(class_of(combo))} ({card_symbols(cards_of(combo))})"
        return _equity_text(float(self._own[at]), float(self._errors[at])), hand

    def band_at(self, place: float) -> str:
        """Return the band at a place in percent of the range; empty where all is exact."""
        if self.band is None:
            return ""
        lower, upper = self.band
        at = min(max(place / 100, 0.0), 1.0) * (len(self.places) - 1)
        # Outwards, but not for what 32 bits round.
        low, high = floor(round(10 * lower[ceil(at)], 3)), ceil(round(10 * upper[floor(at)], 3))
        return f"{low / 10:.1f}–{high / 10:.1f}%"


@dataclass(frozen=True)
class GraphView(ChartView):
    """The equity distribution of each player's range."""

    chart = Chart.GRAPH
    source = "range_equities"
    result: Snapshot[RangeEquities]

    @cached_property
    def lines(self) -> tuple[GraphLine, ...]:
        """One for each player."""
        return tuple(GraphLine(name, shares) for name, shares in zip(self.names, self.result.value, strict=True))

    @property
    def has_bands(self) -> bool:
        """Whether anything is sampled."""
        return any(line.band is not None for line in self.lines)

    @property
    def remark(self) -> str:
        """What the bands are, for the legend."""
        return f"Bands: ± {BAND_ERRORS} standard errors of each hand" if self.has_bands else ""

    @property
    def headings(self) -> tuple[str, ...]:
        """Of the rows."""
        return ("Player", ">Equity", *([">Band"] if self.has_bands else []), "Hand")

    def rows(self, place: float) -> tuple[tuple[str, ...], ...]:
        """Return each player's name, equity, band if there are any, and hand at a place in percent of the range."""
        found = []
        for line in self.lines:
            equity, hand = line.at(place)
            found.append((line.name, equity, *([line.band_at(place)] if self.has_bands else []), hand))
        return tuple(found)

    @property
    def text(self) -> str:
        """The graph in words."""
        return "; ".join(
            f"{line.name}: {_equity_text(line.mean, line.stderr)} on average, "
            + ", ".join(
                f"{what} {line.band_at(place) or line.at(place)[0]}"
                for what, place in (("best", 0), ("median", 50), ("worst", 100))
            )
            for line in self.lines
        )

    @property
    def note(self) -> str:
        """Where the numbers come from."""
        errors = [float(shares.stderrs.max()) for shares in self.result.value]
        return note_of(self.result.method, self.result.count, max(errors), "a hand's ")


@dataclass(frozen=True)
class HeatView(ChartView):
    """Each class's equity on its grid, for one player."""

    chart = Chart.HEATMAP
    source = "range_equities"
    is_grid = True
    result: Snapshot[RangeEquities]

    @cached_property
    def map(self) -> MapView:
        """The 169 classes; coloured by how far they are from a fair share of the pot, faint where rarely held."""
        shares = self.result.value[self.player]
        means, sums = class_equities(shares)
        blockers = blockers_of(self.question, self.player)
        played = class_cells(self.question.players[self.player].weights, blockers)
        largest = max(float(played.mean.max()), 1e-12)
        fair = 1 / len(self.question.players)
        cells = []
        for hand_class in range(CLASS_COUNT):
            name, live = class_name(hand_class), int(played.unblocked[hand_class])
            if not sums[hand_class] > 0:
                why = "every combo is blocked"
                if played.total[hand_class] > 0:
                    is_sampled = self.result.method is Method.SAMPLED
                    why = "no deal yet leaves it, so there is no number" if is_sampled else "the others block it"
                elif live:
                    why = "not in the range"
                cells.append(MapCell(name, "", "", None, f"{name}: {why}", is_blocked=live == 0))
                continue
            equity, weight = float(means[hand_class]), float(played.mean[hand_class])
            level = (equity - fair) / (1 - fair) if equity > fair else (equity - fair) / fair
            error, part_error = (
                float(shares.class_stderrs[hand_class]),
                float(shares.class_weight_stderrs[hand_class]),
            )
            combos = f"{_count(float(played.total[hand_class]))} of {live} live combos"
            part = _with_error(percent(float(sums[hand_class])), part_error)
            text = f"{name}: equity {_equity_text(equity, error)}, {combos}, {part} of the range"
            number, short = _number(equity, error), f"{100 * equity:.0f}"
            cells.append(MapCell(name, number, short, level, text, weight / largest, error=_cell_error(error)))
        return MapView(tuple(cells), ("0%", f"fair share {100 * fair:.3g}%", "100%"))

    @property
    def note(self) -> str:
        """Where the numbers come from."""
        worst = float(self.result.value[self.player].class_stderrs.max())
        return note_of(self.result.method, self.result.count, worst, "a cell's ")


# ---- street by street -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class StreetsView(ChartView):
    """Everybody's equity on each street so far."""

    chart = Chart.STREETS
    source = "streets"
    result: Snapshot[tuple[EquitySnapshot, ...]]

    @property
    def _reached(self) -> tuple[Street, ...]:
        return tuple(street for street in Street if BOARD_SIZE[street] <= len(self.question.board))

    @property
    def streets(self) -> tuple[str, ...]:
        """Names of the streets."""
        return tuple(STREET_NAMES[street] for street in self._reached)

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards dealt on each street; empty before the flop."""
        starts = {Street.PREFLOP: (0, 0), Street.FLOP: (0, 3), Street.TURN: (3, 4), Street.RIVER: (4, 5)}
        return tuple(card_symbols(self.question.board[slice(*starts[street])]) for street in self._reached)

    @property
    def equities(self) -> tuple[tuple[float, ...], ...]:
        """For each player the equities 0-1 on the streets answered so far."""
        return tuple(
            tuple(answer.value[player].equity for answer in self.result.value) for player in range(len(self.names))
        )

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """Name, and equity on each street."""
        missing = len(self._reached) - len(self.result.value)
        return tuple(
            (
                name,
                *(_street_text(answer, answer.value[player]) for answer in self.result.value),
                *("…" for _ in range(missing)),
            )
            for player, name in enumerate(self.names)
        )

    @property
    def text(self) -> str:
        """The chart in words."""
        return "; ".join(
            f"{row[0]}: "
            + ", ".join(f"{street.lower()} {text}" for street, text in zip(self.streets, row[1:], strict=True))
            for row in self.rows
        )

    @property
    def note(self) -> str:
        """Where the numbers come from."""
        if not self.result.value:
            return ""
        exact = [
            street
            for street, answer in zip(self.streets, self.result.value, strict=False)
            if answer.method is Method.EXACT
        ]
        sampled = [street for street in self.streets[: len(self.result.value)] if street not in exact]
        if not sampled:
            return "Exact"
        return (
            f"Sampled: {listed(sampled).lower()}"
            + ("; the others are exact" if exact else "")
            + "; ± is one standard error"
        )


def _street_text(answer: EquitySnapshot, player: PlayerEquity) -> str:
    return _equity_text(player.equity, 0.0 if answer.method is Method.EXACT else player.stderr)
