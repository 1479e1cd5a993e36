"""Cards of a generator and its discriminator: the loss beside the floor, and what is found."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from explorer.pretraining import card, detection
from explorer.pretraining.card import EVALUATION_SEED, UNSEEN
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

PAGE: Final = """---
language: en
license: mit
library_name: transformers
---

# {name}

The discriminator of {family}: {parameters:,} parameters that say of every token whether a
generator put it there ({generator}). Trained on the text of a small world that a
grammar writes; it answers about that world and nothing else.
{loads}

| | |
|---|---|
| Architecture | {layers} layers, {width} wide, {heads} heads, {length} positions |
| Tokenizer | WordPiece, uncased, {vocabulary} pieces, the same as bert-miniature's |
| Objective | replaced-token detection over all tokens, {weight:.0f} times the generator's loss |
| Embeddings | {sharing} |
| Training | {steps:,} steps of {batch} texts, {minutes:.0f} minutes by the clock, in one thread |
| Weights | float16, {megabytes:.1f} MB in all |

## What it finds

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

No detector finds everything: a draw that fits as well as the original cannot be told from it.

## What it says

The probability that a piece was replaced, for the three most suspicious pieces of a text. A text
that contradicts itself does so at both ends, and either may be blamed.

{examples}

## How to rebuild

```
python -m explorer.pretraining {command}
```

`curve.json` holds the training curve of both halves: mlm_loss is the generator's, rtd_loss the
discriminator's before its weight, replaced the share of tokens that were.
"""


def write_card(about: card.Card, sharing: str, weight: float, run: Mapping[str, Any]) -> str:
    """Measure one half and describe it in Markdown.

    Args:
        about: what is said of the family; ``loads_with`` is the half's own.
        sharing: how the two share embeddings.
        weight: the weight of the detection loss.
        run: as `publish` gives it, with the tokenizer and both halves in ``parts``.
    """
    generator = run["parts"]["-generator"]
    tokenizer = run["tokenizer"]
    if run["part"] == "-generator":
        return card.write_card(about, generator, tokenizer, run)
    discriminator = run["parts"][run["part"]]
    unseen = held_out_documents(UNSEEN)
    judged = detection.judge(generator, discriminator, tokenizer, unseen, EVALUATION_SEED)
    found = detection.summarise(judged)
    folder: Path = run["files"]
    partner = folder.name.removesuffix(run["part"]) + "-generator"
    weights = sum(file.stat().st_size for file in folder.iterdir() if file.name != "README.md")
    config = discriminator.config
    return PAGE.format(
        name=folder.name,
        family=about.family,
        parameters=sum(p.numel() for p in discriminator.parameters()),
        generator=partner,
        loads=f"It loads with transformers' own {about.loads_with}.",
        layers=config.num_hidden_layers,
        width=config.hidden_size,
        heads=config.num_attention_heads,
        length=config.max_position_embeddings,
        vocabulary=config.vocab_size,
        weight=weight,
        sharing=sharing,
        steps=run["steps"],
        batch=run["examples"],
        minutes=run["minutes"],
        megabytes=weights / 1e6,
        unseen=len(unseen),
        tokens=found.tokens,
        base=found.base_rate,
        accuracy=found.accuracy,
        always=1.0 - found.base_rate,
        precision=found.precision,
        recall=found.recall,
        area=found.area,
        examples="\n".join(describe(discriminator, tokenizer, text) for text in TEXTS),
        command=about.recipe if run["seed"] == 1 else f"{about.recipe} --seed {run['seed']}",
    )


def describe(discriminator: Any, tokenizer: Any, text: str) -> str:
    """One line of the card: a text and its three most suspicious pieces."""
    pieces = detection.suspicion(discriminator, tokenizer, text)
    worst = sorted(pieces, key=lambda pair: -pair[1])[:3]
    return f"- {text}  \n  " + ", ".join(f"{piece} {chance:.2f}" for piece, chance in worst)
