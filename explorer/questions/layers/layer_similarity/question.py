"""How alike are the layers of two models, or of one, and how contextual is each?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api import (
    FIRST,
    SECOND,
    SLOTS,
    Cast,
    Condition,
    Listing,
    ModelCard,
    ModelStamp,
    Operation,
    QuotesEntities,
    States,
    Switch,
    Table,
    column,
    computed,
    stated,
    told_by,
)
from explorer.api.question.asks import NOTHING_LOADED, Loaded, asked
from explorer.api.question.layers import LayersFrom0
from explorer.api.question.roles import Options
from explorer.questions.layers.layer_similarity.settings import (
    ALONE,
    FILE,
    FROM_FILE,
    KOREAN,
    MOST,
    OPTIONS,
    TEXT,
    TYPED,
    UNIT,
)
from explorer.text import N_

Floats = NDArray[np.float64]

WORDS = "words"
"""What is compared of two models that cut a text differently: the words that end alike."""


@dataclass(frozen=True)
class LayerSimilarityRequest(QuotesEntities):
    """Ask how alike layers are.

    Attributes:
        text: Sentences to measure on; without them, those of the file.
        path: A file with a sentence on every line; without one, sentences of the small world.
        korean: The small world's sentences are Korean.
        unit: "tokens", or "sentences": each sentence by the mean of its tokens.
        most: Tokens of the first model after which no further sentence is read.
    """

    text: str = ""
    path: str = asked(FILE)
    korean: bool = asked(
        Switch(N_("Korean"), False, N_("Sentences of the small world in Korean.")), is_held=False
    )
    unit: str = asked(UNIT)
    most: int = asked(MOST)

    @classmethod
    def fields_of(cls, document: Any, loaded: Loaded = NOTHING_LOADED) -> dict[str, Any]:
        """Of where the texts come from, the one thing that says it."""
        source = TEXT.of(document)
        found = super().fields_of(document, loaded)
        if source != TYPED:
            found["text"] = ""
        if source != FROM_FILE:
            found["path"] = ""
        return {**found, "korean": source == KOREAN}


@dataclass(frozen=True)
class Contextuality:
    """Three measures of every layer, as Ethayarajh 2019 has them; none of them adjusted.

    Attributes:
        self_similarity: Of a word over its contexts; None where no word has enough of them.
        intra_sentence: Of a sentence's tokens with their mean.
        anisotropy: Of tokens of different sentences, the baseline of the two others; None where
            there is one sentence only.
    """

    self_similarity: Floats | None
    intra_sentence: Floats | None
    anisotropy: Floats | None


@dataclass(frozen=True)
class ModelLayers:
    """One of the models.

    Attributes:
        model: Which.
        layers: Names of its rows: "emb.", "0" and so on.
        width: Of a state.
        tokens: Of its own, special ones not counted.
        unknown: How many of these its vocabulary has no piece for.
        words: How many words have enough contexts.
        plain: Of its states as they are.
        standardised: Of its states with every dimension standardised.
    """

    model: ModelStamp
    layers: tuple[str, ...]
    width: int
    tokens: int
    unknown: int
    words: int
    plain: Contextuality
    standardised: Contextuality


@dataclass(frozen=True)
class LayerSimilarityResult:
    """Every layer of the first model against every layer of the second.

    Attributes:
        model: The first.
        other: The second; None where the first is compared with itself.
        source: "english", "korean", "typed" or the name of a file.
        sentences: How many different ones were read.
        cut: How many of these did not fit into a model as a whole.
        more: There are sentences that were not read, since there were tokens enough.
        unit: What was compared: "tokens", "words" or "sentences".
        samples: How many of them.
        cka: Linear CKA, first's layers x second's.
        unbiased: The same with the unbiased estimator.
        first: Of the first model.
        second: Of the second; None where there is none.
        student: Which of the two was taught by the other: "first", "second" or "".
        taught_by: For each layer of the student, the teacher's that it was taught by.
    """

    model: ModelStamp
    other: ModelStamp | None
    source: str
    sentences: int
    cut: int
    more: bool
    unit: str
    samples: int
    cka: Floats
    unbiased: Floats
    first: ModelLayers
    second: ModelLayers | None = None
    student: str = ""
    taught_by: tuple[int, ...] = ()

    @property
    def columns(self) -> ModelLayers:
        """Whose layers are the columns."""
        return self.second or self.first

    def is_taught(self, first: int, second: int) -> bool:
        """Whether one of two layers was taught by the other."""
        own, other = (first, second) if self.student == FIRST else (second, first)
        return 1 <= own <= len(self.taught_by) and self.taught_by[own - 1] == other

    def best_for_student(self, values: Floats) -> tuple[int, ...]:
        """For each layer of the student the row of the teacher's that is most like it."""
        rows = values if self.student == FIRST else values.T
        return tuple(int(row.argmax()) for row in rows[1:])


