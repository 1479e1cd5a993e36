"""Scripts by the names they have in the reader's language."""

from collections.abc import Callable

import pytest

from explorer.text import N_
from explorer.text.formatting import scripts
from explorer.text.phrase import Phrase, said


@pytest.mark.parametrize(
    ("script", "korean"),
    [("Latin", "로마자"), ("Hangul", "한글"), ("Han", "한자"), ("Nothing_Known", "Nothing Known")],
)
def test_a_script_has_its_name_in_korean(script: str, korean: str, speak: Callable[..., None]):
    assert scripts.named(script) == script.replace("_", " ")
    speak("ko")
    assert scripts.named(script) == korean


def test_a_chance_below_what_is_shown_is_written_as_the_language_has_it(
    speak: Callable[..., None],
):
    rare = Phrase(N_("{share}"), share="< 0.0001 %")
    speak("ko")
    assert said(rare) == "< 0.0001%"
