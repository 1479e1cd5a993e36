"""README's table of what numbers are equal to is measured, and its bounds hold."""

import re

import pytest

import explorer
from explorer.scripting import process
from tests.equalities import EQUALITIES, FILES, ROOT, rows, table_in


@pytest.fixture(autouse=True)
def asked_here(tmp_path):
    """The door for Python, with a profile of its own."""
    explorer.use(profile=tmp_path / "profile", device="cpu", language="en")
    yield
    for one in process._CURRENT:
        one.end()
    process._CURRENT.clear()


@pytest.mark.parametrize("one", EQUALITIES, ids=lambda one: one.pairs.__name__)
def test_numbers_are_as_near_as_the_readme_says(one):
    assert one.distance() <= one.bound


def test_numbers_that_are_further_off_are_found_out():
    one = EQUALITIES[0]
    ours, theirs = one.pairs()
    far = [*ours[:-1], ours[-1] + 2 * one.bound]
    changed = type(one)(one.what, one.to, one.unit, one.bound, lambda: (far, theirs))
    assert changed.distance() > one.bound


@pytest.mark.parametrize(("number", "name"), list(enumerate(FILES)))
def test_the_readme_has_the_table(number, name):
    written = table_in((ROOT / name).read_text("utf-8"), number)
    made = "".join(rows(number, {one.what[0]: one.bound for one in EQUALITIES}))
    without_measured = re.compile(r" [^|]+ \|$", re.MULTILINE)
    assert without_measured.sub("", written) == without_measured.sub("", made)
    for line, one in zip(written.splitlines(), EQUALITIES, strict=True):
        assert float(line.rsplit("|", 2)[1]) <= one.bound
