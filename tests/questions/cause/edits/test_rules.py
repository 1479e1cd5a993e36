"""Edits by rule: right English, of the world's own grammar where one word says all, or none."""

import itertools
import math

import pytest

from explorer.document import Mask
from explorer.questions.cause.edits.question import EditsRequest
from explorer.questions.cause.edits.rules import EVERY_RULE, RULES, edits_by
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.world.corpus import HELD_OUT_SEED, documents, small_world
from explorer.world.exact.inside import ExactReader
from tests.hf import tiny
from tests.hf.kept import miniature

LONGEST = 20


def edited(rule, text):
    """Every sentence that a rule makes of one, whose words and marks have spaces between them."""
    words = text.split()
    small = [one.casefold() for one in words]
    return [
        " ".join((*words[:at], put, *words[at + 1 :]))
        for at in range(len(words))
        for _name, put in edits_by(rule, small, at)
    ]


@pytest.mark.parametrize(
    ("rule", "text", "expected"),
    [
        ("negation", "the soup is hot .", ["the soup is not hot ."]),
        ("negation", "Anna cooked the soup .", ["Anna did not cook the soup ."]),
        ("negation", "he digs the ground .", ["he does not dig the ground ."]),
        ("tense", "Anna cooked the soup .", ["Anna will cook the soup ."]),
        ("tense", "he digs the ground .", ["he dug the ground ."]),
        ("tense", "I was happy .", ["I am happy ."]),
        ("number", "I planted the flower .", ["I planted the flowers ."]),
        ("number", "I planted the trees .", ["I planted the tree ."]),
        ("pronoun", "he used a pan .", ["she used a pan ."]),
        ("pronoun", "I gave her a pan .", ["I gave him a pan ."]),
        ("pronoun", "I lost her phone .", ["I lost his phone ."]),
        ("name", "Tom slept .", ["Peter slept .", "David slept .", "Jack slept ."]),
    ],
)
def test_what_a_rule_makes_of_a_sentence(rule, text, expected):
    assert edited(rule, text) == expected


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("negation", "the soup is not hot ."),
        ("negation", "can a dog run ?"),
        ("tense", "he cut the bread ."),
        ("number", "the flower is red ."),
        ("number", "is the road wide ?"),
        ("number", "I drank the water ."),
        ("pronoun", "he saw her ."),
        ("pronoun", "Tom lost his phone ."),
        ("name", "Grace Kim sang ."),
        ("name", "Tom is here . Tom slept ."),
        *((rule, "요리사가 국을 끓였다 .") for rule in RULES),
    ],
)
def test_what_one_word_can_not_make_right_stays(rule, text):
    assert edited(rule, text) == []


def test_people_who_are_exchanged_are_in_the_worlds_grammar():
    """The exact probability of every text is above 0; held-out texts, as nobody is trained on."""
    reader = ExactReader(small_world(), lambda word: (word,))
    tried = dict.fromkeys(("pronoun", "name"), 0)
    for document in itertools.islice(documents(HELD_OUT_SEED), 300):
        if len(document.words) > LONGEST:
            continue
        for rule in tried:
            for text in edited(rule, " ".join(document.words)):
                assert reader.probability(tuple(text.split())) > 0, (rule, text)
                tried[rule] += 1
    assert min(tried.values()) > 20


def test_each_edit_is_what_the_edited_sentence_is_answered():
    text, model = "Anna cooked the soup . She used a [MASK] .", miniature("bert-miniature")
    result = tiny.ask(model, EditsRequest(text, rule=EVERY_RULE))
    assert {one.rule for one in result.edits} == {"negation", "tense", "name", "synonym"}
    for one in result.edits:
        where = result.words[one.place]
        changed = text[: where.start] + one.put + text[where.end :]
        (mask,) = tiny.ask(model, MaskedTokensRequest(changed, top_k=2000)).masks
        chances = {each.word: each.probability for each in mask.predictions}
        assert math.exp(one.log_probability) == pytest.approx(chances[result.word], abs=1e-5)
        assert one.best == mask.predictions[0].word
        assert (one.cosine is None) == (one.rule != "synonym")


def test_capitals_stay_and_a_masked_word_is_not_edited():
    text = "Anna is here . Is she ?"
    request = EditsRequest(text, masks=(Mask(8, 12, 0),), rule=EVERY_RULE)
    result = tiny.ask(miniature("roberta-miniature"), request)
    assert {one.put for one in result.edits if one.rule == "name"} == {"Maria", "Emma", "Lucy"}
    assert all(one.put[0].isupper() for one in result.edits if result.words[one.place].word == "Is")
    assert "here" not in {one.word for one in result.words}


def test_a_sentence_without_anything_to_edit_says_so_in_no_edits():
    result = tiny.ask(miniature("bert-miniature"), EditsRequest("the [MASK] .", rule="pronoun"))
    assert result.edits == ()
