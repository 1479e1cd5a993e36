"""SpanBERT: told from BERT, published without heads, and with both of them in full files."""

import pytest

from explorer.api.family import (
    BoundaryPredictor,
    CheckpointFault,
    Context,
    LoadOptions,
    Unavailable,
)
from explorer.hf.family.tiny import TINY_WIDTH, write_tiny
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.questions.tokenizers.tokens.question import TokensRequest
from tests.plugins import encoder_checkpoints as made

PLACES = 8


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Both heads, with a name that gives nothing away."""
    family = made.families().family("spanbert")
    shapes = dict.fromkeys(family.heads_known[1].tensors, (TINY_WIDTH,))
    shapes["sbo.position_embeddings.weight"] = (10, PLACES)
    shapes["sbo.dense1.weight"] = (TINY_WIDTH, 2 * TINY_WIDTH + PLACES)
    shapes["sbo.dense2.weight"] = (TINY_WIDTH, TINY_WIDTH)
    return write_tiny(family, tmp_path_factory.mktemp("models") / "toy", added=shapes)


@pytest.fixture(scope="module")
def published_layout(folder, tmp_path_factory):
    """As on the hub: the encoder in float16 in a pickle, vocab.txt, and a config with no type."""
    import torch
    from transformers import AutoTokenizer

    to = tmp_path_factory.mktemp("hub") / "spanbert-base-cased"
    made.changed(folder, to, model_type=None, architectures=None)
    vocabulary = AutoTokenizer.from_pretrained(str(folder)).get_vocab()
    weights = {n: t.half() for n, t in made.state(folder).items() if n.startswith("bert.enc")}
    weights |= {n: t.half() for n, t in made.state(folder).items() if n.startswith("bert.emb")}
    for path in to.iterdir():
        if path.name != "config.json":
            path.unlink()
    torch.save(weights, to / "pytorch_model.bin")
    pieces = [*sorted(vocabulary, key=vocabulary.__getitem__)]
    pieces[pieces.index("great")] = "The"
    (to / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
    return to


def test_it_is_told_from_bert(folder, tmp_path, published_layout):
    assert made.claim(folder) == (
        "spanbert",
        95,
        "It holds sbo.*, the head of SpanBERT's objective.",
    )
    assert made.claim(published_layout)[:2] == ("spanbert", 90)
    bert = {n: t for n, t in made.state(folder).items() if not n.startswith("sbo.")}
    assert made.claim(made.changed(folder, tmp_path / "toy", bert))[0] == "bert"
    tuned = made.changed(folder, tmp_path / "squad", bert, _name_or_path="SpanBERT/spanbert-base")
    assert made.claim(tuned)[0] == "spanbert"
    other = made.changed(folder, tmp_path / "spanbert-roberta", bert, model_type="roberta")
    assert made.claim(other)[0] == "roberta"


def test_the_published_files_open_and_say_what_they_lack(published_layout):
    row = made.row(published_layout)
    assert row.family == "spanbert"
    assert [(h.name, h.present) for h in row.heads] == [
        ("masked_lm", False),
        ("span_boundary", False),
    ]
    answering = made.loaded(published_layout, allow_pickle=True)
    card = answering.cards["A"]
    assert card.report.missing == ("pooler.dense.bias", "pooler.dense.weight")
    with pytest.raises(Unavailable, match="SpanBERT's encoder alone, as it was published"):
        answering.ask(MaskedTokensRequest("the [MASK]"), {"model": "A"}, Context())
    tokens = answering.ask(TokensRequest("The cat"), {"model": "A"}, Context()).tokens
    assert [t.text for t in tokens] == ["[CLS]", "The", "cat", "[SEP]"]


@pytest.mark.parametrize("text", [made.ONE, made.SEVERAL])
def test_the_same_as_transformers(folder, text):
    result = made.fill(made.loaded(folder), text)
    made.agree(result, made.plain_logits("BertForMaskedLM", folder, result))


def test_the_span_boundary_head_by_hand(folder):
    """Section 3.2 of the paper, with numpy, for a span of three tokens."""
    import math

    import numpy as np
    import torch

    answering = made.loaded(folder)
    model = answering.models["A"]
    head = model.port(BoundaryPredictor).head
    state = {n: t.double().numpy() for n, t in made.state(folder).items()}
    ids = torch.tensor([[2, 5, 4, 4, 4, 9, 3]])
    with torch.inference_mode():
        hidden = model.encoder(input_ids=ids)[0]
        left, right = hidden[[1, 1, 1]], hidden[[5, 5, 5]]
        words = model.module.get_input_embeddings().weight
        given = head(left, right, torch.arange(3), words).numpy()

    def gelu(x):
        return x * 0.5 * (1 + np.vectorize(math.erf)(x / np.sqrt(2)))

    def layer(x, number):
        x = gelu(x @ state[f"sbo.dense{number}.weight"].T + state[f"sbo.dense{number}.bias"])
        x = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-12)
        name = f"sbo.layer_norm{number}"
        return x * state[f"{name}.weight"] + state[f"{name}.bias"]

    places = state["sbo.position_embeddings.weight"][:3]
    joined = np.concatenate([left.numpy(), right.numpy(), places], axis=-1)
    expected = layer(layer(joined, 1), 2) @ state["bert.embeddings.word_embeddings.weight"].T
    assert given.shape == (3, len(words))
    assert np.allclose(given, expected, atol=1e-4)
    assert expected.std() > 0.01


def test_the_head_counts_and_is_reported(folder):
    card = made.loaded(folder).cards["A"]
    assert card.report.unexpected == ()
    assert card.report.missing == ()
    assert card.parameters == made.row(folder).parameters
    assert {h.name for h in card.heads if h.present} == {"masked_lm", "span_boundary"}


def test_a_bias_of_the_objective_is_used(folder, tmp_path):
    import torch

    weights = made.state(folder)
    weights["sbo.bias"] = torch.arange(len(weights["bert.embeddings.word_embeddings.weight"])) * 1.0
    with_bias = made.loaded(made.changed(folder, tmp_path / "biased", weights)).models["A"]
    without = made.loaded(folder).models["A"]
    states = torch.randn(2, 1, TINY_WIDTH, generator=torch.Generator().manual_seed(1))
    words = without.module.get_input_embeddings().weight
    answers = []
    for model in (with_bias, without):
        with torch.inference_mode():
            head = model.port(BoundaryPredictor).head
            answers.append(head(states[0], states[1], torch.tensor([0]), words))
    assert torch.allclose(answers[0] - answers[1], weights["sbo.bias"], atol=1e-4)


def test_a_damaged_head_is_the_checkpoints_fault(folder, tmp_path):
    weights = made.state(folder)
    weights["sbo.dense2.weight"] = weights["sbo.dense2.weight"][:, :5].contiguous()
    damaged = made.changed(folder, tmp_path / "damaged", weights)
    with pytest.raises(CheckpointFault, match=r"The tensors sbo\.\* do not fit"):
        made.loaded(damaged)


def test_the_user_can_overrule(folder):
    answering = made.runner()
    card = answering.load("A", str(folder), LoadOptions(device="cpu", family="bert"), Context())
    assert card.stamp.family == "bert"
    assert "sbo.dense1.weight" in card.report.unexpected
    result = made.fill(answering, made.ONE)
    made.agree(result, made.plain_logits("BertForMaskedLM", folder, result))


@pytest.mark.parametrize("one", made.published("spanbert"), ids=lambda one: one.id)
def test_published_numbers_follow_from_the_architecture(one):
    """The encoder without a pooler, two bytes a number: what the hub's files weigh."""
    from transformers import BertConfig, BertModel

    expected = made.counted(BertModel, BertConfig(**one.config), add_pooling_layer=False)
    assert (one.parameters, one.size_bytes) == (expected, 2 * expected)
    assert "masked_lm" not in one.heads
