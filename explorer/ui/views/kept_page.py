"""What a page holds, kept when its widgets go and given to those that come."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtWidgets import QAbstractSpinBox, QDialog, QLineEdit, QWidget

from explorer.ui.blocks.widget.looks import Looks
from explorer.ui.views.page_view import PageView
from explorer.ui.views.wanted_details import WantedDetails


@dataclass(frozen=True)
class KeptPage:
    """Of a page that goes, in another language or because nobody has looked at it for long.

    Attributes:
        held: Its answer and what belongs to it, by the view's attributes.
        scrolled: How far it is scrolled, in pixels.
        looks: How its live parts are looked at.
        looks_below: The same of those that stay below it.
        parts: Details that it is drawn with.
    """

    held: Mapping[str, Any]
    scrolled: int
    looks: Looks
    looks_below: Looks
    parts: WantedDetails

    @classmethod
    def of(cls, view: PageView) -> "KeptPage":
        """What a view holds, which draws nothing from now on."""
        view.parts.serve(_unheard, _unheard)
        held = {name: getattr(view, name) for name in view.HANDED_ON}
        return cls(held, view.scrolled, view.page.looks, view.stays.looks, view.parts)

    def give(self, view: PageView) -> None:
        """Let another view of the same question go on with it."""
        view.page.take_looks(self.looks)
        view.stays.take_looks(self.looks_below)
        view.go_on_with(self.held, self.parts)
        view.scroll_at_first(self.scrolled)
        view.refresh()
        view.baseline_changed.emit()


def is_at_rest(view: PageView, frame: QWidget) -> bool:
    """Whether nothing is under way on a page, and nothing half typed, that only its widgets know.

    Args:
        view: The page.
        frame: Around it.
    """
    return (
        view.is_at_rest
        and not view.page.writing.is_open
        and not any(one.is_busy for one in view.saves)
        # A browser knows by itself what is looked at.
        and not any(hasattr(one, "shut") for one in view.page.widgets)
        and not any(one.isModified() for one in _fields(view))
        and not any(one.isVisible() for one in frame.findChildren(QDialog))
    )


def _fields(view: PageView) -> Iterator[QLineEdit]:
    """Where options are typed; boxes of numbers take what is typed when the keyboard leaves."""
    for widget in view.bar.widgets.values():
        inside = [*widget.findChildren(QLineEdit), *([widget] * isinstance(widget, QLineEdit))]
        for one in inside:
            if isinstance(one, QLineEdit) and not isinstance(one.parent(), QAbstractSpinBox):
                yield one


def _unheard(*_told: object) -> None:
    """Nobody is there to hear it."""
