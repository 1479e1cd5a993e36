"""`over`: one question about every sentence of a file, asked of one model or of many."""

import argparse
import contextlib
import dataclasses
import itertools
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer import headless
from explorer.api.question import (
    BY_NAME,
    SLOTS,
    Context,
    ExplorerError,
    Question,
    UserMistake,
    with_entities,
)
from explorer.api.worker_context import Parallelism
from explorer.command_line.asking import many_models
from explorer.command_line.asking.file_answers import show, told_of, told_together
from explorer.command_line.options.shared_options import add_model_option, add_output_options
from explorer.command_line.options.step_options import add_step_options, at_named_step, steps_named
from explorer.command_line.options.values_options import (
    add_values_options,
    checked_values_path,
    write_values,
)
from explorer.command_line.parsing import DONE, MISTAKE, Parser
from explorer.document import Document
from explorer.files_of_sentences.compared import MOST_MODELS
from explorer.files_of_sentences.runners.worth import AROUND, START
from explorer.printing.progress import TerminalProgress
from explorer.program import Program
from explorer.questions.former_names import question_named
from explorer.text import N_, _, said

if TYPE_CHECKING:
    from explorer.engine.runner import Runner
    from explorer.questions.many.file_of_sentences.question import FileOfSentencesResult

NAME = "over"
HELP = N_("one question about every sentence of a file")

