"""Push or fold: by exact equities heads-up, by eval7 with three; chips and prizes by the rules and pokerkit."""

import json
import re
from itertools import islice

import eval7
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pokerkit import calculate_icm

from engine.cards import COMBO_CLASS, COMBO_MASK, combo_of, format_card
from engine.cli import main
from engine.equity.matchups import heads_up_table
from engine.game.rules import pots_of
from engine.kernels.push_or_fold import Stakes, fill_worth, new_room
from engine.ranges import parse_range
from engine.tournaments.icm import IcmError
from engine.tournaments.push_or_fold import PushGame, PushOrFoldError, PushSolution, faced, solve


def solved(game: PushGame, steps: int, seed: int = 1, step: int = 5_000) -> PushSolution:
    *_, found = islice(solve(game, seed, step), steps)
    return found


@given(st.data())
def test_what_all_have_in_the_end_is_by_the_rules_of_pots_and_pokerkits_icm(data: st.DataObject) -> None:
    players = data.draw(st.integers(2, 5))
    stacks = data.draw(st.lists(st.integers(1, 30), min_size=players, max_size=players))
    posted = [min(stack, blind) for stack, blind in zip(stacks, [0] * (players - 2) + [1, 2], strict=True)]
    dead = data.draw(st.integers(0, 3))
    mask = data.draw(st.integers(1, 2**players - 1))
    strengths = data.draw(st.lists(st.integers(0, 3), min_size=players, max_size=players))
    prizes = data.draw(st.sampled_from([(), (3.0,), (5.0, 2.0)]))
    is_in = [bool(mask >> place & 1) for place in range(players)]
    committed = [stack if goes else blind for stack, blind, goes in zip(stacks, posted, is_in, strict=True)]
    after = [float(stack - put_in) for stack, put_in in zip(stacks, committed, strict=True)]
    behind = [stack - put_in for stack, put_in in zip(stacks, committed, strict=True)]
    for chips, places in pots_of(behind, committed, [not goes for goes in is_in], dead):
        best = max(strengths[place] for place in places)
        winners = [place for place in places if strengths[place] == best]
        for place in winners:
            after[place] += chips / len(winners)
    stakes = Stakes(np.array(stacks), np.array(posted), dead, np.array(prizes, np.float64))
    room = new_room(stakes)
    room.strengths[:] = strengths
    fill_worth(stakes, mask, room)
    if not prizes:
        assert room.worth.tolist() == pytest.approx(after)
        return
    left = [place for place in range(players) if after[place] > 0]
    expected = dict(zip(left, calculate_icm(prizes[: len(left)], [after[place] for place in left]), strict=True))
    of_out = sum(prizes[len(left) : players]) / max(players - len(left), 1)
    assert room.worth.tolist() == pytest.approx([expected.get(place, of_out) for place in range(players)])


@pytest.mark.parametrize(("depth", "ante"), [(5.0, 0.0), (10.0, 0.0), (15.0, 0.0), (8.0, 2.0)])
def test_heads_up_nobody_can_win_more_by_exact_equities(depth: float, ante: float) -> None:
    """With an ante the big blind has posted for both, it has so much less to play for."""
    found = solved(PushGame(stacks_bb=(depth, depth), big_blind_ante_bb=ante), 10)
    push, call = found.pushing(0).shares[COMBO_CLASS], found.pushing(1, (0,)).shares[COMBO_CLASS]
    is_free = ((COMBO_MASK[:, None] & COMBO_MASK) == 0).astype(np.float64)
    stake = depth - ante
    all_in = ((2 * stake + ante) * heads_up_table().equities() - stake) * is_free
    deals = is_free.sum()
    pushed = (1 + ante) * is_free @ (1 - call) + all_in @ call + 0.5 * is_free.sum(axis=1)  # over folding
    called = all_in @ push + is_free @ push
    for shares, leads in ((push, pushed), (call, called)):
        assert (np.maximum(leads, 0) - shares * leads).sum() / deals < 0.003
    assert found.pushing(0).fraction_stderr < 0.01


