"""A layout is proved on loading: what does not fit costs the port, with a reason, and no more."""

import dataclasses

import pytest

from explorer.api.family import AttentionModules, Attentions, Context, LayerTrace, Unavailable
from explorer.hf.attention.layout import AttentionKind, AttentionStack
from explorer.hf.attention.modules import find_attentions
from explorer.hf.family.tiny import write_tiny
from tests.hf import tiny


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    return write_tiny(tiny.families().family("bert"), tmp_path_factory.mktemp("bert"))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"projections": ("Wqkv",)}, "layer.0.attention.self.Wqkv, which is not there"),
        ({"projections": ("query",)}, "layer.0.attention.self.query gives 32 numbers"),
        ({"inside": "inner"}, "layer.0.attention.inner, which is not there"),
        ({"output": "output.LayerNorm"}, "takes a LayerNorm for a linear layer"),
        ({"biases": ("q_bias", "", "")}, "attention.self.q_bias, which is not there"),
        ({"bias_method": "positions"}, "attention.self.positions, which is not there"),
        ({"heads_key": "intermediate_size"}, "its config says 48 heads"),
        (
            {"stacks": (AttentionStack(AttentionKind.ENCODER, "block.*.attention"),)},
            "looks for 3 layers at block.*.attention and finds 0",
        ),
        (
            {
                "stacks": (
                    AttentionStack(AttentionKind.ENCODER, "layer.*.attention", lambda _config: 4),
                )
            },
            "looks for 4 layers at layer.*.attention and finds 3",
        ),
        ({"shared": lambda _config, _numbers: (0,)}, "looks for 3 layers"),
        ({"refusal": "Its heads are mixed."}, "Its heads are mixed."),
    ],
)
def test_what_does_not_fit_is_told(bert, changes, reason):
    model = tiny.load(bert)
    layout = dataclasses.replace(model.port(AttentionModules).layout, **changes)
    with pytest.raises(Unavailable) as told:
        find_attentions(model.module, layout)
    assert reason in str(told.value)


def test_a_family_whose_layout_does_not_fit_lacks_the_port_and_keeps_the_rest(bert):
    from explorer.api.family import LoadOptions
    from explorer.engine.library.inspection import inspect_folder

    family = tiny.families().family("bert")
    own = dataclasses.replace(family.attention, projections=("Wqkv",))
    family = dataclasses.replace(family, attention=own)
    files = inspect_folder(bert)
    model = family.load("x", files, LoadOptions(device="cpu"), Context())
    for port in (AttentionModules, LayerTrace):
        assert port not in model.ports
        assert "Wqkv, which is not there" in model.refused[port]
    stacks = model.port(Attentions).capture(model.encode("the cat"), Context())
    assert stacks["encoder"].layers == 3


def test_talking_heads_are_not_taken_apart():
    from tests.plugins import deberta_files

    folder = deberta_files.REFERENCE / "v1"
    plain = tiny.load(folder)
    assert AttentionModules in plain.ports
    family = tiny.families().family("deberta")
    plain.module.config.talking_head = True
    with pytest.raises(Unavailable, match="talking heads"):
        find_attentions(plain.module, family.attention_layout(plain.module))
