"""Matches of table 2 of Li et al. 2017, one by one, and a file that keeps each of them as soon as it is finished.

A match is one tournament of the format "paper" between strangers, in seats drawn for it. Matches of the same number
have the same decks and seats whoever plays, so that two agents are compared on the same matches.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.cards import Street
from engine.codec import decode
from engine.game.events import ActionKind, ActionTaken, Chips, PublicEvent, Seat
from engine.game.format_file import built_in
from engine.lab.experiments import contestants
from engine.lab.experiments.contestants import is_changed, make_contestant
from engine.lab.experiments.files import FolderForm, opened_in_folder
from engine.lab.matches.kept.match_file import MatchFile, OtherVersionError
from engine.lab.matches.kept.sources import sources_of_play
from engine.lab.matches.plan import MatchPlan, seed_of_match
from engine.lab.matches.playing import tournament

HANDS = 600
"""Of a match (table 2)."""

START: Chips = 4_000
"""Chips of a player in the beginning, with the rebuy that is not spent yet (table 2)."""

CURVE_STEP = 10
"""So many hands lie between two points of a chip curve."""

RECORDS: Final = "finished.matches"
"""Name of the file of a folder."""

KINDS = tuple(ActionKind)
STREETS = tuple(Street)


class Task(Struct, frozen=True):
    """A match to be played.

    Attributes
    ----------
    players : tuple of str
        2 to 8 different names, as `make_contestant` takes them.
    number : int
        Which of the matches, from 0.
    seed : int
        Of all the matches.
    hands : int
        After which it ends, if nobody has won before.
    """

    players: tuple[str, ...]
    number: int
    seed: int = 0
    hands: int = HANDS


class PlayerRecord(Struct, frozen=True):
    """What came of a match for one player.

    Attributes
    ----------
    rank : float
        The place, 1 the best; of a place that is shared the mean.
    survived : int
        Hands after which the player still had chips or a rebuy.
    chips : int
        Won less lost, rebuys taken off.
    fluctuation : int
        Of the chips, in chips squared (Li et al. 2017, eq. 28).
    curve : tuple of int
        Chips won less lost after every `CURVE_STEP` hands of `Task.hands`, as they stay when the match is over.
    actions : tuple of tuple of int
        How often the player did what, by `STREETS` and `KINDS`.
    """

    rank: float
    survived: int
    chips: Chips
    fluctuation: int
    curve: tuple[Chips, ...]
    actions: tuple[tuple[int, ...], ...]


class MatchRecord(Struct, frozen=True):
    """A finished match, its players in the order of the task's; `sources` is the version that played it."""

    task: Task
    hands: int
    players: tuple[PlayerRecord, ...]
    sources: str = ""

    def of(self, player: str) -> PlayerRecord:
        """Return what came of it for a player by name."""
        return self.players[self.task.players.index(player)]


RecordFile = MatchFile[Task, MatchRecord]


def play(task: Task, note: Callable[[int], object] | None = None) -> MatchRecord:
    """Play a match; `note` is called with 1 after each hand.

    Examples
    --------
    >>> record = play(Task(("shover", "nit"), number=3))
    >>> sum(player.chips for player in record.players), sum(player.rank for player in record.players)
    (0, 3.0)
    """
    game = replace(built_in("paper"), max_hands=task.hands)
    plan = MatchPlan(task.players, len(task.players), None, seed_of_match(task.seed, task.number), None, game)
    count = len(task.players)
    won = np.zeros(count, dtype=np.int64)
    fluctuation = np.zeros(count, dtype=np.int64)
    curve: list[list[int]] = []
    actions = np.zeros((count, len(STREETS), len(KINDS)), dtype=np.int64)
    for dealer, player_of in tournament(plan, make=make_contestant):
        now = won.copy()
        for seat, record in enumerate(dealer.state.seats):
            now[player_of[Seat(seat)]] = record.stack - record.bought_in
        if dealer.hand_number > 1:
            fluctuation += (now - won) ** 2
        won = now
        if dealer.hand_number % CURVE_STEP == 0:
            curve.append(won.tolist())
        _count_actions(dealer.events, player_of, actions)
        if note is not None:
            note(1)
    curve += [won.tolist()] * (task.hands // CURVE_STEP - len(curve))
    state, config = dealer.state, dealer.config
    places, survived = state.places(config), state.hands_survived(config)
    seat_of = {player: seat for seat, player in player_of.items()}
    return MatchRecord(
        task,
        dealer.hand_number,
        tuple(
            PlayerRecord(
                rank=places[seat_of[at]] + (list(places.values()).count(places[seat_of[at]]) - 1) / 2,
                survived=survived[seat_of[at]],
                chips=int(won[at]),
                fluctuation=int(fluctuation[at]),
                curve=tuple(point[at] for point in curve),
                actions=tuple(map(tuple, actions[at].tolist())),
            )
            for at in range(count)
        ),
        _sources(task.players),
    )


def _count_actions(events: Sequence[PublicEvent], player_of: dict[Seat, int], actions: NDArray[np.int64]) -> None:
    for event in events:
        if isinstance(event, ActionTaken):
            actions[player_of[event.seat], event.street, KINDS.index(event.action.kind)] += 1


class _Played(Struct, frozen=True):
    task: Task
    sources: str


class _RecordForm(FolderForm[Task, MatchRecord]):
    match = MatchRecord

    def __init__(self, tasks: Sequence[Task]) -> None:
        super().__init__(built_in("paper"))
        self._tasks = frozenset(tasks)

    def key(self, match: MatchRecord) -> Task:
        return match.task

    def key_in(self, data: bytes) -> Task:
        played = decode(data, _Played)
        if played.task in self._tasks and played.sources != (ours := _sources(played.task.players)):
            raise OtherVersionError(played.sources, ours)
        return played.task

    def name(self, key: Task) -> str:
        return f"Match {key.number + 1} of {', '.join(key.players)}"


def open_record_file(path: Path, tasks: Sequence[Task]) -> AbstractContextManager[RecordFile]:
    """Open the file of a folder, as `opened_in_folder` does; no task may be of another version."""
    return opened_in_folder(path, _RecordForm(tasks))


def _sources(players: Sequence[str]) -> str:
    """Return the stamp of what plays and counts a match of these."""
    registered = [player for player in players if not is_changed(player)]
    modules = [__name__] if len(registered) == len(players) else [__name__, contestants.__name__]
    return sources_of_play(registered, modules=modules)
