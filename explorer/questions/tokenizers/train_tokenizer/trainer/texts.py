"""The text that tokenizers are trained on, line by line, and the lines that are kept aside."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from explorer.api.question import UserMistake
from explorer.files.typed_paths import readable, typed_path
from explorer.files_of_sentences.sentences import ENDINGS, count_sentences, lines_of, read_sentences
from explorer.files_of_sentences.sentences import MOST as MOST_SENTENCES
from explorer.hf.kept import kept
from explorer.questions.tokenizers.train_tokenizer.options import World
from explorer.text import N_
from explorer.text.printable import without_surrogates
from explorer.world.corpus import CorpusDocument, held_out_documents, training_documents
from explorer.world.korean.text import korean
from explorer.world.language.lexicon import list_of
from explorer.world.language.spelling import typed_texts

MOST_CHARACTERS = 50_000_000
"""Of a file that are read."""
EVERY = 10
"""One line of so many is kept aside."""
TRAINED_ON, HELD_OUT = 3000, 300
"""Documents of the small world."""
TABLES = ENDINGS - {".txt", ".text"}
LOOK_EVERY = 2000
"""Lines between two looks whether somebody cancelled."""


@dataclass(frozen=True)
class TextLines:
    """A text.

    Attributes:
        training: Lines that are trained on.
        held_out: Lines that are kept aside.
        is_cut: The file has more.
    """

    training: tuple[str, ...]
    held_out: tuple[str, ...]
    is_cut: bool = False


def digest_of(
    path: str, world: World, check: Callable[[], None] = lambda: None
) -> tuple[str, bool]:
    """blake2b of a text, 16 hexadecimal digits, and whether the file has more than is read.

    The small world's is told without drawing it, which takes a second or two.

    Args:
        path: The file; "" for the small world.
        world: Its language.
        check: Called now and then: raises to stop.

    Raises:
        UserMistake: The file can't be read, or there is no word in it.
    """
    total = hashlib.blake2b(digest_size=8)
    if not path:
        total.update(list_of("en").read_bytes() + list_of("ko").read_bytes())
        total.update(f"{world.value} {TRAINED_ON} {HELD_OUT}".encode())
        return total.hexdigest(), False

    def make() -> tuple[str, bool]:
        found = _of_file(path, check)
        for part in (found.training, found.held_out):
            for line in part:
                total.update(line.encode("utf-8") + b"\n")
            total.update(b"\0")
        return total.hexdigest(), found.is_cut

    # By its name too: the ending tells how it is read.
    return kept("digest of a text", make, of=readable(typed_path(path)), asked=path)


def lines(path: str, world: World, check: Callable[[], None] = lambda: None) -> TextLines:
    """The lines of a file, or of the small world where none is named.

    Args:
        path: The file; "" for the small world.
        world: Its language.
        check: Called now and then: raises to stop.

    Raises:
        UserMistake: The file can't be read, or there is no word in it.
    """
    return _of_file(path, check) if path else _of_world(world)


def _of_world(world: World) -> TextLines:
    training, held_out = training_documents(TRAINED_ON), held_out_documents(HELD_OUT)
    if world is World.ENGLISH:
        return TextLines(tuple(typed_texts(training)), tuple(typed_texts(held_out)))
    return TextLines(_in_korean(training), _in_korean(held_out))


def _in_korean(documents: Iterable[CorpusDocument]) -> tuple[str, ...]:
    """Those of the documents whose subject is told in Korean."""
    told = (korean(one) for one in documents)
    return tuple(text for text in told if text)


def _of_file(path: str, check: Callable[[], None]) -> TextLines:
    whole = typed_path(path)
    found: list[str] = []
    characters, is_cut = 0, False
    for number, line in enumerate(_read(whole)):
        if number % LOOK_EVERY == 0:
            check()
        text = without_surrogates(line.strip())
        if not text:
            continue
        characters += len(text)
        if characters > MOST_CHARACTERS:
            is_cut = True
            break
        found.append(text)
    if not found:
        raise UserMistake(
            N_("There is no text in {name}."),
            N_("Choose a file with words in it."),
            name=_name(path),
        )
    if whole.suffix.lower() in TABLES and len(found) >= MOST_SENTENCES:
        is_cut = is_cut or count_sentences(whole) >= MOST_SENTENCES
    return TextLines(
        tuple(one for number, one in enumerate(found) if number % EVERY != EVERY - 1),
        tuple(found[EVERY - 1 :: EVERY]),
        is_cut,
    )


def _read(path: Path) -> Iterator[str]:
    """Every line of a text; of a table, and of questions with answers, what is read of each row."""
    if path.suffix.lower() in TABLES:
        return (one.text for one in read_sentences(path))
    return (line for _number, line in lines_of(path, newline=None))


def _name(path: str) -> str:
    return Path(path).name
