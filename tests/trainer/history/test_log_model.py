"""Whole hands told, sentence by sentence, as a person would write them."""

import pytest
from msgspec.structs import replace

from engine.cards import parse_cards
from engine.game.events import GameKind, PostKind, start_of
from tests.trainer.scripted_hands import Scribe, two
from trainer.history.log_model import LineKind, cards_words, line_text, log_lines, log_text
from trainer.session.amounts import Units

OWN = (0, two("KsKd"))


def told(hand: Scribe, *, in_big_blinds: bool = False, own: bool = True) -> list[str]:
    units = Units(20, in_big_blinds)
    return [line.text for line in log_lines(hand.events, units, own=OWN if own else None)]


def test_a_hand_to_showdown() -> None:
    hand = Scribe(3, button=0).blinds()
    hand.raise_to(0, 60).call(1).fold(2).deal("Kh 7d 2c").check(1).raise_to(0, 80).call(1)
    hand.deal("7c").check(1, 0).deal("Ad").check(1, 0).show(0, "KsKd").muck(1).award(0, 0, 300).end()
    assert told(hand) == [
        "Hand 12",
        "cash game, blinds 10/20; you on the button",
        "You hold K♠ K♦",
        "Ada posts the small blind, 10",
        "Boris posts the big blind, 20",
        "You raise to 60",
        "Ada calls 50",
        "Boris folds",
        "Flop  K♥ 7♦ 2♣   pot 140",
        "Ada checks",
        "You bet 80",
        "Ada calls 80",
        "Turn  7♣   pot 300",
        "Ada checks",
        "You check",
        "River  A♦   pot 300",
        "Ada checks",
        "You check",
        "You show K♠ K♦: a full house, kings full of sevens",
        "Ada mucks without showing",
        "You win 300",
        "Result: You +160, Ada −140, Boris −20",
    ]


def test_the_line_of_a_hand_leaves_out_who_folds() -> None:
    hand = Scribe(3, button=0).blinds()
    hand.raise_to(0, 60).call(1).fold(2).deal("Kh 7d 2c").check(1).raise_to(0, 80).call(1).deal("7c").check(1)
    said = "Preflop: you raise to 60, Ada calls 50. Flop: Ada checks, you bet 80, Ada calls 80. Turn: Ada checks."
    assert line_text(hand.events, Units(20, False)) == said
    assert line_text(Scribe(3, button=0).blinds().fold(0).events, Units(20, False)) == ""


def test_in_big_blinds() -> None:
    hand = Scribe(3, button=0).blinds().raise_to(0, 60).fold(1, 2).give_back(0, 40).award(0, 0, 50).end()
    assert told(hand, in_big_blinds=True)[1:] == [
        "cash game, blinds 0.5/1 bb; you on the button",
        "You hold K♠ K♦",
        "Ada posts the small blind, 0.5 bb",
        "Boris posts the big blind, 1 bb",
        "You raise to 3 bb",
        "Ada folds",
        "Boris folds",
        "You take back 2 bb, uncalled",
        "You win 2.5 bb",
        "Result: You +1.5 bb, Boris −1 bb, Ada −0.5 bb",
    ]


def test_both_blinds_have_the_sign_of_their_money() -> None:
    """It said `blinds 0.10/$0.20`."""
    lines = log_lines(Scribe(3, button=0).blinds().events, Units(20, currency="USD"))
    assert lines[1].text == "cash game, blinds $0.10/$0.20; you on the button"


def test_the_result_tells_you_first_and_then_who_won_or_lost_most() -> None:
    """Of nine with antes the winner came last, out of sight."""
    hand = Scribe(4, button=0, ante=5)
    for seat in (1, 2, 3, 0):
        hand.post(seat, PostKind.ANTE, 5)
    hand.blinds().raise_to(3, 60).fold(0, 1, 2).give_back(3, 40).award(3, 0, 70).end()
    assert told(hand)[-1] == "Result: You −5, Chloé +45, Boris −25, Ada −15"


def test_side_pots_antes_and_all_ins() -> None:
    hand = Scribe(3, button=0, stacks=[500, 100, 300], ante=5, kind=GameKind.TOURNAMENT)
    for seat in (1, 2, 0):
        hand.post(seat, PostKind.ANTE, 5)
    hand.blinds().raise_to(0, 200).call(1).raise_to(2, 295).call(0)
    hand.show(0, "KsKd").show(1, "AsAh").show(2, "QsQd").deal("7h 6c 2c").deal("3s").deal("Js")
    hand.award(0, 1, 400).award(1, 0, 300).end()
    lines = told(hand)
    assert lines[1] == "tournament, blinds 10/20, ante 5; you on the button"
    assert lines[3] == "Ada posts the ante, 5"
    assert "Ada calls 85, all-in" in lines
    assert "Boris raises to 295, all-in" in lines
    assert "Ada shows A♠ A♥" in lines  # no board yet, so nothing to name
    assert lines[-3:] == [
        "You win 400, side pot 1, with a pair of kings, jack kicker",
        "Ada wins 300, the main pot, with a pair of aces, jack kicker",
        "Result: You +100, Boris −300, Ada +200",
    ]


