"""Reading back: equal objects, filters, pages, and indexes that are used."""

import sqlite3
import threading
from contextlib import closing
from dataclasses import replace

import pytest

from explorer.api.question import UserMistake
from explorer.questions import all_questions, former_names
from explorer.sessions.log.log import SessionLog
from explorer.sessions.read.listing import RunFilter, listing
from explorer.sessions.read.reader import SessionReader


def of_nobody(run):
    """A run that no model answered."""
    return replace(run, models={}, result=replace(run.result, model=None))


@pytest.fixture
def filled(database, samples, answers):
    """Six runs in two sessions; the ids oldest first."""
    other = replace(samples.STAMP, id="roberta-miniature", family="roberta", fingerprint="f" * 32)
    with SessionLog(database, "first") as log:
        ids = [
            log.record(samples.fill_mask_run(), answers),
            log.record(samples.tokenize_run(), answers),
            log.record(samples.failed_run(), answers),
        ]
    with SessionLog(database, "second") as log:
        ids += [
            log.record(samples.fill_mask_run("100% of the soup", model=other), answers),
            log.record(samples.fill_mask_run("a_b\\c soup", words=(("bread", 0.5),)), answers),
            log.record(of_nobody(samples.tokenize_run()), answers),
        ]
    assert answers.take(6) == [None] * 6
    return SessionReader(database), ids


def test_a_database_that_does_not_exist_reads_as_empty_and_is_not_made(database):
    reader = SessionReader(database)
    assert reader.runs() == []
    assert reader.sessions() == []
    assert reader.operations() == reader.model_ids() == []
    with pytest.raises(UserMistake, match="There is no run '01ABC'"):
        reader.run("01ABC")
    assert not database.parent.exists()


def test_an_empty_file_reads_as_empty(tmp_path):
    path = tmp_path / "sessions.db"
    path.touch()
    assert SessionReader(path).runs() == []


def test_newest_first(filled):
    reader, ids = filled
    assert [run.id for run in reader.runs()] == ids[::-1]


def test_a_summary_says_what_was_asked_and_found(filled):
    reader, ids = filled
    summary = reader.runs()[-1]
    assert summary.id == ids[0]
    assert summary.created_at.endswith("Z")
    assert (summary.operation, summary.model_id, summary.family) == (
        "masked_tokens",
        "bert-miniature",
        "bert",
    )
    assert (summary.text, summary.masks) == ("I liked the soup", 1)
    assert summary.headline == "The model hesitates between “soup” (31 %) and “meal” (20 %)."
    assert (summary.duration, summary.failed) == (0.125, False)
    assert reader.run(ids[0]).summary == summary


def test_a_whole_run_comes_back_equal(filled, samples):
    reader, ids = filled
    run = samples.fill_mask_run()
    stored = reader.run(ids[0])
    assert stored.document == run.document
    assert stored.request == run.request
    assert stored.result == run.result
    assert stored.table == run.table
    assert stored.rows == run.table.rows
    assert stored.model == run.model
    assert stored.models == {"model": run.model}
    assert stored.versions == run.versions
    assert (stored.seed, stored.failure, stored.unreadable) == (7, None, "")
    assert stored.session_name == "first"


def test_a_failure_and_a_run_without_a_model_come_back(filled, samples):
    reader, ids = filled
    failed, without = reader.run(ids[2]), reader.run(ids[5])
    assert failed.failure == samples.failed_run().failure
    assert (failed.result, failed.table, failed.rows) == (None, None, ())
    assert failed.summary.failed
    assert failed.summary.headline == "Nothing is masked."
    assert without.model is None
    assert without.models == {}
    assert without.document.pair == "=1+1 and the rest"


def wanted(limit=200, before=None, **filters):
    return RunFilter(**filters), limit, before


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"operation": "tokens"}, [5, 1]),
        ({"model_id": "roberta-miniature"}, [3]),
        ({"model_id": ""}, [5]),
        ({"failed": True}, [2]),
        ({"failed": False}, [5, 4, 3, 1, 0]),
        ({"operation": "masked_tokens", "failed": False, "model_id": "bert-miniature"}, [4, 0]),
        ({"search": "SOUP"}, [4, 3, 0]),
        ({"search": "bread"}, [4]),
        ({"search": "soup tea"}, [3, 0]),
        ({"search": "번째"}, [5, 1]),
        ({"search": "rest"}, [5, 1]),
        ({"search": "100%"}, [3]),
        ({"search": "0%o"}, []),
        ({"search": "a_b\\c"}, [4]),
        ({"search": "i_liked"}, [0]),
        ({"search": "sou lik"}, [0]),
        ({"search": "?!"}, [5, 4, 3, 2, 1, 0]),
        ({"since": "2020-01-01"}, [5, 4, 3, 2, 1, 0]),
        ({"until": "2020-01-01"}, []),
        ({"starred": True}, []),
        ({"search": "nowhere"}, []),
        ({"search": "soup", "operation": "tokens"}, []),
        ({"limit": 2}, [5, 4]),
    ],
)
def test_filters(filled, filters, found):
    reader, ids = filled
    assert [ids.index(run.id) for run in reader.runs(*wanted(**filters))] == found


def test_one_session_only(filled):
    reader, ids = filled
    second, first = reader.sessions()
    assert (first.name, second.name) == ("first", "second")
    assert [run.id for run in reader.runs(RunFilter(session_id=first.id))] == ids[2::-1]
    assert [run.id for run in reader.runs(RunFilter(session_id=second.id))] == ids[:2:-1]


