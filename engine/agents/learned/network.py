"""P(choice | combo, situation) of the stored networks, for all 1326 combos at once.

Four networks: before the flop and after it, each for tables of three seats and more and for heads-up. All have
the same form: the features of combo and situation
enter one layer, which is a sum of a part that depends on the combo and the board alone and a part that depends on
the situation alone; a second layer mixes them; the third gives a number per choice, and those that were possible
share probability 1. So most of the work is done once per board, and an action costs one small matrix product.

The networks are trained by `engine.lab.training`, which writes `resources/learned_reader.npz`: those of three seats
and more from six-handed tables, those of heads-up from heads-up hands, 200 big blinds deep as recorded and with
shorter stacks derived from them (`engine.lab.stack_depths`).
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from io import BytesIO
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.agents.learned.combo_features import (
    POSTFLOP_COMBO_FEATURES,
    PREFLOP_COMBO_FEATURES,
    combo_features,
    combo_kinds,
    preflop_combo_features,
)
from engine.agents.learned.situations import (
    CHOICES,
    POSTFLOP_FEATURES,
    PREFLOP_FEATURES,
    RAISE_BOUNDS,
    ActionChoice,
    Situation,
)
from engine.cards import CLASS_COUNT, COMBO_CLASS, Card, Street, frozen
from engine.codec import ARCHIVE_ERRORS
from engine.resources import ResourceError, read_bytes

RESOURCE = "learned_reader.npz"
VERSION = 1
"""Counts up whenever the same features would mean something else."""

Matrix = NDArray[np.float32]

# Opens, 3-bets, and 4-bets or more before the flop that the networks were trained on when they were measured.
_PREFLOP_RAISES = 12_580, 2_432, 454
_HEADS_UP_RAISES = 17_414, 3_478, 548
_SIZES = slice(ActionChoice.RAISE_SMALL, CHOICES)
_MOST_BY_SIZE = 0.25
_SUPPORT = 200.0
_LEAST = 1e-12
_CLASS_SIZES = np.bincount(COMBO_CLASS, minlength=CLASS_COUNT).astype(np.float64)


class Network(NamedTuple):
    """The weights of one network; H1 and H2 are the sizes of its layers.

    Attributes
    ----------
    combo : ndarray of float32, shape (combo features, H1)
    situation : ndarray of float32, shape (situation features, H1)
    first_bias : ndarray of float32, shape (H1,)
    hidden : ndarray of float32, shape (H1, H2)
    second_bias : ndarray of float32, shape (H2,)
    output : ndarray of float32, shape (H2, 8)
    output_bias : ndarray of float32, shape (8,)
    lowest, highest : ndarray of float32, shape (situation features,)
        Between which a situation's features lie but for the rarest that were trained on. What lies beyond is taken
        as the nearest: there the network has learned nothing, and would go on as if it had.
    """

    combo: Matrix
    situation: Matrix
    first_bias: Matrix
    hidden: Matrix
    second_bias: Matrix
    output: Matrix
    output_bias: Matrix
    lowest: Matrix
    highest: Matrix


class Networks(NamedTuple):
    """The two networks for a kind of table."""

    preflop: Network
    postflop: Network


class Model(NamedTuple):
    """The networks of a reader, for tables of three seats and more and for heads-up."""

    many: Networks
    heads_up: Networks


def signature() -> tuple[str, ...]:
    """Return what a stored model has to agree with: the version, every feature's name and the bounds of sizes."""
    bounds = (f"{street.name} {raises}: {values}" for (street, raises), values in RAISE_BOUNDS.items())
    return (
        f"version {VERSION}",
        *PREFLOP_FEATURES,
        *PREFLOP_COMBO_FEATURES,
        *POSTFLOP_FEATURES,
        *POSTFLOP_COMBO_FEATURES,
        *bounds,
    )


def as_arrays(model: Model) -> dict[str, NDArray[np.generic]]:
    """Return the arrays to store."""
    arrays: dict[str, NDArray[np.generic]] = {"signature": np.array("\n".join(signature()))}
    for beginning, networks in zip(_BEGINNINGS, model, strict=True):
        for name, network in networks._asdict().items():
            arrays |= {f"{beginning}{name}_{field}": values for field, values in network._asdict().items()}
    return arrays


