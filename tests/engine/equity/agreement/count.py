"""Answers to questions about equity that owe nothing to the engine: every showdown one by one, judged by eval7.

    python -m tests.engine.equity.agreement.count

writes `answers.json` anew, in some minutes. Ranges are read by eval7 too; nothing of the engine is imported.
Weights are taken as the float32 next to what is written, as exact fractions, and all sums are whole numbers.
"""

import json
import struct
import sys
import time
import warnings
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, factorial, lcm
from pathlib import Path

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # eval7 0.1.11 calls pyparsing by its old names
    import eval7

ANSWERS = Path(__file__).with_name("answers.json")
DECK = tuple(eval7.Deck().cards)
STUB = "2s3s4s5s6s7s8s9s2d3d4d5d6d7d8d9d2c3c4c5c6c7c8c9c2h3h4h5h6h7h8h"
HALF_STUB = "2s3s4s5s6s7s2d3d4d5d6d7d2c3c4c5c6c7c2h3h4h5h6h"
R1 = "22+,A2s+,K9s+,QTs+,JTs,ATo+,KJo+"

# hands and ranges; board; dead cards
QUESTIONS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    # ---- before the flop, the whole deck
    (("AhKh", "QsQd"), "", ""),
    (("AsAh", "7d2c"), "", ""),
    (("2s2d", "JhTh"), "", ""),
    (("AcKd", "AhQh"), "", "Ks Qd"),
    (("8s8h,8s8d:0.5", "AdKd"), "", "2c 2d 2h 2s 3c 3d 3h"),
    (("AhKh", "QsQd", "JcTc"), "", ""),
    (("AsKd", "AhKc", "AdKh"), "", ""),
    (("9h9d", "AcJc", "KsQs", "7h6h"), "", ""),
    (("AcAd", "KcKd", "QcQd", "JcJd", "TcTd"), "", ""),
    (("AsKs", "QhQd", "JsTs", "9c9d", "8h7h", "6c5c"), "", ""),
    # ---- before the flop, many cards dead
    (("AA", "KK"), "", STUB),
    (("AKs", "QQ"), "", STUB),
    (("AK", "JJ+:0.5"), "", STUB),
    (("random", "AhKh"), "", STUB),
    (("random", "random"), "", STUB + "9hTsTdTcThJs"),
    (("TT+,AQ+:0.25", "KTs+,QTs+:0.75"), "", STUB),
    (("AhKh,AsKd:0.5", "QhQs,JhTh:0.25", "TcTd"), "", HALF_STUB),
    (("AcKs:0.5,QhQs", "AhKh", "JhTs,9h8h:0.125"), "", HALF_STUB),
    (("AcKc:0.1,QhQs", "AhKh", "JhTh", "9hTd", "JcJd", "QcQd"), "", STUB),
    (("AKs:0.3", "QQ:0.7", "JTs"), "", STUB),
    (("AhKh,KsQs", "QhQd,AsTs:0.5", "JsJd", "TcTd:0.2,9c9d"), "", STUB),
    # ---- flop, two players
    (("AhKh", "random"), "Ks 7d 2h", ""),
    (("7h7c", "AsKc"), "Ks 7d 2h", ""),
    (("AsKs", "QQ+"), "Js 7s 2h", ""),
    ((R1, "AhTh"), "Jh 7d 2h", ""),
    (("22+,AK", "A2s+,KQ"), "Ts 9s 8h", ""),
    (("77-55:0.5,A5s-A2s:0.25", "QQ-TT,AQs"), "7c 5d 2s", "7s 5s"),
    (("AA:0.25,KQs", "99:0.75,T9s,98s,87s"), "9h 8h 3c", ""),
    (("AhQh:0.3,8d8s:0.9", "JJ:0.1,AK:0.7"), "8h 5h Jc", "Ah"),
    (("KTs-K8s", "QQ-88"), "Kd 9d 4c", "Kh 9c 2s"),
    # ---- flop, three to six players
    (("AsKs", "QQ+", "22+"), "Js 7s 2h", ""),
    (("AhKh", "QQ:0.5,JJ", "T9s"), "Qh Jh 2c", ""),
    (("AcKc", "7h6h,7d6d:0.5", "88,55:0.25"), "8c 5h 4d", "2c 2d"),
    (("AsAd", "KsKd", "QhJh", "8h7h"), "9h Th 2c", ""),
    (("AKs:0.5", "QQ", "JTs:0.25", "9c9d"), "Td 9h 3s", ""),
    (("AcQc", "KdQd", "JsTs", "9h9d", "5c5d"), "9c 5s 2d", ""),
    (("AcQc,AdQd:0.5", "KdQh", "JsTs,Js9s", "8h8d", "5c5d,5c4c:0.75"), "9c 5s 2d", "As Ks"),
    (("AhKd", "QsJs", "Th9h", "8c8d", "7s6s", "3c3d"), "9s 8h 2s", ""),
    (("AhKd,AsKs", "QsJs", "Th9h:0.5,ThTd", "8c8d", "7s6s,7h6h", "3c3d"), "9s 8h 2s", ""),
    # ---- turn
    (("AhKh", "random"), "Ks 7d 2h 3c", ""),
    (("random", "AdQd"), "Td 9d 9s 2c", "2d"),
    ((R1, "22+,A2s+"), "Ks 7d 2h 3c", ""),
    (("AA:0.5,AhKh", "QQ,KhQh:0.25"), "Ks 7d 2h 3c", ""),
    (("22-99", "T9s-T6s,J9s"), "8s 7s 6d Ah", ""),
    (("QJ", "AK:0.3,KT:0.6"), "Ac Kd Tc 2s", "Qh Jh"),
    (("AhKh,QQ:0.3", "TT,9h8h:0.7", "AcKd:0.4,JJ"), "Kh 7h 2d 3c", ""),
    (("A2s+", "KQ,KJs:0.5", "22+:0.125"), "Kc Jd 7c 4h", ""),
    (("AKs,AQs", "JJ,TT", "98s:0.25,87s"), "Tc 9c 2d 6h", "Jc Th"),
    (("AhKh", "QsQd", "JcTc", "9s8s"), "Qc 9d 8h 2s", ""),
    (("AKs", "QQ:0.5", "JTs", "99:0.75"), "Qc 9d 8h 2s", "Ac"),
    (("AcKc", "AdKd", "AhKh", "AsKs", "QcQd"), "Ts 9s 2d 3h", ""),
    (("AcKc,QhJh", "AdKd", "AhKh:0.5,JcTc", "AsKs", "QcQd,9c9d:0.25"), "Ts 9s 2d 3h", ""),
    (("AcKd", "QsJs", "ThTd", "8c7c", "6s5s", "2h2c"), "Tc 9s 4s 2d", ""),
    (("AcKd,AcQd", "QsJs,KsJs:0.5", "ThTd", "8c7c", "6s5s,6h5h", "2h2c:0.75,4c4d"), "Tc 9s 4s 2d", ""),
    # ---- river
    (("AhKh", "random"), "Ks 7d 2h 3c 9s", ""),
    (("random", "random"), "Ks 7d 2h 3c 9s", ""),
    (("random", "random"), "Ah Kh Qh Jh Th", "2c 3c"),
    ((R1, R1), "Qs Js 4d 4h 2c", ""),
    (("random:0.3,AA:0.9", R1), "As 8s 8d 5c 2h", "8c"),
    (("AhKh,AsKs", "AcKc:0.5,AdKd", "QhQd,QsQc:0.1", "JTs"), "Ac 7h 2d 3c 9s", ""),
    (("AdKh", "random", "random"), "2c 3d 4h Ks Qc", ""),
    (("AQ", "KQs,QJs:0.3", "22+:0.6"), "Qh Td 9d 4c 3s", ""),
    (("A2s+", "KK-JJ", "T9s:0.7,98s"), "8c 7d 6h 2s 2d", "Tc"),
    (("5h4h,6h5h", "9c9d,8c8d:0.5", "AcKc,KcQc"), "7h 8h 9h Th 2s", "2c 3c"),
    (("AK", "QQ-TT:0.5", "KQs", "98s:0.25,76s"), "Kd Td 9c 6s 2h", ""),
    (("AcKc", "AdKd", "22,33", "QJ:0.1", "55:0.9"), "Tc 9d 5h 3s 2c", ""),
    (("AKs", "QQ:0.3", "JTs:0.5", "99", "88:0.7", "AhQh,AdQd"), "Ks Qc 9h 4d 4c", ""),
    (("2c2d", "3c3d", "4c4d", "5c5d", "6c6d", "7c7d"), "Ah Kh Qh Jh Th", ""),
)


