"""Matches of tournaments: what is dealt to whom, what is counted, and the same however it is shared out."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from math import sqrt

import numpy as np
import pytest

from engine.agents.rule_based.rule_agent import RuleAgent
from engine.agents.rule_based.tempers import TEMPERS
from engine.agents.styles import STYLES, Style
from engine.figures.mean import Mean
from engine.game.events import GameKind, end_of
from engine.game.formats import GameFormat
from engine.game.statistics import count_hand
from engine.lab.matches import plan as plans
from engine.lab.matches.plan import MatchError, MatchPlan
from engine.lab.matches.playing import match
from engine.lab.matches.report import tournaments_as_table
from engine.lab.matches.results import TournamentResult
from engine.lab.matches.several import hands_of_match, several_matches, several_tournaments
from engine.lab.matches.sharing import Sharing
from engine.session_state import DealerState, SeatRecord
from tests.engine.lab.matches.test_playing import Folder, Gambler, Jammer, Witness


def tournament(max_hands: int | None = None, payouts: tuple[int, ...] = (), rebuys: int = 0) -> GameFormat:
    return GameFormat(
        name="Short",
        kind=GameKind.TOURNAMENT,
        starting_stack=1000,
        small_blind=50,
        big_blind=100,
        max_hands=max_hands,
        payouts=payouts,
        rebuys=rebuys,
    )


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Witness]:
    """Register cheap styles; gives the players that were made, in order."""
    players: list[Witness] = []

    def register(style: str, kind: type[Witness]) -> None:
        def make() -> Witness:
            players.append(kind(style))
            return players[-1]

        monkeypatch.setitem(STYLES, style, Style(style, "A stub.", make))

    for style, kind in (
        *(("caller", Witness), ("gambler", Gambler), ("jammer", Jammer)),
        *(("folder", Folder), ("other folder", Folder)),
    ):
        register(style, kind)
    return players


def total(result: TournamentResult, what: str) -> float:
    """Give the sum over all players of all tournaments."""
    means = [(style.players, getattr(style, what)) for style in result.styles]
    return float(sum(players * mean.value for players, mean in means))


def test_a_tournament_played_again_ends_as_it_did(made: list[Witness]) -> None:
    plan = MatchPlan(("gambler", "caller"), 2, seed=3, game=tournament())
    *_, result = several_tournaments(plan, 3)
    hands = [played for number in range(3) for played in hands_of_match(plan, number)]
    assert len(hands) == result.hands
    won = 0.0
    for (hand, traces), after in zip(hands, [*hands[1:], None], strict=True):
        ended = end_of(hand.events)
        assert traces
        assert [trace.style for trace in traces] == [hand.players[trace.observation.seat] for trace in traces]
        if after is None or after.hand.name == "hand 1":
            won += ended.stacks[hand.players.index("gambler")] - 1000
    assert won / result.tournaments == result.styles[0].chips.value


@pytest.mark.parametrize(("seats", "rebuys"), [(3, 0), (4, 0), (6, 1)])
def test_chips_places_and_prizes_are_conserved(made: list[Witness], seats: int, rebuys: int) -> None:
    game = tournament(max_hands=40, payouts=(70, 30), rebuys=rebuys)
    *_, result = several_tournaments(MatchPlan(("jammer", "gambler", "caller"), seats, seed=0, game=game), 4)
    rotations = seats if seats % 3 else 3
    assert (result.matches, result.tournaments, result.cut) == (4, 4 * rotations, 0)
    assert sum(style.players for style in result.styles) == result.tournaments * seats
    assert total(result, "rank") == pytest.approx(result.tournaments * seats * (seats + 1) / 2)
    assert total(result, "first") == pytest.approx(result.tournaments)
    assert total(result, "chips") == pytest.approx(0, abs=1e-6)
    bought = total(result, "prizes")
    assert (
        bought == pytest.approx(result.tournaments * seats) if not rebuys else bought > result.tournaments * seats
    )
    assert all(0 < style.survived.value <= 40 for style in result.styles)
    assert result.hands <= 40 * result.tournaments


@pytest.mark.parametrize("seats", [3, 5])
def test_places_are_those_of_ranks_and_each_is_taken_once(made: list[Witness], seats: int) -> None:
    plan = MatchPlan(("jammer", "gambler", "caller"), seats, seed=2, game=tournament(max_hands=30))
    *_, result = several_tournaments(plan, 3)
    for style in result.styles:
        taken = np.array(style.places)
        assert taken.sum() == pytest.approx(style.players)
        assert taken[0] / style.players == pytest.approx(style.first.value)
        assert taken @ range(1, seats + 1) / style.players == pytest.approx(style.rank.value)
    assert np.sum([style.places for style in result.styles], axis=0) == pytest.approx(
        np.full(seats, result.tournaments)
    )


def test_curves_are_of_chips_won_after_so_many_hands(made: list[Witness]) -> None:
    plan = MatchPlan(("jammer", "gambler", "caller"), 4, seed=4, game=tournament(max_hands=300, rebuys=1))
    one, *_, result = several_tournaments(plan, 5)
    assert [mean.stderr for point in one.curve for mean in point.chips] == [None] * 3 * len(one.curve)
    hands = [point.hands for point in result.curve]
    assert hands == list(range(3, hands[-1] + 1, 3))
    assert one.curve[-1].hands <= hands[-1] <= 300
    for point in result.curve:
        won = [style.players * mean.value for style, mean in zip(result.styles, point.chips, strict=True)]
        assert sum(won) == pytest.approx(0, abs=1e-6)
    for style, mean in zip(result.styles, result.curve[-1].chips, strict=True):
        assert (mean.value, mean.stderr) == pytest.approx((style.chips.value, style.chips.stderr))
        assert mean.observations == 5
    # The first hands as the players themselves saw them.
    nets = [
        sum(count_hand(past.events)[past.seat].net for past in player.past if past.hand_number <= 3)
        for player in made
        if player.past and player.style == "jammer"
    ]
    assert result.curve[0].chips[0].value == pytest.approx(np.mean(nets))


def test_curves_without_a_last_hand_have_points_ever_farther_apart(made: list[Witness]) -> None:
    marks = MatchPlan(("jammer", "folder"), 2, game=tournament()).marks
    assert (marks[0], marks[-1]) == (1, 10_000)
    assert len(marks) <= 100
    assert all(after - before <= max(1, 0.15 * before) for before, after in pairwise(marks))


def test_what_is_known_beforehand(made: list[Witness]) -> None:
    # Heads-up each folds its small blind once: after two hands they are even, and share both places. Of the changes
    # only that of the second hand counts for the fluctuation.
    plan = MatchPlan(("folder", "other folder"), 2, game=tournament(max_hands=2, payouts=(80, 20)))
    *_, result = several_tournaments(plan, 3)
    for style in result.styles:
        assert (style.rank.value, style.first.value, style.survived.value) == (1.5, 0.5, 2)
        assert (style.chips.value, style.prizes, style.fluctuation.value) == (0, Mean(1.0, 0.0, 3), 2500)
        assert (style.vpip, style.pfr, style.aggression, style.players) == (0, 0, None, 6)
    (difference,) = result.differences
    assert difference.rank == Mean(0.0, 2 / 6, 3), "no more sure than after one exchange of places"
    assert (result.tournaments, result.hands) == (6, 12)


@pytest.mark.parametrize("seats", [2, 4, 5])
def test_players_who_play_alike_have_the_same_mean_rank(monkeypatch: pytest.MonkeyPatch, seats: int) -> None:
    twin = Style("Twin", "Another.", lambda: RuleAgent("twin", *TEMPERS["shover"]))
    monkeypatch.setitem(STYLES, "twin", twin)
    plan = MatchPlan(("shover", "twin"), seats, seed=5, game=tournament(max_hands=30))
    first, second = several_tournaments(plan, 2)
    one, other = first.styles
    assert (one.first.value, one.survived.value) == pytest.approx((other.first.value, other.survived.value))
    assert one.fluctuation.value == pytest.approx(other.fluctuation.value)
    for result in (first, second):
        assert [style.rank.value for style in result.styles] == [(seats + 1) / 2] * 2
        assert [style.chips.value for style in result.styles] == [0, 0]
    assert second.differences[0].rank.stderr == 2 / second.tournaments


def test_who_came_first_in_all_of_a_few_may_not_always(made: list[Witness]) -> None:
    plan = MatchPlan(("shover", "folder"), 2, game=tournament(max_hands=200))
    first, *_, result = several_tournaments(plan, 4)
    winner, loser = result.styles
    assert (winner.rank.value, loser.rank.value, result.tournaments) == (1, 2, 8)
    assert (winner.rank.stderr, loser.rank.stderr) == (1 / 8, 1 / 8)
    # Three degrees of freedom: 3.182 standard errors, of which no place is better than the first.
    assert winner.rank_interval == (1, pytest.approx(1 + 3.182 / 8))
    assert loser.rank_interval == (pytest.approx(2 - 3.182 / 8), 2)
    assert first.styles[0].rank_interval is None


def test_rotations_have_the_same_decks_and_strangers(made: list[Witness]) -> None:
    *_, result = several_tournaments(
        MatchPlan(("folder", "other folder"), 2, seed=3, game=tournament(max_hands=6)), 2
    )
    players = made[-8:]  # two of each match's two rotations; the first that were made showed only that they exist
    assert all([past.hand_number for past in player.past] == [1, 2, 3, 4, 5, 6] for player in players)
    cards = [
        {(past.hand_number, past.seat): past.hole_cards for player in pair for past in player.past}
        for pair in (players[0:2], players[2:4], players[4:6], players[6:8])
    ]
    assert cards[0] == cards[1]
    assert cards[2] == cards[3] != cards[0]
    assert players[0].past[0].seat != players[2].past[0].seat
    assert result.hands == 24


def test_standard_errors_are_over_matches(made: list[Witness]) -> None:
    plan = MatchPlan(("jammer", "gambler"), 2, seed=7, game=tournament(max_hands=30))
    results = list(several_tournaments(plan, 8))
    assert results[0].styles[0].rank.stderr is None
    sums = [0.0, *(count * result.styles[0].chips.value for count, result in enumerate(results, 1))]
    chips = np.diff(sums)  # of each match
    assert len(set(chips.tolist())) > 2
    mean = results[-1].styles[0].chips
    assert (mean.value, mean.observations) == (pytest.approx(chips.mean()), 8)
    assert mean.stderr == pytest.approx(chips.std(ddof=1) / sqrt(8))


def test_an_executor_changes_nothing(made: list[Witness]) -> None:
    plan, hands = MatchPlan(("jammer", "gambler", "caller"), 3, seed=5, game=tournament(max_hands=25)), list[int]()
    alone = list(several_tournaments(plan, 5, sharing=Sharing(note=hands.append)))
    assert sum(hands) == alone[-1].hands
    for workers in (1, 2):
        with ThreadPoolExecutor(workers) as executor:
            assert list(several_tournaments(plan, 5, sharing=Sharing(executor))) == alone


def test_a_tournament_without_an_end_is_cut_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, made: list[Witness]
) -> None:
    monkeypatch.setattr(plans, "MOST_TOURNAMENT_HANDS", 9)
    plan = MatchPlan(("folder", "other folder"), 2, game=tournament())
    *_, result = several_tournaments(plan, 2)
    assert (result.tournaments, result.cut, result.hands) == (4, 4, 36)
    assert "4 of the tournaments had no end after" in tournaments_as_table(result)
    *_, longer = several_tournaments(MatchPlan(plan.styles, 2, game=tournament(max_hands=12)), 1)
    assert (longer.cut, longer.hands) == (0, 24)
    assert "no end" not in tournaments_as_table(longer)


def test_hands_survived_are_those_with_chips_left_or_to_be_bought() -> None:
    seats = SeatRecord(3000, 1000), SeatRecord(0, 1000, out_in_hand=7), SeatRecord(0, 1000, out_in_hand=12)
    state = DealerState(12, seats)
    assert state.hands_survived(tournament()) == {0: 12, 1: 6, 2: 11}
    assert state.hands_survived(tournament(rebuys=1)) == {0: 12, 1: 12, 2: 12}


def test_a_table_of_tournaments(made: list[Witness]) -> None:
    plan = MatchPlan(("folder", "other folder"), 2, game=tournament(max_hands=2, payouts=(80, 20)))
    *_, result = several_tournaments(plan, 1)
    head, row, _, played, *_ = tournaments_as_table(result).splitlines()
    assert head.split("  ")[0] == "Style"
    for word in ("Rank", "Survived", "Buy-ins won", "Fluctuation"):
        assert word in head
    assert row.split()[1:6] == ["1.50", "-", "-", "50.0%", "2.0"]
    assert played == (
        "1 match, each in 2 rotations: 2 tournaments of 2 seats, 10 big blinds deep at first, 4 hands"
    )


def test_the_other_kind_of_game_is_refused() -> None:
    paper = MatchPlan(("shover", "random"), 2, game=tournament())
    for play in (lambda: match(paper), lambda: several_matches(paper, 2)):
        with pytest.raises(MatchError, match="'Short' is a tournament, and a cash game is asked for"):
            play()
    with pytest.raises(MatchError, match="is a cash game, and a tournament is asked for"):
        several_tournaments(MatchPlan(("shover", "random"), 2), 2)
