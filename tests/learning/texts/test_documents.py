from types import SimpleNamespace

import numpy as np

from explorer.learning.texts.documents import BLOCK, ENDLESS, JoinedDocuments, TokenizedDocuments
from explorer.learning.texts.worlds import WorldText
from explorer.world.corpus import has_withheld, training_documents


class Cut:
    """A tokenizer whose pieces are the lengths of words."""

    @property
    def backend_tokenizer(self):
        return self

    def encode_batch_fast(self, sentences, add_special_tokens):
        assert not add_special_tokens
        return [SimpleNamespace(ids=[len(word) for word in one.split()]) for one in sentences]


def test_an_endless_text_is_the_same_wherever_it_is_begun():
    one, other = (WorldText().documents(0, seed) for seed in (1, 1))
    assert len(one) == ENDLESS
    later = one[BLOCK + 3].text
    assert other[0].text != later
    assert other[BLOCK + 3].text == later
    assert WorldText().documents(0, 2)[BLOCK + 3].text != later
    assert not any(map(has_withheld, one[:BLOCK]))


def test_a_text_of_a_size_is_the_miniatures_own():
    assert WorldText().documents(20, 1) == WorldText().documents(20, 2) == training_documents(20)


def test_tokens_are_those_of_each_sentence():
    documents = training_documents(BLOCK + 5)
    tokens = TokenizedDocuments(Cut(), documents)
    for place in (0, BLOCK, BLOCK + 4):
        lengths = [[len(word) for word in one.split()] for one in documents[place].sentences]
        assert tokens[place] == lengths
    rng = np.random.default_rng(0)
    assert {tokens.near(rng) // BLOCK for _ in range(9000)} == {0, 1}
    joined = JoinedDocuments(Cut(), documents)
    assert joined[BLOCK] == [token for sentence in tokens[BLOCK] for token in sentence]


def test_others_of_an_endless_text_are_near():
    tokens = TokenizedDocuments(Cut(), WorldText().documents(0, 1))
    tokens[2 * BLOCK + 7]
    rng = np.random.default_rng(0)
    assert {tokens.near(rng) // BLOCK for _ in range(100)} == {2}
