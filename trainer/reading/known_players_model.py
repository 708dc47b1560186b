"""The players remembered from session to session, and what is known of them in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.agents.agent import KnownPlayer, PositionGroup
from engine.agents.fold.opponent_model import PlayerCounts, counts_of
from engine.agents.learned.habits import Habit, HabitOdds, Leaning, habits_of, leanings_of
from engine.agents.learned.tilts import LEANINGS
from engine.agents.styles import style_label
from engine.codec import StoredDataError
from engine.foreign_text import printable
from engine.game.formats import HUMAN, SeatConfig
from trainer.storage.players import FROM_FILES, MOST_PLAYERS, StoredPlayer

HEADINGS = ("Player", "Style", ">Choices", "Last met", "Before the flop", "After the flop")
HEADING_TIPS = (
    "",
    "A bot is remembered by name and style: the same name with another style is another player. Who is known from "
    "a file is whoever has that name at a table.",
    "How many of the player's choices were learned from.",
    "When the last session with the player began, or when a file was last learned.",
    "Against most players of the recorded hands that reading was learned from, where enough was seen to be sure: "
    "looser is folding less, more aggressive is raising more rather than calling.",
    "Against most players of those hands: folding to a bet, and betting rather than checking.",
)

_LEAST_CHOICES = 30
"""Of fewer choices, most of what is believed of a player is what others at the table do."""

_LEAST_DIFFERENCE = 1.15
"""Odds nearer to those of most players are called like theirs."""
_LIKE_MOST = 1.5
"""Odds believed to be at most so far from those of most players are known to be like theirs."""
_UNKNOWN = "not known yet"
_WORDS = {
    Habit.ENTERING: ("looser", "tighter"),
    Habit.RAISING: ("more aggressive", "more passive"),
    Habit.STAYING: ("folds less", "folds more"),
    Habit.BETTING: ("bets more", "bets less"),
}
"""What a player of higher and of lower odds is called."""
_SENTENCES = {
    Habit.ENTERING: ("Before the flop: folds {0} where most fold half of the time", True),
    Habit.RAISING: ("raises {0} where most raise half of the time rather than call", False),
    Habit.STAYING: ("After the flop: folds {0} to a bet where most fold half of the time", True),
    Habit.BETTING: ("bets {0} where most bet half of the time rather than check", False),
}
"""How a habit is said with its share, and whether that is the share of not doing it."""
_DEEDS = dict(
    zip(
        LEANINGS,
        (
            "opening before the flop",
            "limping",
            "raising again before the flop",
            "calling a raise before the flop",
            "betting small after the flop",
            "betting some two thirds of the pot",
            "betting the pot and more",
            "calling after the flop",
            "checking after the flop",
        ),
        strict=True,
    )
)
_LEAST_LEANING = 0.3
"""Hands nearer to those expected are not worth a word."""


@dataclass(frozen=True, slots=True)
class KnownRow:
    """A player in the list: `texts` under `HEADINGS`, `details` in two or three sentences."""

    seat: SeatConfig
    texts: tuple[str, ...]
    details: str


def known_rows(players: Sequence[StoredPlayer]) -> tuple[KnownRow, ...]:
    """Return the list in the order of the players."""
    return tuple(map(_row, players))


def _row(player: StoredPlayer) -> KnownRow:
    name = printable(player.seat.name)
    if player.seat.style == FROM_FILES:
        style = "from a file"
    else:
        style = "your seat" if player.seat.style == HUMAN else printable(style_label(player.seat.style))
    known = player.known
    texts = (name, style, f"{max(known.choices, known.counted):,}", f"{player.met:%d %B %Y, %H:%M}")
    counted = _counted(known)
    if counted and not known.model:
        return KnownRow(player.seat, (*texts, *_counted_words(known)), "\n".join(counted))
    try:
        habits = {found.habit: found for found in habits_of(player.known)}
        hands = _of_hands(leanings_of(player.known))
    except StoredDataError:
        details = f"{name}: another version has learned this; the next session begins without it."
        other = "of another version"
        return KnownRow(player.seat, (*texts, other, other), "\n".join([details, *counted]))
    if player.known.choices < _LEAST_CHOICES:
        details = f"{name} is hardly known yet: about {_LEAST_CHOICES} choices say something."
        return KnownRow(player.seat, (*texts, _UNKNOWN, _UNKNOWN), "\n".join([details, *counted]))
    before, after = (Habit.ENTERING, Habit.RAISING), (Habit.STAYING, Habit.BETTING)
    words = (_words([habits[habit] for habit in pair]) for pair in (before, after))
    sentences = ["; ".join(_sentence(habits[habit]) for habit in pair) + "." for pair in (before, after)]
    return KnownRow(player.seat, (*texts, *words), "\n".join(sentences + hands + counted))


def _counts_of(known: KnownPlayer) -> PlayerCounts | None:
    """Return what the paper's reader has counted, if it can be read."""
    try:
        return counts_of(known) if known.counts else None
    except StoredDataError:
        return None


