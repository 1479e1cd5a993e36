"""What journeys do again and again in the window, and how they wait for it."""

from explorer.api.family import LoadOptions
from explorer.sessions.read.reader import SessionReader

SLOW = 90_000
"""Milliseconds for whatever an engine does."""


def load(running, qtbot, **slots):
    """Load miniatures, as in load(running, qtbot, A="bert-miniature")."""
    models = running.bench.models
    for slot, name in slots.items():
        models.load(slot, name, name, LoadOptions(device="cpu"))

    def held():
        return {slot: models.cards[slot].stamp.id for slot in slots if slot in models.cards}

    qtbot.waitUntil(lambda: held() == slots, timeout=SLOW)


def answered(running, qtbot, question, then=lambda _view: True):
    """The view of a question once it shows an answer of which something is so."""
    from explorer.ui.views.frame.view_frame import FrameState

    asking = running.bench.asking
    qtbot.waitUntil(lambda: question in asking.askers, timeout=SLOW)
    asker = asking.askers[question]
    qtbot.waitUntil(
        lambda: asker.frame.state is FrameState.RESULT and asking.is_idle and then(asker.view),
        timeout=SLOW,
    )
    return asker.view


def brought(running, qtbot, question, then=lambda _view: True):
    """The same of a view that is brought forward first."""
    running.window.view_area.bring_forward(question)
    return answered(running, qtbot, question, then)


def take(hands, title):
    """Take a sample; gives the view it is made for, which has come forward."""
    from explorer.tour.hands import wait_until
    from tests.ui.sample_menu import take_sample

    sample = take_sample(hands.window, title)
    hands.settle()
    frame = hands.window.bench.asking.askers[sample.view].frame
    wait_until(frame.isVisible, f"the view {sample.view}")
    hands.settle()
    return hands.window.view_of(sample.view)


def newest(paths, question):
    """The last run of a question on record."""
    reader = SessionReader(paths.sessions)
    return reader.run(next(run.id for run in reader.runs() if run.operation == question))


def pressing(window):
    """What presses a key where the focus is, or types a text."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from explorer.tour.hands import wait_until

    def pressed(key, modifiers=Qt.KeyboardModifier.NoModifier):
        if QApplication.activeWindow() is None:
            # As a window manager does once what lay above the window has gone.
            window.activateWindow()
        wait_until(lambda: QApplication.focusWidget() is not None, "the focus")
        if isinstance(key, str):
            QTest.keyClicks(QApplication.focusWidget(), key)
        else:
            QTest.keyClick(QApplication.focusWidget(), key, modifiers)

    return pressed


def find(press, window, words):
    """Find a page or a command by its words (Ctrl+K), and take the first that is found."""
    from PySide6.QtCore import Qt

    from explorer.tour.hands import wait_until
    from explorer.ui.window.menus.command_finder import CommandFinder

    press(Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    press(words)
    press(Qt.Key.Key_Return)
    wait_until(lambda: window.findChild(CommandFinder) is None, "what was found to be taken")


def choose_in_menu(window, name):
    """Click through the menus to an action, as a person does with the mouse.

    Args:
        window: The window.
        name: The action's name.
    """
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    from explorer.tour.hands import wait_until

    def way(menu):
        """The actions from a menu to the one that is meant; none where it is not there."""
        for one in menu.actions():
            if one is action:
                return [one]
            if one.menu() is not None and (rest := way(one.menu())):
                return [one, *rest]
        return []

    action, titles = window.menus.action(name), window.menu_titles
    opener, *rest = way(titles.bar)
    if titles.button.isVisible():
        # A click on the button that has all menus comes back once they are closed.
        titles.open()
        menu, rest = titles.button.menu(), [opener, *rest]
    else:
        place = titles.bar.actionGeometry(opener).center()
        QTest.mouseClick(titles.bar, Qt.MouseButton.LeftButton, pos=place)
        menu = opener.menu()
    for one in rest:
        wait_until(menu.isVisible, f"the menu {menu.title()}")
        assert one.isEnabled(), one.text()
        place = menu.actionGeometry(one).center()
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=place)
        menu = one.menu()


def click_spot(view, key):
    """Click what a page has of a key, where it is in sight."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    from explorer.ui.blocks.widget.painted import PaintedPage

    page = view.findChild(PaintedPage, f"{view.name}Page")
    spot = next(one for one in page.page.spots if one.key == key)
    at = spot.box.center().toPoint()
    view.area.ensureVisible(at.x(), at.y())
    QTest.mouseClick(page, Qt.MouseButton.LeftButton, pos=at)


def opened_again(running):
    """The dialog of a window that was made anew, once it has read the plugins."""
    from explorer.tour.hands import wait_until
    from explorer.ui.library.plugins.dialog import PluginsDialog

    def read():
        found = running.window.findChild(PluginsDialog)
        return found is not None and found.tree.topLevelItemCount() > 0 and found

    wait_until(lambda: bool(read()), "the plugins as they are now")
    return read()
