"""The README of a miniature: one template, and what each kind of model has to say in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from explorer.world.corpus import WITHHELD_SHARE, WITHHELD_WORDS
from explorer.world.scenes import small_world

EVALUATION_SEED: Final = 5

TEMPLATE: Final = """---
language: {language}
license: mit
library_name: transformers
{task}---

# {name}

{opening}

| | |
|---|---|
{rows}
| Training | {steps:,} steps of {batch} texts, {minutes:.0f} minutes by the clock, in one thread |
| Weights | float16, {megabytes:.1f} MB in all |

{sections}

## How to rebuild

```
python -m explorer.pretraining {command}
```

{closing}
"""

OPENING: Final = """\
{family} with {parameters:,} parameters, trained on the text of a small world that a grammar writes:
jobs, tools, places, films, people, days, numbers, opposites. It answers about that world and
nothing else. It loads with transformers' own {loads_with},
and is there to be looked into offline."""

CLOSING: Final = """\
Seeds are fixed, so the corpus, the split, the tokenizer, the order and what is hidden come out the
same; weights do too on the same processor and version of torch. `curve.json` holds the training
curve."""

BESIDE_THE_FLOOR: Final = """\
Measured on {unseen} documents with a withheld sentence: {share:.0%} of all sentences of
{least} words or more, chosen by a hash of their text, are in no training text.
Behind ± is the standard error of a mean over the documents: others move it by about as much.

{measured}"""

Rows = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class FamilyCard:
    """What is said of one family.

    Attributes:
        recipe: name on the command line.
        family: as the field calls it.
        tokenizer: kind of tokenizer; the number of pieces is added.
        loads_with: classes of transformers that load it.
        rows: more rows of the table: what, and how.
    """

    recipe: str
    family: str
    tokenizer: str
    loads_with: str
    rows: Rows = ()


@dataclass(frozen=True, slots=True)
class MiniaturePage:
    """What was found out about one miniature, in words.

    Attributes:
        task: the hub's name for what it does; empty where it has none.
        rows: rows of the table: what, and how.
        sections: headings and their texts, in Markdown.
        opening: the first paragraph, with {name}, {family}, {parameters} and {loads_with}.
        closing: the last paragraph.
        tells_of_text: whether the table has a row on the text it was trained on.
        language: the languages of its texts, as the card's head names them.
    """

    task: str
    rows: Rows
    sections: tuple[tuple[str, str], ...]
    opening: str = OPENING
    closing: str = CLOSING
    tells_of_text: bool = True
    language: str = "en"


def beside_the_floor(
    task: str, rows: Rows, unseen: int, measured: str, examples: Iterable[str], language: str = "en"
) -> MiniaturePage:
    """The page of a model whose loss has an exact floor.

    Args:
        task: as in `MiniaturePage`.
        rows: as in `MiniaturePage`.
        unseen: how many unseen documents were asked about.
        measured: losses and floors, in Markdown.
        examples: the lines of what it says.
        language: as in `MiniaturePage`.
    """
    losses = BESIDE_THE_FLOOR.format(
        unseen=unseen, share=WITHHELD_SHARE, least=WITHHELD_WORDS, measured=measured
    )
    sections = (("Loss beside the floor", losses), ("What it says", "\n".join(examples)))
    return MiniaturePage(task, rows, sections, language=language)


def said(text: str, *answers: Sequence[tuple[str, float]]) -> str:
    """One line of a card: a text and what is predicted, with probabilities."""
    shown = (", ".join(f"{piece} {p:.2f}" for piece, p in pairs) for pairs in answers)
    return f"- {text}  \n  " + "; then ".join(shown)


def size_said(config: Any, positions: int) -> str:
    """How large a model is, by its config and the positions that it reads."""
    return (
        f"{config.num_hidden_layers} layers, {config.hidden_size} wide,"
        f" {config.num_attention_heads} heads, {positions} positions"
    )


def plain(piece: str) -> str:
    """A piece as it is read: without the sign that stands for the space before it."""
    return piece.lstrip("Ġ▁") or "a space"


def write_card(card: FamilyCard, page: MiniaturePage, model: Any, run: Mapping[str, Any]) -> str:
    """The README in Markdown.

    Args:
        card: what is said of the family.
        page: what was found out.
        model: the weights as they were written.
        run: steps, seed, minutes, documents, examples, and files (the folder).
    """
    folder: Path = run["files"]
    weights = sum(file.stat().st_size for file in folder.iterdir() if file.name != "README.md")
    words = small_world().expected_words()
    text = f"{run['documents']:,} documents; a document is {words:.1f} words long on average"
    rows = (*page.rows, ("Text", text)) if page.tells_of_text else page.rows
    return TEMPLATE.format(
        language=page.language,
        task=f"pipeline_tag: {page.task}\n" if page.task else "",
        name=folder.name,
        opening=page.opening.format(
            name=folder.name,
            family=card.family,
            parameters=sum(p.numel() for p in model.parameters()),
            loads_with=card.loads_with,
        ),
        rows="\n".join(f"| {what} | {how} |" for what, how in rows),
        steps=run["steps"],
        batch=run["examples"],
        minutes=run["minutes"],
        megabytes=weights / 1e6,
        sections="\n\n".join(f"## {heading}\n\n{text}" for heading, text in page.sections),
        command=card.recipe if run["seed"] == 1 else f"{card.recipe} --seed {run['seed']}",
        closing=page.closing,
    )
