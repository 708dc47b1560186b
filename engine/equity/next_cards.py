"""Everyone's odds after each card that may come next, and how likely each of them is to come.

Ranges mean the joint distribution (`engine.equity.solve`), and so a card that the players probably hold is less
likely to come: if `W(c)` is the weight of all deals that leave the card `c` in the deck, it comes with the
probability `W(c) / sum of all W`, since every deal leaves equally many cards and each of these comes equally
often. After it the question is the same with one more card on the board. So the odds now are the mean of the odds
after each card.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from math import ceil, sqrt
from typing import Final, TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.cards import CARD_COUNT, COMBO_CARDS, COMBO_COUNT, COMBO_MASK, Card, frozen, unblocked
from engine.equity.checks import EquityError
from engine.equity.exact import plan_count
from engine.equity.joint import Sums, joint_marginals
from engine.equity.parallel import results_in_order
from engine.equity.question import (
    LONGEST_EXACT_SECONDS,
    PREVIEW_FROM,
    EquityQuestion,
    check_question,
    plan_exact,
)
from engine.equity.sampling import Chunk, Odds, Sampler, SamplingPlan, counted_players, sample_chunk
from engine.equity.snapshot import Known, Method, Snapshots, Steps, snapshots

STDERR: Final = 0.001
"""What is sampled is sampled until no player's equity after any card has a larger standard error."""
LONGEST_SECONDS: Final = 2.0
"""Or until that is estimated to have taken so long."""

_TASK_SECONDS = 0.012
_PILOT_DEALS = 1 << 14  # at most, by which the way to sample is chosen; fewer come where others may be better
_FIRST_TRIES = 1024  # at most; together they take no longer than a task
_FEWEST_DEALS = 8  # of the first tries; where there are fewer, another way to sample may be better
_FEWEST_FOR_ERROR = 10_000  # deals from which on a standard error is believed
_GROWTH = 3  # each round deals so many times what was dealt before
_ENOUGH = 0.98  # of the deals that are needed, as it is only known about how many come of so many tries
_MOST_ATTEMPTS = 20_000
_MOST_RANGES = 3  # besides known hands and any two cards, for which `joint_marginals` is exact and takes 4 ms


class NextCards(Struct, frozen=True, eq=False):
    """Everyone's odds for each card that may come.

    Attributes
    ----------
    cards : tuple of Card
        Those that may come, in rising order; a card that the players surely hold is not among them.
    chances : ndarray of float64, shape (n,), read-only
        The probability of each to come next, given the ranges; they sum to 1.
    chance_stderrs : ndarray of float64, shape (n,), read-only
        Their standard errors; 0 where they are exact.
    players : tuple of tuple of PlayerEquity
        For each card, each player's odds after it. While the whole is sampled some may be exact already: their
        standard errors are 0.
    """

    cards: tuple[Card, ...]
    chances: NDArray[np.float64]
    chance_stderrs: NDArray[np.float64]
    players: tuple[Odds, ...]


def next_cards(
    question: EquityQuestion, *, seed: int = 0, executor: Executor | None = None
) -> Snapshots[NextCards]:
    """Everyone's odds after each card that may come next, step by step.

    Parameters
    ----------
    question : EquityQuestion
        On a flop, whose next card is the turn, or on a turn. With `samples` about so many deals are sampled in all,
        some hundred for each card at the least; with `is_exact` all is counted, up to two minutes.
    seed, executor
        As for `engine.equity.solve.solve`.

    Returns
    -------
    generator of Snapshot
        The first one is complete for all cards and comes after 5 to 30 ms (80 where many ranges clash nearly
        always), then one about every 12 ms.

    Raises
    ------
    EquityError
        At once, not at the first step: if the board is no flop or turn, or as `engine.equity.solve.solve`.

    Notes
    -----
    Exact where counting is estimated to take a second for all cards together, as for two players always. Otherwise
    sampled, to a standard error of `STDERR` for every card and player or as far as `LONGEST_SECONDS` go.

    The chances are exact where all odds are, where at most three players hold anything but a known hand or any two
    cards, and where deals are drawn from a list of all. Otherwise they follow, card by card, from the part of the
    tries that had no clash or from the weights of what was drawn in turn; of n deals after a card its chance has a
    standard error of about 1 / sqrt(n) of itself.

    Examples
    --------
    >>> from engine.cards import format_card, parse_cards
    >>> from engine.ranges import parse_range
    >>> hands = parse_range("AhKh"), parse_range("QsQd")
    >>> *_, last = next_cards(EquityQuestion(hands, parse_cards("Qh 7h 2c")))
    >>> best = max(range(len(last.value.cards)), key=lambda i: last.value.players[i][0].equity)
    >>> format_card(last.value.cards[best]), round(last.value.players[best][0].equity, 4)
    ('3h', 0.7727)
    """
    live = check_question(question, seed, executor)
    if len(question.board) not in (3, 4):
        raise EquityError(f"Another card comes on a flop or turn, not on a board of {len(question.board)} cards.")
    after = [
        _After(card, live * unblocked([card]), (*question.board, card))
        for card in _cards_that_may_come(live, (*question.board, *question.dead))
    ]
    is_counted = plan_exact(question, lambda budget: _plan_counts(after, question.dead, budget) or None)
    known = partial(_known, after, Method.SAMPLED)
    if is_counted:
        steps = _count(after, question, live, seed, executor)
        return snapshots(steps, partial(_known, after, Method.EXACT), known)
    return snapshots(_sample(after, question, live, seed, executor), known, known)


