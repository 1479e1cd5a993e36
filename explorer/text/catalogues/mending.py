"""Mends an English text where it stands, and writes down what it said before."""

import ast
import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from explorer.text import catalogues
from explorer.text.language import DOMAIN
from explorer.text.marked import marked
from explorer.text.message_files import BETWEEN, FORMER, LISTED, FormerTexts, places_of

WIDTH = 100
HEAD = """\
# English texts as they were before they were mended, the first one first, beside today's: so a
# mended text keeps its id, its translations and the words of stored runs. Of a count the text for
# one stands here. What left the program although a new text is like it stands in `deleted`.
# `python -m explorer.text.catalogues mend OLD NEW` writes here; docs/texts.md tells of it.
"""


def mend(
    old: str,
    new: str,
    plural: str = "",
    *,
    review: bool = False,
    folder: Path = catalogues.LOCALE,
    root: Path = catalogues.ROOT,
) -> list[Path]:
    """Put another English text in the place of one, and keep its id and its translations.

    Where the sources have the new text already, it is only written down.

    Args:
        old: What it says; of a count the text for one.
        new: What it is to say.
        plural: Of a count what it is to say for several.
        review: Whether the translations are marked, so that somebody looks at them again.
        folder: Where catalogues are.
        root: Where sources are.

    Returns:
        What was written.

    Raises:
        ValueError: No such text is marked, or the new one has other places.
    """
    if places_of(old) != places_of(new) or (plural and places_of(plural) < places_of(new)):
        raise ValueError("The texts have other places: what is said of other things is new.")
    changed = [*_mend_sources(root, old, (new, plural) if plural else (new,))]
    said = {catalogues.texts_of_message(one)[0] for one in catalogues.collect(root)}
    if new not in said or old in said:
        raise ValueError(f"No source marks {new!r} in its place.")
    _write_down(folder / FORMER, old, new)
    for path in sorted(folder.glob(f"*/LC_MESSAGES/{DOMAIN}.po")):
        changed.append(catalogues.update(path.parent.parent.name, folder, root))
        if review:
            _mark(path, old, new)
    return [*changed, folder / FORMER, folder / LISTED, *catalogues.compile_all(folder)]


def write_former(path: Path, former: FormerTexts) -> None:
    """Write the table of former texts."""

    def listed(texts: Iterator[str]) -> str:
        return "[" + ", ".join(map(_quoted, texts)) + "]"

    lines = [f"{_quoted(now)} = {listed(iter(was))}" for now, was in sorted(former.mended.items())]
    deleted = "".join(f"    {_quoted(one)},\n" for one in sorted(former.deleted))
    body = f"deleted = [\n{deleted}]\n\n[mended]\n" + "".join(f"{line}\n" for line in lines)
    path.write_text(f"{HEAD}\n{body}", "utf-8", newline="\n")


def _write_down(path: Path, old: str, new: str) -> None:
    former = FormerTexts.read(path)
    mended = dict(former.mended)
    mended[new] = (*mended.get(new, ()), *mended.pop(old, ()), old)
    # A text that comes back is no former one.
    mended[new] = tuple(one for one in dict.fromkeys(mended[new]) if one != new)
    write_former(path, FormerTexts(mended, former.deleted))


def _mend_sources(root: Path, old: str, new: tuple[str, ...]) -> Iterator[Path]:
    words = re.findall(r"\w+", old)
    for name in catalogues.FOLDERS:
        for path in sorted((root / name).rglob("*.py")):
            source = path.read_text("utf-8")
            if all(word in source for word in words):
                mended = _mended(source, old, new)
                if mended != source:
                    path.write_text(mended, "utf-8")
                    yield path
    tables = [
        *(path for one in catalogues.RESOURCES for path in (root / "resources" / one).glob("*")),
        *(root / "plugins").glob("*/plugin.toml"),
    ]
    for path in sorted(tables):
        source = path.read_text("utf-8")
        if f"= {_quoted(old)}" in source:
            path.write_text(source.replace(f"= {_quoted(old)}", f"= {_quoted(new[0])}"), "utf-8")
            yield path


def _mended(source: str, old: str, new: tuple[str, ...]) -> str:
    lines = source.encode().splitlines(keepends=True)
    begins = [0]
    for line in lines:
        begins.append(begins[-1] + len(line))
    written = b"".join(lines)
    places = []
    for call, said in marked(ast.parse(source)):
        if said[0] == old:
            if len(new) != len(said):
                raise ValueError(f"{old!r} is said with a count, or is not: give --plural then.")
            for one, text in zip(call.args, new, strict=False):
                first = begins[one.lineno - 1] + one.col_offset
                last = begins[(one.end_lineno or 0) - 1] + (one.end_col_offset or 0)
                places.append((first, last, _literal(text, one.col_offset)))
    for first, last, text in sorted(places, reverse=True):
        written = written[:first] + text.encode() + written[last:]
    return written.decode()


def _literal(text: str, column: int) -> str:
    """A text as Python has it; in several lines where it is long, which the formatter indents."""
    pieces = textwrap.wrap(
        text, WIDTH - 24, drop_whitespace=False, replace_whitespace=False, expand_tabs=False
    )
    whole = len(pieces) < 2 or column + len(text) + 4 < WIDTH
    return ("\n" + " " * column).join(map(_quoted, [text] if whole else pieces))


def _quoted(text: str) -> str:
    """As Python and TOML both read it."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def _mark(path: Path, old: str, new: str) -> None:
    from babel.messages.pofile import read_po, write_po

    with path.open("rb") as stream:
        catalogue = read_po(stream, locale=path.parent.parent.name)
    message = catalogue.get(new)
    if message is not None and message.string:
        message.flags.add("fuzzy")
        message.user_comments.append(f"It was: {old.replace(BETWEEN, ' ')}")
        with path.open("wb") as stream:
            write_po(stream, catalogue, width=100, include_lineno=False)
