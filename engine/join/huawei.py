"""The server of the Huawei Software Elite Challenge 2015, v1.26, the table of the FOLD paper; see docs/join.md.

Each hand is followed, checked against every row, and questions are answered. It is finished when the next one
begins, whose stacks say what everybody paid last; after the last hand the cards shown and the pot must do.

Source: Huawei Software Elite Challenge 2015, protocol of the server v1.26; its numbers in Li et al. 2017, table 2.
"""

import logging
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Final

from msgspec import Struct, structs

from engine.cards import BOARD_SIZE, Card, HoleCards, Street
from engine.game.events import Action, ActionKind, Chips, GameKind, HandStarted, PostKind, Seat, SeatStart
from engine.join.awards import awards_of_huawei
from engine.join.client import Player, lines, send
from engine.join.corrected_hand import FollowError, ForcedPost, HouseRules
from engine.join.early import CHECK, FOLD, EarlyTable, Heard, Line
from engine.join.followed_hand import FollowedHand
from engine.join.huawei_actions import Dealt, Known, Moment, Question, Step, Took, explain
from engine.join.huawei_messages import (
    BlindsPosted,
    BoardCards,
    CardsHeld,
    CardsShown,
    GameOver,
    Malformed,
    Message,
    MessageReader,
    PotsWon,
    Row,
    RowAction,
    Rows,
    Seating,
)
from engine.join.registration import JoinError, JoinOptions

BUDGET_SECONDS: Final = 0.5
"""What the server allows for a decision; it folds for who is later, and after ten such folds for good."""

CALL, ALL_IN = "call \n", "all_in \n"
_RULES: Final = HouseRules(takes_any_bet=True, awards=awards_of_huawei)
_ANY_CHIPS: Final = 1 << 60
_BOARD_STREETS: Final = (Street.FLOP, Street.TURN, Street.RIVER)

_log = logging.getLogger(__name__)


class Asked(Struct, frozen=True):
    """The server wants an answer: in this hand, or `safest` where there is none to decide in."""

    hand: FollowedHand | None
    safest: str


