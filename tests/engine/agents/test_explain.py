import re

import msgspec
import numpy as np
import pytest
from msgspec import structs

from engine.agents.agent import ActionClass, Figure, PositionGroup, Trace, UnderstoodAction
from engine.agents.explain import (
    _RULES,
    Claim,
    NoSentenceError,
    action_text,
    estimate_text,
    explain,
    explain_chain,
    figure_name,
    figure_number,
)
from engine.agents.fold.agent import FoldAgent
from engine.agents.fold.decide import choose
from engine.agents.fold.parameters import default_parameters
from engine.agents.posterior import Chain, ChainFactor, FeatureEffect, chain_of
from engine.agents.rule_based.people import LOW_GEAR
from engine.agents.styles import make_agent
from engine.cards import Street, combos_of_class, format_combo
from engine.codec import decode, encode
from engine.equity.snapshot import Estimate, Method
from engine.game.events import CALL, CHECK, FOLD, GameKind, raise_to
from engine.game.observation import LegalActions
from engine.game.rules import TableRules
from tests.engine.agents.hands import deal, play, reading_of, turn_of
from tests.engine.agents.stored import evidence_of


def flop_trace() -> Trace:
    table = play(
        deal([10_000] * 4, hole_cards={0: "Kd9d"}, board="AcTd4d7s2c", names=("Hero", "Ann", "Bob", "Cid")),
        "300 c c f | 450 c",
    )
    assert table.to_act == 0
    return FoldAgent().decide(turn_of(table), 7).trace


def numbers_in(text: str) -> list[float]:
    return [float(found) for found in re.findall(r"\d+(?:\.\d+)?", text.replace(",", ""))]


def test_claims_come_in_the_order_of_the_stages() -> None:
    claims = explain(flop_trace())
    stages = [claim.stage for claim in claims]
    assert stages == sorted(stages)
    assert set(stages) == {1, 2, 3, 4}


def test_every_claim_names_a_number_of_the_trace_and_says_it() -> None:
    trace = flop_trace()
    for claim in explain(trace):
        value = evidence_of(trace, claim.evidence)
        if claim.evidence.endswith("kind"):
            continue
        shown = numbers_in(claim.text)
        value = float(value)
        said = [value, 100 * value]
        if "size_over_pot" in claim.evidence:  # the sentence says the chips, the trace how much that is
            continue
        assert any(abs(number - one) <= 0.051 for number in shown for one in said), (claim, value)


@pytest.mark.parametrize(("name", "said"), [("You", "You raised first, to 1,000, and were"), ("Ann", "and was")])
def test_an_all_in_of_you_is_told_in_the_second_person(name: str, said: str) -> None:
    table = play(deal([10_000, 1_000], hole_cards={0: "KdKs"}, button=1, names=("Hero", name)), "1000")
    claims = explain(FoldAgent().decide(turn_of(table), 7).trace)
    assert any(f"{said} all-in before the flop" in claim.text for claim in claims)


def test_sentences_are_sentences() -> None:
    for claim in explain(flop_trace()):
        assert claim.text.endswith(".")
        assert claim.text[0].isupper() or claim.text[0].isdigit()
        assert not re.search(r"[{}]|\bnan\b", claim.text)


def test_the_story_of_a_decision() -> None:
    trace = flop_trace()
    texts = [claim.text for claim in explain(trace)]
    joined = "\n".join(texts)
    assert "Ann called before the flop from the blinds, 4 players in." in joined
    assert "Cid raised first, to 300, before the flop from late position, 4 players in." in joined
    assert "Cid called on the flop" in joined
    assert "Bob" not in joined  # he has folded
    assert "Ann bet 450, 45% of the pot, on the flop" in joined
    assert trace.reading is not None
    win_rate = estimate_text(trace.reading.win_rate)
    assert f"Win rate against the predicted ranges, if both stay in: {win_rate}." in texts
    assert any(text.startswith("A call costs 19.1% of the final pot") for text in texts)
    assert "Heads-up we would call from 70.0%" in joined
    assert texts[-1].endswith(f"{action_text(trace.action, 450, Street.FLOP)}.")


