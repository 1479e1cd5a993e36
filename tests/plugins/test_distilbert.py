"""DistilBERT: its four-step head, and no segments whatever its tokenizer says."""

import json

import pytest

from explorer.api.family import Context, Unavailable
from explorer.hf.family.tiny import TINY_LENGTH, write_tiny
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from tests.plugins import encoder_checkpoints as made


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "distilbert-tiny"
    return write_tiny(made.families().family("distilbert"), folder)


@pytest.fixture(scope="module")
def answering(folder):
    return made.loaded(folder)


def test_what_the_library_shows(folder):
    row = made.row(folder)
    assert row.family == "distilbert"
    assert {"masked_tokens", "tokens"} <= set(row.operations)
    assert row.architecture.startswith("DistilBERT · 3 layers × 32 wide × 4 heads")
    assert row.attention_bytes[128] == 3 * 4 * 128 * 128 * 4
    assert row.max_length == TINY_LENGTH


@pytest.mark.parametrize("text", [made.ONE, made.SEVERAL])
def test_the_same_as_transformers(folder, answering, text):
    result = made.fill(answering, text)
    made.agree(result, made.plain_logits("DistilBertForMaskedLM", folder, result))


def test_segments_are_not_passed(folder, tmp_path):
    """Early checkpoints carry BERT's tokenizer, which gives token types."""
    from transformers import AutoTokenizer

    old = made.changed(folder, tmp_path / "distilbert-old")
    path = old / "tokenizer_config.json"
    said = {**json.loads(path.read_text("utf-8")), "tokenizer_class": "BertTokenizer"}
    path.write_text(json.dumps(said), encoding="utf-8")
    assert "token_type_ids" in AutoTokenizer.from_pretrained(str(old)).model_input_names
    result = made.fill(made.loaded(old), "the [MASK] sat", pair="a dog")
    made.agree(result, made.plain_logits("DistilBertForMaskedLM", folder, result))


def test_ties_are_reported(folder, answering):
    report = answering.cards["A"].report
    name = "distilbert.embeddings.word_embeddings.weight"
    assert dict(report.tied) == {"vocab_projector.weight": name}
    assert report.missing == ()
    assert report.unexpected == ()
    assert answering.cards["A"].parameters == made.row(folder).parameters


def test_no_head_no_answer(folder, tmp_path):
    weights = {n: t for n, t in made.state(folder).items() if not n.startswith("vocab_")}
    bare = made.changed(folder, tmp_path / "distilbert-bare", weights)
    answering = made.loaded(bare)
    assert "masked_tokens" not in answering.cards["A"].operations
    with pytest.raises(Unavailable, match=r"vocab_transform\.weight and others are missing"):
        answering.ask(MaskedTokensRequest("the [MASK]"), {"model": "A"}, Context())


def test_an_untied_projection_must_be_there(folder, tmp_path):
    untied = made.changed(folder, tmp_path / "distilbert-untied", tie_word_embeddings=False)
    (head,) = made.row(untied).heads
    assert (head.present, head.missing) == (False, ("vocab_projector.weight",))
    assert "masked_tokens" not in made.loaded(untied).cards["A"].operations


@pytest.mark.parametrize("one", made.published("distilbert"), ids=lambda one: one.id)
def test_published_numbers_follow_from_the_architecture(one):
    from transformers import DistilBertConfig, DistilBertForMaskedLM

    assert one.parameters == made.counted(DistilBertForMaskedLM, DistilBertConfig(**one.config))
    assert one.size_bytes == 4 * one.parameters
