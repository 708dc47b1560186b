"""Tuning the paper's reader on hands whose hole cards are all known.

What is tuned is what Li et al. 2017 leave open of DFModel (fig. 2 and eq. 6): theta, the cut points and baselines
of the six domains, how far they move with more players, and before the flop the ranking of hands and whether a
caller's range reaches to the best of them. One number per street is added, the temper: the power its likelihood is
raised to. Everything else of the model stays: classes, one factor per street, entry rates, domains.

Every fifth hand of a file is kept apart to test on, as for the other readers. The loss is the mean of the files'
mean log-losses over live points, so that a large file does not drown a small one; the actors are strangers to the
model. First the preflop numbers are searched for, on preflop points, then with these the numbers after the flop.
The search goes by one coordinate at a time in random order and keeps what lowers the loss; the step of a coordinate
halves when neither side is better. Last, the weight of what is counted of a player is chosen by reading hands in
their order, with the reader itself.

Run as::

    python -m engine.lab.paper_tuning FILE.phhs ... [--hands N] [--seed S] [--to resources/paper_tuned.toml]
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from itertools import product
from math import exp, log
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec import Struct

from engine.agents.fold.opponent_model import RANKING_OPPONENTS, preflop_strengths
from engine.agents.fold.parameters import (
    Baselines,
    Behaviour,
    CutPoints,
    Memory,
    Parameters,
    Temper,
    TunedNumbers,
    default_parameters,
)
from engine.agents.fold.predict import PaperReader
from engine.cards import CLASS_COUNT, Street, class_name, class_of, combo_of, combos_of_class
from engine.equity.checks import check_seed
from engine.game.events import ActionKind, ActionTaken
from engine.game.phh import RecordedHand, read_hands
from engine.lab.held_out import KEPT_APART, is_kept_apart
from engine.lab.paper_points import TuningPoints, collect, losses, part_of
from engine.lab.reading import Scorer, clustered_stderr

_MEMORY_WEIGHTS = (10.0, 40.0, 160.0, 1_000_000.0)
"""Observations that the default model may count as; by the last it never moves."""

_MEMORY_HANDS = 500

_RANKING_WEIGHT = 20.0
"""Deals that a class's place by equity counts as in the counted ranking."""


_SWEEPS = 30
_SMALLEST = 0.04


class Coordinate(Struct, frozen=True):
    """One number of the search: where it begins, its first step and its bounds."""

    name: str
    start: float
    step: float
    low: float
    high: float


def descend(
    loss: Callable[[dict[str, float]], float],
    coordinates: Sequence[Coordinate],
    random: np.random.Generator,
) -> tuple[dict[str, float], float]:
    """Search for the least loss, one coordinate at a time, and return the numbers by name and their loss.

    The loss is infinite where numbers do not go together. The search goes through all coordinates at most
    `_SWEEPS` times, and ends when every step has shrunk below the share `_SMALLEST` of its first.

    Examples
    --------
    >>> far = [Coordinate("x", 0.0, 1.0, -9.0, 9.0)]
    >>> found, _ = descend(lambda at: (at["x"] - 3) ** 2, far, np.random.default_rng(1))
    >>> round(found["x"], 1)
    3.0
    """
    at = {coordinate.name: coordinate.start for coordinate in coordinates}
    steps = {coordinate.name: coordinate.step for coordinate in coordinates}
    best = loss(at)
    for _ in range(_SWEEPS):
        for index in random.permutation(len(coordinates)):
            coordinate = coordinates[index]
            name = coordinate.name
            for sign in (1.0, -1.0):
                value = min(max(at[name] + sign * steps[name], coordinate.low), coordinate.high)
                tried = {**at, name: value}
                found = loss(tried) if value != at[name] else best
                if found < best:
                    at, best = tried, found
                    steps[name] *= 1.5 * sign
                    break
            else:
                steps[name] *= 0.5
            steps[name] = abs(steps[name])
        if all(steps[one.name] < _SMALLEST * one.step for one in coordinates):
            break
    return at, best


_DOMAINS = ("fold", "check", "call", "half_pot", "three_quarter_pot", "overbet")
NARROWEST = 0.02
"""Least width of a domain that the search tries."""


def _free_above(cut: float, number: int) -> float:
    """Return how much of the axis above a cut point the next domain may take, besides the least of each."""
    return max(1 - cut - NARROWEST * (len(_DOMAINS) - number + 1), 1e-9)


