"""What experiment is to be run, and whether it can be."""

from pathlib import Path

from msgspec import Struct

from engine.agents.styles import FOLD_2017, style_label
from engine.lab.evolution.checkpoint import Header
from engine.lab.experiments.contestants import AGENTS, VARIANTS
from engine.lab.experiments.ensemble.ensemble_run import ENSEMBLE_EXPERIMENTS, lacking
from engine.lab.experiments.experiment import Setting
from engine.lab.experiments.running import ALL_EXPERIMENTS
from engine.words import counted
from trainer.lab.setup_model import processes_of, read_or_usual

_OF_FOLD_ALONE = "fig4"
_OF_PARTS = "fig12"


class ExperimentSetup(Struct, frozen=True):
    """An experiment and how it is run.

    Attributes
    ----------
    name : str
        As `ALL_EXPERIMENTS` has it.
    matches : int
        Of each line-up; 0 for as many as the paper has.
    folder : str
        Where finished matches are kept; "" for the usual place.
    workers : int
        Processes that play; 0 for one fewer than there are cores.
    """

    name: str = "fig11"
    agents: tuple[str, ...] = AGENTS
    matches: int = 0
    is_short: bool = False
    seed: int = 0
    folder: str = ""
    workers: int = 0

    @property
    def setting(self) -> Setting:
        """The same as the engine takes it."""
        return Setting(self.agents, self.matches or None, self.seed, self.is_short)

    @property
    def processes(self) -> int:
        """How many processes play at most."""
        return processes_of(self.workers)

    @property
    def is_of_ensemble(self) -> bool:
        """Whether it is one of the ensemble paper's, which have agents and hands of their own."""
        return self.name in ENSEMBLE_EXPERIMENTS

    @property
    def takes_agents(self) -> bool:
        """Whether it is chosen who is measured."""
        return self.name != _OF_FOLD_ALONE and not self.is_of_ensemble

    @property
    def keeps(self) -> bool:
        """Whether a run that was stopped can go on."""
        return self.name != _OF_FOLD_ALONE

    @property
    def refusal(self) -> str:
        """Why this cannot be run, in one sentence, or ""."""
        if not self.takes_agents:
            return ""
        if not self.agents:
            return "An experiment measures one style or more, and none is chosen."
        if self.name == _OF_PARTS and (unknown := [agent for agent in self.agents if agent not in VARIANTS]):
            known = " and ".join(map(style_label, VARIANTS))
            other = style_label(unknown[0])
            return f"Figure 12 leaves out parts of {known}; it knows of none to leave out of {other}."
        if self.matches == 1:
            return "An experiment has two matches of each line-up or more, not 1."
        return ""


def title_of(name: str) -> str:
    """Return what is measured, after whose paper it is.

    >>> title_of("fig8"), title_of("fig8-evo")[:21]
    ('FOLD · Figure 8: how many matches it takes until the mean ranking is settled', 'A* · Figure 8: mean f')
    """
    return f"{'A*' if name in ENSEMBLE_EXPERIMENTS else 'FOLD'} · {ALL_EXPERIMENTS[name].TITLE}"


def agents_note(setup: ExperimentSetup, folder: Path) -> str:
    """Say who is measured, or of the ensemble paper's what is evolved first since the folder lacks it.

    >>> agents_note(ExperimentSetup("fig4"), Path())
    'It is of FOLD 2017 alone.'
    """
    if setup.is_of_ensemble:
        jobs = lacking(ENSEMBLE_EXPERIMENTS[setup.name], setup.setting, folder)
        if not jobs:
            return "All policies that it takes are there."
        hands = sum(Header(job.target, job.seed, "", job.settings).hands for job in jobs)
        policies = counted(len(jobs), "policy", "policies")
        return f"Evolves first what the folder lacks: {policies}, {hands:,} hands."
    if not setup.takes_agents:
        return f"It is of {style_label(FOLD_2017)} alone."
    return f"Measured: {', '.join(map(style_label, setup.agents)) or 'nobody'}."


def usual_matches(name: str) -> int | None:
    """Return how many matches of each line-up the paper has; None where it has none.

    >>> usual_matches("fig8"), usual_matches("fig4")
    (500, None)
    """
    matches: int | None = getattr(ALL_EXPERIMENTS[name], "MATCHES", None)
    return matches


def read_experiment(text: str) -> ExperimentSetup:
    """Return a setup as `setup_text` wrote it; else the usual one."""
    setup = read_or_usual(text, ExperimentSetup())
    return setup if setup.name in ALL_EXPERIMENTS else ExperimentSetup()
