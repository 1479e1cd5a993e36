"""What is asked beside the plan: a run's name, sentences that are watched, what is done with it."""

from explorer.questions.learning import run_options
from explorer.text import N_

NAME = run_options.name_of_run("train", N_("named after its objective"))
WATCHED = run_options.watched_sentences("train")
SURE = run_options.to_be_deleted("train")
FRAME = run_options.frame("train")
