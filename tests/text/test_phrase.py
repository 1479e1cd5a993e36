"""A text as data: English for programs, words in any language for people."""

import pickle
from dataclasses import dataclass

import pytest

from explorer.serialise import from_json, to_builtins, to_json
from explorer.text import N_, Phrase, said
from explorer.text.formatting.numbers import percent

WORDS = {
    "{count} tokens of {what} were cut off.": "Von {what}: {count} Tokens weg.",
    "soup": "Suppe",
}


@dataclass(frozen=True)
class Answer:
    note: Phrase
    notes: tuple[Phrase, ...] = ()


def cut():
    return Phrase(N_("{count} tokens of {what} were cut off."), count=1200, what=Phrase(N_("soup")))


def test_it_is_its_english_sentence_whatever_is_spoken(speak):
    speak("de", **WORDS)
    assert cut() == "1,200 tokens of soup were cut off."
    assert not Phrase()


def test_it_is_said_in_the_language_of_whoever_reads(speak):
    made = cut()
    assert made.said == "1,200 tokens of soup were cut off."
    speak("de", **WORDS)
    assert made.said == "Von Suppe: 1.200 Tokens weg."


def test_a_share_is_written_as_everywhere_on_the_page(speak):
    share = Phrase(N_("They hold {share}."), share=f"{0.2881:.1%}")
    assert share == "They hold 28.8%."
    assert share.said == f"They hold {percent(0.2881, 1)}." == "They hold 28.8 %."
    speak("de", **{"They hold {share}.": "Es sind {share}."})
    assert share.said == "Es sind 28,8\N{NO-BREAK SPACE}%."
    bound = Phrase(N_("They hold {share}."), share="> 99.9 %")
    assert bound.said == "Es sind > 99,9\N{NO-BREAK SPACE}%."


def test_it_crosses_processes_and_the_log_with_its_values(speak):
    answer = Answer(cut(), (Phrase.joined([cut(), Phrase("Soup!")]),))
    for back in (pickle.loads(pickle.dumps(answer)), from_json(Answer, to_json(answer))):
        assert back == answer
        speak("de", **WORDS)
        assert back.note.said == "Von Suppe: 1.200 Tokens weg."
        assert back.notes[0].said == "Von Suppe: 1.200 Tokens weg. Soup!"


def test_programs_are_given_the_sentence():
    assert to_builtins(Answer(cut())) == {
        "note": "1,200 tokens of soup were cut off.",
        "notes": (),
    }


def test_what_an_older_program_stored_is_a_sentence_still(speak):
    old = from_json(Answer, '{"note": "soup", "notes": ["a {brace}"]}')
    assert (old.note, old.notes) == ("soup", ("a {brace}",))
    speak("de", **WORDS)
    assert (old.note.said, said("soup"), old.notes[0].said) == ("Suppe", "Suppe", "a {brace}")


@pytest.mark.parametrize("broken", ["3", '{"text": "a"}', '[{"words": "a"}]', "null"])
def test_what_is_no_text_is_refused(broken):
    with pytest.raises((ValueError, KeyError)):
        from_json(Answer, f'{{"note": {broken}}}')
