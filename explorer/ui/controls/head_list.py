"""How a head is chosen wherever one is: a list of all heads of the model."""

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from explorer.text import _

Head = tuple[int, int]
"""Layer and head, both from 0."""


def head_said(layer: int, head: int) -> str:
    """What a head is called."""
    return _("Layer {layer}, head {head}", layer=str(layer), head=str(head))


class HeadList(QComboBox):
    """A list of heads; letters and digits that are typed find one.

    Signals:
        chosen: A layer and a head.
    """

    chosen = Signal(int, int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._heads: tuple[Head, ...] = ()
        self.setAccessibleName(_("Layer and head"))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.activated.connect(lambda number: self.chosen.emit(*self._heads[number]))

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
                self.addItems([head_said(*one) for one in self._heads])
            self.setCurrentIndex(self._heads.index((layer, head)))
