"""Recorded hands with all hole cards known, from files in the Poker Hand History format (PHH).

PHH (Kim 2024, "Recording and Describing Poker Hands", arXiv:2312.11753) is TOML: a `.phh` file is one hand, a
`.phhs` file one section per hand. A record is played again by our own rules, which say chips to call, pots,
all-ins and who wins; the record says who shows (`sm` with cards) and who mucks (`sm` without).

- Seat i is PHH's player p(i+1), the last of them the button. Heads-up that is p2, who posts the small blind,
  although blinds and antes are written with the small blind's first.
- Straddles, and big blinds posted by who comes back, are live blinds: `Posted` events, and the seat still has its
  turn. A dead small blind is not posted, and `HandStarted.small_blind` is then half the big blind.
- An ante that the big blind posts for all stands as that player's alone, not trimmed; what else differs is skipped.
- Fixed-limit hands are played by no-limit rules, and `PublicRecord` says so.
- A check by who could not be called by anybody, which our rules do not ask for, is left out.
- Where a record has decimals all its amounts are multiplied by 100, or by what its digits need.
- A file may come from anywhere: length, actions, depth and numbers are limited far beyond any real hand.
"""

import hashlib
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Context, Decimal, DecimalException
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeVar

from msgspec import Struct

from engine.cards import CARD_OF, Card, HoleCards, Street, format_card
from engine.codec import encode
from engine.foreign_text import shortened
from engine.game.events import (
    CALL,
    CHECK,
    FOLD,
    Chips,
    GameKind,
    HandStarted,
    PostKind,
    PublicEvent,
    Seat,
    SeatStart,
    raise_to,
    with_start,
)
from engine.game.history import HandState
from engine.game.observation import HandView, LegalActions, Observation
from engine.game.public_hand import PublicHand
from engine.game.rules import Betting, IllegalActionError, Phase, TableRules

_HEADER = re.compile(rb"""[ \t]*\[[ \t]*(["']?)([A-Za-z0-9_-]+)\1[ \t]*\][ \t]*(?:\#.*)?\r?\n?""")
_UNKNOWN_PAIR = "????"
_NO_LIMIT = "NT"
_GAMES = (_NO_LIMIT, "FT")
"""No-limit and fixed-limit Texas hold'em."""
_SIZES = (0, 3, 1, 1)
_MOST_CHIPS = 10**15
_MOST_DECIMALS = 6
_LONGEST_NUMBER = 40
_EXACTLY = Context(prec=_LONGEST_NUMBER)
_MOST_NAMED = 12
MOST_BYTES = 100_000  # of a hand; real ones have 1,300
_MOST_ACTIONS = 300  # real hands have 45
_MOST_DOTS = 100  # of a key such as `a.b.c`; tomllib's time and memory grow with their square
_LONGEST_SECTION = 16_000_000
"""Bytes of a section with fields of other programs, such as our own traces."""
_CHUNK = 1_000_000
_OWN_FIELD = re.compile(rb"^_[A-Za-z0-9_]+ = '[^'\n]{1000,}+'\r?\n", re.MULTILINE)
"""A long field of a program's own, which PHH allows by an underscore."""
_BETWEEN_KEYS = re.compile(r"[\n,=\[\]{}]")


DIGEST_BYTES = 8
"""Of a hand, by `hand_digest`."""


class PhhFileError(ValueError):
    """A file that cannot be read at all; the message says why in one sentence."""


class RecordedHand(Struct, frozen=True):
    """A finished hand of which every hole card is known.

    `name` is the record's `_id`, or else its section; seat i is PHH's player p(i+1), the last with the button.
    Hole cards are by seat, the higher first; events are whole, in chips.
    """

    name: str
    players: tuple[str, ...]
    hole_cards: tuple[HoleCards, ...]
    events: tuple[PublicEvent, ...]


