"""Tables of the Texas Hold'em AI Game (TrendMicro 2017): WebSocket and JSON; docs/join.md describes the server.

- `raise` means to twice the street's highest bet, `bet` adds an amount, whoever has bet before.
- Blinds double with every lap, so no hand says how many are left: what folding them costs is more than anybody has,
  and the game is over long before its 100 hands.
- A player without chips is reloaded, up to two times, before the message of the hand's end.

Source: The contest's rules (V1.0.7, 2017), its clients' interface, transcripts of its server, and the published
source of that (github.com/strawmanbobi/texas-poker-engine).
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from hashlib import md5
from time import monotonic, sleep
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from engine.foreign_text import shortened
from engine.game.events import Action, ActionKind, Chips, GameKind, HandStarted, PostKind, Seat, SeatStart
from engine.game.rules import Phase
from engine.join.aigame_messages import (
    Acted,
    BadMessage,
    Dealt,
    GameOver,
    HandOver,
    Ignored,
    NewHand,
    Question,
    ReloadOffer,
    Seated,
    TableState,
    parse_message,
)
from engine.join.awards import awards_of_aigame
from engine.join.client import Player
from engine.join.corrected_hand import Disagreement, FollowError, ForcedPost, HouseRules
from engine.join.followed_hand import FollowedHand
from engine.join.registration import SHOWN_TEXT, JoinError, JoinOptions, register_aigame

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

BUDGET_SECONDS: Final = 5.0
"""What the server waits for an answer."""

_MOST_RAISES: Final = 4
_RULES: Final = HouseRules(takes_any_bet=True, awards=awards_of_aigame, max_raises=_MOST_RAISES)
_USUAL_RELOAD: Final = 1000
_USUAL_MOST_RELOADS: Final = 2
_MOST_MISSED: Final = 200
"""Actions that can be made up for; no street has more."""
_MOST_LOST: Final = 20
"""Connections that may break in one match."""
_MOST_SILENT: Final = 3
"""Connections in a row that may break before anything arrived."""
_FIRST_PAUSE_SECONDS: Final = 0.05

_KINDS: Final = {
    "fold": ActionKind.FOLD,
    "check": ActionKind.CHECK,
    "call": ActionKind.CALL,
    "bet": ActionKind.RAISE,
    "raise": ActionKind.RAISE,
}
"""What the server's words mean; an `allin` may be a call or a raise."""

_log = logging.getLogger(__name__)


def name_at_table(name: str) -> str:
    """Return what the server calls a player.

    Examples
    --------
    >>> name_at_table("soulread")
    'f0a56c28ce4de15740cb70fbfd1f7464'
    """
    return md5(name.encode(), usedforsecurity=False).hexdigest()


# The match, message by message


