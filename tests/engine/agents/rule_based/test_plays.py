"""Each play is made where its conditions hold, and nowhere else."""

import pytest

from engine.agents.explain import _RULES
from engine.agents.rule_based.plays import HOW_OFTEN, PLAYS, play_from, spot_of
from engine.game.events import CALL, CHECK, Action, raise_to
from engine.game.table import Table
from tests.engine.agents.hands import deal, play, turn_of

FULL_HOUSE, BOARD = "7s2c", "7h7d2sKc4d"


def six(hole_cards: str, words: str, seat: int, stack: int = 10_000) -> Table:
    """Six seats, the button at 0, blinds at 1 and 2: 3 is early, 4 middle, 5 and 0 late."""
    table = play(deal([stack] * 6, hole_cards={seat: hole_cards}, board=BOARD), words)
    assert table.to_act == seat
    return table


def two(hole_cards: str, words: str, seat: int, board: str = BOARD) -> Table:
    """Heads-up, the small blind on the button at 0."""
    table = play(deal([10_000] * 2, hole_cards={seat: hole_cards}, board=board), words)
    assert table.to_act == seat
    return table


def made(name: str, table: Table) -> tuple[str, Action] | None:
    return PLAYS[name].made(spot_of(turn_of(table)))


@pytest.mark.parametrize(
    ("name", "table", "rule", "action"),
    [
        ("steal", six("Ah8d", "f f", 5), "steal", raise_to(250)),
        ("steal", six("Ah8d", "f f f f", 1), "steal", raise_to(250)),
        ("steal", two("9h5d", "", 0), "steal", raise_to(250)),
        ("squeeze", six("AsQs", "300 c", 5), "squeeze", raise_to(1350)),
        ("light three-bet", six("Kd9d", "f f 250 f", 1), "light_three_bet", raise_to(750)),
        ("light three-bet", two("Kd9d", "250", 1), "light_three_bet", raise_to(750)),
        ("limp trap", six("AcAd", "", 3), "limp_trap", CALL),
        ("limp trap", six("AcAd", "c f f f f 400", 3), "limp_reraise", raise_to(1400)),
        ("push", six("9c9d", "", 3, 1_000), "push", raise_to(1_000)),
        ("c-bet", two("Qc9d", "300 c | x", 0), "c_bet", raise_to(330)),
        ("second barrel", two("Qc9d", "300 c | x 330 c | x", 0), "second_barrel", raise_to(819)),
        ("check-raise", two(FULL_HOUSE, "300 c |", 1), "check_raise_check", CHECK),
        ("check-raise", two(FULL_HOUSE, "300 c | x 300", 1), "check_raise", raise_to(1_500)),
        ("slow play", two(FULL_HOUSE, "300 c | x", 0), "slow_play_check", CHECK),
        ("slow play", two(FULL_HOUSE, "300 c | 300", 0), "slow_play_call", CALL),
        ("blocking bet", two("8s8d", "300 c | x x | x x |", 1), "blocking_bet", raise_to(150)),
        ("float", two("QcTd", "300 c | 300", 0), "float", CALL),
        ("float", two("QcTd", "300 c | 300 c | x", 0), "float_bet", raise_to(780)),
        ("float", two("AcTd", "300 c | 300", 0), "position_call", CALL),
        ("float", two("Qc7c", "300 c | 300", 0), "position_call", CALL),
        ("float", two("8s8d", "300 c | 300 c | x", 0), "position_bet", raise_to(780)),
        ("probe", two("QcTd", "300 c | x x |", 1), "probe", raise_to(300)),
        ("lead", two(FULL_HOUSE, "300 c |", 1), "lead", raise_to(240)),
        ("overbet", two(FULL_HOUSE, "300 c | x x | x x | x", 0), "overbet", raise_to(900)),
        ("overbet", two("6c5s", "300 c | x x | x 300 c | x", 0), "overbet_bluff", raise_to(1_800)),
    ],
)
def test_a_play_is_made(name: str, table: Table, rule: str, action: Action) -> None:
    assert made(name, table) == (rule, action)
    table.apply(action)  # it is legal
    assert "{act}" in _RULES[rule]


@pytest.mark.parametrize(
    ("name", "table", "why"),
    [
        ("steal", six("Ah8d", "", 3), "too early"),
        ("steal", six("Ah8d", "c f", 5), "somebody limped"),
        ("steal", six("7c2d", "f f", 5), "too weak"),
        ("squeeze", six("AsQs", "300 f", 5), "nobody called"),
        ("squeeze", six("7c2d", "300 c", 5), "too weak"),
        ("light three-bet", six("Kd9d", "250 f f f", 1), "raised from early"),
        ("light three-bet", six("AcAd", "f f 250 f", 1), "too strong to be light"),
        ("light three-bet", six("Kd9d", "f f 250 c", 1), "somebody called"),
        ("limp trap", six("QcQd", "300", 4), "never limped"),
        ("limp trap", six("Kd9d", "", 3), "too weak"),
        ("push", six("9c9d", "", 3), "too deep"),
        ("push", six("7c2d", "", 3, 1_000), "too weak"),
        ("c-bet", two("Qc9d", "300 c | 300", 0), "somebody bet"),
        ("c-bet", two("Qc9d", "200 600 c | x", 0), "the other raised last"),
        ("second barrel", two("Qc9d", "300 c | x x | x", 0), "no bet on the flop"),
        ("second barrel", two("9c8d", "300 c | x 330 c | x", 0, "KhKd2s7c4d"), "nothing new"),
        ("check-raise", two("QcTd", "300 c |", 1), "too weak"),
        ("check-raise", two(FULL_HOUSE, "200 600 c |", 1), "the lead is its own"),
        ("slow play", two("AhKh", "300 c | x", 0, "Qh7h2hKc4d"), "three of a suit"),
        ("slow play", two("QcTd", "300 c | x", 0), "too weak"),
        ("blocking bet", two("8s8d", "300 c | x x | x x | x", 0), "last to act"),
        ("blocking bet", two("3s5h", "300 c | x x | x x |", 1), "too weak"),
        ("float", two("QcTd", "300 c | 700", 0), "too dear"),
        ("float", two("QcTd", "300 c | x 300 900", 0), "a raise"),
        ("probe", two("QcTd", "300 c | x 300 c |", 1), "the flop was bet"),
        ("lead", two("QcTd", "300 c |", 1), "too weak"),
        ("lead", two(FULL_HOUSE, "300 c | x", 0), "raised itself"),
        ("overbet", two("8s8d", "300 c | x x | x x | x", 0), "neither strong nor nothing"),
    ],
)
def test_a_play_is_not_made(name: str, table: Table, why: str) -> None:
    assert made(name, table) is None, why


def test_plays_are_made_as_often_as_they_are_said_to_be() -> None:
    observation = turn_of(two("Qc9d", "300 c | x", 0))
    rulings = [play_from((("c-bet", 0.6),), observation, seed) for seed in range(400)]
    assert 0.54 < sum(ruling is not None for ruling in rulings) / 400 < 0.66
    assert all(play_from((("c-bet", 1.0),), observation, seed) is not None for seed in range(20))


def test_the_first_play_that_is_made_decides_and_says_how_often() -> None:
    observation = turn_of(two(FULL_HOUSE, "300 c | x", 0))
    ruling = play_from((("probe", 1.0), ("slow play", 1.0), ("c-bet", 1.0)), observation, 1)
    assert ruling is not None
    assert ruling[0] == "slow_play_check"
    assert {figure.name: figure.value for figure in ruling[2]}[HOW_OFTEN] == 1.0