def test_a_bet_is_told_by_its_size_and_not_by_the_name_of_a_class() -> None:
    """A bet of the pot was said to be about three quarters of it, one of an eighth about half, a 5-bet a 4-bet."""

    def told(words: str) -> str:
        hand = deal([10_000] * 4, names=("Hero", "Ann", "Bob", "Cid"), board="AcTd4d7s2c")
        return "\n".join(claim.text for claim in explain(FoldAgent().decide(turn_of(play(hand, words)), 7).trace))

    small = told("300 c c c | 150")
    assert "bet 150, 12% of the pot, on the flop" in small
    assert "'s bet of this size on the flop leaves " in small
    whole = told("300 c c c | 1200")
    assert "bet 1,200, 100% of the pot, on the flop" in whole
    raised = told("300 c c c | 300 1500")
    assert "raised to 1,500, 67% of the pot, on the flop" in raised
    assert "'s raise of this size on the flop leaves " in raised
    assert "5-bet, to 7,000, before the flop" in told("300 900 2500 7000")
    for text in (small, whole, raised):
        assert not re.search(r"half pot|three-quarter|about", text)


def test_what_was_done_leaves_some_of_the_range_however_rare_it_is() -> None:
    """Of a limp that one hand in 5,000 makes 0.0% was left."""
    trace = (
        FoldAgent().decide(turn_of(play(deal([10_000] * 4, names=("Hero", "Ann", "Bob", "Cid")), "300")), 7).trace
    )
    assert trace.reading is not None
    replace = msgspec.structs.replace
    predictions = [
        replace(one, updates=tuple(replace(update, mean_likelihood=0.0002) for update in one.updates))
        for one in trace.reading.predictions
    ]
    rare = replace(trace, reading=replace(trace.reading, predictions=tuple(predictions)))
    (said,) = [claim.text for claim in explain(rare) if " leaves " in claim.text]
    assert " leaves less than 0.1% of the range until then, and " in said


def test_the_likeliest_hand_is_told_with_how_many_there_are() -> None:
    """Of who had raised first 6c5c, with 0.3% the likeliest of some hundred combos, was the likeliest hand."""
    table = play(deal([10_000] * 4, names=("Hero", "Ann", "Bob", "Cid")), "300")
    trace = FoldAgent().decide(turn_of(table), 7).trace
    (said,) = [claim.text for claim in explain(trace) if "'s likeliest of " in claim.text]
    count = int(re.search(r"likeliest of ([\d,]+) effective combos: ", said)[1].replace(",", ""))  # type: ignore[index]
    assert trace.reading is not None
    raiser = next(one for one in trace.reading.predictions if one.updates)
    shares = raiser.posterior[raiser.posterior > 0].astype(float)
    assert count == pytest.approx(np.exp(-(shares * np.log(shares)).sum()), abs=0.5)
    assert 50 < count < 1_326


def test_nobody_is_told_of_as_nobody() -> None:
    table = play(deal([10_000] * 3, hole_cards={2: "Kd9d"}), "300 f")
    texts = [claim.text for claim in explain(FoldAgent().decide(turn_of(table), 7).trace)]
    assert any(text.startswith("Nobody can still act behind us: ") for text in texts)


def test_of_a_reader_of_sizes_a_raise_before_the_flop_is_one_of_this_size() -> None:
    """It said that 27% of a range raise and, below, that 0.5% of it would do that."""
    table = play(deal([10_000] * 4, names=("Hero", "Ann", "Bob", "Cid")), "300")
    learned, paper = (
        "\n".join(claim.text for claim in explain(make_agent(style).decide(turn_of(table), 7, deals=256).trace))
        for style in ("soulread", "fold-2017")
    )
    assert "'s raise of this size before the flop leaves " in learned
    assert "'s raise before the flop leaves " in paper


@pytest.mark.parametrize(("payouts", "by_prizes"), [((), ""), ((50, 50), ", and 64.6% by the prizes (ICM)")])
def test_what_a_call_needs_by_the_prizes_is_told(payouts: tuple[int, ...], by_prizes: str) -> None:
    """The share by prizes is worked out in the tests of `prize_odds_of`."""
    table = deal([2_000] * 3, hole_cards={2: "Kd9d"}, kind=GameKind.TOURNAMENT, payouts=payouts)
    texts = [claim.text for claim in explain(FoldAgent().decide(turn_of(play(table, "f 2000")), 7).trace)]
    assert f"A call costs 47.5% of the final pot, so it needs that much to break even{by_prizes}." in texts


