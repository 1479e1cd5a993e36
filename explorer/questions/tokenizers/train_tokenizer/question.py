"""What does a tokenizer learn from a text, and how large should its vocabulary be?"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from explorer.api.question import (
    NOTHING_LOADED,
    Asks,
    Listing,
    Loaded,
    ModelStamp,
    Question,
    Switch,
    Table,
    Topic,
    UserMistake,
    a_text,
    asked,
    column,
)
from explorer.files.typed_paths import free_folder
from explorer.questions.tokenizers.side_by_side.question import TOKENIZERS, SideBySideResult
from explorer.questions.tokenizers.train_tokenizer.options import (
    ALGORITHMS,
    CASE,
    FILE,
    FIND,
    OPTIONS,
    SAVED,
    SHOW,
    START,
    VOCABULARY,
    WORLD,
    Algorithm,
    Case,
    World,
)
from explorer.questions.tokenizers.train_tokenizer.trainer.folder import write_folder
from explorer.questions.tokenizers.train_tokenizer.trainer.trained import (
    TrainedVocabulary,
    TrainingText,
)
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_digits

PARTS = ("training", "held_out")
"""What is measured: the text that was trained on, and the part kept aside."""


def _in_order(values: Sequence[str]) -> tuple[Algorithm, ...]:
    """They stand in one order, however they were typed: it is the same question."""
    return tuple(one for one in Algorithm if one.value in values)


@dataclass(frozen=True)
class TrainTokenizerRequest(Asks):
    """Train tokenizers on a text.

    Attributes:
        text: Cut by each of them.
        algorithms: Each is trained; bpe is that of characters.
    """

    text: str
    algorithms: tuple[Algorithm, ...] = asked(
        ALGORITHMS, made=_in_order, kept=lambda some: [one.value for one in some]
    )
    path: str = asked(FILE)
    world: World = asked(WORLD, made=World)
    case: Case = asked(CASE, made=Case)
    vocabulary: int = asked(VOCABULARY, made=round)
    train: bool = asked(
        Switch(N_("Train"), True, N_("Train what is missing; without, only look what is there.")),
        is_held=False,
    )

    def __post_init__(self) -> None:
        # They stand in one order, however they were typed: it is the same question.
        ordered = tuple(one for one in Algorithm if one in self.algorithms)
        object.__setattr__(self, "algorithms", ordered)

    @classmethod
    def fields_of(cls, document: Any, loaded: Loaded = NOTHING_LOADED) -> dict[str, Any]:
        """A file takes the place of a small world, whichever it is."""
        found = super().fields_of(document, loaded)
        return {**found, "world": World.ENGLISH} if found["path"] else found


@dataclass(frozen=True)
class RefusedAlgorithm:
    """An algorithm that finds no vocabulary here.

    Attributes:
        algorithm: Which.
        why: In one or two sentences.
    """

    algorithm: Algorithm
    why: Phrase


@dataclass(frozen=True)
class TrainTokenizerResult:
    """Tokenizers that were trained.

    Attributes:
        model: Nobody's: the text's name, and the hash of all that was asked for.
        text: What was cut.
        source: What was trained on.
        trained: Each tokenizer, in the order of the algorithms; none before training.
        missing: Algorithms that were not trained yet.
        refused: Those that found no vocabulary.
        cut: The text as each cuts it; None where there is none.
        is_kept: They are in files; else the next question has to train them again.
    """

    model: ModelStamp
    text: str
    source: TrainingText
    trained: tuple[TrainedVocabulary, ...] = ()
    missing: tuple[Algorithm, ...] = ()
    refused: tuple[RefusedAlgorithm, ...] = ()
    cut: SideBySideResult | None = None
    is_kept: bool = True


@dataclass(frozen=True)
class LearntRow:
    """A merge, or a piece of a unigram model."""

    made: str = column(N_("piece"), filed=False)
    algorithm: str = column(N_("algorithm"), key=True, shown=False)
    rank: int = column(N_("rank"), key=True, tip=N_("0 is what was learnt first, or is likeliest."))
    left: str | None = column(N_("left piece"), dispensable=True)
    right: str | None = column(N_("right piece"), dispensable=True)
    piece: str = column(N_("piece"), shown=False)
    id: int = column(N_("id"), shown=False)
    occurrences: int | None = column(
        N_("times"),
        tip=N_("How often the pair occurred in the text before it was merged."),
        dispensable=True,
    )
    log_probability: float | None = column(
        N_("log-probability"), unit=N_("nats"), digits=3, dispensable=True
    )
    probability: float | None = column(N_("probability"), written=in_digits, dispensable=True)
    kept_from: int | None = column(
        N_("kept from"),
        tip=N_("The smallest vocabulary of the curves that has this piece, too."),
        dispensable=True,
    )


def table(result: TrainTokenizerResult) -> Table:
    """One row a tokenizer and a merge, or a piece of a unigram model."""
    every = ((one, range(len(made(one)))) for one in result.trained)
    return Table.of(LearntRow, (row for one, ranks in every for row in learnt(one, ranks)))


def made(one: TrainedVocabulary) -> list[str]:
    """What each merge makes, in their order; of a unigram model its pieces, the likeliest first."""
    if len(one.scores):
        return list(one.pieces[one.special :])
    return [one.pieces[number] for number in one.merges[:, 2]]


def learnt(one: TrainedVocabulary, ranks: Iterable[int]) -> Iterator[LearntRow]:
    """What was learnt at some ranks."""
    name = one.algorithm.value
    for rank in ranks:
        if len(one.scores):
            number = rank + one.special
            score, kept = float(one.scores[number]), int(one.kept_from[number])
            piece = (None, None, one.pieces[number], number, None, score, math.exp(score), kept)
            yield LearntRow(one.pieces[number], name, rank, *piece)
        else:
            left, right, number = map(int, one.merges[rank])
            pieces = (one.pieces[left], one.pieces[right], one.pieces[number], number)
            count = int(one.counts[rank])
            yield LearntRow(one.pieces[number], name, rank, *pieces, count, None, None, None)


@dataclass(frozen=True)
class MeasureRow:
    """What is measured of a tokenizer of a size on a part of the text."""

    algorithm: str = column(N_("algorithm"), key=True)
    part: str = column(N_("part"), key=True)
    vocabulary: int = column(N_("vocabulary"), key=True)
    pieces: int = column(N_("pieces"))
    words: int = column(N_("words"))
    characters: int = column(N_("characters"))
    unknown: int = column(N_("unknown"))
    pieces_per_word: float | None = column(N_("pieces per word"), digits=2)
    characters_per_piece: float | None = column(N_("characters per piece"), digits=2)
    unknown_share: float | None = column(N_("share of unknown pieces"), written=in_digits)


def measures_table(result: TrainTokenizerResult) -> Table:
    """One row a tokenizer, a size and a part of the text."""
    rows = (
        MeasureRow(
            one.algorithm.value,
            PARTS[part],
            int(size),
            *(int(count) for count in one.measured[part, at]),
            *(_number(value[part, at]) for value in (one.fertility, one.length, one.unknown)),
        )
        for one in result.trained
        for part in range(len(PARTS))
        for at, size in enumerate(one.sizes)
    )
    return Table.of(MeasureRow, rows)


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def derived(result: TrainTokenizerResult) -> Mapping[str, Any]:
    """What was measured at each size: what --json prints."""
    rows = measures_table(result)
    return {"measures": [dict(zip(rows.columns, row, strict=True)) for row in rows.rows]}


def save(result: TrainTokenizerResult, path: Path) -> None:
    """Save every tokenizer: one in the folder itself, several in a folder each inside it.

    Raises:
        UserMistake: There is something of that name, or nothing was trained.
        OSError: It can't be written.
    """
    if not result.trained:
        raise UserMistake(N_("No tokenizer was trained that could be saved."))
    folder = free_folder(path)
    if len(result.trained) == 1:
        write_folder(result.trained[0], folder)
        return
    for one in result.trained:
        write_folder(one, folder / one.algorithm.value)


def only_look(request: TrainTokenizerRequest) -> TrainTokenizerRequest:
    """Of a file, show what was trained before and train nothing; the small world takes seconds."""
    return replace(request, train=False) if request.path else request


QUESTION = Question(
    name="train_tokenizer",
    title=N_("Train a tokenizer"),
    asks=N_("What does a tokenizer learn from a text, and how large should its vocabulary be?"),
    listing=Listing(Topic.TOKENIZERS, 5, "call-merge"),
    found_by=("vocabulary size", "train BPE", "어휘 크기", "토크나이저 학습"),
    request=TrainTokenizerRequest,
    result=TrainTokenizerResult,
    summary=None,
    follows={
        "algorithms": ALGORITHMS,
        "path": FILE,
        "asked": VOCABULARY,
        "show": SHOW,
        "find": FIND,
        "start": START,
        "saved": SAVED,
        "beside": TOKENIZERS,
    },
    derived=derived,
    roles={},
    cheap_variant=only_look,
    is_provisional=lambda result: bool(result.missing),
    saves=save,
    options=OPTIONS,
    conditions=(a_text(N_("Type a text to see how tokenizers that you train split it.")),),
)
