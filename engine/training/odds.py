"""Exercises with one right number: pot odds, outs, equities, and who is ahead of open cards."""

from collections.abc import Callable, Sequence

import numpy as np

from engine.cards import (
    BOARD_SIZE,
    CARD_COUNT,
    RANKS,
    STREET_NAMES,
    Card,
    HoleCards,
    Street,
    card_symbols,
    format_cards,
    rank_of,
)
from engine.equity.decisions import figures_of_bet, figures_of_call
from engine.equity.outs import chances_of_outs
from engine.equity.question import EquityQuestion
from engine.equity.solve import solve
from engine.game.events import Chips
from engine.game.observation import Observation
from engine.ranges import Range, parse_range, top_range
from engine.strength import Category, Draw, category_of, describe, draws, strength
from engine.training.exercise import MOST_POINTS, TOPICS, Choice, Drill, Exercise, Number
from engine.training.spots import (
    BIG_BLIND,
    Setting,
    all_in,
    any_setting,
    deal,
    draw_cards,
    draw_hands,
    to_all_in,
    to_bet,
    to_check,
    to_raise,
)

Amount = Callable[[Chips], str]
"""Writes chips in the player's units."""

_EASY = (1 / 2, 1.0, 1 / 3, 2.0)
_USUAL = (*_EASY, 2 / 3, 3 / 4, 1 / 4, 1.5)
_ODD = (0.28, 0.37, 0.42, 0.58, 0.85, 1.2, 1.35, 1.75)
_BETS = {1: _EASY, 2: _USUAL, 3: _USUAL, 4: _ODD, 5: _ODD}
"""Bets over the pot, by level."""

_POT_ODDS_SCALE = {1: (3.0, 15.0), 2: (2.0, 12.0), 3: (1.5, 10.0), 4: (1.5, 10.0), 5: (1.0, 8.0)}
_EQUITY_SCALE = {1: (6.0, 30.0), 2: (5.0, 25.0), 3: (4.0, 20.0), 4: (3.0, 16.0), 5: (2.0, 14.0)}
"""How far off in percentage points an answer has all points, and from where on it has none, by level."""

_MOST_TRIES = 20_000

_HIGH = RANKS.index("Q")


def _percent(value: float, scale: tuple[float, float]) -> Number:
    return Number(100 * value, *scale)


# ---- pot odds -----------------------------------------------------------------------------------------------


def pot_odds(topic: str, level: int, rng: np.random.Generator, amount: Amount) -> Exercise:
    """Ask what a call or a bet needs to break even, or how much of a range must not fold."""
    setting = any_setting(rng)
    street = Street(int(rng.integers(1, 4)))
    fraction = float(rng.choice(_BETS[level]))
    name = setting.names[setting.others[0]]
    if topic == "a bluff":
        hand, board = _draw_nothing(rng, street)
        spot = to_check(setting, deal(setting, rng, {setting.you: hand}, board), street)
        bet = max(round(fraction * spot.pot / 50) * 50, BIG_BLIND)
        share = figures_of_bet(spot.pot, bet).bluff_fold_equity
        question = (
            f"You bluff {amount(bet)} into {amount(spot.pot)} with a hand that never wins when called. "
            f"How often must {name} fold for the bluff to break even?"
        )
        why = f"bet ÷ (pot + bet) = {amount(bet)} ÷ {amount(spot.pot + bet)}."
        more = "The bluff risks the bet to win the pot; with any chance to win when called it needs fewer folds."
    else:
        table = deal(setting, rng, {setting.you: draw_hands(rng, 1, ())[0]})
        if topic == "a call of a raise":
            spot = to_raise(setting, table, street, (float(rng.choice(_EASY[:3])), fraction))
        else:
            spot = to_bet(setting, table, street, _bets(street, fraction, rng))
        assert spot.legal is not None
        to_call = spot.legal.call_amount
        call = figures_of_call(spot.pot, to_call)
        if topic == "defence":
            before = spot.pot - to_call
            share = call.defence_frequency
            question = (
                f"{name} bets {amount(to_call)} into {amount(before)}. What part of your hands must not fold, "
                "so that a bet with any two cards wins nothing?"
            )
            why = f"pot before the bet ÷ (that pot + bet) = {amount(before)} ÷ {amount(spot.pot)}."
            more = (
                "Minimum defence frequency (Chen and Ankenman 2006): it is what holds against a bettor who may "
                "have anything, and no advice against one who hardly bluffs."
            )
        else:
            what = "raises: a call costs" if topic == "a call of a raise" else "bets"
            share = call.required_equity
            question = (
                f"{name} {what} {amount(to_call)}; the pot is now {amount(spot.pot)}. "
                "Which equity does a call need?"
            )
            why = f"call ÷ (pot + call) = {amount(to_call)} ÷ {amount(spot.pot + to_call)}."
            more = f"The pot odds are {call.odds:.3g} to 1. Bets that may follow are not counted."
    return Exercise(
        drill=Drill.POT_ODDS,
        topic=topic,
        level=level,
        observation=spot,
        question=question,
        number=_percent(share, _POT_ODDS_SCALE[level]),
        explanation=(f"{share:.1%}: {why}", more),
    )


