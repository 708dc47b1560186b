"""Commitments to decks: what they bind, what they hide, and that a check finds whatever was changed."""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from engine.cards import format_cards
from engine.codec import StoredDataError, decode, encode
from engine.fair_deals import (
    LONGEST_SALT,
    CommittedHand,
    HandOpening,
    SessionProof,
    check_proof,
    hand_opening,
    salt_problem,
    shuffled_deck,
    table_opening,
)
from engine.game.format_file import cash_game
from engine.game.formats import SeatConfig
from engine.play import Dealer, DealerError
from tests.engine.played import play_hand
from tests.engine.test_play import passive

SALTS = st.text(st.characters(exclude_categories=["C", "Z"]), max_size=LONGEST_SALT).filter(
    lambda salt: not salt_problem(salt)
)
SEEDS = st.integers(0, 2**63 - 1)


def table(seed: int = 5, players: int = 3) -> Dealer:
    seats = tuple(SeatConfig(f"Seat {at}", "human") for at in range(players))
    return Dealer(cash_game(seats, seed=seed), {})


def played(dealer: Dealer, salts: list[str]) -> SessionProof:
    """Play a hand with each salt, and return the proof as of a session that can go on."""
    hands = []
    for salt in salts:
        dealer.set_salt(salt)
        shown = dealer.commitment
        play_hand(dealer, passive)
        final = dealer.observe(dealer.dealt_in[0])
        held = {seat: format_cards(dealer.private_event(seat).hole_cards) for seat in dealer.dealt_in}
        hands.append(
            CommittedHand(
                dealer.hand_number, shown, dealer.open_hand(), final.button, held, format_cards(final.board)
            )
        )
    return SessionProof("2024-05-17T20:15:00", dealer.table_commitment, None, tuple(hands))


def opened(proof: SessionProof, seed: int) -> SessionProof:
    return structs.replace(proof, opening=table_opening(seed))


# What is committed to


@given(seed=SEEDS, number=st.integers(1, 10**6), salt=SALTS)
def test_a_commitment_is_the_sha256_of_the_text_that_is_opened(seed: int, number: int, salt: str) -> None:
    opening = hand_opening(seed, number, salt)
    text = f"Soulread hand {number}\ndeck {opening.deck}\nseed {opening.seed}\nsalt {salt}\nnonce {opening.nonce}\n"
    assert opening.commitment == hashlib.sha256(text.encode()).hexdigest()
    whole = table_opening(seed)
    assert (
        whole.commitment
        == hashlib.sha256(f"Soulread table\nseed {seed}\nnonce {whole.nonce}\n".encode()).hexdigest()
    )


@given(seed=SEEDS, number=st.integers(1, 10**6), salt=SALTS)
def test_the_deck_is_numpys_shuffle_of_the_seed_hashed_with_the_salt(seed: int, number: int, salt: str) -> None:
    """As the page for programmers states it, worked out here once more."""
    message = (1).to_bytes(8, "little") + number.to_bytes(8, "little")
    digest = hashlib.blake2b(message, key=seed.to_bytes(32, "little"), digest_size=16).digest()
    opening = hand_opening(seed, number, salt)
    assert opening.seed == digest[::-1].hex()
    if salt:
        digest = hashlib.blake2b(salt.encode(), key=digest, digest_size=16).digest()
    generator = np.random.Generator(np.random.PCG64(int.from_bytes(digest, "little")))
    signs = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    assert opening.deck == "".join(signs[card] for card in generator.permutation(52))


def test_two_openings_never_share_a_text() -> None:
    """A salt stands on a line of its own, so that it cannot be taken for a seed or a nonce."""
    openings = [
        hand_opening(seed, number, salt) for seed in (0, 7) for number in (1, 11) for salt in ("", "1", "a")
    ]
    assert len({opening.text for opening in openings}) == len(openings)
    assert all(opening.text.count("\n") == 5 for opening in openings)
    assert salt_problem("x\nnonce 0")


def test_every_order_of_cards_is_about_as_likely_with_a_salt() -> None:
    """Of 4,000 salts of one seed the first card, and the first two: chi-squared, within 5 standard errors."""
    decks = [shuffled_deck(12345, str(salt)) for salt in range(1, 4001)]
    for found, kinds in (
        (Counter(deck[0] for deck in decks), 52),
        (Counter(frozenset(deck[:2]) for deck in decks), math.comb(52, 2)),
    ):
        expected = len(decks) / kinds
        squared = sum((count - expected) ** 2 for count in found.values()) / expected
        squared += (kinds - len(found)) * expected
        assert abs(squared - (kinds - 1)) < 5 * (2 * (kinds - 1)) ** 0.5


