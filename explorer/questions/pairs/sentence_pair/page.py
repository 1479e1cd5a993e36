"""The page of its parts, with all runs that were measured as a file."""

from explorer.published.pair_objectives import compared, runs_table
from explorer.questions.pairs.sentence_pair.question import QUESTION
from explorer.text import N_
from explorer.ui.blocks import page_of_parts

PAGE = page_of_parts(
    QUESTION,
    other_tables={N_("What each objective teaches"): lambda _shown: runs_table(compared())},
)
