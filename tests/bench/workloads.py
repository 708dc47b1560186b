"""The engine's workloads E1-E7 beside what eval7, phevaluator, treys and pokerkit need, with their exact answers.

A sampling peer is asked for a standard error of 0.1 % of the pot: `deals` is the number of deals that takes, from
the exact answer's variance. What would take a peer longer than a second or so is measured in part and scaled.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import cycle
from math import comb, sqrt
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.cards import (
    CARD_COUNT,
    COMBO_COUNT,
    MOST_OPPONENTS,
    Card,
    combo_of,
    parse_cards,
    unblocked,
)
from engine.equity.combos import CombosTally, combo_equities, combos_judge
from engine.equity.exact import _HeadsUpCounting, plan_count
from engine.equity.joint import Sums
from engine.equity.matchups import (
    BOARDS,
    MATCHUP_COUNT,
    deals_of_matchups,
    heads_up_table,
    preflop_equities,
    range_odds,
)
from engine.equity.question import LONGEST_EXACT_SECONDS, EquityQuestion
from engine.equity.snapshot import Method
from engine.equity.solve import EquitySnapshot, solve
from engine.equity.win_rate import win_rate
from engine.kernels.cache import cache_folder
from engine.kernels.equity.heads_up import count_matchups
from engine.kernels.equity.sweep import sweep_range
from engine.kernels.jit import warm_up
from engine.preflop import equity_against_random
from engine.ranges import Range, parse_range
from tests.bench import peers
from tests.bench.peers import EVALUATORS, Library
from tests.bench.yardstick import Peer, Row, interleaved
from tests.reference.questions import R1, R2, R25

AIM = 0.001
"""The standard error that sampling peers are asked for."""

HERO, QUEENS, RIVAL = parse_cards("AhKh"), parse_cards("QsQd"), parse_cards("AsKs")
FLOP, TURN, RIVER = (parse_cards(text) for text in ("Ks 7d 2h", "Ks 7d 2h 3c", "Ks 7d 2h 3c 9s"))
THREE_WAY = parse_cards("Js 7s 2h")
MULTIWAY_HERO = parse_cards("AdJs")
RIVER_CARDS = 5


class Ours(NamedTuple):
    """One of our ways of a workload: what is called, its answer and whether that is right, and its bounds in ms."""

    work: str
    call: Callable[[], object]
    answer: tuple[str, bool] | None = None
    goal: float | None = None
    at_least: float | None = None


class Work(NamedTuple):
    """One way of a peer: what is called, and how much of the whole it does."""

    library: str
    way: str
    call: Callable[[], object]
    part: float = 1.0
    scaled_from: str = ""


class Bench(NamedTuple):
    """How long to measure; in a short run each library does the work in one way only, the first."""

    is_short: bool

    def rows(self, ours: Sequence[Ours], works: Sequence[Work], deals: float = 0) -> list[Row]:
        """Measure ours and the peers in turn: in milliseconds, or in million deals a second if there are deals."""
        if self.is_short:
            works = list({each.library: each for each in reversed(works)}.values())
        answers: dict[str, object] = {}

        def keep(name: str, call: Callable[[], object]) -> Callable[[], None]:
            return lambda: answers.__setitem__(name, call())

        sides: dict[str, Callable[[], object]] = {}
        for mine in ours:
            mine.call()  # compiled and loaded
            sides[mine.work] = mine.call
        for each in works:
            sides[f"{each.library}, {each.way}"] = keep(each.way + each.library, each.call)
        measured = interleaved(
            sides,
            rounds=5 if self.is_short else 15,
            side_seconds=0.05 if self.is_short else 1.0,
            batch_seconds=0.004 if self.is_short else 0.02,
            long_seconds=0.1 if self.is_short else 0.4,
        )

        def value(seconds: float) -> float:
            return deals / seconds / 1e6 if deals else 1000 * seconds

        found = []
        for each in works:
            timing = measured.sides[f"{each.library}, {each.way}"]
            answer = answers[each.way + each.library]
            found.append(
                Peer(
                    library=each.library,
                    way=each.way,
                    value=value(timing.seconds / each.part),
                    count=timing.calls,
                    scaled_from=each.scaled_from,
                    answer=f"{answer:.4f}" if isinstance(answer, float) else "",
                )
            )
        return [
            Row(
                work=mine.work,
                ours=value(measured.sides[mine.work].seconds),
                unit="M/s" if deals else "ms",
                peers=tuple(found),
                eval7_per_second=measured.eval7_per_second,
                goal=mine.goal,
                at_least=mine.at_least,
                answer=mine.answer[0] if mine.answer else "",
                is_reference=mine.answer[1] if mine.answer else None,
                count=measured.sides[mine.work].calls,
            )
            for mine in ours
        ]


def run(short: bool) -> list[Row]:
    """Give the rows of all workloads."""
    warm_up()
    heads_up_table()  # so that `solve` looks matchups up
    bench = Bench(short)
    parts = (
        hand_against_hand,
        hand_against_range,
        range_against_range,
        the_table,
        every_combo,
        every_combo_sampled,
        three_way,
        hand_against_ranges,
        six_way,
        odds_app,
    )
    return [row for part in parts for row in part(bench)]


# ---- the peers' ways -------------------------------------------------------------------------------------


def deals_for(win: float, tie: float, equity: float, aim: float = AIM) -> int:
    """Give how many deals bring two players' equity to a standard error, from the exact answer."""
    return round((win + tie / 4 - equity**2) / aim**2)