@pytest.mark.parametrize("salt", ["x" * 65, "two\nlines", "\u202e", "\x1b[2J", "\ud800"])
def test_what_is_no_salt_is_refused(salt: str) -> None:
    dealer = table()
    with pytest.raises(DealerError, match=r"^A salt is one line of at most 64 printable characters\.$"):
        dealer.set_salt(salt)
    assert dealer.salt == ""


# The dealer


def test_the_commitment_before_the_hand_is_that_of_the_deck_that_is_dealt() -> None:
    dealer = table()
    for salt in ("", "", "heads", "tails", ""):
        dealer.set_salt(salt)
        shown = dealer.commitment
        dealer.start_hand()
        assert dealer.commitment == shown
        with pytest.raises(DealerError, match="sealed until the hand is over"):
            dealer.open_hand()
        with pytest.raises(DealerError, match="between hands only"):
            dealer.set_salt("too late")
        while dealer.to_act is not None:
            dealer.apply(passive(dealer.observe(dealer.to_act)))
        opening = dealer.open_hand()
        assert opening is not None
        assert (opening.commitment, opening.salt) == (shown, salt)
        dealer.set_salt("of the next hand")
        assert dealer.open_hand() == opening


def test_a_salt_changes_the_next_deck_and_no_other() -> None:
    plain, salted = table(), table()
    for number, salt in enumerate(("", "mine", ""), start=1):
        salted.set_salt(salt)
        assert (salted.commitment == plain.commitment) == (not salt)
        for dealer in (plain, salted):
            play_hand(dealer, passive)
        ours, theirs = ([dealer.private_event(seat) for seat in range(3)] for dealer in (salted, plain))
        assert (ours == theirs) == (not salt), number
    assert salted.table_commitment == plain.table_commitment


@pytest.mark.parametrize("actions", [0, 2])
def test_a_killed_session_goes_on_with_its_salt(actions: int) -> None:
    whole = table()
    play_hand(whole, passive)
    whole.set_salt("mine")
    again = Dealer.restore(whole.config, decode(encode(whole.state), type(whole.state)), {})
    assert again.commitment == whole.commitment
    for dealer in (whole, again):
        dealer.start_hand()
        for _ in range(actions):
            assert dealer.to_act is not None
            dealer.apply(passive(dealer.observe(dealer.to_act)))
    assert again.events == whole.events
    assert [again.private_event(seat) for seat in range(3)] == [whole.private_event(seat) for seat in range(3)]
    assert again.commitment == whole.commitment


def test_a_hand_of_an_earlier_version_has_no_commitment_and_no_salt() -> None:
    new = table(seed=77)
    old = Dealer.restore(new.config, structs.replace(new.state, has_keyed_streams=False, salt="mine"), {})
    assert old.commitment == ""
    old.start_hand()
    deck = np.random.default_rng([77, 1, 1]).permutation(52).tolist()
    assert {card for seat in range(3) for card in old.private_event(seat).hole_cards} == set(deck[:6])
    assert old.commitment == ""
    while old.to_act is not None:
        old.apply(passive(old.observe(old.to_act)))
    assert old.open_hand() is None
    assert old.commitment


# The check


@pytest.mark.parametrize("players", [2, 3, 10])
def test_what_was_dealt_passes(players: int) -> None:
    dealer = table(players=players)
    proof = played(dealer, ["", "a", "a", "b", "", "c", "", "", "", "", "é"])
    for one in (proof, opened(proof, 5)):
        found = check_proof(decode(encode(one), SessionProof))
        assert found.problems == ()
        assert (found.checked, found.salted, found.uncommitted) == (11, 5, 0)
    assert not check_proof(proof).is_seed_open
    assert check_proof(opened(proof, 5)).is_seed_open


def test_hands_of_an_earlier_version_are_counted_and_not_judged() -> None:
    proof = played(table(), ["", ""])
    old = structs.replace(proof.hands[0], commitment="", opening=None)
    found = check_proof(structs.replace(proof, hands=(old, proof.hands[1])))
    assert (found.checked, found.uncommitted, found.problems) == (1, 1, ())


def of_hand(change: Callable[[CommittedHand], CommittedHand]) -> Callable[[SessionProof], SessionProof]:
    """Change the second hand of a proof."""
    return lambda proof: structs.replace(proof, hands=(proof.hands[0], change(proof.hands[1]), *proof.hands[2:]))


