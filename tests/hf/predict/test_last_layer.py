from pathlib import Path

import pytest

from explorer.hf.predict.last_layer import last_layer, read_at
from tests.hf import tiny

MODELS = Path(__file__).resolve().parents[3] / "resources" / "models"
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
    inputs = model.encode("the chef cooked the meal in the kitchen.").inputs
    places = [3, 1, 5]
    batch = {key: value.expand(3, -1).contiguous() for key, value in inputs.items()}
    batch["input_ids"][range(3), places] = model.tokenizer.mask_token_id
    layer = last_layer(model.module)
    rows, columns = [0, 1, 1, 2], [3, 1, 4, 5]
    with torch.inference_mode():
        whole = model.encoder(**batch)[rows, columns]
        with read_at(layer, rows, columns):
            alone = model.encoder(**batch)
        after = model.encoder(**batch)
    assert alone.shape == (1, 4, whole.shape[1])
    assert torch.allclose(alone[0], whole, atol=1e-5)
    assert after.shape[1] == batch["input_ids"].shape[1]  # nothing stays behind


@pytest.mark.parametrize("name", WHOLE)
def test_others_are_left_alone(name):
    assert last_layer(tiny.load(folder(name)).module) is None


def test_the_hook_goes_when_the_model_fails():
    layer = last_layer(tiny.load(folder("bert")).module)
    hooks = layer.attention.output._forward_pre_hooks
    before = len(hooks)
    with pytest.raises(RuntimeError, match="no"), read_at(layer, [0], [1]):
        raise RuntimeError("no")
    assert len(hooks) == before
