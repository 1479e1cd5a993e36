"""Attributions against Captum's, on the models of transformers themselves."""

import numpy as np
import pytest

from explorer.api.question import Context, Direction, Predictor
from explorer.attribution.baselines import baseline_vectors, kept_places, standing_of
from explorer.attribution.explained import explained_word
from explorer.attribution.kinds import Baseline
from explorer.attribution.methods.gradients.gradient import gradient
from explorer.attribution.methods.gradients.gradient_x_input import gradient_x_input
from explorer.attribution.methods.gradients.integrated_gradients import integrated_gradients
from explorer.attribution.methods.gradients.sequential_integrated_gradients import (
    sequential_integrated_gradients,
)
from explorer.attribution.methods.removals.occlusion import occlusion
from tests.hf.kept import miniature

torch = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def captum():
    """Imported when it is asked for: matplotlib comes with it, a second for every worker."""
    return pytest.importorskip("captum.attr")


MASKED = "I will plant the flower , so I dug the ground . I used a [MASK] ."
NEXT = "I will plant the flower , so I dug the ground . I used a"
NAMES = (
    *("bert-miniature", "roberta-miniature", "albert-miniature", "gpt2-miniature"),
    *("deberta-v1-miniature", "deberta-v2-miniature", "t5-miniature"),
)


class Case:
    """One model, one text, its best word, and Captum's view of it."""

    def __init__(self, name):
        self.model = miniature(name)
        predictor = self.model.port(Predictor)
        causal = predictor.direction is Direction.CAUSAL
        encoded = self.model.encode(NEXT if causal else MASKED)
        place = len(encoded.tokens) if causal else encoded.mask_positions[0]
        self.explained = explained_word(self.model, encoded, place, 0, Context())
        (row,) = predictor.log_probabilities([self.explained.query], Context())
        word = int(row[0].argmax())
        self.explained = explained_word(self.model, encoded, place, word, Context())
        self.own = self.explained.own()
        kept = kept_places(self.explained)
        standing = standing_of(self.model, Baseline.MASK)
        self.baseline = baseline_vectors(self.explained, self.own, standing, kept)
        self.units = tuple((n,) for n in range(len(self.own)) if n not in kept)
        self.place, self.word, self.encoded = place, word, encoded
        self.forward = self._of_t5 if predictor.direction is Direction.SPANS else self._plain

    def _plain(self, vectors):
        module, place = self.model.module, self.place
        others = {
            name: value.expand(len(vectors), -1)
            for name, value in self.encoded.inputs.items()
            if name != "input_ids"
        }
        if self.model.stamp.family == "deberta":
            # transformers has no enhanced mask decoder, and no class with the authors' head.
            predictor = self.model.port(Predictor)
            states = predictor.states_of(inputs_embeds=vectors, **others)[:, place]
            logits = predictor.head(states)
        elif place == len(self.encoded.tokens):
            logits = module(inputs_embeds=vectors, **others).logits[:, -1]
        elif type(module).__name__.endswith("ForPreTraining"):
            logits = module(inputs_embeds=vectors, **others).prediction_logits[:, place]
        else:
            logits = module(inputs_embeds=vectors, **others).logits[:, place]
        return logits.log_softmax(-1)[:, self.word]

    def _of_t5(self, vectors):
        sentinel = self.encoded.tokens[self.place].id
        start = self.model.config.decoder_start_token_id
        written = torch.tensor([[start, sentinel]]).expand(len(vectors), -1)
        logits = self.model.module(inputs_embeds=vectors, decoder_input_ids=written).logits
        return logits[:, -1].log_softmax(-1)[:, self.word]

    def of_units(self, attributions):
        """Captum's numbers of every vector's numbers, summed for the scored places."""
        summed = attributions[0].sum(-1).detach().numpy()
        return np.array([summed[list(unit)].sum() for unit in self.units])


@pytest.fixture(scope="module", params=NAMES)
def case(request):
    return Case(request.param)


def test_integrated_gradients_are_captums_at_the_same_steps(captum, case):
    theirs = captum.IntegratedGradients(case.forward)
    for steps in (5, 20):
        found = theirs.attribute(
            case.own[None], case.baseline[None], n_steps=steps, method="gausslegendre"
        )
        ours = integrated_gradients(case.explained, case.own, case.baseline, case.units, steps)
        assert ours == pytest.approx(case.of_units(found), abs=1e-4)
    assert np.abs(ours).max() > 0.01


def test_they_add_up_to_the_difference(case):
    ours = integrated_gradients(case.explained, case.own, case.baseline, case.units, 50)
    first, last = case.explained.values(torch.stack([case.baseline, case.own])).tolist()
    assert ours.sum() == pytest.approx(last - first, rel=0.01)


def test_gradients_are_captums(captum, case):
    leaf = case.own[None].clone().requires_grad_()
    plain = captum.Saliency(case.forward).attribute(leaf, abs=False)
    ours = gradient(case.explained, case.own, case.units)
    lengths = plain[0].norm(dim=-1).numpy()
    assert ours == pytest.approx([lengths[n] for (n,) in case.units], abs=1e-4)
    times = captum.InputXGradient(case.forward).attribute(leaf)
    ours = gradient_x_input(case.explained, case.own, case.units)
    assert ours == pytest.approx(case.of_units(times), abs=1e-4)


def test_occlusion_is_captums_ablation(captum, case):
    features = torch.arange(len(case.own))[None, :, None].expand(1, -1, case.own.shape[1])
    theirs = captum.FeatureAblation(case.forward).attribute(
        case.own[None], case.baseline[None], feature_mask=features, perturbations_per_eval=8
    )
    ours = occlusion(case.explained, case.own, case.baseline, case.units)
    expected = [float(theirs[0, n, 0]) for (n,) in case.units]
    assert ours == pytest.approx(expected, abs=1e-4)


def test_a_sequential_way_ends_where_occlusion_does(case):
    """Only one word goes its way, so its numbers add up to what it takes with it."""
    units = case.units[:3]
    ours = sequential_integrated_gradients(case.explained, case.own, case.baseline, units, 50)
    gone = occlusion(case.explained, case.own, case.baseline, units)
    assert ours == pytest.approx(gone, abs=max(0.01 * np.abs(gone).max(), 1e-3))