class _After:
    """A card that may come, and what is known of the odds after it; `weight_error` is relative."""

    def __init__(self, card: Card, live: Sums, board: tuple[Card, ...]) -> None:
        self.card, self.live, self.board = card, live, board
        self.seconds = 0.0
        self.players: Odds = ()
        self.count = 0
        self.weight = self.weight_error = 0.0


def _known(after: Sequence[_After], method: Method) -> Known[NextCards] | None:
    """Put together what is known of the cards that were dealt at all."""
    dealt = [each for each in after if each.players]
    if not dealt:
        return None
    weights = np.array([each.weight for each in dealt])
    chances = weights / weights.sum()
    # A part of a sum errs by its own weight, and by all others'.
    moved = (chances * [each.weight_error for each in dealt]) ** 2
    errors = np.minimum(np.sqrt((1 - 2 * chances) * moved + chances**2 * moved.sum()), 0.5)
    odds = tuple(each.players for each in dealt)
    value = NextCards(tuple(each.card for each in dealt), frozen(chances), frozen(errors), odds)
    return Known(value, method, sum(each.count for each in dealt))


# ---- which cards may come -------------------------------------------------------------------------------


def _cards_that_may_come(live: Sums, known: Sequence[int]) -> list[Card]:
    """Return the cards of the deck that some deal leaves there.

    One deal shows it for all cards that it does not need; few others are looked for.
    """
    deck = [Card(card) for card in range(CARD_COUNT) if card not in known]
    masks = sorted((COMBO_MASK[weights > 0] for weights in live), key=len)
    found: set[Card] = set()
    for card in deck:
        if card not in found:
            held = _deal_without(card, masks)
            found |= {other for other in deck if held is not None and not held >> other & 1}
            masks = [combos[::-1] for combos in masks]  # the next deal will be quite another one
    return [card for card in deck if card in found and (live @ unblocked([card])).all()]


def _deal_without(card: Card, masks: Sequence[NDArray[np.uint64]]) -> int | None:
    """Find hole cards without a card and without a clash, as a mask; None if there are none.

    After many attempts it says that there are some, and that they need all other cards.
    """
    attempts = 0

    def deal(player: int, used: int) -> int | None:
        nonlocal attempts
        if player == len(masks):
            return used
        for mask in masks[player][(masks[player] & np.uint64(used)) == 0]:
            attempts += 1
            held = deal(player + 1, used | int(mask)) if attempts <= _MOST_ATTEMPTS else ~0
            if held is not None:
                return held
        return None

    held = deal(0, 1 << card)
    return None if held is None else held & ~(1 << card)


# ---- counting -------------------------------------------------------------------------------------------


def _plan_counts(after: Sequence[_After], dead: Sequence[int], budget: float) -> bool:
    """Estimate what counting costs for each card; tells whether all together stay within the budget."""
    left = budget
    for each in after:
        counting = plan_count(each.live, each.board, dead, left)
        if counting is None or counting.seconds > left:
            return False
        each.seconds = counting.seconds
        left -= counting.seconds
    return True


def _count(
    after: list[_After], question: EquityQuestion, live: Sums, seed: int, executor: Executor | None
) -> Steps:
    whole = sum(each.seconds for each in after)
    has_preview = whole > PREVIEW_FROM
    if has_preview:
        _deal_first(_begin(after, question, live, seed), executor)
        yield 0.0
    done = 0.0
    weights = []
    for each, counted, part in _counts(after, question.dead, executor):
        done += part
        if counted is not None:
            outcomes, each.count = counted
            weights.append(float(outcomes.sum()))
            # Without a showdown it had not been found out before that the card cannot come.
            each.players = counted_players(outcomes) if each.count > 0 else ()
        if has_preview and len(weights) < len(after):
            yield min(done / whole, 0.999)  # the end is still to come
    for each, weight in zip(after, weights, strict=True):
        each.weight, each.weight_error = weight, 0.0