def from_arrays(arrays: Mapping[str, NDArray[np.generic]]) -> Model:
    """Return the networks that arrays hold; a `ResourceError` if of another version or shape."""
    if "signature" not in arrays or tuple(str(arrays["signature"]).split("\n")) != signature():
        raise ResourceError(
            f"The model in resources/{RESOURCE} was made for another version of Soulread; install the app anew."
        )
    return Model(*(Networks(*(_network(arrays, beginning, name) for name in _INPUTS)) for beginning in _BEGINNINGS))


_BEGINNINGS = "", "heads_up_"
_INPUTS = {
    "preflop": (len(PREFLOP_COMBO_FEATURES), len(PREFLOP_FEATURES)),
    "postflop": (len(POSTFLOP_COMBO_FEATURES), len(POSTFLOP_FEATURES)),
}


def _network(arrays: Mapping[str, NDArray[np.generic]], beginning: str, name: str) -> Network:
    """Return one network of those that arrays hold."""
    try:
        network = Network(
            *(np.array(arrays[f"{beginning}{name}_{field}"], np.float32, order="C") for field in Network._fields)
        )
    except (KeyError, TypeError, ValueError):
        raise ResourceError(_damaged("an array is missing or has no numbers")) from None
    first, second = network.first_bias.size, network.second_bias.size
    combos, situation = _INPUTS[name]
    shapes = (
        *((combos, first), (situation, first), (first,), (first, second), (second,)),
        *((second, CHOICES), (CHOICES,), (situation,), (situation,)),
    )
    if tuple(layer.shape for layer in network) != shapes:
        raise ResourceError(_damaged("the shapes of its layers do not fit"))
    if not all(np.isfinite(layer).all() for layer in network):
        raise ResourceError(_damaged("it holds numbers that are not finite"))
    return network


def _damaged(why: str) -> str:
    return f"The model in resources/{RESOURCE} is damaged: {why}; install the app anew."


@cache
def stored() -> Model:
    """Return the networks that ship with the app; a `ResourceError` if their file is of no use."""
    try:
        with np.load(BytesIO(read_bytes(RESOURCE)), allow_pickle=False) as arrays:
            return from_arrays({name: arrays[name] for name in arrays.files})
    except ResourceError:
        raise
    except (OSError, *ARCHIVE_ERRORS) as error:
        raise ResourceError(_damaged("it cannot be read")) from error


