"""The claims that are tried here: begun; everything else is done with them as with runs."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from explorer import __version__
from explorer.files.private import make_folder
from explorer.files.typed_paths import unwritable
from explorer.learning.experiments.claim_folder import ClaimFolder, claim_place
from explorer.learning.experiments.definition_file import read_experiment
from explorer.learning.experiments.one_training import plan_as_said
from explorer.learning.runs import run_folder
from explorer.learning.runs.beginning import numbers_of
from explorer.learning.runs.disk_room import refuse_without_room, state_bytes
from explorer.learning.runs.run_folder import PlanFile
from explorer.learning.runs.run_state import RunState, RunStatus
from explorer.learning.runs.trainings import Trainings
from explorer.serialise import to_json


@dataclass(frozen=True)
class Claims:
    """Those of a folder of runs.

    Attributes:
        trainings: The runs, and who trains them.
    """

    trainings: Trainings

    def of(self, claim: str, *, short: bool) -> ClaimFolder | None:
        """A claim's runs of a form; None where it was never begun."""
        one = ClaimFolder(claim_place(self.trainings.folder, claim, short=short))
        return one if one.is_one else None

    def start(self, definition: Path, *, short: bool) -> ClaimFolder:
        """Have a claim tried, after the runs that wait; go on where that was begun before.

        Args:
            definition: Its file.
            short: Its short form.

        Raises:
            UserMistake: It is no definition.
            MachineFault: There is no room for it, or no process can be started.
        """
        found = self.of(definition.stem, short=short)
        if found is not None:
            if found.state.status.is_resting:
                self.trainings.resume(found)
            return found
        experiment = read_experiment(definition)
        largest = max(
            numbers_of(plan_as_said(experiment, way, seed=0, short=short, control=False))
            for way in experiment.ways
        )
        refuse_without_room(self.trainings.folder, state_bytes(largest))
        one = self._made(definition, short=short)
        self.trainings.work()
        return one

    def _made(self, definition: Path, *, short: bool) -> ClaimFolder:
        """A folder that waits; it comes into being whole."""
        place = claim_place(self.trainings.folder, definition.stem, short=short)
        part = ClaimFolder(place.with_name(f".{place.name}"))
        try:
            make_folder(part.place)
            made = datetime.now(UTC).isoformat(timespec="seconds")
            told = to_json(PlanFile(run_folder.FORMAT, __version__, made, definition.stem))
            (part.place / ClaimFolder.written_in).write_text(told, "utf-8")
            shutil.copyfile(definition, part.place / definition.name)
            state = RunState(RunStatus.WAITING, queued=time.time_ns())
            (part.place / run_folder.STATE).write_text(to_json(state), "utf-8")
            part.place.replace(place)
        except OSError as error:
            shutil.rmtree(part.place, ignore_errors=True)
            raise unwritable(place, error) from error
        return ClaimFolder(place)