def loops(
    ranges: Sequence[Range],
    board: Sequence[int],
    deals: int,
    libraries: Sequence[Library],
    aim: str = f" to {AIM:.1%}",
) -> list[Work]:
    """Sample with a loop around each evaluator, a small part of the deals."""
    works = []
    for library in libraries:
        part = min(deals, {"eval7": 4000, "phevaluator": 2000, "treys": 400}.get(library.name, 100))
        works.append(
            Work(
                library.name,
                f"a loop{aim}, {deals:,} deals",
                partial(peers.sampled, library, ranges, board, part),
                part / deals,
                f"{part:,} deals",
            )
        )
    return works


def own_pokerkit(ranges: Sequence[Range], board: Sequence[int], deals: int, part: int = 100) -> Work:
    """Sample with pokerkit's own function, which lists all deals first; that is not scaled down."""
    return Work(
        "pokerkit",
        f"its calculate_equities to {AIM:.1%}, {deals:,} deals",
        lambda: peers.pokerkit_sampled(ranges, board, part),
        part / deals,
        f"{part:,} deals",
    )


def exact_loops(hands: Sequence[Sequence[int]], boards: int) -> list[Work]:
    """Count with a loop over all boards around each evaluator, a small part of the boards."""
    works = []
    for library in EVALUATORS:
        part = {"eval7": 4000, "phevaluator": 2000, "treys": 400}.get(library.name, 50)
        sample = peers.first_boards([card for hand in hands for card in hand], part)
        works.append(
            Work(
                library.name,
                "exact, a loop over all boards",
                partial(peers.hands_on_boards, library, hands, sample),
                part / boards,
                f"{part:,} boards",
            )
        )
    return works


def own_eval7(theirs: str, deals: int) -> Work:
    """Sample with eval7's own function."""
    return Work(
        "eval7",
        f"its py_hand_vs_range_monte_carlo to {AIM:.1%}, {deals:,} deals",
        lambda: peers.eval7_sampled(HERO, theirs, (), deals),
    )


def own_eval7_exact(theirs: str, dead: Sequence[int], boards: int, part: int) -> Work:
    """Count with eval7's own function, board by board."""
    sample = peers.first_boards(dead, part)
    return Work(
        "eval7",
        "its py_hand_vs_range_exact on all boards",
        lambda: peers.eval7_on_boards(HERO, theirs, sample),
        part / boards,
        f"{part:,} boards",
    )


