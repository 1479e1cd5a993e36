import dataclasses

import pytest

from explorer.learning.measured.held_out import held_out, measure
from explorer.learning.measured.predictions import Reading, reading_of
from explorer.learning.measured.replaced import detection_report, replace
from explorer.learning.measured.watched import exact_blanks, watched
from explorer.learning.objectives.recipes import recipe_of
from explorer.learning.plan.choices import Corpus
from explorer.learning.plan.presets import PRESETS

TINY = {"layers": 1, "width": 16, "heads": 2, "batch": 4, "steps": 2, "documents": 100}
READINGS = {"gpt2": Reading.LEFT, "t5": Reading.SPANS}


@pytest.fixture(scope="module", params=sorted(PRESETS))
def begun(request):
    plan = dataclasses.replace(PRESETS[request.param], corpus=Corpus.SMALL, **TINY)
    run = recipe_of(plan).begin()
    run.model.eval()
    return request.param, run


def naming(run):
    """The model that names pieces."""
    parts = run.recipe.parts(run.model)
    generators = (one for name, one in parts.items() if "generator" in name)
    return next(generators, next(iter(parts.values())))


def test_every_objective_is_measured_beside_the_floor(begun):
    name, run = begun
    model = naming(run)
    reading = reading_of(model)
    assert reading is READINGS.get(name, Reading.BOTH_SIDES)
    end = run.tokenizer.eos_token if reading is Reading.LEFT else None
    asked = held_out(run.recipe.text, run.tokenizer, reading, each=2, end=end)
    found = measure(model, run.tokenizer, asked)
    assert found.whole.places == len(asked.places) > 20
    assert found.whole.excess > 3.0, "who has learnt nothing knows nothing"
    assert all(one.excess > -1e-9 for one in found.rules.values())


def test_every_model_is_watched(begun):
    _, run = begun
    sentence = "The chef cooked the [MASK]. He was happy."
    (found,) = watched(naming(run), run.tokenizer, sentence)
    assert len(found) == 5
    assert all(0.0 < p < 1.0 for _, p in found)
    truth = run.recipe.text.truth(run.tokenizer.tokenize)
    (exact,) = exact_blanks(truth, run.tokenizer, sentence, reading_of(naming(run)))
    assert dict(exact.answers)["soup"] > 0.1


def test_a_discriminator_is_measured_beside_who_knows_its_generator():
    plan = dataclasses.replace(PRESETS["electra"], corpus=Corpus.SMALL, **TINY)
    run = recipe_of(plan).begin()
    generator, discriminator = run.recipe.parts(run.model.eval()).values()
    reader = run.recipe.reader(run.tokenizer)
    texts = replace(generator, run.tokenizer, reader, run.recipe.text.held_out(40), 1, count=3)
    found = detection_report(discriminator, run.tokenizer, texts)
    assert found.places == sum(len(text.pieces) for text in texts)
    assert found.excess > 0.0
    assert found.accuracy <= found.best_accuracy
