"""What models answer for vectors in place of pieces: the same for their own, with gradients."""

from dataclasses import replace

import pytest

from explorer.api.family import (
    Context,
    Discriminator,
    InputEmbeddings,
    PairClassifier,
    Predictor,
    Query,
    SpanExtractor,
    TokenClassifier,
    UserMistake,
)
from explorer.hf.predict.guessing import queries_of
from tests.hf import tiny
from tests.hf.every_family import IDS, Checkpoints
from tests.hf.kept import MODELS, bundled, miniature

torch = pytest.importorskip("torch")

TEXT = "The chef cooked the meal in the [MASK] and the waiter served it ."
BUNDLED = sorted({*bundled(Predictor), *bundled(Discriminator)})


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory):
    return Checkpoints(tmp_path_factory.mktemp("models"))


def of_pieces(model, kind, query):
    """What a port answers for the pieces as they stand."""
    if kind is Predictor:
        return model.port(kind).log_probabilities([query], Context())[0]
    logits = model.port(kind).logits(query.encoded, Context())
    return logits[list(query.asked)] if kind is Discriminator else logits


def check(model, text=TEXT):
    """Own vectors give the own answer; another copy in the same pass does not change it."""
    port = model.port(InputEmbeddings)
    traced = {Predictor, Discriminator, PairClassifier, TokenClassifier, SpanExtractor}
    assert port.answered == traced & set(model.ports)
    for kind in port.answered:
        encoded = model.encode(text, "It was good ." if kind is PairClassifier else None)
        query = Query(encoded, (len(encoded.tokens) - 2,))
        if kind is Predictor:
            query = queries_of(model.port(Predictor), encoded, Context())[0]
            query = replace(query, asked=query.asked[-2:])
        own = port.vectors(port.pieces(kind, query))
        assert own.dtype == torch.float32
        both = torch.stack([own, own.flip(0)]).requires_grad_()
        found = port.answers(kind, query, both, Context())
        expected = of_pieces(model, kind, query)
        assert found[0].shape == expected.shape
        assert torch.allclose(found[0], expected, atol=1e-4)
        assert not torch.allclose(found[1], expected, atol=1e-4)
        (gradient,) = torch.autograd.grad(found[0].flatten()[0], both)
        assert float(gradient[0].abs().sum()) > 0
        assert float(gradient[1].abs().sum()) == 0
        assert not port.answers(kind, query, both.detach(), Context()).requires_grad


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_models_read_their_own_vectors(name):
    check(miniature(name))


@pytest.mark.parametrize("family", IDS)
def test_every_family_reads_its_own_vectors(family, checkpoints):
    for model in checkpoints.models(family):
        if InputEmbeddings in model.ports:
            check(model, "the cat [MASK] on the mat")
        else:
            assert model.refused[InputEmbeddings]


def test_gradients_are_those_of_the_vectors():
    """Against finite differences, in the direction of the gradient itself."""
    model = miniature("bert-miniature")
    port = model.port(InputEmbeddings)
    encoded = model.encode(TEXT)
    query = Query(encoded, encoded.mask_positions)
    own = port.vectors(port.pieces(Predictor, query))

    def value(vectors):
        return port.answers(Predictor, query, vectors[None], Context())[0, 0].max()

    start = own.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(value(start), start)
    step = 1e-2 * gradient / gradient.norm()
    slope = (value(own + step) - value(own - step)) / 2
    assert float(slope) == pytest.approx(float(1e-2 * gradient.norm()), rel=0.01)


def test_half_precision_answers_but_has_no_gradients():
    model = tiny.load(MODELS / "bert-miniature", dtype="float16")
    port = model.port(InputEmbeddings)
    encoded = model.encode(TEXT)
    query = Query(encoded, encoded.mask_positions)
    own = port.vectors(port.pieces(Predictor, query))[None]
    assert torch.allclose(
        port.answers(Predictor, query, own, Context())[0],
        of_pieces(model, Predictor, query),
        atol=1e-2,
    )
    with pytest.raises(UserMistake, match="float16"):
        port.answers(Predictor, query, own.requires_grad_(), Context())


def test_a_run_can_be_cancelled():
    from explorer.api.family import Cancelled

    model = miniature("bert-miniature")
    port = model.port(InputEmbeddings)
    encoded = model.encode(TEXT)
    query = Query(encoded, encoded.mask_positions)
    own = port.vectors(port.pieces(Predictor, query))[None]
    with pytest.raises(Cancelled):
        port.answers(Predictor, query, own, Context(is_cancelled=lambda: True))
