"""Soulread, the agent that takes the action of most value."""

import os
from time import monotonic

import numpy as np

from engine.agents.agent import Decision, Trace
from engine.agents.learned.reader import LearnedReader
from engine.agents.reading import reading
from engine.game.events import FOLD, Action
from engine.game.observation import Observation

PARAMS = dict(lam_pre=0.1, lam_post=0.05, steps=4, boards=8, samples=16, tie=1.0)


class SoulreadAgent:
    style = "soulread"

    def __init__(self, reader=None, style="soulread", **params):
        self.style = style
        self.reader = reader or LearnedReader()
        self.p = {**PARAMS, **params}
        self.log = None

    def decide(self, observation: Observation, seed: int, *, deadline=None, deals=None) -> Decision:
        from engine.agents.soulread import rollouts as R
        from engine.kernels import playing

        p = self.p
        predictions = self.reader.read(observation)
        gen = R.outcomes(observation, predictions, self.reader, seed, (p["boards"], p["samples"]))
        for _, out in zip(range(p["steps"]), gen):
            pass
        values = np.concatenate([[0.0], out.results[:, 0]])
        actions = (FOLD, *out.actions)
        probs = self.root(observation)
        pot = observation.pot
        kinds = [self.kind(observation, a) for a in actions]
        lp = np.log(np.maximum(probs[kinds], 1e-6))
        lam = p["lam_post"] if observation.board else p["lam_pre"]
        guarded = values + lam * pot * (lp - lp.max())
        if observation.legal.can_check:
            guarded[0] = -1e9
        best = int(guarded.argmax())
        if self.log is not None:
            self.log(self, observation, actions, values, guarded, best, out)
        action = actions[best]
        trace = Trace(style=self.style, seed=seed, observation=observation, rule="value", action=action)
        return Decision(action, trace)

    def root(self, o):
        from engine.agents.soulread import rollouts as R
        from engine.kernels import playing
        from engine.cards import combo_of
        lik = self.reader.likelihoods
        m = R.moment_of(o)
        play = R.play_of(o, self.reader)
        post = lik.networks.postflop
        sc = playing.new_scratch(len(post.situation), len(post.first_bias), len(post.second_bias))
        rows, kinds = lik.first_layer(o.board)
        c = combo_of(*o.hole_cards)
        from engine.agents.learned.combo_features import shares_weaker
        bn = R._board_numbers(o.board) if o.board else np.zeros(playing.BOARD_NUMBERS, np.float32)
        playing.choose(m, play, rows[kinds[c]], float(shares_weaker(o.board)[c]), bn, sc)
        return sc.numbers

    def kind(self, o, a):
        from engine.agents.learned.situations import RAISE_BOUNDS
        from engine.cards import Street
        from engine.game.events import ActionKind, ActionTaken
        if a.kind is ActionKind.FOLD: return 0
        if a.kind is ActionKind.CHECK: return 1
        if a.kind is ActionKind.CALL: return 2
        if a.raise_to == o.legal.max_raise_to: return 7
        raises = sum(isinstance(e, ActionTaken) and e.street is o.street and e.action.kind is ActionKind.RAISE for e in o.events)
        b = RAISE_BOUNDS[(Street.PREFLOP, min(raises, 2))] if o.street is Street.PREFLOP else RAISE_BOUNDS[(Street.FLOP, 0)]
        size = (a.raise_to - o.me.bet - o.legal.call_amount) / max(o.pot + o.legal.call_amount, 1)
        return 3 + sum(size > x for x in b)

    def hand_finished(self, observation):
        self.reader.learn(observation.events)

    def memory(self):
        return self.reader.memory()

    def recall(self, memory):
        self.reader.recall(memory)
