"""Three buttons beside the second sentence: swap both, what really follows, any other one."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from explorer.document import Document
from explorer.text import _
from explorer.ui.document.edits import Edits
from explorer.ui.guarded import guarded
from explorer.ui.sentence.second_texts import SecondTextSource
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon


@guarded
class SecondTools(QWidget):
    """The buttons; each is one step of the history."""

    def __init__(self, edits: Edits, parent: QWidget) -> None:
        super().__init__(parent)
        self._edits = edits
        self._source = SecondTextSource(self)
        self._source.changed.connect(lambda: self.show_document(edits.document))
        self.swap = self._button("swap_texts_button", _("Swap both texts"), "swap-vertical")
        self.swap.setToolTip(_("Swap both texts: the second one comes first"))
        self.swap.clicked.connect(edits.swap_texts)
        self.next = self._button("next_text_button", _("What follows"), "skip-next-outline")
        self.next.clicked.connect(self._put_next)
        self.random = self._button("random_text_button", _("Any other sentence"), "dice-5-outline")
        self.random.setToolTip(
            _("Any other sentence: of the file of sentences that is open, or of the small world")
        )
        self.random.clicked.connect(self._put_random)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        for button in (self.swap, self.next, self.random):
            layout.addWidget(button)

    def _button(self, name: str, spoken: str, glyph: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(name)
        button.setAccessibleName(spoken)
        button.setIcon(icon(glyph))
        icon_in_size(button)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def show_document(self, document: Document) -> None:
        """What can be done with a document's texts."""
        self._source.look_at(document)
        if document.pair is None:
            return
        known = self._source.after(document.text)
        self.next.setEnabled(known is not None)
        if known is not None:
            self.next.setToolTip(_("Put what really follows the first sentence"))
            return
        self.next.setToolTip(
            _(
                "It isn't known what follows this sentence: take one of the small world, or open "
                "a file of sentences that has it"
            )
        )

    def _put_next(self) -> None:
        found = self._source.after(self._edits.document.text)
        if found is not None:
            self._edits.put_second(found, _("take the sentence that follows"))

    def _put_random(self) -> None:
        document = self._edits.document
        found = self._source.any_but(document.text, document.pair)
        if found is not None:
            self._edits.put_second(found, _("take another second sentence"))