def of_opening(**changes: object) -> Callable[[SessionProof], SessionProof]:
    """Change what the second hand opens, and commit to that: who cheats would do so too."""

    def change(hand: CommittedHand) -> CommittedHand:
        assert hand.opening is not None
        opening = structs.replace(hand.opening, **changes)
        return structs.replace(hand, opening=opening, commitment=opening.commitment)

    return of_hand(change)


CHEATS = {
    "another commitment": (
        of_hand(lambda hand: structs.replace(hand, commitment="0" * 64)),
        "Hand 2: what was opened is not what was committed to.",
    ),
    "no opening": (
        of_hand(lambda hand: structs.replace(hand, opening=None)),
        "Hand 2: its commitment has not been opened.",
    ),
    "another hand": (of_opening(hand_number=1), "Hand 2: what was opened is of hand 1."),
    "another salt": (of_opening(salt="yours"), "Hand 2: its deck does not follow from its seed and the salt."),
    "another seed": (of_opening(seed="1" * 32), "Hand 2: its deck does not follow from its seed and the salt."),
    "a damaged seed": (of_opening(seed="kings"), "Hand 2: its seed is no number of 32 hexadecimal digits."),
    "a huge seed": (of_opening(seed="f" * 100), "Hand 2: its seed is no number of 32 hexadecimal digits."),
    "another board": (
        of_hand(lambda hand: structs.replace(hand, board=hand.board[2:] + hand.board[:2])),
        "Hand 2: the board is not that of the deck.",
    ),
    "swapped hands": (
        of_hand(
            lambda hand: structs.replace(
                hand, hole_cards={0: hand.hole_cards[1], 1: hand.hole_cards[0], 2: hand.hole_cards[2]}
            )
        ),
        "Hand 2: seat 1 held other cards than the deck gives.",
    ),
    "no proof at all": (
        of_hand(lambda hand: structs.replace(hand, commitment="", opening=None)),
        "Hand 2: nothing was committed to, though there was before it.",
    ),
    "a hand left out": (
        lambda proof: structs.replace(proof, hands=proof.hands[:1] + proof.hands[2:]),
        "Hand 2 should come next, and hand 3 does.",
    ),
}


@pytest.mark.parametrize(("change", "problem"), CHEATS.values(), ids=CHEATS)
def test_whatever_is_changed_is_found(change: Callable[[SessionProof], SessionProof], problem: str) -> None:
    assert problem in check_proof(change(played(table(), ["a", "b", ""]))).problems


@pytest.mark.parametrize("number", [-1, 2**63, 2**300])
def test_numbers_that_no_session_has_are_no_proof(number: int) -> None:
    proof = opened(played(table(), ["a", "b"]), 5)
    text = encode(proof).decode()
    for changed in (
        re.sub(r'"seed":5\b', f'"seed":{number}', text),
        re.sub(r'"hand_number":2\b', f'"hand_number":{number}', text),
    ):
        assert changed != text
        with pytest.raises(StoredDataError):
            decode(changed.encode(), SessionProof)


def test_a_deck_chosen_after_the_salt_is_found_by_the_seed_of_the_table() -> None:
    """Who knows the salt could look for a hand's seed that deals well: it would not follow from the table's."""
    proof = played(table(), ["a", "b", ""])
    honest = proof.hands[1]
    chosen = f"{4321:032x}"
    deck = format_cards(shuffled_deck(4321, "b"))
    opening = HandOpening(2, deck, chosen, "b", "0" * 32)
    order = sorted(honest.hole_cards, key=lambda seat: (seat <= honest.button, seat))
    dealt = {seat: deck[2 * at : 2 * at + 2] + deck[2 * at + 6 : 2 * at + 8] for at, seat in enumerate(order)}
    hand = CommittedHand(2, opening.commitment, opening, honest.button, dealt, deck[12:22])
    cheating = structs.replace(proof, hands=(proof.hands[0], hand, proof.hands[2]))
    assert check_proof(cheating).problems == ()
    found = check_proof(opened(cheating, 5)).problems
    assert found == ("Hand 2: its deck does not follow from the seed of the table.",)
    other_seed = structs.replace(opened(proof, 6), commitment=proof.commitment)
    assert "The seed of the table is not the one that was committed to." in check_proof(other_seed).problems


def test_nothing_that_is_opened_tells_of_another_hand() -> None:
    """All that a session opens while it goes on, its decks apart, is different for each hand and for the table."""
    openings = [hand_opening(9, number, "") for number in range(1, 200)]
    numbers = [number for opening in openings for number in (opening.seed, opening.nonce)]
    numbers.append(table_opening(9).nonce)
    assert len(set(numbers)) == len(numbers)
    assert all(one.deck != other.deck for one, other in combinations(openings, 2))
