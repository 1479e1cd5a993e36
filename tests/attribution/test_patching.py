"""Patching as scores of words: by hooks on transformers' own BERT, and where it is occlusion."""

import numpy as np
import pytest

from explorer.attribution.known import own_methods
from explorer.attribution.patching import disturbed, restored
from explorer.attribution.scoring import ScoresAsked, scored
from tests.attribution.test_methods import Plain, asked_of

torch = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def asked():
    return asked_of("bert-miniature")


@pytest.fixture(scope="module")
def plain(asked):
    """The same text to transformers, which the program's loading has told to be quiet."""
    return Plain()


def two_runs(plain):
    """Inputs of the text and of one where all words but the asked one are [MASK], too."""
    ids = plain.inputs.input_ids
    mask = int(ids[0, plain.place])
    kept = [0, plain.place, ids.shape[1] - 1]
    silent = torch.full_like(ids, mask)
    silent[0, kept] = ids[0, kept]
    return ids, silent


def with_state(plain, into, source, layer, positions):
    """The value of a run with some states behind a layer, or the embeddings (-1), of another."""
    part = plain.model.bert.embeddings if layer < 0 else plain.layers[layer]

    def first(output):
        return output[0] if isinstance(output, tuple) else output

    with torch.no_grad():
        seen = []
        handle = part.register_forward_hook(lambda _m, _a, out: seen.append(first(out)))
        plain.model(**{**plain.inputs, "input_ids": source})
        handle.remove()

        def put(_module, _args, output):
            states = first(output).clone()
            states[:, positions] = seen[0][:, positions]
            return (states, *output[1:]) if isinstance(output, tuple) else states

        handle = part.register_forward_hook(put)
        try:
            return float(plain.value(plain.model(**{**plain.inputs, "input_ids": into})))
        finally:
            handle.remove()


def test_patching_puts_a_words_states_of_one_run_into_another(asked, plain):
    """Cell by cell, one word of two tokens among them, and the scores are the largest cells."""
    units = ((1, 2), *((n,) for n in range(3, len(asked.own) - 1) if n != plain.place))
    asked = ScoresAsked(asked.explained, asked.own, asked.baseline, units)
    text, silent = two_runs(plain)
    with torch.no_grad():
        ends = [
            float(plain.value(plain.model(**{**plain.inputs, "input_ids": ids})))
            for ids in (text, silent)
        ]
    layers = range(-1, len(plain.layers) - 1)
    back = [[with_state(plain, silent, text, n, list(u)) for u in units] for n in layers]
    gone = [[with_state(plain, text, silent, n, list(u)) for u in units] for n in layers]
    expected = np.array(back) - ends[1], ends[0] - np.array(gone)
    assert np.abs(expected).max() > 1
    assert restored(asked) == pytest.approx(expected[0], abs=1e-4)
    assert disturbed(asked) == pytest.approx(expected[1], abs=1e-4)
    methods = own_methods()
    for name, cells in zip(("patching_denoising", "patching_noising"), expected, strict=True):
        assert scored(methods[name], asked).scores == pytest.approx(cells.max(0), abs=1e-4)
    occlusion = scored(methods["occlusion"], asked).scores
    assert disturbed(asked)[0] == pytest.approx(occlusion, abs=1e-4)
