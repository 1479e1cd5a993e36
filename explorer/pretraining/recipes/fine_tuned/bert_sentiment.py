"""BERT in miniature that judges reviews of films, as in Devlin et al. 2019, section 4.1 (SST-2).

What differs from the paper: sizes, the peak of the learning rate, and that texts are a grammar's.
"""

from __future__ import annotations

from explorer.pretraining.tasks.film_sentiment import SentimentRecipe, sentiment_card


class BertSentimentRecipe(SentimentRecipe):
    """Head and objective of the BERT miniature that judges."""

    name = "bert-sentiment-miniature"
    title = "BERT, sentiment of films"
    base = "bert-miniature"
    needs = (base,)
    about = sentiment_card(
        "bert-sentiment",
        "BERT",
        "English",
        f"WordPiece, uncased, that of {base}",
        ("Starts from", f"{base}'s weights, and a fresh head"),
        ("Loss", "cross-entropy of the label"),
    )


RECIPE = BertSentimentRecipe()