class Likelihoods:
    """The networks for a kind of table at work; keeps what it computed for the last boards and situations.

    Some 0.3 ms for a situation after the flop, and for a board's first one as long as `combo_features` and 0.1 ms;
    before the flop 0.05 ms. numpy's matrix products are not used: see `engine.kernels.choices`.
    """

    def __init__(self, networks: Networks, raises: tuple[int, int, int] = _PREFLOP_RAISES) -> None:
        self.networks = networks
        self._raises = raises
        self._preflop_rows = lru_cache(maxsize=1)(self._compute_preflop_rows)
        self._board_rows = lru_cache(maxsize=8)(self._compute_board_rows)
        self._kept = lru_cache(maxsize=256)(self._compute)
        self._kept_tightness = lru_cache(maxsize=256)(self._compute_tightness)

    def prepare(self, board: tuple[Card, ...]) -> None:
        """Compute what a board takes before anybody acts on it, so that no action has to wait for it."""
        self._board_rows(board)

    def first_layer(self, board: tuple[Card, ...]) -> tuple[Matrix, NDArray[np.intp]]:
        """Return the combos' part of the first layer on a board, a row for each kind, and the kind of every combo.

        Shapes (kinds, first layer), float32, and (1326,); before the flop the kinds are the hand classes.
        """
        return self._board_rows(board) if board else (self._preflop_rows(), COMBO_CLASS.astype(np.intp))

    def probabilities(self, situation: Situation) -> Matrix:
        """Return P(choice | combo) in a situation.

        Returns
        -------
        ndarray of float32, shape (1326, 8), read-only
            Rows sum to 1; 0 for choices that were not possible. Rows of combos that the board blocks mean nothing.
        """
        rows = self.rows(situation)
        if situation.street is not Street.PREFLOP:
            return rows
        return frozen(rows[COMBO_CLASS])

    def rows(self, situation: Situation) -> Matrix:
        """Return P(choice | class) before the flop and P(choice | combo) after it, as `probabilities`.

        Shape (169, 8) or (1326, 8), float32, read-only.
        """
        features, possible = situation.features.tobytes(), situation.possible.tobytes()
        return self._kept(situation.street, situation.board, situation.raises, features, possible)

    def tightness(self, situation: Situation) -> float:
        """Return the log-odds of folding an average hand before the flop; 0 after it, and where one may check."""
        if situation.street is not Street.PREFLOP or not situation.possible[ActionChoice.FOLD]:
            return 0.0
        return self._kept_tightness(situation.features.tobytes(), situation.possible.tobytes())

    def average_row(self) -> Matrix:
        """Return what an average hand before the flop makes of the first layer: shape (1, first layer)."""
        return np.average(self._preflop_rows(), axis=0, weights=_CLASS_SIZES)[None].astype(np.float32)

    def of_features(self, situation: Situation, features: NDArray[np.floating]) -> Matrix:
        """Return P(choice | features) in a situation, for rows of features that need not be a real combo's.

        `features` has the shape (n, combo features of the street), the answer (n, 8), float32.
        """
        network = self.networks.preflop if situation.street is Street.PREFLOP else self.networks.postflop
        rows = combo_rows(network, np.ascontiguousarray(features, dtype=np.float32))
        found = _forward(network, rows, situation.features, situation.possible)
        if situation.street is not Street.PREFLOP:
            return found
        of_classes = _forward(network, self._preflop_rows(), situation.features, situation.possible)
        return pool_sizes(found, of_classes, self._raises_like(situation.raises))

    def _compute(
        self, street: Street, board: tuple[Card, ...], raises: int, features: bytes, possible: bytes
    ) -> Matrix:
        row = np.frombuffer(features, dtype=np.float32)
        mask = np.frombuffer(bytearray(possible), dtype=np.bool_)
        if street is Street.PREFLOP:
            of_classes = _forward(self.networks.preflop, self._preflop_rows(), row, mask)
            probabilities = pool_sizes(of_classes, of_classes, self._raises_like(raises))
        else:
            rows, kinds = self._board_rows(board)
            probabilities = _forward(self.networks.postflop, rows, row, mask)[kinds]
        return frozen(probabilities)

    def _compute_tightness(self, features: bytes, possible: bytes) -> float:
        row = np.frombuffer(features, dtype=np.float32)
        mask = np.frombuffer(bytearray(possible), dtype=np.bool_)
        folding = float(_forward(self.networks.preflop, self.average_row(), row, mask)[0, ActionChoice.FOLD])
        return log(max(folding, _LEAST) / max(1 - folding, _LEAST))

    def _raises_like(self, raises: int) -> int:
        """Return how many raises after so many others the networks were trained on."""
        return self._raises[min(raises, len(self._raises) - 1)]

    def _compute_preflop_rows(self) -> Matrix:
        return combo_rows(self.networks.preflop, preflop_combo_features())

    def _compute_board_rows(self, board: tuple[Card, ...]) -> tuple[Matrix, NDArray[np.intp]]:
        """Return the rows of one combo of each kind, and the kind of every combo."""
        combos, kinds = combo_kinds(board)
        return combo_rows(self.networks.postflop, combo_features(board)[combos]), kinds


def combo_rows(network: Network, features: Matrix) -> Matrix:
    """Return the combos' part of the first layer."""
    return _layer(features, None, network.combo, np.zeros_like(network.first_bias))


def _forward(network: Network, rows: Matrix, features: Matrix, possible: NDArray[np.bool_]) -> Matrix:
    """Return the probabilities of the choices for each row of the combos' part of the first layer."""
    known = np.clip(features, network.lowest, network.highest)
    shift = _layer(known[None], None, network.situation, network.first_bias)[0]
    second = _layer(rows, shift, network.hidden, network.second_bias)
    numbers = _layer(second, np.zeros_like(network.second_bias), network.output, network.output_bias)
    return softmax(numbers, possible)


