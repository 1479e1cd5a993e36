import pytest

from explorer.learning.tokenizers.sentencepiece_file import (
    FILE,
    unigram_pieces,
    write_sentencepiece,
)
from explorer.learning.tokenizers.unigram import (
    SPECIAL_TOKENS,
    pretrained_sentinel_tokenizer,
    pretrained_tokenizer,
    train_unigram,
)
from explorer.world.corpus import held_out_documents
from explorer.world.language.spelling import as_typed

TEXTS = ["".join(as_typed(*numbered)) for numbered in enumerate(held_out_documents(60))]


@pytest.fixture(scope="module", params=["albert", "t5"])
def made(request):
    """A family's tokenizer, its special tokens, and what it does to letters first."""
    if request.param == "albert":
        tokenizer = pretrained_tokenizer(train_unigram(TEXTS, 300), 128)
        return tokenizer, SPECIAL_TOKENS, str.lower
    pieces = train_unigram(TEXTS, 300, cased=True)
    tokenizer = pretrained_sentinel_tokenizer(pieces, 100, 128)
    return tokenizer, ("<pad>", "</s>", "<unk>"), str


def test_sentencepiece_reads_texts_as_the_tokenizer_does(made, tmp_path):
    import sentencepiece

    tokenizer, special, first = made
    pieces = [(p, score) for p, score in unigram_pieces(tokenizer) if "<extra_id" not in p]
    write_sentencepiece(pieces, special, tmp_path)
    processor = sentencepiece.SentencePieceProcessor(model_file=str(tmp_path / FILE))
    assert processor.get_piece_size() == len(pieces)
    assert processor.id_to_piece(processor.unk_id()) == "<unk>"
    assert all(processor.is_control(processor.piece_to_id(p)) for p in special if p != "<unk>")
    for text in [*TEXTS, "  two   spaces here "]:
        numbers = processor.encode(first(text))
        assert numbers == tokenizer(text, add_special_tokens=False)["input_ids"]
        assert processor.decode(numbers) == first(" ".join(text.split()))


def test_writing_twice_gives_the_same_bytes(made, tmp_path):
    tokenizer, special, _ = made
    pieces = unigram_pieces(tokenizer)
    (tmp_path / "again").mkdir()
    write_sentencepiece(pieces, special, tmp_path)
    write_sentencepiece(pieces, special, tmp_path / "again")
    assert (tmp_path / FILE).read_bytes() == (tmp_path / "again" / FILE).read_bytes()


def test_another_kind_of_tokenizer_is_refused(tmp_path):
    from explorer.learning.tokenizers.wordpiece import pretrained_tokenizer as wordpiece
    from explorer.learning.tokenizers.wordpiece import train_wordpiece

    tokenizer = wordpiece(train_wordpiece(TEXTS, 200), 128)
    with pytest.raises(ValueError, match="WordPiece"):
        unigram_pieces(tokenizer)
