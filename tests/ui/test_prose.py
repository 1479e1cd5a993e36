"""How much prose a page has in sight: what explains is behind an (i), and numbers have the room."""

import pytest

from tests.stored_runs.recorded import RECORDED
from tests.ui.prose import count, prose_of

MOST = 40
"""Words that explain, which a page has in sight."""
MOST_TOGETHER = 1_400
"""Words of all notes of all pages, which had 4,073 of them before explanations had an (i)."""


@pytest.mark.parametrize("name", RECORDED)
def test_a_page_explains_in_few_words(name, qapp):
    assert prose_of(name).explaining <= MOST


def test_all_pages_together_say_little_besides_their_numbers(qapp):
    every = [prose_of(name) for name in RECORDED]
    assert sum(one.words for one in every) <= MOST_TOGETHER
    assert sum(count(part.text for part in one.behind) for one in every) > MOST_TOGETHER
