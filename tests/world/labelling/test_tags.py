"""Tags of the small world: what the derivation says, and that the text tells it."""

import random

import pytest

from explorer.world.corpus import CorpusDocument, held_out_documents
from explorer.world.exact.inside import ExactReader
from explorer.world.grammar import Grammar, Symbol
from explorer.world.labelling.tags import BEHIND, TAGGED, TAGS, TaggedGrammar, TagReader, tags
from explorer.world.language.english import words
from explorer.world.scenes import small_world

CASES = {
    "the chef cooked the meal in the kitchen . he used a pan .": (
        ("work_story", "0", "he", "past", "meal"),
        "O B-JOB O O B-OBJECT O O B-PLACE O O O O B-TOOL O",
    ),
    "what did the chef use ? he used a knife .": (
        ("tools_asked",),
        "O O O B-JOB O O O O O B-TOOL O",
    ),
    "we will plant flowers , so we need a trowel .": (
        ("dug", "we", "plant_flowers", "trowel"),
        "O O O B-OBJECT O O O O O B-TOOL O",
    ),
}


def told(symbol, text):
    """The document of a symbol that says these words."""
    for seed in range(20_000):
        node = small_world().sample(random.Random(seed), symbol)
        if " ".join(node.words()) == text:
            return CorpusDocument(node, words(text))
    raise AssertionError(f"{symbol} never says {text!r}")


@pytest.mark.parametrize("text", CASES)
def test_tags_word_by_word(text):
    (name, *args), expected = CASES[text]
    assert tags(told(Symbol(name, tuple(args)), text)) == words(expected)


def test_names_and_dates_of_several_words_are_one_range():
    (name,) = {
        tuple(zip(one.words, tags(one), strict=True))[-3:-1]
        for one in held_out_documents(400)
        if one.text.startswith("The name of the musician is") and one.text.count(".") == 1
    }
    assert [tag for _, tag in name] == ["B-PERSON", "I-PERSON"]
    review = Symbol("film_told", ("I", "film", "bad", "hated"))
    text = "I hated the film that I saw last week ."
    assert tags(told(review, text))[-3:-1] == ("B-DATE", "I-DATE")


def test_a_word_has_the_tag_of_what_it_does_in_its_sentence():
    found = {}
    for one in held_out_documents(500):
        for word, tag in zip(one.words, tags(one), strict=True):
            found.setdefault(word, set()).add(tag)
    assert {"B-OBJECT", "B-TOOL"} <= found["computer"] | found["book"] | found["map"]
    assert {"O", "B-OBJECT"} <= found["book"], "of a gift it is none"
    assert {tag for kinds in found.values() for tag in kinds} == set(TAGS) - {
        f"I-{kind}" for kind in ("JOB", "OBJECT", "PLACE", "TOOL")
    }, "of one word in this world"


@pytest.fixture(scope="module")
def unseen():
    return [one for one in held_out_documents(25) if one.kind in TAGGED]


def test_the_tagged_grammar_writes_the_words_and_the_tags_of_the_plain_one(unseen):
    grammar = TaggedGrammar(small_world())
    for seed in range(40):
        plain = small_world().sample(random.Random(seed))
        document = CorpusDocument(plain, tuple(plain.words()))
        written = [w.partition(BEHIND)[::2] for w in grammar.sample(random.Random(seed)).words()]
        assert tuple(word for word, _ in written) == document.words
        assert tuple(tag for _, tag in written) == tags(document)


def test_a_whole_text_of_the_world_tells_every_tag(unseen):
    reader = TagReader()
    assert all(reader.certainty(one) == (1.0,) * len(one.words) for one in unseen)


def test_where_two_derivations_write_one_text_the_likelier_tag_is_all_one_can_know(monkeypatch):
    rules = {
        "document": lambda: [(3.0, "<tool t>"), (1.0, "<place p>")],
        "tool": lambda _: [(1.0, "a <noun pen>")],
        "place": lambda _: [(1.0, "a <noun pen>")],
        "noun": lambda lemma: [(1.0, lemma)],
    }
    monkeypatch.setattr("explorer.world.labelling.tags.small_world", lambda: Grammar(rules))
    node = Grammar(rules).sample(random.Random(1))
    assert TagReader().certainty(CorpusDocument(node, ("a", "pen"))) == pytest.approx((1.0, 0.75))


def test_readers_of_tagged_words_agree_with_those_of_plain_ones(unseen):
    tagged = ExactReader(TaggedGrammar(small_world()), lambda word: tuple(word.split(BEHIND)))
    plain = ExactReader(small_world())
    for one in unseen[:2]:
        unknown = [part for word in one.words for part in (word, None)]
        assert tagged.probability(unknown) == pytest.approx(plain.probability(one.words))
