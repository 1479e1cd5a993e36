"""What each state restores; the cells fill while it works."""

from explorer.questions.cause.patching.question import QUESTION
from explorer.ui.blocks import page_of_parts

PAGE = page_of_parts(QUESTION, is_live=True)
