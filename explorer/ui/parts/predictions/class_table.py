"""Classes with their probabilities and raw scores, as heads for pairs and for tokens have them."""

from collections.abc import Callable, Hashable, Iterable, Sequence

from explorer.text import _
from explorer.text.formatting.numbers import with_minus
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Bar, BarAxis, BarColumn, BarRow


def class_table(
    names: Sequence[str],
    chances: Sequence[float],
    logits: Sequence[float],
    *,
    titles: tuple[str, str],
    key: Callable[[int], Hashable],
    order: Iterable[int] | None = None,
    strong: int | None = None,
    first: int = 0,
) -> BarTable:
    """A row a class, its number in front.

    Args:
        names: What a reader calls each class.
        chances: Their probabilities.
        logits: Their scores before the softmax.
        titles: Of the table, and of the column of names.
        key: A class's, by its number.
        order: Numbers of the classes that have a row; None for all as they stand.
        strong: The number of the class whose row is bold.
        first: What they are counted from where they are read.
    """
    rows = [
        BarRow(
            names[number],
            (in_digits(chances[number]), with_minus(logits[number], 2)),
            (Bar(chances[number]),),
            lead=str(number + first),
            strong=number == strong,
            key=key(number),
        )
        for number in (range(len(names)) if order is None else order)
    ]
    columns = (
        BarColumn(_("probability")),
        BarColumn(_("logit"), words=_("Its raw score, before the softmax."), dispensable=True),
    )
    title, label = titles
    return BarTable(rows, columns, BarAxis(1.0), title, bold=False, label=BarColumn(label))
