"""What the calculator is opened with: who plays, which cards are dead, the chips, and nothing that is hidden."""

from collections.abc import Sequence

import msgspec
import numpy as np
import pytest

from engine.agents.agent import Trace
from engine.cards import combo_of, combos_of_class, format_cards, parse_cards
from engine.game.events import (
    FOLD,
    ActionTaken,
    BoardDealt,
    HandEnded,
    HoleCardsShown,
    PotAwarded,
    PublicEvent,
    Seat,
)
from engine.game.observation import LegalActions, Observation
from engine.ranges import Range, parse_range
from tests.trainer import samples
from trainer.calculator.opening_model import (
    ANY_CARDS,
    OddsOpening,
    SealedError,
    observation_of,
    opening_of_decision,
    opening_of_point,
    opening_of_range,
    shown_at,
)
from trainer.history.log_model import LogMoment
from trainer.reading.range_model import RangeAsked, opponent_ranges
from trainer.session.types import PointReading

OWN = (samples.HOLE_CARDS[0], samples.HOLE_CARDS[1])


def river(opponents: int = 2) -> PointReading:
    return samples.readings(opponents)[-1]


def changed(point: PointReading, seat: Seat, **fields: object) -> PointReading:
    """The point with other facts about a seat; what is read of a folded one is left out, as a reader would."""
    seats = tuple(
        msgspec.structs.replace(view, **fields) if view.seat == seat else view for view in point.observation.seats
    )
    live = {view.seat for view in seats if not view.is_folded}
    observation = msgspec.structs.replace(point.observation, seats=seats)
    read = tuple(one for one in point.reading.predictions if one.seat in live)
    reading = msgspec.structs.replace(point.reading, predictions=read)
    return msgspec.structs.replace(point, observation=observation, reading=reading)


def opened(opening: OddsOpening | None) -> OddsOpening:
    assert opening is not None
    return opening


# ---- points -------------------------------------------------------------------------------------------------


def test_a_point_brings_hand_ranges_board_names_and_chips() -> None:
    point = river(2)
    opening = opened(opening_of_point(point))
    assert opening.names == ("You", "Ada", "Boris")
    assert opening.players[0] == "AhJh"
    assert opening.board == samples.BOARD
    assert opening.folded == ()
    # Everybody put the same in, and the human faces a bet.
    bet = max(view.bet for view in point.observation.seats)
    assert opening.to_call == bet > 0
    assert opening.pot == sum(view.committed for view in point.observation.seats)


def test_posteriors_keep_the_ratios_of_their_weights_and_what_is_blocked() -> None:
    point = river(2)
    opening = opened(opening_of_point(point))
    for hands, prediction in zip(opening.players[1:], point.reading.predictions, strict=True):
        assert isinstance(hands, Range)
        wanted = prediction.posterior / prediction.posterior.max()
        assert hands.weights.max() == 1
        # Three digits, and nothing below a hundred-thousandth of the likeliest.
        assert np.allclose(hands.weights, wanted, rtol=5e-3, atol=1e-5)
        for card in (*samples.HOLE_CARDS, *samples.BOARD):
            others = [other for other in range(52) if other != card]
            assert not any(hands.weights[combo_of(card, other)] for other in others), format_cards((card,))


def test_what_is_put_in_beyond_the_own_stack_cannot_be_won() -> None:
    # Ada bet 1000 more than the human has behind: his call is his stack, and her surplus goes back.
    point = river(1)
    me, ada = point.observation.me, point.observation.view(1)
    short = changed(point, 0, stack=100)
    legal = LegalActions(can_check=False, call_amount=100, min_raise_to=0, max_raise_to=0)
    short = msgspec.structs.replace(short, observation=msgspec.structs.replace(short.observation, legal=legal))
    surplus = 100 + me.bet + 1000
    short = changed(short, 1, bet=surplus, committed=ada.committed - ada.bet + surplus)
    opening = opened(opening_of_point(short))
    assert opening.to_call == 100
    assert opening.pot == me.committed + (me.committed + 100)


def test_nothing_to_call_is_no_call() -> None:
    point = next(one for one in samples.readings(2) if isinstance(one.observation.events[-1], BoardDealt))
    opening = opened(opening_of_point(point))
    assert opening.to_call is None
    assert opening.pot == point.observation.pot


def test_who_folded_takes_no_part_and_his_known_cards_are_told() -> None:
    folded = changed(river(3), 1, is_folded=True)
    opening = opened(opening_of_point(folded))
    assert opening.names == ("You", "Boris", "Chloé")
    assert opening.folded == ()
    ada, boris = parse_cards("2c 2d"), parse_cards("9c 9d")
    revealed = {1: (ada[0], ada[1]), 2: (boris[0], boris[1])}
    opening = opened(opening_of_point(folded, revealed=revealed))
    assert opening.names == ("You", "Boris", "Chloé", "Ada")
    assert opening.folded == (3,)
    assert opening.players[3] == "2c2d"
    assert isinstance(opening.players[1], Range), "of who is still in the range is what is asked about"