class Follower:
    """The match, message by message: seats and ids, rebuys, who has left, and the running hand.

    `most_hands` is how many hands it has at most, which the server does not say; None where nobody knows.
    """

    def __init__(self, own_id: str, most_hands: int | None = None) -> None:
        self._own_id = own_id
        self._most_hands = most_hands
        self._seats: dict[str, Seat] = {}
        self._blinds: tuple[Chips, Chips] | None = None
        self._seating: Seating | None = None
        self._posts: BlindsPosted | None = None
        self._running: _Running | None = None
        self._is_begun = False
        self._own_left = _ANY_CHIPS
        self.is_over = False
        self.hands = 0

    @property
    def is_out(self) -> bool:
        """Whether we are not dealt in any more, or have lost what pays a big blind."""
        if self._seating is None:
            return False
        is_dealt_in = any(line.player == self._own_id for line in self._seating.lines)
        return not is_dealt_in or (self._blinds is not None and self._own_left < self._blinds[1])

    @property
    def _hands_left(self) -> int | None:
        """Hands after this one; None where nobody knows, as when there were more than was said."""
        if self._most_hands is None or self.hands > self._most_hands:
            return None
        return self._most_hands - self.hands

    def follow(self, message: Message) -> Iterator[FollowedHand | Asked]:
        """Take a message; returns a hand that it finishes, and the question that it asks."""
        is_next_hand = isinstance(message, CardsHeld | Rows | BoardCards | CardsShown)
        if is_next_hand and self._running is not None and self._running.is_paid:
            yield from self.finish(None)  # whose players could not be read
        match message:
            case Seating():
                yield from self.finish(message)
                self._begin(message)
            case BlindsPosted():
                self._posts = message
            case CardsHeld():
                if self._is_begun:
                    self._running, self._is_begun = self._dealt(message.cards), False
                else:
                    _log.warning("Hole cards were dealt to us outside of any hand.")
            case Rows():
                asked = self._rows(message)
                if asked is not None:
                    yield asked
            case GameOver():
                yield from self.finish(None)
                self.is_over = True
            case Malformed():
                _log.warning("'%s' was not understood: %s.", message.text, message.reason)
            case _:
                if self._running is not None:
                    self._running.take(message)

    def finish(self, following: Seating | None) -> Iterator[FollowedHand]:
        """End the running hand, and give it if it could be followed; `following` begins the next one."""
        running, self._running = self._running, None
        if running is None:
            return
        try:
            running.end(following)
        except FollowError as error:
            running.complain("Hand %d could not be followed to its end: %s", str(error))
        else:
            self._own_left = running.own_left
            yield running.hand

    def answer(self, action: Action) -> str:
        """Return the words for what our agent does where it is asked, and remember them."""
        assert self._running is not None
        return self._running.answer(action)

    def answered(self, words: str) -> None:
        """Remember that a question was answered with a check or a fold before it could be followed."""
        if self._running is not None:
            self._running.answered(words)

    def _begin(self, report: Seating) -> None:
        for line in self._seating.lines if self._seating is not None else ():
            now = next((other for other in report.lines if other.player == line.player), None)
            if now is None:
                _log.info("%s has left.", line.player)
            elif now.coins < line.coins:
                _log.info("%s has been rebought with %d coins.", line.player, line.coins - now.coins)
        self.hands += 1
        self._seating, self._posts, self._is_begun = report, None, True
        players = [line.player for line in report.lines]
        seats = [self._seats.get(player, -1) for player in players]
        lowest = seats.index(min(seats))
        rotated = seats[lowest:] + seats[:lowest]
        if rotated != sorted(set(seats)) or min(seats) < 0:
            if self._seats:
                _log.warning("Hand %d: the players sit in another order than before.", self.hands)
            self._seats = {player: seat for seat, player in enumerate(players)}

    def _dealt(self, cards: HoleCards) -> "_Running | None":
        """Begin to follow a hand, or give None where that cannot be."""
        assert self._seating is not None
        try:
            return self._followed(self._seating, cards)
        except FollowError as error:
            _log.warning("Hand %d cannot be followed: %s", self.hands, error)
            return None

    def _followed(self, report: Seating, cards: HoleCards) -> "_Running":
        if all(line.player != self._own_id for line in report.lines):
            raise FollowError("We are not among its players.")
        posts = self._forced_posts(report)
        assert self._blinds is not None
        order = sorted(report.lines, key=lambda line: self._seats[line.player])
        started = HandStarted(
            hand_number=self.hands,
            kind=GameKind.TOURNAMENT,
            seats=tuple(SeatStart(self._seats[line.player], line.player, line.chips, line.coins) for line in order),
            button=self._seats[report.lines[0].player],
            small_blind=self._blinds[0],
            big_blind=self._blinds[1],
            ante=0,
            hands_left=self._hands_left,
        )
        hand = FollowedHand(
            started,
            self._seats[self._own_id],
            hole_cards=cards,
            posts=[ForcedPost(self._seats[player], kind, amount) for player, kind, amount in posts],
            house=_RULES,
        )
        price = self._blinds[1] if report.has_big_blind else max(amount for *_, amount in posts)
        return _Running(hand, report, tuple(line.player for line in order), self._own_id, price, self._blinds[1])

    def _forced_posts(self, report: Seating) -> list[tuple[str, PostKind, Chips]]:
        """Return who posts what, and remember how much the blinds are; a stack may be less than a blind."""
        kinds = [PostKind.SMALL_BLIND] + [PostKind.BIG_BLIND] * report.has_big_blind
        owing = list(zip(report.lines[1:], kinds, strict=False))
        said = dict(self._posts.posts) if self._posts is not None else {}
        known = dict(zip((PostKind.SMALL_BLIND, PostKind.BIG_BLIND), self._blinds or (0, 0), strict=True))
        for line, kind in owing:
            if said.get(line.player, 0) and (said[line.player] < line.chips or not known[kind]):
                known[kind] = said[line.player]
        small = known[PostKind.SMALL_BLIND] or known[PostKind.BIG_BLIND] // 2
        if not small:
            raise FollowError("The blinds are not known.")
        big = max(known[PostKind.BIG_BLIND] or 2 * small, small)
        self._blinds = small, big
        blinds = {PostKind.SMALL_BLIND: small, PostKind.BIG_BLIND: big}
        return [(line.player, kind, said.get(line.player, min(blinds[kind], line.chips))) for line, kind in owing]

    def _rows(self, report: Rows) -> Asked | None:
        if self._running is None:
            return Asked(None, _safest(report, self._own_id, {})) if report.is_question else None
        return self._running.rows(report)


