"""`sessions`: the log of what was asked: list, search, show, replay, export."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from explorer import headless
from explorer.api import Table, UserMistake
from explorer.global_options import add_global_options
from explorer.program import Program

NAME = "sessions"
HELP = "the log of what was asked: list, search, show, replay, export"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to do with the log; without a word, list."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    # SUPPRESS below: without it, its absence after the action would undo it before the action.
    absent = argparse.SUPPRESS
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    listing = actions.add_parser("list", help="the newest runs (what happens without an action)")
    search = actions.add_parser("search", help="the newest runs with all these words")
    search.add_argument("words", nargs="+")
    for subparser in (listing, search):
        subparser.add_argument("--operation", help="of one operation only: fill_mask, ...")
        subparser.add_argument("--model", help="of one model only")
        subparser.add_argument("--limit", type=int, default=20, help="how many (default: 20)")
        subparser.add_argument("--json", action="store_true", default=absent)
    show = actions.add_parser("show", help="everything kept of a run")
    show.add_argument("run", help="its id, or the beginning of it")
    show.add_argument("--json", action="store_true", default=absent)
    replay = actions.add_parser("replay", help="ask again, and say whether the answer is the same")
    replay.add_argument("run", help="its id, or the beginning of it")
    headless.add_output_options(replay)
    replay.add_argument("--allow-pickle", action="store_true", help="agree to pickled weights")
    export = actions.add_parser("export", help="write a run's table to a file")
    export.add_argument("run", help="its id, or the beginning of it")
    export.add_argument("file", type=Path, help="a name that ends in .csv or .json")
    for subparser in (listing, search, show, replay, export):
        add_global_options(subparser)


def run(args: argparse.Namespace, program: Program) -> int:
    """Do it; the database is only read, but for a replay, which is logged as a run of its own."""
    from explorer.sessions import commands
    from explorer.sessions.listing import Wanted

    database = program.paths.sessions
    if args.action == "show":
        found = commands.show_run(database, args.run)
        if args.json:
            headless.print_json(found)
        else:
            _show_run(found)
    elif args.action == "export":
        written = commands.export_run(database, args.run, args.file)
        print(f"{written['rows']} rows of {written['id']} are in {written['file']}")
    elif args.action == "replay":
        _replay(args, program)
    else:
        wanted = Wanted(
            " ".join(getattr(args, "words", ())),
            operation=getattr(args, "operation", None),
            model_id=getattr(args, "model", None),
            starred=getattr(args, "starred", None),
            since=getattr(args, "since", None),
            until=getattr(args, "until", None),
        )
        runs = commands.list_runs(database, wanted, getattr(args, "limit", 20))
        if args.json:
            headless.print_json({"runs": runs})
        else:
            _show_list(runs)
    return 0


def _show_list(runs: Sequence[Mapping[str, Any]]) -> None:
    if not runs:
        sys.stderr.write("No run is logged that fits.\n")
    for entry in runs:
        when = entry["created_at"][:19].replace("T", " ")
        print(f"{entry['id']}  {when}  {entry['operation']:<12}  {entry['model_id']}")
        print(f"    {entry['text']}")
        print(f"    {entry['headline']}")


def _show_run(found: Mapping[str, Any]) -> None:
    print(found["caption"])
    table = found["table"]
    if table is None:
        print(found["summary"]["headline"])
        return
    rows = [tuple(table["columns"]), *(tuple(map(_cell, row)) for row in table["rows"])]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = (text.ljust(width) for text, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _replay(args: argparse.Namespace, program: Program) -> None:
    from explorer.operations import operation_of
    from explorer.sessions.reader import SessionReader

    stored = SessionReader(program.paths.sessions).run(args.run)
    if stored.request is None or stored.model is None:
        raise UserMistake(
            f"The run {stored.summary.id} can't be asked again: "
            f"{stored.unreadable or 'no model answered it.'}"
        )
    runner = program.runner()
    headless.load(runner, program, stored.model.id, allow_pickle=args.allow_pickle)
    answered = headless.ask(runner, program, stored.request, stored.document, log=not args.no_log)
    if runner.cards["A"].stamp.fingerprint != stored.model.fingerprint:
        sys.stderr.write("The model's files have changed since.\n")
    table = operation_of(stored.request).table(answered.result)
    headless.write_answer(
        answered.result, args, lambda _: print(difference_text(stored.table, table)), stored.request
    )


def difference_text(before: Table | None, after: Table) -> str:
    """One sentence: whether two tables of the same question say the same."""
    if before is None:
        return "It failed then and has an answer now."
    if before.columns != after.columns or len(before.rows) != len(after.rows):
        return f"The answer has another shape: {len(before.rows)} rows then, {len(after.rows)} now."
    largest = 0.0
    changed = 0
    for row, other in zip(before.rows, after.rows, strict=True):
        for old, new in zip(row, other, strict=True):
            if isinstance(old, float) and isinstance(new, float):
                largest = max(largest, abs(old - new))
            elif old != new:
                changed += 1
    if changed:
        return f"The answer differs: {changed} cells say something else."
    if largest:
        return f"The same answer; the largest difference of a number is {largest:.3g}."
    return "The same answer, to the last digit."
