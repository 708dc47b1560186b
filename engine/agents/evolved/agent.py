"""A player who decides by an evolved policy alone."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.agents.agent import Figure, Trace
from engine.agents.evolved.seen import SeenHand, ending, opponent_of, see
from engine.agents.evolved.stored_tree import (
    StoredLikeness,
    StoredTree,
    restore_likeness,
    stored_likeness,
    stored_tree,
    tree_of,
)
from engine.agents.fold.decide import NotToActError
from engine.agents.rule_based.ruling import RulePlayer, Ruling, figure_of
from engine.codec import pack, unpack
from engine.game.events import CALL, CHECK, FOLD, Action, raise_to
from engine.game.observation import Observation
from engine.game.sizing import raise_to_for_pot_fraction

if TYPE_CHECKING:
    from engine.kernels.evolved.hands import Mind, Policy
    from engine.kernels.evolved.tree import Tree

OPPONENT_FEATURE_NAMES = (
    "share of hands that come here",
    "share that ends by their fold",
    "share that ends at a showdown",
    "mean strength they show there",
)
"""Names of the figures of what is known of the opponent; their count is of hands."""

FEATURE_NAMES = (
    *OPPONENT_FEATURE_NAMES,
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

DISTANCE, SHARE = "distance to ", "share decided by the policy against "
"""What the names of the figures of a distance and of a policy's share begin with; a style's name follows."""

SAFE_POLICY = "all styles"
"""In the place of a style's name, for the policy that is used while too little is known."""

DECISIONS, TRUSTED_FROM = "decisions that distances rest on", "trusted from decisions"
"""Names of the figures of the test of confidence."""

POLICY_RULE, MIXED_RULE, ALIKE_RULE, SAFE_RULE = "policy", "policies_mixed", "policies_alike", "policy_for_all"
"""The rules of decisions: of one policy, of those against the likeliest styles, of those against each style taken
alike, of the one against all styles.
"""

_SIXTEENTHS = 16


class Networks(Protocol):
    """What decides: one policy, or several that decide together."""

    @property
    def styles(self) -> tuple[str, ...]:
        """The styles that an opponent is compared with."""
        ...

    def compiled(self) -> "Policy":
        """Return what the kernels take, for an opponent of whom nothing is known."""
        ...


class _Memory(Struct, frozen=True):
    opponent: str
    tree: StoredTree
    likeness: StoredLikeness


class Extractor:
    """The tree of one opponent, and how they compare with known styles, in what decides against them.

    `learned` is None before the first hand. Another opponent begins with an empty tree.
    """

    def __init__(self, networks: Networks) -> None:
        self._networks = networks
        self._opponent = ""
        self.policy: Policy | None = None
        self.learned: Tree | None = None

    def of(self, observation: Observation) -> "tuple[Policy, Tree]":
        """Return what decides against the opponent of a hand, and what was learned of them."""
        from engine.kernels.evolved.tree import new_tree

        name = opponent_of(observation).name
        if self.policy is None or self.learned is None or name != self._opponent:
            self._opponent, self.learned, self.policy = name, new_tree(), self._networks.compiled()
        return self.policy, self.learned

    def learn(self, observation: Observation) -> None:
        """Learn from a finished hand."""
        from engine.kernels.evolved.likeness import learn_hand

        hand = see(observation)
        if hand.length:
            how, strength = ending(observation)
            policy, tree = self.of(observation)
            learn_hand(tree, policy.mixing, hand.path, hand.length, how, strength)

    def memory(self) -> bytes:
        """Return the tree and the likeness, packed."""
        from engine.kernels.evolved.tree import new_tree

        tree = self.learned if self.learned is not None else new_tree(2)
        policy = self.policy if self.policy is not None else self._networks.compiled()
        return pack(
            _Memory(self._opponent, stored_tree(tree), stored_likeness(policy.mixing.likeness, int(tree.size[0])))
        )

    def recall(self, memory: bytes) -> None:
        """Take such a memory in the place of its own; a damaged one is a `StoredDataError` and changes nothing."""
        from engine.kernels.evolved.tree import MOST_NODES

        stored = unpack(memory, _Memory)
        tree, policy = tree_of(stored.tree, MOST_NODES), self._networks.compiled()
        restore_likeness(stored.likeness, tree, policy.mixing)
        self._opponent, self.learned, self.policy = stored.opponent, tree, policy


