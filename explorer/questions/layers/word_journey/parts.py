"""One word among others, layer by layer: pictures, how alike its occurrences are, neighbours."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from explorer.api.question import (
    Cards,
    Choices,
    Curve,
    Curves,
    Manner,
    OneCard,
    OneChoice,
    Panel,
    Plane,
    Points,
    Rows,
    Said,
    column,
    over_layers,
    sets,
)
from explorer.questions.layers.word_journey import tsne
from explorer.questions.layers.word_journey.question import (
    AT,
    CONCAT_FOUR,
    FILE,
    FOUR,
    LAST,
    PCA,
    SUM_FOUR,
    TSNE,
    WordJourneyRequest,
    WordJourneyResult,
    WordMatch,
)
from explorer.questions.layers.word_journey.wording import (
    counted,
    in_context,
    neighbours_said,
    numbered,
    pictures_said,
    place_said,
    vector_phrase,
)
from explorer.text import N_, NN_, Phrase
from explorer.text.formatting.numbers import decimal, percent
from explorer.text.phrase import verbatim

TOLD, NEIGHBOURS = 5, 8
"""Neighbours of a row of occurrences, and of a row of layers."""
NOT_INSTALLED = N_(
    "Words can be drawn by t-SNE, too, where openTSNE is installed: pip install plm-explorer[tsne]."
)
HOW = {
    WordMatch.MASKED: N_("It is the word that was masked; the model reads the word itself."),
    WordMatch.REPEATED: N_("No word was typed: this is the first that occurs more than once."),
    WordMatch.FIRST: N_("No word was typed and none occurs twice: this is the first one."),
}
SHOWN = {
    PCA: N_("Words on the first two principal components; “{word}” stands out."),
    TSNE: N_("Words where t-SNE puts them; “{word}” stands out."),
}
LIKENESS = N_(
    "Mean cosine between two occurrences of the word, minus that between two other words ({pairs} "
    "pairs): what is left is its own (Ethayarajh 2019)."
)
NOT_READ = NN_(
    "{count} more sentence was not read: a picture holds no more words.",
    "{count} more sentences were not read: a picture holds no more words.",
)
CUT = NN_(
    "{count} sentence is longer than the model reads; its end is left out.",
    "{count} sentences are longer than the model reads; their ends are left out.",
)
FEW_LAYERS = NN_(
    "The model has {count} layer: it is taken in place of the last four.",
    "The model has {count} layers: all of them are taken in place of the last four.",
)


@dataclass(frozen=True)
class OccurrenceRow:
    """An occurrence of the word with the words that are nearest to it in one vector."""

    number: int = column(N_("number"), key=True, shown=False)
    sentence: str = column(N_("sentence"))
    occurrence: str = column(N_("occurrence"), wraps=True)
    nearest: str = column(
        N_("nearest words"),
        wraps=True,
        tip=N_("With the number of their sentence, and the cosine."),
    )


@dataclass(frozen=True)
class VectorRow:
    """The words that are nearest to one occurrence by a vector."""

    vector: str = column(N_("vector"), key=True)
    nearest: str = column(N_("nearest words"), wraps=True)
    made: str = column(N_("made"), shown=False)


def parts(
    result: WordJourneyResult,
    vector: str = LAST,
    at: tuple[int, ...] = (),
    request: WordJourneyRequest | None = None,
) -> Iterator[Said | Choices | Points | Cards | Rows | Curves]:
    """Pictures of a few layers, likeness over the layers, neighbours here and layer by layer."""
    number = result.number_of(vector)
    chosen = at[0] if at and at[0] < len(result.occurrences) else 0
    yield Said(counted(result), Manner.PLAIN, near=True)
    if result.found in HOW:
        yield Said(HOW[result.found], Manner.ABOUT, near=True)
    if path := "" if request is None else request.path:
        read = N_("The sentences of {name} are read, too.")
        yield Said(Phrase(read, name=Path(path).name), near=True)
        without = sets(FILE, "", N_("leave out the file"))
        yield Choices((OneChoice(N_("Leave out the file"), without, key="file"),))
    yield from _limits(result, vector)
    yield _pictures(result, number, chosen)
    yield Said(pictures_said(result), Manner.ABOUT, near=True)
    if result.perplexity is None and not tsne.is_installed():
        yield Said(NOT_INSTALLED, near=True)
    nearest = Phrase(
        N_("Nearest words by cosine: {vector}"), vector=vector_phrase(result.vectors[number])
    )
    cards = (
        OneCard("", (_similarity(result),), name=N_("Likeness over the layers")),
        OneCard(nearest, (_occurrences(result, number, chosen),), name=N_("Nearest words")),
    )
    yield Cards(cards, framed=False)
    yield _by_layer(result, number, chosen)


def _limits(result: WordJourneyResult, vector: str) -> Iterator[Said]:
    """What was not read, and what is not what its name says."""
    if result.left_out:
        yield Said(Phrase(NOT_READ, count=result.left_out), Manner.WARNING)
    if result.cut:
        yield Said(Phrase(CUT, count=result.cut), Manner.WARNING)
    if result.combined < FOUR and vector in (SUM_FOUR, CONCAT_FOUR):
        yield Said(Phrase(FEW_LAYERS, count=result.combined))


def _pictures(result: WordJourneyResult, vector: int, chosen: int) -> Points:
    """The words in the embeddings, the middle layer, the last one, and what was chosen."""
    last, own = len(result.layers) - 1, set(result.occurrences)
    words = Phrase(SHOWN[result.projection], word=result.word)

    def plane(at: int) -> Plane:
        trust = result.trusts[at]
        remark = (
            Phrase()
            if trust is None
            else Phrase(
                N_("Trustworthiness {value} (k = {k})"),
                value=decimal(trust, 3),
                k=str(result.trust_neighbours),
            )
        )
        titles = N_("t-SNE 1"), N_("t-SNE 2")
        if result.projection == PCA:
            axes = (N_("PC 1: {share} of the variance"), N_("PC 2: {share} of the variance"))
            shares = map(percent, result.variance[at].tolist())
            first, second = (
                Phrase(code, share=one) for code, one in zip(axes, shares, strict=True)
            )
            titles = first, second
        x, y = result.coordinates[at].T
        title = vector_phrase(result.vectors[at])
        return Plane(result.vectors[at], title, x, y, *titles, words=words, remark=remark)

    return Points(
        tuple(plane(at) for at in sorted({0, last // 2, last, vector})),
        tuple(
            numbered(one) if n in own else verbatim(one.word) for n, one in enumerate(result.words)
        ),
        lambda number: place_said(result, number),
        own,
        result.occurrences[chosen],
    )


def _similarity(result: WordJourneyResult) -> Curves:
    """How alike the word's occurrences are in each layer, beside how alike all words are."""
    layers = len(result.layers)
    own, others = result.own[:layers], result.others[:layers]
    word = Phrase(N_("between two of “{word}”"), word=result.word)
    every = (
        Curve(N_("difference"), own - others, "bar", thick=2.6),
        Curve(word, own, "mask", "dash", thick=1.6),
        Curve(N_("between two other words"), others, "muted", "dot", thick=1.6),
    )
    known = tuple(one for one in every if not np.isnan(one.values).any())
    panel = Panel(
        "cosine",
        N_("Mean cosine of the word's occurrences"),
        known,
        Phrase(LIKENESS, pairs=result.pairs),
        high=1.0,
        unit=N_("cosine"),
        height=200,
        remark="" if known else N_("There is nothing to compare: the word occurs once."),
    )
    return Curves(over_layers(result.layers), (panel,))


