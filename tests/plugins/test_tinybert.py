"""TinyBERT: told from BERT by four signs, and its fits to the teacher's width."""

import pytest

from explorer.api.family import Context, LayerProjection, LoadOptions
from explorer.hf.family.tiny import TINY_LAYERS, TINY_WIDTH, write_tiny
from tests.plugins import encoder_checkpoints as made

TEACHER = 48


@pytest.fixture(scope="module")
def family():
    return made.families().family("tinybert")


@pytest.fixture(scope="module")
def first(family, tmp_path_factory):
    """The first version: one fit for all layers."""
    added = {"fit_dense.weight": (TEACHER, TINY_WIDTH), "fit_dense.bias": (TEACHER,)}
    return write_tiny(family, tmp_path_factory.mktemp("models") / "toy", added=added)


@pytest.fixture(scope="module")
def second(family, tmp_path_factory):
    """The second: one for the embeddings and one for each layer."""
    added = {}
    for layer in range(TINY_LAYERS + 1):
        added[f"fit_denses.{layer}.weight"] = (TEACHER, TINY_WIDTH)
        added[f"fit_denses.{layer}.bias"] = (TEACHER,)
    return write_tiny(family, tmp_path_factory.mktemp("models") / "toy", added=added)


def without_fits(folder):
    return {n: t for n, t in made.state(folder).items() if not n.startswith("fit_")}


def test_four_signs(first, second, tmp_path):
    assert made.claim(first)[:2] == made.claim(second)[:2] == ("tinybert", 95)
    plain = without_fits(first)
    for number, name in enumerate(("TinyBERT_4L", "my-tiny-bert")):
        named = made.changed(first, tmp_path / str(number) / name, plain)
        assert made.claim(named) == (
            "tinybert",
            90,
            "Its name says TinyBERT; otherwise it is a BERT.",
        )
    keys = made.changed(first, tmp_path / "a", plain, cell={}, structure=[], emb_size=TINY_WIDTH)
    assert made.claim(keys)[:2] == ("tinybert", 88)
    assert made.claim(made.changed(first, tmp_path / "b", plain))[0] == "bert"


def test_the_size_alone_is_a_sign_of_the_small_one_only(tmp_path):
    import json

    small = {"num_hidden_layers": 4, "hidden_size": 312, "intermediate_size": 1200}
    six = {"num_hidden_layers": 6, "hidden_size": 768, "intermediate_size": 3072}
    for name, size in (("small", small), ("six", six)):
        (tmp_path / name).mkdir()
        content = {"model_type": "bert", "num_attention_heads": 12, "vocab_size": 30522, **size}
        (tmp_path / name / "config.json").write_text(json.dumps(content), encoding="utf-8")
    assert made.claim(tmp_path / "small")[:2] == ("tinybert", 85)
    assert made.claim(tmp_path / "six")[0] == "bert"


def test_without_a_model_type_as_the_chinese_ones_are(second, tmp_path):
    """Only config.json without a type, the pickle and vocab.txt."""
    import torch
    from transformers import AutoTokenizer

    folder = made.changed(second, tmp_path / "TinyBERT_4L_zh", model_type=None)
    vocabulary = AutoTokenizer.from_pretrained(str(second)).get_vocab()
    for path in folder.iterdir():
        if path.name != "config.json":
            path.unlink()
    torch.save(made.state(second), folder / "pytorch_model.bin")
    pieces = sorted(vocabulary, key=vocabulary.__getitem__)
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
    row = made.row(folder)
    assert (row.family, row.problem, row.pickled) == ("tinybert", "", True)
    answering = made.loaded(folder, allow_pickle=True)
    result = made.fill(answering, made.ONE)
    assert made.ids(result) == made.ids(made.fill(made.loaded(second), made.ONE))
    made.agree(result, made.plain_logits("BertForMaskedLM", second, result))


@pytest.mark.parametrize("text", [made.ONE, made.SEVERAL])
def test_the_same_as_transformers(second, text):
    result = made.fill(made.loaded(second), text)
    made.agree(result, made.plain_logits("BertForMaskedLM", second, result))


def test_heads_before_and_after_loading(first, second, tmp_path):
    for folder in (first, second):
        row, card = made.row(folder), made.loaded(folder).cards["A"]
        assert [h.name for h in row.heads if h.present] == [
            "masked_lm",
            "next_sentence",
            "hidden_fit",
        ]
        assert card.heads == row.heads
        assert card.report.missing == ()
        assert card.report.unexpected == ()
        assert card.parameters == row.parameters
    plain = made.changed(first, tmp_path / "tinybert-plain", without_fits(first))
    model = made.loaded(plain).models["A"]
    assert LayerProjection not in model.ports
    assert {h.name: h.present for h in model.heads}["hidden_fit"] is False


def test_the_fits_by_hand(first, second):
    import torch

    hidden = torch.randn(5, TINY_WIDTH, generator=torch.Generator().manual_seed(2))
    fit = made.loaded(first).models["A"].port(LayerProjection).fit
    state = made.state(first)
    expected = hidden @ state["fit_dense.weight"].T + state["fit_dense.bias"]
    with torch.inference_mode():
        assert torch.allclose(fit(hidden), expected, atol=1e-5)
        assert torch.allclose(fit(hidden, 2), expected, atol=1e-5)
    fits = made.loaded(second).models["A"].port(LayerProjection).fit
    state = made.state(second)
    for layer in range(TINY_LAYERS + 1):
        name = f"fit_denses.{layer}"
        expected = hidden @ state[f"{name}.weight"].T + state[f"{name}.bias"]
        with torch.inference_mode():
            assert torch.allclose(fits(hidden, layer), expected, atol=1e-5)
    assert len(fits) == TINY_LAYERS + 1


def test_the_user_can_overrule_both_ways(first, tmp_path):
    as_bert = made.runner()
    card = as_bert.load("A", str(first), LoadOptions(device="cpu", family="bert"), Context())
    assert card.stamp.family == "bert"
    assert set(card.report.unexpected) == {"fit_dense.bias", "fit_dense.weight"}
    plain = made.changed(first, tmp_path / "toy", without_fits(first))
    as_tiny = made.runner()
    card = as_tiny.load("A", str(plain), LoadOptions(device="cpu", family="tinybert"), Context())
    assert card.stamp.family == "tinybert"
    assert card.architecture.startswith("TinyBERT · ")
    assert made.fill(as_tiny, made.ONE).masks == made.fill(as_bert, made.ONE).masks


@pytest.mark.parametrize("one", made.published("tinybert"), ids=lambda one: one.id)
def test_published_numbers_follow_from_the_architecture(one):
    """BERT with all its heads, and the fits to a teacher 768 wide."""
    from transformers import BertConfig, BertForPreTraining

    fits = one.config["num_hidden_layers"] + 1 if "General" in one.id else 1
    each = one.config["hidden_size"] * 768 + 768
    expected = made.counted(BertForPreTraining, BertConfig(**one.config)) + fits * each
    assert (one.parameters, one.size_bytes) == (expected, 4 * expected)
