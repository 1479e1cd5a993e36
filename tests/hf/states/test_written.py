"""A logit as the sum of what was written into the stream, family by family, and by hand."""

import copy

import pytest

from explorer.api.family import (
    Component,
    Context,
    LogitParts,
    Predictor,
    Query,
    Unavailable,
    WrittenBy,
)
from explorer.hf.predict.fillings import MaskQuery, Reader
from explorer.hf.states.written import run as run_module
from tests.hf import tiny
from tests.hf.every_family import IDS, Checkpoints
from tests.hf.kept import bundled, miniature
from tests.plugins.auto_checkpoints import BOTH, CAUSAL, GOING_ON, LEFT, MASKED, Kind, save

torch = pytest.importorskip("torch")

TEXT = "I will plant the flower , so I dug the ground . I used a [MASK] ."
SUM = 1e-4
"""How far the parts' sum may be off, in nats, in single precision."""
WHOLE_MODELS = bundled(Predictor)
HEADLESS = ("convbert",)
"""Whose attention's heads are not known apart."""
NOT_BY_TOKENS = ("longformer",)
"""Whose heads are known, and not how they look at tokens."""


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory):
    return Checkpoints(tmp_path_factory.mktemp("models"))


def asked(model, text=TEXT):
    """What is expected at the mask of a text, and its two most probable pieces."""
    encoded = model.encode(text)
    (place,) = encoded.mask_positions
    query = Query(encoded, (place,))
    row = Reader(model, encoded, Context()).read([MaskQuery((None,), (0,))])[0][0]
    first, second = row.topk(2).indices.tolist()
    return query, (first, second), float(row[first] - row[second])


def of_kind(found, *kinds):
    return [one for one in found.parts if one.by in kinds]


def must_add_up(model, text=TEXT, *, by_tokens=True):
    """The parts against the predictor's own answer; heads and feed-forward parts opened."""
    query, words, expected = asked(model, text)
    port = model.port(LogitParts)
    found = port.split(query, words, Context())
    assert found.difference == pytest.approx(expected, abs=SUM)
    assert sum(one.value for one in found.parts) == pytest.approx(expected, abs=SUM)
    named = [(one.by, one.kind, one.row) for one in found.parts]
    assert len(set(named)) == len(named)
    if not by_tokens:
        head = of_kind(found, WrittenBy.HEAD)[0]
        with pytest.raises(Unavailable):
            port.tokens(query, words, head.kind, head.row, Context())
    for one in of_kind(found, WrittenBy.HEAD) if by_tokens else ():
        told = port.tokens(query, words, one.kind, one.row, Context())
        assert len(told.tokens) == len(told.values)
        assert float(told.weights.sum()) == pytest.approx(1.0, abs=1e-4)
        assert float(told.values.sum()) == pytest.approx(one.value, abs=SUM)
    for one in of_kind(found, WrittenBy.FEED_FORWARD):
        told = port.neurons(query, words, one.kind, one.row, Context())
        assert sum(told.sizes) == len(told.values) == len(told.activations)
        assert float(told.values.sum()) + told.bias == pytest.approx(one.value, abs=SUM)
    return found


@pytest.mark.parametrize("name", WHOLE_MODELS)
def test_the_parts_of_a_bundled_model_are_its_logit(name):
    found = must_add_up(miniature(name))
    for kind in (WrittenBy.EMBEDDINGS, WrittenBy.HEAD, WrittenBy.FEED_FORWARD):
        assert of_kind(found, kind)


@pytest.mark.parametrize("family", IDS)
def test_the_parts_of_random_models_of_every_family_are_their_logit(family, checkpoints):
    for model in checkpoints.models(family):
        if LogitParts not in model.ports:
            assert model.refused[LogitParts]
            continue
        must_add_up(model, "the cat sat on [MASK] .")


@pytest.mark.parametrize("kind", [*MASKED, *CAUSAL])
def test_models_without_a_plugin_add_up(kind, tmp_path):
    folder, _ = save(tmp_path / kind, {**MASKED, **CAUSAL}[kind])
    model = tiny.load(folder)
    if kind in HEADLESS:
        query, words, expected = asked(model, "the cat sat on [MASK] .")
        found = model.port(LogitParts).split(query, words, Context())
        assert not of_kind(found, WrittenBy.HEAD)
        assert of_kind(found, WrittenBy.ATTENTION)
        assert sum(one.value for one in found.parts) == pytest.approx(expected, abs=SUM)
        return
    must_add_up(model, "the cat sat on [MASK] .", by_tokens=kind not in NOT_BY_TOKENS)


