"""Widgets of declared options: one each, filled without telling, telling what the user did."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QDoubleSpinBox,
    QLabel,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.api.question import (
    Choice,
    Entry,
    ModelName,
    Number,
    Numbers,
    Switch,
    Whole,
    WordList,
    Words,
)
from explorer.document import Document
from explorer.questions import all_questions
from explorer.ui.blocks.page.page import Offer
from explorer.ui.controls.options.checkpoint_picker import CheckpointPicker
from explorer.ui.controls.options.option_bar import OptionBar, in_sight

ENTRIES = (Entry("nats", "Nats", "Natural logarithms."), Entry("bits", "Bits"))
OPTIONS = (
    Choice("Unit", "nats", "In what.", entries=ENTRIES, key="x.unit"),
    Choice("Top", 10, entries=(Entry(5, "5"), Entry(10, "10")), beside=True, key="x.top"),
    Switch("Logarithmic", default=False, key="x.log"),
    Switch("Swap", default=False, glyph="swap-horizontal", key="x.swap"),
    Whole("Seed", 0, high=9, next_said="Draw again", next_glyph="dice-5-outline", key="x.seed"),
    Number("Temperature", 1.0, low=0.1, high=20.0, step=0.1, key="x.heat"),
    Words("Words", "", placeholder="soup, tea", key="x.words"),
    Number("Ratio", 1.0, low=0.25, high=20.0, ratios=True, key="x.ratio"),
    WordList("Only these", (), placeholder="soup, tea", key="x.only"),
    Numbers("Weights", (5.0, 1.0), names=("one", "other"), key="x.weights"),
    Whole("Place", 0, in_bar=False, key="x.place"),
)


@pytest.fixture
def bar(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    made = OptionBar(OPTIONS, window)
    column = QVBoxLayout(window)
    for key, widget in made.widgets.items():
        if not key.endswith(".next"):
            column.addWidget(widget)
    made.show_options(Document(), {})
    window.show()
    qtbot.waitExposed(window)
    yield made
    window.close()


@pytest.fixture
def told(bar):
    heard = []
    bar.changed.connect(lambda key, value: heard.append((key, value, "changed")))
    bar.moved.connect(lambda key, value: heard.append((key, value, "moved")))
    return heard


def test_every_option_has_one_widget_and_nothing_else_is_made(bar):
    keys = [option.key for option in OPTIONS if option.in_bar]
    keys.insert(keys.index("x.seed") + 1, "x.seed.next")
    assert set(bar.widgets) == set(keys)
    window = bar.parent()
    children = window.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert set(children) == {bar.widgets[key] for key in keys if not key.endswith(".next")}
    for option in OPTIONS[:-1]:
        assert option.label in bar.fields[option.key].accessibleName()


def test_showing_a_document_tells_nothing(bar, told):
    document = Document()
    for key, value in (
        ("x.unit", "bits"),
        ("x.top", 5),
        ("x.log", True),
        ("x.swap", True),
        ("x.seed", 7),
        ("x.heat", 4.0),
        ("x.words", "tea"),
    ):
        document = document.with_option(key, value)
    bar.show_options(document, {})
    fields = bar.fields
    assert fields["x.unit"].currentText() == "Bits"
    assert fields["x.top"].choice == 5
    assert fields["x.log"].isChecked()
    assert fields["x.swap"].isChecked()
    assert fields["x.seed"].value() == 7
    assert fields["x.heat"].value() == pytest.approx(4.0)
    assert fields["x.words"].text() == "tea"
    assert told == []
    bar.show_options(Document(), {})
    assert fields["x.heat"].value() == pytest.approx(1.0)
    assert told == []


def test_what_the_user_does_is_told_once(bar, told, qtbot):
    fields = bar.fields
    qtbot.keyClick(fields["x.unit"], Qt.Key.Key_Down)
    fields["x.top"].findChild(QAbstractButton, "x.top5").click()
    fields["x.log"].click()
    fields["x.swap"].click()
    fields["x.seed"].setValue(3)
    bar.parent().findChild(QAbstractButton, "x.seed.next").click()
    qtbot.keyClicks(fields["x.words"], "a")
    assert told == [
        ("x.unit", "bits", "changed"),
        ("x.top", 5, "changed"),
        ("x.log", True, "changed"),
        ("x.swap", True, "changed"),
        ("x.seed", 3, "moved"),
        ("x.seed", 4, "changed"),
        ("x.words", "a", "moved"),
    ]


def test_a_slider_tells_its_number_as_it_is_written(bar, told):
    both = bar.fields["x.heat"]
    both.field.setValue(2.3456)
    assert told == [("x.heat", 2.35, "moved")]


def test_a_slider_and_its_field_show_one_number(bar, told, qtbot):
    both = bar.fields["x.heat"]
    (slider,) = both.findChildren(QSlider)
    (field,) = both.findChildren(QDoubleSpinBox)
    slider.setValue(slider.maximum())
    assert field.value() == 20.0
    slider.setValue(slider.minimum())
    assert field.value() == 0.1
    field.setValue(10.05)
    assert slider.value() == (slider.minimum() + slider.maximum()) / 2
    before = field.value()
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert field.value() == pytest.approx(before + 0.1)
    assert [value for _, value, _ in told] == [20.0, 0.1, 10.05, pytest.approx(10.15)]


def test_the_default_is_told_as_nothing(bar, told, qtbot):
    bar.show_options(Document().with_option("x.unit", "bits"), {})
    qtbot.keyClick(bar.fields["x.unit"], Qt.Key.Key_Up)
    assert told == [("x.unit", None, "changed")]


def test_an_option_that_means_nothing_says_why(bar):
    unit = bar.widgets["x.unit"]
    assert unit.toolTip() == "Natural logarithms."
    bar.show_options(Document().with_option("x.unit", "bits"), {})
    assert unit.toolTip() == "In what."
    bar.show_options(Document(), {"x.unit": "This model counts in words."})
    assert not unit.isEnabled()
    assert unit.toolTip() == "This model counts in words."
    bar.show_options(Document(), {})
    assert unit.isEnabled()


def test_a_number_goes_as_far_as_the_model_of_now_has_things_to_count(bar, told):
    seed = bar.fields["x.seed"]
    document = Document().with_option("x.seed", 7)
    bar.show_options(document, {}, {"x.seed": 3})
    assert (seed.maximum(), seed.value()) == (3, 3)
    bar.show_options(document, {})
    assert (seed.maximum(), seed.value()) == (9, 7)
    assert told == []


def test_an_answer_says_what_can_be_chosen_and_what_means_anything(bar, told):
    offers = {
        "x.unit": Offer((Entry("nats", "Nats"), Entry("bans", "Bans", "By tens."))),
        "x.words": Offer(there=False),
    }
    bar.is_placed = True
    document = Document().with_option("x.unit", "bits")
    bar.show_options(document, {}, offers=offers)
    unit = bar.fields["x.unit"]
    assert [unit.itemText(n) for n in range(unit.count())] == ["Nats", "Bans"]
    assert unit.currentIndex() == -1  # what the document sets is not offered now
    assert bar.widgets["x.words"].isHidden()
    unit.activated.emit(1)
    assert told == [("x.unit", "bans", "changed")]
    bar.show_options(document, {}, offers={"x.unit": Offer(value="nats")})
    assert unit.currentText() == "Nats"
    bar.show_options(document, {})
    assert [unit.itemText(n) for n in range(unit.count())] == ["Nats", "Bits"]
    assert unit.currentText() == "Bits"
    assert not bar.widgets["x.words"].isHidden()


def test_a_list_of_words_is_told_when_it_is_typed(bar, told, qtbot):
    field = bar.fields["x.only"]
    field.setFocus()
    qtbot.keyClicks(field, "tea, fried rice,")
    bar.show_options(Document().with_option("x.only", ["soup"]), {})
    assert told == []
    assert field.text() == "tea, fried rice,"
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert told == [("x.only", ["tea", "fried rice"], "changed")]
    bar.show_options(Document().with_option("x.only", ["tea", "fried rice"]), {})
    assert field.text() == "tea, fried rice"
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert len(told) == 1


def test_every_field_has_its_label_and_what_is_typed_is_told(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    options = (
        Words("Shape", "{a} -> {b}", key="x.shape"),
        WordList("Some", (), placeholder="all", key="x.some"),
        Choice("Unit", "nats", entries=ENTRIES, key="x.unit"),
        Whole("Seed", 0, high=9, key="x.seed"),
    )
    bar = OptionBar(options, window)
    captions = {
        key: [one.text() for one in w.findChildren(QLabel)] for key, w in bar.widgets.items()
    }
    assert captions == {one.key: [one.label] for one in options}
    told = []
    bar.moved.connect(lambda key, value: told.append((key, value)))
    bar.changed.connect(lambda key, value: told.append((key, value)))
    bar.show_options(Document(), {})
    shape, some = bar.fields["x.shape"], bar.fields["x.some"]
    assert shape.text() == "{a} -> {b}"
    assert shape.accessibleName() == "Shape"
    qtbot.keyClicks(shape, "!")
    qtbot.keyClicks(some, "a, b")
    qtbot.keyClick(some, Qt.Key.Key_Return)
    assert told == [("x.shape", "!{a} -> {b}"), ("x.some", ["a", "b"])]


def test_three_options_are_in_sight_and_the_others_in_the_panel(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    panel = QWidget(window)
    bar = OptionBar(OPTIONS, window, panel)
    assert list(bar.row) == ["x.unit", "x.top", "x.log"]
    assert list(bar.tools) == ["x.swap"]
    assert all(panel.isAncestorOf(one) for one in bar.others.values())
    assert not any(panel.isAncestorOf(one) for one in bar.row.values())
    own = [replace(one, in_sight=one.key in ("x.seed", "x.heat")) for one in OPTIONS]
    assert in_sight(own) == {"x.seed", "x.heat"}


def test_what_differs_from_its_default_says_so_and_is_set_back_by_a_click(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    bar = OptionBar(OPTIONS, window, QWidget(window))
    differing, edits = [], []
    bar.differing.connect(differing.append)
    bar.edited.connect(edits.append)
    document = Document("a text").with_option("x.unit", "bits").with_option("x.heat", 4.0)
    bar.show_options(document, {})
    every = {**bar.row, **bar.others}
    assert {key for key, one in every.items() if one.is_changed} == {"x.unit", "x.heat"}
    assert "Nats" in bar.row["x.unit"].dot.toolTip()
    assert differing[-1]
    bar.others["x.heat"].dot.click()
    changed = edits[-1].on(document)
    assert changed.option("x.heat") is None
    assert changed.option("x.unit") == "bits"
    bar.reset()
    changed = edits[-1].on(document)
    assert changed == Document("a text")
    bar.show_options(changed, {})
    assert not any(one.is_changed for one in every.values())
    assert not differing[-1]


def test_no_question_has_more_than_three_options_in_sight():
    for question in all_questions().values():
        said = [one.key for one in question.options if one.in_sight]
        assert len(said) <= 3, question.name
        assert len(in_sight(question.options)) <= 3, question.name
        assert all(one.label for one in question.options if one.in_bar), question.name


def test_numbers_that_belong_together_are_told_together(bar, told):
    first, other = bar.fields["x.weights"].findChildren(QDoubleSpinBox)
    assert (first.accessibleName(), other.accessibleName()) == ("Weights: one", "Weights: other")
    bar.show_options(Document().with_option("x.weights", [2.0, 3.0]), {})
    assert (first.value(), other.value()) == (2.0, 3.0)
    assert told == []
    other.setValue(4.0)
    first.setValue(5.0)
    other.setValue(1.0)
    values = [value for _, value, _ in told]
    assert values == [[2.0, 4.0], [5.0, 4.0], None]


def test_a_slider_by_ratios_stays_in_the_hand(bar, told):
    both = bar.fields["x.ratio"]
    both.slider.setValue(both.step_of(4.0))
    assert told == [("x.ratio", 4.0, "moved")]
    assert both.field.value() == 4.0
    both.slider.setSliderDown(True)
    bar.show_options(Document().with_option("x.ratio", 2.0), {})
    assert both.value() == 4.0
    both.slider.setSliderDown(False)
    bar.show_options(Document().with_option("x.ratio", 2.0), {})
    assert (both.value(), both.slider.value()) == (2.0, both.step_of(2.0))
    assert len(told) == 1


MODELS = (
    ModelName("First", "", key="y.first"),
    ModelName("Second", "", other=True, key="y.second"),
)


class Card:
    """What is asked of a loaded model."""

    def __init__(self, title):
        self.title = title


def test_a_model_is_named_or_stands_for_one_that_is_loaded(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    bar = OptionBar(MODELS, window)
    heard = []
    bar.changed.connect(lambda *told: heard.append(told))
    bar.show_options(Document(), {})
    bar.show_models({"A": Card("BERT"), "B": Card("ELECTRA")}, "B")
    first, second = (bar.fields[option.key] for option in MODELS)
    assert first.itemText(0) == "ELECTRA (loaded as B)"
    assert second.itemText(0) == "BERT (loaded as A)"
    source = next(iter(Source))
    known = (
        Checkpoint("a/bert", "BERT", source, family="bert", architecture="BertModel"),
        Checkpoint("a/other", "Something", source),
    )
    bar.show_library(known)
    assert [first.itemText(n) for n in range(first.count())][1:] == ["BERT · a/bert"]
    first.lineEdit().setText("/some/config.json")
    qtbot.keyClick(first.lineEdit(), Qt.Key.Key_Return)
    first.activated.emit(0)
    assert heard == [("y.first", "/some/config.json"), ("y.first", None)]
    bar.show_options(Document().with_option("y.second", "a/bert"), {})
    assert second.currentText() == "BERT · a/bert"


def test_an_option_is_there_only_where_it_means_something(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    page = Words("Page", "picture", key="y.page")
    length = Whole(
        "Length",
        1,
        when=lambda one: page.of(one) == "count",
        high=9,
        next_said="Longer",
        next_glyph="dice-5-outline",
        key="y.length",
    )
    bar = OptionBar((page, length), window)
    bar.show_options(Document(), {})
    assert not bar.widgets["y.length"].isVisibleTo(window)
    assert not bar.widgets["y.length.next"].isVisibleTo(window)
    bar.show_options(Document().with_option("y.page", "count"), {})
    assert bar.widgets["y.length"].isVisibleTo(window)
    assert bar.widgets["y.length.next"].isVisibleTo(window)


def test_the_settings_open_at_the_right_of_every_page_and_stay_open(engine, start, qtbot):
    offered = ("masked_tokens", "tokens", "attribution", "masking_policy")
    engine.catalogue = tuple(replace(one, operations=offered) for one in engine.catalogue)
    running = start()
    window = running.window
    running.bench.state.edit("no text", Document())
    window.view_area.bring_forward("attribution")
    view = window.view_of("attribution")
    assert view.options.panel.isHidden()
    window.view_area.frames["attribution"].findChild(QWidget, "settingsButton").click()
    qtbot.waitUntil(view.options.panel.isVisible)
    right = view.options.panel.mapTo(view, view.options.panel.rect().topRight()).x()
    assert right >= view.width() - 2
    window.view_area.bring_forward("masking_policy")
    assert window.view_of("masking_policy").options.panel.isVisible()
    assert running.bench.settings_store.settings.options_open
    window.view_of("masking_policy").options.button.click()
    assert view.options.panel.isHidden()


def test_whole_numbers_have_their_thousands_apart_in_every_field(running):
    frame = running.window.view_of("layer_similarity")
    field = frame.bar.widgets["layer_similarity.most"].findChild(QSpinBox)
    assert field.text() == "1,000"


def test_a_question_beside_a_model_to_choose_stays_in_one_line(running, qtbot):
    running.window.resize(1600, 900)
    running.window.view_area.bring_forward("architecture")
    label = running.window.view_area.frames["architecture"].header.question
    words = label.fontMetrics().horizontalAdvance(label.text())
    qtbot.waitUntil(lambda: label.isVisible() and label.width() >= words)
    assert label.heightForWidth(label.width()) < 2 * label.fontMetrics().height()


def test_models_to_choose_from_are_read_whole_beside_a_long_question(running, qtbot):
    running.window.resize(1600, 900)
    running.window.view_area.bring_forward("compare_architectures")
    frame = running.window.view_area.frames["compare_architectures"]
    pickers = frame.findChildren(CheckpointPicker)
    qtbot.waitUntil(frame.header.question.isVisible)
    longest = "DistilBERT miniature (loaded as B)"
    for one in pickers:
        words = one.fontMetrics().horizontalAdvance(longest)
        qtbot.waitUntil(lambda one=one, words=words: one.lineEdit().width() > words)


def test_fields_for_models_share_the_room_of_the_row(running, qtbot):
    running.window.resize(1366, 768)
    running.window.view_area.bring_forward("compare_architectures")
    frame = running.window.view_area.frames["compare_architectures"]
    pickers = frame.findChildren(CheckpointPicker)
    assert len(pickers) == 2
    qtbot.waitUntil(lambda: min(one.width() for one in pickers) > 200)


def test_a_model_s_name_without_room_ends_in_dots_until_it_is_typed_into(running, qtbot):
    running.window.view_area.bring_forward("architecture")
    (picker,) = running.window.view_area.frames["architecture"].findChildren(CheckpointPicker)
    line = picker.lineEdit()
    qtbot.waitUntil(line.isVisible)
    running.window.sentence.editors[0].setFocus()
    line.setText("DistilBERT miniature (loaded as B) · distilbert-miniature, and more than that")
    line.resize(120, line.height())
    assert line.shown.startswith("Distil")
    assert line.shown.endswith("…")
    assert line.fontMetrics().horizontalAdvance(line.shown) <= line.width()
    # The picture has these letters, and nothing is drawn beyond them.
    dots = line.grab().toImage()
    line.setText(line.shown)
    assert line.grab().toImage() == dots
    line.setText("DistilBERT miniature (loaded as B)")
    line.setFocus()
    assert line.shown == line.text()


def test_what_is_typed_after_a_click_is_another_model_s_name(running, qtbot):
    running.window.view_area.bring_forward("architecture")
    (picker,) = running.window.view_area.frames["architecture"].findChildren(CheckpointPicker)
    line = picker.lineEdit()
    qtbot.waitUntil(line.isVisible)
    assert line.text()
    QTest.mouseClick(line, Qt.MouseButton.LeftButton)
    assert line.selectedText() == line.text()
    QTest.keyClicks(line, "google")
    assert line.text() == "google"
    found = picker.completer().completionModel()
    assert found.rowCount() > 0
    # A second click stands where it is done, as in any field.
    QTest.mouseClick(line, Qt.MouseButton.LeftButton)
    assert not line.hasSelectedText()
    picker.completer().popup().hide()