def test_an_opponent_who_has_not_acted_is_said_to_be_unknown() -> None:
    trace = FoldAgent().decide(turn_of(deal([10_000] * 3)), 1).trace
    texts = [claim.text for claim in explain(trace)]
    assert "B's first action is still to come: every hand is equally likely, 0.08%." in texts


def test_who_is_all_in_with_a_blind_has_no_action_to_come() -> None:
    short = play(deal([10_000, 10_000, 30], names=["A", "B", "C"], hole_cards={0: "AhAd"}), "")
    texts = [claim.text for claim in explain(make_agent("fold").decide(turn_of(short), 1).trace)]
    assert "C is all-in and cannot act any more: every hand is equally likely, 0.08%." in texts
    assert any("B's first action is still to come" in text for text in texts)


def test_a_stored_trace_tells_the_same() -> None:
    trace = flop_trace()
    assert explain(decode(encode(trace), Trace)) == explain(trace)


def test_estimates_and_actions_in_words() -> None:
    assert estimate_text(Estimate(0.6231, Method.SAMPLED, 0.0079, 4000)) == "62.3% ± 0.8 (4,000 deals)"
    assert estimate_text(Estimate(0.5, Method.EXACT, 0.0, 990)) == "50.0% (exact)"
    assert action_text(CALL, 1200, Street.TURN) == "call 1,200"
    assert action_text(raise_to(300), 0, Street.PREFLOP) == "raise to 300"
    assert action_text(raise_to(300), 0, Street.RIVER) == "bet 300"
    assert action_text(raise_to(900), 300, Street.RIVER) == "raise to 900"
    assert (action_text(FOLD, 1, Street.FLOP), action_text(CHECK, 0, Street.FLOP)) == ("fold", "check")


def test_a_rule_or_adjustment_without_a_sentence_is_refused() -> None:
    trace = flop_trace()
    with pytest.raises(NoSentenceError, match="no sentence for the rule 'gut feeling'"):
        explain(msgspec.structs.replace(trace, rule="gut feeling"))
    odd = msgspec.structs.replace(trace.adjustments[0], code="mood")
    with pytest.raises(NoSentenceError, match="no sentence for the adjustment 'mood'"):
        explain(msgspec.structs.replace(trace, adjustments=(odd,)))


@pytest.mark.parametrize("style", ["calling station", "tight-passive", "loose-aggressive", "random"])
def test_rule_based_styles_explain_themselves(style: str) -> None:
    for words in ("", "300 c | x", "300 c | 450", "300 c | x x | 450"):
        table = play(deal(board="AcTd4h7s2c"), words)
        trace = make_agent(style).decide(turn_of(table), 3).trace
        (claim,) = explain(trace)
        assert isinstance(claim, Claim)
        assert claim.stage == 4
        assert evidence_of(trace, claim.evidence) is not None
        assert trace.rule in _RULES


FLOP = "AcTd4h7s2c"
NINE_OUTS = "2d3d4d5d6d7d8dJdQd"


