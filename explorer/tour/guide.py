"""The stops of the tour, in order.

Nothing here is staged: the window is the program's, the engine is a process, and the pictures
show what a person sees who does the same. The tour keeps a profile of its own, so that it
neither shows nor changes anything of the user's; nothing is downloaded.
"""

import sys
import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from explorer.app import Running, application
from explorer.files.temporary import prefix
from explorer.paths import Paths
from explorer.program import Program
from explorer.questions.cause.attribution_benchmark.question import PLACES
from explorer.sessions.change.backup import copy_database
from explorer.tour.camera import SIZES, Camera
from explorer.tour.hands import Hands, TourStoppedError, wait_until
from explorer.tour.headless_checkpoint import without_heads
from explorer.ui import overview
from explorer.ui.session_log.table import TEXT

FILM = "I liked the movie that I watched yesterday. The movie was fun."
SENTENCES = (
    "The chef cooked the meal in the kitchen.",
    "I liked the movie that I watched yesterday. The movie was fun.",
    "The gardener dug the ground with a trowel.",
    "The teacher read a book to the children.",
    "The kitchen cooked the chef in the meal.",
)
SOME_PLACES = 12
LONG = "The chef cooked the meal in the kitchen. " * 40


def run(program: Program, out: Path) -> int:
    """Take the tour into a folder; returns the exit status."""
    out.mkdir(parents=True, exist_ok=True)
    application()
    camera = Camera(out)
    with tempfile.TemporaryDirectory(prefix=prefix("tour")) as profile:
        own = replace(program, paths=Paths.profile(Path(profile)))
        running = Running(own)
        try:
            _walk(running, camera, Path(profile))
        except TourStoppedError as stopped:
            sys.stderr.write(f"{stopped}\n")
            return 1
        finally:
            running.close()
        database = out / "sessions.db"
        copy_database(own.paths.sessions, database)
        camera.taken.append(database)
    for path in camera.taken:
        sys.stdout.write(f"{path}\n")
    return 0


def _walk(running: Running, camera: Camera, folder: Path) -> None:
    window = running.window
    window.resize(*SIZES[0])
    running.show()
    hands = Hands(window)
    camera.window(window, "before-the-model")
    wait_until(lambda: bool(window.bench.models.cards), "the miniature to be loaded")
    hands.settle()
    camera.window(window, "first-findings")
    window.view_area.bring_forward("masked_tokens")
    hands.settle()
    camera.window(window, "first-prediction")
    _mask_words(hands, camera)
    _every_view(hands, camera, folder)
    _comparisons(hands, camera)
    _longer_texts(hands, camera)
    _the_log(hands, camera)
    _dialogs(hands, camera)
    _what_goes_wrong(hands, camera, folder)


def _mask_words(hands: Hands, camera: Camera) -> None:
    """Type a sentence, click words away, put a prediction in, undo."""
    window = hands.window
    hands.type_text(FILM)
    camera.window(window, "nothing-is-masked")
    hands.click_token("fun")
    camera.window(window, "a-film-review")
    hands.click_token("liked")
    camera.window(window, "two-masks")
    window.sentence.strip.setFocus()
    QTest.keyClick(window.sentence.strip, Qt.Key.Key_Right)
    hands.settle()
    QTest.keyClick(window, Qt.Key.Key_F7)
    wait_until(window.token.isVisible, "the token's details")
    hands.settle()
    camera.window(window, "a-token-is-chosen")
    QTest.keyClick(window, Qt.Key.Key_F7)
    QTest.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    wait_until(window.library.isVisible, "the library")
    hands.settle()
    camera.window(window, "the-library-is-open")
    QTest.keyClick(window.library.filter_box, Qt.Key.Key_Escape)


def _every_view(hands: Hands, camera: Camera, folder: Path) -> None:
    """Each view with the models and the sample it is made for, and what it exports."""
    window = hands.window
    sentences = folder / "sentences.txt"
    sentences.write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    window.view_area.bring_forward(overview.NAME)
    hands.settle()
    camera.window(window, "view-overview")
    for question, title in window.view_area.titles.items():
        if question == overview.NAME:
            continue
        hands.load_for(question)
        hands.take_sample(question)
        window.view_area.bring_forward(question)
        wait_until(partial(window.view_area.is_seen, question), f"the view {title}")
        if question == "file_of_sentences":
            window.bench.edits.set_option("file_of_sentences.path", str(sentences))
        if question == "attribution_benchmark":
            # All of its places take minutes; these, seconds.
            window.bench.edits.set_option(PLACES.key, SOME_PLACES)
        hands.settle()
        hands.run_if_asked(question)
        camera.window(window, f"view-{question.replace('_', '-')}")
        view = window.view_of(question)
        if view.has_result:
            camera.exports(view)
    window.view_area.bring_forward("masked_tokens")
    hands.settle()


