"""The anatomy view: its pages, what can be clicked, its sliders, its exports."""

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel

from explorer.api.family import Context, LoadOptions
from explorer.architecture.shapes import Shape
from explorer.document import Document
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.plugins.host import PluginHost
from explorer.engine.runner import Runner
from explorer.export_choices import PictureChoice
from explorer.paths import Paths
from explorer.published.literature import measures
from explorer.questions.architecture.architecture.published.scatter import points_of
from explorer.questions.architecture.architecture.question import (
    CHECKPOINT,
    FIRST,
    QUESTION,
    ArchitectureRequest,
)
from explorer.questions.architecture.architecture.what_if.changes import (
    NOTES,
)
from explorer.questions.architecture.architecture.what_if.options import CHANGES
from explorer.questions.architecture.architecture.what_if.parts import outcomes
from explorer.text.formatting.numbers import significant
from explorer.text.pseudo import OPENING
from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.sliders import Sliders
from explorer.ui.blocks.tables.rows_block import SORTED
from explorer.ui.export.files import image_of, picture_of
from explorer.ui.model_picture.painting import paint_shape
from explorer.ui.theme.schemes import theme_of
from tests.ui.pages import choose, kind_of, spot, words_on
from tests.ui.painted_texts import Recording

PATHS = Paths.standard()
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    host = PluginHost(PATHS.bundled_plugins, entry_points=False)
    made = Runner(
        host, Catalogue(host, PATHS.bundled_models, tmp_path_factory.mktemp("hub"), offline=True)
    )
    made.load("A", "bert-miniature", LoadOptions(device="cpu"), Context())
    return made


@pytest.fixture
def view(qtbot, runner):
    """Keeps its own document, as the window would."""
    made = kind_of("architecture")()
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.documents = [Document()]

    def change(key, value):
        made.documents.append(made.documents[-1].with_option(key, value))
        made.set_document(made.documents[-1])

    def edit(wanted):
        made.documents.append(wanted.on(made.documents[-1]))
        made.set_document(made.documents[-1])

    made.option_changed.connect(change)
    made.option_moved.connect(change)
    made.edit_requested.connect(edit)
    made.change = change
    return made


def show(view, runner, request=None):
    document = view.documents[-1]
    request = request or view.request_of(document)
    view.show_result(runner.ask(request, {}, Context()), document)


def page_at(view, width=860.0):
    return page_of(list(view.declared.blocks(view.shown())), width)


def spots(view, kind):
    return [spot.key for spot in page_at(view).spots if spot.key and spot.key[0] == kind]


def keyed(view, key):
    return [spot for spot in page_at(view).spots if spot.key == key]


def words_of(view):
    return [spot.words for spot in page_at(view).spots]


def panel_of(view):
    (panel,) = view.page.findChildren(Sliders)
    return panel


def test_it_asks_without_a_sentence_and_without_a_model(view, runner):
    assert view.request_of(Document("")) == ArchitectureRequest(FIRST)
    view.set_models(runner.cards, "A")
    assert view.request_of(Document("")) == ArchitectureRequest()
    chosen = Document().with_option("architecture.checkpoint", "gpt3-175b")
    assert view.request_of(chosen) == ArchitectureRequest("gpt3-175b")
    assert QUESTION.cast(runner.cards, "A", chosen) == {}
    named = chosen.with_option("architecture.checkpoint", "bert-miniature")
    for active in ("A", "B"):
        assert QUESTION.cast(runner.cards, active, named) == {"model": "A"}


def test_numbers_are_asked_for_only_where_there_are_any(view, runner):
    opened = Document().with_option("architecture.part", "bert.pooler")
    assert view.request_of(opened).part == ""
    view.set_models(runner.cards, "A")
    assert view.request_of(opened).part == "bert.pooler"
    other = opened.with_option("architecture.checkpoint", "gpt3-175b")
    assert view.request_of(other).part == ""


