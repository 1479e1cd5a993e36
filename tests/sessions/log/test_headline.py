"""A result in a few words, as its question tells of it."""

from dataclasses import replace
from pathlib import Path

import pytest

from explorer.api.question import Headline, Table
from explorer.files_of_sentences.rows import ColumnSpread
from explorer.questions import all_questions
from explorer.questions.former_names import name_today
from explorer.questions.many.file_of_sentences import question as over_file
from explorer.sessions.log.headline import LENGTH, headline_of
from explorer.sessions.read.reader import SessionReader
from explorer.sessions.records import LoggedRun
from explorer.text import Phrase


def told_by(samples, **question):
    """A run whose question tells of its answer otherwise."""
    run = samples.tokenize_run()
    return headline_of(
        replace(run, question=replace(run.question, **{"headline": None, **question}))
    )


def table(number):
    return lambda _result: Table(("position",), tuple((i,) for i in range(number)))


def test_what_the_page_says_first(samples):
    run = samples.fill_mask_run()
    assert headline_of(run) == run.question.headline_of(run.result).sentence
    assert "“soup” (31 %)" in headline_of(run)


@pytest.mark.parametrize(("rows", "expected"), [(0, "0 rows"), (1, "1 row"), (1200, "1,200 rows")])
def test_without_a_summary_the_rows_are_counted(samples, rows, expected):
    assert told_by(samples, summary=None, table=table(rows)) == expected


def test_a_failure_says_its_message(samples):
    assert headline_of(samples.failed_run()) == "Nothing is masked."
    assert headline_of(replace(samples.failed_run(), failure=None)) == ""


def test_it_is_never_long(samples):
    long = told_by(samples, headline=lambda _: Headline("x" * 500))
    assert len(long) == LENGTH
    assert long.endswith("…")


def test_means_over_many_sentences():
    result = over_file.FileOfSentencesResult(
        None, "soups.txt", "surprisal", 60, 0, 60, 0, "", (), spreads=(
            ColumnSpread("tokens", 60, 8.617, 1.0, 12.0),
            ColumnSpread("perplexity", 58, 3.25, 1.2, 9.0),
        )
    )  # fmt: skip
    run = LoggedRun(over_file.QUESTION, None, None, result)
    assert headline_of(run).startswith("The sentences of soups.txt differ most in “tokens”")
    assert headline_of(replace(run, result=replace(result, spreads=()))) == "0 rows"


def test_an_answer_is_told_by_its_summary(samples):
    summary = {"tokens": 7, "pseudo-perplexity": 12.3456, "better": "", "disagrees_at": 2}
    assert (
        told_by(samples, summary=lambda _: summary)
        == "tokens 7, pseudo-perplexity 12.3, disagrees at 2"
    )
    assert told_by(
        samples, summary=lambda _: summary, headline=lambda _: Headline("soup leads.")
    ) == ("soup leads.")
    assert told_by(samples, summary=lambda _: summary, headline=lambda _: Headline()) == told_by(
        samples, summary=lambda _: summary
    )


def test_the_cells_of_a_summary_are_called_by_their_titles_in_the_reader_s_language(samples, speak):
    speak("de", **{"of the text": "vom Text", "left out": "ausgelassen"})
    told = told_by(
        samples,
        summary=lambda _: {"words": 7, "cut_off": 2.5, "other": 1},
        column_titles={"words": "of the text", "cut_off": "left out"},
    )
    assert told == "of the text 7, left out 2.5, other 1"
    assert told.said == "vom Text 7, ausgelassen 2,5, other 1"
    assert Phrase.read(told.stored).said == told.said


def test_a_summary_or_a_headline_that_fails_costs_only_its_phrase(samples, expect_log):
    def fails(_result):
        raise ValueError("no words today")

    assert told_by(samples, summary=fails).endswith("rows")
    expect_log("headline of tokens")
    assert told_by(samples, headline=fails).startswith("tokens ")


NEWEST = max((Path(__file__).parents[2] / "stored_runs").glob("every-question-*.db"))
RUNS = [run.id for run in SessionReader(NEWEST).runs() if not run.failed]


@pytest.mark.parametrize("run_id", RUNS)
def test_every_question_tells_of_its_answer(run_id):
    stored = SessionReader(NEWEST).run(run_id)
    question = all_questions()[name_today(stored.summary.operation)]
    told = headline_of(LoggedRun(question, stored.document, None, stored.result))
    if "rows" in told and question.summary is not None:
        pytest.fail(f"{question.name}: {told}")
    assert "{" not in told
    assert 5 < len(told) <= LENGTH
    if question.headline_of(stored.result).sentence:
        assert told.endswith("."), told
        assert "_" not in told


def test_what_an_answer_is_told_by_is_in_the_language_of_whoever_reads(speak, samples):
    hesitates = "The model hesitates between “{first}” ({share}) and “{second}” ({its})."
    speak("de", **{hesitates: "Das Modell schwankt: {first} oder {second}."})
    told = headline_of(samples.fill_mask_run())
    assert told.startswith("The model hesitates")
    assert told.said == "Das Modell schwankt: soup oder meal."
