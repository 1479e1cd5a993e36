"""Text is cut as the authors' tokenizers cut it, from the published files alone."""

import io
import json
import random

import pytest

from tests.hf import tiny
from tests.plugins import deberta_files as files

WORDS = "the cat sat on a mat and liked movie was great bad dog runs in park we see it fine office"


def sentencepiece_model():
    """A small Unigram model with special pieces where DeBERTa v3 has them."""
    import sentencepiece

    words = WORDS.split()
    generator = random.Random(0)
    lines = [" ".join(generator.choices(words, k=8)) + generator.choice(".!?") for _ in range(300)]
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_writer=model,
        vocab_size=48,
        model_type="unigram",
        minloglevel=2,
        pad_id=0,
        bos_id=1,
        eos_id=2,
        unk_id=3,
        pad_piece="[PAD]",
        bos_piece="[CLS]",
        eos_piece="[SEP]",
        unk_piece="[UNK]",
    )
    return model.getvalue()


def published(folder, version, vocabulary):
    """The published layout: no tokenizer.json, and little in tokenizer_config.json."""
    import torch

    weights = files.weights_of(version)
    words = "deberta.embeddings.word_embeddings.weight"
    weights[words] = torch.randn(vocabulary, 48)
    weights[f"{files.HEAD}bias"] = torch.randn(vocabulary)
    files.write(folder, version, weights, vocab_size=vocabulary)
    (folder / "tokenizer.json").unlink()
    kind = "gpt2" if version == "v1" else "spm"
    config = {"do_lower_case": False, "vocab_type": kind}
    (folder / "tokenizer_config.json").write_text(json.dumps(config), "utf-8")
    return folder


@pytest.fixture(scope="module")
def spm():
    import sentencepiece

    return sentencepiece.SentencePieceProcessor(model_proto=sentencepiece_model())


@pytest.fixture(scope="module")
def v3(tmp_path_factory, spm):
    folder = published(tmp_path_factory.mktemp("models") / "deberta-v3", "v3", 49)
    (folder / "spm.model").write_bytes(spm.serialized_model_proto())
    return tiny.load(folder)


@pytest.fixture(scope="module")
def v1(tmp_path_factory):
    from tokenizers import ByteLevelBPETokenizer

    folder = tmp_path_factory.mktemp("models") / "deberta"
    tokenizer = ByteLevelBPETokenizer()
    tokenizer.train_from_iterator(
        [WORDS] * 20,
        vocab_size=400,
        special_tokens=["[PAD]", "[CLS]", "[SEP]", "[UNK]"],
        show_progress=False,
    )
    size = tokenizer.get_vocab_size() + 1
    published(folder, "v1", size)
    tokenizer.save_model(str(folder))
    vocabulary = json.loads((folder / "vocab.json").read_text("utf-8"))
    vocabulary["[MASK]"] = size - 1
    (folder / "vocab.json").write_text(json.dumps(vocabulary), "utf-8")
    return tiny.load(folder)


def pieces(model, text, pair=None):
    return [token.text for token in model.encode(text, pair).tokens]


@pytest.mark.parametrize(
    "text",
    [
        "the cat sat.",
        "  the   cat  ",
        "the\tcat\nsat",
        "a ﬁne oﬃce",
        "the ｃａｔ",
        "the cat\u00a0sat",
        "the\u200bcat",
        "We see ☃ it",
        "caté, e\u0301 cat",
        "①cat",
        "...the!?",
        "cat" * 8,
    ],
)
def test_v3_equals_the_sentencepiece_library(v3, spm, text):
    ids = v3.encode(text).input_ids[0].tolist()
    assert ids == [1, *spm.encode(text), 2]


def test_v3_special_pieces(v3):
    tokenizer = v3.tokenizer
    assert (tokenizer.pad_token_id, tokenizer.cls_token_id, tokenizer.sep_token_id) == (0, 1, 2)
    assert (tokenizer.unk_token_id, tokenizer.mask_token_id) == (3, 48)


def test_v3_a_typed_mask_stands_for_a_piece(v3):
    assert pieces(v3, "the cat [MASK] mat.") == [
        *("[CLS]", "▁the", "▁cat", "[MASK]", "▁mat", ".", "[SEP]")
    ]
    assert pieces(v3, "the cat [MASK].") == ["[CLS]", "▁the", "▁cat", "[MASK]", ".", "[SEP]"]


def test_v3_two_texts(v3):
    assert pieces(v3, "the cat", "a dog") == [
        *("[CLS]", "▁the", "▁cat", "[SEP]", "▁a", "▁dog", "[SEP]")
    ]


def test_v3_characters_of_tokens(v3):
    text = "the ﬁne oﬃce"
    tokens = v3.encode(text).tokens
    assert [text[token.start : token.end] for token in tokens[1:-1]] == ["the", "ﬁne", "oﬃce"]


def test_v3_from_a_tokenizer_json_that_keeps_the_normalisation(tmp_path, v3, spm):
    folder = published(tmp_path / "m", "v3", 49)
    v3.tokenizer.save_pretrained(folder)
    (folder / "spm.model").unlink(missing_ok=True)
    model = tiny.load(folder)
    assert model.encode("a ﬁne\u00a0oﬃce").input_ids[0].tolist() == [
        *(1, *spm.encode("a fine office"), 2)
    ]


def test_v3_answers_masks(v3):
    result = files.answer(v3, "the cat [MASK] on the mat.", top_k=49)
    assert sum(one.probability for one in result.masks[0].predictions) == pytest.approx(1, abs=1e-5)
    assert {one.word for one in result.masks[0].predictions} >= {"cat", "movie", "."}


def test_v1_pieces_and_characters(v1):
    text = "the cat sat"
    tokens = v1.encode(text).tokens
    assert [token.text for token in tokens] == ["[CLS]", "the", "Ġcat", "Ġsat", "[SEP]"]
    assert [text[token.start : token.end] for token in tokens[1:-1]] == ["the", "cat", "sat"]


def test_v1_a_typed_mask_takes_the_space_before_it(v1):
    assert pieces(v1, "the cat [MASK] on") == ["[CLS]", "the", "Ġcat", "[MASK]", "Ġon", "[SEP]"]
    token = v1.encode("the cat [MASK] on").tokens[3]
    assert (token.start, token.end, token.masked) == (8, 14, True)


def test_v1_two_texts_have_one_separator_between_them(v1):
    assert pieces(v1, "the cat", "the dog") == [
        *("[CLS]", "the", "Ġcat", "[SEP]", "the", "Ġdog", "[SEP]")
    ]


def test_v1_answers_masks(v1):
    result = files.answer(v1, "the cat [MASK] on the mat", top_k=400)
    assert sum(one.probability for one in result.masks[0].predictions) == pytest.approx(1, abs=1e-5)
