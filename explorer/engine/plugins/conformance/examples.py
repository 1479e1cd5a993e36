"""Documents for a question to have something to answer: the plainest first.

Questions differ in what they need: a masked word, two, a second text, words of one's own, a file,
a named entity. A plugin's question may bring EXAMPLES, requests in its question.py, for what
nobody else could guess.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from explorer.api.question import Mask, Mention, Question
from explorer.api.question.options.asks import OF_DOCUMENT, asked_fields
from explorer.api.question.options.lists import WordList
from explorer.api.question.options.options import (
    Choice,
    FilePath,
    ModelName,
    Number,
    Option,
    Switch,
    Whole,
    Words,
)
from explorer.document import Document
from explorer.questions import brought

TEXT, PAIR = "the cat sat on the mat", "the dog sat on the mat"
ROWS = (("text", "answer"), (TEXT, "cat"), (PAIR, "dog"), ("the cat ran", "cat"), ("a dog", "dog"))
"""Of a file, with what its columns are called."""
FIRST, SECOND = Mask(4, 7), Mask(19, 22)
WORDS = (("cat", "dog"), ("cat > dog",), ("cat",))
"""What is typed where words are asked for."""
EXAMPLES = "EXAMPLES"
"""What a question's module may hold: requests, and pairs of a request and its result."""


def own_examples(question: Question[Any, Any]) -> list[Any]:
    """The requests that a plugin's question brings, for a model to answer them."""
    return [one for one in _examples(question) if not isinstance(one, tuple)]


def own_answers(question: Question[Any, Any]) -> list[tuple[Any, Any]]:
    """Requests with results, for what a tiny model never answers."""
    return [one for one in _examples(question) if isinstance(one, tuple)]


def _examples(question: Question[Any, Any]) -> Sequence[Any]:
    if question.name not in brought():
        return ()
    module = sys.modules.get(question.request.__module__)
    return getattr(module, EXAMPLES, ())


def documents(
    question: Question[Any, Any], folder: Path, model: str, entities: Sequence[Mention] = ()
) -> Iterator[Document]:
    """What may be enough for a question.

    Args:
        question: The question.
        folder: Where a file is written that it may ask for.
        model: The id of a checkpoint that it may ask for.
        entities: What a model's graph names in the text.
    """
    names = {one.name for one in fields(question.request)}
    plain = [Document(TEXT)]
    if "masks" in names:
        plain += [Document(TEXT, masks=(FIRST,)), Document(TEXT, masks=(FIRST, SECOND))]
    if "pair" in names:
        plain += [replace(one, pair=PAIR) for one in plain]
    if entities and "entities" in names:
        plain += [replace(one, entities=tuple(entities)) for one in plain]
    yield from plain
    options = [one.option for one in asked_fields(question.request).values() if one.is_held]
    written = _file(options, folder)
    for words in WORDS if any(isinstance(one, WordList | Words) for one in options) else ():
        yield from (_with(options, one, words, written) for one in plain)
    if written:
        yield from (_with(options, one, (), written) for one in plain)
    for named in [one for one in options if isinstance(one, ModelName)][::-1]:
        plain = [one.with_option(named.key, model) for one in plain]
        yield from plain
    for option in options:
        if isinstance(option, Choice):
            for entry in option.entries:
                value = option.written(entry.value)
                chosen = [one.with_option(option.key, value) for one in plain]
                yield from (_with(options, one, (), written) for one in chosen)


def document_of(request: Any) -> Document:
    """The document that a request stands for, for its page."""
    held = {name: getattr(request, name) for name in OF_DOCUMENT if hasattr(request, name)}
    document = Document(**{name: value for name, value in held.items() if value is not None})
    for name, one in asked_fields(type(request)).items():
        if one.is_held and "." in one.option.key:
            value = one.option.written(one.kept(getattr(request, name)))
            document = document.with_option(one.option.key, value)
    return document


def reads_files(question: Question[Any, Any]) -> bool:
    """Whether a question can be asked about a file."""
    held = asked_fields(question.request).values()
    return any(isinstance(one.option, FilePath) for one in held)


def asks_another(question: Question[Any, Any]) -> bool:
    """Whether it has another question asked, as of every step of a training."""
    return "operation" in {one.name for one in fields(question.request)}


def _file(options: Sequence[Option[Any]], folder: Path) -> str:
    """A table of sentences where a file is asked for."""
    if not any(isinstance(one, FilePath) for one in options):
        return ""
    path = folder / "sentences.tsv"
    path.write_text("".join("\t".join(row) + "\n" for row in ROWS), encoding="utf-8")
    return str(path)


def _with(
    options: Sequence[Option[Any]], document: Document, words: Sequence[str], file: str
) -> Document:
    """A document with words and a file wherever they are asked for."""
    for one in options:
        if isinstance(one, WordList) and words:
            document = document.with_option(one.key, one.written(tuple(words)))
        elif isinstance(one, Words) and words and not one.default:
            document = document.with_option(one.key, one.written(words[0]))
        elif isinstance(one, FilePath) and file:
            document = document.with_option(one.key, file)
    return document


def ends(question: Question[Any, Any], document: Document) -> Iterator[tuple[str, Document]]:
    """A document with each option of a question at each of its ends, and what was set."""
    for one in asked_fields(question.request).values():
        option = one.option
        if not one.is_held or "." not in option.key:
            continue
        for value in _ends(option):
            if value != option.of(document):
                changed = document.with_option(option.key, option.written(value))
                yield f"--{option.name} {option.said(value)}", changed


def _ends(option: Option[Any]) -> Sequence[Any]:
    if isinstance(option, Choice):
        return [entry.value for entry in option.entries]
    if isinstance(option, Whole | Number):
        return [option.cast(option.low), option.cast(option.high)]
    return [True, False] if isinstance(option, Switch) else []
