"""One text through every tokenizer, and what comes of it in numbers."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.checkpoint_registry import RegisteredCheckpoint
from explorer.api.family.checkpoint import Source
from explorer.api.question import Context, ExplorerError, ModelStamp, UserMistake, check_text
from explorer.hf.text.alone import Alone, algorithm_of, cut_alone
from explorer.hf.text.shelved import shelf_of, stamp_alone, tokenizer_of
from explorer.hf.text.vocabularies.fingerprint import tokenizer_fingerprint
from explorer.hf.text.vocabularies.overlap import whole_words
from explorer.hf.text.words import words_of
from explorer.numerics.distributions.efficiency import renyi_efficiency
from explorer.questions.tokenizers.side_by_side.changes import changes_of
from explorer.questions.tokenizers.side_by_side.question import (
    MOST,
    Cutting,
    Missing,
    SideBySideRequest,
    SideBySideResult,
    VocabularyPiece,
)
from explorer.text import N_, Phrase
from explorer.text.printable import without_surrogates

LONG = 2000
"""Characters of a text from which on threads gain something."""
MOST_AT_ONCE = 4
"""Threads; each has a text's pieces in memory while it counts them."""
CHECKED_EVERY = 0.05
"""Seconds between two looks whether the run was cancelled."""


@dataclass(frozen=True)
class _OpenedTokenizer:
    """A tokenizer that takes part."""

    known: RegisteredCheckpoint
    tokenizer: Any
    alike: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Company:
    """Tokenizers that are laid side by side, and what holds of them whatever the text."""

    opened: list[_OpenedTokenizer]
    missing: tuple[Missing, ...]
    overlap: NDArray[np.float32]
    stamp: ModelStamp


def run(model: Any, request: SideBySideRequest, context: Context) -> SideBySideResult:
    """Cut the text with every tokenizer.

    Raises:
        UserMistake: The text is empty, too many tokenizers are named, or none can be had.
        Cancelled: The run was cancelled.
    """
    check_text(request.text)
    return _answer(request, _company(model, request, context), context)


def run_many(
    model: Any, requests: Sequence[SideBySideRequest], context: Context
) -> list[SideBySideResult | Exception]:
    """The same for many texts: the tokenizers are looked up and compared once."""
    companies: dict[tuple[str, ...], _Company] = {}
    answers: list[SideBySideResult | Exception] = []
    for request in requests:
        context.check()
        try:
            check_text(request.text)
            if request.tokenizers not in companies:
                companies[request.tokenizers] = _company(model, request, context)
            answers.append(_answer(request, companies[request.tokenizers], context))
        except ExplorerError as error:
            answers.append(error)
    return answers


def _company(model: Any, request: SideBySideRequest, context: Context) -> _Company:
    missing: list[Missing] = []
    opened = _named(request, context, missing) if request.tokenizers else _own(model, context)
    if not opened:
        raise UserMistake(
            N_("None of these tokenizers can be read. {why}"),
            N_("Choose checkpoints that are on this machine."),
            why=missing[0].why if missing else "",
        )
    first = opened[0]
    own = model.stamp if model is not None else stamp_alone(first.known, first.tokenizer)
    return _Company(opened, tuple(missing), _overlap(opened, context), own)


def _answer(request: SideBySideRequest, company: _Company, context: Context) -> SideBySideResult:
    text = without_surrogates(request.text)
    english = without_surrogates(request.english)
    cuttings = _cuttings(company.opened, text, words_of(text), english, context)
    return SideBySideResult(company.stamp, text, cuttings, company.overlap, company.missing)


def _named(
    request: SideBySideRequest, context: Context, missing: list[Missing]
) -> list[_OpenedTokenizer]:
    """Those that were named, each once; what can't be had is put among the missing."""
    if len(request.tokenizers) > MOST:
        raise UserMistake(N_("{most} tokenizers at most are laid side by side."), most=MOST)
    opened: dict[str, _OpenedTokenizer] = {}
    shelf = shelf_of(context)
    for name in request.tokenizers:
        context.check()
        try:
            known = shelf.known(name)
            opened.setdefault(known.checkpoint.id, _OpenedTokenizer(known, tokenizer_of(known)))
        except ExplorerError as error:
            missing.append(Missing(name, Phrase.joined([error.problem, error.remedy])))
    return list(opened.values())


def _own(model: Any, context: Context) -> list[_OpenedTokenizer]:
    """All that are here, each tokenizer once, that of the active model first."""
    shelf = shelf_of(context)
    names = [*shelf.bundled(), *shelf.cached()]
    if model is not None:
        names = [model.stamp.id, *(name for name in names if name != model.stamp.id)]
    found: dict[str, list[_OpenedTokenizer]] = {}
    for name in names:
        context.check()
        context.progress(N_("reading tokenizers"), 0.0, 0.0)
        try:
            known = shelf.known(name)
            opened = _OpenedTokenizer(known, tokenizer_of(known))
        except ExplorerError:
            continue  # without a tokenizer, of no family that is known, or moved away
        found.setdefault(tokenizer_fingerprint(opened.tokenizer), []).append(opened)
    return [_of_all(alike, model) for alike in found.values()][:MOST]


