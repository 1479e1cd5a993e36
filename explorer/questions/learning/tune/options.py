"""What is asked beside the plan: a run's name, what is done with it, which errors are read."""

from explorer.questions.learning import run_options
from explorer.text import N_

NAME = run_options.name_of_run("tune", N_("named after its task"))
SURE = run_options.to_be_deleted("tune")
