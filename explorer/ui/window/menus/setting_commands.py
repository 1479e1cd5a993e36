"""Settings, as they are found by words."""

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from explorer.text import _
from explorer.text.every_language import EveryLanguage
from explorer.ui.settings.declared import SETTINGS
from explorer.ui.theme.icons import icon
from explorer.ui.window.menus.ranking import EntryKind, MenuCommand


def settings_of(
    show: Callable[[str], object], parent: QObject, everywhere: EveryLanguage
) -> Iterator[MenuCommand]:
    """Each setting by its title; it is turned to in the dialog.

    Args:
        show: Opens the dialog at a field of Settings.
        parent: Of the actions.
        everywhere: The titles in other languages.
    """
    for setting in SETTINGS:
        action = QAction(parent)
        go = partial(show, setting.field)
        action.triggered.connect(partial(_ignore_tick, go))
        title = _(setting.title)
        yield MenuCommand(
            action,
            title,
            _("Settings"),
            _(setting.about) if setting.about else "",
            EntryKind.COMMAND,
            everywhere.of(title),
            setting.found_by,
            icon("cog-outline"),
        )


def _ignore_tick(go: Callable[[], object], _checked: bool = False) -> None:
    go()
