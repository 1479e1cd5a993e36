"""Two models part by part, and whose layers came from whose."""

import pytest
import torch
import transformers

from explorer.api.family import Role
from explorer.api.family.tensors import layer_of
from explorer.architecture.named_weights import named_weights
from explorer.architecture.tree import flat, tree_of
from explorer.engine.plugins.host import PluginHost
from explorer.paths import Paths
from explorer.questions.architecture.compare_architectures.ancestry import ancestry_of
from explorer.questions.architecture.compare_architectures.comparing import compare

HOST = PluginHost(Paths.standard().bundled_plugins, entry_points=False)
FAMILY = {"openai-gpt": "gpt1"}

SMALL = {
    "vocab_size": 60,
    "hidden_size": 32,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "max_position_embeddings": 32,
}


def bert(seed: int = 0, **values):
    torch.manual_seed(seed)
    config = transformers.BertConfig(**(SMALL | values))
    return transformers.BertForMaskedLM(config)


def distilbert(seed: int = 1, layers: int = 2):
    torch.manual_seed(seed)
    config = transformers.DistilBertConfig(
        vocab_size=60, dim=32, n_layers=layers, n_heads=4, hidden_dim=64, max_position_embeddings=32
    )
    return transformers.DistilBertForMaskedLM(config)


def role_of(module):
    kind = module.config.model_type
    return HOST.family(FAMILY.get(kind, kind)).role_of


def weights_of(module, reuse: int = 1):
    return flat(tree_of(named_weights(module, role_of(module)), reuse))


def ancestry(first, second, check=lambda: None):
    return ancestry_of((first, role_of(first)), (second, role_of(second)), check)


NAMES = {
    "q_lin": "query",
    "k_lin": "key",
    "v_lin": "value",
    "attention.out_lin": "attention.output.dense",
    "ffn.lin1": "intermediate.dense",
    "ffn.lin2": "output.dense",
}


def copy_layer(student, number, teacher, origin, noise=0.0):
    """Fill a DistilBERT's layer from a BERT's, with noise as large as a share of the weights."""
    mine = dict(student.distilbert.transformer.layer[number].named_parameters())
    theirs = dict(teacher.bert.encoder.layer[origin].named_parameters())
    for name, weight in mine.items():
        if weight.dim() < 2:
            continue
        other = name
        for old, new in NAMES.items():
            other = other.replace(old, new)
        other = other.replace("attention.query", "attention.self.query")
        other = other.replace("attention.key", "attention.self.key")
        other = other.replace("attention.value", "attention.self.value")
        source = theirs[other].detach()
        with torch.no_grad():
            weight.copy_(source + noise * source.std() * torch.randn_like(source))


def test_a_student_that_began_as_two_of_its_teachers_layers():
    teacher, student = bert(), distilbert()
    copy_layer(student, 0, teacher, 1, noise=0.5)
    copy_layer(student, 1, teacher, 3, noise=0.5)
    found = ancestry(student, teacher)
    assert found.came_from == (1, 3)
    # Half as much noise as weight: 1 / sqrt(1 + 0.25).
    assert found.cosines[0, 1] == pytest.approx(0.894, abs=0.02)
    assert abs(found.cosines[0, 0]) < 0.1
    assert found.why_not == ""


def test_the_cosine_is_of_all_matrices_as_one_vector():
    first, second = bert(0), bert(7)
    found = ancestry(first, second)
    vectors = [
        torch.cat([p.flatten() for p in model.bert.encoder.layer[2].parameters() if p.dim() > 1])
        for model in (first, second)
    ]
    expected = torch.nn.functional.cosine_similarity(*vectors, dim=0).item()
    assert found.cosines[2, 2] == pytest.approx(expected, abs=1e-6)
    assert found.came_from == (None,) * 4


def test_a_model_is_its_own_ancestor():
    model = bert()
    found = ancestry(model, model)
    assert found.came_from == (0, 1, 2, 3)
    assert found.embedding == pytest.approx(1.0)