class PublicRecord(Struct, frozen=True):
    """A finished hand as everybody saw it, with the hole cards that its record happens to know, by seat."""

    name: str
    players: tuple[str, ...]
    hole_cards: dict[Seat, HoleCards]
    events: tuple[PublicEvent, ...]
    is_no_limit: bool


class SkippedHand(Struct, frozen=True):
    """A section that is no hand for us, with the reason in one sentence."""

    name: str
    reason: str


class SkippedCount(Struct, frozen=True):
    """How many hands were skipped for a reason, and the first of them."""

    reason: str
    count: int
    first: str


class SkippedHands:
    """Counts the hands of a file that were skipped."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._first: dict[str, str] = {}

    def add(self, hand: SkippedHand) -> None:
        """Count a further one."""
        self._counts[hand.reason] += 1
        self._first.setdefault(hand.reason, hand.name)

    def counts(self) -> tuple[SkippedCount, ...]:
        """Return the counts, that of the most frequent reason first."""
        return tuple(
            SkippedCount(reason, count, self._first[reason]) for reason, count in self._counts.most_common()
        )


def read_hands(path: str | Path, *, limit: int | None = None) -> Iterator[RecordedHand | SkippedHand]:
    """Yield the hands of a PHH file in its order; what cannot be read is skipped with a reason.

    Parameters
    ----------
    path : str or Path
        A `.phhs` file of sections, or a `.phh` file that is one hand; read section by section, so of any length.
    limit : int, optional
        Hands to yield at most; skipped ones do not count.

    Yields
    ------
    RecordedHand or SkippedHand
        Skipped are damaged sections, other games, hands of which a hole card is unknown, hands that are not
        over, those that break the rules of the game, and those beyond all measure.

    Raises
    ------
    PhhFileError
        On the first step, if the file cannot be opened or is a folder; on a later one, if it cannot be read on.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> text = '''variant = 'NT'
    ... antes = [0, 0]
    ... blinds_or_straddles = [50, 100]
    ... starting_stacks = [20000, 20000]
    ... actions = ['d dh p1 8h4c', 'd dh p2 6c5h', 'p2 cbr 273', 'p1 f']
    ... '''
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "one.phh")
    ...     _ = path.write_text(text, encoding="utf-8")
    ...     (hand,) = read_hands(path)
    >>> hand.players, hand.events[-1]
    (('p1', 'p2'), HandEnded(stacks=(19900, 20100)))
    """
    if limit is not None and limit < 0:
        raise ValueError(f"The number of hands must not be negative, and it is {limit}.")
    count = 0
    for section, text in sections(Path(path)):
        if limit is not None and count >= limit:
            return
        hand = _read_section(section, text, _recorded)
        count += isinstance(hand, RecordedHand)
        yield hand


def read_public_hands(path: str | Path) -> Iterator[PublicRecord | SkippedHand]:
    """Yield the hands of a PHH file as `read_hands` does, also those of which hole cards are unknown (`????`).

    Whose cards stay unknown at a showdown wins nothing of it.

    Raises
    ------
    PhhFileError
        As of `read_hands`.
    """
    for section, text in sections(Path(path)):
        yield public_hand(section, text)


def public_hand(section: str, text: bytes) -> PublicRecord | SkippedHand:
    """Return the hand of one section, as `read_public_hands` does."""
    return _read_section(section, text, _publicly_recorded)


def seen_by(hand: PublicRecord, player: str, number: int | None = None) -> Observation | None:
    """Return a whole hand as a player saw it, by default with the number that its record gives.

    None if they were not dealt in, or the record has not their hole cards.
    """
    seat = hand.players.index(player) if player in hand.players else -1
    started = hand.events[0]
    if seat not in hand.hole_cards or not isinstance(started, HandStarted):
        return None
    events = hand.events if number is None else with_start(hand.events, hand_number=number)
    return HandState.after(events).observe(seat, hand.hole_cards[seat])


def seen_by_all(hand: PublicRecord) -> HandView:
    """Return a whole hand as everybody saw it, who watched it too."""
    return HandState.after(hand.events).view()


def hand_digest(hand: PublicRecord) -> bytes:
    """Name a hand by all that is recorded of it but its name and number, so that it is the same in another file."""
    started, *rest = with_start(hand.events, hand_number=0)
    whole = encode((hand.hole_cards, started, rest))
    # What is always 0 in a record is no part of the name, which is older than that.
    return hashlib.blake2b(whole.replace(b',"splash":0', b"", 1), digest_size=DIGEST_BYTES).digest()


def no_such_player(player: str, where: str | Path, names: Iterable[str]) -> str:
    """Say that a player is not in a file, or in a hand of it, and who is.

    >>> no_such_player("Eve", "some.phhs", ["Ann", "Bob"])
    "There is no player 'Eve' in some.phhs; there are Ann, Bob."
    """
    first = list(islice(names, _MOST_NAMED + 1))
    others = f"{', '.join(first[:_MOST_NAMED])}{' and others' * (len(first) > _MOST_NAMED)}"
    return f"There is no player '{shortened(player)}' in {where}; there are {others}."


class _BadHandError(ValueError):
    """Why a hand is skipped."""


def sections(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the sections of a file as `sections_in` does; `PhhFileError` on a step if it cannot be read."""
    try:
        with path.open("rb") as file:
            yield from sections_in(file)
    except (OSError, ValueError) as error:  # a ValueError for a name that no file can have
        what = (isinstance(error, OSError) and error.strerror) or str(error)
        raise PhhFileError(f"The file {path} cannot be read: {what}.") from error


