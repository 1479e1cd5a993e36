"""The text that a plan names."""

from __future__ import annotations

from typing import Final

from explorer.learning.plan.choices import Corpus
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.texts.training_text import TrainingText
from explorer.learning.texts.worlds import KoreanText, SmallestWorldText, WorldText

WORLDS: Final[dict[Corpus, type[TrainingText]]] = {
    Corpus.SMALL: SmallestWorldText,
    Corpus.WORLD: WorldText,
    Corpus.KOREAN: KoreanText,
}


def text_of(plan: TrainingPlan) -> TrainingText:
    """The text that a plan names."""
    return WORLDS[plan.corpus]()
