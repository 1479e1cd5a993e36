"""Which words the small world has: the lists that are shipped are the grammar's own."""

import pytest

from explorer.paths import Paths
from explorer.world.corpus import held_out_documents
from explorer.world.korean.text import korean
from explorer.world.language.lexicon import lexicon, new_words, words_of
from explorer.world.language.word_lists import english_words, korean_words, words_of_korean_world


def test_the_english_list_is_what_the_grammar_can_write():
    assert lexicon("en") == english_words()


def test_the_korean_list_has_what_is_told():
    assert korean_words(3000) <= lexicon("ko")
    assert all("가" <= word[0] <= "힣" for word in lexicon("ko"))


def test_the_list_of_the_korean_world_is_what_its_grammar_can_write():
    assert lexicon("korean") == words_of_korean_world()


def test_texts_of_the_world_hold_no_new_word():
    for document in held_out_documents(300):
        assert not new_words(words_of(document.text), ("en",))
        told = korean(document)
        assert told is None or len(new_words(words_of(told), ("ko",))) <= 1


def test_new_words_are_told_as_they_are_written():
    text = "The Chef cooked a quiche, didn't he? Cooked! 요리사는 우주선을 보았다."
    assert new_words(words_of(text), ("en",)) == (
        "quiche",
        "didn't",
        "요리사는",
        "우주선을",
        "보았다",
    )
    assert new_words(words_of(text), ("en", "ko"))[2:] == ("우주선을", "보았다")


def test_a_language_that_the_world_is_not_told_in_has_no_words():
    assert lexicon("de") == frozenset()


@pytest.fixture(scope="module")
def library():
    from explorer.engine.library.catalogue import Catalogue
    from explorer.engine.plugins.host import PluginHost

    paths = Paths.standard()
    return Catalogue(
        PluginHost(paths.bundled_plugins, entry_points=False), paths.bundled_models
    ).list()


def test_every_bundled_miniature_with_weights_says_which_world_it_knows(library):
    from explorer.api.family.checkpoint import Source

    worlds = {row.id: row.world for row in library if row.source is Source.BUNDLED}
    assert worlds.pop("xlm-miniature") == ("en", "ko")
    # It has read words of prompts alone, "hotter" among them, and none of the texts.
    assert worlds.pop("gpt2-prompts-miniature") == ()
    # It has read of its graph's people alone.
    assert worlds.pop("ernie-thu-miniature") == ()
    # These know the smallest world, whose people and things are others.
    smallest = {f"bert-{one}-film" for one in ("small", "student", "alone", "tuned", "shuffled")}
    smallest = {name for name in worlds if name.partition("@")[0] in smallest}
    assert [worlds.pop(name) for name in smallest] == [()] * 5
    korean = {name for name in worlds if name.startswith("bert-korean-")}
    assert {worlds.pop(name) for name in korean} == {("korean",)}
    assert len(worlds) > 15
    assert set(worlds.values()) == {("en",)}


def test_what_is_published_knows_no_small_world(library):
    from explorer.api.family.checkpoint import Source

    assert {row.world for row in library if row.source is not Source.BUNDLED} == {()}
