"""`train`: train a small model, and see to the runs that there are."""

from explorer.command_line.run_commands import RunCommand
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.plan.presets import PRESETS
from explorer.text import N_

NAME = "train"
HELP = N_("train a small model, by itself in the background")

WHAT = N_(
    "a name for the run, or a plan to begin with ({presets}); without one the run is called by its "
    "objective"
)
COMMAND = RunCommand(NAME, TrainingPlan, PRESETS, "small", WHAT)
add_arguments, run = COMMAND.add_arguments, COMMAND.run
