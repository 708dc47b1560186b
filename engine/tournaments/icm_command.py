"""The command `soulread icm`: what stacks are worth in prizes."""

import argparse

from engine.codec import encode
from engine.commands import InputError, Parser, aligned, write
from engine.tournaments.icm import IcmError, PrizeTable, prize_table


def add_icm(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the arguments of `soulread icm`."""
    command = commands.add_parser(
        "icm",
        help="what stacks of a tournament are worth in prizes",
        description="What the stacks of 2 to 10 players are worth in prizes by the independent chip model (ICM), "
        "and which share of the pot each needs to go all-in with each other, nothing else being in the pot.",
    )
    command.add_argument("stacks", nargs="+", type=float, metavar="STACK", help="chips of everybody who is left")
    command.add_argument(
        "--prizes",
        nargs="+",
        type=float,
        required=True,
        metavar="PRIZE",
        help="of the places still to be played for, the first first, in any unit, such as 50 30 20",
    )
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.set_defaults(run=_icm)


def _icm(options: argparse.Namespace) -> int:
    try:
        table = prize_table(options.stacks, options.prizes)
    except IcmError as error:
        raise InputError(str(error)) from error
    write(encode(table).decode() if options.json else _text(table))
    return 0


def _text(table: PrizeTable) -> str:
    chips, prizes = sum(table.stacks), sum(table.prizes)
    rows = [("Player", "Stack", "Of the chips", "Worth", "Of the prizes")]
    for number, (stack, worth) in enumerate(zip(table.stacks, table.worth, strict=True), start=1):
        rows.append((str(number), f"{stack:,g}", f"{stack / chips:.1%}", f"{worth:,.2f}", f"{worth / prizes:.1%}"))
    numbers = [str(number) for number in range(1, len(table.stacks) + 1)]
    needed = [
        ("All-in with", *numbers),
        *(
            (number, *("-" if share is None else f"{share:.1%}" for share in row))
            for number, row in zip(numbers, table.break_even, strict=True)
        ),
    ]
    told = "In each row: the share of the pot that this player needs; in chips alone it is half."
    return f"{aligned(rows)}\n\n{aligned(needed)}\n{told}"
