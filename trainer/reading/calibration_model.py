"""What "How sure is this?" shows: how often a reader was right on hands with all cards known, street by street."""

from dataclasses import dataclass
from math import comb, exp, log, sqrt

from engine.agents.calibration import Calibration, CalibrationTable, shipped_calibrations
from engine.cards import BOARD_SIZE, CARD_COUNT, STREET_NAMES, Street
from engine.resources import ResourceError
from trainer.reading.range_model import reader_title

BAND = (0.08, 0.12)
"""Between these shares of points a tenth of the mass is as true as it says, for a player's purposes."""

EXPLANATION = (
    "What the reader believed was cut into tenths, from its likeliest hands on the left to its least likely on the "
    "right. Where its probabilities are true, the hand really held lies in each tenth 10% of the time, within the "
    "band. Bars that are low on the left and high on the right mean that it is too sure of itself."
)

_SOURCES = {
    "pluribus": ("Pluribus", "professionals and Pluribus, six-handed no-limit"),
    "bovada_6max": ("Bovada", "real-money players on Bovada, six-handed no-limit"),
    "thebiggame_6max": ("The Big Game", "televised six-handed no-limit"),
    "deepstack_hunl": ("DeepStack", "professionals and DeepStack, heads-up no-limit"),
    "acpc2016_hunl": ("ACPC 2016", "programs, heads-up no-limit"),
    "acpc2014_3p_limit": ("ACPC 2014", "programs, three-handed limit"),
}


@dataclass(frozen=True, slots=True)
class StreetView:
    """One street of one set of hands: how often 0-1 the truth fell into each tenth, none without points.

    `stderr` is that of a tenth whose true share is 10%; `inside` counts the tenths in `BAND`.
    """

    title: str
    deciles: tuple[float, ...]
    stderr: float
    inside: int
    text: str
    spoken: str


@dataclass(frozen=True, slots=True)
class SourceView:
    """One set of hands: a short title, what it is, how it went in one sentence, and the four streets."""

    title: str
    description: str
    verdict: str
    streets: tuple[StreetView, ...]


@dataclass(frozen=True, slots=True)
class CalibrationView:
    """What was measured of a reader; without any set of hands `problem` says why."""

    reader: str
    sources: tuple[SourceView, ...]
    problem: str


def calibration_view(reader: str) -> CalibrationView:
    """Return what was measured of a reader, by its registered name."""
    title = reader_title(reader)
    try:
        tables = shipped_calibrations()
    except ResourceError as error:
        return CalibrationView(title, (), str(error))
    order = list(_SOURCES)
    mine = sorted(
        (table for table in tables if table.reader == reader),
        key=lambda table: (order.index(table.source) if table.source in order else len(order), table.source),
    )
    problem = "" if mine else f"How often the reader '{title}' is right has not been measured."
    return CalibrationView(title, tuple(source_view(table) for table in mine), problem)


def source_view(table: CalibrationTable) -> SourceView:
    """Return what was measured of a reader on one set of hands."""
    title, what = _SOURCES.get(table.source, (table.source, table.source))
    streets = tuple(
        _street_view(street, table.streets.get(street.name.lower(), Calibration(0))) for street in Street
    )
    measured = [street for street in streets if street.deciles]
    inside = sum(street.inside for street in measured)
    low, high = BAND
    verdict = f"{inside} of {10 * len(measured)} bars lie in the band from {low:.0%} to {high:.0%}."
    if not measured:
        verdict = "No decision was measured here."
    return SourceView(title, f"{table.hands:,} hands of {what}, all cards known", verdict, streets)


def _street_view(street: Street, found: Calibration) -> StreetView:
    title, deciles = STREET_NAMES[street], found.deciles or ()
    if not deciles:
        return StreetView(title, (), 0.0, 0, "No decisions measured.", f"{title}: no decisions measured.")
    low, high = BAND
    inside = sum(low <= share <= high for share in deciles)
    text = f"{found.points:,} decisions. {_narrowing_text(street, found)}".strip()
    shares = ", ".join(f"{100 * share:.0f}" for share in deciles)
    spoken = f"{title}: {text} Percent of the truth in each tenth, the likeliest first: {shares}."
    return StreetView(title, deciles, sqrt(0.09 / found.points), inside, text, spoken)


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
