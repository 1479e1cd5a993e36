"""Each family's sequences for a task, where the answer is read out, and what the model answered."""

from collections.abc import Iterator, Mapping

from explorer.api import ModelCard
from explorer.document import Document
from explorer.questions.generation.task_layout.answers import answer
from explorer.questions.generation.task_layout.layouts import Style
from explorer.questions.generation.task_layout.options import MAX_NEW_TOKENS
from explorer.questions.generation.task_layout.question import (
    OPERATION,
    LaidSequence,
    Layout,
    TaskLayoutRequest,
    TaskLayoutResult,
    pieces,
)
from explorer.questions.generation.task_layout.tasks import TASKS
from explorer.questions.generation.task_layout.wording import (
    about_piece,
    below_said,
    missing_said,
    notes_on,
    read_out_said,
    sequence_said,
    shown_piece,
    targets_said,
    texts_said,
    title_of,
)
from explorer.text import N_, _, said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Offer, Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.text import Text, heading, note, warning
from explorer.ui.matrices.scored_tokens import ScoredToken, ScoredTokens

OTHERS = N_("Other families’ layouts")
AROUND = N_("Their special pieces, around the pieces of this model’s tokenizer.")


def blocks(shown: Shown) -> Iterator[Block]:
    """The model's own layout beside its answer, then the other families'."""
    result: TaskLayoutResult = shown.result
    if result.why:
        yield note(_("Nothing is computed. {why}", why=said(result.why)), above=Space.TIGHT)
    own, *others = result.layouts
    told = texts_said(TaskLayoutRequest.of(shown.asked))
    answered = tuple(answer(result, shown.before))
    laid = (*([note(told, above=Space.TIGHT)] if told else []), *_own(shown, own))
    if answered:
        beside = (
            note(_(AROUND), above=Space.TIGHT),
            *(b for one in others for b in _other(result, one)),
        )
        laid = (*laid, heading(_(OTHERS)), *beside)
        cards = (
            Card(laid, _("The model’s own layout")),
            Card(answered, _("What the model answers")),
        )
        yield Columns(cards, CardWidth.WIDE, framed=False, side=370.0)
        return
    yield from laid
    yield heading(_(OTHERS))
    yield note(_(AROUND), above=Space.TIGHT)
    yield Columns(
        tuple(Card(tuple(_other(result, one)), title_of(one)) for one in others),
        CardWidth.WIDE,
        framed=False,
    )


def _other(result: TaskLayoutResult, layout: Layout) -> Iterator[Block]:
    return _layout(result, layout, title_of(layout))


def _own(shown: Shown, layout: Layout) -> Iterator[Block]:
    result: TaskLayoutResult = shown.result
    model = shown.title_of(result.model)
    title = _("As {model} reads it", model=model)
    yield from _layout(result, layout, _("{title}: {layout}", title=title, layout=title_of(layout)))
    if result.judged is not None and result.judged.read:
        yield heading(_("What its head has read"))
        for number, sequence in enumerate(result.judged.read):
            yield _tokens(result, layout, sequence, ("read", number))


def _layout(result: TaskLayoutResult, layout: Layout, title: str) -> Iterator[Block]:
    task = TASKS[result.task]
    yield heading(title)
    for words in notes_on(layout):
        yield note(words, above=Space.TIGHT)
    missing = missing_said(layout)
    if missing:
        yield warning(missing)
    for number, sequence in enumerate(layout.sequences):
        name = sequence_said(result, layout, number)
        if name:
            yield Text(name)
        yield _tokens(result, layout, sequence, (layout.style.value, number))
    below = below_said(layout)
    if below:
        yield note(below)
    yield Text(read_out_said(layout, task))
    for words in targets_said(layout, result.task):
        yield Text(words, above=Space.TIGHT)


def _tokens(
    result: TaskLayoutResult, layout: Layout, sequence: LaidSequence, key: tuple[str, int]
) -> ScoredTokens:
    task = TASKS[result.task]
    tokens = [
        ScoredToken(
            shown_piece(one),
            ("piece", *key, position),
            None if one.special or not one.field or position in sequence.read_out else 0.0,
            str(position),
            _below(sequence, position),
            about_piece(task, sequence, position),
            asked=position in sequence.read_out,
            joined=one.joined,
            special=one.special,
        )
        for position, one in enumerate(sequence.pieces)
    ]
    return ScoredTokens(tokens, title_of(layout))


def _below(sequence: LaidSequence, position: int) -> str:
    """The segment, and whether the position is read out."""
    segment = sequence.pieces[position].segment
    name = "" if segment is None else "AB"[min(segment, 1)]
    return " ".join(filter(None, (name, "▲" if position in sequence.read_out else "")))


def offers(_now: Document, shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """A model that writes nothing has no longest text."""
    writes = shown is None or shown.result.layouts[0].style is Style.T5
    return {MAX_NEW_TOKENS.key: Offer(there=writes)}


PAGE = Page(
    OPERATION,
    blocks,
    offers=offers,
    table_name=N_("Answers and sequences"),
    other_tables={N_("Pieces"): lambda shown: pieces(shown.result)},
)
