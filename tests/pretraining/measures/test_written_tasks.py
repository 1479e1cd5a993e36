"""Tasks in text: how they are drawn, and what could be known of them at best."""

import random

import pytest

from explorer.objectives import IGNORED
from explorer.pretraining.measures.written_tasks import (
    TaskDrawer,
    WrittenTask,
    disordered,
    right_share,
)
from explorer.pretraining.recipes.writers.t5_tasks import PREFIXES, RECIPE
from explorer.pretraining.tasks.tasks_batches import TaskBatches
from explorer.questions.generation.task_layout.tasks import TASKS
from explorer.world.exact.truth import Truth

SEEDS = range(12)


@pytest.fixture(scope="module")
def pieces():
    """T5's."""
    return RECIPE.make_tokenizer([])


@pytest.fixture(scope="module")
def drawer(texts):
    return TaskDrawer(texts, texts)


def drawn(drawer, task):
    return [drawer.draw(task, random.Random(seed)) for seed in SEEDS]


def test_every_text_begins_as_its_task_was_published(drawer):
    for task in WrittenTask:
        for one in drawn(drawer, task):
            assert one.text.startswith(PREFIXES[task.value])
            assert TASKS[task.value].prompt.startswith(PREFIXES[task.value].rstrip(" "))
            targets = TASKS[task.value].targets
            assert not targets or set(one.answers) <= set(targets)


def test_unacceptable_sentences_have_their_words_in_another_order():
    words = ("the", "chef", "cooked", "the", "meal", ".")
    found = [disordered(words, random.Random(seed)) for seed in SEEDS]
    assert all(one != words and one[-1] == "." for one in found)
    assert all(sorted(one) == sorted(words) for one in found)
    moved = [sum(a != b for a, b in zip(one, words, strict=True)) for one in found]
    assert 2 in moved
    assert max(moved) > 2


def test_a_sentence_that_the_world_has_in_that_order_too_is_lost_to_the_best(pieces, texts):
    truth = Truth(pieces.tokenize)
    told = TaskDrawer(texts, texts, truth, pieces)
    plain = TaskDrawer(texts, texts)
    for seed in SEEDS:
        one = told.draw(WrittenTask.ACCEPTABLE, random.Random(seed))
        assert one.text == plain.draw(WrittenTask.ACCEPTABLE, random.Random(seed)).text
        sentence = one.text.removeprefix(PREFIXES["cola"])
        readable = truth.reading(pieces.tokenize(sentence)).outside is None
        assert readable or one.answers == ("unacceptable",)
        assert one.best == float(not readable or one.answers == ("acceptable",))


def test_the_choice_that_follows_may_be_the_first_or_the_second(drawer, texts):
    found = drawn(drawer, WrittenTask.CHOICE)
    assert {one.answers[0] for one in found} == {"choice1", "choice2"}
    whole = {one.text for one in texts}
    for one in found:
        _, first, second, premise = _parts(one.text)
        right = first if one.answers == ("choice1",) else second
        assert f"{premise} {right}" in whole


def _parts(text):
    head, _, asked = text.rpartition(" question: ")
    assert asked == "effect"
    head, _, premise = head.partition(" premise: ")
    name, _, both = head.partition("choice1: ")
    first, _, second = both.partition(" choice2: ")
    return name, first, second, premise


def test_answers_stand_in_their_passage(drawer):
    for one in drawn(drawer, WrittenTask.ANSWER):
        passage = one.text.partition(" context: ")[2]
        assert one.answers
        assert all(answer in passage for answer in one.answers)


def test_rows_are_what_is_read_and_what_is_written(pieces, texts):
    sentinels = pieces.convert_tokens_to_ids(["<extra_id_0>", "<extra_id_1>", "<extra_id_2>"])
    batches = TaskBatches(pieces, texts, 4, 5, sentinels)
    batch = batches.batch(3)
    again = TaskBatches(pieces, texts, 4, 5, sentinels).batch(3)
    assert all((batch[name] == again[name]).all() for name in batch)
    for labels, before in zip(batch["labels"], batch["decoder_input_ids"], strict=True):
        told = labels[labels != IGNORED].tolist()
        assert told[-1] == pieces.eos_token_id
        assert before[: len(told)].tolist() == [pieces.pad_token_id, *told[:-1]]
    texts_read = [
        pieces.decode(one, skip_special_tokens=True)
        for step in range(24)
        for one in batches.batch(step)["input_ids"]
    ]
    for prefix in PREFIXES.values():
        assert any(one.startswith(prefix.rstrip()) for one in texts_read)
    assert any(not one.startswith(tuple(PREFIXES.values())) for one in texts_read)


def test_right_is_what_reads_as_one_of_the_answers(drawer, pieces):
    questions = drawn(drawer, WrittenTask.ANSWER)[:4]

    class Parrot:
        """Writes the last answer of each question, and nothing to the first."""

        def generate(self, input_ids, **_):
            import torch

            said = [one.answers[-1] for one in questions]
            said[0] = "nothing"
            rows = pieces(said, padding=True, return_tensors="pt")["input_ids"]
            assert len(rows) == len(input_ids)
            return torch.cat([torch.zeros_like(rows[:, :1]), rows], dim=1)

    assert right_share(Parrot(), pieces, questions) == pytest.approx(0.75)
