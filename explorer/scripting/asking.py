"""`explorer.ask`: any question, of any number of models."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from explorer import casting
from explorer.api.question import BESIDE, BY_NAME, Question, Table, UserMistake, with_entities
from explorer.command_line.asking.request_arguments import template
from explorer.document import Document
from explorer.files_of_sentences.formats.layout import NO_COLUMN
from explorer.headless import USUAL
from explorer.questions.former_names import means_today
from explorer.questions.learning.over_steps.options import ASKED_QUESTION, SERIES, SHOWN, STEPS
from explorer.questions.many.file_of_sentences.question import FileOfSentencesResult, results_of
from explorer.scripting.answer import ModelAnswer
from explorer.scripting.mistakes import advised
from explorer.scripting.notebook.progress import bar
from explorer.scripting.process import OpenModel, current
from explorer.scripting.requests import field_value, known_question, options_of, request_of
from explorer.serialise import to_json
from explorer.text import N_, _

Playing = str | Path | OpenModel
"""Who plays a role: a model that is open, or one that is named as `open` takes it."""


def ask(
    question: str,
    text: str | None = None,
    /,
    *,
    logged: bool | None = None,
    exact: bool = False,
    **options: Any,
) -> ModelAnswer:
    """Ask a question.

    Args:
        question: Its name: "masked_tokens", "surprisal", "soft_targets".
        text: The sentence; a [MASK] in it is a mask.
        logged: Keep it in the session log; None as `use` has it.
        exact: Ask for the exact answers of the miniatures' world as well.
        options: Who plays the roles (`model="bert-miniature"`, or `teacher=`, `student=`), `pair`
            for a second text, `masks` and `entities`, and what the question can be set to:
            `help(explorer.open(...).masked_tokens)` has all of it.

    Raises:
        Mistake: There is no such question, role or option, or a value is none of its values.
        Trouble: It can't be answered.
    """
    current()  # brings the questions of plugins
    with advised():
        operation = known_question(question)
        # A question that is asked many times over has the roles of whichever is asked.
        roles = operation.roles if operation.delegates_to is None else USUAL
        given = {name: options.pop(name) for name in tuple(options) if name in roles}
        if text is not None:
            options["text"] = text
        request, document = request_of(operation, {**means_today(question), **options})
        return answered(operation, request, document, given, logged=logged, exact=exact)


def answered(
    operation: Question[Any, Any],
    request: Any,
    document: Document,
    given: Mapping[str, Playing],
    *,
    logged: bool | None = None,
    exact: bool = False,
) -> ModelAnswer:
    """Open who plays the roles, and ask.

    Args:
        operation: The question.
        request: What is asked.
        document: That asks it.
        given: Who plays a role; the usual models play the others.
        logged: Keep it in the session log.
        exact: Ask for what is laid beside it as well.
    """
    process = current()
    named = {
        role: one.card.stamp.as_asked if isinstance(one, OpenModel) else str(one)
        for role, one in given.items()
    }
    there = [one.in_engine for one in given.values() if isinstance(one, OpenModel)]
    if len(set(there)) > 1:
        raise UserMistake(
            N_("One of these models is in the engine's process, and another in this one."),
            N_("Open both with engine=True, or both without."),
        )
    in_engine = there[0] if there else process.in_engine
    cast = {}
    for role, name in casting.cast(process.program, operation, request, named).items():
        one = given.get(role)
        if not isinstance(one, OpenModel):
            one = process.opened(name, in_engine=in_engine)
        cast[role] = one.slot
    models = process.models(cast, in_engine=in_engine)
    if exact:
        if operation.beside is None:
            raise UserMistake(
                N_("There are no exact answers to {question}."),
                N_("Leave exact out."),
                question=operation.name,
            )
        document = document.with_option(BESIDE.key, True)
    kept = process.log if (process.logs if logged is None else logged) else False
    with bar(_(operation.title)) as progress:
        found = models.ask(request, document, log=kept, progress=progress)
    found = models.with_beside(found) if exact else found
    return ModelAnswer(found, models, datetime.now(UTC).isoformat(timespec="seconds"))


def every_row(result: FileOfSentencesResult) -> Table:
    """What a file's sentences were answered, a row a sentence."""
    reader = results_of(result)
    return Table(tuple(reader.columns), tuple(reader.every()))