SMALL_HEADS = {**LEFT, "head_dim": 8}
OTHER_NORMS = {
    "gemma": Kind("Gemma", "ForCausalLM", "gpt2", SMALL_HEADS),  # a gain beyond 1
    "qwen3": Kind("Qwen3", "ForCausalLM", "gpt2", SMALL_HEADS),  # norms of queries and keys
    "olmo": Kind("Olmo", "ForCausalLM", "gpt2", LEFT),  # no gain
    "nemotron": Kind("Nemotron", "ForCausalLM", "gpt2", LEFT),  # one that subtracts the mean
    "phi": Kind("Phi", "ForCausalLM", "gpt2", {**BOTH, "max_position_embeddings": 40}),
    "bert-generation": Kind("BertGeneration", "Decoder", "roberta", {**BOTH, "is_decoder": True}),
    "roberta-prelayernorm": Kind("RobertaPreLayerNorm", "ForMaskedLM", "roberta", BOTH),
    "rembert": Kind(
        "RemBert",
        "ForMaskedLM",
        "bert",
        {**BOTH, "input_embedding_size": 16, "output_embedding_size": 24},
    ),
}


@pytest.mark.parametrize("kind", ["bloom", "falcon"])
def test_parts_of_modules_that_give_the_stream_itself_add_up(kind, tmp_path):
    """BLOOM's attention and feed-forward modules give the stream with what they add."""
    folder, _ = save(tmp_path / kind, GOING_ON[kind])
    model = tiny.load(folder)
    query, words, expected = asked(model, "the cat sat on [MASK] .")
    found = model.port(LogitParts).split(query, words, Context())
    assert sum(one.value for one in found.parts) == pytest.approx(expected, abs=SUM)
    assert len(of_kind(found, WrittenBy.FEED_FORWARD)) == model.module.config.num_hidden_layers
    assert of_kind(found, WrittenBy.HEAD, WrittenBy.ATTENTION)


@pytest.mark.parametrize("kind", OTHER_NORMS)
def test_norms_of_every_kind_are_held(kind, tmp_path):
    folder, _ = save(tmp_path / kind, OTHER_NORMS[kind])
    model = tiny.load(folder)
    query, words, expected = asked(model, "the cat sat on [MASK] .")
    found = model.port(LogitParts).split(query, words, Context())
    assert sum(one.value for one in found.parts) == pytest.approx(expected, abs=SUM)
    assert of_kind(found, WrittenBy.HEAD)


def test_a_head_with_an_activation_of_its_own_is_refused(tmp_path):
    """ESM's is written out in torch, and nobody can tell it from a part of the stream."""
    folder, _ = save(tmp_path / "esm", Kind("Esm", "ForMaskedLM", "bert", BOTH))
    model = tiny.load(folder)
    assert "does not sum up to its logits" in str(model.refused[LogitParts])


def with_position(model, query):
    """A double-precision copy of a model, and what its named modules gave and were given."""
    whole = copy.deepcopy(model.module).double().requires_grad_(False)
    given, gave = {}, {}

    def note(path):
        def noted(_module, args, output):
            given[path] = args[0] if args else None
            gave[path] = output[0] if isinstance(output, tuple) else output

        return noted

    for path, module in whole.named_modules():
        module.register_forward_hook(note(path))
    with torch.no_grad():
        whole(**query.encoded.inputs)
    return whole, given, gave


def normed(parts, norm, whole):
    """Parts through a norm whose deviation is that of their sum; its bias goes beside them."""
    deviation = (whole.var(unbiased=False) + norm.eps).sqrt()
    through = {name: (part - part.mean()) / deviation * norm.weight for name, part in parts.items()}
    return through, norm.bias