_Counted = tuple[Sums, int]


def _counts(
    after: Sequence[_After], dead: Sequence[int], executor: Executor | None
) -> Iterator[tuple[_After, _Counted | None, float]]:
    """Count card by card; yield what was counted for one, or nothing on the way there, and the seconds done."""
    short = [each for each in after if each.seconds <= _TASK_SECONDS]
    if len(short) < len(after):
        for each in after:
            counting = plan_count(each.live, each.board, dead, LONGEST_EXACT_SECONDS)
            assert counting is not None
            before = 0.0
            for progress in counting.steps(executor):
                yield each, None, (progress - before) * each.seconds
                before = progress
            yield each, (counting.outcomes, counting.showdowns), 0.0
        return
    groups = list(_groups(short, [each.seconds for each in short], _TASK_SECONDS))
    tasks = [partial(_count_group, [(each.live, each.board) for each in group], dead) for group in groups]
    for group, counted in zip(groups, results_in_order(tasks, executor), strict=True):
        for each, result in zip(group, counted, strict=True):
            yield each, result, each.seconds


def _count_group(group: Sequence[tuple[Sums, tuple[Card, ...]]], dead: Sequence[int]) -> list[_Counted]:
    """Count on some boards."""
    found = []
    for live, board in group:
        counting = plan_count(live, board, dead, LONGEST_EXACT_SECONDS)
        assert counting is not None
        for _ in counting.steps():
            pass
        found.append((counting.outcomes, counting.showdowns))
    return found


_Item = TypeVar("_Item")


def _groups(items: Sequence[_Item], costs: Sequence[float], most: float) -> Iterator[list[_Item]]:
    """Return items that follow one another in groups that cost no more than so much together."""
    group: list[_Item] = []
    cost = 0.0
    for item, its_cost in zip(items, costs, strict=True):
        if group and cost + its_cost > most:
            yield group
            group, cost = [], 0.0
        group.append(item)
        cost += its_cost
    if group:
        yield group


# ---- sampling -------------------------------------------------------------------------------------------


class _CardSampler:
    """Samples after one card, and knows what all deals without it weigh."""

    def __init__(self, after: _After, sampler: Sampler, weight: float | None) -> None:
        self.after, self.sampler = after, sampler
        self._known_weight = weight
        self._drawn, self._squares, self._dealt, self._tries = 0.0, 0.0, 0, 0
        self._chunk = 2  # the first two are those of `Sampler.begin`

    def part(self, tries: int) -> "_Part":
        """Return what is to be done next, with so many tries."""
        self._chunk += 1
        return self.sampler.plan, self._chunk, tries

    def tries_for(self, deals: float) -> int:
        """Estimate how many tries give so many deals."""
        return max(64, ceil(deals * self._tries / max(self._dealt, 1)))

    def add(self, chunk: Chunk) -> None:
        """Add what came of it."""
        sampler, plan = self.sampler, self.sampler.plan
        sampler.add(chunk)
        drawn, squares = (chunk.outcomes.sum(axis=0) / plan.runouts).tolist()
        self._drawn, self._squares = self._drawn + drawn, self._squares + squares
        self._dealt += chunk.deals
        self._tries += chunk.tries
        self.after.count = sampler.deals
        if sampler.has_dealt:
            self.after.players = sampler.players()
        if self._known_weight is not None:
            self.after.weight = self._known_weight
        elif len(plan.together):
            self.after.weight = float(plan.lists.weights.sum())
        else:
            # Of all combinations of the players' combos so many have no clash, in the mean over all tries.
            self.after.weight = float(sampler.listed.sum(axis=1).prod()) * self._drawn / self._tries
            # At most that of a count of as many deals; few of them have more, as for `standard_error`.
            count = max(self._drawn**2 / self._squares, 1.0) if self._squares > 0 else 1.0
            self.after.weight_error = (sqrt(count + 1) + 1.6) / count

    def deals_needed(self, samples: int | None, cards: int) -> float:
        """Estimate how many deals are needed: a share of so many, or what brings all odds to `STDERR`."""
        if samples is not None:
            return samples / cards
        largest = max(player.stderr for player in self.after.players)
        needed = self.sampler.deals * (largest / STDERR) ** 2
        most = self.sampler.chunk_deals * LONGEST_SECONDS / _TASK_SECONDS
        return min(max(needed, _FEWEST_FOR_ERROR), most / cards)

    def begin_again(self) -> None:
        """Choose how to sample for this card alone, and forget what was drawn: it may have had other weights."""
        sampler = self.sampler
        sampler.outcomes[:], sampler.pairs[:], sampler.deals = 0, 0, 0
        self._drawn, self._squares, self._dealt, self._tries = 0.0, 0.0, 0, 0
        sampler.begin(_PILOT_DEALS)


