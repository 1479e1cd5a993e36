"""`targets`: a teacher's and a student's distributions at the masks of a text, and the losses."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any

from explorer import headless
from explorer.api.question import MODEL, STUDENT, TEACHER, Context, Table, UserMistake, mask_of
from explorer.command_line.request_arguments import whole_from
from explorer.commands.short import Args, Models, Short
from explorer.printing.heads import print_notes
from explorer.printing.tables import print_table
from explorer.program import Program
from explorer.text import N_, _
from explorer.text.formatting.numbers import decimal

if TYPE_CHECKING:
    from explorer.questions.distillation.distillation_losses.question import (
        DistillationLossesResult,
    )
    from explorer.questions.distillation.soft_targets.question import SoftTargetsResult, Targets

NAME = "targets"
HELP = N_("a teacher's and a student's distributions, losses")


def _more(parser: argparse.ArgumentParser) -> None:
    for role in (TEACHER, STUDENT):
        parser.add_argument(
            f"--{role}",
            default=headless.USUAL[role],
            metavar="M",
            help=_("an id or a folder (default: %(default)s)"),
        )
    parser.add_argument(
        "--temperature",
        "-T",
        type=_temperatures,
        default=(1.0,),
        metavar="T,T",
        help=_("one or more, with commas between them (default: 1)"),
    )
    parser.add_argument(
        "--position",
        type=int,
        metavar="P",
        help=_("compare at this token of the teacher's input only; it is masked if it is not yet"),
    )
    parser.add_argument(
        "--top",
        type=whole_from(1),
        default=10,
        metavar="K",
        help=_("likeliest of either (default: 10)"),
    )
    parser.add_argument(
        "--distil-temperature",
        type=_temperature,
        default=2.0,
        metavar="T",
        help=_("of the losses (default: 2, DistilBERT's)"),
    )


def _fields(args: Args, models: Models) -> dict[str, Any]:
    """The text with the position masked that was asked for.

    Raises:
        UserMistake: There is no token of the text at the position.
    """
    from explorer.command_line.request_arguments import read_text
    from explorer.questions.tokenizers.tokens.question import TokensRequest
    from explorer.typed_documents import written

    fields = {"temperatures": args.temperature, "top_k": args.top, "keep_all": True}
    if args.position is None:
        return fields
    text, pair = read_text(args)
    teacher = {MODEL: models.loaded.cast[TEACHER]}
    tokens = models.runner.ask(TokensRequest(text, pair), teacher, Context()).tokens
    if not 0 <= args.position < len(tokens) or tokens[args.position].special:
        raise UserMistake(
            N_("There is no token of the text at position {position}."),
            N_("Positions count from 0 and include special tokens; there are {count}."),
            position=args.position,
            count=len(tokens),
        )
    token = tokens[args.position]
    masked = written(mask_of(tokens, args.position))
    return {**fields, "text": text, "masks": [] if token.masked else [masked]}


def run(args: Args, program: Program) -> int:
    """Ask for the distributions, then for the losses where there are masks, and print."""
    from explorer.questions.distillation.distillation_losses.question import (
        DistillationLossesRequest,
    )

    models = SHORT.models(args, program)
    answered = SHORT.asked(args, models)
    args.losses = None
    if answered.result.what == "masks":
        on = answered.run.document
        wanted = DistillationLossesRequest(
            on.text, on.pair, on.masks, temperature=args.distil_temperature
        )
        args.losses = models.ask(wanted, on, log=not args.no_log).result
    args.masks = _chosen(answered.result, args.position)
    SHORT.print(args, answered)
    return 0


def _chosen(result: SoftTargetsResult, position: int | None) -> tuple[Targets, ...]:
    """The masks that are wanted.

    Raises:
        UserMistake: Nothing can be compared at the position.
    """
    if position is None:
        return result.masks
    found = tuple(one for one in result.masks if one.position == position)
    if not found:
        raise UserMistake(
            N_("Nothing can be compared at position {position}."),
            N_("Leave --position out."),
            position=position,
        )
    return found


def _as_json(result: SoftTargetsResult, args: Args) -> dict[str, Any]:
    """What --json prints; natural logarithms."""
    from explorer.numerics.distributions.comparing import same_first

    masks, losses = args.masks, args.losses
    return {
        "teacher": result.model.id,
        "student": result.other.id,
        "tokens": [token.text for token in result.tokens],
        "positions": [
            {
                "position": one.position,
                "original": one.original.word if one.original is not None else None,
                "agreement_top_1": same_first(*one.counted),
                "temperatures": [_at(one, t) for t in result.temperatures],
            }
            for one in masks
        ],
        "losses": _losses(losses),
        "vocabulary": {
            "same": result.vocabulary.same,
            "shared_mass": result.vocabulary.shared_mass,
            "shared": result.vocabulary.shared,
            "teacher_size": result.vocabulary.teacher_size,
            "student_size": result.vocabulary.student_size,
        },
        "notes": list(dict.fromkeys((*result.notes, *(losses.notes if losses else ())))),
    }


def _at(targets: Targets, temperature: float) -> dict[str, Any]:
    from explorer.numerics.distributions.temperature import dark_knowledge

    both = targets.at(temperature)
    taught, learnt = targets.counted
    rows = []
    for index, target in zip(targets.places(), targets.shown(), strict=True):
        rows.append(
            {
                "token": target.token,
                "word": target.word,
                "teacher": float(both.teacher[index]),
                "student": float(both.student[index]),
                "teacher_rank": target.teacher_rank,
                "student_rank": target.student_rank,
            }
        )
    return {
        "temperature": temperature,
        "rows": rows,
        "teacher_entropy": both.teacher_entropy,
        "student_entropy": both.student_entropy,
        "kl_teacher_student": both.kl_teacher_student,
        "kl_student_teacher": both.kl_student_teacher,
        "cross_entropy": both.cross_entropy,
        "teacher_outside_top_1": 1.0 - both.teacher_top,
        "student_outside_top_1": 1.0 - both.student_top,
        "teacher_dark_knowledge": float(dark_knowledge(taught, temperature)),
        "student_dark_knowledge": float(dark_knowledge(learnt, temperature)),
    }


def _losses(result: DistillationLossesResult | None) -> dict[str, Any]:
    """Each loss by its name; None where it can't be computed, and then why."""
    if result is None:
        return {}
    from explorer.questions.distillation.distillation_losses.settings import Settings
    from explorer.questions.distillation.distillation_losses.terms import layers_learnt, terms

    settings = Settings()
    found = terms(result, settings)
    return {
        "temperature": result.temperature,
        "t_squared": settings.squared,
        "weights": list(settings.weights),
        **{term.key: term.value for term in found},
        "layer_map": list(layers_learnt(result, settings)),
        "by_layer": {
            term.key: [
                {"student_layer": m, "teacher_layer": n, "value": value}
                for m, n, value in term.layers
            ]
            for term in found
            if term.layers
        },
        "projection": result.layers.projection if result.layers is not None else None,
        "why_not": {term.key: term.why for term in found if term.why},
    }


