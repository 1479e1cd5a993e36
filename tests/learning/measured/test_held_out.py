import copy
import json

import pytest

from explorer.learning.measured import held_out as drawing
from explorer.learning.measured.held_out import HeldOut, as_row, held_out, measure
from explorer.learning.measured.predictions import Reading
from explorer.learning.objectives.recipes import recipe_of
from explorer.learning.plan.choices import Corpus
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.texts.worlds import SmallestWorldText


@pytest.fixture(scope="module")
def asked(text, tokenizer):
    return held_out(text, tokenizer, each=4)


def test_sixty_steps_are_better_than_none():
    plan = TrainingPlan(corpus=Corpus.SMALL, steps=60, batch=16, width=32)
    recipe = recipe_of(plan)
    run = recipe.begin()
    tokenizer = recipe.make_tokenizer()
    asked = held_out(recipe.text, tokenizer, each=4)
    before = measure(run.model, tokenizer, asked)
    run.train()
    after = measure(run.model, tokenizer, asked)
    assert after.whole.floor == before.whole.floor
    assert 0.0 < after.whole.excess < before.whole.excess - 1.0
    assert set(after.rules) == set(before.rules)


def test_a_model_is_left_in_its_mode(bert, tokenizer, asked):
    for trains in (True, False):
        bert.train(trains)
        measure(bert, tokenizer, asked)
        assert bert.training is trains


def test_a_model_from_the_left_is_asked_what_comes_next(text, tokenizer, gpt):
    asked = held_out(text, tokenizer, Reading.LEFT, each=3, end=tokenizer.sep_token)
    found = measure(gpt, tokenizer, asked)
    assert found.whole.places == len(asked.places)
    assert found.whole.excess > 1.0
    assert found.rules["who"].floor > found.rules["it"].floor


def test_a_row_of_json_has_all_numbers(bert, tokenizer, asked):
    found = measure(bert, tokenizer, asked)
    row = json.loads(json.dumps(as_row(found), allow_nan=False))
    assert row["excess"] == pytest.approx(found.whole.excess, abs=1e-6)
    assert row["rules"].keys() == found.rules.keys()
    assert row["rules"]["who"]["floor"] == pytest.approx(found.rules["who"].floor, abs=1e-6)


def test_a_text_that_nobody_knows_has_no_places(bert, tokenizer, text):
    class Unknown(type(text)):
        def reader(self, tokenize):
            return None

    asked = held_out(Unknown(), tokenizer)
    assert asked == HeldOut(Reading.BOTH_SIDES, ())
    with pytest.raises(ValueError, match="grammar"):
        measure(bert, tokenizer, asked)


def test_places_that_are_kept_are_those_that_are_drawn_anew(tokenizer):
    asked = held_out(SmallestWorldText(), tokenizer, each=1)
    assert held_out(SmallestWorldText(), tokenizer, each=1) is asked
    assert held_out(SmallestWorldText(0.5), tokenizer, each=1) != asked
    assert held_out(SmallestWorldText(), tokenizer, each=2) != asked
    other = copy.deepcopy(tokenizer)
    other.add_tokens("cooked")
    assert held_out(SmallestWorldText(), other, each=1) is not asked
    drawing._drawn.cache_clear()
    assert held_out(SmallestWorldText(), copy.deepcopy(tokenizer), each=1) == asked
