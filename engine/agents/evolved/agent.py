"""A player who decides by an evolved policy alone."""

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.agents.agent import Decision, Figure
from engine.agents.evolved.policy import StoredPolicy
from engine.agents.evolved.seen import SeenHand, ending, opponent_of, see
from engine.agents.evolved.stored_tree import StoredTree, stored_tree, tree_of
from engine.agents.fold.decide import NotToActError
from engine.agents.rule_based.ruling import Ruling, decision_of, figure_of
from engine.codec import pack, unpack
from engine.game.events import CALL, CHECK, FOLD, Action, raise_to
from engine.game.observation import Observation
from engine.game.sizing import raise_to_for_pot_fraction

if TYPE_CHECKING:
    from engine.kernels.evolved.network import State
    from engine.kernels.evolved.tree import Tree

FEATURE_NAMES = (
    "share of hands that come here",
    "share that ends by their fold",
    "share that ends at a showdown",
    "mean strength they show there",
    "share of hands with a straight or flush",
    "pairs on the board, of two",
    "how far the streets have come",
    "strength of our hand",
    "what they have put in, by logarithms",
    "what we have put in, by logarithms",
)
"""Names of the figures of a decision's features, those of the opponent first."""

OUTPUT_NAMES = (
    "odds of folding",
    "odds of checking or calling",
    "odds of raising 1/16 pot",
    "odds of raising 1/4 pot",
    "odds of raising 1/2 pot",
    "odds of raising 1 pot",
    "odds of raising 1 1/2 pots",
    "odds of raising 3 pots",
    "odds of raising 6 pots",
    "odds of going all-in",
)
"""Names of the figures of the ten outputs, which sum to 1."""

DRAWN, CHOSEN = "drawn number", "odds of what was drawn"
"""Names of the figures of the number that chose, and of the probability of what it chose."""

POLICY_RULE = "policy"
"""The rule of all decisions of a policy."""

_SIXTEENTHS = 16


class _Memory(Struct, frozen=True):
    opponent: str
    tree: StoredTree


class Extractor:
    """The tree of one opponent, `learned`, None before the first hand; another one begins with an empty tree."""

    def __init__(self) -> None:
        self._opponent = ""
        self.learned: Tree | None = None

    def tree(self, observation: Observation) -> "Tree":
        """Return what was learned of the opponent of a hand."""
        from engine.kernels.evolved.tree import new_tree

        name = opponent_of(observation).name
        if self.learned is None or name != self._opponent:
            self._opponent, self.learned = name, new_tree()
        return self.learned

    def learn(self, observation: Observation) -> None:
        """Learn from a finished hand."""
        from engine.kernels.evolved.tree import learn_path

        hand = see(observation)
        if hand.length:
            how, strength = ending(observation)
            learn_path(self.tree(observation), hand.path, hand.length, how, strength)

    def memory(self) -> bytes:
        """Return the tree, packed."""
        from engine.kernels.evolved.tree import new_tree

        tree = self.learned if self.learned is not None else new_tree(2)
        return pack(_Memory(self._opponent, stored_tree(tree)))

    def recall(self, memory: bytes) -> None:
        """Take such a tree in the place of its own; a damaged one is a `StoredDataError` and changes nothing."""
        from engine.kernels.evolved.tree import MOST_NODES

        stored = unpack(memory, _Memory)
        self._opponent, self.learned = stored.opponent, tree_of(stored.tree, MOST_NODES)


class EvolvedAgent:
    """Plays a policy heads-up, and learns the tree that its features come from."""

    def __init__(self, style: str, policy: StoredPolicy) -> None:
        self.style = style
        self.policy = policy
        self.extractor = Extractor()

    def decide(
        self, observation: Observation, seed: int, *, deadline: float | None = None, deals: int | None = None
    ) -> Decision:
        """Choose a legal action for the observing seat, whose turn it is; it takes a moment, and no deals.

        Raises
        ------
        NotToActError
            If the seat is not to act.
        PolicySeatsError
            If more than two players are dealt in.
        """
        if observation.legal is None:
            raise NotToActError(f"Seat {observation.seat} is not to act in hand {observation.hand_number}.")
        rows, visits = feature_rows(see(observation), self.extractor.tree(observation))
        drawn = float(np.random.default_rng([seed, 2]).random())
        figures = (
            *feature_figures(rows[-1], visits),
            *output_figures(probabilities(self.policy, rows, observation)),
            figure_of(DRAWN, drawn),
        )
        return decision_of(self.style, observation, seed, policy_ruling(observation, figures))

    def hand_finished(self, observation: Observation) -> None:
        """Let the tree learn how the hand went."""
        self.extractor.learn(observation)

    def memory(self) -> bytes:
        """Return the tree, packed."""
        return self.extractor.memory()

    def recall(self, memory: bytes) -> None:
        """Take such a tree in the place of its own; a damaged one is a `StoredDataError` and changes nothing."""
        self.extractor.recall(memory)


