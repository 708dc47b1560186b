"""Answers for the tests of charts, which follow from the question by plain rules."""

from collections.abc import Iterator

import numpy as np

from engine.cards import BOARD_SIZE, CARD_COUNT, COMBO_CARDS, COMBO_COUNT, Street, rank_of, unblocked
from engine.codec import frozen_vector
from engine.equity.board_hits import HitRow
from engine.equity.category_odds import CategoryOdds
from engine.equity.combos import ComboShares
from engine.equity.next_cards import NextCards
from engine.equity.question import EquityQuestion
from engine.equity.range_equities import RangeEquities
from engine.equity.sampling import PlayerEquity
from engine.equity.snapshot import Method, Snapshot
from engine.equity.solve import EquitySnapshot
from trainer.charts.chart_values import blockers_of
from trainer.charts.charts_model import ChartEngine

SECONDS = 0.25


def shares_of(first: float, players: int) -> tuple[float, ...]:
    """The first player gets a share, the others the rest in equal parts."""
    return (first, *((1 - first) / (players - 1) for _ in range(players - 1)))


def next_cards(question: EquityQuestion) -> Iterator[Snapshot[NextCards]]:
    """The higher the card, the better for the first player; a first answer by sampling, then an exact one."""
    blocked = {*blockers_of(question, len(question.players))}
    cards = tuple(card for card in range(CARD_COUNT) if card not in blocked)
    for is_final in (False, True):
        stderr = 0.0 if is_final else 0.01
        players = tuple(
            tuple(
                PlayerEquity(share, 0.0, share, stderr)
                for share in shares_of(0.2 + 0.05 * rank_of(card), len(question.players))
            )
            for card in cards
        )
        method = Method.EXACT if is_final else Method.SAMPLED
        chances = np.full(len(cards), 1 / len(cards))
        errors = np.full(len(cards), stderr / 10)
        value = NextCards(cards, chances, errors, players)
        yield Snapshot(value, method, 990, SECONDS, is_final, 1.0 if is_final else 0.25)


def category_odds(question: EquityQuestion) -> Iterator[Snapshot[tuple[CategoryOdds, ...]]]:
    """Player i ends with high card in half of his hands, pairs in the others; he wins every pair."""
    chances = np.zeros(9, dtype=np.float32)
    chances[:2] = 0.5
    errors, share_errors = np.where(chances > 0, 0.002, 0.0001), np.where(chances > 0, 0.003, 0)
    wins = np.array([0, 0.5, *[0] * 7], dtype=np.float32)
    odds = tuple(
        CategoryOdds(chances, wins * (0.5 if player else 1), errors, share_errors)
        for player in range(len(question.players))
    )
    yield Snapshot(odds, Method.SAMPLED, 10_000, SECONDS, True, 1.0)


def hits(question: EquityQuestion) -> Iterator[Snapshot[tuple[tuple[HitRow, ...], ...]]]:
    """A pair in the hand is a pair, everything else nothing; suited hands are draws."""
    rows = tuple(_hits(question, player) for player in range(len(question.players)))
    yield Snapshot(rows, Method.EXACT, 0, SECONDS, True, 1.0)


def _hits(question: EquityQuestion, player: int) -> tuple[HitRow, ...]:
    weights = question.players[player].weights.astype(np.float64)
    live = unblocked(blockers_of(question, player)) & (weights > 0)
    is_pair = COMBO_CARDS[:, 0] // 4 == COMBO_CARDS[:, 1] // 4
    is_suited = COMBO_CARDS[:, 0] % 4 == COMBO_CARDS[:, 1] % 4
    total = float(weights[live].sum())
    rows, so_far = [], 0.0
    for name, is_draw, members in (
        ("pair", False, live & is_pair),
        ("nothing", False, live & ~is_pair),
        ("flush draw", True, live & is_suited),
    ):
        combos = float(weights[members].sum())
        so_far += 0.0 if is_draw else combos
        at_least = combos if is_draw else so_far
        rows.append(HitRow(name, is_draw, combos, combos / total, at_least / total, members))
    return tuple(row for row in rows if row.combos > 0)


def range_equities(question: EquityQuestion) -> Iterator[Snapshot[RangeEquities]]:
    """The equity of a combo is its number over 1326."""
    players = []
    for player, hands in enumerate(question.players):
        weights = hands.weights.astype(np.float64) * unblocked(blockers_of(question, player))
        equities = np.where(weights > 0, np.arange(COMBO_COUNT) / COMBO_COUNT, 0)
        players.append(ComboShares(frozen_vector(weights / weights.sum()), frozen_vector(equities)))
    yield Snapshot(tuple(players), Method.EXACT, 0, SECONDS, True, 1.0)


def streets(question: EquityQuestion) -> Iterator[Snapshot[tuple[EquitySnapshot, ...]]]:
    """The first player has 10% more on each street; the first street is sampled."""
    reached = tuple(street for street in Street if BOARD_SIZE[street] <= len(question.board))
    answers: tuple[EquitySnapshot, ...] = ()
    for street in reached:
        stderr = 0.001 if street is Street.PREFLOP else 0.0
        shares = shares_of(0.4 + 0.1 * street, len(question.players))
        players = tuple(PlayerEquity(share, 0.0, share, stderr) for share in shares)
        method = Method.SAMPLED if stderr else Method.EXACT
        answers = (*answers, Snapshot(players, method, 5000, SECONDS, True, 1.0))
        done = len(answers) / len(reached)
        yield Snapshot(answers, Method.SAMPLED, 5000 * len(answers), SECONDS, done == 1, done)


PLAIN = ChartEngine(next_cards, category_odds, hits, range_equities, streets)
