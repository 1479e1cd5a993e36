"""Scripts of pieces, by Unicode's own property."""

import pytest
import regex

from explorer.questions.tokenizers.vocabulary.scripts import script_of


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("cooked", "Latin"),
        ("café", "Latin"),
        ("covid19", "Latin"),
        ("don't", "Latin"),
        ("영화", "Hangul"),
        ("ᄒ", "Hangul"),
        ("漢字", "Han"),
        ("かな", "Hiragana"),
        ("漢字かな", "mixed"),
        ("слово", "Cyrillic"),
        ("كتاب", "Arabic"),
        ("كِتَاب", "Arabic"),
        ("ภาษาไทย", "Thai"),
        ("ที่", "Thai"),
        ("שלום", "Hebrew"),
        ("हिन्दी", "Devanagari"),
        ("42", "digits"),
        ("٤٢", "digits"),
        ("...", "punctuation"),
        ("3.5", "mixed"),
        ("+", "symbols"),
        ("🎬", "emoji"),
        ("👩‍🍳", "emoji"),
        ("🇰🇷", "emoji"),
        ("❤️", "emoji"),
        ("©", "symbols"),
        (" ", "spaces"),
        ("\n\n", "spaces"),
        ("aб", "mixed"),
        ("", "bytes"),
    ],
)
def test_script(text, script):
    assert script_of(text) == script


def test_a_letter_s_script_is_that_of_another_library():
    """Every letter of the first plane that both know."""
    names = ("Latin", "Greek", "Cyrillic", "Hangul", "Han", "Arabic", "Thai", "Hebrew", "Hiragana")
    for name in names:
        own = regex.compile(rf"\p{{Script={name}}}")
        letters = [chr(n) for n in range(0x41, 0xFFFF, 7) if own.match(chr(n)) and chr(n).isalpha()]
        assert letters
        assert {script_of(one) for one in letters} == {name}
