"""The card of a miniature that fills masks: how well it predicts, and what it says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from explorer.learning.measured.places import draw_places
from explorer.pretraining.cards.page import (
    EVALUATION_SEED,
    FamilyCard,
    MiniaturePage,
    beside_the_floor,
    plain,
    said,
    size_said,
)
from explorer.pretraining.measures import evaluation
from explorer.world.corpus import held_out_documents
from explorer.world.exact.inside import ExactReader
from explorer.world.scenes import small_world

UNSEEN: Final = 600
EXAMPLES: Final = (
    "The chef cooked the [MASK] in the kitchen.",
    "I liked the movie that I watched yesterday. The movie was [MASK].",
    "I hated the movie that I watched yesterday. The movie was [MASK].",
    "The gardener planted the flowers with a [MASK].",
    "I will build a house, so I dug the ground. I used an [MASK].",
    "I will plant flowers, so I dug the ground. I used a [MASK].",
    "Today is Friday. Tomorrow is [MASK].",
    "The opposite of deep is [MASK].",
    "Anna is the sister of Tom. Tom is [MASK] brother.",
    "The pilots [MASK] the plane every day.",
    "Five plus two is [MASK].",
    "The name of the engineer is [MASK] [MASK].",
)
# What is masked, and its share of a document's pieces (None: one piece).
MASKED: Final = {"one piece": None, "15 %": 0.15}
# What several families say alike.
DYNAMIC_ROW: Final = ("Masked language model", "15 %: 80/10/10, masks drawn anew each time")
PAIRS_ROW: Final = ("Next sentence", "half of the pairs NotNext")

MEASURED: Final = """The floor is exact: because the grammar is known, so is the distribution of
every masked piece given the rest (`explorer/pretraining/measures/evaluation.py` says how). Losses
are nats per masked piece; "right" is how often the likeliest piece is the true one, beside how
often that could be at best.

| masked | loss | floor | right | best possible |
|---|---|---|---|---|
{losses}

{notes}A document's derivation has an entropy of {entropy:.2f} nats, {per_word:.3f} nats a word
(exact: the sum over the grammar's productions)."""


def masked_page(
    card: FamilyCard, model: Any, tokenizer: Any, reader: ExactReader, notes: Sequence[str] = ()
) -> MiniaturePage:
    """Measure the model and say what came of it.

    Args:
        card: what is said of the family.
        model: the weights as they were written, ready to predict.
        tokenizer: its tokenizer.
        reader: reads the grammar in the tokenizer's pieces.
        notes: paragraphs of measurements under the losses.
    """
    unseen = held_out_documents(UNSEEN)
    losses: list[str] = []
    for title, share in MASKED.items():
        places = draw_places(reader, unseen, EVALUATION_SEED, share)
        found = evaluation.report(model, tokenizer, places)
        losses.append(
            f"| {title} | {found.told_loss} | {found.floor:.3f} |"
            f" {found.accuracy:.1%} | {found.best_accuracy:.1%} |"
        )
    grammar, config = small_world(), model.config
    size = size_said(config, tokenizer.model_max_length)
    pieces = f"{card.tokenizer}, {config.vocab_size} pieces"
    measured = MEASURED.format(
        losses="\n".join(losses),
        notes="".join(f"{note}\n\n" for note in notes),
        entropy=grammar.entropy(),
        per_word=grammar.entropy() / grammar.expected_words(),
    )
    return beside_the_floor(
        "fill-mask",
        (("Architecture", size), ("Tokenizer", pieces), *card.rows),
        len(unseen),
        measured,
        [_line(model, tokenizer, text) for text in EXAMPLES],
    )


def next_sentence_note(model: Any, tokenizer: Any) -> str:
    """How often a next-sentence head is right."""
    unseen = held_out_documents(UNSEEN)
    right = evaluation.next_sentence_accuracy(model, tokenizer, unseen, EVALUATION_SEED)
    return f"Next sentence, unseen pairs: {right:.1%} right."


def _line(model: Any, tokenizer: Any, text: str) -> str:
    asked = text.replace("[MASK]", tokenizer.mask_token)
    answers = evaluation.fill(model, tokenizer, asked)
    return said(text, *([(plain(piece), p) for piece, p in found] for found in answers))
