import math
from itertools import product

import numpy as np
import pytest

from explorer.api.question import Cancelled, Context, Unavailable, UserMistake
from explorer.document import Document, Mask
from explorer.questions.masking.joint_decoding.compute import run
from explorer.questions.masking.joint_decoding.question import (
    QUESTION,
    DecodingMethod,
    JointDecodingRequest,
    summary,
    table,
)
from explorer.questions.masking.masked_tokens.compute import run as fill_mask
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.serialise import from_json, to_json
from tests.hf import tiny
from tests.ranks import is_rank

TEXT = "the [MASK] sat on [MASK] mat"
THREE = "the [MASK] sat [MASK] the [MASK]"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny.load(tiny.save_bert(tmp_path_factory.mktemp("models") / "bert"))


class Plain:
    """The plain loop: transformers, one forward pass a question, nothing else."""

    def __init__(self, model, text):
        self.model = model
        self.tokens = model.tokenizer(text)["input_ids"]
        mask = model.tokenizer.mask_token_id
        self.places = [i for i, token in enumerate(self.tokens) if token == mask]

    def distribution(self, filled, mask):
        """Softmax over the vocabulary (float64) at a mask, with {mask: piece} filled."""
        import torch

        ids = list(self.tokens)
        for number, piece in filled.items():
            ids[self.places[number]] = piece
        with torch.no_grad():
            logits = self.model.module(torch.tensor([ids])).prediction_logits
        return torch.softmax(logits[0, self.places[mask]].double(), dim=-1).numpy()

    def joint(self, ids, order):
        """The log-probability of a filling by the chain rule."""
        total, filled = 0.0, {}
        for mask in order:
            total += math.log(self.distribution(filled, mask)[ids[mask]])
            filled[mask] = ids[mask]
        return total

    def greedy(self, order):
        filled = {}
        for mask in order:
            filled[mask] = int(self.distribution(filled, mask).argmax())
        return tuple(filled[mask] for mask in sorted(filled))


def ids_of(filling):
    return tuple(one.id for one in filling.chosen)


def ask(model, text, method, **options):
    return run(model, JointDecodingRequest(text, method=method, **options), Context())


def test_a_beam_as_wide_as_the_vocabulary_finds_the_best_of_all_fillings(model):
    """Brute force: every pair of pieces, its joint probability by the chain rule."""
    plain = Plain(model, TEXT)
    size = model.config.vocab_size
    first = plain.distribution({}, 0)
    log_joint = np.array(
        [np.log(first[piece]) + np.log(plain.distribution({0: piece}, 1)) for piece in range(size)]
    )
    result = ask(model, TEXT, DecodingMethod.BEAM, width=size, top_k=12)
    expected = np.dstack(np.unravel_index(np.argsort(-log_joint, axis=None), log_joint.shape))[0]
    assert [ids_of(one) for one in result.fillings] == [tuple(pair) for pair in expected[:12]]
    for filling in result.fillings:
        assert filling.log_joint == pytest.approx(log_joint[ids_of(filling)], abs=1e-4)
    assert np.exp(log_joint).sum() == pytest.approx(1.0, abs=1e-6)


def test_the_joint_probability_is_the_chain_rule_s_in_the_order_of_the_result(model):
    plain = Plain(model, THREE)
    result = ask(model, THREE, DecodingMethod.BEAM, width=5, order=(2, 0))
    assert result.order == (2, 0, 1)
    for filling in (*result.fillings, result.independent):
        ids = ids_of(filling)
        assert filling.log_joint == pytest.approx(plain.joint(ids, (2, 0, 1)), abs=1e-4)
        alone = sum(math.log(plain.distribution({}, mask)[ids[mask]]) for mask in range(3))
        assert filling.log_independent == pytest.approx(alone, abs=1e-4)
    totals = [filling.log_joint for filling in result.fillings]
    assert totals == sorted(totals, reverse=True)


def test_each_piece_has_the_probability_and_rank_of_its_moment(model):
    plain = Plain(model, THREE)
    result = ask(model, THREE, DecodingMethod.BEAM, width=4, order=(1,))
    for filling in result.fillings:
        filled = {}
        for mask in result.order:
            seen = plain.distribution(filled, mask)
            alone = plain.distribution({}, mask)
            chosen, beside = filling.chosen[mask], filling.alone[mask]
            assert chosen.probability == pytest.approx(seen[chosen.id], rel=1e-4)
            assert is_rank(chosen.rank, np.log(seen), np.log(seen[chosen.id]))
            assert beside.probability == pytest.approx(alone[chosen.id], rel=1e-4)
            assert is_rank(beside.rank, np.log(alone), np.log(alone[chosen.id]))
            filled[mask] = chosen.id


