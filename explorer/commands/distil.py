"""`distil`: have a small model learn from another one, and see to the runs that there are."""

from explorer.command_line.run_commands import RunCommand
from explorer.learning.distilling.plan import DistilPlan
from explorer.learning.distilling.presets import PRESETS
from explorer.learning.distilling.teachers.named import with_run
from explorer.text import N_

NAME = "distil"
HELP = N_("have a small model learn from another one")

WHAT = N_(
    "a name for the run, or a plan to begin with ({presets}); without one the run is called by its "
    "teacher"
)
COMMAND = RunCommand(NAME, DistilPlan, PRESETS, "small", WHAT, with_run)
add_arguments, run = COMMAND.add_arguments, COMMAND.run
