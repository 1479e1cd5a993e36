import math
from dataclasses import replace

import numpy as np
import pytest

from explorer.api.question import Distribution
from explorer.questions.masking.masked_tokens.question import QUESTION
from explorer.ui.parts.predictions.pinned_masks import pinned_masks
from explorer.ui.parts.predictions.word_table import Before
from explorer.ui.theme.schemes import theme_of
from tests.ui.pages import kind_of, mask_cards

NOW = np.full(120, 0.1 / 117)
NOW[[50, 51, 52]] = [0.5, 0.3, 0.1]
THEN = np.full(120, 0.1 / 117)
THEN[[50, 51, 52]] = [0.2, 0.1, 0.6]


@pytest.fixture
def view(shown):
    return shown(kind_of("masked_tokens"), 760, 500)


def whole(result, values, vocabulary="v"):
    """The first mask's answer with a distribution over the whole vocabulary."""
    logs = np.log(values).astype(np.float32)
    first = replace(result.masks[0], distribution=Distribution(logs, vocabulary))
    return replace(result, masks=(first, *result.masks[1:]))


def pins(now, then, document):
    """Each mask beside the pinned one."""
    own, pinned = (QUESTION.parts_of(one)[-1] for one in (now, then))
    return pinned_masks(own, pinned, document, document)


def test_the_same_vocabulary_is_compared_whole(filled, document):
    now, then = whole(filled, NOW), whole(filled, THEN)
    pin, _ = pins(now, then, document)
    kl = float((NOW * np.log(NOW / THEN)).sum())
    moved = float(0.5 * np.abs(NOW - THEN).sum())
    assert pin.divergence == pytest.approx((kl, moved), rel=1e-4)
    assert pin.said() == (
        f"Against the pinned answer {moved * 100:.1f} % of the probability moved to other words "
        f"(total variation; KL divergence {kl:.3f} nats)"
    )
    meal = now.masks[0].predictions[0]
    before = pin.before(meal)
    assert before.probability == pytest.approx(THEN[meal.id], rel=1e-5)
    assert before.rank == 1 + int((THEN[meal.id] < THEN).sum())


def test_another_vocabulary_is_matched_by_word(filled, document):
    now, then = whole(filled, NOW, "v"), whole(filled, THEN, "w")
    words = tuple(
        replace(one, word=word, probability=value, rank=n)
        for n, (one, word, value) in enumerate(
            zip(then.masks[0].predictions, ["Meal", "bread", "Tea"], [0.5, 0.2, 0.1], strict=True),
            1,
        )
    )
    then = replace(then, masks=(replace(then.masks[0], predictions=words), *then.masks[1:]))
    pin, _ = pins(now, then, document)
    assert pin.divergence is None
    shown = now.masks[0].predictions
    assert pin.before(shown[0]) == Before(0.5, 1)
    assert pin.before(shown[1]) == Before(0.2, 2)  # the word under the mask, which both tell
    assert "2 words are in both lists, with 60 % of the pinned probability" in pin.said()
    assert f"{(shown[0].probability + shown[2].probability) * 100:.0f} % of this one" in pin.said()


def test_a_mask_that_the_pinned_answer_lacks_stands_alone(filled, filled_once, document):
    first, second = pins(filled, filled_once, document)
    assert first.then is filled_once.masks[0]
    assert second.then is None
    assert second.said() == "The pinned answer has no mask here, so no difference is shown."


def test_the_cards_show_the_difference(view, filled, document):
    view.show_result(whole(filled, THEN), document)
    view.pin()
    view.show_result(whole(filled, NOW), document)
    card = mask_cards(view)[2]
    assert "KL divergence" in card.said[2]
    assert "KL" in card.notes[2].words or "distribution" in card.notes[2].words
    row = card.rows[0]
    difference = view.result.masks[0].predictions[0].probability - THEN[50]
    assert row.cells[1] == f"+{difference:.4f} (2)"
    assert row.mark == pytest.approx(THEN[50], rel=1e-5)
    assert "Pinned answer: 0.2000, rank 2" in row.words
    assert "against the pinned answer" in row.spoken
    view.unpin()
    card = mask_cards(view)[2]
    assert len(card.said) == 2
    assert set(card.changes) == {""}


def test_the_table_and_the_picture_hold_the_difference(view, filled, document):
    view.show_result(whole(filled, THEN), document)
    plain = view.table()
    view.pin()
    view.show_result(whole(filled, NOW), document)
    table = view.table()
    assert table.columns[: len(plain.columns)] == plain.columns
    assert len(table.rows) == len(plain.rows)
    first = dict(zip(table.columns, table.rows[0], strict=True))
    assert first["pinned_probability"] == pytest.approx(0.2, rel=1e-5)
    assert first["change_of_probability"] == pytest.approx(first["probability"] - 0.2, abs=1e-6)
    assert first["kl_divergence"] == pytest.approx(
        float((NOW * np.log(NOW / THEN)).sum()), rel=1e-4
    )
    last = dict(zip(table.columns, table.rows[-1], strict=True))
    assert last["kl_divergence"] is None
    assert last["pinned_rank"] == 1214
    figure = view.figure(700.0, theme_of("light"))
    view.unpin()
    assert figure.height > view.figure(700.0, theme_of("light")).height


def test_pieces_of_words_are_marked(view, filled, document):
    shown = filled.masks[0].predictions
    pieces = (replace(shown[0], glue="before"), replace(shown[1], glue="after"), shown[2])
    marked = replace(filled, masks=(replace(filled.masks[0], predictions=pieces, original=None),))
    view.show_result(marked, document)
    rows = mask_cards(view)[2].rows
    assert [row.label for row in rows] == ["…meal", "soup…", "tea"]
    assert "continues the word before" in rows[0].words
    assert "beginning of a longer word" in rows[1].words
    assert math.isfinite(mask_cards(view)[2].table.axis.top)
