"""Proof that nobody chose the cards: what is committed to before a hand, what opens it, and what checks both.

All of a session follows from its seed: each hand has a seed of its own, a keyed hash of the session's, and the deck
is shuffled by that and by a salt, a text that the player may change before any hand. Two commitments bind it:

- *The table's*, shown before the first hand, to the session's seed. So no seed of a hand can be chosen any more
  when the player chooses a salt, and no salt can be answered by another seed. It is opened when the session ends.
- *The hand's*, shown before its first card, to the order of the whole deck, the hand's seed and the salt. It is
  opened when the hand is over; what it opens tells neither the session's seed nor another hand's deck.

A commitment is the SHA-256 of a short text, its opening. The text has a secret number of 128 bits, used once, or
a commitment could be searched for the deck: whoever knows most cards could try the others. Like all secrets of a
session it follows from the seed, so the same seed and salts give the same session again; a seed that is short
enough to be guessed hides neither its cards nor this.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import Annotated, Final

import numpy as np
from msgspec import Meta, Struct

from engine.cards import CARD_COUNT, Card, format_cards
from engine.game.events import Seat
from engine.game.formats import MAX_SEED

LONGEST_SALT: Final = 64
"""Characters of a salt."""

HandNumber = Annotated[int, Meta(ge=1, le=2**63 - 1)]
"""Of a session, from 1 on."""

_STEP_HANDS = 100
_SEED_BYTES = 16
_SEED = re.compile(f"[0-9a-f]{{{2 * _SEED_BYTES}}}")


class Stream(IntEnum):
    """What a random stream is for; part of its seed."""

    BUTTON = 0
    DECK = 1
    AGENT = 2
    READER = 3
    MATCH = 4
    NONCE = 5


def stream_seed(session_seed: int, stream: Stream, *numbers: int) -> int:
    """Seed of one of a session's streams, 128 bits; it tells nothing of the session's seed or other streams'."""
    message = b"".join(number.to_bytes(8, "little") for number in (stream, *numbers))
    key = session_seed.to_bytes(32, "little")
    return int.from_bytes(hashlib.blake2b(message, key=key, digest_size=_SEED_BYTES).digest(), "little")


def salt_problem(salt: str) -> str:
    r"""Say in a sentence why a text cannot be a salt, or "".

    >>> salt_problem("my dog is called Rex"), salt_problem("two\nlines")
    ('', 'A salt is one line of at most 64 printable characters.')
    """
    is_salt = len(salt) <= LONGEST_SALT and salt.isprintable()
    return "" if is_salt else f"A salt is one line of at most {LONGEST_SALT} printable characters."


def shuffled_deck(seed: int, salt: str) -> tuple[Card, ...]:
    """Return all 52 cards in the order in which they are dealt.

    Parameters
    ----------
    seed : int
        The hand's, 128 bits.
    salt : str
        The player's; with an empty one the seed alone decides.
    """
    if salt:
        key = seed.to_bytes(_SEED_BYTES, "little")
        digest = hashlib.blake2b(salt.encode(), key=key, digest_size=_SEED_BYTES).digest()
        seed = int.from_bytes(digest, "little")
    return tuple(Card(card) for card in np.random.default_rng(seed).permutation(CARD_COUNT).tolist())


class HandOpening(Struct, frozen=True):
    """What a hand's commitment is the hash of; numbers of 128 bits as 32 hexadecimal digits."""

    hand_number: HandNumber
    deck: str
    seed: str
    salt: str
    nonce: str

    @property
    def text(self) -> str:
        """What is hashed, in UTF-8; every line ends with a line break."""
        lines = (
            f"Soulread hand {self.hand_number}",
            f"deck {self.deck}",
            f"seed {self.seed}",
            f"salt {self.salt}",
            f"nonce {self.nonce}",
        )
        return "".join(f"{line}\n" for line in lines)

    @property
    def commitment(self) -> str:
        """The SHA-256 of the text, 64 hexadecimal digits."""
        return _sha256(self.text)


class TableOpening(Struct, frozen=True):
    """What a table's commitment is the hash of."""

    seed: Annotated[int, Meta(ge=0, le=MAX_SEED)]
    nonce: str

    @property
    def text(self) -> str:
        """What is hashed, as of `HandOpening`."""
        return f"Soulread table\nseed {self.seed}\nnonce {self.nonce}\n"

    @property
    def commitment(self) -> str:
        """The SHA-256 of the text, 64 hexadecimal digits."""
        return _sha256(self.text)


def hand_opening(session_seed: int, hand_number: int, salt: str) -> HandOpening:
    """Return what the commitment of a hand hides until the hand is over."""
    seed = stream_seed(session_seed, Stream.DECK, hand_number)
    deck = format_cards(shuffled_deck(seed, salt))
    return HandOpening(
        hand_number, deck, _hex(seed), salt, _hex(stream_seed(session_seed, Stream.NONCE, hand_number))
    )


