"""Hands in the logs of the Annual Computer Poker Competition (ACPC): a line for each, with all hole cards.

A log names no stakes. They are those of the dealer's own no-limit games, blinds of 50/100 and stacks of 20,000, of
Pluribus's matches 10,000, unless the line has stacks and blinds of its own, as in freezeouts. What it says that
each has won has to come of that. Who posts first has the first seat, and the button the last, in each hand anew.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from engine.cards import HoleCards
from engine.foreign_text import shortened
from engine.game.events import ActionKind, Chips, GameKind
from engine.game.rules import MAX_SEATS, MIN_SEATS
from engine.hand_histories.told import (
    Act,
    Collect,
    Deal,
    NotImportedError,
    Post,
    RefusedError,
    Show,
    Step,
    ToldHand,
    ToldSeat,
    cards_of,
    hole_cards_of,
)
from engine.join.acpc_states import GameDefinition, Streets, Turn, streets_of, turns_of

_LIMIT: Final = "# limit "
"""Before the hands of a fixed-limit match, as not each of them has a raise by which it would be known."""

HEADER: Final = re.compile(rf"^(?:{_LIMIT})?STATE:[0-9]{{1,12}}:", re.MULTILINE)
"""How the line of a hand begins."""

_LINE: Final = re.compile(rf"{HEADER.pattern}.*\n?", re.MULTILINE)
_LIMIT_BETTING: Final = re.compile(r"[fcr/]*r[fcr/]*")
_MATCH_IS_LIMIT: Final = re.compile(rf"^(?:{_LIMIT}|STATE:[0-9]+:[fc/]*r[^0-9])", re.MULTILINE)

_SMALL_BLIND, _BIG_BLIND = 50, 100
_STACK, _STACK_OF_PLURIBUS = 20_000, 10_000
_NUMBERS: Final = re.compile(r"[0-9]{1,12}(?:\|[0-9]{1,12})*")
_RESULTS: Final = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,6})?(?:\|-?[0-9]{1,12}(?:\.[0-9]{1,6})?)*")
_MILLIONTHS: Final = 10**6


def hands_of(text: str) -> Iterator[str]:
    """Yield the line of each hand, after a mark where the match is fixed-limit; the last may go on elsewhere."""
    mark = _LIMIT if _MATCH_IS_LIMIT.search(text) else ""
    for found in _LINE.finditer(text):
        yield found[0] if found[0].startswith(_LIMIT) else f"{mark}{found[0]}"


def told_hand(text: str) -> ToldHand:
    """Return what the line of a hand tells; `NotImportedError` if it is none of no-limit hold'em, or damaged."""
    line = _line_of(text)
    count, game = len(line.names), line.game
    committed = list(game.blinds)
    seats = [
        ToldSeat(number, *player) for number, player in enumerate(zip(line.names, game.stacks, strict=True), 1)
    ]
    steps: list[Step] = [Post(line.names[at], kind, min(blind, game.stacks[at])) for at, kind, blind in game.posts]
    small_blind, big_blind = sorted(game.blinds)[-2:]
    folded: set[int] = set()
    turns = turns_of(game, line.streets)
    has_shown = False
    for number, street in enumerate(line.streets):
        if number:
            # Who is all-in turns up their cards before the rest of the board.
            if not has_shown and not any(line.streets[number:]):
                steps += _shown(line, folded)
                has_shown = True
            steps.append(Deal(cards_of(line.board[number - 1])))
        before = tuple(committed) if number else (0,) * count
        for kind, total in street:
            at = next(turns, Turn(None, 0)).position
            if at is None:
                raise RefusedError("The betting goes on after its end.")
            if kind is ActionKind.FOLD:
                folded.add(at)
            else:
                committed[at] = min(total or max(committed), game.stacks[at])
            is_bet = kind is ActionKind.RAISE
            steps.append(Act(line.names[at], kind, total=total - before[at] if is_bet else 0))
    if not has_shown and len(folded) + 1 < count:
        steps += _shown(line, folded)
    return ToldHand(
        site="ACPC",
        number=f"{line.number}-{line.digest}",
        played=line.played,
        kind=GameKind.CASH,
        table=shortened(", ".join(sorted(line.names)), 80),
        small_blind=small_blind,
        big_blind=big_blind,
        scale=1,
        seats=tuple(seats),
        button=count,
        hole_cards=dict(zip(line.names, line.hole_cards, strict=True)),
        steps=(*steps, *_collected(line, committed)),
        rake=0,
    )


class _Line(NamedTuple):
    """The fields of a line, by position; `results` are in millionths of a chip."""

    number: str
    digest: str
    played: datetime | None
    game: GameDefinition
    streets: Streets
    hole_cards: tuple[HoleCards, ...]
    board: list[str]
    results: tuple[int, ...]
    names: tuple[str, ...]


