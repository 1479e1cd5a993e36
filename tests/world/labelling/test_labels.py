"""Labels of the small world: what the derivation says of each word."""

import random

import pytest

from explorer.world.corpus import HELD_OUT_SEED, CorpusDocument, documents
from explorer.world.grammar import Grammar, Symbol, spans
from explorer.world.labelling import labels
from explorer.world.language.english import words
from explorer.world.scenes import small_world
from explorer.world.tables import ACTIVITIES


def told(symbol, text):
    """The document of a symbol that says these words."""
    grammar = small_world()
    for seed in range(20_000):
        node = grammar.sample(random.Random(seed), symbol)
        if " ".join(node.words()) == text:
            return CorpusDocument(node, words(text))
    raise AssertionError(f"{symbol} never says {text!r}")


def labelled(document, kind):
    pairs = zip(document.words, labels.KINDS[kind](document), strict=True)
    return [(word, label) for word, label in pairs if label is not None]


@pytest.fixture(scope="module")
def cook():
    story = Symbol("work_story", ("0", "he", "future", "meal"))
    return told(story, "the chef will cook the meal in the kitchen . he will use a pan .")


def test_a_story_about_work_word_by_word(cook):
    assert ACTIVITIES[0].job == "chef"
    assert labels.part_of_speech(cook) == words(
        "DET NOUN AUX VERB DET NOUN ADP DET NOUN PUNCT PRON AUX VERB DET NOUN PUNCT"
    )
    assert labelled(cook, "tense") == [("cook", "future"), ("use", "future")]
    assert labelled(cook, "number") == [
        (noun, "singular") for noun in ("chef", "meal", "kitchen", "pan")
    ]
    assert labelled(cook, "role") == [
        ("chef", "subject"),
        ("meal", "object"),
        ("kitchen", "place"),
        ("pan", "tool"),
    ]
    assert labelled(cook, "job") == [("he", "chef")]


def test_pronouns_of_people_and_of_things_stand_for_nouns(cook):
    assert labelled(cook, "antecedent") == [("he", "chef")]
    eaten = Symbol("work_story", ("0", "she", "past", "meal"))
    document = told(eaten, "the chef cooked the meal . then she ate it .")
    assert labelled(document, "antecedent") == [("she", "chef"), ("it", "meal")]
    document = told(eaten, "the chef cooked the meal . it took her one hour .")
    assert labelled(document, "antecedent") == [("her", "chef")]
    document = told(eaten, "where did the chef cook the meal ? she cooked it in the kitchen .")
    assert labelled(document, "antecedent") == [("she", "chef"), ("it", "meal")]


def test_the_tool_that_is_not_said_is_at_the_verb(cook):
    assert labelled(cook, "tool") == [], "a pan is named"
    document = told(Symbol("work_done", ("0", "it", "future", "meal")), "the chef will cook the "
                    "meal tomorrow .")  # fmt: skip
    ((word, tool),) = labelled(document, "tool")
    assert word == "cook"
    assert tool == max(ACTIVITIES[0].tools)[1]


def test_one_form_has_two_tenses():
    many = Symbol("work_done", ("0", "they", "present", "meal"))
    present = told(many, "every day the chefs cook the meal in the kitchen .")
    assert labelled(present, "tense") == [("cook", "present")]
    assert ("chefs", "plural") in labelled(present, "number")
    now = Symbol("work_done", ("0", "he", "progressive", "soup"))
    progressive = told(now, "the chef is cooking the soup now .")
    assert labelled(progressive, "tense") == [("cooking", "progressive")]
    assert labels.part_of_speech(progressive)[2:4] == ("AUX", "VERB")
    # "soup" has no plural, "now" was written out by a rule.
    assert labelled(progressive, "number") == [("chef", "singular")]
    assert labels.part_of_speech(progressive)[-2] is None


def test_one_form_has_two_numbers():
    grammar = small_world()
    for rule, number in (("noun", "singular"), ("nouns", "plural")):
        node = grammar.sample(random.Random(0), Symbol(rule, ("sheep",)))
        assert labelled(CorpusDocument(node, ("sheep",)), "number") == [("sheep", number)]


def test_a_word_of_two_classes_has_that_of_its_rule():
    water = next(n for n, one in enumerate(ACTIVITIES) if one.verb == "water")
    symbol = Symbol("work_done", (str(water), "they", "future", "plant"))
    document = told(symbol, "tomorrow the gardeners will water the plant in the garden .")
    said = dict(labelled(document, "part_of_speech"))
    assert (said["water"], said["plant"]) == ("VERB", "NOUN")


def test_names_pronouns_and_adjectives():
    film = Symbol("film_told", ("she", "movie", "good", "liked"))
    document = told(film, "Mary liked the movie because it was great .")
    assert labelled(document, "part_of_speech") == [
        ("Mary", "PROPN"),
        ("the", "DET"),
        ("it", "PRON"),
        ("was", "AUX"),
        ("great", "ADJ"),
        (".", "PUNCT"),
    ]


def test_the_job_behind_a_pronoun_is_named_before_it():
    stream = documents(HELD_OUT_SEED)
    found = 0
    while found < 100:
        document = next(stream)
        for place, job in enumerate(labels.job(document)):
            if job is None:
                continue
            before = {
                span.symbol.args[0]
                for span in spans(document.node, frozenset({"noun", "nouns", "a"}))
                if span.start < place
            }
            assert job in before, document.text
            assert document.words[place] in {"he", "she", "they", "him", "her", "them"}
            found += 1


def test_every_word_has_one_label_at_most_and_every_label_is_met():
    met = {kind: set() for kind in labels.KINDS}
    stream = documents(HELD_OUT_SEED)
    for _ in range(600):
        document = next(stream)
        for kind, of in labels.KINDS.items():
            said = of(document)
            assert len(said) == len(document.words)
            met[kind].update(label for label in said if label is not None)
    assert met["tense"] == {"past", "present", "progressive", "future"}
    assert met["number"] == {"singular", "plural"}
    assert met["role"] == {"subject", "object", "place", "tool"}
    assert met["part_of_speech"] == set(
        words("NOUN VERB AUX ADJ DET PRON ADP CCONJ NUM PROPN PUNCT")
    )
    assert met["job"] <= {activity.job for activity in ACTIVITIES}
    assert met["antecedent"] >= met["job"] & {"chef", "teacher", "farmer"}
    assert len(met["antecedent"] - {activity.job for activity in ACTIVITIES}) > 5
    assert met["tool"] <= {name for activity in ACTIVITIES for _, name in activity.tools}
    assert len(met["tool"]) > 10


def test_adjectives_end_every_sentence_about_a_result():
    grammar: Grammar = small_world()
    for symbol in grammar.symbols():
        if symbol.name == "work_result":
            for production in grammar.productions(symbol):
                assert production.parts[-1] == "."
                assert isinstance(production.parts[-2], str)
