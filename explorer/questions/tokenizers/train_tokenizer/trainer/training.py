"""Training by the tokenizers library, so that the same text gives the same tokenizer every time.

Nothing of a trainer's own is written here but what it leaves to chance: which number a letter gets
that it meets in the order of a hash table, and so which of two pairs is merged first that are
equally frequent; in which order it adds, and so the last digits of a unigram model's scores.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.hf.text.words import words_of as words_of_text
from explorer.questions.tokenizers.train_tokenizer.options import Algorithm
from explorer.questions.tokenizers.train_tokenizer.trainer.counted import (
    Merge,
    chunks_of,
    occurrences,
    words_of,
)
from explorer.questions.tokenizers.train_tokenizer.trainer.folder import (
    CONTINUES,
    ENDS,
    MANNERS,
    normalizer,
    pre_tokenizer,
    tokenizer_json,
)
from explorer.questions.tokenizers.train_tokenizer.trainer.texts import TextLines
from explorer.questions.tokenizers.train_tokenizer.trainer.trained import TrainedVocabulary

DIGITS = 4
"""After the point, of a unigram model's scores: what lies behind them differs from run to run."""
STEP = 1e-4
"""By which the library's unigram trainer raises the score of each letter that it had dropped."""
HALVINGS = 5
"""The smallest vocabulary that is measured is so many times halved."""
NEARLY = 1.1
"""Sizes that are this near to the smallest one are not measured besides."""
AT_ONCE = 5000
"""Words that are cut at once."""
MANY = 20_000
"""Different words from which on a unigram model, which is trained anew for every size, is measured
at two sizes only: each may take a minute."""
NAN_PIECE = "<UNK>"
"""The unigram trainer has a piece of this name whose score is not a number: a text with it in it
ends the training."""

Counts = NDArray[np.int64]
Tell = Callable[[int, int], None]
"""Takes how many steps are done, and of how many."""


class TooSmallError(Exception):
    """A vocabulary that has no room for the letters of the text.

    Attributes:
        letters: How many there are.
        least: The smallest vocabulary that has room.
    """

    def __init__(self, letters: int, least: int) -> None:
        super().__init__(letters, least)
        self.letters, self.least = letters, least


def train(
    algorithm: Algorithm, lines: TextLines, vocabulary: int, *, lowercase: bool, tell: Tell
) -> TrainedVocabulary:
    """Train one tokenizer, and measure it at several sizes.

    Args:
        algorithm: Which.
        lines: The text.
        vocabulary: Pieces it may have.
        lowercase: Capital letters are made small first.
        tell: Hears how far it is.

    Raises:
        TooSmallError: The vocabulary has no room for the letters of the text.
    """
    prepared = _prepared(algorithm, lowercase=lowercase)
    spaced = algorithm is Algorithm.BYTES
    parts = [chunks_of(part, spaced=spaced) for part in (lines.training, lines.held_out)]
    words = words_of(prepared, parts[0])
    if algorithm is Algorithm.UNIGRAM:
        return _unigram(lines.training, words, parts, vocabulary, lowercase=lowercase, tell=tell)
    return _merging(
        algorithm, lines.training, words, parts, vocabulary, lowercase=lowercase, tell=tell
    )


def _prepared(algorithm: Algorithm, *, lowercase: bool) -> Any:
    """A tokenizer without a vocabulary, which prepares and divides texts."""
    from tokenizers import Tokenizer

    return Tokenizer.from_str(
        json.dumps(
            {
                "version": "1.0",
                "normalizer": normalizer(algorithm, lowercase=lowercase),
                "pre_tokenizer": pre_tokenizer(algorithm),
                "model": {"type": "BPE", "vocab": {}, "merges": []},
            }
        )
    )


# ---- merges ----------------------------------------------------------------------------------


def in_letters(algorithm: Algorithm, word: str) -> list[str]:
    """A word as merging begins with it: letters with the marks that say where in it they stand."""
    if algorithm is Algorithm.WORDPIECE:
        return [word[0], *(CONTINUES + letter for letter in word[1:])]
    if algorithm is Algorithm.CHARACTERS:
        return [*word[:-1], word[-1] + ENDS]
    return [*word]


def together(algorithm: Algorithm, left: str, right: str) -> str:
    """What two pieces make."""
    marked = algorithm is Algorithm.WORDPIECE
    return left + (right.removeprefix(CONTINUES) if marked else right)


