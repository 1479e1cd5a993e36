from explorer.learning.measured.rule_words import RULE_WORDS
from explorer.world.small.rules import RULES


def test_every_rule_has_words_of_its_own():
    assert set(RULE_WORDS) == set(RULES)
    assert len({one.title for one in RULE_WORDS.values()}) == len(RULES)
    assert len({one.says for one in RULE_WORDS.values()}) == len(RULES)
