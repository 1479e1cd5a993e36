"""The masks of training on one sentence, and losses against transformers' own."""

from pathlib import Path

import numpy as np
import pytest

from explorer.api.question import Cancelled, Context, Unavailable, UserMistake
from explorer.document import Document
from explorer.objectives import IGNORED
from explorer.objectives.masking.masked_language_model import MaskingPolicy, mask_text
from explorer.questions.masking.masking_policy.compute import ordinary_tokens, run, words_of
from explorer.questions.masking.masking_policy.question import (
    MaskingPolicyRequest,
    Policy,
    TokenFate,
    summary,
    table,
)
from explorer.questions.masking.surprises import word_numbers
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.ranks import is_rank

MODELS = Path(__file__).resolve().parents[4] / "resources" / "models"
TEXT = (
    "the carpenter disentangled a rope because the movie was great, "
    "and the chef cooked the meal in the kitchen."
)


@pytest.fixture(scope="module")
def bert():
    return miniature("bert-miniature")


def ask(model, text=TEXT, **fields):
    return tiny.ask(model, MaskingPolicyRequest(text, **fields), Context())


@pytest.mark.parametrize("policy", list(Policy))
def test_the_loss_is_transformers_own(bert, policy):
    """Inputs and labels rebuilt from the answer, through BertForMaskedLM and its own loss."""
    import torch
    from transformers import BertForMaskedLM

    module = BertForMaskedLM.from_pretrained(MODELS / "bert-miniature", local_files_only=True)
    module = module.to(torch.float32).eval()
    result = ask(bert, policy=policy, selected=0.3, masked=0.5, random=0.3, epochs=4)
    for draw in result.draws:
        ids = torch.tensor([[token.id for token in result.tokens]])
        labels = torch.full_like(ids, IGNORED)
        for one in draw.chosen:
            labels[0, one.position] = ids[0, one.position]
            ids[0, one.position] = one.seen.id
        with torch.no_grad():
            answer = module(input_ids=ids, labels=labels)
        assert draw.loss == pytest.approx(float(answer.loss), abs=1e-4)
        for one in draw.chosen:
            logits = answer.logits[0, one.position]
            was = int(labels[0, one.position])
            alone = torch.nn.functional.cross_entropy(logits, torch.tensor(was))
            assert one.loss == pytest.approx(float(alone), abs=1e-4)
            assert one.prediction.id == int(logits.argmax())
            assert is_rank(one.rank, logits.detach(), logits[was].detach())


def test_the_masks_are_those_that_the_trainings_draw(bert):
    """The same function, seed and order of random numbers as for the bundled miniatures."""
    result = ask(bert, epochs=3, seed=5)
    ids = np.array([token.id for token in result.tokens])
    allowed = np.array([not token.special for token in result.tokens])
    mask = bert.tokenizer.mask_token_id
    for epoch, draw in enumerate(result.draws):
        generator = MaskingPolicy().generator(5, 0, epoch)
        expected = mask_text(ids, allowed, ordinary_tokens(bert), mask, MaskingPolicy(), generator)
        places = np.flatnonzero(expected.labels != IGNORED)
        assert [one.position for one in draw.chosen] == places.tolist()
        assert [one.seen.id for one in draw.chosen] == expected.inputs[places].tolist()


def test_fates_follow_the_rates(bert):
    fates = [
        one.fate
        for seed in range(12)
        for draw in ask(bert, selected=0.5, epochs=40, seed=seed).draws
        for one in draw.chosen
    ]
    assert len(fates) > 4000
    share = {fate: fates.count(fate) / len(fates) for fate in TokenFate}
    assert share[TokenFate.MASKED] == pytest.approx(0.8, abs=0.03)
    assert share[TokenFate.RANDOM] == pytest.approx(0.1, abs=0.02)
    assert share[TokenFate.UNCHANGED] == pytest.approx(0.1, abs=0.02)


def test_what_the_model_sees(bert):
    result = ask(bert, selected=1.0, masked=0.4, random=0.3, epochs=10)
    special = set(bert.tokenizer.all_special_ids)
    for draw in result.draws:
        assert tuple(one.position for one in draw.chosen) == result.candidates
        for one in draw.chosen:
            was = result.tokens[one.position].id
            if one.fate is TokenFate.MASKED:
                assert one.seen.id == bert.tokenizer.mask_token_id
            elif one.fate is TokenFate.UNCHANGED:
                assert one.seen.id == was
            else:
                assert one.seen.id not in special | {was}


