"""Figures as rows of tables: of every player, and of one by position, starting hand and time."""

import math
from collections.abc import Mapping
from datetime import datetime

from engine.agents.styles import style_label
from engine.cards import HandClass, class_name
from engine.figures.mean import Mean, rate_interval
from engine.figures.player_figures import KNOWN_TO, Line, PlayerFigures, hands_to_know
from engine.figures.report import known_words
from engine.game.formats import HUMAN, SeatConfig
from engine.game.summary import POSITIONS
from trainer.figures.hands import Summary
from trainer.play.results_model import HUD_COLUMNS, hud_cells, rate_text
from trainer.widgets.tables_model import NO_FIGURE, Cell, Column

_WON = (
    Column("bb/100", "Big blinds won per 100 hands"),
    Column("95%", "Between these limits the true rate lies, as far as so many hands tell"),
)
_RATES = (
    *_WON,
    Column("Value-adj.", "Big blinds per 100 hands without the luck of all boards, that of all-ins included"),
    Column("95%", "The same of the value-adjusted rate"),
)
_ABOVE = (
    Column(
        "Above folding",
        "Big blinds per 100 hands more than if each hand had been folded at once, which costs the blinds and antes "
        "posted; all-ins by their equity",
    ),
    Column("95%", "The same of what is won above folding"),
)
_HANDS = Column("Hands", "Hands dealt in")
_KNOWN = Column(
    f"±{KNOWN_TO:g} after", f"Hands until bb/100 is known to {KNOWN_TO:g} to each side, by how much the hands vary"
)
PLAYER_COLUMNS = (Column("Player", "Name"), Column("Style", "Style"), _HANDS, *_RATES, _KNOWN, *HUD_COLUMNS[2:])
POSITION_COLUMNS = (Column("Position", "Place at the table"), _HANDS, *_RATES, *_ABOVE, *HUD_COLUMNS[2:])
_MISTAKES = (
    Column("Mistakes", "Big blinds lost by mistakes per 100 hands, of those that are reviewed"),
    Column("95%", "The same of what mistakes cost"),
    Column("Reviewed", "Hands that are reviewed"),
)
CLASS_COLUMNS = (Column("Hand", "Hole cards"), _HANDS, *_ABOVE, *_WON, *_MISTAKES, *HUD_COLUMNS[2:])
PERIOD_COLUMNS = (Column("When", "The newest first"), _HANDS, *_RATES, *_MISTAKES, *HUD_COLUMNS[2:])


def player_rows(summary: Summary) -> tuple[tuple[SeatConfig, ...], tuple[tuple[Cell, ...], ...]]:
    """Return every player, and their rows of `PLAYER_COLUMNS`."""
    rows = []
    for player, figures in summary.players.items():
        style = "you" if player.style == HUMAN else style_label(player.style)
        rows.append(
            (
                Cell(player.name, player.name.casefold(), "accent" if player.style == HUMAN else "text"),
                Cell(style, style.casefold(), "text_muted"),
                _hands_cell(figures),
                *_rate_cells(figures, Line.NET, Line.VALUE),
                _known_cell(figures.rates[Line.NET]),
                *hud_cells(figures.counts),
            )
        )
    return tuple(summary.players), tuple(rows)


def position_rows(summary: Summary) -> tuple[tuple[Cell, ...], ...]:
    """Return a row of `POSITION_COLUMNS` for each position of the player shown, in their order."""
    return tuple(
        (
            Cell(name, -POSITIONS.index(name)),
            _hands_cell(figures),
            *_rate_cells(figures, Line.NET, Line.VALUE, Line.ABOVE_FOLDING),
            *hud_cells(figures.counts),
        )
        for name, figures in summary.positions.items()
    )


def class_rows(
    found: Mapping[HandClass, PlayerFigures], mistakes: Mapping[int, Mean]
) -> tuple[tuple[Cell, ...], ...]:
    """Return a row of `CLASS_COLUMNS` for each hand class, in their order."""
    return tuple(
        (
            Cell(class_name(one), -one),
            _hands_cell(figures),
            *_rate_cells(figures, Line.ABOVE_FOLDING, Line.NET),
            *_mistakes_cells(mistakes.get(one)),
            *hud_cells(figures.counts),
        )
        for one, figures in found.items()
    )


def period_rows(
    when: Mapping[int, Cell], found: Mapping[int, PlayerFigures], mistakes: Mapping[int, Mean]
) -> tuple[tuple[Cell, ...], ...]:
    """Return a row of `PERIOD_COLUMNS` for each period, `when` being its first cell."""
    return tuple(
        (
            cell,
            _hands_cell(found[one]),
            *_rate_cells(found[one], Line.NET, Line.VALUE),
            *_mistakes_cells(mistakes.get(one)),
            *hud_cells(found[one].counts),
        )
        for one, cell in when.items()
    )


def session_text(started: datetime, stakes: str) -> str:
    """Name a session."""
    return f"{started:%d %b %Y, %H:%M}  {stakes}"


def _hands_cell(figures: PlayerFigures) -> Cell:
    return Cell(f"{figures.counts.hands:,}", figures.counts.hands)


def _rate_cells(figures: PlayerFigures, *lines: Line) -> tuple[Cell, ...]:
    """Return each rate and its interval."""
    cells: list[Cell] = []
    for line in lines:
        rate = figures.rates.get(line)
        if rate is None:
            cells += [NO_FIGURE] * 2
            continue
        role = "good" if rate.value > 0 else "bad" if rate.value < 0 else "text"
        limits = rate_interval(rate)
        words = f"{rate_text(limits[0])} to {rate_text(limits[1])}" if limits is not None else NO_FIGURE.text
        margin = limits[1] - limits[0] if limits is not None else math.inf
        cells += [Cell(rate_text(rate.value), rate.value, role), Cell(words, margin, "text_muted")]
    return tuple(cells)


def _mistakes_cells(cost: Mean | None) -> tuple[Cell, ...]:
    if cost is None:
        return (NO_FIGURE,) * 3
    limits = rate_interval(cost)
    words = f"{max(limits[0], 0.0):,.1f} to {limits[1]:,.1f}" if limits is not None else NO_FIGURE.text
    return (
        Cell(f"{cost.value:,.1f}", cost.value),
        Cell(words, limits[1] - limits[0] if limits is not None else math.inf, "text_muted"),
        Cell(f"{cost.observations:,}", cost.observations),
    )


def _known_cell(rate: Mean) -> Cell:
    needed = hands_to_know(rate)
    return Cell(known_words(rate), math.inf if needed is None else needed, "text_muted")
