"""The card of a miniature that reads from the left."""

from __future__ import annotations

from typing import Any, Final

from explorer.learning.measured.floors import compare
from explorer.learning.measured.predictions import predict_next
from explorer.pretraining.cards.page import (
    EVALUATION_SEED,
    FamilyCard,
    MiniaturePage,
    beside_the_floor,
    plain,
    said,
    size_said,
)
from explorer.pretraining.measures.evaluation import standing
from explorer.pretraining.measures.next_place import draw_next_places, go_on, say_next
from explorer.world.corpus import held_out_documents
from explorer.world.exact.inside import ExactReader

UNSEEN: Final = 400
EXAMPLES: Final = (
    "The chef cooked the",
    "I liked the movie that I watched yesterday. The movie was",
    "I hated the movie that I watched yesterday. The movie was",
    "I will build a house, so I dug the ground. I used an",
    "Today is Friday. Tomorrow is",
    "The opposite of deep is",
    "Five plus two is",
    "The name of the engineer is",
)
STORIES: Final = ("First the chef", "Anna lost her key", "The gardener planted")

MEASURED: Final = """The floor is exact: because the grammar is known, so is the distribution of the
next piece given everything before it (`explorer/pretraining/measures/next_place.py` says how).
Losses are nats per piece; "right" is how often the likeliest piece is the true one, beside how
often that could be at best. The first row is what is expected of all that the grammar could go on
with there, the second of the pieces that really stand in these documents.

| asked | loss | floor | right | best possible |
|---|---|---|---|---|
{losses}"""


def next_token_page(
    card: FamilyCard, model: Any, tokenizer: Any, reader: ExactReader
) -> MiniaturePage:
    """Measure the model and say what came of it.

    Args:
        card: what is said of the family.
        model: the weights as they were written, ready to predict.
        tokenizer: its tokenizer.
        reader: reads the grammar in the tokenizer's pieces.
    """
    places = draw_next_places(reader, held_out_documents(UNSEEN), EVALUATION_SEED, "Ġ")
    logs = predict_next(model, tokenizer, places)
    asked = {
        "next piece": compare(tokenizer, places, logs),
        "the piece that stands there": standing(tokenizer, places, logs),
    }
    config = model.config
    size = size_said(config, config.n_positions)
    pieces = f"{card.tokenizer}, {config.vocab_size} pieces"
    stories = "; ".join(f'"{go_on(model, tokenizer, text)}"' for text in STORIES)
    return beside_the_floor(
        "text-generation",
        (("Architecture", size), ("Tokenizer", pieces), *card.rows),
        UNSEEN,
        MEASURED.format(
            losses="\n".join(
                f"| {title} | {found.told_loss} | {found.floor:.3f} |"
                f" {found.accuracy:.1%} | {found.best_accuracy:.1%} |"
                for title, found in asked.items()
            )
        ),
        [
            *(_line(model, tokenizer, text) for text in EXAMPLES),
            f"- Going on with the likeliest piece: {stories}",
        ],
    )


def _line(model: Any, tokenizer: Any, text: str) -> str:
    found = say_next(model, tokenizer, text)
    return said(f"{text} ...", [(plain(piece).removesuffix("</w>"), p) for piece, p in found])