def _of_all(alike: list[_OpenedTokenizer], model: Any) -> _OpenedTokenizer:
    """One of those that are the same: the model's own, or the one with the plainest name."""

    def order(one: _OpenedTokenizer) -> tuple[bool, bool, int]:
        row = one.known.checkpoint
        is_own = model is not None and row.id == model.stamp.id
        return not is_own, row.source is not Source.BUNDLED, len(row.id)

    first, *others = sorted(alike, key=order)
    names = tuple(one.known.checkpoint.id for one in others)
    return _OpenedTokenizer(first.known, first.tokenizer, names)


def _cuttings(
    opened: list[_OpenedTokenizer],
    text: str,
    words: NDArray[np.int32],
    english: str,
    context: Context,
) -> tuple[Cutting, ...]:
    """The text as every tokenizer cuts it; a long one several at a time.

    Most of that work is not Python's.
    """
    if len(text) < LONG:
        return tuple(_cutting(one, text, words, english) for one in opened)
    with ThreadPoolExecutor(min(MOST_AT_ONCE, os.cpu_count() or 1)) as pool:
        waited = [pool.submit(_cutting, one, text, words, english) for one in opened]
        try:
            for number, one in enumerate(waited):
                context.progress(N_("cutting the text"), number, len(waited))
                while not one.done():
                    context.check()
                    wait((one,), CHECKED_EVERY)
                context.check()
        finally:
            for one in waited:
                one.cancel()
    return tuple(one.result() for one in waited)


def _cutting(one: _OpenedTokenizer, text: str, words: NDArray[np.int32], english: str) -> Cutting:
    checkpoint = one.known.checkpoint
    return cutting(one.tokenizer, checkpoint.id, checkpoint.title, text, words, english, one.alike)


def cutting(
    tokenizer: Any,
    checkpoint: str,
    title: str,
    text: str,
    words: NDArray[np.int32],
    english: str = "",
    alike: tuple[str, ...] = (),
) -> Cutting:
    """The text as one tokenizer cuts it.

    Args:
        tokenizer: A fast transformers tokenizer.
        checkpoint: Whose.
        title: What a user reads for that.
        text: Without surrogates.
        words: For each of its characters the number of its word.
        english: The same in English; "" for none.
        alike: Other checkpoints with the same tokenizer.
    """
    cut = cut_alone(tokenizer, text)
    changes, removed = changes_of(text, cut)
    return Cutting(
        checkpoint=checkpoint,
        title=title,
        algorithm=algorithm_of(tokenizer),
        vocabulary=len(tokenizer),
        alike=alike,
        kinds=tuple(
            VocabularyPiece(k.text, k.id, k.written, k.data, k.unknown, k.added) for k in cut.kinds
        ),
        which=cut.which,
        starts=cut.starts,
        ends=cut.ends,
        joined=_joined(cut, words),
        changes=changes,
        removed=removed,
        read_back=tokenizer.backend_tokenizer.decode(cut.ids, skip_special_tokens=False),
        words=int(words.max(initial=-1)) + 1,
        continued=_continued(cut, words),
        efficiency=renyi_efficiency(np.bincount(cut.which).tolist()),
        english=len(cut_alone(tokenizer, english).which) if english else None,
    )


def _edges(cut: Alone, words: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The word that each piece begins in, and the one it ends in; -1 for a space."""
    first = words[np.minimum(cut.starts, len(words) - 1)]
    last = words[np.maximum(cut.ends - 1, 0)]
    # A piece may begin with the space before its word.
    inside = words[np.minimum(cut.starts + 1, len(words) - 1)]
    return np.where((first < 0) & (cut.ends - cut.starts > 1), inside, first), last


def _joined(cut: Alone, words: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Whether a piece begins within the word that the one before it ends in."""
    joined = np.zeros(len(cut.which), dtype=np.bool_)
    first, last = _edges(cut, words)
    joined[1:] = (first[1:] >= 0) & (first[1:] == last[:-1])
    return joined


def _continued(cut: Alone, words: NDArray[np.int32]) -> int:
    """Words that several pieces stand for."""
    first, last = _edges(cut, words)
    counts = np.bincount(first + 1, minlength=int(words.max(initial=-1)) + 2)
    counts += np.bincount((last + 1)[last != first], minlength=len(counts))
    return int((counts[1:] > 1).sum())


def _overlap(opened: list[_OpenedTokenizer], context: Context) -> NDArray[np.float32]:
    """Of the words that either of two writes as one piece, the share that both do."""
    words = []
    for one in opened:
        context.check()
        words.append(frozenset(whole_words(one.tokenizer, after_space=True)))
    shares = np.eye(len(opened), dtype=np.float32)
    for row, own in enumerate(words):
        for column, other in enumerate(words[:row]):
            either = len(own | other)
            shares[row, column] = shares[column, row] = len(own & other) / either if either else 0
    return shares
