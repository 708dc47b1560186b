"""Formats as text: what ships with the app, what a player may write, and what is refused in which sentence."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from engine.game.events import GameKind
from engine.game.format_file import (
    FORMATS,
    FormatFileError,
    built_in,
    format_text,
    parse_format,
    read_format,
)
from engine.game.formats import GameConfigError, GameFormat, Level, SeatConfig
from engine.settings_text import LARGEST_FILE

CASH = 'kind = "cash"\nstarting_stack = 400\nsmall_blind = 1\nbig_blind = 2\n'


def players(count: int) -> tuple[SeatConfig, ...]:
    return tuple(SeatConfig(f"p{seat}", "random") for seat in range(count))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_of_the_app_can_be_played_and_written(name: str) -> None:
    game_format = built_in(name)
    game_format.game(players(game_format.least_seats)).verify()
    game_format.game(players(game_format.most_seats)).verify()
    assert parse_format(format_text(game_format)) == game_format


def test_every_file_of_formats_is_offered_by_a_name_of_its_own() -> None:
    files = {path.stem for path in (Path(__file__).parents[3] / "resources" / "formats").glob("*.toml")}
    assert files == set(FORMATS)
    assert len({built_in(name).name for name in FORMATS}) == len(FORMATS)


def test_the_match_of_the_paper_is_table_2() -> None:
    """Li et al. 2017, table 2: 600 hands, blinds 20/40, 2000 chips, one rebuy of 2000."""
    paper = built_in("paper")
    assert paper.kind == GameKind.TOURNAMENT
    assert (paper.max_hands, paper.small_blind, paper.big_blind) == (600, 20, 40)
    assert (paper.starting_stack, paper.rebuys) == (2000, 1)


def test_heads_up_is_for_two_with_20000_chips_each_hand() -> None:
    heads_up = built_in("heads-up")
    assert (heads_up.starting_stack, heads_up.small_blind, heads_up.big_blind) == (20_000, 50, 100)
    assert heads_up.does_reset_stacks
    with pytest.raises(GameConfigError, match=r"^'Heads-up, stacks reset' needs 2 seats, not 3\.$"):
        heads_up.game(players(3)).verify()


@given(
    st.builds(
        GameFormat,
        name=st.text(st.characters(codec="utf-8"), min_size=1, max_size=60).filter(
            lambda text: text.isprintable() and text.strip() == text
        ),
        kind=st.sampled_from(GameKind),
        starting_stack=st.integers(0, 10**13),
        small_blind=st.integers(0, 1000),
        big_blind=st.integers(0, 1000),
        ante=st.integers(-1, 1000),
        rebuys=st.integers(-1, 3),
        levels=st.lists(st.builds(Level, st.integers(0, 9), st.integers(0, 99), st.integers(0, 9)), max_size=3).map(
            tuple
        ),
        hands_per_level=st.integers(-1, 3),
        doubles_each_lap=st.booleans(),
        ends_at_half=st.booleans(),
        payouts=st.sampled_from([(), (100,), (60, 40), (50, 30, 10), (90, 10)]),
        does_rebuy_bots=st.booleans(),
        does_reset_stacks=st.booleans(),
        max_hands=st.none() | st.integers(0, 10**6),
    )
)
def test_what_is_written_is_read_again_or_refused_for_the_same_reason(game_format: GameFormat) -> None:
    why = ""
    try:
        game_format.verify_format()
    except GameConfigError as error:
        why = str(error)
    if why:
        with pytest.raises(FormatFileError) as refused:
            parse_format(format_text(game_format))
        assert str(refused.value) == why
    else:
        assert parse_format(format_text(game_format)) == game_format


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("small_blnd = 1", "'small_blnd' is no setting of a format; did you mean 'small_blind'?"),
        (
            CASH + 'ante = "10"',
            "The setting 'ante' is a whole number of at most 1,000,000,000,000,000, not \"10\".",
        ),
        (CASH + "ante = 1.5", "The setting 'ante' is a whole number of at most 1,000,000,000,000,000, not 1.5."),
        (CASH + "ante = true", "The setting 'ante' is a whole number of at most 1,000,000,000,000,000, not true."),
        (
            CASH + f"ante = {'9' * 30}",
            f"The setting 'ante' is a whole number of at most 1,000,000,000,000,000, not {'9' * 30}.",
        ),
        (CASH + "does_reset_stacks = 1", "The setting 'does_reset_stacks' is true or false, not 1."),
        (CASH + 'name = ""', "The setting 'name' is a text of 1 to 60 characters, not \"\"."),
        (CASH.replace("cash", "sit and go"), 'The setting \'kind\' is "cash" or "tournament", not "sit and go".'),
        (CASH.replace("big_blind = 2", ""), "The setting 'big_blind' is missing; it is a whole number of at most"),
        (CASH + "ante = -1", "The ante must not be negative, and it is -1."),
        (CASH + "payouts = [100]", "Prizes are for tournaments, and this cash game has 100."),
        (CASH + 'payouts = "100"', "The setting 'payouts' is a list of whole numbers, not \"100\"."),
        (CASH + "payouts = [1.5]", "The setting 'payouts' is a list of whole numbers, not [1.5]."),
        (CASH + "levels = [[1, 2]]", "The setting 'levels' is a list of texts such as \"50/100\" or"),
        (CASH + 'levels = ["1-2"]', "A level is small blind/big blind or small/big/ante, not '1-2'."),
        (CASH + "most_seats = 11", "A format is for 2 to 10 players or for fewer of these, not for 2 to 11."),
        (
            CASH.replace("cash", "tournament") + "does_reset_stacks = true",
            "A tournament whose stacks are reset would never end: it takes a cash game.",
        ),
        (CASH + CASH, "Its TOML is damaged: Cannot overwrite a value"),
        ("a = " + "[" * 9000, "Its TOML is damaged"),
        (CASH + f"ante = {'9' * 6000}", "Its TOML is damaged"),
    ],
)
def test_what_is_no_format_is_refused_in_one_sentence(text: str, why: str) -> None:
    with pytest.raises(FormatFileError) as refused:
        parse_format(text)
    assert str(refused.value).startswith(why)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400


def test_a_format_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xef\xbb\xbf" + CASH.encode())
    assert read_format(path) == parse_format(CASH)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (None, "The format {path} cannot be read: No such file or directory."),
        (b"\xff\xfe", "The format mine.toml is not written in UTF-8."),
        (b"#" * (LARGEST_FILE + 1), "The format mine.toml has more than the 20,000 bytes that a format may have."),
        (b"ante = 1", "The format mine.toml cannot be played: The setting 'kind' is missing; "),
    ],
)
def test_a_file_that_is_no_format_is_named(tmp_path: Path, data: bytes | None, why: str) -> None:
    path = Path(tmp_path, "mine.toml")
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(FormatFileError) as refused:
        read_format(path)
    assert str(refused.value).startswith(why.format(path=path)[:60])


def test_an_unknown_format_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(FormatFileError, match="neither a format nor a file 'chess'; formats are cash, "):
        built_in("chess")


def test_a_game_has_the_format_that_it_was_made_of() -> None:
    paper = built_in("paper")
    assert paper.game(players(4), seed=9).format == paper
    assert structs.replace(paper.game(players(4)), ante=5).format == structs.replace(paper, ante=5)
