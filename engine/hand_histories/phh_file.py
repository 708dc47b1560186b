"""Hands written in the Poker Hand History format (PHH), and those that we wrote so read again.

PHH tells what can be replayed. What else a hand has stands in fields of our own, which begin with an underscore as
PHH allows: `_number` at its `venue`, `_tournament`, `_kind`, `_hero`, `_stakes`, `_posts` with their kinds,
`_splash`, `_collected` with the number of the pot, `_rake`, `_remarks`, `_scale` for chips per unit of the amounts,
and `_shown` for hole cards that were turned up or thrown away by who had folded, or once all others had, with the
number of actions before.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct, structs

from engine.cards import HoleCards
from engine.codec import build_schema
from engine.foreign_text import shortened
from engine.game.events import ActionKind, Chips, GameKind, Posted, PostKind, PotAwarded, Seat, start_of, with_start
from engine.game.history import moments
from engine.game.phh import MOST_BYTES, PublicRecord, SkippedHand, fields_of, hand_digest, public_hand, sections
from engine.game.phh_text import PhhWriter, phh_lines, phh_players
from engine.hand_histories.imported import ImportedHand, imported
from engine.hand_histories.told import (
    MOST_CHIPS,
    Act,
    Collect,
    Deal,
    Muck,
    NotImportedError,
    Post,
    RefusedError,
    Show,
    Step,
    ToldHand,
    ToldSeat,
    cards_of,
    hole_cards_of,
)

SITE: Final = "PHH"
"""Of hands in files that do not say who wrote them."""

_VARIANT: Final = re.compile(r"^variant *=", re.MULTILINE)
_IS_OURS: Final = re.compile(rb"^_number = ", re.MULTILINE)
_MOST_SCALE: Final = 10**6


def phh_section(hand: ImportedHand, section: int) -> str:
    """Write a hand as a section of a PHH file, from which `read_phh` reads the same."""
    record = hand.record
    if hand.site == SITE:
        fields = PhhWriter(record.events, record.hole_cards, shows_all=True).fields()
        own: dict[str, Any] = {"_id": record.name}
    else:
        writer = PhhWriter(record.events, record.hole_cards, hand.scale)
        fields, own = writer.fields(), _own_fields(hand, writer)
    if hand.hero is not None:
        own["_hero"] = f"p{phh_players(record.events)[hand.hero]}"
    return f"[{section}]\n{phh_lines(fields | own)}\n"


def _own_fields(hand: ImportedHand, writer: PhhWriter) -> dict[str, Any]:
    """Return what PHH has no field for, and what it has one for beside the play."""
    events = hand.record.events
    started = start_of(events)
    fields: dict[str, Any] = {"venue": hand.site, "_number": hand.number, "_scale": hand.scale}
    if hand.played is not None:
        when = hand.played.replace(microsecond=0)
        fields |= {"time": when.time(), "day": when.day, "month": when.month, "year": when.year}
    said = {"table": hand.table, "_tournament": hand.tournament, "currency": hand.currency}
    return (
        fields
        | {name: value for name, value in said.items() if value}
        | {
            "_kind": started.kind.value,
            "_stakes": [writer.amount(chips) for chips in (started.small_blind, started.big_blind, started.ante)],
            "_posts": [
                f"p{writer.players[event.seat]} {event.kind.value} {writer.amount(event.amount)}"
                for event in events
                if isinstance(event, Posted)
            ],
            "_collected": [
                f"p{writer.players[event.seat]} {writer.amount(event.amount)} {event.pot}"
                for event in events
                if isinstance(event, PotAwarded)
            ],
            "_rake": writer.amount(hand.rake),
        }
        | ({"_splash": writer.amount(started.splash)} if started.splash else {})
        | ({"_shown": writer.shown} if writer.shown else {})
        | ({"_remarks": list(hand.remarks)} if hand.remarks else {})
    )


def is_phh(head: str) -> bool:
    """Tell by its beginning whether a text is in PHH."""
    return _VARIANT.search(head) is not None


def read_phh(sections: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, ImportedHand | NotImportedError]]:
    """Yield what each hand is called, and the hand or why it is none of no-limit hold'em; by name and text."""
    for section, text in sections:
        try:
            if _IS_OURS.search(text):
                yield section, _own_hand(text)
                continue
        except NotImportedError as error:
            yield section, error
            continue
        record = _record(section, text)
        if isinstance(record, SkippedHand):
            yield record.name, NotImportedError(record.reason)
        elif not record.is_no_limit:
            yield record.name, NotImportedError("It is fixed-limit, not no-limit.")
        else:
            yield record.name, _foreign_hand(record, text)