# ---- E1 to E3: before the flop ---------------------------------------------------------------------------


def counts(snapshot: EquitySnapshot) -> tuple[int, int, int]:
    """Give how many showdowns the first of two players won, lost and tied."""
    mine, theirs = snapshot.value
    won, lost, tied = (round(share * snapshot.count) for share in (mine.win, theirs.win, mine.tie))
    return won, lost, tied


def heads_up_answer(won: float, lost: float, tied: float, reference: tuple[int, int, int]) -> tuple[str, bool]:
    """Compare an exact count with its reference, showdown for showdown."""
    equity = (won + tied / 2) / (won + lost + tied)
    return f"{equity:.8f}: {won:,.0f} / {lost:,.0f} / {tied:,.0f}", (won, lost, tied) == reference


def solved_answer(question: EquityQuestion, reference: tuple[int, int, int]) -> tuple[str, bool]:
    """Ask as callers do, and compare."""
    *_, last = solve(question)
    text, is_right = heads_up_answer(*counts(last), reference)
    return text, is_right and last.count == sum(reference) and last.method == Method.EXACT


E1 = 787_966, 917_606, 6_732
E2 = 180_038_370, 113_800_298, 19_512_964
E3 = 10_443_662_268, 5_355_940_136, 511_805_500


def deals_of(reference: tuple[int, int, int]) -> int:
    """Give how many deals bring a counted equity to the standard error aimed at."""
    won, _, tied = (count / sum(reference) for count in reference)
    return deals_for(won, tied, won + tied / 2)


def hand_against_hand(bench: Bench) -> list[Row]:
    """E1; without a table by the kernel that counts one."""
    hands = [parse_range("AhKh"), parse_range("QsQd")]
    deals = deals_of(E1)
    works = [
        own_eval7("QsQd", deals),
        own_eval7_exact("QsQd", (*HERO, *QUEENS), comb(48, 5), 4000),
        *loops(hands, (), deals, EVALUATORS),
        own_pokerkit(hands, (), deals),
        *exact_loops([HERO, QUEENS], comb(48, 5)),
    ]
    matchup = np.array([[combo_of(*HERO), combo_of(*QUEENS)]], dtype=np.int16)
    won, tied = (int(count) for count in count_matchups(matchup)[0])
    counted = heads_up_answer(won, BOARDS - won - tied, tied, E1)
    question = EquityQuestion(tuple(hands))
    return bench.rows(
        [
            Ours(
                "E1 hand against hand, no table, counted",
                lambda: count_matchups(matchup),
                counted,
                0.1,
                0.15,
            ),
            Ours("E1 hand against hand, solve", partial(drain, question), solved_answer(question, E1)),
        ],
        works,
    )


def hand_against_range(bench: Bench) -> list[Row]:
    """E2."""
    hands = [parse_range("AhKh"), parse_range(R1)]
    deals = deals_of(E2)
    works = [
        own_eval7(R1, deals),
        own_eval7_exact(R1, HERO, comb(50, 5), 300),
        *loops(hands, (), deals, EVALUATORS),
        own_pokerkit(hands, (), deals),
    ]
    return bench.rows(heads_up_ways("E2 hand against range", hands, E2, (5, 20), (0.02, 0.05)), works)


def range_against_range(bench: Bench) -> list[Row]:
    """E3."""
    hands = [parse_range(R2), parse_range(R1)]
    deals = deals_of(E3)
    works = [
        Work(
            "eval7",
            f"its py_all_hands_vs_range to {AIM:.1%}, {deals:,} deals",
            lambda: peers.eval7_range_against_range(R2, R1, deals),
        ),
        *loops(hands, (), deals, EVALUATORS),
        own_pokerkit(hands, (), deals),
    ]
    return bench.rows(heads_up_ways("E3 range against range", hands, E3, (None, None), (0.08, 0.2)), works)


