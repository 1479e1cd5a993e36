"""How alike are the layers of two models, or of one, and how contextual is each?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    FIRST,
    NOTHING_LOADED,
    SECOND,
    SLOTS,
    Choice,
    Condition,
    Entry,
    HiddenStates,
    LayersFrom0,
    Listing,
    Loaded,
    ModelCard,
    ModelStamp,
    Question,
    QuotesEntities,
    Switch,
    Table,
    Topic,
    Whole,
    asked,
    column,
    told_by,
)
from explorer.api.question.roles import Options, RoleBinding
from explorer.files_of_sentences.options import sentences_file
from explorer.text import N_

Floats = NDArray[np.float64]

FROM_FILE, ENGLISH, KOREAN, TYPED = "", "english", "korean", "typed"
TEXT = Choice(
    N_("Measured on"),
    FROM_FILE,
    tip=N_("Which text the layers are compared on"),
    entries=(
        Entry(
            FROM_FILE,
            N_("File, or small world"),
            N_("The file that was opened; without one, sentences of the small world"),
        ),
        Entry(ENGLISH, N_("Small world"), N_("The miniatures' own English sentences")),
        Entry(KOREAN, N_("Small world in Korean"), N_("The same in Korean")),
        Entry(TYPED, N_("The typed text"), N_("The sentences that are typed above")),
    ),
    key="layer_similarity.source",
)
FILE = sentences_file(
    "layer_similarity.path",
    N_("Open…"),
    N_("Open a file with a sentence on every line, and compare the layers on it."),
    resets=(TEXT.key,),
    when=lambda document: TEXT.of(document) == FROM_FILE,
)
TOKENS, SENTENCES = "tokens", "sentences"
UNIT = Choice(
    N_("Compare"),
    TOKENS,
    tip=N_("Whether each token counts, or each sentence by the mean of its tokens"),
    entries=(
        Entry(TOKENS, N_("Every token")),
        Entry(SENTENCES, N_("Mean of a sentence")),
    ),
)
MOST = Whole(
    N_("Tokens, about"),
    1000,
    tip=N_("After how many tokens of the first model no further sentence is read"),
    low=50,
    high=3000,
)
ALONE = Switch(
    N_("One model alone"),
    default=False,
    tip=N_("Compare the layers of the model with each other, although a second one is loaded"),
    key="layer_similarity.alone",
)
LINEAR, UNBIASED = "linear", "unbiased"
MEASURE = Choice(
    N_("Measure"),
    LINEAR,
    redraws=True,
    entries=(
        Entry(LINEAR, N_("Linear CKA"), N_("As published; biased upwards by few tokens")),
        Entry(UNBIASED, N_("Unbiased linear CKA"), N_("About 0 for layers that are unrelated")),
    ),
    key="layer_similarity.measure",
)
STANDARDISED = Switch(
    N_("Standardise dimensions"),
    default=False,
    tip=N_(
        "Bring every dimension to mean 0 and deviation 1 before cosines are taken: else a few "
        "outlier dimensions rule them (Timkey and van Schijndel 2021). CKA stays as it is."
    ),
    redraws=True,
    key="layer_similarity.standardised",
)

WORDS = "words"
"""What is compared of two models that cut a text differently: the words that end alike."""


@dataclass(frozen=True)
class LayerSimilarityRequest(QuotesEntities):
    """Ask how alike layers are.

    Without a text the sentences are those of the file, without that the small world's.
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

    def at(self, layer: int) -> tuple[float | None, ...]:
        """The three of one layer."""
        every = (self.self_similarity, self.intra_sentence, self.anisotropy)
        return tuple(None if values is None else float(values[layer]) for values in every)


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
    def models(self) -> tuple[ModelLayers, ...]:
        """One, or both."""
        return (self.first,) if self.second is None else (self.first, self.second)

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


@dataclass(frozen=True)
class CurveRow:
    """A layer of a model; None for what the text has too little for."""

    model: str = column(N_("model"), key=True)
    layer: str = column(N_("layer"), key=True)
    self_similarity: float | None = column(N_("self-similarity"), digits=3)
    intra_sentence: float | None = column(N_("intra-sentence similarity"), digits=3)
    anisotropy: float | None = column(N_("anisotropy"), digits=3)
    self_similarity_standardised: float | None = column(
        N_("self-similarity, standardised"), digits=3
    )
    intra_sentence_standardised: float | None = column(
        N_("intra-sentence similarity, standardised"), digits=3
    )
    anisotropy_standardised: float | None = column(N_("anisotropy, standardised"), digits=3)


def curves_table(result: LayerSimilarityResult) -> Table:
    """One row a model and layer."""
    rows = (
        CurveRow(one.model.id, name, *one.plain.at(layer), *one.standardised.at(layer))
        for one in result.models
        for layer, name in enumerate(one.layers)
    )
    return Table.of(CurveRow, rows)


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


def casting(cards: Mapping[str, ModelCard], active: str, document: Options) -> RoleBinding:
    """A and B where both are loaded; the active model alone where that is wanted, or one is."""
    alone = document.option(ALONE.key, False) is True
    if alone or any(slot not in cards for slot in SLOTS):
        return {FIRST: active}
    return dict(zip((FIRST, SECOND), SLOTS, strict=True))


QUESTION = Question(
    name="layer_similarity",
    title=N_("Layer similarity"),
    asks=N_("How alike are the layers of two models, or of one, and how contextual is each?"),
    listing=Listing(Topic.COMPARE, 4, "vector-intersection", "Ctrl+Shift+1"),
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
    table=table,
    summary=None,
    derived=derived,
    follows={"measure": MEASURE, "standardised": STANDARDISED},
    made_from=told_by(__name__),
    roles={FIRST: (HiddenStates,), SECOND: (HiddenStates,)},
    optional=frozenset({SECOND}),
    binding=casting,
    options=(TEXT, FILE, UNIT, MOST, ALONE, MEASURE, STANDARDISED),
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
