"""`plugins`: those there are, what each is for, and how one comes and goes."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.api.question import Table, UserMistake
from explorer.command_line.options.global_options import add_global_options
from explorer.files.typed_paths import typed_path
from explorer.headless import print_json
from explorer.printing.tables import print_table
from explorer.program import Program
from explorer.text import N_, _, said

if TYPE_CHECKING:
    from explorer.engine.messages import PluginRecord

NAME = "plugins"
HELP = N_("list, add or remove plugins; what each is for")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to do; without a word, list them."""
    parser.set_defaults(published=False)
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    listing = actions.add_parser("list", help=_("every plugin: what it is for, whether it works"))
    listing.add_argument(
        "--published", action="store_true", help=_("those that other people have published")
    )
    show = actions.add_parser("show", help=_("all that is known of one"))
    add = actions.add_parser(
        "add", help=_("copy one from a folder or a zip file, or switch on an installed package's")
    )
    add.add_argument("source", metavar="SOURCE", help=_("the folder, the zip file or the package"))
    remove = actions.add_parser("remove", help=_("delete one of your own"))
    off = actions.add_parser("off", help=_("switch one off"))
    on = actions.add_parser("on", help=_("switch one on again"))
    for one in (show, remove, off, on):
        one.add_argument("id", metavar="F", help=_("its id"))
    for one in (add, remove):
        one.add_argument("--yes", action="store_true", help=_("do not ask"))
    parser.add_argument("--json", action="store_true", help=_("print JSON"))
    for one in (listing, show, add, remove, off, on):
        one.add_argument(
            "--json", action="store_true", default=argparse.SUPPRESS, help=_("print JSON")
        )
        add_global_options(one)


def run(args: argparse.Namespace, program: Program) -> int:
    """Do it.

    Raises:
        UserMistake: There is no such plugin, or what is named can't be added or removed.
        MachineFault: A file can't be read or written.
    """
    if args.action == "add":
        return _add(args, program)
    if args.action == "remove":
        return _remove(args, program)
    if args.action in {"on", "off"}:
        _switch(program, _named(args.id, program).id, on=args.action == "on")
        return _tell(_named(args.id, program), args)
    if args.action == "show":
        return _tell(_named(args.id, program), args)
    return _published(args, program) if args.published else _list(args, program)


def _list(args: argparse.Namespace, program: Program) -> int:
    from explorer.plugin_description import purpose_of, source_of, state_of
    from explorer.serialise import to_builtins

    records = program.described_plugins()
    if args.json:
        print_json([to_builtins(one) for one in records])
        return 0
    rows = tuple(
        (
            one.id,
            one.version,
            source_of(one),
            state_of(one),
            len(one.asked) or len(one.questions),
            purpose_of(one),
        )
        for one in records
    )
    print_table(Table(("ID", "VERSION", "FROM", "STATE", "QUESTIONS", "FOR"), rows))
    return 0


def _published(args: argparse.Namespace, program: Program) -> int:
    from explorer.engine.plugins.published import list_in, published_plugins
    from explorer.serialise import to_builtins

    found = published_plugins(list_in(program.paths.resources))
    if args.json:
        print_json([to_builtins(one) for one in found])
    elif found:
        rows = tuple(
            (one.name, one.version, one.licence, one.checked.isoformat(), one.where, _(one.about))
            for one in found
        )
        print_table(Table(("ID", "VERSION", "LICENCE", "CHECKED ON", "WHERE", "FOR"), rows))
    else:
        from explorer.plugin_description import NONE_PUBLISHED

        print(_(NONE_PUBLISHED))
    return 0


def _add(args: argparse.Namespace, program: Program) -> int:
    from explorer.engine.plugins.adding import add_plugin, manifest_in

    typed: str = args.source
    path = typed_path(typed).absolute()
    if not path.exists() and (packaged := _in_packages(typed, program)) is not None:
        _ask_about(args, packaged.title, packaged.version, packaged.location)
        _switch(program, packaged.id, on=True)
        return _tell(_named(packaged.id, program), args)
    manifest = manifest_in(path)
    _ask_about(args, manifest.title, manifest.version, path)
    place = add_plugin(path, program.paths.user_plugins)
    found = (one for one in program.described_plugins() if one.location == str(place))
    return _tell(next(found), args)


def _in_packages(name: str, program: Program) -> "PluginRecord | None":
    """The plugin of an installed package, by its id or the package's name."""
    found = (one for one in program.plugin_host().records if one.source == "package")
    wanted = name.casefold().replace("_", "-")
    return next(
        (
            one
            for one in found
            if wanted in {one.id.casefold(), one.location.split()[0].casefold().replace("_", "-")}
        ),
        None,
    )


def _remove(args: argparse.Namespace, program: Program) -> int:
    from explorer.engine.plugins.adding import remove_plugin
    from explorer.plugin_description import FOLDER, why_it_stays

    record = _named(args.id, program)
    if record.source != FOLDER:
        raise UserMistake(why_it_stays(record))
    folder = Path(record.location)
    _ask(args, _("The folder {folder} is deleted for good.", folder=folder))
    remove_plugin(folder, program.paths.user_plugins)
    if args.json:
        print_json({"removed": str(folder)})
    else:
        print(_("Removed: {path}", path=folder))
    return 0


def _ask_about(args: argparse.Namespace, title: str, version: str, where: object) -> None:
    from explorer.engine.plugins.adding import WHAT_IT_CAN

    what = _("The plugin {title} {version} of {where}.", title=title, version=version, where=where)
    _ask(args, f"{what}\n{_(WHAT_IT_CAN)}")


def _ask(args: argparse.Namespace, told: str) -> None:
    """Go on only if whoever is at the terminal agrees.

    Raises:
        UserMistake: Nobody does.
    """
    if args.yes:
        return
    sys.stderr.write(f"{told}\n")
    if not sys.stdin.isatty():
        raise UserMistake(
            N_("Nobody is there to be asked."), N_("Say --yes if this is what you want.")
        )
    sys.stderr.write(_("Go on? Type yes: "))
    sys.stderr.flush()
    if sys.stdin.readline().strip().casefold() not in {"yes", _("yes").casefold()}:
        raise UserMistake(N_("Nothing was changed."))


def _switch(program: Program, name: str, *, on: bool) -> None:
    from dataclasses import replace

    from explorer.settings import SettingsFile

    file = SettingsFile(program.paths.settings)
    settings = file.load()
    left = set(settings.disabled_plugins) - {name}
    disabled = tuple(sorted(left if on else left | {name}))
    if disabled != settings.disabled_plugins:
        file.save(replace(settings, disabled_plugins=disabled))


def _named(name: str, program: Program) -> "PluginRecord":
    """The plugin of an id, or of a folder's name.

    Raises:
        UserMistake: There is none.
    """
    records = [one for one in program.described_plugins() if not one.part_of]
    # Two may have one id, of which the second does not work: its folder's name tells it apart.
    found = [one for one in records if one.source == "folder" and Path(one.location).name == name]
    found += [one for one in records if one.id == name]
    if found:
        return found[0]
    raise UserMistake(
        N_("There is no plugin named {name}."), N_("`plugins list` names them all."), name=name
    )


def _tell(record: "PluginRecord", args: argparse.Namespace) -> int:
    from explorer.plugin_description import details_of, state_of
    from explorer.serialise import to_builtins

    if args.json:
        print_json(to_builtins(record))
        return 0
    print(f"{record.title} {record.version} · {state_of(record)}")
    for line in details_of(record):
        print(said(line))
    return 0
