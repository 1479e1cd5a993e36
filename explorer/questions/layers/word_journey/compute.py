"""Every word's vectors in every layer, their picture, their neighbours."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    Context,
    Encoded,
    HiddenStates,
    LoadedModel,
    UserMistake,
    tokens_at,
)
from explorer.files_of_sentences.sentences import read_sentences
from explorer.hf.states.rows import row_names
from explorer.numerics.vectors import projection
from explorer.questions.layers.word_journey import tsne
from explorer.questions.layers.word_journey.question import (
    COMBINED,
    FOUR,
    TSNE,
    OccurrencePieces,
    PlacedWord,
    WordJourneyRequest,
    WordJourneyResult,
    WordMatch,
)
from explorer.text import N_
from explorer.text.occurrences import (
    WordSpan,
    places_of,
    repeated,
    sentences_in,
    words_in,
)

MOST_WORDS = 600
"""Words of one picture: more can't be told apart, and their neighbours take long."""
MOST_OCCURRENCES = 60
NEIGHBOURS = 8
TIED_DIGITS = 6
"""Digits of a cosine by which neighbours are put in order; float32 has one more."""
TRUST_NEIGHBOURS = 5
PAIRS = 1000
"""Pairs of other words whose mean cosine is what all words have in common."""
SEED = 0
LOOKED_THROUGH = 500
"""Sentences of a file that a word is looked for in where none is named."""

Vectors = NDArray[np.float64]


def run(model: LoadedModel, request: WordJourneyRequest, context: Context) -> WordJourneyResult:
    """Read every sentence on its own, and compare its words.

    Raises:
        UserMistake: There is no sentence, or the word is in none; the file can't be read.
        Cancelled: The run was cancelled.
    """
    context.check()
    if request.projection == TSNE:
        tsne.library()  # Before anything is read: it may not be there.
    given = [*sentences_in(request.text), *sentences_in(request.pair or "")]
    word, found = chosen_word(request, given)
    sentences, left_out = chosen_sentences(word, chain(given, _of_file(request.path)), context)
    encoded = [model.encode(sentence) for sentence in sentences]
    words, positions = placed_words(sentences, encoded, word)
    occurrences = tuple(n for n, (_, is_chosen) in enumerate(words) if is_chosen)
    if not occurrences:
        raise _missing(word)
    rows = word_vectors(model, encoded, positions, request.pieces, context)
    if len(words) < FEWEST:
        raise UserMistake(
            N_("Of one word alone there is no picture."),
            N_("Type a sentence or two with the word and others."),
        )
    is_tsne = request.projection == TSNE
    if is_tsne and len(words) < tsne.FEWEST:
        raise UserMistake(
            N_("t-SNE needs {fewest} words at least."),
            N_("Choose PCA, or type more sentences."),
            fewest=tsne.FEWEST,
        )
    layers = row_names(len(rows))
    vectors = [*rows, *combined(rows)]
    pairs = other_pairs([one for one, _ in words], occurrences)
    parts = []
    for number, one in enumerate(vectors):
        context.progress(N_("comparing words"), float(number), float(len(vectors)))
        context.check()
        used = projection.standardised(one) if request.standardise else one
        parts.append(_compared(used, occurrences, pairs, context.check if is_tsne else None))
    coordinates, variance, trust, neighbours, cosines, own, others = (
        np.stack(part) for part in zip(*parts, strict=True)
    )
    return WordJourneyResult(
        model=model.stamp,
        word=word,
        found=found,
        sentences=tuple(sentences),
        words=tuple(one for one, _ in words),
        occurrences=occurrences,
        vectors=(*layers, *COMBINED),
        coordinates=coordinates.astype(np.float32),
        variance=variance.astype(np.float32),
        trusts=_known(trust),
        trust_neighbours=trust_neighbours(len(words)),
        neighbours=neighbours.astype(np.int32),
        cosines=cosines.astype(np.float32),
        own_means=_known(own),
        other_means=_known(others),
        pairs=len(pairs),
        combined=min(FOUR, len(layers) - 1),
        left_out=left_out,
        cut=sum(one.left_out is not None for one in encoded),
        projection=request.projection,
        perplexity=tsne.perplexity(len(words)) if is_tsne else None,
    )


