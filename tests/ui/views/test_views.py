import itertools
import subprocess
import sys

import pytest

from explorer.document import Document
from explorer.questions import all_questions
from explorer.ui.theme.schemes import theme_of
from explorer.ui.views import PageView, listed, views
from explorer.ui.views.frame.view_frame import FrameState, ViewFrame

SHARED = ("explorer.ui.parts.page", "explorer.questions.learning.run_page")
"""What makes pages of the parts of an answer, and of a run of training."""


def test_views_are_found_by_being_there_in_their_order():
    found = views()
    assert found[0].of.name == "masked_tokens"
    headings = [heading for heading, _ in itertools.groupby(one.heading for one in listed())]
    for _heading, pages in itertools.groupby(listed(), key=lambda one: one.heading):
        places = [(one.of.listing.order, one.of.title) for one in pages]
        assert places == sorted(places)
    assert len(headings) == len(set(headings)), "the pages of a topic stand together"
    for view in found:
        assert view.of is all_questions()[view.of.name]
        folder = view.of.request.__module__.rpartition(".")[0]
        assert view.__module__ in (f"{folder}.page", *SHARED)
        assert view.of.part_kinds or view.__module__ == f"{folder}.page"


@pytest.mark.parametrize("kind", views(), ids=lambda kind: kind.of.name)
def test_every_view_keeps_the_contract(kind, qtbot):
    view: PageView = kind()
    qtbot.addWidget(view)
    assert view.objectName() == view.question == kind.of.name
    assert view.accessibleName() == view.title
    # What needs no loaded model may need no text either: a config alone is asked about.
    # Some measure on texts of their own, and need none of the user's.
    needs_text = kind.needs_model and kind.of.hint(Document(""))
    assert view.request_of(Document("")) is None or not needs_text
    assert view.empty_hint(Document("")).endswith(".") or not needs_text
    assert not view.has_result
    assert view.table() is None
    assert view.caption() == ""
    assert view.figure(800, theme_of("light")) is None


@pytest.mark.parametrize("kind", views(), ids=lambda kind: kind.of.name)
def test_every_view_fits_its_frame(kind, qtbot):
    frame = ViewFrame.of(kind())
    qtbot.addWidget(frame)
    assert frame.accessibleName() == kind.of.title
    assert frame.state is FrameState.EMPTY


HEAVY = ("torch", "transformers", "pyqtgraph", "matplotlib", "sqlite_utils", "pyarrow")


def test_the_views_are_imported_without_what_only_some_of_them_need():
    """The window imports them all, sooner or later."""
    code = (
        "import sys; from explorer.ui.views import views; views();"
        f"print(*[name for name in {HEAVY!r} if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == []
