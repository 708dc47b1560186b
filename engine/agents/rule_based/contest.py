"""Who stands for the programs that the FOLD paper met: seven styles of clearly different kinds.

The paper (Li et al. 2017, table 3) names seven programs of a student contest and says little of how they play.
Which style stands for which goes by strength: in the order of the paper's totals, by what the styles won from each
other in 4,000 hands of each pair, heads-up at 50 big blinds, in the mean over six opponents.
"""

from msgspec import Struct


class Program(Struct, frozen=True):
    """A program of the paper: the style that stands for it, what kind that is, and its big blinds per 100 hands."""

    style: str
    kind: str
    bb_per_100: float


CONTEST: dict[str, Program] = {
    "FANDY": Program("nit", "plays few hands and gives up to pressure", -6.6),
    "HC": Program("lead keeper", "sound, and folds nearly everything after winning enough", 40.6),
    "XJX": Program("maniac", "raises 70-90% of its hands, and goes on betting", -33.7),
    "HARRY1": Program("min-raiser", "bets and raises often, always the least there is", -3.2),
    "HARRY2": Program("sticky", "sees nearly every flop and calls down with any pair, ace or draw", -32.6),
    "LUO": Program("fit-or-fold", "calls to see flops, and folds there without a strong hand", -3.2),
    "XDDS": Program("loose-aggressive", "plays many hands, raises most of them and keeps betting", 38.8),
}
"""The seven by the paper's names."""
