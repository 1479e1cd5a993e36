"""Heads switched off, against weights that are set to zero by hand."""

import copy
import dataclasses
import math

import numpy as np
import pytest

from explorer.api.question import (
    AttentionModules,
    Cancelled,
    Context,
    Discriminator,
    HeadPlace,
    Unavailable,
    UserMistake,
)
from explorer.document import Document, Mask
from explorer.hf.attention.layout import AttentionKind
from explorer.hf.attention.modules import find_attentions, heads_of
from explorer.questions.attention.head_ablation.question import (
    QUESTION,
    HeadAblationRequest,
    places_of,
)
from explorer.questions.masking.masked_tokens.compute import run as fill_mask
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from tests.hf import every_family, tiny
from tests.hf.kept import miniature

TEXT = "the cat sat on the mat, it was great"
MASKS = (Mask(4, 7), Mask(19, 22))
PLACES = (HeadPlace("encoder", 1, 0), HeadPlace("encoder", 1, 2), HeadPlace("encoder", 2, 3))


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory):
    return every_family.Checkpoints(tmp_path_factory.mktemp("models"))


def places_for(model):
    """The same heads, in whatever stack the model has."""
    kinds = {one.kind for one in model.port(AttentionModules).modules()}
    if AttentionKind.CROSS in kinds:
        return (*PLACES, HeadPlace("decoder", 0, 1), HeadPlace("cross", 2, 0))
    kind = "encoder" if AttentionKind.ENCODER in kinds else "decoder"
    return tuple(HeadPlace(kind, one.layer, one.head) for one in PLACES)


def zeroed(model, places):
    """A copy whose output projections have no weights for these heads."""
    import torch

    module = copy.deepcopy(model.module)
    for one in find_attentions(module, model.port(AttentionModules).layout):
        for place in places:
            if place.kind != one.kind or place.layer not in one.layers:
                continue
            assert len(one.layers) == 1
            wide = slice(place.head * one.width, (place.head + 1) * one.width)
            weight = one.output.weight
            with torch.no_grad():
                if type(one.output).__name__ == "Conv1D":  # inputs x outputs
                    weight[wide] = 0
                else:
                    weight[:, wide] = 0
    return module


def run_plainly(module, encoded, decoder):
    import torch

    extra = {"decoder_input_ids": torch.tensor([[0, 5, 7]])} if decoder else {}
    with torch.inference_mode():
        base = module if decoder else module.base_model
        output = base(**encoded.inputs, **extra)
        return output.logits if decoder else output.last_hidden_state


@pytest.mark.parametrize("family_id", [one for one in every_family.IDS if one != "albert"])
def test_a_head_off_is_a_head_without_output_weights(checkpoints, family_id):
    import torch

    for model in checkpoints.models(family_id):
        encoded = model.encode(TEXT)
        decoder = family_id == "t5"
        before = run_plainly(model.module, encoded, decoder)
        for places in (places_for(model)[:1], places_for(model)):
            expected = run_plainly(zeroed(model, places), encoded, decoder)
            with model.port(AttentionModules).ablated(places):
                given = run_plainly(model.module, encoded, decoder)
            torch.testing.assert_close(given, expected, atol=1e-4, rtol=1e-4)
            assert not torch.allclose(given, before, atol=1e-3)
        assert bool((run_plainly(model.module, encoded, decoder) == before).all())


def test_shared_layers_are_told_apart(checkpoints):
    """ALBERT's one module, called three times: off in the second call only."""
    import torch

    (model,) = checkpoints.models("albert")
    encoded = model.encode(TEXT)
    (one,) = model.port(AttentionModules).modules()
    calls = []

    def by_hand(_module, inputs):
        calls.append(1)
        if len(calls) != 2:
            return None
        changed = inputs[0].clone()
        changed[..., 2 * one.width : 3 * one.width] = 0
        return (changed,)

    handle = one.output.register_forward_pre_hook(by_hand)
    expected = run_plainly(model.module, encoded, False)
    handle.remove()
    assert len(calls) == len(one.layers) == 3
    with model.port(AttentionModules).ablated((HeadPlace("encoder", 1, 2),)):
        once = run_plainly(model.module, encoded, False)
        again = run_plainly(model.module, encoded, False)
    torch.testing.assert_close(once, expected)
    assert bool((once == again).all())  # and counted anew in the next pass