def read_range(text: str) -> dict[tuple[eval7.Card, eval7.Card], Fraction]:
    """Give the weight of each combo; a later item decides."""
    weights = {}
    for item in text.split(","):
        name, _, number = item.partition(":")
        weight = Fraction(struct.unpack("f", struct.pack("f", float(number or 1)))[0])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            held = combinations(DECK, 2) if name == "random" else [two for two, _ in eval7.HandRange(name).hands]
        for two in held:
            weights[tuple(sorted(two, key=DECK.index))] = weight
    return weights


def read_cards(text: str) -> list[eval7.Card]:
    text = text.replace(" ", "")
    return [eval7.Card(text[at : at + 2]) for at in range(0, len(text), 2)]


def count(hands: Sequence[str], board_text: str, dead_text: str) -> dict[str, object]:
    """Count all showdowns of positive weight, and their weight by who wins them."""
    board, dead = read_cards(board_text), read_cards(dead_text)
    known = {*board, *dead}
    ranges = [
        {two: weight for two, weight in read_range(text).items() if weight and not known & {*two}} for text in hands
    ]
    scale = lcm(*(weight.denominator for weights in ranges for weight in weights.values()))
    deals = []
    for deal in product(*ranges):
        if len({card for two in deal for card in two}) == 2 * len(deal):
            weight = 1
            for weights, two in zip(ranges, deal, strict=True):
                weight *= int(weights[two] * scale)
            deals.append((deal, weight))
    combos = sorted({two for weights in ranges for two in weights}, key=str)
    outcomes: Counter[tuple[int, ...]] = Counter()
    showdowns = 0
    for runout in combinations([card for card in DECK if card not in known], 5 - len(board)):
        table = [*board, *runout]
        strengths = {
            two: eval7.evaluate([*two, *table]) for two in combos if two[0] not in runout and two[1] not in runout
        }
        for deal, weight in deals:
            try:
                shown = [strengths[two] for two in deal]
            except KeyError:  # the board holds one of these cards
                continue
            best = max(shown)
            outcomes[tuple([seat for seat, value in enumerate(shown) if value == best])] += weight
            showdowns += 1
    return {
        "hands": list(hands),
        "board": board_text,
        "dead": dead_text,
        "showdowns": showdowns,
        "scale": scale ** len(hands),
        "outcomes": {"".join(map(str, winners)): weight for winners, weight in sorted(outcomes.items())},
    }


