"""The rival that the paper compares itself with: a hidden Markov model over hand categories, street by street.

Li et al. 2017, fig. 7, compare their predictions with the Markov model of Li Ruobin 2013, of which they say little
more than that it is one. This is the plainest model of that kind:

- The hidden *state* of a player is the category of their hand on a street (`HandCategory`): four before the flop,
  eleven after it.
- From street to street the category moves by P(category | category before), counted over everybody who was dealt
  in, on all boards dealt, whether still in the hand or not.
- Every action is an *emission*: P(action class | category, street, facing a bet or not), counted from those who
  acted. Unlike the paper's own reader it takes one factor per action.
- Every count begins at one where the rules leave a possibility open (Laplace), so nothing possible is excluded.

With all hole cards known the states are known too: counting is the maximum-likelihood estimate. The probability of
a category after some actions is the forward recursion (Rabiner 1989, "A tutorial on hidden Markov models", eqs.
19-21).

The model knows no board. A category's probability is shared out evenly over those of its combos that the board and
the observer's cards leave, and that of categories without any combo left goes to the others in proportion.

A prediction is prior times likelihoods, as every reader's. Let `N_k(c)` be the model's P(first k actions, category
now = c), "now" being the street of the observation. The prior is `N_0`, shared out over the combos. The likelihood
of action k is `N_k(c) / N_(k-1)(c)`, P(action k | the actions before it, category now = c), so that the product is
the posterior. It is 0 for combos that the board of the observation blocks.

The counts are in `resources/markov_reader.json`, made by `engine.lab.markov_training`.
"""

from collections.abc import Sequence
from enum import IntEnum
from functools import cache, lru_cache
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.agents.agent import ActionClass, Prediction, RangeUpdate, Reader, UnderstoodAction
from engine.agents.fold.understand import POSTFLOP_RAISES, PREFLOP_RAISES, understand
from engine.agents.posterior import boards_at, posterior_of
from engine.cards import COMBO_CARDS, COMBO_COUNT, Card, Street, frozen, unblocked
from engine.codec import Vector, build_schema, frozen_vector
from engine.equity.checks import check_cards
from engine.game.events import PublicEvent, Seat
from engine.game.observation import HandView, SeatView
from engine.resources import ResourceError, read_text
from engine.strength import STRENGTH_COUNT, category_of

_TEN = 8
_KICKERS = 220  # sets of three kickers of a pair: C(12, 3)


class HandCategory(IntEnum):
    """A category of hands, weakest first, by which the paper judges predictions (Li et al. 2017, sec. 5, fig. 7).

    Four before the flop, eleven on a board. Big is a ten or higher: of the pair's rank, or, with nothing, of the
    higher hole card's.
    """

    SMALL_HIGH_CARD = 0
    BIG_HIGH_CARD = 1
    SMALL_PAIR = 2
    BIG_PAIR = 3
    TWO_PAIR = 4
    THREE_OF_A_KIND = 5
    STRAIGHT = 6
    FLUSH = 7
    FULL_HOUSE = 8
    FOUR_OF_A_KIND = 9
    STRAIGHT_FLUSH = 10


def hand_categories(board: tuple[Card, ...]) -> NDArray[np.int8]:
    """Return the category of every combo on a board of 0, 3, 4 or 5 cards.

    Returns
    -------
    ndarray of int8, shape (1326,), read-only
        A `HandCategory` each, -1 for combos that the board blocks. The last 64 boards are kept.

    Raises
    ------
    EquityError
        If the number of cards is another, one is no card or stands twice.

    Examples
    --------
    >>> from engine.cards import combo_of, parse_cards
    >>> found = hand_categories(parse_cards("Ts Td 4c"))
    >>> HandCategory(found[combo_of(*parse_cards("Ah 2h"))]).name
    'BIG_PAIR'
    """
    check_cards(board, ())
    return _categories(tuple(sorted(board)))


@lru_cache(maxsize=64)
def _categories(board: tuple[Card, ...]) -> NDArray[np.int8]:
    ranks = COMBO_CARDS >> 2
    categories = np.full(COMBO_COUNT, -1, np.int8)
    if not board:
        is_big = ranks[:, 0] >= _TEN  # the higher card stands first
        categories[:] = is_big + 2 * (ranks[:, 0] == ranks[:, 1])
    else:
        from engine.kernels.evaluator import strengths_of, tables

        live = unblocked(board)
        hands = np.empty((int(live.sum()), 2 + len(board)), np.uint8)
        hands[:, :2], hands[:, 2:] = COMBO_CARDS[live], np.array(board, np.uint8)
        strengths = np.empty(len(hands), np.int16)
        strengths_of(tables(), hands, strengths)
        found = _of_strengths()[strengths]
        is_high_card = found == HandCategory.SMALL_HIGH_CARD
        found = found + (is_high_card & (ranks[live, 0] >= _TEN)).astype(np.int8)
        categories[live] = found
    return frozen(categories)


