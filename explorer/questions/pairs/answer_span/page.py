"""The page of its parts: chances of starts and ends are pictures of its own."""

from collections.abc import Mapping

from explorer.api.question import ModelCard
from explorer.document import Document
from explorer.questions.pairs.answer_span.options import ALIGN, DOC_STRIDE, MAX_SEQ_LEN
from explorer.questions.pairs.answer_span.pictures import starts_and_ends, written
from explorer.questions.pairs.answer_span.question import QUESTION
from explorer.ui.blocks import Offer, Shown, page_of_parts


def offers(_now: Document, shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """An answer that was written is not cut out of windows of the passage."""
    points = shown is None or not shown.result.written
    return {one.key: Offer(there=points) for one in (ALIGN, MAX_SEQ_LEN, DOC_STRIDE)}


PAGE = page_of_parts(
    QUESTION, {"starts_and_ends": starts_and_ends, "written": written}, offers=offers
)
