"""Pages in a room that is too low for them, or just high enough."""

import pytest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.ui.blocks.block import LaidPage
from explorer.ui.blocks.widget.painted import PaintedPage
from explorer.ui.controls.scrolling import scrolling

MANY = 1_000
"""Questions for a height; a layout that comes to rest asks some dozen times."""


class Counting(PaintedPage):
    """A page that ends what would otherwise end the program: layouts within layouts."""

    asked = 0

    def heightForWidth(self, width):
        self.asked += 1
        return super().heightForWidth(width) if self.asked < MANY else 0


@pytest.mark.parametrize("steep", [1.0, -1.0])
def test_a_page_that_fits_only_beside_a_scroll_bar_comes_to_rest(qtbot, steep):
    window = QWidget()
    qtbot.addWidget(window)
    inside = QWidget(window)
    page = Counting("page", inside)
    QVBoxLayout(inside).addWidget(page)
    area = scrolling(inside, "area", window)
    layout = QVBoxLayout(window)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(area)
    page.show_page(lambda width: LaidPage(width, 300 + (width - 600) * steep, ()))
    window.resize(600, 400)
    window.show()
    qtbot.waitExposed(window)

    def is_at_rest():
        hidden = inside.height() > area.viewport().height()
        whole = page.height() >= int(page.page.height)
        return whole and hidden is area.verticalScrollBar().isVisible()

    for high in range(280, 330, 5):
        for wide in (640, 600, 620):
            page.asked = 0
            window.resize(wide, high)
            qtbot.waitUntil(lambda: page.asked >= MANY or is_at_rest())
            assert page.asked < MANY, (wide, high)
