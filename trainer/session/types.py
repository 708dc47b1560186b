"""What a running session tells the window: frozen values that hold only what the player may know."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from engine.agents.agent import Answers, Figure, Prediction, RangeShares, Reading, Trace, Values
from engine.equity.snapshot import Estimate
from engine.game.events import Chips, Seat
from engine.game.observation import HandView, Observation
from engine.session_state import NextLevel


class Stage(StrEnum):
    """What the table is waiting for."""

    WARMING_UP = "warming up"
    YOUR_TURN = "your turn"
    THINKING = "thinking"
    SHOWING = "showing"
    HAND_OVER = "hand over"
    SESSION_OVER = "session over"


class TableView(Struct, frozen=True):
    """The table as it stands after the newest event shown."""

    stage: Stage
    # the player's own, but of a watched hand that is replayed; its last event is the newest one shown, so a paced
    # run-out is seen card by card
    observation: HandView
    to_act: Seat | None  # whose turn is shown; the player's actions are legal only while `stage` is YOUR_TURN
    styles: dict[Seat, str]  # registered style of each seat, "human" for the player's
    is_out: tuple[Seat, ...]  # seats of the session that are not dealt in any more
    names: Mapping[Seat, str] = {}  # of all seats of the session, as far as they are known
    can_rebuy: bool = False  # whether the player is out of chips and has to buy in again to go on
    ending: str = ""  # why the session is over, in a sentence; empty while it is not
    places: dict[Seat, int] = {}  # finishing place of each seat that is out of a tournament for good
    next_level: NextLevel | None = None  # when the blinds rise, after 0 hands if at the next one; None if never
    # whether all cards are open, and whether they were at any time since the session was begun or resumed
    is_study: bool = False
    was_study: bool = False
    is_played_on: bool = False  # a finished hand that was taken up again in the middle

    @property
    def own(self) -> Observation:
        """The player's observation, which there is of every hand but a watched one."""
        assert isinstance(self.observation, Observation)
        return self.observation


def ordinal(place: int) -> str:
    """Write a place.

    >>> [ordinal(place) for place in (1, 2, 3, 4, 11, 22)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd']
    """
    ending = "th" if 10 <= place % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


class PointRanges(Struct, frozen=True):
    """The opponents' ranges at one point of a hand, as the player's reader sees them."""

    hand_number: int
    event_count: int  # how many of the hand's events had happened
    observation: HandView  # what was seen at that point, by the player unless the hand was watched
    predictions: tuple[Prediction, ...]  # one per opponent still in the hand, in seat order
    # per opponent seat the share (0-1) of each kind of hands
    shares: dict[Seat, RangeShares]

    @property
    def is_whole(self) -> bool:
        """Whether no more comes of it: of a watched hand there are ranges alone."""
        return self.observation.viewer is None


class PointReading(PointRanges, frozen=True):
    """The same with what the ranges are worth to the player, which takes longer."""

    reading: Reading
    # the opponents whom the price of a call is compared with (`engine.agents.reading.opponents_in`)
    against: tuple[Seat, ...] = ()
    # the win rate against their ranges, and against as many random hands; None where they are all live opponents,
    # which the reading's own win rates are against
    win: Estimate | None = None
    win_random: Estimate | None = None

    @property
    def is_whole(self) -> bool:
        """Whether no more comes of it."""
        return True

    @property
    def own(self) -> Observation:
        """The player's observation at that point."""
        assert isinstance(self.observation, Observation)
        return self.observation


class DeckCommitment(Struct, frozen=True):
    """What binds the dealer, shown before the first card of a hand; both as `engine.fair_deals` has them."""

    table: str
    hand_number: int  # of the hand on the table, or between two hands of the next one
    hand: str  # "" of a hand that an earlier version has begun
    salt: str  # the player's, in that hand's shuffle


class HintPoint(Struct, frozen=True, kw_only=True):
    """What every action is worth to the player, as far as it has been worked out, or why that cannot be said."""

    observation: Observation  # the player's, at their turn
    reader: str  # registered name of the reader whose networks play the hands out
    is_adapted: bool = False  # whether that reader shifts them by what it knows of each player
    values: Values | None = None
    answers: tuple[Answers, ...] = ()  # of the opponents to each of the actions; empty until they are worked out
    why_not: str = ""  # one sentence
    # in a tournament whose first place is safe by folding from here on, by which chips
    kept_lead: tuple[Figure, ...] = ()
    is_done: bool = True


class PotEquities(Struct, frozen=True):
    """A pot of an all-in with all cards turned up: its chips, and the equity 0-1 of each seat that can win it."""

    amount: Chips
    equities: dict[Seat, float]


class RunOutPoint(Struct, frozen=True):
    """What an all-in was worth to everybody when the cards lay open, at one street of the run-out."""

    hand_number: int  # as of `PointRanges`
    event_count: int
    observation: HandView  # as of `PointRanges`
    pots: tuple[PotEquities, ...]  # those that more than one seat can win, the main pot first


class ChipSentence(Struct, frozen=True):
    """A sentence with chips in it, which the window writes in its units: `{0}` of the text is the first amount.

    >>> str(ChipSentence("You bought {0}.", (3000,)))
    'You bought 3,000.'
    """

    text: str
    amounts: tuple[Chips, ...]

    def __str__(self) -> str:
        return self.text.format(*(f"{chips:,}" for chips in self.amounts))


class FinishedHand(Struct, frozen=True):
    """A hand that has ended."""

    observation: Observation  # the player's at its end
    traces: tuple[Trace, ...]  # of every bot decision
    hand_id: int | None = None  # its number in the store; None if it is not stored


class SessionResult(Struct, frozen=True, rename={"hero_net": "human_net"}):
    """How a session went, per seat."""

    reason: str  # why it ended, one sentence
    hands: int
    names: dict[Seat, str]
    stacks: dict[Seat, Chips]  # chips at the end
    bought_in: dict[Seat, Chips]  # chips ever brought to the table; net is the difference
    big_blind: Chips
    hero_net: tuple[Chips, ...]  # the player's running net after each hand, in chips
    # place of each seat in a tournament, as it stands; equal results share one. Empty for a cash game.
    places: dict[Seat, int] = {}
    # what each seat wins of a tournament's prizes, in buy-ins; before its end what their chips are worth of them
    prizes: dict[Seat, float] = {}
    has_stacks: bool = True  # whether stacks go on from hand to hand, rather than being reset
    was_study: bool = False  # whether cards were open at any time since the session was begun or resumed
    is_over: bool = True  # whether no further hand can be dealt
    do_blinds_rise: bool = False  # so that `big_blind` is that of the first hands alone
