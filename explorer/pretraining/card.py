"""The card (README) of a miniature: what it read, how well it predicts, what it says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from explorer.pretraining import evaluation
from explorer.pretraining.bert_card import EVALUATION_SEED, EXAMPLES, UNSEEN
from explorer.pretraining.corpus import WITHHELD_SHARE, WITHHELD_WORDS, held_out_documents
from explorer.pretraining.inside import ExactReader
from explorer.pretraining.scenes import small_world


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


PAGE: Final = """---
language: en
license: mit
library_name: transformers
pipeline_tag: fill-mask
---

# {name}

{family} with {parameters:,} parameters, trained on the text of a small world that a grammar writes:
jobs, tools, places, films, people, days, numbers, opposites. It answers about that world and
nothing else. It loads with transformers' own {loads_with}, and is there to be looked into offline.

| | |
|---|---|
| Architecture | {layers} layers, {width} wide, {heads} heads, {length} positions |
| Tokenizer | {tokenizer}, {vocabulary} pieces |
{rows}
| Text | {documents:,} documents; a document is {words:.1f} words long on average |
| Training | {steps:,} steps of {batch} texts, {minutes:.0f} minutes of one core |
| Weights | float16, {megabytes:.1f} MB in all |

## Loss beside the floor

Measured on {unseen} documents with a withheld sentence: {share:.0%} of all sentences of
{least} words or more, chosen by a hash of their text, are in no training text. The floor is exact:
because the grammar is known, so is the distribution of every masked piece given the rest
(`explorer/pretraining/evaluation.py` says how). Losses are nats per masked piece; "right" is how
often the likeliest piece is the true one, beside how often that could be at best.

| masked | loss | floor | right | best possible |
|---|---|---|---|---|
{losses}

{notes}A document's derivation has an entropy of {entropy:.2f} nats, {per_word:.3f} nats
a word (exact: the sum over the grammar's productions).

## What it says

{examples}

## How to rebuild

```
python -m explorer.pretraining {command}
```

Seeds are fixed, so the corpus, the split, the tokenizer and the masks come out the same; weights
do too on the same processor and version of torch. `curve.json` holds the training curve.
"""


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
    reader = reader or evaluation.exact_reader(tokenizer)
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
    folder: Path = run["files"]
    weights = sum(file.stat().st_size for file in folder.iterdir() if file.name != "README.md")
    return PAGE.format(
        name=folder.name,
        family=card.family,
        parameters=sum(p.numel() for p in model.parameters()),
        loads_with=card.loads_with,
        layers=config.num_hidden_layers,
        width=config.hidden_size,
        heads=config.num_attention_heads,
        length=tokenizer.model_max_length,
        tokenizer=card.tokenizer,
        vocabulary=config.vocab_size,
        rows="\n".join(f"| {what} | {how} |" for what, how in card.rows),
        documents=run["documents"],
        words=grammar.expected_words(),
        steps=run["steps"],
        batch=run["examples"],
        minutes=run["minutes"],
        megabytes=weights / 1e6,
        unseen=len(unseen),
        share=WITHHELD_SHARE,
        least=WITHHELD_WORDS,
        losses="\n".join(losses),
        notes="".join(f"{note}\n\n" for note in card.notes),
        entropy=grammar.entropy(),
        per_word=grammar.entropy() / grammar.expected_words(),
        examples="\n".join(describe(model, tokenizer, text) for text in EXAMPLES),
        command=card.recipe if run["seed"] == 1 else f"{card.recipe} --seed {run['seed']}",
    )


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
