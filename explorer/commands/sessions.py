"""`sessions`: the log of what was asked: list, search, show, replay, compare, export, merge."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer import headless
from explorer.api.question import MODEL, Table
from explorer.command_line.options.global_options import add_global_options
from explorer.command_line.options.shared_options import (
    add_caption_option,
    add_form_option,
    add_output_options,
    form_of_programs,
    is_standard_output,
)
from explorer.printing.tables import print_table
from explorer.program import Program
from explorer.text import N_, _, ngettext, said
from explorer.text.formatting import dates

if TYPE_CHECKING:
    from explorer.sessions.read.listing import RunFilter
    from explorer.sessions.records import RunSummary

NAME = "sessions"
HELP = N_("the log: list, search, show, replay, export, ...")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to do with the log; without a word, list."""
    parser.add_argument("--json", action="store_true", help=_("print one JSON object"))
    # SUPPRESS below: without it, its absence after the action would undo it before the action.
    absent = argparse.SUPPRESS
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    listing = actions.add_parser("list", help=_("the newest runs (what happens without an action)"))
    search = actions.add_parser("search", help=_("the newest runs with all these words"))
    search.add_argument("words", nargs="+", help=_("words, or beginnings of words"))
    show = actions.add_parser("show", help=_("everything kept of a run"))
    replay = actions.add_parser(
        "replay", help=_("ask again: is the answer the same, and if not why")
    )
    compare = actions.add_parser("compare", help=_("two runs of one question side by side"))
    export = actions.add_parser("export", help=_("write runs and their answers to a file"))
    merge = actions.add_parser("merge", help=_("take over the runs of another database"))
    for subparser in (listing, search, export):
        _add_filters(subparser)
    for subparser in (listing, search):
        subparser.add_argument("--limit", type=int, default=20, help=_("how many (default: 20)"))
    for subparser in (show, replay):
        subparser.add_argument("run", help=_("its id, or the beginning of it"))
    for subparser in (listing, search, show, export, merge):
        subparser.add_argument("--json", action="store_true", default=absent)
    add_output_options(replay)
    replay.add_argument("--allow-pickle", action="store_true", help=_("agree to pickled weights"))
    compare.add_argument("first", help=_("a run's id, or the beginning of it"))
    compare.add_argument("second", help=_("the other's"))
    compare.add_argument("--json", action="store_true", default=absent)
    compare.add_argument("--csv", type=Path, metavar="FILE", help=_("write the table as CSV"))
    export.add_argument("run", help=_('its id, or the beginning of it; "all" for those that fit'))
    export.add_argument(
        "file",
        type=Path,
        help=_("a name that ends in .csv, .json or .parquet; .ipynb, .py or .md for programs"),
    )
    add_form_option(export)
    add_caption_option(export)
    merge.add_argument("other", type=Path, help=_("another session database; it is only read"))
    bundle = actions.add_parser(
        "bundle", help=_("write runs into one file that another machine can check")
    )
    bundle.add_argument("file", type=Path, help=_("a name that ends in .zip"))
    bundle.add_argument(
        "runs", nargs="+", help=_('ids, or beginnings of them; "all" for those that fit')
    )
    _add_filters(bundle)
    bundle.add_argument(
        "--pictures",
        action=argparse.BooleanOptionalAction,
        default=True,
        help=_("with a picture of every page that can be drawn without its model"),
    )
    opened = actions.add_parser(
        "open", help=_("ask the runs of a bundle again: the same, different, or what is missing")
    )
    opened.add_argument("file", type=Path, help=_("a bundle"))
    opened.add_argument("--allow-pickle", action="store_true", help=_("agree to pickled weights"))
    opened.add_argument("--no-log", action="store_true", help=_("keep it out of the session log"))
    for subparser in (bundle, opened):
        subparser.add_argument("--json", action="store_true", default=absent)
        add_global_options(subparser)
    rescue = actions.add_parser(
        "rescue", help=_("take over what can be read of a damaged database")
    )
    rescue.add_argument("damaged", type=Path, help=_("the file that was set aside"))
    rescue.add_argument("--json", action="store_true", default=absent)
    for subparser in (listing, search, show, replay, compare, export, merge, rescue):
        add_global_options(subparser)