def read_records(path: str | Path) -> Iterator[PublicRecord | SkippedHand]:
    """Yield the hands of a PHH file as `read_public_hands` does; in those that we wrote collects who did so.

    Raises
    ------
    PhhFileError
        As of `read_public_hands`.
    """
    for section, text in sections(Path(path)):
        if not _IS_OURS.search(text):
            yield _record(section, text)
            continue
        try:
            yield structs.replace(_own_hand(text).record, name=section)
        except NotImportedError as error:
            yield SkippedHand(section, str(error))


def _record(section: str, text: bytes) -> PublicRecord | SkippedHand:
    """Return a hand that another program wrote, unless nobody's cards tell who won a pot at its showdown."""
    record = public_hand(section, text)
    if isinstance(record, PublicRecord):
        for event, hand in moments(record.events):
            if isinstance(event, PotAwarded) and event.seat not in record.hole_cards:
                _, contenders = hand.pots_by_place()[event.pot]
                if len(contenders) > 1:
                    return SkippedHand(record.name, "It does not say who won.")
    return record


def _foreign_hand(record: PublicRecord, text: bytes) -> ImportedHand:
    """Return a hand that another program wrote; who recorded it is not told, so it is nobody's."""
    return ImportedHand(
        site=SITE,
        number=hand_digest(record).hex(),
        played=None,
        table="",
        tournament="",
        currency="",
        scale=1,
        record=record,
        hero=_hero(record, text),
        rake=0,
    )


def _hero(record: PublicRecord, text: bytes) -> Seat | None:
    """Return whose hand it is, where we wrote it."""
    found = re.search(rb'^_hero = "p([0-9]{1,2})"$', text, re.MULTILINE)
    seats = {number: seat for seat, number in phh_players(record.events).items()}
    return seats.get(int(found[1])) if found else None


_OURS: Final = (
    *("number", "scale", "tournament", "kind", "stakes", "posts", "splash", "collected", "rake", "shown"),
    *("remarks", "hero"),
)
_Text = Annotated[str, Meta(max_length=200)]
_Texts = Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=300)]
_Amounts = Annotated[list[Decimal | int], Meta(max_length=10)]


class _Fields(Struct, kw_only=True, rename={name: f"_{name}" for name in _OURS}):
    """The fields of a hand that we wrote."""

    starting_stacks: _Amounts
    actions: _Texts
    hand: int
    players: _Texts
    seats: Annotated[list[Annotated[int, Meta(ge=1, le=99)]], Meta(max_length=10)]
    venue: _Text
    number: _Text
    scale: Annotated[int, Meta(ge=1, le=_MOST_SCALE)]
    kind: GameKind
    stakes: Annotated[list[Decimal | int], Meta(min_length=3, max_length=3)]
    posts: _Texts
    collected: _Texts
    rake: Decimal | int
    splash: Decimal | int = 0
    time: Any = None
    day: int = 1
    month: int = 1
    year: int = 0
    table: _Text = ""
    tournament: _Text = ""
    currency: _Text = ""
    shown: _Texts = []
    remarks: _Texts = []
    hero: _Text = ""


def _own_hand(text: bytes) -> ImportedHand:
    """Return a hand that we wrote."""
    if len(text) > MOST_BYTES:
        raise NotImportedError(f"It has more than the {MOST_BYTES:,} bytes that a hand may have.")
    try:
        build_schema(_Fields)
        fields = msgspec.convert(fields_of(text), _Fields)
    except msgspec.ValidationError as error:
        raise NotImportedError(f"A field is missing or damaged: {shortened(str(error), 200)}.") from error
    except ValueError as error:
        raise NotImportedError(str(error)) from error
    if not len(fields.players) == len(fields.seats) == len(fields.starting_stacks):
        raise NotImportedError("It has not a stack and a seat for each player.")
    hand = imported(_Reader(fields).told())
    events = with_start(hand.record.events, hand_number=fields.hand)
    return structs.replace(hand, record=structs.replace(hand.record, events=events))