@pytest.mark.parametrize("family_id", [one for one in every_family.IDS if one != "electra"])
def test_predictions_before_and_after(checkpoints, family_id):
    """The handler's own answers, without and with the heads; the words are the same ones."""
    model = checkpoints.models(family_id)[0]
    places = places_for(model)
    request = HeadAblationRequest(TEXT, masks=MASKS, top_k=4, heads=places)
    result = tiny.ask(model, request, Context())
    question = MaskedTokensRequest(TEXT, masks=MASKS, top_k=4 if family_id == "t5" else 10**6)
    before = fill_mask(model, question, Context())
    with model.port(AttentionModules).ablated(places):
        after = fill_mask(model, question, Context())
    assert result.off == places
    assert len(result.changes.masks) == len(before.masks) >= 2
    for change, was, now in zip(result.changes.masks, before.masks, after.masks, strict=True):
        assert change.position == was.position
        assert (change.entropy_before, change.entropy_after) == (was.entropy, now.entropy)
        first = {(p.ids or p.id): p for p in was.predictions}
        later = {(p.ids or p.id): p for p in now.predictions}
        shown = {one.word for one in change.words}
        assert {p.word for p in (*was.predictions[:4], *now.predictions[:4])} <= shown
        if family_id == "t5":
            continue
        for word in change.words:
            assert word.before == pytest.approx(first[word.id].probability, abs=1e-7)
            assert word.after == pytest.approx(later[word.id].probability, abs=1e-7)
            assert (word.rank_before, word.rank_after) == (
                first[word.id].rank,
                later[word.id].rank,
            )
        originals = [word for word in change.words if word.is_original]
        assert [word.id for word in originals] == [was.original.id]
        assert change.words[0].id == was.predictions[0].id
        assert any(abs(word.change) > 1e-6 for word in change.words)


def test_nothing_off_changes_nothing(checkpoints):
    (model,) = checkpoints.models("bert")
    result = tiny.ask(model, HeadAblationRequest(TEXT, masks=MASKS), Context())
    assert result.stacks == (("encoder", 3, 4),)
    for mask in result.changes.masks:
        assert {word.change for word in mask.words} == {0.0}


def test_every_head_alone(checkpoints):
    """Log probability of the word under the mask, each head off by itself."""
    (model,) = checkpoints.models("bert")
    request = HeadAblationRequest(TEXT, masks=MASKS, every=True)
    result = tiny.ask(model, request, Context())
    (effects,) = result.effects
    assert effects.kind == "encoder"
    assert effects.values.shape == (3, 4)
    assert not effects.values.flags.writeable
    question = MaskedTokensRequest(TEXT, masks=MASKS, top_k=1)
    before = fill_mask(model, question, Context())
    for layer, head in ((0, 0), (1, 3), (2, 2)):
        with model.port(AttentionModules).ablated((HeadPlace("encoder", layer, head),)):
            after = fill_mask(model, question, Context())
        expected = np.mean(
            [
                math.log(now.original.probability) - math.log(was.original.probability)
                for was, now in zip(before.masks, after.masks, strict=True)
            ]
        )
        assert effects.values[layer, head] == pytest.approx(expected, abs=1e-5)
    assert len(np.unique(effects.values)) == 12