def feature_rows(hand: SeenHand, tree: "Tree") -> tuple[NDArray[np.float32], int]:
    """Return the features at each of the owner's decisions of a hand, and how often the last one was come to.

    Returns
    -------
    tuple of ndarray of float32, shape (decisions, FEATURES), and int
    """
    from engine.kernels.evolved.hands import game_features
    from engine.kernels.evolved.network import FEATURES
    from engine.kernels.evolved.tree import NOT_THERE, VISITS, find_node, opponent_features

    rows = np.zeros((len(hand.spots), FEATURES), np.float32)
    visits = 0
    for row, spot in zip(rows, hand.spots, strict=True):
        node = find_node(tree, hand.root, hand.path, spot.length)
        opponent_features(tree, node, hand.root, row)
        game_features(spot.cards, spot.chips, spot.street, row)
        visits = 0 if node == NOT_THERE else int(tree.counts[node, VISITS])
    return rows, visits


def probabilities(policy: StoredPolicy, rows: NDArray[np.float32], observation: Observation) -> NDArray[np.float64]:
    """Return the probabilities of a policy's ten outputs, shape (10,), given the features of its decisions.

    What is not legal has 0; a raise that is too small or too large is the nearest that is legal.
    """
    from engine.kernels.evolved.network import begin_hand, choose, new_state, think

    compiled, legal = policy.compiled(), observation.legal
    assert legal is not None
    state: State = new_state(compiled.net.shape)
    begin_hand(state)
    for row in rows:
        think(compiled.net, state, row)
    choose(state, compiled.logit_scale, legal.call_amount > 0, legal.can_raise, 0.0)
    return state.probabilities


def feature_figures(features: NDArray[np.float32], visits: int) -> tuple[Figure, ...]:
    """Return features as figures of a trace; those of the opponent with the hands that they come from."""
    from engine.kernels.evolved.tree import OPPONENT_FEATURES

    return tuple(
        Figure(name, float(value), float(value), float(visits if at < OPPONENT_FEATURES else 0))
        for at, (name, value) in enumerate(zip(FEATURE_NAMES, features, strict=True))
    )


def output_figures(odds: NDArray[np.float64]) -> tuple[Figure, ...]:
    """Return the probabilities of the ten outputs as figures of a trace."""
    return tuple(figure_of(name, float(value)) for name, value in zip(OUTPUT_NAMES, odds, strict=True))


def policy_ruling(observation: Observation, figures: tuple[Figure, ...]) -> Ruling:
    """Return what the number drawn chooses of ten outputs, both named by figures."""
    values = {figure.name: figure.value for figure in figures}
    odds, passed = [values[name] for name in OUTPUT_NAMES], 0.0
    output = next((at for at, one in enumerate(odds) if values[DRAWN] < (passed := passed + one)), 1)
    return POLICY_RULE, action_of_output(output, observation), (*figures, figure_of(CHOSEN, odds[output]))


def action_of_output(output: int, observation: Observation) -> Action:
    """Return the legal action that an output stands for."""
    from engine.kernels.evolved.hands import SIZES
    from engine.kernels.evolved.tree import RAISE_ACTION

    legal = observation.legal
    assert legal is not None
    if output == 0:
        return FOLD
    if output == 1:
        return CHECK if legal.can_check else CALL
    if output - RAISE_ACTION == len(SIZES):
        return raise_to(legal.max_raise_to)
    return raise_to(raise_to_for_pot_fraction(observation, SIZES[output - RAISE_ACTION] / _SIXTEENTHS))
