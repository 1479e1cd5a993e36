"""Pinned entities: what each word, entity and state had in an answer beside another entity."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.api.question import Context, Mention, Predictions
from explorer.document import Document
from explorer.questions.knowledge.entities.question import QUESTION, EntitiesRequest, Version
from explorer.ui.blocks.page.shown import Origin, Pinned
from explorer.ui.matrices.linked import LinkedMatrices
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.predictions.predictions import pins_of
from tests.hf.kept import miniature
from tests.ui.pages import kind_of, words_on

TEXT = "Anna used a [MASK]."


def answer(entity, text=TEXT, **more):
    model = miniature("ernie-thu-miniature")
    start = text.index("Anna")
    mention = Mention(start, start + 4, entity)
    request = EntitiesRequest(text, entities=(mention,), other="Q0", **more)
    document = Document(text, entities=(mention,))
    return QUESTION.run(model, request, Context(models={"model": model})), document


@pytest.fixture
def view(shown):
    made = shown(kind_of("entities"))
    made.show_result(*answer("Q40"))
    return made


def pin(view, entity, text=TEXT):
    result, document = answer(entity, text)
    view.pin_answer(Pinned(result, document, Origin("2026-01-01T00:00:00")))
    return result


def matrices(view):
    """Those of the inside."""
    blocks = view.declared.drawn(view.shown())
    (found,) = [one for one in blocks if isinstance(one, LinkedMatrices)]
    return found.matrices


def drawn(view):
    """What stands below the titles of the matrices."""
    return [one.about for one in matrices(view)]


def changes(view):
    """The differences to the pinned answer, in their order."""
    some = [one for one in matrices(view) if "difference to the pinned answer" in one.about]
    return [one.content.values for one in some]


def best(result, version=Version.WITH):
    return result.version(version).masks[0].predictions[0]


def test_rows_have_the_pinned_numbers_and_the_change_beside_them(view):
    now, before = view.result, pin(view, "Q10")
    rows = view.declared.rows(view.shown())
    assert rows.columns[-2:] == ("pinned_value", "change_of_value")
    for row in rows.rows:
        _what, version, *_place, value, was, change = row
        assert change == pytest.approx(value - was)
        if version != "with":
            assert change == pytest.approx(0.0, abs=1e-6)
    word = best(before).word
    (row,) = [r for r in rows.rows if r[:2] == ("word", "with") and r[5] == best(now).word]
    known = before.version(Version.WITH).masks[0].distribution
    assert row[-2] == pytest.approx(known.probability(best(now).id))
    assert word != best(now).word
    told = [r for r in rows.rows if r[:2] == ("entity", "with") and r[6] == "Q40"]
    (at,) = [n for n, who in enumerate(before.told[0].candidates) if who.id == "Q40"] or (None,)
    if at is not None:
        assert told[0][-2] == pytest.approx(float(before.told[0].probabilities[0, at]))


def test_the_page_says_how_far_belief_moved_and_draws_the_difference_of_states(view):
    plain = words_on(view)
    before = pin(view, "Q10")
    said = words_on(view)
    assert "Against the pinned answer" in said
    assert any("difference to the pinned answer" in about for about in drawn(view))
    assert "Against the pinned answer" not in plain
    own, then = (one.version(Version.WITH) for one in (view.result, before))
    np.testing.assert_allclose(changes(view)[0], own.moved - then.moved)
    view.set_document(replace(view.now, options=(("entities.show", '"attention"'),)))
    layers = [one for one in drawn(view) if "difference to the pinned answer" in one]
    assert len(layers) == 2 * len(view.result.layers)
    change = (own.attention[0] - then.attention[0]).mean(axis=0)
    np.testing.assert_allclose(changes(view)[0], change, atol=1e-6)


def test_in_a_longer_text_words_keep_their_mask_and_states_have_no_difference(view):
    before = pin(view, "Q40", "Today Anna used a [MASK].")
    part = next(one for one in QUESTION.parts_of(view.result) if isinstance(one, Predictions))
    pins = pins_of(part, Looking(QUESTION, view.shown()))
    assert [part.version(n) for n in range(len(pins))] == ["with", "without", "other"]
    assert pins[0].then is before.version(Version.WITH).masks[0]
    assert changes(view) == []
    assert not any("difference to the pinned answer" in about for about in drawn(view))
