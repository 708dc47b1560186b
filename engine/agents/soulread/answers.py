"""What answers a bet: which part of every opponent's range folds, calls and raises, and what it consists of.

By the same model of play as the values (`engine.kernels.playing`), from the predicted ranges. Nothing is drawn, so
the shares have no error but the model's own. Opponents are asked in their order, each as if those before them had
folded.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from engine.agents.agent import Answer, Answers, GoingOn, Prediction, Trace
from engine.agents.learned.combo_features import beaten_by
from engine.agents.learned.folding import ahead_of, can_answer_alone, folding_in, is_open, pots_of
from engine.agents.learned.network import Likelihoods, stored_likelihoods
from engine.agents.learned.reader import LearnedReader
from engine.agents.soulread.play import (
    factor_of_folds,
    kind_strengths,
    moment_of,
    move_of,
    never_falling,
    play_by_counts,
    play_of,
    rows_of_range,
    with_folds,
)
from engine.cards import CLASS_COUNT, COMBO_CLASS, COMBO_COUNT, Card, HoleCards, combo_of
from engine.equity.board_hits import board_hits
from engine.equity.matchups import heads_up_table
from engine.game.events import Action, ActionKind, ActionTaken, Seat
from engine.game.observation import Observation
from engine.kernels import playing
from engine.ranges import Range, format_range

Numbers = NDArray[np.float64]

_MOST_OF_IT = 0.75
_SIZES = np.bincount(COMBO_CLASS, minlength=CLASS_COUNT)
_MOST_ITEMS = 10
_MADE = {
    "two pair or better": "two pair",
    "top pair or overpair": "top pair, weak kicker",
    "weaker pairs": "weak pair",
}
"""Made hands that go by one name, strongest first, and the last of `board_hits.MADE_HANDS` that does."""

_DRAWS = ("flush draw", "nut flush draw", "open-ended straight draw", "gutshot")
_HOLE_CARDS = {
    "pocket pair, tens or higher": "pairs from tens",
    "pocket pair, sixes to nines": "lower pairs",
    "pocket pair, fives or lower": "lower pairs",
    "suited ace": "suited aces",
    "suited broadway": "suited broadways",
    "suited connector": "suited connectors",
    "other suited": "other suited hands",
    "offsuit ace": "offsuit aces",
    "offsuit broadway": "offsuit broadways",
    "other offsuit": "other offsuit hands",
}
"""What kinds of hole cards (`board_hits.BEFORE_THE_FLOP`) are called together."""


def answers_of(
    observation: Observation, predictions: Sequence[Prediction], reader: LearnedReader, actions: Sequence[Action]
) -> tuple[Answers, ...]:
    """Return what opponents do about each of some legal actions, by what a reader knows of them.

    As in the values all fold to a larger one of these bets no less than to a smaller. Some 2 ms an opponent and
    bet; nothing for an action that is no bet or raise.
    """
    asking = _asking(observation, predictions, reader)
    folding = folding_in(reader.folds_to_bets(observation, predictions))
    bets = sorted({one for one in actions if one.kind is ActionKind.RAISE}, key=lambda one: one.raise_to)
    expected = list(map(asking.all_fold, bets))
    wanted = expected
    if folding is not None:
        wanted = [folding.of(share, pots_of(observation, bet)) for share, bet in zip(expected, bets, strict=True)]
    folds = {
        bet: share
        for bet, share, found in zip(bets, never_falling(wanted), expected, strict=True)
        if share != found and is_open(found)
    }
    return tuple(asking.answers(action, folds.get(action)) for action in actions)


def learn_answers(
    reader: LearnedReader, final: Observation, decisions: Iterable[tuple[Observation, Action]]
) -> None:
    """Let a reader learn from what came of own bets after the flop that one opponent alone could answer.

    Parameters
    ----------
    final : Observation
        Of a finished hand that the reader has not learned.
    decisions : iterable of (Observation, Action)
        What was seen before each own action that was taken, and that; what is no such bet is passed over.
    """
    for seen, action in decisions if reader.adapts else ():
        if action.kind is ActionKind.RAISE and can_answer_alone(seen):
            _, *after = [event for event in final.events[len(seen.events) :] if isinstance(event, ActionTaken)]
            if after:  # a hand elsewhere may break off
                predictions = reader.read(seen)
                expected = _asking(seen, predictions, reader).all_fold(action)
                ahead, did_fold = ahead_of(seen, predictions), after[0].action.kind is ActionKind.FOLD
                reader.learn_answer(seen, action, expected, ahead=ahead, did_fold=did_fold)


def _asking(observation: Observation, predictions: Sequence[Prediction], reader: LearnedReader) -> "_Asking":
    likelihoods = reader.likelihoods.at(len(observation.seats))
    sharpness = {view.seat: reader.sharpness(view.name) for view in observation.opponents}
    return _Asking(observation, predictions, likelihoods, play_of(observation, reader), sharpness)


def answers_in(trace: Trace) -> tuple[Answers, ...]:
    """Return what opponents would have done about each of `Trace.values.actions`, as far as the trace has it.

    Of what was known of a player it has the odds of folding and raising and the sharpness alone. So the odds of
    folding are changed for all alike, until all fold as often as the values say.
    """
    if trace.values is None or trace.reading is None:
        return ()
    observation = trace.observation
    likelihoods = stored_likelihoods().at(len(observation.seats))
    play = play_by_counts(observation, trace.values.responses, likelihoods)
    sharpness = {one.seat: one.sharpness for one in trace.values.responses}
    asking = _Asking(observation, trace.reading.predictions, likelihoods, play, sharpness)
    return tuple(asking.answers(one.action, one.all_fold) for one in trace.values.actions)


class _Asking:
    """Asks the opponents of one decision, each with every combo of their range."""

    def __init__(
        self,
        observation: Observation,
        predictions: Sequence[Prediction],
        likelihoods: Likelihoods,
        play: playing.Play,
        sharpness: Mapping[Seat, float],
    ) -> None:
        self._observation, self._play = observation, play
        board, network = observation.board, likelihoods.networks.postflop
        self._ranges = {one.seat: one.posterior / one.posterior.sum(dtype=np.float64) for one in predictions}
        self._kinds = likelihoods.first_layer(board)[1]
        self._rows_of = {
            seat: rows_of_range(likelihoods, board, weights, sharpness.get(seat, 1.0) if board else 1.0)
            for seat, weights in self._ranges.items()
        }
        self._strengths = kind_strengths(likelihoods, board)
        self._scratch = playing.new_scratch(
            len(network.situation), len(network.first_bias), len(network.second_bias)
        )
        self._beats = _beats(board, observation.hole_cards)

    def all_fold(self, action: Action) -> float:
        """Return how probable it is that all fold to a bet, 0-1; 0 for what is none."""
        if action.kind is not ActionKind.RAISE:
            return 0.0
        return prod(float(chosen[:, playing.FOLDS].sum()) for chosen in self._asked(action).values())

    def answers(self, action: Action, all_fold: float | None) -> Answers:
        """Return what everybody does about a bet; with `all_fold`, so that they all fold as often as that."""
        if action.kind is not ActionKind.RAISE:
            return ()
        asked = self._asked(action)
        if all_fold is not None:
            factor = factor_of_folds(list(asked.values()), all_fold)
            asked = {seat: with_folds(chosen, factor) for seat, chosen in asked.items()}
        board, beats, found = self._observation.board, self._beats, []
        for seat, chosen in asked.items():
            calls = _going_on(chosen[:, playing.CALLS], board, beats)
            raises = _going_on(chosen[:, playing.SMALL :].sum(axis=1), board, beats)
            found.append(Answer(seat, float(chosen[:, playing.FOLDS].sum()), calls, raises))
        return tuple(found)

    def _asked(self, action: Action) -> dict[Seat, Numbers]:
        """Return who can answer in the order in which they act: P(combo, choice), shape (1326, 8)."""
        moment = moment_of(self._observation)
        hero, found = int(moment.stakes[playing.HERO]), {}
        playing.act(moment, hero, *move_of(action))
        while (place := int(moment.hand[playing.TO_ACT])) not in (-1, hero):
            seat = self._observation.seats[place].seat
            rows = self._rows_of[seat]
            probabilities = np.zeros((len(rows), playing.CHOICES))
            playing.choose_each(moment, self._play, rows, self._strengths, self._scratch, probabilities)
            found[seat] = self._ranges[seat][:, None] * probabilities[self._kinds]
            playing.act(moment, place, playing.FOLDS, 0)
        return found


def _beats(board: tuple[Card, ...], hole_cards: HoleCards) -> Numbers:
    """Return which combos hole cards beat, ties half; before the flop, against which they are the favourite."""
    own = combo_of(*hole_cards)
    if board:
        return beaten_by(own, board)
    return np.asarray((np.sign(heads_up_table().equities()[own] - 0.5) + 1) / 2, np.float64)


def _going_on(weights: Numbers, board: tuple[Card, ...], beats: Numbers) -> GoingOn:
    share = float(weights.sum())
    if share <= 0:
        return GoingOn(0.0, 0.0, ())
    weights = weights / share
    hands = (() if board else _likeliest(weights)) or _made_of(weights, board)
    return GoingOn(share, float(weights @ beats), hands)


def _made_of(weights: Numbers, board: tuple[Card, ...]) -> tuple[tuple[str, float], ...]:
    names, groups = _groups(board)
    shares = np.bincount(groups, weights=weights, minlength=len(names)).tolist()
    return tuple((name, share) for name, share in zip(names, shares, strict=True) if share > 0)


@lru_cache(maxsize=64)
def _groups(board: tuple[Card, ...]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Return the names of what a range consists of, and the number of every combo's."""
    rows = board_hits(Range(np.ones(COMBO_COUNT, np.float32)), board)
    made = {row.name: row.members for row in rows if not row.is_draw}
    draws = [row.members for row in rows if row.name in _DRAWS]
    names = (*dict.fromkeys(_HOLE_CARDS.values()),) if not board else (*_MADE, "draws", "nothing")
    groups = np.full(COMBO_COUNT, len(names) - 1)
    for name, group in _HOLE_CARDS.items() if not board else ():
        groups[made[name]] = names.index(group)
    for members in draws:
        groups[members] = names.index("draws")
    number = 0
    for name, members in made.items() if board else ():
        if number < len(_MADE):
            groups[members] = number
            number += name == _MADE[names[number]]
    return names, groups


def _likeliest(weights: Numbers) -> tuple[tuple[str, float], ...]:
    """Return the hand classes that make up most of a range, combo by combo the likeliest; () if those are many."""
    by_class = np.bincount(COMBO_CLASS, weights=weights, minlength=CLASS_COUNT)
    order = np.argsort(-by_class / _SIZES, kind="stable")
    count = int(np.searchsorted(by_class[order].cumsum(), _MOST_OF_IT)) + 1
    taken = np.zeros(CLASS_COUNT, np.float32)
    taken[order[:count]] = 1
    items = format_range(Range(taken[COMBO_CLASS])).split(",")
    return ((", ".join(items), float(by_class[order[:count]].sum())),) if len(items) <= _MOST_ITEMS else ()
