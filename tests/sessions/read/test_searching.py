"""Words become queries, runs become findable, and their numbers grow with time."""

import pytest

from explorer.api.question import Table
from explorer.sessions.log.identity import Ulids
from explorer.sessions.log.log import SessionLog
from explorer.sessions.read.listing import RunFilter
from explorer.sessions.read.reader import SessionReader
from explorer.sessions.read.searching import (
    LONGEST_ANSWER,
    answer_text,
    first_id,
    milliseconds_of,
    query_of,
)


@pytest.mark.parametrize(
    ("words", "query"),
    [
        ("", ""),
        ("?! ...", ""),
        ("soup", '"soup"*'),
        ("hot soup", '"hot"* AND "soup"*'),
        ('say "so', '"say"* AND """so"*'),
        ("NEAR(a b)", '"NEAR(a"* AND "b)"*'),
        ("🍵 !", '"🍵"*'),
    ],
)
def test_words_become_a_query(words, query):
    assert query_of(words) == query


@pytest.mark.parametrize("moment", [0, 1, 31, 1_700_000_000_123, (1 << 48) - 1])
def test_an_id_s_moment_is_read_back_and_its_smallest_id_sorts_first(moment):
    smallest = first_id(moment)
    assert milliseconds_of(smallest) == moment
    assert smallest <= Ulids().next(moment)
    if moment:
        assert Ulids().next(moment - 1) < smallest


def test_an_answer_is_found_by_each_of_its_words_once_and_not_without_end():
    table = Table(("word", "rank"), (("soup", 1), ("tea", 2), ("soup", 3), (None, 4)))
    assert answer_text("2 rows", table) == "2 rows\nsoup\ntea"
    long = Table(("word",), tuple((f"word{n:05}",) for n in range(5000)))
    assert len(answer_text("", long)) <= LONGEST_ANSWER


@pytest.mark.parametrize(
    ("words", "found"),
    [("Soup", [1, 0]), ("sou", [1, 0]), ("café", [1]), ("cafe", [1]), ("🍵", [1]), ("두 번", [2])],
)
def test_runs_are_found_by_text_and_answer_in_any_script(database, samples, answers, words, found):
    with SessionLog(database) as log:
        ids = [
            log.record(samples.fill_mask_run("I liked the film", masked="film"), answers),
            log.record(samples.fill_mask_run("a café with 🍵 soup", words=(("x", 0.5),)), answers),
            log.record(samples.tokenize_run(), answers),
        ]
    assert answers.take(3) == [None] * 3
    listed = SessionReader(database).runs(RunFilter(words))
    assert [ids.index(run.id) for run in listed] == found


def test_many_runs_of_one_millisecond_are_told_apart(database, samples, answers, monkeypatch):
    monkeypatch.setattr("explorer.sessions.log.log.now_milliseconds", lambda: 1_700_000_000_000)
    with SessionLog(database) as log:
        ids = [log.record(samples.fill_mask_run(), answers) for _ in range(30)]
    assert answers.take(30) == [None] * 30
    assert [run.id for run in SessionReader(database).runs(RunFilter("soup"))] == ids[::-1]


def test_words_with_half_characters_and_nul_are_looked_for(database, samples, answers):
    with SessionLog(database) as log:
        log.record(samples.fill_mask_run("the chef liked the soup"), answers)
    assert answers.next() is None
    reader = SessionReader(database)
    for words in ("chef\udcff", "chef\0soup", "chef \0", "\udc00 soup"):
        assert len(reader.runs(RunFilter(words))) == 1, words
    assert reader.runs(RunFilter(model_id="\udcff")) == []
    assert reader.runs(RunFilter(model_id="\0")) == []
