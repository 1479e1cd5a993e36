import itertools

from explorer.learning.measured.rule_words import KIND_WORDS, RULE_WORDS, TOLD_IN_KOREAN, words_of
from explorer.world.corpus import documents
from explorer.world.korean.grammar import korean_world
from explorer.world.scenes import DOCUMENT_KINDS
from explorer.world.small.rules import RULES


def test_every_rule_has_words_of_its_own():
    assert set(RULE_WORDS) == set(RULES)
    assert len({one.title for one in RULE_WORDS.values()}) == len(RULES)
    assert len({one.says for one in RULE_WORDS.values()}) == len(RULES)


def test_what_the_usual_texts_are_about_has_words_too():
    assert set(KIND_WORDS) == {kind.strip("<>") for _, kind in DOCUMENT_KINDS}
    assert len({one.title for one in KIND_WORDS.values()}) == len(KIND_WORDS)
    assert words_of("digging") is KIND_WORDS["digging"]
    assert words_of("who") is RULE_WORDS["who"]
    assert words_of("nothing") is None


def test_everything_that_is_told_in_korean_has_words():
    kinds = {document.kind for document in itertools.islice(documents(1, korean_world()), 400)}
    assert set(TOLD_IN_KOREAN) == kinds - set(KIND_WORDS)
    assert all(words_of(kind) for kind in kinds)
