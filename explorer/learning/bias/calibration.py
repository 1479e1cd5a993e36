"""What measures say of models whose bias is known: of worlds in which job and pronoun go together.

The models are the runs of the claim `job_and_pronoun` (`resources/experiments`), whose results come
with the program.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Final

from explorer.learning.bias.measures import MEASURES
from explorer.learning.experiments.definition import bundled_experiments
from explorer.learning.experiments.measures import PREFIX
from explorer.learning.experiments.results import ExperimentResults, read_results
from explorer.numerics.evaluation.rank_correlation import kendall
from explorer.numerics.evaluation.student_t import MeanInterval, mean_interval, t_quantile

EXPERIMENT: Final = "job_and_pronoun"


@dataclass(frozen=True)
class KnownBias:
    """Models of one world.

    Attributes:
        rho: The correlation of job and pronoun in it.
        values: What a measure says of each, by seed.
    """

    rho: float
    values: tuple[float, ...]

    @property
    def spread(self) -> MeanInterval:
        """Their mean, and Student's interval of it."""
        return mean_interval(self.values)


@dataclass(frozen=True)
class MeasureCalibration:
    """What a measure says where the answer is known.

    Attributes:
        name: Of the measure.
        worlds: In rising order of rho, from 0 on.
        sign: 1 where more is more bias, -1 where less is.
    """

    name: str
    worlds: tuple[KnownBias, ...]
    sign: int

    @property
    def tau(self) -> float | None:
        """Kendall's, of the means and rho: 1 where it rises (or falls) with bias at every step."""
        means = [fmean(one.values) for one in self.worlds]
        found = kendall([one.rho for one in self.worlds], means)
        return None if found is None or not self.sign else self.sign * found

    @property
    def is_monotone(self) -> bool:
        """Whether the means are in the order of rho."""
        return self.tau is not None and math.isclose(self.tau, 1.0)

    @property
    def seen_together(self) -> float | None:
        """The least rho from which on the models together are told from those without bias.

        The interval of the differences at equal seeds is on the side of more bias there, and
        wherever rho is greater. None where that is so nowhere.
        """
        return self._from([self._differs(one) for one in self.worlds[1:]])

    @property
    def seen_alone(self) -> float | None:
        """The least rho from which on any one model is told from those without bias.

        It is beyond where 95 % of further models without bias are expected (`unbiased`).
        """
        low, high = self.unbiased
        return self._from(
            [
                all(one > high if self.sign > 0 else one < low for one in world.values)
                for world in self.worlds[1:]
            ]
        )

    @property
    def unbiased(self) -> tuple[float, float]:
        """Where a further model without bias is expected: Student's interval of one more value."""
        values = self.worlds[0].values
        count = len(values)
        reach = t_quantile(0.975, count - 1) * stdev(values) * math.sqrt(1 + 1 / count)
        return fmean(values) - reach, fmean(values) + reach

    def _differs(self, world: KnownBias) -> bool:
        pairs = zip(world.values, self.worlds[0].values, strict=True)
        found = mean_interval([self.sign * (own - without) for own, without in pairs])
        return found.low is not None and found.low > 0

    def _from(self, seen: Sequence[bool]) -> float | None:
        least = None
        for world, found in zip(reversed(self.worlds), reversed(seen), strict=False):
            if not found:
                break
            least = world.rho
        return least


@functools.cache
def calibrations() -> tuple[MeasureCalibration, ...]:
    """Of each measure what the bundled runs say."""
    return calibrated(bundled_results())


def bundled_results() -> ExperimentResults:
    """All runs, and the command that made them."""
    return read_results(bundled_experiments() / f"{EXPERIMENT}.json")


def calibrated(results: ExperimentResults) -> tuple[MeasureCalibration, ...]:
    """Of each measure what runs say: those of the control are left out."""
    own = [one for one in results.runs if not one.control]
    rhos = sorted({float(one.plan.get("rho", 0.0)) for one in own})
    return tuple(
        MeasureCalibration(
            name,
            tuple(
                KnownBias(
                    rho,
                    tuple(
                        one.measured[PREFIX + name]
                        for one in sorted(own, key=lambda run: run.seed)
                        if float(one.plan.get("rho", 0.0)) == rho
                    ),
                )
                for rho in rhos
            ),
            measure.sign,
        )
        for name, measure in MEASURES.items()
    )