def sections_in(file: BinaryIO) -> Iterator[tuple[str, bytes]]:
    """Yield each section's name and text, its header left out; a hand without a header is section 1.

    Of a section beyond 16 MB the rest is left out.
    """
    name, lines, size, is_line_start = "1", list[bytes](), 0, True
    while line := file.readline(_CHUNK):
        header = _HEADER.fullmatch(line) if is_line_start else None
        is_line_start = line.endswith(b"\n")
        if header is None:
            if size < _LONGEST_SECTION:
                lines.append(line)
                size += len(line)
            continue
        if any(map(_has_content, lines)):
            yield name, b"".join(lines)
        name, lines, size = shortened(header[2].decode()), [], 0
    if any(map(_has_content, lines)):
        yield name, b"".join(lines)


def _has_content(line: bytes) -> bool:
    stripped = line.removeprefix(b"\xef\xbb\xbf").strip()
    return bool(stripped) and not stripped.startswith(b"#")


def fields_of(section: bytes) -> dict[str, Any]:
    """Return the fields of a section, decimals as `Decimal`; `ValueError` if it is no TOML or is too deep."""
    try:
        text = section.decode("utf-8-sig")
        if max(part.count(".") for part in _BETWEEN_KEYS.split(text)) > _MOST_DOTS:
            raise ValueError(f"A key or a text of it has more than {_MOST_DOTS} dots.")
        try:
            return tomllib.loads(text, parse_float=Decimal)
        except (ValueError, DecimalException, RecursionError) as error:
            raise ValueError(f"Its TOML is damaged: {shortened(' '.join(str(error).split()), 200)}.") from error
    except UnicodeDecodeError as error:
        raise ValueError("It is not written in UTF-8.") from error


_R = TypeVar("_R")


def _read_section(
    section: str, text: bytes, recorded: Callable[[str, str, Mapping[str, Any]], _R]
) -> _R | SkippedHand:
    text = _OWN_FIELD.sub(b"", text)
    if len(text) > MOST_BYTES:
        return SkippedHand(section, f"It has more than the {MOST_BYTES:,} bytes that a hand may have.")
    try:
        fields = fields_of(text)
    except ValueError as error:
        return SkippedHand(section, str(error))
    own = fields.get("_id")
    name = shortened(own) if isinstance(own, str) else section
    try:
        return recorded(name, section, fields)
    except _BadHandError as error:
        return SkippedHand(name, str(error))


