"""ALBERT in miniature with a head for answers, as BERT's.

What differs from Lan et al. 2020, whose end is looked for after each start: both are scored by
themselves, as transformers' class has it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from explorer.pretraining.recipes.encoders import albert
from explorer.pretraining.tasks.fine_tuning import (
    CROSS_ENTROPY,
    SCHEDULE,
    AnswersRecipe,
    answers_card,
)


class AlbertAnswersRecipe(AnswersRecipe):
    """Head and objective of the ALBERT miniature that answers."""

    name = "albert-answers-miniature"
    title = "ALBERT, answers"
    base = "albert-miniature"
    needs = (base,)
    # One layer's weights for all need three times as long as others to tell stories apart.
    schedule = replace(SCHEDULE, steps=17_000, restarts=((6000, 6e-4), (12_000, 5e-4)))
    about = answers_card(
        "ALBERT",
        base,
        "SentencePiece unigram, uncased",
        "AlbertForQuestionAnswering",
        CROSS_ENTROPY,
    )

    def finish(self, model: Any, tokenizer: Any, out: Path) -> None:
        """Add SentencePiece's own file."""
        albert.RECIPE.finish(model, tokenizer, out)


RECIPE = AlbertAnswersRecipe()
