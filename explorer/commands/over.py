"""`over`: one question about every sentence of a file."""

import argparse
import contextlib
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer import headless
from explorer.api import Cast, ExplorerError, UserMistake
from explorer.document import Document
from explorer.program import Program

if TYPE_CHECKING:
    from explorer.engine.runner import Runner

NAME = "over"
HELP = "ask one question about every sentence of a file; stopped, it goes on where it was"

REPORT_EVERY = 0.5
"""Seconds between two reports of progress."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The file, the question, who answers, how the answer comes out."""
    parser.add_argument("file", type=Path, metavar="FILE", help=".txt, .csv or .tsv")
    parser.add_argument(
        "--ask", default="sweep", metavar="Q", help="the question: sweep, tokenize, fill_mask, ..."
    )
    add_column_option(parser)
    headless.add_model_option(parser)
    parser.add_argument(
        "--second", metavar="M", help="the second model, for questions that compare two"
    )
    parser.add_argument(
        "--keep-answers",
        action="store_true",
        help="also log every sentence's whole answer, in a session of the file's name",
    )
    headless.add_output_options(parser)


def add_column_option(parser: argparse.ArgumentParser) -> None:
    """Which column of a table is read."""
    parser.add_argument(
        "--column", default="", metavar="C", help="of a table: the column with the sentences"
    )


def run(args: argparse.Namespace, program: Program) -> int:
    """Ask and print.

    Raises:
        UserMistake: There is no such question.
    """
    from explorer.operations import all_operations

    found = all_operations()
    if args.ask not in found or found[args.ask].summary is None:
        known = ", ".join(name for name, one in found.items() if one.summary is not None)
        raise UserMistake(
            f'"{args.ask}" can\'t be asked about a file of sentences.', f"Choose one of {known}."
        )
    if args.keep_answers:
        keep_answers(args, program)
    return run_over(args, program, args.file, args.ask, Document())


def keep_answers(args: argparse.Namespace, program: Program) -> None:
    """Log the whole answer to every sentence that a session of the file's name lacks."""
    from explorer.batch.sentences import count_sentences, read_sentences
    from explorer.operations import all_operations
    from explorer.sessions.filing import Filing

    runner = program.runner()
    models = _load(args, program, runner, args.ask)
    filing = Filing(
        program.paths.sessions,
        args.file.name,
        all_operations()[args.ask],
        Document(),
        {role: runner.cards[slot].stamp for role, slot in models.items()},
    )
    count, tell = count_sentences(args.file, args.column), Progress()
    # One session for the file, however many sentences it has.
    log = headless.Log(program, args.file.name)
    try:
        for sentence in filing.remaining(read_sentences(args.file, args.column)):
            tell(f"logging {sentence.number:,} of {count:,}", sentence.number, count)
            document, request = filing.document(sentence), filing.request(sentence)
            # A sentence that can't be answered is logged as such, and asked again next time.
            with contextlib.suppress(ExplorerError):
                headless.ask(
                    runner, program, request, document, log=True, models=models, kept_in=log
                )
    finally:
        tell.end()
        log.close()


def _load(args: argparse.Namespace, program: Program, runner: "Runner", operation: str) -> Cast:
    """The models of the question, in the order of its roles."""
    from explorer.operations import all_operations

    names = (args.model, getattr(args, "second", None))
    roles = tuple(all_operations()[operation].roles)
    named = {role: name for role, name in zip(roles, names, strict=False) if name is not None}
    return headless.load_all(runner, program, named, allow_pickle=args.allow_pickle)


def run_over(
    args: argparse.Namespace, program: Program, file: Path, operation: str, options: Document
) -> int:
    """Ask about every sentence of a file, with the options of a document, and print."""
    from explorer.operations import all_operations
    from explorer.operations.over_file import OverFile

    request = OverFile.about(all_operations()[operation], options, str(file), args.column)
    runner = program.runner()
    models = _load(args, program, runner, operation)
    tell = Progress()
    try:
        answered = headless.ask(
            runner,
            program,
            request,
            options,
            log=not args.no_log,
            models=models,
            progress=tell,
        )
    except KeyboardInterrupt:
        tell.end()
        sys.stderr.write("Stopped. What is done is kept: the same command goes on from there.\n")
        raise
    finally:
        tell.end()
    result = answered.result
    if args.csv is not None:
        from explorer.batch.csv_file import write_rows
        from explorer.batch.rows import ResultsReader

        write_rows(args.csv, ResultsReader(Path(result.results)))
    if args.json:
        from explorer.serialise import to_builtins

        headless.print_json(to_builtins(result))
    else:
        show(result)
    return 0


class Progress:
    """Says on a terminal's standard error how far it is."""

    def __init__(self) -> None:
        self._last = 0.0
        self._width = 0

    def __call__(self, stage: str, _done: float, _total: float) -> None:
        """Say it, unless something was said a moment ago."""
        now = time.monotonic()
        if now - self._last >= REPORT_EVERY and sys.stderr.isatty():
            self._last = now
            sys.stderr.write(f"\r{stage:<{self._width}}")
            sys.stderr.flush()
            self._width = len(stage)

    def end(self) -> None:
        """Leave the line as it was found."""
        if self._width:
            sys.stderr.write(f"\r{'':<{self._width}}\r")
            self._width = 0


def show(result: Any) -> None:
    """Print for a person: how many, the means, what failed."""
    stamp = result.model
    print(f"{stamp.id}  ({stamp.family}, {stamp.dtype} on {stamp.device})")
    print(f"{result.operation} of {result.source}: {result.done:,} of {result.count:,} sentences")
    width = max((len(spread.column) for spread in result.spreads), default=0)
    for one in result.spreads:
        print(
            f"  {one.column:<{width}}  mean {one.mean:10.4f}   "
            f"from {one.minimum:.4f} to {one.maximum:.4f}"
        )
    print(f"rows: {result.results}")
    if result.left_out:
        sys.stderr.write(f"{result.left_out:,} more sentences were left out.\n")
    if result.failed:
        sys.stderr.write(f"{result.failed:,} sentences failed:\n")
        for number, text, why in result.failures:
            sys.stderr.write(f"  line {number}: {text[:60]}: {why}\n")
