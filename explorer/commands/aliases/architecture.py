"""`architecture`: what a model is made of, counted from its weights or from its config alone."""

import argparse
from typing import Any

from explorer import headless
from explorer.api.question import FIRST, MODEL, SECOND, UserMistake
from explorer.command_line.options.shared_options import add_output_options
from explorer.document import Document
from explorer.program import Program
from explorer.text import N_, _

NAME = "architecture"
FORMERLY = ("anatomy",)
HELP = N_("parameters, sizes, costs; from a config alone too")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which model, for texts of which length, and how the answer comes out."""
    parser.add_argument(
        "model",
        metavar="M",
        help=_("an id from `models`, a published id, a folder, or a config.json"),
    )
    parser.add_argument("--against", metavar="N", help=_("compare it part by part with another"))
    parser.add_argument(
        "--length", type=int, default=128, help=_("tokens of a text (default: 128)")
    )
    parser.add_argument("--batch", type=int, default=1, help=_("texts at once (default: 1)"))
    parser.add_argument(
        "--weights",
        action="store_true",
        help=_("load the weights too, for --part their statistics, for --against whose are whose"),
    )
    parser.add_argument(
        "--part",
        default="",
        metavar="PATH",
        help=_('a part of the tree ("bert.encoder.layer.*.attention"); with --weights its numbers'),
    )
    parser.add_argument(
        "--what-if",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=_(
            "count it with another vocabulary, embedding_size, hidden_size, layers, heads, "
            "feed_forward_size or sharing (none, attention, feed_forward, all); may be repeated"
        ),
    )
    parser.add_argument("--allow-pickle", action="store_true", help=_("agree to pickled weights"))
    add_output_options(parser)


def run(args: argparse.Namespace, program: Program) -> int:
    """Count and print."""
    from explorer.engine.process.surroundings import prepare_environment
    from explorer.printing.parts.answer import print_answer
    from explorer.questions.architecture.architecture.question import ArchitectureRequest
    from explorer.questions.architecture.compare_architectures.question import (
        CompareArchitecturesRequest,
    )

    prepare_environment()
    runner = program.runner()
    named = {FIRST: args.model, SECOND: args.against} if args.against else {MODEL: args.model}
    models = headless.LoadedModels(runner, program, {})
    if args.weights:
        models = headless.load_all(runner, program, named, allow_pickle=args.allow_pickle)
    changes = tuple(_change(one) for one in args.what_if)
    request: Any = ArchitectureRequest(
        args.model, args.length, args.batch, args.part, what_if=changes
    )
    if args.against:
        request = CompareArchitecturesRequest(args.model, args.against)
    answered = models.ask(request, Document(), log=not args.no_log)
    if changes and not args.against and answered.result.changed is None:
        raise UserMistake("{refused}", refused=answered.result.refused)
    looks = () if args.against else _looks(args.part, changed=bool(changes))
    headless.write_answer(answered, args, lambda one: print_answer(one, *looks))
    return 0


def _change(said: str) -> tuple[str, int | str]:
    name, _unused, value = said.partition("=")
    return name, int(value) if value.isdecimal() else value


def _looks(part: str, *, changed: bool) -> tuple[dict[str, str], ...]:
    """The pages of the answer that letters can draw, that of changes where there are any."""
    from explorer.questions.architecture.architecture.question import COUNT, PUBLISHED, WHAT_IF

    pages = (COUNT, *((WHAT_IF,) if changed else ()), PUBLISHED)
    return tuple({"page": page, "part": part} for page in pages)
