"""What matches came to so far: complete answers, each about all that was played until then."""

from msgspec import Struct

from engine.lab.matches.counted.curves import Curve, CurvePoint, point_of
from engine.lab.matches.counted.realised_values import RealisedValue
from engine.lab.matches.counted.tally import (
    Difference,
    MatchTally,
    StoredTally,
    StyleResult,
)
from engine.lab.matches.counted.tournament_tally import (
    RankDifference,
    StoredTournaments,
    TournamentStyle,
    TournamentTally,
)
from engine.lab.matches.plan import MatchPlan
from engine.lab.reading import ScoredPoint

LEAST_MATCHES = 10
"""With fewer, what they differ by is not known well enough for a standard error."""


class FinishedMatch(Struct, frozen=True):
    """One of several matches as it is handed over and kept: which, from 0, and what was counted of it.

    Of a cash game `tally` and the points of readers that were scored, of tournaments `tournaments`. The `curve` is
    that of a match of a cash game that is played alone; several have theirs of whole matches.
    """

    number: int
    tally: StoredTally | None = None
    points: tuple[tuple[ScoredPoint, ...], ...] = ()
    tournaments: StoredTournaments | None = None
    curve: tuple[CurvePoint, ...] = ()


class MatchResult(Struct, frozen=True):
    """A match so far, or several: a complete answer about the decks played, with the difference of each two styles.

    `values` are those of the styles that say what their actions are worth. Standard errors are over decks, those
    of `LEAST_MATCHES` or more over matches. `curve` has what each style had won, all its players together, after
    each deck or match, of many a part; its last point is the present one.
    """

    plan: MatchPlan
    decks: int
    hands: int
    styles: tuple[StyleResult, ...]
    differences: tuple[Difference, ...]
    values: tuple[RealisedValue, ...] = ()
    matches: int = 1
    curve: tuple[CurvePoint, ...] = ()

    @classmethod
    def of(cls, plan: MatchPlan, tally: MatchTally, curve: Curve, matches: int = 1) -> "MatchResult":
        """Sum up what was counted, and add it to the curve."""
        hands = tally.decks * plan.rotations
        styles = tally.style_results(plan.styles)
        return cls(
            plan=plan,
            decks=tally.decks,
            hands=hands,
            styles=styles,
            differences=tally.differences(plan.styles),
            values=tally.values.result(plan.styles, plan.game.big_blind),
            matches=matches,
            curve=curve.add(point_of(hands, styles, plan.game.big_blind)),
        )


class TournamentResult(Struct, frozen=True):
    """Tournaments so far: a complete answer about the matches played, with the difference of each two styles.

    Standard errors are over matches. `cut` of the tournaments had no end after `MOST_TOURNAMENT_HANDS` hands and
    are ranked as they stood then. `curve` has what a player of each style had won after so many hands of a
    tournament, in the mean; who is out stays where they ended.
    """

    plan: MatchPlan
    matches: int
    tournaments: int
    cut: int
    hands: int
    styles: tuple[TournamentStyle, ...]
    differences: tuple[RankDifference, ...]
    curve: tuple[CurvePoint, ...] = ()

    @classmethod
    def of(cls, plan: MatchPlan, tally: TournamentTally) -> "TournamentResult":
        """Sum up what was counted."""
        return cls(
            plan=plan,
            matches=tally.observations.count,
            tournaments=tally.tournaments,
            cut=tally.cut,
            hands=tally.hands,
            styles=tally.style_results(plan.styles, has_prizes=bool(plan.game.payouts)),
            differences=tally.differences(plan.styles),
            curve=tally.marks.curve(),
        )
