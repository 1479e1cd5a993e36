"""A page is open twice: of the other model, of a text that is held, with settings of its own."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QPushButton, QToolButton

from explorer.export_choices import PictureChoice
from explorer.settings import PageLayout
from explorer.ui.blocks.block import page_of
from explorer.ui.document.gestures import quoted, toggle_mask
from explorer.ui.document.second_page import SecondPage, open_twice, second_name
from explorer.ui.export.files import picture_of
from explorer.ui.export.picture_dialog import PictureDialog
from explorer.ui.export.reading import read
from explorer.ui.saved_documents.file import read_document
from explorer.ui.sheet.entry import SheetEntry
from explorer.ui.views.frame.view_frame import FrameState
from explorer.ui.window.pages.page_layout import arrange, layout_of
from explorer.ui.window.pages.second_pages import HELD_TEXT, OTHER_MODEL, OWN_SETTINGS
from tests.ui.fake_engine import CACHED
from tests.ui.window.test_language import speak

PAGE = "masked_tokens"
SECOND = second_name(PAGE)


@pytest.fixture
def both(running, qtbot):
    """A window with two models."""
    running.bench.actions.load(CACHED, "B")
    qtbot.waitUntil(lambda: len(running.bench.models.cards) == 2)
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    return running


def settle(running, qtbot):
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)


def open_second(running, qtbot, way=OTHER_MODEL):
    running.window.menus.action(f"twice_{way}").trigger()
    qtbot.waitUntil(lambda: running.window.view_area.is_seen(SECOND))
    settle(running, qtbot)
    return running.window.view_of(SECOND)


def choose(running, entry):
    """Choose something in the second page's chip."""
    chip = running.window.view_area.frames[SECOND].header.chip
    chip.menu().aboutToShow.emit()
    action = next(one for one in chip.menu().actions() if one.objectName() == f"second_{entry}")
    action.trigger()


def test_one_gesture_opens_a_page_twice_and_one_step_takes_it_back(both, qtbot):
    state, area = both.bench.state, both.window.view_area
    open_second(both, qtbot)
    assert area.opened == [PAGE, SECOND]
    assert open_twice(state.document) == [PAGE]
    places = [area.place_of(one).mapTo(area, area.rect().topLeft()).x() for one in (PAGE, SECOND)]
    assert places[0] < places[1]
    assert area.current.question == SECOND
    state.stack.undo()
    assert area.opened == [PAGE]
    state.stack.redo()
    qtbot.waitUntil(lambda: area.is_seen(SECOND))


def test_the_second_one_asks_the_other_model_and_the_log_says_so(both, qtbot):
    first, second = both.window.view_of(PAGE), open_second(both, qtbot)
    cards = both.bench.models.cards
    assert first.result.model == cards["A"].stamp
    assert second.result.model == cards["B"].stamp
    assert second.document == first.document == SecondPage().seen(second.document, second.of)
    both.bench.models.set_active("B")
    settle(both, qtbot)
    assert first.result.model == cards["B"].stamp
    assert second.result.model == cards["A"].stamp


def test_both_say_whose_answer_they_are(both, qtbot):
    open_second(both, qtbot)
    frames, cards = both.window.view_area.frames, both.bench.models.cards
    said = [frames[one].header.chip.accessibleName() for one in (PAGE, SECOND)]
    assert said == [f"{slot} · {cards[slot].title}" for slot in "AB"]
    assert frames[SECOND].accessibleName().endswith(said[1])
    both.bench.state.stack.undo()
    assert frames[PAGE].header.chip.isHidden()
    assert frames[PAGE].accessibleName() == both.window.view_of(PAGE).title


def test_a_text_that_is_held_stays_and_is_exchanged(both, qtbot):
    second = open_second(both, qtbot, HELD_TEXT)
    frames = both.window.view_area.frames
    said = [frames[one].header.chip.accessibleName() for one in (PAGE, SECOND)]
    assert said == ["", quoted(both.bench.state.document.text)]
    assert both.bench.state.document.text in frames[SECOND].header.chip.toolTip()
    state, held = both.bench.state, both.bench.state.document
    state.edit("soup", held.with_text("another soup").with_mask(0, 7))
    settle(both, qtbot)
    assert both.window.view_of(PAGE).document.text == "another soup"
    assert second.document.text == held.text
    assert second.result.model == both.window.view_of(PAGE).result.model
    choose(both, "exchange")
    settle(both, qtbot)
    assert (state.document.text, second.document.text) == (held.text, "another soup")
    choose(both, HELD_TEXT)
    settle(both, qtbot)
    assert second.document.text == held.text


def test_a_gesture_on_it_changes_the_text_that_it_holds(both, qtbot):
    second = open_second(both, qtbot, HELD_TEXT)
    masks = both.bench.state.document.masks
    assert masks
    second.edit_requested.emit(toggle_mask(second.document, masks[0]))
    settle(both, qtbot)
    assert both.bench.state.document.masks == masks
    assert SecondPage.of(both.bench.state.document, PAGE).held.masks == masks[1:]


