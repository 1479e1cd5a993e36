"""What is asked before a plugin comes or goes."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from explorer.engine.plugins.adding import WHAT_IT_CAN
from explorer.text import _


def ask_to_add(
    parent: QWidget, title: str, version: str, about: str, then: Callable[[], None]
) -> None:
    """Say what a plugin can do to the machine, and go on once that is agreed to."""
    words = _("Add the plugin {title} {version}?", title=title, version=version)
    more = "\n\n".join(one for one in (about, _(WHAT_IT_CAN)) if one)
    _ask(parent, _("Add a plugin"), words, more, _("&Add"), then)


def ask_to_remove(parent: QWidget, title: str, folder: Path, then: Callable[[], None]) -> None:
    """Say what is lost, and go on once that is agreed to."""
    _ask(
        parent,
        _("Remove a plugin"),
        _("Remove the plugin {title}?", title=title),
        _(
            "The folder {folder} is deleted for good. What its questions have answered stays in "
            "the log.",
            folder=folder,
        ),
        _("&Remove"),
        then,
    )


def _ask(
    parent: QWidget, title: str, words: str, more: str, does: str, then: Callable[[], None]
) -> None:
    box = QMessageBox(parent)
    box.setObjectName("plugin_question")
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(title)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(words)
    box.setInformativeText(more)
    yes = box.addButton(does, QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
    box.finished.connect(lambda _: then() if box.clickedButton() is yes else None)
    box.finished.connect(box.deleteLater)
    box.open()
