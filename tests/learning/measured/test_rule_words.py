from explorer.learning.measured.rule_words import KIND_WORDS, RULE_WORDS, words_of
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
