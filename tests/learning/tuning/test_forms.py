"""Labels of words, answers and choices: transformers' own losses, and what the library opens."""

import dataclasses

import numpy as np
import pytest
import torch

from explorer.api.question import (
    Context,
    MultipleChoice,
    SpanExtractor,
    TokenClassifier,
    UserMistake,
)
from explorer.learning.runs.beginning import begun
from explorer.learning.runs.one_run import OneRun
from explorer.learning.runs.run_state import RunStatus
from explorer.learning.runs.trainings import Trainings
from explorer.learning.tuning.base_models import LEARNS
from explorer.learning.tuning.choices import LabelledTask, Tuned
from explorer.learning.tuning.forms.form import NOT_ASKED
from explorer.learning.tuning.judged import Judged
from explorer.learning.tuning.plan import TuningPlan
from explorer.numerics.evaluation.label_ranges import ranges
from explorer.questions.pairs.token_labels.question import TokenLabelsRequest
from tests.hf import tiny

FORMS = {
    LabelledTask.ROLES: ("words", TokenClassifier, "BertForTokenClassification"),
    LabelledTask.ANSWERS: ("spans", SpanExtractor, "BertForQuestionAnswering"),
    LabelledTask.ENDINGS: ("choices", MultipleChoice, "BertForMultipleChoice"),
}
PLAN = TuningPlan(examples=24, epochs=1, batch=8, length=96)


def started(task, **changed):
    return begun(dataclasses.replace(PLAN, task=task, **changed))


def given(batch):
    return {name: batch[name] for name in ("input_ids", "attention_mask", "token_type_ids")}


def test_words_are_lost_on_as_transformers_loses_on_their_first_pieces():
    run = started(LabelledTask.ROLES)
    batch, model = run.batches.batch(0), run.model.eval()
    with torch.no_grad():
        wanted = model(**given(batch), labels=batch["labels"]).loss
        found = run.recipe.losses(model, batch)["loss_labels"]
    assert float(found) == pytest.approx(float(wanted), abs=1e-6)
    # The labels, as transformers' own example aligns them.
    example = run.recipe.chosen[0]
    words = [example.text[start:end] for start, end in example.words]
    places = run.tokenizer(words, is_split_into_words=True).word_ids()
    before = [None, *places]
    aligned = [
        NOT_ASKED if word is None or word == last else example.labels[word]
        for word, last in zip(places, before, strict=False)
    ]
    (row,) = run.recipe.form.rows(run.tokenizer, [example], 96)
    assert row["labels"] == aligned


def test_answers_are_lost_on_as_transformers_loses_on_starts_and_ends():
    run = started(LabelledTask.ANSWERS)
    batch, model = run.batches.batch(0), run.model.eval()
    starts, ends = batch["labels"].unbind(-1)
    with torch.no_grad():
        wanted = model(**given(batch), start_positions=starts, end_positions=ends).loss
        found = run.recipe.losses(model, batch)["loss_answer"]
    assert float(found) == pytest.approx(float(wanted), abs=1e-6)
    examples = run.recipe.chosen
    rows = run.recipe.form.rows(run.tokenizer, examples, 96)
    assert {bool(one.answers) for one in examples} == {True, False}
    for row, one in zip(rows, examples, strict=True):
        first, last = row["labels"]
        told = one.passage[row["offset_mapping"][first][0] : row["offset_mapping"][last][1]]
        assert (told if first else "") == one.right[0]


def test_an_answer_that_is_cut_off_is_none():
    run = started(LabelledTask.ANSWERS)
    late = next(one for one in run.recipe.chosen if one.answers and one.answers[0][0] > 60)
    (row,) = run.recipe.form.rows(run.tokenizer, [late], 16)
    assert row["labels"] == [0, 0]
    assert len(row["input_ids"]) == 16


