import pytest

from explorer.hf.text.vocabularies.overlap import same_vocabulary, shared_words, whole_words
from tests.hf import tiny


@pytest.fixture(scope="module")
def pieces():
    return tiny.bert_tokenizer()


@pytest.fixture(scope="module")
def bytes_():
    return tiny.byte_level()


def test_the_same_numbers_are_the_same_vocabulary(pieces, bytes_):
    from transformers import BertTokenizer

    assert same_vocabulary(pieces, pieces)
    assert same_vocabulary(pieces, tiny.bert_tokenizer())
    assert not same_vocabulary(pieces, bytes_)
    turned = {word: n for n, word in enumerate(reversed(tiny.VOCABULARY))}
    assert not same_vocabulary(pieces, BertTokenizer(vocab=turned))


def test_parts_of_words_and_special_pieces_are_no_words(pieces):
    found = whole_words(pieces, after_space=True)
    assert found["cat"] == pieces.convert_tokens_to_ids("cat")
    assert found["."] == pieces.convert_tokens_to_ids(".")
    assert not [word for word in found if word.startswith("##")]
    assert "ing" not in found
    assert not set(found) & {"[MASK]", "[CLS]", "[UNK]"}


def test_a_byte_level_word_has_another_piece_behind_a_space(bytes_):
    behind = whole_words(bytes_, after_space=True)
    at_start = whole_words(bytes_, after_space=False)
    assert behind["the"] == bytes_.convert_tokens_to_ids("Ġthe")
    assert at_start["the"] == bytes_.convert_tokens_to_ids("the")
    assert behind["cat"] == bytes_.convert_tokens_to_ids("Ġcat")
    assert "<mask>" not in behind
    assert not any("\ufffd" in word for word in behind)


def test_shared_words_have_both_numbers(pieces, bytes_):
    found = shared_words(pieces, bytes_, after_space=True)
    assert {"the", "cat"} <= set(found.words)
    for word, left, right in zip(found.words, found.left_ids, found.right_ids, strict=True):
        assert pieces.convert_ids_to_tokens(int(left)) == word
        assert bytes_.convert_ids_to_tokens(int(right)) in (word, f"Ġ{word}")
    back = shared_words(bytes_, pieces, after_space=True)
    assert set(back.words) == set(found.words)