def _draw_nothing(rng: np.random.Generator, street: Street) -> tuple[HoleCards, tuple[Card, ...]]:
    """Draw a hand without a pair, a draw or a high card, as bluffs have that never win when called, and a board."""
    while True:
        first, second, *board = draw_cards(rng, 2 + BOARD_SIZE[street])
        is_high_card = category_of(strength((first, second, *board))) is Category.HIGH_CARD
        if is_high_card and max(rank_of(first), rank_of(second)) < _HIGH and not draws((first, second), board):
            return (first, second), tuple(board)


def _bets(street: Street, last: float, rng: np.random.Generator) -> tuple[float, ...]:
    """Return a bet or none on each earlier street, and the last one on the street asked about."""
    earlier = [float(rng.choice((0.0, 1 / 3, 1 / 2, 2 / 3))) for _ in range(street - 1)]
    return (*earlier, last)


# ---- outs ---------------------------------------------------------------------------------------------------

_COUNTED = (Draw.FLUSH, Draw.OPEN_ENDED, Draw.DOUBLE_GUTSHOT, Draw.GUTSHOT)
_COMPLETED = (Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH)
_ONE_OFF = 5.0


def outs(topic: str, level: int, rng: np.random.Generator, _amount: Amount) -> Exercise:
    """Ask how many cards put the player ahead of open cards, or how likely one of them is to come."""
    others = 2 if level >= 4 else 1
    setting = any_setting(rng, others=others)
    for _ in range(_MOST_TRIES):
        street = Street.FLOP if topic == "chances" and rng.random() < 0.7 else Street(int(rng.integers(1, 3)))
        board = draw_cards(rng, 2 + street)
        hands = draw_hands(rng, 1 + others, board)
        if _fits(topic, level, hands[0], board):
            winners = winning_cards(hands, board)
            if winners and _is_as_hard(level, hands[0], board, winners):
                break
    hole_cards = dict(zip(setting.in_hand, hands, strict=True))
    spot = all_in(setting, deal(setting, rng, hole_cards, board), street)
    figures = chances_of_outs(winners, len(board), 2 * others)
    them = "the other hand" if others == 1 else "both other hands"
    have = describe(hands[0], board)
    listed = card_symbols(winners, " ")
    if topic == "chances":
        by_river = street is Street.FLOP
        chance = figures.by_river if by_river else figures.next_card
        rule = figures.rule_by_river if by_river else figures.rule_next_card
        number = Number(100 * chance, *((3.0, 15.0) if level < 3 else (2.0, 10.0)))
        question = (
            f"{len(winners)} of the cards that can come put you ahead of {them}. How likely is it that at least "
            f"one of them comes {'on turn or river' if by_river else 'on the river'}?"
        )
        unseen = CARD_COUNT - 2 - 2 * others - len(board)
        sum_ = (
            f"1 − {unseen - len(winners)}/{unseen} × {unseen - 1 - len(winners)}/{unseen - 1}"
            if by_river
            else f"{len(winners)}/{unseen}"
        )
        why = (
            f"{chance:.1%} = {sum_}, with {unseen} cards left.",
            f"The rule of {'4' if by_river else '2'} says {rule:.0%}: {'4' if by_river else '2'}% for each out.",
            f"The cards: {listed}.",
        )
    else:
        number = Number(len(winners), 0.0, _ONE_OFF, "")
        after = STREET_NAMES[Street(street + 1)].lower()
        question = f"You have {have}. How many cards put you ahead of {them} on the {after}?"
        ties = set(tying_cards(hands, board))
        more = len(ties - _book_cards(hands[0], board))
        why = (
            f"{len(winners)}: {listed}.",
            _book_words(hands[0], board, set(winners), ties),
            *((_tie_words(more),) if more else ()),
        )
    return Exercise(
        drill=Drill.OUTS,
        topic=topic,
        level=level,
        observation=spot,
        question=question,
        number=number,
        explanation=why,
    )


