"""The styles to sit at a table with, by name: Soulread, FOLD and rule-based players, each honest and distinct.

FOLD weighs what a reader predicts against thresholds. As "fold" it takes the best reader there is, as "fold-2017"
that of its paper for good, and "fold:uniform" names any registered reader (`engine.agents.readers.READERS`). Its
options (resources/fold_parameters.toml) may be switched there: "fold-2017:draws=off", "fold:uniform,draws=off".
A style of somebody's own has its whole text (`engine.agents.style_file`) in the place of a name: whoever has that
needs no file. Policies of somebody's own stay in theirs (`engine.agents.evolved.own_policies`): "a*:FOLDER" is made
of all in a folder, and the path of one is that alone. People read `style_label` alone.
"""

import os.path
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import lru_cache, partial

from msgspec import Struct

from engine.agents.agent import Agent
from engine.agents.evolved.agent import EvolvedAgent
from engine.agents.evolved.own_policies import BASE, RULES, ensemble_of, read_ensemble, title_of
from engine.agents.evolved.policy import POLICY_ENDING, read_policy
from engine.agents.evolved.seen import SEATS
from engine.agents.evolved.shipped import shipped_ensemble, shipped_policy
from engine.agents.fold.agent import FoldAgent
from engine.agents.fold.parameters import PRINTED, OptionError, default_parameters, with_options
from engine.agents.fold.predict import PaperReader
from engine.agents.learned.beliefs import OF_PROGRAMS
from engine.agents.near_equilibrium.agent import NearEquilibriumAgent
from engine.agents.readers import DEFAULT_READER, make_reader
from engine.agents.rule_based.adapter import Adapter
from engine.agents.rule_based.always import AlwaysAgent, RandomAgent
from engine.agents.rule_based.people import PEOPLE
from engine.agents.rule_based.pool import POOL, PoolWanderer, temper_at
from engine.agents.rule_based.rule_agent import RuleAgent
from engine.agents.rule_based.tempers import TEMPERS
from engine.agents.soulread.agent import SoulreadAgent
from engine.agents.style_file import (
    StyleFileError,
    description,
    is_style_text,
    parse_style,
    read_style,
    style_text,
    temper_of,
)
from engine.foreign_text import shortened
from engine.game.rules import MAX_SEATS
from engine.words import listed


class UnknownStyleError(ValueError):
    """A style's name that is not registered."""


class StyleGroup(StrEnum):
    """What styles have in common, in the words under which they are offered together."""

    READERS = "Readers of hands"
    RULES = "Players by rules"
    PEOPLE = "As people play"
    POOL = "Pool of two axes"
    BLIND = "Blind to the cards"
    EVOLVED = "Evolved against the pool"
    EVOLVED_BY_YOU = "Evolved by you"
    SOLVED = "Solved by regret minimisation"
    OWN = "Your own"


class Intended(Struct, frozen=True):
    """What a style is meant to do, for what is measured to be compared with.

    Attributes
    ----------
    played, raised : tuple of float or None
        Least and most share of hands played, and raised before the flop, as `engine.lab.measured_styles` counts
        them; None where nothing is said of it.
    aggression : str
        How much it raises and how little it calls, in the words of its source; empty where nothing is said of it.
    seats : int
        At a table of so many; None for any.
    """

    played: tuple[float, float] | None = None
    raised: tuple[float, float] | None = None
    aggression: str = ""
    seats: int | None = 6


class Style(Struct, frozen=True):
    """A style that can be seated: title and description (one line) for people, and what makes a player of it.

    `plays` is what the plays are called that it knows by name, of those that play as people do. It plays at tables
    of up to `most_seats`.
    """

    title: str
    description: str
    make: Callable[[], Agent]
    group: StyleGroup = StyleGroup.RULES
    intended: Intended | None = None
    plays: tuple[str, ...] = ()
    most_seats: int = MAX_SEATS


