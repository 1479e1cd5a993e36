from pathlib import Path

import pytest

from explorer.hf.encoding import encode
from explorer.hf.last_layer import last_layer, read_at
from tests.hf import tiny

MODELS = Path(__file__).resolve().parents[2] / "resources" / "models"
TRIMMED = ["bert", "roberta", "electra-generator", "ernie", "spanbert", "tinybert"]
WHOLE = ["distilbert", "deberta-v1", "gpt2"]


def folder(name):
    first, _, rest = name.partition("-")
    if first == "electra":
        return MODELS / f"electra-miniature-{rest}"
    return MODELS / f"{name}-miniature"


@pytest.mark.parametrize("name", TRIMMED)
def test_the_states_are_those_of_the_whole_layer(name):
    import torch

    model = tiny.load(folder(name))
    inputs = encode(model, "the chef cooked the meal in the kitchen.").inputs
    places = [3, 1, 5]
    batch = {key: value.expand(3, -1).contiguous() for key, value in inputs.items()}
    batch["input_ids"][range(3), places] = model.tokenizer.mask_token_id
    with torch.inference_mode():
        whole = model.encoder(**batch)[range(3), places]
        with read_at(model, places) as is_alone:
            alone = model.encoder(**batch)
        after = model.encoder(**batch)
    assert is_alone
    assert alone.shape == (3, 1, whole.shape[1])
    assert torch.allclose(alone[:, 0], whole, atol=1e-5)
    assert after.shape[1] == batch["input_ids"].shape[1]  # nothing stays behind


@pytest.mark.parametrize("name", WHOLE)
def test_others_are_left_alone(name):
    model = tiny.load(folder(name))
    assert last_layer(model) is None
    with read_at(model, [1]) as is_alone:
        assert not is_alone


def test_the_hook_goes_when_the_model_fails():
    model = tiny.load(folder("bert"))
    layer = last_layer(model)
    hooks = layer.attention.output._forward_pre_hooks
    before = len(hooks)
    with pytest.raises(RuntimeError, match="no"), read_at(model, [1]):
        raise RuntimeError("no")
    assert len(hooks) == before
