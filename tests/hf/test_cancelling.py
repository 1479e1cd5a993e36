import pytest

from explorer.api.family import Cancelled, Context
from explorer.hf.cancelling import cancellable, install_cancel_hooks
from explorer.hf.predict.masked_text import predict_masks
from tests.hf import tiny

LAYERS = 12


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny.load(
        tiny.save_bert(tmp_path_factory.mktemp("models") / "bert", num_hidden_layers=LAYERS)
    )


@pytest.fixture
def counted(model):
    """Counts the layers that ran to their end."""
    done = []
    layers = model.module.bert.encoder.layer
    hooks = [
        layer.register_forward_hook(lambda *_, number=i: done.append(number))
        for i, layer in enumerate(layers)
    ]
    yield done
    for hook in hooks:
        hook.remove()


@pytest.mark.parametrize("allowed", [1, 5, LAYERS - 1])
def test_stops_within_a_layer(model, counted, allowed):
    context = Context(is_cancelled=lambda: len(counted) >= allowed)
    with pytest.raises(Cancelled):
        predict_masks(model, model.encode("the [MASK]"), 3, context)
    assert counted == list(range(allowed))


def test_cancelled_before_it_began(model, counted):
    with pytest.raises(Cancelled):
        predict_masks(model, model.encode("the [MASK]"), 3, Context(is_cancelled=lambda: True))
    assert counted == []


def test_the_model_answers_as_before_after_it_was_stopped(model, counted):
    encoded = model.encode("the [MASK] sat")
    before = predict_masks(model, encoded, 5, Context())
    counted.clear()
    with pytest.raises(Cancelled):
        predict_masks(model, encoded, 5, Context(is_cancelled=lambda: len(counted) > 3))
    assert predict_masks(model, encoded, 5, Context()) == before


def test_outside_the_block_nothing_stops_a_model(model, counted):
    import torch

    with cancellable(Context()):
        pass
    with torch.inference_mode():
        model.encoder(**model.encode("the cat").inputs)
    assert len(counted) == LAYERS


def test_hooks_are_put_on_the_children_of_module_lists_only():
    from torch import nn

    module = nn.Module()
    module.layers = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])
    module.head = nn.Linear(2, 2)
    assert install_cancel_hooks(module) == 2