def _known(values: NDArray[np.float64]) -> tuple[float | None, ...]:
    """As numbers, None for those that are not defined, as the likeness of one occurrence."""
    return tuple(None if np.isnan(one) else float(np.float32(one)) for one in values)


FEWEST = 2
"""Words that a picture needs."""


def chosen_word(request: WordJourneyRequest, given: Sequence[str]) -> tuple[str, WordMatch]:
    """The word that is followed: the one that was named, is masked, or occurs twice.

    Raises:
        UserMistake: There is nothing to read.
    """
    if request.word.strip():
        return request.word.strip(), WordMatch.TYPED
    for mask in request.masks:
        text = request.text if mask.part == 0 else request.pair or ""
        if text[mask.start : mask.end].strip():
            return text[mask.start : mask.end].strip(), WordMatch.MASKED
    word, is_twice = repeated(chain(given, islice(_of_file(request.path), LOOKED_THROUGH)))
    if not word:
        raise UserMistake(
            N_("There is no word to follow."),
            N_("Type a few sentences with the same word in them, or open a file of sentences."),
        )
    return word, WordMatch.REPEATED if is_twice else WordMatch.FIRST


def chosen_sentences(
    word: str, sentences: Iterator[str], context: Context
) -> tuple[list[str], int]:
    """Sentences with the word, then others, as many as make a picture; in their order.

    Returns:
        The sentences, and how many there are beside them.

    Raises:
        UserMistake: The word is in none of them.
    """
    having: list[tuple[int, str]] = []
    others: list[tuple[int, str]] = []
    count = words = occurrences = more = 0
    for number, sentence in enumerate(sentences):
        context.check()
        count += 1
        times = sum(1 for _ in places_of(word, sentence))
        if times and occurrences < MOST_OCCURRENCES and words < MOST_WORDS:
            having.append((number, sentence))
            occurrences += times
            words += len(words_in(sentence, word))
        elif not times and more < MOST_WORDS:
            others.append((number, sentence))
            more += len(words_in(sentence, word))
    if not having:
        raise _missing(word)
    for number, sentence in others:
        if words >= MOST_WORDS:
            break
        having.append((number, sentence))
        words += len(words_in(sentence, word))
    return [sentence for _, sentence in sorted(having)], count - len(having)


def placed_words(
    sentences: Sequence[str], encoded: Sequence[Encoded], word: str
) -> tuple[list[tuple[PlacedWord, bool]], list[tuple[int, tuple[int, ...]]]]:
    """Words that the model reads, each with whether it is followed, and where its pieces are.

    What was typed as a mask is no word, unless it is followed.
    """
    words: list[tuple[PlacedWord, bool]] = []
    places: list[tuple[int, tuple[int, ...]]] = []
    for number, (sentence, one) in enumerate(zip(sentences, encoded, strict=True)):
        for span in words_in(sentence, word):
            at = _pieces_of(one, span)
            if at:
                text = sentence[span.start : span.end]
                pieces = tuple(one.tokens[n].text for n in at)
                placed = PlacedWord(text, number, span.start, span.end, pieces)
                words.append((placed, span.chosen))
                places.append((number, at))
    return words, places


def word_vectors(
    model: LoadedModel,
    encoded: Sequence[Encoded],
    places: Sequence[tuple[int, tuple[int, ...]]],
    pieces: OccurrencePieces,
    context: Context,
) -> list[Vectors]:
    """Every word's vector in every row of the model's states, each words x width."""
    states = [
        one.cpu().numpy().astype(np.float64)
        for one in model.port(HiddenStates).states(list(encoded), context)
    ]

    def vector(sentence: int, at: tuple[int, ...]) -> Vectors:
        own: Vectors = states[sentence][:, list(at if pieces is OccurrencePieces.MEAN else at[:1])]
        mean: Vectors = own.mean(axis=1)
        return mean

    stacked = np.stack([vector(*place) for place in places], axis=1)
    return list(stacked)


