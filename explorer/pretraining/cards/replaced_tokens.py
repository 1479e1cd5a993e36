"""The card of a discriminator: what it finds of what its generator replaced."""

from __future__ import annotations

from typing import Any, Final

from explorer.learning.measured import detection
from explorer.pretraining.cards.masked import UNSEEN
from explorer.pretraining.cards.page import EVALUATION_SEED, MiniaturePage, said, size_said
from explorer.world.corpus import held_out_documents

TEXTS: Final = (
    "The chef cooked the meal in the kitchen.",
    "The chef cooked the telescope in the kitchen.",
    "The chef painted the meal in the kitchen.",
    "The gardener planted the flowers with a microscope.",
    "I liked the movie that I watched yesterday. The movie was boring.",
    "Today is Friday. Tomorrow is Monday.",
    "The pilots flies the plane every day.",
    "Emma is the sister of Peter. Peter is his brother.",
)

OPENING: Final = """\
The discriminator of {{family}}: {{parameters:,}} parameters that say of every token whether a
generator put it there ({generator}). Trained on the text of a small world that a
grammar writes; it answers about that world and nothing else.
It loads with transformers' own {{loads_with}}."""

FOUND: Final = """\
Measured on {unseen} documents with a sentence that no training text holds. 15 % of the pieces are
masked and drawn from the generator; a draw that hits the original counts as original. All
{tokens:,} pieces are judged, at a threshold of one half.

| | |
|---|---|
| replaced (base rate) | {base:.1%} |
| accuracy | {accuracy:.1%} (always "original": {always:.1%}) |
| precision | {precision:.1%} |
| recall | {recall:.1%} |
| area under the ROC curve | {area:.3f} (chance: 0.5) |

No detector finds everything: a draw that fits as well as the original cannot be told from it."""

SAYS: Final = """\
The probability that a piece was replaced, for the three most suspicious pieces of a text. A text
that contradicts itself does so at both ends, and either may be blamed.

{examples}"""

CLOSING: Final = """\
`curve.json` holds the training curve of both halves: mlm_loss is the generator's, rtd_loss the
discriminator's before its weight, replaced the share of tokens that were."""


def replaced_token_page(
    name: str,
    generator: Any,
    discriminator: Any,
    tokenizer: Any,
    sharing: str,
    weight: float,
) -> MiniaturePage:
    """Measure a discriminator and say what came of it.

    Args:
        name: the folder of its generator.
        generator: whose draws it judges.
        discriminator: the weights as they were written, ready to judge.
        tokenizer: the tokenizer of both.
        sharing: how the two share embeddings.
        weight: the weight of the detection loss.
    """
    unseen = held_out_documents(UNSEEN)
    judged = detection.judge(generator, discriminator, tokenizer, unseen, EVALUATION_SEED)
    found = detection.summarise(judged)
    config = discriminator.config
    size = size_said(config, config.max_position_embeddings)
    pieces = f"WordPiece, uncased, {config.vocab_size} pieces, the same as bert-miniature's"
    objective = f"replaced-token detection over all tokens, {weight:.0f} times the generator's loss"
    finds = FOUND.format(
        unseen=len(unseen),
        tokens=found.tokens,
        base=found.base_rate,
        accuracy=found.accuracy,
        always=1.0 - found.base_rate,
        precision=found.precision,
        recall=found.recall,
        area=found.area,
    )
    examples = "\n".join(describe(discriminator, tokenizer, text) for text in TEXTS)
    return MiniaturePage(
        task="",
        rows=(
            ("Architecture", size),
            ("Tokenizer", pieces),
            ("Objective", objective),
            ("Embeddings", sharing),
        ),
        sections=(("What it finds", finds), ("What it says", SAYS.format(examples=examples))),
        opening=OPENING.format(generator=name),
        closing=CLOSING,
        tells_of_text=False,
    )


def describe(discriminator: Any, tokenizer: Any, text: str) -> str:
    """One line of the card: a text and its three most suspicious pieces."""
    pieces = detection.suspicion(discriminator, tokenizer, text)
    return said(text, sorted(pieces, key=lambda pair: -pair[1])[:3])
