"""What is asked beside the plan: a run's name, sentences that are watched, what is done with it."""

from explorer.api.question import Entry
from explorer.questions.learning import run_options
from explorer.text import N_

RIVALS = "rivals"

NAME = run_options.name_of_run("distil", N_("named after its teacher"))
WATCHED = run_options.watched_sentences("distil")
ACT = run_options.act(Entry(RIVALS, N_("train the students of all three teachers")))
SURE = run_options.to_be_deleted("distil")
FRAME = run_options.frame("distil")
