"""Numbers of pairs of tokens as a part: the rows of files, one matrix, several that are linked."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from explorer.api.question import (
    Asks,
    ModelStamp,
    PairNumbers,
    Places,
    Question,
    Token,
    TokenPairs,
    keys_of,
    queries_of,
)
from explorer.api.question.parts.matrices import token_pairs
from explorer.document import Document
from explorer.text import N_
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.matrices.block import MatrixBlock
from explorer.ui.matrices.linked import LinkedMatrices
from explorer.ui.matrices.map_block import MapBlock
from explorer.ui.parts.page import page_of_parts

TEXT = Document("the chef cooked")
TOKENS = tuple(
    Token(text, number, start, start + len(text), special=False)
    for number, (text, start) in enumerate((("the", 0), ("chef", 4), ("cooked", 9)))
)
ONE = PairNumbers("weight", N_("weight"), np.arange(9, dtype=np.float32).reshape(3, 3) / 10)
OTHER = PairNumbers("score", N_("score"), ONE.values - 0.5, is_signed=True)
LATER = np.triu(np.ones((3, 3), bool), 1)
ONE_MAP = TokenPairs(queries_of(TOKENS), keys_of(TOKENS), (OTHER, ONE), hidden=LATER)
ONE_MAP = replace(ONE_MAP, numbers=(replace(OTHER, drawn=False), ONE), why_hidden=N_("comes later"))
PAIR = Places(N_("Pair of tokens"), (), redraws=True, in_bar=False, key="made.pair")


@dataclass(frozen=True)
class Request(Asks, question="made"):
    text: str


@dataclass(frozen=True)
class Result:
    model: ModelStamp
    pairs: Sequence[TokenPairs]


def parts(result: Result) -> Sequence[TokenPairs]:
    return result.pairs


def question(*options):
    return Question(
        "made", "Made", "What?", Request, Result, lambda *_all: None, parts=parts, options=options
    )


@pytest.fixture
def drawn(qapp):
    def draw(pairs, *options, document=TEXT):
        result = Result(ModelStamp("one", "bert", "0" * 64, "cpu", "float32"), [pairs])
        (block,) = page_of_parts(question(*options)).blocks(Shown(result, document, document))
        return block

    return draw


def test_files_have_every_pair_that_there_is_and_all_its_numbers(monkeypatch):
    table = ONE_MAP.table()
    assert table.columns == ("query", "query_token", "key", "key_token", "score", "weight")
    assert len(table.rows) == 6, "none that comes later"
    last = dict(zip(table.columns, table.rows[-1], strict=True))
    assert (last["query_token"], last["key_token"]) == ("cooked", "cooked")
    assert (last["score"], last["weight"]) == pytest.approx((0.3, 0.8))
    monkeypatch.setattr(token_pairs, "MOST_ROWS", 2)
    assert ONE_MAP.table().column("weight") == pytest.approx((0.7, 0.8)), "the largest"


def test_positions_are_those_of_the_side():
    far = replace(ONE_MAP.rows, positions=(5, 6, 7))
    assert replace(ONE_MAP, rows=far).table().column("query") == (5, 6, 6, 7, 7, 7)


def test_one_matrix_says_why_a_pair_is_not_there(drawn):
    block = drawn(ONE_MAP)
    assert isinstance(block, MatrixBlock)
    content = block.matrix.content
    np.testing.assert_array_equal(content.values, ONE.values)
    assert content.is_blocked(0, 2)
    assert content.blocked_words == "comes later"


def test_what_else_is_said_of_a_pair_and_of_a_span(drawn):
    more = replace(ONE_MAP, hidden=None, more=lambda row, column: f"{row} and {column}")
    said = drawn(replace(more, is_spans=True)).matrix.content.said
    assert said(0, 1) == "“the chef”\nweight: 0.1000\n0 and 1"
    assert drawn(more).matrix.content.said(0, 1).endswith("\n0 and 1")


def test_a_pair_is_chosen_where_the_question_lets_it(drawn):
    block = drawn(ONE_MAP, PAIR)
    assert isinstance(block, MapBlock)
    edit = block.map.matrix.act(2, 1)
    assert edit.on(TEXT).option(PAIR.key) == [2, 1]
    assert block.map.matrix.act(0, 2) is None, "there is no such pair"
    assert block.map.look(2, 1) == (2, 1)
    marked = drawn(ONE_MAP, PAIR, document=TEXT.with_option(PAIR.key, [2, 1]))
    assert marked.map.marked == (2, 1)
    assert drawn(ONE_MAP, PAIR, document=TEXT.with_option(PAIR.key, [9, 9])).map.marked is None


def test_several_are_linked_and_share_a_scale_with_those_of_their_kind(drawn):
    third = PairNumbers("off", N_("weight"), ONE.values * 2)
    block = drawn(replace(ONE_MAP, numbers=(OTHER, ONE, third), hidden=None), PAIR)
    assert isinstance(block, LinkedMatrices)
    score, one, other = (matrix.content.scale for matrix in block.matrices)
    assert one == other
    assert (one.high, one.low) == (pytest.approx(1.6), 0.0)
    assert score.diverging
    assert block.said((2, 1)) == (
        "cooked → chef (1 to the left): score +0.2000, weight 0.7000, weight 1.4000."
    )
    assert block.said(None).startswith("Point at a cell")
    assert block.act(1, 1).on(TEXT).option(PAIR.key) == [1, 1]
