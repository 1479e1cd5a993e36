"""How far two answers differ, why they may, and both of them side by side."""

import math
from dataclasses import replace

import pytest

from explorer.api.question import ModelStamp, Table
from explorer.sessions.read.asked_otherwise import another_seed
from explorer.sessions.read.comparing import (
    difference,
    reasons,
    side_by_side,
    verdict,
)
from explorer.sessions.records import RunSummary, StoredRun
from explorer.text import said
from explorer.text.pseudo import CLOSING, OPENING

COLUMNS = ("word", "rank", "probability")
SOUP = Table(COLUMNS, (("soup", 1, 0.5), ("tea", 2, 0.25)))
STAMP = ModelStamp("bert-miniature", "bert", "a" * 32, "cpu", "float32")
VERSIONS = {"torch": "2.13.0", "transformers": "5.0"}


def changed(*rows):
    return Table(COLUMNS, rows)


def stored(model=STAMP, **fields):
    summary = RunSummary(
        "01",
        "S",
        "2026-01-01T00:00:00Z",
        "masked_tokens",
        STAMP.id,
        "bert",
        "t",
        1,
        "h",
        0.1,
        False,
    )
    known = {
        "summary": summary,
        "document": None,
        "request": None,
        "result": None,
        "table": SOUP,
        "model": model,
        "models": {"model": model},
        "versions": VERSIONS,
        "seed": 0,
        "failure": None,
    }
    return StoredRun(**{**known, **fields})


@pytest.mark.parametrize(
    ("after", "same", "largest", "where", "cells"),
    [
        (SOUP, True, 0.0, "", 0),
        (changed(("soup", 1, 0.5 + 1e-8), ("tea", 2, 0.25)), True, 1e-8, "probability", 0),
        (changed(("soup", 1, 0.5), ("tea", 2, 0.3)), False, 0.05, "probability", 0),
        (changed(("tea", 1, 0.5), ("soup", 2, 0.25)), False, 0.0, "", 2),
        (changed(("soup", 1, 0.5)), False, 0.0, "", 1),
        (Table(("word",), (("soup",),)), False, 0.0, "", 1),
        (None, False, 0.0, "", 1),
    ],
)
def test_a_difference_is_measured_and_told(after, same, largest, where, cells):
    found = difference(SOUP, after)
    assert (found.same, found.where, found.changed) == (same, where, cells)
    assert found.largest == pytest.approx(largest, rel=1e-6)
    assert found.sentence.endswith(".")
    assert ("The same" in found.sentence) == same


def test_what_float32_can_not_tell_is_the_same_however_large_it_is():
    then, now = (Table(("perplexity",), ((one,),)) for one in (2383.7617, 2383.7621))
    assert difference(then, now).same
    further = Table(("perplexity",), ((2384.0,),))
    assert not difference(then, further).same


@pytest.mark.parametrize(
    ("then", "now", "changed", "largest"),
    [
        ("0.356906 0.5", "0.356907 0.5", 0, 0.0),
        ("1.2e-07", "1.3e-07", 0, 0.0),
        ("0.356906 0.5", "0.356926 0.5", 0, 2e-5),
        ("0.5 0.25", "0.5", 1, 0.0),
        ("1 2", "1 3", 1, 0.0),
        ("soup 0.5", "soup 0.6", 1, 0.0),
        ("", "0.5", 1, 0.0),
    ],
)
def test_numbers_printed_in_one_cell_are_compared_as_numbers(then, now, changed, largest):
    found = difference(*(Table(("pieces",), ((one,),)) for one in (then, now)))
    assert found.changed == changed
    assert found.largest == pytest.approx(largest)
    assert found.same == (changed == 0 and largest == 0)


def test_no_number_differs_from_no_number():
    nan = Table(("x",), ((math.nan,),))
    assert difference(nan, nan).same
    assert not difference(nan, Table(("x",), ((1.0,),))).same
    assert difference(None, None).same