def table_opening(session_seed: int) -> TableOpening:
    """Return what the commitment of a session hides until the session is over."""
    return TableOpening(session_seed, _hex(stream_seed(session_seed, Stream.NONCE, 0)))


class CommittedHand(Struct, frozen=True):
    """A finished hand with its proof.

    Attributes
    ----------
    commitment : str
        As it was shown before the first card; empty of a hand that an earlier version has dealt.
    opening : HandOpening or None
        None where there is no commitment.
    button : int
        Seat of the button.
    hole_cards : mapping of int to str
        Of every seat dealt in, two cards as text.
    board : str
        The cards that were turned up.
    """

    hand_number: HandNumber
    commitment: str
    opening: HandOpening | None
    button: Seat
    hole_cards: Mapping[Seat, str]
    board: str


class SessionProof(Struct, frozen=True):
    """What a player needs to check a session, as JSON in a file.

    Attributes
    ----------
    started : str
        When, ISO 8601.
    commitment : str
        The table's, as it was shown before the first hand.
    opening : TableOpening or None
        None while the session can go on: its seed tells every card to come.
    """

    started: str
    commitment: str
    opening: TableOpening | None
    hands: tuple[CommittedHand, ...]


class CheckedProof(Struct, frozen=True):
    """What a check has found.

    Attributes
    ----------
    checked, salted, uncommitted : int
        Hands that have a commitment, those of them with a salt, and those that have none.
    is_seed_open : bool
        Whether the seed of the table was there to be checked.
    problems : tuple of str
        Sentences; empty if all that could be checked is right.
    """

    checked: int
    salted: int
    uncommitted: int
    is_seed_open: bool
    problems: tuple[str, ...]


def check_proof(proof: SessionProof) -> CheckedProof:
    """Check that every hand was dealt from the deck that was committed to, and every deck from seed and salt."""
    *_, checked = check_steps(proof)
    return checked


def check_steps(proof: SessionProof) -> Iterator[CheckedProof]:
    """Yield what `check_proof` has found after every hundred hands; the last is complete."""
    problems: list[str] = []
    seed = proof.opening.seed if proof.opening is not None else None
    if proof.opening is not None and proof.opening.commitment != proof.commitment:
        problems.append("The seed of the table is not the one that was committed to.")
    for expected, hand in enumerate(proof.hands, start=1):
        if hand.hand_number != expected:
            problems.append(f"Hand {expected} should come next, and hand {hand.hand_number} does.")
            break
    has_begun = False
    checked = salted = uncommitted = 0
    for at, hand in enumerate(proof.hands, start=1):
        problems += [f"Hand {hand.hand_number}: {problem}" for problem in _problems(hand, seed)]
        if has_begun and not hand.commitment:
            problems.append(f"Hand {hand.hand_number}: nothing was committed to, though there was before it.")
        has_begun = has_begun or bool(hand.commitment)
        checked += hand.opening is not None
        uncommitted += hand.opening is None
        salted += hand.opening is not None and bool(hand.opening.salt)
        if at % _STEP_HANDS == 0:
            yield CheckedProof(checked, salted, uncommitted, seed is not None, tuple(problems))
    yield CheckedProof(checked, salted, uncommitted, seed is not None, tuple(problems))


def _problems(hand: CommittedHand, session_seed: int | None) -> Iterator[str]:
    """Yield what is wrong with the proof of a hand."""
    opening = hand.opening
    if opening is None:
        if hand.commitment:
            yield "its commitment has not been opened."
        return
    if opening.commitment != hand.commitment:
        yield "what was opened is not what was committed to."
    if opening.hand_number != hand.hand_number:
        yield f"what was opened is of hand {opening.hand_number}."
    if not _SEED.fullmatch(opening.seed):
        yield "its seed is no number of 32 hexadecimal digits."
        return
    if opening.deck != format_cards(shuffled_deck(int(opening.seed, 16), opening.salt)):
        yield "its deck does not follow from its seed and the salt."
    if session_seed is not None and opening != hand_opening(session_seed, opening.hand_number, opening.salt):
        yield "its deck does not follow from the seed of the table."
    yield from _wrong_cards(hand, opening.deck)


def _wrong_cards(hand: CommittedHand, deck: str) -> Iterator[str]:
    """Yield what is not as the deck deals it: two rounds from the left of the button, then the board."""
    order = sorted(hand.hole_cards, key=lambda seat: (seat <= hand.button, seat))
    count = len(order)
    for turn, seat in sorted(enumerate(order), key=lambda at: at[1]):
        dealt = {_card(deck, turn), _card(deck, count + turn)}
        if dealt != {_card(hand.hole_cards[seat], 0), _card(hand.hole_cards[seat], 1)}:
            yield f"seat {seat + 1} held other cards than the deck gives."
    if not deck[4 * count :].startswith(hand.board):
        yield "the board is not that of the deck."


def _card(cards: str, at: int) -> str:
    return cards[2 * at : 2 * at + 2]


def _hex(number: int) -> str:
    return f"{number:0{2 * _SEED_BYTES}x}"


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
