"""ERNIE: as its own type, as the BERT that early files say it is, with and without task types."""

import pytest

from explorer.api.family import CheckpointFault, Context, LoadOptions, Unavailable
from explorer.hf.family.tiny import write_tiny
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from tests.plugins import encoder_checkpoints as made


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """With task types, as ERNIE 3.0 is."""
    values = {"use_task_id": True, "task_type_vocab_size": 3, "type_vocab_size": 4}
    place = tmp_path_factory.mktemp("models")
    return write_tiny(made.families().family("ernie"), place / "toy", config=values)


@pytest.fixture(scope="module")
def early(folder, tmp_path_factory):
    """As ERNIE 2.0 was published at first: a BERT by type and names, with two keys of its own."""
    weights = {
        name.replace("ernie.", "bert.", 1): tensor
        for name, tensor in made.state(folder).items()
        if "task_type" not in name
    }
    return made.changed(
        folder,
        tmp_path_factory.mktemp("models") / "toy",
        weights,
        model_type="bert",
        use_task_id=None,
        task_type_vocab_size=16,
        sent_type_vocab_size=4,
    )


def test_how_it_is_told(folder, early, tmp_path):
    assert made.claim(folder) == ("ernie", 90, 'Its config.json says model_type "ernie".')
    assert made.claim(early) == ("ernie", 88, "Its config.json has ERNIE's task types.")
    plain = {"task_type_vocab_size": None, "sent_type_vocab_size": None}
    assert made.claim(made.changed(early, tmp_path / "toy", **plain))[0] == "bert"
    for name in ("ernie-2.0-base-en", "my_ERNIE"):
        assert made.claim(made.changed(early, tmp_path / name, **plain))[:2] == ("ernie", 90)
    assert made.claim(made.changed(early, tmp_path / "bernie", **plain))[0] == "bert"
    mixed = made.changed(folder, tmp_path / "mixed", model_type="bert", use_task_id=None)
    assert made.claim(mixed)[:2] == ("ernie", 95)


@pytest.mark.parametrize("text", [made.ONE, made.SEVERAL])
def test_the_same_as_transformers(folder, text):
    result = made.fill(made.loaded(folder), text)
    made.agree(result, made.plain_logits("ErnieForMaskedLM", folder, result))


def test_the_task_type_counts(folder, tmp_path):
    weights = made.state(folder)
    name = "ernie.embeddings.task_type_embeddings.weight"
    weights[name] = weights[name] * 0
    without = made.changed(folder, tmp_path / "ernie-zero", weights)
    assert made.row(folder).architecture.endswith(" · 3 task types")
    one, other = (made.fill(made.loaded(f), made.ONE).masks[0] for f in (folder, without))
    assert one.entropy != pytest.approx(other.entropy, abs=1e-3)


def test_an_early_file_is_the_same_as_a_bert(early):
    answering = made.loaded(early)
    card = answering.cards["A"]
    assert (card.stamp.family, card.report.missing, card.report.unexpected) == ("ernie", (), ())
    result = made.fill(answering, made.SEVERAL)
    made.agree(result, made.plain_logits("BertForMaskedLM", early, result))
    as_bert = made.runner()
    as_bert.load("A", str(early), LoadOptions(device="cpu", family="bert"), Context())
    assert made.fill(as_bert, made.SEVERAL).masks == result.masks


def test_ties_and_parameters(folder, early):
    for checkpoint in (folder, early):
        card, row = made.loaded(checkpoint).cards["A"], made.row(checkpoint)
        word = "ernie.embeddings.word_embeddings.weight"
        assert dict(card.report.tied)["cls.predictions.decoder.weight"] == word
        assert all(h.present for h in row.heads)
        assert card.heads == row.heads
        assert card.parameters == row.parameters


def test_missing_task_types_are_the_checkpoints_fault(folder, tmp_path):
    weights = {n: t for n, t in made.state(folder).items() if "task_type" not in n}
    lacking = made.changed(folder, tmp_path / "ernie-lacking", weights)
    with pytest.raises(CheckpointFault, match="task_type_embeddings"):
        made.loaded(lacking)


def test_no_head_no_answer(folder, tmp_path):
    weights = {n: t for n, t in made.state(folder).items() if not n.startswith("cls.")}
    bare = made.changed(folder, tmp_path / "ernie-bare", weights)
    assert not any(head.present for head in made.row(bare).heads)
    answering = made.loaded(bare)
    with pytest.raises(Unavailable, match="no masked language model head"):
        answering.ask(MaskedTokensRequest("the [MASK]"), {"model": "A"}, Context())


@pytest.mark.parametrize("one", made.published("ernie"), ids=lambda one: one.id)
def test_published_numbers_follow_from_the_architecture(one):
    """Encoder and pooler, the masked-LM head where it is published, next sentence in the first."""
    import transformers

    config = transformers.ErnieConfig(**one.config)
    name = "ErnieForPreTraining" if "masked_lm" in one.heads else "ErnieModel"
    expected = made.counted(getattr(transformers, name), config)
    if "ernie-3.0-base" in one.id:
        expected -= 2 * config.hidden_size + 2
    assert one.parameters == expected
    assert one.size_bytes in {None, 4 * expected}
