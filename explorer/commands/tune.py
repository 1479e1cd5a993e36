"""`tune`: have a model learn a task of labelled texts, and see to the runs that there are."""

from explorer.command_line.run_commands import RunCommand
from explorer.learning.tuning.base_models import with_run
from explorer.learning.tuning.plan import TuningPlan
from explorer.learning.tuning.presets import PRESETS
from explorer.text import N_

NAME = "tune"
HELP = N_("have a model learn a task of labelled texts")

WHAT = N_(
    "a name for the run, or a plan to begin with ({presets}); without one the run is called by its "
    "task"
)
COMMAND = RunCommand(NAME, TuningPlan, PRESETS, "sentiment", WHAT, with_run)
add_arguments, run = COMMAND.add_arguments, COMMAND.run
