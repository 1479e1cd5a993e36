"""Pictures of the window at each size, in each scheme."""

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget

from explorer.tour.camera import SCHEMES, SIZES, Camera
from explorer.ui.theme.schemes import apply_theme, theme_signals


def test_a_window_is_taken_at_each_size_in_each_scheme_which_changes_but_twice(qtbot, tmp_path):
    apply_theme(QApplication.instance(), "light")
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    changed = []
    theme_signals().changed.connect(changed.append)
    camera = Camera(tmp_path)
    camera.window(window, "first")
    theme_signals().changed.disconnect(changed.append)
    assert [one.scheme for one in changed] == ["dark", "light"]
    assert (window.width(), window.height()) == SIZES[0]
    names = {f"01-first-{wide}x{high}-{one}.png" for wide, high in SIZES for one in SCHEMES}
    assert {one.name for one in camera.taken} == names
    for wide, high in SIZES:
        grounds = set()
        for scheme in SCHEMES:
            image = QImage(str(tmp_path / f"01-first-{wide}x{high}-{scheme}.png"))
            assert (image.width(), image.height()) == (wide, high)
            grounds.add(image.pixelColor(5, 5).lightness() > 128)
        assert grounds == {True, False}
    camera.dialog(window, "second")
    assert [one.name for one in camera.taken[-2:]] == ["02-second-dark.png", "02-second-light.png"]
