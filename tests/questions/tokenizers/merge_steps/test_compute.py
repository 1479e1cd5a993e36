"""Every walk ends where the tokenizer's own code ends, by steps that can be checked by hand."""

import itertools
import math
from functools import cache

import pytest

from explorer.api.question import Context, UserMistake
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.library.shelf import CatalogueShelf
from explorer.questions.tokenizers.merge_steps.question import (
    MergeStepsRequest,
    SegmentationMethod,
    spans,
)
from explorer.questions.tokenizers.merge_steps.walks import lattice, longest_first, merges
from tests.hf import tiny
from tests.hf.kept import MODELS
from tests.questions.tokenizers import references as ref

WORDS = [word for text in ref.texts(60) for word in text.split()]
ALL = ("albert", "bert", "gpt1", "gpt2", "roberta", "t5", "xlm")


@pytest.fixture(scope="module")
def ask():
    host = tiny.families()
    shelf = CatalogueShelf(host, Catalogue(host, MODELS))
    # Hundreds of words are cut by the same tokenizers, whose files nobody touches meanwhile.
    shelf.known = cache(shelf.known)
    context = Context(shelf=shelf)

    def run(text, word="", tokenizer="bert-miniature"):
        return tiny.ask(None, MergeStepsRequest(text, word, tokenizer), context)

    return run


def cut(part, ends):
    return ["".join(part.letters[start:end]) for start, end in spans(ends)]


@pytest.mark.parametrize("name", ALL)
def test_steps_end_at_the_tokenizer_s_own_pieces(ask, name):
    few = WORDS[:: 6 if name == "xlm" else 1]
    wrong = [word for word in few if not ask(f"a {word}", word, f"{name}-miniature").agrees]
    assert wrong == []


def test_the_pair_that_was_learnt_first_is_merged_wherever_it_stands():
    ranks = {("l", "o"): 2, ("o", "w"): 0, ("l", "ow"): 1}
    steps = list(merges("lowlow", ranks))
    assert [step.ends for step in steps] == [
        (1, 2, 3, 4, 5, 6),
        (1, 3, 4, 6),
        (3, 6),
    ]
    assert [step.rank for step in steps] == [None, 0, 1]
    assert [step.at for step in steps] == [-1, 1, 0]


def test_three_letters_alike_are_merged_from_the_left():
    (_, last) = merges("aaa", {("a", "a"): 0})
    assert last.ends == (2, 3)


def test_the_longest_piece_is_tried_first():
    known = {("un", False), ("able", True)}
    steps = list(longest_first("unable", lambda *piece: piece in known, 100))
    assert [(step.ends, step.found) for step in steps[1:]] == [
        ((6,), False),
        ((5,), False),
        ((4,), False),
        ((3,), False),
        ((2,), True),
        ((2, 6), True),
    ]


def test_a_word_whose_rest_does_not_fit_is_unknown_as_a_whole():
    steps = list(longest_first("unx", lambda *piece: piece == ("un", False), 100))
    assert (steps[-1].ends, steps[-1].found) == ((3,), False)
    assert not list(longest_first("un", lambda *_: True, 1))[-1].found


def test_ways_of_a_unigram_model_are_all_ways():
    scores = {"a": -1.0, "b": -2.0, "ab": -2.5, "ba": -4.0, "aba": -6.0}
    word = "abab"
    every = []
    for count in range(len(word)):
        for places in itertools.combinations(range(1, len(word)), count):
            pieces = [word[a:b] for a, b in itertools.pairwise((0, *places, len(word)))]
            if all(piece in scores for piece in pieces):
                every.append((sum(scores[p] for p in pieces), (*places, len(word))))
    total = math.log(sum(math.exp(score) for score, _ in every))
    steps, paths = lattice(word, scores, -20.0)
    best = sorted(every, reverse=True)
    assert [path.score for path in paths] == pytest.approx([score for score, _ in best])
    assert paths[0].ends == best[0][1] == steps[-1].ends
    assert [path.probability for path in paths] == pytest.approx(
        [math.exp(score - total) for score, _ in best]
    )
    assert sum(path.probability for path in paths) == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["albert", "t5"])
def test_likeliest_ways_are_those_of_sentencepiece(ask, name):
    import sentencepiece

    model = str(MODELS / f"{name}-miniature" / "spiece.model")
    own = sentencepiece.SentencePieceProcessor(model_file=model)
    for word in ("unbelievable", "cooking", "gardeners"):
        (part,) = ask(f"the {word}", word, f"{name}-miniature").parts
        expected = own.nbest_encode_as_pieces(word, len(part.paths))
        for path, pieces in zip(part.paths, expected, strict=True):
            score = sum(own.get_score(own.piece_to_id(piece)) for piece in pieces)
            assert path.score == pytest.approx(score, abs=1e-3)
        assert cut(part, part.paths[0].ends) == expected[0]


def test_the_first_word_that_is_cut_is_followed_where_none_is_named(ask):
    result = ask("the chef unbelievably cooked")
    assert result.word == "unbelievably"
    assert result.words == ("the", "chef", "unbelievably", "cooked")
    assert result.method is SegmentationMethod.LONGEST
    assert ask("the chef").word == "the"


def test_bytes_of_a_half_character_are_the_letters(ask):
    result = ask("a 한", "한", "gpt2-miniature")
    (part,) = result.parts
    assert part.letters == ("Ġ", "í", "ķ", "ľ")
    assert result.pieces == part.pieces


def test_a_word_that_is_too_long_is_refused(ask):
    with pytest.raises(UserMistake, match="61 characters"):
        ask("x " + "a" * 61, "a" * 61)
