"""Catalogues of translated texts: what translators and builds run.

    python -m explorer.text.catalogues template texts.pot
    python -m explorer.text.catalogues update ko
    python -m explorer.text.catalogues compile
    python -m explorer.text.catalogues mend "the text of today" "the better text"

`template` collects the texts, `update` lists them with their ids and begins a language or brings
its .po up to date with them, `compile` makes the .mo that the program reads; `mend` is told of in
`explorer.text.catalogues.mending`.
"""

import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from explorer import __version__
from explorer.text.catalogues.changes import brought, unwritten
from explorer.text.language import DOMAIN
from explorer.text.message_files import FORMER, LISTED, FormerTexts, read_list, write_list

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog, Message

ROOT = Path(__file__).resolve().parents[3]
LOCALE = ROOT / "resources" / "locale"
KEYWORDS: dict[str, Any] = {"_": None, "N_": None, "ngettext": (1, 2), "NN_": (1, 2)}
FOLDERS = ("explorer", "plugins")
TEXT_KEYS = ("title", "term", "sentence")
FIGURE_KEYS = ("title", "note", "model", "about", "says", "is")
EXPERIMENT_KEYS = ("title", "claim", "about", "cannot", "why")
RESOURCES = {
    "glossary": TEXT_KEYS,
    "samples": TEXT_KEYS,
    "figures": FIGURE_KEYS,
    "experiments": EXPERIMENT_KEYS,
}
"""What is translated in the TOML files of those folders."""
PLUGIN_KEYS = ("about", "note", "languages", "reason")
"""What is translated in the manifests of plugins."""


def collect(root: Path = ROOT) -> "Catalog":
    """Every text of the program, with the places where it stands."""
    from babel.messages.catalog import Catalog
    from babel.messages.extract import extract_from_dir

    catalogue = Catalog(project="PLM Explorer", version=__version__, charset="utf-8")
    for folder in FOLDERS:
        found = extract_from_dir(
            str(root / folder), [("**.py", "python")], keywords=KEYWORDS, comment_tags=("i18n:",)
        )
        for name, line, message, comments, context in found:
            catalogue.add(
                message, None, [(f"{folder}/{name}", line)], auto_comments=comments, context=context
            )
    for folder, keys in RESOURCES.items():
        for path in sorted((root / "resources" / folder).glob("*.toml")):
            for message in texts_of(tomllib.loads(path.read_text("utf-8")), keys):
                catalogue.add(message, None, [(path.relative_to(root).as_posix(), 1)])
    for path in sorted((root / "plugins").glob("*/plugin.toml")):
        for message in texts_of(tomllib.loads(path.read_text("utf-8")), PLUGIN_KEYS):
            catalogue.add(message, None, [(path.relative_to(root).as_posix(), 1)])
    return catalogue


def texts_of(content: Any, keys: Sequence[str] = TEXT_KEYS) -> Iterator[str]:
    """What is read by people in a file of resources."""
    if isinstance(content, dict):
        for key, value in content.items():
            if key in keys and isinstance(value, str):
                yield value
            else:
                yield from texts_of(value, keys)
    elif isinstance(content, list):
        for value in content:
            yield from texts_of(value, keys)


def write_template(target: Path, root: Path = ROOT) -> None:
    """Write a .pot."""
    from babel.messages.pofile import write_po

    with target.open("wb") as stream:
        write_po(stream, collect(root), width=100, sort_by_file=True)


def update(code: str, folder: Path = LOCALE, root: Path = ROOT) -> Path:
    """List the texts, and begin a language, or bring its .po up to date; returns its path.

    Raises:
        ValueError: A text was mended, and nobody wrote that down.
    """
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import read_po, write_po

    texts, former = collect(root), FormerTexts.read(folder / FORMER)
    path = folder / code / "LC_MESSAGES" / f"{DOMAIN}.po"
    path.parent.mkdir(parents=True, exist_ok=True)
    _list(texts, former, folder / LISTED)
    catalogue = Catalog(locale=code, project="PLM Explorer", version=__version__)
    if path.exists():
        with path.open("rb") as stream:
            catalogue = read_po(stream, locale=code)
    _move_translations(catalogue, former)
    # No guesses at what a new text may be like: they take a minute, and are mostly wrong.
    catalogue.update(texts, no_fuzzy_matching=True)
    with path.open("wb") as stream:
        # Without lines, which move with every change of the code.
        write_po(stream, catalogue, width=100, include_lineno=False)
    return path


def _list(texts: "Catalog", former: FormerTexts, path: Path) -> None:
    said = [texts_of_message(one) for one in texts if one.id]
    before = list(read_list(path))
    found = unwritten([one.text for one in before], [text for text, *_plural in said], former)
    if found:
        raise ValueError(
            f"These texts look mended. If they are, write into {FORMER}, or let `mend` write it:\n"
            + "\n".join(found)
        )
    write_list(path, brought(before, said, former))


def texts_of_message(message: "Message") -> tuple[str, ...]:
    """What a catalogue names a message by: its text, of a count both."""
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def _move_translations(catalogue: "Catalog", former: FormerTexts) -> None:
    """Give a mended text the translation that it had under a former one."""
    for now, texts in former.mended.items():
        for then in reversed(texts):
            had = catalogue.get(then) or catalogue.obsolete.pop(then, None)
            has = catalogue.get(now)
            if had is not None and had.string and (has is None or not has.string):
                ids = (now, now) if isinstance(had.id, tuple) else now
                catalogue.add(ids, had.string, flags=had.flags, user_comments=had.user_comments)
            catalogue.delete(then)


def compile_all(folder: Path = LOCALE) -> list[Path]:
    """Make the .mo of every .po; returns them."""
    made = []
    for path in sorted(folder.glob(f"*/LC_MESSAGES/{DOMAIN}.po")):
        made.append(path.with_suffix(".mo"))
        with path.open("rb") as source, made[-1].open("wb") as target:
            _compile(source, target)
    return made


def _compile(source: IO[bytes], target: IO[bytes]) -> None:
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    catalogue = read_po(source)
    for one in catalogue.obsolete.values():
        # Stored runs may say it still.
        catalogue.add(one.id, one.string, flags=one.flags)
    # What is to be looked at again is said meanwhile: nothing else makes a text fuzzy here.
    write_mo(target, catalogue, use_fuzzy=True)