def ask_file(
    path: str | Path,
    question: str = "surprisal",
    /,
    *,
    column: str = "",
    pair_column: str | None = "",
    limit: int = 0,
    find_entities: bool = True,
    logged: bool | None = None,
    **options: Any,
) -> ModelAnswer:
    """Ask a question about every sentence of a file; `frame()` has a row a sentence.

    What was asked before is not asked again: a run that is stopped goes on where it was.

    Args:
        path: .txt with a sentence on every line, .csv or .tsv, or .json as SQuAD has it.
        question: One that has a row for a sentence.
        column: Of a table: the column with the sentences, by its name or its number from 1; ""
            finds it.
        pair_column: Of a table: the column with the second texts, likewise; "" finds one by its
            name, as "pair" or "sentence2", and None takes none. The answer's `read_as` says what
            was taken for what.
        limit: Sentences that are asked about at most; 0 for all.
        find_entities: A model that reads entities is given those whose names are in a sentence.
        logged: Keep the run in the session log.
        options: Who plays the roles, and what the question can be set to.

    Raises:
        Mistake: The file can't be read, or the question has no row for a sentence.
        Trouble: It can't be answered.
    """
    current()  # brings the questions of plugins
    with advised():
        each, over = known_question(question), known_question("file_of_sentences")
        given = {name: options.pop(name) for name in tuple(options) if name in each.roles}
        known = options_of(each)
        for name in options.keys() - known.keys():
            request_of(each, {name: None})  # says so
        typed = {known[name]: field_value(each, known[name], options[name]) for name in options}
        asked, document = template(each, Document(), typed)
        asked = with_entities(asked, BY_NAME) if find_entities else asked
        request, _unused = request_of(
            over,
            {
                "path": str(path),
                "operation": each.name,
                "request": to_json(asked),
                "column": column,
                "pair_column": NO_COLUMN if pair_column is None else pair_column,
                "limit": limit,
            },
        )
        found = answered(over, request, document, given, logged=logged)
        return found.with_rows(every_row(found.result))


def ask_steps(
    question: str,
    text: str | None = None,
    /,
    *,
    steps: str = "all",
    series: Sequence[str | Path] = (),
    numbers: str = "",
    logged: bool | None = None,
    **options: Any,
) -> ModelAnswer:
    """Ask a question at every step of a model's training; `frame()` has a row a number and a step.

    What was asked before is not asked again: a run that is stopped goes on where it was.

    Args:
        question: Its name: "masked_tokens", "attention", "learnt_rules".
        text: The sentence; a [MASK] in it is a mask.
        steps: Which ones: "all", or as in "10,100,1000-4000".
        series: Further series that are asked the same: runs of training, folders with checkpoint-*
            in them, models of the hub.
        numbers: Words that the names of the numbers must have, as "probability soup"; "" for those
            that say most.
        logged: Keep the run in the session log; None as `use` has it.
        options: Who plays the roles, one of them a frame of a series, and what the question can be
            set to.

    Raises:
        Mistake: There is no such question, role, option or step, or no model has steps.
        Trouble: It can't be answered.
    """
    current()  # brings the questions of plugins
    with advised():
        # It stands on numpy, which a program that asks nothing over steps need not wait for.
        from explorer.questions.learning.over_steps.question import OverStepsRequest

        each, over = known_question(question), known_question("over_steps")
        given = {name: options.pop(name) for name in tuple(options) if name in each.roles}
        if text is not None:
            options["text"] = text
        request, document = request_of(each, {**means_today(question), **options})
        whole = OverStepsRequest(each.name, series=tuple(map(str, series)), steps=steps).about(
            request
        )
        document = document.with_option(ASKED_QUESTION.key, each.name)
        document = document.with_option(SERIES.key, SERIES.written(whole.series))
        document = document.with_option(STEPS.key, STEPS.written(steps))
        if numbers:
            document = document.with_option(SHOWN.key, [numbers])
        return answered(over, whole, document, given, logged=logged)
