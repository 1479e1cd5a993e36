import pytest

from explorer.ui.theme.schemes import apply_theme


@pytest.fixture(autouse=True)
def light(qapp):
    apply_theme(qapp, "light")
