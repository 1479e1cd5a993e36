"""Asks each question until it has answered, and does with the answer what the program does."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from explorer.api.family import Knowledge
from explorer.api.question import (
    Context,
    ExplorerError,
    Mention,
    Question,
    Unavailable,
    UserMistake,
)
from explorer.api.question.options.asks import Loaded
from explorer.api.question.roles import RoleBinding
from explorer.document import Document
from explorer.engine.plugins.conformance.answer import TriedAnswer
from explorer.engine.plugins.conformance.asking import SLOT, in_range
from explorer.engine.plugins.conformance.examples import (
    TEXT,
    asks_another,
    document_of,
    documents,
    ends,
    own_answers,
    own_examples,
    reads_files,
)
from explorer.engine.plugins.conformance.fault import place_said, raised, trace_of
from explorer.engine.plugins.conformance.finding import (
    Finding,
    failed,
    not_tried,
    passed,
    skipped,
)
from explorer.engine.runner import Runner
from explorer.questions import all_questions, brought
from explorer.sessions.export.tables import table_to_csv
from explorer.text import said

ENOUGH = 12
"""Documents that a question of the program's own is tried with at most."""

NARROW = (
    "A picture of 84 mm is a column of a journal. Let columns be dispensable (column(..., "
    "dispensable=True)), shorten their titles, or leave some out."
)

Draws = Callable[[Runner, TriedAnswer], str]
"""Draws the page of an answer as the window would, and writes its picture: what is wrong, or ""."""


def answers_of(
    runner: Runner, name: str, place: Path, wanted: Collection[str] | None = None
) -> tuple[Mapping[str, TriedAnswer], list[Finding]]:
    """An answer of every question that the model answers, and what there is to say of the others.

    Args:
        runner: Has the model loaded.
        name: Of the checkpoint.
        place: A folder for what is written on the way.
        wanted: Names of the questions to ask; None for all.
    """
    found: dict[str, TriedAnswer] = {}
    findings: list[Finding] = []
    for each in runner.cards[SLOT].operations:
        question = all_questions().get(each)
        if question is None or (wanted is not None and each not in wanted):
            continue
        answer = _first_answer(runner, question, place, name)
        if isinstance(answer, TriedAnswer):
            found[each] = answer
        else:
            findings.append(answer)
    if found:
        count = f"{len(found)} of them: {', '.join(sorted(found))}"
        findings.insert(0, passed("its questions answer", name, count))
    return found, findings


def _first_answer(
    runner: Runner, question: Question[Any, Any], place: Path, name: str
) -> TriedAnswer | Finding:
    """The answer to the first document that gets one, or what came of the last."""
    check, refused, lacking = f"answers {question.name}", "", ""
    context = Context(results=place, cache=place)
    try:
        for document, request in _asked(runner, question, place):
            if request is None:
                lacking = lacking or question.hint(document, [runner.cards[SLOT]])
                continue
            try:
                cast = cast_of(question, request)
                result = runner.ask(request, cast, context)
            except Unavailable as refusal:
                return skipped(check, refusal.message, checkpoint=name)
            except UserMistake as mistake:
                refused = refused or mistake.message  # the plainest one
                continue
            return TriedAnswer(question, document, request, cast, context, result)
    except Exception as error:  # noqa: BLE001 - a plugin can raise anything
        return failed(check, _said(error), checkpoint=name, traceback=trace_of(error))
    why = f"Nothing that it was asked got an answer. {said(refused or lacking)}".strip()
    if question.name not in brought() and (reads_files(question) or asks_another(question)):
        # Of the program's own, those that read more may find the tiny model too small, and one
        # model alone has no steps.
        return skipped(check, why, checkpoint=name)
    return not_tried(
        check,
        why,
        "Give question.py EXAMPLES: requests that it answers.",
        name,
    )


def _asked(
    runner: Runner, question: Question[Any, Any], place: Path
) -> Iterator[tuple[Document, Any]]:
    """Documents and their requests; None for one that lacks something."""
    for request in own_examples(question):
        yield document_of(request), request
    model = runner.cards[SLOT].stamp.id
    tries = documents(question, place, model, _entities(runner))
    # What the program's own questions need is known; a plugin's may need anything.
    for document in tries if question.name in brought() else islice(tries, ENOUGH):
        request = _request_of(question, document, runner)
        if request is not None and question.cheap_variant is not None:
            request = question.cheap_variant(request)
        yield document, request


def _request_of(question: Question[Any, Any], document: Document, runner: Runner) -> Any:
    """What a document asks of the model, which plays every role; None where it lacks something."""
    card = runner.cards[SLOT]
    loaded = Loaded({SLOT: card}, SLOT, [card] * max(1, len(question.roles)))
    return question.asked_of(document, loaded)


def _entities(runner: Runner) -> tuple[Mention, ...]:
    """An entity of the model's graph on the text; none where it reads none."""
    if Knowledge not in runner.models[SLOT].ports:
        return ()
    some = runner.entities_named(SLOT, "", 1)
    return tuple(Mention(0, TEXT.index(" "), one.id) for one in some[:1])


def cast_of(question: Question[Any, Any], request: Any) -> RoleBinding:
    """The model plays every role that may not stay empty, or the first where all may."""
    roles, optional = question.roles_of(request), question.optional_of(request)
    return dict.fromkeys([one for one in roles if one not in optional] or roles[:1], SLOT)