class Follower:
    """The match: each hand's `FollowedHand`, and chips and players compared from one hand to the next.

    A seat is a player's place among all who sat down, and stays; who is out of the game is not dealt in. `hand` is
    None between hands and while we are not dealt in; `disagreements` are those between hands.
    """

    def __init__(self, name: str) -> None:
        self._own_names = (name_at_table(name), name)
        self.hand: FollowedHand | None = None
        self.disagreements: list[Disagreement] = []
        self._seats: dict[str, Seat] = {}
        self._reloads: dict[str, int] = {}
        self._reload_chips = _USUAL_RELOAD
        self._most_reloads = _USUAL_MOST_RELOADS
        self._big_blind = 0
        self._after: tuple[int | None, dict[str, Seated]] = (None, {})
        self._has_missed = False
        self._latest: tuple[object, object] = (None, None)
        """The message with which the latest hand began, and the latest one."""

    @property
    def has_missed(self) -> bool:
        """Whether messages may be missing since the last one that was followed."""
        return self._has_missed

    def miss(self) -> None:
        """Note that messages are missing: the next one may report several actions at once."""
        self._has_missed = True

    def is_own(self, name: str) -> bool:
        """Whether this is what the server calls us."""
        return name in self._own_names

    def follow(self, message: NewHand | Question | Acted | Dealt | HandOver) -> FollowedHand | None:
        """Go on to what a message says; return the hand that it ends.

        `FollowError` if it cannot be followed: the hand then begins again with the next message.
        """
        try:
            return self._follow(message)
        except Exception:
            self.hand = None
            self.miss()
            raise

    def wants_reload(self, offer: ReloadOffer) -> bool:
        """Whether to reload: with less than a big blind, as long as reloads are left.

        The server reloads an empty stack by itself, and unused reloads count in the end.
        """
        me = next((player for player in offer.players if self.is_own(player.name)), None)
        return me is not None and me.chips < self._big_blind and me.reloads < self._most_reloads

    def _follow(self, message: NewHand | Question | Acted | Dealt | HandOver) -> FollowedHand | None:
        state = message.state
        if message in self._latest and not isinstance(message, Question):
            return None  # sent again, such as after we have joined again
        self._latest = (message if isinstance(message, NewHand) else self._latest[0], message)
        if isinstance(message, NewHand):
            self._leave_other(state)
            self._check_between(state)
            self.hand = self._begin(state, is_fresh=True)
            self._has_missed = False
        elif isinstance(message, HandOver):
            return self._end(state)
        else:
            hand = self._running(state)
            if hand is not None:
                self._go_on(hand, message)
                self._has_missed = False
        return None

    # Hands

    def _begin(self, state: TableState, *, is_fresh: bool) -> FollowedHand | None:
        """Begin a hand, with what everybody has posted, or in its midst; None if we are not dealt in."""
        self._reload_chips = state.reload_chips or self._reload_chips
        self._most_reloads = self._most_reloads if state.most_reloads is None else state.most_reloads
        self._big_blind = state.big_blind.amount
        self._reloads = {player.name: player.reloads for player in state.players}
        seats = {seat: player for seat, player in enumerate(state.players) if player.is_surviving and player.total}
        own_seat = next((seat for seat, player in seats.items() if self.is_own(player.name)), None)
        if own_seat is None:
            return None
        self._seats = {player.name: seat for seat, player in seats.items()}
        posts = [
            ForcedPost(seat, kind, amount if not is_fresh else seats[seat].bet)
            for seat, kind, amount in _blinds(state, seats)
        ]
        if is_fresh:
            blinds = [post.seat for post in posts]
            posts += [
                ForcedPost(seat, PostKind.STRADDLE, player.bet)
                for seat, player in seats.items()
                if player.bet and seat not in blinds
            ]
        most = max((post.amount for post in posts), default=0)
        started = HandStarted(
            hand_number=state.hand_number or 0,
            kind=GameKind.TOURNAMENT,
            seats=tuple(
                SeatStart(seat, player.name, player.total, self._reserve(player)) for seat, player in seats.items()
            ),
            button=_button(state, seats),
            small_blind=min(state.small_blind.amount, state.big_blind.amount),
            big_blind=state.big_blind.amount,
            ante=0,
        )
        hand = FollowedHand(
            started,
            own_seat,
            hole_cards=seats[own_seat].hole_cards,
            posts=posts,
            price_to_call=most if 0 < most < state.big_blind.amount else None,
            house=_RULES,
        )
        if is_fresh:
            for seat, kind, amount in _blinds(state, seats):
                if seats[seat].bet != amount:
                    self._disagree(f"{kind} of {seats[seat].name}", amount, seats[seat].bet)
            self._check(hand, state)
        return hand

    def _running(self, state: TableState) -> FollowedHand | None:
        """Return the hand of this message, begun again if it is not the one that was followed."""
        self._leave_other(state)
        if self.hand is None:
            self.hand = self._begin(state, is_fresh=False)
            self.miss()
        return self.hand

    def _leave_other(self, state: TableState) -> None:
        """Leave a hand that is not the one of this message."""
        if self.hand is not None and state.hand_number not in (None, self.hand.hand_number):
            _log.warning("The end of hand %d was not told.", self.hand.hand_number)
            self.hand = None

    def _players(self, state: TableState) -> dict[Seat, Seated]:
        """Return the players dealt in, by seat, without those whom the message leaves out."""
        return {self._seats[player.name]: player for player in state.players if player.name in self._seats}

    def _go_on(self, hand: FollowedHand, message: Question | Acted | Dealt) -> None:
        state = message.state
        turn = None
        if isinstance(message, Acted):
            turn = self._seats.get(message.name)
            if turn is None:
                raise FollowError(f"{message.name} acts without being dealt in.")
        elif isinstance(message, Question):
            turn = hand.own_seat
            if message.me.hole_cards is not None:
                hand.hold(message.me.hole_cards)
        if self._has_missed:
            self._make_up(hand, state, turn)
        hand.deal_up_to(state.board)
        if isinstance(message, Acted) and turn is not None:
            kind = _KINDS.get(message.word.lower())
            total = None if kind is ActionKind.FOLD else self._players(state)[turn].bet
            hand.act(turn, kind, street_total=total)
        self._check(hand, state)

    def _end(self, state: TableState) -> FollowedHand | None:
        self._leave_other(state)
        hand, self.hand = self.hand, None
        self._after = (state.hand_number, {player.name: player for player in state.players})
        if hand is None:
            return None
        players = self._players(state)
        if self._has_missed:
            self._make_up(hand, state, None, is_over=True)
        if hand.phase is not Phase.FOLDED_OUT:
            hand.deal_up_to(state.board)
        for seat in sorted(players, key=lambda seat: seat in hand.folded):
            cards = players[seat].hole_cards
            if cards is not None:
                hand.show(seat, cards)
        for seat, player in players.items():
            if player.won:
                hand.award(seat, player.won)
        hand.end({seat: player.chips - self._reloaded(player) for seat, player in players.items()})
        self._has_missed = False
        return hand

    def _make_up(self, hand: FollowedHand, state: TableState, turn: Seat | None, *, is_over: bool = False) -> None:
        """Take missing actions and cards, found from chips put in, up to this seat's turn or a new street."""
        missed = 0
        for _ in range(_MOST_MISSED):
            is_street, seat = len(hand.board) >= len(state.board), hand.to_act
            if seat is None and not is_street and hand.phase in (Phase.STREET_OVER, Phase.RUN_OUT):
                hand.deal(state.board[len(hand.board) : max(len(hand.board) + 1, 3)])
                continue
            player = None if seat is None else self._players(state).get(seat)
            if seat is None or player is None or (is_street and not is_over and turn in (seat, None)):
                break
            # A fold where a check was free is taken to have come as late as it can.
            is_last = is_street or (turn is None and max(len(hand.board) + 1, 3) == len(state.board))
            put_in = player.earlier_bets + (player.bet if is_street else 0)
            total = hand.bets[seat] if is_over else put_in - hand.committed[seat] + hand.bets[seat]
            if total > hand.bets[seat]:
                hand.act(seat, street_total=total)
            elif player.is_folded and (is_last or is_over or hand.bets[seat] < max(hand.bets.values())):
                hand.act(seat, ActionKind.FOLD)
            elif is_over or hand.bets[seat] == max(hand.bets.values()):
                hand.act(seat, ActionKind.CALL)
            else:
                break
            missed += 1
        if missed:
            _log.warning("Hand %d: %d actions were not told and are made up for.", hand.hand_number, missed)

    # Figures

    def _check(self, hand: FollowedHand, state: TableState) -> None:
        for seat, player in self._players(state).items():
            hand.check(
                seat,
                stack=player.chips,
                bet=player.bet,
                committed=player.bet + player.earlier_bets,
                is_folded=player.is_folded,
            )
            if not player.is_surviving:
                self._disagree(f"whether {player.name} is in the game", True, False)
        hand.check(pot=state.pot)

    def _check_between(self, state: TableState) -> None:
        """Compare chips and players of a new hand with those after the hand before."""
        number, before = self._after
        self._after = (None, {})
        if number is None or state.hand_number != number + 1:
            return
        for player in state.players:
            old = before.get(player.name)
            if old is None:
                self._disagree("who plays", "as before", f"{player.name} too")
                continue
            chips = old.chips + (player.reloads - old.reloads) * self._reload_chips
            if player.total != chips:
                self._disagree(f"stack of {player.name} before hand {number + 1}", chips, player.total)
            if player.is_surviving != (chips > 0):
                self._disagree(f"whether {player.name} is in the game", chips > 0, player.is_surviving)

    def _reserve(self, player: Seated) -> Chips:
        """Return the chips that a player can still be given; they count in the end as those in front do."""
        return max(self._most_reloads - player.reloads, 0) * self._reload_chips

    def _reloaded(self, player: Seated) -> Chips:
        """Return the chips that reloads have brought since the hand began."""
        return max(player.reloads - self._reloads.get(player.name, player.reloads), 0) * self._reload_chips

    def _disagree(self, what: str, ours: object, theirs: object) -> None:
        self.disagreements.append(Disagreement(what, str(ours), str(theirs)))
        _log.warning("%s: %s by our count, %s by the server's.", what, ours, theirs)


