from collections.abc import Callable

import pytest
from msgspec import structs

from engine.agents.agent import Outs, Trace
from engine.cards import cards_of, class_of, combo_of, parse_cards
from tests.engine.agents.stored import evidence_of
from tests.trainer import samples
from trainer.reasoning.reasoning_model import DecisionView, decision_label, row_of

HANDS: dict[str, Callable[[], tuple[Trace, ...]]] = {
    "FOLD": lambda: samples.played(3).traces,
    "calling station": lambda: samples.played(4, "calling station").traces[:3],
    "hand-built": lambda: (samples.trace(), samples.trace(4), samples.plain_trace()),
}


def view_of(trace: Trace) -> DecisionView:
    return DecisionView(trace, samples_names())


def samples_names() -> dict[int, str]:
    return dict(enumerate(samples.NAMES))


@pytest.mark.parametrize("hand", HANDS)
def test_every_sentence_finds_its_number(hand: str) -> None:
    for trace in HANDS[hand]():
        check_sentences(view_of(trace))


def check_sentences(view: DecisionView) -> None:
    assert view.claims_of(4)
    for claim in view.claims:
        if claim.stage == 1:
            rows = view.actions()
        elif claim.stage == 2:
            rows = view.figures()
        elif claim.stage == 4:
            rows = view.numbers()
        else:
            opponent, update, hand_class = view.place_of(claim.evidence)
            assert claim.evidence.startswith(f"reading.predictions[{opponent}]")
            assert update is not None or hand_class is not None
            continue
        thresholds = view.thresholds()
        steps = [step.path for step in thresholds.steps] if thresholds else []
        is_found = rows.row_of(claim.evidence) is not None or row_of(steps, claim.evidence) is not None
        assert is_found or claim.evidence == "action.kind", claim


def test_outs_are_among_the_numbers() -> None:
    reading = samples.trace().reading
    assert reading is not None
    outs = Outs(parse_cards("Ah 9h 2h"), 0.125)
    rows = view_of(structs.replace(samples.trace(), reading=structs.replace(reading, outs=outs))).numbers()
    assert [row for row in rows.rows if row[0] in ("Outs", "One of them by the river")] == [
        ("Outs", "3", "A♥ 9♥ 2♥"),
        ("One of them by the river", "12.5%", ""),
    ]


@pytest.mark.parametrize("hand", HANDS)
def test_every_path_leads_into_the_trace(hand: str) -> None:
    for trace in HANDS[hand]():
        view = view_of(trace)
        for rows in (view.actions(), view.figures(), view.numbers()):
            assert len(rows.rows) == len(rows.paths)
            for path in rows.paths:
                evidence_of(trace, path)


def test_the_longest_path_wins() -> None:
    paths = ("reading.win_rate", "reading.win_rate_random", "figures[1]", "figures[12]")
    assert row_of(paths, "reading.win_rate.value") == 0
    assert row_of(paths, "reading.win_rate_random.value") == 1
    assert row_of(paths, "figures[12].value") == 3
    assert row_of(paths, "base.call") is None


def test_thresholds_step_by_step() -> None:
    view = view_of(samples.trace()).thresholds()
    assert view is not None
    assert [step.label for step in view.steps] == ["heads-up", "players in the pot", "medium stack", "pot odds"]
    assert [step.is_moved for step in view.steps] == [True, True, False, True]
    assert view.steps[-1].thresholds.call == 0.33
    assert view.steps[-1].numbers == "needed if all call 20.0%"
    reading = samples.trace().reading
    assert reading is not None
    assert (view.win, view.stderr) == (reading.win_rate.value, reading.win_rate.stderr)


def test_numbers_of_the_trace() -> None:
    trace = samples.trace()
    assert trace.reading is not None
    rows = {row[0]: row[1:] for row in view_of(trace).numbers().rows}
    win = trace.reading.win_rate
    assert rows["Win rate, predicted ranges"] == (
        f"{100 * win.value:.1f}% ± {100 * win.stderr:.1f}",
        "sampled, 500 deals",
    )
    assert rows["Pot odds of a call"][0] == f"{100 * trace.reading.pot_odds:.1f}%"
    assert "Outs" not in rows


def test_actions_are_in_the_order_of_the_hand() -> None:
    trace = samples.trace(3)
    rows = view_of(trace).actions()
    indices = [evidence_of(trace, path).action.event_index for path in rows.paths]
    assert indices == sorted(indices)
    assert rows.rows[0][1:3] == ("Chloé", "raises")


def test_a_style_without_readings_shows_what_it_has() -> None:
    view = view_of(samples.plain_trace())
    assert not view.has_reading
    assert view.thresholds() is None
    assert view.opponents() == ()
    assert view.actions().rows == ()
    assert view.numbers().rows == (
        ("win rate against a random hand", "64.0%", "of the rule that chose"),
        ("calls from", "40.0%", "of the rule that chose"),
    )
    assert "64.0%" in view.conclusion


def test_cards_are_said() -> None:
    view = view_of(samples.trace())
    assert view.spoken.endswith("holding A♥ J♥ on A♣ T♦ 4♥ Q♣ 5♣")
    assert view.title.startswith("You (FOLD), river: call ")


def test_the_bots_own_cards_block_in_his_eyes() -> None:
    opponent = view_of(samples.trace()).opponents()[0]
    assert "your A♥" in opponent.details(0).summary or opponent.details(0).summary.startswith("1 of 6")


def test_evidence_of_stage_three_is_a_place() -> None:
    view = view_of(samples.trace())
    combo = combo_of(50, 12)
    assert view.place_of(f"reading.predictions[1].posterior[{combo}]") == (1, None, int(class_of(combo)))
    assert view.place_of("reading.predictions[0].updates[2].mean_likelihood") == (0, 2, None)
    assert cards_of(combo) == (50, 12)
    with pytest.raises(ValueError, match="no evidence of stage 3"):
        view.place_of("base.call")


def test_labels_name_street_player_and_action() -> None:
    trace = samples.played(3).traces[0]
    assert decision_label(trace, {}).startswith(f"Preflop: {trace.observation.me.name}, ")
    assert decision_label(trace, {trace.observation.seat: "Zoe"}).startswith("Preflop: Zoe, ")
