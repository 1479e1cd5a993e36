"""`download`: find a published checkpoint, and fetch it or its tokenizer alone into the cache.

One that was published at several steps of its training has branches for them: NAME@step1000.
"""

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from explorer.api.family.checkpoint import Checkpoint
from explorer.api.question import Table, UserMistake
from explorer.headless import print_json
from explorer.printing.progress import TerminalProgress
from explorer.printing.tables import print_table
from explorer.program import Program
from explorer.text import N_, _, said
from explorer.text.formatting.numbers import whole
from explorer.text.formatting.quantities import bytes_precisely

if TYPE_CHECKING:
    from explorer.engine.downloads.offered import FoundModel, Revision

NAME = "download"
HELP = N_("fetch a checkpoint, or its tokenizer alone")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is fetched."""
    parser.add_argument(
        "name",
        help=_("its id on the hub: google-bert/bert-base-uncased; NAME@REVISION of a revision"),
    )
    parser.add_argument(
        "--tokenizer",
        action="store_true",
        help=_("its tokenizer alone, without the weights: for `ask side_by_side`"),
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--revision", metavar="R", help=_("a branch, a tag or a commit instead of the main branch")
    )
    which.add_argument(
        "--steps",
        metavar="S",
        help=_("the branches or tags of steps of its training: all, or as in 10,100,1000-4000"),
    )
    which.add_argument(
        "--revisions",
        action="store_true",
        help=_("list its branches, tags and newest commits, and fetch nothing"),
    )
    which.add_argument(
        "--search",
        action="store_true",
        help=_("search the hub for words of names instead, say sizes, and fetch nothing"),
    )
    parser.add_argument(
        "--size", action="store_true", help=_("say how much it is, and fetch nothing")
    )
    parser.add_argument("--json", action="store_true", help=_("print one JSON object"))


def run(args: argparse.Namespace, program: Program) -> int:
    """Fetch it; what has come is kept where it is stopped with Ctrl-C, and gone on with.

    Raises:
        ExplorerError: As `download`; or no plugin knows what came.
    """
    from explorer.engine.library.hub_cache import revision_of, with_revision

    if args.search:
        return _search(args.name, program, as_json=args.json)
    if args.revisions:
        return _list(_revisions(args.name, program), as_json=args.json)
    name, revision = revision_of(args.name)
    if revision and (args.revision or args.steps):
        raise UserMistake(
            N_("{name} names a revision already."), N_("Name one of them."), name=args.name
        )
    names = [with_revision(name, args.revision or revision)]
    if args.steps:
        names = _of_steps(name, args.steps, program)
    if args.size or args.steps:
        told = _sizes(names, args, program)
        if args.size:
            return told
    rows = [_fetch(one, args, program) for one in names]
    if args.json:
        from explorer.serialise import to_builtins

        found = [to_builtins(row) for row, _ in rows]
        print_json(found if args.steps else found[0])
    else:
        for row, folder in rows:
            print(_came(row, folder, tokenizer=args.tokenizer))
    return 0


def _search(words: str, program: Program, *, as_json: bool) -> int:
    """Say which models of the hub have some words in their names."""
    from explorer.engine.downloads.search import search_hub

    tell = TerminalProgress()

    def progress(stage: str, done: float, total: float, _detail: str) -> None:
        tell(f"{said(stage)} …", done, total)

    try:
        found = search_hub(
            words,
            program.paths.hub_cache,
            progress,
            lambda: False,
            knows=lambda kind: program.plugin_host().knows_type(kind),
            offline=program.offline,
        )
    finally:
        tell.end()
    if as_json:
        from explorer.serialise import to_builtins

        print_json([to_builtins(one) for one in found])
    elif not found:
        print(_("The hub has no model for “{words}”: try fewer words, or others.", words=words))
    else:
        titles = (
            "NAME",
            "SIZE",
            "TYPE",
            "ARCHITECTURE",
            "LANGUAGES",
            "LICENCE",
            "DOWNLOADS",
            "NOTE",
        )
        print_table(Table(titles, tuple(map(_row_of, found))))
    return 0


def _row_of(one: "FoundModel") -> tuple[str, ...]:
    size = "–" if one.size is None else bytes_precisely(one.size.whole)
    notes = (
        "" if one.problem is None else one.problem.said,
        "" if one.is_known else _("no plugin knows its type"),
        _("gated") if one.is_gated and one.size is not None else "",
    )
    return (
        one.id,
        size,
        " ".join(filter(None, (one.library, one.model_type))),
        ", ".join(one.architectures),
        ", ".join(one.languages),
        one.licence,
        whole(one.downloads),
        ", ".join(filter(None, notes)),
    )


def _revisions(name: str, program: Program) -> "tuple[Revision, ...]":
    from explorer.engine.downloads.revisions import list_revisions

    return list_revisions(name, lambda: False, offline=program.offline)


def _of_steps(name: str, typed: str, program: Program) -> list[str]:
    """The revisions of some steps; where a branch and a tag are of the same one, one of them.

    Raises:
        UserMistake: It has none of them.
    """
    from explorer.engine.downloads.offered import COMMIT
    from explorer.engine.library.hub_cache import with_revision
    from explorer.series.steps import chosen, step_of

    steps: dict[int, str] = {}
    for one in _revisions(name, program):
        step = step_of(one.name)
        if step is not None and one.kind != COMMIT:
            steps.setdefault(step, one.name)
    if not steps:
        raise UserMistake(
            N_("{name} has no branch or tag of a step of its training."),
            N_("The command download {name} --revisions lists what it has."),
            name=name,
        )
    return [with_revision(name, steps[step]) for step in chosen(typed, [*steps])]


def _list(revisions: "Sequence[Revision]", *, as_json: bool) -> int:
    if as_json:
        from explorer.serialise import to_builtins

        print_json([to_builtins(one) for one in revisions])
    else:
        rows = tuple((one.name, one.kind, one.commit, one.date, one.title) for one in revisions)
        print_table(Table(("REVISION", "KIND", "COMMIT", "DATE", "TITLE"), rows))
    return 0


def _sizes(names: Sequence[str], args: argparse.Namespace, program: Program) -> int:
    """Say what there is to fetch: as the answer where that was asked, else on standard error."""
    from explorer.engine.downloads.download import download_size

    sizes = [
        download_size(
            name,
            program.paths.hub_cache,
            lambda: False,
            offline=program.offline,
            tokenizer_only=args.tokenizer,
        )
        for name in names
    ]
    if args.size and args.json:
        from explorer.serialise import to_builtins

        print_json(
            [{"id": name, **to_builtins(one)} for name, one in zip(names, sizes, strict=True)]
        )
        return 0
    lines = [
        _(
            "{name}: {whole}, of which {missing} are to be fetched",
            name=name,
            whole=bytes_precisely(one.whole),
            missing=bytes_precisely(one.missing),
        )
        for name, one in zip(names, sizes, strict=True)
    ]
    if len(sizes) > 1:
        missing = bytes_precisely(sum(one.missing for one in sizes))
        lines.append(_("Together at most {missing}.", missing=missing))
    (sys.stdout if args.size else sys.stderr).write("\n".join(lines) + "\n")
    return 0


def _fetch(name: str, args: argparse.Namespace, program: Program) -> tuple[Checkpoint, str]:
    """A checkpoint that is here now, and its folder."""
    from explorer.engine.downloads.download import download

    catalogue = program.catalogue(program.plugin_host())
    tell = TerminalProgress()

    def progress(stage: str, done: float, total: float, detail: str) -> None:
        tell(_so_far(stage, done, total, detail), done, total)

    try:
        folder = download(
            name,
            program.paths.hub_cache,
            progress,
            lambda: False,
            offline=program.offline,
            tokenizer_only=args.tokenizer,
        )
    except KeyboardInterrupt:
        tell.end()
        sys.stderr.write(
            _("Stopped. What has come is kept: the same command goes on from there.\n")
        )
        raise
    finally:
        tell.end()
    return catalogue.find(name), str(folder)


def _so_far(stage: str, done: float, total: float, detail: str) -> str:
    if not total:
        return f"{said(stage)} …"
    amount = _(
        "{done} of {total}", done=bytes_precisely(int(done)), total=bytes_precisely(int(total))
    )
    return ", ".join(part for part in (said(stage), amount, detail) if part)


def _came(row: Checkpoint, folder: str, *, tokenizer: bool) -> str:
    """What is here now, and where."""
    if tokenizer:
        return _(
            "The tokenizer of {title} is on this computer: {folder}", title=row.title, folder=folder
        )
    return _("{title} is on this computer: {folder}", title=row.title, folder=folder)
