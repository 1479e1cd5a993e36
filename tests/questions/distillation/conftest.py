import pytest


@pytest.fixture
def light(qapp):
    from explorer.ui.theme.schemes import apply_theme

    apply_theme(qapp, "light")


@pytest.fixture
def shown(light, qtbot):
    """Show a view in a window of some size; gives the view."""
    from PySide6.QtWidgets import QWidget

    windows = []

    def show(kind, width=820, height=620):
        window = QWidget()
        qtbot.addWidget(window)
        view = kind(window)
        window.resize(width, height)
        view.resize(width, height)
        window.show()
        qtbot.waitExposed(window)
        windows.append(window)
        return view

    yield show
    for window in windows:
        window.close()
