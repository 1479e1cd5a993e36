"""Vocabularies that mark the ends of words, laid on others: real miniatures, plain arithmetic.

XLM's and GPT-1's pieces without "</w>" are beginnings of longer words. The words that two
vocabularies share are counted here from the vocabulary files alone, and the distributions come
from transformers' own classes.
"""

import csv
import json

import numpy as np
import pytest

from explorer.hf.loading.checkpoint import quiet_transformers
from explorer.paths import Paths

END = "</w>"
MODELS = Paths.standard().bundled_models
SENTENCES = (
    ("anna lost her key [MASK] the park .", 0.0020),
    ("the chef cooked [MASK] meal in the kitchen .", 0.0425),
)


@pytest.fixture(autouse=True, scope="module")
def trained():
    for name in ("xlm-miniature", "gpt1-miniature", "bert-miniature"):
        if not (MODELS / name / "model.safetensors").is_file():
            pytest.skip(f"{name} is not trained yet")


def softmax(logits):
    powers = np.exp(logits.astype(np.float64) - logits.max())
    return powers / powers.sum()


def ends_of(name):
    """Words that a vocabulary has as one finished piece, with their numbers."""
    folder = MODELS / name
    if (folder / "vocab.json").is_file():
        vocabulary = json.loads((folder / "vocab.json").read_text("utf-8"))
    else:
        vocabulary = json.loads((folder / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    return {
        piece.removesuffix(END): number
        for piece, number in vocabulary.items()
        if piece.endswith(END) and piece != END
    }


def words_of_bert():
    stored = json.loads((MODELS / "bert-miniature" / "tokenizer.json").read_text("utf-8"))
    special = {one["content"] for one in stored["added_tokens"]}
    return {
        piece: number
        for piece, number in stored["model"]["vocab"].items()
        if not piece.startswith("##") and piece not in special
    }


def xlm_at_mask(text):
    """transformers' XLM and its own tokenizer: the distribution where the mask stands."""
    import torch
    from transformers import XLMTokenizer, XLMWithLMHeadModel

    quiet_transformers()
    folder = MODELS / "xlm-miniature"
    tokenizer = XLMTokenizer(str(folder / "vocab.json"), str(folder / "merges.txt"))
    before, after = (tokenizer.tokenize(part) for part in text.split("[MASK]"))
    pieces = ["<s>", *before, "<special1>", *after, "</s>"]
    ids = torch.tensor([tokenizer.convert_tokens_to_ids(pieces)])
    module = XLMWithLMHeadModel.from_pretrained(folder).eval()
    with torch.inference_mode():
        logits = module(input_ids=ids, langs=torch.zeros_like(ids)).logits[0]
    return softmax(logits[pieces.index("<special1>")].numpy())


def bert_at_mask(text):
    import torch
    from transformers import BertForMaskedLM, PreTrainedTokenizerFast

    quiet_transformers()
    folder = MODELS / "bert-miniature"
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_file=str(folder / "tokenizer.json"), mask_token="[MASK]"
    )
    inputs = torch.tensor([tokenizer(text)["input_ids"]])
    module = BertForMaskedLM.from_pretrained(folder).eval()
    with torch.inference_mode():
        logits = module(input_ids=inputs).logits[0]
    return softmax(logits[inputs[0].tolist().index(tokenizer.mask_token_id)].numpy())


@pytest.mark.parametrize(("text", "expected"), SENTENCES)
def test_targets_of_xlm_are_whole_words(asked, tmp_path, text, expected):
    teacher, student = ends_of("xlm-miniature"), words_of_bert()
    shared = [word for word in teacher if word in student]
    p = xlm_at_mask(text)[[teacher[word] for word in shared]]
    q = bert_at_mask(text)[[student[word] for word in shared]]
    share = float(p.sum())
    p, q = p / p.sum(), q / q.sum()
    kl = float((p * np.log(p / q)).sum())
    assert kl == pytest.approx(expected, abs=1e-4)

    models = ("--teacher", "xlm-miniature", "--student", "bert-miniature")
    table = tmp_path / "targets.csv"
    found = asked("targets", text, *models, "--csv", table)
    rows = list(csv.DictReader(table.read_text("utf-8-sig").splitlines()))
    assert {row["temperature"] for row in rows} == {"1.0"}
    assert found["vocabulary"]["shared_mass"] == pytest.approx(share, abs=1e-4)
    assert float(rows[0]["kl_teacher_student"]) == pytest.approx(kl, abs=2e-5)
    back = float((q * np.log(q / p)).sum())
    assert float(rows[0]["kl_student_teacher"]) == pytest.approx(back, abs=2e-5)
    assert all(row["token"].endswith(END) for row in rows)
    likely = dict(zip(shared, p, strict=True))
    assert [float(row["teacher"]) for row in rows] == pytest.approx(
        [likely[row["word"]] for row in rows], abs=1e-5
    )


def test_words_compared_with_xlm_are_whole(asked):
    text = SENTENCES[0][0]
    found = asked("fill", text, "--model", "xlm-miniature", "--against", "bert-miniature")
    words, row = ends_of("xlm-miniature"), xlm_at_mask(text)
    seen = 0
    for one in found["by_word"][0]["words"]:
        if one["teacher"] is not None and "…" not in one["word"]:
            # BERT has no capital letters, so XLM's "In" and "in" are one word here.
            mine = [n for word, n in words.items() if word.casefold() == one["word"]]
            assert one["teacher"] == pytest.approx(row[mine].sum(), abs=1e-6)
            seen += 1
    assert seen >= 3


@pytest.mark.parametrize("name", ["xlm-miniature", "gpt1-miniature"])
def test_every_word_is_the_piece_that_ends_it(name):
    """No sign and no letter of the vocabulary stands in place of the finished word."""
    from explorer.hf.text.vocabularies.overlap import whole_words
    from explorer.hf.text.vocabularies.word_lists import word_list
    from tests.hf import tiny

    tokenizer = tiny.load(MODELS / name).tokenizer
    finished = ends_of(name)
    found = whole_words(tokenizer, after_space=True)
    assert {word: found.get(word) for word in finished} == finished
    known = word_list(tokenizer, folded=False)
    for word, number in finished.items():
        mine = np.flatnonzero(known.word_of == known.words.index(word))
        assert mine.tolist() == [number]


def test_a_beginning_is_shown_as_one(asked):
    """Pieces that need more letters say so in the list of what is likely."""
    found = asked("fill", "the [MASK] slept .", "--model", "xlm-miniature", "--top", "400")
    predictions = found["masks"][0]["predictions"]
    begun = [one for one in predictions if not one["token"].endswith(END) and one["word"].isalpha()]
    assert begun
    assert {one["glue"] for one in begun} <= {"after"}
    ended = [one for one in predictions if one["token"].endswith(END)]
    assert {one["glue"] for one in ended} == {""}
