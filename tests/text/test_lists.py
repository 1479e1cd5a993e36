"""Words in one place of a text."""

from explorer.text.lists import all_of, any_of
from explorer.text.phrase import Phrase, said


def test_words_are_told_as_people_tell_them():
    assert all_of([]) == ""
    assert all_of(["query"]) == "query"
    assert any_of(["first", "second"]) == "first or second"
    assert all_of(iter(["query", "key", "value"])) == "query, key and value"


def test_they_are_said_in_the_readers_language(speak):
    told = Phrase("Use {slots}.", slots=any_of(["A", "B"]))
    assert told == "Use A or B."
    speak("en_XA")
    assert said(told) != told
    assert "{before}" not in said(told)
    assert said(any_of(["A", "B"])).startswith("⟦")
