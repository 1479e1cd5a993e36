"""One word among others, layer by layer: pictures, how alike its occurrences are, neighbours."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from explorer.api import Entry, ModelCard
from explorer.api.question.layer_names import layer_said
from explorer.api.question.layers import EMBEDDINGS
from explorer.document import Document
from explorer.questions.layers.word_journey import tsne
from explorer.questions.layers.word_journey.charts import pictures, similarity
from explorer.questions.layers.word_journey.neighbours import layers_table, occurrences_table
from explorer.questions.layers.word_journey.question import (
    AT,
    CONCAT_FOUR,
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
from explorer.questions.layers.word_journey.wording import counted, pictures_said, vector_said
from explorer.text import N_, _, ngettext
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Offer, Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import Text, heading, note, warning

NOT_INSTALLED = N_(
    "Words can be drawn by t-SNE, too, where openTSNE is installed: pip install plm-explorer[tsne]."
)
HOW = {
    Found.MASKED: N_("It is the word that was masked; the model reads the word itself."),
    Found.REPEATED: N_("No word was typed: this is the first that occurs more than once."),
    Found.FIRST: N_("No word was typed and none occurs twice: this is the first one."),
}


def blocks(shown: Shown) -> Iterator[Block]:
    """Pictures of a few layers, likeness over the layers, neighbours here and layer by layer."""
    result: WordJourneyResult = shown.result
    vector = result.number_of(shown.value(VECTOR))
    chosen = occurrence_of(result, shown.now)
    yield Text(counted(result))
    if result.found in HOW:
        yield note(_(HOW[result.found]))
    path = FILE.of(shown.asked)
    if path:
        yield note(_("The sentences of {name} are read, too.", name=Path(path).name))
        without = shown.setting(FILE, "", _("leave out the file"))
        yield Chips([Chip(_("Leave out the file"), without, key="file")])
    yield from _limits(result, shown.value(VECTOR))
    yield pictures(result, vector, chosen)
    yield from _about(result)
    neighbours = (
        heading(
            _("Nearest words by cosine: {vector}", vector=vector_said(result.vectors[vector])),
        ),
        occurrences_table(shown, vector, chosen),
    )
    yield Columns(
        (
            Card((similarity(result),), _("Likeness over the layers")),
            Card(neighbours, _("Nearest words")),
        ),
        framed=False,
        above=Space.SECTION,
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
    yield note(pictures_said(result))
    if result.perplexity is None and not tsne.is_installed():
        yield note(_(NOT_INSTALLED))


def occurrence_of(result: WordJourneyResult, document: Document) -> int:
    """The number of the occurrence that is turned to; the first where none is."""
    at = AT.of(document)
    return at[0] if at and at[0] < len(result.occurrences) else 0


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
        Entry(name, (words := layer_said(name))[:1].upper() + words[1:])
        for name in result.layers
        if name != EMBEDDINGS
    ]
    value = VECTOR.of(shown.now)
    known = any(one.value == value for one in entries)
    return {**projection, VECTOR.key: Offer(tuple(entries), value if known else LAST)}


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
