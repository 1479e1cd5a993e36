"""`fill`: what a model expects at the masks of a text."""

import argparse
import math
from collections.abc import Callable
from typing import Any

from explorer import headless
from explorer.api.question import MODEL, STUDENT, TEACHER, Table, UserMistake
from explorer.command_line.request_arguments import whole_from
from explorer.command_line.shared_options import add_model_option, add_output_options
from explorer.headless import Answered
from explorer.printing.heads import print_head, tell_left_out
from explorer.printing.tables import bar, print_table, small
from explorer.printing.two_models import as_json, show_comparison
from explorer.program import Program
from explorer.text import N_, _, said
from explorer.text.formatting.numbers import decimal, percent

NAME = "fill"
HELP = N_("masked-token predictions; write [MASK] in the text")

JOINT = ("beam", "left-to-right", "confident", "by-hand", "independent")
"""Ways to fill masks together."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The text, who answers, how the answer comes out."""
    from explorer.command_line.request_arguments import add_arguments as add_request
    from explorer.questions.masking.masked_tokens.question import OPERATION

    add_request(parser, OPERATION, {"text": "", "pair": "--pair"})
    parser.add_argument(
        "--top", type=whole_from(1), default=10, metavar="K", help=_("words a mask (default: 10)")
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--joint",
        choices=JOINT,
        metavar="HOW",
        help=_("fill all masks together: {joint}", joint=", ".join(JOINT)),
    )
    instead.add_argument(
        "--candidates",
        metavar="WORDS",
        help=_('score these words, with commas between them: "soup,fried rice"'),
    )
    instead.add_argument(
        "--against", metavar="M", help=_("compare with a second model, aligned by word")
    )
    parser.add_argument(
        "--order",
        type=_order,
        default=(),
        metavar="N,N",
        help=_("the masks' numbers in the order they are filled, with --joint by-hand or beam"),
    )
    parser.add_argument(
        "--width",
        type=whole_from(1),
        default=8,
        metavar="N",
        help=_("fillings a beam keeps, at most 256 (default: 8)"),
    )
    parser.add_argument(
        "--languages",
        type=_codes,
        default=(),
        metavar="L,L",
        help=_("the languages of the text and the second text, for models that are told: en,en"),
    )
    add_model_option(parser)
    add_output_options(parser)


def _codes(text: str) -> tuple[str, ...]:
    """Codes of languages; an empty one leaves it to the model's family."""
    return tuple(code.strip() for code in text.split(","))


def run(args: argparse.Namespace, program: Program) -> int:
    """Ask and print."""
    from explorer.command_line.request_arguments import asked
    from explorer.questions import all_operations

    name, fields, show = _question(args)
    if args.languages and "languages" not in fields:
        raise UserMistake(
            N_("Languages are told where each mask is filled by itself."),
            N_("Leave --languages out, or --joint, --candidates and --against."),
        )
    if name != "candidate_words":
        fields["top_k"] = args.top
    request, document = asked(all_operations()[name], args, **fields)
    if args.candidates is not None:
        document = document.with_option("candidate_words.words", args.candidates)
    if not args.against:
        answered = headless.answer(args, program, request, document, {MODEL: args.model})
        headless.write_answer(answered, args, show)
        return 0
    from explorer.questions.distillation.soft_targets.settings import EVERY_WORD, WHAT

    document = document.with_option(WHAT.key, EVERY_WORD)
    named = {TEACHER: args.model, STUDENT: args.against}
    answered = headless.answer(args, program, request, document, named)
    headless.write_answer(answered, args, show, as_json)
    return 0


def _question(
    args: argparse.Namespace,
) -> tuple[str, dict[str, Any], Callable[[Answered], None]]:
    """What is asked, with which fields, and how a person reads the answer."""
    if args.joint:
        from explorer.questions.masking.joint_decoding.question import Method

        fields = {"order": args.order, "width": args.width}
        method = Method(args.joint.replace("-", "_"))
        return "joint_decoding", {"method": method, **fields}, _show_fillings
    if args.candidates is not None:
        from explorer.questions.masking.candidate_words.question import words_of

        return "candidate_words", {"words": words_of(args.candidates)}, _show_scores
    if args.against:
        from explorer.questions.distillation.soft_targets.settings import EVERY_WORD

        return "soft_targets", {"what": EVERY_WORD}, show_comparison
    return "masked_tokens", {"languages": args.languages}, _show


