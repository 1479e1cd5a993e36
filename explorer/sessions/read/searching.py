"""Full-text search over runs: what is found of a run, and how a person's words become a query.

SQLite's FTS5 numbers what it holds with integers, and quickly gives the newest first only in the
order of those numbers. So each run has a number that grows with its time, whenever it was added.
"""

import sqlite3
from collections.abc import Iterable

from explorer.api.question import Table
from explorer.sessions.log.identity import CROCKFORD, TIME_LETTERS, is_ulid, milliseconds_of

TOKENIZER = "unicode61 remove_diacritics 2 categories ''L* N* Co S*''"
"""Letters and digits of every script, and symbols: an emoji is a word."""

PER_MILLISECOND = 1 << 15
"""Runs that can be told apart within one millisecond."""

LONGEST_ANSWER = 4000
"""Characters of an answer that can be found."""


def storable(text: str) -> str:
    """A text without what none in the database can hold: halves of characters, and NUL."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")


def query_of(words: str) -> str:
    """FTS5's query for runs in which every word, or the beginning of one, is found.

    Returns "" where nothing can be looked for: for no words, and for punctuation alone.
    """
    parts = []
    for word in storable(words).split():
        if any(_is_kept(letter) for letter in word):
            quoted = word.replace('"', '""')
            parts.append(f'"{quoted}"*')
    return " AND ".join(parts)


def _is_kept(letter: str) -> bool:
    import unicodedata

    category = unicodedata.category(letter)
    return category[0] in "LNS" or category == "Co"


def answer_text(headline: str, table: Table | None, said: str = "") -> str:
    """What of an answer can be found: its headline, then the words of its table, each once.

    Args:
        headline: In English.
        table: The answer's rows.
        said: The headline in the language of whoever asked.
    """
    found: dict[str, None] = dict.fromkeys([headline, *([said] if said else [])])
    length = sum(map(len, found))
    for text in _texts(table):
        if text not in found:
            length += len(text) + 1
            if length > LONGEST_ANSWER:
                break
            found[text] = None
    return "\n".join(found)


def _texts(table: Table | None) -> Iterable[str]:
    if table is None:
        return
    for row in table.rows:
        for cell in row:
            if isinstance(cell, str) and cell:
                yield cell


def first_id(milliseconds: int) -> str:
    """The smallest ULID of a moment: everything made since then sorts behind it."""
    value, letters = milliseconds, []
    for _ in range(TIME_LETTERS):
        value, digit = divmod(value, 32)
        letters.append(CROCKFORD[digit])
    return "".join(reversed(letters)).ljust(26, "0")


def make_findable(connection: sqlite3.Connection, run_id: str, text: str, answer: str) -> None:
    """Add a run to the search; the caller holds the transaction."""
    number = _free_number(connection, milliseconds_of(run_id) * PER_MILLISECOND)
    connection.execute("INSERT INTO run_numbers (number, run_id) VALUES (?, ?)", (number, run_id))
    connection.execute(
        "INSERT INTO run_search (rowid, text, answer, note) VALUES (?, ?, ?, '')",
        (number, text, answer),
    )


def _free_number(connection: sqlite3.Connection, base: int) -> int:
    """The number behind the last of a millisecond; behind all that adjoin it where it is full.

    A clock that was set back gives out many ids of one millisecond.
    """
    query = "SELECT max(number) FROM run_numbers WHERE number BETWEEN ? AND ?"
    end = base + PER_MILLISECOND - 1
    (last,) = connection.execute(query, (base, end)).fetchone()
    if last is None:
        return base
    if last < end:
        return int(last) + 1
    (free,) = connection.execute(
        "SELECT min(n.number) + 1 FROM run_numbers n WHERE n.number >= ?"
        " AND NOT EXISTS (SELECT 1 FROM run_numbers m WHERE m.number = n.number + 1)",
        (end,),
    ).fetchone()
    return int(free)


def make_all_findable(connection: sqlite3.Connection) -> None:
    """Add every run that the search does not know yet, oldest first."""
    missing = connection.execute(
        "SELECT r.id, d.text, d.pair, r.headline FROM runs r"
        " JOIN documents d ON d.id = r.document_id"
        " WHERE r.id NOT IN (SELECT run_id FROM run_numbers) ORDER BY r.id"
    ).fetchall()
    for run_id, text, pair, headline in missing:
        if not is_ulid(run_id):
            continue  # another program's, without a place in time
        words = connection.execute(
            "SELECT DISTINCT value FROM result_rows,"
            " json_each(CASE WHEN json_valid(cells) THEN cells ELSE '{}' END)"
            " WHERE run_id = ? AND json_each.type = 'text'",
            (run_id,),
        ).fetchall()
        answer = answer_text(headline, Table(("word",), tuple(words)))
        make_findable(connection, run_id, text if pair is None else f"{text}\n{pair}", answer)
