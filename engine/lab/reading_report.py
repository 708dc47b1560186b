"""A reader's score as a table for people, as JSON, and as the calibration that the app shows."""

from collections.abc import Sequence

import msgspec

from engine.agents.calibration import DECILES, FIRST_HANDS, CalibrationTable
from engine.lab.reading import Gain, ReadingScore, StreetScore, TableReading

_COLUMNS = ("preflop", "flop", "turn", "river", "all")
_NOTHING = "-"


def as_json(score: ReadingScore, source: str, other: str | None = None, gains: Sequence[Gain] = ()) -> str:
    """Return a score as one JSON object: `source`, the fields of `ReadingScore`, and gains on another reader."""
    whole = {"source": source, **msgspec.to_builtins(score)}
    if other is not None:
        whole["gains"] = {"over": other, "groups": msgspec.to_builtins(tuple(gains))}
    return msgspec.json.encode(whole).decode()


def calibration_of(score: ReadingScore, source: str) -> CalibrationTable:
    """Return the calibration over live points, as the app stores and shows it."""
    return CalibrationTable(score.reader, source, score.hands, score.calibration["live"])


def as_table(score: ReadingScore, source: str) -> str:
    """Return a score as aligned text: what a reader loses on each street, and how true its probabilities are."""
    live, everyone = score.live, score.everyone
    table = _aligned(
        [
            (f"Live targets of {source}", _street_rows(live)),
            (
                "With targets that have just folded",
                [
                    ("decision points", [f"{everyone[street].points:,}" for street in _COLUMNS]),
                    ("log-loss, nats", [_number(everyone[street].log_loss) for street in _COLUMNS]),
                    ("  standard error", [_number(everyone[street].stderr) for street in _COLUMNS]),
                ],
            ),
            ("Truth in each tenth of the mass", _decile_rows(score)),
            (
                "Milliseconds per update",
                [
                    ("mean", [_milliseconds(score.update_seconds[street].mean) for street in _COLUMNS]),
                    ("median", [_milliseconds(score.update_seconds[street].median) for street in _COLUMNS]),
                ],
            ),
        ]
    )
    end = f"Reader {score.reader}: {score.hands:,} hands, {score.points:,} decision points."
    if floored := everyone["all"].floored:
        end += f"\n{floored:,} times the true hole cards had less than {score.floor:g}, and count as that."
    return f"{table}\n\n{end}"


def gains_as_table(gains: Sequence[Gain], other: str) -> str:
    """Return gains on another reader as aligned text."""
    first = max(len(gain.group) for gain in gains)
    lines = [f"{'Gain on ' + other + ', nats':<{first}}     points       gain  std. error"]
    lines += [
        f"{gain.group:<{first}}  {gain.points:>9,}  {_number(gain.gain):>9}  {_number(gain.stderr):>10}"
        for gain in gains
    ]
    return "\n".join(lines)


def readings_as_table(readings: Sequence[TableReading]) -> str:
    """Return what readers lose at a table, and how true their probabilities are there, as aligned text."""
    losses, tenths = [], []
    for each in readings:
        scores = [each.score[street] for street in _COLUMNS]
        losses.append((each.reader, [_number(score.log_loss) for score in scores]))
        losses.append((f"{each.reader}, standard error", [_number(score.stderr) for score in scores]))
        for when, found in ((f"first {FIRST_HANDS} hands", each.at_first), ("later", each.later)):
            shares = [_percent(share) for share in found.deciles or (None,) * DECILES]
            tenths.append((f"{each.reader}, {when}", [*shares, f"{found.points:,}"]))
    heads = [f"{10 * tenth}-{10 * tenth + 10}%" for tenth in range(DECILES)]
    return "\n\n".join(
        (
            _aligned([("Log-loss of live targets, nats", losses)]),
            _aligned([("Truth in each tenth of the mass", tenths)], (*heads, "points")),
        )
    )


def _street_rows(scores: dict[str, StreetScore]) -> list[tuple[str, list[str]]]:
    columns = [scores[street] for street in _COLUMNS]
    rows = [
        ("decision points", [f"{score.points:,}" for score in columns]),
        ("log-loss, nats", [_number(score.log_loss) for score in columns]),
        ("  standard error", [_number(score.stderr) for score in columns]),
        ("  entropy expected", [_number(score.entropy) for score in columns]),
    ]
    for z in range(3):
        name = f"category in top {z + 1}"
        rows.append((name, [_percent(score.top_z[z] if score.top_z else None) for score in columns]))
    for name, shares in (
        ("10%", [score.top_10 for score in columns]),
        ("20%", [score.top_20 for score in columns]),
    ):
        rows.append((f"mass in top {name}", [_percent(share.mass if share else None) for share in shares]))
        rows.append((f"  truth in top {name}", [_percent(share.truth if share else None) for share in shares]))
    return rows


def _decile_rows(score: ReadingScore) -> list[tuple[str, list[str]]]:
    found = [score.calibration["live"][street].deciles for street in _COLUMNS]
    return [
        (f"{10 * tenth}-{10 * tenth + 10}%", [_percent(deciles[tenth] if deciles else None) for deciles in found])
        for tenth in range(10)
    ]


def _aligned(sections: list[tuple[str, list[tuple[str, list[str]]]]], heads: Sequence[str] = _COLUMNS) -> str:
    """Put sections below one another, a title and the columns' heads above each, all columns alike."""
    first = max(len(name) for title, rows in sections for name in (title, *dict(rows)))
    parts = []
    for title, rows in sections:
        lines = [(title, list(heads)), *rows]
        parts.append(
            "\n".join(name.ljust(first) + "".join(f"  {cell:>9}" for cell in cells) for name, cells in lines)
        )
    return "\n\n".join(parts)


def _number(value: float | None) -> str:
    return _NOTHING if value is None else f"{value:.4f}"


def _percent(value: float | None) -> str:
    return _NOTHING if value is None else f"{value:.1%}"


def _milliseconds(value: float | None) -> str:
    return _NOTHING if value is None else f"{1000 * value:.3f}"