def _show(answered: Answered) -> None:
    """Print the predictions for a person: who answers, then a bar a word."""
    result = answered.result
    print_head(answered)
    for number, mask in enumerate(result.masks, 1):
        print(
            _(
                "\nmask {number} of {count}, token {position}  (entropy {entropy} nats)",
                number=number,
                count=len(result.masks),
                position=mask.position,
                entropy=decimal(mask.entropy, 2),
            )
        )
        rows = tuple(
            (one.rank, one.word, f"{one.probability:.4f}", bar(one.probability))
            for one in mask.predictions
        )
        print_table(Table(("", "", "", ""), rows), heading=False, indent="  ")
    tell_left_out(result)


def _show_fillings(answered: Answered) -> None:
    """Print the fillings with both probabilities, then how the first one came about."""
    result = answered.result
    print_head(answered)
    order = ", ".join(str(mask + 1) for mask in result.order)
    print(
        _(
            "filled: {replace}, masks in the order {order}\n",
            replace=result.method.value.replace("_", " "),
            order=order,
        )
    )
    each = [(str(rank), one) for rank, one in enumerate(result.fillings, start=1)]
    if result.independent is not None:
        each.append((_("each alone"), result.independent))
    rows = []
    for rank, one in each:
        alone = one.log_independent
        rows.append(
            (
                rank,
                " · ".join(one.words),
                small(math.exp(one.log_joint)),
                None if alone is None else small(math.exp(alone)),
                None if alone is None else f"{one.log_joint - alone:+.3f}",
            )
        )
    print_table(Table(("", "", "together", _("each alone"), _("log ratio")), tuple(rows)))
    if len(result.steps) < 2:
        return
    best, steps = result.fillings[0], []
    for number, step in enumerate(result.steps, start=1):
        chosen = best.chosen[step.mask]
        steps.append(
            (
                number,
                step.mask + 1,
                chosen.word,
                small(chosen.probability),
                small(best.alone[step.mask].probability) if best.alone else "-",
                "-" if step.kl is None else f"{step.kl:.4f}",
                "-" if step.total_variation is None else percent(step.total_variation, 1),
            )
        )
    columns = ("step", "mask", "word", "now", "alone", _("KL (nats)"), _("probability moved"))
    print()
    print_table(Table(columns, tuple(steps)))


def _show_scores(answered: Answered) -> None:
    """Print the words of every gap, most probable first."""
    result = answered.result
    print_head(answered)
    print(said(result.method))
    for number, gap in enumerate(result.gaps, start=1):
        print(
            _(
                "\nmask {number} of {count}, token {positions}",
                number=number,
                count=len(result.gaps),
                positions=gap.positions[0],
            )
        )
        if gap.favourite is not None:
            best = gap.favourite
            print(
                _(
                    "the model's own first choice: {word} ({probability})",
                    word=best.word,
                    probability=decimal(best.probability, 4),
                )
            )
        scores = sorted(gap.scores, key=lambda one: (one.place is None, one.place or 0))
        columns = ("", "", "probability", "log-odds", "rank", "pieces")
        print_table(Table(columns, tuple(map(_row, scores))))


def _row(one: Any) -> tuple[int | str | None, ...]:
    if one.log_probability is None or one.log_odds is None:
        return None, one.word, None, None, None, one.problem
    probability = small(math.exp(one.log_probability))
    rank = "-" if one.rank is None else f"{one.rank:,}"
    pieces = " ".join(piece.token for piece in one.pieces)
    return one.place, one.word, probability, f"{one.log_odds:+.3f}", rank, pieces


def _order(text: str) -> tuple[int, ...]:
    """Masks as a person counts them, from 1, as numbers from 0."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise argparse.ArgumentTypeError(
            _("{text} is no list of numbers from 1 on", text=repr(text))
        )
    return tuple(int(part) - 1 for part in parts)
