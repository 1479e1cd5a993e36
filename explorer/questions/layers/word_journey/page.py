"""One word among others, layer by layer: pictures, how alike its occurrences are, neighbours."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from explorer.api import Entry, ModelCard
from explorer.document import Document
from explorer.questions.layers.layer_names import layer_said
from explorer.questions.layers.word_journey import tsne
from explorer.questions.layers.word_journey.charts import pictures, similarity
from explorer.questions.layers.word_journey.question import (
    AT,
    CONCAT_FOUR,
    EMBEDDINGS,
    FILE,
    FOUR,
    LAST,
    OPERATION,
    PROJECTION,
    SUM_FOUR,
    TSNE,
    VECTOR,
    Found,
    WordJourneyResult,
)
from explorer.questions.layers.word_journey.wording import (
    in_context,
    neighbours_said,
    place_said,
    vector_said,
)
from explorer.text import N_, _, ngettext
from explorer.text.numbers import decimal
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Offer, Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Column, Row
from explorer.ui.blocks.text import Text, heading, note, warning
from explorer.ui.document.gestures import set_options

ABOUT = N_(
    "Each point is a word of the sentences; each sentence is read on its own. The axes are the two "
    "principal components of all words' vectors in that layer: directions in one layer have "
    "nothing to do with those in another. Trustworthiness says how far neighbours in the picture "
    "are neighbours in truth (1: all of them)."
)
ABOUT_TSNE = N_(
    "Each point is a word of the sentences; each sentence is read on its own. t-SNE (van der "
    "Maaten and Hinton 2008; perplexity {perplexity}) begins at the principal components and keeps "
    "neighbours together: how far groups stand from each other, and how wide they are, means "
    "nothing. Trustworthiness says how far neighbours in the picture are neighbours in truth (1: "
    "all of them)."
)
NOT_INSTALLED = N_(
    "Words can be drawn by t-SNE, too, where openTSNE is installed: pip install plm-explorer[tsne]."
)
HOW = {
    Found.MASKED: N_("It is the word that was masked; the model reads the word itself."),
    Found.REPEATED: N_("No word was typed: this is the first that occurs more than once."),
    Found.FIRST: N_("No word was typed and none occurs twice: this is the first one."),
}
TOLD, NEIGHBOURS = 5, 8
"""Neighbours of a row of occurrences, and of a row of layers."""


def blocks(shown: Shown) -> Iterator[Block]:
    """Pictures of a few layers, likeness over the layers, neighbours here and layer by layer."""
    result: WordJourneyResult = shown.result
    vector = result.number_of(shown.value(VECTOR))
    chosen = occurrence_of(result, shown.now)
    yield Text(_counted(result))
    if result.found in HOW:
        yield note(_(HOW[result.found]))
    path = FILE.of(shown.asked)
    if path:
        yield note(_("The sentences of {name} are read, too.", name=Path(path).name))
        if not shown.alone:
            without = shown.setting(FILE, "", _("leave out the file"))
            yield Chips([Chip(_("Leave out the file"), without, key="file")])
    yield from _limits(result, shown.value(VECTOR))
    yield pictures(result, vector, chosen)
    yield from _about(result)
    neighbours = (
        heading(
            _("Nearest words by cosine: {vector}", vector=vector_said(result.vectors[vector])),
            above=0.0,
        ),
        occurrences_table(shown, vector, chosen),
    )
    yield Columns(
        (
            Card((similarity(result),), _("Likeness over the layers")),
            Card(neighbours, _("Nearest words")),
        ),
        framed=False,
        above=18.0,
    )
    yield heading(
        _(
            "Nearest words of “{word}” in sentence {number}, layer by layer",
            word=result.words[result.occurrences[chosen]].word,
            number=result.words[result.occurrences[chosen]].sentence + 1,
        )
    )
    yield layers_table(result, vector, chosen)


def _about(result: WordJourneyResult) -> Iterator[Block]:
    """What the pictures show, and how to get the other ones."""
    if result.perplexity is not None:
        yield note(_(ABOUT_TSNE, perplexity=decimal(result.perplexity, 1)))
        return
    yield note(_(ABOUT))
    if not tsne.is_installed():
        yield note(_(NOT_INSTALLED))


def occurrence_of(result: WordJourneyResult, document: Document) -> int:
    """The number of the occurrence that is turned to; the first where none is."""
    at = AT.of(document)
    return at[0] if at and at[0] < len(result.occurrences) else 0


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


def offers(now: Document, shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """The vectors that are named and every layer of the model; t-SNE where it is installed."""
    # What a session brought can be set back where it can't be chosen.
    there = tsne.is_installed() or PROJECTION.of(now) == TSNE
    projection = {PROJECTION.key: Offer(there=there)}
    if shown is None:
        return projection
    result: WordJourneyResult = shown.result
    entries = [*VECTOR.translated().entries]
    entries += [
        Entry(name, _capital(layer_said(name))) for name in result.layers if name != EMBEDDINGS
    ]
    value = VECTOR.of(shown.now)
    known = any(one.value == value for one in entries)
    return {**projection, VECTOR.key: Offer(tuple(entries), value if known else LAST)}


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _counted(result: WordJourneyResult) -> str:
    sentences = len({result.words[number].sentence for number in result.occurrences})
    count = ngettext(
        "“{word}” stands here {count} time.",
        "“{word}” stands here {count} times.",
        len(result.occurrences),
        word=result.word,
    )
    where = ngettext(
        "It is in {count} sentence of {all}, among {words} words.",
        "It is in {count} sentences of {all}, among {words} words.",
        sentences,
        all=len(result.sentences),
        words=len(result.words),
    )
    return f"{count} {where}"


def _limits(result: WordJourneyResult, vector: str) -> Iterator[Block]:
    """What was not read, and what is not what its name says."""
    if result.left_out:
        yield warning(
            ngettext(
                "{count} more sentence was not read: these are as many words as a picture holds.",
                "{count} more sentences were not read: these are as many words as a picture holds.",
                result.left_out,
            )
        )
    if result.cut:
        yield warning(
            ngettext(
                "{count} sentence is longer than the model reads; its end is left out.",
                "{count} sentences are longer than the model reads; their ends are left out.",
                result.cut,
            )
        )
    if result.combined < FOUR and vector in (SUM_FOUR, CONCAT_FOUR):
        yield note(
            ngettext(
                "The model has {count} layer: it is taken in the place of the last four.",
                "The model has {count} layers: all of them are taken in the place of the last "
                "four.",
                result.combined,
            )
        )


PAGE = Page(OPERATION, blocks, offers=offers)
"""Word through the layers: `WordJourneyRequest`'s answer."""
