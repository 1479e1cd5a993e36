"""What a teacher and a student cost: parameters, memory, and time for this sentence here."""

from collections.abc import Iterator, Sequence

from explorer.questions.distillation.cost.measured import CostRow, rows_of
from explorer.questions.distillation.cost.question import OPERATION, CostResult
from explorer.questions.distillation.roles import (
    SECOND_MODEL,
    STUDENTS,
    TEACHERS,
    legend,
    shown_pair,
)
from explorer.text import N_, _, ngettext, said
from explorer.text.formatting.numbers import decimal
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row
from explorer.ui.blocks.text import Text, note, warning


def blocks(shown: Shown) -> Iterator[Block]:
    """Rows with bars, and what papers claim."""
    result: CostResult = shown.result
    yield legend(shown_pair(shown))
    yield costs(rows_of(result))
    if result.scatter_said:
        yield warning(result.scatter_said)
    threads = ngettext("{count} thread", "{count} threads", result.threads)
    device = _("{dtype} on {device}", dtype=result.model.dtype, device=result.model.device)
    how = _(
        "{how} Here: {runs} runs each, {device}, {threads}.",
        how=said(result.how),
        runs=result.teacher.runs,
        device=device,
        threads=threads,
    )
    yield note(how)
    yield Text(_("Beside what papers claim"), "strong", above=Space.SECTION)
    yield note(_(ABOUT_CLAIMS))
    yield claims(claims_of(result, shown.title_of(result.model)))


ABOUT_CLAIMS = N_(
    "Papers measured other models on other machines, so only their ratios can be compared. A "
    "miniature has no large matrices: its time depends mostly on how many layers it has."
)


CLAIMED = (N_("compared with"), N_("smaller"), N_("faster"), N_("source"))


def costs(rows: Sequence[CostRow]) -> BarTable:
    """A row a kind of cost: the teacher's bar is whole, the student's is its share."""
    return BarTable(
        [
            Row(
                row.title,
                (row.teacher, row.student, row.saved),
                _bars(row.share),
                words="\n".join(part for part in (row.words, row.saved) if part),
            )
            for row in rows
        ],
        (
            Column(_("teacher"), title_colour=TEACHERS, strong=True),
            Column(_("student"), title_colour=STUDENTS, strong=True),
            Column("", dispensable=True),
        ),
        Axis(1.0, titled=False),
        _("Costs"),
        first=2,
        bold=False,
        ruled=True,
        above=Space.APART,
    )


def _bars(share: float | None) -> tuple[Bar, ...]:
    """The longer of the two is as long as there is room for."""
    if share is None:
        return ()
    longest = max(share, 1.0)
    return (Bar(1.0 / longest, TEACHERS), Bar(share / longest, STUDENTS))


def claims(rows: Sequence[tuple[str, ...]]) -> BarTable:
    """What papers say, below what this pair has here."""
    return BarTable(
        [
            Row(row[0], row[1:], strong=not number, words=" · ".join(filter(None, row)))
            for number, row in enumerate(rows)
        ],
        tuple(Column(title, left=True) for title in map(_, CLAIMED)),
        title=_("What papers claim"),
        bold=False,
        ruled=True,
    )


def claims_of(result: CostResult, teacher: str) -> tuple[tuple[str, ...], ...]:
    """What is measured here beside a teacher, then the papers' claims."""
    here = (
        _("this pair, here"),
        teacher,
        f"{decimal(result.smaller, 2)} ×",
        f"{decimal(result.faster, 2)} ×" if result.faster is not None else _("not measurable"),
        _("measured above"),
    )
    return (
        here,
        *(
            (
                claim.student,
                _(claim.teacher),
                f"{claim.smaller:.2g} ×",
                f"{claim.faster:.2g} ×",
                _("“{words}”, {source}", words=_(claim.words), source=_(claim.source)),
            )
            for claim in result.claims
        ),
    )


PAGE = Page(
    OPERATION,
    blocks,
    second_model_hint=SECOND_MODEL,
)