@dataclass(frozen=True)
class SimilarityRow:
    """Two layers, and how alike their states are."""

    first_layer: str = column(N_("layer"), key=True)
    second_layer: str = column(N_("other layer"), key=True)
    cka: float = column(N_("CKA"), digits=3)
    unbiased_cka: float = column(N_("unbiased CKA"), digits=3)
    taught: bool = column(N_("taught"), compared=False)


def table(result: LayerSimilarityResult) -> Table:
    """One row a pair of layers."""
    rows = [
        SimilarityRow(
            name,
            other,
            float(result.cka[m, n]),
            float(result.unbiased[m, n]),
            bool(result.student) and result.is_taught(m, n),
        )
        for m, name in enumerate(result.first.layers)
        for n, other in enumerate(result.columns.layers)
    ]
    return Table.of(SimilarityRow, rows)


def curves_table(result: LayerSimilarityResult) -> Table:
    """One row a model and layer."""
    names = ("self_similarity", "intra_sentence", "anisotropy")
    rows = []
    for one in (result.first, result.second):
        if one is None:
            continue
        for layer, name in enumerate(one.layers):
            cells = [
                None if values is None else float(values[layer])
                for kind in (one.plain, one.standardised)
                for values in (getattr(kind, each) for each in names)
            ]
            rows.append((one.model.id, name, *cells))
    standardised = (f"{name}_standardised" for name in names)
    return Table(("model", "layer", *names, *standardised), tuple(rows))


def derived(result: LayerSimilarityResult) -> Mapping[str, Any]:
    """The matrices as lists of rows, and every curve as a list."""
    curves = curves_table(result)
    return {
        "first_layers": result.first.layers,
        "second_layers": result.columns.layers,
        "cka_rows": result.cka.tolist(),
        "unbiased_cka_rows": result.unbiased.tolist(),
        "curves": [dict(zip(curves.columns, row, strict=True)) for row in curves.rows],
    }


def casting(cards: Mapping[str, ModelCard], active: str, document: Options) -> Cast:
    """A and B where both are loaded; the active model alone where that is wanted, or one is."""
    alone = document.option(ALONE.key, False) is True
    if alone or any(slot not in cards for slot in SLOTS):
        return {FIRST: active}
    return dict(zip((FIRST, SECOND), SLOTS, strict=True))


OPERATION = Operation(
    name="layer_similarity",
    title=N_("Layer similarity"),
    question=N_("How alike are the layers of two models, or of one, and how contextual is each?"),
    listing=Listing(N_("Layers"), 66, "vector-intersection", "Ctrl+Shift+1"),
    found_by=(
        "CKA",
        "centered kernel alignment",
        "representational similarity",
        "anisotropy",
        "contextuality",
        "표현 유사도",
        "층 유사도",
    ),
    request=LayerSimilarityRequest,
    result=LayerSimilarityResult,
    run=computed(__name__),
    table=table,
    derived=derived,
    headline=stated(__name__),
    made_from=told_by(__name__),
    roles={FIRST: (States,), SECOND: (States,)},
    optional=frozenset({SECOND}),
    casting=casting,
    options=OPTIONS,
    conditions=(
        Condition(
            lambda document: (
                document.option(TEXT.key, FROM_FILE) != TYPED or bool(document.text.strip())
            ),
            N_("Type a few sentences, or choose another text to measure on."),
        ),
    ),
    upgrades=(LayersFrom0(lists=("layers",)),),
)
