"""What each of these pages says first is the largest effect that its result's numbers have."""

import math
from dataclasses import replace

import numpy as np

from explorer.questions.attention.attention.headline import PATTERNS
from explorer.questions.attention.bertviz.question import weights_in
from tests.questions.headlines import headline_of, recorded, said_of


def test_attention_tells_the_head_with_the_largest_share_for_one_kind_of_place():
    result = recorded("attention")
    best = max(
        (float(value), layer, head)
        for name, heads in zip(result.measure_names, result.measures, strict=True)
        if name in PATTERNS
        for (layer, head), value in np.ndenumerate(heads)
        if math.isfinite(value)
    )
    share, layer, head = best
    said = said_of("attention")
    assert said.startswith(f"Layer {layer}, head {head} has the plainest pattern")
    assert f"{100 * share:.0f} %" in said
    flat = replace(result, measures=np.full_like(result.measures, 0.1))
    assert said_of("attention", flat).startswith("No head keeps to one kind of place")
    none = replace(result, measures=np.full_like(result.measures, np.nan))
    assert not headline_of("attention", none).sentence


def test_attention_in_full_tells_the_strongest_link_of_the_head():
    result = recorded("attention of few heads")
    weights = result.weights[0].copy()
    weights[np.eye(len(weights), dtype=bool)] = 0.0
    row, column = np.argwhere(weights == weights.max())[0]
    query, key = result.queries[row].label, result.keys[column].label
    said = said_of("attention of few heads")
    assert f"“{query}” looks most at “{key}”: {100 * weights.max():.0f} %" in said


def test_bertviz_tells_the_largest_weight_between_different_tokens():
    (stack,) = weights_in(recorded("bertviz").html)
    weights = np.array(stack["attn"])
    weights *= 1.0 - np.eye(weights.shape[-1])
    layer, head, query, key = np.argwhere(weights == weights.max())[0]
    said = said_of("bertviz")
    assert f"in layer {layer}, head {head}," in said
    assert f"“{stack['left_text'][query]}” gives “{stack['right_text'][key]}”" in said


def test_query_and_key_tell_the_dimension_that_adds_most_to_the_strongest_pair():
    result = recorded("query_key")
    attention = result.attention * (1.0 - np.eye(len(result.attention)))
    query, key = np.argwhere(attention == attention.max())[0]
    products = result.queries[query] * result.keys[key] * result.scale
    bias = 0.0 if result.bias is None else result.bias[query, key]
    said = said_of("query_key")
    assert f"({100 * attention.max():.1f} %)" in said
    assert f"dimension {np.argmax(products)} adds most to it, +{products.max():.2f} of" in said
    assert f"a score of {products.sum() + bias:+.2f}." in said


def test_head_ablation_tells_the_head_that_changes_most_when_it_is_off_alone():
    result = recorded("head_ablation")
    (effects,) = result.effects
    layer, head = np.argwhere(abs(effects.values) == abs(effects.values).max())[0]
    (mask,) = result.changes.masks
    assert not any(one.is_original for one in mask.words)
    word = mask.words[int(np.argmax([one.before or 0.0 for one in mask.words]))]
    after = word.before * np.exp(effects.values[layer, head])
    effect = headline_of("head_ablation")
    assert effect.position == mask.position
    assert effect.sentence == (
        f"Without layer {layer}, head {head}, “{word.word}” falls from "
        f"{100 * word.before:.0f} % to {100 * after:.0f} %: no other head matters as much."
    )
    little = replace(effects, values=effects.values * 1e-3)
    said = said_of("head_ablation", replace(result, effects=(little,)))
    assert said.startswith("No head alone matters much")


def test_head_ablation_tells_the_word_that_moves_most_without_these_heads():
    result = replace(recorded("head_ablation"), effects=())
    words = [(one.change, one) for one in result.changes.masks[0].words if one.change is not None]
    change, word = words[int(np.argmax([abs(change) for change, _word in words]))]
    said = said_of("head_ablation", result)
    assert f"“{word.word}” at position {result.changes.masks[0].position} changes most" in said
    assert abs(change) >= 0.05
    kept = said_of("head_ablation", replace(result, off=()))
    assert "with every head" in kept


def test_head_ablation_tells_the_verdict_that_moves_most_of_a_discriminator():
    result = recorded("head_ablation")
    before = np.linspace(0.1, 0.2, len(result.tokens), dtype=np.float32)
    after = before.copy()
    after[2] = 0.9
    changes = replace(result.changes, masks=(), replaced_before=before, replaced_after=after)
    judged = replace(result, changes=changes, effects=())
    effect = headline_of("head_ablation", judged)
    assert effect.position == int(abs(after - before).argmax())
    assert "goes from 13 % to 90 %" in effect.sentence
    every = replace(judged, effects=result.effects)
    assert "the verdicts move by" in said_of("head_ablation", every)


def test_disentangled_attention_tells_the_largest_part_of_the_head():
    result = recorded("disentangled_attention")
    shares = {part.name: part.shares[result.layer, result.head] for part in result.parts}
    most = max(shares, key=lambda name: shares[name])
    named = {
        "c2c": "content to content",
        "c2p": "content to position",
        "p2c": "position to content",
    }
    (mean,) = (part.shares.mean() for part in result.parts if part.name == most)
    said = said_of("disentangled_attention", replace(result, off=()))
    assert f"In layer {result.layer}, head {result.head}, {named[most]} decides most" in said
    assert f"{100 * shares[most]:.0f} % of" in said
    assert f"a mean of {100 * mean:.0f} % over" in said
