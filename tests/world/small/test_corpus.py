import pytest

from explorer.world.small.corpus import (
    WITHHELD_SHARE,
    documents,
    held_out_texts,
    is_withheld_text,
    training_texts,
)
from explorer.world.small.korean import smallest_world_in_korean

GRAMMARS = [None, smallest_world_in_korean()]


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_the_same_seed_gives_the_same_texts(grammar):
    first = [one.text for one in documents(4, 50, grammar)]
    assert first == [one.text for one in documents(4, 50, grammar)]
    assert first != [one.text for one in documents(5, 50, grammar)]


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_held_out_texts_are_never_trained_on(grammar):
    held_out = {one.words for one in held_out_texts(100, grammar=grammar)}
    assert len(held_out) == 100
    assert held_out.isdisjoint(one.words for one in training_texts(3000, grammar=grammar))


def test_the_share_that_is_withheld():
    texts = {one.words for one in documents(6, 4000)}
    share = sum(map(is_withheld_text, texts)) / len(texts)
    assert share == pytest.approx(WITHHELD_SHARE, abs=0.015)