def _comparisons(hands: Hands, camera: Camera) -> None:
    """A pinned answer and the next one; then a sheet of two models, saved in every form."""
    window = hands.window
    hands.load_for("masked_tokens")
    hands.take_sample("")
    view = window.view_of("masked_tokens")
    window.view_area.bring_forward("masked_tokens")
    hands.settle()
    view.pin()
    window.bench.models.set_active("B")
    hands.settle()
    camera.window(window, "a-pinned-answer-and-the-next")
    view.unpin()
    window.bench.models.set_active("A")
    hands.settle()
    window.sheet.take_template("two_models")
    wait_until(lambda: window.sheet.asking.is_idle and bool(window.sheet.dialog.entries), "a sheet")
    camera.dialog(window.sheet.dialog, "comparison-sheet")
    camera.sheet(window.sheet.dialog)
    window.sheet.dialog.close()


def _longer_texts(hands: Hands, camera: Camera) -> None:
    """Two texts, and one that is longer than the model takes."""
    window = hands.window
    hands.type_text("The chef went to the kitchen.")
    window.sentence.pair.click()
    hands.settle()
    hands.type_text("She cooked a meal.", part=1)
    hands.click_token("meal")
    camera.window(window, "two-texts")
    window.sentence.pair.click()
    window.bench.edits.take_text(LONG, "a long text")
    hands.settle()
    hands.click_token("chef")
    camera.window(window, "longer-than-the-model-takes")


def _the_log(hands: Hands, camera: Camera) -> None:
    """Bring the oldest run back: one click chooses it, two restore it."""
    window = hands.window
    QTest.mouseClick(window.log_line.button, Qt.MouseButton.LeftButton)
    wait_until(window.log.isVisible, "the log")
    table = window.log.table
    model = window.log.model
    wait_until(lambda: model.rowCount() > 2, "the log's rows")
    oldest = model.index(model.rowCount() - 1, TEXT)
    table.scrollTo(oldest)
    run_id = model.run_at(oldest.row()).id
    place = table.visualRect(oldest).center()
    for click in (QTest.mouseClick, QTest.mouseDClick):
        click(table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    wait_until(lambda: window.bench.state.run_id == run_id, "the run to be restored")
    hands.settle()
    camera.window(window, "a-run-restored")
    QTest.mouseClick(window.log_line.button, Qt.MouseButton.LeftButton)


def _dialogs(hands: Hands, camera: Camera) -> None:
    window = hands.window
    window.commands.show_plugins()
    window.commands.show_page_help()
    window.commands.show_shortcuts()
    window.commands.show_glossary()
    hands.settle()
    for dialog in window.findChildren(QDialog):
        if dialog.isVisible():
            camera.dialog(dialog, dialog.objectName().replace("_", "-"))
            dialog.close()


def _what_goes_wrong(hands: Hands, camera: Camera, folder: Path) -> None:
    """A folder that is no model, and a model without the head that is needed."""
    window = hands.window
    garbage = folder / "holiday pictures"
    garbage.mkdir()
    (garbage / "beach.jpg").write_bytes(b"\xff\xd8\xff\xe0 no model")
    hands.drop(garbage)
    wait_until(lambda: bool(window.notices.texts), "a word on the dropped folder")
    camera.window(window, "a-folder-that-is-no-model")
    source = Path(window.bench.models.cards["A"].folder)
    headless = without_heads(source, folder / "encoder-only")
    hands.drop(headless)
    wait_until(
        lambda: Path(window.bench.models.cards["A"].folder) == headless.resolve(),
        "the encoder to be loaded",
    )
    hands.settle()
    # What is on screen is still the logged run; a click asks anew.
    hands.click_token("meal")
    camera.window(window, "a-model-without-the-head")