Bounds = tuple[float | None, float | None]


def heads_up_ways(
    work: str, hands: Sequence[Range], reference: tuple[int, int, int], counting: Bounds, looking_up: Bounds
) -> list[Ours]:
    """Count without the table, look up in it, and ask as callers do."""
    mine, theirs = (each.weights for each in hands)
    live = np.array([mine, theirs], dtype=np.float64)
    _, won, lost, tied = count_without_table(live)
    odds = range_odds(mine, theirs)
    question = EquityQuestion(tuple(hands))
    return [
        Ours(
            f"{work}, no table, counted",
            lambda: count_without_table(live),
            heads_up_answer(won, lost, tied, reference),
            *counting,
        ),
        Ours(
            f"{work}, table, range_odds",
            lambda: range_odds(mine, theirs),
            heads_up_answer(odds.win, odds.lose, odds.tie, reference),
            *looking_up,
        ),
        Ours(f"{work}, solve", partial(drain, question), solved_answer(question, reference)),
    ]


def count_without_table(live: Sums) -> Sums:
    """Count two ranges before the flop matchup by matchup, as `solve` does while the table is not ready."""
    counting = _HeadsUpCounting(live)
    for _ in counting.steps():
        pass
    return counting.outcomes


def the_table(bench: Bench) -> list[Row]:
    """The table of all matchups before the flop: counting it, its size, every combo against a range from it."""
    deals = deals_of_matchups()
    measured = interleaved(
        {"build": lambda: count_matchups(deals)}, rounds=1 if bench.is_short else 5, side_seconds=5
    )
    build, rate = measured.sides["build"], measured.eval7_per_second
    heads_up_table()
    folder = cache_folder()
    size = (folder / "heads_up.npz").stat().st_size if folder is not None else deals.size * 4
    answer = f"{len(deals):,} matchups"
    is_right = len(deals) == MATCHUP_COUNT
    weights = parse_range(R1).weights
    hero = float(preflop_equities(weights)[combo_of(*HERO)])
    truth = (E2[0] + E2[2] / 2) / sum(E2)
    every = Ours(
        "every combo against R1, table, preflop_equities",
        lambda: preflop_equities(weights),
        (f"AhKh {hero:.6f}", abs(hero - truth) < 1e-5),
    )
    return [
        Row(
            work="heads-up table, counted",
            ours=build.seconds,
            unit="s",
            goal=3,
            at_least=6,
            count=build.calls,
            eval7_per_second=rate,
            answer=answer,
            is_reference=is_right,
        ),
        Row(
            work="heads-up table, stored",
            ours=size / 1000,
            unit="KB",
            goal=400,
            at_least=1000,
            eval7_per_second=rate,
        ),
        *bench.rows([every], []),
    ]


# ---- E4 and E7: every combo on a board -------------------------------------------------------------------

E4_TIES = {FLOP: (30_230_428, 1_258_543_440), TURN: (541_968, 51_369_120), RIVER: (8_472, 1_070_190)}
E7_DEUCES = {FLOP: 0.96655734, TURN: 0.97793149, RIVER: 0.98787879}
E7_ACES_ON_FLOP = 0.88811426
E7_BOUNDS = {FLOP: (1.5, 3.0), TURN: (0.06, 0.15), RIVER: (0.006, 0.02)}
STREETS = {FLOP: "flop", TURN: "turn", RIVER: "river"}