class _Stakes(NamedTuple):
    """What everybody sits down with and owes, by seat."""

    stacks: list[Chips]
    ante: Chips
    for_all: Chips
    blinds: list[Chips]


def _recorded(name: str, section: str, fields: Mapping[str, Any]) -> RecordedHand:
    players, replay = _replayed(section, fields, allows_unknown=False)
    return RecordedHand(name, players, replay.hole_cards(), replay.end())


def _publicly_recorded(name: str, section: str, fields: Mapping[str, Any]) -> PublicRecord:
    players, replay = _replayed(section, fields, allows_unknown=True)
    return PublicRecord(name, players, replay.known_cards(), replay.end(), fields["variant"] == _NO_LIMIT)


def _replayed(
    section: str, fields: Mapping[str, Any], *, allows_unknown: bool
) -> tuple[tuple[str, ...], "_Replay"]:
    """Return the names of the players, and the hand played to the end of the record."""
    variant = fields.get("variant")
    if variant is None:
        raise _BadHandError("It names no game.")
    if not isinstance(variant, str) or variant not in _GAMES:
        game = repr(variant) if isinstance(variant, str) else _written(variant)
        raise _BadHandError(f"Its game is {shortened(game)}, not hold'em (NT or FT).")
    if isinstance(fields.get("actions"), list) and len(fields["actions"]) > _MOST_ACTIONS:
        raise _BadHandError(f"It has {len(fields['actions']):,} actions, and {_MOST_ACTIONS} are the most.")
    actions = [words for words in map(_words, _texts_of(fields, "actions")) if words]
    scale = _scale(fields, actions)
    stakes = _stakes(fields, scale)
    count = len(stakes.stacks)
    players = tuple(map(shortened, _texts_of(fields, "players"))) if "players" in fields else _nameless(count)
    if len(players) != count:
        raise _BadHandError(f"It has {count} stacks and {len(players)} players.")
    replay = _Replay(_hand_number(fields.get("hand", section)), players, stakes, allows_unknown=allows_unknown)
    for at, words in enumerate(actions, 1):
        try:
            replay.do(words, scale)
        except _BadHandError as error:
            raise _BadHandError(f"Action {at} ({shortened(' '.join(words))}): {error}") from None
    return players, replay


def _stakes(fields: Mapping[str, Any], scale: int) -> _Stakes:
    stacks, antes, blinds = (
        _amounts(fields, key, scale) for key in ("starting_stacks", "antes", "blinds_or_straddles")
    )
    count = len(stacks)
    if not 2 <= count <= 10:
        raise _BadHandError(f"It has {count} players, not 2 to 10.")
    for what, values in (("antes", antes), ("blinds", blinds)):
        if len(values) != count:
            raise _BadHandError(f"It has {count} stacks and {len(values)} {what}.")
    if min(stacks) < 1:
        raise _BadHandError(f"Every player needs chips, and one starts with {min(stacks)}.")
    if min(antes) < 0 or min(blinds) < 0:
        raise _BadHandError("It has dead blinds (negative amounts), which are not read.")
    is_trimmed = fields.get("ante_trimming_status") is True
    # Heads-up p1 has the big blind, though the small blind is written first.
    if count == 2:
        antes, blinds = antes[::-1], blinds[::-1]
    payer = 0 if count == 2 or not blinds[1] else 1
    if is_for_all := len(set(antes)) > 1:
        if is_trimmed or sum(antes) > antes[payer]:
            raise _BadHandError("Its antes differ, and not as where the big blind posts for all.")
        if stacks[payer] < antes[payer] + blinds[payer]:
            raise _BadHandError("A big blind is short of blind and ante for all, and which comes first differs.")
    elif min(stacks) < antes[0] and not is_trimmed:
        raise _BadHandError("A player is all-in with less than the ante and wins all antes, which is not read.")
    return _Stakes(stacks, 0 if is_for_all else antes[0], antes[payer] if is_for_all else 0, blinds)