@pytest.mark.parametrize(
    ("rule", "words", "cards", "win", "outs", "said"),
    [
        ("nuts", "300 c | x x | x x | 300", "5c3c", 0.9, None, "No hand beats ours (99.5%): raise to 1,500."),
        ("oversized_raise", "300 c | 3000", "Kd9d", 0.99, None, "The bet is oversized, and we are still above"),
        (
            "oversized_call",
            "300 c | 3000",
            "Kd9d",
            0.55,
            None,
            "calling it takes 50.5%, which we have: call",
        ),
        ("below_call_fold", "300 c | 3000", "Kd9d", 0.30, None, "that a call takes: fold."),
        ("premium_only", "300 1000 3200 c", "Kd9d", 0.99, None, ""),
        (
            "speculative_call",
            "c 300",
            "8d7d",
            0.1,
            None,
            "costs 2.1% of what can be won later, 5.0% at most: call 200.",
        ),
        (
            "draw_call",
            "300 c | 300",
            "Kd9d",
            0.1,
            NINE_OUTS,
            "The draw hits 25.3%, where the river counts only if the turn is cheap, 50.0% of the time;",
        ),
        (
            "draw_call",
            "300 c | x x | 300",
            "Kd9d",
            0.1,
            NINE_OUTS,
            "The draw hits 19.6%, and with implied odds a call",
        ),
        ("draw_lead", "300 c | x", "Kd9d", 0.1, NINE_OUTS, "A draw leads 50.0% of the time"),
        (
            "middle_pair_bet",
            "300 c | x",
            "Tc9s",
            0.52,
            None,
            "once, from 50.0%, and answers a raise by its price: bet 300.",
        ),
        ("call_range_call", "300 c | x 300 900", "Tc9s", 0.52, None, "for a raise: call 600."),
        ("below_call_fold", "300 c | 300", "Kd9d", 0.1, None, "that a call takes: fold."),
        ("below_call_check", "300 c | x", "Kd9d", 0.1, None, "and checking is free: check."),
        ("call_range_call", "300 c | 300", "Kd9d", 0.6, None, "for a raise: call 300."),
        ("raise_half_pot", "300 c | 300", "Kd9d", 0.77, None, "for a pot: raise to 900."),
        ("raise_pot", "300 c | 300", "Kd9d", 0.99, None, "that a whole pot takes: raise to 1,500."),
    ],
)
def test_every_line_of_fold_has_its_sentence(
    rule: str, words: str, cards: str, win: float, outs: str | None, said: str
) -> None:
    if rule == "premium_only":
        observation = turn_of(play(deal(hole_cards={1: cards}, board=FLOP), "300 1000 3200"))
        said = "A deep stack goes in before the flop only with the best 2.6% of hands: call 2,200."
    else:
        observation = turn_of(play(deal(hole_cards={0: cards}, board=FLOP), words))
    parameters = default_parameters()
    read = reading_of(win, outs, 0.315 if outs else 0.0)
    seed = 1
    while (choice := choose(read, observation, seed, parameters)).rule == "draw_check":
        seed += 1
    assert choice.rule == rule
    trace = Trace(
        style="fold",
        seed=seed,
        observation=observation,
        reading=read,
        base=choice.base,
        adjustments=choice.adjustments,
        figures=choice.figures,
        rule=choice.rule,
        action=choice.action,
    )
    claims = explain(trace)
    assert said in claims[-1].text
    for claim in claims:
        evidence_of(trace, claim.evidence)


@pytest.mark.parametrize(
    ("stack", "words", "said"),
    [
        (10_000, "300 c | ", "An opponent acts after us on every street to come: we"),
        (10_000, "300 c | x x | x x | ", "An opponent acts after us: we"),
        (800, "", "The effective stack of 8 big blinds is short: before the flop it goes all-in or folds."),
        (400, "300 c | ", "The effective stack of 1 big blind is short: we"),
    ],
)
def test_position_and_stack_are_told_by_the_street(stack: int, words: str, said: str) -> None:
    observation = turn_of(play(deal((stack, stack), hole_cards={1: "Tc9s"}, board=FLOP), words))
    choice = choose(reading_of(0.3, None, 0.0), observation, 1, default_parameters())
    trace = Trace(
        style="fold",
        seed=1,
        observation=observation,
        reading=reading_of(0.3, None, 0.0),
        base=choice.base,
        adjustments=choice.adjustments,
        figures=choice.figures,
        rule=choice.rule,
        action=choice.action,
    )
    assert [claim.text for claim in explain(trace) if claim.text.startswith(said)]


