"""The card of a miniature that chooses what follows a text, beside the best possible."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from explorer.pretraining.cards.page import EVALUATION_SEED, FamilyCard, MiniaturePage, size_said
from explorer.pretraining.measures.choices import (
    ChoiceItem,
    measure,
    scores_of,
    unseen_questions,
)

UNSEEN: Final = 300
"""Questions of each number of choices."""
COUNTS: Final = (2, 4)
EXAMPLES: Final = (
    ChoiceItem("The chef cooked the meal in the kitchen.", ("He used a pan.", "He used a trowel.")),
    ChoiceItem(
        "I liked the movie that I watched yesterday.",
        ("The movie was fun.", "The movie was boring."),
    ),
    ChoiceItem("Today is Friday.", ("Tomorrow is Saturday.", "Tomorrow is Monday.")),
    ChoiceItem(
        "I will build a house, so I dug the ground.",
        ("I used an excavator.", "I used a trowel."),
    ),
)

OPENING: Final = """\
{family} with {parameters:,} parameters that chooses what follows a text of a small world that a
grammar writes. Each choice is read in a sequence of its own, `_start_` text `_delimiter_` choice
`_classify_`, and the head scores the last piece (Radford et al. 2018, section 3.3). It still
predicts next tokens. It loads with transformers' own {loads_with}."""

MEASURED: Final = """\
Measured on {asked} questions of each kind about different documents, each with a sentence that is
in no training text. One choice is what stood behind the cut, the others are what other texts have
from one of their sentences on; these may follow as well. What could be known at best is exact: the
grammar says how probable it is that a text follows another (`explorer/world/exact/pairs.py`).
Losses are nats.

| choices | right | best possible | loss | floor |
|---|---|---|---|---|
{rows}"""

CLOSING: Final = """\
Seeds are fixed, so texts, cuts and their order come out the same; weights do too on the same
processor and version of torch. `curve.json` holds the training curve."""


def choices_page(
    card: FamilyCard, model: Any, tokenizer: Any, opening: str = OPENING
) -> MiniaturePage:
    """Measure the model and say what came of it.

    Args:
        card: what is said of the family.
        model: the weights as they were written, ready to choose.
        tokenizer: its tokenizer.
        opening: how it reads a choice.
    """
    config = model.config
    size = size_said(config, tokenizer.model_max_length)
    found = [
        measure(model, tokenizer, unseen_questions(UNSEEN, count, EVALUATION_SEED))
        for count in COUNTS
    ]
    rows = "\n".join(
        f"| {one.choices} | {one.accuracy:.1%} | {one.best_accuracy:.1%} | {one.loss:.3f} |"
        f" {one.best_loss:.3f} |"
        for one in found
    )
    return MiniaturePage(
        task="",
        rows=(
            ("Architecture", size),
            ("Tokenizer", f"{card.tokenizer}, {config.vocab_size} pieces"),
            *card.rows,
        ),
        sections=(
            ("Choices beside the best possible", MEASURED.format(asked=UNSEEN, rows=rows)),
            ("What it says", "\n".join(_line(model, tokenizer, one) for one in EXAMPLES)),
        ),
        opening=opening,
        closing=CLOSING,
    )


def _line(model: Any, tokenizer: Any, question: ChoiceItem) -> str:
    scores = np.array(scores_of(model, tokenizer, question))
    chances = np.exp(scores - np.logaddexp.reduce(scores))
    told = ", ".join(
        f"“{choice}” {p:.2f}" for choice, p in zip(question.choices, chances, strict=True)
    )
    return f"- {question.context}  \n  {told}"
