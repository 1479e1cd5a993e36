"""What is asked beside the plan: a run's name, what is done with it, which errors are read."""

from explorer.api.question import Entry
from explorer.questions.learning import run_options
from explorer.text import N_

NAME = run_options.name_of_run("tune", N_("named after its task"))
ACT = run_options.act(
    Entry(
        "measure",
        N_("measure a step"),
        N_("Make a few steps that are thrown away, and say how long the whole will take."),
    )
)
SURE = run_options.to_be_deleted("tune")
