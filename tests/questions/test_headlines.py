"""What to look at first: one sentence of every recorded answer, and where the window shows it."""

import dataclasses
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.questions import all_operations, operation_of
from explorer.text import Phrase, said
from explorer.text.formatting.numbers import decimal, percent, signed, significant, whole
from explorer.text.formatting.probabilities import in_percent
from explorer.ui.blocks.page import Select
from explorer.ui.views.frame.look_first import LookFirst
from tests.stored_runs.recorded import RECORDED

MOST_WORDS = 30


def values_in(value: Any) -> Iterator[str | float]:
    """Every text and every number of a result."""
    if isinstance(value, str | int | float):
        yield value
    elif isinstance(value, np.ndarray):
        yield from (one for one in value.ravel().tolist() if one == one)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from values_in(getattr(value, field.name))
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from values_in(key)
            yield from values_in(one)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from values_in(one)


def as_told(value: str | float) -> set[str]:
    """The ways in which a sentence has a value of a result."""
    if isinstance(value, str):
        return {value, f"…{value}", value.removeprefix("##"), value.lstrip("Ġ▁")}
    number = float(value)
    told = {
        significant(number, 3),
        signed(number, 2),
        decimal(number, 2),
        in_percent(abs(number)),
        percent(number, 1),
    }
    return told | ({whole(round(number))} if number.is_integer() else set())


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_every_recorded_answer_has_a_sentence_of_its_own_values(name):
    run = RECORDED[name]
    operation = operation_of(run.request)
    effect = operation.headline_of(run.result)
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
    table = operation.table(run.result)
    known = set().union(*map(as_told, values_in([run.result, table.rows])))
    assert told & known, (words, told)


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_the_token_that_is_turned_to_is_one_of_the_input(name):
    run = RECORDED[name]
    position = operation_of(run.request).headline_of(run.result).position
    tokens = getattr(run.result, "tokens", None)
    if position is not None:
        # Pooled answers keep positions and no tokens.
        assert position >= 0
        assert tokens is None or position < len(tokens)


def test_an_effect_that_fails_costs_no_answer(expect_log):
    def fails(_result: Any) -> Any:
        raise ValueError("no number")

    one = dataclasses.replace(all_operations()["masked_tokens"], headline=fails)
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
        view, "_look_first", LookFirst(dataclasses.replace(view.of, headline=counted))
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