def preflop_coordinates(behaviour: Behaviour) -> tuple[Coordinate, ...]:
    """Return the numbers before the flop that are searched for: theta by its logarithm, and the temper."""
    return (
        Coordinate("theta", log(behaviour.theta_preflop), 0.7, log(1.05), log(1000)),
        Coordinate("temper", behaviour.temper.preflop, 0.3, 0.0, 3.0),
    )


def preflop_behaviour_at(numbers: dict[str, float], start: Behaviour) -> Behaviour:
    """Return the behaviour at the numbers of `preflop_coordinates`, and otherwise as it was; rounded to 0.001."""
    return msgspec.structs.replace(
        start,
        theta_preflop=round(exp(numbers["theta"]), 3),
        temper=msgspec.structs.replace(start.temper, preflop=round(numbers["temper"], 3)),
    )


def coordinates_of(behaviour: Behaviour) -> tuple[Coordinate, ...]:
    """Return the numbers after the flop that are searched for, beginning where a behaviour has them.

    A cut point counts as the share of what lies above the one before, a baseline as its place in its domain, theta
    by its logarithm: so that none has to give way to another.
    """
    cuts = [0.0, *(getattr(behaviour.cut_points, name) for name in _DOMAINS[1:]), 1.0]
    found = [
        Coordinate("theta", log(behaviour.theta), 0.7, log(1.05), log(1000)),
        Coordinate("multiway", behaviour.multiway, 0.3, 0.0, 1.0),
    ]
    for number, name in enumerate(_DOMAINS):
        low, high = cuts[number], cuts[number + 1]
        place = (getattr(behaviour.baselines, name) - low) / max(high - low, 1e-9)
        found.append(Coordinate(f"baseline {name}", min(max(place, 0.02), 0.98), 0.2, 0.02, 0.98))
        if number:
            free = _free_above(cuts[number - 1], number)
            share = (low - cuts[number - 1] - NARROWEST) / free
            found.append(Coordinate(f"cut {name}", min(max(share, 0.0), 1.0), 0.1, 0.0, 1.0))
    found += [
        Coordinate(f"temper {street}", getattr(behaviour.temper, street), 0.3, 0.0, 2.0)
        for street in ("flop", "turn", "river")
    ]
    return tuple(found)


def behaviour_at(numbers: dict[str, float], start: Behaviour) -> Behaviour:
    """Return the behaviour at the numbers of `coordinates_of`, and otherwise as it was; rounded to 0.001."""
    cuts = [0.0]
    for number, name in enumerate(_DOMAINS[1:], 1):
        cuts.append(cuts[-1] + NARROWEST + _free_above(cuts[-1], number) * numbers[f"cut {name}"])
    cuts.append(1.0)
    lines = [
        low + (high - low) * numbers[f"baseline {name}"]
        for name, low, high in zip(_DOMAINS, cuts[:-1], cuts[1:], strict=True)
    ]
    return msgspec.structs.replace(
        start,
        theta=round(exp(numbers["theta"]), 3),
        multiway=round(numbers["multiway"], 3),
        cut_points=CutPoints(*(round(cut, 4) for cut in cuts[1:-1])),
        baselines=Baselines(*(round(line, 4) for line in lines)),
        temper=Temper(
            start.temper.preflop,
            *(round(numbers[f"temper {street}"], 3) for street in ("flop", "turn", "river")),
        ),
    )


def counted_ranking(hands: Sequence[RecordedHand]) -> str:
    """Return the names of the 169 hand classes between spaces, those played before the flop most often first.

    Each class counts as if it had been dealt 20 times more and played as often as the class of its place by equity
    against three random hands.
    """
    dealt, entered = np.zeros(CLASS_COUNT), np.zeros(CLASS_COUNT)
    for hand in hands:
        last = {
            event.seat: event.action.kind
            for event in hand.events
            if isinstance(event, ActionTaken) and event.street is Street.PREFLOP
        }
        for seat, kind in last.items():
            hand_class = class_of(combo_of(*hand.hole_cards[seat]))
            dealt[hand_class] += 1
            entered[hand_class] += kind is not ActionKind.FOLD
    by_equity = preflop_strengths(RANKING_OPPONENTS)[[combos_of_class(one)[0] for one in range(CLASS_COUNT)]]
    rates = np.sort(entered / np.maximum(dealt, 1))
    expected = rates[np.argsort(np.argsort(by_equity))]
    order = np.argsort(-(entered + _RANKING_WEIGHT * expected) / (dealt + _RANKING_WEIGHT), kind="stable")
    return " ".join(class_name(int(one)) for one in order)


