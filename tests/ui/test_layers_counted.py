"""Layers are counted from 0 wherever one has a number; before them lie the embeddings, "emb."."""

import json
import re
import sqlite3
from contextlib import closing

import pytest

from explorer.questions import all_questions, question_of
from explorer.questions.former_names import name_today
from explorer.sessions.export.provenance import Provenance
from explorer.sessions.read.reader import SessionReader
from explorer.text.phrase import Phrase, said
from tests.stored_runs.recorded import FOLDER, RECORDED
from tests.ui.pages import kind_of
from tests.ui.painted_texts import painted_texts
from tests.ui.test_matrix import quiet

NUMBERED = re.compile(r"\b[Ll]ayer (\d+)")
FROM = re.compile(r"\((counted )?from [01]\)|counted from 1")
NAMED = {"layer", "row", "vector", "first_layer", "second_layer", "student_layer", "teacher_layer"}
"""Columns whose cells name a row of states."""
LISTS = {"logit_lens": "layers", "tuned_lens": "layers", "probe": "layers", "patching": "rows"} | {
    "layer_similarity": "layers",
    "word_journey": "vectors",
}
"""Where the results of questions that counted from 1 once have the names of their rows."""


def numbers_in(table):
    """The layers that the rows of a table name; those of heads by "layer.head"."""
    cells = {cell for name in NAMED & {*table.columns} for cell in table.column(name)}
    names = {str(cell).partition(".")[0] for cell in cells if cell is not None}
    return {int(name) for name in names if name.isdecimal()}


@quiet
@pytest.mark.parametrize("name", sorted(RECORDED))
def test_page_table_and_caption_count_alike(name, qtbot):
    run = RECORDED[name]
    question = question_of(run.request)
    table = question.table(run.result)
    for column in NAMED & {*table.columns}:
        cells = table.column(column)
        assert "embeddings" not in cells
        assert all(cell >= 0 for cell in cells if isinstance(cell, int))
    view = kind_of(question.name)()
    qtbot.addWidget(view)
    view.set_document(run.document)
    view.show_result(run.result, run.document)
    drawn = [text for _box, text in painted_texts(view, 900.0)]
    answered = Provenance(question.name, run.document, run.request, run.result)
    told = [*drawn, view.caption(), view.asks, answered.said()]
    told.append(said(question.headline_of(run.result).sentence))
    assert not [one for one in told if FROM.search(one)]
    in_words = {int(number) for one in told for number in NUMBERED.findall(one)}
    in_table = numbers_in(table)
    assert not in_table or in_words <= in_table
    if in_table:
        assert min(in_table) == 0 or name.startswith(("attention", "bertviz"))


@pytest.mark.parametrize("name", sorted(all_questions()))
def test_no_option_and_no_column_says_another_beginning(name):
    question = all_questions()[name]
    labels = [one.label for one in question.options]
    assert not [one for one in (*labels, *question.titles.values()) if FROM.search(one)]


def lists_in(held, key):
    if isinstance(held, dict):
        for name, one in held.items():
            if name == key and one and all(isinstance(row, str) for row in one):
                yield one
            else:
                yield from lists_in(one, key)
    elif isinstance(held, list):
        for one in held:
            yield from lists_in(one, key)


def lifted(name):
    """By hand: one less, and the embeddings' name of today."""
    if name == "embeddings":
        return "emb."
    return str(int(name) - 1) if name.isdecimal() else name


STORED = [path for path in sorted(FOLDER.glob("*.db")) if path.name != "lone-spaces.db"]


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_what_older_programs_counted_from_1_is_lifted(path):
    reader = SessionReader(path)
    with closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as database:
        query = "SELECT id, operation, result, headline FROM runs JOIN run_details ON run_id = id"
        kept = database.execute(query).fetchall()
    headlines = {run.id: run.headline for run in reader.runs()}
    for run_id, stored, result, headline in kept:
        name = name_today(stored)
        if name not in LISTS or result is None:
            continue
        run = reader.run(run_id)
        assert run.unreadable == ""
        then = list(lists_in(json.loads(result), LISTS[name]))
        if not any("embeddings" in one for one in then):
            continue
        now = list(lists_in(json.loads(json.dumps(rows_of(name, run.result))), LISTS[name]))
        assert [list(map(lifted, one)) for one in then] == now
        assert run.summary.headline == headlines[run_id]
        for before, after in zip(
            re.findall(r"(?:layer|” at) (\w+)", headline),
            re.findall(r"(?:layer|” at) ([\w.]+?)(?=[ :])", str(run.summary.headline)),
            strict=True,
        ):
            assert after in (lifted(before), "embeddings")
        again = run.summary_row
        question = all_questions()[name]
        assert question.summary is None or again == {
            key: str(one) if isinstance(one, Phrase) else one
            for key, one in question.summary(run.result).items()
        }


def rows_of(name, result):
    """The names of the rows of an answer, under the name that they are stored by."""
    if name in ("logit_lens", "tuned_lens"):
        return {"layers": result.grid.layers}
    if name == "layer_similarity":
        both = [one for one in (result.first, result.second) if one is not None]
        return [{"layers": one.layers} for one in both]
    if name == "patching":
        return [{"rows": grid.rows} for grid in result.grids]
    return {LISTS[name]: getattr(result, LISTS[name])}