def test_pages_meet_without_gap_or_overlap(filled):
    reader, ids = filled
    pages, before = [], None
    while page := reader.runs(limit=4, before=before):
        pages.append([run.id for run in page])
        before = page[-1].id
    assert [len(page) for page in pages] == [4, 2]
    assert [run_id for page in pages for run_id in page] == ids[::-1]


def test_what_can_be_filtered_by(filled):
    reader, _ = filled
    assert reader.operations() == ["masked_tokens", "tokens"]
    assert reader.model_ids() == ["bert-miniature", "roberta-miniature"]


def test_the_beginning_of_an_id_is_enough(database, samples, answers):
    with SessionLog(database) as log:
        run_id = log.record(samples.fill_mask_run(), answers)
    assert SessionReader(database).run(run_id[:8].lower()).summary.id == run_id


def test_a_beginning_that_names_no_run_or_several(filled):
    reader, ids = filled
    with pytest.raises(UserMistake, match="Several runs begin with"):
        reader.run(ids[0][:2])
    for absent in ("", "  ", "8" + ids[0][1:], "%", "'; DROP TABLE runs"):
        with pytest.raises(UserMistake, match="There is no run"):
            reader.run(absent)


def test_an_operation_that_is_gone_leaves_the_rows(filled, samples, monkeypatch):
    reader, ids = filled
    known = {"tokens": all_questions()["tokens"]}
    monkeypatch.setattr(former_names, "all_questions", lambda: known)
    stored = reader.run(ids[0])
    assert (stored.request, stored.result) == (None, None)
    assert stored.unreadable == "This version of the program has no question masked_tokens."
    assert stored.table == samples.fill_mask_run().table
    assert stored.document == samples.fill_mask_run().document


@pytest.mark.parametrize("column", ["request", "result"])
def test_a_run_of_another_version_leaves_the_rows(filled, samples, column):
    reader, ids = filled
    with closing(sqlite3.connect(reader.path)) as connection:
        connection.execute(f"""UPDATE run_details SET {column} = '{{"other": 1}}'""")
        connection.execute("""UPDATE documents SET json = '{"text": 5}'""")
        connection.commit()
    stored = reader.run(ids[0])
    assert stored.result is None
    assert stored.unreadable.startswith("This run was stored by another version of the program (")
    assert stored.table == samples.fill_mask_run().table
    assert stored.document == samples.fill_mask_run().document


def test_long_texts_are_shortened(database, samples, answers):
    with SessionLog(database) as log:
        log.record(samples.fill_mask_run("word " * 300 + "soup"), answers)
        log.record(samples.fill_mask_run("two\n  lines of soup"), answers)
    newest, longest = SessionReader(database).runs()
    assert newest.text == "two lines of soup"
    assert len(longest.text) <= 200
    assert longest.text.endswith("word…")


def test_many_threads_may_read_while_one_makes_and_writes_it(database, samples, answers):
    reader, errors, seen = SessionReader(database), [], []
    stop = threading.Event()

    def read():
        try:
            while not stop.is_set():
                seen.append(len(reader.runs()))
        except Exception as error:  # noqa: BLE001 - shown below, whatever it is
            errors.append(error)

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        with SessionLog(database) as log:
            for _ in range(100):
                log.record(samples.fill_mask_run(), answers)
            assert answers.take(100) == [None] * 100
            stop.set()
            for thread in threads:
                thread.join()
    finally:
        stop.set()
    assert errors == []
    assert len(reader.runs()) == 100


def plan(reader, **filters):
    query, values = listing(*wanted(**filters))
    with closing(sqlite3.connect(reader.path)) as connection:
        rows = connection.execute(f"EXPLAIN QUERY PLAN {query}", values).fetchall()
    return [detail for *_, detail in rows]


@pytest.mark.parametrize(
    ("filters", "step"),
    [
        ({}, "SCAN r"),
        ({"before": "01ABC"}, "SEARCH r USING PRIMARY KEY (id<?)"),
        (
            {"operation": "x"},
            "SEARCH r USING INDEX runs_by_operation (operation=?)",
        ),
        (
            {"operation": "x", "before": "01"},
            "SEARCH r USING INDEX runs_by_operation (operation=? AND id<?)",
        ),
        ({"model_id": "x"}, "SEARCH r USING INDEX runs_by_model (model_id=?)"),
        ({"session_id": "x"}, "SEARCH r USING INDEX runs_by_session (session_id=?)"),
        ({"failed": True}, "SCAN r USING INDEX runs_that_failed"),
    ],
)
def test_a_page_reads_as_many_runs_as_it_shows(filled, filters, step):
    """Every filter walks an index newest first, so that LIMIT ends it: nothing is sorted."""
    steps = plan(filled[0], **filters)
    assert steps[0] == step
    assert steps[1].startswith("SEARCH d USING INDEX sqlite_autoindex_documents_1")
    assert not [text for text in steps if "TEMP B-TREE" in text]


def test_a_search_reads_what_it_finds_newest_first_and_sorts_nothing(filled):
    steps = plan(filled[0], search="two words")
    assert steps[0].startswith("SCAN f VIRTUAL TABLE")
    assert not [text for text in steps if "TEMP B-TREE" in text or "CORRELATED" in text]
