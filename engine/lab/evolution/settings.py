"""What a run of evolution goes by: numbers with defaults, and the text that changes them.

The paper's are 300 generations of 100, and 10,000 deals for each evaluation, with 5 layers of 200 and 300 cells in
its network. Here the network is small and deals are few by default, so that all of it takes hours and not weeks.
"""

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, structs

from engine.agents.evolved.policy import NetworkSettings, PolicyFileError
from engine.lab.evolution.algorithm import Breeding
from engine.lab.evolution.targets import BASE, Target
from engine.settings_text import Setting, SettingsText, SettingsTextError, WrongKindError, toml_value

LIBRARY_VISITS: Final = 15
"""A library keeps the nodes that at least so many hands went through."""


class EvolutionError(SettingsTextError):
    """Evolution that cannot be run like that; the message names the value and the rule in one sentence."""


class Normalisers(StrEnum):
    """What payoffs are divided by: the best one of each generation (eq. 1), or one big blind for all."""

    MOVING = "moving"
    FIXED = "fixed"


class EvolutionSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """What a run goes by.

    Attributes
    ----------
    network : NetworkSettings
    breeding : Breeding
    generations : int
        1 to 10,000.
    exploiter_generations : int
        Of an exploiter, which begins with the survivors of the base of the same seed. 0: as in the paper it begins
        by lot, takes all `generations`, and against aggressive styles stops at the first thing that loses nothing
        (docs/evolution.md has by how much).
    pairs : int
        Deals of an evaluation, each played twice with the hands swapped.
    normalisers : Normalisers
    retest_pairs : int
        Fresh deals on which the survivors of the last generation are compared, and as many others on which the
        best of them is measured.
    library_hands : int
        Hands that an exploiter plays for the library; an even number.
    """

    network: NetworkSettings = NetworkSettings()
    breeding: Breeding = Breeding()
    generations: int = 300
    exploiter_generations: int = 40
    pairs: int = 500
    normalisers: Normalisers = Normalisers.MOVING
    retest_pairs: int = 5000
    library_hands: int = 100_000

    def begins_with_base(self, target: Target) -> bool:
        """Tell whether a target's first generation are survivors of the base, and what becomes of them."""
        return bool(target.style and self.exploiter_generations)

    def generations_of(self, target: Target) -> int:
        """Return how many generations a target takes."""
        return self.exploiter_generations if self.begins_with_base(target) else self.generations

    def order_of(self, targets: Iterable[Target]) -> tuple[Target, ...]:
        """Return what has to be evolved for targets and in which order: the base before what begins with it.

        >>> [target.name for target in EvolutionSettings().order_of([Target("o3")])]
        ['base', 'exploiter-o3']
        >>> [target.name for target in EvolutionSettings(exploiter_generations=0).order_of([Target("o3"), BASE])]
        ['exploiter-o3', 'base']
        """
        wanted = tuple(targets)
        if not any(map(self.begins_with_base, wanted)):
            return wanted
        return (BASE, *(target for target in wanted if target != BASE))


def evolved_by(settings: EvolutionSettings, target: Target) -> str:
    """Say how a target is evolved, but for the network and what follows evolution; the usual is not said.

    >>> evolved_by(EvolutionSettings(pairs=250), BASE)
    '300 generations of 100, 500 hands for each evaluation'
    >>> evolved_by(EvolutionSettings(), Target("o3"))
    "40 generations of 100 from the base's last, 1000 hands for each evaluation"
    """
    others, usual = _breeding_words(settings), _breeding_words(EvolutionSettings())
    differing = [f"{name} {value}" for name, value in others.items() if value != usual[name]]
    generations = settings.generations_of(target)
    evaluated = f"{generations} generation{'' if generations == 1 else 's'} of {settings.breeding.population}"
    if settings.begins_with_base(target):
        evaluated += " from the base's last"
    return ", ".join([evaluated, f"{2 * settings.pairs} hands for each evaluation", *differing])


def _breeding_words(settings: EvolutionSettings) -> dict[str, object]:
    words = structs.asdict(settings.breeding) | {"normalisers": settings.normalisers.value}
    del words["population"]
    return words


