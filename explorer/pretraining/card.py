"""The card (README) of a miniature that fills masks: how well it predicts, and what it says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from explorer.pretraining import evaluation
from explorer.pretraining.page import Page, write_page
from explorer.world.corpus import held_out_documents
from explorer.world.inside import ExactReader
from explorer.world.readers import exact_reader
from explorer.world.scenes import small_world

EVALUATION_SEED: Final = 5
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

MEASURED: Final = """The floor is exact: because the grammar is known, so is the distribution of
every masked piece given the rest (`explorer/pretraining/evaluation.py` says how). Losses are nats
per masked piece; "right" is how often the likeliest piece is the true one, beside how often that
could be at best.

| masked | loss | floor | right | best possible |
|---|---|---|---|---|
{losses}

{notes}A document's derivation has an entropy of {entropy:.2f} nats, {per_word:.3f} nats a word
(exact: the sum over the grammar's productions)."""


@dataclass(frozen=True, slots=True)
class Card:
    """What is said of one family.

    Attributes:
        recipe: name on the command line.
        family: as the field calls it.
        tokenizer: kind of tokenizer; the number of pieces is added.
        loads_with: classes of transformers that load it.
        rows: more rows of the table: what, and how.
        notes: paragraphs of measurements under the losses.
    """

    recipe: str
    family: str
    tokenizer: str
    loads_with: str
    rows: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


def write_card(
    card: Card,
    model: Any,
    tokenizer: Any,
    run: Mapping[str, Any],
    reader: ExactReader | None = None,
) -> str:
    """Measure the model and describe it in Markdown.

    Args:
        card: what is said of the family.
        model: the weights as they were written, ready to predict.
        tokenizer: its tokenizer.
        run: steps, seed, minutes, documents, examples, and files (the folder).
        reader: reads the grammar in the tokenizer's pieces (`exact_reader` if not given).
    """
    reader = reader or exact_reader(tokenizer.tokenize)
    unseen = held_out_documents(UNSEEN)
    losses: list[str] = []
    for title, share in (("one piece", None), ("15 %", 0.15)):
        places = evaluation.draw_places(reader, unseen, EVALUATION_SEED, share)
        found = evaluation.report(model, tokenizer, places)
        losses.append(
            f"| {title} | {found.loss:.3f} | {found.floor:.3f} |"
            f" {found.accuracy:.1%} | {found.best_accuracy:.1%} |"
        )
    grammar, config = small_world(), model.config
    size = (
        f"{config.num_hidden_layers} layers, {config.hidden_size} wide,"
        f" {config.num_attention_heads} heads, {tokenizer.model_max_length} positions"
    )
    page = Page(
        recipe=card.recipe,
        family=card.family,
        task="fill-mask",
        loads_with=card.loads_with,
        rows=(
            ("Architecture", size),
            ("Tokenizer", f"{card.tokenizer}, {config.vocab_size} pieces"),
            *card.rows,
        ),
        unseen=len(unseen),
        measured=MEASURED.format(
            losses="\n".join(losses),
            notes="".join(f"{note}\n\n" for note in card.notes),
            entropy=grammar.entropy(),
            per_word=grammar.entropy() / grammar.expected_words(),
        ),
        examples=[describe(model, tokenizer, text) for text in EXAMPLES],
    )
    return write_page(page, model, run)


def describe(model: Any, tokenizer: Any, text: str) -> str:
    """One line of the card: a text and what is predicted for each [MASK]."""
    answers = [
        ", ".join(f"{shown(piece)} {probability:.2f}" for piece, probability in likeliest)
        for likeliest in evaluation.fill(
            model, tokenizer, text.replace("[MASK]", tokenizer.mask_token)
        )
    ]
    return f"- {text}  \n  " + "; then ".join(answers)


def shown(piece: str) -> str:
    """A piece as it is read: without the sign that stands for the space before it."""
    return piece.lstrip("Ġ▁") or "a space"