def test_a_folded_person_looks_on() -> None:
    opening = opened(opening_of_point(changed(river(2), 0, is_folded=True)))
    assert opening.names == ("Ada", "Boris", "You")
    assert (opening.players[2], opening.folded) == ("AhJh", (2,))
    assert (opening.pot, opening.to_call) == (None, None)


def test_cards_turned_up_stand_for_the_range() -> None:
    nines = parse_cards("9c 9d")
    opening = opened(opening_of_point(changed(river(2), 1, shown=(nines[0], nines[1]))))
    assert opening.players[1] == "9c9d"
    assert isinstance(opening.players[2], Range)
    assert opened(opening_of_point(river(2), shown={2: (nines[0], nines[1])})).players[2] == "9c9d"


def test_one_player_alone_is_no_question() -> None:
    assert opening_of_point(changed(river(1), 1, is_folded=True)) is None


# ---- ranges -------------------------------------------------------------------------------------------------


def test_one_range_and_one_class_of_it() -> None:
    point = river(2)
    boris = opponent_ranges(point)[1]
    opening = opened(opening_of_range(RangeAsked(boris)))
    assert opening.names == ("You", "Boris")
    assert opening.players[0] == "AhJh"
    whole = opening.players[1]
    assert isinstance(whole, Range)
    assert opening.to_call is not None
    kings = 14  # the second place of the diagonal
    alone = opened(opening_of_range(RangeAsked(boris, None, kings))).players[1]
    assert isinstance(alone, Range)
    inside = list(combos_of_class(kings))
    assert not np.delete(alone.weights, inside).any()
    ratio = alone.weights[inside] / whole.weights[inside]
    assert np.allclose(ratio, ratio[0], rtol=1e-2)


def test_an_earlier_step_is_opened_as_it_is_shown() -> None:
    boris = opponent_ranges(river(2))[1]
    prior = opened(opening_of_range(RangeAsked(boris, 0))).players[1]
    assert isinstance(prior, Range)
    assert set(prior.weights[prior.weights > 0].tolist()) == {1.0}, "the samples' prior takes all combos alike"


def test_a_class_without_a_combo_and_a_folded_reader_ask_nothing() -> None:
    aces = 0
    point = samples.readings(2)[-1]
    seen = msgspec.structs.replace(point.observation, board=parse_cards("Ac Ad As 4h 5c"))
    ada = opponent_ranges(msgspec.structs.replace(point, observation=seen))[0]
    blocked = np.array(ada.prediction.posterior)
    blocked[list(combos_of_class(aces))] = 0
    ada.prediction = msgspec.structs.replace(ada.prediction, posterior=blocked)
    assert opening_of_range(RangeAsked(ada, None, aces)) is None
    assert opening_of_range(RangeAsked(opponent_ranges(changed(point, 0, is_folded=True))[0])) is None


def test_a_range_is_copied_as_text_that_reads_back() -> None:
    boris = opponent_ranges(river(2))[1]
    text = RangeAsked(boris).text
    back = parse_range(text)
    wanted = boris.prediction.posterior / boris.prediction.posterior.max()
    assert np.allclose(back.weights, wanted, rtol=5e-3, atol=1e-5)


# ---- decisions ----------------------------------------------------------------------------------------------


def test_a_decision_is_opened_as_its_player_saw_it() -> None:
    trace = samples.trace(2)
    opening = opened(opening_of_decision(trace, [trace]))
    assert opening.players[0] == "AhJh"
    assert all(isinstance(hands, Range) for hands in opening.players[1:])
    assert opening.board == trace.observation.board


def test_who_reads_nothing_plays_against_any_cards() -> None:
    trace = samples.plain_trace()
    assert opened(opening_of_decision(trace, [trace])).players[1:] == (ANY_CARDS, ANY_CARDS)


def test_who_has_not_acted_holds_any_cards_rather_than_all_but_a_hundred() -> None:
    first, last = (opened(opening_of_point(samples.readings(2)[at])) for at in (0, -1))
    assert first.players[1:] == (ANY_CARDS, ANY_CARDS)
    assert all(isinstance(hands, Range) for hands in last.players[1:]), "who has acted is read"


def test_a_sealed_decision_is_not_opened() -> None:
    trace = samples.trace(2)
    earlier = samples.trace(2, samples.action_points(2)[3])
    for open_traces in ([], [earlier], [samples.trace(3)]):
        with pytest.raises(SealedError, match="sealed until the hand is over"):
            opening_of_decision(trace, open_traces)


# ---- lines of the log -------------------------------------------------------------------------------------


def moments(events: Sequence[PublicEvent]) -> list[LogMoment]:
    return [LogMoment(tuple(events), (samples.HERO, OWN), count) for count in range(1, len(events) + 1)]


