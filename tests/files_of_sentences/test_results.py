import multiprocessing
import os
import signal
import sqlite3
from contextlib import closing

import pytest

from explorer.api.question import MachineFault, UserMistake
from explorer.files_of_sentences.results import ResultsKey, ResultsWriter, SentenceOutcome
from explorer.files_of_sentences.rows import ColumnSpread, ResultsReader
from explorer.files_of_sentences.sentences import FileSentence

ASKED = ResultsKey("d1", "", "surprisal", "{}", ("f1 float32",))


def outcome(number, **cells):
    return SentenceOutcome(
        FileSentence(number, f"sentence {number}", "b" if number % 2 else None), cells
    )


def test_rows_and_back(tmp_path):
    path = ASKED.place(tmp_path / "new")
    with ResultsWriter(path, ASKED) as writer:
        writer.append([outcome(1, score=0.5, word="Zebra"), outcome(4, score=-2)])
        writer.append([SentenceOutcome(FileSentence(5, "100% no"), failure="It is empty.")])
        writer.append([outcome(7, score=0.25, word="apple", extra=True)])
        assert writer.count == 4
    reader = ResultsReader(path)
    assert reader.columns == ("line", "text", "pair", "score", "word", "extra", "failure")
    assert list(reader.every()) == [
        (1, "sentence 1", "b", 0.5, "Zebra", None, None),
        (4, "sentence 4", None, -2, None, None, None),
        (5, "100% no", None, None, None, None, "It is empty."),
        (7, "sentence 7", "b", 0.25, "apple", 1, None),
    ]
    assert reader.counts() == (4, 1)
    assert reader.failures(9) == ((5, "100% no", "It is empty."),)
    assert reader.spreads()[0] == ColumnSpread("score", 3, pytest.approx(-1.25 / 3), -2.0, 0.5)


def test_sorting_and_filtering(tmp_path):
    path = ASKED.place(tmp_path)
    with ResultsWriter(path, ASKED) as writer:
        writer.append([outcome(n, score=float(n % 3)) for n in range(1, 8)])
        writer.append([SentenceOutcome(FileSentence(9, "A 100% Cat_x"), failure="no")])
    reader = ResultsReader(path)

    def lines(**how):
        return [row[0] for row in reader.rows(reader.order(**how))]

    assert lines() == [1, 2, 3, 4, 5, 6, 7, 9]
    assert lines(column="score") == [3, 6, 1, 4, 7, 2, 5, 9]
    assert lines(column="score", descending=True) == [2, 5, 1, 4, 7, 3, 6, 9]
    assert lines(holds="cat_") == lines(holds="100%") == lines(failed=True) == [9]
    assert lines(holds="_%") == []
    assert lines(column="no such column", descending=True) == [9, 7, 6, 5, 4, 3, 2, 1]


def test_it_goes_on_where_it_was(tmp_path):
    path = ASKED.place(tmp_path)
    for start in (1, 4):
        with ResultsWriter(path, ASKED) as writer:
            assert writer.count == start - 1
            writer.append([outcome(start + n, score=n) for n in range(3)])
    assert ResultsReader(path).counts() == (6, 0)


def test_another_question_another_file(tmp_path):
    others = [
        ResultsKey("d2", "", "surprisal", "{}", ("f1 float32",)),
        ResultsKey("d1", "text", "surprisal", "{}", ("f1 float32",)),
        ResultsKey("d1", "", "masked_tokens", "{}", ("f1 float32",)),
        ResultsKey("d1", "", "surprisal", '{"top_k":2}', ("f1 float32",)),
        ResultsKey("d1", "", "surprisal", "{}", ("f2 float32",)),
        ResultsKey("d1", "", "surprisal", "{}", ("f1 float32", "f2 float32")),
    ]
    places = {asked.place(tmp_path) for asked in (ASKED, *others)}
    assert len(places) == 7
    with ResultsWriter(ASKED.place(tmp_path), ASKED):
        pass
    with pytest.raises(MachineFault, match="another question"):
        ResultsWriter(ASKED.place(tmp_path), others[0])


def test_two_at_once(tmp_path):
    path = ASKED.place(tmp_path)
    with ResultsWriter(path, ASKED) as writer:
        writer.append([outcome(1, score=1)])
        with pytest.raises(UserMistake, match="Another run"):
            ResultsWriter(path, ASKED)
    with ResultsWriter(path, ASKED) as writer:
        assert writer.count == 1