def test_a_probability_too_small_for_its_type_has_a_finite_effect(checkpoints):
    """Float32 holds no probability below 1e-45, and its logarithm all the same."""
    import torch

    model = tiny.load(checkpoints.folder("bert"))
    with torch.no_grad():
        model.module.cls.predictions.bias[model.tokenizer.convert_tokens_to_ids("cat")] -= 300
    request = HeadAblationRequest(TEXT, masks=MASKS[:1], heads=PLACES, every=True)
    result = tiny.ask(model, request, Context())
    (word,) = [one for one in result.changes.masks[0].words if one.is_original]
    assert word.before == word.after == 0
    assert word.rank_before == word.rank_after == len(model.tokenizer)
    values = result.effects[0].values
    assert np.isfinite(values).all()
    encoded = model.encode(TEXT, None, MASKS[:1])
    (position,) = encoded.mask_positions

    def log_chance():
        with torch.inference_mode():
            logits = model.module(**encoded.inputs).prediction_logits[0, position].double()
        return float(logits.log_softmax(-1)[encoded.tokens[position].original])

    before = log_chance()
    with model.port(AttentionModules).ablated((HeadPlace("encoder", 1, 3),)):
        assert values[1, 3] == pytest.approx(log_chance() - before, abs=1e-3)
    assert abs(values[1, 3]) > 1e-3


def test_every_head_of_two_stacks_alone(checkpoints):
    """Spans too: the logarithm of the probability of the very span that was best."""
    (model,) = checkpoints.models("t5")
    result = tiny.ask(model, HeadAblationRequest(TEXT, masks=MASKS, every=True), Context())
    assert [one.kind for one in result.effects] == ["encoder", "decoder", "cross"]
    for effects in result.effects:
        assert np.isfinite(effects.values).all()
        assert len(np.unique(effects.values)) > 6


def test_every_head_alone_at_a_typed_mask(checkpoints):
    """Where nothing is hidden, the word is the one that was most probable."""
    (model,) = checkpoints.models("bert")
    text = "the [MASK] sat on the mat"
    result = tiny.ask(model, HeadAblationRequest(text, every=True), Context())
    question = MaskedTokensRequest(text, top_k=10**6)
    before = fill_mask(model, question, Context()).masks[0].predictions[0]
    with model.port(AttentionModules).ablated((HeadPlace("encoder", 2, 1),)):
        after = fill_mask(model, question, Context()).masks[0].predictions
    (same,) = (one for one in after if one.id == before.id)
    expected = math.log(same.probability) - math.log(before.probability)
    assert result.effects[0].values[2, 1] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("family_id", ["electra", "deberta"])
def test_a_discriminator_without_masks(family_id):
    import torch

    name = {
        "electra": "electra-miniature-discriminator",
        "deberta": "deberta-v3-miniature",
    }[family_id]
    model = miniature(name)
    places = (HeadPlace("encoder", 0, 1), HeadPlace("encoder", 3, 2))
    text = "the chef ate the meal in the kitchen."
    result = tiny.ask(model, HeadAblationRequest(text, heads=places, every=True), Context())
    changes = result.changes
    assert not changes.masks
    encoded = model.encode(text)
    head = model.port(Discriminator).head
    with torch.inference_mode():
        before = head(model.encoder(**encoded.inputs))[0].sigmoid().numpy()
        with model.port(AttentionModules).ablated(places):
            after = head(model.encoder(**encoded.inputs))[0].sigmoid().numpy()
        with model.port(AttentionModules).ablated(places[:1]):
            one = head(model.encoder(**encoded.inputs))[0].sigmoid().numpy()
    np.testing.assert_allclose(changes.replaced_before, before, atol=1e-6)
    np.testing.assert_allclose(changes.replaced_after, after, atol=1e-6)
    assert result.effects[0].values[0, 1] == pytest.approx(abs(one - before).mean(), abs=1e-6)
    assert len(QUESTION.table(result).rows) == len(encoded.tokens)
    assert QUESTION.summary(result)["mean_change_replaced"] == pytest.approx(
        abs(after - before).mean()
    )


def test_nothing_is_compared_where_no_head_is_off(checkpoints):
    (model, *_) = checkpoints.models("bert")
    result = tiny.ask(model, HeadAblationRequest("the [MASK] sat on the mat ."), Context())
    assert not QUESTION.headline_of(result).sentence
    before, after = result.changes.masks[0].best
    assert before == after


