"""Which pieces does a model's vocabulary have, and which of them does a text use?"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    MODEL,
    NOTHING_LOADED,
    SECOND,
    SLOTS,
    Asks,
    Cell,
    Listing,
    Loaded,
    ModelCard,
    ModelStamp,
    Question,
    Switch,
    Table,
    Topic,
    Whole,
    asked,
    column,
    told_by,
)
from explorer.api.question.roles import Options, RoleBinding
from explorer.questions.tokenizers.casting import FIRST
from explorer.questions.tokenizers.vocabulary.options import (
    AGAINST,
    BY,
    FILE,
    MEASURE,
    OPTIONS,
    PAGE_SHOWN,
    PIECE,
    SEARCH,
    SORT,
    TOKENIZER,
    TOP_K,
    WHICH,
    NearnessMeasure,
    SearchMode,
    Sort,
    Which,
)
from explorer.text import N_, Phrase
from explorer.text.phrase import NOTHING

Counts = NDArray[np.int64]

SMALL_WORLD = "english"
"""The text in which pieces are counted where no file is chosen."""


@dataclass(frozen=True)
class VocabularyRequest(Asks):
    """Look into a vocabulary.

    Attributes:
        tokenizer: "" for the model's own.
        against: "" for that of the second model.
        path: A file with a sentence on every line; "" for texts of the small world.
        piece: As the vocabulary has it, or a word; "" for none.
        partly: A search or a piece that is a mistake is told of in the answer, which has the rest.
    """

    tokenizer: str = asked(TOKENIZER)
    against: str = asked(AGAINST)
    search: str = asked(SEARCH)
    by: SearchMode = asked(BY, made=SearchMode)
    which: Which = asked(WHICH, made=Which)
    sort: Sort = asked(SORT, made=Sort)
    path: str = asked(FILE)
    piece: str = asked(PIECE)
    measure: NearnessMeasure = asked(MEASURE, made=NearnessMeasure)
    top_k: int = asked(TOP_K)
    most: int = asked(
        Whole(
            N_("Rows"),
            50,
            N_("Rows of the answer."),
            low=0,
            high=1_000_000,
            least_said=N_("all"),
        ),
        is_held=False,
    )
    partly: bool = asked(
        Switch(N_("In parts"), False, N_("Answer with the parts that are there already.")),
        is_held=False,
    )

    @classmethod
    def fields_of(cls, document: Any, loaded: Loaded = NOTHING_LOADED) -> dict[str, Any]:
        """Of a vocabulary that comes with the program if of no other."""
        found = {**super().fields_of(document, loaded), "partly": True}
        if not found["tokenizer"] and loaded.has_no_active:
            found["tokenizer"] = FIRST
        return found


@dataclass(frozen=True)
class VocabularyRow:
    """A piece of the vocabulary.

    Attributes:
        id: Its number.
        piece: As the vocabulary has it: "##ing", "Ġthe".
        text: As a word, dots where the rest of one would be: "…ing"; bytes that are no whole
            character in hexadecimal digits.
        place: "word", "continues", "begins", "bytes", "special", "added" or "unused".
        script: Of its letters, as Unicode names it, or "digits", "punctuation", "symbols", "emoji",
            "spaces", "bytes", "mixed"; "" for a piece that stands for no text.
        characters: How many it stands for, a space before it not counted; None for bytes.
        size: Bytes it stands for; in a vocabulary of bytes, a space before it included.
        uses: How often it stands in the text.
        shared: The second vocabulary has it, too; None where there is no second one.
    """

    id: int = column(N_("id"), key=True)
    piece: str = column(N_("piece"), key=True)
    text: str = column(N_("text"))
    place: str = column(N_("place"))
    script: str = column(N_("script"))
    characters: int | None = column(N_("characters"))
    size: int = column(N_("bytes"), name="bytes")
    uses: int = column(N_("uses"))
    shared: bool | None = column(N_("in both"), default=None)


@dataclass(frozen=True)
class Group:
    """Pieces that have something in common: what they are in a word, or their script.

    Attributes:
        name: What it is, as `VocabularyRow` has it.
        pieces: How many there are.
        used: How many of them stand in the text.
        uses: How often they do, all together.
    """

    name: str
    pieces: int
    used: int
    uses: int


@dataclass(frozen=True)
class Counted:
    """What a text uses of the vocabulary; pieces that no text is cut into are not counted.

    Attributes:
        source: "english" for the small world, or the file's name.
        sentences: How many were read.
        left_out: Sentences behind the most that are read.
        pieces: How many pieces the text is.
        unknown: How many of these the vocabulary has no piece for.
        words: Pieces that can stand in a text.
        used: How many of these do.
        efficiency: Rényi efficiency of the text's pieces, order 2.5; None where there are fewer
            than two different ones.
        top: The most used, the most used first.
        ranks: Some ranks by frequency, from 1 on.
        frequencies: How often the piece of each rank stands in the text.
    """

    source: str
    sentences: int
    left_out: int
    pieces: int
    unknown: int
    words: int
    used: int
    efficiency: float | None
    top: tuple[VocabularyRow, ...]
    ranks: Counts
    frequencies: Counts

    @property
    def never(self) -> int:
        """How many pieces could stand in the text and don't."""
        return self.words - self.used

    @property
    def never_share(self) -> float:
        """Their share."""
        return self.never / self.words if self.words else 0.0


