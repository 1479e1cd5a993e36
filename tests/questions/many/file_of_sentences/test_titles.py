"""What columns are called on screen, in any language; files have their names."""

import pytest
from PySide6.QtCore import Qt

from explorer.api.question.rows.column_titles import titled
from explorer.files_of_sentences.rows import ColumnSpread
from explorer.paths import own_resources
from explorer.questions import all_questions
from explorer.questions.many.file_of_sentences.question import QUESTION
from explorer.questions.many.file_of_sentences.titles import (
    OF_EVERY_FILE,
    column_said,
    column_title,
)
from explorer.text import language, said
from tests.questions.many.file_of_sentences.shown_rows import answer, panel, show
from tests.stored_runs.recorded import RECORDED
from tests.ui.pages import words_on

WORDLESS = ("p({which})", "F1", "{name}", "KernelSHAP", "DecompX", "CrowS-Pairs", "AUL", "AULA")
WORDLESS += ("StereoSet ss", "StereoSet lms", "StereoSet icat")
"""Titles that are the same in every language."""


@pytest.fixture
def korean():
    language.use(language.find("ko", own_resources() / "locale"))


def asked():
    """The questions with a summary, and the columns of a recorded answer."""
    for run in RECORDED.values():
        question = all_questions()[run.summary.operation]
        if question.summary is not None:
            yield question, tuple(question.summary(run.result))


@pytest.mark.parametrize(
    ("question", "names"), [pytest.param(*one, id=one[0].name) for one in asked()]
)
def test_every_column_of_an_answer_has_a_title_in_korean(question, names, korean):
    assert names
    for name in names:
        (code, values), *_rest = column_title(name, question.name).parts
        assert code != "{name}", f"{name} has no title"
        if code not in WORDLESS:
            assert column_said(name, question.name) != code.format_map(values), name


def test_a_name_with_a_star_stands_for_all_that_differ_there():
    titles = {"mask *": "mask {which}", "p(*)": "chance of {which}", "* head": "its head"}
    assert titled("mask 12", titles) == "mask 12"
    assert titled("p(fried rice)", titles) == "chance of fried rice"
    assert titled("next head", titles) == "its head"
    assert titled("mask ", titles) == "mask "
    assert titled("p(", titles) == "p("
    assert titled("anything", {}) == "anything"


def test_every_file_has_columns_of_its_own(korean):
    assert [said(one) for one in OF_EVERY_FILE.values()] == [
        "줄",
        "텍스트",
        "둘째 텍스트",
        "실패",
        "미등록 토큰",
        "평균에서 제외",
    ]


def test_what_is_read_is_in_korean_and_what_is_exported_has_the_names(korean, view, qtbot, results):
    spread = ColumnSpread("tokens", 270, 3.0, 0.0, 6.0)
    shown = answer(results[0], spreads=(spread,))
    show(view, qtbot, shown)
    model = panel(view).model
    across, role = Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole
    heads = [model.headerData(n, across, role) for n in range(model.columnCount())]
    assert heads == ["줄", "텍스트", "토큰", "score", "실패"]
    assert "토큰" in model.headerData(2, across, Qt.ItemDataRole.ToolTipRole)
    said_on_page = words_on(view)
    assert "토큰: 평균" in said_on_page
    assert "tokens" not in said_on_page
    assert "“토큰”" in QUESTION.headline(shown).sentence.said
    assert view.table().columns == ("line", "text", "pair", "tokens", "score", "failure")
