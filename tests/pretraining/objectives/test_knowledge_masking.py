from collections import Counter

import numpy as np
import pytest

from explorer.pretraining.objectives import IGNORED
from explorer.pretraining.objectives.knowledge_masking import (
    BASIC,
    ENTITY,
    PHRASE,
    choose_units,
)
from explorer.pretraining.recipes.ernie import RECIPE

UNITS = {
    BASIC: [(place, place + 1) for place in range(1, 21)],
    PHRASE: [(1, 4), (7, 10), (14, 19)],
    ENTITY: [(2, 4), (9, 10)],
}


@pytest.fixture(scope="module")
def tokenizer():
    return RECIPE.make_tokenizer([])


def level_of(chosen):
    return [name for name, units in UNITS.items() if set(chosen) <= set(units)]


def test_a_text_is_masked_at_one_level_and_all_levels_are_drawn():
    rng = np.random.default_rng(0)
    drawn = Counter()
    for _ in range(3000):
        chosen = choose_units(UNITS, 3, rng)
        assert chosen == sorted(chosen)
        (level,) = level_of(chosen)
        drawn[level] += 1
    for level in UNITS:
        assert drawn[level] / 3000 == pytest.approx(1 / 3, abs=0.03)


def test_one_unit_is_always_taken_and_more_only_where_they_fit():
    rng = np.random.default_rng(1)
    for _ in range(500):
        chosen = choose_units(UNITS, 3, rng)
        size = sum(end - start for start, end in chosen)
        assert chosen
        assert size <= 3 or len(chosen) == 1
    wide = [choose_units(UNITS, 100, rng) for _ in range(50)]
    assert any(chosen == UNITS[PHRASE] for chosen in wide)


def test_without_phrases_or_entities_words_are_masked():
    rng = np.random.default_rng(2)
    for _ in range(50):
        chosen = choose_units({BASIC: [(1, 2)], PHRASE: [], ENTITY: []}, 1, rng)
        assert chosen == [(1, 2)]


def test_known_units_of_a_document_are_masked_whole(tokenizer, texts):
    from explorer.pretraining.knowledge_spans import entities, phrases

    batches = RECIPE.make_batches(tokenizer, texts[:400], 0)
    for index, document in enumerate(texts[:400]):
        known = batches.known[index]
        for level, spans in ((ENTITY, entities(document)), (PHRASE, phrases(document))):
            tokens = [token for sentence in batches.documents[index] for token in sentence]
            shown = [tokenizer.decode(tokens[start:end]) for start, end in known[level]]
            named = [document.text[span.start : span.end].lower() for span in spans]
            assert [text.replace(" ", "") for text in shown] == [
                text.replace(" ", "") for text in named
            ]

    whole = 0
    for step in range(10):
        batch = batches.batch(step)
        for tokens, labels in zip(batch["input_ids"], batch["labels"], strict=True):
            original = np.where(labels == IGNORED, tokens, labels)
            selected = np.flatnonzero(labels != IGNORED)
            assert 0 < len(selected) < len(original)
            whole += len(selected) > 1 and (np.diff(selected) == 1).all()
    assert whole > 50, "several pieces in a row are one phrase or name"
