"""A graph question on screen: choices, the graph drawn, paths, cuts and the way back."""

from dataclasses import replace

import pytest

from explorer.api.question import Blame, Context, Failure, LeftOut
from explorer.document import Document
from explorer.questions.knowledge.graph_question.drawn_graph import drawn_graph
from explorer.questions.knowledge.graph_question.options import (
    CHOICE,
    CHOICES,
    CUT_EDGES,
    CUT_PATHS,
    DRAWN,
    FILE,
)
from explorer.questions.knowledge.graph_question.picture import DOT, LaidGraph
from explorer.questions.knowledge.graph_question.question import GraphQuestionRequest
from explorer.questions.knowledge.graph_question.wording import path_said, share_said
from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.typesetting.one_line import text_width
from explorer.ui.views.frame.view_frame import FrameState
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.ui.fake_engine import MINIATURE
from tests.ui.pages import choose, kind_of, spot, words_on

TEXT = "I will plant flowers, so I dug the ground. With what?"
ASKED = Document(TEXT).with_option(CHOICES.key, ["excavator", "trowel", "hope"])


def answer(document):
    models = {
        "reasoner": miniature("kagnet-miniature"),
        "encoder": miniature("bert-miniature"),
    }
    return tiny.ask(models["reasoner"], GraphQuestionRequest.of(document), Context(models=models))


@pytest.fixture(scope="module")
def result():
    return answer(ASKED)


@pytest.fixture
def view(shown, result):
    made = shown(kind_of("graph_question"), 1200, 900)
    made.show_result(result, ASKED)
    return made


@pytest.fixture
def edits(view):
    """What the page asks to be changed."""
    found = []
    view.edit_requested.connect(found.append)
    return found


def places(page, *kinds):
    """Spots whose keys begin with one of these."""
    return [one for one in page.spots if isinstance(one.key, tuple) and one.key[0] in kinds]


CHOICE_ROW, PATH_ROW = "graph_question.ChoiceRow", "graph_question.AttendedPath"


def path_key(path):
    """Of the row of a path."""
    return (PATH_ROW, path_said(path))


def keys(view, kind):
    return [one.key for one in places(view.page.page, kind)]


def test_every_choice_has_its_score_and_the_best_one_its_graph(view, result):
    words = words_on(view)
    assert "“trowel”, with a score of" in words
    assert "Graph of “trowel”" in words
    assert "The question names: plant, flower, dig, ground" in words
    for one in result.choices:
        said = spot(view, (CHOICE_ROW, one.text)).said
        assert said.startswith(one.text)
        assert f"{one.score:.4f}" in said
    drawn = drawn_graph(result.choices[result.best], DRAWN.default)
    concepts = {node.concept for layer in drawn.layers for node in layer}
    assert {key[1] for key in keys(view, "node")} == concepts
    assert {key[1:] for key in keys(view, "edge")} == {(e.head, e.tail) for e in drawn.edges}


def test_the_graph_has_the_paths_that_are_attended_to_most(result):
    best = result.choices[result.best]
    drawn = drawn_graph(best, 3)
    top = best.attended[:3]
    steps = {
        frozenset(step)
        for _share, path in top
        for step in zip(path.concepts, path.concepts[1:], strict=False)
    }
    assert {frozenset((edge.head, edge.tail)) for edge in drawn.edges} == steps
    for edge in drawn.edges:
        along = [
            share
            for share, path in top
            if {edge.head, edge.tail}
            in [set(step) for step in zip(path.concepts, path.concepts[1:], strict=False)]
        ]
        assert edge.share == pytest.approx(sum(along))
        assert edge.paths == len(along)
        assert not edge.relations[0].startswith("*"), "it is drawn from head to tail"
    assert {node.concept for node in drawn.layers[-1]} == {"trowel"}
    first = {node.concept for node in drawn.layers[0]}
    assert first == {path.concepts[0] for _share, path in top}


@pytest.mark.parametrize("width", [260.0, 366.0, 600.0, 1100.0])
def test_concepts_stand_inside_the_picture_and_on_no_other(result, width):
    laid = LaidGraph(drawn_graph(result.choices[result.best], 6), width, None)
    boxes = [one.box for one in laid.spots if one.key[0] == "node"]
    assert len(boxes) > 4
    for number, box in enumerate(boxes):
        assert box.left() >= 0
        assert box.right() <= width + 0.5
        assert box.bottom() <= laid.height
        assert not any(box.intersects(other) for other in boxes[number + 1 :])


@pytest.mark.parametrize("width", [260.0, 366.0, 600.0, 1100.0])
@pytest.mark.parametrize("most", [3, 8, 20])
def test_names_of_relations_cover_no_concept_and_no_other_name(result, width, most):
    graph = drawn_graph(result.choices[result.best], most)
    laid = LaidGraph(graph, width, None)
    names = [one.box for one in laid.spots if one.key[0] == "edge"]
    nodes = [one.box for one in laid.spots if one.key[0] == "node"]
    assert len(names) == len(graph.edges)
    for number, name in enumerate(names):
        if name.width() > DOT:  # what has no room for a name has a dot
            assert not any(name.intersects(other) for other in (*names[:number], *nodes))
    named = [one.key for one in laid.spots if one.key[0] == "edge" and one.box.width() > DOT]
    top = [edge for edge in graph.edges if edge.is_top]
    if width > 300:
        assert {("edge", one.head, one.tail) for one in top} <= set(named), "the first are named"
    if width > 500 and most <= 8:
        assert len(named) >= 0.75 * len(names)