@pytest.mark.parametrize(
    ("stacks", "rules", "words", "said"),
    [
        (
            (10_000, 2_000),
            None,
            "300 2000",
            "A raise makes no sense: nobody else has chips to call it.",
        ),
        ((2_000, 10_000), None, "300 5000", "A raise needs more than the 1,700 to call, and that is all there is."),
        (
            (10_000, 10_000, 1_100),
            None,
            "300 c c | 600 800 c",
            "The raise before was less than a full raise (600), so who has already acted may only call or fold.",
        ),
        (
            (10_000, 10_000, 1_100),
            TableRules(50, 100, max_raises=4, counts_bets=False),
            "300 c c | 600 800 c",
            "The raise before was less than a full raise (600), so who has already acted may only call or fold.",
        ),
        (
            (10_000, 10_000),
            TableRules(50, 100, max_raises=2, counts_bets=False),
            "300 600",
            "No more than 2 raises are allowed on a street.",
        ),
    ],
    ids=["they are all-in", "our stack", "a short all-in", "a short all-in below the cap", "a cap"],
)
def test_a_raise_that_is_not_possible_says_why(
    stacks: tuple[int, ...], rules: TableRules | None, words: str, said: str
) -> None:
    observation = turn_of(play(deal(stacks, board="Ks7d2h", rules=rules), words))
    assert observation.legal is not None
    assert not observation.legal.can_raise
    trace = Trace(style="fold", seed=1, observation=observation, rule="raise_not_possible", action=CALL)
    call = observation.legal.call_amount
    assert explain(trace)[-1].text == f"{said} Otherwise we would raise: call {call:,}."


def test_of_a_raise_that_only_the_server_does_not_take_no_rule_is_named() -> None:
    observation = structs.replace(
        turn_of(play(deal((10_000, 10_000)), "300")), legal=LegalActions(False, 200, 0, 0)
    )
    trace = Trace(style="fold", seed=1, observation=observation, rule="raise_not_possible", action=CALL)
    assert explain(trace)[-1].text == "The table takes no raise. Otherwise we would raise: call 200."


@pytest.mark.parametrize(
    ("rule", "figure", "said"),
    [
        ("middle_pair_fold", "stays from", "A middle pair that has bet gives up to resistance below 56.5%: fold."),
        (
            "oversized_fold",
            "call from",
            "The bet is oversized; calling it takes 56.5%, which we do not have: fold.",
        ),
    ],
)
def test_hands_stored_while_special_cases_folded_still_have_their_sentences(
    rule: str, figure: str, said: str
) -> None:
    trace = msgspec.structs.replace(flop_trace(), rule=rule, action=FOLD, figures=(Figure(figure, 0.565, 0.565),))
    assert explain(trace)[-1].text == said


# Chains


def factor(
    likelihood: float,
    mean: float,
    *effects: tuple[str, float],
    action_class: ActionClass = ActionClass.HALF_POT,
    facing: bool = False,
    all_in: bool = False,
    counts: bool = True,
) -> ChainFactor:
    raises = 3 if action_class is ActionClass.FOUR_BET else 0
    done = UnderstoodAction(
        3, 1, Street.FLOP, action_class, 0.5, PositionGroup.LATE, 2, raises, facing, all_in, 95.0
    )
    return ChainFactor(done, likelihood, mean, 0.3, tuple(FeatureEffect(*one) for one in effects), counts)


def said(one: ChainFactor) -> str:
    return explain_chain(Chain(combos_of_class(14), 0.004, (one,), 0.004))[0]


def test_a_factor_says_how_often_this_hand_and_how_often_an_average_one() -> None:
    assert said(factor(0.12, 0.38)) == (
        "KK bets this size 12% of the time here, an average hand of this range 38%."
    )


@pytest.mark.parametrize(
    ("action_class", "facing", "all_in", "does"),
    [
        (ActionClass.FOLD, True, False, "folds"),
        (ActionClass.CHECK, False, False, "checks"),
        (ActionClass.CALL, True, False, "calls"),
        (ActionClass.CALL, True, True, "calls all-in"),
        (ActionClass.OPEN_RAISE, True, False, "raises"),
        (ActionClass.THREE_BET, True, True, "3-bets all-in"),
        (ActionClass.FOUR_BET, True, False, "5-bets"),
        (ActionClass.OVERBET, True, False, "raises this size"),
        (ActionClass.OVERBET, False, True, "goes all-in"),
    ],
)
def test_every_action_has_its_verb(action_class: ActionClass, facing: bool, all_in: bool, does: str) -> None:
    text = said(factor(0.5, 0.2, action_class=action_class, facing=facing, all_in=all_in))
    assert text == f"KK {does} 50% of the time here, an average hand of this range 20%."


