"""Rows are dataclasses: their fields are the columns, with titles, units and digits."""

import pickle
from dataclasses import dataclass

from explorer.api.question import TOKENS, Table, column
from explorer.api.question.rows.rows import columns_of
from explorer.text import N_


@dataclass(frozen=True)
class Surprise:
    """A row."""

    position: int = column(N_("position"), key=True, place=TOKENS)
    token: str = column(N_("token"))
    bits: float | None = column(N_("surprisal"), unit="bits", digits=2)
    last: bool = column(N_("last"), name="is last", shown=False, default=False)


def test_fields_are_columns():
    table = Table.of(Surprise, [Surprise(1, "cat", 2.345), Surprise(2, "sat", None, True)])
    assert table.columns == ("position", "token", "bits", "is last")
    assert table.rows == ((1, "cat", 2.345, False), (2, "sat", None, True))
    place, token, bits, last = table.described()
    assert place.key
    assert place.place == TOKENS
    assert place.is_number
    assert not token.is_number
    assert not token.key
    assert bits.heading == "surprisal (bits)"
    assert bits.is_number
    assert [bits.said(cell) for cell in table.column("bits")] == ["2.35", ""]
    assert not last.shown
    assert last.said(True) == "yes"


def test_no_rows_are_a_table_too():
    assert Table.of(Surprise, []).columns == tuple(one.name for one in columns_of(Surprise))


def test_more_columns_keep_what_the_others_are():
    table = Table.of(Surprise, [Surprise(1, "cat", 2.0)]).widened(("again",), [("x",)])
    assert [one.title for one in table.described()] == [
        "position",
        "token",
        "surprisal",
        "last",
        "",
    ]
    assert not table.described()[-1].is_number


def test_tables_are_alike_by_their_cells_and_cross_processes():
    table = Table.of(Surprise, [Surprise(1, "cat", 2.0)])
    assert table == Table(table.columns, table.rows)
    again = pickle.loads(pickle.dumps(table))
    assert again == table
    assert again.described() == table.described()


def test_numbers_are_read_with_a_real_minus():
    assert columns_of(Surprise)[2].said(-0.5) == "−0.50"
    assert Table(("a",), ((-1234.5,),)).described()[0].said(-1234.5) == "−1234"
