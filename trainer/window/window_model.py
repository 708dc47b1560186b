"""What the main window knows of its session: what can be done, and the words for it."""

from engine.game.events import Chips, GameKind, Posted, PostKind, Seat, start_of
from engine.game.formats import GameConfig
from engine.game.statistics import PlayerStatistics
from trainer.session.amounts import Units
from trainer.session.session import Session
from trainer.session.types import Stage, TableView


class WindowModel:
    """The session on the table with its newest view, and in words the one that can be resumed."""

    def __init__(self) -> None:
        self.session: Session | None = None
        self.view: TableView | None = None
        self.statistics: dict[Seat, PlayerStatistics] = {}
        self.resume_text = ""
        self.in_big_blinds = False

    def begin(self, session: Session) -> None:
        """Take a new session."""
        self.session, self.view, self.statistics = session, None, {}

    @property
    def stage(self) -> Stage:
        """What the table is waiting for."""
        return self.session.stage if self.session is not None else Stage.SESSION_OVER

    @property
    def config(self) -> GameConfig | None:
        """The game; None before the first hand."""
        return self.session.config if self.session is not None else None

    @property
    def is_running(self) -> bool:
        """Whether the session has begun and is not over."""
        return self.config is not None and self.stage != Stage.SESSION_OVER

    @property
    def can_buy(self) -> bool:
        """Whether chips can be bought: between two hands of a cash game."""
        session, config = self.session, self.config
        if session is None or config is None or not config.sells_chips:
            return False
        return session.stage == Stage.HAND_OVER or session.can_rebuy

    def units(self, big_blind: Chips) -> Units:
        """Return how amounts are written."""
        return Units(big_blind, self.in_big_blinds)

    def caption(self) -> str:
        """Say what is played and in which hand; "" before the first one."""
        if self.view is None:
            return ""
        observation = self.view.observation
        kind = "Cash game" if observation.kind == GameKind.CASH else "Tournament"
        units = self.units(observation.big_blind)
        blinds = units.blinds(observation.small_blind, observation.big_blind)
        ante = f", ante {units.text(observation.ante)}" if observation.ante else ""
        posted = {event.kind: event.amount for event in observation.events if isinstance(event, Posted)}
        # Who is short posts less; what was owed is not told by hands of other sites.
        owed = start_of(observation.events).big_blind_ante or posted.get(PostKind.BIG_BLIND_ANTE, 0)
        for post, amount in (
            (PostKind.BIG_BLIND_ANTE, owed),
            (PostKind.STRADDLE, posted.get(PostKind.STRADDLE, 0)),
        ):
            if amount:
                ante += f", {post.value} {units.text(amount)}"
        rise = f"   ·   {self._rise(units)}" if self.view.next_level is not None else ""
        return f"{kind} {blinds}{ante}{rise}   ·   hand {observation.hand_number}"

    def _rise(self, units: Units) -> str:
        """Say when the blinds rise, and how far."""
        assert self.view is not None
        coming = self.view.next_level
        assert coming is not None
        rules, hands = coming.rules, coming.hands
        blinds = units.blinds(rules.small_blind, rules.big_blind)
        ante = f", ante {units.text(rules.ante)}" if rules.ante else ""
        if rules.big_blind_ante:
            ante += f", {PostKind.BIG_BLIND_ANTE.value} {units.text(rules.big_blind_ante)}"
        if coming.is_about:
            when = f"in about {hands} hand{'s' if hands > 1 else ''}"
        else:
            this = "the next" if self.view.stage == Stage.HAND_OVER else "this"
            when = {0: "the next hand", 1: f"after {this} hand"}.get(hands, f"in {hands} hands")
        return f"{blinds}{ante} {when}"
