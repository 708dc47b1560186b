"""Tables of the Annual Computer Poker Competition (ACPC), protocol 2.0.0; docs/join.md describes the match.

The dealer sends every seat `MATCHSTATE:position:hand:betting:cards` after each action; who is to act answers with
that line and `:f`, `:c` (a call or a check) or `:rTOTAL`, a total of the whole hand. What it says at the match's
end begins with `STATE:` or `SCORE:`.

Source: The ACPC protocol specification 2.0.0 (2009) and the definition files of the dealer's own games.
"""

import logging
import re
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

from engine.agents.styles import seats_problem
from engine.cards import CARD_COUNT, Card, HoleCards, format_card
from engine.foreign_text import shortened
from engine.game.events import Action, ActionKind, Chips, GameKind, HandStarted, PostKind, Seat, SeatStart
from engine.game.rules import MAX_SEATS, MIN_SEATS, Phase
from engine.join.client import Player, lines, send
from engine.join.corrected_hand import FollowError, ForcedPost
from engine.join.followed_hand import FollowedHand
from engine.join.registration import JoinError, JoinOptions

BUDGET_SECONDS: Final = 2.0
"""The dealer allows 7 s per hand on average and ten minutes for a single answer unless it is started otherwise."""

_STATE: Final = re.compile(r"MATCHSTATE:(\d{1,2}):(\d{1,9}):([^:]*):([^:]*)")
_TOKEN: Final = re.compile(r"f|c|r(\d{1,15})")
_BETTING: Final = re.compile(r"(?:(?:f|c|r\d{1,15})*)(?:/(?:f|c|r\d{1,15})*){0,3}")
_CARDS: Final = {format_card(Card(card)): Card(card) for card in range(CARD_COUNT)}
_BOARD_SIZES: Final = (3, 1, 1)
_MOST_ACTIONS: Final = 1024
"""Of a hand that is followed; the dealer itself plays on for at most 64 on a street."""
_NO_STATES: Final = ("#", ";", "STATE:", "SCORE:")
_OURS: Final = "soulread"

_log = logging.getLogger(__name__)


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


def read_game(path: Path) -> GameDefinition:
    """Read a game's definition file; `JoinError` if it is none of no-limit hold'em."""
    try:
        text = path.read_text(encoding="ascii")
    except UnicodeDecodeError:
        raise JoinError(f"The file {path} is no game definition: it is no plain text.") from None
    except OSError as error:
        raise JoinError(f"The file {path} cannot be read: {error.strerror or error}.") from error
    try:
        return parse_game(text)
    except _GameError as error:
        raise JoinError(f"The file {path} cannot be played: {error}") from error


class _GameError(ValueError):
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
        raise _GameError("It does not stand between GAMEDEF and END GAMEDEF.")
    fields: dict[str, str] = {}
    kinds: list[str] = []
    names = {name.lower(): name for name in _KNOWN}
    for row in rows[1:-1]:
        name, sign, value = (part.strip() for part in row.partition("="))
        if not sign:
            kinds.append(name.lower())
        elif name.lower() not in names or names[name.lower()] in fields:
            raise _GameError(f"'{name}' stands there twice or is no field of a game.")
        else:
            fields[names[name.lower()]] = " ".join(value.split())
    if kinds != ["nolimit"]:
        what = "limit hold'em" if kinds == ["limit"] else f"'{' '.join(kinds)}'"
        raise _GameError(f"It is {what}, and our agents play no limit.")
    for name, needed in _NEEDED.items():
        if fields.get(name) != needed:
            raise _GameError(f"{name} is {fields.get(name, 'missing')}, and in hold'em it is {needed}.")
    return _game_of(fields)


def _game_of(fields: dict[str, str]) -> GameDefinition:
    (players,) = _numbers(fields, "numPlayers", 1)
    if not MIN_SEATS <= players <= MAX_SEATS:
        raise _GameError(f"It has {players} players, not {MIN_SEATS} to {MAX_SEATS}.")
    if fields.get("maxRaises", "0").strip("0 "):
        raise _GameError(f"It limits the raises (maxRaises = {fields['maxRaises']}), which no-limit games do not.")
    stacks, blinds = _numbers(fields, "stack", players), _numbers(fields, "blind", players)
    first = [number - 1 for number in _numbers(fields, "firstPlayer", 4)]
    if not all(0 <= at < players for at in first) or len(set(first[1:])) > 1:
        raise _GameError(f"firstPlayer is {fields['firstPlayer']}: players 1 to {players}, one after the flop.")
    if max(blinds) < 1 or any(blind > stack or stack < 1 for blind, stack in zip(blinds, stacks, strict=True)):
        raise _GameError(f"Its blinds ({fields['blind']}) cannot be played with stacks of {fields['stack']}.")
    return GameDefinition(stacks, blinds, tuple(first))


