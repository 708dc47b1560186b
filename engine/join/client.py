"""What the protocols share: a server's lines in any pieces, what is logged, and our player with its agent."""

import gc
import logging
import pkgutil
import re
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from select import select
from time import monotonic
from typing import Final

import numpy as np

from engine.agents.agent import Agent, KnowsPlayers, Trace, best_known
from engine.agents.played_hand import PlayedHand
from engine.cards import format_cards, parse_cards
from engine.foreign_text import printable, shortened
from engine.game.events import CHECK, Action, ActionKind, Chips, GameKind, HandStarted, SeatStart, net_of
from engine.join.answering import Answerer
from engine.join.early import CODE, Heard, Line
from engine.join.followed_hand import FollowedHand
from engine.join.record import Recorder, RecordError
from engine.join.registration import SHOWN_TEXT, JoinError, JoinOptions

_MOST_AT_ONCE: Final = 1 << 16
_LONGEST_LINE: Final = 1 << 16
"""A line of the protocols has some hundred characters; what goes on longer is given in pieces."""
_MOST_LOGGED: Final = 20
"""How often a complaint of one kind is logged in a match; the others are counted."""

_KEPT_EVERY: Final = 20
"""Hands between two times that what was learned of the players is kept: a server may end a match by killing us."""

_NOTHING_HEARD: Final = Heard()

_log = logging.getLogger(__name__)


def tell(text: str) -> None:
    """Write a line of progress to stderr, whatever a server has called its players."""
    sys.stderr.write(printable(text) + "\n")
    sys.stderr.flush()


