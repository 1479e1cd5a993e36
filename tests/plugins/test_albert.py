"""ALBERT: shared layers, narrow pieces, sentence order, and the segments its tokenizer hides."""

import pytest

from explorer.api.family import Context, Unavailable
from explorer.hf.family.tiny import TINY_LAYERS, TINY_LENGTH, write_tiny
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from tests.plugins import encoder_checkpoints as made


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "albert-tiny"
    return write_tiny(made.families().family("albert"), folder)


@pytest.fixture(scope="module")
def answering(folder):
    return made.loaded(folder)


def test_what_the_library_shows(folder):
    row = made.row(folder)
    assert row.family == "albert"
    assert {"masked_tokens", "tokens"} <= set(row.operations)
    assert [(h.name, h.present) for h in row.heads] == [
        ("masked_lm", True),
        ("sentence_order", True),
    ]
    assert row.architecture.endswith("embeddings 16 wide · 3 layers share 1 set of weights")
    assert row.max_length == TINY_LENGTH


@pytest.mark.parametrize("text", [made.ONE, made.SEVERAL])
def test_the_same_as_transformers(folder, answering, text):
    result = made.fill(answering, text)
    made.agree(result, made.plain_logits("AlbertForMaskedLM", folder, result))


def test_the_second_text_is_the_second_segment(folder, answering):
    """transformers 5's tokenizer does not say so by itself; the model was trained with it."""
    import torch

    result = made.fill(answering, "the [MASK] sat", pair="a dog")
    types = [token.part for token in result.tokens]
    assert 1 in types
    logits = made.plain_logits(
        "AlbertForMaskedLM", folder, result, token_type_ids=torch.tensor([types])
    )
    made.agree(result, logits)
    without = made.plain_logits("AlbertForMaskedLM", folder, result)
    assert float((logits - without).abs().max()) > 0.1


def test_shared_layers_are_counted_once(folder, answering):
    row, card = made.row(folder), answering.cards["A"]
    assert row.parameters == card.parameters
    assert not any(f"albert_layers.{TINY_LAYERS - 1}." in name for name in made.state(folder))
    tied = dict(card.report.tied)
    assert tied["predictions.decoder.weight"] == "albert.embeddings.word_embeddings.weight"
    assert tied["predictions.decoder.bias"] == "predictions.bias"
    assert card.report.missing == ()


def test_the_line_counts_sets_of_weights():
    family = made.families().family("albert")
    config = {"num_hidden_layers": 12, "num_hidden_groups": 3, "inner_group_num": 2}
    assert family.architecture(config).endswith("12 layers share 6 sets of weights")


def test_no_head_no_answer(folder, tmp_path):
    weights = {n: t for n, t in made.state(folder).items() if not n.startswith("predictions.")}
    bare = made.changed(folder, tmp_path / "albert-bare", weights)
    assert [h.present for h in made.row(bare).heads] == [False, True]
    answering = made.loaded(bare)
    assert "masked_tokens" not in answering.cards["A"].operations
    with pytest.raises(Unavailable, match="no masked language model head"):
        answering.ask(MaskedTokensRequest("the [MASK]"), {"model": "A"}, Context())


def test_without_sentence_order_it_still_fills(folder, tmp_path, answering):
    weights = {n: t for n, t in made.state(folder).items() if not n.startswith("sop_classifier.")}
    part = made.changed(folder, tmp_path / "albert-mlm", weights)
    assert [h.present for h in made.row(part).heads] == [True, False]
    assert made.fill(made.loaded(part), made.ONE).masks == made.fill(answering, made.ONE).masks


@pytest.mark.parametrize("one", made.published("albert"), ids=lambda one: one.id)
def test_published_numbers_follow_from_the_architecture(one):
    from transformers import AlbertConfig, AlbertForPreTraining

    # The hub's files lack the classifier of sentence order: two rows and two biases.
    expected = made.counted(AlbertForPreTraining, AlbertConfig(**one.config))
    expected -= 2 * one.config["hidden_size"] + 2
    assert one.parameters == expected
    assert one.size_bytes == 4 * one.parameters


def test_the_factorised_embedding_of_the_notes():
    """V x E + E x H for 30000 pieces, 64 and 768: 1,969,152 instead of 23,040,000."""
    import torch
    from transformers import AlbertConfig, AlbertModel

    config = AlbertConfig(embedding_size=64, hidden_size=768, num_attention_heads=12)
    with torch.device("meta"):
        module = AlbertModel(config)
    words = module.embeddings.word_embeddings.weight.numel()
    assert words + module.encoder.embedding_hidden_mapping_in.weight.numel() == 1_969_152