def test_every_action_class_has_a_verb() -> None:
    for action_class in ActionClass:
        assert said(factor(0.5, 0.2, action_class=action_class)).startswith("KK ")


@pytest.mark.parametrize(
    ("likelihood", "mean", "numbers"),
    [
        (1.0, 0.9991, "100% of the time here, much like"),
        (0.0, 0.4, "never bets this size here, an average hand of this range 40% of the time"),
        (0.00001, 0.4, "less than 0.1% of the time here, an average hand of this range 40%"),
        (0.034, 0.012, "3.4% of the time here, an average hand of this range 1.2%"),
        (0.124, 0.116, "12.4% of the time here, an average hand of this range 11.6%"),
    ],
)
def test_shares_are_written_with_the_digits_they_need(likelihood: float, mean: float, numbers: str) -> None:
    assert numbers in said(factor(likelihood, mean))


def test_a_factor_near_one_says_that_it_tells_little() -> None:
    assert said(factor(0.37, 0.38)).endswith("much like an average hand of this range: that tells little.")
    assert "little" not in said(factor(0.33, 0.38))


def test_the_strongest_features_are_named_and_no_more_than_three() -> None:
    text = said(factor(0.5, 0.2, ("made hand", 0.4), ("draws", 0.3), ("kicker and high cards", 0.2), ("gap", 0.19)))
    assert text.endswith("Judged by its made hand, draws, and kicker and high cards that is likelier.")
    assert "Judged" not in said(factor(0.37, 0.38, ("kicker", -0.4), ("draws", 0.37))), "they cancel out"
    assert "Judged" not in said(factor(0.5, 0.2, ("kicker", 0.04)))
    assert said(factor(0.1, 0.2, ("kicker", -0.4))).endswith("Judged by its kicker that is less likely.")
    assert said(factor(0.5, 0.2, ("pair", 3.0), ("draws", 0.2))).endswith("Judged by its pair that is likelier.")


def test_what_speaks_against_the_whole_is_no_reason_for_it() -> None:
    text = said(factor(0.5, 0.2, ("kicker", -0.4), ("flush draw", 0.9), ("made hand", 0.2), ("board", -0.1)))
    assert text.endswith("Judged by its flush draw and made hand that is likelier.")
    assert "Judged" not in said(factor(0.5, 0.2, ("kicker", -0.9)))
    same_in_print = said(factor(0.0001, 0.0002, ("kicker", -0.9)))
    assert same_in_print.endswith("that tells little.")


def test_factors_that_do_not_count_say_why() -> None:
    assert said(factor(0.5, 0.2, ("kicker", -0.4), counts=False)).endswith(
        "20%. A later action stands for this street now."
    )
    assert said(factor(0.0, 0.0, counts=False)) == (
        "By this reader no hand of this range does that, so it says nothing."
    )
    assert said(factor(0.3, 0.3)) == "This action tells no hand of this range from another."


def test_a_traces_claims_tell_how_the_likeliest_hand_came_to_be() -> None:
    trace = flop_trace()
    assert trace.reading is not None
    texts = "\n".join(claim.text for claim in explain(trace))
    for prediction in trace.reading.predictions:
        best = int(prediction.posterior.argmax())
        for update in prediction.updates:
            if update.mean_likelihood < 1:
                assert f", and {100 * update.likelihood[best]:.1f}% of {format_combo(best)}." in texts
        assert f"from {100 * prediction.prior[best]:.2f}% before any action." in texts


def test_a_chain_is_told_factor_by_factor_about_the_hand_it_is_of() -> None:
    trace = flop_trace()
    assert trace.reading is not None
    prediction = trace.reading.predictions[0]
    aces = combos_of_class(0)
    for combos, name in ((aces, "AA"), (aces[:1], "AdAc")):
        texts = explain_chain(chain_of(prediction, combos, trace.observation.events))
        assert len(texts) == len(prediction.updates)
        assert texts[0].startswith(f"{name} ")
    assert explain_chain(chain_of(prediction, aces, trace.observation.events), "pocket aces")[0].startswith(
        "pocket aces "
    )


