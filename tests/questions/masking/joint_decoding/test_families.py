"""Every bundled masked-LM fills two masks together; the second is read with the first filled."""

import math

import pytest

from explorer.api.question import BidirectionalPredictor, Context
from explorer.questions.cause.attribution_benchmark.recorded import every_model
from explorer.questions.masking.candidate_words.question import CandidateWordsRequest
from explorer.questions.masking.joint_decoding.question import DecodingMethod, JointDecodingRequest
from tests.hf import tiny
from tests.hf.kept import miniature

TEXT = "The [MASK] cooked the [MASK] in the kitchen."
BOTH_SIDES = [one.model for one in every_model()]


@pytest.mark.parametrize("name", BOTH_SIDES)
def test_the_second_mask_is_read_with_the_first_filled(name):
    """One sequence at a time against the batch, with whatever else the family's inputs hold."""
    import torch

    model = miniature(name)
    result = tiny.ask(
        model, JointDecodingRequest(TEXT, method=DecodingMethod.BEAM, width=3, top_k=3), Context()
    )
    encoded = model.encode(TEXT)
    predictor = model.port(BidirectionalPredictor)
    first, second = encoded.mask_positions
    for filling in (*result.fillings, result.independent):
        one, two = filling.chosen
        ids = encoded.input_ids.clone()
        total = 0.0
        with torch.no_grad():
            for place, chosen in ((first, one), (second, two)):
                states = predictor.states_of(**{**encoded.inputs, "input_ids": ids})[0, [place]]
                row = predictor.head(states).double().softmax(-1)[0]
                assert chosen.probability == pytest.approx(row[chosen.id].item(), rel=1e-3)
                total += math.log(row[chosen.id].item())
                ids[0, place] = chosen.id
        assert filling.log_joint == pytest.approx(total, abs=1e-3)


@pytest.mark.parametrize("name", BOTH_SIDES)
def test_a_given_word_is_scored_whole(name):
    """The pieces of the word as it stands in the sentence, each with the ones before it."""
    import torch

    model = miniature(name)
    text, word = "The chef cooked the [MASK] in the kitchen.", "excavators"
    request = CandidateWordsRequest(text, words=(word, "soup"))
    (gap,) = tiny.ask(model, request, Context()).gaps
    one = gap.scores[0]
    plain = model.encode(text.replace("[MASK]", word))
    start = text.index("[MASK]")
    inside = [
        i
        for i, token in enumerate(plain.tokens)
        if start <= token.start and token.end <= start + len(word) and token.end > token.start
    ]
    assert [piece.id for piece in one.pieces] == [plain.tokens[i].id for i in inside]
    ids = plain.input_ids.clone()
    ids[0, inside] = next(token.id for token in model.encode(text).tokens if token.masked)
    predictor = model.port(BidirectionalPredictor)
    total = 0.0
    with torch.no_grad():
        for place, piece in zip(inside, one.pieces, strict=True):
            states = predictor.states_of(**{**plain.inputs, "input_ids": ids})[0, [place]]
            row = predictor.head(states).double().softmax(-1)[0]
            total += math.log(row[piece.id].item())
            ids[0, place] = piece.id
    assert one.log_probability == pytest.approx(total, abs=1e-2)