def _counted(known: KnownPlayer) -> list[str]:
    """Say in a sentence what FOLD 2017 begins with, if it has counted anything."""
    counts = _counts_of(known)
    if counts is None:
        return []
    entered, folded = _counted_words(known)
    return [f"FOLD 2017 has counted {known.counted:,} choices in {counts.hands:,} hands: {entered}; {folded}."]


def _counted_words(known: KnownPlayer) -> tuple[str, str]:
    """Say how often a player was counted to enter before the flop, and to fold to bets after it."""
    counts = _counts_of(known) or PlayerCounts()
    entries = [counts.entries(position) for position in PositionGroup]
    entered, dealt = (sum(column) for column in zip(*entries, strict=True))
    folded, faced = counts.bets_faced()
    return (
        f"enters {entered / dealt:.0%} of hands" if dealt else _UNKNOWN,
        f"folds to {folded / faced:.0%} of bets" if faced else _UNKNOWN,
    )


def _of_hands(leanings: Sequence[Leaning]) -> list[str]:
    """Say in a sentence with which hands a player surely does something that others do with other hands, if any."""
    sure = [one for one in leanings if abs(one.strength) >= _LEAST_LEANING and (one.low > 0 or one.high < 0)]
    parts = [
        f"{word} hands than expected when {' or '.join(deeds)}"
        for word, is_better in (("better", True), ("worse", False))
        if (deeds := [_DEEDS[one.deed] for one in sure if (one.strength > 0) is is_better])
    ]
    return [f"{'; '.join(parts)}.".capitalize()] if parts else []


def _words(habits: Sequence[HabitOdds]) -> str:
    """Say what is surely different from most players; otherwise whether anything is known."""
    different = [_WORDS[found.habit][found.odds < 1] for found in habits if _is_different(found)]
    if different:
        return ", ".join(different)
    is_known = all(found.low > 1 / _LIKE_MOST and found.high < _LIKE_MOST for found in habits)
    return "like most" if is_known else _UNKNOWN


def _is_different(found: HabitOdds) -> bool:
    return max(found.odds, 1 / found.odds) >= _LEAST_DIFFERENCE and (found.low > 1 or found.high < 1)


def _sentence(found: HabitOdds) -> str:
    sentence, is_share_of_not = _SENTENCES[found.habit]
    shares = [odds / (1 + odds) for odds in (found.odds, found.low, found.high)]
    share, low, high = (1 - shares[0], 1 - shares[2], 1 - shares[1]) if is_share_of_not else shares
    return sentence.format(f"{share:.0%} ({low:.0%} to {high:.0%})")


def summary(count: int, *, is_on: bool) -> str:
    """Say how many players are remembered, and what that is for."""
    if not is_on:
        kept = "; what is kept stays as it is" if count else ""
        return f"Switched off: every session begins with strangers, and nothing is kept of them{kept}."
    if not count:
        return "Nobody is remembered yet: what is learned of players is kept after every hand."
    are = "is" if count == 1 else "are"
    return (
        f"{count:,} of at most {2 * MOST_PLAYERS} players {are} remembered, by what everybody could see and no "
        "hidden card. Soulread, FOLD, FOLD 2017 and your own panels begin the next session with that."
    )


def question(chosen: Sequence[KnownRow], *, is_all: bool, is_playing: bool) -> str:
    """Ask whether these players are to be forgotten."""
    who = "everybody" if is_all else chosen[0].texts[0] if len(chosen) == 1 else f"these {len(chosen):,} players"
    running = " The session on the table goes on with what it knows." if is_playing else ""
    return f"Forget {who} for good? It cannot be undone.{running}"
