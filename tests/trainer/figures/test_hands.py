"""Figures of many hands: sums made once and added up, against the same from each player's rows."""

import random
from datetime import date, datetime
from time import process_time

import numpy as np
import pytest
from msgspec.structs import asdict

from engine.cards import COMBO_COUNT
from engine.figures.player_figures import Line, PlayerFigures, by_position, figures_of, values_of
from engine.figures.seat_hands import SEAT_HAND
from engine.game.formats import HUMAN, PERSON, SeatConfig
from engine.game.summary import POSITIONS
from trainer.figures import hands
from trainer.figures.hands import FiguresFilter, HandBook, SessionOfHands
from trainer.storage.seat_hands import CountedHands

NAMES = ("ann", "bob", "me", "cid", "dan", "eve", "fay")
STAKES = ("Cash 1/2", "Cash 5/10", "Tournament 10/20")
FIRST = date(2024, 1, 1).toordinal()


def random_hands(
    count: int, sessions: int, seed: int, names: tuple[str, ...] = NAMES
) -> tuple[CountedHands, tuple[SessionOfHands, ...]]:
    """Make hands of sessions played here, where seats say who sat there, and of imported ones, where names do."""
    rng = np.random.default_rng(seed)
    of_session = np.sort(rng.integers(1, sessions + 1, count))
    counts = rng.integers(2, 7, count)
    rows = np.zeros(counts.sum(), SEAT_HAND)
    rows["seat"] = np.concatenate([np.arange(size) for size in counts])
    rows["players"] = np.repeat(counts, counts)
    rows["position"] = rng.integers(0, len(POSITIONS), len(rows))
    rows["chances"] = rng.integers(0, 256, len(rows))
    rows["done"] = rows["chances"] & rng.integers(0, 256, len(rows))
    rows["aggressive"], rows["calls"] = rng.integers(0, 4, (2, len(rows)))
    rows["net"] = rng.integers(-500, 500, len(rows))
    rows["net_bb"] = rows["net"] / 20
    rows["all_in_bb"] = rows["net_bb"] + rng.normal(0, 1, len(rows))
    is_unknown = np.repeat(rng.random(count) < 0.02, counts)
    rows["value_bb"] = np.where(is_unknown, np.nan, rows["net_bb"] / 2)
    is_imported = np.repeat(of_session % 2 == 0, counts)
    people = np.argsort(rng.random((count, len(names))), axis=1)[:, :6].repeat(counts, axis=0)
    who = people[np.arange(len(rows)), rows["seat"]]
    kinds = (
        tuple(SeatConfig(f"Bot {at}" if at else "You", "random" if at else HUMAN) for at in range(6)),
        (SeatConfig("me", HUMAN), *(SeatConfig(name, PERSON) for name in ("ann", "Seat 3", "bob", "x", "y"))),
    )
    made = tuple(
        SessionOfHands(at, datetime(2024, 1, 1), STAKES[at % 3], kinds[at % 2 == 0])
        for at in range(1, sessions + 1)
    )
    days = rng.integers(FIRST, FIRST + 60, count)
    combos = rng.integers(-1, COMBO_COUNT, count)
    return CountedHands(
        np.arange(1, count + 1), of_session, days, counts, combos, rows, np.where(is_imported, who, -1), names
    ), made


def of_rows(
    counted: CountedHands, sessions: tuple[SessionOfHands, ...], wanted: FiguresFilter
) -> dict[SeatConfig, np.ndarray[tuple[int], np.dtype[np.void]]]:
    """Return the rows of each player that a filter leaves, looked at one by one."""
    found: dict[SeatConfig, list[int]] = {}
    ends = np.cumsum(counted.counts)
    for hand in np.argsort(counted.days, kind="stable").tolist():  # an import may bring earlier ones
        end, count = int(ends[hand]), int(counted.counts[hand])
        session = sessions[counted.sessions[hand] - 1]
        hero = next(seat.name for seat in session.seats if seat.style == HUMAN)
        players = []
        for row in range(end - count, end):
            if counted.people[row] >= 0:
                name = counted.names[counted.people[row]]
                players.append(SeatConfig(name, HUMAN if name == hero else PERSON))
            else:
                players.append(session.seats[counted.seats["seat"][row]])
        is_wanted = (
            (wanted.since is None or counted.days[hand] >= wanted.since.toordinal())
            and (wanted.until is None or counted.days[hand] <= wanted.until.toordinal())
            and wanted.session in (None, session.session_id)
            and wanted.players in (None, count)
            and wanted.stakes in ("", session.stakes)
            and (not wanted.style or any(player.style == wanted.style for player in players))
        )
        if is_wanted:
            for player, row in zip(players, range(end - count, end), strict=True):
                found.setdefault(player, []).append(row)
    return {player: counted.seats[rows] for player, rows in found.items()}


