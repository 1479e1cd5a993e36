"""What the page says follows from the scores."""

from dataclasses import replace

import pytest

from explorer.api.question import Amounts, Rows, Sets
from explorer.questions.pairs.minimal_pairs.parts import (
    ComparedTokenRow,
    ListedPairRow,
    PhenomenonRow,
    compared,
    parts,
)
from explorer.questions.pairs.minimal_pairs.question import (
    PHENOMENON,
    SHOWN,
    MinimalPairsRequest,
    ScoredPair,
    ScoredSentence,
    summary,
)
from tests.hf import tiny
from tests.hf.kept import miniature

GOOD = ScoredSentence(("a", "dog", "runs"), (-1.0, -2.0, -0.5))
BAD = ScoredSentence(("a", "dog", "run", "##ning"), (-1.0, -1.5, -3.0, -0.25))


@pytest.fixture(scope="module")
def result():
    return tiny.ask(miniature("bert-miniature"), MinimalPairsRequest(pairs=16))


def rows_of(kind, made):
    return next(one for one in made if isinstance(one, Rows) and one.kind is kind)


def texts(made):
    return [str(one.text) for one in made if hasattr(one, "text")]


def test_tokens_are_next_to_each_other_and_add_up():
    pair = ScoredPair(0, GOOD, BAD)
    rows = [*compared(pair)]
    assert [(one.good, one.bad) for one in rows] == [
        ("a", "a"),
        ("dog", "dog"),
        ("runs", "run"),
        ("", "##ning"),
    ]
    assert sum(one.difference for one in rows) == pytest.approx(
        sum(GOOD.log_probabilities) - sum(BAD.log_probabilities)
    )


def test_the_clearest_mistake_is_first_and_is_compared(result):
    wrong = ScoredPair(3, GOOD, replace(BAD, log_probabilities=(0.0,) * 4))
    others = [one for one in result.scored[0].pairs if one.number != 3]
    made = [*parts(replace(result, scored=(replace(result.scored[0], pairs=(wrong, *others)),)))]
    listed = rows_of(ListedPairRow, made)
    assert listed.rows[0].difference == pytest.approx(-3.5)
    assert listed.chosen(listed.rows[0])
    assert len(rows_of(ComparedTokenRow, made).rows) == 4


def test_a_click_lists_the_pairs_of_a_phenomenon_and_again_all(result):
    made = [*parts(result)]
    rows = rows_of(PhenomenonRow, made)
    assert len(rows.rows) == 8
    gesture = rows.gesture(rows.rows[0])
    name = next(one for one in result.phenomena if result.title_of(one) == rows.rows[0].phenomenon)
    assert gesture == Sets({PHENOMENON.key: name}, gesture.step)
    again = rows_of(PhenomenonRow, [*parts(result, phenomenon=name)])
    chosen = [one.phenomenon for one in again.rows if again.chosen(one)]
    assert chosen == [result.title_of(name)]
    back = again.gesture(again.rows[0])
    assert back.values[PHENOMENON.key] in ("", None)
    listed = rows_of(ListedPairRow, [*parts(result, phenomenon=name)])
    assert len(listed.rows) == 2
    assert set(listed.gesture(listed.rows[1]).values) == {SHOWN.key}


def test_what_is_no_phenomenon_of_this_answer_lists_all(result):
    listed = rows_of(ListedPairRow, [*parts(result, phenomenon="of another file")])
    assert len(listed.rows) == 16


def test_pairs_that_begin_differently_are_said(result):
    scored = result.scored[0]
    blind = replace(scored.pairs[0], differ_unscored=True)
    made = [*parts(replace(result, scored=(replace(scored, pairs=(blind, *scored.pairs[1:])),)))]
    assert any("1 pair begins with different words" in one for one in texts(made))


def test_of_a_second_model_that_refuses_nothing_is_counted(result):
    refused = replace(result.scored[0], pairs=(), refused="It does not answer.")
    both = replace(result, scored=(*result.scored, refused))
    assert summary(both) == summary(result)
    made = [*parts(both)]
    assert "It does not answer." in texts(made)
    assert "second" in rows_of(PhenomenonRow, made).hidden
    assert [one.name for part in made if isinstance(part, Amounts) for one in part.amounts] == [
        "accuracy",
        "pairs",
    ]


def test_what_could_not_be_scored_is_said(result):
    scored = replace(result.scored[0], pairs=result.scored[0].pairs[:-2], refused="Why not.")
    made = [*parts(replace(result, scored=(scored,), there=320))]
    said = texts(made)
    assert "2 pairs can't be scored: Why not." in said
    assert "16 of 320 pairs are read, of each phenomenon its share." in said
