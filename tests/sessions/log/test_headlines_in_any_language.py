"""The log's sentences: kept as data, read in the language of whoever reads, found in both."""

from contextlib import closing
from pathlib import Path

import pytest

from explorer.sessions.log.headline import headline_said, told
from explorer.sessions.log.log import SessionLog
from explorer.sessions.read.listing import RunFilter
from explorer.sessions.read.reader import SessionReader
from explorer.sessions.schema.database import connect_for_reading
from explorer.text import said

FIXTURES = Path(__file__).parents[1] / "fixtures"
GERMAN = {
    "The model hesitates between “{first}” ({share}) and “{second}” ({its}).": (
        "Das Modell schwankt zwischen „{first}“ ({share}) und „{second}“ ({its})."
    ),
    "Nothing is masked.": "Nichts ist maskiert.",
}


def recorded(database, *runs):
    with SessionLog(database) as log:
        for run in runs:
            log.record(run, lambda _refused: None)
    return {one.operation: one for one in SessionReader(database).runs()}


def test_it_is_kept_in_english_and_read_in_any_language(database, samples, speak):
    speak("de", **GERMAN)
    summary = recorded(database, samples.fill_mask_run())["masked_tokens"]
    german = headline_said(summary)
    assert german.startswith("Das Modell schwankt ")
    speak("en")
    english = headline_said(summary)
    assert english.startswith("The model hesitates ")
    with closing(connect_for_reading(database)) as connection:
        assert connection.execute("SELECT headline FROM runs").fetchall()[0][0] == english
    whole = SessionReader(database).run(summary.id).summary
    speak("de", **GERMAN)
    assert headline_said(whole) == german


def test_titles_that_are_their_columns_names_in_english_are_other_words_elsewhere(speak):
    speak("de", **{"mask {which}": "Maske {which}"})
    titles = {"mask *": "mask {which}"}
    assert said(told({"mask 1": "soup", "of_1": 2}, titles)) == "Maske 1 soup, of 1 2"
    assert said(told({"parameters": 160608}, {})) == "parameters 160.608", "a point in German"


def test_a_failure_is_read_so_too(database, samples, speak):
    summary = next(iter(recorded(database, samples.failed_run()).values()))
    assert headline_said(summary) == "Nothing is masked."
    speak("de", **GERMAN)
    assert headline_said(summary) == "Nichts ist maskiert."


@pytest.mark.parametrize("words", ["Modell schwankt", "model hesitates"])
def test_the_search_finds_it_in_both_languages(database, samples, speak, words):
    speak("de", **GERMAN)
    summary = recorded(database, samples.fill_mask_run())["masked_tokens"]
    speak("en")
    assert [one.id for one in SessionReader(database).runs(RunFilter(words))] == [summary.id]


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_what_an_older_program_kept_reads_as_it_did(number, speak):
    reader = SessionReader(FIXTURES / f"schema-{number}.db")
    before = [headline_said(one) for one in reader.runs()]
    assert "soup 0.31, meal 0.20, tea 0.11" in before
    speak("de", **GERMAN)
    after = [headline_said(one) for one in reader.runs()]
    assert [one for one in before if one not in after] in ([], ["Nothing is masked."])
    assert [headline_said(reader.run(one.id).summary) for one in reader.runs()] == after


def test_a_word_that_a_cell_may_be_is_read_in_the_language_too(speak):
    from explorer.questions.learning.train.question import QUESTION

    speak("de", state="Zustand", done="fertig", run="Lauf")
    words = said(told({"run": "done", "state": "done"}, QUESTION.titles))
    assert words == "Lauf done, Zustand fertig"
