"""How does one word move from layer to layer, in one sentence and in another?"""

import enum
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    EMBEDDINGS,
    MODEL,
    Choice,
    Condition,
    Entry,
    HiddenStates,
    LayersFrom0,
    Listing,
    ModelStamp,
    Places,
    Question,
    QuotesEntities,
    Switch,
    Table,
    Topic,
    Words,
    asked,
    column,
    spaces_stay_visible,
)
from explorer.api.question.rows.layers import name_from_0
from explorer.api.question.upgrades import FormerOption
from explorer.document import Mask
from explorer.files_of_sentences.options import sentences_file
from explorer.text import N_

Floats = NDArray[np.float32]

LAST, SECOND_TO_LAST = "last", "second_to_last"
MEAN, SUM_FOUR, CONCAT_FOUR = "mean", "sum_four", "concat_four"
COMBINED = (MEAN, SUM_FOUR, CONCAT_FOUR)
"""Vectors made of several layers; they stand behind those of single layers."""
FOUR = 4
PCA, TSNE = "pca", "tsne"


class OccurrencePieces(enum.StrEnum):
    """What stands for a word of several pieces."""

    MEAN = "mean"
    FIRST = "first"


class WordMatch(enum.StrEnum):
    """How the word was found that is followed."""

    TYPED = "typed"
    MASKED = "masked"
    REPEATED = "repeated"
    FIRST = "first"


WORD = Words(
    N_("Word"),
    "",
    N_("The word to follow. Empty: the masked one, or the first that occurs more than once."),
    placeholder=N_("Word to follow"),
)
FILE = sentences_file(
    "word_journey.path",
    N_("More sentences…"),
    N_("Read the sentences of a file, too: those with the word, and others too."),
)
VECTOR = Choice(
    N_("Vector"),
    LAST,
    N_(
        "Which vector of a word its neighbours are found by (Devlin et al. 2019, section 5.3). "
        "Layers are counted from 0."
    ),
    redraws=True,
    entries=(
        Entry(EMBEDDINGS, N_("Embeddings")),
        Entry(LAST, N_("Last layer")),
        Entry(SECOND_TO_LAST, N_("Second to last layer")),
        Entry(
            MEAN,
            N_("Mean of all layers"),
            N_("Without the embeddings; it points where the sum of all layers does"),
        ),
        Entry(SUM_FOUR, N_("Sum of the last four"), N_("Each counts the same: no learned weights")),
        Entry(CONCAT_FOUR, N_("Last four, concatenated")),
    ),
    is_open=True,
    key="word_journey.layer",
)
PIECES = Choice(
    N_("Several pieces"),
    OccurrencePieces.MEAN.value,
    entries=(
        Entry(OccurrencePieces.MEAN.value, N_("Mean of its pieces")),
        Entry(OccurrencePieces.FIRST.value, N_("Its first piece")),
    ),
)
STANDARDISE = Switch(
    N_("Standardise"),
    False,
    N_(
        "Give every dimension mean 0 and deviation 1 over these words: a few dimensions far larger "
        "than the rest rule cosines else (Timkey and van Schijndel 2021)."
    ),
)
PROJECTION = Choice(
    N_("Dimension reduction"),
    PCA,
    N_("How vectors come into two dimensions."),
    entries=(
        Entry(PCA, N_("PCA"), N_("Principal components: the axes along which words differ most.")),
        Entry(
            TSNE,
            N_("t-SNE"),
            N_(
                "Keeps neighbours together (van der Maaten and Hinton 2008); distances between "
                "groups mean nothing."
            ),
        ),
    ),
    beside=True,
)
AT = Places(N_("Occurrence"), (), redraws=True, in_bar=False, count=1, key="word_journey.at")
"""The occurrence whose neighbours are told layer by layer; none for the first."""