def test_factors_on_odds_of_earlier_versions_are_no_shares() -> None:
    factor = Figure("odds of going on", 0.03, 1.0, 137)
    trace = flop_trace()
    assert trace.reading is not None
    prediction = trace.reading.predictions[0]
    updates = tuple(structs.replace(update, figures=(factor,)) for update in prediction.updates)
    earlier = structs.replace(
        trace,
        reading=structs.replace(trace.reading, predictions=(structs.replace(prediction, updates=updates),)),
    )
    texts = [claim.text for claim in explain(earlier) if claim.stage == 2]
    assert texts
    assert all("odds of going on" in text and ": 0.03 (a stranger's 1, 137 seen)." in text for text in texts)
    assert figure_number(factor) == "0.03"


def test_shares_of_hands_are_no_shares_of_actions() -> None:
    named = [figure_name(Figure(f"share of {what}", 0.5, 0.5)) for what in ("hands at least as strong", "raise")]
    assert named == ["hands as good or better", "how often 'raise' in this spot"]


@pytest.mark.parametrize(
    ("rank", "most", "said"),
    [
        (0.382, 0.378, "38.2% of hands are as good or better, and we play only the best 37.8%: fold."),
        (0.38009, 0.38, "38.01% of hands are as good or better, and we play only the best 38.00%: fold."),
        (0.5, 0.38, "50% of hands are as good or better, and we play only the best 38%: fold."),
    ],
)
def test_a_hand_that_is_just_not_played_is_not_said_to_be_one_of_those_played(
    rank: float, most: float, said: str
) -> None:
    trace = make_agent("tight-passive").decide(turn_of(deal(hole_cards={0: "7d2c"})), 3).trace
    assert trace.rule == "preflop_fold"
    values = {"share of hands at least as strong": rank, "calls with": most}
    figures = [msgspec.structs.replace(one, value=values.get(one.name, one.value)) for one in trace.figures]
    assert explain(msgspec.structs.replace(trace, figures=tuple(figures)))[-1].text == said


@pytest.mark.parametrize(
    ("hands", "said"), [(1, "We play soundly for 1 hand, this"), (21, "We play soundly for 21 hands, this")]
)
def test_one_hand_is_no_hands(hands: int, said: str) -> None:
    trace = make_agent("gear changer").decide(turn_of(deal()), 3).trace
    figures = [msgspec.structs.replace(one, value=hands) if one.name == LOW_GEAR else one for one in trace.figures]
    assert explain(msgspec.structs.replace(trace, figures=tuple(figures)))[-2].text.startswith(said)


def test_how_often_somebody_does_something_is_told_in_a_sentence() -> None:
    for name, said in (("Ann", "How often Ann chooses"), ("You", "How often you choose")):
        table = play(
            deal([10_000] * 4, hole_cards={0: "Kd9d"}, board="AcTd4d7s2c", names=("Hero", name, "Bob", "Cid")),
            "300 c c f | 450 c",
        )
        texts = [claim.text for claim in explain(make_agent("fold-2017").decide(turn_of(table), 7).trace)]
        assert (
            f"{said} 'up to 60% of the pot' in this spot, on the flop: 20.0% (as a stranger's, nothing seen yet)."
            in texts
        )


def test_raises_are_told_of_in_the_plural() -> None:
    texts = [
        [claim.text for claim in explain(FoldAgent().decide(turn_of(play(deal([10_000] * 4), words)), 7).trace)]
        for words in ("300", "300 900")
    ]
    assert any(text.startswith("1 raise to face tells of good hands already") for text in texts[0])
    assert any(text.startswith("2 raises to face tell of good hands already") for text in texts[1])


def test_a_size_that_the_rules_moved_is_not_said_to_be_what_was_bet() -> None:
    observation, agent = turn_of(play(deal(), "c x")), make_agent("random")
    made = next(
        one for one in (agent.decide(observation, seed) for seed in range(400)) if one.action == raise_to(100)
    )
    text = explain(made.trace)[-1].text
    assert numbers_in(text)[1] < 50  # percent of the pot of 200, of which the least bet is half
    assert text.endswith("of the pot, as far as the rules allow: bet 100.")
