"""Ids are those of the authors' tokenizers, and characters are all accounted for."""

import functools
import json
import unicodedata

import numpy as np
import pytest

from explorer.engine.library.inspection import inspect_folder
from explorer.hf.text.alone import cut_alone
from explorer.questions.tokenizers.side_by_side.changes import removed_from
from explorer.text.printable import without_surrogates
from tests.hf import tiny
from tests.hf.kept import MODELS
from tests.questions.tokenizers import references as ref

DISTINCT = (
    *("albert", "bert", "bert-korean", "ernie-thu", "gpt1", "gpt2", "gpt2-prompts", "roberta"),
    *("t5", "xlm"),
)
OTHERS = sorted(
    {path.parent.name for path in MODELS.glob("*/tokenizer_config.json")}
    - {f"{name}-miniature" for name in DISTINCT}
)
"""Checkpoints of other families, or for a task, each with the vocabulary of one of those."""
WITHOUT_ACCENTS = {"albert", "bert", "ernie-thu", "gpt1"}
TEXTS = ref.texts()


@pytest.fixture(scope="module")
def tokenizer():
    kept = {}

    def get(name):
        checkpoint = f"{name}-miniature" if name in DISTINCT else name
        if name not in kept:
            files = inspect_folder(MODELS / checkpoint)
            kept[name] = tiny.families().family_of(files)[0].tokenizer(files)
        return kept[name]

    return get


def ids(tokenizer, texts=TEXTS):
    return [cut_alone(tokenizer, text).ids for text in texts]


@pytest.fixture(scope="module")
def byte_pieces():
    kept = {}

    def get(ranks):
        key = tuple(ranks)  # two of them learnt the same merges
        if key not in kept:
            kept[key] = [ref.byte_level(text, ranks) for text in TEXTS]
        return kept[key]

    return get


@pytest.mark.parametrize("name", ["gpt2", "gpt2-prompts", "roberta"])
def test_byte_level_bpe_is_what_its_paper_says(tokenizer, byte_pieces, name):
    vocabulary, ranks = ref.parts_of(MODELS / f"{name}-miniature")
    expected = [[vocabulary[piece] for piece in pieces] for pieces in byte_pieces(ranks)]
    assert ids(tokenizer(name)) == expected


@pytest.mark.parametrize("name", ["bert", "bert-korean", "ernie-thu"])
def test_word_piece_is_greedy_and_longest_first(tokenizer, name):
    path = MODELS / f"{name}-miniature" / "tokenizer.json"
    vocabulary = json.loads(path.read_text("utf-8"))["model"]["vocab"]
    bare = name in WITHOUT_ACCENTS
    expected = [ref.word_piece(text, vocabulary, strip_accents=bare) for text in TEXTS]
    assert ids(tokenizer(name)) == expected


def test_gpt1_merges_letters_of_words(tokenizer):
    vocabulary, ranks = ref.parts_of(MODELS / "gpt1-miniature")
    expected = [
        [
            vocabulary.get(piece, vocabulary["<unk>"])
            for word in ref.bert_words(text)
            for piece in ref.merged([*word[:-1], word[-1] + "</w>"], ranks)
        ]
        for text in TEXTS
    ]
    assert ids(tokenizer("gpt1")) == expected


def sentencepiece_of(name):
    import sentencepiece

    model = str(MODELS / f"{name}-miniature" / "spiece.model")
    return sentencepiece.SentencePieceProcessor(model_file=model)


def test_t5_is_what_sentencepiece_says(tokenizer):
    assert ids(tokenizer("t5")) == sentencepiece_of("t5").encode(TEXTS)


def is_vowel_sign(letter):
    return unicodedata.category(letter)[0] == "M" and not unicodedata.combining(letter)


def test_albert_is_what_its_authors_and_sentencepiece_say(tokenizer):
    expected = sentencepiece_of("albert").encode([ref.albert_text(text) for text in TEXTS])
    pairs = zip(TEXTS, ids(tokenizer("albert")), expected, strict=True)
    differing = [text for text, own, other in pairs if own != other]
    # Its authors take accents away; tokenizer.json, as transformers makes it, takes vowel signs of
    # Devanagari and Thai too.
    assert all(any(is_vowel_sign(one) for one in text) for text in differing)
    assert len(differing) < len(TEXTS) / 100


def test_xlm_is_what_its_authors_code_says(tokenizer):
    from transformers import XLMTokenizer

    folder = MODELS / "xlm-miniature"
    own = XLMTokenizer(str(folder / "vocab.json"), str(folder / "merges.txt"))
    own.do_lowercase_and_remove_accent = False
    assert ids(tokenizer("xlm")) == [own.convert_tokens_to_ids(own.tokenize(t)) for t in TEXTS]


@pytest.fixture(scope="module")
def vocabulary_of(tokenizer):
    return functools.cache(lambda name: tokenizer(name).get_vocab())


def all_at_once(tokenizer):
    """Ids of the texts; that `cut_alone` gives the same is held of those that are compared with."""
    backend = tokenizer.backend_tokenizer
    backend.no_truncation()
    backend.no_padding()
    readable = [without_surrogates(text) for text in TEXTS]
    return [one.ids for one in backend.encode_batch(readable, add_special_tokens=False)]


@pytest.mark.parametrize("checkpoint", OTHERS)
def test_families_with_one_vocabulary_cut_alike(tokenizer, vocabulary_of, checkpoint):
    own = tokenizer(checkpoint)
    pieces = own.get_vocab().items()
    # One for a task may have tokens of its own behind the others.
    alike = [name for name in DISTINCT if vocabulary_of(name).items() <= pieces]
    assert alike, f"{checkpoint} has a vocabulary of its own: hold it against a reference too"
    assert all_at_once(own) == all_at_once(tokenizer(alike[0]))


@pytest.mark.parametrize("name", ["bert", "albert"])
def test_a_long_text_is_not_cut_off(tokenizer, name):
    # The file keeps the length that the model's batches were cut to.
    folder = MODELS / f"{name}-answers-miniature"
    assert json.loads((folder / "tokenizer.json").read_text("utf-8"))["truncation"] is not None
    own = tokenizer(folder.name)
    text = "the chef cooked " * 400
    assert len(own.backend_tokenizer.encode(text, add_special_tokens=False).ids) >= 1200
    assert ids(own, [text]) == ids(tokenizer(name), [text])


@pytest.mark.parametrize("name", DISTINCT)
def test_every_character_has_its_piece(tokenizer, name):
    for text in TEXTS:
        cut = cut_alone(tokenizer(name), text)
        assert (cut.starts >= 0).all()
        assert (cut.ends <= len(text)).all()
        assert (cut.starts < cut.ends).all()
        assert (np.diff(cut.starts) >= 0).all()
        # Marks alone stand on nothing that a tokenizer without accents could give them to.
        gone = removed_from(text, cut)
        assert not gone or (name in WITHOUT_ACCENTS and all(ref.is_sign(text[at]) for at in gone))


@pytest.mark.parametrize("name", ["gpt2", "gpt2-prompts", "roberta"])
def test_bytes_of_pieces_are_the_bytes_of_the_text(tokenizer, name):
    for text in TEXTS:
        cut = cut_alone(tokenizer(name), text)
        kinds = [cut.kinds[number] for number in cut.which]
        read = b"".join(bytes.fromhex(k.data) if k.data else k.written.encode() for k in kinds)
        assert read == text.encode()
        for kind, start, end in zip(kinds, cut.starts, cut.ends, strict=True):
            own = bytes.fromhex(kind.data) if kind.data else kind.written.encode()
            assert own in text[start:end].encode(), (text, kind)
