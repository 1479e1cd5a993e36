"""GPT-1 against transformers' own forward, from the published layout."""

import json

import numpy as np
import pytest

from explorer.api.family import Context, UserMistake
from explorer.document import Mask
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from tests.hf import tiny

LETTERS = [chr(n) for n in range(ord("a"), ord("z") + 1)] + list(".,!'-")
MERGES = ["t h", "th e</w>", "c a", "ca t</w>", "o n</w>", "s a", "sa t</w>"]
MERGED = [merge.replace(" ", "") for merge in MERGES]
VOCABULARY = ["<unk>", *LETTERS, *(f"{letter}</w>" for letter in LETTERS), *MERGED]


def save(folder, **values):
    """vocab.json and merges.txt beside the weights, without a tokenizer.json."""
    import torch
    from safetensors.torch import save_file
    from transformers import OpenAIGPTConfig, OpenAIGPTLMHeadModel

    settings = {"n_embd": 32, "n_layer": 3, "n_head": 4, "n_positions": 16, **values}
    torch.manual_seed(0)
    module = OpenAIGPTLMHeadModel(
        OpenAIGPTConfig(vocab_size=len(VOCABULARY), initializer_range=0.3, **settings)
    ).eval()
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(module.config.to_dict()))
    (folder / "vocab.json").write_text(json.dumps({p: i for i, p in enumerate(VOCABULARY)}))
    (folder / "merges.txt").write_text("\n".join(["#version: 0.2", *MERGES, ""]))
    weights = tiny.weights_of(module)
    weights["h.0.attn.bias"] = torch.ones(1, 1, 16, 16).tril()
    save_file(weights, folder / "model.safetensors")
    return module


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "openai-gpt"
    return folder, save(folder)


@pytest.fixture(scope="module")
def model(saved):
    return tiny.load(saved[0])


def ask(model, text, masks=(), top_k=5, **options):
    return tiny.ask(
        model, MaskedTokensRequest(text, masks=tuple(masks), top_k=top_k, **options), Context()
    )


def test_the_tokenizer_lower_cases_and_ends_words(model):
    tokens = model.encode("The cat, sat").tokens
    assert [(t.text, t.start, t.end) for t in tokens] == [
        ("the</w>", 0, 3),
        ("cat</w>", 4, 7),
        (",</w>", 7, 8),
        ("sat</w>", 9, 12),
    ]


def test_equals_transformers_forward(saved, model):
    import torch

    result = ask(model, "the cat sat on the cat", [Mask(8, 11)], top_k=len(VOCABULARY))
    ids = [VOCABULARY.index(p) for p in ("the</w>", "cat</w>")]
    with torch.no_grad():
        row = saved[1](input_ids=torch.tensor([ids])).logits[0, -1].double().softmax(-1).numpy()
    (mask,) = result.masks
    assert mask.position == 2
    for one in mask.predictions:
        assert one.probability == pytest.approx(row[one.id], abs=1e-4)
    assert [one.id for one in mask.predictions[:5]] == list(np.argsort(-row)[:5])
    assert mask.entropy == pytest.approx(-(row * np.log(row)).sum(), abs=1e-4)
    assert mask.original.token == "sat</w>"
    assert mask.original.word == "sat"
    assert mask.original.rank == 1 + (row > row[mask.original.id]).sum()
    assert "only what comes before" in result.note


def test_nothing_stands_before_the_first_token(model):
    with pytest.raises(UserMistake, match="before the first token"):
        ask(model, "[MASK] cat")


def test_the_triangle_is_no_weight(saved, model):
    from explorer.engine.library.inspection import inspect_folder

    files = inspect_folder(saved[0])
    family, recognition = tiny.families().family_of(files)
    assert recognition.family == "gpt1"
    parameters = {p.data_ptr(): p.numel() for p in model.module.parameters()}
    assert family.parameters(files) == sum(parameters.values())
    assert family.architecture(files.config) == "GPT-1 · 3 layers × 32 wide × 4 heads · 70 pieces"


def test_too_long(model):
    result = ask(model, "the " * 10 + "[MASK]" + " cat" * 10)
    assert len(result.tokens) == 16
    assert result.left_out.tokens == 5
    with pytest.raises(UserMistake, match="does not fit"):
        ask(model, "the " * 20 + "[MASK]")
