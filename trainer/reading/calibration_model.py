"""What "How sure is this?" shows: how often a reader was right, on recorded hands and in this session."""

from dataclasses import dataclass
from math import comb, exp, log, sqrt

from engine.agents.calibration import (
    DECILES,
    FIRST_HANDS,
    Calibration,
    CalibrationTable,
    CalibrationTally,
    TableTally,
    shipped_calibrations,
)
from engine.cards import BOARD_SIZE, CARD_COUNT, STREET_NAMES, Street
from engine.resources import ResourceError
from engine.words import counted
from trainer.reading.range_model import reader_title

BAND = (0.08, 0.12)
"""Between these shares of points a tenth of the mass is as true as it says, for a player's purposes."""

LEAST_HANDS = 10
"""Of fewer hands of a session chance alone decides what its bars look like."""

EXPLANATION = (
    "What the reader believed was cut into tenths, from its likeliest hands on the left to its least likely on the "
    "right. Where its probabilities are true, the hand really held lies in each tenth 10% of the time, within the "
    "band. Bars that are low on the left and high on the right mean that it is too sure of itself. The log-loss is "
    "how much the truth surprised it: less is better."
)

_SESSION = "This session"
_SOURCES = {
    "pluribus": ("Pluribus", "professionals and Pluribus, six-handed no-limit"),
    "bovada_6max": ("Bovada", "real-money players on Bovada, six-handed no-limit"),
    "thebiggame_6max": ("The Big Game", "televised six-handed no-limit"),
    "deepstack_hunl": ("DeepStack", "professionals and DeepStack, heads-up no-limit"),
    "acpc2016_hunl": ("ACPC 2016", "programs, heads-up no-limit"),
    "acpc2014_3p_limit": ("ACPC 2014", "programs, three-handed limit"),
}
_HEADS_UP = ("deepstack_hunl", "acpc2016_hunl")


@dataclass(frozen=True, slots=True)
class DiagramView:
    """A street or another part of a set of hands: how often 0-1 the truth fell into each tenth, if any are known.

    `stderr` is that of a tenth whose true share is 10%; `inside` counts the tenths in the band.
    """

    title: str
    deciles: tuple[float, ...]
    stderr: float
    band: tuple[float, float]
    inside: int
    text: str
    spoken: str


@dataclass(frozen=True, slots=True)
class SourceView:
    """One set of hands: a short title, what it is and how it went in sentences, and the diagrams, streets first.

    Without `is_enough` there are too few hands for the diagrams to be seen.
    """

    title: str
    text: str
    diagrams: tuple[DiagramView, ...]
    is_enough: bool = True


@dataclass(frozen=True, slots=True)
class CalibrationView:
    """What was measured of a reader; without any set of hands `problem` says why."""

    reader: str
    sources: tuple[SourceView, ...]
    problem: str


def calibration_view(reader: str, *, is_heads_up: bool = False) -> CalibrationView:
    """Return what was measured of a reader, by its registered name; first at tables of as many as this one."""
    title = reader_title(reader)
    try:
        tables = shipped_calibrations()
    except ResourceError as error:
        return CalibrationView(title, (), str(error))
    order = list(_SOURCES)
    mine = sorted(
        (table for table in tables if table.reader == reader),
        key=lambda table: (
            (table.source in _HEADS_UP) is not is_heads_up,
            order.index(table.source) if table.source in order else len(order),
            table.source,
        ),
    )
    problem = "" if mine else f"How often the reader '{title}' is right has not been measured."
    return CalibrationView(title, tuple(source_view(table) for table in mine), problem)


def source_view(table: CalibrationTable) -> SourceView:
    """Return what was measured of a reader on one set of hands."""
    title, what = _SOURCES.get(table.source, (table.source, table.source))
    diagrams = tuple(
        _diagram(STREET_NAMES[street], table.streets.get(street.name.lower(), Calibration(0)), street)
        for street in Street
    )
    about = f"Measured on {table.hands:,} recorded hands of {what}, all cards known; none of them is at this table."
    measured = [diagram for diagram in diagrams if diagram.deciles]
    if not measured:
        return SourceView(title, f"{about} No prediction was measured here.", diagrams)
    low, high = BAND
    return SourceView(
        title, f"{about} {_count_text(measured)} lie in the band from {low:.0%} to {high:.0%}.", diagrams
    )


