"""The command `soulread preflop`: which hands players raise, call and fold in a spot before the flop."""

import argparse

from engine.codec import encode
from engine.commands import InputError, Parser, write
from engine.ranges import format_range
from engine.training.spots import OPENING_BB, USUAL_STACK_BB
from engine.training.usual_play import (
    MOST_SEATS,
    Facing,
    Population,
    PreflopSpot,
    SpotError,
    preflop_events,
    spot_text,
    usual_play,
)


def add_preflop(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the arguments of `soulread preflop`."""
    command = commands.add_parser(
        "preflop",
        help="which hands players raise, call and fold in a spot before the flop",
        description="Which hands players of recorded hands raise, call and fold in a spot before the flop, and how "
        "often (docs/reading.md says how true that is). Weights of ranges are in steps of 5%.",
    )
    command.add_argument("position", type=str.upper, help="UTG, HJ, CO, BTN, SB or BB")
    command.add_argument(
        "--facing",
        nargs=2,
        metavar=("WHAT", "POSITION"),
        help="a limp, raise, 3-bet (of your own raise) or 4-bet (of your own 3-bet) by a position, such as: raise "
        "BTN; by default nobody is in",
    )
    command.add_argument(
        "--caller", default="", type=str.upper, metavar="POSITION", help="who has called that raise"
    )
    command.add_argument("--seats", type=int, default=MOST_SEATS, help="2 to 6 (%(default)s)")
    command.add_argument(
        "--stack", type=float, default=USUAL_STACK_BB, metavar="BB", help="everybody's big blinds (%(default)s)"
    )
    command.add_argument(
        "--open", type=float, default=OPENING_BB, metavar="BB", help="what the first raise is to (%(default)s)"
    )
    command.add_argument(
        "--like",
        choices=[one.value for one in Population],
        default=Population.PROFESSIONALS.value,
        help="whose play it is, of tables of 3 to 6 (%(default)s)",
    )
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.set_defaults(run=_preflop)


def _preflop(options: argparse.Namespace) -> int:
    what, other = options.facing or (Facing.NOBODY.value, "")
    if what.lower() not in list(Facing):
        raise InputError(f"One faces a limp, raise, 3-bet or 4-bet, not {what}.")
    spot = PreflopSpot(
        seats=options.seats,
        position=options.position,
        facing=Facing(what.lower()),
        other=other.upper(),
        caller=options.caller,
        stack_bb=options.stack,
        opening_bb=options.open,
        population=Population(options.like),
    )
    try:
        play = usual_play(preflop_events(spot))
    except SpotError as error:
        raise InputError(str(error)) from error
    names = ("fold", "check" if play.can_check else "call", "raise")
    shares = {name: float(share) for name, share in zip(names, play.totals, strict=True)}
    ranges = {names[kind]: format_range(play.range_of(kind)) for kind in (2, 1)}
    if options.json:
        write(encode({"spot": spot, "shares": shares, "ranges": ranges}).decode())
    else:
        lines = [f"{name:5}  {shares[name]:6.1%}  {hands}".rstrip() for name, hands in ranges.items()]
        folds = [] if play.can_check else [f"fold   {shares['fold']:6.1%}  the others"]
        write("\n".join((f"{spot_text(spot)}:", *lines, *folds)))
    return 0
