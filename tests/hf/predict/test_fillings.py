"""Several masks read with some of them filled: every kind of model against plain forwards."""

import math
from dataclasses import replace

import numpy as np
import pytest

from explorer.api.family import BidirectionalPredictor, Context, UserMistake
from explorer.hf.predict.fillings import MaskQuery, Reader
from explorer.hf.predict.passes.batching import CPU_TOKENS
from explorer.questions.masking.joint_decoding.compute import run
from explorer.questions.masking.joint_decoding.question import DecodingMethod, JointDecodingRequest
from explorer.questions.masking.joint_decoding.search import beam
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from tests.hf import tiny
from tests.hf.kept import miniature

TEXT = "The name of the writer is [MASK] [MASK]."


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    return tiny.load(tiny.save_bert(tmp_path_factory.mktemp("models") / "bert"))


@pytest.fixture(scope="module")
def gpt():
    return miniature("gpt2-miniature")


@pytest.fixture(scope="module")
def deberta():
    return miniature("deberta-v1-miniature")


def row_of(model, text, mask, **masks):
    """The model's own answer to fill_mask, as probabilities by piece."""
    request = MaskedTokensRequest(text, top_k=10**6, **masks)
    answer = tiny.ask(model, request, Context())
    return {one.id: one.probability for one in answer.masks[mask].predictions}


def test_each_distinct_filling_goes_through_the_model_once(bert):
    encoded = bert.encode("the [MASK] sat on [MASK] mat")
    seen = []
    handle = bert.module.bert.register_forward_pre_hook(
        lambda _module, _given, inputs: seen.append(len(inputs["input_ids"])), with_kwargs=True
    )
    try:
        reader = Reader(bert, encoded, Context())
        rows = reader.read(
            [
                MaskQuery((5, None), (1,)),
                MaskQuery((None, None), (0, 1)),
                MaskQuery((5, None), (1,)),
                MaskQuery((7, None), (1,)),
            ]
        )
        again = reader.read([MaskQuery((7, None), (1,)), MaskQuery((None, None), (0,))])
    finally:
        handle.remove()
    assert seen == [3]
    assert (again[0] == rows[3]).all()
    assert (again[1][0] == rows[1][0]).all()
    assert [len(one) for one in rows] == [1, 2, 1, 1]
    assert (rows[0] == rows[2]).all()
    for one in rows:
        assert one.exp().sum(-1).tolist() == pytest.approx([1.0] * len(one), abs=1e-5)


def test_what_is_kept_is_bounded(bert, monkeypatch):
    from explorer.hf.predict import fillings as joint

    monkeypatch.setattr(joint, "BLOCK", 2 * bert.config.vocab_size)
    encoded = bert.encode("the [MASK] sat on [MASK] mat")
    reader = Reader(bert, encoded, Context())
    first = reader.read([MaskQuery((piece, None), (1,)) for piece in range(5)])
    seen = []
    handle = bert.module.bert.register_forward_pre_hook(
        lambda _module, _given, inputs: seen.append(len(inputs["input_ids"])), with_kwargs=True
    )
    try:
        last = reader.read([MaskQuery((piece, None), (1,)) for piece in (4, 3, 0)])
    finally:
        handle.remove()
    assert seen == [1]
    assert abs(last[2] - first[0]).max() < 1e-5


