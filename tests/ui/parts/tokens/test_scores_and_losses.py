"""Numbers of tokens as colours, losses as bars: what is drawn, and what a click does."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from explorer.api.question import (
    Amount,
    Amounts,
    Asks,
    Loss,
    Losses,
    Manner,
    ModelStamp,
    Prediction,
    Question,
    Said,
    Score,
    Scores,
    Turns,
)
from explorer.api.question.parts.tokens.losses import SeenToken
from explorer.document import Document, Mask
from explorer.text import N_
from explorer.ui.blocks.legend import Legend
from explorer.ui.blocks.page.page import Select
from explorer.ui.blocks.page.shown import Pinned, Shown
from explorer.ui.blocks.tables.numbers import NumbersBlock
from explorer.ui.blocks.text import Text
from explorer.ui.matrices.barred_tokens import BarredTokens
from explorer.ui.matrices.scored_tokens import ScoredTokens, ShadeBar
from explorer.ui.parts.page import page_of_parts
from tests.questions.masking.cut_word import DOCUMENT, STAMP, TEXT, TOKENS


@dataclass(frozen=True)
class Request(Asks, question="scored"):
    text: str


@dataclass(frozen=True)
class Result:
    model: ModelStamp
    parts: tuple[Scores | Losses | Amounts | Said, ...]


def parts(result: Result) -> Sequence[Scores | Losses | Amounts | Said]:
    return result.parts


QUESTION = Question(
    name="scored",
    title=N_("Scores"),
    asks=N_("Scores"),
    request=Request,
    result=Result,
    run=lambda *_: None,
    parts=parts,
)


def drawn(kind, *made, before=(), **changes):
    """The blocks of a kind on the page of some parts."""
    pinned = Pinned(Result(STAMP, tuple(before)), DOCUMENT, None) if before else None
    shown = Shown(Result(STAMP, made), DOCUMENT, DOCUMENT, pinned, **changes)
    return [one for one in page_of_parts(QUESTION).drawn(shown) if isinstance(one, kind)]


SCORES = Scores(
    TOKENS,
    (
        Score(1, -0.5, gesture=Turns(4)),
        Score(2, 2.0, 0.25, (3,), "cats", words=N_("Scores")),
    ),
    N_("Occlusion"),
    asked=4,
)


def test_tokens_have_the_colour_of_their_share_of_the_largest_score(qapp):
    ((block,), (bar,)) = drawn(ScoredTokens, SCORES), drawn(ShadeBar, SCORES)
    tokens = {one.text: one for one in block.tokens}
    assert list(tokens) == ["[CLS]", "the", "cats", "sat", "[SEP]"]
    assert (tokens["the"].share, tokens["the"].number) == (-0.25, "−0.50")
    assert (tokens["cats"].share, tokens["cats"].below) == (1.0, "±0.25")
    assert tokens["cats"].words == "“cats”: +2.0000, standard error 0.2500\nScores"
    assert tokens["sat"].asked
    assert tokens["sat"].share is None
    assert bar.ends == ("−2.00", "2.00")
    assert tokens["the"].act == Select(4)
    (alone,) = drawn(ScoredTokens, SCORES, alone=True)
    assert not any(one.act for one in alone.tokens)


def test_scores_have_a_row_each():
    table = SCORES.table()
    assert table.columns == ("position", "token", "score", "error")
    assert table.rows == ((1, "the", -0.5, None), (2, "cat", 2.0, 0.25))


def best(word, glue=""):
    return Prediction(word, 50, 0.5, word, 1, glue=glue)


LOSSES = Losses(
    TOKENS, (Loss(1, 0.5, best("the"), 1), Loss(3, 4.0, best("dog"), 3, N_("Scores"))), puts=True
)


def test_what_was_expected_is_put_by_a_click_where_it_is_another_word(qapp):
    (block,) = drawn(BarredTokens, LOSSES)
    spots = {one.key: one for one in block.at(600).spots}
    assert set(spots) == {("token", 1), ("token", 3), ("put", 3)}
    assert spots["token", 3].act == Select(3)
    assert spots["put", 3].act.on(DOCUMENT) == DOCUMENT.with_words(7, 8, " dog", 0)
    assert block.tokens[1].expected == ""


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        (Loss(3, 4.0, best("es", "before"), 2), "the cates sat"),
        (Loss(4, 4.0, best("es", "before"), 2), "the catses"),
        (Loss(4, 4.0, best("ran"), 2), "the cats ran"),
    ],
)
def test_a_part_of_a_word_goes_on_with_the_word_before(qapp, loss, expected):
    (block,) = drawn(BarredTokens, Losses(TOKENS, (loss,), puts=True))
    assert block.tokens[loss.position].put.on(DOCUMENT).text == expected


def test_a_pinned_answer_marks_where_its_bars_end_if_its_tokens_are_the_same(qapp):
    then = Losses(TOKENS, (Loss(3, 1.0, best("dog"), 2),))
    (block,) = drawn(BarredTokens, LOSSES, before=[then])
    assert [one.before for one in block.tokens] == [None, None, None, 1.0, None, None]
    (block,) = drawn(BarredTokens, LOSSES, before=[Losses(TOKENS[:2], ())])
    assert not any(one.before for one in block.tokens)
    line = "A line across a bar is where the pinned answer's bar ends."
    assert line in [one.text for one in drawn(Text, LOSSES, before=[then])]
    others = [Losses(TOKENS[:2], ())]
    assert line not in [one.text for one in drawn(Text, LOSSES, before=others)]


def test_what_the_model_saw_stands_below_the_text_with_a_legend(qapp):
    seen = Losses(
        TOKENS,
        (Loss(2, 4.0, best("dog"), 3, seen=SeenToken("", "mask", "mask_fill")),),
        legend=((N_("Scores"), "mask", "mask_fill"),),
    )
    ((block,), (legend,)) = drawn(BarredTokens, seen), drawn(Legend, seen)
    assert [one.seen for one in block.tokens] == ["", "", "[MASK]", "", "", ""]
    assert legend.entries == [("Scores", "mask", "mask_fill")]
    assert block.at(200).height > block.at(600).height


def test_masks_that_a_question_takes_away_are_told(qapp):
    masked = Document(TEXT, masks=(Mask(0, 3),))
    question = replace(QUESTION, lifts_masks=N_("Lifted."))
    for document, told in ((masked, 1), (DOCUMENT, 0)):
        blocks = page_of_parts(question).drawn(Shown(Result(STAMP, ()), document, document))
        assert [one.text for one in blocks if isinstance(one, Text)] == ["Lifted."] * told


def test_a_number_says_what_it_was_in_the_pinned_answer_and_how_it_changed(qapp):
    now, then = (Amounts((Amount("a", N_("Scores"), value, "nats", 1),)) for value in (-3.0, -2.5))
    (numbers,) = drawn(NumbersBlock, now)
    assert [one.value for one in numbers.numbers] == ["−3.0 nats"]
    ((number,),) = (one.numbers for one in drawn(NumbersBlock, now, before=[then]))
    assert (number.value, number.name) == ("−3.0 nats", "Scores, pinned −2.5 nats")
    assert number.words == "Against the pinned answer: −0.5 nats"


def test_what_the_window_says_by_itself_stands_only_in_pictures(qapp):
    said = Said(N_("Scores"), Manner.PAPER)
    assert not drawn(Text, said)
    assert [one.text for one in drawn(Text, said, alone=True)] == ["Scores"]