@pytest.mark.parametrize(
    ("method", "order"),
    [
        (DecodingMethod.LEFT_TO_RIGHT, (0, 1, 2)),
        (DecodingMethod.BY_HAND, (2, 0, 1)),
        (DecodingMethod.BY_HAND, (1, 2, 0)),
    ],
)
def test_filling_one_after_the_other_is_the_plain_loop(model, method, order):
    result = ask(model, THREE, method, order=order)
    assert result.order == order
    assert [ids_of(one) for one in result.fillings] == [Plain(model, THREE).greedy(order)]


def test_the_most_certain_first_is_the_plain_loop(model):
    plain = Plain(model, THREE)
    filled, order = {}, []
    while len(filled) < 3:
        rows = {mask: plain.distribution(filled, mask) for mask in range(3) if mask not in filled}
        sure = max(rows, key=lambda mask: rows[mask].max())
        filled[sure] = int(rows[sure].argmax())
        order.append(sure)
    result = ask(model, THREE, DecodingMethod.CONFIDENT)
    assert result.order == tuple(order)
    assert ids_of(result.fillings[0]) == tuple(filled[mask] for mask in range(3))


def test_independent_fillings_are_the_best_products(model):
    plain = Plain(model, TEXT)
    one, two = plain.distribution({}, 0), plain.distribution({}, 1)
    pairs = sorted(product(range(len(one)), range(len(two))), key=lambda p: -one[p[0]] * two[p[1]])
    result = ask(model, TEXT, DecodingMethod.INDEPENDENT, top_k=15)
    assert [ids_of(filling) for filling in result.fillings] == pairs[:15]
    assert ids_of(result.independent) == pairs[0]
    assert result.fillings[0] == result.independent
    assert result.fillings[3].log_joint == pytest.approx(plain.joint(pairs[3], (0, 1)), abs=1e-4)


def test_the_steps_say_how_far_each_distribution_moved(model):
    plain = Plain(model, THREE)
    result = ask(model, THREE, DecodingMethod.LEFT_TO_RIGHT, top_k=4)
    filled = {}
    for step in result.steps:
        seen, alone = plain.distribution(filled, step.mask), plain.distribution({}, step.mask)
        assert step.kl == pytest.approx(float((seen * np.log(seen / alone)).sum()), abs=1e-5)
        assert step.total_variation == pytest.approx(0.5 * np.abs(seen - alone).sum(), abs=1e-5)
        assert step.entropy == pytest.approx(float(-(seen * np.log(seen)).sum()), abs=1e-4)
        assert step.entropy_alone == pytest.approx(float(-(alone * np.log(alone)).sum()), abs=1e-4)
        assert [one.id for one in step.predictions] == list(np.argsort(-seen)[:4])
        filled[step.mask] = result.fillings[0].chosen[step.mask].id
    assert result.steps[0].kl == pytest.approx(0.0, abs=1e-9)
    assert result.steps[1].kl > 1e-4


def test_the_picture_of_two_masks(model):
    plain = Plain(model, TEXT)
    found = ask(model, TEXT, DecodingMethod.BY_HAND, order=(1, 0)).dependence
    assert (found.first, found.second) == (1, 0)
    first, second = plain.distribution({}, 1), plain.distribution({}, 0)
    assert [one.id for one in found.rows] == list(np.argsort(-first)[: len(found.rows)])
    for i, row in enumerate(found.rows):
        given = plain.distribution({1: row.id}, 0)
        assert found.kl[i] == pytest.approx((given * np.log(given / second)).sum(), abs=1e-5)
        assert found.total_variation[i] == pytest.approx(
            0.5 * np.abs(given - second).sum(), abs=1e-5
        )
        for j, column in enumerate(found.columns):
            assert column.probability == pytest.approx(second[column.id], rel=1e-4)
            assert found.given[i, j] == pytest.approx(given[column.id], abs=1e-5)
            assert found.joint[i, j] == pytest.approx(first[row.id] * given[column.id], abs=1e-5)
            assert found.independent[i, j] == pytest.approx(
                first[row.id] * second[column.id], abs=1e-5
            )


