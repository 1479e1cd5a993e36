"""What a passage is asked: a question that is typed, or the second text."""

from typing import Any

from explorer.api.question.options.options import Words
from explorer.text import N_

PASSAGE_QUESTION = Words(
    N_("Question"),
    "",
    N_("What the text is asked. Empty: the second text is the question."),
    placeholder=N_("Type a question about the text"),
    is_long=True,
    is_input=True,
    key="answer_span.question",
)


def question_of(document: Any) -> str:
    """The question that was typed, or the second text."""
    return PASSAGE_QUESTION.of(document).strip() or (document.pair or "").strip()
