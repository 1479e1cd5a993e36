"""T5 against transformers' own forward, from the published layout."""

import json
import math

import numpy as np
import pytest

from explorer.api.family import Context, UserMistake
from explorer.document import Mask
from explorer.questions import answered_with
from explorer.questions.masking.masked_tokens.question import QUESTION, MaskedTokensRequest
from explorer.questions.tokenizers.tokens.question import TokensRequest
from tests.hf import tiny

WORDS = ["the", "cat", "sat", "on", "mat", "a", "dog", "was", "great", "fun", "very"]
SENTINELS = 4


def tokenizer():
    from transformers import T5Tokenizer

    vocabulary = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", -9.0)]
    vocabulary += [(f"▁{word}", -2.0 - i / 10) for i, word in enumerate(WORDS)]
    vocabulary += [(letter, -7.0) for letter in "▁abcdefghijklmnopqrstuvwxyz.,"]
    return T5Tokenizer(vocab=vocabulary, extra_ids=SENTINELS)


def save(folder, name="T5ForConditionalGeneration", *, untied=False, seed=0):
    """Weights as published: v1.1 with a head of its own and gated feed-forward layers."""
    import torch
    import transformers

    cut = tokenizer()
    config = transformers.T5Config(
        # Two rows more than pieces, as the published ones have.
        vocab_size=len(cut) + 2,
        d_model=32,
        d_kv=8,
        d_ff=48,
        num_layers=2,
        num_decoder_layers=3,
        num_heads=4,
        decoder_start_token_id=0,
        feed_forward_proj="gated-gelu" if untied else "relu",
        tie_word_embeddings=not untied,
    )
    torch.manual_seed(seed)
    module = getattr(transformers, name)(config).eval()
    if untied:
        module.lm_head.weight = torch.nn.Parameter(torch.randn(len(cut) + 2, 32) * 0.1)
    weights = {
        key: value.detach().clone()
        for key, value in module.state_dict().items()
        if "embed_tokens" not in key and (untied or key != "lm_head.weight")
    }
    values = {**config.to_dict(), "tie_word_embeddings": not untied, "n_positions": 24}
    del values["scale_decoder_outputs"]
    tiny.write(folder, values, weights, cut)
    return module


