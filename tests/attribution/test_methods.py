"""Methods by their formulas, on transformers' own BERT, and in every family or refused."""

import numpy as np
import pytest

from explorer.api.question import Context, Direction, Predictor, Unavailable
from explorer.attribution.baselines import baseline_vectors, kept_places, standing_of
from explorer.attribution.explained import ExplainedAnswer, entropy, explained_word
from explorer.attribution.kinds import Baseline
from explorer.attribution.known import own_methods
from explorer.attribution.methods.removals.kernel_shap import coalitions, kernel, regressed
from explorer.attribution.methods.removals.shapley import exact_shapley
from explorer.attribution.scoring import Effort, ScoresAsked, scored
from tests.hf.kept import MODELS, miniature

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

TEXT = "The gardener dug the ground with a [MASK] ."


FEW = Effort(6, 3, 0)


def asked_of(name, text=TEXT, effort=FEW):
    model = miniature(name)
    predictor = model.port(Predictor)
    causal = predictor.direction is Direction.CAUSAL
    encoded = model.encode(text.partition(" [MASK]")[0] if causal else text)
    place = len(encoded.tokens) if causal else encoded.mask_positions[0]
    explained = explained_word(model, encoded, place, 0, Context())
    (row,) = predictor.log_probabilities([explained.query], Context())
    explained = explained_word(model, encoded, place, int(row[0].argmax()), Context())
    own, kept = explained.own(), kept_places(explained)
    baseline = baseline_vectors(explained, own, standing_of(model, Baseline.MASK), kept)
    units = tuple((n,) for n in range(len(own)))
    return ScoresAsked(explained, own, baseline, units, effort)


class Plain:
    """transformers' own BERT, eager, with one text."""

    def __init__(self):
        folder = MODELS / "bert-miniature"
        self.model = transformers.AutoModelForMaskedLM.from_pretrained(
            folder, attn_implementation="eager"
        ).eval()
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        self.inputs = tokenizer(TEXT, return_tensors="pt")
        (self.place,) = (self.inputs.input_ids[0] == tokenizer.mask_token_id).nonzero()[0].tolist()
        with torch.no_grad():
            self.word = int(self.model(**self.inputs).logits[0, self.place].argmax())
        self.layers = self.model.bert.encoder.layer

    def run(self, **more):
        return self.model(**self.inputs, output_attentions=True, output_hidden_states=True, **more)

    def value(self, output):
        return output.logits[0, self.place].log_softmax(-1)[self.word]


@pytest.fixture(scope="module")
def plain():
    return Plain()


@pytest.fixture(scope="module")
def flow(plain):
    output = plain.run()
    slopes = torch.autograd.grad(plain.value(output), output.attentions)
    return [(a[0].detach(), s[0]) for a, s in zip(output.attentions, slopes, strict=True)]


@pytest.fixture(scope="module")
def own():
    return asked_of("bert-miniature")


def by(name, asked):
    return scored(own_methods()[name], asked).scores


def close(found, expected):
    assert np.abs(np.asarray(expected)).max() > 1e-3
    assert found == pytest.approx(np.asarray(expected), abs=1e-4)


def test_relevance_is_attention_times_its_gradient_through_all_layers(own, plain, flow):
    """Chefer et al. 2021, equations 5 and 6, in the order in which the paper adds."""
    relevance = torch.eye(len(own.own))
    for weights, slope in flow:
        added = torch.zeros_like(relevance)
        for head, along in zip(weights, slope, strict=True):
            added += torch.relu(head * along) / len(weights)
        relevance = relevance + added.mm(relevance)
    close(by("chefer", own), relevance[plain.place])


def test_attention_times_gradient_is_the_last_layers(own, plain, flow):
    weights, slope = flow[-1]
    expected = [
        sum(float(weights[h, plain.place, k] * slope[h, plain.place, k]) for h in range(4))
        for k in range(len(own.own))
    ]
    close(by("attention_x_gradient", own), expected)


def test_norms_are_of_values_through_the_outputs_matrix(own, plain):
    """Kobayashi et al. 2020: |sum_h A_h (x W_V,h + b_V,h) W_O,h|, the mean of the layers."""
    with torch.no_grad():
        output = plain.run()
        rows = []
        for layer, states, weights in zip(
            plain.layers, output.hidden_states, output.attentions, strict=False
        ):
            lengths = []
            for key, state in enumerate(states[0]):
                added = torch.zeros(128)
                for head in range(4):
                    part = slice(32 * head, 32 * head + 32)
                    value = layer.attention.self.value
                    made = value.weight[part] @ state + value.bias[part]
                    moved = layer.attention.output.dense.weight[:, part] @ made
                    added += weights[0, head, plain.place, key] * moved
                lengths.append(float(added.norm()))
            rows.append(lengths)
    close(by("norm_based", own), np.mean(rows, axis=0))