def combined(rows: Sequence[Vectors]) -> tuple[Vectors, Vectors, Vectors]:
    """Mean of all layers, sum of the last four, and the last four one behind the other.

    The embeddings are no layer; a model with fewer than four layers has all of them here.
    """
    layers = list(rows[1:]) or list(rows)
    last = layers[-FOUR:]
    mean: Vectors = np.mean(layers, axis=0)
    total: Vectors = np.sum(last, axis=0)
    return mean, total, np.concatenate(last, axis=1)


def other_pairs(words: Sequence[PlacedWord], occurrences: Sequence[int]) -> NDArray[np.int64]:
    """Pairs of different words that are not followed, drawn with a fixed seed. Shape [pairs, 2]."""
    kinds = {word: n for n, word in enumerate(dict.fromkeys(w.word.casefold() for w in words))}
    kind = np.array([kinds[word.word.casefold()] for word in words])
    others = np.setdiff1d(np.arange(len(words)), np.array(occurrences))
    first, second = np.triu_indices(len(others), k=1)
    pairs: NDArray[np.int64] = np.stack([others[first], others[second]], axis=1)
    pairs = pairs[kind[pairs[:, 0]] != kind[pairs[:, 1]]]
    if len(pairs) > PAIRS:
        drawn = np.random.default_rng(SEED).choice(len(pairs), PAIRS, replace=False)
        pairs = pairs[np.sort(drawn)]
    return pairs


def trust_neighbours(words: int) -> int:
    """The k of trustworthiness: five, or fewer where that is not less than half of the words."""
    return max(0, min(TRUST_NEIGHBOURS, (words - 1) // 2))


def _compared(
    vectors: Vectors,
    occurrences: Sequence[int],
    pairs: NDArray[np.int64],
    check: Callable[[], None] | None,
) -> tuple[Any, ...]:
    """The numbers of one vector, in the order of the result's fields; by t-SNE where it checks."""
    coordinates, variance = projection.principal_components(vectors)
    if check is not None:
        coordinates = tsne.embedded(vectors, coordinates, check)
    k = trust_neighbours(len(vectors))
    trust = projection.trustworthiness(vectors, coordinates, k) if k else np.nan
    cosines = projection.cosines(vectors)
    own = cosines[np.ix_(occurrences, occurrences)][np.triu_indices(len(occurrences), k=1)]
    others = cosines[pairs[:, 0], pairs[:, 1]]
    rows = cosines[list(occurrences)].copy()
    rows[np.arange(len(occurrences)), list(occurrences)] = -np.inf
    # The same word at two places is equally near; which comes first is no matter of rounding.
    order = np.argsort(-rows.round(TIED_DIGITS), axis=1, kind="stable")
    nearest = order[:, : min(NEIGHBOURS, len(vectors) - 1)]
    return (
        coordinates,
        variance,
        np.float64(trust),
        nearest,
        np.take_along_axis(rows, nearest, axis=1),
        np.float64(own.mean() if len(own) else np.nan),
        np.float64(others.mean() if len(others) else np.nan),
    )


def _pieces_of(encoded: Encoded, span: WordSpan) -> tuple[int, ...]:
    """Positions of the tokens that a word is made of; none for one that was not read."""
    at = tokens_at(encoded.tokens, span.start, span.end)
    if not span.chosen and any(encoded.tokens[n].masked or encoded.tokens[n].reserved for n in at):
        return ()
    return at


def _of_file(path: str) -> Iterator[str]:
    """The sentences of a file, second ones too; none without a file."""
    if path:
        for one in read_sentences(path):
            yield from (one.text, *filter(None, (one.pair,)))


def _missing(word: str) -> UserMistake:
    return UserMistake(
        N_("“{word}” is in none of the sentences."),
        N_("Type a word that is in one of them, or leave it empty."),
        word=word,
    )
