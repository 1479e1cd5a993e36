"""The bars, which are there while every part is set to zero in turn."""

from explorer.questions.cause.logit_parts.question import QUESTION
from explorer.ui.blocks import page_of_parts

PAGE = page_of_parts(QUESTION, is_live=True)