def zeroed(plain, layer, token):
    """The states behind a layer where one token's values are zero in it."""

    def zero(_module, _args, output):
        output = output.clone()
        output[:, token] = 0
        return output

    handle = plain.layers[layer].attention.self.value.register_forward_hook(zero)
    try:
        with torch.no_grad():
            return plain.run().hidden_states[layer + 1][0].double()
    finally:
        handle.remove()


@pytest.fixture(scope="module")
def moved(plain):
    """Of every layer a matrix of cosine distances, rows of which sum up to 1."""
    with torch.no_grad():
        states = [one[0].double() for one in plain.run().hidden_states]
    found = []
    for layer in range(len(plain.layers)):
        count = len(states[0])
        far = np.zeros((count, count))
        for token in range(count):
            changed = zeroed(plain, layer, token)
            for row in range(count):
                a, b = changed[row], states[layer + 1][row]
                far[row, token] = 1 - float(a @ b / (a.norm() * b.norm()))
        found.append(far / far.sum(1, keepdims=True))
    return found


def test_value_zeroing_zeroes_values(own, plain, moved):
    close(by("value_zeroing", own), moved[-1][plain.place])


def test_value_zeroing_is_rolled_out_by_multiplying(own, plain, moved):
    whole = moved[0]
    for one in moved[1:]:
        whole = one @ whole
    close(by("value_zeroing_rollout", own), whole[plain.place])


def test_the_frozen_gradient_is_that_of_a_run_with_constants(own, plain):
    """BERT written out, with attention, deviations and ratios of GELU taken as constants."""
    model, place = plain.model.bert, plain.place
    with torch.no_grad():
        weights = [one[0] for one in plain.run().attentions]
    words = model.embeddings.word_embeddings(plain.inputs.input_ids)[0].detach().requires_grad_()

    def norm(states, module):
        spread = (states.var(-1, unbiased=False, keepdim=True) + module.eps).sqrt().detach()
        centred = states - states.mean(-1, keepdim=True)
        return centred / spread * module.weight + module.bias

    def gelu(states):
        ratio = 0.5 * (1 + torch.erf(states / 2**0.5))
        return states * ratio.detach()

    table = model.embeddings
    states = words + table.position_embeddings.weight[: len(words)]
    states = norm(states + table.token_type_embeddings.weight[0], table.LayerNorm)
    for layer, attention in zip(plain.layers, weights, strict=True):
        values = layer.attention.self.value(states).unflatten(-1, (4, 32))
        mixed = torch.einsum("hqk,khd->qhd", attention, values).flatten(-2)
        states = norm(
            layer.attention.output.dense(mixed) + states, layer.attention.output.LayerNorm
        )
        inner = gelu(layer.intermediate.dense(states))
        states = norm(layer.output.dense(inner) + states, layer.output.LayerNorm)
    head = plain.model.cls.predictions
    read = norm(gelu(head.transform.dense(states[place])), head.transform.LayerNorm)
    value = head.decoder(read).log_softmax(-1)[plain.word]
    (slope,) = torch.autograd.grad(value, words)
    with torch.no_grad():
        assert float(value) == pytest.approx(float(plain.value(plain.run())), abs=1e-4)
    close(by("frozen_gradient", own), (slope * words).sum(-1).detach())


def test_decompx_hands_parts_and_biases_through_all_layers(own, plain):
    """Modarressi et al. 2023 token by token, biases by the absolute product ("absdot")."""

    def share(parts, bias):
        sizes = [abs(float(one @ bias)) for one in parts]
        return [one + bias * (size / sum(sizes)) for one, size in zip(parts, sizes, strict=True)]

    def norm(parts, module):
        whole = sum(parts)
        spread = ((whole - whole.mean()).pow(2).mean() + module.eps).sqrt()
        return share([(one - one.mean()) / spread * module.weight for one in parts], module.bias)

    def active(parts, function):
        whole = sum(parts)
        return [one * (function(whole) / whole) for one in parts]

    with torch.no_grad():
        output = plain.run()
        count = len(own.own)
        states = output.hidden_states[0][0]
        parts = [
            [states[row] if row == part else torch.zeros(128) for part in range(count)]
            for row in range(count)
        ]
        for layer, weights in zip(plain.layers, output.attentions, strict=True):
            value, out = layer.attention.self.value, layer.attention.output
            after = []
            for row in range(count):
                added = []
                for part in range(count):
                    mixed = torch.zeros(128)
                    for head in range(4):
                        some = slice(32 * head, 32 * head + 32)
                        held = sum(
                            weights[0, head, row, key] * parts[key][part] for key in range(count)
                        )
                        mixed[some] = value.weight[some] @ held
                    added.append(out.dense.weight @ mixed)
                added = share(added, out.dense.weight @ value.bias + out.dense.bias)
                own_parts = [a + b for a, b in zip(added, parts[row], strict=True)]
                own_parts = norm(own_parts, out.LayerNorm)
                wide = layer.intermediate
                inner = share([wide.dense.weight @ one for one in own_parts], wide.dense.bias)
                inner = active(inner, wide.intermediate_act_fn)
                fed = share(
                    [layer.output.dense.weight @ one for one in inner], layer.output.dense.bias
                )
                fed = [a + b for a, b in zip(fed, own_parts, strict=True)]
                after.append(norm(fed, layer.output.LayerNorm))
            parts = after
        head = plain.model.cls.predictions
        inner = share(
            [head.transform.dense.weight @ one for one in parts[plain.place]],
            head.transform.dense.bias,
        )
        inner = norm(active(inner, head.transform.transform_act_fn), head.transform.LayerNorm)
        logits = share([head.decoder.weight @ one for one in inner], head.decoder.bias)
        expected = [float(one[plain.word]) for one in logits]
        whole = float(output.logits[0, plain.place, plain.word])
    found = by("decompx", own)
    close(found, expected)
    assert found.sum() == pytest.approx(whole, abs=1e-3)