def _add_filters(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--operation", help=_("of one question only: masked_tokens, ..."))
    parser.add_argument("--model", help=_("of one model only"))
    parser.add_argument("--since", metavar="DAY", help=_("from this day on: 2026-01-31"))
    parser.add_argument("--until", metavar="DAY", help=_("before this day"))
    parser.add_argument("--starred", action="store_true", default=None, help=_("with a star only"))


def run(args: argparse.Namespace, program: Program) -> int:
    """Do it; the database is only read, but for a replay, which is logged, and for a merge."""
    actions = {
        "show": _show,
        "export": _export,
        "replay": _replay,
        "compare": _compare,
        "merge": _merge,
        "rescue": _rescue,
        "bundle": _bundle,
        "open": _open,
    }
    actions.get(args.action, _list)(args, program)
    return 0


def _wanted(args: argparse.Namespace) -> "RunFilter":
    from explorer.sessions.read.listing import RunFilter

    return RunFilter(
        " ".join(getattr(args, "words", ())),
        operation=getattr(args, "operation", None),
        model_id=getattr(args, "model", None),
        starred=getattr(args, "starred", None),
        since=getattr(args, "since", None),
        until=getattr(args, "until", None),
    )


def _list(args: argparse.Namespace, program: Program) -> None:
    from explorer.sessions import commands

    database, wanted, limit = program.paths.sessions, _wanted(args), getattr(args, "limit", 20)
    if args.json:
        headless.print_json({"runs": commands.list_runs(database, wanted, limit)})
    else:
        _show_list(commands.found_runs(database, wanted, limit))


def _show(args: argparse.Namespace, program: Program) -> None:
    from explorer.sessions import commands

    found = commands.show_run(program.paths.sessions, args.run, in_file=args.json)
    if args.json:
        headless.print_json(found)
    else:
        _show_run(found)


def _export(args: argparse.Namespace, program: Program) -> None:
    from explorer.sessions import commands
    from explorer.sessions.export.bulk import export_many

    database = program.paths.sessions
    if form := form_of_programs(args):
        written, sentence = _as_programs(args, database, form)
    elif args.run == "all":
        written = export_many(database, _wanted(args), args.file)
        sentence = _(
            "{written} rows of {written_2} runs are in {written_3}",
            written=written["rows"],
            written_2=written["runs"],
            written_3=written["file"],
        )
        if written["skipped"]:
            sys.stderr.write(
                _(
                    "{written} runs were skipped: what is stored of them is damaged.\n",
                    written=written["skipped"],
                )
            )
    else:
        written = commands.export_run(database, args.run, args.file, args.caption)
        sentence = _(
            "{written} rows of {written_2} are in {written_3}",
            written=written["rows"],
            written_2=written["id"],
            written_3=written["file"],
        )
    if is_standard_output(args):
        return
    if args.json:
        headless.print_json(written)
    else:
        print(sentence)


def _bundle(args: argparse.Namespace, program: Program) -> None:
    """Write a bundle."""
    from explorer.serialise import to_builtins
    from explorer.sessions.bundle.writing import write_bundle
    from explorer.sessions.export.bulk import ids_of

    database = program.paths.sessions
    ids = ids_of(database, _wanted(args)) if args.runs == ["all"] else args.runs
    from explorer.command_line.bundled_pictures import picture_of

    written = write_bundle(database, ids, args.file, picture_of if args.pictures else None)
    if args.json:
        headless.print_json(to_builtins(written))
    else:
        print(
            ngettext(
                "{count} run is in {file}, {pictures} with a picture",
                "{count} runs are in {file}, {pictures} with a picture",
                written.runs,
                file=written.file,
                pictures=written.pictures,
            )
        )
        if written.left_out:
            names = ", ".join(written.left_out)
            print(_("Too large to be in it, though runs read them: {names}", names=names))


def _open(args: argparse.Namespace, program: Program) -> None:
    """Say of every run of a bundle what it is on this machine."""
    from explorer.command_line.asking.asked_again import check_runs, told
    from explorer.sessions.bundle.reading import read_bundle

    runs = read_bundle(args.file)
    allow, log = args.allow_pickle, not args.no_log
    checked = check_runs(args.file, runs, program, allow_pickle=allow, log=log)
    if args.json:
        headless.print_json({"runs": [told(one) for one in checked]})
        return
    for one in checked:
        models = ", ".join(dict.fromkeys(stamp.id for stamp in one.run.models.values()))
        print(f"{one.run.id}  {one.run.operation}  {models}  {_(_VERDICTS[one.verdict])}")
        print(f"    {said(one.sentence)}")


_VERDICTS = {
    "same": N_("the same"),
    "different": N_("different"),
    "missing": N_("something is missing"),
    "unreadable": N_("not asked"),
}


def _as_programs(args: argparse.Namespace, database: Path, form: str) -> tuple[dict[str, Any], str]:
    """Write runs as a notebook, a script or a document; what was written, and what is told."""
    from explorer.as_code.notebook import write_runs
    from explorer.sessions.export.bulk import ids_of
    from explorer.sessions.read.reader import SessionReader

    if args.run == "all":
        ids = ids_of(database, _wanted(args))
    else:
        ids = [SessionReader(database).run(args.run).summary.id]
    written = write_runs(database, ids, args.file, form)
    return written, _("{runs} runs are in {file}", runs=written["runs"], file=written["file"])


def _merge(args: argparse.Namespace, program: Program) -> None:
    from explorer.serialise import to_builtins
    from explorer.sessions.change.merging import merge

    merged = merge(program.paths.sessions, args.other)
    for reason, count in merged.refused:
        sys.stderr.write(
            ngettext(
                "Refused: {count} run, {reason}.\n",
                "Refused: {count} runs, {reason}.\n",
                count,
                reason=reason,
            )
        )
    if args.json:
        headless.print_json(to_builtins(merged))
    else:
        print(
            _(
                "{runs} runs and {sessions} sessions are taken over; {known} runs were here "
                "already.",
                runs=merged.runs,
                sessions=merged.sessions,
                known=merged.known,
            )
        )


def _rescue(args: argparse.Namespace, program: Program) -> None:
    from explorer.sessions.change.rescue import rescue

    runs = rescue(args.damaged, program.paths.sessions)
    if args.json:
        headless.print_json({"runs": runs})
    else:
        print(_("{runs} runs are taken over.", runs=runs))


def _compare(args: argparse.Namespace, program: Program) -> None:
    from explorer.sessions import commands

    compared = commands.compare_runs(program.paths.sessions, args.first, args.second)
    table = compared.table
    if args.csv is not None:
        from explorer.sessions.export.tables import write_csv

        write_csv(args.csv, table)
    if args.json:
        headless.print_json(compared.plain())
        return
    print(said(compared.sentence))
    print_table(table)


def _show_list(runs: Sequence["RunSummary"]) -> None:
    if not runs:
        sys.stderr.write(_("No run is logged that fits.\n"))
    for one in runs:
        when = dates.in_full(one.created_at)
        print(f"{one.id}  {when}  {one.operation:<12}  {one.model_id}")
        print(f"    {one.text}")
        print(f"    {said(one.headline)}")


def _show_run(found: Mapping[str, Any]) -> None:
    print(found["caption"])
    if set(found["models"]) != {MODEL}:
        for role, stamp in found["models"].items():
            print(f"{role}: {stamp['id']}")
    if found["summary"]["note"]:
        print(found["summary"]["note"])
    if found["unreadable"]:
        print(found["unreadable"])
    table = found["table"]
    if table is None:
        print(found["summary"]["headline"])
        if found["summary_row"]:
            row = found["summary_row"]
            print_table(Table(tuple(row), (tuple(row.values()),)))
        return
    print_table(Table(tuple(table["columns"]), tuple(map(tuple, table["rows"]))))


def _replay(args: argparse.Namespace, program: Program) -> None:
    """Load what answered then, ask the same, and say how the answers differ."""
    from explorer.command_line.asking.asked_again import ask_again
    from explorer.command_line.asking.loaded_once import ModelsLoadedOnce
    from explorer.sessions.read.reader import SessionReader

    stored = SessionReader(program.paths.sessions).run(args.run)
    models = ModelsLoadedOnce(program, allow_pickle=args.allow_pickle)
    again = ask_again(stored, models, log=not args.no_log)
    answered, found = again.answered, again.found
    if args.json:
        headless.print_json(
            {
                "run": stored.summary.id,
                "replayed_as": answered.run_id,
                "same": found.same,
                "largest_difference": found.largest,
                "column": found.where,
                "changed_cells": found.changed,
                "reasons": list(again.why),
            }
        )
    if args.csv is not None:
        headless.write_csv(args, answered.run)
    if not args.json:
        print(said(again.sentence))
