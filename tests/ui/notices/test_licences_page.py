"""Help > Licences: everything in a list, the licence in full beside it."""

import pytest

from explorer.licences import LicensedComponent, one_as_text
from explorer.ui.notices import licences_page
from explorer.ui.notices.licences_page import LicencesPage

FOUND = (
    LicensedComponent("PLM Explorer", "0.1.0", "MIT", texts=(("LICENSE", "Do as you like."),)),
    LicensedComponent("Python", "3.11.7", "PSF-2.0", "https://www.python.org"),
    LicensedComponent("torch", "2.13.0", "BSD-3-Clause", texts=(("LICENSE", "<b>Keep this.</b>"),)),
)


@pytest.fixture
def page(qtbot, monkeypatch):
    monkeypatch.setattr(licences_page, "components", lambda: FOUND)
    made = LicencesPage()
    qtbot.addWidget(made)
    with qtbot.waitSignal(made.filled):
        pass
    return made


def shown(page):
    items = [page.list.item(row) for row in range(page.list.count())]
    return [item.text() for item in items if not item.isHidden()]


def test_all_are_listed_and_the_first_is_open(page):
    assert shown(page) == ["PLM Explorer 0.1.0", "Python 3.11.7", "torch 2.13.0"]
    assert "Do as you like." in page.text.toPlainText()


def test_a_licence_is_shown_as_it_is_written(page):
    page.list.setCurrentRow(2)
    assert page.text.toPlainText().splitlines()[:2] == ["torch 2.13.0", "Licence: BSD-3-Clause"]
    assert "<b>Keep this.</b>" in page.text.toPlainText()


def test_the_filter_knows_names_and_licences(page):
    page.filter.setText("psf")
    assert shown(page) == ["Python 3.11.7"]
    assert page.text.toPlainText().startswith("Python 3.11.7")
    page.filter.setText("nothing of the kind")
    assert shown(page) == []
    assert page.text.toPlainText() == "No name or licence matches."
    page.filter.clear()
    assert len(shown(page)) == 3
    assert page.text.toPlainText().startswith("PLM Explorer")


def test_a_heading_keeps_its_place_in_the_middle_of_the_first_line():
    mine = LicensedComponent(
        "a", "1", "Apache-2.0", texts=(("LICENSE", "      Apache License\n  2.0\n"),)
    )
    assert "\n\n      Apache License\n  2.0\n" in one_as_text(mine)
