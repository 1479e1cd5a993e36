"""Sentences to begin with, as they lie in files: a page's samples, or all that the program has."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.document import Document
from explorer.files.foreign import read_bytes, toml_of
from explorer.samples.typed_documents import document_of, options_of

FILE = "samples.toml"
LARGEST = 1 << 20
"""Bytes of a file: that of the program has some thousands."""


@dataclass(frozen=True)
class Sample:
    """A sentence with something masked.

    Attributes:
        title: What the menu calls it, in English.
        text: The sentence.
        masked: Words of it that are masked, the first occurrence of each.
        pair: A second sentence, or None.
        pair_masked: Words of the second sentence that are masked.
        options: What it sets views' tools to, as Document.with_option takes them.
        view: The question whose view it is made for; "" leaves the view.
        model: The bundled checkpoint that it is made for, with which the tour shows it; "" for
            the one that the question is shown with anyway.
    """

    title: str
    text: str
    masked: tuple[str, ...] = ()
    pair: str | None = None
    pair_masked: tuple[str, ...] = ()
    options: tuple[tuple[str, object], ...] = ()
    view: str = ""
    model: str = ""

    def document(self) -> Document:
        """The document it stands for."""
        return document_of(self.text, self.pair, self.masked, self.pair_masked)

    def whole(self) -> Document:
        """The same with what it sets views' tools to."""
        document = self.document()
        for key, value in self.options:
            document = document.with_option(key, value)
        return document


def read_samples(path: Path, question: str = "") -> tuple[Sample, ...]:
    """The samples of a file, each tried.

    Args:
        path: The file; files that samples open lie beside it.
        question: The one that they are made for where they name none; "" for none.

    Raises:
        OSError: It can't be read, or a file that a sample opens is not there.
        ValueError: It is no TOML, or what stands there is no sample.
        UserMistake: A word is masked that is not in its text.
    """
    content = toml_of(read_bytes(path, LARGEST).decode("utf-8"))
    return tuple(_read(entry, path.parent, question) for entry in content.get("samples", ()))


def _read(entry: Mapping[str, Any], folder: Path, question: str) -> Sample:
    missing = [key for key in ("title", "text") if not isinstance(entry.get(key), str)]
    if missing:
        raise ValueError(f"a sample has no {missing[0]}")
    sample = Sample(
        title=entry["title"],
        text=entry["text"],
        masked=tuple(entry.get("masked", ())),
        pair=entry.get("pair"),
        pair_masked=tuple(entry.get("pair_masked", ())),
        options=tuple((key, _opened(value, folder)) for key, value in options_of(entry)),
        view=entry.get("question", question),
        model=entry.get("model", ""),
    )
    sample.document()
    return sample


def _opened(value: object, folder: Path) -> object:
    """What an option is set to; of a file that lies beside the samples, where that is."""
    if not isinstance(value, dict) or value.keys() != {"file"}:
        return value
    return str((folder / value["file"]).resolve(strict=True))
