import pytest

from explorer.world.language import english


@pytest.mark.parametrize(
    ("noun", "expected"),
    [("chef", "chefs"), ("city", "cities"), ("boy", "boys"), ("dress", "dresses"), ("thief",
     "thieves"), ("child", "children"), ("bread", "bread"), ("scissors", "scissors"), ("tomato",
     "tomatoes"), ("photo", "photos")],
)  # fmt: skip
def test_plural(noun, expected):
    assert english.plural(noun) == expected


@pytest.mark.parametrize(
    ("verb", "past", "third", "progressive"),
    [("cook", "cooked", "cooks", "cooking"), ("bake", "baked", "bakes", "baking"),
     ("study", "studied", "studies", "studying"), ("catch", "caught", "catches", "catching"),
     ("cut", "cut", "cuts", "cutting"), ("play", "played", "plays", "playing"),
     ("go", "went", "goes", "going"), ("buzz", "buzzed", "buzzes", "buzzing"),
     ("moo", "mooed", "moos", "mooing"), ("have", "had", "has", "having")],
)  # fmt: skip
def test_verb_forms(verb, past, third, progressive):
    assert english.past(verb) == past
    assert english.present(verb, "she") == third
    assert english.present(verb, "they") == verb
    assert english.progressive(verb) == progressive


def test_be_and_pronouns_agree():
    assert [english.be(who, "past") for who in ("I", "she", "they")] == ["was", "was", "were"]
    assert [english.present("be", who) for who in ("I", "he", "we")] == ["am", "is", "are"]
    assert (english.objective("she"), english.possessive("he")) == ("her", "his")


def test_article_follows_the_sound():
    assert [english.article(w) for w in ("excavator", "pan", "university", "hour")] == [
        "an", "a", "a", "an",
    ]  # fmt: skip
