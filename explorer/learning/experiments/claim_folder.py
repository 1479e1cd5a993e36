"""A claim that is tried here, as a folder: its definition, how far it is, its results.

The folder lies beside those of runs, in a folder of its own, and is one to whoever trains: it
waits in the same queue, is paused, cancelled and taken up again in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

from explorer.api.question import UserMistake
from explorer.learning.experiments.definition import Experiment
from explorer.learning.experiments.definition_file import read_experiment
from explorer.learning.experiments.results import ExperimentResults, read_results
from explorer.learning.plan.run_plan import RunPlan
from explorer.learning.runs.run_folder import FORMAT, RunFolder
from explorer.text import N_

CLAIMS: Final = ".claims"
"""The folder of all of them, in that of runs, whose list leaves out what begins so."""
SHORT, WHOLE = "short", "whole"
RESULTS: Final = "results.json"


@dataclass(frozen=True)
class ClaimFolder(RunFolder):
    """A claim's runs, of one form."""

    written_in: ClassVar[str] = "claim.json"

    @property
    def claim(self) -> str:
        """The name of its definition."""
        return self.place.name.rpartition("-")[0]

    @property
    def is_short(self) -> bool:
        """Whether it is the short form."""
        return self.place.name.endswith(f"-{SHORT}")

    @property
    def definition(self) -> Path:
        """The file that says what is tried, as it was when it was begun."""
        return self.place / f"{self.claim}.toml"

    @property
    def experiment(self) -> Experiment:
        """What is tried.

        Raises:
            UserMistake: The definition can't be read.
        """
        return read_experiment(self.definition)

    @property
    def results(self) -> ExperimentResults | None:
        """The runs that are done; None before the first.

        Raises:
            UserMistake: They can't be read.
        """
        path = self.place / RESULTS
        return read_results(path) if path.is_file() else None

    def is_of(self, definition: Path) -> bool:
        """Whether it was begun with a definition as it is now."""
        try:
            return self.definition.read_bytes() == definition.read_bytes()
        except OSError:
            return False

    @property
    def needs(self) -> Sequence[RunPlan]:
        """No other runs.

        Raises:
            UserMistake: It is gone, or is of another version of the program.
        """
        found = self._readable_plan_file()
        if found.format != FORMAT:
            raise UserMistake(
                N_("The runs of {name} were made by another version of the program ({version})."),
                N_("Delete them, and try the claim anew."),
                name=self.claim,
                version=found.program,
            )
        _ = self.experiment
        return ()

    def kept_state(self, way: str, seed: int, *, control: bool) -> Path:
        """The state of a run that is not done yet."""
        return self.place / f"{way}-{seed}{'-control' if control else ''}.pt"


def claim_place(folder: Path, claim: str, *, short: bool) -> Path:
    """Where the runs of a claim lie, there or not.

    Args:
        folder: that of all runs of training.
        claim: the name of its definition.
        short: of which form.
    """
    return folder / CLAIMS / f"{claim}-{SHORT if short else WHOLE}"


def claims_in(folder: Path) -> Sequence[ClaimFolder]:
    """The claims that were tried, of a folder of runs."""
    try:
        places = sorted((folder / CLAIMS).iterdir())
    except OSError:
        return ()
    found = (ClaimFolder(place) for place in places if not place.name.startswith("."))
    return tuple(one for one in found if one.is_one)
