"""Where the pictures' residuals branch off and join, against the modules that really run.

Each picture is walked from below with what the parts of a real model took and gave: what comes to
a norm in the picture must be what came to that norm, and what leaves the last shape must be what
left the layer. A sum in the picture adds whatever flows where its line is drawn to begin.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import torch
import transformers

from explorer.architecture.shapes import Repeat, Shape
from explorer.architecture.sketch import sketch_of
from explorer.engine.library.inspection import inspect_folder
from explorer.ui.model_picture.board import BoardColumn
from tests.hf import tiny

MINIATURES = Path(__file__).resolve().parents[4] / "resources" / "models"


def has_attention(folder):
    """Whether its layers are a transformer's: only those have a residual stream."""
    files = inspect_folder(folder)
    return tiny.families().family_of(files)[0].attention_shape(files.config)[0] > 0


NAMES = sorted(folder.name for folder in MINIATURES.iterdir() if has_attention(folder))


@dataclass
class Layer:
    """One real layer: its parts in the order in which they run, and itself.

    Attributes:
        inside: Where what comes in is seen, and where what goes out is.
        parts: A shape's form and its module; a feed-forward's last dense is its end.
    """

    inside: tuple[torch.nn.Module, torch.nn.Module]
    parts: list[tuple[str, torch.nn.Module]] = field(default_factory=list)


def bert(one):
    return [
        ("attention", one.attention.output.dense),
        ("norm", one.attention.output.LayerNorm),
        ("feed_forward", one.output.dense),
        ("norm", one.output.LayerNorm),
    ]


def mobilebert(one):
    parts = [
        ("widen", one.bottleneck.input),
        ("attention", one.attention.output.dense),
        ("norm", one.attention.output.LayerNorm),
    ]
    for network in (*getattr(one, "ffn", ()), one):
        parts += [("feed_forward", network.output.dense), ("norm", network.output.LayerNorm)]
    after = one.output.bottleneck
    return [*parts, ("widen", after.dense), ("norm", after.LayerNorm)]


def albert(one):
    return [
        ("attention", one.attention.dense),
        ("norm", one.attention.LayerNorm),
        ("feed_forward", one.ffn_output),
        ("norm", one.full_layer_layer_norm),
    ]


def distilbert(one):
    norms = one.sa_layer_norm, one.output_layer_norm
    attention, feed_forward = ("attention", one.attention), ("feed_forward", one.ffn)
    return [attention, ("norm", norms[0]), feed_forward, ("norm", norms[1])]


def gpt1(one):
    attention, feed_forward = ("attention", one.attn), ("feed_forward", one.mlp)
    return [attention, ("norm", one.ln_1), feed_forward, ("norm", one.ln_2)]


def gpt2(one):
    attention, feed_forward = ("attention", one.attn), ("feed_forward", one.mlp)
    return [("norm", one.ln_1), attention, ("norm", one.ln_2), feed_forward]


def t5(one):
    parts = []
    for inner in one.layer:
        names = ("SelfAttention", "EncDecAttention", "DenseReluDense")
        name = next(name for name in names if hasattr(inner, name))
        form = "attention" if "Attention" in name else "feed_forward"
        parts += [("norm", inner.layer_norm), (form, getattr(inner, name))]
    return parts


PARTS = {
    "albert": albert,
    "distilbert": distilbert,
    "mobilebert": mobilebert,
    "openai-gpt": gpt1,
    "gpt2": gpt2,
    "t5": t5,
}


def layers_of(module):
    """The first real layer of each stack, as the picture's columns stand."""
    model = module.config.model_type
    if model == "xlm":
        base = next(one for one in module.modules() if hasattr(one, "layer_norm1"))
        norms = base.layer_norm1[0], base.layer_norm2[0]
        attention, feed_forward = ("attention", base.attentions[0]), ("feed_forward", base.ffns[0])
        parts = [attention, ("norm", norms[0]), feed_forward, ("norm", norms[1])]
        return [Layer((base.attentions[0], norms[1]), parts)]
    kinds = ("Layer", "Block", "TransformerBlock")
    found = [one for one in module.modules() if type(one).__name__.endswith(kinds)]
    stacks = [one for one in found if type(one).__name__ == "T5Block"]
    if stacks:
        found = [stacks[0], stacks[-1]]
    else:
        # The layer proper, not what is called so inside it or around it.
        proper = {"albert": "full_layer_layer_norm"}.get(model)
        found = [one for one in found if proper is None or hasattr(one, proper)][:1]
    parts = PARTS.get(model, bert)
    return [Layer((one, one), parts(one)) for one in found]


