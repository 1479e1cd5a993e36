"""RoBERTa: its head, its positions, its spaces, and the Korean ones with WordPiece."""

import json

import pytest

from explorer.api.family import Context, Unavailable
from explorer.hf.family.tiny import TINY_LENGTH, byte_level_vocabulary, tiny_tokenizer, write_tiny
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from tests.plugins import encoder_checkpoints as made


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_tiny(
        made.families().family("roberta"), tmp_path_factory.mktemp("models") / "roberta-tiny"
    )


@pytest.fixture(scope="module")
def answering(folder):
    return made.loaded(folder)


def test_what_the_library_shows(folder):
    row = made.row(folder)
    assert row.family == "roberta"
    assert {"masked_tokens", "tokens"} <= set(row.operations)
    assert row.recognition == 'Its config.json says model_type "roberta".'
    assert [(head.name, head.present) for head in row.heads] == [("masked_lm", True)]
    assert row.max_length == TINY_LENGTH  # two positions are the padding's


@pytest.mark.parametrize("text", ["the cat [MASK] on", "[MASK] cat sat [MASK] the [MASK]."])
def test_the_same_as_transformers(folder, answering, text):
    result = made.fill(answering, text)
    assert len(result.masks) == text.count("[MASK]")
    made.agree(result, made.plain_logits("RobertaForMaskedLM", folder, result))


def test_a_typed_mask_and_a_masked_range_are_the_same(answering):
    typed = made.fill(answering, "the <mask> sat on")
    literal = made.fill(answering, "the [MASK] sat on")
    ranged = made.fill(answering, "the cat sat on", (4, 7))
    assert [t.text for t in ranged.tokens] == ["<s>", "the", "<mask>", "Ġsat", "Ġon", "</s>"]
    assert made.ids(typed) == made.ids(literal) == made.ids(ranged)
    assert typed.masks[0].predictions == ranged.masks[0].predictions


def test_the_same_where_only_vocabulary_and_merges_are_published(folder, tmp_path, answering):
    """transformers then gives the mask no claim on the space before it."""
    old = made.changed(folder, tmp_path / "roberta-old")
    vocabulary, merges = byte_level_vocabulary()
    (old / "tokenizer.json").unlink()
    (old / "tokenizer_config.json").unlink()
    (old / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    lines = ["#version: 0.2", *(" ".join(merge) for merge in merges)]
    (old / "merges.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    again = made.loaded(old)
    result = made.fill(again, "the <mask> sat on")
    assert made.ids(result) == made.ids(made.fill(again, "the cat sat on", (4, 7)))
    assert made.ids(result) == made.ids(made.fill(answering, "the <mask> sat on"))


def test_ties_are_reported(folder, answering):
    report = answering.cards["A"].report
    assert report.missing == ()
    assert report.unexpected == ()
    tied = dict(report.tied)
    assert tied["lm_head.decoder.weight"] == "roberta.embeddings.word_embeddings.weight"
    assert tied["lm_head.decoder.bias"] == "lm_head.bias"
    assert answering.cards["A"].parameters == made.row(folder).parameters


def test_a_stored_decoder_changes_nothing(folder, tmp_path):
    weights = made.state(folder)
    word = weights["roberta.embeddings.word_embeddings.weight"]
    weights["lm_head.decoder.weight"] = word.clone()
    weights["lm_head.decoder.bias"] = weights["lm_head.bias"].clone()
    full = made.changed(folder, tmp_path / "roberta-full", weights)
    assert made.row(full).parameters == made.row(folder).parameters
    assert all(head.present for head in made.row(full).heads)


def test_no_head_no_answer(folder, tmp_path):
    weights = {n: t for n, t in made.state(folder).items() if not n.startswith("lm_head.")}
    bare = made.changed(folder, tmp_path / "roberta-bare", weights)
    (head,) = made.row(bare).heads
    assert not head.present
    assert "lm_head.dense.weight" in head.missing
    answering = made.loaded(bare)
    assert "masked_tokens" not in answering.cards["A"].operations
    with pytest.raises(Unavailable, match=r"no masked language model head: lm_head\.dense"):
        answering.ask(MaskedTokensRequest("the [MASK]"), {"model": "A"}, Context())


def test_half_a_head_is_none(folder, tmp_path):
    weights = made.state(folder)
    del weights["lm_head.layer_norm.weight"]
    half = made.changed(folder, tmp_path / "roberta-half", weights)
    assert "masked_tokens" not in made.row(half).operations
    assert "masked_tokens" not in made.loaded(half).cards["A"].operations


def test_longest_input(answering):
    result = made.fill(answering, "[MASK] " + " ".join(["the"] * 40))
    assert len(result.tokens) == TINY_LENGTH
    assert result.left_out is not None
    assert result.left_out.tokens == 40 + 1 + 2 - TINY_LENGTH


@pytest.fixture(scope="module")
def korean(tmp_path_factory):
    """As KLUE publishes it: RoBERTa's config and weights, BERT's tokenizer with two segments."""
    from transformers import BertTokenizer

    pieces = ["[CLS]", "[PAD]", "[SEP]", "[UNK]", "[MASK]", "the", "cat", "고양이", "##가", "dog"]
    tokenizer = BertTokenizer(
        vocab={piece: i for i, piece in enumerate(pieces)}, do_lower_case=False
    )
    assert "token_type_ids" in tokenizer.model_input_names
    folder = tmp_path_factory.mktemp("models") / "klue-roberta-tiny"
    family = made.families().family("roberta")
    values = {"type_vocab_size": 1, "tokenizer_class": "BertTokenizer"}
    return write_tiny(family, folder, tokenizer=tokenizer, config=values)


def test_korean_pairs_have_no_second_segment(korean):
    """Its tokenizer would give a type 1, for which there is no embedding."""
    answering = made.loaded(korean)
    result = made.fill(answering, "고양이가 [MASK]", pair="dog")
    assert [t.text for t in result.tokens][1:3] == ["고양이", "##가"]
    made.agree(result, made.plain_logits("RobertaForMaskedLM", korean, result))
    assert answering.cards["A"].max_length == TINY_LENGTH


def test_positions_follow_the_paddings_number(folder):
    family = made.families().family("roberta")
    assert family.max_length({"max_position_embeddings": 514, "pad_token_id": 1}) == 512
    assert family.max_length({"max_position_embeddings": 514}) == 512
    assert family.max_length({"max_position_embeddings": 130, "pad_token_id": 0}) == 129
    assert family.max_length({}) is None
    assert len(tiny_tokenizer("roberta")) > 256


@pytest.mark.parametrize("one", made.published("roberta"), ids=lambda one: one.id)
def test_published_numbers_follow_from_the_architecture(one):
    from transformers import RobertaConfig, RobertaForMaskedLM

    assert one.parameters == made.counted(RobertaForMaskedLM, RobertaConfig(**one.config))
    assert one.size_bytes in {None, 4 * one.parameters}