def _merging(
    algorithm: Algorithm,
    texts: Sequence[str],
    words: Counter[str],
    parts: Sequence[Counter[str]],
    vocabulary: int,
    *,
    lowercase: bool,
    tell: Tell,
) -> TrainedVocabulary:
    from tokenizers import pre_tokenizers
    from tokenizers.trainers import BpeTrainer

    special = MANNERS[algorithm].special
    cut = [(in_letters(algorithm, word), count) for word, count in sorted(words.items()) if word]
    if algorithm is Algorithm.BYTES:
        letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    else:
        # The library has every letter without a mark, too.
        bare = {letter for word in words for letter in word}
        letters = sorted(bare | {letter for own, _ in cut for letter in own})
    least = len(special) + len(letters)
    if vocabulary < least:
        raise TooSmallError(len(letters), least)
    marks: dict[str, Any] = {}
    if algorithm is Algorithm.WORDPIECE:
        marks["continuing_subword_prefix"] = CONTINUES
    elif algorithm is Algorithm.CHARACTERS:
        marks["end_of_word_suffix"] = ENDS
    trainer = BpeTrainer(
        vocab_size=vocabulary,
        # So that their numbers, and with them the order of equally frequent pairs, are fixed.
        special_tokens=[*special, *letters],
        show_progress=False,
        **marks,
    )
    tell(0, 3)
    prepared = _prepared(algorithm, lowercase=lowercase)
    prepared.train_from_iterator(texts, trainer)
    tell(1, 3)
    model = json.loads(prepared.to_str())["model"]
    numbers: dict[str, int] = model["vocab"]
    pairs = [(str(left), str(right)) for left, right in model["merges"]]
    merges: list[Merge] = [(*pair, together(algorithm, *pair)) for pair in pairs]
    counts = occurrences(cut, merges)
    tell(2, 3)
    whole = TrainedVocabulary(
        algorithm,
        lowercase,
        tuple(sorted(numbers, key=numbers.__getitem__)),
        len(special),
        len(letters),
        np.array([[numbers[one] for one in merge] for merge in merges], np.int32).reshape(-1, 3),
        np.array(counts, np.int64),
        np.zeros(0),
        np.zeros(0, np.int32),
        np.zeros(0, np.int32),
        np.zeros((len(parts), 0, 4), np.int64),
    )
    sizes = sizes_up_to(len(whole.pieces), least)
    return _with_measures(whole, [smaller(whole, size) for size in sizes], parts)


def smaller(one: TrainedVocabulary, size: int) -> TrainedVocabulary:
    """What training stops at with fewer pieces: the first ones, and the merges that make them."""
    kept = int(np.searchsorted(np.maximum.accumulate(one.merges[:, 2]), size))
    return replace(
        one, pieces=one.pieces[:size], merges=one.merges[:kept], counts=one.counts[:kept]
    )


# ---- unigram ---------------------------------------------------------------------------------


def _unigram(
    texts: Sequence[str],
    words: Counter[str],
    parts: Sequence[Counter[str]],
    vocabulary: int,
    *,
    lowercase: bool,
    tell: Tell,
) -> TrainedVocabulary:
    special = MANNERS[Algorithm.UNIGRAM].special
    letters = frozenset(letter for word in words for letter in word)
    # With no room but for letters, the trainer forgets to stop.
    least = len(special) + len(letters) + 1
    if vocabulary < least:
        raise TooSmallError(len(letters), least)
    sizes = sizes_up_to(vocabulary, least)
    if len(words) > MANY:
        sizes = [*(size for size in sizes if size == vocabulary >> 2), vocabulary]
    found: dict[int, list[tuple[str, float]]] = {}
    for number, size in enumerate(sizes):
        tell(number, len(sizes))
        scores = _scores(texts, letters, size, lowercase=lowercase)
        # A text may yield fewer pieces than there is room for; larger ones are the same then.
        found[len(scores) + len(special)] = scores
    every = [_of_scores(scores, special, lowercase=lowercase) for scores in found.values()]
    whole = every[-1]
    kept = [
        min(len(one.pieces) for one in every if piece in set(one.pieces)) for piece in whole.pieces
    ]
    return _with_measures(replace(whole, kept_from=np.array(kept, np.int32)), every, parts)


