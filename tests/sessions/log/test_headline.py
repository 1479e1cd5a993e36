"""A result in a few words."""

from dataclasses import replace

import pytest

from explorer.api import Blame, Failure, Table
from explorer.sessions.log.headline import LENGTH, headline, headline_of, shorten


def table(columns, *rows):
    return Table(columns, rows)


def test_the_first_words_and_their_probabilities(samples):
    assert headline(samples.fill_mask_run().table) == "soup 0.31, meal 0.20, tea 0.11"


def test_several_masks_give_the_first_word_of_each():
    rows = [(mask, word, 0.5) for mask in (3, 7) for word in (f"w{mask}", "other")]
    assert headline(table(("mask", "word", "probability"), *rows)) == "w3 0.50 · w7 0.50"


def test_more_masks_than_there_is_room_for():
    rows = [(mask, f"w{mask}", 0.5) for mask in range(5)]
    found = headline(table(("mask", "word", "probability"), *rows))
    assert found == "w0 0.50 · w1 0.50 · w2 0.50 · w3 0.50 · …"


@pytest.mark.parametrize(
    ("columns", "rows", "expected"),
    [
        (("token", "probability"), (("##s", 0.25),), "##s 0.25"),
        (("word", "token", "probability"), (("", "##s", 0.001),), "##s <0.01"),
        (("word", "probability"), (("a", None),), "a"),
        (("word", "probability"), (), "0 rows"),
        (("position", "token"), ((0, "a"),), "1 row"),
        (("position",), tuple((i,) for i in range(1200)), "1,200 rows"),
    ],
)
def test_other_tables(columns, rows, expected):
    assert headline(Table(columns, rows)) == expected


def test_a_failure_says_its_message():
    assert headline(None, Failure(Blame.USER, "Nothing is\nmasked.")) == "Nothing is masked."
    assert headline(None) == ""


def test_it_is_never_long():
    long = headline(table(("word", "probability"), ("x" * 500, 0.5)))
    assert len(long) == LENGTH
    assert long.endswith("…")
    assert shorten("a  b\nc", 5) == "a b c"


def test_means_over_many_sentences():
    rows = (("tokens", 60, 8.617, 1.0, 12.0), ("perplexity", 58, 3.25, 1.2, 9.0))
    columns = ("column", "count", "mean", "minimum", "maximum")
    assert headline(Table(columns, rows)) == "60 rows: tokens 8.62, perplexity 3.25"
    assert headline(Table(columns, ())) == "0 rows"


def test_an_answer_without_ranked_words_is_told_by_its_summary():
    table = Table(("position", "surprise"), ((0, 1.5),))
    summary = {"tokens": 7, "pseudo-perplexity": 12.3456, "better": "", "disagrees_at": 2}
    assert headline(table, None, summary) == "tokens 7, pseudo-perplexity 12.3, disagrees at 2"
    ranked = Table(("mask", "rank", "word", "probability"), ((4, 1, "soup", 0.5),))
    assert headline(ranked, None, summary) == "soup 0.50"


def test_a_summary_that_fails_costs_only_its_phrase(samples, monkeypatch):
    from explorer.questions import all_operations

    def fails(_result):
        raise ValueError("no summary today")

    operation = replace(all_operations()["tokenize"], summary=fails)
    monkeypatch.setattr(
        "explorer.sessions.log.headline.all_operations", lambda: {"tokenize": operation}
    )
    assert headline_of(samples.tokenize_run()).endswith("rows")
