"""The nearest words of every occurrence, and of one by every vector, as tables."""

from explorer.questions.layers.word_journey.question import AT, WordJourneyResult
from explorer.questions.layers.word_journey.wording import (
    in_context,
    neighbours_said,
    place_said,
    vector_said,
)
from explorer.text import _
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Column, Row
from explorer.ui.document.gestures import set_options

TOLD, NEIGHBOURS = 5, 8
"""Neighbours of a row of occurrences, and of a row of layers."""


def occurrences_table(shown: Shown, vector: int, chosen: int) -> BarTable:
    """Every occurrence with its neighbours in one vector; choosing one tells it layer by layer."""
    result: WordJourneyResult = shown.result
    rows = []
    for n, number in enumerate(result.occurrences):
        word = result.words[number]
        rows.append(
            Row(
                in_context(result, word),
                (neighbours_said(result, vector, n, TOLD),),
                lead=str(word.sentence + 1),
                strong=n == chosen,
                words=place_said(result, number),
                key=("occurrence", n),
                act=set_options(
                    shown.now, {AT.key: AT.written((n,))}, _("choose an occurrence of the word")
                ),
            )
        )
    nearest = Column(
        _("nearest words"),
        left=True,
        wraps=True,
        words=_("With the number of their sentence, and the cosine."),
    )
    return BarTable(
        rows,
        (nearest,),
        title=_("Nearest words of every occurrence"),
        bold=False,
        ruled=True,
        label=Column(_("occurrence")),
    )


def layers_table(result: WordJourneyResult, vector: int, chosen: int) -> BarTable:
    """The neighbours of one occurrence by every vector."""
    rows = [
        Row(
            vector_said(name),
            (neighbours_said(result, n, chosen, NEIGHBOURS),),
            strong=n == vector,
            apart=_("made of several layers") if n == len(result.layers) else "",
            key=("vector", name),
        )
        for n, name in enumerate(result.vectors)
    ]
    return BarTable(
        rows,
        (Column(_("nearest words"), left=True, wraps=True),),
        title=_("Nearest words layer by layer"),
        bold=False,
        label=Column(_("vector")),
    )
