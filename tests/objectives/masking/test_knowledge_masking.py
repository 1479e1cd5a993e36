from collections import Counter

import numpy as np
import pytest

from explorer.objectives.masking.knowledge_masking import BASIC, ENTITY, PHRASE, choose_units

UNITS = {
    BASIC: [(place, place + 1) for place in range(1, 21)],
    PHRASE: [(1, 4), (7, 10), (14, 19)],
    ENTITY: [(2, 4), (9, 10)],
}


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
