"""The tempers of the rule-based styles."""

from engine.agents.rule_based.holdings import Holding
from engine.agents.rule_based.temper import Sizing, Temper

_CALLING_STATION = Temper(
    early=0.45, middle=0.5, late=0.6, blinds=0.6, raised=0.06, call_raise=0.42, three_bet=0.012,
    call_three_bet=0.12, four_bet=0.009, stack_off=0.05, open_bb=2.5, bet=0.80, raise_=0.95,
    call_floor=0.22, call_slope=0.55, bluff=0.0, semi_bluff=0.0, bet_size=0.5,
)  # fmt: skip
_TIGHT_PASSIVE = Temper(
    early=0.12, middle=0.15, late=0.22, blinds=0.25, raised=0.35, call_raise=0.12, three_bet=0.015,
    call_three_bet=0.035, four_bet=0.009, stack_off=0.025, open_bb=2.5, bet=0.72, raise_=0.93,
    call_floor=0.38, call_slope=0.75, bluff=0.0, semi_bluff=0.05, bet_size=0.5,
)  # fmt: skip
_LOOSE_AGGRESSIVE = Temper(
    early=0.26, middle=0.32, late=0.48, blinds=0.4, raised=0.85, call_raise=0.2, three_bet=0.085,
    call_three_bet=0.08, four_bet=0.025, stack_off=0.035, open_bb=3.0, bet=0.56, raise_=0.80,
    call_floor=0.33, call_slope=0.6, bluff=0.22, semi_bluff=0.6, bet_size=0.75,
)  # fmt: skip
TIGHT_AGGRESSIVE = Temper(
    early=0.14, middle=0.18, late=0.3, blinds=0.26, raised=0.95, call_raise=0.11, three_bet=0.045,
    call_three_bet=0.045, four_bet=0.018, stack_off=0.03, open_bb=2.5, bet=0.62, raise_=0.86,
    call_floor=0.36, call_slope=0.7, bluff=0.15, semi_bluff=0.5, bet_size=0.66,
)  # fmt: skip
_BEST_HANDS_ONLY = Temper(
    early=0.02, middle=0.02, late=0.02, blinds=0.02, raised=1.0, call_raise=0.015, three_bet=0.015,
    call_three_bet=0.009, four_bet=0.009, stack_off=0.009, open_bb=2.5, bet=0.85, raise_=0.97,
    call_floor=0.8, call_slope=0.2, bluff=0.0, semi_bluff=0.0, bet_size=0.5,
)  # fmt: skip
_NIT = Temper(
    early=0.08, middle=0.09, late=0.13, blinds=0.11, raised=0.8, call_raise=0.055, three_bet=0.018,
    call_three_bet=0.012, four_bet=0.009, stack_off=0.012, open_bb=3.0, bet=0.75, raise_=0.96,
    call_floor=0.62, call_slope=0.5, bluff=0.0, semi_bluff=0.0, bet_size=0.6,
)  # fmt: skip
_FIT_OR_FOLD = Temper(
    early=0.3, middle=0.35, late=0.45, blinds=0.45, raised=0.08, call_raise=0.28, three_bet=0.01,
    call_three_bet=0.06, four_bet=0.009, stack_off=0.03, open_bb=2.5, bet=0.78, raise_=0.95,
    call_floor=0.0, call_slope=0.0, bluff=0.0, semi_bluff=0.0, bet_size=0.5, goes_on_with=Holding.STRONG,
)  # fmt: skip
_STICKY = Temper(
    early=0.85, middle=0.88, late=0.9, blinds=0.9, raised=0.08, call_raise=0.85, three_bet=0.02,
    call_three_bet=0.75, four_bet=0.01, stack_off=0.35, open_bb=2.5, bet=0.75, raise_=0.95,
    call_floor=0.0, call_slope=0.0, bluff=0.02, semi_bluff=0.1, bet_size=0.5, goes_on_with=Holding.SOMETHING,
)  # fmt: skip
_MIN_RAISER = Temper(
    early=0.4, middle=0.45, late=0.6, blinds=0.55, raised=0.85, call_raise=0.3, three_bet=0.15,
    call_three_bet=0.15, four_bet=0.05, stack_off=0.04, open_bb=2.0, bet=0.5, raise_=0.72,
    call_floor=0.3, call_slope=0.6, bluff=0.3, semi_bluff=0.6, bet_size=0.0, sizing=Sizing.LEAST,
)  # fmt: skip
_MANIAC = Temper(
    early=0.85, middle=0.87, late=0.9, blinds=0.9, raised=0.97, call_raise=0.7, three_bet=0.6,
    call_three_bet=0.35, four_bet=0.2, stack_off=0.1, open_bb=3.5, bet=0.35, raise_=0.62,
    call_floor=0.25, call_slope=0.6, bluff=1.5, semi_bluff=2.0, bet_size=0.9,
)  # fmt: skip
_SHOVER = Temper(
    early=0.2, middle=0.2, late=0.2, blinds=0.2, raised=1.0, call_raise=0.2, three_bet=0.2,
    call_three_bet=0.2, four_bet=0.2, stack_off=1.0, open_bb=0.0, bet=0.75, raise_=0.8,
    call_floor=0.4, call_slope=0.7, bluff=0.0, semi_bluff=0.0, bet_size=0.0, sizing=Sizing.ALL_IN,
)  # fmt: skip

TEMPERS: dict[str, tuple[Temper, Temper | None]] = {
    "tight-passive": (_TIGHT_PASSIVE, None),
    "nit": (_NIT, None),
    "fit-or-fold": (_FIT_OR_FOLD, None),
    "calling station": (_CALLING_STATION, None),
    "sticky": (_STICKY, None),
    "lead keeper": (TIGHT_AGGRESSIVE, _BEST_HANDS_ONLY),
    "loose-aggressive": (_LOOSE_AGGRESSIVE, None),
    "min-raiser": (_MIN_RAISER, None),
    "maniac": (_MANIAC, None),
    "shover": (_SHOVER, None),
}
"""The temper of each rule-based style, and that with a lead."""
