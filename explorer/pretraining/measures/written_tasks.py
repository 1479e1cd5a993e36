"""Tasks of the small world as T5 is asked them in text, and how often what it writes is right.

Layouts are those of Raffel et al. 2020, appendix D: acceptability as CoLA's, a choice as COPA's, an
answer in a passage as SQuAD's.
"""

from __future__ import annotations

import enum
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from explorer.pretraining.measures.choices import best_shares, draw_question
from explorer.questions.generation.task_layout.tasks import TASKS
from explorer.world.corpus import CLOSING, CorpusDocument, sentence_words, spell
from explorer.world.exact.truth import Truth
from explorer.world.tasks.questions import QuestionWriter

ANSWER_PIECES: Final = 24


class WrittenTask(enum.StrEnum):
    """A task, by its prefix."""

    ACCEPTABLE = "cola"
    CHOICE = "copa"
    ANSWER = "squad"


@dataclass(frozen=True, slots=True)
class WrittenQuestion:
    """One question.

    Attributes:
        task: which.
        text: what the encoder reads.
        answers: what is right to write; the first is learned.
        best: how often the best possible answer is right.
    """

    task: WrittenTask
    text: str
    answers: tuple[str, ...]
    best: float = 1.0


class TaskDrawer:
    """Draws questions from documents.

    Args:
        documents: what sentences, choices and passages are taken from.
        others: what wrong choices are taken from.
        truth: of the world in a model's pieces, for what could be known at best; None where that
            is not wanted.
        tokenizer: of these pieces.
    """

    def __init__(
        self,
        documents: Sequence[CorpusDocument],
        others: Sequence[CorpusDocument],
        truth: Truth | None = None,
        tokenizer: Any = None,
    ) -> None:
        self._documents, self._others = documents, others
        self._long = [document for document in documents if len(document.sentences) > 1]
        self._asker = QuestionWriter(documents)
        self._truth, self._tokenizer = truth, tokenizer

    def draw(self, task: WrittenTask, rng: random.Random) -> WrittenQuestion:
        """A question of a task."""
        if task is WrittenTask.ACCEPTABLE:
            return self._acceptable(rng)
        return self._choice(rng) if task is WrittenTask.CHOICE else self._answer(rng)

    def _acceptable(self, rng: random.Random) -> WrittenQuestion:
        """The first sentence of a text as it stands, or with its words in another order."""
        words = next(sentence_words(rng.choice(self._documents).words))
        while len(words) < 5:
            words = next(sentence_words(rng.choice(self._documents).words))
        kept = rng.random() < 0.5
        said = words if kept else disordered(words, rng)
        text = spell(said)
        best = 1.0
        if not kept and self._truth is not None:
            pieces = self._tokenizer.tokenize(text)
            # What still begins a text of the world can't be told from one that was left alone.
            best = float(self._truth.reading(pieces).outside is not None)
        written = TASKS["cola"].prompt.format(first=text)
        answer = TASKS["cola"].targets[int(kept)]
        return WrittenQuestion(WrittenTask.ACCEPTABLE, written, (answer,), best)

    def _choice(self, rng: random.Random) -> WrittenQuestion:
        """What follows, and what another text ends with, in either order."""
        document, other = rng.choice(self._long), rng.choice(self._others)
        question = draw_question(document.sentences, [other.sentences], rng)
        best = 1.0
        if self._truth is not None:
            right, wrong = best_shares(self._truth, self._tokenizer, question)
            best = 0.5 if right == wrong else float(right > wrong)
        at = rng.randrange(2)
        first, second = question.choices if at == 0 else question.choices[::-1]
        task = TASKS["copa"]
        text = task.prompt.format(
            first=question.context, choice1=first, choice2=second, asks="effect"
        )
        return WrittenQuestion(WrittenTask.CHOICE, text, (task.targets[at],), best)

    def _answer(self, rng: random.Random) -> WrittenQuestion:
        """A question that its passage answers."""
        question = self._asker.draw(rng)
        while not question.answers:
            question = self._asker.draw(rng)
        told = tuple(question.passage[start:end] for start, end in question.answers)
        text = TASKS["squad"].prompt.format(first=question.passage, second=question.text)
        return WrittenQuestion(WrittenTask.ANSWER, text, tuple(dict.fromkeys(told)))


def disordered(words: tuple[str, ...], rng: random.Random) -> tuple[str, ...]:
    """The same words in another order, the mark at the end left there: two neighbours, or all."""
    *inside, mark = words
    places = [at for at, word in enumerate(inside) if word not in CLOSING]
    while True:
        moved = list(inside)
        if rng.random() < 0.5:
            pairs = [at for at in places[:-1] if inside[at] != inside[at + 1]]
            at = rng.choice(pairs)
            moved[at], moved[at + 1] = moved[at + 1], moved[at]
        else:
            rng.shuffle(moved)
        if moved != inside:
            return (*moved, mark)


def write(model: Any, tokenizer: Any, texts: Sequence[str]) -> list[str]:
    """What a model writes to each text, greedily."""
    import torch

    found: list[str] = []
    for start in range(0, len(texts), 32):
        inputs = tokenizer(list(texts[start : start + 32]), padding=True, return_tensors="pt")
        with torch.inference_mode():
            ids = model.generate(
                input_ids=inputs["input_ids"],
                attention_mask=inputs["attention_mask"],
                max_new_tokens=ANSWER_PIECES,
                do_sample=False,
                num_beams=1,
            )
        found += [text.strip() for text in tokenizer.batch_decode(ids, skip_special_tokens=True)]
    return found


def right_share(model: Any, tokenizer: Any, questions: Sequence[WrittenQuestion]) -> float:
    """How often what it writes is one of the right answers, letter by letter."""
    written = write(model, tokenizer, [one.text for one in questions])
    hits = [text in one.answers for text, one in zip(written, questions, strict=True)]
    return sum(hits) / len(hits)