def _words(action: str) -> list[str]:
    """Return the parts of an action without its comment."""
    return action.split("#", 1)[0].split()


def _texts_of(fields: Mapping[str, Any], key: str) -> list[str]:
    values = fields.get(key)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise _BadHandError(f"Its field {key} is missing or no list of what belongs there.")
    return values


def _nameless(count: int) -> tuple[str, ...]:
    return tuple(f"p{number}" for number in range(1, count + 1))


def _hand_number(value: object) -> int:
    """Return a number that a hand may have, from 0 to 10^15; 1 where there is none."""
    text = (
        str(value) if isinstance(value, str | Decimal) or (type(value) is int and 0 <= value < _MOST_CHIPS) else ""
    )
    return int(text) if len(text) <= 15 and text.isdecimal() else 1


def _scale(fields: Mapping[str, Any], actions: Sequence[Sequence[str]]) -> int:
    """Return by what amounts are multiplied to be whole: 1, 100, or a higher power of ten."""
    amounts: list[str | Decimal] = []
    amounts += [words[2] for words in actions if len(words) == 3 and words[1] == "cbr" and not words[2].isdecimal()]
    for key in ("starting_stacks", "antes", "blinds_or_straddles"):
        values = fields.get(key)
        amounts += [value for value in values if isinstance(value, Decimal)] if isinstance(values, list) else []
    digits = 0
    for amount in amounts:
        if len(str(amount)) > _LONGEST_NUMBER:
            raise _BadHandError(f"The amount {shortened(str(amount))} has too many digits.")
        try:
            exponent = Decimal(amount).normalize(_EXACTLY).as_tuple().exponent
        except DecimalException:
            continue  # refused where it is read
        digits = max(digits, -exponent if isinstance(exponent, int) else 0)
    if digits > _MOST_DECIMALS:
        raise _BadHandError(f"Its amounts have {digits} decimals, and {_MOST_DECIMALS} are the most.")
    return 10 ** max(digits, 2) if digits else 1


def _amounts(fields: Mapping[str, Any], key: str, scale: int) -> list[Chips]:
    values = fields.get(key)
    if not isinstance(values, list):
        raise _BadHandError(f"Its field {key} is missing or no list.")
    return [_chips(value, scale) for value in values]


def _chips(value: object, scale: int) -> Chips:
    """Return an amount in chips; `scale` is known to make it whole."""
    is_number = isinstance(value, int) or (isinstance(value, Decimal) and value.is_finite())
    if isinstance(value, bool) or not is_number:
        raise _BadHandError(f"{shortened(_written(value))} is no amount of chips.")
    assert isinstance(value, int | Decimal)
    # A number too large to be multiplied is one too large, too.
    if not -_MOST_CHIPS < value < _MOST_CHIPS or not -_MOST_CHIPS < value * scale < _MOST_CHIPS:
        raise _BadHandError(f"An amount is beyond {_MOST_CHIPS:,} chips.")
    return int(value * scale)


def _written(value: object) -> str:
    """Return a value as a reason may quote it."""
    try:
        return str(value)
    except ValueError:  # a whole number of more digits than Python writes
        return "A number of thousands of digits"


