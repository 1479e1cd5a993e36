"""Experiments and results that no model was trained for."""

from collections.abc import Mapping, Sequence

from explorer.learning.experiments.definition import (
    Experiment,
    ExperimentControl,
    ExperimentForm,
    ExperimentWay,
    Foretold,
)
from explorer.learning.experiments.results import ExperimentResults, ExperimentRun

FORETOLD = Foretold("new", "old", "excess")
CONTROL = ExperimentControl("nothing is learnt", "Nobody learns.", {"steps": 1})


def experiment(*foretold: Foretold, ways: Sequence[str] = ("old", "new")) -> Experiment:
    """Ways that differ in their number of layers."""
    return Experiment(
        name="made",
        title="Made up",
        claim="New is better.",
        source="Nobody 2026",
        about="Nothing is done.",
        cannot="It shows nothing.",
        measure="excess",
        also=("accuracy",),
        varies=("layers",),
        equal="steps",
        full=ExperimentForm(5, {"steps": 1000}),
        short=ExperimentForm(3, {"steps": 300}),
        ways=tuple(
            ExperimentWay(name, f"the {name} way", {"layers": number})
            for number, name in enumerate(ways, 1)
        ),
        foretold=foretold or (FORETOLD,),
    )


def results(
    measured: Mapping[str, Sequence[float]],
    measure: str = "excess",
    *,
    short: bool = True,
    control: bool = False,
) -> ExperimentResults:
    """A run for each number, from seed 0 on."""
    runs = tuple(
        ExperimentRun(
            *(way, seed, {"seed": seed, "way": way}, 300, 40_000, 2.5e9, {measure: value}, control)
        )
        for way, values in measured.items()
        for seed, value in enumerate(values)
    )
    versions = {"torch": "2.9.1"}
    return ExperimentResults("made", "python -m made", short, "2026-11-29", versions, runs)
