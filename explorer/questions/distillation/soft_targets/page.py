"""A teacher's and a student's distributions side by side, at any temperature."""

from collections.abc import Iterator

from explorer.api.question import Compared
from explorer.document import Document
from explorer.questions.distillation.soft_targets.label_bars import label_bars
from explorer.questions.distillation.soft_targets.parts import LABELS
from explorer.questions.distillation.soft_targets.question import QUESTION
from explorer.questions.distillation.soft_targets.settings import (
    EVERY_WORD,
    ORDER,
    TEMPERATURE,
    WHAT,
    WORDS,
)
from explorer.text import _
from explorer.ui.blocks import Block, Shown, page_of_parts, parts_shown


def labels(shown: Shown) -> Iterator[Block]:
    """One word alone beside both soft labels, at the mask that is looked at."""
    parts = parts_shown(QUESTION, shown)
    (place,) = next(one for one in parts if isinstance(one, Compared)).drawn
    yield label_bars(place.words)


def _word_by_word(document: Document, _result: object) -> dict[str, str]:
    if WHAT.of(document) != EVERY_WORD:
        return {}
    why = _("Word by word, every word is compared as it is, at T = 1.")
    return dict.fromkeys((TEMPERATURE.key, WORDS.key, ORDER.key), why)


PAGE = page_of_parts(QUESTION, {LABELS: labels}, draws_pinned=True, disabled=_word_by_word)
