from pathlib import Path

import pytest

from explorer.api.family import Weights
from explorer.hf.predict.passes.last_layer import last_tail, read_at
from tests.hf import tiny

MODELS = Path(__file__).resolve().parents[4] / "resources" / "models"
TRIMMED = [
    "bert",
    "distilbert",
    "electra-generator",
    "ernie",
    "roberta",
    "spanbert",
    "tinybert",
]
WHOLE = ["albert", "deberta-v1", "gpt2", "mobilebert", "xlm"]


def folder(name):
    first, _, rest = name.partition("-")
    if first == "electra":
        return MODELS / f"electra-miniature-{rest}"
    return MODELS / f"{name}-miniature"


def tail_of(model):
    """As the family that loaded it says."""
    family = model.ports[Weights]
    return last_tail(model.module, family.attention_layout(model.module))


@pytest.mark.parametrize("name", TRIMMED)
def test_the_states_are_those_of_the_whole_layer(name):
    import torch

    model = tiny.load(folder(name))
    inputs = model.encode("the chef cooked the meal in the kitchen.").inputs
    places = [3, 1, 5]
    batch = {key: value.expand(3, -1).contiguous() for key, value in inputs.items()}
    batch["input_ids"][range(3), places] = model.tokenizer.mask_token_id
    tail = tail_of(model)
    rows, columns = [0, 1, 1, 2], [3, 1, 4, 5]
    with torch.inference_mode():
        whole = model.encoder(**batch)[rows, columns]
        with read_at(tail, rows, columns):
            alone = model.encoder(**batch)
        after = model.encoder(**batch)
    assert alone.shape == (1, 4, whole.shape[1])
    assert torch.allclose(alone[0], whole, atol=1e-5)
    assert after.shape[1] == batch["input_ids"].shape[1]  # nothing stays behind


@pytest.mark.parametrize("name", WHOLE)
def test_others_are_left_alone(name):
    assert tail_of(tiny.load(folder(name))) is None


def test_the_hook_goes_when_the_model_fails():
    tail = tail_of(tiny.load(folder("bert")))
    hooks = tail._forward_pre_hooks
    before = len(hooks)
    with pytest.raises(RuntimeError, match="no"), read_at(tail, [0], [1]):
        raise RuntimeError("no")
    assert len(hooks) == before
