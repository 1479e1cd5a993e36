"""How the best filling came about: one line a mask, in the order they were filled."""

from explorer.questions.masking.joint_decoding.question import FillJointlyResult
from explorer.ui.blocks.bar_table import BarTable
from explorer.ui.blocks.rows import Column, Row
from explorer.ui.notices.glossary import explain
from explorer.ui.widgets.bar_rows import drawn, in_digits

COLUMNS = (
    Column("mask", left=True),
    Column("word", strong=True, left=True),
    Column(
        "now",
        words=(
            "The word's probability when it was filled, the masks before it being filled already."
        ),
    ),
    Column("alone", "muted", words="The same word's probability while everything was masked."),
    Column("belief moved", words=explain("total variation"), dispensable=True),
    Column("KL, nats", words=explain("KL divergence"), dispensable=True),
    Column(
        "entropy",
        words=explain("entropy") + " While everything was masked, and when it was filled.",
        dispensable=True,
    ),
)


def steps(result: FillJointlyResult, masks: tuple[str, ...]) -> BarTable:
    """A table of the steps; columns that nothing stands in are left out."""
    rows = _rows(result, masks)
    used = [n for n in range(len(COLUMNS)) if any(row[n + 1] for row in rows)]
    return BarTable(
        [Row(row[0], tuple(row[n + 1] for n in used), muted=True) for row in rows],
        tuple(COLUMNS[n] for n in used),
        title="Steps",
        bold=False,
        above=4,
    )


def _rows(result: FillJointlyResult, masks: tuple[str, ...]) -> list[tuple[str, ...]]:
    best = result.fillings[0]
    rows: list[tuple[str, ...]] = []
    for number, step in enumerate(result.steps, start=1):
        chosen = best.chosen[step.mask]
        alone = best.alone[step.mask] if best.alone else None
        fell = f"{step.entropy:.2f}"
        if step.entropy_alone is not None:
            fell = f"{step.entropy_alone:.2f} → {fell}"
        moved, kl = step.total_variation, step.kl
        rows.append(
            (
                str(number),
                masks[step.mask],
                drawn(chosen),
                in_digits(chosen.probability),
                in_digits(alone.probability) if alone is not None else "",
                f"{moved * 100:.0f} %" if moved is not None else "",
                f"{kl:.3f}" if kl is not None else "",
                fell,
            )
        )
    return rows
