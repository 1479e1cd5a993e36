"""The card (README) of a miniature: a table, and sections of measurements and examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from explorer.world.corpus import WITHHELD_SHARE, WITHHELD_WORDS
from explorer.world.scenes import small_world

PAGE: Final = """---
language: {language}
license: mit
library_name: transformers
pipeline_tag: {task}
---

# {name}

{family} with {parameters:,} parameters, trained on the text of a small world that a grammar writes:
jobs, tools, places, films, people, days, numbers, opposites. It answers about that world and
nothing else. It loads with transformers' own {loads_with},
and is there to be looked into offline.

| | |
|---|---|
{rows}
| Text | {documents:,} documents; a document is {words:.1f} words long on average |
| Training | {steps:,} steps of {batch} texts, {minutes:.0f} minutes by the clock, in one thread |
| Weights | float16, {megabytes:.1f} MB in all |

## Loss beside the floor

Measured on {unseen} documents with a withheld sentence: {share:.0%} of all sentences of
{least} words or more, chosen by a hash of their text, are in no training text.

{measured}

## What it says

{examples}

## How to rebuild

```
python -m explorer.pretraining {command}
```

Seeds are fixed, so the corpus, the split, the tokenizer, the order and what is hidden come out the
same; weights do too on the same processor and version of torch. `curve.json` holds the training
curve.
"""


@dataclass(frozen=True, slots=True)
class Page:
    """What is said of one family.

    Attributes:
        recipe: name on the command line.
        family: as the field calls it.
        task: the hub's name for what it does.
        loads_with: classes of transformers that load it.
        rows: rows of the table: what, and how.
        unseen: how many unseen documents were asked about.
        measured: the section on losses, in Markdown.
        examples: the lines of what it says.
        language: the languages of its texts, as the card's head names them.
    """

    recipe: str
    family: str
    task: str
    loads_with: str
    rows: tuple[tuple[str, str], ...]
    unseen: int
    measured: str
    examples: Sequence[str]
    language: str = "en"


def write_page(page: Page, model: Any, run: Mapping[str, Any]) -> str:
    """The README in Markdown.

    Args:
        page: what is said of the family.
        model: the weights as they were written.
        run: steps, seed, minutes, documents, examples, and files (the folder).
    """
    folder: Path = run["files"]
    weights = sum(file.stat().st_size for file in folder.iterdir() if file.name != "README.md")
    return PAGE.format(
        language=page.language,
        task=page.task,
        name=folder.name,
        family=page.family,
        parameters=sum(p.numel() for p in model.parameters()),
        loads_with=page.loads_with,
        rows="\n".join(f"| {what} | {how} |" for what, how in page.rows),
        documents=run["documents"],
        words=small_world().expected_words(),
        steps=run["steps"],
        batch=run["examples"],
        minutes=run["minutes"],
        megabytes=weights / 1e6,
        unseen=page.unseen,
        share=WITHHELD_SHARE,
        least=WITHHELD_WORDS,
        measured=page.measured,
        examples="\n".join(page.examples),
        command=page.recipe if run["seed"] == 1 else f"{page.recipe} --seed {run['seed']}",
    )