def test_a_large_batch_is_cut(bert):
    encoded = bert.encode("the [MASK] sat on [MASK] mat")
    length = encoded.input_ids.shape[1]
    sizes = []
    handle = bert.module.bert.register_forward_pre_hook(
        lambda _module, _given, inputs: sizes.append(len(inputs["input_ids"])), with_kwargs=True
    )
    count = bert.config.vocab_size * 6
    try:
        reader = Reader(bert, encoded, Context())
        questions = [
            MaskQuery((piece % bert.config.vocab_size, piece // bert.config.vocab_size), ())
            for piece in range(count)
        ]
        reader.read([MaskQuery((*one.filling[:1], None), (1,)) for one in questions])
    finally:
        handle.remove()
    assert sum(sizes) == bert.config.vocab_size
    assert max(sizes) * length <= CPU_TOKENS


def test_deberta_s_decoder_reads_many_fillings_at_once(deberta):
    """Its masked-LM head reads other states than the last layer's."""
    result = run(
        deberta, JointDecodingRequest(TEXT, method=DecodingMethod.BEAM, width=4), Context()
    )
    alone = [row_of(deberta, TEXT, mask) for mask in (0, 1)]
    for filling in result.fillings:
        one, two = filling.chosen
        assert one.probability == pytest.approx(alone[0][one.id], rel=1e-3)
        assert filling.alone[1].probability == pytest.approx(alone[1][two.id], rel=1e-3)
        ids = deberta.encode(TEXT).input_ids.clone()
        place = result.positions[0]
        ids[0, place] = one.id
        import torch

        predictor = deberta.port(BidirectionalPredictor)
        with torch.no_grad():
            states = predictor.states_of(**{**deberta.encode(TEXT).inputs, "input_ids": ids})
            logits = predictor.head(states[0, [result.positions[1]]])
        given = logits.double().softmax(-1)[0, two.id].item()
        assert two.probability == pytest.approx(given, rel=1e-3)


def test_a_model_that_reads_from_the_left(gpt):
    """The chain rule over plain forwards of transformers."""
    import torch

    result = run(gpt, JointDecodingRequest(TEXT, method=DecodingMethod.BEAM, width=6), Context())
    assert result.alone == ()
    assert result.independent is result.dependence is None
    assert "reads from the left" in result.note
    before = gpt.tokenizer.encode("The name of the writer is")
    for filling in result.fillings:
        total, seen = 0.0, list(before)
        for one in filling.chosen:
            with torch.no_grad():
                row = gpt.module(torch.tensor([seen])).logits[0, -1].double().softmax(-1).numpy()
            assert one.probability == pytest.approx(row[one.id], rel=1e-3)
            assert one.rank == 1 + int((row > row[one.id]).sum())
            total += math.log(row[one.id])
            seen.append(one.id)
        assert filling.log_joint == pytest.approx(total, abs=1e-3)
        assert filling.log_independent is None
        assert filling.alone == ()
    greedy = run(gpt, JointDecodingRequest(TEXT, method=DecodingMethod.LEFT_TO_RIGHT), Context())
    filled = tiny.ask(gpt, MaskedTokensRequest(TEXT, top_k=1), Context())
    assert [one.id for one in greedy.fillings[0].chosen] == [
        mask.predictions[0].id for mask in filled.masks
    ]


@pytest.mark.parametrize(
    ("method", "order"),
    [
        (DecodingMethod.CONFIDENT, ()),
        (DecodingMethod.INDEPENDENT, ()),
        (DecodingMethod.BY_HAND, (1, 0)),
        (DecodingMethod.BEAM, (1,)),
    ],
)
def test_from_the_left_there_is_one_order(gpt, method, order):
    with pytest.raises(UserMistake, match="reading order only"):
        run(gpt, JointDecodingRequest(TEXT, method=method, order=order), Context())


def test_a_filling_with_a_gap_before_the_question_is_refused(gpt):
    encoded = gpt.encode(TEXT)
    reader = Reader(gpt, encoded, Context())
    with pytest.raises(UserMistake, match="reads from the left"):
        reader.read([MaskQuery((None, None), (1,))])
    first = replace(gpt.encode("a [MASK]"), mask_positions=(0,))
    with pytest.raises(UserMistake, match="before the first token there is nothing"):
        Reader(gpt, first, Context()).read([MaskQuery((None,), (0,))])


def test_the_sum_over_all_fillings_is_one(bert):
    """A joint distribution by the chain rule, whatever the order; a beam of all is exact."""
    size = bert.config.vocab_size
    encoded = bert.encode("the [MASK] [MASK]")
    for order in ((0, 1), (1, 0)):
        paths = beam(Reader(bert, encoded, Context()), order, size * size, Context())
        assert len(paths) == size * size
        assert np.exp([path.total for path in paths]).sum() == pytest.approx(1, abs=1e-4)
