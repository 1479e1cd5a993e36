"""How does a tokenizer arrive at the pieces of one word, step by step?"""

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from explorer.api.question import (
    MODEL,
    NOTHING_LOADED,
    Asks,
    Cell,
    Listing,
    Loaded,
    ModelName,
    ModelStamp,
    Question,
    Table,
    Topic,
    Whole,
    Words,
    a_text,
    asked,
    column,
)
from explorer.questions.tokenizers.casting import FIRST, casting
from explorer.text import N_
from explorer.text.formatting.probabilities import in_digits

LONGEST = 60
"""Characters of a word that is followed."""
MOST_STEPS = 2000

TOKENIZER = ModelName(N_("Tokenizer"), "", key="merge_steps.tokenizer")
"""Whose; the active model's where none is chosen."""
WORD = Words(
    N_("Word"),
    "",
    tip=N_("Empty: the first word of the text that is split into several tokens."),
    placeholder=N_("the first word that is split"),
    key="merge_steps.word",
)
STEP = Whole(
    N_("Steps shown"),
    0,
    N_("How many steps are shown, from the first one on."),
    redraws=True,
    low=0,
    high=MOST_STEPS,
    least_said=N_("all"),
    key="merge_steps.step",
)


class SegmentationMethod(enum.StrEnum):
    """How pieces are found."""

    MERGES = "merges"
    LONGEST = "longest"
    LATTICE = "lattice"


@dataclass(frozen=True)
class MergeStepsRequest(Asks):
    """Follow a word of a text through a tokenizer: its checkpoint's, or the model's own."""

    text: str
    word: str = asked(WORD, made=str.strip)
    tokenizer: str = asked(TOKENIZER)

    @classmethod
    def fields_of(cls, document: Any, loaded: Loaded = NOTHING_LOADED) -> dict[str, Any]:
        """Of a tokenizer that comes with the program if of no other."""
        found = super().fields_of(document, loaded)
        if not found["tokenizer"] and loaded.has_no_active:
            # A word that was chosen is of another one's answer.
            found["tokenizer"] = FIRST
        return found


@dataclass(frozen=True)
class MergeStep:
    """What stands there after a step.

    Attributes:
        ends: Where each piece ends, counted in letters of the part; the first begins at 0.
        at: Number of the piece that was made, or tried; -1 for none.
        found: It is in the vocabulary; a lattice's is always one of its edges.
        rank: Of the merge, 0 for the one that was learnt first; None elsewhere.
        score: Log-probability of the pieces together, in nats; None elsewhere.
    """

    ends: tuple[int, ...]
    at: int
    found: bool = True
    rank: int | None = None
    score: float | None = None


@dataclass(frozen=True)
class SegmentationPath:
    """One way to cut a part by a unigram model.

    Attributes:
        ends: Where each piece ends, in letters.
        score: Log-probability, in nats.
        probability: Among all ways to cut it.
    """

    ends: tuple[int, ...]
    score: float
    probability: float


@dataclass(frozen=True)
class WordPart:
    """What the word is divided into before pieces are looked for.

    Attributes:
        letters: What it consists of, as the vocabulary writes it: letters, or signs for bytes.
        steps: In order; the first one is before anything was done.
        pieces: At the end, as the vocabulary has them.
        paths: The likeliest ways of a unigram model, the best first.
    """

    letters: tuple[str, ...]
    steps: tuple[MergeStep, ...]
    pieces: tuple[str, ...]
    paths: tuple[SegmentationPath, ...] = ()

    def cut(self, ends: tuple[int, ...]) -> list[str]:
        """Its letters, cut at some ends."""
        return ["".join(self.letters[start:end]) for start, end in spans(ends)]


@dataclass(frozen=True)
class MergeStepsResult:
    """A word on its way.

    Attributes:
        model: Whose tokenizer it is.
        tokenizer: The checkpoint.
        title: What a user reads for it.
        algorithm: "WordPiece", "byte-level BPE", "BPE", "unigram".
        method: How its pieces are found.
        word: As it stands in the text.
        words: The words of the text, each once.
        parts: What the word is divided into first.
        pieces: What the tokenizer's library says of the word.
        agrees: The steps end there.
    """

    model: ModelStamp
    tokenizer: str
    title: str
    algorithm: str
    method: SegmentationMethod
    word: str
    words: tuple[str, ...]
    parts: tuple[WordPart, ...]
    pieces: tuple[str, ...]
    agrees: bool


def spans(ends: tuple[int, ...]) -> list[tuple[int, int]]:
    """First letter of every piece, and one past its last."""
    return list(zip((0, *ends[:-1]), ends, strict=True)) if ends else []


@dataclass(frozen=True)
class MergeRow:
    """What stands there after a step; of a unigram model, one of its likeliest ways, too."""

    kind: str = column(N_("kind"), key=True)
    part: int = column(N_("part"), key=True)
    number: int = column(N_("step"), key=True)
    pieces: str = column(N_("pieces"))
    made: str = column(N_("made or tried"))
    found: bool = column(N_("in the vocabulary"))
    rank: int | None = column(N_("rank"))
    score: float | None = column(N_("log-probability"), unit=N_("nats"), digits=3)
    probability: float | None = column(N_("probability"), written=in_digits)


def table(result: MergeStepsResult) -> Table:
    """One row a step; of a unigram model one row a path, too."""
    return Table.of(MergeRow, _rows(result))


def _rows(result: MergeStepsResult) -> Iterator[MergeRow]:
    for number, part in enumerate(result.parts):
        for n, step in enumerate(part.steps):
            cut = part.cut(step.ends)
            made = cut[step.at] if step.at >= 0 else ""
            told = (step.found, step.rank, step.score, None)
            yield MergeRow("step", number, n, " ".join(cut), made, *told)
        for n, path in enumerate(part.paths):
            said = " ".join(part.cut(path.ends))
            yield MergeRow("path", number, n, said, "", True, None, path.score, path.probability)


COLUMN_TITLES = {
    "word": N_("word"),
    "pieces": N_("pieces"),
    "steps": N_("steps of the tokenizer"),
    "probability": N_("probability"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: MergeStepsResult) -> Mapping[str, Cell]:
    """The word, and what becomes of it."""
    first = next((part.paths[0] for part in result.parts if part.paths), None)
    return {
        "word": result.word,
        "pieces": len(result.pieces),
        "steps": sum(len(part.steps) - 1 for part in result.parts),
        "probability": first.probability if first is not None else None,
    }


def tokenizer_of(request: MergeStepsRequest) -> str:
    """The checkpoint that was chosen."""
    return request.tokenizer


QUESTION = Question(
    name="merge_steps",
    title=N_("Stepwise tokenization"),
    asks=N_("How does a tokenizer arrive at the pieces of one word, step by step?"),
    listing=Listing(Topic.TOKENIZERS, 3, "stairs", tab_of="tokens"),
    found_by=(
        "BPE",
        "byte-pair encoding",
        "BPE merges",
        "unigram",
        "Viterbi",
        "바이트 페어 인코딩",
        "조각까지의 단계",
    ),
    request=MergeStepsRequest,
    result=MergeStepsResult,
    table=table,
    follows={"step": STEP},
    summary=summary,
    column_titles=COLUMN_TITLES,
    optional=frozenset({MODEL}),
    binding=casting,
    tokenizer_of=tokenizer_of,
    options=(TOKENIZER, WORD, STEP),
    conditions=(a_text(N_("Type a text to follow one of its words.")),),
)
