"""What is said of an answer speaks of the setting that its page shows."""

import re
from typing import Any

import pytest

from explorer.api.question import Number, Whole
from explorer.questions import all_questions, question_of
from explorer.text import Phrase
from explorer.text.formatting.numbers import significant
from tests.questions.agreement import others
from tests.stored_runs.recorded import RECORDED
from tests.ui.pages import kind_of

DRAWN_ALONE = {
    "attention.threshold": "lines between tokens are drawn from it on",
    "replaced_tokens.weight": "the total of the losses, which no sentence has",
}
"""Numbers that change how an answer is drawn and nothing that a sentence says of it."""

ASSUMED = re.compile(r"\bT = \d|one half|[Tt]hreshold of \d")
"""What a sentence assumes of a setting where it should be told it."""


FOLLOWED = [
    pytest.param(name, key, option, id=f"{name}-{key}")
    for name in sorted(RECORDED)
    for key, option in question_of(RECORDED[name].request).follows.items()
]


def sentences(name: str, **settings: Any) -> list[str]:
    """What is said first of a recorded answer: above it, and in the log."""
    run = RECORDED[name]
    question = question_of(run.request)
    return [question.headline_of(run.result, **settings).sentence]


@pytest.mark.parametrize("name", sorted(all_questions()))
def test_a_number_that_redraws_is_followed_or_changes_nothing_that_is_said(name):
    question = all_questions()[name]
    numbers = {one.key for one in question.options if isinstance(one, Number) and one.redraws}
    assert numbers <= {one.key for one in question.follows.values()} | {*DRAWN_ALONE}


@pytest.mark.parametrize(("name", "key", "option"), FOLLOWED)
def test_what_asks_anew_changes_nothing_of_an_answer_that_is_there(name, key, option):
    """Parts may show which is set, as chips do; an answer is of what it was asked with."""
    if option.redraws:
        return
    run = RECORDED[name]
    question = question_of(run.request)
    plain, rows = sentences(name), question.table(run.result).rows
    for value in others(option):
        assert sentences(name, **{key: value}) == plain
        settings = question.table_settings_of(
            run.document.with_option(option.key, option.written(value))
        )
        given = {key: settings[key]} if key in settings else {}
        assert question.table(run.result, **given).rows == rows


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_no_sentence_assumes_a_setting(name):
    for one in sentences(name):
        if isinstance(one, Phrase):
            assert not [code for code, _values in one.parts if ASSUMED.search(code)]


@pytest.mark.parametrize(("name", "key", "option"), FOLLOWED)
def test_a_sentence_names_the_setting_that_it_speaks_of(name, key, option):
    plain = sentences(name)
    assert plain == sentences(name, **{key: option.default})
    for value in others(option):
        for before, now in zip(plain, sentences(name, **{key: value}), strict=True):
            if before != now and isinstance(option, Number | Whole):
                assert significant(value, 3) in now


@pytest.mark.parametrize(("name", "key", "option"), FOLLOWED)
def test_the_line_above_an_answer_follows_the_bar_of_options(name, key, option, qtbot):
    run = RECORDED[name]
    view = kind_of(question_of(run.request).name)()
    qtbot.addWidget(view)
    view.set_document(run.document)
    view.show_result(run.result, run.document)
    for value in [*others(option), option.default]:
        view.set_document(run.document.with_option(option.key, option.written(value)))
        settings = {**view.of.settings_of(view.now)}
        assert settings[key] == value
        sentence = str(view.of.headline_of(run.result, **settings).sentence)
        first = view.page.page.nodes[0].name
        assert (first == sentence != "") == bool(sentence)
