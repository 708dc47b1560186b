"""The answer of `soulread odds` as text, Markdown, CSV and JSON: the odds, and the figures of a call or a bet.

Percent and chips for people, numbers from 0 to 1 for programs.
"""

import csv
from collections.abc import Callable, Sequence
from io import StringIO
from typing import Any, Final

import msgspec
from msgspec import Struct

from engine.cards import format_cards
from engine.equity.decisions import BetFigures, CallFigures, figures_of_bet
from engine.equity.outs import OutFigures
from engine.equity.snapshot import Method
from engine.equity.solve import EquitySnapshot
from engine.foreign_text import cell_text, shortened

SHOWN_HAND: Final = 32
"""Characters of a hand or range that a table for people shows."""


class OddsReport(Struct, frozen=True):
    """What a report says: `call`, `bet` and `outs` are the first player's, the cards of `folded` hands are dead."""

    hands: tuple[str, ...]
    answer: EquitySnapshot
    call: CallFigures | None = None
    bet: BetFigures | None = None
    outs: OutFigures | None = None
    folded: tuple[str, ...] = ()


def as_text(report: OddsReport) -> str:
    """Write a table in columns, and lines of figures below."""
    rows = _rows(report)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(
            [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        )
        for row in rows
    ]
    figures = _figures(report)
    width = max((len(name) for name, _ in figures), default=0)
    return "\n".join([*lines, _how(report), *(f"{name.ljust(width)}  {value}" for name, value in figures)])


def as_markdown(report: OddsReport) -> str:
    """Write Markdown tables."""

    def table(rows: Sequence[Sequence[str]]) -> list[str]:
        head, *body = (f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows)
        return [head, f"|:--|{'--:|' * (len(rows[0]) - 1)}", *body]

    figures = _figures(report)
    lines = [*table(_rows(report)), "", _how(report)]
    return "\n".join([*lines, "", *table([("Figure", "Value"), *figures])] if figures else lines)


def as_csv(report: OddsReport) -> str:
    """Write comma-separated values, a line for each player; figures follow an empty line, one on each."""
    answer = report.answer
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["hand", "win", "tie", "equity", "stderr", "win_stderr", "tie_stderr", "method", "count"])
    for hand, player in zip(report.hands, answer.value, strict=True):
        shares = msgspec.structs.astuple(player)
        writer.writerow([cell_text(hand), *map(repr, map(float, shares)), answer.method, answer.count])
    decision = _decision(report)
    if decision:
        text.write("\n")
        writer.writerow(["about", "figure", "value"])
        for about, figures in decision.items():
            writer.writerows([about, figure, value] for figure, value in figures.items() if value is not None)
    return text.getvalue().removesuffix("\n")


def as_json(report: OddsReport) -> str:
    """Write one JSON object; `folded`, `call`, `bet` and `outs` are there if there are such hands and figures."""
    answer = report.answer
    players = [
        {"hand": hand, **msgspec.structs.asdict(player)}
        for hand, player in zip(report.hands, answer.value, strict=True)
    ]
    whole = {"players": players, "method": answer.method, "count": answer.count, "seconds": answer.seconds}
    folded = {"folded": report.folded} if report.folded else {}
    return msgspec.json.encode(whole | folded | _decision(report)).decode()


WRITERS: Final[dict[str, Callable[[OddsReport], str]]] = {
    "text": as_text,
    "markdown": as_markdown,
    "csv": as_csv,
    "json": as_json,
}
"""How a report is written, by the name of the format."""


def _decision(report: OddsReport) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for about, figures in (("call", report.call), ("bet", report.bet), ("outs", report.outs)):
        if figures is not None:
            found[about] = msgspec.structs.asdict(figures)
    if report.outs is not None:
        found["outs"]["cards"] = format_cards(report.outs.cards, " ")
    return found


def _rows(report: OddsReport) -> list[tuple[str, ...]]:
    is_exact = report.answer.method is Method.EXACT
    rows: list[tuple[str, ...]] = [("Hand", "Win", "Tie", "Equity", "Std. error")]
    for hand, player in zip(report.hands, report.answer.value, strict=True):
        shares = [f"{share:.3%}" for share in (player.win, player.tie, player.equity)]
        if not is_exact:
            shares[0] += " " + _error(player.win_stderr)
            shares[1] += " " + _error(player.tie_stderr)
        error = "exact" if is_exact else _error(player.stderr)
        rows.append((shortened(" ".join(hand.split()), SHOWN_HAND), shares[0], shares[1], shares[2], error))
    return rows


def _error(stderr: float) -> str:
    """Write a standard error that does not read as none."""
    return f"±{max(100 * stderr, 0.001):.3f}%"


def _how(report: OddsReport) -> str:
    answer = report.answer
    what = "showdowns counted, exact" if answer.method is Method.EXACT else "deals sampled"
    how = f"{answer.count:,} {what}, {answer.seconds:.3f} s"
    return f"{how}; folded, so dead: {', '.join(report.folded)}" if report.folded else how


def _figures(report: OddsReport) -> list[tuple[str, str]]:
    lines: list[tuple[str, str]] = []
    stderr = report.answer.value[0].stderr
    if report.call is not None:
        lines += [
            ("Pot odds", f"{report.call.odds:.4g} : 1"),
            ("Required equity", f"{report.call.required_equity:.3%}"),
            *([("EV of the call", _ev(report.call, stderr))] if report.call.ev is not None else []),
            ("Minimum defence frequency", f"{report.call.defence_frequency:.3%}"),
        ]
    if report.bet is not None:
        lines += [
            ("Break-even fold equity, bluff", f"{report.bet.bluff_fold_equity:.3%}"),
            *(
                [("Break-even fold equity, this hand", _fold_equity(report.bet, report.call, stderr))]
                if report.bet.fold_equity is not None
                else []
            ),
            ("Minimum defence frequency", f"{report.bet.defence_frequency:.3%}"),
        ]
    if report.outs is not None:
        lines += _lines_of_outs(report.outs)
    return lines


def _fold_equity(bet: BetFigures, call: CallFigures | None, stderr: float) -> str:
    """Write it with half of what it changes by from an equity one error lower to one as much higher."""
    to_call = call.to_call if call is not None else 0.0
    equity, needed = bet.equity or 0.0, bet.fold_equity or 0.0
    ends = [
        figures_of_bet(bet.pot, bet.bet, min(max(equity + off, 0.0), 1.0), to_call).fold_equity or 0.0
        for off in (-stderr, stderr)
    ]
    return f"{needed:.3%}" + (f" {_error((ends[0] - ends[1]) / 2)}" if stderr > 0 else "")


def _ev(call: CallFigures, stderr: float) -> str:
    error = f" ± {max(stderr * (call.pot + call.to_call), 0.01):,.2f}" if stderr > 0 else ""
    return f"{call.ev:+,.2f}{error} chips"


def _lines_of_outs(outs: OutFigures) -> list[tuple[str, str]]:
    count = len(outs.cards)
    listed = f": {format_cards(outs.cards, ' ')}" if count else ""
    lines = [
        ("Outs against any two cards", f"{count}{listed}"),
        ("Next card, exact and by rule of 2", f"{outs.next_card:.3%} and {outs.rule_next_card:.3%}"),
    ]
    if outs.by_river != outs.next_card:
        lines.append(
            (
                "By the river, exact and by rule of 4",
                f"{outs.by_river:.3%} and {outs.rule_by_river:.3%}",
            )
        )
    return lines
