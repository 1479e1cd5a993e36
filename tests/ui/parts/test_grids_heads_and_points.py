"""Cells, heads, points and curves over layers as parts: their rows, their order, their clicks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from explorer.api.question import (
    Asks,
    Choices,
    Colours,
    Curve,
    Curves,
    Grid,
    Heads,
    ModelStamp,
    OneChoice,
    Panel,
    Plane,
    Points,
    Question,
    Runs,
    Said,
    Toggles,
    WordList,
    asked,
    over_layers,
    sets,
)
from explorer.api.question.parts.matrices.grid import Side
from explorer.document import Document
from explorer.paths import own_resources
from explorer.text import N_, Phrase, language
from explorer.ui.blocks.chips import Chips
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.blocks.text import Text
from explorer.ui.matrices.map_block import MANY, MapBlock
from explorer.ui.parts.drawing import blocks_of
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.page import page_of_parts

TEXT = Document("the chef cooked")
STAMP = ModelStamp("bert", "bert", "1", "cpu", "float32")
SOME = WordList("Some", ())
VALUES = np.array([[0.1, np.nan], [0.3, -0.4], [0.5, 0.6]])


@dataclass(frozen=True)
class Request(Asks, question="cells"):
    text: str
    some: tuple[str, ...] = asked(SOME)


@dataclass(frozen=True)
class Result:
    model: ModelStamp


def parts(
    result: Result, request: Request | None = None, titles: dict[str, str] | None = None
) -> Sequence[Said]:
    return (Said(str(request and request.some)), Said(str((titles or {}).get(result.model.id))))


QUESTION = Question("cells", "Cells", "What?", Request, Result, run=lambda *_all: None, parts=parts)
(OPTION,) = QUESTION.options
HELD = TEXT.with_option(OPTION.key, ["soup"])


def looking(now: Document = TEXT, **changes) -> Looking:
    return Looking(QUESTION, Shown(Result(STAMP), TEXT, now, **changes))


def drawn(part, now: Document = TEXT, **changes):
    return list(blocks_of(part, looking(now, **changes)))


def grid(**changes) -> Grid:
    told = {
        "name": "share",
        "values": VALUES,
        "rows": Side("layer", ("emb.", "0", "1")),
        "columns": Side("token", ("the", "chef")),
        "caption": "Shares",
        "said": lambda row, column: f"row {row}, column {column}",
        "written": "{:.1f}".format,
    }
    return Grid(**{**told, **changes})


def test_rows_of_a_grid_have_nothing_where_there_is_no_number():
    assert grid().table().rows[:2] == (("emb.", "the", pytest.approx(0.1)), ("emb.", "chef", None))
    assert grid().table().columns == ("row", "column", "value")


def test_rows_that_rise_are_turned_round_with_all_that_is_said_of_them():
    part = grid(
        rises=True,
        framed=[(0, 1)],
        missing="not there yet",
        gesture=lambda row, column: sets(OPTION, (f"{row}.{column}",), "choose"),
    )
    (block,) = drawn(part)
    content = block.matrix.content
    assert content.rows == ("1", "0", "emb.")
    assert content.values[0].tolist() == [0.5, 0.6]
    assert [(mark.row, mark.column) for mark in content.marks] == [(2, 1)]
    assert content.said(2, 1) == "row 0, column 1"
    assert content.is_blocked(2, 1)
    assert not content.is_blocked(0, 0)
    assert block.matrix.key(2, 1) == ("share", 0, 1)
    assert OPTION.of(block.matrix.act(2, 1).on(TEXT)) == ("0.1",)
    assert block.matrix.act(0, 0).name == "choose"
    (still,) = drawn(part, alone=True)
    assert still.matrix.act(0, 0) is None


def test_many_cells_are_a_map_below_its_title():
    wide = np.zeros((2, MANY))
    sides = {"rows": Side("layer", ("0", "1")), "columns": Side("token", ("a",) * MANY)}
    title, block = drawn(grid(values=wide, **sides))
    assert isinstance(title, Text)
    assert title.text == "Shares"
    assert isinstance(block, MapBlock)


def test_colours_of_a_grid_go_to_both_sides_of_zero_where_that_is_said():
    (block,) = drawn(grid(colours=Colours(2.0, diverging=True, with_bar=False)))
    content = block.matrix.content
    assert (content.scale.high, content.scale.diverging) == (2.0, True)
    assert content.signed
    assert not content.with_bar


def test_a_head_is_toggled_in_the_list_of_now():
    part = Heads(
        "encoder",
        "Encoder",
        ("0", "1", "2"),
        2,
        lambda layer, head: f"{layer}.{head}",
        VALUES,
        off={(1, 0)},
        looked_at=(2, 1),
        gesture=lambda layer, head: Toggles(OPTION, (f"{layer}.{head}",), "switch"),
        row_gesture=lambda layer: Toggles(OPTION, (f"{layer}.0", f"{layer}.1"), "switch"),
    )
    (block,) = drawn(part)
    kinds = {(mark.row, mark.column): mark.kind for mark in block.matrix.content.marks}
    assert kinds == {(1, 0): "off", (2, 1): "looked at"}
    act = block.matrix.act(0, 1)
    assert OPTION.of(act.on(TEXT)) == ("0.1",)
    # Two clicks before an answer comes: the second adds to what the first one set.
    assert OPTION.of(act.on(HELD)) == ("soup", "0.1")
    assert OPTION.of(act.on(act.on(HELD))) == ("soup",)
    assert OPTION.of(block.matrix.row_act(2).on(TEXT)) == ("2.0", "2.1")
    assert part.table().rows[2] == ("1", 0, pytest.approx(0.3), True)


def test_points_that_stand_out_come_first_so_that_their_names_have_a_place():
    plane = Plane("0", "layer 0", np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0]), "x", "y")
    part = Points((plane,), ("a", "b", "c"), lambda number: f"word {number}", (2,), chosen=2)
    (block,) = drawn(part)
    (chart,) = block.charts
    (points,) = chart.series
    assert (points.names, points.words[0]) == (("c", "a", "b"), "word 2")
    assert points.x.tolist() == [3.0, 1.0, 2.0]
    assert (points.colours, points.squares) == (("mask", "muted", "muted"), (True, False, False))
    assert chart.title == "Layer 0"
    assert part.table().rows[1] == ("0", 1, "b", 2.0, 5.0)
    language.use(language.find("ko", own_resources() / "locale"))
    words = replace(part, names=("on", "tool", Phrase(N_("Layer"))))
    (points,) = drawn(words)[0].charts[0].series
    assert points.names == (Phrase(N_("Layer")).said, "on", "tool"), "words of a text stay"
    language.use(language.ENGLISH)
    (line, _points) = drawn(Points((plane,), ("",) * 3, str, equal="equal"))[0].charts[0].series
    assert (line.name, line.x.tolist()) == ("equal", [1.0, 6.0])


def test_curves_over_layers_are_called_by_them_in_picture_and_file():
    runs = Curve.of_runs("probe", np.array([[0.1, 0.3], [-0.2, 0.4]]))
    half = Curve("other", np.array([1.0]), at=np.array([1.0]))
    panel = Panel("accuracy", "Accuracy", (runs, half), unit="share")
    part = Curves(over_layers(("emb.", "0")), (panel,))
    (chart,) = drawn(part)[0].charts
    assert chart.x.words == ("emb.", "0")
    assert chart.y.low == pytest.approx(-0.2)
    assert chart.y.strong == (0.0,)
    assert part.table().rows == (
        ("accuracy", "probe", "emb.", pytest.approx(0.2), pytest.approx(0.1), pytest.approx(0.3)),
        ("accuracy", "probe", "0", pytest.approx(0.1), pytest.approx(-0.2), pytest.approx(0.4)),
        ("accuracy", "other", 1.0, 1.0, None, None),
    )
    assert [line.x.tolist() for line in chart.lines] == [[0.0, 1.0], [1.0]]


def test_what_undoes_something_is_there_while_there_is_something_to_undo():
    back = OneChoice("None", sets(OPTION, (), "none"), undoes=True)
    assert drawn(Choices((back,))) == []
    (chips,) = drawn(Choices((back,)), HELD)
    assert isinstance(chips, Chips)
    assert OPTION.of(chips.chips[0].act.on(HELD)) == ()


def test_what_was_begun_stands_in_the_place_of_its_button():
    part = Choices((OneChoice("Train", Runs()),), begun="Training …")
    (chips,) = drawn(part)
    assert isinstance(chips, Chips)
    (said,) = drawn(part, is_begun=True)
    assert isinstance(said, Text)
    assert said.text == "Training …"


def test_parts_are_told_what_was_asked_and_what_models_are_called():
    class Card:
        stamp = STAMP
        title = "BERT"

    page = page_of_parts(QUESTION)
    shown = Shown(Result(STAMP), HELD, TEXT, cards={"A": Card()})
    assert [block.text for block in page.blocks(shown)] == ["('soup',)", "BERT"]
    assert [one.text for one in QUESTION.parts_of(Result(STAMP))] == ["None", "None"]
