"""What can be typed into or pressed has a border that can be seen (WCAG 2.1, 1.4.11: 3:1)."""

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QSlider,
    QSpinBox,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from explorer.ui.theme.schemes import Scheme, apply_theme, current_theme
from tests.ui.theme.test_theme import contrast

INPUTS = (
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QComboBox,
    QPushButton,
    QSpinBox,
    QDoubleSpinBox,
    QCheckBox,
    QRadioButton,
    QSlider,
)


def edge_of(widget: QWidget, ground: QColor) -> float:
    """The strongest contrast to the ground along a line from the widget's left into it."""
    picture = widget.grab().toImage()
    ratio = picture.devicePixelRatio()
    row = int(widget.rect().center().y() * ratio)
    line = [picture.pixelColor(x, row) for x in range(min(picture.width(), int(8 * ratio)))]
    return max(contrast(colour, ground) for colour in line)


@pytest.mark.parametrize("kind", INPUTS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("ground", ["window", "surface"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_inputs_border_reaches_three_to_one(
    qtbot, qapp: QApplication, scheme: Scheme, ground, kind
):
    apply_theme(qapp, scheme)
    colour = current_theme().colour(ground)
    window = QWidget()
    qtbot.addWidget(window)
    window.setStyleSheet(f"QWidget#ground {{ background: {colour.name()}; }}")
    window.setObjectName("ground")
    widget = kind()
    layout = QVBoxLayout(window)
    layout.addWidget(widget)
    window.resize(240, 120)
    window.show()
    qtbot.waitExposed(window)
    assert edge_of(widget, colour) >= 3.0


@pytest.mark.parametrize("kind", [QLineEdit, QComboBox, QSpinBox])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_off_looks_off(qtbot, qapp: QApplication, scheme: Scheme, kind):
    apply_theme(qapp, scheme)
    window = QWidget()
    qtbot.addWidget(window)
    widget = kind()
    if isinstance(widget, QComboBox):
        widget.addItem("Teacher's order")
    elif isinstance(widget, QLineEdit):
        widget.setText("Teacher's order")
    layout = QVBoxLayout(window)
    layout.addWidget(widget)
    window.resize(240, 120)
    window.show()
    qtbot.waitExposed(window)

    def strongest() -> float:
        picture = widget.grab().toImage()
        ground = picture.pixelColor(picture.width() // 2, 3)
        return max(
            contrast(picture.pixelColor(x, y), ground)
            for x in range(6, picture.width() - 24)
            for y in range(4, picture.height() - 4)
        )

    on = strongest()
    widget.setEnabled(False)
    off = strongest()
    assert 3.0 <= off < 0.75 * on