def test_a_small_share_is_not_written_as_none():
    assert share_said(0.0) == "0.0 %"
    assert share_said(0.0002) == "< 0.1 %"
    assert share_said(0.0005) == "0.1 %"


def test_paths_are_read_whole_in_a_narrow_window(view, result):
    tables = (one for one in view.declared.blocks(view.shown()) if isinstance(one, BarTable))
    table = next(one for one in tables if one.rows[0].key[0] == PATH_ROW)
    assert len(table.rows) == min(20, result.choices[result.best].count)
    for row, place in zip(table.rows, table.at(900.0).spots[-len(table.rows) :], strict=True):
        assert place.cells[0].box.width() >= text_width("body", row.label)


def test_a_click_on_a_choice_shows_its_graph_and_asks_nothing(view, edits):
    choose(view, (CHOICE_ROW, "excavator"))
    (edit,) = edits
    now = edit.on(ASKED)
    assert CHOICE.of(now) == (0,)
    assert GraphQuestionRequest.of(now) == GraphQuestionRequest.of(ASKED)
    view.set_document(now)
    assert "Graph of “excavator”" in words_on(view)
    view.set_document(ASKED.with_option(CHOICE.key, [2]))
    assert "No path leads from the question to “hope”" in words_on(view)
    view.set_document(ASKED.with_option(CHOICE.key, [9]))
    assert "Graph of “trowel”" in words_on(view), "there is no tenth choice"


def test_a_path_is_cut_with_a_click_and_put_back_with_another(view, result, edits):
    top = result.choices[result.best].attended[0][1]
    choose(view, path_key(top))
    now = edits.pop().on(ASKED)
    assert CUT_PATHS.of(now) == (" > ".join(top.concepts),)
    cut = answer(now)
    assert cut.choices[result.best].count == result.choices[result.best].count - 1
    view.show_result(cut, now)
    view.set_document(now)
    assert path_key(top) not in keys(view, PATH_ROW)
    choose(view, " > ".join(top.concepts))
    back = edits.pop().on(now)
    assert GraphQuestionRequest.of(back) == GraphQuestionRequest.of(ASKED)


def test_an_edge_is_cut_with_a_click_and_put_back_with_another(view, edits):
    key = keys(view, "edge")[0]
    choose(view, key)
    now = edits.pop().on(ASKED)
    assert CUT_EDGES.of(now) == (" > ".join(key[1:]),)
    assert GraphQuestionRequest.of(now).cut_edges == CUT_EDGES.of(now)
    view.show_result(answer(now), now)
    view.set_document(now)
    assert key not in keys(view, "edge")
    choose(view, " > ".join(key[1:]))
    assert CUT_EDGES.of(edits.pop().on(now)) == ()


def test_what_must_be_known_is_said(view, result):
    assert "falls in" in words_on(view)
    view.show_result(
        replace(
            result,
            trained_on="another-encoder",
            left_out=LeftOut(3, 128, 0, 20),
            concepts=(),
            cut_asked=0,
        ),
        ASKED,
    )
    words = words_on(view)
    assert "was trained on the sentence vectors of another-encoder" in words
    assert "did not see the last 3 tokens" in words
    assert "names none of them" in words
    assert "falls in" not in words


def test_a_picture_alone_has_the_question_and_nothing_to_cut(view):
    alone = page_of(view.declared.alone(view.shown()), 640.0)
    assert any("Asked: “I will plant flowers" in node.name for node in alone.nodes)
    cuts = places(alone, PATH_ROW, "edge")
    assert cuts
    assert not any(one.act for one in cuts)


def test_a_graph_of_ones_own_is_named_and_closed_with_a_click(view, edits, tmp_path):
    path = tmp_path / "mine.tsv"
    path.write_text("trowel\tused for\tdig\t2\n", "utf-8")
    own = ASKED.with_option(FILE.key, str(path)).with_option(CUT_EDGES.key, ["dig > plant"])
    assert "graph" not in [one.key for one in view.page.page.spots]
    view.show_result(answer(own), own)
    view.set_document(own)
    assert "In mine.tsv: 2 concepts, 1 edge." in words_on(view)
    choose(view, "graph")
    assert edits.pop().on(own) == ASKED


def test_another_graph_can_be_chosen_where_one_can_not_be_read(engine, start, qtbot):
    engine.catalogue = tuple(
        replace(one, operations=(*one.operations, "graph_question"))
        if one.id == MINIATURE.id
        else one
        for one in engine.catalogue
    )
    running = start()
    window = running.window
    running.bench.state.edit("text", Document("what digs holes? A) trowel B) excavator"))
    window.view_area.bring_forward("graph_question")
    view = window.view_of("graph_question")
    frame = window.view_area.frames["graph_question"]
    qtbot.waitUntil(lambda: frame.state is FrameState.EMPTY and frame.isVisible())
    failure = Failure(Blame.USER, "The graph can't be read.", "Choose another one.")
    frame.show_failed(failure, with_options=True)
    assert view.result is None
    assert not view.page.isVisible()
    assert view.options.row.isVisible(), "above the answer, or what stands in its place"
    view.options.button.click()
    qtbot.waitUntil(view.bar.fields[FILE.key].isVisible)
