"""All heads and one of them: what is asked, what is drawn, what a key does, what leaves."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt

from explorer.api.question import AttentionModules, Blame, Context, Failure
from explorer.document import Document
from explorer.hf.kept import forget
from explorer.numerics.attention_patterns import MEASURES
from explorer.questions.attention.attention import one_head
from explorer.questions.attention.attention.chosen import choice_of
from explorer.questions.attention.attention.compute import run
from explorer.questions.attention.attention.question import AttentionRequest
from explorer.ui.controls.options.head_list import HeadList
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.matrices.heads.block import HeadsView
from explorer.ui.matrices.lines.block import LinesView
from explorer.ui.matrices.map_block import MapView
from explorer.ui.sheet.entry import SheetEntry
from explorer.ui.theme.schemes import apply_theme, theme_of
from tests.hf import tiny
from tests.ui.fake_engine import MINIATURE, card_of
from tests.ui.pages import has_part, kind_of, part, said_in, words_on

TEXT = "the cats sat on the mat"


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    host = tiny.families()
    from explorer.hf.family.tiny import write_tiny

    made = {
        "bert": tiny.load(tiny.save_bert(folder / "bert")),
        "small": tiny.load(tiny.save_bert(folder / "small", seed=1, num_hidden_layers=2)),
        "gpt2": tiny.load(write_tiny(host.family("gpt2"), folder / "gpt2")),
        "t5": tiny.load(write_tiny(host.family("t5"), folder / "t5")),
    }
    yield made
    forget()


class Asked:
    """A view whose questions a model answers at once, and whose options reach it at once."""

    def __init__(self, view, model):
        self.view = view
        self.models = {model.stamp: model}
        self.model = model
        self.document = Document()
        self.details = []
        self.gone = False
        view.detail_wanted.connect(self.detail)
        view.option_changed.connect(self.option)
        view.option_moved.connect(self.option)
        view.edit_requested.connect(lambda edit: self.show(edit.on(self.document)))

    def detail(self, detail):
        self.details.append(detail)
        if self.gone:
            self.view.detail_failed(detail, Failure(Blame.USER, "bert is not loaded any more."))
        else:
            model = self.models[detail.model]
            self.view.show_detail(detail, run(model, detail.request, Context()))

    def option(self, key, value):
        self.show(self.document.with_option(key, value))

    def show(self, document, model=None):
        before = self.view.request_of(self.document) if self.document.text else None
        self.document = document
        if model is not None:
            self.model = model
            self.models[model.stamp] = model
        # As the window does: the request is fitted to what is loaded.
        stacks = self.model.port(AttentionModules).stacks()
        card = replace(card_of(MINIATURE, "A"), stamp=self.model.stamp, stacks=stacks)
        self.view.set_models({"A": card}, "A")
        self.view.set_document(document)
        request = self.view.request_of(document)
        if request != before or model is not None:
            self.view.show_result(run(self.model, request, Context()), document)


@pytest.fixture
def asked(qtbot, qapp, models):
    apply_theme(qapp, "dark")
    view = kind_of("attention")()
    qtbot.addWidget(view)
    view.resize(1000, 640)
    view.tools()
    view.show()
    made = Asked(view, models["bert"])
    made.show(Document(TEXT))
    return made


@pytest.fixture
def view(asked):
    return asked.view


def grid(view):
    return part(view, HeadsView)


def cells(view):
    return part(view, MapView).content


def lines(view):
    return part(view, LinesView).drawing.content


def choice(view):
    return choice_of(view.shown())


def truth(asked, choice, model=None, **fields):
    request = replace(AttentionRequest.of(asked.document), heads=(choice,), **fields)
    return run(model or asked.model, request, Context()).weights[0]


def test_all_heads_and_the_first_one_are_there(asked, view):
    assert grid(view).content.count == 12
    np.testing.assert_array_equal(cells(view).values, truth(asked, "0.0"))
    assert cells(view).rows == tuple(p.label for p in view.result.queries)
    assert view.bar.fields["attention.head"].currentText() == "Layer 0, head 0"


def test_a_head_is_chosen_from_the_list_that_every_page_has(asked, view, qtbot):
    heads = view.bar.fields["attention.head"]
    assert isinstance(heads, HeadList)
    assert heads.accessibleName() == "Layer and head"
    with qtbot.waitSignal(view.edit_requested) as told:
        heads.activated.emit(heads.findText("Layer 2, head 1"))
    assert told.args[0].name == "choose a head"
    assert choice(view) == "2.1"
    heads.activated.emit(heads.findText("Mean of all heads"))
    assert choice(view) == "mean"


def test_a_click_opens_a_head_without_asking_anew(asked, view, qtbot):
    result = view.result
    at = grid(view).layout_now().box(6).center().toPoint()
    qtbot.mouseClick(grid(view), Qt.MouseButton.LeftButton, pos=at)
    assert choice(view) == "1.2"
    assert view.result is result
    assert [d.request.heads for d in asked.details] == [("0.0",), ("1.2",)]
    np.testing.assert_array_equal(cells(view).values, truth(asked, "1.2"))
    # What was looked at before is kept.
    asked.option("attention.head", None)
    assert len(asked.details) == 2
    np.testing.assert_array_equal(cells(view).values, truth(asked, "0.0"))


def test_the_keyboard_goes_through_heads(view, qtbot):
    all_heads = grid(view)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Left):
        qtbot.keyClick(all_heads, key)
    assert choice(view) == "2.0"
    assert all_heads.accessibleDescription().startswith("Layer 2, head 0")
    qtbot.keyClick(all_heads, Qt.Key.Key_End)
    assert choice(view) == "2.3"
    qtbot.keyClick(all_heads, Qt.Key.Key_Right)
    assert choice(view) == "2.3"
    qtbot.keyClick(all_heads, Qt.Key.Key_Home)
    assert choice(view) == "0.0"


def test_heads_are_ranked_by_what_the_measure_says(asked, view):
    asked.option("attention.rank", "previous")
    index = view.result.measure_names.index("previous")
    values = view.result.measures[index]
    best = divmod(int(values.argmax()), 4)
    assert grid(view).content.order[0] == best
    assert grid(view).content.notes[0].endswith(f"{values.max():.2f}")
    meaning = next(m.meaning for m in MEASURES if m.name == "previous")
    assert meaning in words_on(view)
    listed = [values[head] for head in grid(view).content.order]
    assert listed == sorted(listed, reverse=True)


def test_every_measure_is_defined_where_it_is_chosen(view):
    rank = view.bar.fields["attention.rank"]
    offered = {rank.itemData(i): rank.itemData(i, Qt.ItemDataRole.ToolTipRole) for i in range(9)}
    for measure in MEASURES:
        assert offered[measure.name] == plain_tip(measure.meaning)


def test_words_are_merged_and_special_tokens_hidden(asked, view):
    asked.option("attention.words", True)
    asked.option("attention.special", "renormalised")
    assert cells(view).rows == ("the", "cats", "sat", "on", "the", "mat")
    expected = truth(asked, "0.0")
    np.testing.assert_array_equal(cells(view).values, expected)
    np.testing.assert_allclose(expected.sum(axis=1), 1, atol=1e-6)


@pytest.mark.parametrize("choice", ["mean", "max", "rollout", "1.mean", "1.max", "rollout.1"])
def test_several_heads_as_one_say_what_they_are(asked, view, choice):
    asked.option("attention.head", choice)
    np.testing.assert_array_equal(cells(view).values, truth(asked, choice))
    assert one_head.meaning_of_choice(choice) in words_on(view)
    assert grid(view).current is None


def test_logarithmic_colours(asked, view):
    asked.option("attention.log", True)
    assert cells(view).scale.logarithmic
    assert grid(view).content.scale.logarithmic


def test_lines_of_several_heads(asked, view, qtbot):
    control = Qt.KeyboardModifier.ControlModifier
    at = grid(view).layout_now().box(5).center().toPoint()
    qtbot.mouseClick(grid(view), Qt.MouseButton.LeftButton, control, pos=at)
    assert asked.document.option("attention.draw") == "lines"
    content = lines(view)
    assert content.names == ("Layer 0, head 0", "Layer 1, head 1")
    np.testing.assert_array_equal(content.weights[1], truth(asked, "1.1"))
    strong = int((content.weights >= 0.05).sum())
    assert f"{strong} lines. 2 heads." in words_on(view)
    asked.option("attention.threshold", 0.3)
    assert f"{int((content.weights >= 0.3).sum())} lines." in words_on(view)
    qtbot.mouseClick(grid(view), Qt.MouseButton.LeftButton, control, pos=at)
    assert lines(view).names == ("Layer 0, head 0",)


def test_a_pinned_answer_is_taken_from_the_next(asked, view):
    before = truth(asked, "0.0")
    view.pin()
    asked.show(asked.document.toggle_mask(4, 8))
    now = truth(asked, "0.0")
    content = cells(view)
    np.testing.assert_allclose(content.values, now - before, atol=1e-7)
    assert content.scale.diverging
    assert content.rows[2] == "[MASK] | cat"
    change = grid(view).content
    assert change.scale.diverging
    assert abs(change.maps).max() == pytest.approx(change.scale.high)
    asked.option("attention.rank", "change")
    order = grid(view).content.order
    sizes = [abs(change.maps[head]).max() for head in order]
    assert sizes == sorted(sizes, reverse=True)
    view.unpin()
    assert not cells(view).scale.diverging


def test_two_models_are_subtracted_where_they_can_be(asked, view, models):
    asked.option("attention.head", "mean")
    before = truth(asked, "mean")
    view.pin()
    asked.show(asked.document, models["small"])
    np.testing.assert_allclose(cells(view).values, truth(asked, "mean") - before, atol=1e-7)
    assert "3 layers of 4 heads" in words_on(view)
    assert not grid(view).content.scale.diverging


def test_texts_of_other_lengths_are_not_subtracted(asked, view):
    view.pin()
    asked.show(Document("the cat"))
    assert "There is no difference between 4 tokens and 9 tokens" in words_on(view)
    assert not cells(view).scale.diverging


def test_what_comes_later_is_blocked(asked, view, models):
    asked.show(Document("the cat sat"), models["gpt2"])
    content = cells(view)
    count = len(content.rows)
    np.testing.assert_array_equal(content.blocked, np.triu(np.ones((count, count), bool), 1))
    assert content.blocked_words == one_head.LATER
    small = grid(view).content.maps[0, 0]
    np.testing.assert_array_equal(np.isinf(small), content.blocked)


def test_a_model_with_two_stacks_offers_its_three_attentions(asked, view, models):
    asked.show(Document("the cat sat"), models["t5"])
    kind = view.bar.fields["attention.kind"]
    assert [kind.itemText(i) for i in range(kind.count())] == [
        "Encoder",
        "Decoder",
        "Decoder to encoder",
    ]
    assert not view.bar.widgets["attention.answer"].isHidden()
    asked.option("attention.kind", "cross")
    asked.option("attention.answer", "the mat")
    assert cells(view).rows[1:] == ("the", "mat")
    assert len(cells(view).columns) == len(view.result.tokens)
    asked.show(asked.document, models["bert"])
    assert "no cross attention" in words_on(view)
    assert view.bar.widgets["attention.answer"].isHidden()


def test_a_model_that_is_gone_leaves_the_small_picture(asked, view):
    asked.gone = True
    asked.option("attention.head", "2.2")
    assert "not loaded any more" in words_on(view)
    np.testing.assert_allclose(cells(view).values, view.result.overview[2, 2].astype(np.float32))


def test_tables_hold_what_is_shown(asked, view):
    assert view.table().columns[:2] == ("layer", "head")
    asked.option("attention.show", "one")
    rows = view.table()
    assert len(rows.rows) == cells(view).values.size
    view.pin()
    asked.show(asked.document.toggle_mask(4, 8))
    rows = view.table()
    assert rows.columns[-2:] == ("pinned_weight", "change_of_weight")
    last = rows.rows[10]
    assert last[-1] == pytest.approx(last[-3] - last[-2])


@pytest.mark.parametrize("shown", [None, "all", "one"])
def test_pictures_hold_what_is_shown(asked, view, shown):
    asked.option("attention.show", shown)
    assert has_part(view, HeadsView) is (shown != "one")
    assert has_part(view, MapView) is (shown != "all")
    figure = view.figure(900, theme_of("light"))
    heights = {None: 300, "all": 100, "one": 200}
    assert figure.height > heights[shown]


def test_everything_is_saved_layer_by_layer(asked, view, tmp_path):
    view.saves[0].begin(tmp_path / "all.npz")
    assert view.saves[0].said == f"Saved {tmp_path / 'all.npz'}."
    with np.load(tmp_path / "all.npz", allow_pickle=False) as found:
        for layer in range(3):
            for head in range(4):
                expected = truth(asked, f"{layer}.{head}")
                np.testing.assert_array_equal(found[f"layer_{layer}"][head], expected)
        assert found["query_labels"].tolist() == [p.label for p in view.result.queries]
    assert [path.name for path in tmp_path.glob("*.*")] == ["all.npz"]
    assert not list(tmp_path.glob(".*.part"))


def test_saving_that_fails_leaves_no_file(asked, view, tmp_path):
    asked.gone = True
    view.saves[0].begin(tmp_path / "all.npz")
    assert "Not saved" in view.saves[0].said
    assert not list(tmp_path.glob("*.npz*"))
    assert not list(tmp_path.glob(".*.part"))


def test_nothing_asked_and_nothing_shown(view):
    assert view.request_of(Document(" ")) is None
    assert "sentence" in view.empty_hint(Document())
    view.clear()
    assert view.figure(900, theme_of("light")) is None
    assert view.table() is None
    assert view.page.page is None
    assert not has_part(view, HeadsView)


def test_options_that_cannot_be_read_are_the_default(asked, view):
    for written in ("x", "9.9", "0.9", "rollout.7", 3):
        asked.option("attention.head", written)
        assert choice(view) == "0.0"


def test_lines_of_a_text_from_the_right_begin_there(asked, view):
    asked.option("attention.draw", "lines")
    assert not lines(view).from_right
    asked.show(asked.document.with_text("שלום the cat"))
    assert lines(view).from_right


def test_a_token_whose_lines_stay_alone_is_in_the_document_and_in_pictures(asked, view, qtbot):
    asked.option("attention.draw", "lines")
    asked.option("attention.threshold", 0.0)
    drawing = part(view, LinesView).drawing
    every = lines(view).weights.size
    assert f"{every} lines." in words_on(view)
    at = drawing.layout_now().box(0, 2).center().toPoint()
    qtbot.mouseClick(drawing, Qt.MouseButton.LeftButton, pos=at)
    assert asked.document.option("attention.token") == [0, 2]
    without_mouse = replace(view.shown(), looked_at=None)
    assert f"{len(lines(view).keys)} lines." in said_in(view.declared, without_mouse)
    # Another token by the keyboard; Escape shows all again.
    qtbot.keyClick(drawing, Qt.Key.Key_Down)
    assert asked.document.option("attention.token") == [0, 3]
    assert drawing.kept == (0, 3)
    qtbot.keyClick(drawing, Qt.Key.Key_Escape)
    assert asked.document.option("attention.token") is None
    assert drawing.kept is None
    # A token that another text does not have is none.
    asked.option("attention.token", [1, 400])
    assert drawing.kept is None


def test_the_sheet_keeps_the_head_that_was_looked_at(asked, view):
    asked.option("attention.show", "one")
    asked.option("attention.head", "2.1")
    entry = SheetEntry.of(view)
    asked.option("attention.head", "0.3")
    assert "Layer 2, head 1" in said_in(entry.page, entry.shown)
    rows = entry.table.rows
    assert [row[-1] for row in rows] == pytest.approx(truth(asked, "2.1").ravel().tolist())
    assert entry.figure(700, theme_of("light")).height > 200
