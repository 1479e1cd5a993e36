"""A vocabulary is read, counted in a text, searched, and laid beside another one."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from explorer.api.question import (
    SECOND,
    Context,
    EmbeddingMatrices,
    ExplorerError,
    LoadedModel,
    ModelStamp,
    Unavailable,
    UserMistake,
)
from explorer.files.temporary import prefix
from explorer.hf.predict.piece_vectors import INPUT
from explorer.hf.text.alone import algorithm_of
from explorer.hf.text.shelved import shelf_of, stamp_alone, tokenizer_of
from explorer.hf.text.vocabularies.pieces import SPACE, WORD_START, end_of_words, prefix_of_parts
from explorer.hf.text.vocabularies.vocabulary import VocabularyEntry
from explorer.questions.tokenizers.casting import FIRST
from explorer.questions.tokenizers.vocabulary.near import entry_of, neighbours
from explorer.questions.tokenizers.vocabulary.options import Which
from explorer.questions.tokenizers.vocabulary.overview import Overview, Second, overview_of
from explorer.questions.tokenizers.vocabulary.question import (
    NearestPieces,
    VocabularyRequest,
    VocabularyResult,
    VocabularyRow,
)
from explorer.questions.tokenizers.vocabulary.rows import VocabularyRows, WantedPieces, write_rows
from explorer.questions.tokenizers.vocabulary.texts import uses_of
from explorer.text import N_, Phrase
from explorer.text.phrase import NOTHING


@dataclass(frozen=True)
class _OpenedVocabulary:
    """A vocabulary that is looked into.

    Attributes:
        stamp: Whose it is.
        title: What a user reads for it.
        tokenizer: A fast transformers tokenizer.
        model: The loaded model; None where only its tokenizer was read.
    """

    stamp: ModelStamp
    title: str
    tokenizer: Any
    model: LoadedModel | None


def run(
    model: LoadedModel | None, request: VocabularyRequest, context: Context
) -> VocabularyResult:
    """Look into a vocabulary.

    Raises:
        UserMistake: What is looked for can't be read, or is not there; the file can't be read.
        CheckpointFault: A tokenizer can't be read.
        MachineFault: The table can't be written.
        Cancelled: The run was cancelled.
    """
    opened = _opened(model, request.tokenizer, context)
    second = _second(request, context)
    context.progress(N_("reading the vocabulary"), 0.0, 0.0)
    uses = uses_of(opened.tokenizer, request.path, context)
    seen = overview_of(opened.tokenizer, uses, second, context.check)
    with _folder(context) as folder:
        context.progress(N_("making the table"), 0.0, 0.0)
        path = write_rows(folder, seen.key, lambda: seen.rows(context.check))
        try:
            found, first = _searched(request, VocabularyRows(path), context, alone=second is None)
            no_search = NOTHING
        except UserMistake as error:
            if not request.partly:
                raise
            found, first, no_search = 0, (), _why(error)
    piece, near, no_neighbours = _near(opened.model, request, seen, context)
    return VocabularyResult(
        model=opened.stamp,
        tokenizer=opened.stamp.id,
        title=opened.title,
        algorithm=algorithm_of(opened.tokenizer),
        marks=_marks(opened.tokenizer),
        pieces=len(seen.entries),
        rows_more=_rows_more(opened.model, seen.entries),
        places=seen.places,
        scripts=seen.groups,
        lengths=seen.lengths,
        sizes=seen.sizes,
        counted=seen.counted,
        search=request.search,
        by=request.by,
        which=request.which,
        sort=request.sort,
        found=found,
        first=first,
        rows="" if context.cache is None else str(path),
        piece=piece,
        measure=request.measure,
        neighbours=near,
        no_neighbours=no_neighbours,
        no_search=no_search,
        overlap=seen.overlap,
    )


def _opened(model: LoadedModel | None, name: str, context: Context) -> _OpenedVocabulary:
    """A model's own vocabulary, or that of a checkpoint of which only the tokenizer is read.

    Args:
        model: The loaded one, where there is one.
        name: Of a checkpoint; "" for the model's own.
        context: Knows checkpoints.
    """
    if model is not None and name in ("", model.stamp.id):
        return _OpenedVocabulary(model.stamp, model.title, model.tokenizer, model)
    known = shelf_of(context).known(name or FIRST)
    context.check()
    tokenizer = tokenizer_of(known)
    return _OpenedVocabulary(stamp_alone(known, tokenizer), known.checkpoint.title, tokenizer, None)


def _second(request: VocabularyRequest, context: Context) -> Second | None:
    """The vocabulary to compare with; None for none."""
    other: LoadedModel | None = context.models.get(SECOND)
    if not request.against and other is None:
        return None
    opened = _opened(other, request.against, context)
    return Second(opened.stamp.id, opened.title, opened.tokenizer)


@contextmanager
def _folder(context: Context) -> Iterator[Path]:
    """Where tables of pieces are; one for now where nothing is kept."""
    if context.cache is not None:
        yield context.cache / "vocabularies"
        return
    with TemporaryDirectory(prefix=prefix("vocabulary")) as folder:
        yield Path(folder)


def _searched(
    request: VocabularyRequest, table: VocabularyRows, context: Context, *, alone: bool
) -> tuple[int, tuple[VocabularyRow, ...]]:
    """How many pieces were found, and the first of them.

    Raises:
        UserMistake: What is looked for can't be read, takes too long, or needs a second vocabulary.
    """
    if alone and request.which in (Which.SHARED, Which.ONLY_HERE):
        raise UserMistake(
            N_("There is no second vocabulary to compare with."),
            N_("Load a second model, or name a checkpoint whose vocabulary is compared."),
        )
    context.progress(N_("searching"), 0.0, 0.0)
    wanted = WantedPieces(request.search, request.by, request.which, request.sort)
    ids = table.ids(wanted, context.check)
    return len(ids), tuple(table.rows(ids[: request.most] if request.most > 0 else ids))


def _near(
    model: LoadedModel | None, request: VocabularyRequest, seen: Overview, context: Context
) -> tuple[VocabularyRow | None, tuple[NearestPieces, ...], Phrase]:
    """The piece whose nearest are looked for, these, and why there are none."""
    typed = request.piece.strip()
    if not typed:
        return None, (), NOTHING
    piece = None
    try:
        own = entry_of(seen.entries, typed)
        piece = seen.row(own)
        return piece, neighbours(model, own, seen, request, context), NOTHING
    except Unavailable as error:
        return piece, (), _why(error)
    except UserMistake as error:
        if not request.partly:
            raise
        return piece, (), _why(error)


def _why(error: ExplorerError) -> Phrase:
    return Phrase.joined([error.problem, error.remedy])


def _marks(tokenizer: Any) -> tuple[str, ...]:
    """The signs that its pieces are written with."""
    vocabulary = tokenizer.get_vocab()
    found = [prefix_of_parts(tokenizer), end_of_words(tokenizer)]
    found += [
        mark for mark in (SPACE, WORD_START) if any(one.startswith(mark) for one in vocabulary)
    ]
    return tuple(mark for mark in found if mark)


def _rows_more(model: LoadedModel | None, every: Sequence[VocabularyEntry]) -> int:
    """Rows of a model's table that no piece has."""
    port = None if model is None else model.ports.get(EmbeddingMatrices)
    return 0 if port is None else max(0, port.shape(INPUT)[0] - len(every))
