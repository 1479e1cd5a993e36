"""T5 asked token by token: surprisal, masking policy and soft targets against plain forwards."""

import math

import numpy as np
import pytest

from explorer.api.family import Context, SpanPredictor
from explorer.questions.distillation.soft_targets import question as soft_targets
from explorer.questions.masking.hiding import ScoringMethod
from explorer.questions.masking.masking_policy import question as training_mask
from explorer.questions.masking.masking_policy.question import MaskingPolicyRequest, Policy
from explorer.questions.masking.surprisal import question as sweep
from explorer.questions.masking.surprisal.question import SurprisalRequest
from tests.hf import tiny
from tests.plugins.test_t5 import save, tokenizer

TEXT = "the cat sat on the dog"


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "t5"
    return folder, save(folder)


@pytest.fixture(scope="module")
def model(saved):
    return tiny.load(saved[0])


def row(module, inputs, written):
    """transformers' log-softmax behind what the decoder has written, float64."""
    import torch

    with torch.no_grad():
        logits = module(
            input_ids=torch.tensor([inputs]), decoder_input_ids=torch.tensor([[0, *written]])
        ).logits[0, -1]
    return logits.double().log_softmax(-1).numpy()


def sentinel(number):
    return tokenizer().convert_tokens_to_ids(f"<extra_id_{number}>")


def test_every_token_is_hidden_alone(saved, model):
    result = sweep.QUESTION.run(model, SurprisalRequest(TEXT), Context())
    ids = [token.id for token in result.tokens]
    assert len(result.surprises) == 6
    for one in result.surprises:
        inputs = [*ids[: one.position], sentinel(0), *ids[one.position + 1 :]]
        expected = row(saved[1], inputs, [sentinel(0)])
        was = ids[one.position]
        assert one.log_probability == pytest.approx(expected[was], abs=1e-4)
        assert one.rank == 1 + int((expected > expected[was]).sum())
    total = math.fsum(one.log_probability for one in result.surprises)
    assert result.log_likelihood == pytest.approx(total)


def test_a_words_later_pieces_are_written_after_its_first(saved, model):
    result = sweep.QUESTION.run(
        model, SurprisalRequest("the zebra sat", method=ScoringMethod.WHOLE_WORD), Context()
    )
    ids = [token.id for token in result.tokens]
    found = {one.position: one.log_probability for one in result.surprises}
    pieces = [i for i, token in enumerate(result.tokens) if 4 <= token.start < 9]
    assert len(pieces) > 1
    inputs = [*ids[: pieces[0]], sentinel(0), *ids[pieces[-1] + 1 :]]
    written = [sentinel(0)]
    for place in pieces:
        assert found[place] == pytest.approx(row(saved[1], inputs, written)[ids[place]], abs=1e-4)
        written.append(ids[place])


def test_training_hides_spans_and_writes_them_one_after_the_other(saved, model):
    request = MaskingPolicyRequest(TEXT, policy=Policy.TOKENS, selected=0.5, epochs=3)
    result = training_mask.QUESTION.run(model, request, Context())
    assert "hides every chosen token" in result.note
    ids = [token.id for token in result.tokens]
    for draw in result.draws:
        chosen = sorted(one.position for one in draw.chosen)
        inputs, written, losses, runs = [], [], {}, 0
        for place, piece in enumerate(ids):
            if place not in chosen:
                inputs.append(piece)
                continue
            if place - 1 not in chosen:
                inputs.append(sentinel(runs))
                written.append(sentinel(runs))
                runs += 1
            losses[place] = (list(written), piece)
            written.append(piece)
        for one in draw.chosen:
            before, piece = losses[one.position]
            assert one.loss == pytest.approx(-row(saved[1], inputs, before)[piece], abs=1e-4)


def test_soft_targets_are_of_the_first_piece(saved, model, tmp_path):
    other = tmp_path / "other"
    save(other, seed=1)
    student = tiny.load(other)
    request = soft_targets.SoftTargetsRequest("the [MASK] sat on the [MASK]")
    context = Context(models={"teacher": model, "student": student})
    result = soft_targets.QUESTION.run(model, request, context)
    tokens = model.encode("the [MASK] sat on the [MASK]").tokens
    inputs = [token.id for token in tokens]
    first, second = result.masks
    expected = row(saved[1], inputs, [sentinel(0)])
    np.testing.assert_allclose(first.teacher, expected, atol=1e-4)
    encoded = model.encode("the [MASK] sat on the [MASK]")
    best = model.port(SpanPredictor).best_spans(encoded, [], 1, Context()).spans[0].ids
    expected = row(saved[1], inputs, [sentinel(0), *best, sentinel(1)])
    np.testing.assert_allclose(second.teacher, expected, atol=1e-4)
