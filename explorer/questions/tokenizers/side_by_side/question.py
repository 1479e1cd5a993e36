"""How does each tokenizer cut this text?"""

import enum
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    MODEL,
    Asks,
    Cell,
    Listing,
    ModelStamp,
    Pool,
    Question,
    Table,
    Topic,
    WordList,
    Words,
    a_text,
    asked,
    column,
    computed,
)
from explorer.api.question.beside import beside
from explorer.questions.tokenizers.casting import casting
from explorer.questions.tokenizers.side_by_side.pooling import COLUMNS, gather, told
from explorer.text import N_, Phrase
from explorer.text.pieces import visible

MOST = 40
"""Tokenizers at once."""

QUOTED = 12
"""Characters that are quoted of a text that is not read back as it was."""

TOKENIZERS = WordList(
    N_("Tokenizers"),
    (),
    tip=N_(
        "Names, hub ids or folders of checkpoints, with commas between them; their weights need "
        "not be here. Empty: all that come with the program or are in the Hugging Face cache, each "
        "tokenizer once."
    ),
    placeholder=N_("all that are here"),
    key="side_by_side.tokenizers",
)
ENGLISH = Words(
    N_("The same in English"),
    "",
    tip=N_(
        "The same text in English: then each tokenizer says how many times more "
        "pieces yours needs (Petrov et al. 2023)."
    ),
    placeholder=N_("the same text in English"),
    is_long=True,
    key="side_by_side.english",
)


class CharacterChange(enum.StrEnum):
    """What a tokenizer changed of the characters before it looked for pieces."""

    CASE = "case"
    ACCENTS = "accents"
    COMPOSED = "composed"
    DECOMPOSED = "decomposed"
    COMPATIBLE = "compatible"
    SPACES = "spaces"
    REMOVED = "removed"
    REWRITTEN = "rewritten"


@dataclass(frozen=True)
class SideBySideRequest(Asks):
    """Lay tokenizers side by side.

    Attributes:
        text: Cut by every tokenizer as it is typed.
        tokenizers: The model's own first where none is named.
    """

    text: str
    tokenizers: tuple[str, ...] = asked(TOKENIZERS)
    english: str = asked(ENGLISH, made=str.strip)


@dataclass(frozen=True)
class VocabularyPiece:
    """A piece that stands in the text at least once.

    Attributes:
        text: As the vocabulary has it: "##ing", "Ġthe".
        id: Its number there.
        written: The characters that it stands for; "" for bytes that are no whole character.
        data: The bytes that are no whole character, in hexadecimal digits: "ED 95"; else "".
        unknown: It stands for what the vocabulary lacks.
        added: A token of its own, found in the text before it is cut: "[MASK]".
    """

    text: str
    id: int
    written: str
    data: str = ""
    unknown: bool = False
    added: bool = False


@dataclass(frozen=True)
class Cutting:
    """The text as one tokenizer cuts it, special tokens left out.

    Attributes:
        checkpoint: Whose tokenizer it is.
        title: What a user reads for that.
        algorithm: "WordPiece", "byte-level BPE", "BPE", "unigram" or what else it says.
        vocabulary: Number of pieces it knows.
        alike: Other checkpoints that are here and have the same tokenizer.
        kinds: The pieces in the text, each once.
        which: For every piece of the text, in order, its number in `kinds`.
        starts: First character of every piece; pieces may share characters.
        ends: One past its last.
        joined: It continues the word of the piece before it.
        changes: What was changed, and of how many pieces; of what was removed, how many characters.
        removed: Characters, other than spaces, that no piece stands for.
        read_back: What its decoder makes of the pieces.
        words: Words of the text.
        continued: Words that are cut into several pieces.
        efficiency: Rényi efficiency of the text's pieces, order 2.5; None where one kind of piece
            is all there is.
        english: Pieces of the same text in English; None where none was given.
    """

    checkpoint: str
    title: str
    algorithm: str
    vocabulary: int
    alike: tuple[str, ...]
    kinds: tuple[VocabularyPiece, ...]
    which: NDArray[np.int32]
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]
    joined: NDArray[np.bool_]
    changes: Mapping[CharacterChange, int]
    removed: tuple[int, ...]
    read_back: str
    words: int
    continued: int
    efficiency: float | None
    english: int | None = None

    @property
    def pieces(self) -> int:
        """How many pieces the text is."""
        return len(self.which)

    @property
    def ids(self) -> list[int]:
        """Their numbers in the vocabulary."""
        return [self.kinds[kind].id for kind in self.which]

    @property
    def unknown(self) -> int:
        """How many of them stand for what the vocabulary lacks."""
        lacking = np.array([kind.unknown for kind in self.kinds], dtype=bool)
        return int(lacking[self.which].sum()) if len(self.which) else 0

    @property
    def fertility(self) -> float | None:
        """Pieces a word."""
        return self.pieces / self.words if self.words else None

    @property
    def continued_share(self) -> float | None:
        """Share of the words that are cut into several pieces."""
        return self.continued / self.words if self.words else None

    @property
    def premium(self) -> float | None:
        """How many times as many pieces as the same text has in English."""
        return self.pieces / self.english if self.english else None


@dataclass(frozen=True)
class Missing:
    """A tokenizer that was asked for and can't be had.

    Attributes:
        checkpoint: As it was named.
        why: In one or two sentences.
    """

    checkpoint: str
    why: Phrase