@dataclass(frozen=True)
class Overlap:
    """Two vocabularies by text: "the" is one word, whether it is written "the", "Ġthe" or "▁the".

    Attributes:
        checkpoint: Whose the second is.
        title: What a user reads for it.
        shared: Texts that both have, a part of a word another text than a whole one.
        here: Texts that only the first has.
        there: Texts that only the second has.
        alike: Pieces that both spell alike, marks included.
        first_here: Some of the whole words that only the first has, in the order of their ids.
        first_there: Some that only the second has.
    """

    checkpoint: str
    title: str
    shared: int
    here: int
    there: int
    alike: int
    first_here: tuple[str, ...] = ()
    first_there: tuple[str, ...] = ()


@dataclass(frozen=True)
class NearPiece:
    """A piece near to another.

    Attributes:
        piece: Which.
        cosine: Of the angle between both vectors.
        dot: Their product.
    """

    piece: VocabularyRow
    cosine: float
    dot: float


@dataclass(frozen=True)
class NearestPieces:
    """The nearest pieces by one table of vectors.

    Attributes:
        side: "input" for the table that the model reads, "output" for the one that its head scores
            against.
        width: Of a vector.
        states_width: Of the layers' states; another one where a projection stands between.
        nearest: The nearest first.
    """

    side: str
    width: int
    states_width: int
    nearest: tuple[NearPiece, ...]


@dataclass(frozen=True)
class VocabularyResult:
    """A vocabulary, what a text uses of it, and what was looked for in it.

    Attributes:
        model: Whose it is; of a tokenizer without its model, its checkpoint.
        tokenizer: The checkpoint.
        title: What a user reads for it.
        algorithm: "WordPiece", "byte-level BPE", "BPE", "unigram".
        marks: The signs that its pieces are written with: "##", "Ġ", "▁", "</w>".
        pieces: How many there are.
        rows_more: Rows of the model's table of vectors that no piece has.
        places: Pieces by what they are in a word.
        scripts: Pieces that stand for text by script, the largest group first.
        lengths: How many pieces stand for 0, 1, 2 ... characters, of those that are no bytes.
        sizes: How many stand for 0, 1, 2 ... bytes, in a vocabulary of bytes; else none.
        counted: What the text uses.
        search: As it was asked.
        by: How it was meant.
        which: Which pieces were looked through.
        sort: By what they are sorted.
        found: How many were found.
        first: The first of these.
        rows: Path of the file with a row for every piece, which `VocabularyRows` reads; "" for
            none.
        piece: The piece whose nearest were looked for; None for none.
        measure: What made them near.
        neighbours: By each table of vectors.
        no_neighbours: Why there are none; "" where there are, or none were asked for.
        no_search: Why nothing was looked for; "" where it was.
        overlap: With the second vocabulary; None without one.
    """

    model: ModelStamp
    tokenizer: str
    title: str
    algorithm: str
    marks: tuple[str, ...]
    pieces: int
    rows_more: int
    places: tuple[Group, ...]
    scripts: tuple[Group, ...]
    lengths: Counts
    sizes: Counts
    counted: Counted
    search: str
    by: SearchMode
    which: Which
    sort: Sort
    found: int
    first: tuple[VocabularyRow, ...]
    rows: str
    piece: VocabularyRow | None = None
    measure: NearnessMeasure = NearnessMeasure.COSINE
    neighbours: tuple[NearestPieces, ...] = ()
    no_neighbours: Phrase = NOTHING
    no_search: Phrase = NOTHING
    overlap: Overlap | None = None

    @property
    def mean_length(self) -> float:
        """Characters of a piece that stands for some, on average."""
        count = int(self.lengths.sum())
        return float((self.lengths * np.arange(len(self.lengths))).sum() / count) if count else 0.0


