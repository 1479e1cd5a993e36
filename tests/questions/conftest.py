"""Pages are shown without a screen, as windows are."""

import pytest

from tests.ui.conftest import HARMLESS


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.name.startswith("test_page"):
            item.add_marker(pytest.mark.qt_log_ignore(HARMLESS, extend=True))


@pytest.fixture(autouse=True)
def light(request: pytest.FixtureRequest) -> None:
    """Pages are in the light scheme until a test takes another."""
    if request.path.name.startswith("test_page"):
        from explorer.ui.theme.schemes import apply_theme

        apply_theme(request.getfixturevalue("qapp"), "light")


@pytest.fixture
def shown(qtbot):
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