def test_settings_of_its_own_leave_those_of_the_first_one(both, qtbot):
    second = open_second(both, qtbot, OWN_SETTINGS)
    second.option_changed.emit("top_k", 5)
    settle(both, qtbot)
    assert len(second.result.masks[0].predictions) == 5
    assert len(both.window.view_of(PAGE).result.masks[0].predictions) == 10
    choose(both, OWN_SETTINGS)
    settle(both, qtbot)
    second.option_changed.emit("top_k", 20)
    assert both.bench.state.document.top_k == 20


def test_the_button_in_the_header_offers_it_and_closing_is_a_step(both, qtbot):
    area = both.window.view_area
    menu = area.place_of(PAGE).bar.findChild(QMenu, "beside_menu")
    menu.aboutToShow.emit()
    next(one for one in menu.actions() if one.objectName() == "twice_other_model").trigger()
    qtbot.waitUntil(lambda: area.is_seen(SECOND))
    QTest.mouseClick(area.place_of(SECOND).bar.close_button, Qt.MouseButton.LeftButton)
    assert area.opened == [PAGE]
    assert open_twice(both.bench.state.document) == []
    both.bench.state.stack.undo()
    qtbot.waitUntil(lambda: area.is_seen(SECOND))


def test_the_next_start_and_a_reset_know_of_it(both, qtbot):
    area = both.window.view_area
    open_second(both, qtbot)
    layout = layout_of(area)
    assert layout.columns[-1] == (SECOND,)
    arrange(area, PageLayout(PAGE))
    assert area.opened == [PAGE, SECOND]
    arrange(area, layout)
    assert area.opened == [PAGE, SECOND]
    both.window.reset_layout()
    assert area.opened == ["overview"]
    assert open_twice(both.bench.state.document) == []


def test_a_document_has_it_with_its_pin(both, tmp_path, qtbot):
    window, state = both.window, both.bench.state
    open_second(both, qtbot, HELD_TEXT).pin()
    path, held = tmp_path / "mine.plm", state.document
    with qtbot.waitSignal(window.documents.written):
        window.documents.save_in(path)
    window.documents.let_go()
    assert [one.operation for one in read_document(path).pins] == [SECOND]
    window.view_of(SECOND).unpin()
    window.second_pages.close(SECOND)
    with qtbot.waitSignal(window.documents.changed):
        window.documents.open(path)
    qtbot.waitUntil(lambda: window.view_area.is_seen(SECOND))
    settle(both, qtbot)
    assert state.document == held
    assert window.view_of(SECOND).baseline is not None
    assert window.view_of(PAGE).baseline is None


def test_it_stays_in_another_language(both, qtbot):
    second = open_second(both, qtbot)
    result = second.result
    window = speak(both, qtbot, "ko")
    assert window.view_area.opened == [PAGE, SECOND]
    assert window.view_of(SECOND) is not second
    assert window.view_of(SECOND).result == result
    window.view_of(SECOND).option_changed.emit("top_k", 5)
    settle(both, qtbot)
    assert len(window.view_of(SECOND).result.masks[0].predictions) == 5
    both.bench.state.stack.undo()
    both.bench.state.stack.undo()
    assert window.view_area.opened == [PAGE]


@pytest.mark.parametrize("page", ["soft_targets", "train_tokenizer"])
def test_a_page_of_two_models_or_of_none_is_opened_with_settings_of_its_own(both, page):
    both.window.view_area.bring_forward(page)
    both.window.menus.action("twice_other_model").trigger()
    second = SecondPage.of(both.bench.state.document, page)
    assert second.settings is not None
    assert not second.other_model
    chip = both.window.view_area.frames[second_name(page)].header.chip
    assert chip.accessibleName() == "settings of its own"


def test_where_there_is_little_room_a_copy_says_what_it_is_of(both, qtbot):
    window = both.window
    window.view_area.bring_forward("attribution")
    window.menus.action("twice_other_model").trigger()
    first, second = (
        window.view_area.frames[one] for one in ("attribution", second_name("attribution"))
    )
    title = both.bench.models.cards["B"].title
    window.resize(1600, 900)
    qtbot.waitUntil(lambda: second.header.chip.text() == f"B · {title}")
    settings = [
        one.tools.findChild(QToolButton, "settingsButton") for one in (first.header, second.header)
    ]
    assert [one.text() for one in settings] == ["Settings", "Settings"]
    assert first.header.chip.isVisible()
    window.resize(1024, 700)
    # Words of tools that have icons go first, and the title, which is that of the page beside it.
    qtbot.waitUntil(lambda: second.header.width() < 400)
    assert second.header.title.isHidden()
    assert [one.text() for one in settings] == ["", ""]
    assert second.header.chip.text().startswith("B · ")
    assert len(second.header.chip.text()) > 8
    texts = second.header.chip.fontMetrics()
    assert second.header.chip.width() > texts.horizontalAdvance(second.header.chip.text())
    window.resize(1600, 900)
    qtbot.waitUntil(lambda: second.header.chip.text() == f"B · {title}")
    assert second.header.title.isVisible()
    assert [one.text() for one in settings] == ["Settings", "Settings"]