_Part = tuple[SamplingPlan, int, int]


def _begin(after: Sequence[_After], question: EquityQuestion, live: Sums, seed: int) -> list[_CardSampler]:
    """Choose how to sample, for all cards alike."""
    from engine.kernels.equity.sampling import TOGETHER

    now = Sampler(live, question.board, question.dead, seed)
    now.begin(_PILOT_DEALS)
    known = _weights_left(now.listed)
    samplers: list[_CardSampler] = []
    for each in after:
        # The seeds of the cards differ from one another and from that of the question.
        sampler = now.after(each.card, seed ^ (each.card + 1) << 120)
        if now.plan.method != TOGETHER or len(sampler.plan.together):
            samplers.append(_CardSampler(each, sampler, None if known is None else float(known[each.card])))
    return samplers


def _weights_left(listed: Sums) -> Sums | None:
    """Return the weight of all deals that leave each card in the deck, shape (52,); None where that is not cheap.

    Who may hold any two cards changes nothing: what others leave comes from the deck equally often.
    """
    if np.count_nonzero(np.count_nonzero(listed, axis=1) > 1) > _MOST_RANGES:
        return None
    held = joint_marginals(listed).sum(axis=0) if len(listed) else np.zeros(COMBO_COUNT)
    by_card = np.bincount(COMBO_CARDS.ravel(), np.repeat(held, 2), CARD_COUNT)
    return np.maximum(1 - by_card, 0)


def _deal_first(samplers: Sequence[_CardSampler], executor: Executor | None) -> None:
    """Return every card first odds."""
    if not samplers:
        return
    plan, chunk_deals = samplers[0].sampler.plan, samplers[0].sampler.chunk_deals
    tries = min(max(chunk_deals // (plan.runouts * len(samplers)), _FIRST_TRIES // 8), _FIRST_TRIES)
    _deal_all(samplers, tries, executor)
    few = [each for each in samplers if each.after.count < _FEWEST_DEALS]
    for each in few:
        each.begin_again()
    _deal_all(few, tries, executor)


def _deal_all(samplers: Sequence[_CardSampler], tries: int, executor: Executor | None) -> None:
    for _ in _dealt([(each, each.part(tries)) for each in samplers], [tries] * len(samplers), executor):
        pass


def _dealt(
    parts: Sequence[tuple[_CardSampler, _Part]], deals: Sequence[float], executor: Executor | None
) -> Iterator[None]:
    """Do parts in tasks of about 12 ms, and add what comes of each."""
    if not parts:
        return
    most = parts[0][0].sampler.chunk_deals
    groups = list(_groups(parts, deals, most))
    tasks = [partial(_sample_group, [part for _, part in group]) for group in groups]
    for group, chunks in zip(groups, results_in_order(tasks, executor), strict=True):
        for (sampler, _), chunk in zip(group, chunks, strict=True):
            sampler.add(chunk)
        yield


def _sample_group(parts: Sequence[_Part]) -> list[Chunk]:
    """Sample with some plans: a number of tries, however many deals come of it, so that those have no bias."""
    return [sample_chunk(plan, chunk, plan.runouts << 40, tries) for plan, chunk, tries in parts]


def _sample(
    after: Sequence[_After], question: EquityQuestion, live: Sums, seed: int, executor: Executor | None
) -> Steps:
    samplers = _begin(after, question, live, seed)
    _deal_first(samplers, executor)
    samplers = [each for each in samplers if each.after.players]
    progress = 0.0
    yield progress
    while samplers:
        parts, deals = [], []
        have = needed = 0.0
        for each in samplers:
            dealt, need = each.sampler.deals, each.deals_needed(question.samples, len(samplers))
            have, needed = have + min(dealt, need), needed + need
            if dealt < _ENOUGH * need:
                deals.append(min(need - dealt, _GROWTH * dealt, each.sampler.chunk_deals))
                parts.append((each, each.part(each.tries_for(deals[-1]))))
        progress = max(progress, have / needed)
        if not parts:
            return
        for _ in _dealt(parts, deals, executor):
            yield progress
