"""What the page of parts does not say of itself: what options there are, and its files."""

from collections.abc import Mapping

from explorer.api.question import ModelCard
from explorer.document import Document
from explorer.questions.generation.task_layout.layouts import LayoutStyle
from explorer.questions.generation.task_layout.options import MAX_NEW_TOKENS
from explorer.questions.generation.task_layout.question import QUESTION, pieces
from explorer.text import N_
from explorer.ui.blocks import Offer, Shown, page_of_parts


def offers(_now: Document, shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """A model that writes nothing has no longest text."""
    writes = shown is None or shown.result.layouts[0].style is LayoutStyle.T5
    return {MAX_NEW_TOKENS.key: Offer(there=writes)}


PAGE = page_of_parts(
    QUESTION,
    offers=offers,
    table_name=N_("Answers and sequences"),
    other_tables={N_("Pieces"): lambda shown: pieces(shown.result)},
)
