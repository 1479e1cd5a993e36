"""A document as a file: lines of text, read with suspicion and written whole or not at all.

The first line says what it is and its version, the second one what is on screen, and every line
after that is an answer, on the comparison sheet or pinned on its page. A line that this program
can't read stays in the file as it is.
"""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from explorer import __version__
from explorer.api.question import MachineFault, UserMistake
from explorer.document import Document
from explorer.files.foreign import Unfit, clause_of, json_of, read_bytes
from explorer.files.typed_paths import refuse_impossible, unreadable
from explorer.serialise import from_json, to_json
from explorer.sessions.schema.atomic import write_atomically
from explorer.settings import OwnPlace, PageLayout
from explorer.text import N_, Phrase
from explorer.ui.document.second_page import SecondPage, open_twice, texts_of, without_second_pages
from explorer.ui.sheet.kept_entries import KeptEntry, KeptPin

ENDING = ".plm"
MAGIC, VERSION = "plm-explorer document", 1
MOST_BYTES = 64_000_000
MOST_LINES = 1000
MOST_CHARACTERS = 200_000
MOST_MASKS = 5000
FAR = 100_000
"""Pixels; no screen has more."""
SHEET, PIN = "sheet ", "pin "
"""What lines of answers begin with."""


@dataclass(frozen=True)
class NamedModel:
    """A model as a document names it.

    Attributes:
        id: The checkpoint's id, or its folder where the document was saved.
        title: What a user reads.
        fingerprint: Of its files, as every answer has it.
        dtype: The number type that was chosen for its slot; "" as the settings have it.
    """

    id: str
    title: str = ""
    fingerprint: str = ""
    dtype: str = ""


@dataclass(frozen=True)
class OnScreen:
    """What a document holds beside answers.

    Attributes:
        program: The version that wrote it.
        models: By slot.
        active: The slot that answers.
        document: Texts, masks, entities and what pages are set to.
        pages: Which pages are seen, and where.
        sheet: The comparison sheet's title; "" for the usual one.
        lecture: Of the scene on screen: the lecture's folder or file; "" for the bundled one.
        scene: The scene's name; "" where none is on screen.
        step: Its step.
        own_place: What leaving the lecture brings back.
    """

    program: str = __version__
    models: Mapping[str, NamedModel] = field(default_factory=dict)
    active: str = "A"
    document: Document = field(default_factory=Document)
    pages: PageLayout | None = None
    sheet: str = ""
    lecture: str = ""
    scene: str = ""
    step: int = 0
    own_place: OwnPlace | None = None


@dataclass(frozen=True)
class SavedDocument:
    """A document that was read.

    Attributes:
        on_screen: All but the answers.
        entries: Of the comparison sheet.
        pins: By their pages.
        unread: Lines that this program can't read, as they stand.
        content: The whole file.
    """

    on_screen: OnScreen
    entries: tuple[KeptEntry, ...] = ()
    pins: tuple[KeptPin, ...] = ()
    unread: tuple[str, ...] = ()
    content: bytes = b""


def read_document(path: Path) -> SavedDocument:
    """Read a document.

    Raises:
        UserMistake: It can't be read, is no document, is damaged, or a newer program's.
    """
    refuse_impossible(path)
    try:
        content = read_bytes(path, MOST_BYTES)
    except OSError as error:
        raise unreadable(path, error) from error
    except Unfit as error:
        raise _damaged(path, error) from error
    try:
        head, _end, rest = content.decode("utf-8").partition("\n")
    except UnicodeDecodeError as error:
        raise _no_document(path) from error
    name, _space, version = head.strip().rpartition(" ")
    if name != MAGIC or not version.isascii() or not version.isdigit():
        raise _no_document(path)
    if int(version[:9]) > VERSION:
        raise UserMistake(
            N_("{name} was saved by a newer version of the program."),
            N_("Update the program, then open it."),
            name=path.name,
        )
    first, *lines = rest.rstrip("\n").split("\n")
    if len(lines) > MOST_LINES:
        raise _damaged(path, Unfit(N_("it has more than {most} answers"), most=MOST_LINES))
    try:
        json_of(first)
        on_screen = _fit(from_json(OnScreen, first))
    except ValueError as error:
        raise _damaged(path, error) from error
    entries, pins, unread = [], [], []
    for line in lines:
        entry, pin = _entry_of(line), _pin_of(line)
        if entry is not None:
            entries.append(entry)
        elif pin is not None:
            pins.append(pin)
        else:
            unread.append(line)
    return SavedDocument(on_screen, tuple(entries), tuple(pins), tuple(unread), content)


