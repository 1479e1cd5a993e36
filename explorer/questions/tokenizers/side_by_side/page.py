"""One text through every tokenizer; the choice of more tokenizers is painted."""

from explorer.questions.tokenizers.side_by_side.more import more
from explorer.questions.tokenizers.side_by_side.question import QUESTION
from explorer.text import N_
from explorer.ui.blocks import page_of_parts

PAGE = page_of_parts(
    QUESTION,
    {"more": more},
    table_name=N_("pieces"),
    knows_library=True,
)