class _Running:
    """One hand: what the messages say of it, by places clockwise, and the `FollowedHand` that they make."""

    def __init__(
        self,
        hand: FollowedHand,
        report: Seating,
        players: Sequence[str],
        own_id: str,
        price: Chips,
        big_blind: Chips,
    ) -> None:
        self.hand = hand
        by_player = {line.player: line for line in report.lines}
        self._started = [by_player[player] for player in players]
        self._players = players
        self._places = {player: place for place, player in enumerate(players)}
        self._own_id = own_id
        self._own = self._places[own_id]
        self._seats = list(hand.stacks)
        self._button = self._places[report.lines[0].player]
        self._deals: list[tuple[Card, ...]] = []
        self.is_lost = False
        self._answer: tuple[ActionKind, Chips] | None = None
        self._shown: CardsShown | None = None
        self._won: PotsWon | None = None
        totals = tuple(hand.committed.values())
        last = self._places[report.lines[2 if report.has_big_blind else 1].player]
        self._moment = Moment(
            stacks=tuple(hand.stacks.values()),
            totals=totals,
            latest=tuple(RowAction.BLIND if total else None for total in totals),
            answered=(False,) * len(totals),
            last=last,
            price=price,
            big_blind=big_blind,
            least_raise=big_blind,
        )

    @property
    def is_paid(self) -> bool:
        """Whether the winners are known."""
        return self._won is not None

    @property
    def own_left(self) -> Chips:
        """Our chips and coins after the hand."""
        return self.hand.stacks[self._seats[self._own]] + self._started[self._own].coins

    def complain(self, text: str, *arguments: str) -> None:
        """Log the first thing that cannot be followed, and nothing that may follow from it."""
        if self.hand.is_logged:
            _log.warning(text, self.hand.hand_number, *arguments)
        self.hand.stop_logging()

    # What the messages say

    def take(self, message: Message) -> None:
        """Take the board, the cards shown or who wins."""
        match message:
            case BoardCards():
                expected = self.hand.street + len(self._deals) + 1
                if message.street != expected:
                    self._lose(f"the {message.street.name.lower()} was dealt out of turn")
                else:
                    self._deals.append(message.cards)
            case CardsShown():
                self._shown = message
            case PotsWon():
                self._won = message

    def rows(self, report: Rows) -> Asked | None:
        """Take what everybody has done, and the question, if it is one."""
        totals = dict(zip(self._players, self._moment.totals, strict=True))
        rows = {row.player: row for row in report.rows if row.player in self._places}
        is_whole = report.is_whole or report.pot == sum(
            (totals | {row.player: row.bet for row in report.rows}).values()
        )
        if is_whole and not self.is_lost and len(rows) == len(report.rows):
            try:
                self._follow_rows(rows, report)
            except FollowError as error:
                self._lose(str(error))
        elif is_whole and len(rows) < len(report.rows):
            self._lose("somebody acts who was not dealt in")
        if not report.is_question:
            return None
        safest, hand = _safest(report, self._own_id, totals), None
        if not self.is_lost and is_whole:
            if self.hand.ask(self._seats[self._own]):
                hand = self.hand
            else:
                safest = CHECK  # nothing to pay, and nobody left who could
        self.answered(safest)
        return Asked(hand, safest)

    def answered(self, words: str) -> None:
        """Remember a check or a fold."""
        self._answer = (ActionKind.CHECK if words == CHECK else ActionKind.FOLD), self._moment.totals[self._own]

    def answer(self, action: Action) -> str:
        """Return the words of an action, and remember what it puts in."""
        words, put_in = _words_of(action, self.hand)
        self._answer = action.kind, self._moment.totals[self._own] + put_in
        return words

    def end(self, following: Seating | None) -> None:
        """Find out how the hand ended, and end it; the next hand tells the stacks."""
        if self._shown is None and self._won is None:
            raise FollowError("It broke off.")
        winners = dict(self._won.winners) if self._won is not None else {}
        for player in winners:
            if player not in self._places:
                raise FollowError(f"{player} wins and was not dealt in.")
        finals = self._finals(following)
        self._complete_board()
        self._tell_end(winners, finals, following)
        hand = self.hand
        for player, cards in self._shown.hands if self._shown is not None else ():
            if player not in self._places:
                raise FollowError(f"{player} shows cards and was not dealt in.")
            hand.show(self._seats[self._places[player]], cards)
        if self._won is not None and not winners:
            hand.discard_pot()
        for player, amount in winners.items():
            hand.award(self._seats[self._places[player]], amount)
        hand.end({self._seats[self._places[player]]: chips for player, chips in finals.items()})

    # How it is followed

    def _lose(self, why: str) -> None:
        self.complain("Hand %d is not followed any more: %s.", why.rstrip("."))
        self.is_lost = True

    def _follow_rows(self, rows: dict[str, Row], report: Rows) -> None:
        known = tuple(self._known(place, rows.get(player)) for place, player in enumerate(self._players))
        self._explain(
            Question(
                reports=known,
                deals=len(self._deals),
                button=self._button,
                own_place=self._own,
                is_own_turn=report.is_question,
                answer=self._answer,
            )
        )
        self._answer = None
        for player, row in rows.items():
            self.hand.check(self._seats[self._places[player]], stack=row.chips, committed=row.bet)
        if report.pot is not None:
            self.hand.check(pot=report.pot)
        ordered = [rows.get(player) for player in self._players]
        moment = self._moment
        self._moment = moment._replace(
            stacks=tuple(row.chips if row else stack for row, stack in zip(ordered, moment.stacks, strict=True)),
            totals=tuple(row.bet if row else total for row, total in zip(ordered, moment.totals, strict=True)),
            latest=tuple(row.action if row else latest for row, latest in zip(ordered, moment.latest, strict=True)),
        )

    def _known(self, place: int, row: Row | None) -> Known:
        if row is not None:
            return Known(row.bet, row.action is RowAction.FOLD, row.action)
        latest, total = self._moment.latest[place], self._moment.totals[place]
        return Known(total, latest is RowAction.FOLD, latest, has_acted=latest is not None)

    def _explain(self, *questions: Question) -> None:
        """Take the story of the first question that has one."""
        found = next(filter(None, (explain(self._moment, question) for question in questions)), None)
        if found is None:
            self.complain("Hand %d: no order of play explains what was told.")
            found = self._forced_story(questions[-1])
        steps, self._moment = found
        for step in steps:
            if isinstance(step, Dealt):
                self.hand.deal(self._deals.pop(0))
            elif step.kind is ActionKind.FOLD:
                self.hand.act(self._seats[step.place], ActionKind.FOLD)
            else:
                self.hand.act(self._seats[step.place], step.kind, hand_total=step.total)

    def _forced_story(self, question: Question) -> tuple[tuple[Step, ...], Moment]:
        """Take over what the rows say, the cards first, then everybody clockwise, whoever's turn it is."""
        moment = self._moment
        steps: list[Step] = []
        for _ in range(question.deals):
            moment = moment.on_next_street(question.button)
            steps.append(Dealt())
        for distance in range(1, len(self._players) + 1):
            place = (moment.last + distance) % len(self._players)
            report, total = question.reports[place], moment.totals[place]
            if moment.latest[place] is RowAction.FOLD:
                continue
            if report.total is not None and total < report.total <= total + moment.stacks[place]:
                kind = ActionKind.CALL if report.total <= moment.level else ActionKind.RAISE
                steps.append(Took(place, kind, report.total))
            if report.has_folded:
                steps.append(Took(place, ActionKind.FOLD, report.total or total))
        own_turn = question.own_place - 1 if question.is_own_turn else question.own_place
        return tuple(steps), moment._replace(last=own_turn % len(self._players))

    def _complete_board(self) -> None:
        """Take board cards from the showdown that did not come in time."""
        if self._shown is None:
            return
        known = self.hand.board + tuple(card for cards in self._deals for card in cards)
        board = self._shown.board
        if board[: len(known)] != known:
            raise FollowError("The board at showdown is another than before.")
        self._deals = [
            board[BOARD_SIZE[Street(street - 1)] : BOARD_SIZE[street]]
            for street in _BOARD_STREETS
            if BOARD_SIZE[street] > len(self.hand.board)
        ]

    def _finals(self, following: Seating | None) -> dict[str, Chips]:
        """Return the stacks after this hand of those who are dealt into the next, without what they rebought."""
        coins = {line.player: line.coins for line in self._started}
        return {
            line.player: line.chips - max(coins[line.player] - line.coins, 0)
            for line in (following.lines if following is not None else ())
            if line.player in coins
        }

    def _tell_end(self, winners: dict[str, Chips], finals: dict[str, Chips], following: Seating | None) -> None:
        """Find out what was done after the last rows."""
        live = {player for player, _ in self._shown.hands} if self._shown is not None else set(winners)
        totals = self._last_totals(winners, finals, live)
        pot = sum(winners.values())
        if totals.count(None) == 1 and pot:
            place = totals.index(None)
            rest = pot - sum(total for total in totals if total is not None)
            totals[place] = rest if self._is_possible(place, rest) else None
        question = Question(
            reports=tuple(
                Known(total, player not in live) for player, total in zip(self._players, totals, strict=True)
            ),
            deals=len(self._deals),
            button=self._button,
            own_place=self._own,
            answer=self._answer,
            pot=pot if pot and None in totals else None,
            is_end=True,
            is_discarded=self._won is not None and not winners,
        )
        # The server may have taken our last answer otherwise than it was meant, and may pay out fewer chips.
        own_total = totals[self._own] if self._own_id in finals else None
        own = structs.replace(question.reports[self._own], total=own_total)
        unsure = (*question.reports[: self._own], own, *question.reports[self._own + 1 :])
        self._explain(
            structs.replace(question, reports=self._broke(question.reports, winners, following)),
            question,
            structs.replace(question, reports=unsure, pot=pot or None),
            structs.replace(question, reports=unsure, pot=None),
        )
        if None in totals:
            self.hand.stop_logging()  # who paid what is a guess by the pot, and what follows from it, too

    def _broke(
        self, reports: Sequence[Known], winners: Mapping[str, Chips], following: Seating | None
    ) -> tuple[Known, ...]:
        """Take it that who wins nothing and is not dealt into the next hand has put in everything."""
        staying = {line.player for line in following.lines} if following is not None else set(self._players)
        return tuple(
            structs.replace(one, total=self._started[place].chips)
            if one.total is None and self._players[place] not in {*staying, *winners}
            else one
            for place, one in enumerate(reports)
        )

    def _last_totals(
        self, winners: dict[str, Chips], finals: dict[str, Chips], live: set[str]
    ) -> list[Chips | None]:
        """Return what each place has put in in the end, as far as that is known."""
        totals: list[Chips | None] = []
        for place, line in enumerate(self._started):
            player, total = line.player, None
            if player in finals:
                total = line.chips + winners.get(player, 0) - finals[player]
            elif place == self._own and self._answer is not None and player in live:
                total = self._answer[1]
            totals.append(total if total is not None and self._is_possible(place, total) else None)
        return totals

    def _is_possible(self, place: int, total: Chips) -> bool:
        least = self._moment.totals[place]
        return least <= total <= least + self._moment.stacks[place]


