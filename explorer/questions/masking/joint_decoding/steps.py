"""How the best filling came about: one line a mask, in the order they were filled."""

from explorer.questions.masking.joint_decoding.question import JointDecodingResult
from explorer.text import _
from explorer.text.formatting.numbers import decimal, percent
from explorer.text.formatting.probabilities import in_digits
from explorer.text.glossary import explain
from explorer.text.pieces import drawn
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Column, Row


def columns() -> tuple[Column, ...]:
    """What is told of a step, but for its number."""
    return (
        Column(_("mask"), left=True),
        Column(_("word"), strong=True, left=True),
        Column(
            _("now"),
            words=_(
                "The word's probability when it was filled, the masks before it being filled "
                "already."
            ),
        ),
        Column(
            _("alone"), "muted", words=_("The same word's probability while everything was masked.")
        ),
        Column(_("probability moved"), words=explain("total variation"), dispensable=True),
        Column(_("KL, nats"), words=explain("KL divergence"), dispensable=True),
        Column(
            _("entropy"),
            words=" ".join(
                (explain("entropy"), _("While everything was masked, and when it was filled."))
            ),
            dispensable=True,
        ),
    )


def steps(result: JointDecodingResult, masks: tuple[str, ...]) -> BarTable:
    """A table of the steps; columns that nothing stands in are left out."""
    rows = _rows(result, masks)
    titles = columns()
    used = [n for n in range(len(titles)) if any(row[n + 1] for row in rows)]
    return BarTable(
        [Row(row[0], tuple(row[n + 1] for n in used), muted=True) for row in rows],
        tuple(titles[n] for n in used),
        title=_("Steps"),
        bold=False,
    )


def _rows(result: JointDecodingResult, masks: tuple[str, ...]) -> list[tuple[str, ...]]:
    best = result.fillings[0]
    rows: list[tuple[str, ...]] = []
    for number, step in enumerate(result.steps, start=1):
        chosen = best.chosen[step.mask]
        alone = best.alone[step.mask] if best.alone else None
        fell = decimal(step.entropy, 2)
        if step.entropy_alone is not None:
            fell = f"{decimal(step.entropy_alone, 2)} → {fell}"
        moved, kl = step.total_variation, step.kl
        rows.append(
            (
                str(number),
                masks[step.mask],
                drawn(chosen),
                in_digits(chosen.probability),
                in_digits(alone.probability) if alone is not None else "",
                percent(moved) if moved is not None else "",
                decimal(kl, 3) if kl is not None else "",
                fell,
            )
        )
    return rows
