"""Settings of a session: what can be played, and the presets."""

import pytest
from msgspec import structs

from engine.codec import decode, encode
from engine.game.events import GameKind
from engine.game.format_file import built_in, cash_game
from engine.game.formats import MAX_SEED, GameConfig, GameConfigError, Level, SeatConfig, parse_level
from engine.game.rules import TableRules

SEATS = (SeatConfig("Ann", "human"), SeatConfig("Ben", "fold"), SeatConfig("Cyd", "station"))
CONFIG = cash_game(SEATS, seed=7)


def test_the_cash_preset_is_100_big_blinds_deep() -> None:
    CONFIG.verify()
    assert CONFIG.kind == GameKind.CASH
    assert CONFIG.rules_at(0, 0) == TableRules(50, 100, counts_bets=False)
    assert CONFIG.starting_stack == 100 * CONFIG.big_blind
    assert CONFIG.max_hands is None


def test_settings_can_be_stored() -> None:
    assert decode(encode(CONFIG), GameConfig) == CONFIG


def test_a_game_stored_by_version_0_1_can_be_played() -> None:
    """As that version wrote it, before formats had names."""
    stored = (
        b'{"kind":"tournament","seats":[{"name":"Ann","style":"human"},{"name":"Ben","style":"fold"}],'
        b'"starting_stack":2000,"small_blind":20,"big_blind":40,"ante":0,"rebuys":1,"does_rebuy_bots":true,'
        b'"seed":7,"max_hands":600}'
    )
    game = decode(stored, GameConfig)
    game.verify()
    paper = built_in("paper").game((SeatConfig("Ann", "human"), SeatConfig("Ben", "fold")), seed=7)
    assert game == structs.replace(paper, name="")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"seats": SEATS[:1]}, "A game needs 2 to 10 seats, not 1."),
        ({"seats": SEATS * 4}, "A game needs 2 to 10 seats, not 12."),
        (
            {"seats": (*SEATS, SeatConfig("Ben", "fold"))},
            "The name 'Ben' is taken twice; every player needs one of their own.",
        ),
        (
            {"seats": (*SEATS, SeatConfig("Ben ", "fold"))},
            "The name 'Ben' is taken twice; every player needs one of their own.",
        ),
        ({"seats": (*SEATS, SeatConfig(" ", "fold"))}, "Seat 4 needs a name."),
        ({"seats": (*SEATS, SeatConfig("Dan", ""))}, "'Dan' needs a style: human or one of the bots'."),
        ({"small_blind": 0}, "The small blind must be at least 1 chip, not 0."),
        ({"small_blind": 200}, "The big blind (100) must not be below the small blind (200)."),
        ({"ante": -5}, "The ante must not be negative, and it is -5."),
        (
            {"starting_stack": 109, "ante": 10},
            "A starting stack of 109 does not pay the big blind and the ante (110).",
        ),
        ({"starting_stack": 10**13}, "A starting stack must be at most 1000000000000 chips, not 10000000000000."),
        ({"rebuys": -1}, "The number of rebuys must not be negative, and it is -1."),
        ({"seed": -1}, f"The seed must be from 0 to {MAX_SEED}, not -1."),
        ({"seed": 2**63}, f"The seed must be from 0 to {MAX_SEED}, not {2**63}."),
        ({"max_hands": 0}, "A session needs at least one hand, not 0."),
    ],
)
def test_impossible_settings_are_refused_in_one_sentence(changes: dict[str, object], why: str) -> None:
    with pytest.raises(GameConfigError) as caught:
        structs.replace(CONFIG, **changes).verify()
    assert str(caught.value) == why


def test_levels_are_written_as_small_and_big_blind_and_ante() -> None:
    for text in ("1/2", "50/100", "50/100/10"):
        assert str(parse_level(text)) == text
    for text in ("", "50", "50/", "50/100/", "a/b", "1/2/3/4", "-1/2", "1.5/3", "9" * 14 + "/1"):
        with pytest.raises(GameConfigError, match=r"^A level is small blind/big blind or small/big/ante, not '"):
            parse_level(text)


TOURNAMENT = built_in("tournament").game(tuple(SeatConfig(f"p{seat}", "random") for seat in range(4)))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"levels": (Level(50, 25),)}, "Level 50/25: The big blind (25) must not be below the small blind (50)."),
        ({"hands_per_level": 0}, "Levels last a number of hands, and these 12 last 0."),
        ({"levels": ()}, "Levels last a number of hands, and these 0 last 10."),
        ({"levels": (Level(1, 2),) * 101}, "A tournament has at most 100 further levels, not 101."),
        ({"doubles_each_lap": True}, "Blinds either double each lap or follow levels, not both."),
        (
            {"payouts": (60, 30)},
            "Prizes are shares of at least 1% that sum to 100%, and these are 60, 30, which sum to 90.",
        ),
        (
            {"payouts": (110, -10)},
            "Prizes are shares of at least 1% that sum to 100%, and these are 110, -10, which sum to 100.",
        ),
        ({"payouts": (20,) * 5}, "There are prizes for 5 places and 4 players."),
        ({"seats": TOURNAMENT.seats[:3]}, "'Tournament, rising blinds' needs 4 to 10 seats, not 3."),
        ({"does_reset_stacks": True}, "A tournament whose stacks are reset would never end: it takes a cash game."),
        ({"kind": GameKind.CASH}, "Levels are for tournaments, and this cash game has 15/30, 25/50, 50/100, "),
        (
            {"kind": GameKind.CASH, "levels": (), "hands_per_level": 0},
            "Prizes are for tournaments, and this cash game has 50, 30, 20.",
        ),
        (
            {"kind": GameKind.CASH, "levels": (), "hands_per_level": 0, "payouts": (), "ends_at_half": True},
            "Blinds that double each lap and an end at half are for tournaments.",
        ),
    ],
)
def test_impossible_tournaments_are_refused_in_one_sentence(changes: dict[str, object], why: str) -> None:
    TOURNAMENT.verify()
    with pytest.raises(GameConfigError) as caught:
        structs.replace(TOURNAMENT, **changes).verify()
    assert str(caught.value).startswith(why)