class _LimitedLog(logging.Filter):
    """Logs each kind of complaint (a format sentence) of a match so many times, in printable characters."""

    def __init__(self) -> None:
        super().__init__()
        import engine.join

        names = [module.name for module in pkgutil.iter_modules(engine.join.__path__, "engine.join.")]
        self._loggers = [logging.getLogger(name) for name in names]
        self._counts: Counter[str] = Counter()

    def begin(self) -> None:
        """Limit what is logged from now on."""
        for logger in self._loggers:
            logger.addFilter(self)

    def end(self) -> None:
        """Limit nothing any more, and log how often each kind was left out."""
        for logger in self._loggers:
            logger.removeFilter(self)
        for kind, count in self._counts.items():
            if count > _MOST_LOGGED:
                _log.warning("%d more like this: %s", count - _MOST_LOGGED, re.sub("%[sd]", "...", kind))
        self._counts.clear()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is logged; what it quotes is made fit for that."""
        kind = str(record.msg)
        self._counts[kind] += 1
        if self._counts[kind] > _MOST_LOGGED:
            return False
        if isinstance(record.args, tuple):
            record.args = tuple(
                one if isinstance(one, int | float) else shortened(str(one), SHOWN_TEXT) for one in record.args
            )
        if record.exc_info:
            trace = logging.Formatter().formatException(record.exc_info).split("\n")
            record.exc_text = "\n".join(shortened(line, SHOWN_TEXT) for line in trace)
        return True


def lines(
    connection: socket.socket, registered: float | None = None, heard: Heard = _NOTHING_HEARD
) -> Iterator[Line]:
    """Yield the lines heard earlier and those that arrive, in whatever pieces, until the connection ends.

    What is there already counts as received when we registered, if that is given. An unfinished last line, and
    pieces of one that is too long, are lines, too. A connection that breaks counts as closed, which is logged.
    """
    yield from heard.lines
    rest = heard.rest
    if registered is not None and not select([connection], [], [], 0)[0]:
        registered = None
    while True:
        try:
            piece = connection.recv(_MOST_AT_ONCE)
        except OSError as error:
            _log.warning("The connection broke: %s.", error.strerror or error)
            piece = b""
        received, registered = monotonic() if registered is None else registered, None
        *whole, rest = (rest + piece).split(b"\n")
        if not piece or len(rest) > _LONGEST_LINE:
            whole, rest = [*whole, *([rest] if rest else [])], b""
        for line in whole:
            yield Line(line.rstrip(b"\r").decode(CODE), received)
        if not piece:
            return


def send(connection: socket.socket, text: str) -> None:
    """Send text to the server; a connection that is closed is noticed by who reads from it."""
    try:
        connection.sendall(text.encode(CODE))
    except OSError as error:
        _log.warning("'%s' could not be sent: %s.", text.strip(), error.strerror or error)


class Player:
    """Our player at a table: an agent that answers in time, learns from every hand, and reports how it goes.

    Making one takes no time: `start` makes the agent, whose own thread then prepares what decisions need.

    Parameters
    ----------
    options : JoinOptions
        `JoinError` if their record cannot be written.
    budget_seconds : float
        What the protocol allows for a decision, unless the options say otherwise.
    progress : callable, optional
        Takes each line of progress, from the agent's thread; stderr by default.
    """

    def __init__(self, options: JoinOptions, budget_seconds: float, progress: Callable[[str], None] = tell) -> None:
        self._options = options
        self._progress = progress
        self._budget = options.budget_seconds or budget_seconds
        try:
            self._recorder = Recorder(options.record) if options.record is not None else None
        except RecordError as error:
            raise JoinError(str(error)) from error
        self._answerer: Answerer | None = None
        self._traces: list[Trace] = []
        self._keep_players: Callable[[], None] = lambda: None  # the answerer's thread's
        self._won = 0
        self._hands = 0
        self._limited_log = _LimitedLog()
        self._limited_log.begin()

    def start(self) -> Answerer:
        """Make the agent and begin to prepare it, if that is not done; `JoinError` if it cannot play."""
        if self._answerer is not None:
            return self._answerer
        from engine.agents.readers import UnknownReaderError
        from engine.agents.style_file import StyleFileError
        from engine.agents.styles import UnknownStyleError, named_style
        from engine.join.stand_in import player_of

        try:
            style = named_style(self._options.agent)
            agent = player_of(style, self._progress)
            self._remember(agent)
            self._answerer = Answerer(agent, self._budget, prepare=lambda: prepare(style, self._progress))
        except (UnknownStyleError, UnknownReaderError, StyleFileError) as error:
            raise JoinError(str(error)) from error
        return self._answerer

    def _remember(self, agent: Agent) -> None:
        """Let the agent begin with what earlier matches or a file have taught of players, if that is wished."""
        from engine.agents.styles import style_label
        from engine.join.remembered import RememberedPlayers

        path, known = self._options.remembered, dict(self._options.known or {})
        if path is None and not known:
            return
        if not isinstance(agent, KnowsPlayers):
            self._progress(f"Nothing is remembered: {style_label(agent.style)} learns nothing of players.")
            return
        if path is not None:
            remembered, learner = RememberedPlayers(path, self._progress), agent
            met = remembered.read()
            self._progress(f"Players remembered: {len(met):,}, in {path}.")
            self._keep_players = lambda: remembered.keep(learner.known_players())
            known = best_known((met, known))
        agent.meet(known)

    @property
    def traces(self) -> tuple[Trace, ...]:
        """Those of the decisions made in the running hand."""
        return tuple(self._traces)

    def decide(self, hand: FollowedHand, received: float | None = None) -> Action:
        """Return what to answer, in time: legal by our rules, a check where there is nothing to decide.

        `hand` is one in which we are asked (`FollowedHand.ask`), `received` the question's time by
        `time.monotonic`.
        """
        observation = hand.observe()
        if observation.legal is None:
            return CHECK
        self._forget_other_hands(hand.hand_number)
        sequence = np.random.SeedSequence([self._options.seed, hand.hand_number, len(self._traces)])
        seed = int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(1))
        answerer = self.start()
        answer = answerer.decide(observation, seed, received)
        self._traces.append(answer.decision.trace)
        if self._options.does_explain:
            answerer.later(lambda: self._explain(answer.decision.trace, answer.seconds))
        return answer.decision.action

    def finish(self, hand: FollowedHand) -> None:
        """Learn from a hand that has ended, record it, and report its result, while the game goes on."""
        observation = hand.observe()
        self._forget_other_hands(hand.hand_number)
        played = PlayedHand(observation, self.traces)
        answerer = self.start()
        answerer.learn(observation, self.traces)
        answerer.later(lambda: self._record(played))
        net = net_of(observation.events)[observation.seat]
        self._won += net
        self._hands += 1
        if self._hands % _KEPT_EVERY == 0:
            answerer.later(self._keep_players)
        self._traces = []
        board = f" on {format_cards(observation.board)}" if observation.board else ""
        text = (
            f"Hand {hand.hand_number}: {format_cards(observation.hole_cards)}{board}, {_result(net)}; "
            f"{_result(self._won)} in {self._hands} {'hand' if self._hands == 1 else 'hands'}"
        )
        self.tell(text)

    def tell(self, text: str) -> None:
        """Write a line of progress after those that wait; returns at once."""
        self.start().later(lambda: self._progress(text))

    def close(self) -> None:
        """End the agent's work and the record."""
        if self._answerer is not None:
            self._answerer.later(self._keep_players)
            self._answerer.close()
        if self._recorder is not None:
            self._recorder.close()
        self._limited_log.end()

    def _forget_other_hands(self, hand_number: int) -> None:
        """Drop the decisions of a hand that could not be followed to its end."""
        self._traces = [trace for trace in self._traces if trace.observation.hand_number == hand_number]

    def _record(self, hand: PlayedHand) -> None:
        """Write a hand; a record that fails is reported once, and the match goes on without it."""
        if self._recorder is None:
            return
        try:
            self._recorder.append(hand)
        except RecordError as error:
            self._progress(f"{error} Nothing more is recorded.")
            self._recorder.close()
            self._recorder = None

    def _explain(self, trace: Trace, seconds: float) -> None:
        from engine.agents.explain import explain

        street = trace.observation.street.name.lower()
        self._progress(f"  {street}, {1000 * seconds:.0f} ms:")
        for claim in explain(trace):
            self._progress(f"    {claim.text}")


