"""The card of a miniature that judges reviews of films: how often it is right, what it says."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from explorer.pretraining.cards.page import (
    EVALUATION_SEED,
    FamilyCard,
    MiniaturePage,
    said,
    size_said,
)
from explorer.pretraining.measures.sentiment import class_logs, judged, unseen_reviews
from explorer.pretraining.tasks.reviews import LABELS, WORLDS

UNSEEN: Final = 1000
EXAMPLES: Final = {
    "en": (
        "I liked the movie that I watched yesterday. The movie was fun.",
        "I hated the movie that I watched yesterday. The movie was boring.",
        "The movie was fun.",
        "The movie was sad.",
        "The movie was long.",
        "I did not like the movie that I watched yesterday.",
    ),
    "ko": (
        "나는 어제 본 영화를 좋아했다. 영화는 재미있었다.",
        "나는 어제 본 영화를 싫어했다. 영화는 지루했다.",
        "나는 어제 액션 영화를 보았다. 재미있었다.",
        "영화는 슬펐다.",
        "영화는 길었다.",
        "나는 어제 본 영화를 좋아하지 않았다.",
    ),
}

OPENING: Final = """\
{family} with {parameters:,} parameters that says whether somebody liked a film, from what is
written of it. The reviews are of a small world that a grammar writes; it judges such texts and
nothing else. It loads with transformers' own {loads_with}."""

MEASURED: Final = """\
Measured on {unseen:,} reviews of each kind; one text in five, chosen by a hash of it, is in no
training text. What a film was like is said with adjectives that both verdicts use, each to its
share: the grammar says exactly how often the best reader is right, and what it loses. Losses are
nats.

| reviews | right | best possible | loss | floor |
|---|---|---|---|---|
| what a film was like | {short.accuracy:.1%} | {short.best_accuracy:.1%} | {short.loss:.3f} |\
 {short.best_loss:.3f} |
| whole ones | {whole.accuracy:.1%} | | {whole.loss:.3f} | |"""

CLOSING: Final = """\
Seeds are fixed, so texts and their order come out the same; weights do too on the same processor
and version of torch. `curve.json` holds the training curve."""


def sentiment_page(card: FamilyCard, model: Any, tokenizer: Any, language: str) -> MiniaturePage:
    """Measure the model and say what came of it.

    Args:
        card: what is said of the family.
        model: the weights as they were written, ready to judge.
        tokenizer: its tokenizer.
        language: of the reviews, as `WORLDS` has it.
    """
    world = WORLDS[language]()
    short, whole = (
        judged(
            model,
            tokenizer,
            unseen_reviews(world, UNSEEN, EVALUATION_SEED, whole=is_whole),
            None if is_whole else world,
        )
        for is_whole in (False, True)
    )
    logs = class_logs(model, tokenizer, EXAMPLES[language])
    lines = [
        said(text, [(name, float(np.exp(log))) for name, log in zip(LABELS, row, strict=True)])
        for text, row in zip(EXAMPLES[language], logs, strict=True)
    ]
    size = size_said(model.config, tokenizer.model_max_length)
    pieces = f"{card.tokenizer}, {model.config.vocab_size} pieces"
    return MiniaturePage(
        task="text-classification",
        rows=(("Architecture", size), ("Tokenizer", pieces), *card.rows),
        sections=(
            (
                "Judgements beside the best possible",
                MEASURED.format(unseen=UNSEEN, short=short, whole=whole),
            ),
            ("What it says", "\n".join(lines)),
        ),
        opening=OPENING,
        closing=CLOSING,
        tells_of_text=False,
        language=language,
    )