def river_works(board: Sequence[int]) -> list[Work]:
    """Compare all combos on every river: eval7's own functions and a loop of each evaluator with numpy."""
    boards = comb(CARD_COUNT - len(board), RIVER_CARDS - len(board))
    sample = (tuple(board) + parse_cards("3c 9s"))[:RIVER_CARDS]
    part, scaled = 1 / boards, "one river" if boards > 1 else ""
    peers.eval7_every_combo(sample)  # making the range takes 20 times as long, and is not counted
    own, by_hand = partial(peers.eval7_every_combo, sample), partial(peers.eval7_every_hand, sample)
    works = [
        Work("eval7", "its py_all_hands_vs_range on every river", own, part, scaled),
        Work("eval7", "its py_hand_vs_range_exact for every hand and river", by_hand, part, scaled),
    ]
    for library in EVALUATORS:
        call = partial(peers.every_combo, library, sample)
        works.append(Work(library.name, "each combo evaluated on every river, numpy compares", call, part, scaled))
    return works


def every_combo(bench: Bench) -> list[Row]:
    """E4 and E7, street by street: both compare all combos, so a peer does the same work for them."""
    rows = []
    for board in STREETS:
        rows += bench.rows([any_two(board), *every_combo_ways(board)], river_works(board))
    return rows


def any_two(board: tuple[Card, ...]) -> Ours:
    """E4 on a street."""
    question = EquityQuestion((parse_range("random"),) * 2, board)
    *_, last = solve(question)
    won, lost, tied = counts(last)
    text = f"{last.value[0].equity:.8f}: {tied:,} ties of {last.count:,}"
    is_right = won == lost and (tied, last.count) == E4_TIES[board]
    return Ours(f"E4 any two against any two, {STREETS[board]}, solve", partial(drain, question), (text, is_right))


def every_combo_ways(board: tuple[Card, ...]) -> list[Ours]:
    """E7 on a street: by the kernel, as its callers ask, and on boards that have not come before."""
    weights = np.ones(COMBO_COUNT)
    deuces, aces = combo_of(*parse_cards("2c2s")), combo_of(*parse_cards("AsAh"))
    equities = combo_equities(board, weights)
    text, is_right = f"2c2s {equities[deuces]:.7f}", abs(equities[deuces] - E7_DEUCES[board]) < 1e-7
    worth, beside = sweep_range(board, (), weights, 1.0)
    runouts = comb(CARD_COUNT - len(board) - 4, RIVER_CARDS - len(board))
    swept = worth[deuces] / (2 * runouts * beside[deuces])
    answer = f"2c2s {swept:.8f}", bool(abs(swept - E7_DEUCES[board]) < 1e-8)
    if board == FLOP:
        text += f", AsAh {equities[aces]:.7f}"
        is_right &= abs(equities[aces] - E7_ACES_ON_FLOP) < 1e-7
    work, boards = f"E7 every combo, {STREETS[board]}", random_boards(len(board))
    return [
        Ours(f"{work}, sweep_range", partial(sweep_range, board, (), weights, 1.0), answer, *E7_BOUNDS[board]),
        Ours(f"{work}, combo_equities", partial(combo_equities, board, weights), (text, bool(is_right))),
        Ours(f"{work}, another board each time", partial(next_board_equities, boards, weights)),
    ]


def random_boards(cards: int) -> Iterator[tuple[Card, ...]]:
    """Give random boards for ever, so many that none is remembered when it comes again."""
    return cycle([tuple(map(Card, board[:cards])) for board in peers.first_boards((), 600)])


def next_board_equities(boards: Iterator[tuple[Card, ...]], weights: NDArray[np.float64]) -> None:
    """Sweep the next board."""
    combo_equities(next(boards), weights)


# ---- every combo against several ranges ------------------------------------------------------------------

SAMPLED_DEALS = 10_000
"""Of the others' cards, with which every combo is judged."""

_COMPARED_DEALS = 200_000


