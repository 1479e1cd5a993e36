import dataclasses

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox, QPushButton

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.api.question import Blame, Failure
from explorer.engine.messages import Download, Inspect, LoadModel
from explorer.ui.library.panel.tree import CHECKPOINT, STATE
from tests.ui.fake_engine import CACHED, DAMAGED, HUB, MINIATURE, PICKLED


@pytest.fixture
def running(running, qtbot):
    """The program with its library open."""
    QTest.keyClick(running.window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(running.window.library.isVisible)
    return running


def rows(library):
    """Group titles, and ids under them, as the tree shows them."""
    model = library.tree.model()
    found = {}
    for row in range(model.rowCount()):
        group = model.index(row, 0)
        found[group.data()] = [
            model.index(i, 0, group).data(CHECKPOINT).id for i in range(model.rowCount(group))
        ]
    return found


def index_of(library, checkpoint_id):
    return library.tree.model().mapFromSource(library._model.index_of(checkpoint_id))


def state_of(library, checkpoint_id):
    return index_of(library, checkpoint_id).data(STATE)


def text_of(library):
    return library.details.toPlainText()


def test_checkpoints_are_grouped_by_where_they_are(running):
    assert rows(running.window.library) == {
        "Loaded": [MINIATURE.id],
        "Opened folders": [PICKLED.id, DAMAGED.id],
        "On this computer": [CACHED.id],
        "To download": [HUB.id],
    }


def test_the_filter_keeps_rows_with_every_word_in_any_order(running, qtbot):
    library = running.window.library
    qtbot.keyClicks(library.filter_box, "uncased BASE")
    assert rows(library) == {"On this computer": [CACHED.id]}
    library.filter_box.setText("nonsense")
    assert rows(library) == {}
    assert library.empty.text() == "No model matches “nonsense”."
    library.filter_box.clear()
    assert len(rows(library)) == 4


def test_the_keys_that_load_take_what_the_filter_found(running, qtbot):
    library = running.window.library
    assert library.chosen.id == MINIATURE.id
    qtbot.keyClicks(library.filter_box, "uncased base")
    assert library.chosen.id == CACHED.id
    assert text_of(library).startswith(CACHED.title)
    qtbot.keyClick(
        library.filter_box,
        Qt.Key.Key_B,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    qtbot.waitUntil(lambda: running.bench.models.slots_of(CACHED.id) == ("B",))
    assert running.bench.models.slots_of(MINIATURE.id) == ("A",)


def test_what_was_found_first_is_chosen_though_the_one_before_is_listed_too(running, qtbot):
    library = running.window.library
    library.choose(CACHED.id)
    qtbot.keyClicks(library.filter_box, "bert")
    assert rows(library)["Loaded"] == [MINIATURE.id]
    assert CACHED.id in rows(library)["On this computer"]
    assert library.chosen.id == MINIATURE.id


def test_a_name_that_begins_as_was_typed_is_chosen_before_one_that_only_has_it(
    running, engine, qtbot
):
    library = running.window.library
    other = dataclasses.replace(MINIATURE, id="a-miniature", title="A " + MINIATURE.title)
    engine.catalogue = (other, *engine.catalogue)
    running.bench.checkpoints.refresh()
    qtbot.waitUntil(lambda: rows(library).get("Bundled") == [other.id])
    running.bench.models.unload("A")
    qtbot.waitUntil(lambda: rows(library)["Bundled"] == [other.id, MINIATURE.id])
    qtbot.keyClicks(library.filter_box, MINIATURE.title.lower())
    assert library.chosen.id == MINIATURE.id


def test_what_the_filter_chose_is_in_sight(running, engine, qtbot):
    library = running.window.library
    many = [dataclasses.replace(MINIATURE, id=f"m{n}", title=f"m{n}") for n in range(60)]
    engine.catalogue = (*engine.catalogue, *many)
    running.bench.checkpoints.refresh()
    qtbot.waitUntil(lambda: len(rows(library).get("Bundled", ())) == 60)
    library.choose("m55")
    assert library.tree.verticalScrollBar().value() > 0
    qtbot.keyClicks(library.filter_box, "m")
    chosen = index_of(library, library.chosen.id)
    seen = library.tree.viewport().rect()
    assert seen.contains(library.tree.visualRect(chosen))
    assert library.tree.verticalScrollBar().value() == 0


def test_tab_goes_through_the_buttons_as_they_stand(running, qtbot):
    library = running.window.library
    buttons = (
        library.load_pair,
        library.with_teacher,
        library.load_a,
        library.load_b,
        library.more,
    )
    at, met = library.details, []
    for _ in range(30):
        at = at.nextInFocusChain()
        met.append(at)
    places = [met.index(button) for button in buttons]
    assert places == sorted(places)


def test_down_goes_from_the_filter_into_the_rows(running, qtbot):
    library = running.window.library
    qtbot.keyClicks(library.filter_box, "uncased base")
    qtbot.keyClick(library.filter_box, Qt.Key.Key_Down)
    assert library.tree.hasFocus()
    assert library.tree.currentIndex().data(CHECKPOINT).id == CACHED.id
    qtbot.keyClick(library.tree, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: running.bench.models.slots_of(CACHED.id) == ("A",))


def test_enter_in_the_filter_loads_what_was_found(running, qtbot):
    library, models = running.window.library, running.bench.models
    qtbot.keyClicks(library.filter_box, "base, uncased")
    qtbot.keyClick(library.filter_box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: models.slots_of(CACHED.id) == ("A",))
    assert running.window.picker.isHidden()


@pytest.mark.parametrize("typed", ["", "BERT large", "nonsense"])
def test_enter_in_the_filter_loads_nothing_again_and_downloads_nothing(
    running, engine, qtbot, typed
):
    library, before = running.window.library, len(engine.calls)
    qtbot.keyClicks(library.filter_box, typed)
    qtbot.keyClick(library.filter_box, Qt.Key.Key_Return)
    assert library.tree.hasFocus()
    assert not any(isinstance(one.request, LoadModel | Download) for one in engine.calls[before:])


def test_details_say_what_is_known_before_loading(running):
    library = running.window.library
    library.choose(CACHED.id)
    text = text_of(library)
    for said in (
        "BERT base, uncased",
        "4 layers × 128 wide",
        "config.json says bert.",
        "1,049,922",
        "2.1 MB",
        "4.2 MB as float32",
        "1.0 MB at 128 tokens",
        "16.8 MB at 512 tokens",
        "✓ Masked language model",
        "✗ Next sentence (not in the files: cls.seq.weight)",
        "Apache-2.0",
        "English",
        "128 tokens",
        "Masked tokens",
    ):
        assert said in text, said
    assert "Fingerprint" not in text  # it is not loaded


def test_details_of_a_loaded_model_add_what_loading_told(running):
    library = running.window.library
    library.choose(MINIATURE.id)
    assert "cpu as float32" in text_of(library)
    assert "70 taken from the files" in text_of(library)


def test_details_name_other_models_by_their_titles(start, engine, qtbot):
    pupil = dataclasses.replace(CACHED, teacher=MINIATURE.id, partner=HUB.id)
    engine.catalogue = tuple(pupil if one is CACHED else one for one in engine.catalogue)
    library = start().window.library
    library.choose(CACHED.id)
    qtbot.waitUntil(lambda: CACHED.title in text_of(library))
    assert MINIATURE.title in text_of(library)
    assert f"discriminator: {HUB.title}" in text_of(library)
    assert MINIATURE.id not in text_of(library)


def test_a_damaged_checkpoint_says_so_and_can_not_be_loaded(running, engine):
    library = running.window.library
    library.choose(DAMAGED.id)
    assert "model.safetensors is cut off." in text_of(library)
    assert "Download it again." in text_of(library)
    assert not library.load_a.isEnabled()
    assert state_of(library, DAMAGED.id).kind == "unusable"
    loads = len(engine.requests(LoadModel))
    library.tree.activated.emit(index_of(library, DAMAGED.id))
    assert len(engine.requests(LoadModel)) == loads
    assert running.window.notices.texts == ("model.safetensors is cut off.",)


def test_a_double_click_loads_and_the_row_says_where(running, qtbot):
    library = running.window.library
    assert state_of(library, MINIATURE.id).text == "A"
    place = library.tree.visualRect(index_of(library, CACHED.id)).center()
    viewport = library.tree.viewport()
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseDClick(viewport, Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: state_of(library, CACHED.id).text == "A")
    assert state_of(library, MINIATURE.id).text == ""


def test_buttons_load_as_a_and_b_and_unload(running, qtbot):
    library, models = running.window.library, running.bench.models
    library.choose(CACHED.id)
    qtbot.mouseClick(library.load_b, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: models.slots_of(CACHED.id) == ("B",))
    qtbot.waitUntil(lambda: library.load_b.text() == "Unload B")
    qtbot.mouseClick(library.load_b, Qt.MouseButton.LeftButton)
    assert models.slots_of(CACHED.id) == ()
    qtbot.waitUntil(lambda: library.load_b.text() == "Load as B")


def test_loading_shows_its_stage_and_can_be_cancelled(running, engine, qtbot):
    library, models = running.window.library, running.bench.models
    engine.held.add("load:")
    library.choose(CACHED.id)
    library.load_a.click()
    engine.progress("load:A", "Reading weights", 1, 4)
    qtbot.waitUntil(lambda: "Reading weights, 25 %" in text_of(library))
    assert state_of(library, CACHED.id).fraction == 0.25
    assert library.load_a.isHidden()
    assert library.cancel.isVisible()
    library.cancel.click()
    qtbot.waitUntil(lambda: models.loading == {})
    assert models.cards["A"].stamp.id == MINIATURE.id  # what was there stays
    qtbot.waitUntil(lambda: not library.load_a.isHidden())


def test_a_load_that_goes_on_has_its_own_row_drawn_anew_and_no_other(running, engine, qtbot):
    """A load tells many times a second how far it is, and there may be hundreds of rows."""
    library = running.window.library
    engine.held.add("load:")
    library.choose(CACHED.id)
    library.load_a.click()
    qtbot.waitUntil(lambda: state_of(library, CACHED.id).kind == "working")
    drawn = []
    library.tree.model().dataChanged.connect(
        lambda first, last, _roles: drawn.append((first.data(), last.data()))
    )
    for done in (1, 2, 2):
        engine.progress("load:A", "Reading weights", done, 4)
    qtbot.waitUntil(lambda: state_of(library, CACHED.id).fraction == 0.5)
    assert set(drawn) == {(CACHED.title, CACHED.title)}
    assert len(drawn) <= 2
    engine.release("load:A")
    # It goes to the top then, and the list is another one.
    qtbot.waitUntil(lambda: rows(library)["Loaded"] == [CACHED.id])
    assert state_of(library, MINIATURE.id).kind == ""
    assert set(drawn) <= {(one.title, one.title) for one in (CACHED, MINIATURE)}


def test_a_load_that_fails_is_told_in_the_row_the_pane_and_a_notice(running, engine, qtbot):
    library = running.window.library
    engine.failures["load:"] = Failure(
        Blame.CHECKPOINT, "The vocabulary is missing.", "Add vocab.txt.", "Traceback: KeyError"
    )
    library.choose(CACHED.id)
    library.load_a.click()
    qtbot.waitUntil(lambda: state_of(library, CACHED.id).kind == "failed")
    qtbot.waitUntil(lambda: "The vocabulary is missing." in text_of(library))
    assert "Add vocab.txt." in text_of(library)
    assert "Traceback" not in text_of(library)
    # Tab goes to the page's one link, Enter follows it.
    library.details.setFocus()
    for shown in (True, False):
        qtbot.keyClick(library.details, Qt.Key.Key_Tab)
        qtbot.keyClick(library.details, Qt.Key.Key_Return)
        assert ("Traceback: KeyError" in text_of(library)) is shown
    (told,) = running.window.notices.texts
    assert told == "BERT base, uncased was not loaded: The vocabulary is missing."
    engine.failures.clear()
    library.load_a.click()
    qtbot.waitUntil(lambda: state_of(library, CACHED.id).text == "A")
    assert running.window.notices.texts == ()


def answer_question(qtbot, running, text):
    qtbot.waitUntil(lambda: running.window.findChild(QMessageBox, "pickle_question") is not None)
    box = running.window.findChild(QMessageBox, "pickle_question")
    button = next(b for b in box.findChildren(QPushButton) if b.text().replace("&", "") == text)
    with qtbot.waitSignal(box.finished):
        button.click()


def test_pickled_weights_are_opened_after_a_question_only(running, engine, qtbot):
    library = running.window.library
    library.choose(PICKLED.id)
    loads = len(engine.requests(LoadModel))
    library.load_a.click()
    answer_question(qtbot, running, "Cancel")
    assert len(engine.requests(LoadModel)) == loads
    library.load_a.click()
    answer_question(qtbot, running, "Open it")
    assert engine.requests(LoadModel)[-1].options.allow_pickle


def test_a_download_shows_rate_and_time_left_and_becomes_loadable(running, engine, qtbot):
    library, downloads = running.window.library, running.bench.downloads
    now = [0.0]
    downloads._clock = lambda: now[0]
    engine.held.add("download:")
    library.choose(HUB.id)
    assert library.load_a.isHidden()
    library.download.click()
    lane = f"download:{HUB.id}"
    for second in range(4):
        now[0] = float(second)
        done = (second + 1) * 10_000_000
        engine.progress(lane, "Downloading", done, 1_300_000_000)
        qtbot.waitUntil(lambda done=done: downloads.transfers[HUB.id].done == done)
    qtbot.waitUntil(lambda: "40.0 MB of 1.3 GB · 10.0 MB/s · 2 min left" in text_of(library))
    assert state_of(library, HUB.id).text == "3 %"
    engine.release(lane)
    qtbot.waitUntil(lambda: HUB.id in rows(library).get("On this computer", []))
    qtbot.waitUntil(lambda: not library.load_a.isHidden())


def test_a_tokenizer_is_downloaded_alone(running, engine, qtbot):
    library = running.window.library
    library.choose(MINIATURE.id)
    assert library.tokenizer.isHidden()
    library.choose(HUB.id)
    assert not library.tokenizer.isHidden()
    library.tokenizer.click()
    qtbot.waitUntil(lambda: state_of(library, HUB.id).text == "tokenizer")
    assert engine.calls[-1].request == Download(HUB.id, tokenizer_only=True)
    qtbot.waitUntil(library.tokenizer.isHidden)
    # The rest of it is still to be had.
    assert not library.download.isHidden()
    assert HUB.id in rows(library)["To download"]


def test_a_download_can_be_cancelled(running, engine, qtbot):
    library = running.window.library
    engine.held.add("download:")
    library.tree.activated.emit(index_of(library, HUB.id))
    assert engine.requests(Download) == [Download(HUB.id)]
    qtbot.waitUntil(library.cancel.isVisible)
    library.cancel.click()
    qtbot.waitUntil(lambda: running.bench.downloads.transfers == {})
    assert HUB.id in rows(library)["To download"]


def test_a_folder_that_is_opened_joins_the_list_is_loaded_and_remembered(running, engine, qtbot):
    new = Checkpoint("/home/me/new", "new", Source.FOLDER, "/home/me/new", "bert")
    engine.catalogue += (new,)
    running.bench.actions.open_path(type(running.bench.folders.logs)("/home/me/new"))
    qtbot.waitUntil(lambda: running.bench.models.slots_of(new.id) == ("A",))
    assert rows(running.window.library)["Loaded"] == [new.id]
    assert running.bench.settings_store.settings.recent_folders == (new.id,)
    running.bench.actions.remove(new)
    assert new.id not in rows(running.window.library)["Opened folders"]
    assert running.bench.settings_store.settings.recent_folders == ()


def test_a_folder_without_a_checkpoint_gets_a_sentence_and_changes_nothing(
    running, engine, qtbot, tmp_path
):
    before = rows(running.window.library)
    running.bench.actions.open_path(tmp_path)
    qtbot.waitUntil(lambda: running.window.notices.texts != ())
    assert running.window.notices.texts == ("There is no checkpoint in this folder.",)
    assert engine.requests(Inspect) == [Inspect(str(tmp_path))]
    assert rows(running.window.library) == before
    assert running.bench.models.cards["A"].stamp.id == MINIATURE.id
    assert running.bench.settings_store.settings.recent_folders == ()


def test_the_menu_offers_what_can_be_done(running):
    library = running.window.library

    def entries(checkpoint):
        menu = library.menu_of(checkpoint)
        texts = [a.text() for a in menu.actions() if a.text() and a.isEnabled()]
        menu.deleteLater()
        return texts

    anatomy = "Show its architecture"
    film, shown = "Make the film of this model", "Show in file manager"
    assert entries(MINIATURE) == ["Load as B", "Unload", anatomy, film, shown, "Copy id"]
    alone = "Download its tokenizer alone"
    others = "Other revisions…"
    assert entries(HUB) == ["Download", alone, others, anatomy, "Copy id"]
    assert entries(DAMAGED) == [anatomy, shown, "Copy id", "Remove from list"]


def test_a_checkpoint_is_taken_apart_from_the_menu(running, engine):
    engine.failures["view:architecture"] = Failure(Blame.CHECKPOINT, "This engine has no models.")
    window = running.window
    menu = window.library.menu_of(HUB)
    next(a for a in menu.actions() if a.text() == "Show its architecture").trigger()
    menu.deleteLater()
    assert running.bench.state.document.option("architecture.checkpoint") == HUB.id
    assert window.view_area.is_seen("architecture")


def test_a_library_that_can_not_be_read_says_so(start, engine, qtbot):
    engine.failures["library"] = Failure(Blame.BUG, "The library could not be read.")
    running = start(wait=False)
    qtbot.waitUntil(lambda: running.window.notices.texts == ("The library could not be read.",))
    assert running.window.library.empty.text() == "No models were found."


def test_a_screen_reader_hears_the_state(running):
    library = running.window.library
    said = index_of(library, MINIATURE.id).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "BERT miniature, BERT · 1.0 M parameters · 2.1 MB, loaded as A"


def test_a_failed_download_says_what_to_do_and_no_traceback(running, engine, qtbot):
    library = running.window.library
    engine.failures["download:"] = Failure(
        Blame.MACHINE, "There is no network.", "Try again later.", "Traceback: ConnectError"
    )
    library.choose(HUB.id)
    library.download.click()
    qtbot.waitUntil(lambda: "There is no network." in text_of(library))
    assert "Try again later." in text_of(library)
    assert "Traceback" not in text_of(library)
    engine.failures.clear()
    library.download.click()
    qtbot.waitUntil(lambda: running.window.notices.texts == ())


def test_a_folder_that_is_opened_is_seen_though_the_list_was_filtered(running, engine, qtbot):
    library = running.window.library
    qtbot.keyClicks(library.filter_box, "miniature")
    new = Checkpoint("/home/me/new", "new", Source.FOLDER, "/home/me/new", "bert")
    engine.catalogue += (new,)
    running.bench.actions.open_path(type(running.bench.folders.logs)("/home/me/new"))
    qtbot.waitUntil(lambda: running.bench.models.slots_of(new.id) == ("A",))
    qtbot.waitUntil(lambda: library.tree.currentIndex().data(CHECKPOINT).id == new.id)
    assert text_of(library).startswith("new")
    assert library.filter_box.text() == ""


def test_a_second_model_leaves_the_library_as_wide_as_it_was(running, qtbot):
    window, library = running.window, running.window.library
    window.resize(1500, 940)
    library.choose(CACHED.id)
    qtbot.waitUntil(library.isVisible)
    qtbot.wait(1)
    tools = [window.sentence.pair, window.sentence.clear, window.sentence.whole]
    before = library.width(), window.sentence.geometry(), [one.width() for one in tools]
    library.load_b.click()
    qtbot.waitUntil(lambda: running.bench.models.slots_of(CACHED.id) == ("B",))
    qtbot.waitUntil(lambda: library.load_b.text() == "Unload B")
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    after = library.width(), window.sentence.geometry(), [one.width() for one in tools]
    assert after == before


def test_it_opens_from_the_top_where_the_chosen_model_is_near(start, engine, qtbot):
    """The first group's title was scrolled out of sight: the list was lower before it was seen."""
    more = [
        dataclasses.replace(MINIATURE, id=f"more-{n}", title=f"More {n}", folder=f"/more/{n}")
        for n in range(30)
    ]
    engine.catalogue = (*engine.catalogue, *more)
    library = start().window.library
    window = library.window()
    window.resize(1024, 560)
    QTest.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(library.isVisible)
    bar = library.tree.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0 and library.tree.viewport().height() > 100)
    qtbot.waitUntil(lambda: bar.value() == 0)
    chosen = library.tree.currentIndex()
    assert chosen.data(CHECKPOINT).id == MINIATURE.id
    assert library.tree.viewport().rect().contains(library.tree.visualRect(chosen).center())
