"""A fingerprint is another one wherever a tokenizer may cut a text otherwise, and stays else."""

import json

import pytest

from explorer.engine.library.inspection import inspect_folder
from explorer.hf.text.vocabularies.fingerprint import tokenizer_fingerprint
from explorer.hf.text.vocabularies.pieces import vocabulary_hash
from tests.hf import tiny
from tests.hf.kept import MODELS


def read(folder):
    files = inspect_folder(folder)
    return tiny.families().family_of(files)[0].tokenizer(files)


@pytest.mark.parametrize(
    "name", ["bert-miniature", "gpt2-miniature", "t5-miniature", "xlm-miniature"]
)
def test_read_again_it_is_the_same_however_texts_are_cut_off(name):
    first, second = read(MODELS / name), read(MODELS / name)
    second.backend_tokenizer.enable_truncation(7)
    second.backend_tokenizer.enable_padding(length=9)
    told = tokenizer_fingerprint(first)
    assert tokenizer_fingerprint(second) == told
    assert len(told) == 32
    assert told.startswith(vocabulary_hash(first))


@pytest.mark.parametrize(
    ("name", "part", "value"),
    [
        ("bert-miniature", "normalizer", {"type": "NFD"}),
        ("bert-miniature", "pre_tokenizer", {"type": "Whitespace"}),
        ("gpt2-miniature", "pre_tokenizer", {"type": "ByteLevel", "add_prefix_space": True}),
    ],
)
def test_every_step_counts(name, part, value):
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerFast

    backend = read(MODELS / name).backend_tokenizer
    told = json.loads(backend.to_str())
    told[part] = {**(told[part] or {}), **value} if name.startswith("gpt2") else value
    changed = PreTrainedTokenizerFast(tokenizer_object=Tokenizer.from_str(json.dumps(told)))
    same = PreTrainedTokenizerFast(tokenizer_object=Tokenizer.from_str(backend.to_str()))
    assert vocabulary_hash(changed) == vocabulary_hash(same)
    assert tokenizer_fingerprint(changed) != tokenizer_fingerprint(same)


def test_merges_in_another_order_are_another_tokenizer():
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerFast

    told = json.loads(read(MODELS / "gpt2-miniature").backend_tokenizer.to_str())
    both = []
    for _ in range(2):
        both.append(PreTrainedTokenizerFast(tokenizer_object=Tokenizer.from_str(json.dumps(told))))
        told["model"]["merges"] = told["model"]["merges"][::-1]
    assert vocabulary_hash(both[0]) == vocabulary_hash(both[1])
    assert tokenizer_fingerprint(both[0]) != tokenizer_fingerprint(both[1])


def test_merges_in_a_file_of_their_own_count_too(tmp_path):
    """XLM's are read by a step that is written in Python and can't be serialised."""
    for path in (MODELS / "xlm-miniature").iterdir():
        if path.suffix in (".json", ".txt"):
            (tmp_path / path.name).write_bytes(path.read_bytes())
    first = read(tmp_path)
    lines = (tmp_path / "merges.txt").read_text("utf-8").splitlines()
    (tmp_path / "merges.txt").write_text("\n".join([*lines[:-2], lines[-1], lines[-2]]), "utf-8")
    second = read(tmp_path)
    assert vocabulary_hash(first) == vocabulary_hash(second)
    assert tokenizer_fingerprint(first) != tokenizer_fingerprint(second)


def test_one_that_says_nothing_of_itself_is_like_no_other():
    from tokenizers.pre_tokenizers import PreTokenizer

    class Own:
        def pre_tokenize(self, text):
            pass

    first, second = read(MODELS / "bert-miniature"), read(MODELS / "bert-miniature")
    for one in (first, second):
        one.backend_tokenizer.pre_tokenizer = PreTokenizer.custom(Own())
    assert tokenizer_fingerprint(first) == tokenizer_fingerprint(first)
    assert tokenizer_fingerprint(first) != tokenizer_fingerprint(second)