def test_a_click_on_the_picture_opens_a_part(view, runner, qtbot):
    show(view, runner)
    view.show()
    qtbot.waitExposed(view)
    keys = spots(view, "part")
    attention = "bert.encoder.layer.*.attention"
    assert ("part", attention) in keys
    place = spot(view, ("part", attention)).box.center().toPoint()
    qtbot.mouseClick(view.page, LEFT, pos=place)
    assert view.documents[-1].option("architecture.part") == attention
    place = spot(view, ("part", attention)).box.center().toPoint()
    qtbot.mouseClick(view.page, LEFT, pos=place)
    assert view.documents[-1].option("architecture.part") is None


def test_the_keyboard_reaches_every_part(view, runner, qtbot):
    show(view, runner)
    view.show()
    qtbot.waitExposed(view)
    view.page.setFocus()
    qtbot.keyClick(view.page, Qt.Key.Key_Down)
    assert "parameters." in view.page.accessibleDescription()
    qtbot.keyClick(view.page, Qt.Key.Key_Right)
    qtbot.keyClick(view.page, Qt.Key.Key_Return)
    assert view.documents[-1].option("architecture.part")
    assert view.page.accessibleDescription()


def test_a_loaded_part_shows_its_numbers(view, runner):
    view.set_models(runner.cards, "A")
    view.change("architecture.part", "bert.pooler")
    request = view.request_of(view.documents[-1])
    view.show_result(runner.ask(request, {"model": "A"}, Context()), view.documents[-1])
    table = view.table()
    assert table.columns[:4] == ("tensor", "shape", "dtype", "mean")
    assert [row[0] for row in table.rows] == ["bert.pooler.dense.weight", "bert.pooler.dense.bias"]
    assert any("bert.pooler.dense.weight" in words for words in words_of(view))
    numbers = next(n for n in page_at(view).nodes if n.name == "Numbers" and n.spots)
    said = [row.said for row in numbers.spots if row.cells]
    weight = view.result.statistics[0]
    mean, std = significant(weight.mean, 4), significant(weight.std, 4)
    assert said[0].startswith(f"dense.weight, mean {mean}, std {std}")
    assert "128 × 128, float32" in said[0]


def test_the_count_opens_row_by_row(view, runner):
    show(view, runner)
    view.change("architecture.page", "count")
    before = spots(view, "row")
    assert ("row", "bert.encoder.layer.*.attention") in before
    assert ("row", "bert.encoder.layer.*.attention.self") not in before
    choose(view, ("row", "bert.encoder.layer.*.attention"))
    assert ("row", "bert.encoder.layer.*.attention.self") in spots(view, "row")
    assert len(view.documents) == 3
    assert view.documents[-1].option("architecture.part") == "bert.encoder.layer.*.attention"
    choose(view, ("row", "bert.encoder.layer.*.attention"))
    assert ("row", "bert.encoder.layer.*.attention.self") not in spots(view, "row")


def test_everything_can_be_closed(view, runner):
    show(view, runner)
    view.change("architecture.page", "count")
    for key in spots(view, "row"):
        if key in spots(view, "row") and key[1] in ("bert", "cls"):
            choose(view, key)
    assert ("row", "bert.encoder") not in spots(view, "row")


def test_tables_are_sorted_by_their_heads(view, runner):
    show(view, runner)
    view.change("architecture.page", "published")
    key = ("sort", "architecture.albert-against-bert", "parameters")
    assert key in spots(view, "sort")
    choose(view, key)
    assert SORTED.of(view.documents[-1]) == {key[1]: "-parameters"}
    choose(view, key)
    assert SORTED.of(view.documents[-1]) == {key[1]: "parameters"}
    choose(view, ("measure", "RACE"))
    assert any("RACE 82.3" in words for words in words_of(view))
    rows = view.table().rows
    assert ("BERT base", "RACE", 68.2, None, None, "Lan et al. 2020, table 2",
            "ALBERT against BERT") in rows  # fmt: skip


