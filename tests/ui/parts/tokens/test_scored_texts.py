"""Texts of nobody's document, with the colours of their numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.api.question import Asks, ModelStamp, Question, ScoredText, ScoredTexts, Token
from explorer.document import Document
from explorer.text import N_
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.matrices.scored_tokens import ScoredTokens, ShadeBar
from explorer.ui.parts.page import page_of_parts
from tests.questions.masking.cut_word import DOCUMENT, STAMP


@dataclass(frozen=True)
class Request(Asks, question="scored_texts"):
    text: str


@dataclass(frozen=True)
class Result:
    model: ModelStamp
    parts: tuple[ScoredTexts, ...]


def parts(result: Result) -> Sequence[ScoredTexts]:
    return result.parts


QUESTION = Question(
    name="scored_texts",
    title=N_("Scores"),
    asks=N_("Scores"),
    request=Request,
    result=Result,
    run=lambda *_: None,
    parts=parts,
)
FIRST = (Token("▁Tom", 7, 0, 3, special=False), Token("▁slept", 8, 4, 9, special=False))
SECOND = (Token("Anna", 9, 0, 4, special=False), Token("ran", 5, 5, 8, special=False))
TEXTS = ScoredTexts(
    (
        ScoredText("Tom slept", FIRST, (4.0, None)),
        ScoredText("Anna ran", SECOND, (1.0, -2.0)),
    ),
    N_("activation"),
)


def test_all_texts_have_one_scale_and_their_own_characters(qapp):
    shown = Shown(Result(STAMP, (TEXTS,)), DOCUMENT, Document("another text"))
    drawn = list(page_of_parts(QUESTION).drawn(shown))
    first, second = (one for one in drawn if isinstance(one, ScoredTokens))
    (bar,) = (one for one in drawn if isinstance(one, ShadeBar))
    assert [one.text for one in first.tokens] == ["Tom", "slept"]
    assert [one.share for one in first.tokens] == [1.0, None]
    assert [(one.text, one.share, one.number) for one in second.tokens] == [
        ("Anna", 0.25, "+1.00"),
        ("ran", -0.5, "−2.00"),
    ]
    assert bar.ends == ("−4.00", "4.00")


def test_a_row_is_a_token():
    table = TEXTS.table()
    assert table.columns == ("rank", "position", "token", "score")
    assert table.rows[0] == (1, 0, "▁Tom", 4.0)
    assert table.rows[3] == (2, 1, "ran", -2.0)
    assert len(table.rows) == 4