def _numbers(fields: dict[str, str], name: str, count: int) -> tuple[int, ...]:
    words = fields.get(name, "").split()
    if len(words) != count or not all(word.isdecimal() and len(word) < 13 for word in words):
        raise _GameError(f"{name} is '{fields.get(name, '')}', not {count} whole numbers.")
    return tuple(map(int, words))


class MatchState(Struct, frozen=True):
    """A hand as the dealer sends it, numbered from 0; our position, and everything else by position or street.

    `streets` holds (FOLD, CALL or RAISE, hand total of a raise), a check being a CALL; `board` the new cards of
    each street from the flop on.
    """

    position: int
    hand: int
    streets: tuple[tuple[tuple[ActionKind, Chips], ...], ...]
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
    if _BETTING.fullmatch(betting) is None:
        return BadMessage(text, f"'{betting}' is no betting.")
    streets = _streets(betting)
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


def _streets(betting: str) -> tuple[tuple[tuple[ActionKind, Chips], ...], ...]:
    return tuple(
        tuple(_action(token[0], token[1]) for token in _TOKEN.finditer(street)) for street in betting.split("/")
    )


def _action(token: str, total: str | None) -> tuple[ActionKind, Chips]:
    if total is not None:
        return ActionKind.RAISE, int(total)
    return (ActionKind.FOLD if token == "f" else ActionKind.CALL), 0


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(_CARDS[text[at : at + 2]] for at in range(0, len(text), 2))


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
    for turn in _turns_of(game, streets):  # noqa: B007, the last one counts
        pass
    return turn


def _turns_of(game: GameDefinition, streets: Sequence[Sequence[tuple[ActionKind, Chips]]]) -> Iterator[Turn]:
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


class Follower:
    """The match, state by state: the running `hand`, if any, at which player i has seat i all the time."""

    def __init__(self, game: GameDefinition) -> None:
        self._game = game
        self._state: MatchState | None = None
        self.hand: FollowedHand | None = None

    @property
    def is_between_hands(self) -> bool:
        """Whether the latest hand was followed to its end."""
        return self.hand is None and self._state is not None

    def follow(self, state: MatchState) -> Iterator[FollowedHand]:
        """Go on to this state, and yield each hand that ends on the way.

        `FollowError` if it does not follow from the one before; the hand then begins again with the next state.
        """
        if self._state is None or self._state.hand != state.hand or self.hand is None:
            yield from self.finish()
            if self._state is not None and self._state.hand == state.hand:
                return  # the hand is over, and its last state is sent again
            self.hand = self._begin(state)
            self._state = None
        try:
            self._go_on(self.hand, state)
        except FollowError:
            self.hand = self._state = None
            raise
        self._state = state
        if self.hand.phase in (Phase.SHOWDOWN, Phase.FOLDED_OUT):
            yield from self.finish()

    def finish(self) -> Iterator[FollowedHand]:
        """End the running hand, if there is one, and give it."""
        hand, self.hand = self.hand, None
        if hand is not None:
            hand.end()
            yield hand

    def _seat(self, position: int, number: int) -> Seat:
        return (position + number) % self._game.players

    def _begin(self, state: MatchState) -> FollowedHand:
        game, number = self._game, state.hand
        own = self._seat(state.position, number)
        positions = {self._seat(position, number): position for position in range(game.players)}
        posts = [ForcedPost(self._seat(at, number), kind, amount) for at, kind, amount in game.posts]
        blinds = {post.kind: post.amount for post in posts}
        big_blind = blinds[PostKind.BIG_BLIND]
        started = HandStarted(
            hand_number=number,
            kind=GameKind.CASH,
            seats=tuple(
                SeatStart(seat, _OURS if seat == own else f"player {seat + 1}", game.stacks[positions[seat]])
                for seat in sorted(positions)
            ),
            button=self._seat(game.button, number),
            small_blind=blinds.get(PostKind.SMALL_BLIND, big_blind // 2),
            big_blind=big_blind,
            ante=0,
        )
        return FollowedHand(
            started,
            own,
            hole_cards=state.hole_cards[state.position],
            posts=posts,
            first_to_act=self._seat(game.first_players[0], number),
        )

    def _go_on(self, hand: FollowedHand, state: MatchState) -> None:
        """Take what this state has beyond the one before."""
        known = self._state.streets if self._state is not None else ((),)
        flat, before = [len(street) for street in state.streets], [len(street) for street in known]
        if len(flat) < len(before) or any(
            new[: len(old)] != old for new, old in zip(state.streets, known, strict=False)
        ):
            raise FollowError(f"The betting of hand {state.hand} is not what it was.")
        turns = _turns_of(self._game, state.streets)
        for number, street in enumerate(state.streets):
            if number >= len(before):
                self._show(hand, state)
                hand.deal(state.board[number - 1])
            for at, (kind, total) in enumerate(street):
                turn = next(turns, Turn(None, 0)).position
                if number < len(before) and at < before[number]:
                    continue
                if turn is None:
                    raise FollowError(f"The betting of hand {state.hand} goes on after its end.")
                seat = self._seat(turn, state.hand)
                hand.act(seat, kind, hand_total=total if kind is ActionKind.RAISE else None)
        self._show(hand, state)

    def _show(self, hand: FollowedHand, state: MatchState) -> None:
        """Turn up what is shown, once no bet can follow."""
        if (
            hand.phase not in (Phase.RUN_OUT, Phase.SHOWDOWN)
            or sum(pair is not None for pair in state.hole_cards) < 2
        ):
            return
        for position, pair in enumerate(state.hole_cards):
            seat = self._seat(position, state.hand)
            if pair is not None and seat not in hand.folded:
                hand.show(seat, pair)


def answer(state_text: str, hand: FollowedHand, action: Action) -> str:
    """Write an action as the dealer wants it: the state and `:f`, `:c` or `:r` with the total of the whole hand."""
    if action.kind is ActionKind.FOLD:
        return f"{state_text}:f\r\n"
    if action.kind is not ActionKind.RAISE:
        return f"{state_text}:c\r\n"
    earlier = hand.committed[hand.own_seat] - hand.bets[hand.own_seat]
    return f"{state_text}:r{earlier + action.raise_to}\r\n"


@contextmanager
def seat(game_file: Path, options: JoinOptions) -> Iterator[Callable[[socket.socket, float], None]]:
    """Yield what plays a match over a connection; `JoinError` if that cannot be, or the match breaks off."""
    game = read_game(game_file)
    if problem := seats_problem([options.agent], game.players):
        raise JoinError(f"The match of {game_file} cannot be played: {problem}")
    with closing(Player(options, BUDGET_SECONDS)) as player:
        player.start()
        yield lambda connection, registered: _play(connection, game, player, registered)


def _play(connection: socket.socket, game: GameDefinition, player: Player, registered: float) -> None:
    follower = Follower(game)
    has_begun, is_damaged = False, False
    for line in lines(connection, registered):
        text = line.text.strip()
        if not text or text.startswith(_NO_STATES):
            continue
        state = parse_state(text, game.players)
        is_damaged = isinstance(state, BadMessage)
        if isinstance(state, BadMessage):
            _log.warning("'%s' was not understood: %s", text, state.reason)
            reply = _safest(text, game)
        else:
            has_begun = True
            reply = _reply(text, state, follower, game, player, line.received)
        if reply is not None:
            send(connection, reply)
    if follower.hand is not None:
        raise JoinError(f"The dealer closed the connection in the middle of hand {follower.hand.hand_number}.")
    if is_damaged:
        raise JoinError(f"The dealer closed the connection after '{shortened(text)}', which was not understood.")
    if not follower.is_between_hands:
        when = "in a hand that could not be followed" if has_begun else "before the first hand"
        raise JoinError(f"The dealer closed the connection {when}.")


def _reply(
    text: str, state: MatchState, follower: Follower, game: GameDefinition, player: Player, received: float
) -> str | None:
    """Follow a state and give what to answer, None where it is not our turn."""
    try:
        for hand in follower.follow(state):
            player.finish(hand)
    except FollowError as error:
        _log.warning("'%s' cannot be followed: %s", text, error)
        return _safest(text, game)
    if turn_of(game, state.streets).position != state.position or follower.hand is None:
        return None
    follower.hand.ask(follower.hand.own_seat)
    return answer(text, follower.hand, player.decide(follower.hand, received))


def _safest(text: str, game: GameDefinition) -> str | None:
    """Return a check where it is free, otherwise a fold, if it is our turn by the betting alone."""
    fields = _STATE.fullmatch(text)
    if fields is None or _BETTING.fullmatch(fields[3]) is None:
        return None
    turn = turn_of(game, _streets(fields[3]))
    if turn.position != int(fields[1]):
        return None
    return f"{text}:{'f' if turn.to_call else 'c'}\r\n"