def _result(chips: Chips) -> str:
    return f"won {chips:,}" if chips > 0 else f"lost {-chips:,}" if chips else "even"


def prepare(style: str, progress: Callable[[str], None] = tell) -> None:
    """Load or compile what a decision of this style needs by making some, reporting it if that takes long."""
    from engine.kernels.jit import warm_up_steps

    began, has_reported = monotonic(), False
    for _ in warm_up_steps():
        if not has_reported and monotonic() - began > 1:
            progress("Preparing the engine, which takes a moment the first time ...")
            has_reported = True
    for players in (2, 6):
        _rehearse(style, players)
    gc.collect()
    gc.freeze()  # what is loaded stays: a later collection need not look at it


def _rehearse(style: str, players: int) -> None:
    """Let an agent that is thrown away afterwards play a hand to the river and learn from it."""
    from engine.join.stand_in import player_of

    agent, cards = player_of(style, lambda _: None), parse_cards("AhKd 9s8s 5c5d Tc9c JhTd 6h6s Qh7d2cJs3h")
    holes, board = [(cards[at], cards[at + 1]) for at in range(0, 12, 2)], cards[12:]
    seats = tuple(SeatStart(seat, f"player {seat}", 1000) for seat in range(players))
    hand = FollowedHand(HandStarted(0, GameKind.CASH, seats, 0, 10, 20, 0), own_seat=1, hole_cards=holes[1])
    hand.act(3 % players if players > 2 else 0, ActionKind.RAISE, street_total=60)
    while hand.to_act is not None or len(hand.board) < len(board):
        if hand.to_act is None:
            hand.deal(board[len(hand.board) : max(len(hand.board) + 1, 3)])
            continue
        if hand.to_act == hand.own_seat:
            agent.decide(hand.observe(), 0)
        hand.act(hand.to_act, ActionKind.CALL)
    for seat in range(players):
        hand.show(seat, holes[seat])
    hand.end()
    agent.hand_finished(hand.observe())
