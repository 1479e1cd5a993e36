"""The hub is searched from the picker: nothing is asked or fetched before a click."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from explorer.api.question import Blame, Failure
from explorer.engine.downloads.offered import MOST_FOUND, DownloadSize, FoundModel
from explorer.engine.messages import Download, LoadModel, SearchHub
from explorer.ui.library.hub.hub_search import LANE
from explorer.ui.library.hub.real_models import RealModels
from explorer.ui.library.hub.revisions_dialog import RevisionsDialog
from tests.ui.fake_engine import HUB

SHA = "0" * 40
FOUND = FoundModel(
    HUB.id,
    f"https://hub/{HUB.id}",
    library="transformers",
    model_type="bert",
    architectures=("BertForMaskedLM",),
    languages=("ko", "en"),
    licence="apache-2.0",
    downloads=1_234_567,
    size=DownloadSize(SHA, 3_000_000, 1_250_000),
)
GATED = FoundModel("owner/gated", "https://hub/owner/gated", is_gated=True, size=FOUND.size)
STRANGE = FoundModel(
    "owner/vit", "https://hub/owner/vit", model_type="vit", is_known=False, size=FOUND.size
)
UNFIT = FoundModel(
    "owner/<b>onnx",
    "https://hub/owner/onnx",
    problem=Failure(Blame.CHECKPOINT, "It has no weights.", "Choose another."),
)


@pytest.fixture
def opened(running, engine, qtbot):
    """The dialog, with what was typed into the picker searched for."""
    engine.found = (FOUND, GATED, UNFIT, STRANGE)
    engine.held.add(LANE)
    window = running.window
    window.open_library("A")
    library = window.library
    assert library.offers.isHidden()
    library.filter_box.setText("korean bert")
    assert not engine.requests(SearchHub), "nobody has asked for it"
    assert library.offers.search.text() == "Search the hub for “korean bert”…"
    QTest.mouseClick(library.offers.search, Qt.MouseButton.LeftButton)
    assert window.picker.isHidden()
    return window.findChild(RealModels)


def words_of(row):
    return [one.text().replace("\u00a0", " ") for one in row.findChildren(QLabel)]


def test_what_is_found_says_what_it_is_and_comes_when_its_button_is_pressed(opened, engine, qtbot):
    search = opened.search
    assert engine.requests(SearchHub) == [SearchHub("korean bert")]
    engine.progress(LANE, "Asking how large they are", 2, 3)
    qtbot.waitUntil(lambda: search.about.text() == "Asking how large they are: 2 of 3")
    assert search.ask.text() == "Cancel"
    engine.release(LANE)
    qtbot.waitUntil(lambda: len(opened.found) == 4)
    assert search.about.text() == "4 models for “korean bert”, the most downloaded first"
    assert not any(row.isVisible() for row in opened.rows)
    first, gated, unfit, strange = opened.found
    state, name, facts = words_of(first)
    assert (state, name) == ("1.25 MB to download", HUB.id)
    assert facts == (
        "BertForMaskedLM · bert · transformers · ko, en · apache-2.0 "
        "· 1,234,567 downloads in a month"
    )
    assert gated.state.text() == (
        "1.25 MB to download, and gated: open https://hub/owner/gated, accept the conditions of "
        "its owners, and sign in here with `hf auth login`."
    )
    assert strange.state.text() == 'No plugin knows models of type "vit". 1.25 MB to download'
    assert strange.get.isEnabled(), "a plugin may know it by its files"
    assert unfit.state.text() == "It has no weights. Choose another."
    assert (words_of(unfit)[1], unfit.get.isEnabled()) == ("owner/<b>onnx", False)
    assert not engine.requests(Download)
    QTest.keyClick(search.words, Qt.Key.Key_Down)
    assert opened.focusWidget() is first.get

    QTest.mouseClick(first.get, Qt.MouseButton.LeftButton)
    assert engine.requests(Download) == [Download(HUB.id)]
    qtbot.waitUntil(lambda: first.state.text() == "On this computer.")
    loads = len(engine.requests(LoadModel))
    QTest.mouseClick(first.get, Qt.MouseButton.LeftButton)
    assert engine.requests(LoadModel)[loads].checkpoint_id == HUB.id
    gated.revisions.click()
    dialog = opened.parent().findChild(RevisionsDialog)
    assert dialog.windowTitle() == "Revisions of owner/gated"

    # One of the hub's that the library does not list is fetched by its name.
    engine.failures["download:owner"] = Failure(Blame.USER, "It is gated.", "Sign in.")
    gated.get.click()
    assert engine.requests(Download)[-1] == Download("owner/gated")
    qtbot.waitUntil(lambda: gated.state.text() == "It is gated. Sign in.")


def test_a_search_is_cancelled_fails_finds_nothing_or_too_much_in_a_sentence(opened, engine, qtbot):
    search = opened.search

    def says(words):
        qtbot.waitUntil(lambda: search.about.text() == words)

    QTest.mouseClick(search.ask, Qt.MouseButton.LeftButton)
    says("The search was cancelled.")
    assert LANE in engine.cancelled
    engine.held.clear()
    engine.failures[LANE] = Failure(Blame.MACHINE, "There is no network.", "Check the cable.")
    QTest.keyClick(search.words, Qt.Key.Key_Return)
    says("There is no network. Check the cable.")
    engine.failures.clear()
    engine.found = (FOUND,) * MOST_FOUND
    search.ask.click()
    says("The 20 most downloaded for “korean bert”: more words find fewer.")
    assert len(opened.found) == MOST_FOUND
    engine.found = ()
    search.ask.click()
    says("The hub has no model for “korean bert”: try fewer words, or others.")
    assert all(row.isVisible() for row in opened.rows), "the suggestions are left"
    search.words.clear()
    assert search.about.isHidden()
    assert not search.ask.isEnabled()
    asked = len(engine.requests(SearchHub))
    QTest.keyClick(search.words, Qt.Key.Key_Return)
    assert len(engine.requests(SearchHub)) == asked
