"""What every layer says through its tuned lens: a lens is only looked for until Run is pressed."""

from explorer.questions.layers.tuned_lens.question import QUESTION
from explorer.ui.blocks import page_of_parts

PAGE = page_of_parts(QUESTION, looks_first=True)
