"""Tokenizers that are trained, beside algorithms written out here."""

import itertools
import json
import math
import random
from collections import Counter

import numpy as np
import pytest

from explorer.questions.tokenizers.merge_steps.walks import UNKNOWN_PENALTY, lattice
from explorer.questions.tokenizers.train_tokenizer.options import Algorithm
from explorer.questions.tokenizers.train_tokenizer.trainer.counted import chunks_of, words_of
from explorer.questions.tokenizers.train_tokenizer.trainer.folder import CONTINUES, ENDS, MANNERS
from explorer.questions.tokenizers.train_tokenizer.trainer.texts import TextLines
from explorer.questions.tokenizers.train_tokenizer.trainer.training import (
    TooSmallError,
    _prepared,
    smaller,
    tokenizer_of,
    train,
)

MERGING = [Algorithm.WORDPIECE, Algorithm.BYTES, Algorithm.CHARACTERS]
DRAW = random.Random(7)
SYLLABLES = ["ka", "lo", "mi", "ru", "te", "so", "한", "글"]
TEXT = tuple(
    " ".join(
        "".join(DRAW.choice(SYLLABLES) for _ in range(DRAW.randint(1, 4)))
        for _ in range(DRAW.randint(3, 9))
    )
    for _ in range(60)
)
LINES = TextLines(TEXT[:50], TEXT[50:])


def trained(algorithm, vocabulary, lines=LINES):
    return train(algorithm, lines, vocabulary, lowercase=True, tell=lambda *_: None)


def merged(letters, pair, made):
    """The pair made one wherever it stands, from the left."""
    rest, found = list(letters), []
    while rest:
        is_pair = tuple(rest[:2]) == pair
        found.append(made if is_pair else rest[0])
        del rest[: 2 if is_pair else 1]
    return found


def plain_merges(words, numbers, count, marked):
    """Count pairs, merge the most frequent; of equal ones that of the smaller numbers."""
    cut = {word: list(letters) for word, letters in words.items()}
    learnt = []
    for _ in range(count):
        pairs = Counter()
        for (_word, times), letters in cut.items():
            for pair in itertools.pairwise(letters):
                pairs[pair] += times
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], *(numbers[one] for one in pair)))
        made = best[0] + (best[1].removeprefix(CONTINUES) if marked else best[1])
        numbers.setdefault(made, len(numbers))
        learnt.append((*best, made, pairs[best]))
        cut = {key: merged(letters, best, made) for key, letters in cut.items()}
    return learnt


def own_words(algorithm, lines=LINES):
    """Words with their counts, by a way of their own: whole lines through the library."""
    prepared = _prepared(algorithm, lowercase=True)
    found = Counter()
    for line in lines.training:
        text = prepared.normalizer.normalize_str(line) if prepared.normalizer else line
        found.update(word for word, _ in prepared.pre_tokenizer.pre_tokenize_str(text))
    return found


@pytest.mark.parametrize("algorithm", MERGING)
def test_merges_and_their_counts_are_those_of_a_plain_loop(algorithm):
    one = trained(algorithm, 420)
    words = {}
    for word, times in own_words(algorithm).items():
        if algorithm is Algorithm.WORDPIECE:
            letters = [word[0], *(CONTINUES + letter for letter in word[1:])]
        elif algorithm is Algorithm.CHARACTERS:
            letters = [*word[:-1], word[-1] + ENDS]
        else:
            letters = list(word)
        words[word, times] = letters
    numbers = {piece: n for n, piece in enumerate(one.pieces[: one.special + one.letters])}
    expected = plain_merges(words, numbers, len(one.merges), algorithm is Algorithm.WORDPIECE)
    assert len(one.merges) > 50
    found = [
        (*(one.pieces[number] for number in merge), int(count))
        for merge, count in zip(one.merges, one.counts, strict=True)
    ]
    assert found == expected


@pytest.mark.parametrize("algorithm", list(Algorithm))
def test_words_are_counted_as_in_whole_lines(algorithm):
    odd = TextLines(("a  b\tc d.", "don't  stop", "é한 글😀", "´x ﬁ", "U.S. '90s\u3000end"), ())
    chunks = chunks_of(odd.training, spaced=algorithm is Algorithm.BYTES)
    assert words_of(_prepared(algorithm, lowercase=True), chunks) == own_words(algorithm, odd)


def test_the_library_s_wordpiece_trainer_learns_the_same_pieces():
    """It merges the most frequent pair; what it leaves to chance is where two are as frequent."""
    from tokenizers import Tokenizer, models
    from tokenizers.trainers import WordPieceTrainer

    one = trained(Algorithm.WORDPIECE, 300)
    own = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    prepared = _prepared(Algorithm.WORDPIECE, lowercase=True)
    own.normalizer, own.pre_tokenizer = prepared.normalizer, prepared.pre_tokenizer
    alphabet = list(one.pieces[: one.special + one.letters])
    trainer = WordPieceTrainer(vocab_size=300, special_tokens=alphabet, show_progress=False)
    own.train_from_iterator(LINES.training, trainer)
    vocabulary = own.get_vocab()
    assert sorted(vocabulary, key=vocabulary.get) == list(one.pieces)


@pytest.mark.parametrize("algorithm", list(Algorithm))
def test_the_same_text_gives_the_same_tokenizer(algorithm):
    first, second = trained(algorithm, 330), trained(algorithm, 330)
    assert first.pieces == second.pieces
    for name in ("merges", "counts", "scores", "kept_from", "sizes", "measured"):
        assert np.array_equal(getattr(first, name), getattr(second, name)), name