class _Reader:
    """The fields of a hand that we wrote, read as a text tells a hand."""

    def __init__(self, fields: _Fields) -> None:
        self._fields = fields
        self._names = {f"p{number}": name for number, name in enumerate(fields.players, 1)}

    def told(self) -> ToldHand:
        """Return the hand for the rules."""
        fields = self._fields
        small_blind, big_blind, ante = map(self._chips, fields.stakes)
        seats = [
            ToldSeat(number, name, self._chips(stack))
            for number, name, stack in zip(fields.seats, fields.players, fields.starting_stacks, strict=True)
        ]
        hole_cards, steps = self._played()
        posts = [self._post(text) for text in fields.posts]
        return ToldHand(
            site=fields.venue,
            number=fields.number,
            played=self._when(),
            kind=fields.kind,
            table=fields.table,
            tournament=fields.tournament,
            currency=fields.currency,
            scale=fields.scale,
            small_blind=small_blind,
            big_blind=big_blind,
            ante=ante,
            splash=self._chips(fields.splash),
            seats=tuple(sorted(seats, key=lambda seat: seat.number)),
            button=fields.seats[-1],
            hero=self._name(fields.hero) if fields.hero else "",
            hole_cards=hole_cards,
            steps=(*posts, *steps, *map(self._collect, fields.collected)),
            rake=self._chips(fields.rake),
            remarks=tuple(fields.remarks),
        )

    def _name(self, player: str) -> str:
        if player not in self._names:
            raise NotImportedError(f"There is no player {shortened(player)}.")
        return self._names[player]

    def _chips(self, amount: Decimal | int | str) -> Chips:
        try:
            value = Decimal(amount) if len(str(amount)) <= 24 else Decimal(-1)
        except ArithmeticError:
            value = Decimal(-1)
        chips = value * self._fields.scale if value.is_finite() else Decimal(-1)
        if not 0 <= chips <= MOST_CHIPS or chips != int(chips):
            raise NotImportedError(f"'{shortened(str(amount))}' is no whole number of chips.")
        return int(chips)

    def _when(self) -> datetime | None:
        fields = self._fields
        if not isinstance(fields.time, time):
            return None
        try:
            return datetime(fields.year, fields.month, fields.day, fields.time.hour).replace(
                minute=fields.time.minute, second=fields.time.second
            )
        except (ValueError, OverflowError):
            return None

    def _post(self, text: str) -> Post:
        player, _, rest = text.partition(" ")
        kind, _, amount = rest.rpartition(" ")
        try:
            return Post(self._name(player), PostKind(kind), self._chips(amount))
        except ValueError as error:
            raise NotImportedError(f"'{shortened(text)}' is no post.") from error

    def _collect(self, text: str) -> Collect:
        player, amount, pot = (*text.split(" "), "", "")[:3]
        return Collect(self._name(player), self._chips(amount), int(pot) if pot.isdecimal() else None)

    def _played(self) -> tuple[dict[str, HoleCards], list[Step]]:
        """Return the hole cards that are known, and what was done."""
        hole_cards: dict[str, HoleCards] = {}
        steps: list[Step] = []
        shown: dict[int, list[Step]] = {}
        for text in self._fields.shown:
            player, cards, after = (*text.split(" "), "-", "")[:3]
            shown.setdefault(int(after) if after.isdecimal() else 0, []).append(self._turned(player, cards))
        for at, text in enumerate(self._fields.actions):
            steps += shown.pop(at, [])
            match text.split():
                case ["d", "dh", player, cards]:
                    pair = hole_cards_of(cards)
                    if pair is not None:
                        hole_cards[self._name(player)] = pair
                case ["d", "db", cards]:
                    steps.append(Deal(cards_of(cards)))
                case [player, "f"]:
                    steps.append(Act(self._name(player), ActionKind.FOLD))
                case [player, "cc"]:
                    steps.append(Act(self._name(player), ActionKind.CALL))
                case [player, "cbr", amount]:
                    steps.append(Act(self._name(player), ActionKind.RAISE, total=self._chips(amount)))
                case [player, "sm"]:
                    steps.append(Muck(self._name(player)))
                case [player, "sm", cards]:
                    steps.append(self._turned(player, cards))
                case _:
                    raise NotImportedError(f"'{shortened(text)}' is no action of hold'em.")
        for rest in shown.values():
            steps += rest
        return hole_cards, steps

    def _turned(self, player: str, cards: str) -> Show | Muck:
        name = self._name(player)
        if cards == "-":
            return Muck(name)
        pair = hole_cards_of(cards)
        if pair is None:
            raise RefusedError(f"{shortened(name)} does not show two cards.")
        return Show(name, pair)
