"""MobileBERT: a decoder in two parts, bottlenecks, and the teacher with inverted ones."""

import pytest

from explorer.api.family import Context, Unavailable
from explorer.hf.family.tiny import TINY_WIDTH, write_tiny
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from tests.plugins import encoder_checkpoints as made

INSIDE = 2 * TINY_WIDTH
IB_BERT = {
    "key_query_shared_bottleneck": False,
    "num_feedforward_networks": 1,
    "normalization_type": "layer_norm",
    "hidden_act": "gelu",
    "intra_bottleneck_size": INSIDE,
    "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """As published: the pooler without weights."""
    folder = tmp_path_factory.mktemp("models") / "mobilebert-tiny"
    family = made.families().family("mobilebert")
    return write_tiny(family, folder, config={"classifier_activation": False})


@pytest.fixture(scope="module")
def teacher(tmp_path_factory):
    """Weights in IB-BERT's shapes, made by hand from transformers' other ones."""
    import torch

    place = tmp_path_factory.mktemp("models")
    family = made.families().family("mobilebert")
    made_for = write_tiny(family, place / "start", config=IB_BERT)
    weights = made.state(made_for)
    generator = torch.Generator().manual_seed(3)
    for name, tensor in weights.items():
        if name.endswith(("attention.self.query.weight", "attention.self.key.weight")):
            assert tuple(tensor.shape) == (INSIDE, INSIDE)
            weights[name] = torch.randn(INSIDE, TINY_WIDTH, generator=generator) * 0.3
    return made.changed(made_for, place / "teacher", weights)


def test_what_the_library_shows(folder):
    row = made.row(folder)
    assert row.family == "mobilebert"
    assert {"masked_tokens", "tokens"} <= set(row.operations)
    assert [(h.name, h.present) for h in row.heads] == [
        ("masked_lm", True),
        ("next_sentence", True),
    ]
    assert row.architecture.endswith("embeddings 16 wide · blocks 16 wide, 4 feed-forwards each")


@pytest.mark.parametrize("text", [made.ONE, made.SEVERAL])
def test_the_same_as_transformers(folder, text):
    result = made.fill(made.loaded(folder), text)
    made.agree(result, made.plain_logits("MobileBertForMaskedLM", folder, result))


def test_ties_are_reported(folder):
    card = made.loaded(folder).cards["A"]
    tied = dict(card.report.tied)
    word = "mobilebert.embeddings.word_embeddings.weight"
    assert tied["cls.predictions.decoder.weight"] == word
    assert tied["cls.predictions.decoder.bias"] == "cls.predictions.bias"
    assert card.report.missing == ()
    assert card.report.unexpected == ()
    assert card.parameters == made.row(folder).parameters


def test_without_the_decoders_own_part_there_is_no_head(folder, tmp_path):
    weights = made.state(folder)
    assert weights.pop("cls.predictions.dense.weight").shape[0] == TINY_WIDTH - 16
    part = made.changed(folder, tmp_path / "mobilebert-part", weights)
    assert made.row(part).heads[0].missing == ("cls.predictions.dense.weight",)
    answering = made.loaded(part)
    with pytest.raises(Unavailable, match=r"cls\.predictions\.dense\.weight is missing"):
        answering.ask(MaskedTokensRequest("the [MASK]"), {"model": "A"}, Context())


def test_a_pooler_with_weights_must_have_them(folder, tmp_path):
    asks = made.changed(folder, tmp_path / "mobilebert-pooler", classifier_activation=True)
    assert made.row(asks).heads[1].missing == ("pooler.dense.weight", "pooler.dense.bias")
    card = made.loaded(asks).cards["A"]
    assert {h.name: h.present for h in card.heads} == {"masked_lm": True, "next_sentence": False}


def test_the_teacher_is_told(teacher):
    row = made.row(teacher)
    assert row.family == "mobilebert"
    assert "that is IB-BERT, the teacher" in row.recognition
    assert row.architecture.startswith("IB-BERT · 3 layers × 32 wide × 4 heads")
    assert row.architecture.endswith("blocks 64 wide, 1 feed-forward each")


def test_the_teacher_by_hand(teacher):
    """Every step of Sun et al. 2020, figure 1(b), for one sentence; transformers has no such
    class."""
    import torch
    from torch.nn.functional import gelu, layer_norm, softmax

    result = made.fill(made.loaded(teacher), made.ONE)
    w = {n: t.double() for n, t in made.state(teacher).items()}
    ids = torch.tensor(made.ids(result))

    def linear(x, name):
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    def norm(x, name):
        return layer_norm(x, x.shape[-1:], w[f"{name}.weight"], w[f"{name}.bias"], 1e-12)

    e = "mobilebert.embeddings."
    words = w[e + "word_embeddings.weight"][ids]
    after = torch.cat([words[1:], torch.zeros_like(words[:1])])
    before = torch.cat([torch.zeros_like(words[:1]), words[:-1]])
    x = linear(torch.cat([after, words, before], dim=-1), e + "embedding_transformation")
    x = (
        x
        + w[e + "position_embeddings.weight"][: len(ids)]
        + w[e + "token_type_embeddings.weight"][0]
    )
    x = norm(x, e + "LayerNorm")
    for layer in range(3):
        name = f"mobilebert.encoder.layer.{layer}."
        inside = norm(
            linear(x, name + "bottleneck.input.dense"), name + "bottleneck.input.LayerNorm"
        )
        q, k, v = (
            linear(x, f"{name}attention.self.{part}").view(len(ids), 4, -1).transpose(0, 1)
            for part in ("query", "key", "value")
        )
        scores = softmax(q @ k.transpose(1, 2) / q.shape[-1] ** 0.5, dim=-1)
        mixed = (scores @ v).transpose(0, 1).reshape(len(ids), -1)
        mixed = linear(mixed, name + "attention.output.dense")
        inside = norm(mixed + inside, name + "attention.output.LayerNorm")
        wide = gelu(linear(inside, name + "intermediate.dense"))
        inside = norm(linear(wide, name + "output.dense") + inside, name + "output.LayerNorm")
        out = linear(inside, name + "output.bottleneck.dense")
        x = norm(out + x, name + "output.bottleneck.LayerNorm")
    p = "cls.predictions."
    x = norm(gelu(linear(x, p + "transform.dense")), p + "transform.LayerNorm")
    table = torch.cat([w[e + "word_embeddings.weight"].T, w[p + "dense.weight"]])
    made.agree(result, x @ table + w[p + "bias"])


RELEASED = [one for one in made.published("mobilebert") if one.released]


@pytest.mark.parametrize("one", RELEASED, ids=lambda one: one.id)
def test_published_numbers_follow_from_the_architecture(one):
    from transformers import MobileBertConfig, MobileBertForPreTraining

    config = MobileBertConfig(**one.config)
    assert one.parameters == made.counted(MobileBertForPreTraining, config)
    assert one.size_bytes == 4 * one.parameters


def test_the_teachers_size_in_the_paper():
    """293 million, of which the pooler is no part."""
    import importlib

    import torch
    from transformers import MobileBertConfig

    family = made.families().family("mobilebert")
    ib_bert = importlib.import_module(f"{type(family).__module__}.ib_bert")
    config = MobileBertConfig(
        **{**IB_BERT, "hidden_size": 512, "intra_bottleneck_size": 1024, "intermediate_size": 4096}
    )
    with torch.device("meta"):
        module = ib_bert.IbBertModel(config, add_pooling_layer=False)
    assert round(sum(p.numel() for p in module.parameters()) / 1e6) == 294