def _person(name: str, title: str, description: str, played: tuple[float, float]) -> Style:
    plays = PEOPLE[name].plays()
    return Style(
        title,
        f"{description} Knows {listed(plays)}.",
        PEOPLE[name],
        StyleGroup.PEOPLE,
        Intended(played),
        plays,
    )


def _pooled(name: str, title: str, aggression: str) -> Style:
    point = POOL[name]
    share = f"{point.played:.0%}"
    return Style(
        f"{name.upper()} {title}, {share}",
        f"Plays {share} of its hands at any table and is {aggression}; of the ensemble paper's pool.",
        partial(RuleAgent, name, temper_at(point)),
        StyleGroup.POOL,
        Intended((point.played, point.played), aggression=aggression, seats=None),
    )


def _ruled(name: str, title: str, description: str, intended: Intended) -> Style:
    return Style(title, description, partial(RuleAgent, name, *TEMPERS[name]), intended=intended)


def _evolved(name: str, policy: str, title: str, description: str) -> Style:
    def make() -> Agent:
        return EvolvedAgent(name, shipped_policy(policy))

    return Style(title, description, make, StyleGroup.EVOLVED, most_seats=SEATS)


def _ensemble(name: str, title: str, description: str) -> Style:
    def make() -> Agent:
        return EvolvedAgent(name, shipped_ensemble(RULES[name]))

    return Style(title, description, make, StyleGroup.EVOLVED, most_seats=SEATS)


SOULREAD = "soulread"
"""The style of the default seat."""

FOLD_2017 = "fold-2017"
"""FOLD with the paper's reader, whichever reader is the default one."""

_READER_SIGN = ":"
"""Stands between FOLD's name and a reader's."""

_FORMER_NAMES = {"fold-paper": FOLD_2017}
"""Names that nothing else has got since; `renamed_style` is for the others."""