def test_ten_big_blinds_heads_up_are_played_as_in_published_charts() -> None:
    """58% are pushed and 37% call in the tables of Nash equilibria that players use."""
    found = solved(PushGame(stacks_bb=(10, 10)), 10)
    assert found.pushing(0).fraction == pytest.approx(0.583, abs=0.009)
    assert found.pushing(1, (0,)).fraction == pytest.approx(0.374, abs=0.004)
    always, never = parse_range("22+,A2+,K2s+,K9o+,QTo+,T9s"), parse_range("72o,82o,32o,T2o,J2o")
    assert found.pushing(0).range.weights[always.weights > 0].min() > 0.9
    assert found.pushing(0).range.weights[never.weights > 0].max() == 0


def test_three_players_do_what_wins_in_deals_judged_by_eval7() -> None:
    """In all rows, a call behind two, too: hands that go in win by it in the mean, and the others lose."""
    depth, posted = 6.0, (0.0, 0.5, 1.0)
    found = solved(PushGame(stacks_bb=(depth,) * 3), 10)
    rng = np.random.default_rng(5)
    cards = [eval7.Card(format_card(card)) for card in range(52)]  # type: ignore[arg-type]
    sums: dict[tuple[int, int, bool], list[float]] = {}

    shares = found.runs.mean(axis=0)

    def goes(place: int, before: int, hand_class: int) -> bool:
        return bool(rng.random() < shares[(1 << place) - 1 + before, hand_class])

    def won(mask: int, hero: int, strengths: list[int]) -> float:
        if not mask >> hero & 1:
            return -posted[hero]
        into = [place for place in range(3) if mask >> place & 1]
        pot = sum(depth if place in into else posted[place] for place in range(3))
        best = max(strengths[place] for place in into)
        winners = [place for place in into if strengths[place] == best]
        return (pot / len(winners) if hero in winners else 0.0) - depth

    for _ in range(30_000):
        deck = rng.permutation(52)[:11].tolist()
        classes = [int(COMBO_CLASS[combo_of(deck[2 * place], deck[2 * place + 1])]) for place in range(3)]
        board = [cards[card] for card in deck[6:]]
        strengths = [eval7.evaluate([*board, cards[deck[2 * p]], cards[deck[2 * p + 1]]]) for p in range(3)]
        for hero in range(3):
            before = 0
            for place in range(hero):
                before |= goes(place, before, classes[place]) << place
            if hero == 2 and not before:
                continue
            share = shares[(1 << hero) - 1 + before, classes[hero]]
            if 0.1 < share < 0.9:
                continue
            leads = []
            for mask in (before | 1 << hero, before):
                after = mask
                for place in range(hero + 1, 3):
                    if place < 2 or after:
                        after |= goes(place, after, classes[place]) << place
                leads.append(won(after, hero, strengths))
            sums.setdefault((hero, before, share > 0.5), []).append(leads[0] - leads[1])
    assert len(sums) == 2 * (1 + 2 + 3)
    for (_, _, does_go), found_leads in sums.items():
        mean, error = np.mean(found_leads), np.std(found_leads) / len(found_leads) ** 0.5
        assert (mean if does_go else -mean) > -2 * error
    totals = [np.mean(leads) * (1 if key[2] else -1) for key, leads in sums.items()]
    assert np.mean(totals) > 0.5


def test_prizes_make_calls_tighter_than_pushes() -> None:
    stacks = (10.0, 10.0, 10.0, 10.0)
    chips, bubble = solved(PushGame(stacks_bb=stacks), 5), solved(PushGame(stacks_bb=stacks, prizes=(1, 1, 1)), 5)
    for before in ((0,), (2,)):
        assert bubble.pushing(3, before).fraction < 0.5 * chips.pushing(3, before).fraction
    assert bubble.pushing(2).fraction > chips.pushing(2).fraction


