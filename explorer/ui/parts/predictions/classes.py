"""Classes with their probabilities and raw scores, a table a model."""

from collections.abc import Iterator

from explorer.api.question import Classes, ClassScores
from explorer.text import _
from explorer.text.phrase import said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page.beside import Beside
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.text import heading
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.predictions.class_table import class_table


def blocks(part: Classes, _looking: Looking) -> Iterator[Block]:
    """The classes of every model, with its name where there are several."""
    for number, one in enumerate(part.judged):
        if part.drawn not in (None, number):
            continue
        if len(part.judged) > 1 and part.drawn is None:
            yield heading(one.model)
        yield classes_of(one)
    if part.lane is not None:
        yield Beside(lane=part.lane)


def classes_of(one: ClassScores) -> BarTable:
    """A row a class; the likeliest is bold."""
    return class_table(
        [said(one.name(number)) for number in range(len(one.labels))],
        one.probabilities.tolist(),
        one.logits.tolist(),
        titles=(_("Classes"), _("class")),
        key=lambda number: ("class", one.model, number),
        strong=one.best,
    )