def test_berts_parts_are_those_of_the_formula_in_double_precision():
    """Post-norm by hand: every part through every later norm, the head's transform frozen."""
    model = miniature("bert-miniature")
    query, words, _ = asked(model)
    (place,) = query.asked
    whole, given, gave = with_position(model, query)
    parts = {"emb.": gave["bert.embeddings"][0, place]}
    heads = whole.config.num_attention_heads
    for number, layer in enumerate(whole.bert.encoder.layer):
        path = f"bert.encoder.layer.{number}"
        projection = layer.attention.output.dense
        entering = given[f"{path}.attention.output.dense"][0, place].view(heads, -1)
        columns = projection.weight.view(-1, heads, entering.shape[1])
        for head in range(heads):
            parts[f"{number}.{head}"] = columns[:, head] @ entering[head]
        parts[f"bias {number}"] = projection.bias
        for end in ("attention.output", "output"):
            if end == "output":
                parts[f"ff {number}"] = gave[f"{path}.output.dense"][0, place]
            norm = layer.get_submodule(f"{end}.LayerNorm")
            total = given[f"{path}.{end}.LayerNorm"][0, place]
            assert torch.allclose(sum(parts.values()), total, atol=1e-12)
            parts, bias = normed(parts, norm, total)
            parts[f"norm {path}.{end}.LayerNorm.bias"] = bias
    transform = whole.cls.predictions.transform
    before = gave["cls.predictions.transform.dense"][0, place]
    parts = {name: transform.dense.weight @ part for name, part in parts.items()}
    parts["head dense"] = transform.dense.bias
    ratio = torch.nn.functional.gelu(before) / before
    parts = {name: part * ratio for name, part in parts.items()}
    total = given["cls.predictions.transform.LayerNorm"][0, place]
    assert torch.allclose(sum(parts.values()), total, atol=1e-12)
    parts, bias = normed(parts, transform.LayerNorm, total)
    parts["norm cls.predictions.transform.LayerNorm.bias"] = bias
    rows = whole.cls.predictions.decoder.weight
    apart = rows[words[0]] - rows[words[1]]
    values = {name: float(part @ apart) for name, part in parts.items()}
    decoder = whole.cls.predictions.decoder.bias
    values["head decoder"] = float(decoder[words[0]] - decoder[words[1]])
    logits = gave["cls.predictions.decoder"].reshape(-1, len(rows))[-len(query.encoded.tokens) :]
    expected = float(logits[place, words[0]] - logits[place, words[1]])
    assert sum(values.values()) == pytest.approx(expected, abs=1e-12)

    found = model.port(LogitParts).split(query, words, Context())
    own = {}
    for one in found.parts:
        name = {
            WrittenBy.FEED_FORWARD: f"ff {one.row}",
            WrittenBy.ATTENTION_BIAS: f"bias {one.row}",
            WrittenBy.NORM_BIAS: f"norm {one.row}",
        }.get(one.by, one.row)
        if one.by is WrittenBy.HEAD_BIAS:
            name = "head dense" if "dense" in one.row else "head decoder"
        own[name] = one.value
    assert own.keys() == values.keys()
    for name, value in values.items():
        assert own[name] == pytest.approx(value, abs=1e-5), name


def test_gpt2s_parts_are_those_of_the_formula():
    """Norms before the sublayers: everything goes through the last norm alone."""
    model = miniature("gpt2-miniature")
    query, words, _ = asked(model)
    place = query.asked[0] - 1
    whole, given, gave = with_position(model, query)
    norm = whole.transformer.ln_f
    total = given["transformer.ln_f"][0, place]
    rows = whole.lm_head.weight
    apart = (rows[words[0]] - rows[words[1]]) * norm.weight
    apart = (apart - apart.mean()) / (total.var(unbiased=False) + norm.eps).sqrt()
    found = model.port(LogitParts).split(query, words, Context())
    for one in of_kind(found, WrittenBy.FEED_FORWARD):
        part = gave[f"transformer.h.{one.row}.mlp"][0, place]
        assert one.value == pytest.approx(float(part @ apart), abs=1e-5)
    heads = whole.config.n_head
    for one in of_kind(found, WrittenBy.HEAD):
        layer, head = map(int, one.row.split("."))
        path = f"transformer.h.{layer}.attn.c_proj"
        entering = given[path][0, place].view(heads, -1)[head]
        columns = whole.get_submodule(path).weight.view(heads, len(entering), -1)[head]
        assert one.value == pytest.approx(float(entering @ columns @ apart), abs=1e-5)
    (embedded,) = of_kind(found, WrittenBy.EMBEDDINGS)
    assert embedded.value == pytest.approx(
        float(given["transformer.h.0"][0, place] @ apart), abs=1e-5
    )


