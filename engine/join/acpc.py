"""Tables of the Annual Computer Poker Competition (ACPC), protocol 2.0.0; docs/join.md describes the match.

The dealer sends every seat `MATCHSTATE:position:hand:betting:cards` after each action; who is to act answers with
that line and `:f`, `:c` (a call or a check) or `:rTOTAL`, a total of the whole hand. What it says at the match's
end begins with `STATE:` or `SCORE:`.

Source: The ACPC protocol specification 2.0.0 (2009) and the definition files of the dealer's own games.
"""

import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from engine.agents.styles import seats_problem
from engine.foreign_text import shortened
from engine.game.events import Action, ActionKind, GameKind, HandStarted, PostKind, Seat, SeatStart
from engine.game.rules import Phase
from engine.join.acpc_states import (
    BadMessage,
    GameDefinition,
    GameError,
    MatchState,
    Turn,
    parse_game,
    parse_state,
    said_turn,
    turn_of,
    turns_of,
)
from engine.join.client import Player, lines, send
from engine.join.corrected_hand import FollowError, ForcedPost
from engine.join.followed_hand import FollowedHand
from engine.join.registration import JoinError, JoinOptions

BUDGET_SECONDS: Final = 2.0
"""The dealer allows 7 s per hand on average and ten minutes for a single answer unless it is started otherwise."""

_NO_STATES: Final = ("#", ";", "STATE:", "SCORE:")
_OURS: Final = "soulread"

_log = logging.getLogger(__name__)


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
    except GameError as error:
        raise JoinError(f"The file {path} cannot be played: {error}") from error


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
        turns = turns_of(self._game, state.streets)
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
    said = said_turn(text, game)
    if said is None or said[1].position != said[0]:
        return None
    return f"{text}:{'f' if said[1].to_call else 'c'}\r\n"