def at(moment: LogMoment) -> Observation:
    observation = observation_of(moment)
    assert observation is not None
    return observation


def test_a_line_leads_to_what_was_told_with_it() -> None:
    events = samples.play(2)
    for moment in moments(events):
        event, seen = events[moment.event_count - 1], at(moment)
        assert seen.seat == samples.HERO
        assert seen.hole_cards == OWN
        if isinstance(event, BoardDealt):
            assert seen.events == events[: moment.event_count]
            assert seen.board[-len(event.cards) :] == event.cards
        elif isinstance(event, ActionTaken) and event.seat == samples.HERO:
            assert seen.events == events[: moment.event_count - 1], "what the person decided on"
        elif isinstance(event, ActionTaken):
            assert seen.events == events[: moment.event_count]


def test_the_lines_above_the_deal_lead_to_it() -> None:
    events = samples.play(2)
    deal = next(i for i, event in enumerate(events, 1) if isinstance(event, ActionTaken)) - 1
    assert {len(at(moment).events) for moment in moments(events)[:deal]} == {deal}
    announced = LogMoment(events[:1], (samples.HERO, OWN), 1)
    assert observation_of(announced) is None, "nothing is posted yet"


def test_the_last_fold_leads_to_the_moment_before_it() -> None:
    events = list(samples.play(1))
    last = events[-1]
    assert isinstance(last, ActionTaken)
    fold = ActionTaken(samples.HERO, last.street, FOLD, 0, False, 10, 100, 1000, 0)
    ended = (*events, fold, PotAwarded(1, 0, 100), HandEnded((1, 2)))
    for moment in moments(ended)[len(events) :]:
        assert at(moment).events == tuple(events)
        assert not at(moment).me.is_folded


def test_lines_of_the_showdown_bring_all_shown_cards() -> None:
    played = samples.played(3)
    events = played.observation.events
    own = (played.observation.seat, played.observation.hole_cards)
    shown = {event.seat: event.hole_cards for event in events if isinstance(event, HoleCardsShown)}
    assert shown
    last = max(i for i, event in enumerate(events, 1) if isinstance(event, ActionTaken))
    for count in range(1, len(events) + 1):
        told = shown_at(LogMoment(events, own, count))
        assert told == (shown if count > last and not isinstance(events[count - 1], BoardDealt) else {})
    moment = LogMoment(events, own, len(events))
    assert len(at(moment).board) == 5
    point = next(one for one in played.readings if one.event_count == len(at(moment).events))
    opening = opened(opening_of_point(point, shown_at(moment)))
    told = dict(zip(opening.names, opening.players, strict=True))
    for seat, cards in shown.items():
        assert told[played.observation.view(seat).name] == format_cards(cards)


# ---- nothing hidden ----------------------------------------------------------------------------------------


def test_no_line_of_a_running_hand_tells_a_card_that_nobody_showed() -> None:
    played = samples.played(3)
    whole = played.observation.events
    own = (played.observation.seat, played.observation.hole_cards)
    traces = {trace.observation.seat: trace for trace in played.traces}
    hidden = {seat: trace.observation.hole_cards for seat, trace in traces.items()}
    assert hidden
    running = [event for event in whole if not isinstance(event, HoleCardsShown | PotAwarded | HandEnded)]
    readings = {point.event_count: point for point in played.readings}
    for length in range(4, len(running) + 1):
        for count in range(1, length + 1):
            moment = LogMoment(tuple(running[:length]), own, count)
            seen = observation_of(moment)
            if seen is None or len(seen.events) not in readings:
                continue
            assert all(view.shown is None for view in seen.seats)
            opening = opened(opening_of_point(readings[len(seen.events)], shown_at(moment)))
            known = [one for one in opening.players if isinstance(one, str) and one != ANY_CARDS]
            assert known == [format_cards(own[1])]
            # A range that knew the cards would hold nothing else, or would leave out what they block.
            for hands_read in (one for one in opening.players if isinstance(one, Range)):
                assert np.count_nonzero(hands_read.weights) > 1
                for card in (card for cards in hidden.values() for card in cards):
                    assert any(hands_read.weights[combo_of(card, other)] for other in range(52) if other != card)


def test_no_decision_of_a_running_hand_is_opened() -> None:
    played = samples.played(3)
    for trace in played.traces:
        with pytest.raises(SealedError):
            opening_of_decision(trace, ())
        assert opening_of_decision(trace, played.traces) is not None


def test_a_decision_of_another_hand_does_not_open_this_one() -> None:
    trace = samples.trace(2)
    seen = msgspec.structs.replace(trace.observation, hand_number=trace.observation.hand_number + 1)
    other: Trace = msgspec.structs.replace(trace, observation=seen)
    with pytest.raises(SealedError):
        opening_of_decision(other, [trace])
