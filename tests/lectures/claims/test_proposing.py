"""Claims that answers suggest: they hold, fail turned round, and are of the effect's own cell."""

import pytest

from explorer.lectures.claims.cells import cells_of, names_of
from explorer.lectures.claims.claim import judge
from explorer.lectures.claims.proposing import proposed
from explorer.questions import question_of
from explorer.text import N_, Phrase
from tests.stored_runs.recorded import RECORDED

WITHOUT_NUMBERS = {"exact_answers", "tokens"}
"""Recorded answers of which no number is said: a text outside of the world, and a list."""


def of(name):
    """The cells of a recorded answer, and what they suggest."""
    run = RECORDED[name]
    question = question_of(run.request)
    cells = cells_of(question, run.result)
    return cells, proposed(question.headline(run.result).sentence, cells)


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_what_every_recorded_answer_suggests_holds_and_turned_round_does_not(name):
    cells, claims = of(name)
    assert bool(claims) == (name not in WITHOUT_NUMBERS)
    names = names_of(cells, [])
    for claim in claims:
        judged = judge(claim, names)
        assert judged.holds
        assert judged.sides
        assert not judge(f"not ({claim})", names).holds


@pytest.mark.parametrize(
    ("name", "claims"),
    [
        (
            "masked_tokens",
            ("masks[0].predictions[0].word == 'ate'", "masks[0].predictions[0].probability > 0.34"),
        ),
        (
            "soft_targets",
            ("by_word[0].words[0].word == 'ate'", "by_word[0].words[0].student > 0.61"),
        ),
        ("architecture", ("parameters.unique == 1049922",)),
        # Nothing stands out in it, so that the first number of its summary is taken.
        ("attention", ("summary.previous > 0.077",)),
    ],
)
def test_the_cell_is_the_one_that_the_sentence_tells_of(name, claims):
    assert of(name)[1] == claims


def suggested(cells, sentence="{word} has {share}.", **values):
    return proposed(Phrase(N_(sentence), **values), cells)


def test_of_several_numbers_that_are_told_so_the_one_beside_the_word_is_meant():
    cells = {"rows": [{"word": "a", "p": 0.364}, {"word": "b", "p": 0.362}], "other": 0.36}
    assert suggested(cells, word="b", share="36 %") == ("rows[1].word == 'b'", "rows[1].p > 0.32")


def test_without_a_word_a_number_that_many_cells_have_is_not_taken():
    cells = {"matrix": [[0.36, 0.361], [0.359, 0.358]], "summary": {"n": 3, "mean": -2.5}}
    assert suggested(cells, "It has {share}.", share="36 %") == ("summary.mean < -2.2",)


@pytest.mark.parametrize(
    ("value", "said", "claim"),
    [
        (0.99987, "> 99.9 %", "x > 0.89"),
        (0.0123, "1.2 %", "x < 0.014"),
        (-1.234, "−1.23", "x < -1.1"),
        (204800, "204,800", "x == 204800"),
        (1.0, "100 %", "x > 0.9"),
    ],
)
def test_bounds_leave_room(value, said, claim):
    assert suggested({"x": value}, "It is {share}.", share=said) == (claim,)


def test_places_and_flags_are_no_numbers_of_an_effect():
    cells = {"position": 3, "entropy": 3.2, "is_so": True, "nothing": float("nan")}
    assert suggested(cells, "At {position}.", position="3") == ()


def test_odd_names_are_written_so_that_they_can_be_read():
    cells = {"by": {"from": 0.5, "two words": {"word": "x", "p": 0.25}}}
    assert suggested(cells, "{share}", share="50 %") == ("by['from'] > 0.45",)
    assert suggested(cells, word="x", share="25 %") == (
        "by['two words'].word == 'x'",
        "by['two words'].p > 0.22",
    )