def same(found: PlayerFigures, expected: PlayerFigures) -> None:
    assert {name: value for name, value in asdict(found.counts).items() if name != "net_bb"} == {
        name: value for name, value in asdict(expected.counts).items() if name != "net_bb"
    }
    assert found.counts.net_bb == pytest.approx(expected.counts.net_bb)
    assert list(found.rates) == list(expected.rates)
    for line, rate in found.rates.items():
        assert rate.value == pytest.approx(expected.rates[line].value, abs=1e-9)
        assert rate.stderr == pytest.approx(expected.rates[line].stderr)


FILTERS = [
    FiguresFilter(),
    FiguresFilter(since=date.fromordinal(FIRST + 20)),
    FiguresFilter(since=date.fromordinal(FIRST + 7), until=date.fromordinal(FIRST + 21)),
    FiguresFilter(session=3),
    FiguresFilter(session=4, players=3),
    FiguresFilter(stakes="Cash 5/10"),
    FiguresFilter(players=2),
    FiguresFilter(style=PERSON),
    FiguresFilter(style="random", players=4, until=date.fromordinal(FIRST + 30)),
    FiguresFilter(session=77),
]


def test_where_others_have_no_names_only_the_player_is_counted() -> None:
    counted, sessions = random_hands(400, 8, seed=9)
    only = tuple(one._replace(is_nameless=one.session_id % 4 == 0) for one in sessions)
    nameless = np.repeat(counted.sessions % 4 == 0, counted.counts)
    is_hero = counted.people == NAMES.index("me")
    kept = CountedHands(
        counted.hands,
        counted.sessions,
        counted.days,
        counted.counts,
        counted.combos,
        counted.seats,
        np.where(nameless & ~is_hero, len(NAMES), counted.people),
        (*NAMES, "somebody"),
    )
    found = HandBook(counted, only).summary(FiguresFilter()).players
    expected = HandBook(kept, sessions).summary(FiguresFilter()).players
    del expected[SeatConfig("somebody", PERSON)]
    assert found.keys() == expected.keys()
    for player, figures in found.items():
        same(figures, expected[player])


@pytest.mark.parametrize("many", [0, 120, 10**9], ids=["all are regulars", "some are", "nobody is"])
@pytest.mark.parametrize("wanted", FILTERS, ids=str)
def test_sums_added_up_are_those_of_the_rows(
    monkeypatch: pytest.MonkeyPatch, wanted: FiguresFilter, many: int
) -> None:
    monkeypatch.setattr(hands, "_MANY", many)
    counted, sessions = random_hands(400, 9, seed=many % 97)
    book, expected = HandBook(counted, sessions), of_rows(counted, sessions, wanted)
    if not expected:
        assert book.summary(wanted).player is None
        return
    for player in (None, *random.Random(3).sample(list(expected), 2)):
        summary = book.summary(wanted, player)
        assert summary.players.keys() == expected.keys()
        for one, rows in expected.items():
            same(summary.players[one], figures_of(rows))
        assert summary.player is not None
        assert summary.player.style == HUMAN if player is None else summary.player == player
        own = expected[summary.player]
        positions = by_position(own)
        assert list(summary.positions) == list(positions)
        for name, figures in positions.items():
            same(summary.positions[name], figures)
        assert summary.own is not None
        assert summary.own.rows().tobytes() == own.tobytes()
        hands_of = summary.own.hand_ids() - 1
        assert summary.own.sessions().tolist() == counted.sessions[hands_of].tolist()
        assert summary.own.days().tolist() == counted.days[hands_of].tolist()
        combos = summary.own.combos()
        assert (combos is not None) is (summary.player.style == HUMAN)
        assert combos is None or combos.tolist() == counted.combos[hands_of].tolist()
        assert summary.lines is not None
        for line in Line:
            values = values_of(own, line)
            assert (line in summary.lines.won) is not np.isnan(values).any()
            if line in summary.lines.won:
                won = np.concatenate([[0], np.cumsum(values)])[summary.lines.hands]
                assert summary.lines.won[line] == pytest.approx(won, abs=1e-6)


