"""The text that a plan names."""

from __future__ import annotations

from typing import Final

from explorer.api.question import UserMistake
from explorer.learning.plan.choices import Corpus, PairObjective
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.texts.files import FileText
from explorer.learning.texts.prompts import PromptText
from explorer.learning.texts.training_text import LearningText
from explorer.learning.texts.worlds import KoreanText, SmallestWorldText, WorldText
from explorer.text import N_

WORLDS: Final[dict[Corpus, type[LearningText]]] = {
    Corpus.SMALL: SmallestWorldText,
    Corpus.WORLD: WorldText,
    Corpus.KOREAN: KoreanText,
    Corpus.PROMPTS: PromptText,
}


def text_of(plan: TrainingPlan) -> LearningText:
    """The text that a plan names.

    Raises:
        UserMistake: It is a file that can't be read, has too little text, or no pairs.
    """
    if not plan.path:
        world = WORLDS[plan.corpus]
        return world(plan.rho) if issubclass(world, SmallestWorldText) else world()
    text = FileText(plan.path)
    if plan.matters("pairs") and plan.pairs is not PairObjective.NONE and not text.has_pairs:
        raise UserMistake(
            N_(
                "No paragraph of {name} has two sentences to make a pair of: choose no sentence "
                "pairs, or another text."
            ),
            name=text.name,
        )
    return text
