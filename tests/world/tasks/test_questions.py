"""Questions about passages of the small world, and what the derivation says is right."""

import random

import pytest

from explorer.world.corpus import CorpusDocument, training_documents
from explorer.world.grammar import DerivationNode, Symbol
from explorer.world.scenes import small_world
from explorer.world.tables import ACTIVITIES
from explorer.world.tasks.questions import (
    QUIET,
    WORDS,
    AnswerKind,
    QuestionWriter,
    answers,
    story_of,
)

JOBS = {activity.job for activity in ACTIVITIES}
PAINTING = (str([one.verb for one in ACTIVITIES].index("paint")), "they", "past", "wall")


def told(args, text):
    """The story that says these words, as a document."""
    grammar = small_world()
    for seed in range(20_000):
        node = grammar.sample(random.Random(seed), Symbol("work_story", args))
        if " ".join(node.words()) == text:
            above = DerivationNode(Symbol("work_on", args[:3]), 0, (node,))
            root = DerivationNode(
                Symbol("document"), 0, (DerivationNode(Symbol("work"), 0, (above,)),)
            )
            return story_of(CorpusDocument(root, tuple(text.split())))
    raise AssertionError(f"{args} never says {text!r}")


@pytest.fixture(scope="module")
def cook():
    text = "in the kitchen , a chef cooked the meal . he used a pan ."
    return told(("0", "he", "past", "meal"), text)


@pytest.fixture(scope="module")
def asker():
    return QuestionWriter(training_documents(1500))


def right(question, *stories):
    passage = " ".join(story.document.text for story in stories)
    return {passage[start:end] for start, end in answers(question, stories)}


def test_what_a_story_tells_is_found_and_what_it_leaves_out_is_not(cook):
    assert dict(cook.questions) == {
        AnswerKind.WORKER: "Who cooked the meal?",
        AnswerKind.OBJECT: "What did the chef cook?",
        AnswerKind.PLACE: "Where did the chef cook the meal?",
        AnswerKind.TOOL: "What did the chef use?",
        AnswerKind.TIME: "When did the chef cook the meal?",
    }
    assert {asked: right(text, cook) for asked, text in cook.questions.items()} == {
        AnswerKind.WORKER: {"a chef"},
        AnswerKind.OBJECT: {"the meal"},
        AnswerKind.PLACE: {"In the kitchen"},
        AnswerKind.TOOL: {"a pan"},
        AnswerKind.TIME: set(),
    }


@pytest.mark.parametrize(
    "question",
    [
        "Who cooked the soup?",
        "Who prepared the meal?",
        "Who will cook the meal?",
        "What did the chef prepare?",
        "Where did the baker cook the meal?",
        "What does the chef use?",
    ],
)
def test_another_verb_thing_tense_or_worker_has_no_answer(cook, question):
    assert right(question, cook) == set()


@pytest.mark.parametrize(
    ("args", "text", "questions"),
    [
        (
            ("0", "they", "present", "soup"),
            "the chefs cook the soup every Monday .",
            {"Who cooks the soup?": "The chefs",
             "When do the chefs cook the soup?": "every Monday"},
        ),
        (
            ("0", "it", "progressive", "meal"),
            "the chef is cooking a meal now .",
            {"Who is cooking the meal?": "The chef", "What is the chef cooking?": "a meal",
             "When is the chef cooking the meal?": "now"},
        ),
        (
            ("0", "she", "future", "rice"),
            "the chef will cook rice tomorrow . she will use an old pan .",
            {"Who will cook rice?": "The chef", "What will the chef use?": "an old pan",
             "When will the chef cook rice?": "tomorrow"},
        ),
    ],
)  # fmt: skip
def test_questions_are_in_the_storys_tense_and_number(args, text, questions):
    story = told(args, text)
    assert {one: right(one, story) for one in questions} == {
        one: {answer} for one, answer in questions.items()
    }


def test_places_are_those_of_the_whole_passage(cook):
    paint = told(PAINTING, "the painters painted the wall in the studio .")
    passage = f"{paint.document.text} {cook.document.text}"
    ((start, end),) = answers("What did the chef use?", [paint, cook])
    assert passage[start:end] == "a pan"
    assert right("Where did the painters paint the wall?", paint, cook) == {"in the studio"}


def test_two_right_spans_both_count():
    story = told(
        ("0", "he", "past", "soup"), "the chef cooked the soup with a pan . he used an old pot ."
    )
    assert right("What did the chef use?", story) == {"a pan", "an old pot"}


def test_passages_are_of_one_length_and_a_third_of_the_questions_look_elsewhere(asker):
    rng = random.Random(7)
    drawn = [asker.draw(rng) for _ in range(2000)]
    for one in drawn:
        words = one.passage.replace(".", " .").replace("?", " ?").replace(",", " ,").split()
        assert len(words) in WORDS
        assert all(0 <= start < end <= len(one.passage) for start, end in one.answers)
    share = sum(not one.answers for one in drawn) / len(drawn)
    assert 0.28 < share < 0.38
    for asked in AnswerKind:
        kinds = {bool(one.answers) for one in drawn if one.asked is asked}
        assert kinds == {True, False}, asked


def test_nobody_works_in_the_other_documents(asker):
    assert asker.quiet
    for document in asker.quiet:
        assert document.kind in QUIET
        assert JOBS.isdisjoint(document.words), document.text


def test_no_passage_leaves_a_question_open(asker):
    """The ceiling of exact match: the same text always has the same right answers."""
    rng = random.Random(3)
    known = {}
    for _ in range(4000):
        one = asker.draw(rng)
        assert known.setdefault((one.text, one.passage), one.right) == one.right
        # Only who may be two people, and what was used two things.
        assert len(one.answers) < 2 or one.asked in (AnswerKind.WORKER, AnswerKind.TOOL)
