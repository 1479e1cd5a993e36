"""Words that the boundary of a span expects, on screen."""

from dataclasses import replace

import pytest

from explorer.document import Document, Mask
from explorer.questions.masking.span_boundary.question import (
    BoundaryWord,
    MaskedSpan,
    SpanBoundaryRequest,
    SpanBoundaryResult,
    SpanToken,
)
from explorer.ui.theme.schemes import theme_of
from tests.questions.masking.two_masks import DOCUMENT, STAMP, TOKENS
from tests.ui.pages import kind_of, words_on

MASKED = Document("a soup", masks=(Mask(2, 6),))


@pytest.fixture
def document():
    return DOCUMENT


@pytest.fixture
def boundary():
    words = (
        BoundaryWord("cooks", 5, "cooks", 0.08, 1, 0.27, 1),
        BoundaryWord("##es", 6, "…es", 0.02, 10, 0.03, 8, is_original=True),
    )
    token = SpanToken(3, 1, words, 4.83, 2.88)
    other = SpanToken(4, 2, words[:1], 4.0, 1.0)
    spans = (MaskedSpan(2, 5, (token, other)),)
    return SpanBoundaryResult(STAMP, TOKENS, spans, 10)


def test_span_boundaries_on_screen(shown, boundary, document):
    view = shown(kind_of("span_boundary"))
    assert view.request_of(Document("a soup")) is None
    assert view.request_of(MASKED) == SpanBoundaryRequest("a soup", (Mask(2, 6),), 5)
    assert "Drag" in view.empty_hint(Document("a soup"))
    assert "Type" in view.empty_hint(Document(""))
    view.show_result(boundary, document)
    said = words_on(view)
    assert "2 masked tokens between “is” and “.”" in said
    assert "Place 1: entropy 4.83 nats from the boundary, 2.88 from the masked token" in said
    words = [spot.words for spot in view.page.page.spots if spot.key == ("word", 3, "cooks")]
    assert "boundary: 0.0800, rank 1\nmasked LM: 0.2700, rank 1" in words[0]
    assert view.figure(500, theme_of("light")).height > 100
    long = replace(boundary.spans[0], tokens=(), problem="Too long.")
    view.show_result(replace(boundary, spans=(long,)), document)
    assert words_on(view).endswith("Too long.")
    assert view.page.page.spots == ()
