"""Sentences to begin with, kept in resources/samples: each shows what a model has learned."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from explorer.document import Document
from explorer.paths import own_resources
from explorer.typed_documents import document_of, options_of


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
        view: The operation whose view it is made for; "" leaves the view.
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


@cache
def samples() -> tuple[Sample, ...]:
    """All of them, in the order of the menu."""
    path = own_resources() / "samples" / "samples.toml"
    return tuple(_read(entry) for entry in tomllib.loads(path.read_text("utf-8"))["samples"])


def first_sample() -> Sample:
    """What a first start shows."""
    return samples()[0]


def sample_of(view: str) -> Sample:
    """The first sample made for a view; the very first one where none is."""
    return next((one for one in samples() if one.view == view), first_sample())


def _read(entry: Mapping[str, Any]) -> Sample:
    return Sample(
        title=entry["title"],
        text=entry["text"],
        masked=tuple(entry.get("masked", ())),
        pair=entry.get("pair"),
        pair_masked=tuple(entry.get("pair_masked", ())),
        options=tuple(options_of(entry)),
        view=entry.get("question", ""),
        model=entry.get("model", ""),
    )
