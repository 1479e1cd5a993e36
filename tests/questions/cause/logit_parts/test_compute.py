"""Where a prediction is written: words, the sum, what is opened, and total effects."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from explorer.api.question import Predictor, Query, UserMistake
from explorer.document import Mask
from explorer.questions.cause.logit_parts.question import (
    QUESTION,
    LogitPartsRequest,
    part_named,
    strongest,
    waits,
)
from tests.hf import tiny
from tests.hf.kept import bundled, miniature

TEXT = "I will plant the flower, so I dug the ground. I used a [MASK]."


def asked(name="bert-miniature", **settings):
    return tiny.ask(miniature(name), LogitPartsRequest(**{"text": TEXT, **settings}))


@pytest.mark.parametrize("name", bundled(Predictor))
def test_every_bundled_model_answers_and_its_parts_are_the_difference(name):
    result = asked(name)
    assert abs(sum(one.value for one in result.parts) - result.difference) < 1e-4
    assert abs(result.missing) < 1e-4
    expected = np.log(result.chances[0] / result.chances[1])
    assert result.difference == pytest.approx(expected, abs=1e-4)
    assert result.difference > 0
    assert result.head is not None or result.neurons is not None
    assert result.correlation is not None


def test_the_words_are_the_first_two_where_nothing_is_hidden_and_nobody_chose():
    result = asked(totals=False)
    model = miniature("bert-miniature")
    encoded = model.encode(TEXT)
    rows = model.port(Predictor).log_probabilities(
        [Query(encoded, encoded.mask_positions)], tiny.Context()
    )[0]
    best = [model.tokenizer.decode([n]) for n in rows[0].topk(2).indices.tolist()]
    assert list(result.words) == best


def test_a_hidden_word_is_the_second_where_it_is_not_the_first():
    text = TEXT.replace("[MASK]", "hose")
    start = text.index("hose")
    result = asked(text=text, masks=(Mask(start, start + 4),), totals=False)
    assert result.words == ("trowel", "hose")
    right = text.replace("hose", "trowel")
    result = asked(text=right, masks=(Mask(start, start + 6),), totals=False)
    assert result.words[0] == "trowel"
    assert result.words[1] != "trowel"


def test_chosen_words_change_the_sign_with_their_order():
    one, other = (
        asked(words=words, totals=False) for words in (("trowel", "hose"), ("hose", "trowel"))
    )
    assert one.difference == pytest.approx(-other.difference, abs=1e-5)
    for first, second in zip(one.parts, other.parts, strict=True):
        assert first.name == second.name
        assert first.value == pytest.approx(-second.value, abs=1e-4)


def test_words_that_are_no_two_pieces_are_refused():
    for words, told in (
        (("trowel",), "1 are given"),
        (("trowel", "trowel"), "1 are given"),
        (("trowel", "xylophones"), "no single piece"),
    ):
        with pytest.raises(UserMistake, match=told):
            asked(words=words)


def test_a_part_is_opened_by_its_name_with_or_without_its_stack():
    for name in ("head 3.1", "head encoder 3.1"):
        result = asked(words=("trowel", "hose"), opened=name, totals=False)
        assert result.opened == "head encoder 3.1"
        assert result.head.values.sum() == pytest.approx(result.open_part.value, abs=1e-4)
        most = result.tokens[int(result.head.values.argmax())]
        assert most.text == "plant"
    with pytest.raises(UserMistake, match=r"no part that is called “head 9\.9”"):
        asked(opened="head 9.9")
    with pytest.raises(UserMistake, match="no part"):
        asked(opened="norm_bias")


def test_the_neurons_and_what_is_left_are_the_feed_forward_part():
    result = asked(words=("trowel", "hose"), opened="feed_forward 3", totals=False)
    neurons = result.neurons
    whole = float(neurons.values.sum()) + neurons.others + neurons.bias
    assert whole == pytest.approx(result.open_part.value, abs=1e-4)
    assert neurons.count == 512
    assert list(abs(neurons.values)) == sorted(abs(neurons.values), reverse=True)
    model = miniature("bert-miniature")
    dense = model.module.bert.encoder.layer[3].output.dense
    seen = []
    handle = dense.register_forward_pre_hook(lambda _module, args: seen.append(args[0]))
    try:
        asked(words=("trowel", "hose"), totals=False)
    finally:
        handle.remove()
    active = seen[0][0, -1 if len(seen[0][0]) == 1 else result.position]
    assert neurons.activations == pytest.approx(active[neurons.numbers].detach().numpy(), abs=1e-4)


def test_what_is_opened_by_itself_is_the_strongest():
    result = asked(words=("trowel", "hose"), totals=False)
    largest = max((one for one in result.parts if one.opens), key=lambda one: abs(one.value))
    assert strongest(result.parts) == largest == result.open_part


def test_total_effects_and_their_rank_correlation():
    result = asked(words=("trowel", "hose"))
    known = [one for one in result.parts if one.total is not None]
    assert {one.by for one in known} == {"embeddings", "head", "feed_forward"}
    expected = spearmanr([one.value for one in known], [one.total for one in known]).statistic
    assert result.correlation == pytest.approx(expected, abs=1e-9)
    plain = asked(words=("trowel", "hose"), totals=False)
    assert plain.correlation is None
    assert all(one.total is None for one in plain.parts)


def test_the_last_head_taken_out_is_what_ablation_gives_at_the_read_token():
    """Head ablation takes a head out at all tokens: behind the last layer that is the same."""
    from explorer.api.question import AttentionModules, Context, HeadPlace

    model = miniature("bert-miniature")
    result = asked(words=("trowel", "hose"))
    part = part_named(result.parts, "head 3.1")
    encoded = model.encode(TEXT)
    query = Query(encoded, encoded.mask_positions)
    ids = model.tokenizer.convert_tokens_to_ids(list(result.words))
    with model.port(AttentionModules).ablated((HeadPlace("encoder", 3, 1),)):
        (rows,) = model.port(Predictor).log_probabilities([query], Context())
    without = float(rows[0][ids[0]] - rows[0][ids[1]])
    assert part.total == pytest.approx(result.difference - without, abs=1e-4)


def test_another_mask_is_read():
    text = "I will plant the [MASK], so I used a [MASK]."
    first = asked(text=text, totals=False)
    masks = [n for n, one in enumerate(first.tokens) if one.masked]
    assert first.position == masks[0]
    assert asked(text=text, position=masks[1], totals=False).position == masks[1]


def test_a_decoder_is_opened_into_what_it_reads_of_the_encoder():
    result = asked("t5-miniature", opened="head cross 1.0", totals=False)
    assert result.open_part.kind == "cross"
    assert [one.text for one in result.head.tokens] == [one.text for one in result.tokens]
    assert result.head.values.sum() == pytest.approx(result.open_part.value, abs=1e-4)


def test_half_precision_is_refused():
    from explorer.api.question import Unavailable
    from tests.hf.kept import MODELS

    model = tiny.load(MODELS / "bert-miniature", dtype="float16")
    with pytest.raises(Unavailable, match="too coarse in float16"):
        tiny.ask(model, LogitPartsRequest(TEXT))


def test_a_large_model_waits_for_its_total_effects_alone():
    from dataclasses import replace

    from explorer.api.question import Answered
    from explorer.document import Document
    from explorer.questions.cause.logit_parts.question import OPENED, TOTALS
    from tests.ui.fake_engine import MINIATURE, card_of

    result = asked(words=("trowel", "hose"))
    small = replace(card_of(MINIATURE, "A"), stamp=result.model)
    large = replace(small, parameters=110_000_000)
    document = Document(TEXT)
    assert not waits(document, small, None)
    assert waits(document, large, None)
    assert not waits(document.with_option(TOTALS.key, False), large, None)
    answered = Answered(result, document)
    assert not waits(document, large, answered)
    assert not waits(document.with_option(OPENED.key, "head 3.1"), large, answered)
    assert waits(replace(document, text="Another [MASK]."), large, answered)


def test_the_table_has_every_part_and_the_summary_the_strongest():
    result = asked(words=("trowel", "hose"))
    table = QUESTION.table(result)
    assert len(table.rows) == len(result.parts)
    assert sum(table.column("value")) == pytest.approx(result.difference, abs=1e-4)
    summary = QUESTION.summary(result)
    assert summary["strongest"] == strongest(result.parts).name
    assert summary["difference"] == result.difference
