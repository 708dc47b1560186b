"""Learning of players from hands played before, in a lane: those stored on this machine, or those of a file.

Each step is what is done so far, the last one what it comes to; nobody is changed by either.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from engine.agents.agent import Taught
from engine.codec import StoredDataError, decode
from engine.foreign_text import printable
from engine.game.formats import GameConfig, SeatConfig
from engine.words import counted
from trainer.session.record import final_of
from trainer.storage.players import FROM_FILES, Learned
from trainer.storage.store import Store
from trainer.storage.stored import StoredSession

if TYPE_CHECKING:
    from engine.agents.lessons import FileStep


@dataclass(frozen=True, slots=True)
class Progress:
    """Hands looked at of `most`, 0 if not known; at the end, what they teach, and what `say` says of it.

    `say` takes the number of players whom it has changed.
    """

    done: int
    most: int = 0
    players: Mapping[SeatConfig, Learned] | None = None
    say: Callable[[int], str] = str


def learn_stored_hands(store: Store) -> Iterator[Progress]:
    """Count all stored hands again, each session as it was played; the last `MOST_HANDS` of them.

    A player's model is what all their stored hands have taught, or what is kept already, whichever is of more
    choices: so nothing counts twice, however often this is done.
    """
    from engine.agents.learned.beliefs import OF_PROGRAMS
    from engine.agents.lessons import MOST_HANDS, Lesson  # with the readers, which the start can do without

    sessions, hands = _last_sessions(store, MOST_HANDS)
    done, found = 0, dict[SeatConfig, Learned]()
    for session in sessions:
        try:
            seats = {seat.name: seat for seat in decode(session.config, GameConfig).seats}
        except StoredDataError:
            continue
        known_before = {seat.name: found[seat].taught.known for seat in seats.values() if seat in found}
        lesson = Lesson(known_before, OF_PROGRAMS)
        for hand in store.hands(session.session_id):
            final = final_of(hand)
            if final is not None:
                lesson.learn(final.events)
                done += 1
            yield Progress(done, hands)
        for name, known in lesson.known_players().items():
            if name in seats:
                found[seats[name]] = Learned(Taught(known), session.started)
    yield Progress(done, hands, found, partial(_said_of_stored, done))


def _last_sessions(store: Store, most: int) -> tuple[list[StoredSession], int]:
    """Return the sessions whose hands are counted, the oldest first, and how many hands they have.

    People of imported hands never sit at a table here.
    """
    chosen, hands = list[StoredSession](), 0
    for session in (one for one in store.sessions() if one.venue is None):
        if hands + session.hands > most and chosen:
            break
        chosen.append(session)
        hands += session.hands
    return chosen[::-1], hands


def learn_from_file(store: Store, path: Path, now: datetime) -> Iterator[Progress]:
    """Learn the hands of a file of players by their names there; `PhhFileError` if it cannot be read."""
    from engine.agents.lessons import FileStep, learn_file

    step = FileStep()
    for step in learn_file(path, store.players.taught()):
        yield Progress(step.learned + step.again + step.skipped)
    players = {SeatConfig(name, FROM_FILES): Learned(taught, now) for name, taught in (step.players or {}).items()}
    done = step.learned + step.again + step.skipped
    yield Progress(done, players=players, say=partial(_said_of_file, path, step))


def _said_of_stored(hands: int, players: int) -> str:
    if not hands:
        return "No hands are stored yet."
    again = f"{counted(hands, 'hand')} of this machine {'was' if hands == 1 else 'were'} counted again"
    if not players:
        return f"{again}: everything in them is known already."
    return f"{again}: more is known of {counted(players, 'player')} now."


def _said_of_file(path: Path, step: "FileStep", players: int) -> str:
    name = printable(path.name)
    parts = [f"{step.again:,} of them learned before"] if step.again else []
    if step.skipped:
        parts.append(f"{step.skipped:,} left out: {printable(step.reason).rstrip('.')}")
    more = f" ({'; '.join(parts)})" if parts else ""
    read = step.learned + step.again + step.skipped
    if not read:
        return f"There are no hands in {name}."
    if not step.learned:
        return f"Nothing new is in the {counted(read, 'hand')} of {name}{more}."
    cut = f" The file goes on: learn from it again for the hands after {read:,}." if step.is_cut else ""
    return f"{counted(step.learned, 'hand')} of {name} taught something of {counted(players, 'player')}{more}.{cut}"