def _line_of(text: str) -> _Line:
    """Read a line and refuse what is none of no-limit hold'em."""
    line, _, comment = text.removeprefix(_LIMIT).strip().partition(" # ")
    fields = line.split(":")
    if len(fields) not in (6, 8):
        raise NotImportedError("It is cut off, or no line of a finished hand.")
    number, own, (betting, cards, results, players) = fields[1], fields[2:-4], fields[-4:]
    holes, *board = cards.split("/")
    pairs = holes.split("|")
    names = tuple(map(shortened, players.split("|")))
    if all(len(pair) == 2 for pair in pairs):
        game = "Leduc" if board or "/" in betting else "Kuhn"
        raise NotImportedError(f"It is {game} poker, not hold'em.")
    if _LIMIT_BETTING.fullmatch(betting) or text.startswith(_LIMIT):
        raise NotImportedError("It is fixed-limit, not no-limit.")
    streets = streets_of(betting)
    if streets is None:
        raise NotImportedError(f"'{shortened(betting)}' is no betting.")
    count = len(names)
    if not MIN_SEATS <= count <= MAX_SEATS or not count == len(pairs) == results.count("|") + 1:
        raise NotImportedError("It has not cards and a result for each player.")
    if not all(names):
        raise NotImportedError("Its players have no names.")
    if _RESULTS.fullmatch(results) is None:
        raise NotImportedError(f"'{shortened(results)}' is no result.")
    hole_cards = tuple(pair for pair in map(hole_cards_of, pairs) if pair is not None)
    if len(hole_cards) < count:
        raise NotImportedError("Not all hole cards are told.")
    if len(board) != len(streets) - 1:
        raise NotImportedError("Its board is not that of its betting.")
    digest = hashlib.blake2b(line.encode(), digest_size=6).hexdigest()
    won = tuple(_millionths(result) for result in results.split("|"))
    game_played = _game(own, names)
    return _Line(number, digest, _when(comment), game_played, streets, hole_cards, board, won, names)


def _game(own: Sequence[str], names: Sequence[str]) -> GameDefinition:
    """Return the game that is played, by stacks and blinds of the line's own or by those of the dealer's games."""
    count = len(names)
    # Heads-up the button is the second and acts first, with the small blind: "reverse blinds".
    first_players = (1, 0, 0, 0) if count == 2 else (2, 0, 0, 0)
    if own:
        stacks, blinds = map(_numbers, own)
        if not len(stacks) == len(blinds) == count or sum(blind > 0 for blind in blinds) != 2:
            raise NotImportedError("It has not a stack for each player and two blinds.")
        if any(blind > stack for stack, blind in zip(stacks, blinds, strict=True)):
            raise NotImportedError("A blind is more than the stack that posts it.")
        return GameDefinition(stacks, blinds, first_players)
    blinds = (_BIG_BLIND, _SMALL_BLIND) if count == 2 else (_SMALL_BLIND, _BIG_BLIND, *(0,) * (count - 2))
    stack = _STACK_OF_PLURIBUS if "Pluribus" in names else _STACK
    return GameDefinition((stack,) * count, blinds, first_players)


def _numbers(text: str) -> tuple[Chips, ...]:
    if _NUMBERS.fullmatch(text) is None:
        raise NotImportedError(f"'{shortened(text)}' are no stacks or blinds.")
    return tuple(map(int, text.split("|")))


def _millionths(result: str) -> int:
    whole, _, part = result.partition(".")
    value = int(whole.removeprefix("-")) * _MILLIONTHS + int(part.ljust(6, "0"))
    return -value if result.startswith("-") else value


def _shown(line: _Line, folded: set[int]) -> list[Show]:
    return [
        Show(name, cards)
        for at, (name, cards) in enumerate(zip(line.names, line.hole_cards, strict=True))
        if at not in folded
    ]


def _collected(line: _Line, committed: Sequence[Chips]) -> list[Collect]:
    """Return what each got back of what is committed, by the results; a chip that is divided goes to the first."""
    back = [spent * _MILLIONTHS + won for spent, won in zip(committed, line.results, strict=True)]
    # A third of a chip is written with as many digits as there is room for.
    if min(back) < 0 or abs(sum(line.results)) > len(back):
        raise RefusedError("What is said to be won is not what others have lost.")
    chips = [amount // _MILLIONTHS for amount in back]
    winners = [at for at, amount in enumerate(back) if amount]
    odd = sum(committed) - sum(chips)
    if odd >= max(2, len(winners)):
        raise RefusedError("What is said to be won is not what others have lost.")
    for at in winners[:odd]:
        chips[at] += 1
    return [Collect(name, amount) for name, amount in zip(line.names, chips, strict=True) if amount]


def _when(comment: str) -> datetime | None:
    """Return the clock of a line that has one, in seconds since 1970."""
    seconds = comment.partition(" ")[0]
    if re.fullmatch(r"[0-9]{9,10}(?:\.[0-9]{1,9})?", seconds) is None:
        return None
    return datetime.fromtimestamp(int(seconds.partition(".")[0]), UTC).replace(tzinfo=None)
