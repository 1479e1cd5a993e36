"""Fields whose content only the widget knows: a window hands them to the one that follows it."""

from PySide6.QtWidgets import QWidget

PROPERTY = "handed_on"


def hand_on(widget: QWidget) -> None:
    """Keep what is typed here when the window is made anew; it needs a name."""
    assert widget.objectName()
    widget.setProperty(PROPERTY, True)


def is_handed_on(widget: QWidget) -> bool:
    """Whether it is kept."""
    return bool(widget.property(PROPERTY))
