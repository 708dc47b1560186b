"""Everything of Soulread that works without a window: cards, rules, equity, agents.

What a script uses can be imported from here, as in `from engine import Range, solve, match, read_hands`;
docs/scripting.md has examples. Each name is loaded when it is first asked for: a server at which an agent plays is
answered before numpy is loaded.
"""

from importlib import import_module
from logging import NullHandler, getLogger
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.agents.readers import make_reader as make_reader
    from engine.agents.styles import make_agent as make_agent
    from engine.cards import format_cards as format_cards
    from engine.cards import parse_cards as parse_cards
    from engine.equity.board_hits import board_hits as board_hits
    from engine.equity.category_odds import category_odds as category_odds
    from engine.equity.decisions import figures_of_bet as figures_of_bet
    from engine.equity.decisions import figures_of_call as figures_of_call
    from engine.equity.next_cards import next_cards as next_cards
    from engine.equity.outs import figures_of_outs as figures_of_outs
    from engine.equity.question import EquityQuestion as EquityQuestion
    from engine.equity.range_equities import class_equities as class_equities
    from engine.equity.range_equities import range_equities as range_equities
    from engine.equity.solve import equity_by_street as equity_by_street
    from engine.equity.solve import solve as solve
    from engine.equity.win_rate import win_rate as win_rate
    from engine.game.format_file import cash_game as cash_game
    from engine.game.formats import SeatConfig as SeatConfig
    from engine.game.phh import RecordedHand as RecordedHand
    from engine.game.phh import read_hands as read_hands
    from engine.game.table import Table as Table
    from engine.lab.matches.plan import MatchPlan as MatchPlan
    from engine.lab.matches.playing import match as match
    from engine.play import Dealer as Dealer
    from engine.ranges import Range as Range
    from engine.ranges import format_range as format_range
    from engine.ranges import parse_range as parse_range
    from engine.ranges import top_range as top_range
    from engine.strength import describe as describe
    from engine.tournaments.icm import prize_table as prize_table

# That a damaged file of compiled code was made again is for a log and not for stderr, where what `join` logs goes.
getLogger(f"{__name__}.kernels").addHandler(NullHandler())

_MODULES = {
    "agents.readers": ("make_reader",),
    "agents.styles": ("make_agent",),
    "cards": ("format_cards", "parse_cards"),
    "equity.board_hits": ("board_hits",),
    "equity.category_odds": ("category_odds",),
    "equity.decisions": ("figures_of_bet", "figures_of_call"),
    "equity.next_cards": ("next_cards",),
    "equity.outs": ("figures_of_outs",),
    "equity.question": ("EquityQuestion",),
    "equity.range_equities": ("class_equities", "range_equities"),
    "equity.solve": ("equity_by_street", "solve"),
    "equity.win_rate": ("win_rate",),
    "game.format_file": ("cash_game",),
    "game.formats": ("SeatConfig",),
    "game.phh": ("RecordedHand", "read_hands"),
    "game.table": ("Table",),
    "lab.matches.plan": ("MatchPlan",),
    "lab.matches.playing": ("match",),
    "play": ("Dealer",),
    "ranges": ("Range", "format_range", "parse_range", "top_range"),
    "strength": ("describe",),
    "tournaments.icm": ("prize_table",),
}
_MODULE_OF = {name: f"{__name__}.{module}" for module, names in _MODULES.items() for name in names}

if not TYPE_CHECKING:  # of any other name mypy would believe that it is there

    def __getattr__(name: str) -> object:
        if name not in _MODULE_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_MODULE_OF[name]), name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *_MODULE_OF})
