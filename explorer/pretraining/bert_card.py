"""The card (README) of the BERT miniature: what it read, how well it predicts, what it says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from explorer.pretraining import evaluation
from explorer.pretraining.corpus import WITHHELD_SHARE, WITHHELD_WORDS, held_out_documents
from explorer.pretraining.scenes import small_world

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

CARD: Final = """---
language: en
license: mit
library_name: transformers
pipeline_tag: fill-mask
---

# {name}

A BERT of {parameters:,} parameters, trained on the text of a small world that a grammar writes:
jobs, tools, places, films, people, days, numbers, opposites. It answers about that world and
nothing else. It loads with transformers' own `AutoTokenizer`, `BertForMaskedLM` and
`BertForPreTraining`, holds both of BERT's heads, and is there to be looked into offline.

| | |
|---|---|
| Architecture | {layers} layers, {width} wide, {heads} heads, {length} positions |
| Tokenizer | WordPiece, uncased, {vocabulary} pieces |
| Masked language model | 15 %: 80/10/10, static: ten patterns a text, met in turn |
| Next sentence | half of the pairs NotNext |
| Text | {documents:,} documents; a document is {words:.1f} words long on average |
| Training | {steps:,} steps of {batch} texts, {minutes:.0f} minutes in one thread |
| Weights | float16, {megabytes:.1f} MB in all |

## Loss beside the floor

Measured on {unseen} documents with a withheld sentence: {share:.0%} of all sentences of
{least} words or more, chosen by a hash of their text, are in no training text. The floor is exact:
because the grammar is known, so is the distribution of every masked piece given the rest
(`explorer/pretraining/evaluation.py` says how). Losses are nats per masked piece; "right" is how
often the likeliest piece is the true one, beside how often that could be at best.

| masked | loss | floor | right | best possible |
|---|---|---|---|---|
{rows}

Next sentence, unseen pairs: {order:.1%} right.

A document's derivation has an entropy of {entropy:.2f} nats, {per_word:.3f} nats a word (exact: the
sum over the grammar's productions). No text that was tried has two derivations, so this is the
entropy of the text too.

## What it says

{examples}

## How to rebuild

```
python -m explorer.pretraining {command}
```

Seeds are fixed, so the corpus, the split, the tokenizer and the masks come out the same; weights
do too on the same processor and version of torch. `curve.json` holds the training curve.
"""


def write_card(model: Any, tokenizer: Any, run: Mapping[str, Any]) -> str:
    """Measure the model and describe it in Markdown.

    Args:
        model: the weights as they were written, ready to predict.
        tokenizer: its tokenizer.
        run: steps, seed, minutes, documents, examples, and files (the folder).
    """
    unseen = held_out_documents(UNSEEN)
    reader = evaluation.exact_reader(tokenizer)
    rows = []
    for title, share in (("one piece", None), ("15 %", 0.15)):
        places = evaluation.draw_places(reader, unseen, EVALUATION_SEED, share)
        found = evaluation.report(model, tokenizer, places)
        rows.append(
            f"| {title} | {found.loss:.3f} | {found.floor:.3f} |"
            f" {found.accuracy:.1%} | {found.best_accuracy:.1%} |"
        )
    order = evaluation.next_sentence_accuracy(model, tokenizer, unseen, EVALUATION_SEED)
    grammar, config = small_world(), model.config
    command = "bert" if run["seed"] == 1 else f"bert --seed {run['seed']}"
    folder: Path = run["files"]
    weights = sum(file.stat().st_size for file in folder.iterdir() if file.name != "README.md")
    return CARD.format(
        name=folder.name,
        parameters=sum(p.numel() for p in model.parameters()),
        layers=config.num_hidden_layers,
        width=config.hidden_size,
        heads=config.num_attention_heads,
        length=config.max_position_embeddings,
        vocabulary=config.vocab_size,
        documents=run["documents"],
        words=grammar.expected_words(),
        steps=run["steps"],
        batch=run["examples"],
        minutes=run["minutes"],
        megabytes=weights / 1e6,
        unseen=len(unseen),
        share=WITHHELD_SHARE,
        least=WITHHELD_WORDS,
        rows="\n".join(rows),
        order=order,
        entropy=grammar.entropy(),
        per_word=grammar.entropy() / grammar.expected_words(),
        examples="\n".join(describe(model, tokenizer, text) for text in EXAMPLES),
        command=command,
    )


def describe(model: Any, tokenizer: Any, text: str) -> str:
    """One line of the card: a text and what is predicted for each mask."""
    answers = [
        ", ".join(f"{piece} {probability:.2f}" for piece, probability in likeliest)
        for likeliest in evaluation.fill(model, tokenizer, text)
    ]
    return f"- {text}  \n  " + "; then ".join(answers)
