import numpy as np
import pytest

from explorer.objectives import IGNORED
from explorer.objectives.masking.masked_language_model import (
    DYNAMIC,
    STATIC,
    MaskingPolicy,
    mask_text,
)

MASK = 4
ORDINARY = np.arange(5, 1000)
BERT = MaskingPolicy()


def masked(tokens, seed=0, policy=BERT):
    candidates = tokens >= 5
    return mask_text(tokens, candidates, ORDINARY, MASK, policy, np.random.default_rng(seed))


def test_labels_are_the_original_tokens_where_selected_and_nothing_elsewhere():
    tokens = np.array([2, *range(100, 140), 3])
    text = masked(tokens)
    selected = text.labels != IGNORED
    assert selected.sum() == 6  # 15 % of 40
    assert (text.labels[selected] == tokens[selected]).all()
    assert (text.inputs[~selected] == tokens[~selected]).all()
    assert not selected[[0, -1]].any()
    assert tokens.tolist() == [2, *range(100, 140), 3], "the text itself is left alone"


def test_rates_are_80_10_10():
    tokens = np.tile(np.arange(100, 300), 500)
    text = masked(tokens)
    selected = text.labels != IGNORED
    assert selected.mean() == pytest.approx(0.15, abs=1e-4)
    became, was = text.inputs[selected], tokens[selected]
    assert (became == MASK).mean() == pytest.approx(0.80, abs=0.015)
    unchanged = (became == was).mean()
    assert unchanged == pytest.approx(0.10, abs=0.01)
    assert 1 - (became == MASK).mean() - unchanged == pytest.approx(0.10, abs=0.01)
    assert not np.isin(became, range(4)).any(), "a random token is never a special one"


def test_short_texts_have_one_mask():
    assert (masked(np.array([2, 9, 3])).labels != IGNORED).sum() == 1


def patterns(policy, epochs):
    tokens = np.arange(100, 160)
    return [
        tuple(
            mask_text(
                tokens, tokens > 0, ORDINARY, MASK, policy, policy.generator(7, 3, epoch)
            ).inputs
        )
        for epoch in epochs
    ]


def test_static_masks_repeat_and_dynamic_ones_do_not():
    static = patterns(MaskingPolicy(dynamic=False, copies=4), range(12))
    assert static[:4] == static[4:8] == static[8:]
    assert len(set(static)) == 4
    assert len(set(patterns(MaskingPolicy(dynamic=True), range(12)))) == 12


def test_masks_are_seeded():
    dynamic = MaskingPolicy()
    assert patterns(dynamic, [2]) == patterns(dynamic, [2])


def test_static_masks_repeat_ten_patterns_and_dynamic_ones_none():
    static, dynamic = patterns(STATIC, range(30)), patterns(DYNAMIC, range(30))
    assert static[:10] == static[10:20] == static[20:]
    assert len(set(static)) == 10
    assert len(set(dynamic)) == 30
    # Nothing tells them apart before the eleventh reading.
    assert static[:10] == dynamic[:10]
