"""Rows that have the same in a column of the file, told of together."""

import dataclasses

import pytest

from explorer.document import Document
from explorer.files_of_sentences.results import ResultsWriter, SentenceOutcome
from explorer.files_of_sentences.sentences import FileSentence
from explorer.questions.many.file_of_sentences.groups import group_lines
from explorer.questions.many.file_of_sentences.options import GROUP
from explorer.questions.many.file_of_sentences.ordering import Order, found_in
from explorer.questions.many.file_of_sentences.question import results_of
from tests.questions.many.file_of_sentences.shown_rows import ASKED, answer, panel
from tests.ui.pages import words_on

ROWS = (("job", 1.0), ("age", 4.0), ("job", 3.0), ("age", None))


@pytest.fixture
def grouped(tmp_path):
    """An answer whose rows keep a column of the file."""
    place = ASKED.place(tmp_path)
    with ResultsWriter(place, ASKED) as writer:
        writer.keep(("bias_type",))
        writer.append(
            [
                SentenceOutcome(
                    FileSentence(line, f"sentence {line}", kept=(kind,)),
                    {} if score is None else {"score": score},
                    "It is empty." if score is None else None,
                )
                for line, (kind, score) in enumerate(ROWS, start=1)
            ]
        )
    return answer(place, count=4, file_columns=("text", "bias_type"), column="text")


def shown(view, qtbot, result, by=""):
    """What is read where rows are grouped by a column."""
    view.set_document(Document("old words").with_option(GROUP.key, by))
    with qtbot.waitSignal(view.page.looked_at):
        view.show_result(result, Document("old words"))
    qtbot.waitUntil(lambda: panel(view).ordering.is_idle)
    return words_on(view)


def test_a_line_for_each_that_a_column_holds(view, qtbot, grouped):
    assert "By bias" not in shown(view, qtbot, grouped)
    field = view.bar.fields[GROUP.key]
    assert [field.itemText(n) for n in range(field.count())] == ["none", "text", "bias_type"]
    with qtbot.waitSignal(view.option_changed) as changed:
        field.activated.emit(2)
    assert changed.args == [GROUP.key, "bias_type"]
    told = shown(view, qtbot, dataclasses.replace(grouped), "bias_type")
    assert "By bias_type" in told


def test_rows_failures_and_means_of_each(grouped):
    found = found_in(results_of(grouped), Order(by="bias_type"), ())
    lines = group_lines(found, grouped.operation, ())
    assert [one.title for one in lines.columns] == ["bias_type", "rows", "failed", "score"]
    assert [[one.cell(row) for one in lines.columns] for row in lines.read(0, lines.count)] == [
        ["job", "2", "0", "2.000"],
        ["age", "2", "1", "4.000"],
    ]


def test_a_column_that_this_file_has_not_groups_nothing(view, qtbot, grouped):
    told = shown(view, qtbot, grouped, "genre")
    assert "By genre" not in told
