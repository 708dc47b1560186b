"""Matches of the experiments against the tally of the lab, and the file that keeps them."""

from concurrent.futures import BrokenExecutor, Executor, Future
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.game.events import ActionTaken
from engine.game.format_file import built_in
from engine.lab.experiments import records
from engine.lab.experiments.records import CURVE_STEP, KINDS, MatchRecord, Task, open_record_file, play
from engine.lab.experiments.running import finished
from engine.lab.matches.counted.tournament_tally import TournamentTally
from engine.lab.matches.kept.match_file import MatchFileError
from engine.lab.matches.kept.run_file import open_run_file
from engine.lab.matches.plan import MatchPlan, seed_of_match
from engine.lab.matches.playing import tournament
from engine.lab.matches.sharing import Sharing
from tests.engine.lab.experiments.made import player

PLAYERS = ("shover", "maniac", "tight-passive")


def test_a_match_is_counted_as_the_lab_counts_it() -> None:
    task = Task(PLAYERS, number=4, seed=9, hands=60)
    notes: list[int] = []
    record = play(task, notes.append)
    plan = MatchPlan(PLAYERS, 3, seed=seed_of_match(9, 4), game=replace(built_in("paper"), max_hands=60))
    tally = TournamentTally(3, 3, plan.marks)
    folds = [0, 0, 0]
    for dealer, style_of in tournament(plan):
        tally.add_hand(dealer.events, style_of, dealer.hand_number)
        for event in dealer.events:
            if isinstance(event, ActionTaken):
                folds[style_of[event.seat]] += event.action.kind == "fold"
    tally.end_tournament(dealer.state, dealer.config, style_of)
    tally.end_match()
    results = tally.style_results(PLAYERS, has_prizes=False)
    assert record.hands == len(notes) == tally.hands
    for of_record, of_tally, of_folds in zip(record.players, results, folds, strict=True):
        assert of_record.rank == of_tally.rank.value
        assert of_record.survived == of_tally.survived.value
        assert of_record.chips == of_tally.chips.value
        assert of_record.fluctuation == of_tally.fluctuation.value
        assert sum(street[KINDS.index("fold")] for street in of_record.actions) == of_folds
        assert len(of_record.curve) == 60 // CURVE_STEP
        assert of_record.curve[-1] == of_record.chips


def test_matches_of_one_number_have_the_same_decks_and_seats() -> None:
    first = play(Task(("fold:uniform", "nit", "maniac"), 1, hands=10))
    assert first == play(Task(("fold:uniform", "nit", "maniac"), 1, hands=10))
    assert first.players != play(Task(("fold:uniform", "nit", "maniac"), 2, hands=10)).players
    # The nit before the flop is dealt the same hands whoever sits where the agent sits.
    other = play(Task(("fit-or-fold", "nit", "maniac"), 1, hands=1))
    assert other.of("nit").actions == play(Task(("fold:uniform", "nit", "maniac"), 1, hands=1)).of("nit").actions


def record_of(number: int) -> MatchRecord:
    task = Task(("nit", "maniac"), number)
    return MatchRecord(task, 600, (player(1.0, 40), player(2.0, -40)), records._sources(task.players))


TASKS = [record_of(number).task for number in range(4)]


def kept_in(path: Path, tasks: list[Task] = TASKS) -> dict[Task, MatchRecord]:
    with open_record_file(path, tasks) as kept:
        return dict(kept)


def test_matches_are_kept_and_what_was_cut_off_is_played_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "kept"
    with open_record_file(path, TASKS) as kept:
        for number in range(3):
            kept.add(record_of(number))
    path.write_bytes(path.read_bytes()[:-9])  # as a process that is killed may leave it
    with open_record_file(path, TASKS) as again:
        assert list(again.values()) == [record_of(0), record_of(1)]
        again.add(record_of(2))
        again.add(record_of(3))
    assert list(kept_in(path).values()) == [record_of(number) for number in range(4)]


@pytest.mark.parametrize("sources", ["", "0123456789ab"])
def test_matches_that_other_code_has_played_are_refused_and_stay(tmp_path: Path, sources: str) -> None:
    path = tmp_path / "kept"
    with open_record_file(path, TASKS) as kept:
        kept.add(replace(record_of(1), sources=sources))
    before = path.read_bytes()
    ours = record_of(1).sources
    sentence = (
        f"The matches of {path} were played by another version of Soulread ({sources}, this is {ours}), whose "
        "players may play otherwise; give another folder."
    )
    with pytest.raises(MatchFileError) as caught:
        kept_in(path)
    assert str(caught.value) == sentence
    assert path.read_bytes() == before
    assert list(kept_in(path, [TASKS[0]])) == [TASKS[1]], "nobody asks for it"


def test_files_of_another_kind_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run"
    with open_run_file(path, MatchPlan(("nit", "maniac"), 2)):
        pass
    with pytest.raises(MatchFileError, match=r"run is no file of matches that this version .* has begun\.$"):
        kept_in(path)
    (tmp_path / "file").touch()
    with pytest.raises(MatchFileError, match=r"kept cannot be opened: (Not a directory|File exists)\.$"):
        kept_in(tmp_path / "file" / "kept")


def test_another_process_is_kept_out(tmp_path: Path) -> None:
    with (
        open_record_file(tmp_path / "kept", TASKS),
        pytest.raises(MatchFileError, match="kept is in use by another process that plays matches"),
    ):
        kept_in(tmp_path / "kept")


def test_a_changed_agent_depends_on_what_changes_it() -> None:
    assert records._sources(("soulread", "nit")) != records._sources(("soulread without reading", "nit"))


class Dying(Executor):
    """Plays in this process, and dies at the third match."""

    def __init__(self) -> None:
        self.tasks = 0

    def submit(self, task, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        future: Future[object] = Future()
        self.tasks += 1
        if self.tasks == 3:
            future.set_exception(BrokenExecutor())
        else:
            future.set_result(task(*args, **kwargs))
        return future


def test_a_worker_that_dies_loses_no_finished_match(tmp_path: Path) -> None:
    tasks = [Task(("shover", "maniac"), number, hands=10) for number in range(4)]
    path, idle = tmp_path / "kept", list[None]()
    with open_record_file(path, tasks) as kept:
        with pytest.raises(BrokenExecutor):
            list(finished(tasks, kept, Sharing(Dying(), idle=lambda: idle.append(None))))
        assert set(kept) == {tasks[0], tasks[1], tasks[3]}
    assert idle
    with open_record_file(path, tasks) as again:
        assert [record.task for record in finished(tasks, again)] == [tasks[2]]
        assert dict(again) == {task: play(task) for task in tasks}