def test_reasons_name_what_is_not_as_it_was():
    now = replace(STAMP, fingerprint="b" * 32, device="cuda:0", dtype="bfloat16")
    found = reasons(stored(), stored(now, versions={**VERSIONS, "torch": "2.14.0"}))
    assert found == (
        "other weights, tokenizer or config of the model",
        "another device (cpu then, cuda:0 now)",
        "another precision (float32 then, bfloat16 now)",
        "another version of torch (2.13.0 then, 2.14.0 now)",
    )
    assert reasons(stored(), stored()) == ()
    then = stored(models={"teacher": STAMP, "student": STAMP})
    second = reasons(then, stored(models={"teacher": STAMP, "student": now}))
    assert second[0] == "other weights, tokenizer or config of the student"
    alone = reasons(then, stored(models={"teacher": STAMP}))
    assert alone == ("there is no student on one side",)


def test_a_tokenizer_that_was_told_by_its_vocabulary_alone_is_taken_for_the_same():
    """Runs of before have 16 digits for it, with which those of now begin."""

    def alone(fingerprint):
        return stored(ModelStamp("t5-miniature", "t5", fingerprint, "meta", ""), models={})

    then, now = alone("f5d3edae08e0d994"), alone("f5d3edae08e0d994" + "1" * 16)
    assert reasons(then, now) == reasons(now, then) == ()
    blamed = ("other weights, tokenizer or config of the model",)
    assert reasons(then, alone("e" * 32)) == blamed
    assert reasons(now, alone("f5d3edae08e0d994" + "2" * 16)) == blamed


def test_a_verdict_gives_reasons_only_for_what_differs():
    assert verdict(difference(SOUP, SOUP), ("another device",)).startswith("The same answer")
    other = difference(SOUP, changed(("soup", 1, 0.4), ("tea", 2, 0.25)))
    assert verdict(other, ("another device",)).endswith("Likely because of another device.")
    assert "as they were" in verdict(other, ())


def test_two_tables_stand_side_by_side_by_word():
    other = changed(("tea", 1, 0.6), ("bread", 2, 0.1))
    joined = side_by_side(SOUP, other, ("then", "now"))
    assert joined.columns == (
        "word",
        *("rank then", "rank now", "rank now - then"),
        *("probability then", "probability now", "probability now - then"),
    )
    assert joined.rows == (
        ("soup", 1, None, None, 0.5, None, None),
        ("tea", 2, 1, -1, 0.25, 0.6, pytest.approx(0.35)),
        ("bread", None, 2, None, None, 0.1, None),
    )


def test_rows_that_are_alike_belong_to_each_other_in_their_order():
    twice = Table(("word", "p"), (("the", 0.1), ("the", 0.2)))
    joined = side_by_side(twice, Table(("word", "p"), (("the", 0.3), ("the", 0.5))))
    assert [row[1:3] for row in joined.rows] == [(0.1, 0.3), (0.2, 0.5)]


def test_tables_of_different_questions_are_refused():
    with pytest.raises(ValueError, match="different questions"):
        side_by_side(SOUP, Table(("x",), ()))


def test_a_verdict_is_said_in_the_readers_language(speak):
    then = replace(STAMP, device="cuda:0", fingerprint="f" * 64)
    why = reasons(stored(), stored(then))
    assert len(why) == 2
    told = verdict(
        difference(SOUP, changed(("soup", 1, 0.4), ("tea", 2, 0.25))), (*why, another_seed(1, 2))
    )
    assert told.endswith(
        "Likely because of other weights, tokenizer or config of the model; another device "
        f"({STAMP.device} then, cuda:0 now); another seed (1 then, 2 now)."
    )
    speak("en_XA")
    worded = said(told)
    assert worded.startswith(OPENING)
    assert worded.endswith(CLOSING)
    assert "seed" not in worded
    assert "cuda:0" in worded