def test_another_model_ends_the_notes_example(view, runner):
    # As older documents have it: the example, and no model chosen.
    view.change("architecture.page", "what_if")
    view.change("architecture.what_if", {"base": "notes", "embedding_size": 64})
    for chosen, counted in (("", NOTES), (NOTES, NOTES), ("gpt3-175b", "gpt3-175b")):
        view.change(CHECKPOINT.key, chosen)
        request = view.request_of(view.documents[-1])
        assert (request.checkpoint, bool(request.sizes)) == (counted, counted == NOTES)
        assert view.bar.fields[CHECKPOINT.key].currentText() == counted


def test_the_notes_example_is_one_click_away(view, runner):
    show(view, runner)
    view.change("architecture.page", "what_if")
    assert view.bar.fields[CHECKPOINT.key].currentText() == ""
    choose(view, "notes")
    show(view, runner)
    assert view.bar.fields[CHECKPOINT.key].currentText() == view.result.model.id == NOTES
    before, after = outcomes(view.result)
    assert (before.blueprint.vocabulary, before.blueprint.embedding_size) == (30_000, 768)
    assert after.blueprint.embedding_size == 64
    rows = {row[0]: row[1:] for row in view.table().rows}
    assert rows["parameters"] == (before.parameters.unique, after.parameters.unique)
    assert before.parameters.unique > after.parameters.unique
    choose(view, "reset")
    assert view.documents[-1].option("architecture.what_if") == {"base": "notes"}
    choose(view, "model")
    assert view.documents[-1].option("architecture.what_if") is None
    assert view.bar.fields[CHECKPOINT.key].currentText() == ""
    show(view, runner)
    assert outcomes(view.result)[0] == outcomes(view.result)[1]


def test_a_slider_changes_the_numbers_at_once(view, runner):
    show(view, runner)
    view.change("architecture.page", "what_if")
    panel_of(view).sliders["layers"].field.setValue(24)
    show(view, runner)
    before, after = outcomes(view.result)
    assert after.parameters.backbone == 2 * before.parameters.backbone
    vocabulary = panel_of(view).sliders["vocabulary"]
    vocabulary.slider.setValue(vocabulary.step_of(60_000))
    assert vocabulary.value() == vocabulary.value_at(vocabulary.step_of(60_000))
    show(view, runner)
    assert outcomes(view.result)[1].blueprint.layers == 24
    choose(view, ("sharing", "all"))
    show(view, runner)
    assert outcomes(view.result)[1].blueprint.feed_forward_sets == 1


def test_what_was_changed_is_the_documents_and_comes_back_with_it(view, runner):
    show(view, runner)
    view.change("architecture.page", "what_if")
    layers = panel_of(view).sliders["layers"]
    as_it_is = layers.value()
    layers.field.setValue(24)
    choose(view, ("sharing", "all"))
    changed = view.documents[-1]
    assert CHANGES.of(changed) == {"layers": 24, "sharing": "all"}
    view.set_document(view.documents[-3])
    assert layers.value() == as_it_is
    assert spot(view, ("sharing", "none")).spoken == "No layer shares, chosen"
    view.set_document(changed)
    assert layers.value() == 24
    assert spot(view, ("sharing", "all")).spoken == "Layers share everything, chosen"


def test_numbers_that_make_no_model_are_told_and_can_be_moved_on(view, runner):
    view.change("architecture.page", "what_if")
    view.change("architecture.what_if", {"hidden_size": 770})
    show(view, runner)
    assert view.result.changed is None
    assert panel_of(view).sliders["hidden_size"].field.value() == 770
    assert panel_of(view).sliders["hidden_size"].field.isEnabled()
    assert "12 heads" in view.result.refused
    told = page_at(view).height
    view.change("architecture.what_if", {})
    show(view, runner)
    assert told > page_at(view).height


def test_what_a_family_does_not_take_cannot_be_moved(view, runner):
    view.change("architecture.page", "what_if")
    view.change("architecture.checkpoint", "openai-community/openai-gpt")
    show(view, runner)
    enabled = {name for name, one in panel_of(view).sliders.items() if one.isEnabled()}
    assert enabled == {"vocabulary", "hidden_size", "layers", "heads"}


