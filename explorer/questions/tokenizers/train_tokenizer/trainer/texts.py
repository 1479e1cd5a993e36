"""The text that tokenizers are trained on, line by line, and the lines that are kept aside."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from explorer.files.typed_paths import readable, typed_path
from explorer.files_of_sentences.whole_texts import whole_text
from explorer.hf.kept import kept
from explorer.questions.tokenizers.train_tokenizer.options import World
from explorer.world.corpus import CorpusDocument, held_out_documents, training_documents
from explorer.world.korean.text import korean
from explorer.world.language.lexicon import list_of
from explorer.world.language.spelling import typed_texts

EVERY = 10
"""One line of so many is kept aside."""
TRAINED_ON, HELD_OUT = 3000, 300
"""Documents of the small world."""


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
    whole = whole_text(path, check)
    found = [line for line in whole.lines if line]
    return TextLines(
        tuple(one for number, one in enumerate(found) if number % EVERY != EVERY - 1),
        tuple(found[EVERY - 1 :: EVERY]),
        whole.is_cut,
    )