# ---- one hand against many random ones on a river: no showdown is listed, yet the count is exact


def count_against_random(hand_text: str, board_text: str, opponents: int) -> dict[str, object]:
    """Count the deals in which a hand beats all random hands, or ties with 1, 2 ... of them and beats the rest.

    Deals of the opponents are sets of disjoint pairs of unseen cards, matchings. Those without a bad pair, one that
    wins against the hand or ties with it, are counted by inclusion and exclusion over the matchings of bad pairs
    alone. Two cards of one rank are in the same bad pairs, since no flush is possible (checked), so that those
    matchings are counted by how many cards of each rank they use.
    """
    hand, board = read_cards(hand_text), read_cards(board_text)
    unseen = [card for card in DECK if card not in {*hand, *board}]
    own = eval7.evaluate([*hand, *board])
    kinds: dict[tuple[int, int], set[int]] = {}
    for two in combinations(unseen, 2):
        strength = eval7.evaluate([*two, *board])
        ranks = tuple(sorted(card.rank for card in two))
        kinds.setdefault(ranks, set()).add((strength > own) - (strength < own))
    assert all(len(kind) == 1 for kind in kinds.values()), "suits matter here"
    ties = sorted(ranks for ranks, kind in kinds.items() if kind == {0})
    bad = sorted(ranks for ranks, kind in kinds.items() if kind != {-1})
    held = Counter(card.rank for card in unseen)

    def ways(pairs: Sequence[tuple[int, int]], left: tuple[int, ...]) -> dict[tuple[int, tuple[int, ...]], int]:
        """Matchings of some pairs of ranks, by how many pairs they have and the cards left of each rank."""
        found = {(0, left): 1}
        for low, high in pairs:
            after: Counter[tuple[int, tuple[int, ...]]] = Counter()
            for (size, rest), number in found.items():
                for more in range(min(rest[low], rest[high]) + 1):
                    if low == high and 2 * more > rest[low]:
                        break
                    now = list(rest)
                    now[low] -= more
                    now[high] -= more
                    if low == high:
                        choices = matchings(rest[low], more)
                    else:
                        choices = comb(rest[low], more) * comb(rest[high], more) * factorial(more)
                    after[size + more, tuple(now)] += number * choices
            found = {key: number for key, number in after.items() if key[0] <= opponents}
        return found

    @cache
    def without_bad(left: tuple[int, ...], size: int) -> int:
        sizes: Counter[int] = Counter()
        for (bad_size, _), number in ways(bad, left).items():
            sizes[bad_size] += number
        return sum(
            (-1) ** bad_size * number * matchings(sum(left) - 2 * bad_size, size - bad_size)
            for bad_size, number in sizes.items()
            if bad_size <= size
        )

    by_ties: Counter[int] = Counter()
    for (size, left), number in ways(ties, tuple(held[rank] for rank in range(13))).items():
        by_ties[size] += number * without_bad(left, opponents - size)
    return {
        "hand": hand_text,
        "board": board_text,
        "opponents": opponents,
        "deals": matchings(len(unseen), opponents),
        "deals_by_ties": [by_ties[size] for size in range(max(by_ties) + 1)],
    }