def test_whole_words_and_spans(bert):
    tokens = ask(bert).tokens
    plain = [i for i, token in enumerate(tokens) if not token.special]
    words = [set(range(start, end)) for start, end in words_of(tokens, plain)]
    assert any(len(word) > 1 for word in words)
    for policy in (Policy.WHOLE_WORDS, Policy.SPANS):
        for draw in ask(bert, policy=policy, selected=0.2, epochs=20).draws:
            places = {one.position for one in draw.chosen}
            assert places
            assert all(word <= places or not word & places for word in words)
    spans = ask(bert, policy=Policy.SPANS, selected=0.4, epochs=20)
    for draw in spans.draws:
        fate = {one.position: one.fate for one in draw.chosen}
        runs = [(a, a + 1) for a in fate if a + 1 in fate]
        assert all(
            (fate[a] is TokenFate.MASKED) == (fate[b] is TokenFate.MASKED) for a, b in runs
        )  # a span has one fate
    assert any(len(draw.chosen) > 3 for draw in spans.draws)


def test_words_of_a_text_with_special_tokens_between(bert):
    result = ask(bert, "the cats", pair="sat down")
    numbers = word_numbers(result.tokens)
    ranges = words_of(result.tokens, result.candidates)
    assert sum(end - start for start, end in ranges) == len(result.candidates)
    assert all(len({numbers[i] for i in range(*one)}) == 1 for one in ranges)


def test_static_and_dynamic(bert):
    result = ask(bert, epochs=20)
    first = {one.position for one in result.draws[0].chosen}
    every = {one.position for draw in result.draws for one in draw.chosen}
    assert result.trained(20, 1) == len(first)
    assert result.trained(20) == len(every) > result.trained(20, 1)
    some = {one.position for draw in result.draws[:3] for one in draw.chosen}
    assert result.trained(20, 3) == result.trained(3) == len(some)


def test_the_same_seed_draws_the_same(bert):
    assert ask(bert, seed=3) == ask(bert, seed=3)
    assert ask(bert, seed=3).draws != ask(bert, seed=4).draws


def test_deberta_predicts_through_its_decoder():
    """Every chosen token masked: the same as filling these masks at once."""
    from explorer.document import Mask
    from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest

    model = miniature("deberta-v1-miniature")
    result = ask(model, masked=1.0, random=0.0, epochs=2)
    for draw in result.draws:
        places = [result.tokens[one.position] for one in draw.chosen]
        masks = tuple(Mask(token.start, token.end) for token in places)
        filled = tiny.ask(model, MaskedTokensRequest(TEXT, masks=masks), Context())
        assert [mask.position for mask in filled.masks] == [one.position for one in draw.chosen]
        for mask, one in zip(filled.masks, draw.chosen, strict=True):
            assert np.exp(-one.loss) == pytest.approx(mask.original.probability, rel=1e-3)


def test_questions_that_cannot_be_answered(bert):
    for fields, words in (
        ({"text": " "}, "no text"),
        ({"text": "[MASK]"}, "no token that could be masked"),
        ({"selected": 0.0}, "selected can't be 0"),
        ({"masked": 0.9, "random": 0.2}, "add up to 1"),
        ({"random": -0.1}, "random can't be -0.1"),
        ({"epochs": 0}, "epochs can't be 0"),
    ):
        with pytest.raises(UserMistake, match=words) as caught:
            tiny.ask_within(bert, MaskingPolicyRequest(**{"text": TEXT, **fields}))
        assert caught.value.hint


def test_who_does_not_answer():
    model = miniature("gpt2-miniature")
    assert not tiny.answers(model, MaskingPolicyRequest)
    with pytest.raises(Unavailable, match="without masks"):
        ask(model)


def test_it_is_cancelled_between_layers(bert):
    asked = []

    def is_cancelled():
        asked.append(1)
        return len(asked) > 3

    with pytest.raises(Cancelled):
        run(bert, MaskingPolicyRequest(TEXT), Context(is_cancelled=is_cancelled))


def test_a_typed_mask_is_never_chosen(bert):
    result = ask(bert, "the [MASK] sat on the mat", selected=1.0)
    typed = next(i for i, token in enumerate(result.tokens) if token.masked)
    assert typed not in result.candidates
    assert "never chosen" in result.note


def test_the_table_and_the_row_of_a_file(bert):
    result = ask(bert, epochs=3)
    rows = [dict(zip(table(result).columns, row, strict=True)) for row in table(result).rows]
    assert len(rows) == sum(len(draw.chosen) for draw in result.draws)
    assert {row["epoch"] for row in rows} == {1, 2, 3}
    assert rows[0]["loss"] == pytest.approx(-np.log(rows[0]["probability"]))
    told = summary(result)
    assert told["chosen"] == len(result.draws[0].chosen)
    assert told["loss"] == result.draws[0].loss
    assert told["mean loss of 3 epochs"] == pytest.approx(
        sum(draw.loss for draw in result.draws) / 3
    )


def test_what_is_left_beside_the_masked_ones_can_be_random():
    document = Document(TEXT).with_option("masking_policy.masked", 0.95)
    document = document.with_option("masking_policy.random", 0.9)
    assert MaskingPolicyRequest.of(document).random == pytest.approx(0.05)
