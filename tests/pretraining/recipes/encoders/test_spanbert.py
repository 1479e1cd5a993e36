import numpy as np
import pytest
import torch

from explorer.objectives import IGNORED
from explorer.objectives.masking.span_boundary import boundaries
from explorer.pretraining.recipes.encoders.spanbert import RECIPE


def plain_boundaries(labels):
    """Walk from each selected token to the ends of its run."""
    found = []
    for row, text in enumerate(labels.tolist()):
        for place, label in enumerate(text):
            if label != IGNORED:
                left, right = place, place
                while text[left] != IGNORED:
                    left -= 1
                while text[right] != IGNORED:
                    right += 1
                found.append((row, left, right, place - left - 1))
    return found


@pytest.fixture(scope="module")
def tokenizer():
    return RECIPE.make_tokenizer([])


@pytest.fixture(scope="module")
def model(tokenizer):
    torch.manual_seed(0)
    return RECIPE.make_model(tokenizer)


def test_the_head_is_the_papers_formula(model):
    head = model.sbo
    with torch.no_grad():
        for parameter in head.parameters():
            parameter.normal_()
    width, vocabulary = model.config.hidden_size, model.config.vocab_size
    left, right = torch.randn(5, width), torch.randn(5, width)
    places = torch.tensor([0, 3, 1, 9, 19])
    embeddings = model.get_input_embeddings().weight
    found = head(left, right, places, embeddings).detach().numpy().astype(float)

    own = {name: value.detach().numpy().astype(float) for name, value in head.named_parameters()}

    def gelu(x):
        erf = np.vectorize(__import__("math").erf)
        return x * 0.5 * (1.0 + erf(x / np.sqrt(2.0)))

    def norm(x, name):
        mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
        scaled = (x - mean) / np.sqrt(variance + model.config.layer_norm_eps)
        return scaled * own[f"{name}.weight"] + own[f"{name}.bias"]

    h0 = np.concatenate(
        [left.numpy(), right.numpy(), own["position_embeddings.weight"][places.numpy()]], axis=1
    )
    h1 = norm(gelu(h0 @ own["dense1.weight"].T + own["dense1.bias"]), "layer_norm1")
    y = norm(gelu(h1 @ own["dense2.weight"].T + own["dense2.bias"]), "layer_norm2")
    expected = y @ embeddings.detach().numpy().astype(float).T + own["bias"]
    assert found.shape == (5, vocabulary)
    assert found == pytest.approx(expected, rel=1e-4, abs=1e-3)


def test_both_losses_are_cross_entropies_of_the_same_pieces(model, tokenizer, texts):
    batch = RECIPE.make_batches(tokenizer, texts[:300], 0).batch(0)
    with torch.no_grad():
        found = RECIPE.losses(model, batch)
        states = model.bert(batch["input_ids"], attention_mask=batch["attention_mask"])[0]
        embeddings = model.get_input_embeddings().weight
        inside, beside = [], []
        for row, left, right, place in plain_boundaries(batch["labels"].numpy()):
            position = left + 1 + place
            label = batch["labels"][row, position]
            inside.append(-model.cls(states[row, position]).log_softmax(-1)[label])
            scores = model.sbo(
                states[row, left][None],
                states[row, right][None],
                torch.tensor([place]),
                embeddings,
            )
            beside.append(-scores[0].log_softmax(-1)[label])
    assert float(found["loss_mlm"]) == pytest.approx(float(sum(inside)) / len(inside), rel=1e-4)
    assert float(found["loss_sbo"]) == pytest.approx(float(sum(beside)) / len(beside), rel=1e-4)


def test_masked_spans_of_a_batch_leave_their_boundaries(tokenizer, texts):
    batches = RECIPE.make_batches(tokenizer, texts[:300], 0)
    lengths = []
    for step in range(64):
        labels = batches.batch(step)["labels"].numpy()
        found = boundaries(labels)
        assert (labels[found.rows, found.left] == IGNORED).all()
        assert (labels[found.rows, found.right] == IGNORED).all()
        lengths += [
            right - left - 1
            for left, right, place in zip(found.left, found.right, found.places, strict=True)
            if place == 0
        ]
    assert max(lengths) > 5
    assert np.mean(lengths) > 1.5
    assert max(found.places) < model_places()


def model_places():
    from explorer.learning.models.span_boundary import PLACES

    return PLACES