def _blinds(state: TableState, seats: dict[Seat, Seated]) -> Iterator[tuple[Seat, PostKind, Chips]]:
    """Return who has to post what: a blind, or all that is left."""
    for kind, blind in (
        (PostKind.SMALL_BLIND, state.small_blind),
        (PostKind.BIG_BLIND, state.big_blind),
    ):
        for seat, player in seats.items():
            if player.name == blind.name:
                yield seat, kind, min(blind.amount, player.total)


def _button(state: TableState, seats: dict[Seat, Seated]) -> Seat:
    """Return the seat before the small blind's, which acts last after the flop."""
    small = next(seat for seat, player in enumerate(state.players) if player.name == state.small_blind.name)
    count = len(state.players)
    return next(seat for step in range(1, count + 1) if (seat := (small - step) % count) in seats)


# Answers


class Reply(Struct, frozen=True):
    """What goes out: one of the server's words, and chips to add for a bet."""

    action: str
    amount: Chips | None = None

    @property
    def text(self) -> str:
        """The message."""
        data = {"action": self.action} | ({} if self.amount is None else {"amount": self.amount})
        return _message("__action", data)


def _message(event: str, data: object = None) -> str:
    return msgspec.json.encode({"eventName": event} | ({} if data is None else {"data": data})).decode()


