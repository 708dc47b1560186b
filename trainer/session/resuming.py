"""A stored session as it was left: its agents remember, and the hand on the table stands where it stood."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from msgspec import structs

from engine.agents.agent import Agent, Decision, Trace
from engine.cards import HoleCards
from engine.codec import decode
from engine.game.events import ActionTaken, Seat
from engine.game.formats import GameConfig
from engine.game.observation import Observation
from engine.play import Dealer
from engine.session_state import DealerState
from trainer.session.agents import recalled
from trainer.session.readings import points_of
from trainer.session.record import (
    SessionRecord,
    final_of,
    known_at_start,
    stored_memories,
    stored_tallies,
)
from trainer.session.recorded_dealer import RecordedDealer, Step
from trainer.session.standing import Tally
from trainer.storage.store import Store
from trainer.storage.stored import StoredHand, StoredSession, StoreError


@dataclass(frozen=True, slots=True)
class Restored:
    """A stored session at its last action."""

    table: RecordedDealer
    tally: Tally  # of every finished hand
    # the player's at the end of the hands before the one on the table, as far as `reader_memory` has them not
    past: tuple[Observation, ...]
    # what the player's reader had learned of the hands before these, behind the number of the last of them
    reader_memory: tuple[int, bytes] | None
    step: Step  # the hand on the table, all of it; no moments before the first hand
    points: tuple[Observation, ...]  # its points that can be read
    traces: tuple[Trace, ...]  # of its decisions
    tallies: bytes | None  # how often the player's readers were right


def restore(stored: StoredSession, store: Store, hero: Seat, reader: str) -> Iterator[str | Restored]:
    """Go on with a stored session: its agents recall what they knew, and learn the few hands since.

    Yield what it is doing, in words; at last the session. Raise StoreError if its hands cannot be read,
    StoredDataError if one that is needed is damaged.
    """
    session_id = stored.session_id
    config, state = store.config(session_id), decode(stored.state, DealerState)
    found, memory = stored_memories(store, session_id, reader)
    known_then, tallies = known_at_start(store, session_id), stored_tallies(store, session_id)
    agents, tally = recalled(config, found, known_then)
    record = SessionRecord(store, config, stored.started, state, known_then, session_id)
    table = RecordedDealer(Dealer.restore(config, state, agents), record, hero, tally)
    known = memory[0] if memory is not None else 0
    before_last = max(state.hands_dealt - 1, 0)  # the last one is on the table, unless another one runs
    hands = store.hands(session_id, min(tally.last_hand, known, before_last))
    traces = _traces_of(hands[-1], store, record) if hands else ()
    past: list[Observation] = []
    for index, hand in enumerate(hands):
        yield f"Remembering hand {index + 1} of {len(hands)}"
        if not hand.is_finished:
            table.dealer = _replay(hand, config, agents, traces)
        elif (final := final_of(hand)) is None:
            record.say(f"Hand {hand.number} is damaged and left out.")
        else:
            if hand.number > tally.last_hand:
                tally.add(final)
                _learn_again(hand, final, _traces_of(hand, store, record), config, agents)
            if hand.number > known or hand is hands[-1]:
                past.append(final)
    table.save_memory_if_due()
    last = hands[-1] if hands else None
    if last is None or (last.is_finished and (not past or past[-1].hand_number != last.number)):
        step = Step((), table.dealer.to_act, True, record.take_notices())
        yield Restored(table, tally.copy(), tuple(past), memory, step, (), (), tallies)
        return
    record.resume_hand(last)
    full = past.pop() if last.is_finished else table.dealer.observe(hero)
    step = _whole_hand(table, full, is_stored=last.is_finished)
    yield Restored(table, tally.copy(), tuple(past), memory, step, tuple(points_of(full)), traces, tallies)


def _whole_hand(table: RecordedDealer, full: Observation, *, is_stored: bool) -> Step:
    """Return all of the hand on the table; one killed between its last action and its end is ended."""
    from engine.game.history import observation_at

    is_over = not table.dealer.is_hand_running
    if is_over and not is_stored:
        table.end_hand(full)
    moments = tuple(observation_at(full, count) for count in range(1, len(full.events) + 1))
    return Step(moments, table.dealer.to_act, is_over, table.record.take_notices())


def _traces_of(hand: StoredHand, store: Store, record: SessionRecord) -> tuple[Trace, ...]:
    """Return what a hand's decisions were made of; nothing but a sentence if it cannot be read."""
    try:
        return store.traces(hand.hand_id)
    except StoreError as error:
        record.say(str(error))
        return ()


def _learn_again(
    hand: StoredHand, final: Observation, traces: Sequence[Trace], config: GameConfig, agents: Mapping[Seat, Agent]
) -> None:
    """Let the agents learn a finished hand, each with the cards it held and its own decisions."""
    if not hand.hole_cards:
        if not hand.state:  # they are damaged: this lesson is missed
            return
        # Of an earlier version: they follow from the deck.
        taken = tuple(event.action for event in final.events if isinstance(event, ActionTaken))
        _replay(structs.replace(hand, taken=taken), config, agents, ())
        return
    for seat, hole_cards in hand.hole_cards.items():
        if seat in agents:
            own = tuple(trace for trace in traces if trace.observation.seat == seat)
            agents[seat].hand_finished(_seen_by(seat, hole_cards, final), own)


def _seen_by(seat: Seat, hole_cards: HoleCards, final: Observation) -> Observation:
    """Return another seat's observation at the end of a hand: all else is public by then."""
    return structs.replace(final, seat=seat, hole_cards=hole_cards)


def _replay(hand: StoredHand, config: GameConfig, agents: Mapping[Seat, Agent], traces: Sequence[Trace]) -> Dealer:
    """Play a stored hand again; the traces of an unfinished one go back to where they are sealed."""
    dealer = Dealer.restore(config, decode(hand.state, DealerState), agents)
    dealer.start_hand()
    by_moment = {len(trace.observation.events): trace for trace in traces}
    for action in hand.taken:
        trace = by_moment.get(len(dealer.events))
        dealer.apply(action, Decision(action, trace) if trace is not None else None)
    return dealer
