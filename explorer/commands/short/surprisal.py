"""`surprisal`: how surprised a model is by every token of a text, or of a file of sentences."""

import argparse
import math
from pathlib import Path

from explorer.api.question import Table, UserMistake
from explorer.commands.over import add_column_option, run_over
from explorer.commands.short import Args, Short
from explorer.headless import Answered
from explorer.program import Program
from explorer.text import N_, _
from explorer.text.formatting.numbers import decimal

NAME = "surprisal"
FORMERLY = ("sweep",)
HELP = N_("surprisal of every token, (pseudo-)log-likelihood")


def run(args: Args, program: Program) -> int:
    """Ask of the text or of the file, and print.

    Raises:
        UserMistake: There is neither a text nor a file, or there are both.
    """
    from explorer.command_line.request_arguments import given

    if (args.text is None) == (args.file is None):
        raise UserMistake(
            N_("Give a text, or a file with --file."), N_('As in: surprisal "the cat sat".')
        )
    if args.file is not None:
        return run_over(args, program, args.file, SHORT.operation, given(args))
    return SHORT.run(args, program)


def _more(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "text", metavar="TEXT", nargs="?", help=_("the sentence; - reads it from stdin")
    )
    parser.add_argument(
        "--file", type=Path, metavar="F", help=_("a sentence on every line (.txt, .csv, .tsv)")
    )
    add_column_option(parser)


def _show(answered: Answered, _args: Args) -> None:
    """Print for a person: a bar a token, and the sums."""
    from explorer.printing.heads import print_models, print_notes, tell_left_out
    from explorer.printing.tables import bar, print_table

    result = answered.result
    print_models(answered.run.models)
    print_notes(result)
    top = max(1e-9, *(one.nats for one in result.surprises))
    rows = tuple(
        (
            result.tokens[one.position].text,
            f"{max(0.0, one.nats):.3f}",
            bar(max(0.0, one.nats) / top, 24),
            _("expected {word}", word=one.predictions[0].word) if one.rank > 1 else None,
        )
        for one in result.surprises
    )
    print(_("\nsurprisal in nats"))
    print_table(Table(("", "", "", ""), rows), heading=False)
    pseudo = "pseudo-" if result.is_pseudo else ""
    total = result.log_likelihood
    print(
        _(
            "\n{pseudo}log-likelihood {total} nats ({total_2} bits), {pseudo}perplexity "
            "{perplexity}, {count} tokens, method {replace}",
            pseudo=pseudo,
            total=decimal(total, 4),
            total_2=decimal(total / math.log(2), 4),
            perplexity=decimal(result.perplexity, 4),
            count=len(rows),
            replace=result.method.value.replace("_", "-"),
        )
    )
    tell_left_out(result)


SHORT = Short(
    "surprisal",
    {"pair": "--pair", "method": "--method"},
    _show,
    more=_more,
    fields=lambda args, _models: {"text": args.text},
)
add_arguments = SHORT.add_arguments
