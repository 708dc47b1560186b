"""A format in words."""

from engine.game.events import GameKind
from engine.game.formats import GameFormat
from engine.words import counted
from trainer.session.amounts import Units


def summary(game_format: GameFormat) -> str:
    """Say in one line what is played.

    >>> from engine.game.format_file import built_in
    >>> summary(built_in("paper"))
    'Tournament, blinds 20/40, 2,000 chips (50 big blinds), 1 rebuy, 600 hands.'
    """
    one = game_format
    parts = [
        "Cash game" if one.kind == GameKind.CASH else "Tournament",
        f"blinds {one.small_blind:,}/{one.big_blind:,}",
    ]
    if one.straddle:
        parts[-1] += f" and a straddle of {one.straddle:,}"
    if one.ante:
        parts.append(f"{'big-blind ' if one.is_big_blind_ante else ''}ante {one.ante:,}")
    if one.doubles_each_lap:
        parts[-1] += " that double every lap"
    if one.levels:
        parts[-1] += f" to {one.levels[-1]} every {counted(one.hands_per_level, 'hand')}"
    depth = Units(max(one.big_blind, 1), True).number(one.starting_stack)
    again = " at the start of every hand" if one.does_reset_stacks else ""
    parts.append(f"{one.starting_stack:,} chips ({depth} big blinds){again}")
    if one.kind == GameKind.TOURNAMENT and one.rebuys:
        parts.append(counted(one.rebuys, "rebuy"))
    if one.max_hands:
        parts.append(counted(one.max_hands, "hand"))
    if one.raises_to_twice:
        parts.append("raises to twice the bet")
    if one.max_raises:
        parts.append(f"at most {counted(one.max_raises, 'raise')} a street")
    if one.ends_at_half:
        parts.append("until half are out")
    if one.payouts:
        parts.append(f"prizes {'/'.join(map(str, one.payouts))}%")
    if one.least_seats == one.most_seats:
        parts.append(f"{one.most_seats} players")
    elif (one.least_seats, one.most_seats) != (2, 10):
        parts.append(f"{one.least_seats} to {one.most_seats} players")
    return f"{', '.join(parts)}."