def pool_sizes(probabilities: Matrix, of_classes: Matrix, raises_trained: int) -> Matrix:
    """Return P(choice) before the flop with the raise's size saying no more of the hand than it is known to.

    How likely a hand is to raise stays. What the size adds to that, ln(P(size | raise, hand) / P(size | raise)),
    is held smoothly (tanh) within 0.25 n / (n + 200) of 0, where n is how many of the opens, 3-bets or 4-bets that
    the networks were trained on would have this size if all were made in this situation. Without it the networks
    take a few players' habits for everybody's: a combo of aces had a ninth of the likeliest one's weight after an
    open to 3.5 bb under the gun, 200 bb deep.

    Parameters
    ----------
    probabilities : ndarray of float32, shape (n, 8)
        The network's, of any hands.
    of_classes : ndarray of float32, shape (169, 8)
        The same of each hand class.
    raises_trained : int
        The opens, 3-bets or 4-bets that the networks were trained on.

    Returns
    -------
    ndarray of float32, shape (n, 8)

    Notes
    -----
    0.25 and 200 were chosen among eight pairs as leaving no usual open, 3-bet or 4-bet that gives a combo of AA or
    KK less than half of the likeliest one's weight. On the hands kept apart, nats in all, pluribus and bovada_6max:
    5.9236 and 6.0755 as the networks have it, 5.9209 and 6.0761 so, 5.9186 and 6.0816 with the sizes left out.
    """
    by_size = _CLASS_SIZES @ of_classes[:, _SIZES]
    if not by_size.any():
        return probabilities
    usual = by_size / by_size.sum()
    count = usual * raises_trained
    most = np.maximum(_MOST_BY_SIZE * count / (count + _SUPPORT), _LEAST)
    sizes = probabilities[:, _SIZES].astype(np.float64)
    raising = sizes.sum(axis=1, keepdims=True)
    adds = np.log(np.maximum(sizes, _LEAST) / np.maximum(raising * usual, _LEAST))
    pooled = usual * np.exp(most * np.tanh(adds / most))
    found = probabilities.copy()
    found[:, _SIZES] = raising * pooled / pooled.sum(axis=1, keepdims=True)
    return found


def softmax(numbers: Matrix, possible: NDArray[np.bool_]) -> Matrix:
    """Return each row's probabilities of the choices that are possible, proportional to exp(number).

    `numbers` and the probabilities have shape (n, 8), `possible` shape (8,), and one of it at least is true.
    """
    odds = np.where(possible, numbers, -np.inf).T.copy()  # numpy is slow along rows of eight
    odds -= odds.max(axis=0)
    np.exp(odds, out=odds)
    odds /= odds.sum(axis=0)
    return np.ascontiguousarray(odds.T)


def _layer(inputs: Matrix, shift: Matrix | None, weights: Matrix, bias: Matrix) -> Matrix:
    """Return `bias + max(inputs + shift, 0) @ weights`, or without shift `bias + inputs @ weights`."""
    from engine.kernels.choices import add_layer

    count = len(weights)
    floor = 0.0
    if shift is None:
        shift, floor = np.zeros(count, dtype=np.float32), -np.inf
    given = inputs.view()
    given.setflags(write=False)  # machine code is made for read-only inputs: features are
    out = np.zeros((len(inputs), weights.shape[1]), dtype=np.float32)
    values, used = np.empty(count + 4, dtype=np.float32), np.empty(count + 4, dtype=np.uint64)
    add_layer(given, shift, floor, weights, bias, values, used, out)
    return out


class TableLikelihoods(NamedTuple):
    """The networks at work at every table: of three seats and more, and heads-up."""

    many: Likelihoods
    heads_up: Likelihoods

    def at(self, seats: int) -> Likelihoods:
        """Return those for a table at which so many are dealt in."""
        return self.heads_up if seats == 2 else self.many


def at_work(model: Model) -> TableLikelihoods:
    """Return networks at work."""
    return TableLikelihoods(Likelihoods(model.many), Likelihoods(model.heads_up, _HEADS_UP_RAISES))


@cache
def stored_likelihoods() -> TableLikelihoods:
    """Return the networks that ship with the app, at work; all readers share them, since they remember nothing."""
    return at_work(stored())