@cache
def _of_strengths() -> NDArray[np.int8]:
    """Return the category by strength; every high card is small, since the hole cards decide."""
    plain = np.array([-1, *(category_of(strength) for strength in range(1, STRENGTH_COUNT + 1))])
    first_pair = int(np.argmax(plain == 1))
    rank = (np.arange(STRENGTH_COUNT + 1) - first_pair) // _KICKERS
    categories: NDArray[np.int8] = np.where(
        plain <= 0,
        HandCategory.SMALL_HIGH_CARD,
        np.where(plain == 1, HandCategory.SMALL_PAIR + (rank >= _TEN), plain + 2),
    ).astype(np.int8)
    return categories


RESOURCE = "markov_reader.json"
SCHEMA = 1

CATEGORIES = len(HandCategory)
_PREFLOP_CATEGORIES = 4
STREETS = len(Street)

ACTION_CLASSES = 6
_PASSIVE = (ActionClass.FOLD, ActionClass.CHECK, ActionClass.CALL)
CLASS_NUMBERS = {
    action_class: number
    for raises in (PREFLOP_RAISES, POSTFLOP_RAISES)
    for number, action_class in enumerate((*_PASSIVE, *raises))
}
"""Column of each action class in the counts; before the flop and after it the last three are other raises."""

_POSSIBLE_CLASSES = np.array([[0, 1, 0, 1, 1, 1], [1, 0, 1, 1, 1, 1]], dtype=np.bool_)
"""Which classes there are when facing no bet, and when facing one. Folding a free check is no choice."""


def _possible_moves() -> NDArray[np.bool_]:
    """Return from which category to which a hand may move with the next street.

    A hand never gets weaker, its hole cards stay big or small, and a pair becomes no other pair.
    """
    moves = np.triu(np.ones((CATEGORIES, CATEGORIES), dtype=np.bool_))
    moves[HandCategory.SMALL_HIGH_CARD, HandCategory.BIG_HIGH_CARD] = False
    moves[HandCategory.SMALL_PAIR, HandCategory.BIG_PAIR] = False
    return moves


POSSIBLE_MOVES = _possible_moves()


class MarkovCounts(Struct, frozen=True):
    """What the model is made of: how often things happened in recorded hands.

    Attributes
    ----------
    hands : dict of str to int
        Hands counted, by the file that they are from.
    starts : ndarray of int64, shape (11,)
        Hole cards dealt, by category before the flop.
    moves : ndarray of int64, shape (3, 11, 11)
        Hole cards by category on a street, from the preflop on, and on the next.
    actions : ndarray of int64, shape (4, 2, 11, 6)
        Actions by street, facing no bet or one, category, and class (`CLASS_NUMBERS`).
    """

    hands: dict[str, int]
    starts: NDArray[np.int64]
    moves: NDArray[np.int64]
    actions: NDArray[np.int64]


_MOST = 10**12
_SHAPES = {
    "starts": (CATEGORIES,),
    "moves": (STREETS - 1, CATEGORIES, CATEGORIES),
    "actions": (STREETS, 2, CATEGORIES, ACTION_CLASSES),
}


class _MarkovFile(Struct, frozen=True, forbid_unknown_fields=True):
    schema: int
    hands: dict[str, int]
    starts: list[int]
    moves: list[list[list[int]]]
    actions: list[list[list[list[int]]]]


def encode_counts(counts: MarkovCounts) -> str:
    """Return the text of a model file: JSON, one line per innermost table."""
    fields = {name: getattr(counts, name).tolist() for name in _SHAPES}
    text = msgspec.json.encode(_MarkovFile(SCHEMA, counts.hands, **fields)).decode()
    for mark in ('"hands"', *(f'"{name}"' for name in _SHAPES), "[["):
        text = text.replace(mark, f"\n{mark}")
    return text + "\n"


def decode_counts(text: str) -> MarkovCounts:
    """Read a model file.

    Raises
    ------
    ResourceError
        If it is damaged, or made for another version; one sentence either way.
    """
    try:
        version = msgspec.json.decode(text, type=dict[str, Any]).get("schema")
        if version != SCHEMA:
            raise ResourceError(
                f"The app's file resources/{RESOURCE} has the version {version}, and this program reads {SCHEMA}; "
                "install the app anew."
            )
        build_schema(_MarkovFile)
        file = msgspec.json.decode(text, type=_MarkovFile)
        arrays = {name: np.array(getattr(file, name), dtype=np.int64) for name in _SHAPES}
        for name, shape in _SHAPES.items():
            if arrays[name].shape != shape:
                raise ValueError(f"the shape of {name} is {arrays[name].shape}, not {shape}")
            if not 0 <= arrays[name].min() <= arrays[name].max() <= _MOST:
                raise ValueError(f"{name} are counts of 0 to {_MOST:,}")
    except ResourceError:
        raise
    except (ValueError, OverflowError) as error:
        raise ResourceError(
            f"The app's file resources/{RESOURCE} is broken: {error}; install the app anew."
        ) from None
    return MarkovCounts(file.hands, **arrays)


