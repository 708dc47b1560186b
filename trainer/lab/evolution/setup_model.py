"""What is to be evolved, and whether it can be."""

from functools import lru_cache

from msgspec import Struct, structs

from engine.agents.styles import style_label
from engine.lab.evolution.checkpoint import Course, Header
from engine.lab.evolution.settings import SHORT, EvolutionError, EvolutionSettings, parse_settings, settings_text
from engine.lab.evolution.targets import BASE, EXPLOITERS, SCHEDULES, Target
from engine.words import counted
from trainer.lab.setup_model import processes_of, read_or_usual

ALL = "all"
"""Every exploiter, the base, and the library of styles that follows from them."""

CHOICES: dict[str, tuple[Target, ...]] = {
    **{target.name: (target,) for target in (*EXPLOITERS, BASE)},
    ALL: (*EXPLOITERS, BASE),
    **{target.name: (target,) for target in map(Target, [""] * len(SCHEDULES), SCHEDULES) if target != BASE},
}
"""What can be evolved, by its name: one policy or several."""

_STAGES = ("all styles", "O1 to O4, then O5 to O8", "O1 to O4, then all", "O1 to O4, then O5 to O8, then all")
"""Of the base by its schedule, from 1."""


class EvolutionSetup(Struct, frozen=True):
    """What is evolved, and how.

    Attributes
    ----------
    what : str
        As `CHOICES` has it.
    text : str
        Settings as text; "" for the usual ones.
    folder : str
        Where everything is kept; "" for the usual place.
    workers : int
        Processes that play; 0 for one fewer than there are cores.
    """

    what: str = EXPLOITERS[0].name
    text: str = ""
    seed: int = 0
    folder: str = ""
    workers: int = 0

    @property
    def targets(self) -> tuple[Target, ...]:
        """What is evolved, in this order."""
        chosen = CHOICES[self.what]
        return chosen if self.refusal else self.settings.order_of(chosen)

    @property
    def settings(self) -> EvolutionSettings:
        """The settings as the engine takes them; `EvolutionError` if the text has none."""
        return _settings(self.text)

    @property
    def shown_text(self) -> str:
        """The settings as text, the usual ones too."""
        return self.text or settings_text(EvolutionSettings())

    @property
    def refusal(self) -> str:
        """Why this cannot be run, in one sentence, or ""."""
        try:
            _settings(self.text)
        except EvolutionError as error:
            return str(error)
        return ""

    @property
    def is_short(self) -> bool:
        """Whether it is a run that only shows that it works."""
        return not self.refusal and self.settings == SHORT

    @property
    def processes(self) -> int:
        """How many processes play."""
        return processes_of(self.workers)

    def shortened(self, is_short: bool) -> "EvolutionSetup":
        """Return the same with the settings of a short run, or the usual ones."""
        return structs.replace(self, text=settings_text(SHORT) if is_short else "")

    def with_text(self, text: str) -> "EvolutionSetup":
        """Return the same with other settings."""
        return structs.replace(self, text="" if text == settings_text(EvolutionSettings()) else text)

    def of(self, courses: tuple[Course, ...]) -> "EvolutionSetup":
        """Return what goes on with some runs, in the same folder."""
        headers = {course.header.target: course.header for course in courses}
        wanted = {what: courses[0].header.settings.order_of(targets) for what, targets in CHOICES.items()}
        fitting = [what for what, targets in wanted.items() if headers.keys() <= {*targets}]
        least = min(fitting, key=lambda what: len(wanted[what]), default=ALL)
        what = self.what if len(headers) > 1 and headers.keys() >= {*CHOICES[self.what]} else least
        header = headers.get(CHOICES[what][0], courses[0].header)
        return structs.replace(self, what=what, seed=header.seed).with_text(settings_text(header.settings))


@lru_cache(maxsize=8)
def _settings(text: str) -> EvolutionSettings:
    return parse_settings(text, EvolutionSettings()) if text else EvolutionSettings()


def title_of(target: Target) -> str:
    """Write what is evolved for people.

    >>> title_of(Target("o3")), title_of(BASE)
    ('Exploiter of O3', 'Base')
    """
    if target.style:
        return f"Exploiter of {target.style.upper()}"
    return "Base" if target == BASE else f"Base by schedule {target.schedule}"


def words_of(what: str) -> str:
    """Say more about one of `CHOICES`.

    >>> words_of("exploiter-o3")
    'A policy that wins as much as it can from O3 tight-passive, 10%.'
    >>> words_of("base")
    "A policy against all eight styles, in the paper's best order: O1 to O4, then O5 to O8, then all."
    """
    if what == ALL:
        return "Eight exploiters, the base, and the library of styles: all that A* is made of."
    (target,) = CHOICES[what]
    if target.style:
        return f"A policy that wins as much as it can from {style_label(target.style)}."
    best = "in the paper's best order" if target == BASE else "in this order"
    return f"A policy against all eight styles, {best}: {_STAGES[target.schedule - 1]}."


def plan_words(setup: EvolutionSetup) -> str:
    """Say how much there is to be played, "" of what cannot be."""
    if setup.refusal:
        return ""
    settings = setup.settings
    hands = sum(Header(target, setup.seed, "", settings).hands for target in setup.targets)
    policies = counted(len(setup.targets), "policy", "policies")
    if len(setup.targets) > len(CHOICES[setup.what]):
        policies += ", for it begins with the last ones of the base"
    generations = f"{sum(map(settings.generations_of, setup.targets)):,} generations"
    in_all = "in all " if len(setup.targets) > 1 else ""
    return f"{policies}, {in_all}{generations} of {settings.breeding.population:,}: {hands:,} hands."


def read_evolution(text: str) -> EvolutionSetup:
    """Return a setup as `setup_text` wrote it; else the usual one."""
    setup = read_or_usual(text, EvolutionSetup())
    return setup if setup.what in CHOICES else EvolutionSetup()
