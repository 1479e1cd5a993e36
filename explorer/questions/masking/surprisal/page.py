"""Every token hidden in turn: what its page declares beside its parts."""

from collections.abc import Mapping

from explorer.document import Document
from explorer.questions.masking.hiding import FROM_LEFT
from explorer.questions.masking.surprisal.question import (
    METHOD,
    QUESTION,
    SurprisalResult,
)
from explorer.text import _
from explorer.ui.blocks import page_of_parts


def disabled(_now: Document, result: SurprisalResult) -> Mapping[str, str]:
    """A model that reads from the left has one method."""
    return {} if result.is_pseudo else {METHOD.key: _(FROM_LEFT)}


PAGE = page_of_parts(QUESTION, disabled=disabled, draws_pinned=True)