USUAL = "surprisal"
MOST_PROCESSES = 64


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The file, the question, who answers, how the answer comes out."""
    parser.add_argument(
        "file",
        type=Path,
        metavar="FILE",
        help=_(".txt, .csv, .tsv, .jsonl or .conllu, or .json as SQuAD has it"),
    )
    parser.add_argument(
        "--ask", default=USUAL, metavar="Q", help=_("the question: surprisal, tokens, ...")
    )
    add_file_options(parser, "--text", "--pair")
    parser.add_argument(
        "--group-by",
        default="",
        metavar="C",
        help=_("a line of means for each that a column holds: of the file, or of the answers"),
    )
    add_model_option(parser)
    parser.add_argument(
        "--models",
        type=many_models.names,
        metavar="M,N",
        help=_("many models, one after the other: one file with a row a sentence and model"),
    )
    parser.add_argument(
        "--in-columns",
        action="store_true",
        help=_(
            "with --models: a row a sentence instead, with columns of each model and how its"
            " numbers differ from the first one's"
        ),
    )
    parser.add_argument(
        "--second", metavar="M", help=_("the second model, for questions that compare two")
    )
    parser.add_argument(
        "--find-entities",
        action=argparse.BooleanOptionalAction,
        default=True,
        help=_(
            "a model that reads entities is given those whose names are in a sentence, as"
            " without --no-find-entities"
        ),
    )
    parser.add_argument(
        "--keep-answers",
        action="store_true",
        help=_("also log every sentence's whole answer, in a session of the file's name"),
    )
    parser.add_argument(
        "--processes",
        type=_processes,
        default=0,
        metavar="N",
        help=_(
            "how many processes answer: 0 decides by how long it takes, 1 is this one alone; each "
            "further one takes up to {seconds} s of a core to start, and up to {megabytes} MB "
            "besides the model",
            seconds=int(START),
            megabytes=AROUND // 1_000_000,
        ),
    )
    parser.add_argument(
        "--runner",
        choices=("processes", "ray"),
        default="processes",
        help=_("who answers: processes of this machine, or actors of Ray"),
    )
    parser.add_argument(
        "--address",
        default="",
        metavar="A",
        help=_("of a cluster of Ray, as 10.0.0.5:6379; without, one is started here for the run"),
    )
    add_output_options(parser)
    parser.add_argument(
        "--parquet", type=Path, metavar="FILE", help=_("write the rows as Parquet (.parquet)")
    )
    add_values_options(parser)
    _add_question(parser)


def _sharing(args: argparse.Namespace) -> Parallelism:
    """Who shares in the work.

    Raises:
        UserMistake: Ray is wanted and not installed, or an address without it.
    """
    runner, address = getattr(args, "runner", ""), getattr(args, "address", "")
    if runner == "ray":
        from explorer.files_of_sentences.runners.ray_actors import check_installed

        check_installed()
        return Parallelism(args.processes, runner, address)
    if address:
        raise UserMistake(N_("--address is of a cluster of Ray."), N_("Add --runner ray."))
    return Parallelism(getattr(args, "processes", 0))


def _processes(text: str) -> int:
    number = int(text) if text.isascii() and text.isdecimal() else -1
    if not 0 <= number <= MOST_PROCESSES:
        raise argparse.ArgumentTypeError(
            _("{given} is not a number from 0 to {most}", given=repr(text), most=MOST_PROCESSES)
        )
    return number


def _add_question(parser: argparse.ArgumentParser) -> None:
    """What the question that is typed can be set to, as `ask` has it."""
    from explorer.command_line.asking.request_arguments import add_arguments as add_request
    from explorer.command_line.asking.request_arguments import flags_over

    early = Parser(add_help=False)
    # Without a name behind it, which the whole parser misses, it is that of the usual one.
    early.add_argument("--ask", nargs="?", const=USUAL, default=USUAL)
    typed = parser.typed if isinstance(parser, Parser) else ()
    question = _question(early.parse_known_args([*typed])[0].ask)
    add_request(parser, question, flags_over(question))
    add_step_options(parser, many=question.one_answers)


def _question(name: str) -> Question[Any, Any]:
    """The question of a name.

    Raises:
        UserMistake: There is none, or it can't be asked about a file.
    """
    from explorer.questions import all_questions

    question = question_named(name.replace("-", "_"))
    if question is None or question.summary is None:
        known = ", ".join(n for n, one in all_questions().items() if one.summary is not None)
        raise UserMistake(
            N_('"{name}" can\'t be asked about a file of sentences.'),
            N_("Choose one of {known}."),
            name=name,
            known=known,
        )
    return question


def add_column_option(parser: argparse.ArgumentParser, *names: str) -> None:
    """Which columns of a table are read, under which other names they are told."""
    text, pair = names or (None, None)
    parser.add_argument(
        *filter(None, (text, "--column")),
        dest="column",
        default="",
        metavar="C",
        help=_("of a table: the column with the sentences, by its name or its number from 1"),
    )
    parser.add_argument(
        *filter(None, (pair, "--pair-column")),
        dest="pair_column",
        default="",
        metavar="C",
        help=_("of a table: the column with the second texts, likewise; - for none"),
    )


def add_file_options(parser: argparse.ArgumentParser, *names: str) -> None:
    """Which columns of a table are read, and how many of its sentences."""
    add_column_option(parser, *names)
    parser.add_argument(
        "--limit",
        type=int,
        default=0,
        metavar="N",
        help=_("sentences that are asked about at most"),
    )


def run(args: argparse.Namespace, program: Program) -> int:
    """Ask and print.

    Raises:
        UserMistake: There is no such question, or it is not one for many models.
    """
    from explorer.command_line.asking.request_arguments import given

    question = _question(args.ask)
    if args.second is not None and len(question.roles) < 2:
        raise UserMistake(
            N_("--second is for questions that compare two models."), N_("Leave it out.")
        )
    args.model = at_named_step(args, program, args.model)
    if steps := steps_named(args, program, args.model):
        if args.models:
            raise UserMistake(
                N_("--steps asks one model at many steps, and --models many models."),
                N_("Leave one of them out."),
            )
        args.models = tuple(steps)
    if args.in_columns and not 2 <= len(args.models or ()) <= MOST_MODELS:
        raise UserMistake(
            N_("--in-columns lays 2 to {most} models side by side."),
            N_("Name them with --models."),
            most=MOST_MODELS,
        )
    if args.models:
        if len({*question.roles} - question.optional) > 1:
            raise UserMistake(
                N_('"{title}" is asked of two models at once, not of one after the other.'),
                N_("Name them with --model and --second."),
                title=question.title,
            )
        many_models.check(args.models, program, question)
        if args.second is not None:
            raise UserMistake(
                N_("--second is for questions that compare two models."), N_("Leave it out.")
            )
        if args.values is not None:
            raise UserMistake(
                N_("--values is of the models of one answer."), N_("Leave --models out.")
            )
    return run_over(args, program, args.file, question, given(args))


def run_over(
    args: argparse.Namespace,
    program: Program,
    file: Path,
    question: Question[Any, Any],
    typed: Mapping[str, Any],
) -> int:
    """Ask about every sentence of a file, with the fields of a request that were typed."""
    from explorer.command_line.asking.request_arguments import template
    from explorer.questions.many.file_of_sentences.question import FileOfSentencesRequest
    from explorer.serialise import to_json
    from explorer.sessions.export.parquet import require_parquet
    from explorer.sessions.schema.atomic import refuse_unwritable

    asked, options = template(question, Document(), typed)
    if getattr(args, "find_entities", True):
        asked = with_entities(asked, BY_NAME)
    limit = getattr(args, "limit", 0)
    parquet, values = getattr(args, "parquet", None), checked_values_path(args)
    require_parquet(parquet)
    refuse_unwritable(args.csv, parquet)
    request = FileOfSentencesRequest(
        str(file),
        question.name,
        to_json(asked),
        args.column,
        limit=limit,
        pair_column=args.pair_column,
    )
    runner, tell = program.runner(_sharing(args)), TerminalProgress()
    results: list[FileOfSentencesResult] = []
    captions: list[str] = []
    titles: dict[str, str] = {}
    names: Sequence[str] = getattr(args, "models", None) or (args.model,)
    try:
        for name in names:
            tell.who = f"{name}: " if len(names) > 1 else ""
            if results and getattr(args, "training_steps", None) is None:
                # Else there would be two in memory until the next one is loaded. Frames share one.
                runner.unload(SLOTS[0])
            models = _load(args, program, runner, question, name)
            if getattr(args, "processes", 0) > 1 and name == names[0]:
                _tell_cost(program, runner, question)
            if getattr(args, "keep_answers", False):
                _keep_answers(args, question, (asked, options), models, tell)
            answered = models.ask(request, options, log=not args.no_log, progress=tell)
            results.append(answered.result)
            captions.append(headless.caption_now(answered.run))
            titles |= answered.titles
            if values is not None:
                _write_values(args, values, models, options, tell)
    except KeyboardInterrupt:
        tell.end()
        sys.stderr.write(_("Stopped. What is done is kept: the same command goes on from there.\n"))
        raise
    finally:
        tell.end()
    _write(args, program, results, captions, titles)
    return DONE if any(one.done > one.failed for one in results) else MISTAKE


def _write(
    args: argparse.Namespace,
    program: Program,
    results: "Sequence[FileOfSentencesResult]",
    captions: Sequence[str],
    titles: Mapping[str, str],
) -> None:
    """Print what came of one model, or of many side by side."""
    from explorer.api.question import Table
    from explorer.files_of_sentences.compared import ComparedReader
    from explorer.files_of_sentences.results import side_by_side
    from explorer.files_of_sentences.rows import ResultsReader
    from explorer.files_of_sentences.written_rows import write_parquet_rows, write_rows
    from explorer.questions.many.file_of_sentences.question import results_of

    reader = results_of(results[0])
    many = {one.model.id: results_of(one) for one in results}
    threshold = getattr(args, "threshold", None)
    if len(results) > 1 and getattr(args, "in_columns", False):
        others = [one.path for one in many.values()][1:]
        reader = ComparedReader(reader.path, others, tuple(many), results[0].count)
    elif len(results) > 1:
        place = side_by_side(program.paths.results, many)
        reader = ResultsReader(place, sum(one.count for one in results))
    by = getattr(args, "group_by", "")
    if args.csv is not None:
        write_rows(args.csv, reader, " ".join(captions), args.caption)
    if getattr(args, "parquet", None) is not None:
        write_parquet_rows(args.parquet, reader, " ".join(captions))
    if args.json:
        models = [told_of(one, threshold, by) for one in results]
        told = models[0] if len(models) == 1 else told_together(reader, results, models)
        rows = Table(reader.columns, tuple(reader.every()))
        headless.print_json({**told, "table": rows.plain()})
    else:
        places = [one.path for _name, one in reader.each]
        show(results, places, titles, threshold, by)


def _load(
    args: argparse.Namespace,
    program: Program,
    runner: "Runner",
    question: Question[Any, Any],
    name: str,
) -> headless.LoadedModels:
    """The models of the question, in the order of its roles."""
    names = (name, getattr(args, "second", None))
    named = {role: one for role, one in zip(question.roles, names, strict=False) if one is not None}
    return headless.load_all(runner, program, named, allow_pickle=args.allow_pickle)


def _tell_cost(program: Program, runner: "Runner", question: Question[Any, Any]) -> None:
    """Say what the processes cost that are wanted, before they are started."""
    from explorer.files_of_sentences.runners.choice import cost_of_more

    playing = dict(zip(question.roles, runner.cards, strict=False))
    context = runner.with_models(playing, Context(cache=program.paths.cache))
    if cost := cost_of_more(context):
        sys.stderr.write(f"{said(cost)}\n")


def _write_values(
    args: argparse.Namespace,
    path: Path,
    models: headless.LoadedModels,
    options: Document,
    tell: TerminalProgress,
) -> None:
    """Write what the models have inside for every sentence, by its line: "line_2.states"."""
    from explorer.files_of_sentences.sentences import count_sentences, read_sentences
    from explorer.values.written import values_file

    columns = args.column, args.pair_column
    count = count_sentences(args.file, *columns)
    if 0 < args.limit < count:
        count = args.limit
    sentences = itertools.islice(read_sentences(args.file, *columns), count)
    with values_file(path) as file:
        for done, sentence in enumerate(sentences):
            tell(_("values of {number} of {count}", number=done, count=count), done, count)
            document = dataclasses.replace(options, text=sentence.text, pair=sentence.pair)
            write_values(file, models, document, args.value, f"line_{sentence.number}")
    tell.end()


def _keep_answers(
    args: argparse.Namespace,
    question: Question[Any, Any],
    asked: tuple[Any, Document],
    models: headless.LoadedModels,
    tell: "TerminalProgress",
) -> None:
    """Log the whole answer to every sentence that a session of the file's name lacks."""
    from explorer.files_of_sentences.sentences import count_sentences, read_sentences
    from explorer.sessions.log.batch_log import BatchLog

    filing = BatchLog(
        models.program.paths.sessions,
        args.file.name,
        question,
        asked[1],
        models.stamps,
        asked[0],
    )
    columns = args.column, args.pair_column
    count = count_sentences(args.file, *columns)
    if 0 < args.limit < count:
        count = args.limit
    sentences = itertools.islice(read_sentences(args.file, *columns), count)
    # One session for the file, however many sentences it has.
    log = headless.Log(models.program, args.file.name)
    try:
        for sentence in filing.remaining(sentences):
            tell(
                _("logging {number} of {count}", number=sentence.number, count=count),
                sentence.number,
                count,
            )
            document, request = filing.document(sentence), filing.request(sentence)
            # A sentence that can't be answered is logged as such, and asked again next time.
            with contextlib.suppress(ExplorerError):
                models.ask(request, document, log=log)
    finally:
        tell.end()
        log.close()
