"""The places near a word: an index is only looked for until Run is pressed."""

from explorer.questions.layers.contexts.question import QUESTION
from explorer.ui.blocks import page_of_parts

PAGE = page_of_parts(QUESTION, looks_first=True)
