"""What a document asks of weights, and what the answer is made of."""

import numpy as np

from explorer.api.question import Cards, Curves, Grid, Rows, Said
from explorer.api.question.parts.cards import every_part
from explorer.document import Document
from explorer.questions.architecture.weights.question import (
    DRAWN,
    HEAD,
    KIND,
    LAYER,
    QUESTION,
    WORDS,
    Drawn,
    WeightsRequest,
    WordSource,
)
from tests.questions.headlines import recorded


def asked(drawn, text="the cat", **options):
    document = Document(text)
    for option, value in (
        (DRAWN, drawn.value),
        (KIND, options.get("kind", "decoder")),
        (LAYER, 2),
        (HEAD, 1),
        (WORDS, options.get("words", "sentence")),
    ):
        document = document.with_option(option.key, value)
    return WeightsRequest.of(document)


def test_only_what_the_drawing_depends_on_is_asked():
    """So that another text or head asks nothing anew where it changes nothing."""
    assert asked(Drawn.POSITIONS) == WeightsRequest()
    assert asked(Drawn.HEAD) == WeightsRequest("", Drawn.HEAD, "decoder", 2, 1)
    assert asked(Drawn.CIRCUITS) == WeightsRequest("the cat", Drawn.CIRCUITS, "decoder", 2, 1)
    common = asked(Drawn.CIRCUITS, words="common")
    assert common == WeightsRequest("", Drawn.CIRCUITS, "decoder", 2, 1, WordSource.COMMON)
    assert asked(Drawn.NORMS) == WeightsRequest("", Drawn.NORMS, "decoder")
    assert asked(Drawn.RESIDUAL) == WeightsRequest("the cat", Drawn.RESIDUAL)


def test_only_the_residual_stream_needs_a_sentence():
    for drawn in Drawn:
        document = Document("").with_option(DRAWN.key, drawn.value)
        assert (QUESTION.request_of(document) is None) == (drawn is Drawn.RESIDUAL)


def test_the_parts_show_the_numbers_of_the_answer():
    result = recorded("weights")
    parts = tuple(QUESTION.parts_of(result))
    assert {type(one) for one in parts} <= {Said, Cards, Rows, Grid, Curves}
    grids = [one for one in every_part(parts) if isinstance(one, Grid)]
    assert [one.name for one in grids] == ["qk", "ov"]
    for grid, matrix in zip(grids, result.matrices, strict=True):
        np.testing.assert_array_equal(grid.values, matrix.values)
        assert grid.colours.high == np.abs(matrix.values).max()
        words = grid.said(0, 1)
        assert matrix.rows[0] in words
        assert matrix.columns[1] in words
    (rows,) = (one for one in parts if isinstance(one, Rows))
    assert [one.word for one in rows.rows] == [one.word for one in result.written]
    assert [one.own_rank for one in rows.rows] == [one.rank for one in result.written]
    for row, written in zip(rows.rows, result.written, strict=True):
        assert row.writes.split(" · ") == list(written.pieces)
