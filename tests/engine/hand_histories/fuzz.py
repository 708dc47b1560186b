"""Damaged hand histories without end: whatever is done to a text, its hands are imported or left out with a reason.

python -m tests.engine.hand_histories.fuzz FOLDER --count 100000 --seed 1
"""

import argparse
import random
import re
import resource
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from engine.game.events import end_of, start_of
from engine.hand_histories.files import NotImported, hand_files, read_text, text_of
from engine.hand_histories.imported import ImportedHand

_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
_CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")
_NUMBERS = ("0", "-1", "1", "99999999999999999999", "0.001", "1e9", "1,2,3", "NaN", "³", "1.000.000,00", "007")
_SIGNS = (
    *("\x00", "\u202e", "\ufeff", "\n", "\r", "\t", ": ", "[", "]", "(", "{", "|", '"', "*** "),
    "\u00e9" * 300,
    "\U0001f0a1",
)
_LONGEST = 30_000

Mutation = Callable[[str, random.Random], str]


class Fuzzed(Struct, frozen=True):
    """What came of a run: texts, hands imported and left out, CPU seconds of the slowest, and which that was."""

    texts: int
    imported: int
    left_out: int
    slowest: float
    slowest_text: str


def _lines(change: Callable[[list[str], random.Random], None]) -> Mutation:
    def mutation(text: str, dice: random.Random) -> str:
        lines = text.split("\n")
        change(lines, dice)
        return "\n".join(lines)

    return mutation


def _delete(lines: list[str], dice: random.Random) -> None:
    del lines[dice.randrange(len(lines))]
    lines += [""] * (not lines)


def _repeat(lines: list[str], dice: random.Random) -> None:
    at = dice.randrange(len(lines))
    lines[at:at] = lines[at : at + dice.choice((1, 1, 1, 5))] * dice.choice((1, 1, 2, 50))


def _swap(lines: list[str], dice: random.Random) -> None:
    one, two = dice.randrange(len(lines)), dice.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]


def _join(lines: list[str], dice: random.Random) -> None:
    at = dice.randrange(len(lines))
    lines[at : at + 2] = ["".join(lines[at : at + 2])]


def _replaced(pattern: re.Pattern[str], by: Callable[[str, random.Random], str]) -> Mutation:
    def mutation(text: str, dice: random.Random) -> str:
        found = list(pattern.finditer(text))
        if not found:
            return text
        one = dice.choice(found)
        return text[: one.start()] + by(text, dice) + text[one.end() :]

    return mutation


def _some_number(text: str, dice: random.Random) -> str:
    return dice.choice((*_NUMBERS, dice.choice(_NUMBER.findall(text)), str(dice.randrange(1000))))


def _some_card(text: str, dice: random.Random) -> str:
    return dice.choice((*_CARD.findall(text), "Zz", "10h", ""))


def _cut(text: str, dice: random.Random) -> str:
    return text[: dice.randrange(len(text) + 1)]


def _cut_out(text: str, dice: random.Random) -> str:
    at = dice.randrange(len(text) + 1)
    return text[:at] + text[at + dice.choice((1, 2, 10, 200)) :]


def _sign(text: str, dice: random.Random) -> str:
    at = dice.randrange(len(text) + 1)
    return text[:at] + dice.choice(_SIGNS) + text[at:]


def _word(text: str, dice: random.Random) -> str:
    words = text.split(" ")
    words[dice.randrange(len(words))] = dice.choice(words)
    return " ".join(words)


MUTATIONS: tuple[Mutation, ...] = (
    *map(_lines, (_delete, _repeat, _swap, _join)),
    _replaced(_NUMBER, _some_number),
    _replaced(_NUMBER, _some_number),
    _replaced(_CARD, _some_card),
    _cut,
    _cut_out,
    _sign,
    _word,
)


def mutated(text: str, dice: random.Random) -> str:
    """Return a text that has suffered one to four of `MUTATIONS`."""
    for _ in range(dice.choice((1, 1, 2, 4))):
        text = dice.choice(MUTATIONS)(text, dice)
    return text


def fuzz(texts: Sequence[str], count: int, seed: int) -> Fuzzed:
    """Read so many damaged texts; AssertionError where a hand is imported whose chips do not add up."""
    dice = random.Random(seed)
    kinds, slowest, which = Counter[bool](), 0.0, ""
    for _ in range(count):
        text = mutated(dice.choice(texts), dice)
        begun = time.process_time()
        for hand in read_text(text):
            kinds[isinstance(hand, ImportedHand)] += 1
            verify(hand)
        seconds = time.process_time() - begun
        if seconds > slowest:
            slowest, which = seconds, text
    return Fuzzed(count, kinds[True], kinds[False], slowest, which)


def verify(hand: ImportedHand | NotImported) -> None:
    """Raise AssertionError where chips get lost, or a reason is no sentence."""
    if isinstance(hand, NotImported):
        assert hand.reason.endswith(".")
        assert hand.reason.isprintable()
        return
    started, ended = start_of(hand.record.events), end_of(hand.record.events)
    assert sum(start.stack for start in started.seats) + started.splash == sum(ended.stacks) + hand.rake
    assert min(ended.stacks) >= 0
    assert hand.rake >= 0


def main() -> None:
    """Fuzz with the texts of a folder, and print what came of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    texts = [text for file in hand_files([options.folder]) if (text := "".join(text_of(file))[:_LONGEST])]
    found = fuzz(texts, options.count, options.seed)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(  # noqa: T201
        f"{found.texts:,} damaged texts of {len(texts)} files: {found.imported:,} hands imported, "
        f"{found.left_out:,} left out; the slowest took {found.slowest:.3f} s; at most {peak:.0f} MB."
    )


if __name__ == "__main__":
    main()