class FileLoss(Struct, frozen=True):
    """Mean log-losses of strangers' live points in one file, in nats: by hand and tuned, on both parts."""

    file: str
    hands: int
    tested: int
    before: float
    after: float
    test_before: float
    test_after: float
    test_stderr: float


class TuningResult(Struct, frozen=True):
    """What the search found."""

    numbers: TunedNumbers
    files: tuple[FileLoss, ...]
    seed: int


def mean_loss(sets: Sequence[TuningPoints], behaviour: Behaviour) -> float:
    """Return the mean over sets of the mean loss of their points."""
    means = [float(losses(points, behaviour).mean()) for points in sets if len(points.streets)]
    return sum(means) / max(len(means), 1)


def tune_behaviour(
    sets: Sequence[TuningPoints], start: Behaviour, ranking: str, random: np.random.Generator
) -> Behaviour:
    """Search for the numbers of DFModel that lose least on sets of points, each of equal weight.

    `ranking` is tried as well as that by equity. Some 600 losses: about a minute of CPU per thousand hands.
    """
    opening = [part_of(points, points.streets == 0) for points in sets]
    found: list[tuple[Behaviour, float]] = []
    for tried_ranking, reaches in product(("", ranking), (False, True)):
        behaviour = msgspec.structs.replace(start, ranking=tried_ranking, call_reaches_top=reaches)
        found.append(_searched(opening, behaviour, preflop_coordinates, preflop_behaviour_at, random))
    begun, _ = min(found, key=lambda one: one[1])
    later = [part_of(points, points.streets > 0) for points in sets]
    return _searched(later, begun, coordinates_of, behaviour_at, random)[0]


def _searched(
    sets: Sequence[TuningPoints],
    start: Behaviour,
    coordinates: Callable[[Behaviour], Sequence[Coordinate]],
    behaviour: Callable[[dict[str, float], Behaviour], Behaviour],
    random: np.random.Generator,
) -> tuple[Behaviour, float]:
    numbers, loss = descend(lambda tried: mean_loss(sets, behaviour(tried, start)), coordinates(start), random)
    return behaviour(numbers, start), loss


def _tune_memory(files: Sequence[Sequence[RecordedHand]], parameters: Parameters) -> Memory:
    """Choose how much the default model counts against counts of a player, before the flop and after it.

    The reader itself reads the hands of each file in their order and learns each after it was scored.
    """

    def loss(memory: Memory) -> float:
        means = []
        for hands in files:
            scorer = Scorer(PaperReader(msgspec.structs.replace(parameters, memory=memory)))
            for hand in hands:
                scorer.add(hand)
            mean = scorer.result().live["all"].log_loss
            means.append(0.0 if mean is None else mean)
        return sum(means)

    most = max(_MEMORY_WEIGHTS)
    memory = Memory(most, most, most, most, most)
    tried = [Memory(weight, weight, weight, most, most) for weight in _MEMORY_WEIGHTS]
    memory = min(tried, key=loss)
    tried = [msgspec.structs.replace(memory, street=weight, position=weight) for weight in _MEMORY_WEIGHTS]
    return min(tried, key=loss)


class HandsOfFile(NamedTuple):
    """The hands of a file: those to tune on, and those kept apart to test on."""

    name: str
    training: Sequence[RecordedHand]
    testing: Sequence[RecordedHand]


