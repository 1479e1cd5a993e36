"""Courses of events keep their promises: an order that the world tells, and no form does."""

import collections
import random

import numpy as np
import pytest

from explorer.learning.measured.linear_reading import linear_reading
from explorer.world.corpus import CorpusDocument, has_withheld, sentence_words
from explorer.world.courses.corpus import held_out_courses, topic_of, training_courses
from explorer.world.courses.grammar import courses
from explorer.world.courses.order import follows, happening, in_order
from explorer.world.courses.tables import CHRONICLES, TOPICS, WORKS
from explorer.world.exact.inside import ExactReader
from explorer.world.language.english import words as split

PRONOUNS = set(split("i you he she it we they him her them his its their this that"))
CONNECTIVES = set(
    split(
        "first then next after afterwards before later finally last and but so because when while "
        "again also now already still soon"
    )
)


@pytest.fixture(scope="module")
def documents() -> list[CorpusDocument]:
    return training_courses(3000)


def sentences(document: CorpusDocument) -> list[tuple[str, ...]]:
    return list(sentence_words(document.words))


def test_documents_have_four_to_eight_sentences_on_one_topic(
    documents: list[CorpusDocument],
) -> None:
    lengths = collections.Counter(len(sentences(document)) for document in documents)
    assert set(lengths) == {4, 5, 6, 7, 8}
    for document in documents:
        assert {happening(one).topic for one in sentences(document)} == {topic_of(document)}
    assert {topic_of(document) for document in documents} == set(TOPICS)


def test_a_rule_of_the_tables_finds_the_order_of_shuffled_sentences(
    documents: list[CorpusDocument],
) -> None:
    rng = random.Random(0)
    for document in documents:
        told = sentences(document)
        places = list(range(len(told)))
        rng.shuffle(places)
        found = in_order([told[place] for place in places])
        assert [places[n] for n in found] == list(range(len(told))), document.text


def test_a_document_turned_round_is_in_no_order(documents: list[CorpusDocument]) -> None:
    for document in documents:
        told = sentences(document)
        for cut in range(1, len(told)):
            assert not follows(happening(told[-1]), happening(told[0])), document.text
            assert follows(happening(told[cut - 1]), happening(told[cut]))


def test_no_word_takes_up_another_sentence() -> None:
    """Nothing is said of what was said before: no pronoun, and no word that joins."""
    assert not {word.lower() for word in courses().words()} & (PRONOUNS | CONNECTIVES)


def shape(sentence: tuple[str, ...], content: frozenset[str]) -> tuple[str, ...]:
    """A sentence without what it is about: its function words, and how many others there are."""
    return tuple(word if word not in content else "_" for word in sentence)


def own_words(topic: str) -> set[str]:
    """Deeds, things and people of a topic."""
    if topic in WORKS:
        work = WORKS[topic]
        people, deeds = {*work.actors, *work.things}, work.steps
    else:
        people, deeds = set(CHRONICLES[topic].actors), CHRONICLES[topic].deeds
    return people | {word for deed in deeds for word in (deed.verb, deed.what)} - {"@"}


def content_words() -> frozenset[str]:
    """All of them, and times."""
    times = {time.split()[-1] for one in CHRONICLES.values() for time in one.times}
    return frozenset(times.union(*map(own_words, TOPICS)))


def test_the_form_of_a_sentence_tells_nothing_of_its_place(documents: list[CorpusDocument]) -> None:
    """A classifier of single sentences' forms is at chance: first half of a document, or second?

    Were and was follow the number of a noun, and so what the sentence is about: they are one here.
    """
    content = content_words()
    rows: list[tuple[str, ...]] = []
    late: list[bool] = []
    for document in documents:
        told = sentences(document)
        for place, sentence in enumerate(told):
            if 2 * place + 1 != len(told):
                forms = shape(sentence, content)
                rows.append(tuple("be" if word in ("was", "were") else word for word in forms))
                late.append(2 * place + 1 > len(told))
    known = {word: n for n, word in enumerate(sorted({word for row in rows for word in row}))}
    counts = np.zeros((len(rows), len(known) + 1))
    for n, row in enumerate(rows):
        counts[n, -1] = len(row)
        for word in row:
            counts[n, known[word]] += 1
    labels, half = np.array(late), len(rows) // 2
    right = linear_reading(counts[:half], labels[:half], counts[half:], labels[half:])
    assert 0.47 < right < 0.53


def test_every_form_is_drawn_alike_at_every_place() -> None:
    """Exactly, and not only in a draw: all steps of a topic have the same forms, as often."""
    content = content_words()
    for topic in TOPICS:
        forms = set()
        for symbol in courses().symbols():
            if symbol.name == "event" and symbol.args[0] == topic:
                told = collections.Counter[tuple[str, ...]]()
                for chance, sentence in courses().derivations(symbol):
                    shaped = tuple(
                        "be" if word in ("was", "were") else word
                        for word in shape(sentence, content)
                    )
                    told[shaped] += round(chance * 720)
                forms.add(frozenset(told.items()))
        assert len(forms) == 1, topic


def test_chronicles_that_come_round_tell_nothing_by_single_words(
    documents: list[CorpusDocument],
) -> None:
    """There even what happens is no help: every time is as often early as late."""
    early = collections.Counter[str]()
    late = collections.Counter[str]()
    for document in documents:
        topic = topic_of(document)
        if topic in CHRONICLES and CHRONICLES[topic].round:
            told = sentences(document)
            for place, sentence in enumerate(told):
                time = CHRONICLES[topic].times[happening(sentence).number]
                if 2 * place + 1 != len(told):
                    (early if 2 * place + 1 < len(told) else late)[time] += 1
    assert set(early) == set(late)
    for time, count in early.items():
        assert 0.6 < count / late[time] < 1.7, time


def test_topics_are_apart() -> None:
    """Things, people and deeds stand in one topic only; no more than times is shared by two."""
    owners = collections.Counter(word for topic in TOPICS for word in own_words(topic))
    assert {word for word, count in owners.items() if count > 1} == set()


def test_unseen_documents_hold_a_withheld_sentence_and_no_trained_one_does(
    documents: list[CorpusDocument],
) -> None:
    unseen = held_out_courses(300)
    assert all(has_withheld(document) for document in unseen)
    assert not any(has_withheld(document) for document in documents)
    trained = {document.words for document in documents}
    assert not trained & {document.words for document in unseen}


def test_the_grammar_reads_what_it_writes(documents: list[CorpusDocument]) -> None:
    """A text has one derivation, or one for each thing that it does not name."""
    reader = ExactReader(courses())
    for document in documents[:20]:
        chance = reader.probability(document.words)
        ways = round(chance / np.exp(courses().log_probability(document.node)))
        topic = topic_of(document)
        things = set(WORKS[topic].things) if topic in WORKS else {"-"}
        assert ways == (1 if things & {*document.words, "-"} else len(things))
        assert np.log(chance / ways) == pytest.approx(courses().log_probability(document.node))
