"""A question about equity, and what is refused before anything is computed."""

from collections.abc import Callable
from concurrent.futures import Executor
from itertools import accumulate
from typing import Final, TypeVar

import numpy as np
from msgspec import Struct

from engine.cards import CARD_COUNT, COMBO_CARDS, COMBO_MASK, Card, check_sequence, format_card, unblocked
from engine.equity.checks import EquityError, check_cards, check_deals, check_seed
from engine.equity.joint import Sums
from engine.equity.parallel import check_executor
from engine.equity.sampling import MAX_PLAYERS
from engine.foreign_text import printable
from engine.ranges import Range, format_range
from engine.words import listed

MIN_PLAYERS = 2
DEFAULT_SAMPLES = 2_000_000
EXACT_SECONDS: Final = 1.0
"""What is estimated to take no longer is counted exactly when nothing else is asked for."""
LONGEST_EXACT_SECONDS: Final = 120.0
"""What is estimated to take longer is not counted exactly even when that is asked for."""

PREVIEW_FROM: Final = 0.05
"""A sampled preview comes first when counting is estimated to take longer, in seconds."""
PREVIEW_DEALS: Final = 100_000
"""At most so many deals."""

_LONGEST_NAME = 40
_MOST_ATTEMPTS = 200_000  # to deal anything at all

Plan = TypeVar("Plan")


class EquityQuestion(Struct, frozen=True):
    """Whose equity against whom; every calculation checks it first.

    Attributes
    ----------
    players : tuple of Range
        2 to 10; a known hand is a range of one combo.
    board : tuple of Card
        0, 3, 4 or 5 cards.
    dead : tuple of Card
        Cards known to be out of play.
    samples : int or None
        How many deals to sample, 2 to `MOST_SAMPLES`. None counts exactly if that takes about a second, and samples
        `DEFAULT_SAMPLES` deals otherwise.
    is_exact : bool
        Count exactly even if it takes up to two minutes. Not together with `samples`.
    labels : tuple of str
        What to call the players in messages; none, or one for each.
    """

    players: tuple[Range, ...]
    board: tuple[Card, ...] = ()
    dead: tuple[Card, ...] = ()
    samples: int | None = None
    is_exact: bool = False
    labels: tuple[str, ...] = ()


def check_question(question: EquityQuestion, seed: int, executor: Executor | None) -> Sums:
    """Check what is asked, and return each player's weights without what can never be dealt.

    Returns
    -------
    ndarray of float64, shape (players, 1326)
        Each on a scale of its own, the largest of a row from 0.5 to 1.

    Raises
    ------
    EquityError
        If the question has no answer, or the seed or the executor is none.
    """
    check_executor(executor)
    check_seed(seed)
    check_sequence(question.players, "Players", EquityError)
    count = len(question.players)
    if not MIN_PLAYERS <= count <= MAX_PLAYERS:
        raise EquityError(f"Equity needs {MIN_PLAYERS} to {MAX_PLAYERS} players, not {count}.")
    if len(question.labels) not in (0, count):
        raise EquityError(f"There are {len(question.labels)} labels for {count} players.")
    for player, hands in enumerate(question.players):
        if not isinstance(hands, Range):
            raise EquityError(f"Player {player + 1} has no Range but {hands!r}.", (player,))
    if question.samples is not None:
        check_deals(question.samples)
    if question.samples is not None and question.is_exact:
        raise EquityError("Deals are either sampled or counted exactly, not both.")
    check_cards(question.board, question.dead)
    undealt = CARD_COUNT - len(question.board) - len(question.dead)
    needed = 2 * count + 5 - len(question.board)
    if undealt < needed:
        raise EquityError(
            f"Too many cards are dead: {count} players and the rest of the board need {needed}, "
            f"and {undealt} are left."
        )
    known = unblocked((*question.board, *question.dead))
    live = np.array([hands.weights * known for hands in question.players], dtype=np.float64)
    for player, hands in enumerate(question.players):
        if hands.is_empty:
            raise EquityError(f"The range of {_name(question, player)} is empty.", (player,))
        if not live[player].any():
            raise EquityError(_why_blocked(question, player), (player,))
    # By powers of two, which changes no answer: products of ten weights must not come out as 0.
    live = np.ldexp(live, -np.frexp(live.max(axis=1))[1][:, None])
    _check_together(live, question)
    return _without_certain_cards(live)