@pytest.mark.parametrize("page", ["picture", "count", "published", "what_if"])
@pytest.mark.parametrize("width", [420.0, 912.0])
def test_every_page_is_a_picture(view, runner, page, width):
    view.change("architecture.page", page)
    view.change("architecture.checkpoint", "google/electra-base-discriminator")
    show(view, runner)
    for scheme in ("light", "dark"):
        figure = view.figure(width, theme_of(scheme))
        assert figure.width == width
        image = QImage(int(width), int(figure.height), QImage.Format.Format_ARGB32)
        image.fill(theme_of(scheme).surface)
        painter = QPainter(image)
        figure.paint(painter)
        painter.end()
        ground = theme_of(scheme).surface.rgb()
        drawn = [
            (x, y)
            for x in range(0, image.width(), 7)
            for y in range(0, image.height(), 7)
            if image.pixel(x, y) != ground
        ]
        assert len(drawn) > 100
    choice = PictureChoice("svg")
    assert not image_of(view, choice).isNull()
    assert b"<svg" in picture_of(view, choice).written(choice)


def test_any_checkpoint_can_be_chosen_or_typed(view, runner, qtbot):
    view.set_models(runner.cards, "A")
    rows = Catalogue(runner._host, PATHS.bundled_models, PATHS.bundled_models, offline=True).list()
    view.set_library(rows)
    picker = view.bar.fields[CHECKPOINT.key]
    texts = [picker.itemText(i) for i in range(picker.count())]
    assert texts[0] == "BERT miniature (loaded)"
    assert any("gpt3-175b" in text for text in texts)
    picker.lineEdit().setText("openai-community/gpt2")
    qtbot.keyClick(picker.lineEdit(), Qt.Key.Key_Return)
    assert view.documents[-1].option("architecture.checkpoint") == "openai-community/gpt2"
    picker.setCurrentIndex(0)
    picker.activated.emit(0)
    assert view.documents[-1].option("architecture.checkpoint") is None


def test_nothing_under_the_mouse_is_no_click(view, runner, qtbot):
    show(view, runner)
    view.show()
    qtbot.waitExposed(view)
    qtbot.mouseClick(view.page, LEFT, pos=QPoint(1, 1))
    assert len(view.documents) == 1


def test_the_wheel_scrolls_the_page_and_changes_no_number(view, runner, qtbot):
    view.show()
    qtbot.waitExposed(view)
    view.change("architecture.page", "what_if")
    show(view, runner)
    panel = panel_of(view)

    def turn(widget):
        middle = QPointF(widget.rect().center())
        QApplication.sendEvent(
            widget,
            QWheelEvent(
                middle, widget.mapToGlobal(middle), QPoint(), QPoint(0, 120),
                Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
                Qt.ScrollPhase.NoScrollPhase, False,
            ),
        )  # fmt: skip

    for widget in (panel.sliders["layers"].slider, panel.sliders["layers"].field):
        turn(widget)
        assert view.documents[-1].option("architecture.what_if") is None
    view.activateWindow()
    panel.sliders["layers"].field.setFocus()
    qtbot.waitUntil(panel.sliders["layers"].field.hasFocus)
    turn(panel.sliders["layers"].field)
    layers = view.result.blueprint.layers
    assert view.documents[-1].option("architecture.what_if") == {"layers": layers + 1}


@pytest.mark.parametrize("width", [420, 1100])
def test_every_number_can_be_reached_at_every_width(view, runner, width, qtbot):
    view.resize(width, 700)
    view.show()
    qtbot.waitExposed(view)
    view.change("architecture.page", "what_if")
    show(view, runner)
    panel = panel_of(view)
    numbers = panel.sliders.values()
    controls = [one.slider for one in numbers] + [one.field for one in numbers]
    boxes = [QRect(one.mapTo(panel, QPoint()), one.size()) for one in controls]
    assert all(panel.rect().contains(box) for box in boxes)
    for i, one in enumerate(boxes):
        assert not any(one.intersects(other) for other in boxes[i + 1 :])


