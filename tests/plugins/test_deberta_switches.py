"""Parts of DeBERTa's scores switched off, against projections set to zero by hand."""

import numpy as np
import pytest

from explorer.document import Mask
from explorer.questions.attention.disentangled_attention.question import ABSOLUTE, PARTS, Off
from tests.plugins.deberta_tiny import ask, model_of


def row_of(matrix, v1, layer, head, heads=4):
    """The rows of a projection that are one head's."""
    wide = len(matrix) // heads
    return slice(head * wide, (head + 1) * wide)


@pytest.mark.parametrize("v1", [True, False])
@pytest.mark.parametrize("part", ["c2p", "p2c"])
@pytest.mark.parametrize(
    "off", [(None, None), (1, None), (None, 2), (2, 3)], ids=["everywhere", "layer", "head", "one"]
)
def test_a_part_off_is_a_projection_of_zeros(v1, part, off):
    """The projection that makes the part set to zero, where it is off."""
    import torch

    layer, head = off
    model = model_of(v1=v1, enhanced=True, pos_att_type=["c2p", "p2c"], position_buckets=6)
    masks = (Mask(4, 7),)
    chosen = {"layer": 2, "head": 3, "masks": masks, "top_k": 5}
    result = ask(model, off=(Off(part, layer, head),), **chosen)
    names = {"c2p": "pos_proj", "p2c": "pos_q_proj"}
    if not v1:
        names = {"c2p": "pos_key_proj", "p2c": "pos_query_proj"}
    for number, one in enumerate(model.module.deberta.encoder.layer):
        if layer in (None, number):
            projection = getattr(one.attention.self, names[part])
            rows = row_of(projection.weight, v1, number, head) if head is not None else slice(None)
            with torch.no_grad():
                projection.weight[rows] = 0
                if projection.bias is not None:
                    projection.bias[rows] = 0
    expected = ask(model, **chosen)
    np.testing.assert_allclose(result.attention_after, expected.attention, atol=1e-5)
    for mask, by_hand in zip(result.changes.masks, expected.changes.masks, strict=True):
        known = {word.id: word.before for word in by_hand.words}
        shared = [word for word in mask.words if word.id in known]
        assert len(shared) >= 5
        for word in shared:
            assert word.after == pytest.approx(known[word.id], abs=1e-5)
        assert mask.entropy_after == pytest.approx(by_hand.entropy_before, abs=1e-4)
        assert max(abs(word.change) for word in mask.words) > 1e-4


@pytest.mark.parametrize("v1", [True, False])
def test_content_off_leaves_positions(v1):
    model = model_of(v1=v1, pos_att_type=["c2p", "p2c"])
    result = ask(model, layer=0, head=1, off=(Off("c2c", 0, 1),))
    rest = result.part("c2p").scores + result.part("p2c").scores
    powers = np.exp(rest - rest.max(axis=-1, keepdims=True))
    expected = powers / powers.sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(result.attention_after, expected, atol=1e-5)
    other = ask(model, layer=0, head=0, off=(Off("c2c", 0, 1),))
    np.testing.assert_allclose(other.attention_after, other.attention, atol=1e-6)
    everything = ask(model, layer=1, head=1, off=tuple(Off(name) for name in PARTS))
    count = len(everything.tokens)
    np.testing.assert_allclose(everything.attention_after, 1 / count, atol=1e-5)


@pytest.mark.parametrize("v1", [True, False])
def test_absolute_positions_off(v1):
    """As a decoder whose table of absolute positions is all zeros."""
    import torch

    model = model_of(v1=v1, enhanced=True, pos_att_type=["c2p", "p2c"])
    chosen = {"step": 1, "head": 2, "masks": (Mask(4, 7), Mask(16, 19)), "top_k": 4}
    result = ask(model, off=(Off(ABSOLUTE),), **chosen)
    with torch.no_grad():
        model.module.deberta.embeddings.position_embeddings.weight.zero_()
    expected = ask(model, **chosen)
    np.testing.assert_allclose(result.attention_after, expected.attention, atol=1e-6)
    for mask, by_hand in zip(result.changes.masks, expected.changes.masks, strict=True):
        assert mask.entropy_after == pytest.approx(by_hand.entropy_before, abs=1e-5)
        assert mask.best[1].id == by_hand.best[0].id
        assert max(abs(word.change) for word in mask.words) > 1e-4