def every_combo_sampled(bench: Bench) -> list[Row]:
    """Every combo against 2 to 9 ranges, each of all combos with weights of its own: ten thousand deals."""
    rng = np.random.default_rng(1)
    ranges = [rng.uniform(0.01, 1, COMBO_COUNT) for _ in range(MOST_OPPONENTS + 1)]
    hero = Card(MULTIWAY_HERO[0]), Card(MULTIWAY_HERO[1])
    ours = []
    for board, street in STREETS.items():
        for count in (2, 5, 9):
            live = np.array(ranges[: count + 1]) * unblocked(board)
            judge = combos_judge(live, count, np.arange(COMBO_COUNT), board, (), seed=1)
            tally = CombosTally(judge)
            tally.add(judge.judged(3, SAMPLED_DEALS))
            estimates = tally.shares()
            found, error = (float(of[combo_of(*hero)]) for of in (estimates.equities, estimates.stderrs))
            truth = win_rate(hero, ranges[:count], board, deals=_COMPARED_DEALS, seed=1)
            is_right = abs(found - truth.value) < _LEAST_SPREAD * float(np.hypot(error, truth.stderr))
            answer = f"AdJs {found:.4f} +- {error:.4f}, {truth.method.value} {truth.value:.4f}", is_right
            work = f"every combo, {SAMPLED_DEALS:,} deals, {street}, {count} ranges"
            ours.append(Ours(work, partial(judge.judged, 3, SAMPLED_DEALS), answer))
    return bench.rows(ours, [])


# ---- E5 and E6: more than two players --------------------------------------------------------------------

E5 = 0.42462977, 0.38267920, 0.19269103
E5_SHOWDOWNS = 639_324
E6, E6_STDERR = (0.223401, *[0.155320] * 5), 0.000015
_LEAST_SPREAD = 5
"""In standard errors, how far a sampled answer may be from its reference: one run in a million is."""


def three_way(bench: Bench) -> list[Row]:
    """E5."""
    texts = ("AsKs", "QQ+", "22+")
    hands = [parse_range(each) for each in texts]
    question = EquityQuestion(tuple(hands), THREE_WAY)
    *_, last = solve(question)
    equities = [player.equity for player in last.value]
    text = " / ".join(f"{equity:.8f}" for equity in equities) + f" over {last.count:,}"
    is_right = last.count == E5_SHOWDOWNS and bool(np.allclose(equities, E5, rtol=0, atol=1e-8))
    me = last.value[0]
    # Ties are between two or all three, so this is a little more than needed.
    deals = deals_for(me.win, me.tie, me.equity)
    live = np.array([each.weights * unblocked(THREE_WAY) for each in hands], dtype=np.float64)
    counted = count_on_board(live, THREE_WAY)
    winners = np.arange(len(counted))
    share = [counted @ ((winners >> player & 1) / np.maximum(np.bitwise_count(winners), 1)) for player in range(3)]
    is_equal = bool(np.allclose(share / counted.sum(), E5, rtol=0, atol=1e-8))
    ours = [
        Ours(
            "E5 three ranges on a flop, counted",
            lambda: count_on_board(live, THREE_WAY),
            (text, is_equal),
            0.3,
            0.6,
        ),
        Ours("E5 three ranges on a flop, solve", partial(drain, question), (text, is_right)),
    ]
    return bench.rows(ours, [*loops(hands, THREE_WAY, deals, EVALUATORS), own_pokerkit(hands, THREE_WAY, deals)])


def hand_against_ranges(bench: Bench) -> list[Row]:
    """E5's known hand alone, as FOLD asks for it."""
    hero, hands = (Card(RIVAL[0]), Card(RIVAL[1])), [parse_range(each) for each in ("QQ+", "22+")]
    ask = partial(win_rate, hero, [each.weights for each in hands], THREE_WAY, deals=2, seed=0)
    found = ask()
    answer = f"{found.value:.8f} over {found.count:,}"
    is_right = found.count == E5_SHOWDOWNS and abs(found.value - E5[0]) < 1e-8
    deals = deals_for(found.value, 0, found.value)
    works = loops([parse_range("AsKs"), *hands], THREE_WAY, deals, EVALUATORS)
    return bench.rows([Ours("E5 the known hand alone, win_rate", ask, (answer, is_right))], works)


