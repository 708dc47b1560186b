"""Several policies evolved one after another."""

from collections.abc import Iterator, Sequence

import numpy as np

from engine.agents.evolved.policy import StoredPolicy
from engine.lab.evolution.checkpoint import Course
from engine.lab.evolution.run import Job, Tested, evolve, result, write_curve, write_result
from engine.lab.evolution.targets import Target
from engine.lab.matches.sharing import ALONE, Sharing

_CURVE_EVERY = 10
"""Generations, after which a curve is written."""


class Evolution:
    """Jobs done one after another.

    Parameters
    ----------
    jobs : sequence of Job

    Attributes
    ----------
    tested : dict of Target to Tested
        What is finished.

    Raises
    ------
    OtherRunError, EvolutionError
        If a checkpoint is of another run, or damaged.
    """

    def __init__(self, jobs: Sequence[Job]) -> None:
        self.jobs = tuple(jobs)
        found = {job.target: result(job) for job in jobs}
        self.tested: dict[Target, Tested] = {target: one for target, one in found.items() if one is not None}

    @property
    def policies(self) -> dict[Target, StoredPolicy]:
        """The policies that are finished."""
        return {target: tested.policy for target, tested in self.tested.items()}

    def steps(self, sharing: Sharing = ALONE) -> Iterator[Course]:
        """Evolve what is not finished yet, and write policies, curves and tests beside the checkpoints.

        Yields
        ------
        Course
            Of the job that is evolved, after each generation and when it is finished.

        Raises
        ------
        EvolutionError
            If something cannot be written.
        """
        for job in self.jobs:
            if job.target not in self.tested:
                header = job.header
                for curve in evolve(job, sharing):
                    course = Course(header, curve, np.zeros(0))
                    if len(curve) % _CURVE_EVERY == 0:
                        write_curve(job, course)
                    yield course
                tested = result(job)
                assert tested is not None
                self.tested[job.target] = tested
            write_result(job, self.tested[job.target])
            yield self.tested[job.target].course
