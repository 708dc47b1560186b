"""What the reasoning panel shows of a policy: its outputs, and how the opponent compares with styles."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from engine.agents.agent import Trace
from engine.agents.evolved.agent import (
    DECISIONS,
    DISTANCE,
    OUTPUT_NAMES,
    SAFE_POLICY,
    SHARE,
    TRUSTED_FROM,
    drawn_output,
)
from engine.agents.value_reasons import percents

_MOST_POINTS: Final = 5_000
_RAISES: Final = ("1/16 pot", "1/4 pot", "1/2 pot", "1 pot", "1½ pots", "3 pots", "6 pots")


@dataclass(frozen=True, slots=True)
class OutputBar:
    """One of up to ten outputs: what it does, how likely, whether it was drawn, and its path in the trace."""

    label: str
    share: float
    text: str
    is_drawn: bool
    path: str


@dataclass(frozen=True, slots=True)
class StyleBar:
    """A style: how far the opponent is from it, how much the policy against it decides, and the distance's path.

    The policy against all styles has no distance, and no style has one as long as nothing was compared.
    """

    label: str
    distance: float | None
    share: float
    text: str
    path: str


@dataclass(frozen=True, slots=True)
class PolicyView:
    """A decision: outputs, styles (none where one policy decides alone), and in words what the mixture rests on."""

    outputs: tuple[OutputBar, ...]
    styles: tuple[StyleBar, ...]
    words: str


def policy_view(trace: Trace) -> PolicyView | None:
    """Return what is shown of a decision; None if no policy made it."""
    values = {figure.name: figure.value for figure in trace.figures}
    if OUTPUT_NAMES[0] not in values:
        return None
    paths = {figure.name: f"figures[{at}]" for at, figure in enumerate(trace.figures)}
    legal = trace.observation.legal
    verb = "raise" if legal is None or legal.call_amount > 0 else "bet"
    passive = "check" if legal is not None and legal.can_check else "call"
    labels = ("fold", passive, *(f"{verb} {size}" for size in _RAISES), "all-in")
    drawn = drawn_output(values)
    given = [(at, name) for at, name in enumerate(OUTPUT_NAMES) if name in values]
    texts = percents([values[name] for _, name in given], "<", ">")
    outputs = tuple(
        OutputBar(labels[at], values[name], text, at == drawn, paths[name])
        for (at, name), text in zip(given, texts, strict=True)
    )
    distances = _distances(values)
    deciding = [style for style in (*distances, SAFE_POLICY) if f"{SHARE}{style}" in values]
    shares = [values[f"{SHARE}{style}"] for style in deciding]
    styles = tuple(
        StyleBar(SAFE_POLICY, None, share, text, paths[f"{SHARE}{style}"])
        if style == SAFE_POLICY
        else StyleBar(
            style.upper(), distances[style] if values[DECISIONS] else None, share, text, paths[f"{DISTANCE}{style}"]
        )
        for style, share, text in zip(deciding, shares, percents(shares, "<", ">"), strict=True)
    )
    is_safe = bool(values.get(f"{SHARE}{SAFE_POLICY}"))
    return PolicyView(outputs, styles, _words(values, distances, is_safe=is_safe) if styles else "")


def _distances(values: Mapping[str, float]) -> dict[str, float]:
    return {name.removeprefix(DISTANCE): value for name, value in values.items() if name.startswith(DISTANCE)}


def _words(values: Mapping[str, float], distances: Mapping[str, float], *, is_safe: bool) -> str:
    """Say what the mixture rests on, and why the policy against all decides if it does."""
    seen, least = values[DECISIONS], values[TRUSTED_FROM]
    if not seen:
        return "Nothing of this player has been compared with the styles yet."
    nearest = min(distances, key=distances.__getitem__)
    words = f"Nearest is {nearest.upper()}, {distances[nearest]:.2f} away, by {seen:,.0f} of their decisions."
    if not is_safe:
        return words
    return f"{words} The policy against all styles decides: that is trusted from {least:,.0f} on."


@dataclass(frozen=True, slots=True)
class TrackView:
    """Distances through a session: the hands, and for each style its distances, in the order of the bars."""

    hands: tuple[int, ...]
    distances: tuple[tuple[float, ...], ...]


class PolicyTrack:
    """Distances of decisions seen so far, by who decided and by whose they are; the last few thousand hands.

    Those of the session on the table are kept until another one is, and those of the one looked at beside it.
    """

    def __init__(self) -> None:
        self._points: dict[Hashable, dict[tuple[str, str], dict[int, tuple[float, ...]]]] = {}

    def begin(self) -> None:
        """Forget the session on the table: another one is."""
        self._points.pop(None, None)

    def add(self, traces: Iterable[Trace], session: Hashable = None) -> None:
        """Add the decisions of a hand of a session, by default of the one on the table."""
        for other in [one for one in self._points if one not in (None, session)] if session is not None else ():
            del self._points[other]
        for trace in traces:
            distances = tuple(
                figure.value for figure in trace.figures if figure.name.startswith(DISTANCE) and figure.count
            )
            if distances:
                points = self._points.setdefault(session, {}).setdefault(_key(trace), {})
                points.setdefault(trace.observation.hand_number, distances)
                if len(points) > _MOST_POINTS:
                    del points[min(points)]

    def view(self, trace: Trace, session: Hashable = None) -> TrackView | None:
        """Return the distances up to a decision, in the eyes of who made it; None for fewer than two hands."""
        points = self._points.get(session, {}).get(_key(trace), {})
        hands = sorted(hand for hand in points if hand <= trace.observation.hand_number)
        if len(hands) < 2:
            return None
        return TrackView(tuple(hands), tuple(zip(*(points[hand] for hand in hands), strict=True)))


def _key(trace: Trace) -> tuple[str, str]:
    observation = trace.observation
    others = (view.name for view in observation.seats if view.seat != observation.seat)
    return observation.me.name, "\n".join(others)
