"""A run of training on screen: its buttons, and what its folder says of it."""

from explorer.questions.learning.run_page import RunButtons, page_of_run
from explorer.questions.learning.train.options import SURE
from explorer.questions.learning.train.question import QUESTION, TrainRequest
from explorer.text import N_

BUTTONS = RunButtons(TrainRequest, SURE, N_("Train"))
PAGE = page_of_run(QUESTION, BUTTONS)