def written_document(
    on_screen: OnScreen, entries: Sequence[str], pins: Sequence[str], unread: Sequence[str]
) -> bytes:
    """A document's file.

    Args:
        on_screen: All but the answers.
        entries: Lines of the comparison sheet.
        pins: Lines of pinned answers.
        unread: Lines that were read from it and not understood.

    Raises:
        MachineFault: It would be larger than one that can be read.
    """
    lines = [
        f"{MAGIC} {VERSION}",
        to_json(on_screen),
        *(SHEET + one for one in entries),
        *(PIN + one for one in pins),
        *unread,
    ]
    content = ("\n".join(lines) + "\n").encode("utf-8")
    if len(content) > MOST_BYTES or len(lines) - 2 > MOST_LINES:
        raise MachineFault(
            N_("The document is not saved: its answers take more than {limit} MB."),
            N_("Take some off the comparison sheet."),
            limit=round(MOST_BYTES / 1e6),
        )
    return content


def write_document(path: Path, content: bytes) -> None:
    """Write a file whole, or leave the older one.

    Raises:
        MachineFault: It can't be written.
    """
    write_atomically(path, content)


def _entry_of(line: str) -> KeptEntry | None:
    if line.startswith(SHEET):
        with contextlib.suppress(Exception):  # whatever somebody else has written
            json_of(line[len(SHEET) :])
            return KeptEntry(line[len(SHEET) :])
    return None


def _pin_of(line: str) -> KeptPin | None:
    if line.startswith(PIN):
        with contextlib.suppress(Exception):  # likewise
            json_of(line[len(PIN) :])
            return KeptPin(line[len(PIN) :])
    return None


def _fit(read: OnScreen) -> OnScreen:
    """What was read, where the window can show it.

    Raises:
        ValueError: It is larger than anything that is meant to be shown.
    """
    own, pages = read.own_place, read.pages
    if own is not None:
        own = replace(own, document=_within(own.document))
    if pages is not None and any(abs(one) > FAR for box in pages.floating.values() for one in box):
        pages = replace(pages, floating={})
    return replace(read, document=_within(read.document), own_place=own, pages=pages)


def _within(read: Document) -> Document:
    """A document whose masks and entities lie in its texts."""
    texts = (read.text, read.pair or "")
    options = sum(len(name) + len(value) for name, value in read.options)
    if max(map(len, texts)) > MOST_CHARACTERS or options > MOST_CHARACTERS:
        raise Unfit(N_("its text has more than {most} characters"), most=MOST_CHARACTERS)
    if max(len(read.masks), len(read.entities)) > MOST_MASKS:
        raise Unfit(N_("it has more than {most} masks"), most=MOST_MASKS)
    kept = [
        one
        for one in read.masks
        if one.part in (0, 1) and 0 <= one.start < one.end <= len(texts[one.part])
    ]
    top_k = min(max(read.top_k, 1), 1000)
    bare = replace(read, masks=tuple(kept), entities=(), top_k=top_k)
    for name in open_twice(read):
        if (second := SecondPage.of(read, name)) is not None:
            held, own = second.held, second.settings
            bounded = replace(
                second,
                held=None if held is None else _within(texts_of(held)),
                settings=None if own is None else _within(without_second_pages(own)),
            )
            bare = bounded.put(bare, name)
    for one in read.entities:
        if one.part in (0, 1):
            bare = bare.with_entity(one)
    return bare


def _no_document(path: Path) -> UserMistake:
    return UserMistake(
        N_("{name} is no document of PLM Explorer."), N_("Choose another file."), name=path.name
    )


def _damaged(path: Path, error: ValueError) -> UserMistake:
    return UserMistake(
        N_("{name} is damaged: {problem}."),
        N_("Ask for another copy of it."),
        name=path.name,
        problem=clause_of(error)
        if isinstance(error, Unfit)
        else Phrase(N_("it is cut off or changed")),
    )
