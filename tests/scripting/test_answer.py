"""Frames, pictures, and what a notebook shows."""

import base64
import re
import sys
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest

import explorer
from explorer.api.question import Table
from explorer.scripting.notebook import frames, in_notebook, pictures

CHEF = "the chef cooked the [MASK] ."


@pytest.fixture
def answer(door):
    return door.ask("masked_tokens", CHEF, model="bert-miniature", top_k=3, logged=False)


class Frame:
    """What the tests know of either library."""

    def __init__(self, rows, columns=None, schema=None, **_how):
        self.rows, self.columns, self.attrs = rows, columns or schema, {}


def library(monkeypatch, name):
    module = ModuleType(name)
    module.DataFrame = Frame
    monkeypatch.setitem(sys.modules, name, module)


def without(monkeypatch, *names):
    """As if they were not installed."""
    for name in names:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(frames, "find_spec", lambda _name: None)
    monkeypatch.setattr(frames, "_imported", lambda _name: False)


@pytest.mark.parametrize("name", frames.LIBRARIES)
def test_a_frame_has_the_rows(answer, monkeypatch, name):
    library(monkeypatch, name)
    found = answer.frame(name)
    assert tuple(found.columns) == answer.table.columns
    assert found.rows == [list(row) for row in answer.table.rows]


def test_the_library_that_is_imported_is_taken(monkeypatch):
    without(monkeypatch)
    monkeypatch.setattr(frames, "_imported", lambda name: name == "polars")
    library(monkeypatch, "polars")
    assert frames.frame_of(["a"], [[1]]).rows == [[1]]


def test_without_either_it_says_what_to_install(answer, monkeypatch):
    without(monkeypatch, "pandas", "polars")
    with pytest.raises(explorer.Mistake, match="neither is installed") as caught:
        answer.frame()
    assert "pip install pandas" in caught.value.__notes__[0]
    with pytest.raises(explorer.Mistake, match="made by polars, which is not installed"):
        answer.frame("polars")
    with pytest.raises(explorer.Mistake, match="makes no frames"):
        answer.frame("numpy")


@pytest.mark.gui
def test_a_notebook_shows_both_schemes_and_the_rows(answer):
    shown = answer._repr_mimebundle_()
    page = shown["text/html"]
    assert shown["text/plain"] == repr(answer)
    made = [
        base64.b64decode(one) for one in re.findall(r"data:image/svg\+xml;base64,([^\"]+)", page)
    ]
    assert len(made) == 2
    assert made[0] != made[1]
    for one in made:
        assert ET.fromstring(one).tag.endswith("svg")
    assert '<source media="(prefers-color-scheme: dark)"' in page
    assert f'alt="Masked tokens. {answer.headline}"' in page
    assert page.count("<tr>") == 1 + len(answer.table.rows)
    assert "<script" not in page
    assert "http://" not in page.replace("http://www.w3.org", "")


@pytest.mark.gui
def test_a_large_picture_is_one_of_dots(answer, monkeypatch):
    monkeypatch.setattr(in_notebook, "LARGEST_SVG", 10)
    assert 'src="data:image/png;base64,' in answer._repr_html_()


def test_the_rows_are_saved_as_tables(answer, tmp_path):
    answer.to_csv(tmp_path / "rows.csv")
    answer.save(tmp_path / "saved.csv")
    assert (tmp_path / "saved.csv").read_bytes() == (tmp_path / "rows.csv").read_bytes()
    with pytest.raises(explorer.Mistake, match="no option dark"):
        answer.save(tmp_path / "saved.csv", dark=True)
    parquet = pytest.importorskip("pyarrow.parquet")
    answer.save(tmp_path / "saved.parquet")
    found = parquet.read_table(tmp_path / "saved.parquet")
    assert tuple(found.column_names) == tuple(answer.table.columns)
    assert tuple(tuple(row.values()) for row in found.to_pylist()) == tuple(answer.table.rows)
    assert found.schema.metadata[b"caption"].decode() == answer.caption


@pytest.mark.gui
def test_pictures_are_written_in_every_form(answer, tmp_path):
    for form, begins in (("pdf", b"%PDF"), ("svg", b"<?xml"), ("png", b"\x89PNG")):
        answer.save(tmp_path / f"fig.{form}", width_mm=84)
        assert (tmp_path / f"fig.{form}").read_bytes().startswith(begins)
    drawn = answer.picture("png", dark=True, dpi=72)
    assert drawn._repr_mimebundle_()["image/png"].startswith(b"\x89PNG")
    for name, options, sentence in (
        ("fig.gif", {}, "can't be written as gif"),
        ("fig.pdf", {"width_mm": 20}, "can't be 20 mm wide"),
        ("fig.pdf", {"colour": 1}, "no option colour"),
        ("fig.png", {"dpi": 7}, "dpi of a picture can't be 7"),
        ("fig.png", {"parts": ["nothing"]}, "nothing"),
    ):
        with pytest.raises(explorer.Mistake, match=sentence):
            answer.save(tmp_path / name, **options)


def test_without_qt_it_says_what_to_install_and_shows_the_rows(answer, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "PySide6", None)
    monkeypatch.setitem(sys.modules, "PySide6.QtWidgets", None)
    with pytest.raises(explorer.Trouble, match="drawn by PySide6") as caught:
        answer.save(tmp_path / "fig.pdf")
    assert "pip install PySide6" in caught.value.__notes__[0]
    page = answer._repr_html_()
    assert "pip install PySide6" in page
    assert "<details open>" in page


def test_without_qts_libraries_it_names_them(answer, monkeypatch):
    def refuse(name, *rest, **more):
        if name.startswith("PySide6"):
            raise ImportError("libEGL.so.1: cannot open shared object file")
        return real(name, *rest, **more)

    real = __import__
    monkeypatch.setattr("builtins.__import__", refuse)
    with pytest.raises(explorer.Trouble, match=r"lacks libraries of this system \(libEGL"):
        pictures.need_qt()


def test_what_is_no_number_is_written_as_words():
    table = Table(("a", "b"), ((float("nan"), "<b>"),) * (in_notebook.ROWS + 1))
    shown = in_notebook._rows(table, is_open=False)
    assert "&lt;b&gt;" in shown
    assert f"the first {in_notebook.ROWS} of {in_notebook.ROWS + 1} rows" in shown