STYLES: dict[str, Style] = {
    SOULREAD: Style(
        "Soulread",
        "Works out what every action is worth against you, and takes the best; learns how you play.",
        lambda: SoulreadAgent(SOULREAD),
        StyleGroup.READERS,
    ),
    FoldAgent.style: Style(
        "FOLD",
        "Reads your hand from your actions and weighs its chances; learns how you play.",
        FoldAgent,
        StyleGroup.READERS,
    ),
    FOLD_2017: Style(
        "FOLD 2017",
        "Reads hands as the FOLD paper of 2017 describes it: surer of what you hold than it can be.",
        lambda: FoldAgent(make_reader(PaperReader.name), style=FOLD_2017),
        StyleGroup.READERS,
    ),
    Adapter.style: Style(
        "Adapter",
        "Plays soundly at first, counts what each of you does, and then plays against that.",
        Adapter,
    ),
    "tight-passive": _ruled(
        "tight-passive",
        "Tight-passive",
        "Waits for good hands, calls with them and raises only with the best.",
        Intended((0.1, 0.2), (0.03, 0.1), "passive"),
    ),
    "nit": _ruled(
        "nit",
        "Nit",
        "Plays one hand in twelve six-handed, and gives up to pressure without a very strong one.",
        Intended((0.06, 0.11), (0.03, 0.09), "moderate"),
    ),
    "fit-or-fold": _ruled(
        "fit-or-fold",
        "Fit or fold",
        "Calls to see flops, and folds to any bet there without top pair or a draw; never bluffs.",
        Intended((0.25, 0.4), (0.0, 0.06), "passive before the flop"),
    ),
    "lead keeper": _ruled(
        "lead keeper",
        "Lead keeper",
        "Tight and aggressive; with 1.3 times the average stack, keeps it and plays only the very best hands.",
        Intended((0.12, 0.24), (0.1, 0.22), "aggressive"),
    ),
    "calling station": _ruled(
        "calling station",
        "Calling station",
        "Plays half of all hands, calls far too much and hardly ever raises.",
        Intended((0.4, 0.6), (0.0, 0.06), "extremely passive"),
    ),
    "sticky": _ruled(
        "sticky",
        "Sticky",
        "Sees nearly every flop, and calls any bet after it with an ace, a pair or a draw.",
        Intended((0.75, 0.95), (0.0, 0.12), "extremely passive"),
    ),
    "loose-aggressive": _ruled(
        "loose-aggressive",
        "Loose-aggressive",
        "Plays many hands, raises most of them and keeps betting, sometimes with nothing.",
        Intended((0.2, 0.4), (0.15, 0.35), "aggressive"),
    ),
    "min-raiser": _ruled(
        "min-raiser",
        "Min-raiser",
        "Plays many hands and raises often, always by as little as it may.",
        Intended((0.3, 0.5), (0.2, 0.4), "aggressive"),
    ),
    "maniac": _ruled(
        "maniac",
        "Maniac",
        "Raises almost any hand before the flop and goes on betting with anything.",
        Intended((0.75, 0.95), (0.7, 0.9), "extremely aggressive"),
    ),
    "shover": _ruled(
        "shover",
        "Shover",
        "Goes all-in before the flop with the best fifth of hands, more at a short table, and folds the rest.",
        Intended((0.15, 0.25), (0.12, 0.25), ""),
    ),
    "gear changer": _person(
        "gear changer", "Gear changer", "Plays 24 hands soundly, then 16 hands fast, and so on.", (0.15, 0.4)
    ),
    "tilter": _person(
        "tilter",
        "Tilter",
        "Waits and traps, and raises with nearly anything for 12 hands after losing 20 big blinds or more in one.",
        (0.12, 0.5),
    ),
    "trapper": _person(
        "trapper", "Trapper", "Traps those who bet often, and bets into those who do not.", (0.12, 0.25)
    ),
    "stack player": _person(
        "stack player",
        "Stack player",
        "Pushes when short, leans on everybody with one and a half average stacks, and waits in between.",
        (0.07, 0.14),
    ),
    "floater": _person(
        "floater",
        "Floater",
        "Bluffs until two bets on turn or river in a row went wrong, then plays 20 hands without.",
        (0.15, 0.4),
    ),
    "o1": _pooled("o1", "loose-passive", "extremely passive"),
    "o2": _pooled("o2", "loose-aggressive", "extremely aggressive"),
    "o3": _pooled("o3", "tight-passive", "extremely passive"),
    "o4": _pooled("o4", "tight-aggressive", "extremely aggressive"),
    "o5": _pooled("o5", "loose-passive", "fairly passive"),
    "o6": _pooled("o6", "loose-aggressive", "fairly aggressive"),
    "o7": _pooled("o7", "tight-passive", "fairly passive"),
    "o8": _pooled("o8", "tight-aggressive", "fairly aggressive"),
    PoolWanderer.style: Style(
        "O random",
        "Draws every 500 hands how many hands it plays and how aggressively, between the corners of O1 to O8.",
        PoolWanderer,
        StyleGroup.POOL,
    ),
    "always-fold": Style(
        "Always fold",
        "Folds every hand, unless checking is free.",
        partial(AlwaysAgent, "always-fold"),
        StyleGroup.BLIND,
        Intended((0.0, 0.0), (0.0, 0.0), seats=None),
    ),
    "always-call": Style(
        "Always call",
        "Checks and calls with every hand, whatever it costs.",
        partial(AlwaysAgent, "always-call"),
        StyleGroup.BLIND,
        Intended((1.0, 1.0), (0.0, 0.0), seats=None),
    ),
    "always-raise": Style(
        "Always raise",
        "Bets and raises by the pot with every hand, and calls when it may raise no more.",
        partial(AlwaysAgent, "always-raise"),
        StyleGroup.BLIND,
        Intended((1.0, 1.0), (0.9, 1.0), seats=None),
    ),
    RandomAgent.style: Style(
        "Random", "Takes any legal action without looking at its cards.", RandomAgent, StyleGroup.BLIND
    ),
}
"""Every style by its registered name, in the order in which they are offered; those of a group together."""