def test_layers_of_other_widths_cannot_be_compared():
    found = ancestry(bert(hidden_size=16, intermediate_size=32), bert())
    # Of the layers alone: the tables of embeddings may fit each other all the same.
    assert found.why_not.startswith("Their layers differ in width: no matrix of a layer fits")
    assert found.came_from == ()
    assert found.embedding is None


def test_layers_of_one_model_that_differ_in_width_are_compared_by_what_fits():
    """A mixture of experts begins with a layer as others have it."""
    first = bert()
    wide = torch.nn.Linear(32, 96)
    first.bert.encoder.layer[0].intermediate.dense = wide
    found = ancestry(first, first)
    assert found.came_from == (0, 1, 2, 3)
    assert "Feed-forward: in" not in found.roles
    assert "Attention: query" in found.roles


def test_it_can_be_stopped():
    def stop() -> None:
        raise RuntimeError("stopped")

    with pytest.raises(RuntimeError, match="stopped"):
        ancestry(bert(), bert(), stop)


def test_what_one_has_and_the_other_has_not():
    parts = {one.role: one for one in compare(weights_of(bert()), weights_of(distilbert()))}
    segments = parts["Embedding: segments"]
    assert segments.verdict == "only in the first"
    assert segments.first.parameters == 64
    assert parts["Embedding: pieces"].verdict == "the same"
    layers = parts["Attention: query, key, value"]
    assert (layers.first.copies, layers.second.copies) == (4, 2)
    assert layers.verdict == "more in the first"
    assert "Head: pooler" not in parts


@pytest.mark.parametrize("other", ["distilbert", "albert", "gpt2", "t5"])
def test_every_weight_of_both_is_in_a_row(other):
    made = {
        "distilbert": lambda: (distilbert(), 1),
        "albert": lambda: (
            transformers.AlbertForMaskedLM(transformers.AlbertConfig(**SMALL, embedding_size=8)),
            4,
        ),
        "gpt2": lambda: (
            transformers.GPT2LMHeadModel(
                transformers.GPT2Config(
                    vocab_size=60, n_embd=32, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=0
                )
            ),
            1,
        ),
        "t5": lambda: (
            transformers.T5ForConditionalGeneration(
                transformers.T5Config(vocab_size=60, d_model=32, d_kv=8, d_ff=64, num_layers=2)
            ),
            1,
        ),
    }
    module, reuse = made[other]()
    parts = compare(weights_of(bert()), weights_of(module, reuse))
    sums = [sum(getattr(one, side).parameters for one in parts) for side in ("first", "second")]
    counts = [sum(p.numel() for p in model.parameters()) for model in (bert(), module)]
    assert sums == counts
    assert Role.OTHER not in {one.role for one in parts}


def test_shared_layers_are_as_many_uses():
    albert = transformers.AlbertForMaskedLM(transformers.AlbertConfig(**SMALL, embedding_size=32))
    parts = {one.role: one for one in compare(weights_of(bert()), weights_of(albert, 4))}
    row = parts["Feed-forward: in"]
    assert (row.first.copies, row.second.copies) == (4, 1)
    assert row.first.places == row.second.places == 4
    assert row.verdict == "shared in one"


@pytest.mark.parametrize(
    ("family", "name", "role", "layer"),
    [
        ("bert", "bert.encoder.layer.3.attention.self.query.weight", "Attention: query", 3),
        ("gpt2", "transformer.h.11.attn.c_attn.weight", "Attention: query, key, value", 11),
        ("t5", "decoder.block.0.layer.1.EncDecAttention.q.weight", "Cross attention", 0),
        ("gpt1", "lm_head.weight", "Head: output matrix", None),
        ("deberta", "deberta.encoder.rel_embeddings.weight", "Relative positions", None),
        ("bert", "something.of.its.own", Role.OTHER, None),
    ],
)
def test_roles_and_layers_by_name(family, name, role, layer):
    assert HOST.family(family).role_of(name) == role
    assert layer_of(name) == layer
