import pytest

from explorer.hf.pieces import special_pieces, written
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