def _fits(topic: str, level: int, hole_cards: HoleCards, board: Sequence[Card]) -> bool:
    """Return whether a hand has what a topic is about; the cheap test that most draws of cards fail."""
    found = [draw for draw in draws(hole_cards, board) if draw in _COUNTED]
    match topic:
        case "flush draws":
            return found == [Draw.FLUSH]
        case "straight draws":
            return len(found) == 1 and found[0] is not Draw.FLUSH and (level > 1 or found[0] is Draw.OPEN_ENDED)
        case "several draws":
            return len(found) > 1
        case "pairs and trips":
            return not found
        case _:
            return bool(found)


def _is_as_hard(level: int, hole_cards: HoleCards, board: Sequence[Card], winners: Sequence[Card]) -> bool:
    """Return whether outs are as easy to find as a level asks for: by the book, or from the third on others."""
    book = _book_cards(hole_cards, board)
    return level == 2 or not book or (book == set(winners)) == (level < 3)


def _book_cards(hole_cards: HoleCards, board: Sequence[Card]) -> set[Card]:
    """Return the cards that complete a straight or a flush of the player's own, whoever may hold them."""
    known = (*hole_cards, *board)
    now = category_of(strength(known))

    def made(card: int) -> Category:
        """Return what a card makes of the hand; what lies on the board then is everybody's."""
        after = strength((*known, card))
        is_own = len(board) < 4 or after > strength((*board, card))
        return category_of(after) if is_own else now

    unseen = [Card(card) for card in range(CARD_COUNT) if card not in known]
    found = {card: made(card) for card in unseen if made(card) in _COMPLETED and made(card) > now}
    # A rank counts four times, also where one of its suits puts a flush on the board.
    ranks = {rank_of(card) for card, category in found.items() if category is Category.STRAIGHT}
    return {card for card in unseen if card in found or rank_of(card) in ranks}


def _book_words(hole_cards: HoleCards, board: Sequence[Card], winners: set[Card], ties: set[Card]) -> str:
    found = " and ".join(draw.value for draw in draws(hole_cards, board) if draw in _COUNTED)
    if not found:
        return "You have no draw: what helps are cards that pair."
    book = _book_cards(hole_cards, board)
    bad, split, more = (len(cards) for cards in (book - winners - ties, book & ties, winners - book))
    parts = []
    if bad:
        parts.append(
            f"{bad} of them {'is' if bad == 1 else 'are'} held by others or make{'s' * (bad == 1)} them better"
        )
    if split:
        parts.append(f"{split} of them only split{'s' * (split == 1)} the pot")
    if more:
        parts.append(f"{more} more help{'s' * (more == 1)} as well")
    return f"Drawing: {found}. By the book that is {len(book)} outs; {', and '.join(parts) or 'all are good here'}."


def _tie_words(count: int) -> str:
    if count == 1:
        return "1 more only splits the pot, and is not counted."
    return f"{count} more only split the pot, and are not counted."


def winning_cards(hands: Sequence[HoleCards], board: Sequence[Card]) -> tuple[Card, ...]:
    """Return the next cards that put the first of open hands ahead of all others; none if it is not behind now."""
    now = [strength([*hand, *board]) for hand in hands]
    if now[0] >= max(now[1:]):
        return ()
    return tuple(card for card, own, best in _after_each(hands, board) if own > best)


def tying_cards(hands: Sequence[HoleCards], board: Sequence[Card]) -> tuple[Card, ...]:
    """Return the next cards that make the first of open hands as good as the best of the others."""
    return tuple(card for card, own, best in _after_each(hands, board) if own == best)


def _after_each(hands: Sequence[HoleCards], board: Sequence[Card]) -> list[tuple[Card, int, int]]:
    """Return each next card with the strength of the first hand and the best of the others' after it."""
    known = {card for hand in hands for card in hand} | set(board)
    found = []
    for card in reversed(range(CARD_COUNT)):
        if card not in known:
            own, *others = (strength([*hand, *board, card]) for hand in hands)
            found.append((Card(card), own, max(others)))
    return found


# ---- equities -----------------------------------------------------------------------------------------------

_SHARES = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7)


def equity(topic: str, level: int, rng: np.random.Generator, _amount: Amount) -> Exercise:
    """Ask for the equity of the player's hand against open cards or a range, which is counted exactly."""
    others = 2 if topic == "three hands" else 1
    is_before, is_range = topic.endswith("before the flop"), "range" in topic
    setting = any_setting(rng, others=others, is_in_big_blind=is_before and is_range)
    street = Street.PREFLOP if is_before else Street(int(rng.integers(1, 3)))
    board = draw_cards(rng, 0 if is_before else 2 + street)
    if is_range:
        return _against_range(topic, level, rng, setting, (street, board))
    hands = _worth_a_question(rng, board, 1 + others)
    spot = all_in(setting, deal(setting, rng, dict(zip(setting.in_hand, hands, strict=True)), board), street)
    own, *rest = equities_of(hands, board)
    number = Number(100 * own, *_EQUITY_SCALE[level])
    names = [spot.view(seat).name for seat in setting.others]
    shares = ", ".join(f"{name} {share:.1%}" for name, share in zip(names, rest, strict=True))
    return Exercise(
        drill=Drill.EQUITY,
        topic=topic,
        level=level,
        observation=spot,
        question="All cards lie open. What is your equity?",
        number=number,
        explanation=(f"{own:.1%}, counted exactly over all boards; {shares}.", *_hands_in_words(spot)),
    )


