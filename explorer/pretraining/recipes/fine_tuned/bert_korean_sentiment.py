"""BERT in miniature that judges reviews of films in Korean (Devlin et al. 2019, section 4.1)."""

from __future__ import annotations

from dataclasses import replace

from explorer.pretraining.tasks.film_sentiment import SCHEDULE, SentimentRecipe, sentiment_card


class BertKoreanSentimentRecipe(SentimentRecipe):
    """Head and objective of the Korean BERT miniature that judges."""

    name = "bert-korean-sentiment-miniature"
    title = "BERT, sentiment of films in Korean"
    base = "bert-korean-miniature"
    language = "ko"
    schedule = replace(SCHEDULE, steps=400)
    needs = (base,)
    about = sentiment_card(
        "bert-korean-sentiment",
        "BERT",
        "Korean",
        f"WordPiece of Hangul's syllables, uncased, that of {base}",
        ("Starts from", f"{base}'s weights, and a fresh head"),
        ("Loss", "cross-entropy of the label"),
    )


RECIPE = BertKoreanSentimentRecipe()