def test_choices_are_lost_on_as_transformers_does_and_fewer_of_them_are_no_chance():
    run = started(LabelledTask.ENDINGS)
    batch, model = run.batches.batch(0), run.model.eval()
    with torch.no_grad():
        wanted = model(**given(batch), labels=batch["labels"]).loss
        found = run.recipe.losses(model, batch)["loss_choice"]
    assert float(found) == pytest.approx(float(wanted), abs=1e-6)
    form, (first, second) = run.recipe.form, run.recipe.chosen[:2]
    few = dataclasses.replace(first, choices=first.choices[:2], label=1)
    rows = form.rows(run.tokenizer, [few, second], 96)
    with torch.no_grad():
        told = [one for one, *_ in form.ask(model, form.tensors(run.tokenizer, rows))]
        alone = form.ask(model, form.tensors(run.tokenizer, rows[:1]))[0][0]
    assert told[0][2:] == [0.0, 0.0]
    assert told[0][:2] == pytest.approx(alone, abs=1e-5)
    assert sum(told[0]) == pytest.approx(1.0)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A finished run of each task."""
    folder = tmp_path_factory.mktemp("forms")
    trainings = Trainings(folder / "training", folder / "engine")
    found = {}
    for task in FORMS:
        one = trainings.made(dataclasses.replace(PLAN, task=task, tuned=Tuned.LAST), task.value)
        with one.lock():
            assert OneRun(one).train() is RunStatus.DONE
        found[task] = one
    return found


@pytest.mark.parametrize("task", FORMS)
def test_what_is_written_has_the_head_that_the_library_opens(runs, task):
    form, port, head = FORMS[task]
    one = runs[task]
    assert one.plan.texts.form.name == form
    model = tiny.load(one.frame(3))
    assert type(model.module).__name__ == head
    assert model.port(port) is not None
    last = one.measured()[-1]
    found = Judged(one.plan.texts, last["said"])
    assert found.accuracy == pytest.approx(last["accuracy"], abs=1e-6)
    assert last["accuracy_low"] <= last["accuracy"] <= last["accuracy_high"]


def test_the_page_of_labels_says_what_was_judged(runs):
    one = runs[LabelledTask.ROLES]
    texts = one.plan.texts
    example, said = texts.held_out[0], one.measured()[-1]["said"][0]
    result = tiny.ask(tiny.load(one.frame(3)), TokenLabelsRequest(example.text), Context())
    likeliest = np.asarray(result.logits).argmax(-1)
    starts = {start: number for number, (start, _) in enumerate(example.words)}
    told = {
        starts[token.start]: int(label)
        for token, label in zip(result.tokens, likeliest, strict=True)
        if not token.special and token.start in starts
    }
    assert result.labels == texts.names
    assert [told[number] for number in range(len(said))] == [label for label, _ in said]


def test_ranges_of_words_are_counted_whole(runs):
    one = runs[LabelledTask.ROLES]
    texts, last = one.plan.texts, one.measured()[-1]
    hits = right = told = 0
    for example, said in zip(texts.held_out, last["said"], strict=True):
        ours = set(ranges(tuple(texts.names[label] for label in example.labels)))
        theirs = set(ranges(tuple(texts.names[label] for label, _ in said)))
        hits, right, told = hits + len(ours & theirs), right + len(ours), told + len(theirs)
    assert last["f1"] == pytest.approx(2 * hits / (right + told), abs=1e-5)


@pytest.mark.parametrize("task", FORMS)
def test_who_is_listed_can_learn_the_task(task):
    form = FORMS[task][0]
    assert "xlm" in LEARNS["classes"]
    assert ("xlm" in LEARNS[form]) is (form == "choices")
    small = {"bert": "bert", "albert": "albert", "gpt2": "gpt2", "xlm": "xlm", "t5": "t5"}
    for kind, stem in small.items():
        base = f"{stem}-miniature"
        if kind in LEARNS[form]:
            run = started(task, base=base, examples=4, batch=4)
            assert run.advance()
        else:
            with pytest.raises(UserMistake, match=r"can(’t be fine-tuned|'t tell which)"):
                started(task, base=base, examples=4, batch=4)


def test_xlm_learns_classes_of_texts():
    run = started(LabelledTask.SENTIMENT, base="xlm-miniature", tuned=Tuned.FEATURES)
    before = run.recipe.judged(run.model, run.tokenizer).loss
    while run.step < run.steps:
        run.advance()
    assert run.recipe.judged(run.model, run.tokenizer).loss != before


def test_lora_learns_what_is_no_class():
    for task in FORMS:
        run = started(task, tuned=Tuned.LORA, rank=2)
        run.advance()
        (model,) = run.recipe.parts(run.model).values()
        assert type(model).__name__ == FORMS[task][2]