SHORT: Final = EvolutionSettings(
    network=NetworkSettings(opponent_width=6, game_width=8, head=(12,)),
    breeding=Breeding(population=40, segment=8),
    generations=40,
    exploiter_generations=20,
    pairs=100,
    retest_pairs=1000,
    library_hands=2000,
)
"""Of `--short`: shows that it works."""


def read_settings(path: str | Path, defaults: EvolutionSettings) -> EvolutionSettings:
    """Read a settings file; what it does not name is as in `defaults`.

    Raises
    ------
    EvolutionError
        If it cannot be read, is no TOML, or a setting is unknown or not what it takes.
    """
    return _TEXT.read(path, lambda text: parse_settings(text, defaults))


def parse_settings(text: str, defaults: EvolutionSettings) -> EvolutionSettings:
    """Return settings from their text; errors as of `read_settings`.

    >>> parse_settings("head = [8]", EvolutionSettings()).network.head
    (8,)
    >>> parse_settings("popullation = 20", EvolutionSettings())
    Traceback (most recent call last):
        ...
    engine.lab.evolution.settings.EvolutionError: 'popullation' is no setting of a run; did you mean 'population'?
    """
    values = _TEXT.values(text)
    parts = {
        part: structs.replace(
            getattr(defaults, part), **{name: values.pop(name) for name in _names(of) if name in values}
        )
        for part, of in (("network", NetworkSettings), ("breeding", Breeding))
    }
    try:
        parts["network"].verify()
    except PolicyFileError as error:
        raise EvolutionError(str(error)) from error
    return structs.replace(defaults, **parts, **values)


def settings_text(settings: EvolutionSettings) -> str:
    """Write settings as text, a line for each.

    >>> settings_text(SHORT).splitlines()[:3]
    ['generations = 40', 'exploiter_generations = 20', 'pairs = 100']
    """
    values = structs.asdict(settings)
    parts = values.pop("breeding"), values.pop("network")
    for part in parts:
        values |= structs.asdict(part)
    return "".join(f"{name} = {toml_value(value)}\n" for name, value in values.items())


def _names(of: type[Struct]) -> tuple[str, ...]:
    return of.__struct_fields__


def _whole(least: int, most: int, step: int = 1) -> Setting:
    def read(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most or value % step:
            raise WrongKindError
        return value

    kind = "a whole number" if step == 1 else "an even number"
    return Setting(f"{kind} from {least:,} to {most:,}", read)


def _number(least: float, most: float) -> Setting:
    def read(value: Any) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
            raise WrongKindError
        return float(value)

    return Setting(f"a number from {least:g} to {most:g}", read)


def _read_widths(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list) or not all(isinstance(one, int) and not isinstance(one, bool) for one in value):
        raise WrongKindError
    return tuple(value)


def _read_normalisers(value: Any) -> Normalisers:
    if value not in list(Normalisers):
        raise WrongKindError
    return Normalisers(value)


_SETTINGS: dict[str, Setting] = {
    "steps": _whole(1, 20),
    "layers": _whole(1, 8),
    "opponent_width": _whole(1, 1000),
    "game_width": _whole(1, 1000),
    "head": Setting("a list of up to four widths of 1 to 1000", _read_widths),
    "feature_scale": _number(0.01, 100),
    "logit_scale": _number(0.01, 100),
    "population": _whole(4, 10_000),
    "survival": _number(0.01, 0.99),
    "first_rate": _number(0, 1),
    "last_rate": _number(0, 1),
    "first_strength": _number(0, 10),
    "last_strength": _number(0, 10),
    "segment": _whole(1, 10_000_000),
    "spread": _number(0.001, 10),
    "generations": _whole(1, 10_000),
    "exploiter_generations": _whole(0, 10_000),
    "pairs": _whole(2, 100_000),
    "normalisers": Setting('"moving" or "fixed"', _read_normalisers),
    "retest_pairs": _whole(2, 1_000_000),
    "library_hands": _whole(2, 10_000_000, 2),
}

_TEXT: Final = SettingsText("run", _SETTINGS, EvolutionError)
