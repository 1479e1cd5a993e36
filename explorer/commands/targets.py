"""`targets`: a teacher's and a student's distributions at the masks of a text, and the losses."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any

from explorer import headless
from explorer.api import STUDENT, TEACHER, Table, UserMistake
from explorer.document import Document
from explorer.printing.heads import print_notes
from explorer.printing.tables import print_table
from explorer.program import Program
from explorer.request_arguments import whole_from
from explorer.text import N_

if TYPE_CHECKING:
    from explorer.engine.runner import Runner
    from explorer.questions.distillation.distillation_losses.question import DistillationResult
    from explorer.questions.distillation.soft_targets.question import SoftTargetsResult, Targets

NAME = "targets"
HELP = "a teacher's and a student's distributions, losses"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The text, both models, the temperatures, how the answer comes out."""
    headless.add_text_arguments(parser, "with [MASK] in it")
    for role in (TEACHER, STUDENT):
        parser.add_argument(
            f"--{role}",
            default=headless.USUAL[role],
            metavar="M",
            help="an id or a folder (default: %(default)s)",
        )
    parser.add_argument(
        "--temperature",
        "-T",
        type=_temperatures,
        default=(1.0,),
        metavar="T,T",
        help="one or more, with commas between them (default: 1)",
    )
    parser.add_argument(
        "--words",
        type=_words,
        default=(),
        metavar="W,W",
        help="restrict both distributions to these words, and renormalise",
    )
    parser.add_argument(
        "--position",
        type=int,
        metavar="P",
        help="compare at this token of the teacher's input only; it is masked if it is not yet",
    )
    parser.add_argument(
        "--top",
        type=whole_from(1),
        default=10,
        metavar="K",
        help="likeliest of either (default: 10)",
    )
    parser.add_argument(
        "--distil-temperature",
        type=_temperature,
        default=2.0,
        metavar="T",
        help="of the losses (default: 2, DistilBERT's)",
    )
    parser.add_argument(
        "--least-share",
        type=float,
        default=0.5,
        metavar="S",
        help="with different vocabularies, refuse where the words of both hold less of either "
        "model's probability (default: 0.5)",
    )
    headless.add_consent(parser)
    headless.add_output_options(parser)


def run(args: argparse.Namespace, program: Program) -> int:
    """Load both, ask, print.

    Raises:
        UserMistake: There is no token at the position.
    """
    from explorer.questions.distillation.distillation_losses.question import Distillation
    from explorer.questions.distillation.soft_targets.question import SoftTargets

    document = Document(headless.read_text(args), args.pair, top_k=args.top)
    runner = program.runner()
    models = headless.load_all(
        runner,
        program,
        {TEACHER: args.teacher, STUDENT: args.student},
        allow_pickle=args.allow_pickle,
    )
    if args.position is not None:
        document = masked_at(runner, program, document, args.position)
    request = SoftTargets(
        document.text,
        document.pair,
        document.masks,
        top_k=args.top,
        words=args.words,
        temperatures=args.temperature,
        least_share=args.least_share,
        keep_all=True,
    )
    log = not args.no_log
    answered = headless.ask(runner, program, request, document, log=log, models=models)
    losses = None
    if answered.result.what == "masks":
        wanted = Distillation(
            document.text, document.pair, document.masks, temperature=args.distil_temperature
        )
        losses = headless.ask(runner, program, wanted, document, log=log, models=models).result
    masks = chosen_masks(answered.result, args.position)
    headless.write_answer(
        answered,
        args,
        lambda one: show(one.result, masks, losses),
        lambda result: as_json(result, masks, losses),
    )
    return 0


def masked_at(runner: Runner, program: Program, document: Document, position: int) -> Document:
    """The document with the token at a position masked.

    Raises:
        UserMistake: There is no such token, or it is none of the text's.
    """
    from explorer.questions.tokenizers.tokens.question import Tokenize

    tokens = headless.ask(runner, program, Tokenize.of(document), document, log=False)
    tokens = tokens.result.tokens
    if not 0 <= position < len(tokens) or tokens[position].special:
        raise UserMistake(
            N_("There is no token of the text at position {position}."),
            N_("Positions count from 0 and include special tokens; there are {count}."),
            position=position,
            count=len(tokens),
        )
    token = tokens[position]
    if token.masked:
        return document
    return document.with_mask(token.start, token.end, token.part)


def chosen_masks(result: SoftTargetsResult, position: int | None) -> tuple[Targets, ...]:
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


def as_json(
    result: SoftTargetsResult, masks: tuple[Targets, ...], losses: DistillationResult | None
) -> dict[str, Any]:
    """What --json prints; natural logarithms."""
    return {
        "teacher": result.model.id,
        "student": result.other.id,
        "tokens": [token.text for token in result.tokens],
        "positions": [
            {
                "position": one.position,
                "original": one.original.word if one.original is not None else None,
                "agreement_top_1": bool(one.teacher.argmax() == one.student.argmax()),
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
    from explorer.numerics.comparing import compare

    both = compare(targets.teacher, targets.student, temperature, targets.only)
    rows = []
    for place, target in enumerate(targets.shown()):
        index = place if targets.only is not None else target.index
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
        "teacher_dark_knowledge": 1.0 - both.teacher_top,
        "student_dark_knowledge": 1.0 - both.student_top,
    }


def _losses(result: DistillationResult | None) -> dict[str, Any]:
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


def show(
    result: SoftTargetsResult, masks: tuple[Targets, ...], losses: DistillationResult | None
) -> None:
    """Print the comparison for a person."""
    print(f"teacher  {result.model.id}")
    print(f"student  {result.other.id}")
    print_notes(result, losses)
    for one in masks:
        for temperature in result.temperatures:
            _show_at(one, temperature)
    if losses is not None:
        _show_losses(losses)


def _show_at(targets: Targets, temperature: float) -> None:
    found = _at(targets, temperature)
    where = f"token {targets.position}" if targets.position >= 0 else "the text"
    print(
        f"\n{where}, T = {temperature:g}  (KL {found['kl_teacher_student']:.4f} and "
        f"{found['kl_student_teacher']:.4f} nats, entropy {found['teacher_entropy']:.2f} and "
        f"{found['student_entropy']:.2f})"
    )
    rows = tuple(
        (
            row["word"],
            *(f"{row[who]:.4f} #{row[f'{who}_rank']}" for who in (TEACHER, STUDENT)),
        )
        for row in found["rows"]
    )
    print_table(Table(("", TEACHER, STUDENT), rows))


def _show_losses(losses: DistillationResult) -> None:
    from explorer.questions.distillation.distillation_losses.settings import Settings
    from explorer.questions.distillation.distillation_losses.terms import terms

    print(f"\nlosses, T = {losses.temperature:g}")
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
        raise argparse.ArgumentTypeError(f"{text!r} is not a temperature above 0")
    return found


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())
