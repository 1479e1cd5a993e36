"""An earlier answer beside the one of now: another student, another text, another teacher."""

from collections.abc import Sequence
from dataclasses import replace

from explorer.document import Document, matched, places_of
from explorer.numerics.distributions.comparing import Comparison
from explorer.questions.distillation.soft_targets.at_mask import MANY, words_at
from explorer.questions.distillation.soft_targets.at_mask import charts as charts_of
from explorer.questions.distillation.soft_targets.question import (
    SoftTargetsResult,
    Targets,
)
from explorer.text import _
from explorer.text.formatting.numbers import decimal
from explorer.text.formatting.probabilities import in_digits, signed
from explorer.ui.blocks.remembered import remembered
from explorer.ui.blocks.shown import Pinned
from explorer.ui.blocks.tables.pairs import Pair
from explorer.ui.charts.description import Chart


def pinned_numbers(
    result: SoftTargetsResult, document: Document, baseline: Pinned
) -> tuple[int | None, ...]:
    """For every mask of an answer, the number of the pinned one's at the same place in the text.

    Two answers about their whole texts are of one place.
    """
    pinned: SoftTargetsResult = baseline.result
    positions, then = ([one.position for one in r.masks] for r in (result, pinned))
    if min(*positions, *then) < 0:
        return (0,) if max(*positions, *then) < 0 else (None,) * len(positions)
    return matched(
        places_of(result.tokens, positions),
        document,
        places_of(pinned.tokens, then),
        baseline.document,
    )


def with_pinned(words: Sequence[Pair], before: Targets, temperature: float) -> list[Pair]:
    """Words with what the pinned answer's student gives them."""
    given = {one.word: one.second for one in words_at(before, before.at(temperature))}
    return [_with_mark(one, given.get(one.word)) for one in words]


def _with_mark(word: Pair, then: float | None) -> Pair:
    if then is None or word.second is None:
        return word
    said = _(
        "Pinned student: {in_digits}; now {signed}",
        in_digits=in_digits(then),
        signed=signed(word.second - then),
    )
    return replace(word, mark=then, about=(*word.about, said))


@remembered(MANY)
def charts_with_pinned(charts: Sequence[Chart], before: Targets) -> list[Chart]:
    """Curves with the pinned student's."""
    return [
        replace(
            chart,
            series=(
                *chart.series,
                *(
                    replace(line, name=_("{name}, pinned", name=line.name), colour="muted")
                    for line in old.lines[-1:]
                ),
            ),
        )
        for chart, old in zip(charts, charts_of(before), strict=True)
    ]


def words_on_pinned(result: SoftTargetsResult, before: Comparison, now: Comparison) -> str:
    """How much nearer to its teacher, or farther, the student of now is."""
    then, here = before.kl_teacher_student, now.kl_teacher_student
    return _(
        "Pinned: {id} as the student of {model_id}, {then} nats from its teacher at this "
        "temperature (KL). Now: {here} ({signed}). A line across the bars stands where "
        "the pinned student's would end.",
        id=result.other.id,
        model_id=result.model.id,
        then=decimal(then, 4),
        here=decimal(here, 4),
        signed=signed(here - then),
    )