def reply_for(hand: FollowedHand, action: Action, *, can_bet_more: bool = True) -> Reply:
    """Put an action into the server's words.

    Unless `can_bet_more`, no `bet` raises a bet: the nearer of twice the highest bet and all-in does.
    """
    if action.kind is not ActionKind.RAISE:
        return Reply(action.kind.value)
    bet, stack = hand.bets[hand.own_seat], hand.stacks[hand.own_seat]
    highest, total = max(hand.bets.values()), action.raise_to
    if total >= bet + stack:
        return Reply("allin")
    if highest and total == 2 * highest:
        return Reply("raise")
    if not highest or can_bet_more:
        return Reply("bet", total - bet)
    is_nearer = abs(total - 2 * highest) <= bet + stack - total
    return Reply("raise" if is_nearer and 2 * highest < bet + stack else "allin")


class Match:
    """The answer to each message, whatever comes; `name` is ours, as we joined."""

    def __init__(self, name: str, player: Player) -> None:
        self.follower = Follower(name)
        self.is_over = False
        self._player = player
        self._meant: tuple[Reply, Chips] | None = None
        self._can_bet_more = True

    def take(self, text: str, received: float) -> str | None:
        """Return the answer to a message, received at this time of `time.monotonic`.

        What makes no sense is logged and left out; a question is answered in any case.
        """
        message = parse_message(text)
        match message:
            case BadMessage():
                return self._take_bad(message)
            case Ignored():
                if not message.is_known:
                    _log.info("An event '%s' is left out.", message.event)
            case ReloadOffer():
                return _message("__reload") if self.follower.wants_reload(message) else None
            case GameOver():
                self.is_over = True
                self._tell_result(message)
            case _:
                return self._follow(message, received)
        return None

    def _follow(
        self, message: NewHand | Question | Acted | Dealt | HandOver, received: float, *, is_again: bool = False
    ) -> str | None:
        try:
            finished = self.follower.follow(message)
            if finished is not None:
                self._player.finish(finished)
            if isinstance(message, Acted) and self.follower.is_own(message.name):
                self._compare(message)
            if isinstance(message, Question):
                return self._answer(message, received)
        except FollowError as error:
            _log.warning("A message cannot be followed: %s", error)
        except Exception:  # whatever a message does to us, the game goes on
            _log.exception("A message cannot be followed")
        else:
            return None
        if not isinstance(message, Question):
            return None
        # The hand begins with what the question says.
        return _safest(message).text if is_again else self._follow(message, received, is_again=True)

    def _answer(self, question: Question, received: float) -> str:
        hand = self.follower.hand
        if hand is None:
            return _safest(question).text
        hand.ask(hand.own_seat)
        action = self._player.decide(hand, received)
        reply = reply_for(hand, action, can_bet_more=self._can_bet_more)
        self._meant = (reply, hand.bets[hand.own_seat] + (reply.amount or 0))
        return reply.text

    def _compare(self, message: Acted) -> None:
        """See what the server made of our answer."""
        meant, self._meant = self._meant, None
        if meant is None:
            return
        reply, total = meant
        now = next(player for player in message.state.players if player.name == message.name)
        if reply.action == "bet" and now.bet != total:
            _log.warning("We bet %d in all on this street, and the server makes it %d.", total, now.bet)
            if message.word != "bet":
                self._can_bet_more = False

    def _take_bad(self, message: BadMessage) -> str | None:
        _log.warning("'%s' was not understood: %s", message.text, message.reason)
        if not message.is_question:
            self.follower.miss()
            return None
        hand = self.follower.hand
        is_free = message.is_opening or (
            hand is not None
            and not self.follower.has_missed
            and hand.bets[hand.own_seat] == max(hand.bets.values())
        )
        return Reply("check" if is_free else "fold").text

    def _tell_result(self, message: GameOver) -> None:
        for player in message.players:
            if self.follower.is_own(player.name):
                place = 1 + sum(other.chips > player.chips for other in message.players)
                self._player.tell(
                    f"The game is over: {player.chips:,} chips, place {place} of {len(message.players)}"
                )


