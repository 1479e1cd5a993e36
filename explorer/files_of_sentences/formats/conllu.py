"""Treebanks in CoNLL-U, as Universal Dependencies publishes them: words, and rows of sentences.

https://universaldependencies.org/format.html
"""

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from explorer.api.question import UserMistake
from explorer.text import N_

CONLLU = (".conllu", ".conll")
COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
USUAL = "UPOS"
TEXT, TAGS, NO_TAG = "text", "upos", "_"
"""Columns of a sentence's row, and what stands for a word without a tag."""
_COMMENT = re.compile(r"#\s*([\w.:-]+)\s*=\s*(.*)")

Lines = Callable[[Path], Iterator[tuple[int, str]]]


@dataclass(frozen=True)
class FileWord:
    """A word of a file.

    Attributes:
        word: As it is written.
        label: Its label; "" for none.
        after: What stands between it and the next word.
    """

    word: str
    label: str
    after: str = " "


def rows_in(path: Path, lines: Lines, looked_at: int) -> Iterator[tuple[int, list[str]]]:
    """The rows of a treebank, the names of the columns first; each with its line.

    A sentence is a row: its text, what its comments say, and the parts of speech of its words. What
    a comment says of all that follows, as where a document begins, stands in one row alone.

    Args:
        path: The file.
        lines: Reads its lines.
        looked_at: Sentences whose comments are the columns.

    Raises:
        UserMistake: A line is none of CoNLL-U.
    """
    sentences = _sentences(path, lines)
    first = [*itertools.islice(sentences, looked_at)]
    names = [*dict.fromkeys((TEXT, *(name for _number, one in first for name in one)))]
    yield 0, names
    for number, one in itertools.chain(first, sentences):
        yield number, [one.get(name, "") for name in names]


def _sentences(path: Path, lines: Lines) -> Iterator[tuple[int, dict[str, str]]]:
    read = ConlluWords(path, USUAL)
    comments: dict[str, str] = {}
    words: list[FileWord] = []
    begins = 0
    for number, line in itertools.chain(lines(path), ((0, ""),)):
        if found := _COMMENT.match(line):
            comments[found[1]] = found[2].strip()
        if line.strip():
            some = [*read.words(number, line.rstrip("\r\n"))]
            begins = begins or (number if some else 0)
            words += some
        elif words:
            text = "".join(one.word + one.after for one in words).strip()
            tags = " ".join(one.label or NO_TAG for one in words)
            yield begins, {TEXT: text, **comments, TAGS: tags}
            comments, words, begins = {}, [], 0


class ConlluWords:
    """Words of lines of ten columns with tabs between them.

    Args:
        path: The file, for complaints.
        column: The name of a column, or of a feature ("Number"): the words' labels.
    """

    def __init__(self, path: Path, column: str) -> None:
        self._path, self._column = path, column
        self._joined = 0
        """The last word of those that are written as one."""
        wanted = column.upper()
        self._place = COLUMNS.index(wanted) if wanted in COLUMNS else None

    def words(self, number: int, line: str) -> Iterator[FileWord]:
        """The word of a line; none for comments and for words that are not written."""
        if line.startswith("#"):
            return
        cells = line.split("\t")
        if len(cells) != len(COLUMNS):
            raise UserMistake(
                N_("Line {number} of {name} has {count} columns, and CoNLL-U has ten."),
                N_("Look for spaces in place of tabs."),
                number=number,
                name=self._path.name,
                count=len(cells),
            )
        after = "" if "SpaceAfter=No" in cells[9].split("|") else " "
        if "-" in cells[0]:
            # Several words that are written as one ("don't"): the one that is written has no label.
            self._joined = self._last(cells[0], number)
            yield FileWord(cells[1], "", after)
            return
        if "." in cells[0]:
            return
        place = self._last(cells[0], number)
        if place <= self._joined:
            self._joined = 0 if place == self._joined else self._joined
            return
        yield FileWord(cells[1], self._label(cells), after)

    def _last(self, written: str, number: int) -> int:
        last = written.rpartition("-")[2]
        if not last.isdecimal():
            raise UserMistake(
                N_("Line {number} of {name} begins with “{id}”, which is no number of a word."),
                N_("The first column of CoNLL-U counts the words of the sentence."),
                number=number,
                name=self._path.name,
                id=written,
            )
        return int(last)

    def _label(self, cells: list[str]) -> str:
        if self._place is not None:
            said = cells[self._place]
            return "" if said == "_" else said
        features = dict(one.partition("=")[::2] for one in cells[5].split("|"))
        return features.get(self._column, "")