def _words_of(action: Action, hand: FollowedHand) -> tuple[str, Chips]:
    """Return the words for an action made legal, and the chips it puts in; a raise is named above the call."""
    observation = hand.observe()
    legal, me = observation.legal, observation.me
    if legal is None or action.kind is ActionKind.CHECK:
        return CHECK, 0
    if action.kind is ActionKind.FOLD:
        return FOLD, 0
    if action.kind is ActionKind.RAISE and legal.can_raise:
        total = min(max(action.raise_to, legal.min_raise_to), legal.max_raise_to)
        if total == legal.max_raise_to:
            return ALL_IN, me.stack
        return f"raise {total - me.bet - legal.call_amount} \n", total - me.bet
    return (CHECK, 0) if legal.can_check else (CALL, legal.call_amount)


def _safest(report: Rows, own_id: str, totals: Mapping[str, Chips]) -> str:
    """Return a check if the rows and earlier `totals` show that it is free, otherwise a fold."""
    bets = {**totals, **{row.player: row.bet for row in report.rows}}
    is_whole = report.is_whole or sum(bets.values()) == report.pot
    return CHECK if is_whole and bets and bets.get(own_id, 0) == max(bets.values()) else FOLD


@contextmanager
def seat(
    own: tuple[str, int], own_id: str, options: JoinOptions, most_hands: int | None
) -> Iterator[Callable[[EarlyTable, float], None]]:
    """Yield what plays a match at a table; `JoinError` if that cannot be, or the match breaks off."""
    with closing(Player(options, BUDGET_SECONDS)) as player:
        player.start()
        follower = Follower(own_id, most_hands)

        def play(table: EarlyTable, _: float) -> None:
            _play(*table.take_over(), follower, player)
            if not follower.hands:
                raise JoinError(
                    f"The server closed the connection before the first hand; "
                    f"it may not expect {own_id} at {own[0]}:{own[1]}."
                )
            if not follower.is_over and not follower.is_out:
                raise JoinError(
                    f"The server closed the connection in hand {follower.hands}, before the game was over."
                )

        yield play


def _play(connection: socket.socket, heard: Heard, follower: Follower, player: Player) -> None:
    """Read and answer until the game is over or the connection ends, from what was heard early on."""
    early = [line.answer.strip() for line in heard.lines if line.answer is not None]
    if early:
        _log.warning("Answered before hands could be followed: %s.", ", ".join(early))
    reader = MessageReader()
    for line in lines(connection, heard=heard):
        for message in reader.feed(line.text):
            _respond(connection, follower, player, message, line)
        if follower.is_over:
            return
    for message in reader.end():
        _respond(connection, follower, player, message, None)
    for hand in follower.finish(None):
        player.finish(hand)


def _respond(
    connection: socket.socket, follower: Follower, player: Player, message: Message, line: Line | None
) -> None:
    for found in follower.follow(message):
        if isinstance(found, FollowedHand):
            player.finish(found)
        elif line is not None and line.answer is not None:
            follower.answered(line.answer)
        elif found.hand is None:
            send(connection, found.safest)
        else:
            received = line.received if line is not None else None
            send(connection, follower.answer(player.decide(found.hand, received)))