@pytest.mark.parametrize("algorithm", MERGING)
def test_a_smaller_vocabulary_is_what_training_for_it_gives(algorithm):
    whole, less = trained(algorithm, 400), trained(algorithm, 320)
    part = smaller(whole, 320)
    assert part.pieces == less.pieces
    assert np.array_equal(part.merges, less.merges)
    alone = trained(algorithm, int(whole.sizes[-2]))
    assert np.array_equal(whole.measured[:, -2], alone.measured[:, -1])


@pytest.mark.parametrize("algorithm", list(Algorithm))
def test_measures_are_those_of_whole_lines(algorithm):
    one = trained(algorithm, 300)
    tokenizer = tokenizer_of(one)
    for part, lines in enumerate((LINES.training, LINES.held_out)):
        ids = [tokenizer.encode(line, add_special_tokens=False).ids for line in lines]
        words = sum(len(line.split()) for line in lines)
        letters = sum(len(line.replace(" ", "")) for line in lines)
        unknown = MANNERS[algorithm].special.index(MANNERS[algorithm].roles["unk"])
        lacking = sum(row.count(unknown) for row in ids)
        assert one.measured[part, -1].tolist() == [sum(map(len, ids)), words, letters, lacking]
        assert one.fertility[part, -1] == sum(map(len, ids)) / words


def test_letters_that_were_not_trained_on_are_unknown_but_for_bytes():
    lines = TextLines(TEXT, ("zzz qqq",))
    for algorithm in Algorithm:
        share = trained(algorithm, 300, lines).unknown[1, -1]
        assert (share == 0.0) if algorithm is Algorithm.BYTES else (share >= 0.5)


# ---- unigram ---------------------------------------------------------------------------------


def test_a_unigram_model_cuts_by_its_likeliest_way():
    one = trained(Algorithm.UNIGRAM, 120)
    scores = dict(zip(one.pieces[one.special :], one.scores[one.special :], strict=True))
    tokenizer = tokenizer_of(one)
    for line in LINES.held_out:
        for word in line.split():
            part = "▁" + word
            _steps, paths = lattice(part, scores, min(scores.values()) - UNKNOWN_PENALTY)
            pieces = tokenizer.encode(word, add_special_tokens=False).tokens
            own = sum(scores[piece] for piece in pieces)
            assert own == pytest.approx(paths[0].score, abs=1e-9)
            assert sum(path.probability for path in paths) <= 1 + 1e-9


def test_what_its_probabilities_add_up_to_is_told_as_it_is():
    """Its estimate takes something off each, and the last ones go without another fit."""
    one = trained(Algorithm.UNIGRAM, 120)
    assert one.total == pytest.approx(sum(math.exp(score) for _, score, _ in one.likeliest()))
    assert 0.8 < one.total < 1.0
    scores = [score for _, score, _ in one.likeliest()]
    assert scores == sorted(scores, reverse=True)


def test_larger_unigram_vocabularies_keep_what_smaller_ones_have():
    one = trained(Algorithm.UNIGRAM, 200)
    assert len(one.sizes) >= 3
    assert one.sizes.tolist() == sorted(one.sizes)
    kept = dict(zip(one.pieces, one.kept_from.tolist(), strict=True))
    assert set(kept.values()) <= set(one.sizes.tolist())
    letters = {letter for line in TEXT for letter in line if letter != " "} | {"▁"}
    assert all(kept[letter] == one.sizes[0] for letter in letters)
    assert any(kept[piece] == one.sizes[-1] for piece in one.pieces if len(piece) > 2)


def test_a_text_with_the_name_of_the_trainer_s_own_unknown_piece_is_trained_on():
    lines = TextLines((*TEXT, "a <UNK> in a text, and <UNK><UNK>"), ())
    one = train(Algorithm.UNIGRAM, lines, 200, lowercase=False, tell=lambda *_: None)
    assert {"<", "U"} <= set(one.pieces)


# ---- edges -----------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", list(Algorithm))
def test_one_word(algorithm):
    one = trained(algorithm, 1000, TextLines(("abcab",), ()))
    assert len(one.pieces) < 300
    assert one.sizes[-1] == len(one.pieces)
    assert one.measured[0, -1, 1] == 1
    assert np.isnan(one.fertility[1]).all()
    cut = tokenizer_of(one).encode("abcab", add_special_tokens=False)
    assert len(cut.ids) == 1 or algorithm is Algorithm.UNIGRAM


@pytest.mark.parametrize("algorithm", list(Algorithm))
@pytest.mark.parametrize(
    "text",
    ["한국어 문장을 배운다 한국어", "القطة على السجادة القطة", "แมวนั่งบนเสื่อ แมว", "😀😀 👩‍🚀 😀😀"],
)
def test_other_scripts(algorithm, text):
    one = trained(algorithm, 400, TextLines((text, text), (text,)))
    tokenizer = tokenizer_of(one)
    assert one.measured[1, -1, 3] == 0
    assert tokenizer.token_to_id(MANNERS[algorithm].roles["unk"]) not in tokenizer.encode(text).ids
    assert json.loads(tokenizer.to_str())["model"]["vocab"]


@pytest.mark.parametrize("algorithm", list(Algorithm))
def test_an_alphabet_larger_than_the_vocabulary(algorithm):
    many = "".join(map(chr, range(0xA000, 0xA000 + 500)))
    lines = TextLines((many,), ())
    with pytest.raises(TooSmallError) as small:
        trained(algorithm, 200, lines)
    least = small.value.least
    room = int(algorithm is Algorithm.UNIGRAM)
    assert least == len(MANNERS[algorithm].special) + small.value.letters + room
    assert len(trained(algorithm, least, lines).pieces) == least - room
