"""Published figures of what the curves are of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from explorer.api.question import Manner, Rows, Said, column
from explorer.learning.curves.names import MeasuredQuantity
from explorer.published.training_figures import TrainingFigure, figures_of
from explorer.questions.learning.training_curves.charts import CurveChart
from explorer.text import N_, Phrase, said, verbatim
from explorer.text.lists import one_after_another

KINDS = {
    MeasuredQuantity.LOSS: "perplexity",
    MeasuredQuantity.PERPLEXITY: "perplexity",
    MeasuredQuantity.ACCURACY: "accuracy",
}
OTHERS = N_(
    "Published models read other texts in other pieces: how far they are from each other can be "
    "compared with these curves, how high they are cannot. Losses are the logarithms of the "
    "perplexities that are printed."
)
CHECKED = {True: N_("looked up"), False: N_("not checked")}


@dataclass(frozen=True)
class PublishedTrainingRow:
    """What a published training came to."""

    measured: str = column(N_("measured"), written=said)
    run: str = column(N_("published"), written=said, wraps=True)
    value: float = column(N_("figure"), digits=3)
    source: str = column(N_("source"), wraps=True)
    date: str = column(N_("date"))
    checked: str = column(
        N_("checked"), written=said, tip=N_("Whether somebody has looked the figure up there.")
    )


def published(charts: Sequence[CurveChart]) -> Iterator[Said | Rows]:
    """Those of the charts that are drawn."""
    rows = [row for chart in charts for row in _rows(chart)]
    if rows:
        yield Rows(
            PublishedTrainingRow,
            tuple(rows),
            title=N_("Published figures"),
            in_files=False,
            group="measured",
            hidden=("measured",),
        )
        yield Said(OTHERS, Manner.EXPLANATION)


def _rows(chart: CurveChart) -> Iterator[PublishedTrainingRow]:
    kind = KINDS.get(chart.quantity)
    for one in figures_of([(kind, chart.objective)] if kind else ()):
        yield PublishedTrainingRow(
            chart.title,
            _run(one),
            _value(one, chart.quantity),
            verbatim(one.source),
            one.date,
            CHECKED[one.is_checked],
        )


def _run(one: TrainingFigure) -> str:
    said_of = [
        Phrase(text, count=count)
        for text, count in (
            (N_("{count} million words"), one.words),
            (N_("batch of {count}"), one.batch),
            (N_("{count} steps"), one.steps),
        )
        if count
    ]
    return one_after_another([Phrase(one.model), *said_of])


def _value(one: TrainingFigure, quantity: MeasuredQuantity) -> float:
    return one.loss if quantity is MeasuredQuantity.LOSS else one.value
