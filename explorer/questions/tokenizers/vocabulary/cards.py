"""The cards of a vocabulary: what its pieces are, their scripts, what is near, what is shared."""

from collections.abc import Iterator, Sequence

from explorer.questions.tokenizers.vocabulary.options import Measure
from explorer.questions.tokenizers.vocabulary.question import (
    Group,
    Neighbours,
    Overlap,
    PieceRow,
    VocabularyResult,
)
from explorer.questions.tokenizers.vocabulary.table.panel import chosen
from explorer.questions.tokenizers.vocabulary.wording import (
    about,
    place_said,
    script_said,
    vectors_said,
    written,
)
from explorer.text import N_, _, said
from explorer.text.bidi import isolated
from explorer.text.formatting.numbers import decimal, percent, whole, with_minus
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.tables.amounts import Amount
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.numbers import Number, Numbers
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row
from explorer.ui.blocks.tables.shares import Shares
from explorer.ui.blocks.text import Text, heading, note, section

NO_TEXT = ("special", "added", "unused")
MOST_SCRIPTS = 16
"""Scripts that have a row of their own."""
SCRIPTS = N_(
    "By Unicode's script property, of the pieces that stand for text. Digits and signs beside "
    "letters go with these; letters of several scripts are mixed."
)
OVERLAP = N_(
    "By what a piece stands for, not by how it is spelled: “Ġthe” and “the” are one word, “…ing” "
    "is one part of words. Capitals count."
)
CHOOSE = N_("Click a piece to see which pieces the model has nearly the same vectors for.")


def groups_card(result: VocabularyResult, before: VocabularyResult | None) -> Card:
    """What pieces are in words."""
    return Card(
        (
            heading(_("What the pieces are")),
            _groups(
                result.places,
                None if before is None else before.places,
                place_said,
                _("What the pieces are"),
            ),
        ),
        _("What the pieces are"),
    )


def scripts_card(result: VocabularyResult, before: VocabularyResult | None) -> Card:
    """Their scripts."""
    first, rest = result.scripts[:MOST_SCRIPTS], result.scripts[MOST_SCRIPTS:]
    blocks: list[Block] = [
        *section(_("Scripts"), _(SCRIPTS)),
        _groups(first, None if before is None else before.scripts, script_said, _("Scripts")),
    ]
    if rest:
        names = ", ".join(f"{script_said(one.name)} {whole(one.pieces)}" for one in rest)
        blocks.append(note(_("Fewer: {names}", names=names)))
    return Card(blocks, _("Scripts"))


def _groups(
    groups: Sequence[Group], before: Sequence[Group] | None, title_of: object, title: str
) -> BarTable:
    assert callable(title_of)
    pieces = sum(one.pieces for one in groups) or 1
    old = {one.name: one.pieces for one in before or ()}
    whole_before = sum(old.values()) or 1
    rows = [
        Row(
            title_of(one.name),
            (
                whole(one.pieces),
                percent(one.pieces / pieces),
                "" if one.name in NO_TEXT else percent(one.used / one.pieces),
            ),
            (Bar(one.pieces / pieces),),
            mark=old[one.name] / whole_before if one.name in old else None,
            key=("group", one.name),
        )
        for one in groups
    ]
    columns = (
        Column(_("Pieces")),
        Column(_("Share")),
        Column(_("Used"), words=_("Share of them that stand in the text."), dispensable=True),
    )
    top = max((one.pieces / pieces for one in groups), default=1.0)
    marks = [row.mark for row in rows if row.mark is not None]
    return BarTable(rows, columns, Axis(max([top, *marks]), titled=False), title, bold=False)


def near_blocks(shown: Shown) -> Iterator[Block]:
    """The nearest pieces, or how to ask for them."""
    result: VocabularyResult = shown.result
    if result.piece is None and shown.alone and not result.no_neighbours:
        return
    if result.piece is None:
        yield heading(_("Nearest pieces"))
        yield note(said(result.no_neighbours) if result.no_neighbours else _(CHOOSE))
        return
    yield heading(_("Nearest to “{piece}”", piece=written(result.piece)))
    if result.no_neighbours:
        yield note(said(result.no_neighbours))
    before: VocabularyResult | None = shown.before
    pinned = {} if before is None else {one.side: one for one in before.neighbours}
    for each in result.neighbours:
        yield note(vectors_said(each, alone=len(result.neighbours) == 1))
        yield _nearest(shown, each, pinned.get(each.side))