class EvolvedAgent(RulePlayer):
    """Plays a policy, or several together, and learns the tree that its features come from.

    It plays heads-up; a decision among more players is a `PolicySeatsError`.
    """

    def __init__(self, style: str, networks: Networks) -> None:
        self.style = style
        self.networks = networks
        self.extractor = Extractor(networks)

    def _ruling(self, observation: Observation, seed: int) -> Ruling:
        if observation.legal is None:
            raise NotToActError(f"Seat {observation.seat} is not to act in hand {observation.hand_number}.")
        policy, tree = self.extractor.of(observation)
        hand = see(observation)
        rows, visits = feature_rows(hand, tree)
        mind = considered(policy, tree, hand, rows, observation)
        drawn = float(np.random.default_rng([seed, 2]).random())
        figures = (
            *feature_figures(rows[-1], visits),
            *output_figures(mind.mixed),
            *mixture_figures(self.networks.styles, policy, mind),
            figure_of(DRAWN, drawn),
        )
        return policy_ruling(observation, figures)

    def hand_finished(self, observation: Observation, traces: Sequence[Trace] = ()) -> None:
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


def considered(
    policy: "Policy", tree: "Tree", hand: SeenHand, rows: NDArray[np.float32], observation: Observation
) -> "Mind":
    """Return what a policy makes of a hand by the features of its decisions, the last of which is due.

    What is not legal has probability 0; a raise that is too small or too large is the nearest that is legal.
    """
    from engine.kernels.evolved.hands import consider, new_mind
    from engine.kernels.evolved.likeness import BY_STAGE, add_path_distances
    from engine.kernels.evolved.network import begin_hand

    legal, mind = observation.legal, new_mind(policy)
    assert legal is not None
    begin_hand(mind.states)
    if policy.mixing.rule == BY_STAGE:
        street = hand.spots[-1].street
        add_path_distances(tree, policy.mixing, hand.root, hand.path, hand.length, street, mind.distances)
    for row in rows:
        # Of earlier decisions the networks remember the features alone.
        consider(policy, mind, row, legal.call_amount > 0, legal.can_raise)
    return mind


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


def mixture_figures(styles: Sequence[str], policy: "Policy", mind: "Mind") -> tuple[Figure, ...]:
    """Return distances to styles, what each policy decides, and on what that rests; empty for one policy alone."""
    if not styles:
        return ()
    decisions, mixing = float(mind.decisions[0]), policy.mixing
    distances = [
        Figure(f"{DISTANCE}{one}", float(far), 0.0, decisions)
        for one, far in zip(styles, mind.distances, strict=True)
    ]
    names = (*styles, SAFE_POLICY)
    shares = [figure_of(f"{SHARE}{one}", float(share)) for one, share in zip(names, mind.shares, strict=False)]
    least = figure_of(TRUSTED_FROM, mixing.least_decisions)
    return (*distances, *shares, figure_of(DECISIONS, decisions), least)


def policy_ruling(observation: Observation, figures: tuple[Figure, ...]) -> Ruling:
    """Return what the number drawn chooses of ten outputs, both named by figures."""
    values = {figure.name: figure.value for figure in figures}
    output = drawn_output(values)
    chosen = figure_of(CHOSEN, values[OUTPUT_NAMES[output]])
    return _rule(values), action_of_output(output, observation), (*figures, chosen)


def _rule(values: Mapping[str, float]) -> str:
    if DECISIONS not in values:
        return POLICY_RULE
    if values.get(f"{SHARE}{SAFE_POLICY}"):
        return SAFE_RULE
    shares = {value for name, value in values.items() if name.startswith(SHARE) and not name.endswith(SAFE_POLICY)}
    return MIXED_RULE if len(shares) > 1 else ALIKE_RULE


def drawn_output(values: Mapping[str, float]) -> int:
    """Return which of the ten outputs the number drawn falls on, by the figures of a trace, which may lack some."""
    odds = accumulate(values.get(name, 0.0) for name in OUTPUT_NAMES)
    return next((at for at, passed in enumerate(odds) if values[DRAWN] < passed), 1)


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
