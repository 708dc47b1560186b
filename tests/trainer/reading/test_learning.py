"""Learning from stored hands and from files: what comes of it in the store."""

from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from engine.agents import lessons
from engine.game.events import ActionTaken, PublicEvent, start_of
from engine.game.format_file import cash_game
from engine.game.formats import GameConfig, SeatConfig
from engine.play import Dealer
from tests.engine.agents.test_lessons import choices_of, write
from tests.trainer.storage.test_imports import hand
from tests.trainer.storage.test_store import STARTED
from trainer.reading.learning import Progress, learn_from_file, learn_stored_hands
from trainer.session.agents import make_agents
from trainer.storage.players import FROM_FILES, MOST_PLAYERS, Change
from trainer.storage.store import Store

YOU, ADA, BOB = SeatConfig("You", "human"), SeatConfig("Ada", "tight-passive"), SeatConfig("Bob", "random")
LATER = STARTED + timedelta(days=1)


def play_session(
    store: Store, seats: tuple[SeatConfig, ...], hands: int, started: datetime, seed: int
) -> Counter[str]:
    """Play and store a session of bots, nobody remembered, and return how many choices each player made."""
    config: GameConfig = cash_game(tuple(SeatConfig(one.name, "random") for one in seats), seed=seed)
    dealer = Dealer(config, make_agents(config, {}))
    session = store.add_session(started, cash_game(seats, seed=seed), dealer.state)
    choices: Counter[str] = Counter()
    for number in range(1, hands + 1):
        hand = store.begin_hand(session, number, dealer.state)
        dealer.start_hand()
        while dealer.to_act is not None:
            decision = dealer.decide()
            dealer.apply(decision.action, decision)
        store.finish_hand(hand, dealer.observe(0), dealer.state, {})
        choices += made(dealer.events)
    return choices


def made(events: tuple[PublicEvent, ...]) -> Counter[str]:
    started = start_of(events)
    names = {start.seat: start.name for start in started.seats}
    return Counter(names[event.seat] for event in events if isinstance(event, ActionTaken))


def finished(steps: object) -> Progress:
    *_, last = steps  # type: ignore[misc]
    assert isinstance(last, Progress)
    return last


def learn(store: Store, path: Path | None = None) -> tuple[str, tuple[Change, ...]]:
    """Learn to the end; return what is said, and the changes."""
    last = finished(learn_stored_hands(store) if path is None else learn_from_file(store, path, LATER))
    assert last.players is not None
    changes = store.players.learn(last.players)
    return last.say(len(changes)), changes


def counted(store: Store) -> dict[SeatConfig, tuple[int, int]]:
    return {player.seat: (player.known.choices, player.known.counted) for player in store.players.all()}


def test_stored_hands_teach_of_everybody_in_them_once(store: Store) -> None:
    first = play_session(store, (YOU, ADA), 6, STARTED, 1)
    second = play_session(store, (YOU, ADA, BOB), 5, LATER, 2)
    said, changes = learn(store)
    assert said == "11 hands of this machine were counted again: more is known of 3 players now."
    assert len(changes) == 3
    both = first + second
    assert counted(store) == {seat: (both[seat.name],) * 2 for seat in (YOU, ADA, BOB)}
    met = {player.seat: player.met for player in store.players.all()}
    assert met == {YOU: LATER, ADA: LATER, BOB: LATER}
    said, changes = learn(store)
    assert said == "11 hands of this machine were counted again: everything in them is known already."
    assert changes == ()
    assert set(store.players.known((ADA,))) == {"Ada"}


def test_people_of_imported_hands_are_not_learned(store: Store) -> None:
    store.imports.add([hand(number, minutes=number) for number in range(5)])
    assert learn(store) == ("No hands are stored yet.", ())
    assert counted(store) == {}


def test_a_bot_of_another_style_is_another_player(store: Store) -> None:
    first = play_session(store, (YOU, ADA), 4, STARTED, 3)
    other = SeatConfig("Ada", "maniac")
    second = play_session(store, (YOU, other), 3, LATER, 4)
    learn(store)
    assert counted(store)[ADA][1] == first["Ada"]
    assert counted(store)[other][1] == second["Ada"]


def test_what_is_known_from_more_choices_stays(store: Store) -> None:
    play_session(store, (YOU, ADA), 6, STARTED, 5)
    learn(store)
    before = counted(store)
    newest = store.sessions()[0].session_id
    store.delete_sessions([newest])
    play_session(store, (YOU, ADA), 2, LATER, 6)
    learn(store)
    assert counted(store) == before


def test_learning_is_undone_but_of_whom_more_was_learned_since(store: Store) -> None:
    play_session(store, (YOU, ADA), 6, STARTED, 7)
    _, changes = learn(store)
    assert store.players.undo(changes) == 2
    assert counted(store) == {}
    _, changes = learn(store)
    play_session(store, (YOU, BOB), 3, LATER, 8)
    learn(store)
    assert store.players.undo(changes) == 1  # You have learned more since
    assert set(counted(store)) == {YOU, BOB}


