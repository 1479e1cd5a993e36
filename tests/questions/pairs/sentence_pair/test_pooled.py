"""What judgements of a file of pairs say together: the numbers, and the page that shows them."""

import html
import re

import numpy as np
import pytest

from explorer.document import Document
from explorer.questions.pairs.sentence_pair.pooling import confusion, gather, told
from explorer.questions.pairs.sentence_pair.question import QUESTION
from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.export.devices import figure_svg
from explorer.ui.export.metadata import NOTHING
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.page import blocks_of_all
from explorer.ui.theme.schemes import theme_of

pytestmark = pytest.mark.usefixtures("qapp")

ROWS = (
    ("is next", "is next", 0.95),
    ("is next", "is next", 0.65),
    ("is not next", "is next", 0.97),
    ("is not next", "is not next", 0.61),
    ("", "", ""),
)


def words(rows):
    """All that is drawn."""
    document = Document("a text")
    looking = Looking(QUESTION, Shown(None, document, document))
    blocks = list(blocks_of_all(QUESTION.pool.parts_of(gather(rows), {}), looking))
    figure = page_of(blocks, 900.0).figure(theme_of("light"))
    found = re.findall(r"<text[^>]*>([^<]*)", figure_svg(figure, NOTHING).decode("utf-8"))
    return "\n".join(map(html.unescape, found))


def test_confidence_is_the_mean_of_what_was_said_and_its_error_that_of_fifteen_bins():
    numbers = told(gather(ROWS))
    chances, right = np.array([0.95, 0.65, 0.97, 0.61]), np.array([1.0, 1.0, 0.0, 1.0])
    assert numbers["confidence"] == pytest.approx(chances.mean())
    assert numbers["confidence_where_right"] == pytest.approx(chances[right == 1].mean())
    assert numbers["confidence_where_wrong"] == pytest.approx(0.97)
    # 0.95 and 0.97 lie in the last bin of fifteen, the others in the tenth.
    gaps = [abs(right[some].mean() - chances[some].mean()) for some in ([0, 2], [1, 3])]
    assert numbers["calibration_error"] == pytest.approx(np.mean(gaps))
    spread = np.sqrt([sum(chances[some] * (1 - chances[some])) for some in ([0, 2], [1, 3])])
    by_chance = np.sqrt(2 / np.pi) * spread.sum() / 4
    assert numbers["calibration_error_by_chance"] == pytest.approx(by_chance)


def test_the_page_says_how_surely_and_names_classes_in_the_readers_language(speak):
    said = words(ROWS)
    assert "75.0 %" in said
    assert "mean confidence" in said
    assert "calibration error" in said
    speak("de", **{"the second follows": "der zweite folgt"})
    assert "der zweite folgt" in words(ROWS)


def test_classes_of_others_keep_their_names():
    rows = (("great", "great", 0.9), ("swapped", "great", 0.8))
    said = words(rows)
    assert "great" in said
    assert {row[0] for row in confusion(gather(rows)).rows} == {"great", "swapped"}


def test_results_of_before_that_kept_no_confidence_are_counted_still():
    old = tuple((*row[:2], None) for row in ROWS[:-1])
    assert told(gather(old)) == {"pairs": 4, "right": 3, "accuracy": 0.75}
    assert "mean confidence" not in words(old)
    assert gather([("", "", None)]) is None
