"""Matches of the ensemble paper's agents and of what stands for its other players, and a file that keeps them.

A match is one of strangers over many hands, heads-up with 200 big blinds, stacks reset, and each deck played twice
with the hands swapped. Matches with the same seed have the same decks whoever plays. Those of evolved policies with
the pool are played by kernels, hand for hand as at the ordinary table, where all others are played.
"""

from contextlib import AbstractContextManager
from pathlib import Path
from time import perf_counter, process_time
from typing import Final

import numpy as np
from msgspec import Struct

from engine.agents.agent import Agent
from engine.agents.evolved.agent import EvolvedAgent
from engine.agents.rule_based.pool import POOL
from engine.agents.styles import make_agent
from engine.codec import decode
from engine.lab.evolution.evaluation import GAME
from engine.lab.experiments.ensemble.sets import A_AVE, A_BASE, A_BY_STAGE, A_INT, A_STAR, A_TAR, PolicySet
from engine.lab.experiments.files import FolderForm, opened_in_folder
from engine.lab.matches.kept.match_file import MatchFile
from engine.lab.matches.kept.sources import sources_of_play
from engine.lab.matches.plan import MatchPlan
from engine.lab.matches.playing import play_decks, players_of

MATCHES: Final = "ensemble.matches"
"""Name of the file of a folder."""

O_RANDOM: Final = "o-random"

AGENTS: Final = (A_TAR, A_BASE, A_AVE, A_INT, A_STAR)
"""The paper's, in its order."""

_OF_SETS: Final = (*AGENTS, A_BY_STAGE)

POINT_HANDS: Final = 500
"""So many hands lie between two points of a match's curve."""


class Match(Struct, frozen=True):
    """A match to be played.

    Attributes
    ----------
    agent, rival : str
        One of the agents of a set, or a style; a style.
    policies : str
        Digest of the set that the agent is of; empty for a style.
    seed : int
    hands : int
        An even number.
    version : str
        Of the code that plays.
    clock : str
        How a decision of the agent is timed: "cpu" or "wall"; empty if it is not.
    """

    agent: str
    rival: str
    policies: str
    seed: int
    hands: int
    version: str
    clock: str = ""


class Played(Struct, frozen=True):
    """What came of a match: big blinds that the agent won per hand, with the standard error over decks.

    Attributes
    ----------
    curve : tuple of float
        Big blinds won per hand, of each `POINT_HANDS` hands; empty of a match at the ordinary table.
    seconds : float
        That a decision of the agent took where it was timed, or of matches by kernels a whole hand, decks apart.
    """

    match: Match
    mean: float
    stderr: float
    curve: tuple[float, ...] = ()
    seconds: float = 0.0


MatchesFile = MatchFile[Match, Played]


def is_in_bulk(agent: str, rival: str) -> bool:
    """Tell whether kernels play a match of these two."""
    return agent in _OF_SETS and (rival in POOL or rival == O_RANDOM)


def match_of(agent: str, rival: str, policies: PolicySet | None, seed: int, hands: int, clock: str = "") -> Match:
    """Return a match as this version plays it."""
    styles = [rival] if agent in _OF_SETS else [agent, rival]
    digest = policies.digest if policies is not None and agent in _OF_SETS else ""
    return Match(agent, rival, digest, seed, hands, sources_of_play(styles, modules=(__name__,)), clock)


def play_match(match: Match, policies: PolicySet | None) -> Played:
    """Play a match, its agent by some policies or of a style."""
    return _in_bulk(match, policies) if is_in_bulk(match.agent, match.rival) else _at_table(match, policies)


def _in_bulk(match: Match, policies: PolicySet | None) -> Played:
    from engine.kernels.evolved.tree import new_tree
    from engine.lab.evolution.deals import deals_of, play

    assert policies is not None
    player = policies.player(match.agent, match.rival).compiled()
    deals = deals_of(GAME, match.seed, 0, match.hands // 2)
    started = process_time()
    won = play(deals, match.rival, player, new_tree()) / GAME.big_blind
    seconds = (process_time() - started) / match.hands if match.clock else 0.0
    decks = won.mean(axis=1)
    whole = len(decks) // (POINT_HANDS // 2)
    curve = decks[: whole * (POINT_HANDS // 2)].reshape(whole, POINT_HANDS // 2).mean(axis=1)
    stderr = float(decks.std(ddof=1) / np.sqrt(len(decks)))
    return Played(match, float(decks.mean()), stderr, tuple(curve.tolist()), seconds)


def _at_table(match: Match, policies: PolicySet | None) -> Played:
    def make(style: str) -> Agent:
        if style in _OF_SETS:
            assert policies is not None
            return EvolvedAgent(style, policies.player(style, match.rival))
        return make_agent(style)

    plan = MatchPlan((match.agent, match.rival), 2, match.hands, match.seed, None, GAME)
    clock = perf_counter if match.clock == "wall" else process_time
    *_, tally = play_decks(plan, players_of(plan, make), clock)
    agent = tally.style_results(plan.styles)[0]
    rate, seconds = agent.adjusted, agent.decision_seconds if match.clock else 0.0
    return Played(match, rate.bb_per_100 / 100, rate.stderr / 100, (), seconds)


class _MatchesForm(FolderForm[Match, Played]):
    match = Played

    def __init__(self) -> None:
        super().__init__(GAME)

    def key(self, match: Played) -> Match:
        return match.match

    def key_in(self, data: bytes) -> Match:
        return decode(data, Played).match

    def name(self, key: Match) -> str:
        return f"The match of {key.agent} and {key.rival}"


def open_matches(folder: Path) -> AbstractContextManager[MatchesFile]:
    """Open the file of a folder, as `opened_in_folder` does."""
    return opened_in_folder(folder / MATCHES, _MatchesForm())
