"""The place of a page's answer, in which stands what is missing or went wrong while there is none.

An option may be what is missing, or what was set wrongly, so the options around it stay where they
are: whoever types into one keeps the keyboard while the answer comes.
"""

from collections.abc import Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget


class AnswerPlace(QVBoxLayout):
    """An answer's widgets below each other, or one page instead of all of them.

    Args:
        answer: Those that the answer is seen in; the first one takes the room.
    """

    def __init__(self, answer: Sequence[QWidget]) -> None:
        super().__init__()
        self.setSpacing(0)
        self._answer = answer
        self._instead: QWidget | None = None
        for number, widget in enumerate(answer):
            self.addWidget(widget, int(not number))

    def stand_in(self, page: QWidget | None) -> None:
        """Show a page in the place of the answer, or the answer (None)."""
        before, self._instead = self._instead, page
        if before is not None and before is not page:
            self.removeWidget(before)
            before.hide()
        if page is not None and before is not page:
            self.addWidget(page, 1)
            page.show()
        for widget in self._answer:
            widget.setVisible(page is None)

    def give_room(self) -> None:
        """Give the answer's widgets their heights now: Qt would paint them, and then anew."""
        around = self.parentWidget()
        if around is not None and around.isVisible():
            for widget in self._answer:
                if (inside := widget.layout()) is not None:
                    inside.activate()
            self.activate()
