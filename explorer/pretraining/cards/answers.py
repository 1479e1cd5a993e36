"""The card of a miniature that answers questions: how often it is right, and what it says."""

from __future__ import annotations

from typing import Any, Final

from explorer.pretraining.cards.page import EVALUATION_SEED, FamilyCard, MiniaturePage, size_said
from explorer.pretraining.measures import span_answers
from explorer.world.corpus import held_out_documents

UNSEEN: Final = 2000
# Documents that the passages are made of.
DOCUMENTS: Final = 3000
EXAMPLES: Final = (
    ("What did the chef cook?", "The chef cooked a meal in the kitchen. He used a pan."),
    ("What did the chef use?", "The chef cooked a meal in the kitchen. He used a pan."),
    ("When did the chef cook the meal?", "The chef cooked a meal in the kitchen. He used a pan."),
    ("Who painted the wall?", "The painters painted the wall. The builder built a house."),
    ("Where will the pilot fly the plane?", "Tomorrow the pilot will fly the plane in the sky."),
    ("What did the doctor treat?", "A nurse helped the doctor in the hospital. It was Monday."),
)

OPENING: Final = """\
{family} with {parameters:,} parameters that finds the answer to a question in a passage, or says
that there is none. Trained on passages and questions of a small world that a grammar writes; it
answers about people at work in that world and nothing else.
It loads with transformers' own {loads_with}."""

MEASURED: Final = """\
Measured on {questions} questions about passages of unseen documents: each of those has a sentence
that is in no training text. {unanswerable:.1%} of the questions have no answer. Exact match counts
an answer whose text is a right span's to the letter, and "no answer" where there is none. The
ceiling is exact: the derivation of a passage says which spans are right, and where two are, either
counts.

| | | ceiling |
|---|---|---|
| exact match | {exact:.1%} | {ceiling:.1%} |
| exact match where there is an answer | {answered:.1%} | {ceiling:.1%} |
| F1 of the words | {f1:.1%} | {ceiling:.1%} |
| area under the ROC curve of no answer | {area:.3f} | {ceiling:.3f} |"""

CLOSING: Final = """\
Seeds are fixed, so passages, questions and their order come out the same; weights do too on the
same processor and version of torch. `curve.json` holds the training curve."""


def answers_page(card: FamilyCard, model: Any, tokenizer: Any) -> MiniaturePage:
    """Measure the model and say what came of it.

    Args:
        card: what is said of the family.
        model: the weights as they were written, ready to answer.
        tokenizer: its tokenizer.
    """
    documents = held_out_documents(DOCUMENTS)
    questions = span_answers.unseen_questions(documents, UNSEEN, EVALUATION_SEED)
    found = span_answers.measure(model, tokenizer, questions)
    config = model.config
    size = size_said(config, tokenizer.model_max_length)
    measured = MEASURED.format(
        questions=len(questions),
        unanswerable=found.unanswerable,
        exact=found.exact,
        answered=found.answered,
        f1=found.f1,
        area=found.area,
        ceiling=span_answers.CEILING,
    )
    said = "\n".join(_line(model, tokenizer, *example) for example in EXAMPLES)
    return MiniaturePage(
        task="question-answering",
        rows=(
            ("Architecture", size),
            ("Tokenizer", f"{card.tokenizer}, {config.vocab_size} pieces"),
            *card.rows,
        ),
        sections=(("Answers beside the ceiling", measured), ("What it says", said)),
        opening=OPENING,
        closing=CLOSING,
    )


def _line(model: Any, tokenizer: Any, question: str, passage: str) -> str:
    said = span_answers.answer(model, tokenizer, question, passage).said
    return f"- {passage} {question}  \n  {said or 'no answer'}"