def _show(answered: headless.Answered, args: Args) -> None:
    """Print the comparison for a person."""
    result, losses = answered.result, args.losses
    print(_("teacher  {id}", id=result.model.id))
    print(_("student  {id}", id=result.other.id))
    print_notes(result, losses)
    for one in args.masks:
        for temperature in result.temperatures:
            _show_at(one, temperature)
    if losses is not None:
        _show_losses(losses)


def _show_at(targets: Targets, temperature: float) -> None:
    found = _at(targets, temperature)
    where = (
        _("token {position}", position=targets.position) if targets.position >= 0 else _("the text")
    )
    print(
        _(
            "\n{where}, T = {temperature}  (KL {found} and {found_2} nats, entropy {found_3} "
            "and {found_4})",
            where=where,
            temperature=temperature,
            found=decimal(found["kl_teacher_student"], 4),
            found_2=decimal(found["kl_student_teacher"], 4),
            found_3=decimal(found["teacher_entropy"], 2),
            found_4=decimal(found["student_entropy"], 2),
        )
    )
    rows = tuple(
        (
            row["word"],
            *(f"{row[who]:.4f} #{row[f'{who}_rank']}" for who in (TEACHER, STUDENT)),
        )
        for row in found["rows"]
    )
    print_table(Table(("", TEACHER, STUDENT), rows))


def _show_losses(losses: DistillationLossesResult) -> None:
    from explorer.questions.distillation.distillation_losses.settings import Settings
    from explorer.questions.distillation.distillation_losses.terms import terms

    print(_("\nlosses, T = {temperature}", temperature=losses.temperature))
    for term in terms(losses, Settings()):
        value = f"{term.value:10.4f}" if term.value is not None else "         -"
        print(f"{value}  {term.group}: {term.title}, {term.formula}")
        if term.why:
            print(f"            {term.why}")


def _temperatures(text: str) -> tuple[float, ...]:
    return tuple(_temperature(part) for part in text.split(","))


def _temperature(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 < found < math.inf:
        raise argparse.ArgumentTypeError(_("{text} is not a temperature above 0", text=repr(text)))
    return found


SHORT = Short(
    "soft_targets",
    {"text": "", "pair": "--pair", "words": "--words", "least_share": "--least-share"},
    _show,
    model="",
    more=_more,
    fields=_fields,
    named=lambda args: {TEACHER: args.teacher, STUDENT: args.student},
    shape=_as_json,
)
add_arguments = SHORT.add_arguments
