"""Decisions known to be bad or good, each made by a rule that needs no model of play."""

from typing import NamedTuple

from engine.game.events import Action
from engine.game.observation import Observation
from tests.engine.agents.hands import action_of, deal, play, turn_of


class Known(NamedTuple):
    """A decision at a table of six with 100 big blinds: the actions before it, what was done, and the rule."""

    rule: str
    hole_cards: str
    board: str
    words: str
    action: str

    def decision(self) -> tuple[Observation, Action]:
        """Return what the player saw, and what they did."""
        table = play(deal([10_000] * 6, board=self.board), self.words)
        assert table.to_act is not None
        table = deal([10_000] * 6, hole_cards={table.to_act: self.hole_cards}, board=self.board)
        return turn_of(play(table, self.words)), action_of(self.action)


# The button raises, the big blind calls a bet on the flop, and bets the pot on the river, or checks to the button.
_FACING_A_RIVER_BET = "f f f 250 f c | x 300 c | x x | 1150"
_CHECKED_TO = "f f f 250 f c | x 300 c | x 800 c | x"
_DRY = "AhKhQs9d4c"

BAD = [
    *(
        Known("folds the nuts on the river", cards, board, _FACING_A_RIVER_BET, "f")
        for cards, board in (
            ("AcKc", "QcJc2d7h3c"),  # a flush, the best there is
            ("AsAd", "AhKhKs7d3c"),  # a full house behind kings that nobody has twice
            ("9h8h", "7h6h5hKsQs"),  # a straight flush
            ("KcTc", "QsJhAd4s2h"),  # a straight
        )
    ),
    *(
        Known("calls a pot-sized bet on the river with a hand that beats no pair and hardly a bluff", *spot, "c")
        for spot in (
            ("7c2d", _DRY, _FACING_A_RIVER_BET),
            ("6c5d", "AhKhQs9d2c", _FACING_A_RIVER_BET),
            ("5s3s", "KdQd9h8h7c", _FACING_A_RIVER_BET),
        )
    ),
    *(
        Known(
            "calls all-in on the turn with no draw and no pair", cards, board, "f f f 250 f c | x 400 c | 9350", "c"
        )
        for cards, board in (("6c5d", "AhKsQd9h"), ("7s4d", "KhQhJs2c"))
    ),
    *(
        Known("folds the best hole cards before the flop", cards, "", words, "f")
        for cards, words in (("AcAd", "f f 250"), ("AcAd", "f f f 250 800 f"), ("KcKd", "f f f 250 800 f"))
    ),
    *(
        Known("goes in for 100 big blinds with the worst hole cards", cards, "", words, action)
        for cards, words, action in (
            ("7c2d", "", "10000"),
            ("8c3d", "f", "10000"),
            ("7c2d", "f f 10000", "c"),
            ("Jc4d", "f f 10000", "c"),
        )
    ),
    Known("goes in for 100 big blinds with nothing on a dry flop", "7c5d", "AhKsQd", "f f f 250 f c | x", "9750"),
    *(
        Known("bets the least with the nuts into a dry pot on the river", cards, board, _CHECKED_TO, "100")
        for cards, board in (("AcKc", "QcJc2d7h3c"), ("7s7d", "7h7cKs2d3d"))
    ),
    *(
        Known("checks the nuts last on the river", cards, board, _CHECKED_TO, "x")
        for cards, board in (("AcKc", "QcJc2d7h3c"), ("7s7d", "7h7cKs2d3d"))
    ),
    Known("folds a set to a bet on the flop", "7c7d", "7hKs2d", "f f f 250 f c | 400", "f"),
]

GOOD = [
    *(
        Known("folds the worst hole cards before the flop", cards, "", words, "f")
        for cards, words in (("7c2d", ""), ("8c3d", "f"), ("Jc4d", "f f 250"), ("7c2d", "f f 10000"))
    ),
    *(
        Known("raises the best hole cards by a usual size", cards, "", words, size)
        for cards, words, size in (
            ("AcAd", "", "250"),
            ("KcKd", "f", "250"),
            ("AcKc", "", "250"),
            ("AcAd", "f f 250", "800"),
            ("KcKd", "f f f 250 800 f", "2200"),
        )
    ),
    *(
        Known("folds a hand that beats no pair to a pot-sized bet on the river", *spot, "f")
        for spot in (
            ("7c2d", _DRY, _FACING_A_RIVER_BET),
            ("6c5d", "AhKhQs9d2c", _FACING_A_RIVER_BET),
            ("5s3s", "KdQd9h8h7c", _FACING_A_RIVER_BET),
        )
    ),
    *(
        Known("folds to an all-in on the turn with no draw and no pair", *spot, "f")
        for spot in (
            ("6c5d", "AhKsQd9h", "f f f 250 f c | x 400 c | 9350"),
            ("7s4d", "KhQhJs2c", "f f f 250 f c | x 400 c | 9350"),
        )
    ),
    *(
        Known("bets the nuts on the river by about two thirds of the pot", cards, board, _CHECKED_TO, "1800")
        for cards, board in (("AcKc", "QcJc2d7h3c"), ("7s7d", "7h7cKs2d3d"))
    ),
    Known("calls a bet on the flop with a set", "7c7d", "7hKs2d", "f f f 250 f c | 400", "c"),
    Known("bets top pair on a dry flop by two thirds of the pot", "AcJd", "Ah8s2d", "f f f 250 f c | x", "350"),
    Known("calls all-in before the flop with aces", "AcAd", "", "f f 10000", "c"),
]
