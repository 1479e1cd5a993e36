"""Files of words with labels: CoNLL-U, and a word and its label on every line.

https://universaldependencies.org/format.html
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from explorer.api.question import UserMistake
from explorer.files_of_sentences.sentences import lines_of
from explorer.text import N_

CONLLU = (".conllu", ".conll")
ENDINGS = (*CONLLU, ".tsv", ".txt")
COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
USUAL = "UPOS"


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


def read_labels(path: Path, column: str = "") -> Iterator[tuple[FileWord, ...]]:
    """The sentences of a file; empty lines part them.

    Args:
        path: A .conllu file, or one with a word, a tab and a label on every line.
        column: Of a CoNLL-U file: the name of a column, or of a feature ("Number"); "" for UPOS.

    Raises:
        UserMistake: The file can't be read, a line has not what it must, or there is no word.
    """
    is_conllu = path.suffix.lower() in CONLLU
    read = _Conllu(path, column or USUAL) if is_conllu else _Pairs(path)
    sentence: list[FileWord] = []
    count = 0
    for number, line in lines_of(path):
        if line.strip():
            sentence.extend(read.words(number, line.rstrip("\r\n")))
        elif sentence:
            count += 1
            yield tuple(sentence)
            sentence = []
    if sentence:
        count += 1
        yield tuple(sentence)
    if not count:
        raise UserMistake(
            N_("There is no word with a label in {name}."),
            N_(
                "Put a word, a tab and its label on every line, and an empty line after a sentence."
            ),
            name=path.name,
        )


class _Pairs:
    """A word, a tab and a label on every line."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def words(self, number: int, line: str) -> Iterator[FileWord]:
        """The word of a line."""
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != 2 or not all(cells):
            raise UserMistake(
                N_("Line {number} of {name} is not a word, a tab and a label."),
                N_("Write one word and its label on every line, with a tab between them."),
                number=number,
                name=self._path.name,
            )
        yield FileWord(cells[0], cells[1])


class _Conllu:
    """Ten columns with tabs between them."""

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