def _safest(question: Question) -> Reply:
    """Return a check where it is free, otherwise a fold, by what the question says."""
    most = max(player.bet for player in question.state.players)
    return Reply("check" if question.me.bet >= most else "fold")


# The connection


@contextmanager
def seat(url: str, name: str, options: JoinOptions) -> "Iterator[Callable[[ClientConnection, float], None]]":
    """Yield what plays a match over the first connection, joining again if it is lost.

    That raises `JoinError` if the match breaks off for good.
    """
    with closing(Player(options, BUDGET_SECONDS)) as player:
        player.start()
        match = Match(name, player)

        def play(first: "ClientConnection", registered: float) -> None:
            connection, silent = first, 0
            for lost in range(1, _MOST_LOST + 1):
                with closing(connection):
                    has_heard, why = _play(connection, match, registered)
                if match.is_over:
                    return
                silent = 0 if has_heard else silent + 1
                if silent == _MOST_SILENT:
                    why = shortened(why, SHOWN_TEXT)
                    raise JoinError(f"The server at {url} does not let {name} play: {why}.")
                _log.warning("The connection is lost (%s); joining again.", why)
                match.follower.miss()
                if lost < _MOST_LOST:
                    sleep(_FIRST_PAUSE_SECONDS * 2**silent)
                    connection = register_aigame(url, name, options.wait_seconds, lambda: None)
                    registered = monotonic()
            raise JoinError(f"The connection to {url} was lost {_MOST_LOST} times.")

        yield play


def _play(connection: "ClientConnection", match: Match, registered: float) -> tuple[bool, str]:
    """Play to the end of the game or connection; return whether anything was heard, and why it ended."""
    from websockets.exceptions import ConnectionClosed

    has_heard, is_waiting = False, True
    try:
        while not match.is_over:
            try:
                text = connection.recv(timeout=0 if is_waiting else None)
            except TimeoutError:
                is_waiting = False
                continue
            received = registered if is_waiting else monotonic()
            is_waiting = False
            has_heard = True
            whole = text if isinstance(text, str) else text.decode("utf-8", "replace")
            reply = match.take(whole, received)
            if reply is not None:
                with suppress(ConnectionClosed):  # what has arrived before is still to be read
                    connection.send(reply)
    except ConnectionClosed as error:
        return has_heard, str(error)
    return has_heard, ""