def count_on_board(live: Sums, board: Sequence[int]) -> Sums:
    """Count ranges on a board the way that is planned for them."""
    counting = plan_count(live, board, (), LONGEST_EXACT_SECONDS)
    assert counting is not None
    for _ in counting.steps():
        pass
    return counting.outcomes


def six_way(bench: Bench) -> list[Row]:
    """E6; pokerkit's own function would list 334^5 deals first."""
    hands = [parse_range("AhKh"), *[parse_range(R25)] * 5]
    samples = 500_000 if bench.is_short else 2_000_000
    *_, last = solve(EquityQuestion(tuple(hands), samples=samples), seed=2)
    spreads = [
        abs(player.equity - truth) / sqrt(player.stderr**2 + E6_STDERR**2)
        for player, truth in zip(last.value, E6, strict=True)
    ]
    text = f"hero {last.value[0].equity:.6f} +- {last.value[0].stderr:.6f}, others "
    text += f"{min(p.equity for p in last.value[1:]):.4f} to {max(p.equity for p in last.value[1:]):.4f}"
    answer = text, max(spreads) < _LEAST_SPREAD
    question = EquityQuestion(tuple(hands), samples=samples)
    rate = Ours("E6 hero against five ranges, solve", partial(drain, question), answer, 21, 16)
    deals = round(samples * (last.value[0].stderr / AIM) ** 2)
    short = EquityQuestion(tuple(hands), samples=deals)
    *_, few = solve(short, seed=2)
    answer = f"hero {few.value[0].equity:.4f} +- {few.value[0].stderr:.4f}", True
    in_full = [work._replace(part=work.part * deals / samples) for work in loops(hands, (), deals, EVALUATORS)]
    (dealt,) = bench.rows([rate], in_full, samples)
    (timed,) = bench.rows([Ours(f"E6 to {AIM:.1%}, solve", partial(drain, short), answer)], [])
    in_milliseconds = tuple(replace(peer, value=deals / peer.value / 1000) for peer in dealt.peers)
    return [dealt, replace(timed, peers=in_milliseconds)]


# ---- a published odds app --------------------------------------------------------------------------------

ODDS_APP = Peer(library="odds app", value=3000, way="as published, on a PC of its time")
"""Chen Si, Fuzhou University: 10,000 random deals of six players, 1,260,000 five-card hands looked up."""
ODDS_APP_DEALS = 10_000
ODDS_APP_BOARD = parse_cards("2c 3d 4h Ks Qc")
ODDS_APP_EQUITY = (1_476_071_811_258 + 55_076_308_686 / 2 + 288_728_352 / 3) / 3_014_726_985_270
"""Of A-K on that board against five: deals won, tied with one and with two, of all (tests/engine/agreement)."""


def odds_app(bench: Bench) -> list[Row]:
    """Sample as many deals of as many players, before the flop and on the board of its worked example."""
    hands = [parse_range("AdKh"), *[parse_range("random")] * 5]
    tabled = float(equity_against_random(5)[combo_of(*parse_cards("AdKh"))])
    rows = []
    for board, street, truth in (((), "before the flop", tabled), (ODDS_APP_BOARD, "2c3d4hKsQc", ODDS_APP_EQUITY)):
        question = EquityQuestion(tuple(hands), board, samples=ODDS_APP_DEALS)
        *_, last = solve(question, seed=1)
        me = last.value[0]
        answer = f"{me.equity:.4f} +- {me.stderr:.4f}, truth {truth:.4f}", abs(me.equity - truth) < 5 * me.stderr
        ours = Ours(f"odds app, {ODDS_APP_DEALS:,} deals, six players, {street}", partial(drain, question), answer)
        (row,) = bench.rows([ours], loops(hands, board, ODDS_APP_DEALS, EVALUATORS, ""))
        rows.append(replace(row, peers=(*row.peers, ODDS_APP)))
    return rows


def drain(question: EquityQuestion) -> None:
    """Solve to the end."""
    for _ in solve(question):
        pass
