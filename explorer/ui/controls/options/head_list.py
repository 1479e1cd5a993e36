"""How a head is chosen wherever one is: a list of all heads of the model."""

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from explorer.api.question import head_said
from explorer.text import _

Head = tuple[int, int]
"""Layer and head, both from 0."""


class HeadList(QComboBox):
    """A list of heads, or of what they can be made; letters and digits that are typed find one.

    It is filled with `show_head`, or as any list with what is offered.

    Signals:
        chosen: A layer and a head.
    """

    chosen = Signal(int, int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._heads: tuple[Head, ...] = ()
        self.setAccessibleName(_("Layer and head"))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.activated.connect(self._tell)

    def _tell(self, number: int) -> None:
        if self._heads:
            self.chosen.emit(*self._heads[number])

    def show_head(self, layer: int, head: int, layers: range, heads: int) -> None:
        """Show which one is chosen, without telling.

        Args:
            layer: Its layer; the nearest there is where there is no such layer.
            head: Likewise.
            layers: Those that can be chosen; none where no model says which there are.
            heads: Of a layer.
        """
        known = tuple((one, other) for one in layers for other in range(heads))
        if known:
            layer = min(max(layer, layers[0]), layers[-1])
            head = min(head, heads - 1)
        with QSignalBlocker(self):
            if (known or ((layer, head),)) != self._heads:
                self._heads = known or ((layer, head),)
                self.clear()
                self.addItems([head_said(*one).said for one in self._heads])
            self.setCurrentIndex(self._heads.index((layer, head)))
