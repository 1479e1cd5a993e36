"""Neighbours in a vocabulary, against all cosines reckoned one by one."""

import numpy as np
import pytest

from explorer.hf.text.vocabularies.neighbours import kind_of, nearest_words, spelled_like
from explorer.hf.text.vocabularies.overlap import whole_words
from tests.hf.kept import miniature

torch = pytest.importorskip("torch")


@pytest.mark.parametrize(
    ("name", "word"), [("bert-miniature", "chef"), ("roberta-miniature", "Anna")]
)
def test_they_are_the_whole_words_with_the_highest_cosines(name, word):
    model = miniature(name)
    known = whole_words(model.tokenizer, after_space=True)
    weights = model.module.get_input_embeddings().weight.detach()
    pieces = tuple(model.tokenizer(f" {word}", add_special_tokens=False).input_ids)
    (found,) = nearest_words(model.tokenizer, lambda ids: weights[list(ids)], [pieces], 5)

    own = weights[list(pieces)].mean(0).double().numpy()
    cosines = {}
    for other, number in known.items():
        if other.casefold() != word.casefold() and kind_of(other) == kind_of(word):
            row = weights[number].double().numpy()
            cosines[other] = row @ own / np.linalg.norm(row) / np.linalg.norm(own)
    expected = sorted(cosines, key=lambda one: -cosines[one])[:5]
    assert [one.word for one in found] == expected
    assert [one.cosine for one in found] == pytest.approx([cosines[one] for one in expected])
    assert word not in [one.word for one in found]


def test_a_kind_is_letters_capitals_and_script():
    assert kind_of("chef") == kind_of("kitchen")
    assert len({kind_of(one) for one in ("chef", "Chef", "CHEF", "12", "시간", "Öl", "κακό")}) == 6
    assert kind_of("Chef") == kind_of("Öl")


@pytest.mark.parametrize(
    ("word", "like", "expected"),
    [("a", "The", "A"), ("baker", "chef", "baker"), ("usa", "NATO", "USA"), ("we", "I", "We")],
)
def test_a_word_takes_the_capitals_of_the_one_it_stands_for(word, like, expected):
    assert spelled_like(word, like) == expected
