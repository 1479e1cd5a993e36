"""Joint decodings for people."""

import math

from explorer.api import Table
from explorer.headless import Answered
from explorer.printing.heads import print_head
from explorer.printing.tables import print_table, small

BETWEEN = " · "


def show_fillings(answered: Answered) -> None:
    """Print the fillings with both probabilities, then how the first one came about."""
    result = answered.result
    print_head(answered)
    order = ", ".join(str(mask + 1) for mask in result.order)
    print(f"filled: {result.method.value.replace('_', ' ')}, masks in the order {order}\n")
    each = [(str(rank), one) for rank, one in enumerate(result.fillings, start=1)]
    if result.independent is not None:
        each.append(("each alone", result.independent))
    rows = []
    for rank, one in each:
        alone = one.log_independent
        rows.append(
            (
                rank,
                BETWEEN.join(one.words),
                small(math.exp(one.log_joint)),
                None if alone is None else small(math.exp(alone)),
                None if alone is None else f"{one.log_joint - alone:+.3f}",
            )
        )
    print_table(Table(("", "", "together", "each alone", "log ratio"), tuple(rows)))
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
                "-" if step.total_variation is None else f"{step.total_variation * 100:.1f} %",
            )
        )
    columns = ("step", "mask", "word", "now", "alone", "KL (nats)", "belief moved")
    print()
    print_table(Table(columns, tuple(steps)))
