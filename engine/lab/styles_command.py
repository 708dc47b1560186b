"""The command `soulread styles`: every style with its description, what it is meant to do and what it does."""

import argparse
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from engine.commands import STOPPED, InputError, Parser, Progress, tell, write

if TYPE_CHECKING:
    from engine.agents.styles import Intended, Style
    from engine.figures.mean import Mean
    from engine.lab.measured_styles import FigurePlan, StyleFigures

_SEATS = 2, 6
"""At tables of so many styles are measured if nothing else is asked."""

_HEADINGS = "Style", "Seats", "Hands", "Played", "VPIP", "PFR", "3-bet", "AF", "WTSD", "W$SD", "Meant"
_NOTE = (
    "Percent of the chances of each, with standard errors. Played: of hands in which going on before the flop cost "
    "chips, those gone on with. AF: bets and raises after the flop over calls. Against: {field}."
)


def add_styles(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add the arguments of `soulread styles`."""
    command = commands.add_parser(
        "styles",
        help="all styles of play, and what they are measured to do",
        description="List the styles that can play, each with its description; with --measure count how many hands "
        "they play and raise and how aggressive they are, beside what they are meant to do.",
    )
    command.add_argument(
        "names", nargs="*", metavar="NAME", help="of styles, in quotes, or files of your own (default: all)"
    )
    command.add_argument(
        "--measure", action="store_true", help="measure them, heads-up and where they can at six seats"
    )
    command.add_argument("--hands", type=int, metavar="N", help="to measure each style on (default: 2000)")
    command.add_argument("--seats", type=int, metavar="N", help="measure at tables of so many (default: 2 and 6)")
    command.add_argument(
        "--field",
        metavar="NAMES",
        help="styles to measure them against, with commas between (default: five that play by rules)",
    )
    command.add_argument("--seed", type=int, default=0, metavar="N", help="of the hands (default: 0)")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.set_defaults(run=_styles)


def _styles(options: argparse.Namespace) -> int:
    from engine.agents.styles import POLICIES, STYLES, make_agent, named_style

    try:
        names = [named_style(name) for name in options.names] or list(STYLES | POLICIES)
        for name in names:
            make_agent(name)
        if options.measure:
            return _measure(names, options)
    except ValueError as error:
        raise InputError(str(error)) from error
    for option in ("hands", "seats", "field"):
        if getattr(options, option) is not None:
            raise InputError(f"--{option} is for --measure.")
    write(_as_json([_described(name) for name in names]) if options.json else _listed(names))
    return 0


def _listed(names: list[str]) -> str:
    """Write styles under the names of their groups."""
    from engine.agents.styles import style_label, style_name
    from engine.game.rules import MIN_SEATS

    width = max(len(style_name(name)) for name in names) + 2
    parts = []
    for (group, seats), styles in groupby(names, lambda name: (_style(name).group, _style(name).most_seats)):
        heading = f"{group}, heads-up alone" if seats == MIN_SEATS else group
        lines = [f"  {style_name(name):<{width}}{style_label(name)}: {_style(name).description}" for name in styles]
        parts.append("\n".join([heading, *lines]))
    return "\n\n".join(parts)


def _style(name: str) -> "Style":
    """Return what there is to say of a style; of FOLD the same with any reader and options."""
    from engine.agents.styles import STYLES, style_of

    return style_of(name) or STYLES[name.partition(":")[0]]


def _measure(names: list[str], options: argparse.Namespace) -> int:
    from engine.agents.styles import make_agent, most_seats, named_style, seats_problem, style_name
    from engine.kernels.jit import warm_up
    from engine.lab.measured_styles import DEFAULT_FIELD, DEFAULT_HANDS, FigurePlan, measured

    field: tuple[str, ...] = DEFAULT_FIELD
    if options.field is not None:
        field = tuple(named_style(name.strip()) for name in options.field.split(",") if name.strip())
    hands = DEFAULT_HANDS if options.hands is None else options.hands
    tables = [
        (name, FigurePlan(seats, hands, field, options.seed))
        for name in names
        for seats in (_SEATS if options.seats is None else (options.seats,))
        if options.seats is not None or seats <= most_seats(name)
    ]
    for name, plan in tables:
        plan.verify()
        if problem := seats_problem([name, *field], plan.seats):
            raise InputError(problem)
    for name in field:
        make_agent(name)
    progress, code = Progress(), 0
    found: list[tuple[str, FigurePlan, StyleFigures]] = []
    try:
        warm_up()
        for name, plan in tables:
            for figures in measured(partial(make_agent, name), plan):
                progress.show(f"{style_name(name)}, {plan.seats} seats: {figures.hands:,} of {plan.hands:,} hands")
            found.append((name, plan, figures))
    except KeyboardInterrupt:
        code = STOPPED
    progress.clear()
    if code:
        tell("Stopped.")
    if found:
        write(_as_json([_with_figures(*one) for one in found]) if options.json else _table(found))
    return code


def _table(found: "list[tuple[str, FigurePlan, StyleFigures]]") -> str:
    from engine.agents.styles import style_name
    from engine.commands import aligned

    rows: list[tuple[str, ...]] = [_HEADINGS]
    for name, plan, figures in found:
        style = _style(name)
        shares = (figures.played, figures.vpip, figures.pfr, figures.three_bet)
        ends = (figures.went_to_showdown, figures.won_at_showdown)
        rows.append(
            (
                *(style_name(name), str(plan.seats), f"{figures.hands:,}"),
                *map(_percent, shares),
                _number(figures.aggression, 1, 2),
                *map(_percent, ends),
                _meant(style.intended, plan.seats),
            )
        )
    return "\n\n".join([aligned(rows), _NOTE.format(field=", ".join(map(style_name, found[0][1].field)))])


def _meant(intended: "Intended | None", seats: int) -> str:
    """Say what a style is meant to do at such a table."""
    if intended is None or intended.seats not in (seats, None):
        return ""
    shares = ((intended.played, "played"), (intended.raised, "raised"))
    words = [f"{_between(share)} {what}" for share, what in shares if share is not None]
    return ", ".join([*words, intended.aggression] if intended.aggression else words)


def _between(share: tuple[float, float]) -> str:
    least, most = (f"{100 * value:.0f}" for value in share)
    return f"{least}%" if least == most else f"{least}-{most}%"


def _percent(mean: "Mean | None") -> str:
    return _number(mean, 100, 1)


def _number(mean: "Mean | None", factor: float, digits: int) -> str:
    """Write a mean and its standard error.

    >>> from engine.figures.mean import Mean
    >>> _number(Mean(0.7012, 0.0123, 10), 100, 1), _number(None, 1, 1)
    ('70.1 ±1.2', '-')
    """
    if mean is None:
        return "-"
    error = "" if mean.stderr is None else f" ±{factor * mean.stderr:.{digits}f}"
    return f"{factor * mean.value:.{digits}f}{error}"


def _described(name: str) -> dict[str, Any]:
    from engine.agents.styles import style_label

    style = _style(name)
    return {
        "name": name,
        "title": style_label(name),
        "description": style.description,
        "group": style.group,
        "intended": style.intended,
        "plays": style.plays,
    }


def _with_figures(name: str, plan: "FigurePlan", figures: "StyleFigures") -> dict[str, Any]:
    return {**_described(name), "plan": plan, "figures": figures}


def _as_json(styles: list[dict[str, Any]]) -> str:
    from engine.codec import encode

    return encode({"styles": styles}).decode()
