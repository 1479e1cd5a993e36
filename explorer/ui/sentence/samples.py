"""Sentences to begin with, kept in resources/samples: each shows what a model has learned."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from explorer.document import Document
from explorer.paths import own_resources


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
        document = Document(self.text, self.pair)
        for part, words in enumerate((self.masked, self.pair_masked)):
            for word in words:
                start = document.part(part).index(word)
                document = document.with_mask(start, start + len(word), part)
        return document


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
        options=tuple(_options(entry)),
        view=entry.get("question", ""),
        model=entry.get("model", ""),
    )


def _options(entry: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Those that are put back, and those that are set."""
    for key in entry.get("unset", ()):
        yield key, None
    for key, value in entry.get("options", {}).items():
        is_json = isinstance(value, dict) and value.keys() == {"json"}
        yield key, json.loads(value["json"]) if is_json else value
