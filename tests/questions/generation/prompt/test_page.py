"""A prompt on screen: answers by each rule, orders, and curves beside the best learner."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.api.question import Rows
from explorer.document import Document
from explorer.questions.generation.prompt.answers.rules import Rule, chosen
from explorer.questions.generation.prompt.parts import ExampleCountRow, numbers
from explorer.questions.generation.prompt.question import RULES, PromptRequest
from explorer.text import Phrase
from explorer.ui.blocks.page.shown import Origin, Pinned
from explorer.ui.charts.block import ChartBlock
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.ui.pages import kind_of, words_on

ASKED = Document("chef")


@pytest.fixture(scope="module")
def result():
    request = PromptRequest("chef", examples=4, orders=3, asked=4)
    return tiny.ask(miniature("gpt2-miniature"), request)


@pytest.fixture
def view(shown, result):
    made = shown(kind_of("prompt"))
    made.show_result(result, ASKED)
    return made


def charts(view, **changes):
    shown = replace(view.shown(), **changes)
    (block,) = (one for one in view.declared.blocks(shown) if isinstance(one, ChartBlock))
    return block.charts


def rows_on(view):
    """What a screen reader says of each row."""
    return [str(one) for one in view.page.page.spots]


@pytest.mark.parametrize("rule", RULES)
def test_each_rule_puts_its_answer_first_and_draws_its_accuracy(view, result, rule):
    now = ASKED.with_option("prompt.rule", rule.value)
    view.show_result(result, now)
    view.set_document(now)
    options = [one.option for one in result.scores]
    answers = [
        spot.key[1]
        for spot in view.page.page.spots
        if isinstance(spot.key, tuple) and spot.key[0] == "prompt.AnswerRow"
    ]
    assert set(answers) == set(options)
    assert answers[0] == options[chosen(result.scores, rule)]
    accuracy, loss = charts(view, now=now)
    lines = {line.name: line for line in accuracy.lines}
    assert set(lines) == {"the model", "best learner", "chance"}
    values = result.curve.right[RULES.index(rule)]
    assert lines["the model"].y == pytest.approx(values.mean(axis=1))
    assert lines["the model"].band[1] == pytest.approx(values.max(axis=1))
    learned = {line.name: line for line in loss.lines}["best learner"]
    assert learned.y == pytest.approx(result.curve.best_loss.mean(axis=1))


def test_prompt_orders_and_numbers_are_told(view, result):
    words = words_on(view)
    assert "4 rows of 40 are asked" in words
    rows = rows_on(view)
    assert sum("order" in row and "as shown" not in row for row in rows) >= 2
    for count in result.curve.counts:
        assert any(f"'{count}'" in row or f" {count}" in row for row in rows)
    assert "best learner" in words.casefold()


def test_what_does_not_fit_and_what_was_not_asked_is_said(view, result):
    view.show_result(replace(result, left_out=2), ASKED)
    assert "With 2 examples more" in words_on(view)
    assert "the curve ends" not in words_on(view)
    view.show_result(replace(result, too_long=16), ASKED)
    assert "With 16 examples, questions of the table are longer than" in words_on(view)
    view.show_result(replace(result, curve=None, too_long=0), ASKED)
    assert "there is no curve" in words_on(view)
    alone = replace(
        result, curve=None, best=(), by_order=result.by_order[:1], examples=(), right=None
    )
    view.show_result(alone, ASKED)
    words = words_on(view)
    assert "By the number of examples" not in words
    assert "best learner" not in words
    assert "other orders" not in words


@pytest.fixture(scope="module")
def other():
    request = PromptRequest("chef", examples=4, orders=3, asked=4)
    return tiny.ask(miniature("bert-miniature"), request)


def test_two_models_answer_side_by_side_and_pinned_ones_stand_in_the_same_chart(
    view, result, other
):
    both = replace(result, second=other)
    models = {"model": result.model, "second": other.model}
    view.show_result(both, ASKED, Origin("2026-01-01", models=models))
    words = words_on(view)
    assert all(one.model.name in words for one in both.every)
    assert "both sides" in words  # how the second one reads the prompt
    assert words.count("no piece for “>”") == 1  # BERT's vocabulary has none
    names = [result.model.name, other.model.name]
    for chart, of in zip(charts(view), ("right", "loss"), strict=True):
        lines = {line.name: line for line in chart.lines}
        assert set(lines) - {"best learner", "chance"} == set(names)
        assert lines["best learner"].band is None  # two bands are enough
        for name, one in zip(names, both.every, strict=True):
            values = one.curve.right[0] if of == "right" else one.curve.loss
            assert lines[name].y == pytest.approx(values.mean(axis=1))
    four = charts(view, pinned=Pinned(both, ASKED, Origin("run")))[0].lines
    told = [line for line in four if line.name not in {"best learner", "chance"}]
    assert len({line.name for line in told}) == 4
    assert len({(line.colour, line.dash) for line in told}) == 4
    assert f"Second model: {other.model.id}" in view.caption()
    view.show_result(replace(result, refused=Phrase("Nobody answers.")), ASKED)
    assert "Second model" not in view.caption()
    assert "Nobody answers." in words_on(view)
    one_has_none = replace(result, curve=None, second=other)
    lines = {line.name: line for line in charts(view, result=one_has_none)[0].lines}
    assert names[1] in lines
    assert names[0] not in lines


def test_answers_taken_from_examples_are_drawn_where_examples_have_any_in_common(view, result):
    assert "Answers taken from the examples" not in words_on(view)
    assert "no majority label here" in words_on(view)
    curve = replace(result.curve, due=result.curve.due + 0.5)
    view.show_result(replace(result, curve=curve), ASKED)
    assert "Answers taken from the examples" in words_on(view)
    blocks = view.declared.blocks(view.shown())
    majority, last = [one for one in blocks if isinstance(one, ChartBlock)][1].charts
    for chart, number, given in ((majority, 0, curve.commonest), (last, 1, curve.last)):
        lines = {line.name: line for line in chart.lines}
        assert lines["the model"].x.tolist() == [1, 2, 3]  # none is before the first example
        assert lines["the model"].y == pytest.approx(given[0, 1:].mean(axis=1))
        assert lines["is right"].y == pytest.approx(curve.due[number, 1:].mean(axis=1))


def test_orders_say_which_example_stands_where(view, result):
    (spot,) = [one for one in view.page.page.spots if one.key == ("prompt.OrderRow", "order 2")]
    questions = [result.examples[at][0] for at in result.permutations[1]]
    assert ", ".join(questions) in spot.words


def titles(curve):
    """Of the columns that are drawn of a curve in numbers."""
    table = Rows(ExampleCountRow, numbers(curve, Rule.SUM), drops_empty=True).seen()
    return [one.title for one in table.described() if one.shown]


def test_repeated_answers_are_told_where_examples_have_any(result):
    assert "commonest, %" not in titles(result.curve)
    assert "best learner, %" in titles(result.curve)
    curve = replace(result.curve, due=result.curve.due + 0.5)
    assert "commonest, %" in titles(curve)
    rows = numbers(curve, Rule.SUM)
    assert rows[0].last == ""
    assert rows[1].last == "0 (50)"


def test_without_the_best_learner_there_is_the_model_alone(view, result):
    plain = replace(result.curve, best_loss=None, best_right=None)
    accuracy, loss = charts(view, result=replace(result, curve=plain))
    assert [line.name for line in accuracy.lines] == ["the model", "chance"]
    assert [line.name for line in loss.lines] == ["the model"]
    assert np.isfinite(loss.lines[0].y).all()
    assert Rule.SUM is RULES[0]


def test_another_models_pinned_answer_stands_beside(view, result, other):
    pinned = Pinned(other, ASKED, Origin("run"))
    accuracy, loss = charts(view, pinned=pinned)
    for chart, values in ((accuracy, other.curve.right[0]), (loss, other.curve.loss)):
        lines = {line.name: line for line in chart.lines}
        assert lines[f"{other.model.name} (pinned)"].y == pytest.approx(values.mean(axis=1))
        assert "the model" in lines
    # Of other numbers of examples: each of them stands at its place.
    longer = replace(other, curve=replace(other.curve, counts=(0, 3, 4, 5)))
    for chart in charts(view, pinned=replace(pinned, result=longer)):
        assert chart.x.words == ("0", "1", "2", "3", "4", "5")
        lines = {line.name: line.x.tolist() for line in chart.lines}
        assert lines[f"{other.model.name} (pinned)"] == [0, 3, 4, 5]
        assert lines["the model"] == [0, 1, 2, 4]
    told = view.declared.rows(replace(view.shown(), pinned=pinned))
    then = dict(zip(told.column("option"), told.column("pinned_score_sum"), strict=True))
    for one in other.scores:
        assert then[one.option] == pytest.approx(one.by(Rule.SUM))
