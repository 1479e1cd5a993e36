"""The tasks: what their texts are called, which layout they have, and T5's words for them.

Prefixes and targets are those of Raffel et al. 2020, appendix D, as the authors' released
preprocessors write them. For COPA the appendix prints "True" for the first choice; the
preprocessors write the data set's own names of the choices, which stand here.
"""

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from explorer.text import N_


class TaskKind(enum.StrEnum):
    """What is asked for."""

    CLASSIFICATION = "classification"
    ENTAILMENT = "entailment"
    SIMILARITY = "similarity"
    CHOICE = "choice"
    ANSWER = "answer"
    TEXT = "text"
    """A text of its own: a summary, a translation."""


OF_CLASSES = frozenset({TaskKind.CLASSIFICATION, TaskKind.ENTAILMENT, TaskKind.SIMILARITY})
"""What a head for classes answers."""
PAIRED = frozenset({TaskKind.ENTAILMENT, TaskKind.SIMILARITY, TaskKind.ANSWER})
"""What is asked of two texts."""


@dataclass(frozen=True)
class Task:
    """One of them.

    Attributes:
        title: What the user reads.
        kind: What is asked for.
        prompt: T5's text, with {first}, {second}, {choice1}, {choice2} and {asks} in it; "" of a
            task that T5 was not trained on.
        targets: What T5 may write; empty where it is any text.
        first: What the text is in this task.
        second: What the second text is; "" where there is none.
    """

    title: str
    kind: TaskKind
    prompt: str
    targets: tuple[str, ...] = ()
    first: str = N_("sentence")
    second: str = ""


ENTAILED = ("entailment", "not_entailment")
SENTENCES = {"first": N_("sentence 1"), "second": N_("sentence 2")}

TASKS: Mapping[str, Task] = {
    "cola": Task(
        N_("Acceptability (CoLA)"),
        TaskKind.CLASSIFICATION,
        "cola sentence: {first}",
        ("unacceptable", "acceptable"),
    ),
    "sst2": Task(
        N_("Sentiment (SST-2)"),
        TaskKind.CLASSIFICATION,
        "sst2 sentence: {first}",
        ("negative", "positive"),
    ),
    "mnli": Task(
        N_("Entailment (MNLI)"),
        TaskKind.ENTAILMENT,
        "mnli hypothesis: {second} premise: {first}",
        ("entailment", "neutral", "contradiction"),
        N_("premise"),
        N_("hypothesis"),
    ),
    "rte": Task(
        N_("Entailment, two classes (RTE)"),
        TaskKind.ENTAILMENT,
        "rte sentence1: {first} sentence2: {second}",
        ENTAILED,
        N_("premise"),
        N_("hypothesis"),
    ),
    "qnli": Task(
        N_("Does it hold the answer? (QNLI)"),
        TaskKind.ENTAILMENT,
        "qnli question: {first} sentence: {second}",
        ENTAILED,
        N_("question"),
        N_("sentence"),
    ),
    "mrpc": Task(
        N_("Paraphrase (MRPC)"),
        TaskKind.SIMILARITY,
        "mrpc sentence1: {first} sentence2: {second}",
        ("not_equivalent", "equivalent"),
        **SENTENCES,
    ),
    "qqp": Task(
        N_("The same question (QQP)"),
        TaskKind.SIMILARITY,
        "qqp question1: {first} question2: {second}",
        ("not_duplicate", "duplicate"),
        N_("question 1"),
        N_("question 2"),
    ),
    "stsb": Task(
        N_("Similarity (STS-B)"),
        TaskKind.SIMILARITY,
        "stsb sentence1: {first} sentence2: {second}",
        tuple(f"{number / 5:.1f}" for number in range(26)),
        **SENTENCES,
    ),
    "copa": Task(
        N_("Multiple choice (COPA)"),
        TaskKind.CHOICE,
        "copa choice1: {choice1} choice2: {choice2} premise: {first} question: {asks}",
        ("choice1", "choice2"),
        N_("context"),
    ),
    "swag": Task(N_("Four endings (SWAG)"), TaskKind.CHOICE, "", (), N_("context")),
    "squad": Task(
        N_("Question answering (SQuAD)"),
        TaskKind.ANSWER,
        "question: {second} context: {first}",
        (),
        N_("passage"),
        N_("question"),
    ),
    "cnn_dm": Task(
        N_("Summary (CNN/Daily Mail)"), TaskKind.TEXT, "summarize: {first}", (), N_("text")
    ),
    "wmt_de": Task(
        N_("Translation into German (WMT)"),
        TaskKind.TEXT,
        "translate English to German: {first}",
        (),
        N_("text"),
    ),
    "wmt_fr": Task(
        N_("Translation into French (WMT)"),
        TaskKind.TEXT,
        "translate English to French: {first}",
        (),
        N_("text"),
    ),
    "wmt_ro": Task(
        N_("Translation into Romanian (WMT)"),
        TaskKind.TEXT,
        "translate English to Romanian: {first}",
        (),
        N_("text"),
    ),
}
"""By the names of their data sets, as T5's prefixes begin."""