def divided(path: Path, hands: int | None, random: np.random.Generator) -> HandsOfFile:
    """Read a file and keep every fifth hand apart; of `hands`, chosen by chance, four fifths are to tune on.

    Raises a `PhhFileError` if the file cannot be read.
    """
    parts: tuple[list[RecordedHand], list[RecordedHand]] = ([], [])
    for place, hand in enumerate(read_hands(path)):
        if isinstance(hand, RecordedHand):
            parts[is_kept_apart(place)].append(hand)
    shares = (None, None) if hands is None else (hands - hands // KEPT_APART, hands // KEPT_APART)
    return HandsOfFile(path.name, *(_some(part, count, random) for part, count in zip(parts, shares, strict=True)))


def _some(hands: list[RecordedHand], count: int | None, random: np.random.Generator) -> list[RecordedHand]:
    if count is None or count >= len(hands):
        return hands
    return [hands[index] for index in np.sort(random.choice(len(hands), count, replace=False))]


def tune(files: Sequence[HandsOfFile], seed: int, *, memory_hands: int = _MEMORY_HANDS) -> TuningResult:
    """Tune the paper's reader on some files that count alike, and test it on the hands that were kept apart.

    The same hands and seed give the same result. `_tune_memory` reads `memory_hands` of each file.
    """
    if not any(file.training for file in files):
        raise ValueError("There is no hand to tune on.")
    start = default_parameters()
    sets = [collect(file.training, start) for file in files]
    ranking = counted_ranking([hand for file in files for hand in file.training])
    behaviour = tune_behaviour(sets, start.behaviour, ranking, np.random.default_rng(seed))
    tuned = msgspec.structs.replace(start, behaviour=behaviour)
    memory = _tune_memory([file.training[:memory_hands] for file in files], tuned)
    rows = [_file_loss(file, points, start, behaviour) for file, points in zip(files, sets, strict=True)]
    return TuningResult(TunedNumbers(behaviour, memory), tuple(rows), seed)


def _file_loss(file: HandsOfFile, points: TuningPoints, start: Parameters, tuned: Behaviour) -> FileLoss:
    tested = collect(file.testing, start)
    after = losses(tested, tuned)
    return FileLoss(
        file.name,
        len(file.training),
        len(file.testing),
        mean_loss([points], start.behaviour),
        mean_loss([points], tuned),
        mean_loss([tested], start.behaviour),
        mean_loss([tested], tuned),
        (clustered_stderr(after, tested.hands) or 0.0) if len(after) else 0.0,
    )


def resource_text(result: TuningResult) -> str:
    """Return a result as `resources/paper_tuned.toml`, with where it comes from."""
    behaviour, memory = result.numbers.behaviour, result.numbers.memory
    lines = [
        "# The numbers of the tuned reader. Written by engine/lab/paper_tuning.py; docs/reading.md says how.",
        "# The fields are those of fold_parameters.toml, which explains them.",
        "#",
        f"# Seed {result.seed}. Log-loss in nats of live points of strangers, by hand -> tuned:",
    ]
    for row in result.files:
        lines.append(
            f"#   {row.file}: {row.hands} hands tuned on {row.before:.3f} -> {row.after:.3f}, {row.tested} others "
            f"{row.test_before:.3f} -> {row.test_after:.3f} +- {row.test_stderr:.3f}"
        )
    lines += ["", "[behaviour]"]
    sections: list[tuple[str, Struct]] = []
    for name in behaviour.__struct_fields__:
        value = getattr(behaviour, name)
        if isinstance(value, Struct):
            sections.append((f"behaviour.{name}", value))
        else:
            lines.append(f"{name} = {_toml(value)}")
    for name, section in (*sections, ("memory", memory)):
        lines += ["", f"[{name}]"]
        lines += [f"{field} = {_toml(getattr(section, field))}" for field in section.__struct_fields__]
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    return msgspec.json.encode(value).decode()  # alike for numbers, texts, truth values and lists of numbers


def main(arguments: Sequence[str]) -> int:
    """Tune on the files named and write the resource, or print it; 2 if a file or number is of no use."""
    parser = argparse.ArgumentParser(description="Tune the paper's reader on PHH files.")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--hands", type=int, help="hands of each file, chosen by chance; all unless given")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of hands and of the search (default 1)")
    parser.add_argument("--to", type=Path, help="file to write; printed unless given")
    options = parser.parse_args(arguments)
    try:
        check_seed(options.seed)
        if options.hands is not None and options.hands < KEPT_APART:
            raise ValueError(f"At least {KEPT_APART} hands of each file are needed, not {options.hands}.")
        random = np.random.default_rng(options.seed)
        files = [divided(path, options.hands, random) for path in options.files]
        text = resource_text(tune(files, options.seed))
        if options.to is None:
            sys.stdout.write(text)
        else:
            options.to.write_text(text, encoding="utf-8")
    except (ValueError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
