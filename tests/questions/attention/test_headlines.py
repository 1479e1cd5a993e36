"""What each of these pages says first is the largest effect that its result's numbers have."""

from dataclasses import replace

import numpy as np

from explorer.questions.attention.bertviz.question import weights_in
from tests.questions.headlines import headline_of, recorded, said_of


def test_attention_tells_the_head_that_keeps_to_one_kind_of_place_as_no_other_does():
    result = recorded("attention")
    assert not said_of("attention"), "several heads look at the next token alike"
    measures = result.measures.copy()
    number = result.measure_names.index("previous")
    layer, head = np.argwhere(measures[number] == measures[number].max())[0]
    measures[number, layer, head] = 0.83
    others = np.delete(
        measures[number].ravel(), np.ravel_multi_index((layer, head), measures[number].shape)
    )
    middle = np.median(others)
    assert 0.6745 * (0.83 - middle) / np.median(abs(others - middle)) > 3.5
    first = headline_of("attention", replace(result, measures=measures))
    assert first.sentence == (
        f"Layer {layer}, head {head} has the plainest pattern: 83 % of its attention goes to the "
        "previous token."
    )
    assert dict(first.points_at) == {"attention.head": f"{layer}.{head}"}
    flat = replace(result, measures=np.full_like(result.measures, 0.1))
    assert not headline_of("attention", flat).sentence
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


def test_bertviz_says_nothing_of_the_thickest_of_many_lines():
    (stack,) = weights_in(recorded("bertviz").html)
    weights = np.array(stack["attn"])
    weights *= 1.0 - np.eye(weights.shape[-1])
    thickest = np.sort(weights.max((-2, -1)).ravel())
    assert thickest[-1] - thickest[-4] < 0.05, "other heads have one as thick"
    assert not said_of("bertviz")


def test_query_and_key_tell_the_dimension_that_makes_the_strongest_pair():
    result = recorded("query_key")
    attention = result.attention * (1.0 - np.eye(len(result.attention)))
    query, key = np.argwhere(attention == attention.max())[0]
    assert not said_of("query_key"), "many dimensions make it together"
    queries = result.queries.copy()
    queries[query, 7] *= 20 * np.sign(queries[query, 7] * result.keys[key, 7])
    products = queries[query] * result.keys[key] * result.scale
    bias = 0.0 if result.bias is None else result.bias[query, key]
    first = headline_of("query_key", replace(result, queries=queries))
    assert np.argmax(products) == 7
    assert f"({100 * attention.max():.1f} %)" in first.sentence
    assert f"dimension 7 adds most to it, +{products.max():.2f} of" in first.sentence
    assert f"a score of {products.sum() + bias:+.2f}." in first.sentence
    assert dict(first.points_at) == {"query_key.pair": (query, key)}


def test_head_ablation_tells_the_head_that_changes_most_when_it_is_off_alone():
    result = recorded("head_ablation")
    (effects,) = result.effects
    layer, head = np.argwhere(abs(effects.values) == abs(effects.values).max())[0]
    assert not said_of("head_ablation"), "others matter nearly as much"
    values = effects.values / 10
    values[layer, head] *= 10
    alone = replace(result, effects=(replace(effects, values=values),))
    (mask,) = result.changes.masks
    assert not any(one.is_original for one in mask.words)
    word = mask.words[int(np.argmax([one.before or 0.0 for one in mask.words]))]
    after = word.before * np.exp(effects.values[layer, head])
    effect = headline_of("head_ablation", alone)
    assert effect.position == mask.position
    assert effect.sentence == (
        f"Without layer {layer}, head {head}, “{word.word}” falls from "
        f"{100 * word.before:.0f} % to {100 * after:.0f} %: no other head matters as much."
    )
    little = replace(effects, values=values * 1e-3)
    assert not said_of("head_ablation", replace(result, effects=(little,)))


def test_head_ablation_tells_the_word_that_moves_most_without_these_heads():
    result = replace(recorded("head_ablation"), effects=())
    words = [(one.change, one) for one in result.changes.masks[0].words if one.change is not None]
    change, word = words[int(np.argmax([abs(change) for change, _word in words]))]
    said = said_of("head_ablation", result)
    assert f"“{word.word}” at position {result.changes.masks[0].position} changes most" in said
    assert abs(change) >= 0.05
    assert not said_of("head_ablation", replace(result, off=()))


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
    (effects,) = result.effects
    values = np.full_like(effects.values, 0.01)
    values[1, 2] = 0.4
    every = replace(judged, effects=(replace(effects, values=values),))
    assert said_of("head_ablation", every) == (
        "Layer 1, head 2 matters most: without it alone, the verdicts move by 40 % on average."
    )


def test_disentangled_attention_tells_the_head_that_one_part_decides():
    result = replace(recorded("disentangled_attention"), off=())
    assert not said_of("disentangled_attention", result), "heads are much alike"
    content, *others = result.parts
    shares = content.shares.copy()
    shares[1, 0] = 0.9
    parts = (replace(content, shares=shares), *others)
    first = headline_of("disentangled_attention", replace(result, parts=parts))
    assert first.sentence == (
        "In layer 1, head 0, content to content decides most: 90 % of the differences between "
        f"scores, against a mean of {100 * shares.mean():.0f} % over all heads."
    )
    prefix = "disentangled_attention"
    assert (first.points_at[f"{prefix}.layer"], first.points_at[f"{prefix}.head"]) == (1, 0)
