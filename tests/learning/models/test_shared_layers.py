"""Layers that share weights, by what ALBERT's table 4 counts."""

import contextlib
import io

import pytest
import torch

from explorer.learning.models.shared_layers import apart
from explorer.learning.plan.choices import LayerSharing, ModelFamily, Norms, Objective
from tests.learning.tiny_plans import begun

WIDTH = 16
# Query, key, value and output with biases, and a norm.
ATTENTION = 4 * (WIDTH * WIDTH + WIDTH) + 2 * WIDTH
# There and back, and a norm.
FEED_FORWARD = 8 * WIDTH * WIDTH + 5 * WIDTH + 2 * WIDTH
FAMILIES = {
    "bert": {},
    "norms before": {"norms": Norms.PRE},
    "albert": {"family": ModelFamily.ALBERT},
    "electra": {"family": ModelFamily.ELECTRA},
    "gpt2": {"objective": Objective.CAUSAL},
    "gpt1": {"objective": Objective.CAUSAL, "norms": Norms.POST},
}
SAVED = {
    LayerSharing.NONE: 0,
    LayerSharing.ATTENTION: ATTENTION,
    LayerSharing.FEED_FORWARD: FEED_FORWARD,
    LayerSharing.ALL: ATTENTION + FEED_FORWARD,
}


def _parameters(model):
    return sum(one.numel() for one in model.parameters())


@pytest.mark.parametrize("sharing", SAVED)
@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_each_layer_after_the_first_saves_what_is_shared(family, sharing):
    layers = 3
    whole = begun(layers=layers, sharing=LayerSharing.NONE, **family).model
    shared = begun(layers=layers, sharing=sharing, **family).model
    assert _parameters(whole) - _parameters(shared) == (layers - 1) * SAVED[sharing]


def test_albert_shares_everything_by_itself():
    usual, all_of_it = (
        begun(family=ModelFamily.ALBERT, sharing=one).model for one in (LayerSharing.USUAL, "all")
    )
    assert _parameters(usual) == _parameters(all_of_it)
    assert usual.config.num_hidden_groups == 1


@pytest.mark.parametrize("sharing", list(SAVED)[1:])
@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_shared_layers_stay_the_same_and_are_written_apart(
    family, sharing, tmp_path, quiet_loading
):
    run = begun(layers=3, sharing=sharing, **family)
    for _ in range(2):
        run.advance()
    copy = apart(run.model).eval()
    assert copy.state_dict().keys() == run.model.state_dict().keys()
    with contextlib.redirect_stderr(io.StringIO()):
        copy.save_pretrained(tmp_path)
        read, info = type(copy).from_pretrained(tmp_path, output_loading_info=True)
    assert not any(info[one] for one in ("missing_keys", "unexpected_keys", "mismatched_keys"))
    given = run.batches.batch(2)["input_ids"]
    with torch.no_grad():
        expected = run.model.eval()(given).logits
        assert torch.equal(read.eval()(given).logits, expected)