def test_who_was_forgotten_is_learned_of_again(store: Store) -> None:
    play_session(store, (YOU, ADA), 4, STARTED, 9)
    learn(store)
    before = counted(store)
    store.players.forget([YOU], LATER)
    assert set(counted(store)) == {ADA}
    _, changes = learn(store)
    assert counted(store) == before
    store.players.undo(changes)
    assert set(counted(store)) == {ADA}


def test_without_hands_nothing_happens(store: Store) -> None:
    assert learn(store) == ("No hands are stored yet.", ())


def test_a_damaged_hand_costs_no_other(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    play_session(store, (YOU, ADA), 5, STARTED, 10)
    store.file.write(lambda database: database.execute("UPDATE hands SET observation = 'no' WHERE number = 2"))
    said, _ = learn(store)
    assert said.startswith("4 hands of this machine were counted again")
    assert "cannot be read" in caplog.text


def test_the_last_sessions_are_learned_where_there_are_too_many_hands(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_session(store, (YOU, ADA), 4, STARTED, 11)
    second = play_session(store, (YOU, BOB), 3, LATER, 12)
    monkeypatch.setattr(lessons, "MOST_HANDS", 5)
    learn(store)
    assert {seat: number for seat, (_, number) in counted(store).items()} == {
        YOU: second["You"],
        BOB: second["Bob"],
    }


def test_a_file_teaches_of_whoever_has_a_name_in_it(store: Store, tmp_path: Path) -> None:
    path = write(tmp_path / "hands.phhs", range(6))
    said, changes = learn(store, path)
    assert said == "6 hands of hands.phhs taught something of 3 players."
    expected = choices_of(range(6))
    assert counted(store) == {SeatConfig(name, FROM_FILES): (n, n) for name, n in expected.items()}
    assert store.players.known((SeatConfig("Ann", "maniac"), YOU)).keys() == {"Ann"}
    assert learn(store, path)[0] == "Nothing new is in the 6 hands of hands.phhs (6 of them learned before)."
    said, _ = learn(store, write(tmp_path / "more.phhs", range(4, 8)))
    assert said == "2 hands of more.phhs taught something of 3 players (2 of them learned before)."
    assert sum(number for _, number in counted(store).values()) == sum(choices_of(range(8)).values())
    store.players.undo(changes)  # more was learned since
    assert len(counted(store)) == 3


def test_of_a_session_and_a_file_that_of_more_choices_is_known(store: Store, tmp_path: Path) -> None:
    seat = SeatConfig("Ann", "random")
    many = play_session(store, (YOU, seat), 12, STARTED, 13)
    learn(store, write(tmp_path / "hands.phhs", range(3)))
    few = store.players.known((seat,))["Ann"]
    assert few.counted == choices_of(range(3))["Ann"]
    learn(store)
    assert store.players.known((seat,))["Ann"].counted == many["Ann"] > few.counted


def test_as_many_are_kept_from_files_as_from_sessions(store: Store, tmp_path: Path) -> None:
    play_session(store, (YOU, ADA), 2, STARTED, 14)
    learn(store)
    last = finished(learn_from_file(store, write(tmp_path / "hands.phhs", range(3)), LATER))
    assert last.players is not None
    one = last.players[SeatConfig("Ann", FROM_FILES)]
    store.players.learn({SeatConfig(f"{n}", FROM_FILES): one for n in range(MOST_PLAYERS + 9)})
    kept = [player.seat for player in store.players.all()]
    assert len(kept) == MOST_PLAYERS + 2
    assert {YOU, ADA} <= set(kept)


def test_what_another_version_learned_of_a_file_is_learned_again(store: Store, tmp_path: Path) -> None:
    path = write(tmp_path / "hands.phhs", range(3))
    learn(store, path)
    store.file.write(lambda database: database.execute("UPDATE players SET model = 'other' WHERE name = 'Ann'"))
    assert "Ann" not in store.players.taught()
    assert store.players.known((SeatConfig("Ann", "random"),)) == {}
    learn(store, path)
    assert counted(store)[SeatConfig("Ann", FROM_FILES)][1] == choices_of(range(3))["Ann"]


def test_a_session_begins_with_what_a_file_has_taught(store: Store, tmp_path: Path) -> None:
    learn(store, write(tmp_path / "hands.phhs", range(6)))
    seats = (YOU, SeatConfig("Ann", "fold-2017"))
    known = store.players.known(seats)
    agents = make_agents(cash_game(seats, seed=1), known)
    assert known["Ann"].counted > 0
    assert agents[1].known_players()["Ann"].counted == known["Ann"].counted  # type: ignore[attr-defined]
    store.players.is_on = False
    assert store.players.known(seats) == {}
