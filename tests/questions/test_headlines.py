"""What to look at first: one sentence of every recorded answer, and where the window shows it."""

import dataclasses
import re
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.questions import all_questions, question_of
from explorer.text import Phrase, said
from explorer.ui.blocks.page.page import Select
from explorer.ui.views.frame.key_finding import KeyFinding
from tests.questions.agreement import as_told, disagreeing, redrawn, values_in
from tests.stored_runs.recorded import RECORDED
from tests.ui.pages import kind_of

MOST_WORDS = 30


SILENT = {
    "attention",
    "attribution_benchmark",
    "bertviz",
    "bias",
    "disentangled_attention",
    "distil",
    "exact_answers of answer",
    "head_ablation",
    "joint_decoding",
    "many_draws",
    "minimal_pairs",
    "numerical_precision",
    "over_steps",
    "query_key",
    "train",
    "weights",
}
"""Recorded answers in which nothing stands out."""
ASKED = [
    pytest.param(name, key, value, id=f"{name}-{key}-{value}")
    for name in sorted(RECORDED)
    for key, value in [("", None), *redrawn(question_of(RECORDED[name].request))]
]


@pytest.mark.parametrize(("name", "key", "value"), ASKED)
def test_every_number_of_a_sentence_is_in_the_answer_and_the_log_has_the_same(name, key, value):
    """Of answers that are asked anew: tests/questions/test_kept_answers.py."""
    run = RECORDED[name]
    question = question_of(run.request)
    assert disagreeing(question, run.request, run.result, key, value, run.document) == []


def test_those_that_are_silent_are_few():
    assert {
        name
        for name, run in RECORDED.items()
        if not question_of(run.request).headline_of(run.result).sentence
    } == SILENT


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_a_sentence_says_how_strong_it_is_and_silence_has_no_strength(name):
    run = RECORDED[name]
    headline = question_of(run.request).headline_of(run.result)
    assert 0.0 <= headline.strength <= 1.0
    assert headline.sentence or not headline.strength


@pytest.mark.parametrize("name", sorted(RECORDED.keys() - SILENT))
def test_every_recorded_answer_has_a_sentence_of_its_own_values(name):
    run = RECORDED[name]
    question = question_of(run.request)
    effect = question.headline_of(run.result)
    assert isinstance(effect.sentence, Phrase)
    assert len(effect.sentence.parts) == 1, "a whole sentence, and no more"
    words = str(effect.sentence)
    assert words == said(effect.sentence)
    assert words.endswith(".")
    assert not re.search(r"[.!?] [A-Z“]", words)
    assert not re.search(r"[{}]|\bnan\b|\binf\b", words)
    assert len(words.split()) <= MOST_WORDS
    ((_code, places),) = effect.sentence.parts
    # A layer or a count alone is no effect.
    told = {str(one) for one in places.values() if not str(one).isdigit() or int(one) > 99}
    table = question.table(run.result)
    known = set().union(*map(as_told, values_in([run.result, table.rows])))
    assert told & known, (words, told)


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_what_is_pointed_at_is_a_value_of_an_option_of_the_question(name):
    run = RECORDED[name]
    question = question_of(run.request)
    options = {one.key: one for one in question.options}
    for key, value in question.headline_of(run.result).points_at.items():
        assert options[key].cast(options[key].written(value)) == value


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_the_token_that_is_turned_to_is_one_of_the_input(name):
    run = RECORDED[name]
    position = question_of(run.request).headline_of(run.result).position
    tokens = getattr(run.result, "tokens", None)
    if position is not None:
        # Pooled answers keep positions and no tokens.
        assert position >= 0
        assert tokens is None or position < len(tokens)


def test_an_effect_that_fails_costs_no_answer(expect_log):
    def fails(_result: Any) -> Any:
        raise ValueError("no number")

    one = dataclasses.replace(all_questions()["masked_tokens"], headline=fails)
    expect_log("headline of masked_tokens")
    assert not one.headline_of(None).sentence


@pytest.fixture
def shown(engine, start, qtbot):
    """A window that shows the recorded answer about masked tokens."""
    recorded = RECORDED["masked_tokens"]
    engine.answers[type(recorded.request)] = lambda _request, _card: recorded.result
    running = start()
    running.bench.state.edit("text", recorded.document)
    running.window.view_area.bring_forward("masked_tokens")
    view = running.window.view_of("masked_tokens")
    qtbot.waitUntil(lambda: view.result is not None and running.bench.asking.is_idle)
    return view, str(view.of.headline_of(recorded.result).sentence)


def test_a_page_says_it_first_and_enter_turns_to_its_token(shown, qtbot):
    view, sentence = shown
    assert view.page.page.nodes[0].name == sentence
    first = view.page.reached[0]
    assert first.said == sentence
    assert isinstance(first.act, Select)
    view.page.setFocus()
    with qtbot.waitSignal(view.select_requested) as told:
        QTest.keyClick(view.page, Qt.Key.Key_Down)
        if view.page.current != first:
            QTest.keyClick(view.page, Qt.Key.Key_Home)
        QTest.keyClick(view.page, Qt.Key.Key_Return)
    assert told.args == [first.act.position]


def test_a_click_on_it_turns_to_its_token(shown, qtbot):
    view, _sentence = shown
    first = view.page.reached[0]
    with qtbot.waitSignal(view.select_requested) as told:
        QTest.mouseClick(view.page, Qt.MouseButton.LeftButton, pos=first.box.center().toPoint())
    assert told.args == [first.act.position]


def test_a_choice_of_a_sentence_about_a_cell_goes_there_in_one_edit(qtbot):
    recorded = RECORDED["patching"]
    view = kind_of("patching")()
    qtbot.addWidget(view)
    view.resize(1000, 700)
    view.set_document(recorded.document)
    view.show_result(recorded.result, recorded.document)
    told = view.of.headline_of(recorded.result)
    ((key, value),) = told.points_at.items()
    first = view.page.reached[0]
    assert first.said == told.sentence
    with qtbot.waitSignal(view.edit_requested) as asked:
        QTest.mouseClick(view.page, Qt.MouseButton.LeftButton, pos=first.box.center().toPoint())
    (edit,) = asked.args
    now = edit.change(recorded.document, lambda *_: None)
    assert now.option(key, None) == list(value)
    assert now.with_option(key, None) == recorded.document.with_option(key, None)


def test_pictures_and_captions_are_without_it(shown):
    view, sentence = shown
    alone = view.declared.alone(view.shown())
    assert sentence not in [getattr(block, "text", "") for block in alone]
    assert sentence not in view.caption()


def test_it_is_found_once_for_each_answer(shown, monkeypatch):
    view, sentence = shown
    found = []

    def counted(result):
        found.append(result)
        return view.of.headline_of(result)

    monkeypatch.setattr(
        view, "look_first", KeyFinding(dataclasses.replace(view.of, headline=counted))
    )
    view.refresh()
    view.refresh()
    assert found == [view.result]
    assert view.page.page.nodes[0].name == sentence
    other = dataclasses.replace(view.result)
    view.show_result(other, view.document)
    assert len(found) == 2


def test_what_grows_has_none_until_it_is_whole(shown):
    view, sentence = shown
    result, document = view.result, view.document
    view.show_part(result, document)
    assert sentence not in [node.name for node in view.page.page.nodes]
    view.show_result(result, document)
    assert sentence in [node.name for node in view.page.page.nodes]
