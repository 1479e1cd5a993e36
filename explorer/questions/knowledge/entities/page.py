"""A text with its entities, without and with others: what the page adds to its parts."""

from dataclasses import replace

from explorer.api.question import Predictions, Table
from explorer.questions.knowledge.entities.inside import inside
from explorer.questions.knowledge.entities.parts import INSIDE
from explorer.questions.knowledge.entities.question import QUESTION, EntityRow
from explorer.ui.blocks import Looking, Shown, page_of_parts, parts_shown, pins_of


def pinned_table(shown: Shown) -> Table:
    """The pinned answer's rows, with what it says of the words that are shown now."""
    assert shown.pinned is not None
    plain = QUESTION.table(shown.pinned.result)
    words = tuple(
        EntityRow("word", part.version(n), then.position, None, None, one.word, None, value)
        for part in parts_shown(QUESTION, shown)
        if isinstance(part, Predictions)
        for n, pin in enumerate(pins_of(part, Looking(QUESTION, shown)))
        if pin is not None and (then := pin.then) is not None
        for one in pin.now.predictions
        if (value := pin.before(one).probability) is not None
    )
    others = tuple(row for row in plain.rows if row[0] != "word")
    return replace(plain, rows=(*Table.of(EntityRow, words).rows, *others))


PAGE = page_of_parts(QUESTION, {INSIDE: inside}, pinned_table=pinned_table)