def session_view(tally: TableTally | None) -> SourceView:
    """Return what a reader made of the table of the session, None before its first hand has ended."""
    tally = tally or TableTally("")
    diagrams = (
        *(
            _diagram(STREET_NAMES[street], _found(tally.streets.get(street.name.lower())), street, by_chance=True)
            for street in Street
        ),
        _diagram(f"Hands 1 to {FIRST_HANDS}", _found(tally.at_first), by_chance=True),
        _diagram(f"Hands from {FIRST_HANDS + 1} on", _found(tally.later), by_chance=True),
    )
    hands = counted(tally.hands, "hand")
    points = counted(tally.points, "prediction")
    about = (
        f"Measured at this table: {hands} of this session, {points}. Each is what this panel read of a bot after "
        "one of its actions, folds apart, against the cards it held, shown or not."
    )
    missing = LEAST_HANDS - tally.hands
    if missing > 0:
        more = "1 more hand is" if missing == 1 else f"{missing} more hands are"
        return SourceView(_SESSION, f"{about} {more} needed before there is anything to see.", diagrams, False)
    measured = [diagram for diagram in diagrams if diagram.deciles]
    low, high = BAND
    verdict = (
        f"{_count_text(measured)} lie in their bands, from {low:.0%} to {high:.0%} or as far as chance alone moves "
        "19 bars in 20."
    )
    return SourceView(_SESSION, f"{about} {verdict}", diagrams)


def _found(tally: CalibrationTally | None) -> Calibration:
    return tally.calibration if tally is not None else Calibration(0)


def _count_text(measured: list[DiagramView]) -> str:
    inside = sum(diagram.inside for diagram in measured)
    return f"{inside} of {DECILES * len(measured)} bars"


def _diagram(
    title: str, found: Calibration, street: Street | None = None, *, by_chance: bool = False
) -> DiagramView:
    """Show a part, whose band is as wide `by_chance` as two standard errors where that is more."""
    deciles = found.deciles or ()
    if not deciles:
        return DiagramView(title, (), 0.0, BAND, 0, "No predictions yet.", f"{title}: no predictions yet.")
    stderr = found.tenth_stderr or sqrt(0.09 / found.points)
    low, high = BAND
    if by_chance:
        low, high = min(low, max(0.1 - 2 * stderr, 0.0)), max(high, 0.1 + 2 * stderr)
    inside = sum(low <= share <= high for share in deciles)
    text = f"{counted(found.points, 'prediction')}{_loss_text(found)}."
    if street is not None:
        text = f"{text} {_narrowing_text(street, found)}".strip()
    shares = ", ".join(f"{100 * share:.0f}" for share in deciles)
    spoken = f"{title}: {text} Percent of the truth in each tenth, the likeliest first: {shares}."
    return DiagramView(title, deciles, stderr, (low, high), inside, text, spoken)


def _loss_text(found: Calibration) -> str:
    if found.log_loss is None:
        return ""
    error = f" ± {found.stderr:.2f}" if found.stderr else ""
    return f", log-loss {found.log_loss:.2f}{error} nats"


def _narrowing_text(street: Street, found: Calibration) -> str:
    """Return among how many equally likely combos, of C(50 - board, 2), one is as lost as by the log-loss."""
    if found.log_loss is None:
        return ""
    combos = comb(CARD_COUNT - 2 - BOARD_SIZE[street], 2)
    equivalent = exp(found.log_loss)
    error = f" ± {equivalent * found.stderr:,.0f}" if found.stderr else ""
    if found.log_loss > log(combos) + 1e-6:
        return f"Worse than knowing nothing: {combos:,} hands become the worth of {equivalent:,.0f}{error}."
    if found.log_loss > log(combos) - 1e-6:
        return f"Knows nothing: {combos:,} hands stay the worth of {combos:,}."
    return f"Narrows {combos:,} hands to the worth of {equivalent:,.0f}{error}."
