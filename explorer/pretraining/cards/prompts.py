"""The card of a miniature that reads prompts: its answers beside those of the best learner."""

from __future__ import annotations

from typing import Any, Final

from explorer.pretraining.cards.page import (
    EVALUATION_SEED,
    FamilyCard,
    MiniaturePage,
    plain,
    said,
    size_said,
)
from explorer.pretraining.measures.next_place import say_next
from explorer.pretraining.measures.prompt_answers import PromptScores, draw_prompts, measure
from explorer.world.tasks.prompts import KINDS

COUNTS: Final = (0, 1, 2, 4, 8)
UNSEEN: Final = 2000
"""Prompts of each number of examples."""
EXAMPLES: Final = (
    "chef ->",
    "baker -> oven. chef ->",
    "baker -> bakery. hot -> cold. chef ->",
    "Jobs: thing. chef ->",
    "wet: wetter. owl: forest. deep:",
    "bird -> two. Monday -> Tuesday. bake -> baked. fly ->",
)

OPENING: Final = """\
{family} with {parameters:,} parameters that has read nothing but prompts: some examples, a question
and its answer. What is asked is hidden in the examples; no weight is changed to find it out. It
answers about {words} words of a small world and nothing else. It loads with transformers' own
{loads_with}."""

MEASURED: Final = """\
A prompt hides one relation for each kind of word
({kinds}), drawn evenly and for each kind apart: of jobs the tool or the
place, of qualities the opposite, and so on. The best learner knows this and all tables; to it,
every relation of the question's kind that agrees with the examples is as likely as the others
(`explorer/world/tasks/prompts.py`). Its loss is the floor, exactly. Measured on {asked:,} prompts
for each number of examples, all kinds mixed. Losses are nats of the whole answer; behind ± is the
standard error of how far the loss is above the floor. "Right" is how often all pieces of the answer
are the likeliest, beside how often the best learner is right.

| examples | loss | floor | right | best possible |
|---|---|---|---|---|
{rows}"""

WITHHELD: Final = """\
A tenth of the words of each kind are withheld: in training they stand only in prompts that name
the relation ("Jobs: tool. chef -> pan."), and never where it has to be found out. Asked about
these, behind at least one example of their kind:

| examples | loss | floor | right | best possible |
|---|---|---|---|---|
{rows}"""

CLOSING: Final = """\
Seeds are fixed, so prompts, pieces and their order come out the same; weights do too on the same
processor and version of torch. `curve.json` holds the training curve."""


def prompts_page(card: FamilyCard, model: Any, tokenizer: Any) -> MiniaturePage:
    """Measure the model and say what came of it.

    Args:
        card: what is said of the family.
        model: the weights as they were written, ready to predict.
        tokenizer: its tokenizer.
    """
    config = model.config
    size = size_said(config, config.n_positions)
    pieces = f"{card.tokenizer}, {config.vocab_size} pieces"
    measured = MEASURED.format(
        kinds=", ".join(kind.name.lower() for kind in KINDS),
        asked=UNSEEN,
        rows=_rows(model, tokenizer, withheld=False),
    )
    words = sum(len(kind.words) for kind in KINDS)
    return MiniaturePage(
        task="text-generation",
        rows=(("Architecture", size), ("Tokenizer", pieces), *card.rows),
        sections=(
            ("Loss beside the floor", measured),
            (
                "Words whose relation was always named",
                WITHHELD.format(rows=_rows(model, tokenizer, withheld=True)),
            ),
            ("What it says", "\n".join(_line(model, tokenizer, text) for text in EXAMPLES)),
        ),
        opening=OPENING.replace("{words}", str(words)),
        closing=CLOSING,
        tells_of_text=False,
    )


def _rows(model: Any, tokenizer: Any, *, withheld: bool) -> str:
    return "\n".join(
        _row(measure(model, tokenizer, draw_prompts(k, UNSEEN, EVALUATION_SEED, withheld=withheld)))
        for k in COUNTS[withheld:]
    )


def _row(one: PromptScores) -> str:
    return (
        f"| {one.examples} | {one.loss:.3f} ± {one.error:.3f} | {one.floor:.3f} |"
        f" {one.accuracy:.1%} | {one.best_accuracy:.1%} |"
    )


def _line(model: Any, tokenizer: Any, text: str) -> str:
    found = say_next(model, tokenizer, text)
    return said(f"{text} ...", [(plain(piece), p) for piece, p in found])
