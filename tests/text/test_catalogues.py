"""What translators wrote: the same places, as many forms as the language has, and the .mo of it."""

import gettext
import re

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from explorer.text.catalogues import LOCALE
from explorer.text.korean.particles import FORMS
from explorer.text.language import DOMAIN

PLACE = re.compile(r"\{\w+\}|%\(\w+\)[rs]|%[rs]")
MNEMONIC = re.compile(r"(?<!&)&(?=\w)")
CLOSING = r"[”’\"'»›」』》〉\])]*"
BOTH = "|".join(re.escape(one) for one in FORMS if one != "(이)")
ONE_FORM = re.compile(rf"\{{\w+\}}{CLOSING}(은|는|이|가|을|를|과|와|으로|로)(?=[\s,.…)]|$)")
BEHIND_FIXED = re.compile(rf"[^}}\s]{CLOSING}(?:{BOTH})")
BEHIND_A_PLACE = re.compile(
    rf"\{{\w+\}}(?: ?\((?:[^(){{}}]|\{{\w+\}})*\))?(?:{CLOSING}|</\w+>)*(?:{BOTH})"
)
REMARK = re.compile(r" ?\([^()]*\)")
NUMBERS = {"{count}", "{number}", "{all}", "{total}"}

PATHS = sorted(LOCALE.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))
CODES = [path.parent.parent.name for path in PATHS]


@pytest.fixture(scope="module", params=PATHS, ids=CODES)
def path(request):
    return request.param


@pytest.fixture(scope="module")
def catalogue(path):
    with path.open("rb") as stream:
        return read_po(stream, locale=path.parent.parent.name)


def entries(catalogue):
    """English texts with their translations; those that are not translated yet are left out."""
    for one in catalogue:
        if one.id and all(_forms(one)):
            yield one, _english(one), _forms(one)


def _english(one: Message):
    return one.id if isinstance(one.id, tuple) else (one.id,)


def _forms(one: Message):
    return one.string if isinstance(one.string, tuple) else (one.string,)


def test_every_place_of_the_english_text_stands_in_the_translation(catalogue):
    wrong = []
    for one, english, forms in entries(catalogue):
        for told in forms:
            found = sorted(PLACE.findall(told))
            # Of a count, a language may leave the number away, as English does in "one token".
            if isinstance(one.id, tuple):
                fits = set(found) <= set(PLACE.findall(english[-1]))
                fits &= set(PLACE.findall(english[-1])) - set(found) <= NUMBERS
            else:
                fits = found == sorted(PLACE.findall(english[0]))
            if not fits:
                wrong.append(f"{english[-1]!r}: {told!r}")
    assert not wrong, "\n".join(wrong)


def test_counts_have_as_many_forms_as_the_language(catalogue):
    wrong = [
        one.id
        for one in catalogue
        if isinstance(one.id, tuple) != isinstance(one.string, tuple)
        or (isinstance(one.id, tuple) and len(one.string) != catalogue.num_plurals)
    ]
    assert not wrong


def test_menus_keep_one_mnemonic_each(catalogue):
    wrong = [
        f"{english[0]!r}: {told!r}"
        for _one, english, (told, *_others) in entries(catalogue)
        if len(MNEMONIC.findall(english[0])) != len(MNEMONIC.findall(told))
    ]
    assert not wrong, "\n".join(wrong)


def test_lines_begin_and_end_as_in_english(catalogue):
    wrong = [
        f"{english[-1]!r}: {told!r}"
        for _one, english, forms in entries(catalogue)
        for told in forms
        if told.count("\n") != english[-1].count("\n") or _edges(told) != _edges(english[-1])
    ]
    assert not wrong, "\n".join(wrong)


def _edges(text):
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


def test_particles_stand_in_both_forms_behind_places_and_in_one_behind_words(catalogue):
    if catalogue.locale.language != "ko":
        pytest.skip("Korean alone has them")
    wrong = []
    for _one, _text, forms in entries(catalogue):
        for told in forms:
            left = BEHIND_A_PLACE.sub("{}", told)
            # Behind a remark in brackets it belongs to the word before.
            if ONE_FORM.search(REMARK.sub("", left)):
                wrong.append(f"one form behind a place: {told!r}")
            if BEHIND_FIXED.search(left):
                wrong.append(f"both forms behind a word: {told!r}")
    assert not wrong, "\n".join(wrong)


def test_the_mo_is_made_of_the_po(path, catalogue):
    with path.with_suffix(".mo").open("rb") as stream:
        read = gettext.GNUTranslations(stream)
    wrong = []
    for one, english, forms in entries(catalogue):
        if isinstance(one.id, tuple):
            told = tuple(read.ngettext(*english, n) for n in (1, 2))
            fits = set(told) <= set(forms)
        else:
            fits = read.gettext(english[0]) == forms[0]
        if not fits:
            wrong.append(english[0])
    assert not wrong, f"python -m explorer.text.catalogues compile: {wrong[:5]}"
    known = {_english(one)[0] for one, _texts, _told in entries(catalogue)}
    # What the program no longer says is said of stored runs still.
    known |= {_english(one)[0] for one in catalogue.obsolete.values() if all(_forms(one))}
    # Besides the header.
    kept = {key[0] if isinstance(key, tuple) else key for key in vars(read)["_catalog"]} - {""}
    assert kept == known