class _Replay:
    """One hand on its way through the rules, event by event."""

    def __init__(
        self, number: int, players: Sequence[str], stakes: _Stakes, *, allows_unknown: bool = False
    ) -> None:
        self._allows_unknown = allows_unknown
        self._count = count = len(players)
        self._seats = {name: seat for seat, name in enumerate(_nameless(count))}
        self._cards: dict[int, list[Card]] = {}
        self._seen: set[Card] = set()
        stacks, ante, blinds = stakes.stacks, stakes.ante, stakes.blinds
        first, second = (1, 0) if count == 2 else (0, 1)
        is_dead = count > 2 and blinds[second] == 0  # who owed the small blind has left
        places = (
            {first: PostKind.BIG_BLIND} if is_dead else {first: PostKind.SMALL_BLIND, second: PostKind.BIG_BLIND}
        )
        small, big = (blinds[first] // 2, blinds[first]) if is_dead else (blinds[first], blinds[second])
        if not 0 <= small <= big or big < 1:
            raise _BadHandError(f"Its blinds are {small} and {big}, and no hand is played with those.")
        seats = tuple(SeatStart(seat, *start) for seat, start in enumerate(zip(players, stacks, strict=True)))
        self._betting = Betting(
            TableRules(small, big), stacks, count - 1, has_small_blind=not is_dead, is_posted=False
        )
        started = HandStarted(
            number, GameKind.CASH, seats, count - 1, small, big, ante, big_blind_ante=stakes.for_all
        )
        self._hand = PublicHand(started, self._betting)
        self._post(stakes, places, big)
        self._hand.ask_first()

    def _post(self, stakes: _Stakes, places: Mapping[int, PostKind], big_blind: Chips) -> None:
        """Post antes and blinds; what is posted beyond the two blinds is a straddle or another's big blind."""
        stacks, ante, blinds = stakes.stacks, stakes.ante, stakes.blinds
        for seat, stack in enumerate(stacks):
            self._hand.post(seat, PostKind.ANTE, min(ante, stack))
        payer = next(seat for seat, kind in places.items() if kind is PostKind.BIG_BLIND)
        self._hand.post(payer, PostKind.BIG_BLIND_ANTE, stakes.for_all)
        for seat in range(self._count) if self._count > 2 else (1, 0):
            other = PostKind.STRADDLE if blinds[seat] > big_blind else PostKind.BIG_BLIND
            behind = stacks[seat] - min(ante, stacks[seat]) - (stakes.for_all if seat == payer else 0)
            self._hand.post(seat, places.get(seat, other), min(blinds[seat], behind))

    def do(self, words: Sequence[str], scale: int) -> None:
        """Do one action of the record."""
        match words:
            case ["d", "dh", player, cards]:
                self._deal(self._seat(player), cards)
            case ["d", "db", cards]:
                self._deal_board(cards)
            case [player, "f"]:
                self._act(self._seat(player), "f", 0)
            case [player, "cc"]:
                self._act(self._seat(player), "cc", 0)
            case [player, "cbr", amount]:
                self._act(self._seat(player), "cbr", _written_amount(amount, scale))
            case [player, "sm"] | [player, "sm", "-"]:
                self._hand.muck(self._seat(player))
            case [player, "sm", cards]:
                self._show(self._seat(player), cards)
            case _:
                raise _BadHandError("It is no action of hold'em.")

    def hole_cards(self) -> tuple[HoleCards, ...]:
        """Return everybody's hole cards, the higher first."""
        return tuple(self._pair(seat) for seat in range(self._count))

    def known_cards(self) -> dict[Seat, HoleCards]:
        """Return the hole cards that the record knows, the higher first."""
        return {seat: self._pair(seat) for seat, cards in sorted(self._cards.items()) if len(cards) == 2}

    def _pair(self, seat: int) -> HoleCards:
        cards = self._cards.get(seat, [])
        if len(cards) != 2:
            raise _BadHandError(f"The hole cards of p{seat + 1} are not known.")
        first, second = cards
        return (first, second) if first > second else (second, first)

    def _seat(self, player: str) -> int:
        if player not in self._seats:
            raise _BadHandError(f"There is no player {shortened(player)}.")
        return self._seats[player]

    def _new_cards(self, text: str) -> list[Card]:
        """Read cards that are dealt, each for the first time."""
        cards = _cards(text)
        for card in cards:
            if card in self._seen:
                raise _BadHandError(f"The card {format_card(card)} is dealt twice.")
            self._seen.add(card)
        return cards

    def _deal(self, seat: int, text: str) -> None:
        if self._allows_unknown and text == _UNKNOWN_PAIR:
            return
        cards = self._cards.setdefault(seat, [])
        cards += self._new_cards(text)
        if len(cards) > 2:
            raise _BadHandError(f"p{seat + 1} gets {len(cards)} hole cards.")

    def _deal_board(self, text: str) -> None:
        if self._betting.phase not in (Phase.STREET_OVER, Phase.RUN_OUT):
            raise _BadHandError("No board cards are dealt now.")
        street = Street(self._betting.street + 1)
        cards = tuple(self._new_cards(text))
        if len(cards) != _SIZES[street]:
            raise _BadHandError(f"The {street.name.lower()} is {_SIZES[street]} cards, not {len(cards)}.")
        self._hand.deal(cards)

    def _act(self, seat: int, word: str, total: Chips) -> None:
        betting = self._betting
        if betting.phase is not Phase.BETTING:
            if word == "cc" and not betting.is_folded[seat] and betting.phase in (Phase.RUN_OUT, Phase.SHOWDOWN):
                return  # nobody is left who could be called by a bet
            raise _BadHandError("Nobody is to act.")
        if seat != betting.to_act:
            raise _BadHandError(f"It is the turn of p{(betting.to_act or 0) + 1}.")
        legal = betting.legal_actions()
        assert legal is not None
        action = {"f": FOLD, "cbr": raise_to(total)}.get(word, CHECK if legal.can_check else CALL)
        try:
            self._hand.take(action)
        except IllegalActionError:
            raise _BadHandError(_why_refused(legal)) from None

    def _show(self, seat: int, text: str) -> None:
        if self._allows_unknown and text == _UNKNOWN_PAIR:
            self._hand.muck(seat)
            return
        if self._allows_unknown and seat not in self._cards:
            self._deal(seat, text)
        if sorted(_cards(text)) != sorted(self._cards.get(seat, [])):
            raise _BadHandError(f"p{seat + 1} was not dealt these cards.")
        self._hand.show(seat, self._pair(seat))

    def end(self) -> tuple[PublicEvent, ...]:
        """Award the pots; give all events."""
        hand, betting = self._hand, self._betting
        if betting.phase not in (Phase.SHOWDOWN, Phase.FOLDED_OUT):
            raise _BadHandError("The record ends before the hand does.")
        strengths = [0] * self._count
        if betting.phase is Phase.SHOWDOWN:
            from engine.strength import strength

            for seat, is_folded in enumerate(betting.is_folded):
                if not is_folded and (seat in self._cards or not self._allows_unknown):
                    strengths[seat] = strength(self._pair(seat) + hand.board)
        hand.award(strengths)
        return tuple(hand.events)


def _cards(text: str) -> list[Card]:
    try:
        return [CARD_OF[text[at : at + 2]] for at in range(0, len(text), 2)]
    except KeyError as error:
        if "?" in text:
            raise _BadHandError("Cards are unknown.") from None
        raise _BadHandError(f"{error.args[0]!r} is no card.") from None


def _written_amount(text: str, scale: int) -> Chips:
    if scale == 1 and text.isdecimal() and text.isascii():
        return _chips(int(text) if len(text) < 16 else _MOST_CHIPS, 1)
    try:
        return _chips(Decimal(text), scale)
    except DecimalException:
        raise _BadHandError(f"{shortened(text)} is no amount of chips.") from None


def _why_refused(legal: LegalActions) -> str:
    if not legal.can_raise:
        return "No bet or raise is allowed now."
    return f"A bet or raise is to {legal.min_raise_to} at least and to {legal.max_raise_to} at most."
