"""Curves are looked up, read and laid side by side."""

import json
from types import SimpleNamespace

import pytest

from explorer.api.question import Context, ModelStamp, UserMistake
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.library.shelf import CatalogueShelf
from explorer.learning.curves.names import MeasuredQuantity
from explorer.questions.learning.training_curves.compute import USUAL
from explorer.questions.learning.training_curves.question import (
    QUESTION,
    TrainingCurvesRequest,
    table,
)
from explorer.serialise import from_json, to_json
from tests.hf import tiny
from tests.hf.kept import MODELS

ROWS = [{"step": step, "loss": 4.0 / step, "tokens": 100 * step} for step in (1, 2, 3, 4)]


def asked(*sources, **context):
    return tiny.ask_within(None, TrainingCurvesRequest(sources), Context(**context))


@pytest.fixture
def lines(tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    return str(path)


def test_a_few_bundled_ones_are_shown_where_none_is_named():
    result = asked()
    assert tuple(one.source for one in result.records) == USUAL
    assert result.is_usual
    assert len(result.offered) == 34


def test_the_numbers_are_those_of_the_file():
    result = asked("bert-miniature")
    written = json.loads((MODELS / "bert-miniature/curve.json").read_text("utf-8"))
    rows = table(result)
    for name in ("loss_mlm", "nsp_accuracy"):
        where, values = zip(
            *[
                (row[rows.columns.index("step")], row[rows.columns.index("value")])
                for row in rows.rows
                if row[rows.columns.index("measured")] == name
            ],
            strict=True,
        )
        told = [one for one in written["rows"] if name in one]
        assert list(where) == [one["step"] for one in told]
        assert list(values) == [one[name] for one in told]


def test_tokens_stand_beside_the_steps_where_they_are_known(lines):
    rows = table(asked(lines, "gpt1-miniature"))
    tokens = rows.columns.index("tokens")
    assert [row[tokens] for row in rows.rows[:4]] == [100, 200, 300, 400]
    assert {row[tokens] for row in rows.rows[4:]} == {None}
    assert {row[rows.columns.index("multiply_adds")] for row in rows.rows} == {None}


def test_what_can_not_be_had_is_told_beside_the_others(tmp_path, lines):
    broken = tmp_path / "trainer_state.json"
    broken.write_text("{", "utf-8")
    result = asked(lines, str(broken), "nobody-miniature", lines)
    assert [one.source for one in result.records] == [lines]
    first, second = result.missing
    assert "trainer_state.json can't be read as a curve" in first.why
    assert "nobody-miniature" in second.why
    with pytest.raises(UserMistake, match="None of these curves"):
        asked(str(broken))


def test_the_loaded_models_curve_is_its_own():
    host = tiny.families()
    model = SimpleNamespace(stamp=ModelStamp("gpt2-miniature", "gpt2", "1", "cpu", ""))
    context = Context(shelf=CatalogueShelf(host, Catalogue(host, MODELS)))
    result = tiny.ask(model, TrainingCurvesRequest(), context)
    assert [one.source for one in result.records] == ["gpt2-miniature"]
    assert [one.title for one in result.records] == ["GPT-2 miniature"]
    assert result.model == model.stamp
    assert not result.is_usual


def test_an_answer_is_kept_whole(lines):
    result = asked(lines)
    again = from_json(QUESTION.result, to_json(result))
    assert table(again) == table(result)
    assert again.records[0].columns[0].column.quantity is MeasuredQuantity.LOSS
