"""What binds the dealer is shown before the cards, stored with the hand, and opened when it is over."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from engine.codec import decode, encode
from engine.fair_deals import SessionProof, check_proof
from tests.trainer.session_driver import STARTED, Player, table
from trainer.jobs import Jobs
from trainer.session.session import Session
from trainer.session.types import DeckCommitment, Stage
from trainer.storage.store import Store

PATIENCE = 20_000


class Watched:
    """Notes what was shown in which order: commitments, and the first event of each hand."""

    def __init__(self, session: Session) -> None:
        self.shown: list[DeckCommitment | int] = []
        self._session = session
        session.committed.connect(self._on_committed)
        session.view_changed.connect(self._on_view)

    def _on_committed(self) -> None:
        assert self._session.commitment is not None
        self.shown.append(self._session.commitment)

    def _on_view(self, view: object) -> None:
        number, _ = self._session.progress
        if number not in self.shown:
            self.shown.append(number)

    def before(self, number: int) -> DeckCommitment:
        """Return the commitment shown last before the first event of a hand."""
        last = self.shown[self.shown.index(number) - 1]
        assert isinstance(last, DeckCommitment)
        return last


def play(qtbot: QtBot, jobs: Jobs, store: Store, *, hands: int) -> tuple[Session, Watched]:
    session = Session(jobs, store)
    session.set_pace(0)
    watched, player = Watched(session), Player(session, hands)
    with qtbot.waitSignal(player.done, timeout=PATIENCE):
        session.begin(table("random", "calling station"), STARTED)
    return session, watched


def test_each_hand_is_committed_to_before_its_first_event(qtbot: QtBot, jobs: Jobs) -> None:
    store = Store(None)
    session, watched = play(qtbot, jobs, store, hands=4)
    proof = store.proof(1)
    assert [hand.hand_number for hand in proof.hands] == [1, 2, 3, 4]
    for hand in proof.hands:
        shown = watched.before(hand.hand_number)
        assert (shown.hand_number, shown.hand) == (hand.hand_number, hand.commitment)
        assert shown.table == proof.commitment
    found = check_proof(decode(encode(proof), SessionProof))
    assert (found.checked, found.salted, found.problems) == (4, 0, ())
    session.close()


def test_the_seed_is_opened_with_the_end_of_the_session(qtbot: QtBot, jobs: Jobs) -> None:
    store = Store(None)
    session, _ = play(qtbot, jobs, store, hands=2)
    running = store.proof(1)
    assert running.opening is None
    assert str(table("random").seed) not in encode(running).decode().replace(running.started, "").split('"')
    session.finish()
    ended = store.proof(1)
    assert ended.opening is not None
    assert ended.opening.seed == table("random").seed
    assert ended.commitment == running.commitment == ended.opening.commitment
    assert check_proof(ended).problems == ()
    session.close()


def test_a_salt_set_during_a_hand_enters_the_next_one(qtbot: QtBot, jobs: Jobs) -> None:
    store = Store(None)
    session = Session(jobs, store)
    session.set_pace(0)
    watched = Watched(session)
    player = Player(session, 1)
    session.view_changed.disconnect(player._on_view)
    session.begin(table("random", "calling station"), STARTED)
    qtbot.waitUntil(lambda: session.stage == Stage.YOUR_TURN, timeout=PATIENCE)
    session.set_salt("mine")
    assert session.commitment == watched.before(1), "the hand on the table stays as it is"
    session.view_changed.connect(player._on_view)
    with qtbot.waitSignal(player.done, timeout=PATIENCE):
        session.set_study(False)  # shows the table once more, now to a player who acts
    assert session.commitment is not None
    assert (session.commitment.hand_number, session.commitment.salt) == (2, "mine")
    between = session.commitment
    session.set_salt("yours")
    assert session.commitment.hand != between.hand
    session.set_salt("mine")
    assert session.commitment == between
    player._wanted = 2
    with qtbot.waitSignal(player.done, timeout=PATIENCE):
        session.deal()
    first, second = store.proof(1).hands
    assert first.opening is not None
    assert second.opening is not None
    assert (first.opening.salt, second.opening.salt) == ("", "mine")
    assert second.commitment == between.hand
    assert check_proof(store.proof(1)).problems == ()
    session.close()


def test_what_is_no_salt_is_refused_in_a_sentence(qtbot: QtBot, jobs: Jobs) -> None:
    session, _ = play(qtbot, jobs, Store(None), hands=1)
    said: list[object] = []
    session.notice.connect(said.append)
    session.set_salt("x" * 65)
    assert said == ["A salt is one line of at most 64 printable characters."]
    assert session.salt == ""
    session.close()


def test_a_session_killed_in_a_salted_hand_goes_on_with_its_commitment(
    qtbot: QtBot, jobs: Jobs, tmp_path: Path
) -> None:
    store = Store(tmp_path / "soulread.db")
    session, _ = play(qtbot, jobs, store, hands=2)
    session.set_salt("mine")
    session.view_changed.disconnect()  # nobody acts any more
    session.deal()
    qtbot.waitUntil(lambda: session.stage == Stage.YOUR_TURN, timeout=PATIENCE)
    committed, moments = session.commitment, list(session._moments)
    session.close()
    store.close()

    again = Store(tmp_path / "soulread.db")
    resumed = Session(jobs, again)
    resumed.resume(again.sessions()[0])
    qtbot.waitUntil(lambda: resumed.stage == Stage.YOUR_TURN, timeout=PATIENCE)
    assert (resumed.commitment, resumed.salt) == (committed, "mine")
    assert resumed._moments == moments
    player = Player(resumed, 1)
    with qtbot.waitSignal(player.done, timeout=PATIENCE):
        resumed.set_study(False)
    proof = again.proof(1)
    assert committed is not None
    assert proof.hands[-1].commitment == committed.hand
    assert check_proof(proof).problems == ()
    resumed.close()
    again.close()
