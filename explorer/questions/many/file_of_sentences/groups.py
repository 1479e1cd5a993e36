"""The rows of a file that have the same in a column, told of together: a line for each."""

from collections.abc import Callable, Collection

from explorer.files_of_sentences.rows import RowGroup
from explorer.questions.many.file_of_sentences.ordering import FileSnapshot
from explorer.questions.many.file_of_sentences.titles import column_said
from explorer.questions.many.file_of_sentences.wording import written
from explorer.text import _
from explorer.ui.blocks import LongColumn, LongRows

MOST = 50
"""Lines that are shown: a column with more is no group, but a text."""


def group_lines(found: FileSnapshot, question: str, hidden: Collection[str]) -> LongRows[RowGroup]:
    """How many rows each has, how many of them failed, and their means.

    Args:
        found: What the results file holds.
        question: The name of the one that was asked.
        hidden: Columns that are not for reading.
    """
    names = dict.fromkeys(name for one in found.groups for name in one.means)
    columns = [
        LongColumn[RowGroup](column_said(found.order.by, question), lambda one: one.value),
        LongColumn[RowGroup](_("rows"), lambda one: written(one.count), number=True),
    ]
    if found.failed:
        columns.append(
            LongColumn[RowGroup](_("failed"), lambda one: written(one.failed), number=True)
        )
    columns += [
        LongColumn[RowGroup](column_said(name, question), _mean(name), number=True)
        for name in names
        if name not in hidden
    ]
    some = found.groups[:MOST]
    return LongRows(tuple(columns), len(some), lambda start, stop: some[start:stop])


def _mean(name: str) -> Callable[[RowGroup], str]:
    return lambda one: written(one.means.get(name))