def test_a_head_brings_attention_times_value():
    """Of BERT by transformers' own attention and the value's matrix."""
    model = miniature("bert-miniature")
    query, words, _ = asked(model)
    port = model.port(LogitParts)
    told = port.tokens(query, words, "encoder", "3.1", Context())
    layer = model.module.bert.encoder.layer[3].attention
    with torch.inference_mode():
        out = model.module.bert(
            **query.encoded.inputs, output_hidden_states=True, output_attentions=True
        )
        states = out.hidden_states[3][0]
        width = layer.self.value.out_features // 4
        values = layer.self.value(states).view(-1, 4, width)[:, 1]
    if out.attentions and out.attentions[3] is not None:
        assert torch.allclose(told.weights, out.attentions[3][0, 1, query.asked[0]], atol=1e-5)
    brought = told.weights[:, None] * values
    whole = port.split(query, words, Context())
    (own,) = [one for one in of_kind(whole, WrittenBy.HEAD) if one.row == "3.1"]
    # Each token's share is along one direction: that in which the head is read.
    direction = torch.linalg.lstsq(brought, told.values[:, None]).solution[:, 0]
    assert torch.allclose(brought @ direction, told.values, atol=1e-4)
    assert float(told.values.sum()) == pytest.approx(own.value, abs=1e-5)


@pytest.mark.parametrize("name", ["bert", "gpt2", "albert", "t5", "deberta-v1"])
def test_taking_a_part_out_is_what_a_plain_hook_does(name):
    """The last layer's feed-forward part set to zero where it is read."""
    model = miniature(f"{name}-miniature")
    query, words, difference = asked(model)
    port = model.port(LogitParts)
    found = port.split(query, words, Context())
    last = of_kind(found, WrittenBy.FEED_FORWARD)[-1]
    (without,) = port.without(query, words, [last], Context())
    row = port._row(Component.FEED_FORWARD, last.kind, last.row)
    calls = {tap.module: tap.call for tap in row.taps}
    counts = dict.fromkeys(calls, -1)

    def zero(module, _args, output):
        counts[module] += 1
        return output * 0 if counts[module] == calls[module] else None

    handles = [module.register_forward_hook(zero) for module in calls]
    try:
        *_, changed = asked_again(model, query, words)
    finally:
        for handle in handles:
            handle.remove()
    assert without == pytest.approx(changed, abs=1e-4)
    assert without != pytest.approx(difference, abs=1e-4)


def asked_again(model, query, words):
    row = Reader(model, query.encoded, Context()).read([MaskQuery((None,), (0,))])[0][0]
    return words, float(row[words[0]] - row[words[1]])


def test_the_model_is_left_as_it_was():
    model = miniature("roberta-miniature")
    whole = model.module
    before = [(one.requires_grad, one.grad) for one in whole.parameters()]
    hooks = sum(len(one._forward_hooks) + len(one._forward_pre_hooks) for one in whole.modules())
    query, words, difference = asked(model)
    model.port(LogitParts).split(query, words, Context())
    assert [(one.requires_grad, one.grad) for one in whole.parameters()] == before
    assert hooks == sum(
        len(one._forward_hooks) + len(one._forward_pre_hooks) for one in whole.modules()
    )
    assert asked_again(model, query, words)[1] == difference


def test_a_stream_that_is_not_linear_is_refused(monkeypatch):
    """As where a norm of another kind is on the way: never a number that does not add up."""
    model = miniature("bert-miniature")
    query, words, _ = asked(model)
    monkeypatch.setattr("explorer.hf.states.written.linear._norm", lambda *_: None)
    with pytest.raises(Unavailable, match="does not sum up to its logits"):
        model.port(LogitParts).split(query, words, Context())


def test_what_does_not_add_up_is_taken_away_where_it_is_tried(monkeypatch, tmp_path):
    from explorer.hf.proving.claims import CLAIMS
    from explorer.hf.proving.gate import prove

    folder, _ = save(tmp_path / "llama", CAUSAL["llama"])
    model = tiny.load(folder)
    claims = [one for one in CLAIMS if LogitParts in one.kinds[:1]]
    (proved,) = prove(model, claims)
    assert proved.margin.off < SUM
    assert LogitParts in model.ports
    monkeypatch.setattr("explorer.hf.states.written.linear._norm", lambda *_: None)
    prove(model, claims)
    assert "does not sum up" in model.refused[LogitParts].said
    assert LogitParts not in model.ports


def test_gradients_that_are_too_coarse_are_refused(monkeypatch):
    model = miniature("bert-miniature")
    query, words, _ = asked(model)
    monkeypatch.setattr(run_module, "why_no_gradients", lambda _stamp: "Too coarse.")
    with pytest.raises(Unavailable, match="Too coarse"):
        model.port(LogitParts).split(query, words, Context())


def test_a_part_that_is_not_there_can_not_be_opened():
    model = miniature("bert-miniature")
    query, words, _ = asked(model)
    port = model.port(LogitParts)
    for ask in (port.tokens, port.neurons):
        with pytest.raises(Unavailable, match="no such part"):
            ask(query, words, "encoder", "17.3", Context())
