"""The tree of weights: folding, tying, sharing, names."""

import pytest
import torch
from torch import nn

from explorer.api.family import Role, role_of
from explorer.architecture.named_weights import named_weights as named_by
from explorer.architecture.tree import Named, find, flat, tree_of
from explorer.architecture.weights import parameters_of, stored_by
from explorer.hf.family.tensor_names import BERT_NAMES


def named_weights(module):
    return named_by(module, lambda name: role_of(name, BERT_NAMES))


class Layer(nn.Module):
    def __init__(self, wide: int = 4) -> None:
        super().__init__()
        self.attention = nn.Linear(4, 4)
        self.intermediate = nn.Linear(4, wide)


class Model(nn.Module):
    def __init__(self, widths=(4, 4, 4)) -> None:
        super().__init__()
        self.embeddings = nn.Embedding(10, 4)
        self.layer = nn.ModuleList(Layer(wide) for wide in widths)
        self.lm_head = nn.Linear(4, 10)
        self.lm_head.weight = self.embeddings.weight


def test_layers_that_are_alike_are_one_row():
    tree = tree_of(named_weights(Model()))
    layers = find(tree, "layer.*")
    assert layers is not None
    assert (layers.copies, layers.places) == (3, 3)
    assert layers.parameters == 3 * (2 * (16 + 4))
    assert find(tree, "layer.*.attention").kind == "attention"
    assert find(tree, "layer.*.intermediate").kind == "feed_forward"
    assert find(tree, "layer.0") is None


def test_layers_that_differ_are_told_apart():
    tree = tree_of(named_weights(Model((4, 4, 6, 4))))
    names = [part.name for part in tree if part.name.startswith("layer")]
    assert names == ["layer.0-1", "layer.2", "layer.3"]
    assert [find(tree, name).copies for name in names] == [2, 1, 1]


def test_a_tied_weight_is_stored_once_and_used_twice():
    model = Model()
    weights = flat(tree_of(named_weights(model)))
    sums = parameters_of(weights)
    assert sums.unique == sum(p.numel() for p in model.parameters())
    assert sums.saved == 40
    tied = [weight for weight in weights if weight.tied]
    assert [(weight.name, weight.tied) for weight in tied] == [
        ("lm_head.weight", "embeddings.weight")
    ]
    assert next(weight.places for weight in weights if weight.section == "head") == 1


def test_shared_layers_count_at_every_place():
    model = Model((4,))
    weights = flat(tree_of(named_weights(model), reuse=12))
    once = flat(tree_of(named_weights(model)))
    assert parameters_of(weights).unique == parameters_of(once).unique
    assert parameters_of(weights).total - parameters_of(once).total == 11 * 40
    inside = [w for w in weights if w.section == "backbone"]
    assert {w.places for w in inside} == {12}


def test_a_bias_under_two_names_is_one():
    named = [
        Named("cls.predictions.bias", (10,), "Head", Role.TOKENS),
        Named(
            "cls.predictions.decoder.bias",
            (10,),
            "Linear",
            Role.TOKENS,
            "cls.predictions.bias",
        ),
    ]
    assert parameters_of(flat(tree_of(named))).total == 10


def test_a_table_that_two_stacks_look_up_is_used_by_both():
    named = [
        Named("shared.weight", (10, 4), "Embedding", Role.PIECES),
        Named("encoder.embed_tokens.weight", (10, 4), "Embedding", Role.PIECES, "shared.weight"),
        Named("decoder.embed_tokens.weight", (10, 4), "Embedding", Role.PIECES, "shared.weight"),
    ]
    sums = parameters_of(flat(tree_of(named)))
    assert (sums.unique, sums.total) == (40, 80)


def test_the_work_of_alike_layers_is_put_together():
    work = {f"layer.{number}.attention": 30 for number in range(3)} | {"layer.1": 60, "lm_head": 9}
    tree = tree_of(named_weights(Model()), work=work, length=10)
    assert find(tree, "layer.*.attention").multiply_adds == 9
    assert find(tree, "layer.*").multiply_adds == 15
    assert find(tree, "lm_head").multiply_adds == 1


def test_the_meta_device_has_the_same_tree():
    with torch.device("meta"):
        empty = Model()
    assert tree_of(named_weights(empty)) == tree_of(named_weights(Model()))


@pytest.mark.parametrize("what", ["kind", "section"])
def test_every_weight_has_a_kind_and_a_section(what):
    model = Model()
    sums = stored_by(flat(tree_of(named_weights(model))), what)
    assert sum(sums.values()) == sum(p.numel() for p in model.parameters())
