"""`new`: a plugin to begin with, whole, that `check` finds nothing wrong with."""

import argparse
from pathlib import Path

from explorer.api.question import UserMistake
from explorer.command_line.options.global_options import add_global_options
from explorer.headless import print_json
from explorer.program import Program
from explorer.text import N_, _

NAME = "new"
HELP = N_("write a plugin to begin with")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Of what, under which name and where."""
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    family = kinds.add_parser("family", help=_("one that teaches a family of models"))
    question = kinds.add_parser("question", help=_("one that brings a question"))
    family.add_argument(
        "--model-type",
        metavar="TYPE",
        help=_("of its models, as config.json says it (its name if not given)"),
    )
    for subparser in (family, question):
        subparser.add_argument("name", metavar="NAME", help=_("what it is called"))
        subparser.add_argument(
            "--into",
            type=Path,
            default=Path(),
            metavar="FOLDER",
            help=_("where its folder is made (this one if not given)"),
        )
        subparser.add_argument("--json", action="store_true", help=_("print one JSON object"))
        add_global_options(subparser)


def run(args: argparse.Namespace, program: Program) -> int:
    """Write it, and say how to go on.

    Raises:
        UserMistake: The name can't be one, or is taken.
        MachineFault: A file can't be written.
    """
    from explorer.engine.plugins.examples import write_example
    from explorer.questions import all_questions

    if args.kind == "question" and args.name in all_questions():
        raise UserMistake(
            N_("There is a question {name} already."), N_("Choose another name."), name=args.name
        )
    if args.name in {record.id for record in program.plugin_host().records}:
        raise UserMistake(
            N_("There is a plugin {name} already."), N_("Choose another name."), name=args.name
        )
    files = write_example(args.kind, args.name, args.into, getattr(args, "model_type", None))
    if args.json:
        print_json({"files": [str(path) for path in files]})
        return 0
    for path in files:
        print(_("Written: {path}", path=path))
    print(
        _(
            "`check {folder}` tries it; the program reads plugins from {plugins}: copy it there.",
            folder=args.into / args.name,
            plugins=program.paths.user_plugins,
        )
    )
    return 0
