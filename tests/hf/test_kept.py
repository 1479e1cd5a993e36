"""A model that is lent from test to test: whoever changes it is told, and it is not lent again."""

import pytest

from explorer.api.family import Context, LoadOptions
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from tests.hf import kept, tiny

NAME = "bert-miniature"


def leave_a_hook(model):
    model.module.register_forward_hook(lambda *_: None)


def train(model):
    model.module.train()


def halve(model):
    model.module.half()


def write_a_weight(model):
    with_grad = next(model.module.parameters()).requires_grad
    tensor = next(model.module.parameters()).requires_grad_(False)
    tensor[0].mul_(1.0)
    tensor.requires_grad_(with_grad)


def exchange_a_weight(model):
    import torch

    layer = model.module.bert.encoder.layer[0].output.dense
    layer.weight = torch.nn.Parameter(layer.weight.detach().clone())


def wrap_a_forward(model):
    model.module.bert.forward = model.module.bert.forward


def take_a_port(model):
    model.ports = {}


@pytest.mark.parametrize(
    "change",
    [
        leave_a_hook,
        train,
        halve,
        write_a_weight,
        exchange_a_weight,
        wrap_a_forward,
        take_a_port,
    ],
)
def test_a_change_is_told_and_the_next_test_gets_another(change):
    model = kept.miniature(NAME)
    assert kept.miniature(NAME) is model
    change(model)
    (told,) = kept.changed()
    assert told.startswith(f"{NAME}: ")
    assert kept.changed() == []
    assert kept.miniature(NAME) is not model


def test_an_answer_changes_nothing():
    model = kept.miniature(NAME)
    tiny.ask(model, MaskedTokensRequest("The [MASK] reads."), Context())
    assert kept.changed() == []
    assert kept.miniature(NAME) is model


@pytest.fixture
def lent(monkeypatch):
    """Loads as a command does, which is lent what was loaded before."""
    from explorer.engine.library.catalogue import Catalogue
    from explorer.engine.runner import Runner

    kept.lend_to_commands(monkeypatch)
    host = tiny.families()

    def load(name="bert-miniature", **options):
        runner = Runner(host, Catalogue(host, kept.MODELS))
        runner.load("A", name, LoadOptions(**{"device": "cpu", **options}), Context())
        return runner.models["A"]

    return load


def test_commands_are_lent_one_that_is_watched_too(lent):
    model = lent()
    assert lent().module is model.module  # the program names each anew
    assert lent(dtype="float16").module is not model.module
    assert lent("albert-miniature").module is not model.module
    assert model.stamp.id == "bert-miniature"
    assert kept.changed() == []
    model = lent()
    model.module.train()
    (told,) = kept.changed()
    assert told.startswith("bert-miniature as bert")
    assert lent().module is not model.module
    assert kept.changed() == []
    # Behind its end the test has it no more, and is not asked about it.
    lent().module.train()
    kept._BORROWED.clear()
    assert kept.changed() == []
    lent()
    assert len(kept.changed()) == 1


def test_what_is_no_bundled_model_is_loaded_each_time(lent, tmp_path):
    folder = str(tiny.save_bert(tmp_path / "bert"))
    assert lent(folder).module is not lent(folder).module