def check_answers(
    runner: Runner, answers: Mapping[str, TriedAnswer], name: str, draws: Draws | None
) -> Iterator[Finding]:
    """What is made of answers: rows, a file of them, a page, and of a plugin's own all options.

    Args:
        runner: Has the model loaded.
        answers: By question.
        name: Of the checkpoint.
        draws: Draws pages; None where there is nothing to draw with.
    """
    every = [*answers.items()]
    for each, answer in answers.items():
        every += [(each, further) for further in _further(runner, answer)]
    spoke: set[str] = set()

    def rows(answer: TriedAnswer) -> str:
        return _rows(answer, spoke)

    yield from _each("makes rows, a file of rows and a line of the log", every, name, rows)
    if draws is not None:
        draw = draws

        def drawn(answer: TriedAnswer) -> str:
            return draw(runner, answer)

        yield from _each(
            "draws its page, light and dark, in every language", every, name, drawn, NARROW
        )
    own = [(each, one) for each, one in answers.items() if each in brought()]
    if own:
        at_ends = _at_ends(runner, spoke)
        yield from _each("answers with its options at their ends", own, name, at_ends)
    yield from _heard([answer.question for _each, answer in own], spoke, name)


def _further(runner: Runner, answer: TriedAnswer) -> Iterator[TriedAnswer]:
    """Of a plugin's own question what else its examples are answered with, or bring as answers."""
    question = answer.question
    for request in own_examples(question):
        if request != answer.request:
            try:
                result = runner.ask(request, answer.cast, answer.context)
            except ExplorerError:
                continue  # what refuses everything is told of elsewhere
            document = document_of(request)
            yield replace(answer, document=document, request=request, result=result)
    for request, result in own_answers(question):
        document = document_of(request)
        yield replace(answer, document=document, request=request, result=result)


def _each(
    check: str,
    answers: Iterable[tuple[str, TriedAnswer]],
    name: str,
    trouble: Callable[[TriedAnswer], str],
    hint: str = "",
) -> Iterator[Finding]:
    """One finding for all answers; one with what is wrong with some."""
    wrong: dict[str, str] = {}
    tried, trace = False, ""
    for each, answer in answers:
        tried = True
        try:
            problem = trouble(answer)
        except Exception as error:  # noqa: BLE001 - a plugin can raise anything
            problem, trace = _said(error), trace or trace_of(error)
        if problem:
            wrong.setdefault(each, problem)
    if wrong:
        words = " ".join(f"{each}: {problem}" for each, problem in wrong.items())
        # Where something was raised, that is what there is to mend.
        yield failed(check, words, "" if trace else hint, name, trace)
    elif tried:
        yield passed(check, name)


def _said(error: Exception) -> str:
    """What was raised, in what and where, as a sentence."""
    if isinstance(error, ExplorerError):
        return " ".join((*_steps(error), f"{error.message}{place_said(error)}"))
    return " ".join((*_steps(error), f"{raised(error)}."))


def _steps(error: Exception) -> Sequence[str]:
    """What was being done, the outermost first."""
    return [*getattr(error, "__notes__", ())][::-1]


@contextmanager
def _step(words: str) -> Iterator[None]:
    """Let what is raised inside say what was being done."""
    try:
        yield
    except Exception as error:
        error.add_note(words)
        raise


def _rows(answer: TriedAnswer, spoke: set[str]) -> str:
    """Its table, a file of it, its summary, what to look at first.

    Args:
        answer: What is looked at.
        spoke: The names of questions whose headline said something; more are put into it.
    """
    question, result = answer.question, answer.result
    with _step("its table:"):
        table_to_csv(question.table(result))
    if question.summary is not None:
        with _step("its summary:"):
            question.summary(result)
    if question.headline is not None:
        with _step("its headline:"):
            if question.headline(result).sentence:
                spoke.add(question.name)
    return "" if in_range(result) else "a number is not finite."


def _at_ends(runner: Runner, spoke: set[str]) -> Callable[[TriedAnswer], str]:
    def trouble(answer: TriedAnswer) -> str:
        question = answer.question
        for what, document in ends(question, answer.document):
            with suppress(UserMistake), _step(f"with {what}"):
                request = _request_of(question, document, runner)
                if request is None:
                    continue
                found = runner.ask(request, answer.cast, answer.context)
                if problem := _rows(replace(answer, request=request, result=found), spoke):
                    return f"with {what} {problem}"
        return ""

    return trouble


def _heard(
    own: Sequence[Question[Any, Any]], spoke: Collection[str], name: str
) -> Iterator[Finding]:
    """Whether headlines that plugins write spoke: numbers of a tiny model rarely stand out."""
    # What follows from parts is the program's own, and tried there.
    written = [
        one.name
        for one in own
        if one.headline is not None and one.headline.__module__ != Question.__module__
    ]
    check = "says what to look at first"
    if silent := [one for one in written if one not in spoke]:
        yield not_tried(
            check,
            f"The headline was silent in every answer: {', '.join(silent)}.",
            "Give question.py EXAMPLES of which it speaks: requests, or (request, result).",
            name,
        )
    elif written:
        yield passed(check, name)