def _occurrences(result: WordJourneyResult, vector: int, chosen: int) -> Rows:
    """Every occurrence with its neighbours in one vector; one is told layer by layer."""
    rows = tuple(
        OccurrenceRow(
            n,
            str(result.words[number].sentence + 1),
            in_context(result, result.words[number]),
            neighbours_said(result, vector, n, TOLD),
        )
        for n, number in enumerate(result.occurrences)
    )
    return Rows(
        OccurrenceRow,
        rows,
        title=N_("Nearest words of every occurrence"),
        gesture=lambda row: sets(AT, (row.number,), N_("choose an occurrence of the word")),
        words=lambda row: place_said(result, result.occurrences[row.number]),
        chosen=lambda row: row.number == chosen,
        in_files=False,
    )


def _by_layer(result: WordJourneyResult, vector: int, chosen: int) -> Rows:
    """The neighbours of one occurrence by every vector."""
    several = Phrase(N_("made of several layers"))
    rows = tuple(
        VectorRow(
            vector_phrase(name),
            neighbours_said(result, n, chosen, NEIGHBOURS),
            several if n >= len(result.layers) else "",
        )
        for n, name in enumerate(result.vectors)
    )
    word = result.words[result.occurrences[chosen]]
    title = Phrase(
        N_("Nearest words of “{word}” in sentence {number}, layer by layer"),
        word=word.word,
        number=word.sentence + 1,
    )
    return Rows(
        VectorRow,
        rows,
        title=title,
        chosen=lambda row: row is rows[vector],
        group="made",
        in_files=False,
    )
