"""Every loss against numpy on what transformers' own forward gives, at several temperatures."""

import math

import numpy as np
import pytest

from explorer.api.family import LayerProjection
from explorer.api.question import Context, UserMistake
from explorer.document import Mask
from explorer.questions.distillation.distillation_losses import question as of
from explorer.questions.distillation.distillation_losses.losses import DistillationLossesResult
from explorer.questions.distillation.distillation_losses.question import (
    QUESTION,
    DistillationLossesRequest,
)
from explorer.questions.distillation.distillation_losses.settings import KL, LossSettings
from explorer.questions.distillation.distillation_losses.terms import table_of, terms
from explorer.serialise import from_json, to_json
from tests.hf import tiny

TEXT = "the cat sat on the mat ."
CAT, MAT = Mask(4, 7), Mask(19, 22)
TEMPERATURES = (0.5, 1.0, 2.0, 8.0)
LAYERS = {"A": 4, "B": 2}


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A teacher of four layers and students of two: as wide (B), narrower (C), with fits (D)."""
    import torch

    folder = tmp_path_factory.mktemp("models")
    made = {
        "A": tiny.load(tiny.save_bert(folder / "teacher", seed=1, num_hidden_layers=4)),
        "B": tiny.load(tiny.save_bert(folder / "student", seed=2, num_hidden_layers=2)),
        "C": tiny.load(
            tiny.save_bert(
                folder / "narrow",
                seed=3,
                num_hidden_layers=2,
                hidden_size=12,
                num_attention_heads=2,
            )
        ),
    }
    thin = tiny.bert_module("BertForMaskedLM", 5, num_hidden_layers=2, hidden_size=16)
    weights = tiny.weights_of(thin)
    torch.manual_seed(6)
    for layer in range(3):
        weights[f"fit_denses.{layer}.weight"] = torch.randn(32, 16) * 0.3
        weights[f"fit_denses.{layer}.bias"] = torch.randn(32) * 0.1
    made["D"] = tiny.load(tiny.write(folder / "tinybert", thin.config, weights))
    return made


def ask(models, **request):
    text = request.pop("text", TEXT)
    played = {"teacher": models["A"], "student": models[request.pop("student", "B")]}
    return of.QUESTION.run(
        models["A"], DistillationLossesRequest(text, **request), Context(models=played)
    )


def values(result, settings=None):
    return {term.key: term for term in terms(result, settings or LossSettings())}


class Forward:
    """What a module gives for the tokens of an answer, as plain numpy."""

    def __init__(self, model, result):
        import torch

        ids = torch.tensor([[token.id for token in result.tokens]])
        with torch.no_grad():
            out = model.module(ids, output_hidden_states=True)
        logits = out.prediction_logits if "prediction_logits" in out else out.logits
        self.places = [i for i, token in enumerate(result.tokens) if token.masked]
        self.labels = [result.tokens[i].original for i in self.places]
        self.logits = logits[0, self.places].double().numpy()
        self.hidden = [one[0].double().numpy() for one in out.hidden_states]
        self.model = model

    def scores(self, layer):
        """Q K^T / sqrt(d) from the weights, by hand; layers count from 1."""
        own = self.model.module.bert.encoder.layer[layer - 1].attention.self
        states = self.hidden[layer - 1]
        heads = own.num_attention_heads
        projected = []
        for linear in (own.query, own.key):
            weight, bias = (p.detach().double().numpy() for p in (linear.weight, linear.bias))
            projected.append((states @ weight.T + bias).reshape(len(states), heads, -1))
        queries, keys = projected
        width = queries.shape[-1]
        return np.stack([queries[:, h] @ keys[:, h].T / math.sqrt(width) for h in range(heads)])


def softened(logits, temperature):
    powers = np.exp((logits - logits.max(axis=-1, keepdims=True)) / temperature)
    return powers / powers.sum(axis=-1, keepdims=True)


def mse(one, other):
    return float(np.mean((one - other) ** 2))


@pytest.mark.parametrize("temperature", TEMPERATURES)
def test_losses_of_predictions(models, temperature):
    result = ask(models, masks=(CAT, MAT), temperature=temperature)
    taught, learnt = Forward(models["A"], result), Forward(models["B"], result)
    p, q = softened(taught.logits, temperature), softened(learnt.logits, temperature)
    crossed = float(np.mean(-(p * np.log(q)).sum(axis=1)))
    forth = float(np.mean((p * np.log(p / q)).sum(axis=1)))
    back = float(np.mean((q * np.log(q / p)).sum(axis=1)))
    constant = float(np.mean(-(p * np.log(p)).sum(axis=1)))
    p1, q1 = softened(taught.logits, 1.0), softened(learnt.logits, 1.0)
    own = float(np.mean([-math.log(q1[i, y]) for i, y in enumerate(learnt.labels)]))
    first = float(np.mean(-(p1 * np.log(q1)).sum(axis=1)))
    last = learnt.hidden[-1], taught.hidden[-1]
    lengths = [np.linalg.norm(one, axis=1) for one in last]
    angle = 1 - float(np.mean((last[0] * last[1]).sum(axis=1) / lengths[0] / lengths[1]))
    for squared in (True, False):
        scale = temperature**2 if squared else 1.0
        found = values(result, LossSettings(squared=squared))
        assert found["distillation"].value == pytest.approx(scale * crossed, rel=1e-4)
        assert found["kl_teacher_student"].value == pytest.approx(scale * forth, rel=1e-3)
        assert found["teacher_entropy"].value == pytest.approx(scale * constant, rel=1e-4)
        assert f"{5 * scale * constant:.4g} of it" in found["total"].reduction
        assert found["kl_student_teacher"].value == pytest.approx(scale * back, rel=1e-3)
        assert found["student"].value == pytest.approx(own, rel=1e-4)
        assert found["cosine"].value == pytest.approx(angle, rel=1e-4)
        total = 5 * scale * crossed + 2 * own + angle
        assert found["total"].value == pytest.approx(total, rel=1e-4)
        assert found["tinybert_prediction"].value == pytest.approx(first, rel=1e-4)
    other = LossSettings(weights=(1.0, 0.5, 3.0), distil=KL)
    expected = temperature**2 * forth + 0.5 * own + 3 * angle
    assert values(result, other)["total"].value == pytest.approx(expected, rel=1e-3)
    assert "KL" in values(result, other)["total"].formula
    assert "constant" not in values(result, other)["total"].reduction


def test_the_gradient_with_and_without_t_squared(models):
    result = ask(models, masks=(CAT, MAT))
    taught, learnt = Forward(models["A"], result), Forward(models["B"], result)
    found = result.predictions
    assert (found.temperatures[0], found.temperatures[-1]) == (0.25, pytest.approx(20.0))
    for t, size, kl in zip(found.temperatures, found.gradient_curve, found.kl_curve, strict=True):
        p, q = softened(taught.logits, t), softened(learnt.logits, t)
        expected = np.mean(np.linalg.norm((q - p) / t, axis=1))
        assert size == pytest.approx(float(expected), rel=1e-3)
        assert kl == pytest.approx(float(np.mean((p * np.log(p / q)).sum(axis=1))), rel=1e-3)


@pytest.mark.parametrize(
    ("settings", "mapped"),
    [
        (LossSettings(), (2, 4)),
        (LossSettings(map_kind="last"), (3, 4)),
        (LossSettings(map_kind="own", own_map=(1, 3)), (1, 3)),
    ],
)
def test_losses_of_layers_follow_the_map(models, settings, mapped):
    result = ask(models, masks=(CAT,))
    taught, learnt = Forward(models["A"], result), Forward(models["B"], result)
    found = values(result, settings)
    assert found["tinybert_embedding"].value == pytest.approx(
        mse(learnt.hidden[0], taught.hidden[0]), rel=1e-4
    )
    hidden = [mse(learnt.hidden[m], taught.hidden[n]) for m, n in enumerate(mapped, 1)]
    scores = [mse(learnt.scores(m), taught.scores(n)) for m, n in enumerate(mapped, 1)]
    divergences = []
    for m, n in enumerate(mapped, 1):
        a, b = softened(taught.scores(n), 1.0), softened(learnt.scores(m), 1.0)
        divergences.append(float(np.mean((a * np.log(a / b)).sum(axis=-1))))
    for key, expected in (
        ("tinybert_hidden", hidden),
        ("tinybert_attention", scores),
        ("mobilebert_feature_map", hidden),
        ("mobilebert_attention", divergences),
    ):
        term = found[key]
        assert [value for _, _, value in term.layers] == pytest.approx(expected, rel=1e-3)
        assert [(m, n) for m, n, _ in term.layers] == [(m, n - 1) for m, n in enumerate(mapped)]
        assert term.value == pytest.approx(sum(expected), rel=1e-3)
    assert "the widths are the same" in found["tinybert_hidden"].reduction


def test_every_layer_against_every_other(models):
    result = ask(models)
    taught, learnt = Forward(models["A"], result), Forward(models["B"], result)
    layers = result.layers
    assert layers.hidden_mse.shape == layers.cosine.shape == layers.cka.shape == (3, 5)
    assert layers.attention_mse.shape == layers.attention_kl.shape == (2, 4)
    for m in range(3):
        for n in range(5):
            x, y = learnt.hidden[m], taught.hidden[n]
            assert layers.hidden_mse[m, n] == pytest.approx(mse(x, y), rel=1e-4)
            cosines = (x * y).sum(axis=1) / np.linalg.norm(x, axis=1) / np.linalg.norm(y, axis=1)
            assert layers.cosine[m, n] == pytest.approx(float(cosines.mean()), abs=1e-5)
            x, y = x - x.mean(axis=0), y - y.mean(axis=0)
            cka = np.linalg.norm(y.T @ x) ** 2
            cka /= np.linalg.norm(x.T @ x) * np.linalg.norm(y.T @ y)
            assert layers.cka[m, n] == pytest.approx(float(cka), rel=1e-4)


def test_a_trained_projection_is_used(models):
    result = ask(models, masks=(CAT,), student="D")
    taught, learnt = Forward(models["A"], result), Forward(models["D"], result)
    fits = models["D"].port(LayerProjection).fit
    assert result.layers.projection == "trained projection"
    found = values(result)
    for key, pairs in (("tinybert_embedding", [(0, 0)]), ("tinybert_hidden", [(1, 2), (2, 4)])):
        expected = []
        for m, n in pairs:
            weight, bias = (p.detach().double().numpy() for p in (fits[m].weight, fits[m].bias))
            expected.append(mse(learnt.hidden[m] @ weight.T + bias, taught.hidden[n]))
        assert found[key].value == pytest.approx(sum(expected), rel=1e-4)
        assert "W as trained" in found[key].reduction
    assert found["cosine"].value is None
    assert "32 and 16 wide" in found["cosine"].why
    assert found["total"].reduction.startswith("sum without the cosine loss; ")
    assert result.notes == ()


def test_without_one_least_squares_is_named(models):
    result = ask(models, text="the cat sat on the mat . the dog run , it was bad", student="C")
    taught, learnt = Forward(models["A"], result), Forward(models["C"], result)
    layers = result.layers
    assert layers.projection == "least squares on this text"
    assert not layers.fits_exactly
    x, y = learnt.hidden[1], taught.hidden[2]
    best = x @ np.linalg.inv(x.T @ x) @ x.T @ y
    assert layers.hidden_mse[1, 2] == pytest.approx(mse(best, y), rel=1e-3)
    assert "flatters" in result.notes[1]
    assert "4 attention heads in a layer and the student 2" in result.notes[2]
    found = values(result)
    assert "W by least squares" in found["tinybert_hidden"].reduction
    assert found["tinybert_attention"].value is None
    assert "4 and 2 heads" in found["mobilebert_attention"].why


def test_a_short_text_is_fitted_exactly_and_that_is_said(models):
    result = ask(models, text="the cat", masks=(CAT,), student="C")
    assert result.layers.fits_exactly
    assert result.layers.hidden_mse.max() < 1e-8
    assert any("fits exactly" in note for note in result.notes)


def test_without_a_mask_there_are_layers_only(models):
    result = ask(models)
    assert result.predictions is None
    assert "Nothing is masked" in result.notes[0]
    found = values(result)
    for key in ("distillation", "student", "total", "tinybert_prediction"):
        assert found[key].value is None
        assert found[key].why
    assert found["tinybert_hidden"].value > 0


def test_a_typed_mask_has_no_hard_label(models):
    result = ask(models, text="the [MASK] sat")
    found = values(result)
    assert found["student"].value is None
    assert "typed" in found["student"].why
    assert found["total"].value is not None
    assert found["total"].reduction.startswith("sum without the student loss; ")


def test_the_table_has_every_term_and_every_layer(models):
    result = ask(models, masks=(CAT,))
    table = QUESTION.table(result)
    assert table == table_of(result, LossSettings())
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    whole = [row for row in rows if row["student_layer"] is None]
    assert [row["loss"] for row in whole] == [t.title for t in terms(result, LossSettings())]
    parts = [
        row for row in rows if row["loss"] == "Hidden loss" and row["student_layer"] is not None
    ]
    assert [(row["student_layer"], row["teacher_layer"]) for row in parts] == [(0, 1), (1, 3)]
    assert QUESTION.summary(result) == {t.key: t.value for t in terms(result, LossSettings())}
    soft = next(row for row in rows if row["loss"] == "Distillation loss")
    assert soft["times_t_squared"] is True


def test_an_answer_comes_back_from_json(models):
    result = ask(models, masks=(CAT,))
    back = from_json(DistillationLossesResult, to_json(result))
    assert QUESTION.table(back) == QUESTION.table(result)
    np.testing.assert_array_equal(back.layers.cka, result.layers.cka)


def test_a_model_has_no_distance_from_itself(models):
    result = of.QUESTION.run(
        models["A"],
        DistillationLossesRequest(TEXT, masks=(CAT,)),
        Context(models={"teacher": models["A"], "student": models["A"]}),
    )
    found = values(result)
    for key in (
        "kl_teacher_student",
        "cosine",
        "tinybert_hidden",
        "tinybert_attention",
        "mobilebert_attention",
        "mobilebert_feature_map",
    ):
        assert found[key].value == pytest.approx(0.0, abs=1e-6)
    np.testing.assert_allclose(np.diag(result.layers.cka), 1.0)


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"text": " "}, "no text"),
        ({"temperature": 0.0}, "above 0"),
    ],
)
def test_what_can_not_be_asked(models, request_, words):
    with pytest.raises(UserMistake, match=words):
        ask(models, **request_)


def test_it_takes_a_student(models):
    with pytest.raises(UserMistake, match="No model plays the student"):
        of.QUESTION.run(
            models["A"], DistillationLossesRequest(TEXT), Context(models={"teacher": models["A"]})
        )
