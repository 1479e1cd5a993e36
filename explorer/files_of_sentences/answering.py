"""What comes of sentences when one question is asked about them, in whichever process that is."""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from explorer.api.question import (
    BY_NAME,
    Cancelled,
    Cell,
    CheckpointFault,
    Context,
    Failure,
    Knowledge,
    PluginFault,
    Question,
    Token,
    Unavailable,
)
from explorer.files_of_sentences.results import SentenceOutcome
from explorer.files_of_sentences.rows import MOSTLY_UNKNOWN, NOT_COUNTED, UNKNOWN
from explorer.files_of_sentences.sentences import FileSentence


class Answering:
    """One question, for any number of sentences.

    Args:
        model: Who plays the first role.
        question: Whose question it is.
        template: The question, its text empty.
    """

    def __init__(self, model: Any, question: Question[Any, Any], template: Any) -> None:
        self.model = model
        self.question = question
        self.template = template

    def steps(
        self, sentences: Sequence[FileSentence], context: Context
    ) -> Iterator[list[SentenceOutcome]]:
        """What comes of each, as many at a time as are answered together.

        A sentence that can't be answered costs no other its answer.
        """
        inner = dataclasses.replace(context, progress=lambda *_unused: None)
        if self.question.run_many is not None:
            context.check()
            requests = [self._request(sentence) for sentence in sentences]
            answers = self.question.run_many(self.model, requests, inner)
            yield [
                self._outcome(sentence, answer)
                for sentence, answer in zip(sentences, answers, strict=True)
            ]
            return
        for sentence in sentences:
            context.check()
            yield [self._outcome(sentence, self._answer(self._request(sentence), inner))]

    def _answer(self, request: Any, context: Context) -> Any:
        try:
            return self.question.run(self.model, request, context)
        except Cancelled:
            raise
        except Exception as error:
            if ends_all(error):
                raise
            return error

    def _request(self, sentence: FileSentence) -> Any:
        return request_about(self.question, self.template, sentence)

    def _outcome(self, sentence: FileSentence, answer: Any) -> SentenceOutcome:
        if isinstance(answer, Exception):
            failure = Failure.of(answer)
            return SentenceOutcome(sentence, failure=f"{failure.message} {failure.hint}".strip())
        assert self.question.summary is not None
        pool = self.question.pool
        more = pool.cells(answer) if pool is not None else {}
        cells = {**self.question.summary(answer), **more}
        return SentenceOutcome(sentence, {**cells, **_of_unknown(answer, cells)})


def reading_of(model: Any, template: Any, context: Context) -> tuple[Any, Any, Context]:
    """Who answers what, with the entities that are to be found in every sentence."""
    from explorer.hf.text.reading_entities import reading_entities

    if getattr(template, "entities", ()) != BY_NAME:
        return model, template, context
    every = {role: reading_entities(one, template, BY_NAME) for role, one in context.models.items()}
    if not any(Knowledge in one.ports for one in (model, *every.values())):
        # The same rows as ever belong to the same question.
        return model, dataclasses.replace(template, entities=()), context
    return (
        reading_entities(model, template, BY_NAME),
        template,
        dataclasses.replace(context, models=every),
    )


def _of_unknown(answer: Any, cells: Mapping[str, Cell]) -> dict[str, Cell]:
    """How much of a sentence an answer is about.

    A sentence of unknown words has few tokens that anything can be said of, and looks perfect:
    its row says so and stays out of the means. A question that counts unknown tokens needs none
    of this.
    """
    tokens = getattr(answer, "tokens", ())
    own = [one for one in tokens if isinstance(one, Token) and not one.special]
    if not own or "unknown" in cells:
        return {}
    unknown = sum(one.unknown for one in own)
    found: dict[str, Cell] = {UNKNOWN: unknown}
    return found | {NOT_COUNTED: MOSTLY_UNKNOWN} if unknown > len(own) / 2 else found


def request_about(question: Question[Any, Any], template: Any, sentence: FileSentence) -> Any:
    """The question about one sentence.

    Args:
        question: Whose question it is.
        template: The question, its text empty.
        sentence: With its second sentence, and what is right, where the file has them.
    """
    changes: dict[str, Any] = {"text": sentence.text}
    second = question.pair_field
    if hasattr(template, second):
        # What the template has is what a request without a second sentence has.
        changes[second] = sentence.pair or getattr(template, second)
    if hasattr(template, "expected"):
        changes["expected"] = sentence.expected
    return numbered(question, dataclasses.replace(template, **changes), sentence.number)


def numbered(question: Question[Any, Any], request: Any, line: int) -> Any:
    """A request for the sentence at a line of a file."""
    pool = question.pool
    return request if pool is None or pool.numbered is None else pool.numbered(request, line)


def ends_all(error: Exception) -> bool:
    """Whether an error is one that the next sentence would meet as well."""
    told = str(error)
    # What torch says, in English wherever it runs.
    signs = ("device-side assert", "CUDA error:", "HIP error:")
    is_gpu_lost = any(sign in told for sign in signs)
    return is_gpu_lost or isinstance(error, CheckpointFault | PluginFault | Unavailable)
