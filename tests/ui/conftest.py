"""Windows without a screen."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent
HARMLESS = r"This plugin does not support (propagateSizeHints\(\)|raise\(\)|grabbing the keyboard)"
"""Said by Qt's platform without a screen, of windows with a smallest size, that float or pop up."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.qt_log_ignore(HARMLESS, extend=True))
