"""Matches of table 2 of Li et al. 2017, one by one, and a file that keeps each of them as soon as it is finished.

A match is one tournament of the format "paper" between strangers, in seats drawn for it. Matches of the same number
have the same decks and seats whoever plays, so that two agents are compared on the same matches.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.cards import Street
from engine.game.events import ActionKind, ActionTaken, Chips, PublicEvent, Seat
from engine.game.format_file import built_in
from engine.lab.experiments.contestants import make_contestant
from engine.lab.experiments.files import FigureError
from engine.lab.matches.kept.match_file import sources_of_play
from engine.lab.matches.plan import MatchPlan, seed_of_match
from engine.lab.matches.playing import tournament

HANDS = 600
"""Of a match (table 2)."""

START: Chips = 4_000
"""Chips of a player in the beginning, with the rebuy that is not spent yet (table 2)."""

CURVE_STEP = 10
"""So many hands lie between two points of a chip curve."""

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
        sources_of_play(),
    )


def _count_actions(events: Sequence[PublicEvent], player_of: dict[Seat, int], actions: NDArray[np.int64]) -> None:
    for event in events:
        if isinstance(event, ActionTaken):
            actions[player_of[event.seat], event.street, KINDS.index(event.action.kind)] += 1


class RecordFile:
    """The file that matches are kept in: one line of JSON for each, written when it is finished.

    A process that is killed loses no finished match: what it left of a line that is not whole is passed over, and
    that match is played again.

    Attributes
    ----------
    records : dict
        Every match that is kept, by its task.

    Raises
    ------
    FigureError
        If the file cannot be read or written, or has matches that another version of Soulread has played.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.records: dict[Task, MatchRecord] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.open("ab").close()
            lines = path.read_bytes().split(b"\n")
        except OSError as error:
            raise self._error(error) from error
        self._is_cut = bool(lines[-1])
        for line in lines:
            try:
                record = msgspec.json.decode(line, type=MatchRecord)
            except msgspec.DecodeError:
                continue
            if record.sources != sources_of_play():
                raise FigureError(
                    f"The matches of {path} were played by another version of Soulread, whose players may play "
                    "otherwise; give another folder."
                )
            self.records[record.task] = record

    def add(self, record: MatchRecord) -> None:
        """Keep a finished match."""
        line = msgspec.json.encode(record) + b"\n"
        try:
            with self._path.open("ab") as file:
                file.write(b"\n" + line if self._is_cut else line)
        except OSError as error:
            raise self._error(error) from error
        self._is_cut = False
        self.records[record.task] = record

    def _error(self, error: OSError) -> FigureError:
        return FigureError(f"The matches cannot be kept in {self._path}: {error.strerror}.")
