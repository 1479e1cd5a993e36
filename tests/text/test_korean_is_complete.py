"""Korean has every text of the program, and none that the program no longer says."""

import pytest
from babel.messages.pofile import read_po

from explorer.text.catalogues import LOCALE
from explorer.text.language import DOMAIN
from tests.program_texts import collected

PATH = LOCALE / "ko" / "LC_MESSAGES" / f"{DOMAIN}.po"
HOW = "python -m explorer.text.catalogues update ko, translate, then compile"


@pytest.fixture(scope="module")
def known():
    """The program's texts, with the first file that each stands in."""
    return {one.id: one.locations[0][0] for one in collected() if one.id}


@pytest.fixture(scope="module")
def korean():
    """The texts that have a translation which is not a guess."""
    with PATH.open("rb") as stream:
        catalogue = read_po(stream, locale="ko")
    told = {}
    for one in catalogue:
        forms = one.string if isinstance(one.string, tuple) else (one.string,)
        if one.id and all(forms) and not one.fuzzy:
            told[one.id] = forms
    return told


def test_no_text_is_missing(known, korean):
    missing = [f"{where}: {text!r}" for text, where in known.items() if text not in korean]
    assert not missing, f"{len(missing)} texts ({HOW}):\n" + "\n".join(sorted(missing))


def test_nothing_is_translated_that_the_program_no_longer_says(known, korean):
    left = [repr(text) for text in korean if text not in known]
    assert not left, f"{len(left)} texts ({HOW}):\n" + "\n".join(sorted(left))
