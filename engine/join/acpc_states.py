"""What a dealer of the ACPC sends and keeps: definitions of games, states of hands, and whose turn it is in them.

Source: The ACPC protocol specification 2.0.0 (2009) and the definition files of the dealer's own games.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from engine.cards import CARD_OF, Card, HoleCards
from engine.game.events import ActionKind, Chips, PostKind
from engine.game.rules import MAX_SEATS, MIN_SEATS

_STATE: Final = re.compile(r"MATCHSTATE:(\d{1,2}):(\d{1,9}):([^:]*):([^:]*)")
_TOKEN: Final = re.compile(r"f|c|r(\d{1,15})")
_BETTING: Final = re.compile(r"(?:(?:f|c|r\d{1,15})*)(?:/(?:f|c|r\d{1,15})*){0,3}")
_BOARD_SIZES: Final = (3, 1, 1)
_MOST_ACTIONS: Final = 1024
"""Of a hand that is followed; the dealer itself plays on for at most 64 on a street."""


class GameDefinition(Struct, frozen=True):
    """No-limit hold'em to be played: chips, and who acts first on each street from 0, by position."""

    stacks: tuple[Chips, ...]
    blinds: tuple[Chips, ...]
    first_players: tuple[int, ...]

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return len(self.stacks)

    @property
    def button(self) -> int:
        """The position that acts last after the flop."""
        return (self.first_players[1] - 1) % self.players

    @property
    def posts(self) -> tuple[tuple[int, PostKind, Chips], ...]:
        """Position, kind and amount of every blind, the smallest first."""
        order = sorted((blind, (at - self.button - 1) % self.players, at) for at, blind in enumerate(self.blinds))
        paid = [(at, blind) for blind, _, at in order if blind]
        kinds = [PostKind.SMALL_BLIND, PostKind.BIG_BLIND] if len(paid) > 1 else [PostKind.BIG_BLIND]
        kinds += [PostKind.STRADDLE] * (len(paid) - len(kinds))
        return tuple((at, kind, blind) for (at, blind), kind in zip(paid, kinds, strict=True))


class GameError(ValueError):
    """Why a definition is none, or none of ours, in a sentence."""


_NEEDED: Final = {
    "numRounds": "4",
    "numSuits": "4",
    "numRanks": "13",
    "numHoleCards": "2",
    "numBoardCards": "0 3 1 1",
}
_KNOWN: Final = {*_NEEDED, "numPlayers", "stack", "blind", "firstPlayer", "raiseSize", "maxRaises"}


def parse_game(text: str) -> GameDefinition:
    """Read the text of a game's definition; a `ValueError` says in one sentence what is wrong with it.

    Examples
    --------
    >>> game = parse_game('''GAMEDEF
    ... nolimit
    ... numPlayers = 2
    ... numRounds = 4
    ... stack = 20000 20000
    ... blind = 100 50
    ... firstPlayer = 2 1 1 1
    ... numSuits = 4
    ... numRanks = 13
    ... numHoleCards = 2
    ... numBoardCards = 0 3 1 1
    ... END GAMEDEF''')
    >>> game.button, game.posts
    (1, ((1, <PostKind.SMALL_BLIND: 'small blind'>, 50), (0, <PostKind.BIG_BLIND: 'big blind'>, 100)))
    """
    rows = [row.strip() for row in text.splitlines()]
    rows = [row for row in rows if row and not row.startswith("#")]
    if len(rows) < 2 or rows[0].upper() != "GAMEDEF" or rows[-1].upper() != "END GAMEDEF":
        raise GameError("It does not stand between GAMEDEF and END GAMEDEF.")
    fields: dict[str, str] = {}
    kinds: list[str] = []
    names = {name.lower(): name for name in _KNOWN}
    for row in rows[1:-1]:
        name, sign, value = (part.strip() for part in row.partition("="))
        if not sign:
            kinds.append(name.lower())
        elif name.lower() not in names or names[name.lower()] in fields:
            raise GameError(f"'{name}' stands there twice or is no field of a game.")
        else:
            fields[names[name.lower()]] = " ".join(value.split())
    if kinds != ["nolimit"]:
        what = "limit hold'em" if kinds == ["limit"] else f"'{' '.join(kinds)}'"
        raise GameError(f"It is {what}, and our agents play no limit.")
    for name, needed in _NEEDED.items():
        if fields.get(name) != needed:
            raise GameError(f"{name} is {fields.get(name, 'missing')}, and in hold'em it is {needed}.")
    return _game_of(fields)