def test_the_same_name_on_two_sites_is_that_of_two_people() -> None:
    counted, sessions = random_hands(400, 8, seed=9)
    sited = tuple(one._replace(site="" if one.session_id % 2 else "Winamax") for one in sessions)
    assert HandBook(counted, sited).players == HandBook(counted, sessions).players, "all names are on one site"
    sited = (*sited[:3], sited[3]._replace(site="GGPoker"), *sited[4:])
    found = HandBook(counted, sited)
    names = {player.name for player in found.summary(FiguresFilter()).players if player.style == PERSON}
    others = set(NAMES) - {"me"}
    assert names == {f"{name} ({site})" for name in others for site in ("Winamax", "GGPoker")}
    of_session = of_rows(counted, sessions, FiguresFilter(session=4))
    for player, figures in found.summary(FiguresFilter(session=4)).players.items():
        name = player.name.removesuffix(" (GGPoker)")
        same(figures, figures_of(of_session[SeatConfig(name, player.style)]))
    (me,) = (one for one in found.players if one.name == "me")
    same(found.summary(FiguresFilter()).players[me], figures_of(of_rows(counted, sessions, FiguresFilter())[me]))


def test_players_of_fewer_hands_are_left_out_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands, "_MOST_PLAYERS", 3)
    counted, sessions = random_hands(300, 9, seed=5)
    expected = of_rows(counted, sessions, FiguresFilter())
    fewest = min(expected, key=lambda player: len(expected[player]))
    summary = HandBook(counted, sessions).summary(FiguresFilter(), fewest)
    most = sorted(expected, key=lambda player: -len(expected[player]))[:3]
    assert set(summary.players) == {*most, fewest, *(player for player in expected if player.style == HUMAN)}
    assert summary.others == len(expected) - len(summary.players) > 0


@pytest.fixture(scope="module")
def million() -> HandBook:
    """A million hands of 5,000 sessions of the person with a dozen of 3,000 others, who come and go."""
    times, of_session = 1000, np.repeat(np.arange(1, 5001), 200)
    counted, _ = random_hands(1000, 20, seed=1)
    counts = np.tile(counted.counts, times)
    others = np.random.default_rng(2).integers(1, 3001, (5001, 12))
    hand = np.repeat(np.arange(1000 * times), counts)
    seat = np.tile(counted.seats["seat"], times).astype(np.int64)
    people = np.where(seat == hand // 40 % 6, 0, others[of_session[hand], (seat + hand // 60) % 12])
    many = CountedHands(
        np.arange(len(of_session)),
        of_session,
        FIRST + of_session // 3,
        counts,
        np.tile(counted.combos, times),
        np.tile(counted.seats, times),
        people,
        tuple(f"person {at}" for at in range(3001)),
    )
    own = (SeatConfig("person 0", HUMAN), *(SeatConfig(f"Seat {at}", PERSON) for at in range(2, 7)))
    return HandBook(
        many, tuple(SessionOfHands(at, datetime(2024, 1, 1), STAKES[at % 3], own) for at in range(1, 5001))
    )


@pytest.mark.slow
@pytest.mark.parametrize("wanted", FILTERS, ids=str)
def test_figures_of_a_million_hands_take_a_tenth_of_a_second(million: HandBook, wanted: FiguresFilter) -> None:
    times = []
    for _ in range(4):
        begin = process_time()
        million.summary(wanted)
        times.append(process_time() - begin)
    assert min(times) < 0.1