def _name(question: EquityQuestion, player: int) -> str:
    """Say who a player is, for messages only: a range's text takes longer than most answers."""
    text = question.labels[player] if question.labels else format_range(question.players[player])
    return f"player {player + 1}" + (f" ({printable(text)})" if 0 < len(text) <= _LONGEST_NAME else "")


def _why_blocked(question: EquityQuestion, player: int) -> str:
    name = _name(question, player)
    combos = np.flatnonzero(question.players[player].weights)
    if len(combos) > 1:
        return f"Every hand of {name} holds a card of the board or a dead card."
    card = next(int(card) for card in COMBO_CARDS[combos[0]] if card in (*question.board, *question.dead))
    place = "on the board" if card in question.board else "among the dead cards"
    return f"The card {format_card(card)} of {name} is {place}."


def _without_certain_cards(live: Sums) -> Sums:
    """Take from every range the combos with a card that another player is sure to hold."""
    certain = [np.bitwise_and.reduce(COMBO_MASK[weights > 0]) for weights in live]
    before = -1
    while (now := int(np.count_nonzero(live))) != before:
        before = now
        for player, weights in enumerate(live):
            others = np.bitwise_or.reduce([mask for other, mask in enumerate(certain) if other != player])
            weights[(COMBO_MASK & others) != 0] = 0
            certain[player] = np.bitwise_and.reduce(COMBO_MASK[weights > 0])
    return live


def _check_together(live: Sums, question: EquityQuestion) -> None:
    """Name the players whose ranges clash, as few as possible, if no deal is free of clashes."""
    clashing = list(range(len(live)))
    if _can_be_dealt(live):
        return
    for player in range(len(live)):
        others = [other for other in clashing if other != player]
        if not _can_be_dealt(live[others]):
            clashing = others
    names = [_name(question, player) for player in clashing]
    together = listed(names)
    certain = [np.bitwise_and.reduce(COMBO_MASK[live[player] > 0]) for player in clashing]
    shared = int(np.bitwise_and.reduce(certain))
    if len(clashing) == 2 and shared:
        card = format_card(shared.bit_length() - 1)
        raise EquityError(f"The card {card} cannot be held by both {together}.", tuple(clashing))
    raise EquityError(
        f"No cards can be dealt to {together} together: whatever some hold, nothing is left for another.",
        tuple(clashing),
    )


def _can_be_dealt(live: Sums) -> bool:
    """Return whether some deal has no clash; gives up after many attempts and then says yes."""
    hands = sorted((COMBO_MASK[weights > 0] for weights in live), key=len)
    # The narrowest ranges need two cards for each.
    cards = accumulate(map(np.bitwise_or.reduce, hands), np.bitwise_or)
    if any(int(used).bit_count() < 2 * players for players, used in enumerate(cards, 1)):
        return False
    masks: list[list[int]] = [held.tolist() for held in hands]
    attempts = 0
    in_vain: set[tuple[int, int]] = set()  # ranges of the same few cards use them up in many ways

    def deal(player: int, used: int) -> bool:
        nonlocal attempts
        if player == len(masks):
            return True
        if (player, used) in in_vain:
            return False
        for mask in masks[player]:
            attempts += 1
            if attempts > _MOST_ATTEMPTS or (not mask & used and deal(player + 1, used | mask)):
                return True
        in_vain.add((player, used))
        return False

    return deal(0, 0)


def plan_exact(question: EquityQuestion, plan: Callable[[float], Plan]) -> Plan | None:
    """Plan to count a question exactly within a budget in seconds; None if it is to be sampled.

    Raises
    ------
    EquityError
        If it is to be counted, and that would take longer than `LONGEST_EXACT_SECONDS`.
    """
    if question.samples is not None:
        return None
    found = plan(LONGEST_EXACT_SECONDS if question.is_exact else EXACT_SECONDS)
    if found is None and question.is_exact:
        raise EquityError(
            "Counting this exactly would take longer than two minutes; sample it or narrow the ranges."
        )
    return found
