"""Layers against layers, with a file of the curves beside that of the matrix."""

from explorer.questions.layers.layer_similarity.question import QUESTION, curves_table
from explorer.text import N_
from explorer.ui.blocks import page_of_parts

PAGE = page_of_parts(
    QUESTION,
    table_name=N_("layers"),
    other_tables={N_("curves"): lambda shown: curves_table(shown.result)},
)