@pytest.fixture(scope="module", params=["t5", "t5-v1_1"])
def saved(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / request.param
    return folder, save(folder, untied="v1_1" in request.param)


@pytest.fixture(scope="module")
def model(saved):
    return tiny.load(saved[0])


def ask(model, text, masks=(), top_k=5, **options):
    return tiny.ask(
        model, MaskedTokensRequest(text, masks=tuple(masks), top_k=top_k, **options), Context()
    )


def rows(module, text, written):
    """transformers' log-softmax after every piece the decoder has written, float64."""
    import torch

    cut = tokenizer()
    with torch.no_grad():
        logits = module(
            input_ids=torch.tensor([cut(text)["input_ids"]]),
            decoder_input_ids=torch.tensor([[0, *written]]),
        ).logits[0]
    return logits.double().log_softmax(-1).numpy()


def plain_sum(module, text, before, ids, number=0):
    """A span's probability, added up piece by piece from one forward."""
    cut = tokenizer()
    sentinel = cut.convert_tokens_to_ids(f"<extra_id_{number}>")
    following = cut.convert_tokens_to_ids(f"<extra_id_{number + 1}>")
    written = [*before, sentinel, *ids]
    values = rows(module, text, written)
    first = len(before) + 1
    total = sum(values[first + i, piece] for i, piece in enumerate(ids))
    ends = values[first + len(ids)]
    return math.exp(total) * (math.exp(ends[following]) + math.exp(ends[1]))


def test_a_run_of_masks_is_one_sentinel(model):
    encoded = model.encode("the [MASK][MASK] on the mat", None, (Mask(20, 27),))
    assert [(t.text, t.start, t.end, t.masked) for t in encoded.tokens] == [
        ("▁the", 0, 3, False),
        ("<extra_id_0>", 4, 16, True),
        ("▁on", 17, 19, False),
        ("<extra_id_1>", 20, 27, True),
        ("</s>", 27, 27, False),
    ]
    assert encoded.mask_positions == (1, 3)
    cut = tokenizer()
    expected = cut("the <extra_id_0> on <extra_id_1>")["input_ids"]
    assert encoded.input_ids.tolist() == [expected]


def test_a_typed_sentinel_counts_as_a_mask(model):
    encoded = model.encode("the <extra_id_3> on")
    assert [t.text for t in encoded.tokens] == ["▁the", "<extra_id_0>", "▁on", "</s>"]
    assert encoded.mask_positions == (1,)


def test_the_first_piece_equals_transformers_forward(saved, model):
    first = tokenizer().convert_tokens_to_ids("<extra_id_0>")
    row = rows(saved[1], "the <extra_id_0> on the mat", [first])[-1]
    (mask,) = ask(model, "the [MASK] on the mat").masks
    assert mask.entropy == pytest.approx(-(np.exp(row) * row).sum(), abs=1e-4)


def test_spans_equal_a_plain_sum(saved, model):
    result = ask(model, "the [MASK] on the mat", top_k=20)
    (mask,) = result.masks
    assert len(mask.predictions) == 20
    for one in mask.predictions:
        assert one.id == one.ids[0]
        assert one.probability == pytest.approx(
            plain_sum(saved[1], "the <extra_id_0> on the mat", [], one.ids), rel=1e-4
        )
    values = [one.probability for one in mask.predictions]
    assert values == sorted(values, reverse=True)
    assert len({one.ids for one in mask.predictions}) == 20
    assert any(len(one.ids) > 1 for one in ask(model, "[MASK]", top_k=400).masks[0].predictions)


def test_the_search_finds_the_best_spans(saved, model):
    """Against every span of one or two pieces, counted out."""
    text = "the <extra_id_0> on"
    cut = tokenizer()
    first = cut.convert_tokens_to_ids("<extra_id_0>")
    sentinels = {cut.convert_tokens_to_ids(f"<extra_id_{i}>") for i in range(SENTINELS)}
    pieces = [n for n in range(2, len(cut)) if n not in sentinels]
    ends = [cut.convert_tokens_to_ids("<extra_id_1>"), 1]
    best = {}
    start = rows(saved[1], text, [first])[-1]
    for one in pieces:
        after = rows(saved[1], text, [first, one])[-1]
        best[(one,)] = math.exp(start[one]) * np.exp(after[ends]).sum()
    for one in sorted(pieces, key=lambda n: -start[n])[:8]:
        second = rows(saved[1], text, [first, one])[-1]
        for two in pieces:
            after = rows(saved[1], text, [first, one, two])[-1]
            best[(one, two)] = math.exp(start[one] + second[two]) * np.exp(after[ends]).sum()
    expected = sorted(best, key=lambda ids: -best[ids])[:3]
    (mask,) = ask(model, "the [MASK] on", top_k=3).masks
    found = [one for one in mask.predictions if len(one.ids) <= 2]
    assert [one.ids for one in found] == expected[: len(found)]
    assert found


def test_the_original_span(saved, model):
    result = ask(model, "the very great cat sat", [Mask(4, 14)], top_k=4)
    (mask,) = result.masks
    ids = tuple(tokenizer().convert_tokens_to_ids(["▁very", "▁great"]))
    assert mask.original.ids == ids
    assert mask.original.word == "very great"
    assert mask.original.probability == pytest.approx(
        plain_sum(saved[1], "the <extra_id_0> cat sat", [], ids), rel=1e-4
    )
    assert mask.original.rank > 4
    assert QUESTION.table(result).rows[-1][6] is True
    shown = ask(model, "the very great cat sat", [Mask(4, 14)], top_k=2000).masks[0]
    at = [one for one in shown.predictions if one.ids == ids]
    assert at == ([shown.original] if at else [])


def test_a_later_span_follows_the_best_one(saved, model):
    result = ask(model, "the [MASK] on [MASK] mat", [Mask(21, 24)], top_k=3)
    assert len(result.masks) == 2
    assert "best span" in result.note
    first = tokenizer().convert_tokens_to_ids("<extra_id_0>")
    before = [first, *result.masks[0].predictions[0].ids]
    text = "the <extra_id_0> on <extra_id_1>"
    for one in result.masks[1].predictions:
        assert one.probability == pytest.approx(
            plain_sum(saved[1], text, before, one.ids, 1), rel=1e-4
        )


def test_too_many_spans(model):
    assert len(ask(model, "the [MASK] " * SENTINELS, top_k=1).masks) == SENTINELS
    with pytest.raises(UserMistake, match="4 masked spans"):
        ask(model, "the [MASK] " * (SENTINELS + 1), top_k=1)


def test_the_head_of_v1_1_is_its_own(tmp_path):
    module = save(tmp_path / "t5", untied=True)
    model = tiny.load(tmp_path / "t5")
    assert model.module.lm_head.weight.equal(module.lm_head.weight)
    assert not model.config.scale_decoder_outputs


def test_no_decoder_no_answer(tmp_path):
    save(tmp_path / "t5", "T5EncoderModel")
    model = tiny.load(tmp_path / "t5")
    assert not tiny.answers(model, MaskedTokensRequest)
    assert "no span filling head" in tiny.why_not(model, MaskedTokensRequest)
    assert tiny.answers(model, TokensRequest)
    assert model.encoder(**model.encode("the cat").inputs).shape == (1, 3, 32)


def test_files_and_parameters(saved, model):
    from explorer.engine.library.inspection import inspect_folder

    files = inspect_folder(saved[0])
    family, _ = tiny.families().family_of(files)
    weights = {p.data_ptr(): p.numel() for p in model.module.parameters()}
    assert family.parameters(files) == sum(weights.values())
    assert family.architecture(files.config).startswith("T5 · 2 + 3 layers × 32 wide × 4 heads")
    assert family.max_length(files.config) == 24
    assert family.max_length({}) == 512
    assert {"joint_decoding", "masked_tokens", "candidate_words", "tokens"} <= set(
        answered_with(family.offers(files))
    )


def test_too_long(model):
    result = ask(model, "[MASK]" + " the" * 40, top_k=1)
    assert len(result.tokens) == 24
    assert result.left_out.tokens == 18
    with pytest.raises(UserMistake, match="does not fit"):
        ask(model, "the " * 40 + "[MASK]")


def test_config_is_read_as_published(tmp_path):
    save(tmp_path / "t5")
    values = json.loads((tmp_path / "t5" / "config.json").read_text())
    assert "scale_decoder_outputs" not in values
    assert tiny.load(tmp_path / "t5").config.scale_decoder_outputs