def test_a_batch_is_written_whole_or_not_at_all(tmp_path):
    path = ASKED.place(tmp_path)
    with ResultsWriter(path, ASKED) as writer:
        with pytest.raises(MachineFault, match="can't be written"):
            writer.append([outcome(1, score=1), outcome(2, score=object())])
        assert writer.count == 0
        writer.append([outcome(1, score=1)])
    assert ResultsReader(path).counts() == (1, 0)


def _write_and_hang(path, ready):
    writer = ResultsWriter(path, ASKED)
    writer.append([outcome(n, score=n) for n in range(1, 11)])
    writer._database.execute("BEGIN IMMEDIATE")
    writer._insert(outcome(11, score=11))
    ready.set()
    signal.pause()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_kill_costs_no_row(tmp_path):
    path = ASKED.place(tmp_path)
    spawn = multiprocessing.get_context("spawn")
    ready = spawn.Event()
    process = spawn.Process(target=_write_and_hang, args=(path, ready))
    process.start()
    try:
        assert ready.wait(60)
    finally:
        process.kill()
        process.join()
    with ResultsWriter(path, ASKED) as writer:
        assert writer.count == 10
        writer.append([outcome(11, score=11)])
    assert ResultsReader(path).rows([10, 11])[1][0] == 11


def test_a_reader_while_it_is_written(tmp_path):
    path = ASKED.place(tmp_path)
    reader = ResultsReader(path)
    assert (reader.counts(), list(reader.every()), reader.spreads()) == ((0, 0), [], ())
    with ResultsWriter(path, ASKED) as writer:
        assert reader.counts() == (0, 0)
        writer.append([outcome(1, score=1)])
        assert reader.counts() == (1, 0)
        writer.describe({"source": "some.txt"})
    assert reader.about("source") == "some.txt"
    assert reader.about("nothing") is None


def test_a_file_that_is_no_results(tmp_path):
    path = ASKED.place(tmp_path)
    path.write_bytes(b"nothing of the kind" * 100)
    with pytest.raises(MachineFault, match="can't be read"):
        ResultsReader(path).counts()
    with pytest.raises(MachineFault, match="can't be written"):
        ResultsWriter(path, ASKED)


def test_a_column_of_the_file_that_is_called_like_one_of_the_question(tmp_path):
    place = tmp_path / "some.results.db"
    with ResultsWriter(place, ASKED) as writer:
        writer.keep(("label", "line", "Label", 'odd "name"'))
        sentence = FileSentence(2, "a cat", kept=("gold", "7", "other", "x"))
        writer.append([SentenceOutcome(sentence, {"label": "found"})])
    reader = ResultsReader(place)
    assert reader.columns == (
        *("line", "text", "pair", "label", "label (file)", "line (file)", "Label", 'odd "name"'),
        "failure",
    )
    assert [*reader.every()] == [(2, "a cat", None, "found", "gold", "7", "other", "x", None)]
    assert [*reader.order("label (file)")] == [1]
    with closing(sqlite3.connect(place)) as database:
        table = database.execute("SELECT * FROM results")
        # SQLite knows no capitals in names.
        assert [one[0] for one in table.description][4:8] == [
            *("label (file)", "line (file)", "Label_", 'odd "name"'),
        ]
        assert table.fetchall() == [*reader.every()]


def test_groups_count_and_mean(tmp_path):
    place = tmp_path / "some.results.db"
    rows = [("x", 1.0), ("y", 4.0), ("x", 3.0), ("", None)]
    with ResultsWriter(place, ASKED) as writer:
        writer.keep(("kind",))
        writer.append(
            [
                SentenceOutcome(
                    FileSentence(line, "a", kept=(kind,)),
                    {} if score is None else {"score": score},
                    "no answer" if score is None else None,
                )
                for line, (kind, score) in enumerate(rows, start=1)
            ]
        )
    reader = ResultsReader(place)
    found = [
        (one.value, one.count, one.failed, one.means["score"]) for one in reader.groups("kind")
    ]
    assert found == [("x", 2, 0, 2.0), ("y", 1, 0, 4.0), ("", 1, 1, None)]
    assert [*reader.cells(("score",), ("kind", "x"))] == [(1.0,), (3.0,)]
