"""ALBERT in miniature with a head for answers, as BERT's.

What differs from Lan et al. 2020, whose end is looked for after each start: both are scored by
themselves, as transformers' class has it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from explorer.pretraining.fine_tuning import CROSS_ENTROPY, AnswersRecipe, answers_card
from explorer.pretraining.recipes import albert


class AlbertAnswersRecipe(AnswersRecipe):
    """Head and objective of the ALBERT miniature that answers."""

    name = "albert-answers-miniature"
    title = "ALBERT, answers"
    base = "albert-miniature"
    needs = (base,)
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
