"""Results of two models are read side by side, as far as both have answered."""

from dataclasses import replace

import pytest

from explorer.files_of_sentences.compared import (
    DIFFERENCE,
    MOST_MODELS,
    ComparedReader,
    column_of,
    compared_with_first,
    parted,
)
from explorer.files_of_sentences.results import ResultsKey, ResultsWriter, SentenceOutcome
from explorer.files_of_sentences.rows import NOT_COUNTED, ResultsReader
from explorer.files_of_sentences.sentences import FileSentence

ASKED = ResultsKey("d", "", "surprisal", "{}", ("f",))
NAMES = ("bert", "gpt")


def write(folder, asked, rows):
    path = asked.place(folder)
    with ResultsWriter(path, asked) as writer:
        writer.append(rows)
    return path


def row(number, failure=None, **cells):
    return SentenceOutcome(FileSentence(number, f"sentence {number}"), cells, failure)


@pytest.fixture
def both(tmp_path):
    """Three sentences that one has answered, and two that the other has."""
    one = [row(1, score=1.5, word="a"), row(2, score=2, word="b"), row(3, score=3)]
    two = [row(1, word="c", score=1.0, **{NOT_COUNTED: "why"}), row(2, "It is empty.")]
    other = replace(ASKED, models=("g",))
    return write(tmp_path, ASKED, one), write(tmp_path, other, two)


def test_a_column_says_whose_it_is():
    assert parted(column_of("mean surprisal", "bert")) == ("mean surprisal", "bert")
    assert parted("mean surprisal") == ("mean surprisal", "")


def test_a_row_has_cells_of_each_and_their_difference(both):
    reader = ComparedReader(both[0], both[1:], NAMES)
    assert reader.own_columns == (
        *("score · bert", "score · gpt", "score · difference"),
        *("word · bert", "word · gpt", NOT_COUNTED),
    )
    assert list(reader.every()) == [
        (1, "sentence 1", None, 1.5, 1.0, -0.5, "a", "c", "why", None),
        (2, "sentence 2", None, 2, None, None, "b", None, None, "It is empty."),
    ]
    assert reader.counts() == (2, 1)


def test_rows_are_sorted_by_what_differs_and_counted_as_alone(both):
    reader = ComparedReader(both[0], both[1:], NAMES)
    difference = column_of("score", DIFFERENCE)
    assert list(reader.order(difference)) == [1, 2]
    assert list(reader.order(column_of("score", "bert"), descending=True)) == [2, 1]
    assert list(reader.order(holds="sentence 2")) == [2]
    assert reader.not_counted() == 1
    assert [one.column for one in reader.spreads()] == ["score · bert"]
    assert [one.path for _name, one in reader.each] == list(both)


def test_fewer_rows_are_read_and_more_that_come_are_seen(both):
    assert ComparedReader(both[0], both[1:], NAMES, 1).counts() == (1, 0)
    reader = ComparedReader(both[0], both[1:], NAMES)
    with ResultsWriter(both[1], replace(ASKED, models=("g",))) as writer:
        writer.append([row(3, score=7)])
    assert reader.counts() == (3, 1)
    assert reader.rows([3])[0][3:6] == (3, 7, 4)


def test_a_model_that_has_not_begun_has_no_rows(both, tmp_path):
    reader = ComparedReader(both[0], [tmp_path / "gone.db"], NAMES)
    assert (reader.counts(), reader.columns[:3]) == ((0, 0), ("line", "text", "pair"))


def test_the_same_model_twice_is_told_apart_by_its_slot(both):
    assert ComparedReader(both[0], both[1:], ("bert", "bert")).names == ("A", "B")


def test_readers_of_the_same_rows_are_the_same(both):
    assert ComparedReader(both[0], both[1:], NAMES) == ComparedReader(both[0], both[1:], NAMES)
    assert ComparedReader(both[0], both[1:], NAMES) != ComparedReader(both[0], both[1:], NAMES, 1)
    assert ComparedReader(both[0], both[1:], NAMES) != ResultsReader(both[0])
    assert len({ResultsReader(both[0]), ResultsReader(both[0])}) == 1


def test_three_models_have_a_difference_each_and_letters_where_their_names_are_alike(
    both, tmp_path
):
    third = write(tmp_path, replace(ASKED, models=("h",)), [row(1, score=4.0), row(2, score="-")])
    names = (*NAMES, "tiny")
    reader = ComparedReader(both[0], (both[1], third), names)
    assert [name for name in reader.own_columns if name.startswith("score")] == [
        *("score · bert", "score · gpt", "score · tiny"),
        *("score · difference of gpt", "score · difference of tiny"),
    ]
    assert [row[3:8] for row in reader.every()] == [
        (1.5, 1.0, 4.0, -0.5, 2.5),
        (2, None, "-", None, None),
    ]
    assert [name for name, _one in reader.each] == list(names)
    alike = ComparedReader(both[0], (both[1], third), ("bert", "gpt", "bert"))
    assert alike.names == ("A", "B", "C")
    assert compared_with_first("difference of gpt") == "gpt"
    assert not compared_with_first(DIFFERENCE)


def test_as_many_files_are_read_together_as_models_may_be_compared(both, tmp_path):
    more = [
        write(tmp_path, replace(ASKED, models=(f"more {number}",)), [row(1, score=number)])
        for number in range(2, MOST_MODELS + 1)
    ]
    names = [f"m{number}" for number in range(MOST_MODELS)]
    reader = ComparedReader(both[0], more, names)
    assert reader.counts() == (1, 0)
    assert len(reader.own_columns) == 2 * MOST_MODELS - 1 + MOST_MODELS
