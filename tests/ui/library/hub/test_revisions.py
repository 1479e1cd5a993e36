"""A branch, a tag or a commit of a published model: typed, listed, measured, downloaded, loaded."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.api.question import Blame, Failure
from explorer.engine.downloads.offered import BRANCH, COMMIT, TAG, DownloadSize, Revision
from explorer.engine.messages import Download, ListRevisions, LoadModel, MeasureDownloads
from explorer.ui.library.hub.hub_revisions import typed_revision
from explorer.ui.library.hub.revisions_dialog import RevisionsDialog
from tests.ui.fake_engine import HUB

NAME = "owner/grown"
SHA = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("owner/name", ("owner/name", "")),
        (" owner/name@step1000 ", ("owner/name", "step1000")),
        ("gpt2@main", ("gpt2", "main")),
        ("owner/name@refs/pr/1", ("owner/name", "refs/pr/1")),
        ("gpt2", None),
        ("bert miniature", None),
        ("", None),
        ("a/b/c", None),
        ("/home/me", None),
        ("@step10", None),
    ],
)
def test_what_names_a_repository(typed, found):
    assert typed_revision(typed) == found


@pytest.fixture
def hub(running, engine):
    """The program, and a hub with two steps, a tag and a commit."""
    engine.revisions = (
        Revision("main", BRANCH, SHA),
        Revision("step1000", BRANCH, SHA),
        Revision("step_2k", BRANCH, SHA),
        Revision("step20", TAG, SHA),
        Revision(SHA, COMMIT, SHA, "Add the model", "2024-05-01T10:00:00.000Z"),
    )
    engine.sizes = lambda name: DownloadSize(SHA, 3_000_000, 1_000_000 if "20" in name else 250_000)
    engine.catalogue = (
        *engine.catalogue,
        *(
            replace(HUB, id=f"{NAME}@{one}", title=f"{NAME}@{one}", size_bytes=None)
            for one in ("step20", "step1000", "v1")
        ),
    )
    return running


def opened(hub, qtbot, typed):
    """The dialog, as it opens when something is typed into the picker."""
    window = hub.window
    window.open_library("A")
    library = window.library
    library.filter_box.setText(typed)
    qtbot.waitUntil(library.offers.revisions.isVisible)
    assert library.offers.revisions.text() == f"Revisions of {NAME}…"
    QTest.keyClick(library.filter_box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.findChild(RevisionsDialog) is not None)
    assert window.picker.isHidden()
    return window.findChild(RevisionsDialog)


def click(button, qtbot):
    qtbot.waitUntil(lambda: button.isVisible() and button.isEnabled())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def says(dialog, words, qtbot):
    qtbot.waitUntil(lambda: dialog.about.text() == words)


def test_other_words_offer_no_revisions(hub):
    hub.window.open_library("A")
    for words in ("bert", "mini", ""):
        hub.window.library.filter_box.setText(words)
        assert hub.window.library.offers.revisions.isHidden()


def test_one_that_is_typed_is_measured_before_it_is_fetched_and_then_loaded(hub, engine, qtbot):
    dialog = opened(hub, qtbot, f"{NAME}@v1")
    assert dialog.typed.text() == "v1"
    assert not engine.requests(MeasureDownloads)
    assert dialog.fetch.isHidden()
    click(dialog.measure, qtbot)
    assert engine.requests(MeasureDownloads) == [MeasureDownloads((f"{NAME}@v1",))]
    says(dialog, f"{NAME}@v1: 3 MB, of which 250 kB are to be fetched", qtbot)
    assert not engine.requests(Download)
    click(dialog.fetch, qtbot)
    assert engine.requests(Download) == [Download(f"{NAME}@v1")]
    qtbot.waitUntil(dialog.load.isVisible)
    says(dialog, "1 revision is on this computer", qtbot)
    click(dialog.load, qtbot)
    (loaded,) = [one for one in engine.requests(LoadModel) if one.checkpoint_id == f"{NAME}@v1"]
    assert loaded.slot == "A"


def test_steps_are_listed_in_their_order_and_several_are_fetched(hub, engine, qtbot):
    dialog = opened(hub, qtbot, NAME)
    assert not engine.requests(ListRevisions), "nobody has asked for it"
    assert dialog.measure.isHidden() or not dialog.measure.isEnabled()
    click(dialog.ask, qtbot)
    assert engine.requests(ListRevisions) == [ListRevisions(NAME)]
    qtbot.waitUntil(lambda: dialog.listed.count() == 5)
    lines = [dialog.listed.item(row).text() for row in range(dialog.listed.count())]
    assert lines == [
        "step20  ·  tag",
        "step1000  ·  branch",
        "step_2k  ·  branch  ·  step 2,000",
        "main  ·  branch",
        "0123456789  ·  commit  ·  2024-05-01  ·  Add the model",
    ]
    for row in (0, 1):
        dialog.listed.item(row).setSelected(True)
    assert dialog.typed.text() == "step20, step1000"
    click(dialog.measure, qtbot)
    says(dialog, "2 revisions. Together at most 1.25 MB.", qtbot)
    # Another choice has another size.
    dialog.listed.item(2).setSelected(True)
    assert dialog.fetch.isHidden()
    dialog.listed.item(2).setSelected(False)
    click(dialog.measure, qtbot)
    click(dialog.fetch, qtbot)
    assert engine.requests(Download) == [Download(f"{NAME}@step20"), Download(f"{NAME}@step1000")]
    says(dialog, "2 revisions are on this computer", qtbot)


def test_what_fails_is_said(hub, engine, qtbot):
    dialog = opened(hub, qtbot, f"{NAME}@nothing")
    engine.failures["download:"] = Failure(Blame.USER, "There is no such thing.", "Look again.")
    for button in (dialog.ask, dialog.measure):
        click(button, qtbot)
        says(dialog, "There is no such thing. Look again.", qtbot)
        assert dialog.fetch.isHidden()
    engine.failures.clear()
    click(dialog.measure, qtbot)
    engine.failures["download:"] = Failure(Blame.MACHINE, "The disk is full.")
    click(dialog.fetch, qtbot)
    says(dialog, "The disk is full.", qtbot)
    assert dialog.load.isHidden()


def test_the_menu_of_a_published_model_offers_its_revisions(hub, qtbot):
    hub.window.open_library("B")
    menu = hub.window.library.menu_of(HUB)
    (action,) = [one for one in menu.actions() if one.text() == "Other revisions…"]
    action.trigger()
    dialog = hub.window.findChild(RevisionsDialog)
    assert dialog.windowTitle() == f"Revisions of {HUB.id}"
    # The same dialog for another repository begins anew.
    click(dialog.ask, qtbot)
    qtbot.waitUntil(lambda: dialog.listed.count() == 5)
    hub.window.commands.choose_revision(NAME, "v1", "")
    assert hub.window.findChildren(RevisionsDialog) == [dialog]
    assert (dialog.listed.count(), dialog.typed.text()) == (0, "v1")
