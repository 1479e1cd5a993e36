"""Files of words with labels: CoNLL-U, and a word and its label on every line.

https://universaldependencies.org/format.html
"""

from collections.abc import Iterator
from pathlib import Path

from explorer.api.question import UserMistake
from explorer.files_of_sentences.formats.conllu import CONLLU, USUAL, ConlluWords, FileWord
from explorer.files_of_sentences.sentences import lines_of
from explorer.text import N_

ENDINGS = (*CONLLU, ".tsv", ".txt")


def read_labels(path: Path, column: str = "") -> Iterator[tuple[FileWord, ...]]:
    """The sentences of a file; empty lines part them.

    Args:
        path: A .conllu file, or one with a word, a tab and a label on every line.
        column: Of a CoNLL-U file: the name of a column, or of a feature ("Number"); "" for UPOS.

    Raises:
        UserMistake: The file can't be read, a line has not what it must, or there is no word.
    """
    is_conllu = path.suffix.lower() in CONLLU
    read = ConlluWords(path, column or USUAL) if is_conllu else _Pairs(path)
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
