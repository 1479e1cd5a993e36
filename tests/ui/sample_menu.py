"""Samples, taken from their menu as a user does."""

from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu

from explorer.samples.samples import samples
from explorer.ui.notices.wording import menu_text


def take_sample(window, title):
    """Open the menu, and the one of the page that a sample is made for; gives the sample."""
    sample = next(one for one in samples() if one.title == title)
    whole = window.sentence.samples.menu()
    window.sentence.open_samples()
    menu = whole.findChild(QMenu, f"samples_{sample.view}") if sample.view else whole
    if menu is not whole:
        menu.popup(QCursor.pos())
    chosen = next(one for one in menu.actions() if one.text() == menu_text(title))
    menu.close()
    whole.close()
    chosen.trigger()
    return sample