def test_what_is_not_there(checkpoints):
    (model,) = checkpoints.models("bert")
    ask = tiny.ask
    for place in (("encoder", 3, 0), ("encoder", 0, 4), ("cross", 0, 0)):
        with pytest.raises(UserMistake, match="There is no head"):
            ask(
                model, HeadAblationRequest(TEXT, masks=MASKS, heads=(HeadPlace(*place),)), Context()
            )
    with pytest.raises(UserMistake, match="no text"):
        ask(model, HeadAblationRequest("  "), Context())
    with pytest.raises(UserMistake, match="Nothing is masked"):
        ask(model, HeadAblationRequest(TEXT), Context())
    stopped = iter([False] * 12)
    context = Context(is_cancelled=lambda: next(stopped, True))
    with pytest.raises(Cancelled):
        # Of a text that no other test measures: what was measured once is not measured again.
        ask(
            model,
            HeadAblationRequest(f"{TEXT} then", masks=MASKS, heads=PLACES, every=True),
            context,
        )
    assert not any(m._forward_pre_hooks for m in _outputs(model))


def test_no_head_no_answer(checkpoints):
    (model,) = checkpoints.models("bert")
    from dataclasses import replace

    bare = replace(model, ports={})
    with pytest.raises(Unavailable):
        QUESTION.run(bare, HeadAblationRequest(TEXT, masks=MASKS), Context())


def _outputs(model):
    return [one.output for one in model.port(AttentionModules).modules()]


def test_rows(checkpoints):
    (model,) = checkpoints.models("bert")
    request = HeadAblationRequest(TEXT, masks=MASKS[:1], top_k=2, heads=PLACES)
    result = tiny.ask(model, request, Context())
    rows = QUESTION.table(result)
    (mask,) = result.changes.masks
    assert len(rows.rows) == len(mask.words) >= 2
    for row, word in zip(rows.rows, mask.words, strict=True):
        cells = dict(zip(rows.columns, row, strict=True))
        assert (cells["position"], cells["word"]) == (mask.position, word.word)
        assert cells["change"] == pytest.approx(word.after - word.before)
    row = QUESTION.summary(result)
    assert row["heads_off"] == 3
    assert row["word_before"] == mask.words[0].word
    assert row["same_word_after"] == mask.words[0].after


def test_the_option_is_read():
    written = [["encoder", 1, 2], ["encoder", 1, 2], ["cross", 0, 0], ["x", 1, 1], 3, ["encoder"]]
    assert places_of(written) == (HeadPlace("encoder", 1, 2), HeadPlace("cross", 0, 0))
    assert places_of("rubbish") == ()
    document = Document(TEXT).with_option("head_ablation.heads", [["encoder", 0, 1]])
    assert HeadAblationRequest.of(document).heads == (HeadPlace("encoder", 0, 1),)
    assert not HeadAblationRequest.of(document).every


def test_one_stack_is_meant_whatever_it_is_called(checkpoints):
    (model,) = checkpoints.models("gpt2")
    request = HeadAblationRequest(TEXT, masks=MASKS, heads=(HeadPlace("encoder", 1, 2),))
    result = tiny.ask(model, request, Context())
    assert result.off == (HeadPlace("decoder", 1, 2),)
    (both,) = checkpoints.models("t5")
    result = tiny.ask(both, request, Context())
    assert result.off == request.heads


def test_counts():
    assert heads_of((), AttentionKind.ENCODER) == (0, 0)


def test_what_every_head_does_alone_is_measured_once_a_text(checkpoints):
    (model,) = checkpoints.models("bert")
    request = HeadAblationRequest(f"{TEXT} once", masks=MASKS, every=True)

    def measured(asked):
        stages = []
        context = Context(progress=lambda stage, _done, _total: stages.append(stage))
        return tiny.ask(model, asked, context), stages.count("switching heads off")

    first, count = measured(request)
    assert count == sum(layers * heads for _, layers, heads in first.stacks)
    again, count = measured(dataclasses.replace(request, heads=PLACES, top_k=3))
    assert (count, again.off) == (0, PLACES)
    for one, other in zip(first.effects, again.effects, strict=True):
        np.testing.assert_array_equal(one.values, other.values)
    assert measured(dataclasses.replace(request, masks=MASKS[:1]))[1] > 0
