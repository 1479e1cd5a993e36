import pytest

from explorer.hf.text.vocabularies.pieces import (
    glue,
    special_pieces,
    vocabulary_hash,
    written,
    written_together,
)
from tests.hf import tiny


@pytest.fixture(scope="module")
def byte_level():
    from tokenizers import Tokenizer, decoders, models
    from transformers import PreTrainedTokenizerFast

    backend = Tokenizer(models.BPE(vocab={"<mask>": 0, "Ġcat": 1}, merges=[]))
    backend.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=backend, mask_token="<mask>")


@pytest.fixture(scope="module")
def sentence_pieces():
    from tokenizers import Tokenizer, decoders, models
    from transformers import PreTrainedTokenizerFast

    backend = Tokenizer(models.Unigram([("<unk>", 0.0), ("▁cat", -1.0)], unk_id=0))
    backend.decoder = decoders.Metaspace()
    return PreTrainedTokenizerFast(tokenizer_object=backend, unk_token="<unk>")


@pytest.mark.parametrize(
    ("piece", "word"),
    [("cat", "cat"), ("##ing", "ing"), ("##", "##"), ("[MASK]", "[MASK]"), ("#", "#")],
)
def test_wordpiece(piece, word):
    assert written(tiny.bert_tokenizer(), piece) == word


@pytest.mark.parametrize(
    ("piece", "word"),
    [
        ("Ġcat", "cat"),
        ("cat", "cat"),
        ("ĠÃ©tÃ©", "été"),
        ("ðŁĺ", "\ufffd"),
        ("<mask>", "<mask>"),
        ("Ġ", "Ġ"),
    ],
)
def test_byte_level(byte_level, piece, word):
    assert written(byte_level, piece) == word


@pytest.mark.parametrize(
    ("piece", "word"), [("▁cat", "cat"), ("s", "s"), ("<unk>", "<unk>"), ("▁", "▁")]
)
def test_sentence_pieces(sentence_pieces, piece, word):
    assert written(sentence_pieces, piece) == word


def test_special_pieces():
    assert {"[CLS]", "[SEP]", "[MASK]", "[PAD]", "[UNK]"} == special_pieces(tiny.bert_tokenizer())


@pytest.mark.parametrize(
    ("piece", "glued"),
    [("##s", "before"), ("cat", ""), ("##", ""), (".", ""), ("[MASK]", "")],
)
def test_wordpiece_marks_what_continues_a_word(piece, glued):
    assert glue(tiny.bert_tokenizer(), piece) == glued


@pytest.mark.parametrize(
    ("piece", "unspaced", "glued"),
    [
        ("Ġcat", False, ""),
        ("the", False, "before"),
        ("the", True, ""),
        (".", False, ""),
        ("</s>", False, ""),
    ],
)
def test_byte_level_pieces_without_a_space_continue_a_word(piece, unspaced, glued):
    assert glue(tiny.byte_level(), piece, unspaced=unspaced) == glued


def test_a_vocabulary_that_ends_words_tells_what_is_unfinished():
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    pieces = ["c", "a", "t", "t</w>", "ca", "cat</w>", "</w>", "."]
    merges = [("c", "a"), ("ca", "t</w>")]
    backend = Tokenizer(
        models.BPE(
            vocab={one: i for i, one in enumerate(pieces)},
            merges=merges,
            end_of_word_suffix="</w>",
        )
    )
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend)
    assert [glue(tokenizer, one) for one in ("ca", "cat</w>", ".")] == ["after", "", ""]


def test_a_vocabulary_without_marks_tells_nothing():
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    backend = Tokenizer(models.BPE(vocab={"a": 0, "b": 1}, merges=[]))
    assert glue(PreTrainedTokenizerFast(tokenizer_object=backend), "a") == ""


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        (["cat", "##s"], "cats"),
        (["run", "##ing", "##s"], "runings"),
        (["cat", "sat"], "cat sat"),
        (["cat"], "cat"),
        (["##s", "cat"], "s cat"),
    ],
)
def test_pieces_side_by_side_as_a_person_writes_them(pieces, words):
    assert written_together(tiny.bert_tokenizer(), pieces) == words


def test_byte_level_pieces_side_by_side():
    assert written_together(tiny.byte_level(), ["Ġcat", "the"]) == "catthe"
    assert written_together(tiny.byte_level(), ["Ġthe", "Ġcat"]) == "the cat"


def test_vocabularies_are_told_apart():
    one, same, other = tiny.bert_tokenizer(), tiny.bert_tokenizer(), tiny.byte_level()
    assert vocabulary_hash(one) == vocabulary_hash(same)
    assert vocabulary_hash(one) != vocabulary_hash(other)
    assert len(vocabulary_hash(one)) == 16
