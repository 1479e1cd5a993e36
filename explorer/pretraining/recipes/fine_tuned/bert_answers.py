"""BERT in miniature with a head for answers: start and end of a span, [CLS] where there is none.

Devlin et al. 2019, sections 4.2 and 4.3. What differs from the paper: sizes, the peak of the
learning rate, and that no question is met twice.
"""

from __future__ import annotations

from explorer.pretraining.tasks.fine_tuning import CROSS_ENTROPY, AnswersRecipe, answers_card


class BertAnswersRecipe(AnswersRecipe):
    """Head and objective of the BERT miniature that answers."""

    name = "bert-answers-miniature"
    title = "BERT, answers"
    base = "bert-miniature"
    needs = (base,)
    about = answers_card(
        "BERT", base, "WordPiece, uncased", "BertForQuestionAnswering", CROSS_ENTROPY
    )


RECIPE = BertAnswersRecipe()
