"""`architecture`: what a model is made of, counted from its weights or from its config alone."""

import argparse
from collections.abc import Iterable
from typing import Any

from explorer import headless
from explorer.api.question import FIRST, MODEL, SECOND, UserMistake
from explorer.command_line.shared_options import add_output_options
from explorer.document import Document
from explorer.program import Program
from explorer.text import N_, _
from explorer.text.formatting.numbers import decimal, significant

NAME = "architecture"
FORMERLY = ("anatomy",)
HELP = N_("parameters, sizes, costs; from a config alone too")

DEEPEST = 4
"""Levels of the tree that a person sees; --json has all."""


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
    from explorer.questions.architecture.architecture.question import ArchitectureRequest
    from explorer.questions.architecture.compare_architectures.question import (
        CompareArchitecturesRequest,
    )

    prepare_environment()
    runner = program.runner()
    named = {FIRST: args.model, SECOND: args.against} if args.against else {MODEL: args.model}
    models = headless.Loaded(runner, program, {})
    if args.weights:
        models = headless.load_all(runner, program, named, allow_pickle=args.allow_pickle)
    changes = tuple(_change(one) for one in args.what_if)
    request: Any = ArchitectureRequest(
        args.model, args.length, args.batch, args.part, what_if=changes
    )
    show = show_architecture
    if args.against:
        request = CompareArchitecturesRequest(args.model, args.against)
        show = show_comparison
    answered = models.ask(request, Document(), log=not args.no_log)
    if changes and not args.against and answered.result.changed is None:
        raise UserMistake("{refused}", refused=answered.result.refused)
    headless.write_answer(answered, args, lambda one: show(one.result))
    return 0


def _change(said: str) -> tuple[str, int | str]:
    name, _unused, value = said.partition("=")
    return name, int(value) if value.isdecimal() else value


def show_architecture(result: Any) -> None:
    """Sums, memory, what was published, and the tree."""
    from explorer.questions.architecture.architecture.words import held_said

    sums = result.parameters
    print(f"{result.title}  ({result.family})")
    print(
        _(
            "{layers} layers × {hidden_size} wide × {heads} heads, {vocabulary} pieces; "
            "counted from {value}, heads: {heads_present}",
            layers=result.layers,
            hidden_size=result.hidden_size,
            heads=result.heads,
            vocabulary=result.vocabulary,
            value=_("its weights") if result.loaded else _("its config alone"),
            heads_present=", ".join(result.blueprint.heads_present) or _("none"),
        )
    )
    print(f"\nparameters  {sums.unique:>18,}")
    if result.held is not None:
        print(f"  {held_said(result).said}")
    for name in ("embedding", "backbone", "head"):
        print(f"  {name:<10}{getattr(sums, name):>18,}")
    if sums.saved:
        print(
            _(
                "  without tying and sharing {total}: {saved} are saved",
                total=sums.total,
                saved=sums.saved,
            )
        )
    print(_("\nmemory, {batch} × {length} tokens, in MB", batch=result.batch, length=result.length))
    dtypes = tuple(next(iter(result.memory_bytes.values())))
    print(f"  {'':<14}" + "".join(f"{dtype:>12}" for dtype in dtypes))
    for what, sizes in result.memory_bytes.items():
        row = "".join(f"{size / 1e6:12,.1f}" for size in sizes.values())
        print(f"  {what.replace('_', ' '):<14}{row}")
    print(_("\nmultiply-adds for one token"))
    for work in result.work:
        print(f"  {work.part:<46}{work.multiply_adds:>18,}")
    if result.changed is not None:
        _show_changed(result.changed)
    _show_published(result.published)
    print("\nparts")
    _show_parts(result.tree, 1)
    for one in result.statistics:
        print(
            _(
                "{name}  mean {mean}  std {std}  norm {norm}",
                name=one.name,
                mean=significant(one.mean, 4),
                std=significant(one.std, 4),
                norm=significant(one.norm, 4),
            )
        )


def _show_changed(changed: Any) -> None:
    print(_("\nwhat if"))
    print(f"  parameters  {changed.parameters.unique:>18,}")
    for name in ("embedding", "backbone", "head"):
        print(f"    {name:<10}{getattr(changed.parameters, name):>18,}")
    print(_("  multiply-adds for one token  {multiply_adds}", multiply_adds=changed.multiply_adds))


def _show_published(published: Iterable[Any]) -> None:
    for number, one in enumerate(published):
        if not number:
            print("\npublished")
        measured = "" if one.measured is None else f"{one.measured:,.0f}"
        verdict = "agrees" if one.agrees else "differs"
        print(f"  {one.what:<14}{one.says:>10}  measured {measured:>16}  {verdict}  {one.source}")
        if one.reason:
            print(f"  {'':<14}{one.reason}")


def _show_parts(parts: Iterable[Any], depth: int) -> None:
    for part in parts:
        times = f" × {part.copies}" if part.copies > 1 else ""
        used = _("  used {places} times", places=part.places) if part.places > part.copies else ""
        name = f"{'  ' * depth}{part.name.removesuffix('.*')}{times}"
        print(f"{name:<52}{part.parameters:>18,}  {part.kind or part.section}{used}".rstrip())
        if depth < DEEPEST:
            _show_parts(part.parts, depth + 1)


def show_comparison(result: Any) -> None:
    """A row for each role, then whose layers came from whose."""
    first, second = result.titles
    print(f"{first}  {result.parameters[0].unique:,}\n{second}  {result.parameters[1].unique:,}\n")
    for one in result.parts:
        print(
            f"{one.role:<34}{one.verdict:<20}{one.first.parameters:>16,}"
            f"{one.second.parameters:>16,}"
        )
    for group in result.tensors.groups if result.tensors is not None else ():
        times = f" × {len(group.layers)}" if len(group.layers) > 1 else ""
        print(f"{group.name + times:<60}{group.relation.value}")
    ancestry = result.ancestry
    if ancestry is None:
        return
    print()
    if ancestry.why_not:
        print(ancestry.why_not)
    for layer, origin in enumerate(ancestry.came_from):
        best = max(float(value) for value in ancestry.cosines[layer])
        said = "none" if origin is None else _("layer {origin}", origin=origin)
        print(
            _(
                "layer {layer} of the first: {said} of the second (cosine {best})",
                layer=layer,
                said=said,
                best=decimal(best, 3),
            )
        )