def _nearest(shown: Shown, near: Neighbours, before: Neighbours | None) -> BarTable:
    by_cosine = shown.result.measure is Measure.COSINE
    old = {} if before is None else {one.piece.text: one for one in before.nearest}

    def value(one: object) -> float:
        return float(getattr(one, "cosine" if by_cosine else "dot"))

    rows = [
        Row(
            written(one.piece),
            (with_minus(one.cosine, 3), with_minus(one.dot, 2)),
            (Bar(max(value(one), 0.0)),),
            mark=max(value(old[one.piece.text]), 0.0) if one.piece.text in old else None,
            lead=str(rank),
            muted=not one.piece.script,
            words=about(one.piece),
            key=("near", near.side, one.piece.id),
            act=chosen(shown.now, one.piece),
        )
        for rank, one in enumerate(near.nearest, 1)
    ]
    top = max([1e-9, *(value(one) for one in near.nearest)])
    columns = (
        Column(_("Cosine"), strong=by_cosine),
        Column(_("Dot"), strong=not by_cosine, dispensable=True),
    )
    axis = Axis(1.0 if by_cosine else top, titled=False)
    return BarTable(rows, columns, axis, _("Nearest pieces"), bold=False)


def overlap_blocks(shown: Shown) -> Iterator[Block]:
    """What another vocabulary has of this one."""
    result: VocabularyResult = shown.result
    overlap: Overlap | None = result.overlap
    if overlap is None:
        yield heading(_("A second vocabulary"))
        yield note(
            _("Load a second model, or choose a checkpoint above, to see what both have in common.")
        )
        return
    yield from section(_("Compared with {title}", title=overlap.title), _(OVERLAP))
    either = overlap.shared + overlap.here + overlap.there
    parts = (
        (_("only here"), overlap.here, "bar"),
        (_("in both"), overlap.shared, "bar_original"),
        (_("only there"), overlap.there, "bar_second"),
    )
    yield Shares([Amount(words, count, whole(count), colour) for words, count, colour in parts])
    yield note(
        _(
            "{share} of all texts are in both. {alike} pieces are spelled alike, marks included.",
            share=percent(overlap.shared / either if either else 0.0),
            alike=overlap.alike,
        ),
        above=Space.APART,
    )
    for words, some in (
        (_("Only here"), overlap.first_here),
        (_("Only there"), overlap.first_there),
    ):
        if some:
            yield Text(words, "strong", above=Space.APART)
            yield Text(", ".join([*map(isolated, some), "…"]), above=Space.TIGHT)


def use_numbers(result: VocabularyResult, before: VocabularyResult | None) -> Numbers:
    """How much of the vocabulary a text uses."""
    counted, old = result.counted, None if before is None else before.counted
    efficiency = _("none") if counted.efficiency is None else decimal(counted.efficiency, 3)
    return Numbers(
        [
            Number(
                percent(counted.never_share),
                _was(_("never used"), None if old is None else percent(old.never_share)),
                _("Of the pieces that stand for text, the share that the text never uses."),
            ),
            Number(
                _("{used} of {words}", used=counted.used, words=counted.words),
                _was(_("pieces used"), None if old is None else whole(old.used)),
                _("Special tokens and unused slots are not counted."),
            ),
            Number(
                efficiency,
                _was(
                    _("Rényi efficiency"),
                    None if old is None or old.efficiency is None else decimal(old.efficiency, 3),
                ),
                _("Of order 2.5, of the pieces of the text."),
            ),
        ]
    )


def _was(name: str, before: str | None) -> str:
    return name if before is None else _("{name}, pinned {before}", name=name, before=before)


def top_table(shown: Shown) -> BarTable:
    """The most used pieces."""
    counted = shown.result.counted
    before: VocabularyResult | None = shown.before
    old: dict[str, PieceRow] = (
        {} if before is None else {one.text: one for one in before.counted.top}
    )
    rows = [
        Row(
            written(one),
            (whole(one.uses), percent(one.uses / counted.pieces)),
            (Bar(float(one.uses)),),
            mark=float(old[one.text].uses) if one.text in old else None,
            lead=str(rank),
            words=about(one),
            key=("top", one.id),
            act=chosen(shown.now, one),
        )
        for rank, one in enumerate(counted.top, 1)
    ]
    marks = [row.mark for row in rows if row.mark is not None]
    top = max([1.0, *marks, *(float(one.uses) for one in counted.top)])
    columns = (Column(_("Uses")), Column(_("Share")))
    return BarTable(rows, columns, Axis(top, titled=False), _("The most used pieces"), bold=False)