def first(value):
    return value[0] if isinstance(value, tuple | list) else value


def run(module, layer):
    """What came to and left each of a layer's modules."""
    came, left = {}, {}

    def note(one, args, kwargs, out):
        came[one] = (args or tuple(kwargs.values()))[0]
        left[one] = first(out)

    modules = {*layer.inside, *(one for _, one in layer.parts)}
    hooks = [one.register_forward_hook(note, with_kwargs=True) for one in modules]
    ids = torch.tensor([[5, 9, 7, 11, 6]])
    more = {"decoder_input_ids": ids} if module.config.is_encoder_decoder else {}
    with torch.no_grad():
        runs = getattr(module, "deberta", module)  # Its heads have no forward of their own.
        if type(runs).__name__.endswith("ForMultipleChoice"):  # reads several texts at once
            runs = runs.base_model
        runs(input_ids=ids, attention_mask=torch.ones_like(ids), **more)
    for hook in hooks:
        hook.remove()
    return came, left


def drawn(column):
    """The shapes of a drawn layer from below, each with where its residual's line begins."""
    stack = BoardColumn(column, 360.0, 1024, lambda _roles, _stack: "")
    frame = next(placed for placed in stack.placed if isinstance(placed.item, Repeat))
    return [
        placed
        for placed in stack.placed
        if isinstance(placed.item, Shape) and frame.box.contains(placed.box)
    ]


def walk(column, layer, came, left):
    """Follow the picture upwards; every norm and the end are compared."""
    parts = iter(layer.parts)
    start, end = layer.inside
    now = came[start]
    values = [(float("inf"), now)]  # What flows above a shape, by the shape's upper edge.
    compared = 0

    def take(form):
        real, module = next(parts)
        assert real == form
        return module

    def norm(value):
        module = take("norm")
        torch.testing.assert_close(value, came[module])
        return left[module]

    for placed in drawn(column):
        shape = placed.item
        if shape.form == "add":
            assert placed.start > placed.box.bottom()
            branch = next(value for top, value in reversed(values) if top >= placed.start)
            now = now + branch
        elif shape.form == "norm":
            now = norm(now)
            compared += 1
        elif shape.form == "feed_forward" and shape.count > 1:
            for _ in range(shape.count):
                now = norm(now + left[take("feed_forward")])
        else:
            now = left[take(shape.form)]
        values.append((placed.box.top(), now))
    assert next(parts, None) is None
    torch.testing.assert_close(now, left[end])
    assert compared >= 2


def opened(name):
    """A real model of a bundled one's kind, and its blueprint."""
    host = tiny.families()
    if (MINIATURES / name / "model.safetensors").exists():
        model = tiny.load(MINIATURES / name)
        family, _ = host.family_of(inspect_folder(MINIATURES / name))
        heads = tuple(head.name for head in model.heads if head.present)
        return model.module, family.blueprint(model.config.to_dict(), heads)
    # Only its config is there: its class with small sizes.
    config = json.loads((MINIATURES / name / "config.json").read_text(encoding="utf-8"))
    small = {"n_layer": 2, "n_embd": 32, "n_head": 4, "vocab_size": 50, "n_positions": 16}
    known = {key: value for key, value in config.items() if not key.endswith("token_id")}
    kind = getattr(transformers, config["architectures"][0])
    module = kind(kind.config_class(**{**known, **small, "model_type": "gpt2"})).eval()
    return module, host.family("gpt3").blueprint(config, ("next_token",))


@pytest.mark.parametrize("name", NAMES)
def test_residuals_branch_off_and_join_as_in_the_real_layers(qapp, name):
    module, blueprint = opened(name)
    layers = layers_of(module)
    columns = sketch_of(blueprint).columns
    assert len(layers) == len(columns)
    for column, layer in zip(columns, layers, strict=True):
        walk(column, layer, *run(module, layer))