POLICIES: dict[str, Style] = (
    {
        "a*": _ensemble(
            "a*",
            "A*",
            "Networks against eight styles, mixed by whom the opponent plays like; else one against all.",
        ),
        "a-int": _ensemble(
            "a-int",
            "A-int",
            "As A*, but always mixed, however little is known.",
        ),
        "a-ave": _ensemble("a-ave", "A-ave", "The average of eight networks, whoever plays."),
    }
    | {
        f"a-tar:{style}": _evolved(
            f"a-tar:{style}",
            style,
            f"A-tar {style.upper()}",
            f"A network that was evolved to exploit {style.upper()}.",
        )
        for style in POOL
    }
    | {
        "a-base": _evolved(
            "a-base", BASE, "A-base", "A network that was evolved against all of O1 to O8, in stages."
        ),
        NearEquilibriumAgent.style: Style(
            "Near-equilibrium",
            "Plays near the equilibrium of a small game with few bet sizes and buckets of hands; learns nothing.",
            NearEquilibriumAgent,
            StyleGroup.SOLVED,
            most_seats=SEATS,
        ),
    }
)
"""Policies that ship with the app, which play heads-up alone, by the name that commands take."""

STYLE_ENDING = ".toml"
"""Of the name of a file with a style of somebody's own."""

AUTOPLAY_STYLE = "tight-passive"
"""The simple policy of a player's seat when it plays by itself: good hands only, raises with the best."""


def registered_name(style: str) -> str:
    """Return the name that a style has in `STYLES` or `POLICIES`, from that or a former one.

    A reader's name or a folder stays behind it. The pool and its policies are also named in capitals, as in their
    paper.

    >>> registered_name("fold-paper"), registered_name("fold:uniform"), registered_name("a stranger")
    ('fold-2017', 'fold:uniform', 'a stranger')
    >>> registered_name("A-tar:O3"), registered_name("O3"), registered_name("A*:Evolved")
    ('a-tar:o3', 'o3', 'a*:Evolved')
    """
    if (small := style.lower()) in POLICIES or small in POOL:
        return small
    name, sign, more = style.partition(_READER_SIGN)
    name = name.lower() if ensemble_of(style) is not None else _FORMER_NAMES.get(name, name)
    return name + sign + more


def named_style(words: str) -> str:
    """Return the style that a command names: a registered name, or the text in the file of somebody's own style.

    Policies of somebody's own stay in their files: their numbers are too many for a name.

    Raises
    ------
    StyleFileError
        If it is a file that is no style, or a folder without all policies.
    """
    name = registered_name(words)
    if (policies := _of_own_policies(name)) is not None:
        policies.make()
        return name
    is_registered = name in POLICIES or name.partition(_READER_SIGN)[0] in STYLES
    if not is_registered and (words.endswith(STYLE_ENDING) or os.path.isfile(words)):
        return style_text(read_style(words))
    return name


def style_of(style: str) -> Style | None:
    """Return what there is to say of a registered style or one of somebody's own; None of any other."""
    if is_style_text(style):
        try:
            return _own(style)
        except StyleFileError:
            return None
    name = registered_name(style)
    return STYLES.get(name) or POLICIES.get(name) or _of_own_policies(name)


def style_name(style: str) -> str:
    """Return what a style goes by in a program: its registered name, or the one that somebody gave their own."""
    return style_label(style) if is_style_text(style) else registered_name(style)