def _game_of(fields: dict[str, str]) -> GameDefinition:
    (players,) = _numbers(fields, "numPlayers", 1)
    if not MIN_SEATS <= players <= MAX_SEATS:
        raise GameError(f"It has {players} players, not {MIN_SEATS} to {MAX_SEATS}.")
    if fields.get("maxRaises", "0").strip("0 "):
        raise GameError(f"It limits the raises (maxRaises = {fields['maxRaises']}), which no-limit games do not.")
    stacks, blinds = _numbers(fields, "stack", players), _numbers(fields, "blind", players)
    first = [number - 1 for number in _numbers(fields, "firstPlayer", 4)]
    if not all(0 <= at < players for at in first) or len(set(first[1:])) > 1:
        raise GameError(f"firstPlayer is {fields['firstPlayer']}: players 1 to {players}, one after the flop.")
    if max(blinds) < 1 or any(blind > stack or stack < 1 for blind, stack in zip(blinds, stacks, strict=True)):
        raise GameError(f"Its blinds ({fields['blind']}) cannot be played with stacks of {fields['stack']}.")
    return GameDefinition(stacks, blinds, tuple(first))


def _numbers(fields: dict[str, str], name: str, count: int) -> tuple[int, ...]:
    words = fields.get(name, "").split()
    if len(words) != count or not all(word.isdecimal() and len(word) < 13 for word in words):
        raise GameError(f"{name} is '{fields.get(name, '')}', not {count} whole numbers.")
    return tuple(map(int, words))


Streets = tuple[tuple[tuple[ActionKind, Chips], ...], ...]
"""FOLD, CALL or RAISE with the hand total of a raise, street by street; a check is a CALL."""


class MatchState(Struct, frozen=True):
    """A hand as the dealer sends it, numbered from 0; our position, and everything else by position or street.

    `board` holds the new cards of each street from the flop on.
    """

    position: int
    hand: int
    streets: Streets
    hole_cards: tuple[HoleCards | None, ...]
    board: tuple[tuple[Card, ...], ...]


class BadMessage(Struct, frozen=True):
    """A line that is none of the protocol, with the reason in a sentence."""

    text: str
    reason: str


def parse_state(text: str, players: int) -> MatchState | BadMessage:
    """Read a line of the dealer.

    Examples
    --------
    >>> parse_state("MATCHSTATE:1:0:cr300:|2hAc", 2).streets
    (((<ActionKind.CALL: 'call'>, 0), (<ActionKind.RAISE: 'raise'>, 300)),)
    """
    fields = _STATE.fullmatch(text)
    if fields is None:
        return BadMessage(text, "It is no MATCHSTATE of four fields.")
    position, hand, betting, cards = int(fields[1]), int(fields[2]), fields[3], fields[4]
    if position >= players:
        return BadMessage(text, f"There is no position {position} among {players} players.")
    streets = streets_of(betting)
    if streets is None:
        return BadMessage(text, f"'{betting}' is no betting.")
    actions = sum(map(len, streets))
    if actions > _MOST_ACTIONS:
        return BadMessage(text, f"{actions:,} actions are more than the {_MOST_ACTIONS:,} of a hand.")
    holes, *board = cards.split("/")
    try:
        pairs = tuple(_pair(hole) for hole in holes.split("|"))
        new = tuple(_cards(street) for street in board)
    except KeyError as error:
        return BadMessage(text, f"{error} is no card.")
    known = [card for pair in pairs if pair for card in pair] + [card for street in new for card in street]
    if len(pairs) != players:
        return BadMessage(text, f"'{holes}' are no hole cards of {players} players.")
    if tuple(map(len, new)) != _BOARD_SIZES[: len(streets) - 1]:
        return BadMessage(text, f"'{'/'.join(board)}' is no board of street {len(streets)}.")
    if len(set(known)) < len(known):
        return BadMessage(text, "A card stands there twice.")
    if pairs[position] is None:
        return BadMessage(text, "Our own hole cards are missing.")
    return MatchState(position, hand, streets, pairs, new)


