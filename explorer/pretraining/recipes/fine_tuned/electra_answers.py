"""ELECTRA's discriminator in miniature with a head for answers, as BERT's.

What differs from Clark et al. 2020, whose end is looked for after each start: both are scored by
themselves, as transformers' class has it.
"""

from __future__ import annotations

from dataclasses import replace

from explorer.pretraining.tasks.fine_tuning import (
    CROSS_ENTROPY,
    SCHEDULE,
    AnswersRecipe,
    answers_card,
)


class ElectraAnswersRecipe(AnswersRecipe):
    """Head and objective of the ELECTRA miniature that answers."""

    name = "electra-answers-miniature"
    title = "ELECTRA, answers"
    base = "electra-miniature-discriminator"
    needs = ("electra-miniature",)
    # It finds out later than BERT that a question is about one of several stories.
    schedule = replace(SCHEDULE, steps=9000)
    about = answers_card(
        "ELECTRA", base, "WordPiece, uncased", "ElectraForQuestionAnswering", CROSS_ENTROPY
    )


RECIPE = ElectraAnswersRecipe()
