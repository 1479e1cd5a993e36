"""Where layers are counted from is said wherever a layer has a number."""

import re

import pytest

from explorer.questions import all_operations, operation_of
from explorer.sessions.export.provenance import Provenance
from tests.stored_runs.recorded import RECORDED
from tests.ui.pages import kind_of
from tests.ui.painted_texts import painted_texts
from tests.ui.test_matrix import quiet

NUMBERED = re.compile(r"\b[Ll]ayers? \d")
BARE_TITLE = re.compile(r"(\w+'s )?[Ll]ayer( of .*)?")
COUNTS = {"layers"}
"""Columns of how many layers there are."""


def counted(name: str) -> int | None:
    return operation_of(RECORDED[name].request).layers_from


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_a_question_whose_rows_name_layers_says_where_they_begin(name):
    run = RECORDED[name]
    table = operation_of(run.request).table(run.result)
    named = [one for one in table.columns if "layer" in one and one not in COUNTS]
    start = counted(name)
    assert start is not None or not named
    for column in named:
        cells = [cell for cell in table.column(column) if isinstance(cell, int)]
        # 0 is the embeddings where the first layer is 1.
        assert all(cell >= 0 for cell in cells)


@pytest.mark.parametrize("name", sorted(all_operations()))
def test_a_question_with_an_option_of_a_layer_says_where_they_begin(name):
    operation = all_operations()[name]
    chosen = [one for one in operation.options if getattr(one, "counts", "") == "layers"]
    if chosen or "layer" in operation.request.__dataclass_fields__:
        assert operation.layers_from is not None
    for one in chosen:
        assert f"(from {operation.layers_from})" in one.label
    for key, title in operation.column_titles.items():
        if re.fullmatch(r"(from_)?layer", key):
            assert f"(from {operation.layers_from})" in title


@quiet
@pytest.mark.parametrize("name", sorted(RECORDED))
def test_its_page_and_its_files_say_it(name, qtbot):
    run = RECORDED[name]
    operation = operation_of(run.request)
    view = kind_of(operation.name)()
    qtbot.addWidget(view)
    view.set_document(run.document)
    view.show_result(run.result, run.document)
    drawn = [text for _box, text in painted_texts(view, 900.0)]
    bare = [one for one in drawn if BARE_TITLE.fullmatch(one.rstrip(" ↓→")) and "(from" not in one]
    assert not bare, "a title that does not say where its layers begin"
    start = operation.layers_from
    if start is None:
        assert not [one for one in drawn if NUMBERED.search(one)]
        return
    said = f"Layers are counted from {start}."
    assert said in view.question
    assert said in view.caption()
    answered = Provenance(operation.name, run.document, run.request, run.result)
    assert said in answered.said()
    assert not [one for one in drawn if f"(from {1 - start})" in one and "head" not in one]


@pytest.mark.parametrize("name", sorted(all_operations()))
def test_the_help_of_the_command_line_says_it(name):
    operation = all_operations()[name]
    words = operation.question_said
    assert words.startswith(operation.question)
    assert (operation.layers_from is not None) == ("Layers are counted from" in words)