def streets_of(betting: str) -> Streets | None:
    """Return the actions of each street of no-limit betting, None if it is none.

    >>> streets_of("cr300f")
    (((<ActionKind.CALL: 'call'>, 0), (<ActionKind.RAISE: 'raise'>, 300), (<ActionKind.FOLD: 'fold'>, 0)),)
    """
    if _BETTING.fullmatch(betting) is None:
        return None
    return tuple(
        tuple(_action(token[0], token[1]) for token in _TOKEN.finditer(street)) for street in betting.split("/")
    )


def _action(token: str, total: str | None) -> tuple[ActionKind, Chips]:
    if total is not None:
        return ActionKind.RAISE, int(total)
    return (ActionKind.FOLD if token == "f" else ActionKind.CALL), 0


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(CARD_OF[text[at : at + 2]] for at in range(0, len(text), 2))


def _pair(text: str) -> HoleCards | None:
    if not text:
        return None
    if len(text) != 4:
        raise KeyError(text)
    first, second = _cards(text)
    return first, second


class Turn(Struct, frozen=True):
    """Whose turn it is by the dealer's rules; `position` is None where the hand is over."""

    position: int | None
    to_call: Chips


def turn_of(game: GameDefinition, streets: Sequence[Sequence[tuple[ActionKind, Chips]]]) -> Turn:
    """Follow the betting as the dealer does, which asks everybody who has chips and has not answered.

    Examples
    --------
    >>> game = GameDefinition((1000, 1000), (100, 50), (1, 0, 0, 0))
    >>> turn_of(game, [[(ActionKind.CALL, 0)]])
    Turn(position=0, to_call=0)
    """
    turn = Turn(None, 0)
    for turn in turns_of(game, streets):  # noqa: B007, the last one counts
        pass
    return turn


def said_turn(text: str, game: GameDefinition) -> tuple[int, Turn] | None:
    """Return whose line it is and whose turn by its betting, whatever its cards are; None if it has no betting."""
    fields = _STATE.fullmatch(text)
    streets = streets_of(fields[3]) if fields is not None else None
    return None if fields is None or streets is None else (int(fields[1]), turn_of(game, streets))


def turns_of(game: GameDefinition, streets: Sequence[Sequence[tuple[ActionKind, Chips]]]) -> Iterator[Turn]:
    """Yield whose turn it is before each action, and after the last, unless an earlier street is not over."""
    table = _Betting(game)
    for number, street in enumerate(streets):
        table.begin_street(game.first_players[number])
        for kind, total in street:
            turn = table.turn()
            yield turn
            if turn.position is None:
                return
            table.act(turn.position, kind, total)
        turn = table.turn()
        if turn.position is not None or table.is_over or number + 1 == len(streets):
            yield turn
            return


class _Betting:
    """Chips by position, and who has answered on the street."""

    def __init__(self, game: GameDefinition) -> None:
        self._game = game
        self._spent = list(game.blinds)
        self._highest = max(game.blinds)
        self._folded: set[int] = set()
        self._able = sum(spent < stack for spent, stack in zip(game.blinds, game.stacks, strict=True))
        self._acting = self._answered = 0

    @property
    def is_over(self) -> bool:
        """Whether nobody will be asked any more."""
        return len(self._folded) + 1 >= self._game.players or (self._answered >= self._able and self._able < 2)

    def begin_street(self, first: int) -> None:
        self._acting, self._answered = first, 0

    def turn(self) -> Turn:
        """Return who is to act on this street."""
        if self.is_over or self._answered >= self._able:
            return Turn(None, 0)
        game = self._game
        for step in range(game.players):
            at = (self._acting + step) % game.players
            if at not in self._folded and self._spent[at] < game.stacks[at]:
                return Turn(at, self._highest - self._spent[at])
        return Turn(None, 0)

    def act(self, position: int, kind: ActionKind, total: Chips) -> None:
        stack = self._game.stacks[position]
        if kind is ActionKind.FOLD:
            self._folded.add(position)
            self._able -= 1
        else:
            is_raise = kind is ActionKind.RAISE
            self._spent[position] = min(total if is_raise else self._highest, stack)
            self._highest = max(self._spent) if is_raise else self._highest
            is_able = self._spent[position] < stack
            self._able -= not is_able
            self._answered = (0 if is_raise else self._answered) + is_able
        self._acting = (position + 1) % self._game.players