def test_what_each_mask_says_alone_is_fill_mask_s_answer(model):
    alone = ask(model, THREE, DecodingMethod.BEAM, top_k=5).alone
    expected = fill_mask(model, MaskedTokensRequest(THREE, top_k=5), Context()).masks
    for one, other in zip(alone, expected, strict=True):
        assert [p.id for p in one.predictions] == [p.id for p in other.predictions]
        assert one.entropy == pytest.approx(other.entropy, abs=1e-4)


def test_the_pieces_of_a_masked_word_are_one_gap(model):
    text = "the cats sat"
    result = run(
        model,
        JointDecodingRequest(text, masks=(Mask(4, 8),), method=DecodingMethod.BEAM),
        Context(),
    )
    assert result.gaps == ((0, 1),)
    assert len(result.fillings[0].words) == 1
    assert "how many pieces" in result.note
    assert result.alone[0].original.token == "cat"
    two = ask(model, "the [MASK] [MASK]", DecodingMethod.BEAM)
    assert two.gaps == ((0,), (1,))
    assert two.note == ""


def test_one_mask_is_no_joint_question(model):
    result = ask(model, "the [MASK] sat", DecodingMethod.BEAM, width=3)
    assert result.dependence is None
    best = result.fillings[0]
    assert best.log_joint == pytest.approx(best.log_independent, abs=1e-5)


def test_an_order_may_name_some_masks_and_none_that_is_not_there(model):
    result = ask(model, THREE, DecodingMethod.BY_HAND, order=(7, 2, 2))
    assert result.order == (2, 0, 1)


def test_what_cannot_be_answered(model, tmp_path):
    with pytest.raises(UserMistake, match="no text"):
        ask(model, " ", DecodingMethod.BEAM)
    with pytest.raises(UserMistake, match="Nothing is masked"):
        ask(model, "the cat", DecodingMethod.BEAM)
    with pytest.raises(UserMistake, match="At least one filling"):
        ask(model, TEXT, DecodingMethod.BEAM, width=0)
    bare = tiny.load(tiny.save_bert(tmp_path / "m", "BertModel"))
    with pytest.raises(Unavailable, match="no masked language model head"):
        ask(bare, TEXT, DecodingMethod.BEAM)


def test_it_is_cancelled_between_layers(model):
    asked = []

    def stop():
        asked.append(1)
        return len(asked) > 8

    with pytest.raises(Cancelled):
        run(model, JointDecodingRequest(THREE), Context(is_cancelled=stop))


def test_the_document_s_options_are_the_question():
    document = Document("a [MASK]", top_k=4)
    assert JointDecodingRequest.of(document) == JointDecodingRequest("a [MASK]", top_k=4)
    document = document.with_option("joint_decoding.method", "by_hand")
    document = document.with_option("joint_decoding.order", [2, 0, 2, "x", -1])
    document = document.with_option("joint_decoding.width", 20)
    asked = JointDecodingRequest.of(document)
    assert (asked.method, asked.order, asked.width) == (DecodingMethod.BY_HAND, (2, 0), 20)
    beam = document.with_option("joint_decoding.method", "beam")
    assert JointDecodingRequest.of(beam).order == ()
    strange = document.with_option("joint_decoding.method", 5).with_option(
        "joint_decoding.order", 1
    )
    strange = strange.with_option("joint_decoding.width", "wide")
    asked = JointDecodingRequest.of(strange)
    assert (asked.method, asked.order, asked.width) == (DecodingMethod.BEAM, (), 8)


def test_question_and_answer_are_written_and_read(model):
    request = JointDecodingRequest(TEXT, method=DecodingMethod.CONFIDENT, order=(1,))
    assert from_json(JointDecodingRequest, to_json(request)) == request
    written = to_json(run(model, request, Context()))
    read = from_json(QUESTION.result, written)
    assert to_json(read) == written


def test_the_table_and_the_row(model):
    result = ask(model, TEXT, DecodingMethod.BEAM, top_k=3)
    rows = [dict(zip(table(result).columns, row, strict=True)) for row in table(result).rows]
    told = [(row["method"], row["rank"], row["mask"]) for row in rows]
    assert told[:2] == [("beam", 1, 0), ("beam", 1, 1)]
    assert told[-2:] == [("alone", 0, 0), ("alone", 0, 1)]
    assert rows[0]["joint"] == pytest.approx(math.exp(result.fillings[0].log_joint))
    assert rows[1]["step"] == 2
    assert rows[1]["probability_alone"] == result.fillings[0].alone[1].probability
    told = summary(result)
    assert told["filling"] == " | ".join(result.fillings[0].words)
    assert told["same"] == (result.fillings[0].words == result.independent.words)