class MarkovModel:
    """The probabilities that counts amount to, each possibility counted once more than it was seen.

    Attributes
    ----------
    starts : ndarray of float64, shape (11,)
        P(category before the flop).
    reach : dict of (Street, Street) to ndarray of float64, shape (11, 11)
        P(category on the later street | category on the earlier), for every two streets in order, equal ones too.
    """

    def __init__(self, counts: MarkovCounts) -> None:
        starts = counts.starts + (np.arange(CATEGORIES) < _PREFLOP_CATEGORIES)
        self.starts: NDArray[np.float64] = starts / starts.sum()
        moves = np.where(POSSIBLE_MOVES, counts.moves + 1, 0)
        step = moves / moves.sum(axis=-1, keepdims=True)
        self.reach: dict[tuple[Street, Street], NDArray[np.float64]] = {}
        for earlier in Street:
            matrix = np.eye(CATEGORIES)
            self.reach[earlier, earlier] = matrix
            for later in Street:
                if later > earlier:
                    matrix = matrix @ step[later - 1]
                    self.reach[earlier, later] = matrix
        actions = np.where(_POSSIBLE_CLASSES[None, :, None, :], counts.actions + 1, 0)
        self._emissions: NDArray[np.float64] = actions / actions.sum(axis=-1, keepdims=True)

    def emission(self, action: UnderstoodAction) -> NDArray[np.float64]:
        """Return P(class of the action | category), float64 of shape (11,); 1 for no choice of the model."""
        facing, number = int(action.is_facing_bet), CLASS_NUMBERS[action.action_class]
        if not _POSSIBLE_CLASSES[facing, number]:
            return np.ones(CATEGORIES)
        probabilities: NDArray[np.float64] = self._emissions[action.street, facing, :, number]
        return probabilities

    def forward(
        self, actions: Sequence[UnderstoodAction], street: Street
    ) -> tuple[NDArray[np.float64], list[NDArray[np.float64]]]:
        """Return the category on a street before any action, and what each action of one player says of it.

        Returns
        -------
        prior : ndarray of float64, shape (11,)
            P(category on the street), sums to 1.
        likelihoods : list of ndarray of float64, shape (11,)
            P(action | the actions before it, category on the street), one per action; 1 for categories that
            cannot be.
        """
        prior = before = self.starts @ self.reach[Street.PREFLOP, street]
        state, at = self.starts, Street.PREFLOP
        likelihoods = []
        for action in actions:
            state = (state @ self.reach[at, action.street]) * self.emission(action)
            at = action.street
            after = state @ self.reach[at, street]
            likelihoods.append(np.divide(after, before, out=np.ones(CATEGORIES), where=before > 0))
            total = after.sum()
            state, before = state / total, after / total
        return prior, likelihoods


@cache
def default_model() -> MarkovModel:
    """Return the model that ships with the app; a `ResourceError` if its file is of no use."""
    return MarkovModel(decode_counts(read_text(RESOURCE)))


class MarkovReader(Reader):
    """The Markov model as a reader; it takes every player for the same and remembers nobody.

    The model is by default that which ships with the app. A prediction takes about 0.2 ms, and 0.1 ms more on a new
    board.
    """

    def __init__(self, model: MarkovModel | None = None, name: str = "markov") -> None:
        self.name = name
        self._model = model or default_model()

    def learn(self, events: tuple[PublicEvent, ...], observer: Seat | None = None) -> None:
        """Learn nothing."""

    def predict_views(self, observation: HandView, views: Sequence[SeatView]) -> tuple[Prediction, ...]:
        """Predict some opponents, in their order."""
        actions = understand(observation.events)
        boards = boards_at(observation.events)
        live = unblocked((*observation.board, *observation.own_cards))
        categories = np.where(live, hand_categories(observation.board), CATEGORIES)
        return tuple(
            self._predict(
                view, [done for done in actions if done.seat == view.seat], boards, observation.street, categories
            )
            for view in views
        )

    def _predict(
        self,
        view: SeatView,
        actions: Sequence[UnderstoodAction],
        boards: Sequence[tuple[Card, ...]],
        street: Street,
        categories: NDArray[np.int64],
    ) -> Prediction:
        """Predict one seat; `categories` are the combos', with one more for those that are blocked."""
        shares, likelihoods = self._model.forward(actions, street)
        counts = np.bincount(categories, minlength=CATEGORIES + 1)[:CATEGORIES]
        mass = np.where(counts > 0, shares, 0.0)
        mass /= mass.sum()
        prior = _by_combo(mass / np.maximum(counts, 1), categories)
        updates = []
        for action, likelihood in zip(actions, likelihoods, strict=True):
            mean = min(float(mass @ likelihood), 1.0)
            updates.append(
                RangeUpdate(action, boards[action.event_index], _by_combo(likelihood, categories), mean, ())
            )
            mass = mass * likelihood / mean
        return Prediction(view.seat, self.name, prior, tuple(updates), posterior_of(prior, updates))


def _by_combo(values: NDArray[np.float64], categories: NDArray[np.int64]) -> Vector:
    return frozen_vector(np.append(values, 0.0)[categories])
