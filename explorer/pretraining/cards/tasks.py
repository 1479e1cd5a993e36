"""The card of a miniature that is asked tasks in text, beside the best possible."""

from __future__ import annotations

import random
from typing import Any, Final

from explorer.pretraining.cards.page import EVALUATION_SEED, FamilyCard, MiniaturePage
from explorer.pretraining.measures.written_tasks import (
    TaskDrawer,
    WrittenQuestion,
    WrittenTask,
    right_share,
    write,
)
from explorer.world.corpus import held_out_documents, training_documents
from explorer.world.exact.truth import Truth

UNSEEN: Final = 300
"""Questions of each task."""
DOCUMENTS: Final = 1500
SHOWN: Final = 3
"""Of each task."""
TITLES: Final = {
    WrittenTask.ACCEPTABLE: "is a sentence acceptable (CoLA's layout)",
    WrittenTask.CHOICE: "which of two follows (COPA's)",
    WrittenTask.ANSWER: "an answer in a passage (SQuAD's)",
}

OPENING: Final = """\
{family} with {parameters:,} parameters that answers tasks of a small world in text: a prefix says
what is asked, and the decoder writes the answer (Raffel et al. 2020, section 2.4). It still writes
the spans that were dropped from a text. It loads with transformers' own {loads_with}."""

MEASURED: Final = """\
Measured on {asked} questions of each task, drawn from documents each of which has a sentence that
is in no training text; what else may follow in a choice is of other documents. Right is what reads
letter by letter as a right answer. What could be known at best is exact: sentences in another order
are told apart unless the grammar has them too; the grammar says how probable it is that a text
follows another; and a passage says its answer.

| task | right | best possible |
|---|---|---|
{rows}"""

CLOSING: Final = """\
Seeds are fixed, so texts and their order come out the same; weights do too on the same processor
and version of torch. `curve.json` holds the training curve."""


def unseen(task: WrittenTask, tokenizer: Any, count: int, seed: int) -> list[WrittenQuestion]:
    """Different questions of a task, about documents that are in no training text."""
    documents = held_out_documents(DOCUMENTS, seed)
    others = training_documents(DOCUMENTS, seed)
    drawer = TaskDrawer(documents, others, Truth(tokenizer.tokenize), tokenizer)
    rng = random.Random(f"{seed} {task}")  # noqa: S311
    found: dict[str, WrittenQuestion] = {}
    while len(found) < count:
        question = drawer.draw(task, rng)
        found.setdefault(question.text, question)
    return list(found.values())


def tasks_page(card: FamilyCard, model: Any, tokenizer: Any) -> MiniaturePage:
    """Measure the model and say what came of it.

    Args:
        card: what is said of the family.
        model: the weights as they were written, ready to write.
        tokenizer: its tokenizer.
    """
    asked = {task: unseen(task, tokenizer, UNSEEN, EVALUATION_SEED) for task in WrittenTask}
    rows = "\n".join(
        f"| {TITLES[task]} | {right_share(model, tokenizer, questions):.1%} |"
        f" {sum(one.best for one in questions) / len(questions):.1%} |"
        for task, questions in asked.items()
    )
    shown = [one for questions in asked.values() for one in questions[:SHOWN]]
    written = write(model, tokenizer, [one.text for one in shown])
    config = model.config
    size = (
        f"{config.num_layers} + {config.num_decoder_layers} layers, {config.d_model} wide,"
        f" {config.num_heads} heads, relative positions"
    )
    return MiniaturePage(
        task="text2text-generation",
        rows=(
            ("Architecture", size),
            ("Tokenizer", f"{card.tokenizer}, {config.vocab_size} pieces"),
            *card.rows,
        ),
        sections=(
            ("Answers beside the best possible", MEASURED.format(asked=UNSEEN, rows=rows)),
            (
                "What it says",
                "\n".join(
                    f"- {one.text}  \n  {said}" for one, said in zip(shown, written, strict=True)
                ),
            ),
        ),
        opening=OPENING,
        closing=CLOSING,
    )
