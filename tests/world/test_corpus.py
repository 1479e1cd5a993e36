import hashlib
import itertools
import subprocess
import sys

import pytest

from explorer.world.corpus import (
    WITHHELD_SHARE,
    documents,
    has_withheld,
    held_out_documents,
    is_withheld,
    sentence_words,
    spell,
    training_documents,
)
from explorer.world.exact.inside import ExactReader
from explorer.world.scenes import DOCUMENT_KINDS, small_world


@pytest.fixture(scope="module")
def reader():
    return ExactReader(small_world())


def test_same_seed_same_corpus():
    first = [document.text for document in itertools.islice(documents(5), 300)]
    again = [document.text for document in itertools.islice(documents(5), 300)]
    other = [document.text for document in itertools.islice(documents(6), 300)]
    assert first == again
    assert first != other


def test_the_corpus_is_pinned():
    """The bundled miniatures were trained on this very stream."""
    text = "\n".join(document.text for document in itertools.islice(documents(11), 2000))
    assert text.startswith("Two plus two is four.\n")
    assert hashlib.sha256(text.encode()).hexdigest().startswith("011bca84193848b0")


def test_withheld_sentences_are_in_no_training_text():
    trained = {
        sentence
        for document in training_documents(4000)
        for sentence in sentence_words(document.words)
    }
    unseen = held_out_documents(300)
    withheld = {s for d in unseen for s in sentence_words(d.words) if is_withheld(s)}
    assert len(withheld) > 200
    assert trained.isdisjoint(withheld)
    assert all(has_withheld(document) for document in unseen)
    assert len({document.words for document in unseen}) == len(unseen)


def test_share_of_withheld_sentences():
    sentences = {
        sentence
        for document in itertools.islice(documents(3), 12_000)
        for sentence in sentence_words(document.words)
        if len(sentence) >= 7
    }
    share = sum(map(is_withheld, sentences)) / len(sentences)
    assert share == pytest.approx(WITHHELD_SHARE, abs=0.01)


def test_case_does_not_move_a_sentence_across_the_split():
    words = ("The", "chef", "cooked", "the", "soup", "with", "a", "pot", ".")
    assert is_withheld(words) == is_withheld(tuple(word.lower() for word in words))


def test_spelling_is_natural():
    assert spell(("yes", ",", "Anna", "is", "here", ".")) == "Yes, Anna is here."
    for document in itertools.islice(documents(8), 300):
        assert " ." not in document.text
        assert " ," not in document.text
        assert all(s[0].isupper() and s[-1] in ".?!" for s in document.sentences)


def test_every_kind_of_document_is_written():
    kinds = {document.kind for document in itertools.islice(documents(1), 3000)}
    assert kinds == {text.strip("<>") for _, text in DOCUMENT_KINDS}


@pytest.mark.parametrize(
    "text",
    [
        "I liked the movie that I watched yesterday . the movie was fun .",
        "the chef cooked the meal in the kitchen .",
        "a chef ate the meal .",
        "I will plant flowers , so I dug the ground . I used a trowel .",
        "I will build a house , so I dug the ground . I used an excavator .",
        "the day after Monday is Tuesday .",
        "three comes after two .",
    ],
)
def test_the_world_says(reader, text):
    assert reader.probability(text.split()) > 0.0


@pytest.mark.parametrize(
    "text",
    [
        "the chef cooked the house in the kitchen .",
        "the chefs cooks the meal in the kitchen .",
        "the day after Monday is Friday .",
        "I will build a house , so I dug the ground . I used a trowel .",
        "the name of the engineer is Elena Bell .",
    ],
)
def test_the_world_never_says(reader, text):
    assert reader.probability(text.split()) == 0.0


def test_adjectives_of_films_are_graded_by_the_verdict(reader):
    def after(verdict):
        text = f"I {verdict} the movie that I watched yesterday . the movie was <> ."
        pattern = [None if word == "<>" else word for word in text.split()]
        return reader.posterior(pattern, pattern.index(None))

    liked, hated = after("liked"), after("hated")
    for good, bad in itertools.product(
        ("exciting", "great", "fun", "happy"), ("boring", "sad", "dull", "heavy")
    ):
        assert liked[good] > 8 * liked[bad] > 0.0
        assert hated[bad] > 8 * hated[good] > 0.0


def test_the_world_needs_no_model():
    code = (
        "import sys, explorer.world.exact.readers, explorer.world.korean.text,"
        " explorer.world.labelling.knowledge_spans;"
        " sys.exit(bool({'torch', 'transformers', 'PySide6'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
