"""The command `soulread push`: which hands short stacks go all-in with, where everybody pushes or folds."""

import argparse
from itertools import islice

from engine.codec import encode
from engine.commands import InputError, Parser, Progress, aligned, write
from engine.ranges import format_range
from engine.tournaments.icm import IcmError
from engine.tournaments.push_or_fold import RUNS, PushGame, PushOrFoldError, PushSolution, check_game, faced, solve

_STEP, _DEALS, _MOST_DEALS = 10_000, 400_000, 100_000_000


def add_push(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the arguments of `soulread push`."""
    command = commands.add_parser(
        "push",
        help="which hands short stacks go all-in with, where everybody pushes or folds",
        description="Which hands 2 to 9 players go all-in with where everybody goes all-in or folds: an "
        "equilibrium of chips, or by --prizes of prizes (ICM), from sampled deals. Weights are in steps of 5%.",
    )
    command.add_argument(
        "stacks",
        nargs="+",
        type=float,
        metavar="STACK",
        help="big blinds before anything is posted, in the order of acting: the small and the big blind last; one "
        "number with --players for all",
    )
    command.add_argument("--players", type=int, metavar="N", help="how many have the one stack that is given")
    command.add_argument(
        "--small-blind", type=float, default=0.5, metavar="BB", help="over the big blind (%(default)s)"
    )
    command.add_argument("--ante", type=float, default=0.0, metavar="BB", help="big blinds that everybody posts")
    command.add_argument(
        "--big-blind-ante",
        type=float,
        default=0.0,
        metavar="BB",
        help="that the big blind posts for all",
    )
    command.add_argument(
        "--prizes", nargs="+", type=float, default=[], metavar="PRIZE", help="of the places still to be played for"
    )
    command.add_argument("--deals", type=int, default=_DEALS, metavar="N", help="deals in all (%(default)s)")
    command.add_argument("--seed", type=int, default=0, metavar="N", help="of the deals (%(default)s)")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.set_defaults(run=_push)


def _push(options: argparse.Namespace) -> int:
    stacks = options.stacks
    if options.players is not None:
        if len(stacks) != 1:
            raise InputError("With --players there is one stack, that of everybody.")
        stacks = stacks * min(max(options.players, 0), 100)
    if not 1 <= options.deals <= _MOST_DEALS:
        raise InputError(f"--deals is 1 to {_MOST_DEALS:,}, not {options.deals:,}.")
    if not 0 <= options.seed < 1 << 64:
        raise InputError(f"--seed is 0 to 2^64 - 1, not {options.seed}.")
    game = PushGame(
        stacks_bb=tuple(stacks),
        small_blind_bb=options.small_blind,
        ante_bb=options.ante,
        big_blind_ante_bb=options.big_blind_ante,
        prizes=tuple(options.prizes),
    )
    try:
        check_game(game)
    except (PushOrFoldError, IcmError) as error:
        raise InputError(str(error)) from error
    step = min(_STEP, -(-options.deals // RUNS))
    steps = -(-options.deals // (RUNS * step))
    progress = Progress()
    for solution in islice(solve(game, options.seed, step), steps):
        progress.show(f"{solution.deals:,} of {RUNS * step * steps:,} deals")
    progress.clear()
    write(_json(solution) if options.json else _text(solution))
    return 0


def _rows(solution: PushSolution) -> list[tuple[str, str, float, float, str]]:
    """Return of each player and at most one other who is in both names, the share, its error and the range."""
    names = solution.game.positions
    found = []
    for player, name in enumerate(names):
        for before in faced(len(names), player, 1):
            one = solution.pushing(player, before)
            others = " ".join(names[other] for other in before)
            found.append((name, others, one.fraction, one.fraction_stderr, format_range(one.range)))
    return found


def _text(solution: PushSolution) -> str:
    rows = [
        (name, f"calls {other}" if other else "first in", f"{100 * share:.1f} ± {100 * stderr:.2f}%", hands)
        for name, other, share, stderr, hands in _rows(solution)
    ]
    table = aligned([row[:3] for row in rows], left=2).splitlines()
    lines = (f"{left}  {row[3]}" for left, row in zip(table, rows, strict=True))
    return "\n".join((*lines, f"By {solution.deals:,} deals, whose standard error this is."))


def _json(solution: PushSolution) -> str:
    rows = [
        {"player": name, "all_in_before": other, "share": share, "stderr": stderr, "range": hands}
        for name, other, share, stderr, hands in _rows(solution)
    ]
    return encode({"game": solution.game, "deals": solution.deals, "rows": rows}).decode()