def pieces_table(
    before: tuple[str, ...],
    rows: Iterable[tuple[tuple[Cell, ...], VocabularyRow, NearPiece | None]],
) -> Table:
    """Pieces with what stands before each, and how near each is.

    Args:
        before: The columns that stand first.
        rows: Their cells, the piece, and what it is near by; None where it is near to nothing.
    """
    every = [*rows]
    own = Table.of(VocabularyRow, (piece for _first, piece, _near in every))
    cells = (
        (*first, *row, *((None, None) if near is None else (near.cosine, near.dot)))
        for (first, _piece, near), row in zip(every, own.rows, strict=True)
    )
    return Table((*before, *own.columns, "cosine", "dot"), tuple(cells), own.about)


def table(result: VocabularyResult) -> Table:
    """One row a piece that was found, then one a neighbour."""
    near = [
        ((f"near by {each.side}",), one.piece, one)
        for each in result.neighbours
        for one in each.nearest
    ]
    return pieces_table(("why",), [*((("found",), one, None) for one in result.first), *near])


def near_table(result: VocabularyResult) -> Table | None:
    """The nearest pieces; None where none were looked for."""
    rows = [
        ((each.side, rank), one.piece, one)
        for each in result.neighbours
        for rank, one in enumerate(each.nearest, 1)
    ]
    return pieces_table(("vectors", "rank"), rows) if rows else None


@dataclass(frozen=True)
class PieceGroupRow:
    """Pieces that have something in common, or a length."""

    kind: str = column(N_("kind"), key=True)
    name: str = column(N_("name"), key=True)
    pieces: int = column(N_("pieces"))
    used: int | None = column(N_("used"), default=None)
    uses: int | None = column(N_("uses"), default=None)


def groups_table(result: VocabularyResult) -> Table:
    """One row a group of pieces, or a length."""
    rows = [
        PieceGroupRow(kind, one.name, one.pieces, one.used, one.uses)
        for kind, groups in (("place", result.places), ("script", result.scripts))
        for one in groups
    ]
    for kind, counts in (("characters", result.lengths), ("bytes", result.sizes)):
        rows += [PieceGroupRow(kind, str(n), int(c)) for n, c in enumerate(counts) if c]
    return Table.of(PieceGroupRow, rows)


@dataclass(frozen=True)
class RankRow:
    """How often the piece of a rank stands in the text."""

    rank: int = column(N_("rank"), key=True)
    frequency: int = column(N_("uses"))


def ranks_table(result: VocabularyResult) -> Table:
    """One row a rank by frequency."""
    both = zip(result.counted.ranks, result.counted.frequencies, strict=True)
    return Table.of(RankRow, (RankRow(int(rank), int(uses)) for rank, uses in both))


def derived(result: VocabularyResult) -> Mapping[str, Any]:
    """What follows from the numbers."""
    return {
        "mean_length": result.mean_length,
        "never": result.counted.never,
        "never_share": result.counted.never_share,
    }


def casting(cards: Mapping[str, ModelCard], active: str, _document: Options) -> RoleBinding:
    """The active model where one is loaded, and the other one as the second."""
    if active not in cards:
        return {}
    others = [slot for slot in SLOTS if slot in cards and slot != active]
    return {MODEL: active, **({SECOND: others[0]} if others else {})}


QUESTION = Question(
    name="vocabulary",
    title=N_("Vocabulary"),
    asks=N_("Which pieces does a model's vocabulary have, and which of them does a text use?"),
    listing=Listing(Topic.TOKENIZERS, 4, "book-alphabet"),
    found_by=(
        "vocab",
        "similar words",
        "nearest neighbours",
        "word embeddings",
        "embedding matrix",
        "비슷한 단어",
        "임베딩 행렬",
    ),
    request=VocabularyRequest,
    result=VocabularyResult,
    table=table,
    follows={"page": PAGE_SHOWN, "path": FILE},
    summary=None,
    made_from=told_by(__name__),
    derived=derived,
    roles={MODEL: (), SECOND: ()},
    optional=frozenset({MODEL, SECOND}),
    binding=casting,
    options=OPTIONS,
)