def test_deals_are_the_seeds_and_more_of_them_say_more() -> None:
    game = PushGame(stacks_bb=(8, 12, 6), ante_bb=0.1, prizes=(60, 40))
    one, again = solved(game, 2), solved(game, 2)
    assert np.array_equal(one.runs, again.runs, equal_nan=True)
    assert not np.array_equal(one.runs, solved(game, 2, seed=2).runs, equal_nan=True)
    assert one.deals == 40_000
    more = solved(game, 12)
    assert more.pushing(0).stderrs.mean() < one.pushing(0).stderrs.mean()
    off = abs(more.pushing(0).fraction - one.pushing(0).fraction)
    assert off < 4 * one.pushing(0).fraction_stderr + 0.01


def test_errors_are_as_large_as_solutions_by_other_deals_differ() -> None:
    """Of the part of all hands, where classes are wrong together, and of single classes."""
    game = PushGame(stacks_bb=(10,) * 3, prizes=(50, 30))
    found = [solved(game, 1, seed).pushing(0) for seed in range(12)]
    for values, errors in (
        ([one.fraction for one in found], [one.fraction_stderr for one in found]),
        ([one.shares for one in found], [one.stderrs for one in found]),
    ):
        spread = np.sqrt(np.mean(np.var(values, axis=0, ddof=1)))
        assert 0.6 < np.sqrt(np.mean(np.square(errors))) / spread < 1.7


def test_who_can_be_in_before_the_big_blind_is_somebody() -> None:
    assert faced(2, 0) == ((),)
    assert faced(2, 1) == ((0,),)
    assert len(faced(9, 8)) == 8 + 28
    assert len(faced(9, 8, 1)) == 8


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (PushGame(stacks_bb=(5,)), "for 2 to 9 players, not 1"),
        (PushGame(stacks_bb=(5,) * 10), "not 10"),
        (PushGame(stacks_bb=(5, 0)), "not 0 (BB)"),
        (PushGame(stacks_bb=(float("nan"), 5)), "not nan (BTN)"),
        (PushGame(stacks_bb=(5, 5), ante_bb=2), "An ante is 0 to 1 big blinds, not 2"),
        (PushGame(stacks_bb=(5, 5), small_blind_bb=-1), "The small blind is 0 to 1 big blinds, not -1"),
    ],
)
def test_what_is_no_game_is_refused(game: PushGame, said: str) -> None:
    with pytest.raises(PushOrFoldError, match=re.escape(said)):
        next(solve(game, 1))


def test_prizes_that_are_none_are_refused() -> None:
    with pytest.raises(IcmError, match="3 prizes for 2 players"):
        next(solve(PushGame(stacks_bb=(5, 5), prizes=(3, 2, 1)), 1))


def test_the_command_prints_a_line_for_each_player_and_who_is_in(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["push", "10", "--players", "3", "--deals", "20000"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [" ".join(line.split()[:3]) for line in lines[:5]] == [
        "BTN first in",
        "SB first in",
        "SB calls BTN",
        "BB calls BTN",
        "BB calls SB",
    ]
    assert lines[5] == "By 20,000 deals, whose standard error this is."
    assert main(["push", "10", "8", "--prizes", "2", "1", "--deals", "20000", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["game"]["prizes"] == [2, 1]
    assert parse_range(found["rows"][0]["range"]).fraction == pytest.approx(found["rows"][0]["share"], abs=0.03)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("10", "Push or fold is for 2 to 9 players, not 1."),
        ("10 8 --players 3", "With --players there is one stack, that of everybody."),
        ("10 8 --deals 0", "--deals is 1 to 100,000,000, not 0."),
        ("10 8 --seed -1", "--seed is 0 to 2^64 - 1, not -1."),
        ("10 8 --prizes 1 2", "Place 1 wins 1 and place 2 more, 2."),
    ],
)
def test_the_command_refuses_in_one_sentence(arguments: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["push", *arguments.split()]) == 2
    assert capsys.readouterr() == ("", f"{said}\n")