def test_kernel_shap_over_all_sets_are_shapley_values():
    asked = asked_of("bert-miniature", "The gardener dug with a [MASK] .", Effort(6, 1000, 0))
    kept = kept_places(asked.explained)
    units = tuple((n,) for n in range(len(asked.own)) if n not in kept)
    asked = ScoresAsked(asked.explained, asked.own, asked.baseline, units, asked.effort)
    expected = exact_shapley(asked.explained, asked.own, asked.baseline, units)
    close(by("kernel_shap", asked), expected)


def test_kernel_shap_of_drawn_sets_is_the_constrained_regression():
    """Solved with a multiplier for the constraint, in the place of leaving one unit out."""
    count, random = 9, np.random.default_rng(1)
    present, weights = coalitions(count, 60, 3)
    assert not (present.all(1) | ~present.any(1)).any()
    assert {tuple(one) for one in present} == {tuple(~one) for one in present}
    values, none, whole = random.normal(size=len(present)), 0.25, 1.5
    there = present.astype(float)
    matrix = np.zeros((count + 1, count + 1))
    matrix[:count, :count] = there.T @ (there * weights[:, None])
    matrix[count, :count] = matrix[:count, count] = 1
    wanted = np.append(there.T @ (weights * (values - none)), whole - none)
    expected = np.linalg.solve(matrix, wanted)[:count]
    close(regressed(present, weights, values, none, whole), expected)
    assert kernel(4, 1) == pytest.approx(3 / (4 * 1 * 3))


FAMILIES = (
    *("albert-miniature", "deberta-v1-miniature", "deberta-v2-miniature", "distilbert-miniature"),
    *("electra-miniature-generator", "ernie-miniature", "gpt1-miniature", "gpt2-miniature"),
    *("mobilebert-miniature", "roberta-miniature", "spanbert-miniature", "t5-miniature"),
    *("tinybert-miniature", "xlm-miniature"),
)
ONE_STACK = {"norm_based", "value_zeroing", "value_zeroing_rollout"}
LIKE_BERT = {
    *("ernie-miniature", "roberta-miniature", "spanbert-miniature", "tinybert-miniature"),
    "electra-miniature-generator",
}


@pytest.mark.parametrize("name", FAMILIES)
def test_every_method_answers_in_every_family_or_says_why_not(name):
    whole, refused = asked_of(name), {}
    kept = kept_places(whole.explained)
    units = tuple((n,) for n in range(len(whole.own)) if n not in kept)
    asked = ScoresAsked(whole.explained, whole.own, whole.baseline, units, FEW)
    for method, declared in own_methods().items():
        try:
            scores = scored(declared, asked).scores
        except Unavailable as error:
            refused[method] = str(error.problem)
            continue
        assert scores.shape == (len(units),)
        assert np.isfinite(scores).all()
        assert np.abs(scores).max() > 0
    expected = set() if name in LIKE_BERT else {"decompx"}
    assert all(why.endswith(".") for why in refused.values())
    assert set(refused) == expected | (ONE_STACK if name == "t5-miniature" else set())


def test_decompx_explains_no_entropy(own):
    one = own.explained
    doubt = ExplainedAnswer(one.model, one.port, one.query, entropy(), Context())
    with pytest.raises(Unavailable, match="no entropy"):
        by("decompx", ScoresAsked(doubt, own.own, own.baseline, own.units))


def test_attention_that_is_followed_leaves_the_model_as_it_was(own):
    before = own.values(own.own[None])
    for name in ("chefer", "value_zeroing", "frozen_gradient", "norm_based", "decompx"):
        by(name, own)
    assert torch.equal(own.values(own.own[None]), before)