def test_a_file_of_sentences_is_asked_of_the_other_model_as_well(both):
    both.window.view_area.bring_forward("file_of_sentences")
    both.window.menus.action("twice_other_model").trigger()
    chip = both.window.view_area.frames[second_name("file_of_sentences")].header.chip
    assert chip.accessibleName() == f"B · {both.bench.models.cards['B'].title}"


def test_the_overview_is_open_once(both):
    both.window.view_area.bring_forward("overview")
    before = both.bench.state.document
    both.window.menus.action("twice_other_model").trigger()
    assert both.bench.state.document == before


def test_both_have_one_scale_until_one_is_closed(both, qtbot):
    def bars(view):
        return [one.axis.top for page in view.page.page.axes for one in [page]]

    first, second = both.window.view_of(PAGE), open_second(both, qtbot, HELD_TEXT)
    alone = bars(first)
    larger = replace(first.result, masks=tuple(map(surer, first.result.masks)))
    second.show_result(larger, second.document)
    assert bars(first) == bars(second)
    assert bars(first) > alone
    both.window.second_pages.close(SECOND)
    assert bars(first) == alone


def test_pictures_of_both_have_one_scale_and_one_picture_has_both(both, qtbot):
    def bars(view):
        blocks = view.declared.alone(view.shown(beside=True))
        return [one.axis.top for one in page_of(blocks, 700.0).axes]

    first, second = both.window.view_of(PAGE), open_second(both, qtbot, HELD_TEXT)
    larger = replace(first.result, masks=tuple(map(surer, first.result.masks)))
    second.show_result(larger, second.document)
    assert bars(first)
    assert bars(first) == bars(second)
    # An entry of the comparison sheet keeps the scale that it had.
    entry = SheetEntry.of(first)
    titles = first.shown(beside=True).twin.titles
    choice = PictureChoice("png", "columns", title=False, both=True)
    made = picture_of(first, choice)
    said = [one.text for one in read(made.figure)]
    single = [one.text for one in read(picture_of(first, replace(choice, both=False)).figure)]
    heads = [one for one in read(made.figure) if one.text in titles]
    assert [one.text for one in heads] == list(titles)
    assert heads[0].box.top() == heads[1].box.top()
    assert heads[0].box.right() < heads[1].box.left()
    for word in (one.predictions[0].token for one in first.result.masks):
        assert said.count(word) == 2 * single.count(word) > 0
    assert all(f"{title}: " in made.caption for title in titles)
    assert all(f"{title}: " in made.words for title in titles)
    # In a column of a journal they stand below each other.
    narrow = picture_of(first, replace(choice, size="column"))
    heads = [one.box for one in read(narrow.figure) if one.text in titles]
    assert heads[0].left() == heads[1].left()
    assert heads[0].bottom() < heads[1].top()
    both.window.second_pages.close(SECOND)
    assert bars(first) < bars(second)
    assert entry.shown.twin.titles == titles
    assert read(picture_of(first, choice).figure) == read(
        picture_of(first, replace(choice, both=False)).figure
    )


def test_the_dialog_offers_both_where_two_stand_beside_each_other(both, qtbot):
    second = open_second(both, qtbot, HELD_TEXT)

    def dialog(view):
        made = PictureDialog(view, PictureChoice(both=True))
        qtbot.addWidget(made)
        return made

    made = dialog(second)
    assert made.switches["both"].isVisibleTo(made)
    assert made.choice.both
    both.window.second_pages.close(SECOND)
    made = dialog(both.window.view_of(PAGE))
    assert not made.switches["both"].isVisibleTo(made)


def surer(mask):
    """A mask whose likeliest word is all but sure."""
    one, *others = mask.predictions
    return replace(mask, predictions=(replace(one, probability=0.99), *others))


def test_it_has_a_place_of_its_own_also_where_it_is_alone(both, qtbot):
    area = both.window.view_area
    open_second(both, qtbot)
    area.close_page(PAGE)
    for _turn in range(2):
        area.turn_floating(SECOND)
    area.bring_forward("tokens")
    qtbot.waitUntil(lambda: area.is_seen("tokens"))
    assert area.opened == ["tokens", SECOND]


def test_without_a_second_model_it_offers_to_load_one(running, qtbot):
    area = running.window.view_area
    running.window.menus.action(f"twice_{OTHER_MODEL}").trigger()
    frame = area.frames[SECOND]
    qtbot.waitUntil(lambda: frame.state is FrameState.EMPTY)
    assert frame.header.chip.accessibleName() == "B · no model"
    offered = [one.text() for one in frame.empty_page.findChildren(QPushButton) if one.isVisible()]
    assert not [one for one in offered if "which is loaded as A" in one]
    assert f"Load {CACHED.title}" in offered
