"""What a hand hits on a board, hand by hand in plain words: slow and obvious."""

from collections.abc import Sequence

from engine.strength import Category, Draw, best_five, category_of, describe, draws, strength

STRAIGHTS = [{12, 0, 1, 2, 3}, *({*range(low, low + 5)} for low in range(9))]
ON_BOARD = "pair or better on the board"
BY_CATEGORY = {
    Category.STRAIGHT: "straight",
    Category.FLUSH: "flush",
    Category.FULL_HOUSE: "full house",
    Category.FOUR_OF_A_KIND: "quads",
    Category.STRAIGHT_FLUSH: "straight flush",
}


def made_hand(hole: Sequence[int], board: Sequence[int]) -> str:
    """Name the made hand from the words of `describe` and the five cards that play."""
    words = describe(hole, board)
    mine, theirs = [card // 4 for card in hole], [card // 4 for card in board]
    of_board = ON_BOARD + (", ace kicker" if 12 in mine else "")
    if words.endswith(", on the board"):
        return "plays the board"
    category = category_of(strength([*hole, *board]))
    if category in BY_CATEGORY:
        four_on_board = category is Category.FOUR_OF_A_KIND and any(theirs.count(rank) == 4 for rank in theirs)
        return of_board if four_on_board else BY_CATEGORY[category]
    if category is Category.THREE_OF_A_KIND:
        return "set" if words.startswith("a set of") else "trips" if words.startswith("trip ") else of_board
    if category is Category.HIGH_CARD:
        return {12: "ace high", 11: "king high"}.get(max(mine), "queen high or lower")
    playing = [card // 4 for card in best_five([*hole, *board])]
    own = [rank for rank in sorted({*playing}, reverse=True) if playing.count(rank) == 2 and rank in mine]
    if not own:
        return of_board
    return "two pair" if len(own) == 2 else one_pair(own[0], mine, theirs)


def one_pair(pair: int, mine: Sequence[int], theirs: Sequence[int]) -> str:
    """Name a pair by its place among the board's ranks."""
    higher = sum(rank > pair for rank in {*theirs})
    if mine[0] == mine[1]:
        return ["overpair", "pocket pair below top pair", "weak pair"][min(higher, 2)]
    if higher > 0:
        return "middle pair" if higher == 1 else "weak pair"
    kicker = mine[1] if mine[0] == pair else mine[0]
    if all(rank in theirs for rank in range(kicker + 1, 13)):
        return "top pair, top kicker"
    return "top pair, good kicker" if kicker >= "23456789TJQKA".index("T") else "top pair, weak kicker"


def all_draws(hole: Sequence[int], board: Sequence[int]) -> set[str]:
    """Name all draws on a flop or turn."""
    drawn = draws(hole, board)
    straight = {Draw.OPEN_ENDED, Draw.DOUBLE_GUTSHOT, Draw.GUTSHOT} & {*drawn}
    found = set()
    if Draw.FLUSH in drawn:
        cards = [*hole, *board]
        suit = next(suit for suit in range(4) if sum(card % 4 == suit for card in cards) == 4)
        best = max(card for card in range(52) if card % 4 == suit and card not in board)
        found.add("nut flush draw" if best in hole else "flush draw")
    if straight:
        found.add("gutshot" if straight == {Draw.GUTSHOT} else "open-ended straight draw")
    if straight and Draw.FLUSH in drawn:
        found.add("flush draw with straight draw")
    if Draw.OVERCARDS in drawn:
        found.add("two overcards")
    return found


def backdoor_draws(hole: Sequence[int], board: Sequence[int]) -> set[str]:
    """Name what two more cards may bring on a flop."""
    category = category_of(strength([*hole, *board]))
    mine, held = {card // 4 for card in hole}, {card // 4 for card in [*hole, *board]}
    found = set()
    suits = [card % 4 for card in hole]
    if suits[0] == suits[1] and [card % 4 for card in board].count(suits[0]) == 1 and category < Category.FLUSH:
        found.add("backdoor flush draw")
    draws_to_one = {Draw.OPEN_ENDED, Draw.DOUBLE_GUTSHOT, Draw.GUTSHOT} & {*draws(hole, board)}
    two_short = any(len(mine) == 2 and mine <= straight and len(straight - held) <= 2 for straight in STRAIGHTS)
    if two_short and not draws_to_one and category < Category.STRAIGHT:
        found.add("backdoor straight draw")
    return found