def style_label(style: str) -> str:
    """Write a style's name for people; one that is not registered stays as it is.

    >>> style_label("soulread"), style_label("fold-paper"), style_label("fold:uniform")
    ('Soulread', 'FOLD 2017', 'FOLD (uniform)')
    """
    if is_style_text(style):
        own = style_of(style)
        return own.title if own is not None else "style of another version"
    registered = registered_name(style)
    if (policies := POLICIES.get(registered) or _of_own_policies(registered)) is not None:
        return policies.title
    name, sign, reader = registered.partition(_READER_SIGN)
    if name not in STYLES:
        return style
    return f"{STYLES[name].title} ({reader})" if sign else STYLES[name].title


def most_seats(style: str) -> int:
    """Return at how large a table a style plays.

    >>> most_seats("soulread"), most_seats("a-base"), most_seats("mine.policy")
    (10, 2, 2)
    """
    one = style_of(style)
    return MAX_SEATS if one is None else one.most_seats


def seats_problem(styles: Iterable[str], seats: int) -> str:
    """Return in a sentence why some of the styles cannot sit at a table of so many seats; "" if all can.

    >>> seats_problem(["soulread", "a*"], 3)
    "'A*' plays at 2 seats, and this table has 3."
    """
    for style in styles:
        if most_seats(style) < seats:
            return f"'{style_label(style)}' plays at {most_seats(style)} seats, and this table has {seats}."
    return ""


def make_agent(style: str) -> Agent:
    """Make a player with an empty memory.

    Parameters
    ----------
    style : str
        One of `STYLES` or `POLICIES`, FOLD with reader and options ("fold:uniform,draws=off"), the text of a style
        file, or policies of somebody's own ("a*:FOLDER", or the path of a policy's file).

    Raises
    ------
    UnknownStyleError
        If no style has that name, or FOLD no such option.
    UnknownReaderError
        If FOLD is named with a reader that there is not.
    StyleFileError
        If a text is no style, or a file no policy or library.
    """
    if is_style_text(style):
        return _own(style).make()
    style = registered_name(style)
    if (policies := POLICIES.get(style) or _of_own_policies(style)) is not None:
        return policies.make()
    name, sign, more = style.partition(_READER_SIGN)
    if sign and name in (FoldAgent.style, FOLD_2017):
        return _fold_with(style, name, more.split(","))
    if sign and name in STYLES:
        raise UnknownStyleError(
            f"The style '{name}' takes no reader, and '{style}' names one; '{FoldAgent.style}' does."
        )
    if style not in STYLES:
        known = f"{', '.join(STYLES)}, and heads-up {', '.join(POLICIES)}"
        raise UnknownStyleError(f"There is no style '{shortened(style)}'; there are {known}.")
    return STYLES[style].make()


@lru_cache(maxsize=100)
def _own(text: str) -> Style:
    style = parse_style(text)
    return Style(style.name, description(style), partial(RuleAgent, text, temper_of(style)), StyleGroup.OWN)


def _of_own_policies(style: str) -> Style | None:
    """Return what there is to say of who plays policies of somebody's own; None of any other style."""
    found = ensemble_of(style)
    if found is None and not style.endswith(POLICY_ENDING):
        return None

    def make() -> Agent:
        policies = read_policy(style) if found is None else read_ensemble(found[1], RULES[found[0]])
        return EvolvedAgent(style, policies)

    words = "A network that was evolved." if found is None else POLICIES[found[0]].description
    return Style(title_of(style), words, make, StyleGroup.EVOLVED_BY_YOU, most_seats=SEATS)


def _fold_with(style: str, name: str, words: Sequence[str]) -> Agent:
    """Make FOLD with a reader, if it takes another one, and with options switched."""
    reader = PaperReader.name if name == FOLD_2017 else DEFAULT_READER
    if name == FoldAgent.style and words[0] != PRINTED and "=" not in words[0]:
        reader, words = words[0], words[1:]
    try:
        parameters = with_options(default_parameters(), words)
    except OptionError as error:
        raise UnknownStyleError(f"The style '{style}' cannot be played: {error}") from error
    return FoldAgent(make_reader(reader, parameters, OF_PROGRAMS), parameters, style)
