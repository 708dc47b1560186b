"""Sessions and hands to choose from, a line each, and what is said of the hand that the panels show."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from PySide6.QtCore import QAbstractListModel, QObject, Qt

from engine.game.events import GameKind, PotAwarded, net_of
from engine.game.observation import HandView
from engine.words import counted
from trainer.history.log_model import card_sign
from trainer.session.amounts import Units
from trainer.session.looked_at import LookedAt
from trainer.session.past_hands import PastHand, PastSession, place_of
from trainer.session.types import Stage
from trainer.widgets.tables_model import ROOT, Index

_KEPT_LINES = 200
_DATE = "%d %b %Y, %H:%M"
_DAY, _MONTH = "%d %b", "%b ’%y"
"""Of this year, and of others; both fit into a narrow panel."""


def session_line(session: PastSession, *, in_big_blinds: bool) -> str:
    """Say when a session began, what was played and how many hands."""
    if session.match:
        where = "File" if session.is_file else "In the lab:"
        return f"{where} {session.match}, {counted(session.hands, 'hand')}"
    config = session.config
    when = "On the table:" if session.session_id is None else f"{session.started:{_DATE}}  "
    if config is None:
        return f"{when} damaged"
    if session.venue is not None:
        venue = session.venue
        stakes = f"{venue.amount(config.small_blind)}/{venue.amount(config.big_blind)} {venue.currency}".rstrip()
        return f"{when} {venue.title}, {stakes}, {counted(session.hands, 'hand')}"
    units = Units(config.big_blind, in_big_blinds)
    game = "cash" if config.kind is GameKind.CASH else "tournament"
    stakes = units.text(config.starting_stack) if in_big_blinds else f"{config.small_blind:,}/{config.big_blind:,}"
    hands = counted(session.hands, "hand")
    return f"{when} {game} {stakes}, {len(config.seats)} seats, {hands}"


def hand_line(hand: PastHand, *, in_big_blinds: bool, with_result: bool = True) -> str:
    """Say a finished hand's number, the player's hole cards, and by default what they won or lost.

    Of a watched hand it is the pot.
    """
    observation = hand.read()
    if observation is None:
        return f"Hand {hand.number}   damaged"
    result = _result(observation, in_big_blinds) if with_result else ""
    return f"{_number_and_cards(observation)}   {result}".rstrip()


def _number_and_cards(observation: HandView) -> str:
    return f"Hand {observation.hand_number}   {' '.join(map(card_sign, observation.own_cards)) or 'watched'}"


def _result(final: HandView, in_big_blinds: bool) -> str:
    units = Units.of(final, in_big_blinds)
    if final.viewer is None:
        pot = sum(event.amount for event in final.events if isinstance(event, PotAwarded))
        return f"pot {units.text(pot)}"
    return units.signed(net_of(final.events)[final.viewer])


def _seen_by(final: HandView) -> str:
    return f"seen by {final.me.name}" if final.me is not None else "watched"


class ChoiceModel(QAbstractListModel):
    """Lines made only when they are seen, so that thousands cost nothing."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._count = 0
        self._in_big_blinds = False
        self._line = lru_cache(_KEPT_LINES)(self._make_line)

    def set_units(self, in_big_blinds: bool) -> None:
        """Write amounts in big blinds, or in chips."""
        self._in_big_blinds = in_big_blinds
        self._reset(self._count)

    def _reset(self, count: int) -> None:
        self.beginResetModel()
        self._count = count
        self._line.cache_clear()
        self.endResetModel()

    def _make_line(self, row: int) -> str:
        raise NotImplementedError

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else self._count

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and 0 <= index.row() < self._count:
            return self._line(index.row())
        return None


class SessionsModel(ChoiceModel):
    """The sessions, a line each."""

    def show_sessions(self, sessions: Sequence[PastSession]) -> None:
        """Take the sessions."""
        self._sessions = tuple(sessions)
        self._reset(len(self._sessions))

    def _make_line(self, row: int) -> str:
        return session_line(self._sessions[row], in_big_blinds=self._in_big_blinds)


class HandsModel(ChoiceModel):
    """The finished hands of a session, a line each, and last the one on the table, if it is of this session."""

    _has_results = True

    def show_hands(self, hands: Sequence[PastHand], on_table: HandView | None) -> None:
        """Take the hands."""
        self._hands = hands
        self._on_table = on_table
        self._reset(len(self._hands) + (on_table is not None))

    def set_results_shown(self, is_shown: bool) -> None:
        """Say what was won or lost in each hand, or not."""
        self._has_results = is_shown
        self._reset(self._count)

    def _make_line(self, row: int) -> str:
        if row < len(self._hands):
            hand = self._hands[row]
            return hand_line(hand, in_big_blinds=self._in_big_blinds, with_result=self._has_results)
        assert self._on_table is not None
        return f"{_number_and_cards(self._on_table)}   on the table"


@dataclass(frozen=True, slots=True)
class HandTitle:
    """What the panels' titles say."""

    shown: str = ""  # the earlier hand shown, such as `Hand 11`; "" while the panels follow the table
    earlier: str = ""  # the hand before, such as `Hand 10`; "" where there is none
    later: str = ""
    back: str = ""  # the way back to the table; "" while the panels follow it, or there is none
    note: str = ""  # what else the titles say while the panels follow the table
    hint: str = ""  # what the line above the table says of it; "" while there is nothing to say


def _day(started: datetime) -> str:
    return f"{started:{_DAY if started.year == datetime.now().year else _MONTH}}"


def hand_title(looked_at: LookedAt, stage: Stage, *, is_deal_held: bool, deal_key: str) -> HandTitle:
    """Say which hand the panels show, and whether the next, due to be dealt by now, waits meanwhile."""
    hands, table, final = looked_at.past.hands, looked_at.past.on_table, looked_at.observation
    held = f"The next hand waits while you look; {deal_key} deals." if is_deal_held else ""
    if final is None:
        earlier = f"Hand {hands[-1].number}" if hands else ""
        return HandTitle(earlier=earlier, note="the next hand waits" if held else "", hint=held)
    number = final.hand_number
    at, later = place_of(hands, number), place_of(hands, number + 1)
    before = [hands[at - 1].number] if at else []
    after = [hands[later].number] if later < len(hands) else []
    chosen = looked_at.past.chosen
    day = (
        ""
        if chosen is None
        else f" {'of a file' if chosen.is_file else 'in the lab'}, {_seen_by(final)}"
        if chosen.match
        else f" of {_day(chosen.started)}"
    )
    back = hint = ""
    if table is not None:
        is_ended_on_table = not day and number == table.hand_number
        if not after and not day and not is_ended_on_table:
            after = [table.hand_number]
        is_turn = stage is Stage.YOUR_TURN
        back = "Back to the table" if is_ended_on_table else f"Back to hand {table.hand_number}"
        hint = f"{'It is your turn; the' if is_turn else 'The'} panels show hand {number}{day}."
        back = f"Your turn: hand {table.hand_number}" if is_turn else back
    return HandTitle(
        shown=f"Hand {number}{day}",
        earlier=f"Hand {before[0]}" if before else "",
        later=f"Hand {after[0]}" if after else "",
        back=back,
        hint=held or hint,
    )
