"""What a hint says: what every action is worth from the player's seat, and by which model of play."""

from dataclasses import dataclass

from engine.agents.value_reasons import advice, advised
from trainer.reading.range_model import reader_title
from trainer.reasoning.values_model import ValuesView, values_view
from trainer.session.amounts import Units
from trainer.session.types import HintPoint


@dataclass(frozen=True, slots=True)
class HintView:
    """A sentence, the table it is about, and by which model that was made; without a table why there is no hint."""

    sentence: str
    table: ValuesView | None = None
    model: str = ""
    about_model: str = ""


def hint_view(point: HintPoint, *, in_big_blinds: bool) -> HintView:
    """Return what a hint says as far as it has been worked out."""
    observation, values = point.observation, point.values
    units = Units.of(observation, in_big_blinds)
    if point.kept_lead:
        return HintView(_keep_lead(point, units))
    if values is None:
        return HintView(point.why_not)
    known = "knows them here" if point.is_adapted else "knows strangers"
    shift = ", shifted by what is counted of each here" if point.is_adapted else ""
    reader = reader_title(point.reader)
    return HintView(
        advice(values, observation, units.text),
        values_view(
            values, observation, units, advised(values).action, mark="advised", answers=point.answers, own="you"
        ),
        f"Against players as your reader {reader} {known}: {values.samples:,} deals{'' if point.is_done else '…'}",
        f"Hands are played out against players of recorded hands, as the reader {reader} has learned them{shift}, "
        f"and with you going on later by what wins most here: {values.way or 'sound play'}.",
    )


def _keep_lead(point: HintPoint, units: Units) -> str:
    """Say that nothing can be gained any more, and by which chips."""
    legal = point.observation.legal
    kept, others = (units.text(round(figure.value)) for figure in point.kept_lead)
    return (
        f"{'Check' if legal is not None and legal.can_check else 'Fold'}: your first place is safe. "
        f"Fold all hands to come, and you still have at least {kept}; all others together have at most {others}."
    )
