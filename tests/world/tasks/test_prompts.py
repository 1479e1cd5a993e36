"""Prompts of the small world: what they hide, and the best learner by counting all worlds."""

import itertools
import random

import pytest

from explorer.world.tasks import prompts
from explorer.world.tasks.prompts import KINDS, best_answers, draw, guessed, possible

WORDS = [word for kind in KINDS for word in kind.words]


def counted(examples, question):
    """The best learner's answers, by trying every way to choose a relation of each kind."""
    answers = {}
    for names in itertools.product(*(kind.relations for kind in KINDS)):
        told = {}
        for kind, name in zip(KINDS, names, strict=True):
            told |= kind.relations[name]
        if all(told[word] == answer for word, answer in examples):
            answers[told[question]] = answers.get(told[question], 0) + 1
    total = sum(answers.values())
    return {answer: count / total for answer, count in answers.items()}


def test_a_word_is_of_one_kind_and_every_relation_answers_all_words_of_its_kind():
    assert len(set(WORDS)) == len(WORDS)
    for kind in KINDS:
        for answers in kind.relations.values():
            assert tuple(answers) == kind.words
            assert all(answers.values())


@pytest.mark.parametrize("examples", [0, 1, 2, 5])
def test_the_best_learner_is_that_of_all_ways_to_draw(examples):
    rng = random.Random(examples)
    for _ in range(4):
        prompt = draw(rng, examples, mixed=True)
        found = best_answers(prompt.examples, prompt.question)
        assert found == pytest.approx(counted(prompt.examples, prompt.question))
        assert sum(found.values()) == pytest.approx(1)
        assert found[prompt.answer] > 0


def test_an_example_tells_its_own_kind_and_no_other():
    assert len(possible([], "chef")) == 7
    assert len(possible([("hot", "cold")], "chef")) == 7
    assert possible([("baker", "oven")], "chef") == ("tool",)
    assert best_answers([("baker", "oven")], "chef") == {"pan": 1.0}
    # A sheep is one among several sheep: what is asked stays open.
    assert set(possible([("sheep", "sheep")], "dog")) == {"plural", "same"}
    assert best_answers([("sheep", "sheep")], "dog") == {"dogs": 0.5, "dog": 0.5}
    assert best_answers([], "chef", "thing") == {"meal": 1.0}
    assert best_answers([("baker", "nonsense")], "chef") == {}
    assert best_answers([], "nonsense") == {}


def test_one_of_the_likeliest_is_guessed():
    assert guessed({"a": 0.5, "b": 0.5}, "a") == 0.5
    assert guessed({"a": 0.6, "b": 0.4}, "b") == 0.0


def test_withheld_words_stand_only_where_the_relation_is_named():
    withheld = {word for kind in KINDS for word in kind.withheld}
    assert 0.07 < len(withheld) / len(WORDS) < 0.13
    drawn = prompts.training_prompts(2000, seed=3)
    hidden = {word for one in drawn if one.named is None for word, _ in one.pairs}
    named = {word for one in drawn if one.named is not None for word, _ in one.pairs}
    assert not hidden & withheld
    assert hidden | withheld == set(WORDS)
    assert withheld <= named
    assert all(prompts.ask_withheld(random.Random(n), 2).question in withheld for n in range(20))


def test_the_same_seed_writes_the_same_prompts():
    assert prompts.training_prompts(5, seed=3) == prompts.training_prompts(5, seed=3)
    assert prompts.training_prompts(5, seed=3) != prompts.training_prompts(5, seed=4)


def test_a_prompt_is_written_and_its_answers_are_found_in_it():
    prompt = prompts.WorldPrompt(
        (("baker", "oven"), ("chef", "pan")),
        {"Jobs": "tool"},
        "Jobs",
        "{question} -> {answer}.",
    )
    assert prompt.text == "Jobs: tool. baker -> oven. chef -> pan."
    assert prompt.asked == "Jobs: tool. baker -> oven. chef ->"
    assert [prompt.text[a:b] for a, b in prompt.answered] == [" -> oven.", " -> pan."]
    for one in prompts.training_prompts(50, seed=5):
        assert one.text.startswith(f"{one.asked} {one.answer}")
        for (question, answer), (start, end) in zip(one.pairs, one.answered, strict=True):
            assert one.text[:start].endswith(question)
            assert one.text[start:end].endswith(f" {answer}.")
