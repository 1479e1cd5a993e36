"""Answers from examples: of who knows them, of who does not, and of the best learner."""

from collections import Counter
from types import SimpleNamespace

import pytest
import torch

from explorer.learning.measured.from_examples import answered_from
from explorer.learning.objectives.recipes import recipe_of
from explorer.learning.plan.choices import Corpus, Objective
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.texts.prompts import ASKED, EXAMPLES, unmet_prompts
from explorer.world.tasks.prompts import best_answers, guessed

PLAN = TrainingPlan(objective=Objective.CAUSAL, corpus=Corpus.PROMPTS, length=48, batch=4)


@pytest.fixture(scope="module")
def tokenizer():
    return recipe_of(PLAN).make_tokenizer()


def test_who_knows_what_comes_is_always_right_and_who_says_one_word_never(tokenizer):
    pieces = len(tokenizer)

    def knowing(input_ids):
        following = torch.roll(input_ids, -1, dims=1)
        return SimpleNamespace(logits=torch.nn.functional.one_hot(following, pieces).float())

    def stubborn(input_ids):
        return SimpleNamespace(logits=torch.zeros(*input_ids.shape, pieces))

    assert answered_from(knowing, tokenizer, 2) == 1.0
    assert answered_from(stubborn, tokenizer, 2) == 0.0


def best_from(examples):
    """How often the best learner is right."""
    prompts = unmet_prompts(400, examples)
    told = [best_answers(one.pairs[:-1], one.pairs[-1][0]) for one in prompts]
    right = zip(told, prompts, strict=True)
    return sum(guessed(answers, one.pairs[-1][1]) for answers, one in right) / len(prompts)


def test_the_best_learner_guesses_and_then_knows():
    """Counted by hand: without an example every relation of the question's kind may be asked."""
    hits = []
    for prompt in unmet_prompts(400, 0):
        question, answer = prompt.pairs[-1]
        kind = next(one for one in ASKED if question in one.words)
        told = Counter(answers[question] for answers in kind.relations.values())
        most = [word for word, count in told.items() if count == max(told.values())]
        hits.append((answer in most) / len(most))
    assert best_from(0) == pytest.approx(sum(hits) / 400)
    assert best_from(0) < best_from(1) < best_from(8)
    assert best_from(8) > 0.9


def test_texts_have_examples_of_one_relation_a_kind_and_fit_the_model(tokenizer):
    for prompt in unmet_prompts(50, EXAMPLES):
        assert len(prompt.pairs) == len({question for question, _ in prompt.pairs}) == EXAMPLES + 1
        assert prompt.text.startswith(prompt.asked)
        assert len(tokenizer(prompt.text)["input_ids"]) < PLAN.length
        for kind in ASKED:
            own = [pair for pair in prompt.pairs if pair[0] in kind.words]
            assert any(
                all(answers[question] == answer for question, answer in own)
                for answers in kind.relations.values()
            )


def test_the_same_seed_reads_the_same_texts():
    text = recipe_of(PLAN).text
    first, again, other = (text.documents(0, seed)[5].text for seed in (1, 1, 2))
    assert first == again != other