def test_a_pot_won_by_the_second_kicker_is_told_with_it() -> None:
    """Both were said to show a pair of nines, king kicker."""
    hand = Scribe(2, button=0).blinds().call(0).check(1).deal("9c 2h Kd").check(1, 0).deal("8c").check(1, 0)
    hand.deal("9s").check(1, 0).show(1, "5c3c").show(0, "7d6h").award(0, 0, 40).end()
    lines = told(hand, own=False)
    assert "Ada shows 5♣ 3♣: a pair of nines, king kicker" in lines  # nothing to tell it apart from yet
    assert "You show 7♦ 6♥: a pair of nines, K-8-7 kicker" in lines
    hand = Scribe(2, button=0, stacks=[500, 500]).blinds().raise_to(0, 500).call(1)
    hand.show(0, "7d6h").show(1, "5c3c").deal("9c 2h Kd").deal("8c").deal("9s").award(0, 0, 1000).end()
    assert told(hand, own=False)[-2] == "You win 1,000 with a pair of nines, K-8-7 kicker"


def test_the_big_blinds_option_is_a_raise_and_the_first_chips_on_a_flop_are_a_bet() -> None:
    hand = Scribe(2, button=0).blinds().call(0).raise_to(1, 80).call(0).deal("Kh 7d 2c").raise_to(1, 40)
    lines = told(hand)
    assert "Ada raises to 80" in lines
    assert lines[-1] == "Ada bets 40"


def test_a_hand_without_winner_or_loser() -> None:
    hand = Scribe(2, button=0).blinds().call(0).check(1)
    hand.award(0, 0, 20).award(1, 0, 20).end()
    assert told(hand)[-1] == "Result: nobody won or lost chips"


@pytest.mark.parametrize(("most", "words"), [(1, "1 raise"), (4, "4 raises")])
def test_the_heading_tells_how_many_raises_are_allowed(most: int, words: str) -> None:
    started = start_of(Scribe(2, button=0).blinds().events)
    (_, stakes) = log_lines([replace(started, max_raises=most)], Units(20, False))
    assert f", at most {words} a street; " in stakes.text


def test_every_event_adds_exactly_its_line_so_a_running_hand_only_grows() -> None:
    hand = Scribe(3, button=0).blinds()
    hand.raise_to(0, 60).call(1).fold(2).deal("Kh 7d 2c").check(1, 0)
    whole = log_lines(hand.events, Units(20), own=OWN)
    for count in range(1, len(hand.events) + 1):
        part = log_lines(hand.events[:count], Units(20), own=OWN)
        assert part == whole[: count + 2]


def test_colours_are_named_by_theme_fields() -> None:
    from trainer.theme import LIGHT

    hand = Scribe(3, button=0).blinds().raise_to(0, 60).call(1).fold(2).deal("Kh 7d 2c").check(1)
    lines = log_lines(hand.events, Units(20), own=OWN)
    roles = {line.text: line.parts[-1].role for line in lines}
    assert roles["You raise to 60"] == "raise_"
    assert roles["Boris folds"] == "fold"
    assert all(getattr(LIGHT, part.role).startswith("#") for line in lines for part in line.parts)
    flop = next(line for line in lines if line.kind is LineKind.STREET)
    assert [part.card for part in flop.parts if part.card is not None] == list(parse_cards("Kh 7d 2c"))


def test_plain_text_sets_streets_apart() -> None:
    hand = Scribe(2, button=0).blinds().call(0).check(1).deal("Kh 7d 2c")
    text = log_text(log_lines(hand.events, Units(20)))
    assert text.endswith("Ada checks\n\nFlop  K♥ 7♦ 2♣   pot 40\n")


def test_cards_written_and_spoken() -> None:
    assert cards_words(parse_cards("As Td 2c")) == "ace of spades, ten of diamonds, two of clubs"


def test_every_line_knows_how_many_events_had_happened_with_it() -> None:
    hand = Scribe(3, button=0).blinds().raise_to(0, 60).fold(1, 2).give_back(0, 40).award(0, 0, 50).end()
    counts = [line.event_count for line in log_lines(hand.events, Units(20), own=OWN)]
    assert counts == [1, 1, 1, *range(2, len(hand.events) + 1)], (
        "the heading, the game and the own cards come first"
    )