def _against_range(
    topic: str, level: int, rng: np.random.Generator, setting: Setting, where: tuple[Street, tuple[Card, ...]]
) -> Exercise:
    street, board = where
    share = float(rng.choice(_SHARES))
    theirs = top_range(share)
    (hand,) = draw_hands(rng, 1, board)
    table = deal(setting, rng, {setting.you: hand}, board)
    if street is Street.PREFLOP:
        spot = to_all_in(setting, table)
    else:
        spot = to_bet(setting, table, street, (*(0.0, 0.0)[: street - 1], 100.0))
    own = equities_of((hand, theirs), board)[0]
    number = Number(100 * own, *_EQUITY_SCALE[level])
    name = setting.names[setting.others[0]]
    return Exercise(
        drill=Drill.EQUITY,
        topic=topic,
        level=level,
        observation=spot,
        question=f"{name} is all-in with any of the best {share:.0%} of hands. What is your equity?",
        number=number,
        explanation=(f"{own:.1%} against that range, counted exactly over all hands and boards.",),
        ranges={setting.others[0]: theirs},
    )


def _worth_a_question(rng: np.random.Generator, board: Sequence[Card], players: int) -> list[HoleCards]:
    """Draw hands of which none has as good as won or lost."""
    while True:
        hands = draw_hands(rng, players, board)
        if all(0.03 < share < 0.97 for share in equities_of(hands, board)):
            return hands


def equities_of(hands: Sequence[HoleCards | Range], board: Sequence[Card]) -> tuple[float, ...]:
    """Return the exact equities of hands and ranges."""
    players = tuple(hand if isinstance(hand, Range) else parse_range(format_cards(hand)) for hand in hands)
    *_, last = solve(EquityQuestion(players, tuple(board), is_exact=True))
    return tuple(player.equity for player in last.value)


def _hands_in_words(spot: Observation) -> tuple[str, ...]:
    if not spot.board:
        return ()
    words = [
        f"{view.name} {'have' if view.seat == spot.seat else 'has'} {describe(cards, spot.board)}"
        for view in spot.seats
        if view.is_live and (cards := view.shown or (spot.hole_cards if view.seat == spot.seat else None))
    ]
    return ("; ".join(words) + ".",)


# ---- who is ahead -------------------------------------------------------------------------------------------

_LEADS = {1: (0.3, 0.9), 2: (0.18, 0.45), 3: (0.1, 0.25), 4: (0.05, 0.15), 5: (0.015, 0.08)}
"""By how much the favourite leads, by level: the closest calls are the hardest."""

_ALIKE = 0.005


def ahead(topic: str, level: int, rng: np.random.Generator, _amount: Amount) -> Exercise:
    """Ask who has the most equity of open cards in an all-in."""
    street = Street(TOPICS[Drill.AHEAD].index(topic))
    others = int(rng.integers(1, 3)) if level > 1 else 1
    setting = any_setting(rng, others=others)
    least, most = _LEADS[level]
    for _ in range(_MOST_TRIES):
        board = draw_cards(rng, (0, 3, 4)[street])
        hands = draw_hands(rng, 1 + others, board)
        shares = equities_of(hands, board)
        first, second = sorted(shares, reverse=True)[:2]
        if least <= first - second <= most:
            break
    spot = all_in(setting, deal(setting, rng, dict(zip(setting.in_hand, hands, strict=True)), board), street)
    by_seat = dict(zip(setting.in_hand, shares, strict=True))
    ordered = sorted(by_seat)
    choices = tuple(
        Choice(spot.view(seat).name, MOST_POINTS if by_seat[seat] >= first - _ALIKE else 0.0) for seat in ordered
    )
    listed = ", ".join(f"{spot.view(seat).name} {by_seat[seat]:.1%}" for seat in ordered)
    return Exercise(
        drill=Drill.AHEAD,
        topic=topic,
        level=level,
        observation=spot,
        question="All-in with open cards. Who is the favourite, with the most equity?",
        choices=choices,
        explanation=(f"{listed}, counted exactly over all boards.", *_hands_in_words(spot)),
        choice_scale="100 points for the favourite, or one within half a percentage point; else none.",
    )
