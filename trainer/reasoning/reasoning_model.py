"""What the reasoning panel shows: one bot decision as the paper's four stages, every number from its trace.

Each row knows the path of its number in the trace, the same that claims name as their evidence.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import astuple, replace

from engine.agents.agent import Answers, Figure, Prediction, RangeUpdate, Thresholds, Trace
from engine.agents.evolved.agent import OPPONENT_FEATURE_NAMES
from engine.agents.explain import Claim, action_text, explain, figure_name, figure_number
from engine.agents.learned.folding import BY_SIZE, FACTOR, POWER
from engine.agents.soulread.later_play import LATER_PLAY
from engine.agents.styles import style_label
from engine.cards import STREET_NAMES, Card, HoleCards, card_symbols, class_of
from engine.game.events import Seat
from trainer.history.log_model import YOU
from trainer.play.meters_model import estimate_text, method_text
from trainer.reading.range_model import OpponentRange, action_words
from trainer.reasoning.policy_model import PolicyView, policy_view
from trainer.reasoning.values_model import ValuesView, values_view
from trainer.session.amounts import Units

STAGES = (
    (
        "1 Actions",
        "Action understanding: what everybody did, from where, and by which size",
        "Every reading begins with what all could see: who bet, how much of the pot, and from which position.",
    ),
    (
        "2 Models",
        "Opponent models: what the bot believes of each player, and from how many observations",
        "Of a stranger it takes what is usual; the more it has seen of somebody, the more it goes by that.",
    ),
    (
        "3 Prediction",
        "Prediction: the range of each opponent in the bot's eyes",
        "Bayes' rule for every combo: how likely it was before, times how likely that hand is to act like this.",
    ),
    (
        "4 Decision",
        "Decision: the win rate among the thresholds",
        "What follows from the ranges: nothing else is weighed, and the same numbers give the same action again.",
    ),
)
"""Of each stage its short and its full title, and what it is for."""
_BY_RULE = "Decision: the rule and its numbers"
_BY_VALUE = "Decision: what every action is worth; the one chosen is marked"

_PLACE = re.compile(r"reading\.predictions\[(\d+)\](?:\.updates\[(\d+)\])?(?:\.posterior\[(\d+)\])?")
_ADJUSTMENTS = {
    "players": "players in the pot",
    "position_preflop": "players behind",
    "in_position": "in position",
    "out_of_position": "out of position",
    "gap_open": "gap: may open",
    "gap_call": "gap: faces a raise",
    "stack_short": "short stack",
    "stack_medium": "medium stack",
    "stack_deep": "deep stack",
    "cash": "cash game",
    "tournament": "tournament",
    "pot_odds": "pot odds",
}


@dataclass(frozen=True, slots=True)
class Rows:
    """A table: its rows, and per row the path of its numbers in the trace."""

    rows: tuple[tuple[str, ...], ...]
    paths: tuple[str, ...]

    def row_of(self, evidence: str) -> int | None:
        """Return the row whose path leads furthest towards a piece of evidence."""
        return row_of(self.paths, evidence)


@dataclass(frozen=True, slots=True)
class ThresholdStep:
    """The thresholds before any adjustment, or after a named one; `is_moved` says whether it changed any."""

    label: str
    thresholds: Thresholds
    is_moved: bool
    path: str
    numbers: str


@dataclass(frozen=True, slots=True)
class ThresholdView:
    """The bars of algorithm 2: thresholds step by step, and the win rate with its error among them."""

    steps: tuple[ThresholdStep, ...]
    win: float
    stderr: float


def row_of(paths: Sequence[str], evidence: str) -> int | None:
    """Return the index of the longest path that evidence begins with, or None."""
    fitting = [index for index, path in enumerate(paths) if _leads_to(path, evidence)]
    return max(fitting, key=lambda index: len(paths[index]), default=None)


def _leads_to(path: str, evidence: str) -> bool:
    return evidence == path or evidence.startswith((f"{path}.", f"{path}["))


def decision_label(trace: Trace, names: Mapping[Seat, str], in_big_blinds: bool = False) -> str:
    """Name a decision in a list, such as `Flop: Boris, call 120`."""
    observation = trace.observation
    name = names.get(observation.seat) or observation.me.name
    return f"{STREET_NAMES[observation.street]}: {name}, {_action(trace, _units(trace, in_big_blinds))}"


def _units(trace: Trace, in_big_blinds: bool) -> Units:
    return Units.of(trace.observation, in_big_blinds)


def _action(trace: Trace, units: Units) -> str:
    legal = trace.observation.legal
    return action_text(trace.action, legal.call_amount if legal else 0, trace.observation.street, units.text)


class DecisionView:
    """One decision, stage by stage; `names` by seat replace those of the observation."""

    def __init__(self, trace: Trace, names: Mapping[Seat, str], in_big_blinds: bool = False) -> None:
        self._trace = trace
        observation, self._units = trace.observation, _units(trace, in_big_blinds)
        units = self._units
        self.name = names.get(observation.seat) or observation.me.name
        self.style = style_label(trace.style)
        self.hole_cards: HoleCards = observation.hole_cards
        self.board: tuple[Card, ...] = observation.board
        self.claims: tuple[Claim, ...] = explain(trace, units.text)
        self.title = (
            f"{self.name} ({self.style}), {STREET_NAMES[observation.street].lower()}: {_action(trace, units)}"
        )
        board = f" on {card_symbols(observation.board, ' ')}" if observation.board else ""
        self.spoken = f"{self.title}, holding {card_symbols(observation.hole_cards, ' ')}{board}"

    @property
    def conclusion(self) -> str:
        """The sentence of the rule that chose."""
        return self.claims[-1].text

    @property
    def has_reading(self) -> bool:
        """Whether the style reads hands, so that stages 1-3 have something to show."""
        return self._trace.reading is not None

    def claims_of(self, stage: int) -> tuple[Claim, ...]:
        """Return the sentences of a stage, 1-4."""
        return tuple(claim for claim in self.claims if claim.stage == stage)

    def _updates(self) -> list[tuple[Prediction, RangeUpdate, str]]:
        """Return every update with its opponent and path, in the order of the actions."""
        reading = self._trace.reading
        found = [
            (prediction, update, f"reading.predictions[{at}].updates[{index}]")
            for at, prediction in enumerate(reading.predictions if reading else ())
            for index, update in enumerate(prediction.updates)
        ]
        return sorted(found, key=lambda item: item[1].action.event_index)

    def _name_of(self, seat: Seat) -> str:
        return self._trace.observation.view(seat).name

    def actions(self) -> Rows:
        """Stage 1: street, who, class, size over the pot, position group, players in."""
        rows = []
        for prediction, update, _ in self._updates():
            action = update.action
            size = f"{action.size_over_pot:.2f}" if action.size_over_pot else ""
            rows.append(
                (
                    STREET_NAMES[action.street],
                    self._name_of(prediction.seat),
                    action_words(action),
                    size,
                    action.position.value,
                    str(action.players),
                )
            )
        return Rows(tuple(rows), tuple(path for _, _, path in self._updates()))

    def figures(self) -> Rows:
        """Stage 2: whom and which action a model number is of, its name, value, default and count."""
        rows, paths = [], []
        for prediction, update, path in self._updates():
            who = f"{self._name_of(prediction.seat)}, {STREET_NAMES[update.action.street].lower()}"
            for index, figure in enumerate(update.figures):
                default = replace(figure, value=figure.default)
                numbers = (figure_number(figure), figure_number(default), f"{figure.count:,.0f}")
                rows.append((who, figure_name(figure), *numbers))
                paths.append(f"{path}.figures[{index}]")
        return Rows(tuple(rows), tuple(paths))

    def opponents(self) -> tuple[OpponentRange, ...]:
        """Stage 3: the range of each opponent as the bot saw it."""
        reading = self._trace.reading
        return tuple(
            OpponentRange(
                prediction, self._trace.observation, owner="your" if self.name == YOU else f"{self.name}'s"
            )
            for prediction in (reading.predictions if reading else ())
        )

    def place_of(self, evidence: str) -> tuple[int, int | None, int | None]:
        """Return the opponent, their update and the hand class that a piece of stage 3's evidence is of."""
        found = _PLACE.match(evidence)
        if found is None:
            raise ValueError(f"'{evidence}' is no evidence of stage 3: it names no prediction.")
        opponent, update, combo = (int(part) if part else None for part in found.groups())
        assert opponent is not None
        return opponent, update, None if combo is None else int(class_of(combo))

    def numbers(self) -> Rows:
        """Stage 4: win rates, pot odds, stack and outs, then the further numbers that the rule used."""
        rows: list[tuple[str, str, str]] = []
        paths: list[str] = []
        reading = self._trace.reading
        if reading is not None:
            for name, estimate, path in (
                ("Win rate, predicted ranges", reading.win_rate, "reading.win_rate"),
                ("Win rate, random hands", reading.win_rate_random, "reading.win_rate_random"),
            ):
                rows.append((name, estimate_text(estimate), method_text(estimate)))
                paths.append(path)
            if reading.pot_odds > 0:
                rows.append(("Pot odds of a call", f"{reading.pot_odds:.1%}", "to break even"))
                paths.append("reading.pot_odds")
            rows.append(("Stack behind over the pot", f"{reading.spr:.2f}", ""))
            paths.append("reading.spr")
            if reading.outs is not None:
                cards = card_symbols(reading.outs.cards, " ")
                rows.append(("Outs", str(len(reading.outs.cards)), cards))
                paths.append("reading.outs.cards")
                rows.append(("One of them by the river", f"{reading.outs.hit_probability:.1%}", ""))
                paths.append("reading.outs.hit_probability")
        for index, figure in enumerate(self._trace.figures):
            rows.append((figure_name(figure), figure_number(figure), _how(figure)))
            paths.append(f"figures[{index}]")
        return Rows(tuple(rows), tuple(paths))

    @property
    def decision_title(self) -> str:
        """What stage 4 shows."""
        if self._trace.values is not None:
            return _BY_VALUE
        return STAGES[3][1] if self.has_reading else _BY_RULE

    def values(self, answers: Sequence[Answers] = ()) -> ValuesView | None:
        """Stage 4: what every action is worth, or None for a style that does not compare them.

        `answers` are those of the opponents to each action, if they are known.
        """
        trace = self._trace
        if trace.values is None:
            return None
        return values_view(trace.values, trace.observation, self._units, trace.action, answers=answers)

    def policy(self) -> PolicyView | None:
        """Stage 4: what the networks do, or None for a style that has none."""
        return policy_view(self._trace)

    def thresholds(self) -> ThresholdView | None:
        """Stage 4: the thresholds step by step, or None for a style that has none."""
        trace = self._trace
        if trace.base is None or trace.reading is None:
            return None
        steps = [ThresholdStep("heads-up", trace.base, True, "base", "")]
        for index, adjustment in enumerate(trace.adjustments):
            label = _ADJUSTMENTS.get(adjustment.code, adjustment.code.replace("_", " "))
            numbers = ", ".join(f"{figure.name} {figure_number(figure)}" for figure in adjustment.figures)
            is_moved = _differ(adjustment.after, steps[-1].thresholds)
            steps.append(ThresholdStep(label, adjustment.after, is_moved, f"adjustments[{index}]", numbers))
        return ThresholdView(tuple(steps), trace.reading.win_rate.value, trace.reading.win_rate.stderr)


def _how(figure: Figure) -> str:
    """Say what a number that the rule used rests on."""
    if figure.count:
        return f"{figure.count:,.0f} seen"
    learned = *OPPONENT_FEATURE_NAMES, LATER_PLAY, FACTOR, POWER, BY_SIZE
    return "usual, none seen" if figure.name in learned else "of the rule that chose"


def _differ(first: Thresholds, second: Thresholds) -> bool:
    """Return whether two sets of thresholds differ by more than rounding."""
    pairs = zip(astuple(first), astuple(second), strict=True)
    return any(abs(one - other) > 1e-6 for one, other in pairs)
