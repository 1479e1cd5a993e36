"""Pages are shown without a screen, as windows are."""

import pytest

from tests.ui.conftest import HARMLESS


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.name.startswith("test_page"):
            item.add_marker(pytest.mark.qt_log_ignore(HARMLESS, extend=True))
