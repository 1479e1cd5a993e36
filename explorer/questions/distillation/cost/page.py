"""What a teacher and a student cost: parameters, memory, and time for this sentence here."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from explorer.questions.distillation.cost.question import OPERATION, CostResult, ModelCost
from explorer.questions.distillation.roles import (
    SECOND_MODEL,
    STUDENTS,
    TEACHERS,
    legend,
    pair_caption,
    shown_pair,
)
from explorer.text import N_, _, ngettext
from explorer.text.numbers import decimal
from explorer.text.quantities import in_bytes, measured
from explorer.ui.blocks.bar_table import BarTable
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.rows import Axis, Bar, Column, Row
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.text import Text, note, warning


def blocks(shown: Shown) -> Iterator[Block]:
    """Rows with bars, and what papers claim."""
    result: CostResult = shown.result
    yield legend(shown_pair(shown))
    yield costs(rows_of(result))
    if result.scatter_said:
        yield warning(result.scatter_said, above=8)
    threads = ngettext("{count} thread", "{count} threads", result.threads)
    device = _("{dtype} on {device}", dtype=result.model.dtype, device=result.model.device)
    how = _(
        "{how} Here: {runs} runs each, {device}, {threads}.",
        how=_(result.how),
        runs=result.teacher.runs,
        device=device,
        threads=threads,
    )
    yield note(how, above=8)
    yield Text(_("Beside what papers claim"), "strong", above=24)
    yield note(_(ABOUT_CLAIMS), above=4)
    yield claims(claims_of(result))


ABOUT_CLAIMS = N_(
    "Papers measured other models on other machines, so only their ratios can be compared. A "
    "miniature has no large matrices: its time is mostly the number of layers."
)


CLAIMED = (N_("compared with"), N_("smaller"), N_("faster"), N_("source"))


@dataclass(frozen=True)
class CostRow:
    """One kind of cost.

    Attributes:
        title: What it is.
        teacher: As it is written.
        student: As it is written.
        share: The student's as a share of the teacher's; None where no bar makes sense.
        saved: "1.7 x smaller".
        words: For the tooltip.
    """

    title: str
    teacher: str
    student: str
    share: float | None = None
    saved: str = ""
    words: str = ""


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
        above=10,
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


def rows_of(result: CostResult) -> tuple[CostRow, ...]:
    """What both cost."""
    a, b = result.teacher, result.student
    scattered = _("the runs scatter")
    return (
        CostRow(
            _("Parameters"),
            f"{a.parameters:,}",
            f"{b.parameters:,}",
            b.parameters / a.parameters,
            smaller(result.smaller),
            _("Tied ones are counted once."),
        ),
        CostRow(
            _("of them word embeddings"),
            f"{a.embedding_parameters:,}",
            f"{b.embedding_parameters:,}",
            _share(b.embedding_parameters, a.embedding_parameters),
            "",
            _("The vocabulary's part, which fewer layers do not make smaller."),
        ),
        CostRow(
            _("Layers x width x heads"),
            _shape(a),
            _shape(b),
            None,
            "",
            _("As their configurations say."),
        ),
        CostRow(
            _("Memory of the weights"),
            in_bytes(a.weights_bytes),
            in_bytes(b.weights_bytes),
            _share(b.weights_bytes, a.weights_bytes),
            smaller(a.weights_bytes / max(b.weights_bytes, 1)),
            _("As they are loaded now."),
        ),
        CostRow(
            _("Time for this text ({tokens} tokens)", tokens=a.tokens)
            if a.tokens == b.tokens
            else _(
                "Time for this text ({tokens} and {b_tokens} tokens)",
                tokens=a.tokens,
                b_tokens=b.tokens,
            ),
            measured(a.seconds) if result.is_steady else _about(a),
            measured(b.seconds) if result.is_steady else _about(b),
            _share(b.seconds, a.seconds) if result.is_steady else None,
            faster(result.faster) if result.faster is not None else scattered,
            _("Teacher {span}; student {span_2}.", span=_span(a), span_2=_span(b)),
        ),
        CostRow(
            _("Half of the runs"),
            _middle(a),
            _middle(b),
            None,
            "",
            _(
                "From the lower to the upper quartile: a quarter of the runs were quicker, a "
                "quarter slower."
            ),
        ),
        CostRow(
            _("Quickest run"),
            measured(a.fastest),
            measured(b.fastest),
            _share(b.fastest, a.fastest) if result.is_steady else None,
            faster(a.fastest / b.fastest) if result.is_steady else "",
            _("What the machine can do when nothing disturbs it."),
        ),
    )


def claims_of(result: CostResult) -> tuple[tuple[str, ...], ...]:
    """What is measured here, then the papers' claims."""
    here = (
        _("this pair, here"),
        result.model.id,
        f"{result.smaller:.2g} x",
        f"{result.faster:.2g} x" if result.faster is not None else _("not measurable"),
        _("measured above"),
    )
    return (
        here,
        *(
            (
                claim.student,
                _(claim.teacher),
                f"{claim.smaller:.2g} x",
                f"{claim.faster:.2g} x",
                _("“{words}”, {source}", words=_(claim.words), source=_(claim.source)),
            )
            for claim in result.claims
        ),
    )


def smaller(times: float) -> str:
    """A ratio of sizes in words: "1.7 x smaller", "1.2 x larger", "the same"."""
    if 0.995 <= times <= 1.005:
        return _("the same")
    if times > 1:
        return _("{times} x smaller", times=decimal(times, 2))
    return _("{times} x larger", times=decimal(1 / times, 2))


def faster(times: float) -> str:
    """A ratio of durations in words: "1.7 x faster", "1.2 x slower", "the same"."""
    if 0.995 <= times <= 1.005:
        return _("the same")
    if times > 1:
        return _("{times} x faster", times=decimal(times, 2))
    return _("{times} x slower", times=decimal(1 / times, 2))


def _shape(cost: ModelCost) -> str:
    return f"{cost.layers} x {cost.width} x {cost.heads}"


def _span(cost: ModelCost) -> str:
    return _(
        "{measured} to {measured_2} in {runs} runs",
        measured=measured(cost.fastest),
        measured_2=measured(cost.slowest),
        runs=cost.runs,
    )


def _about(cost: ModelCost) -> str:
    """A median that no digit of can be trusted."""
    return _("about {time}", time=measured(cost.seconds))


def _middle(cost: ModelCost) -> str:
    """The quartiles; nothing in answers of older programs, which did not keep them."""
    if cost.lower is None or cost.upper is None:
        return "–"
    return _("{lower} to {upper}", lower=measured(cost.lower), upper=measured(cost.upper))


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


PAGE = Page(
    OPERATION,
    blocks,
    second_model_hint=SECOND_MODEL,
    caption=pair_caption,
)