def _scores(
    texts: Sequence[str], letters: frozenset[str], size: int, *, lowercase: bool
) -> list[tuple[str, float]]:
    """The pieces of a size with their log-probabilities, the likeliest first."""
    from tokenizers import Tokenizer, models, normalizers
    from tokenizers.trainers import UnigramTrainer

    manner = MANNERS[Algorithm.UNIGRAM]
    prepared = _prepared(Algorithm.UNIGRAM, lowercase=lowercase)
    trained = Tokenizer(models.Unigram())
    apart = normalizers.Replace(NAN_PIECE, f"< {NAN_PIECE[1:]}")
    trained.normalizer = normalizers.Sequence([prepared.normalizer, apart])
    trained.pre_tokenizer = prepared.pre_tokenizer
    trainer = UnigramTrainer(
        vocab_size=size,
        special_tokens=list(manner.special),
        unk_token=manner.roles["unk"],
        show_progress=False,
    )
    trained.train_from_iterator(texts, trainer)
    pairs = json.loads(trained.to_str())["model"]["vocab"]
    return in_order(
        {piece: score for piece, score in pairs if piece not in manner.special}, letters
    )


def in_order(scores: Mapping[str, float], letters: frozenset[str]) -> list[tuple[str, float]]:
    """The same scores whenever a text is trained on, the likeliest first.

    Letters that no likely way to cut the text needs are dropped in training, and put back at its
    end with the least score of all, each a step above the one before it, in the order of a hash
    table. Here they are put back in the order of their code points.
    """
    own = {piece: score for piece, score in scores.items() if piece in letters}
    least = min(own.values(), default=0.0)
    steps = {piece: (score - least) / STEP for piece, score in own.items()}
    back = {piece for piece, step in steps.items() if abs(step - round(step)) < STEP}
    raised = sorted(own[piece] for piece in back)
    fixed = {**scores, **dict(zip(sorted(back), raised, strict=True))}
    rounded = ((piece, round(score, DIGITS)) for piece, score in fixed.items())
    return sorted(rounded, key=lambda pair: (-pair[1], pair[0]))


def _of_scores(
    scores: Sequence[tuple[str, float]], special: Sequence[str], *, lowercase: bool
) -> TrainedVocabulary:
    return TrainedVocabulary(
        Algorithm.UNIGRAM,
        lowercase,
        (*special, *(piece for piece, _ in scores)),
        len(special),
        0,
        np.zeros((0, 3), np.int32),
        np.zeros(0, np.int64),
        np.array([*(0.0 for _ in special), *(score for _, score in scores)]),
        np.zeros(0, np.int32),
        np.zeros(0, np.int32),
        np.zeros((2, 0, 4), np.int64),
    )


# ---- measuring -------------------------------------------------------------------------------


def sizes_up_to(vocabulary: int, least: int) -> list[int]:
    """The sizes that are measured: the smallest, and doubled ones up to the whole."""
    halves = [vocabulary >> times for times in range(HALVINGS, 0, -1)]
    smallest = [least] if halves[0] < least < vocabulary else []
    return [*smallest, *(size for size in halves if size > NEARLY * least), vocabulary]


def _with_measures(
    whole: TrainedVocabulary, every: Sequence[TrainedVocabulary], parts: Sequence[Counter[str]]
) -> TrainedVocabulary:
    measured = np.zeros((len(parts), len(every), 4), np.int64)
    for part, chunks in enumerate(parts):
        counts = np.array([*chunks.values()], np.int64)
        words = np.array([words_of_text(chunk).max(initial=-1) + 1 for chunk in chunks], np.int64)
        letters = np.array([len(chunk.strip(" ")) for chunk in chunks], np.int64)
        for at, one in enumerate(every):
            pieces, unknown = _cut(one, list(chunks))
            for column, values in enumerate((pieces, words, letters, unknown)):
                measured[part, at, column] = (values * counts).sum()
    sizes = np.array([len(one.pieces) for one in every], np.int32)
    return replace(whole, sizes=sizes, measured=measured)


def _cut(one: TrainedVocabulary, chunks: Sequence[str]) -> tuple[Counts, Counts]:
    """Into how many pieces each is cut, and how many of these are unknown."""
    tokenizer = tokenizer_of(one)
    unknown = MANNERS[one.algorithm].special.index(MANNERS[one.algorithm].roles["unk"])
    pieces, lacking = np.zeros(len(chunks), np.int64), np.zeros(len(chunks), np.int64)
    for start in range(0, len(chunks), AT_ONCE):
        some = chunks[start : start + AT_ONCE]
        encoded = tokenizer.encode_batch_fast(some, add_special_tokens=False)
        for place, one_chunk in enumerate(encoded, start):
            ids = one_chunk.ids
            pieces[place], lacking[place] = len(ids), ids.count(unknown)
    return pieces, lacking


def tokenizer_of(one: TrainedVocabulary) -> Any:
    """What the tokenizers library makes of it."""
    from tokenizers import Tokenizer

    return Tokenizer.from_str(json.dumps(tokenizer_json(one)))
