"""What tests of matrices share."""

import pytest

from explorer.ui.theme.schemes import apply_theme


@pytest.fixture
def shown(qtbot, qapp):
    """Shows a widget with its content, in a size and a scheme; gives the widget."""

    def show(made, content, size, scheme="light"):
        apply_theme(qapp, scheme)
        qtbot.addWidget(made)
        made.resize(*size)
        made.set_content(content)
        made.show()
        return made

    return show
