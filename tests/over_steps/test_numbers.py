"""Numbers are read off answers by what a question says of them, and laid step by step."""

from dataclasses import dataclass

import numpy as np
import pytest

from explorer.api.question import Asks, Question, Table, column
from explorer.over_steps.numbers import FrameNumbers, followed, merged, named, numbers_of
from explorer.serialise import from_json, to_json
from explorer.text import N_, Phrase


@dataclass(frozen=True)
class SaidRequest(Asks):
    """Nothing."""


@dataclass(frozen=True)
class SaidResult:
    """Words with their probabilities."""

    words: tuple[tuple[int, str, float], ...]


@dataclass(frozen=True)
class SaidRow:
    """A word."""

    position: int = column(N_("position"), key=True)
    word: str = column(N_("word"), key=True)
    probability: float = column(N_("probability"))
    loss: float = column(N_("loss"), unit=N_("nats"), least=0.0)
    id: int = column(N_("id"), compared=False)


QUESTION = Question(
    name="said",
    title="Said",
    asks="What?",
    request=SaidRequest,
    result=SaidResult,
    run=lambda *_: SaidResult(()),
    table=lambda result: Table.of(
        SaidRow, (SaidRow(at, word, p, -np.log(p), 7) for at, word, p in result.words)
    ),
    summary=lambda result: {"count": len(result.words), "best": result.words[0][1]},
    roles={},
)


def read(*words):
    return numbers_of(QUESTION, SaidResult(words))


def test_numbers_have_the_names_of_columns_and_keys():
    found = named(followed(merged([read((3, "soup", 0.5), (3, "a, b", 0.25))])))
    assert set(found) == {
        "count",
        "probability position=3 word=soup",
        "loss position=3 word=soup",
        "probability position=3 word=a%2C%20b",
        "loss position=3 word=a%2C%20b",
    }
    soup = found["probability position=3 word=soup"]
    # The position is the same in all rows: the word alone says which it is.
    assert (soup.title, soup.row, soup.values.tolist()) == ("probability: soup", "soup", [0.5])
    assert found["loss position=3 word=soup"].column.least == 0.0
    assert soup.column.least is None


def test_a_number_that_a_step_lacks_is_none_there():
    steps = [read((3, "soup", 0.5)), None, read((3, "meal", 0.75), (5, "soup", 0.125))]
    found = named(followed(merged(steps)))
    np.testing.assert_array_equal(found["count"].values, [1, np.nan, 2])
    soup = found["probability position=3 word=soup"]
    np.testing.assert_array_equal(soup.values, [0.5, np.nan, np.nan])
    assert soup.row == "soup, position 3"
    assert soup.has("soup PROB")
    assert not soup.has("meal")


def test_they_are_kept_as_they_are_whatever_their_words():
    whole = read((3, Phrase(N_("position")), 0.5), (4, "한국어", 0.25))
    again = from_json(FrameNumbers, to_json(whole))
    assert [one.rows for one in again.tables] == [one.rows for one in whole.tables]
    assert again.tables[1].phrases == {"position": "position"}
    np.testing.assert_array_equal(again.tables[1].values, whole.tables[1].values)


def test_what_is_too_many_is_counted(monkeypatch):
    monkeypatch.setattr("explorer.over_steps.numbers.MOST", 4)
    (_summary, table) = read(*((n, "a", 0.5) for n in range(5))).tables
    assert len(table.rows) == 2
    assert table.left_out == 2 * 3


@pytest.mark.parametrize("cell", ["3", "-1", "2.5", "1e-05"])
def test_where_something_is_comes_behind_its_word(cell):
    from explorer.over_steps.numbers import is_word

    assert not is_word(cell)
    assert is_word("##ing")
    assert is_word("emb.")