@dataclass(frozen=True)
class SideBySideResult:
    """The text as every tokenizer cuts it.

    Attributes:
        model: The model that was active; the first tokenizer's checkpoint where none was.
        text: What was cut.
        cuttings: A tokenizer each.
        overlap: tokenizers x tokenizers, float32: of the words that either writes as one piece,
            the share that both do.
        missing: What could not be had.
    """

    model: ModelStamp
    text: str
    cuttings: tuple[Cutting, ...]
    overlap: NDArray[np.float32]
    missing: tuple[Missing, ...] = ()


def differs_at(result: SideBySideResult, one: Cutting) -> int | None:
    """The first character at which what is read back is not the text; None where all of it is."""
    if one.read_back == result.text:
        return None
    pairs = zip(result.text, one.read_back, strict=False)
    found = next((place for place, (a, b) in enumerate(pairs) if a != b), None)
    return min(len(result.text), len(one.read_back)) if found is None else found


@dataclass(frozen=True)
class TextPieceRow:
    """A piece of the text as a tokenizer cuts it."""

    tokenizer: str = column(N_("tokenizer"), key=True)
    position: int = column(N_("position"), key=True)
    piece: str = column(N_("piece"), written=visible)
    id: int = column(N_("id"))
    start: int = column(N_("first character"))
    end: int = column(N_("one past the last"))
    characters: str = column(N_("characters"), written=visible)
    bytes: str = column(N_("bytes"))
    continues: bool = column(N_("continues a word"), compared=False)
    unknown: bool = column(N_("unknown"), compared=False)
    added: bool = column(N_("a token of its own"), compared=False)


def places_table(result: SideBySideResult) -> Table:
    """One row a tokenizer and a piece."""
    rows = (
        TextPieceRow(
            one.checkpoint,
            position,
            kind.text,
            kind.id,
            int(one.starts[position]),
            int(one.ends[position]),
            result.text[one.starts[position] : one.ends[position]],
            kind.data,
            bool(one.joined[position]),
            kind.unknown,
            kind.added,
        )
        for one in result.cuttings
        for position, kind in enumerate(one.kinds[number] for number in one.which)
    )
    return Table.of(TextPieceRow, rows)


COLUMN_TITLES = {
    "fewest": N_("fewest pieces by"),
    "fewest_pieces": N_("fewest pieces"),
    "most": N_("most pieces by"),
    "most_pieces": N_("most pieces"),
    "ratio": N_("ratio"),
    "sentences": N_("sentences"),
    "characters": N_("characters"),
    "words": N_("words"),
    "unknown": N_("unknown"),
    "pieces_of_*": N_("pieces of {which}"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: SideBySideResult) -> Mapping[str, Cell]:
    """How many pieces the text is for each tokenizer, and how far they are apart."""
    fewest, most = extremes(result.cuttings)
    return {
        "fewest": fewest.checkpoint,
        "fewest_pieces": fewest.pieces,
        "most": most.checkpoint,
        "most_pieces": most.pieces,
        "ratio": most.pieces / fewest.pieces if fewest.pieces else None,
        "unknown": sum(one.unknown for one in result.cuttings),
        **{f"pieces_of_{one.checkpoint}": one.pieces for one in result.cuttings},
    }


def extremes(cuttings: Sequence[Cutting]) -> tuple[Cutting, Cutting]:
    """Whose pieces are fewest, and whose are most."""
    return min(cuttings, key=_count), max(cuttings, key=_count)


def _count(one: Cutting) -> int:
    return one.pieces


def counted(result: SideBySideResult) -> Mapping[str, Cell]:
    """What a row of a file keeps of a sentence, for its pool."""
    each = {}
    for one in result.cuttings:
        place = differs_at(result, one)
        quoted = None
        if place is not None:
            begin, end = max(0, place - QUOTED // 2), place + QUOTED
            quoted = [one.read_back[begin:end], result.text[begin:end]]
        each[one.checkpoint] = {
            "title": one.title,
            "words": one.words,
            "continued": one.continued,
            "unknown": one.unknown,
            "english": one.english,
            "differs": quoted,
            "ids": " ".join(map(str, one.ids)),
        }
    content = {"characters": len(result.text), "each": each}
    return {COLUMNS[0]: json.dumps(content, ensure_ascii=False, separators=(",", ":"))}


def lacks_some(result: SideBySideResult) -> bool:
    """Whether a tokenizer that is missing may be there when it is asked for again."""
    return bool(result.missing)


QUESTION = Question(
    name="side_by_side",
    title=N_("Tokenizers side by side"),
    asks=N_("How does each tokenizer split this text?"),
    listing=Listing(Topic.TOKENIZERS, 2, "table-column", tab_of="tokens"),
    found_by=("compare tokenizers", "fertility", "토크나이저 비교"),
    request=SideBySideRequest,
    result=SideBySideResult,
    summary=summary,
    column_titles=COLUMN_TITLES,
    derived=beside(__name__, "tables", "derived"),
    sort_by="ratio",
    optional=frozenset({MODEL}),
    binding=casting,
    is_provisional=lacks_some,
    pool=Pool(
        counted,
        COLUMNS,
        gather,
        told,
        table=beside(__name__, "tables", "table_of_file"),
        parts=beside(__name__, "tables", "pooled_parts"),
    ),
    run_many=computed(__name__, "run_many"),
    pair_field="english",
    options=(TOKENIZERS, ENGLISH),
    conditions=(a_text(N_("Type a text to see how each tokenizer splits it.")),),
)