def matchings(cards: int, pairs: int) -> int:
    """How many sets of disjoint pairs there are."""
    if 2 * pairs > cards:
        return 0
    return factorial(cards) // (factorial(cards - 2 * pairs) * 2**pairs * factorial(pairs))


def main() -> None:
    started = time.process_time()
    answers = []
    for number, question in enumerate(QUESTIONS, 1):
        answers.append(count(*question))
        sys.stderr.write(f"{number} of {len(QUESTIONS)}, {time.process_time() - started:.0f} s\n")
    against_random = [count_against_random("AdKh", "2c 3d 4h Ks Qc", opponents) for opponents in (1, 2, 5, 8)]
    made = (
        "By python -m tests.engine.equity.agreement.count: each showdown of positive weight one by one, "
        "judged, and the ranges read, by eval7 0.1.11. 'outcomes' is the weight, times 'scale', of the "
        "showdowns that these players (from 0) win or share. 'against_random' counts deals of random hands, "
        "as sets of hands, by how many tie with the hand while none beats it: by inclusion and exclusion, see "
        "count_against_random."
    )
    lines = ",\n".join("  " + json.dumps(answer) for answer in answers)
    random_lines = ",\n".join("  " + json.dumps(answer) for answer in against_random)
    ANSWERS.write_text(
        f'{{"made": {json.dumps(made)},\n"questions": [\n{lines}\n],\n"against_random": [\n{random_lines}\n]}}\n',
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