def test_every_page_begins_at_its_top(view, runner, qtbot):
    """Count and What if kept how far the page before was scrolled."""
    view.show()
    show(view, runner)
    bar = view.area.verticalScrollBar()
    view.change("architecture.page", "published")
    qtbot.waitUntil(lambda: bar.maximum() > 300)
    bar.setValue(300)
    view.change("architecture.score", "SQuAD 1.1 F1")
    assert bar.value() == 300, "another measure of the same page leaves it"
    view.change("architecture.page", "count")
    assert bar.value() == 0


def test_the_lecture_is_not_spoken_of_as_if_everybody_had_it(view, runner, qtbot):
    show(view, runner)
    view.change("architecture.page", "published")
    said = " ".join(one.name for one in page_at(view).nodes)
    assert "Common mistakes, and what the papers say" in said
    assert "notes" not in said.lower()
    view.change("architecture.page", "what_if")
    assert spot(view, "notes").spoken == "Example: BERT base, embeddings 64 wide"
    assert not keyed(view, "model"), "there is nothing to go back to"
    choose(view, "notes")
    show(view, runner)
    assert not keyed(view, "notes")
    assert spot(view, "model").spoken == "Start from the loaded model"


def test_every_point_of_the_plot_has_its_models_name():
    for measure in measures():
        for point in points_of(measure):
            assert "BERT" in point.words, point.words


def test_what_a_model_reads_are_tokens_on_every_page(view, runner):
    show(view, runner)
    for page in ("picture", "count", "what_if"):
        view.change("architecture.page", page)
        said = " ".join(one.name for one in page_at(view).nodes)
        spots = " ".join(one.words for one in page_at(view).spots)
        assert "piece" not in f"{said} {spots}".lower(), page


def test_the_words_beside_numbers_to_change_are_translated(view, runner, speak):
    speak("en_XA")
    view.change("architecture.page", "what_if")
    show(view, runner)
    panel = panel_of(view)
    words = [one.text() for one in panel.findChildren(QLabel)]
    words += [one.spoken for one in page_at(view).spots if one.key and one.key[0] == "sharing"]
    words += [one.toolTip() for one in panel.sliders.values()]
    assert len(words) == 16
    assert all(one.startswith(OPENING) for one in words), words


def test_words_that_fit_in_two_lines_stay_inside_of_their_shape(qapp):
    """What the heads' matrix is lay behind the head beside it."""
    theme, box = theme_of("light"), QRectF(40, 10, 162, 40)
    shape = Shape("matrix", "the token embeddings", low=128, high=1600)
    image = QImage(400, 60, QImage.Format.Format_RGB32)
    painter = Recording(image)
    paint_shape(painter, theme, shape, box, {128: 93.0, 1600: 162.0, 0: 0.0}.__getitem__)
    painter.end()
    assert [text for _box, text in painter.texts] == ["the token", "embeddings"]
    assert all(box.contains(place) for place, _text in painter.texts)


def test_a_model_that_reads_no_text_is_counted_without_tokens_or_heads(view, runner):
    view.change("architecture.checkpoint", "kagnet-miniature")
    show(view, runner)
    words = words_on(view)
    assert "2 layers × 25 wide · 130,262 parameters" in words
    assert "The picture is one of transformers, and this model is none" in words
    view.change("architecture.page", "count")
    page = page_at(view)
    words = " ".join(
        [words_on(view)]
        + [one.said or one.words for one in page.spots]
        + [one.name for one in page.nodes]
    )
    assert "lstm" in words
    assert "521 kB" in words, "four bytes a parameter"
    for one in ("Attentions of all heads", "Multiply-adds", "tokens", "every token with"):
        assert one not in words, one
    view.change("architecture.page", "what_if")
    assert "config says no sizes that could be changed" in words_on(view)
    assert not view.page.findChildren(Sliders)
