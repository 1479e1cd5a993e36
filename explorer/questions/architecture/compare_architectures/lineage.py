"""Whose layers came from whose, in words."""

from collections.abc import Iterator

import numpy as np

from explorer.api.question import Grid, Manner, Said
from explorer.api.question.parts.matrices.grid import Side
from explorer.questions.architecture.compare_architectures.ancestry import Ancestry
from explorer.questions.architecture.compare_architectures.question import (
    CompareArchitecturesResult,
)
from explorer.text import N_, NN_, Phrase, _
from explorer.text.formatting.numbers import decimal
from explorer.text.formatting.short import number
from explorer.text.lists import one_after_another

NO_WEIGHTS = N_(
    "Only weights can show it: load one model as A and the other as B, and choose"
    " the loaded ones here."
)
COSINES = N_(
    "Cosine between the weights of a layer of the first (rows) and of the second (columns). Layers "
    "that were trained apart are near 0."
)


def lineage_parts(result: CompareArchitecturesResult) -> Iterator[Said | Grid]:
    """What the weights tell, or why they tell nothing."""
    yield Said(N_("Is one derived from the other?"), Manner.TITLE)
    ancestry = result.ancestry
    if ancestry is None:
        yield Said(NO_WEIGHTS, near=True)
    elif ancestry.why_not:
        yield Said(ancestry.why_not, Manner.PLAIN, near=True)
    else:
        yield Said(lineage(result, ancestry), Manner.PLAIN, near=True)
        yield _cosines(ancestry)
        yield Said(COSINES, Manner.EXPLANATION, near=True)


def _cosines(ancestry: Ancestry) -> Grid:
    """Every layer of the first against every layer of the second."""
    values = np.asarray(ancestry.cosines)

    def said(row: int, column: int) -> str:
        return _(
            "Layer {row} of the first, layer {column} of the second: {value}",
            row=row,
            column=column,
            value=number(float(values[row, column])),
        )

    first, second = (tuple(map(str, range(count))) for count in values.shape)
    sides = Side(N_("layer of the first"), first), Side(N_("layer of the second"), second)
    return Grid("cosines", values, *sides, "", said, in_files=False)


def lineage(result: CompareArchitecturesResult, ancestry: Ancestry) -> Phrase:
    """Which layers came from which, in a sentence."""
    first, second = result.titles
    known = [(i, j) for i, j in enumerate(ancestry.came_from) if j is not None]
    if not known:
        return Phrase(
            N_("No layer of {first} is clearly like one of {second}: they were trained apart."),
            first=first,
            second=second,
        )
    pairs = one_after_another(Phrase(N_("{i} from {j}"), i=i, j=j) for i, j in known)
    sentences = [
        Phrase(
            N_("Layers of {first} that came from {second} or share an ancestor with it: {pairs}."),
            first=first,
            second=second,
            pairs=pairs,
        )
    ]
    rest = len(ancestry.came_from) - len(known)
    if rest:
        code = NN_(
            "{count} other layer is like none of them.",
            "{count} other layers are like none of them.",
        )
        sentences.append(Phrase(code, count=rest))
    if ancestry.embedding is not None:
        code = N_("The piece embeddings' cosine is {embedding}.")
        sentences.append(Phrase(code, embedding=decimal(ancestry.embedding, 3)))
    return Phrase.joined(sentences)