@dataclass(frozen=True)
class WordJourneyRequest(QuotesEntities):
    """Ask where a word stands among others in every layer.

    Sentences stand one a line or one after the other; the first mask says which word is followed
    where none is typed.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    word: str = asked(WORD, made=str.strip)
    path: str = asked(FILE)
    pieces: OccurrencePieces = asked(PIECES, made=OccurrencePieces)
    standardise: bool = asked(STANDARDISE)
    projection: str = asked(PROJECTION)


@dataclass(frozen=True)
class PlacedWord:
    """One word of one sentence.

    Attributes:
        word: As it stands there.
        sentence: Number of the sentence, from 0.
        start: First character in the sentence.
        end: One past the last.
        pieces: As the tokenizer writes them.
    """

    word: str
    sentence: int
    start: int
    end: int
    pieces: tuple[str, ...]


@dataclass(frozen=True)
class WordJourneyResult:
    """Where words stand in every layer.

    Attributes:
        model: Whose layers.
        word: The one that is followed.
        found: How it was found.
        sentences: Each read on its own.
        words: Those of the sentences, without punctuation and what the model adds.
        occurrences: Which of them are the word's, by number.
        vectors: "emb.", "0" and so on for the layers, then those made of several.
        coordinates: Shape [vectors, words, 2]: on the two principal components of that vector, or
            where t-SNE puts them.
        variance: Shape [vectors, 2]: the two principal components' shares of the variance.
        trusts: A vector each: trustworthiness of the picture, None for too few words.
        trust_neighbours: Its k.
        neighbours: Shape [vectors, occurrences, n]: numbers of the nearest words, nearest first.
        cosines: Of the same shape: their cosines.
        own_means: A vector each: mean cosine between two occurrences, None where there is one.
        other_means: A vector each: mean cosine between two other words: how alike all words are.
        pairs: How many pairs of other words that is the mean of.
        combined: How many layers the last ones are: four, or all of fewer.
        left_out: Sentences that were not read: there are enough words without them.
        cut: Sentences that were too long, whose ends were not read.
        projection: "pca" or "tsne".
        perplexity: Of t-SNE; None for PCA.
    """

    model: ModelStamp
    word: str
    found: WordMatch
    sentences: tuple[str, ...]
    words: tuple[PlacedWord, ...]
    occurrences: tuple[int, ...]
    vectors: tuple[str, ...]
    coordinates: Floats
    variance: Floats
    trusts: tuple[float | None, ...]
    trust_neighbours: int
    neighbours: NDArray[np.int32]
    cosines: Floats
    own_means: tuple[float | None, ...]
    other_means: tuple[float | None, ...]
    pairs: int
    combined: int
    left_out: int = 0
    cut: int = 0
    projection: str = PCA
    perplexity: float | None = None

    @property
    def own(self) -> NDArray[np.float64]:
        """`own_means` as an array, with NaN where there is none."""
        return np.array(self.own_means, dtype=np.float64)

    @property
    def others(self) -> NDArray[np.float64]:
        """`other_means` as an array, with NaN where there is none."""
        return np.array(self.other_means, dtype=np.float64)

    @property
    def trust(self) -> NDArray[np.float64]:
        """`trusts` as an array, with NaN where there is none."""
        return np.array(self.trusts, dtype=np.float64)

    @property
    def layers(self) -> tuple[str, ...]:
        """Vectors that are those of one layer."""
        return self.vectors[: -len(COMBINED)]

    def number_of(self, vector: str) -> int:
        """Where a vector stands among all; the last layer's for one that is not there."""
        last = len(self.layers) - 1
        if vector == SECOND_TO_LAST:
            return max(0, last - 1)
        return self.vectors.index(vector) if vector in self.vectors else last


@dataclass(frozen=True)
class NeighbourRow:
    """A word near an occurrence of the one that is followed, by one vector."""

    vector: str = column(N_("vector"), key=True)
    sentence: int = column(N_("sentence"), key=True)
    start: int = column(N_("first character"), key=True)
    rank: int = column(N_("rank"), key=True)
    neighbour: str = column(N_("neighbour"))
    its_sentence: int = column(N_("its sentence"))
    its_start: int = column(N_("its first character"))
    cosine: float = column(N_("cosine"), digits=3)


def table(result: WordJourneyResult) -> Table:
    """One row a vector, an occurrence and a neighbour."""
    rows = []
    for v, vector in enumerate(result.vectors):
        for n, number in enumerate(result.occurrences):
            place = result.words[number]
            near = zip(result.neighbours[v, n].tolist(), result.cosines[v, n], strict=True)
            for rank, (other, cosine) in enumerate(near, start=1):
                its = result.words[other]
                own = (vector, place.sentence + 1, place.start, rank)
                rows.append(
                    NeighbourRow(*own, its.word, its.sentence + 1, its.start, float(cosine))
                )
    return Table.of(NeighbourRow, rows)


def _vector_from_0(value: object) -> object:
    """What an older program kept of the vector, which counted layers from 1."""
    return name_from_0(value) if isinstance(value, str) else value


QUESTION = Question(
    name="word_journey",
    title=N_("Word trajectory"),
    asks=N_("How does one word move from layer to layer, in one sentence and in another?"),
    listing=Listing(Topic.LOOK_INSIDE, 9, "map-marker-path", "Ctrl+Shift+2", in_overview=2),
    found_by=(
        "PCA",
        "t-SNE",
        "embedding",
        "embeddings",
        "contextual embeddings",
        "word vectors",
        "polysemy",
        "word sense",
        "임베딩",
        "주성분 분석",
        "단어 벡터",
        "다의어",
        "단어의 여정",
    ),
    request=WordJourneyRequest,
    result=WordJourneyResult,
    table=table,
    summary=None,
    follows={"vector": VECTOR, "at": AT},
    roles={MODEL: (HiddenStates,)},
    options=(WORD, VECTOR, PIECES, PROJECTION, STANDARDISE, FILE, AT),
    conditions=(
        Condition(
            lambda document: bool(document.text.strip() or FILE.of(document)),
            N_("Type a few sentences with the same word in them, or open a file of sentences."),
        ),
    ),
    upgrades=(spaces_stay_visible, LayersFrom0(lists=("vectors",))),
    former_options={"vector": FormerOption("layer", _vector_from_0)},
)
