"""Catalogues of translated texts: what translators and builds run.

    python -m explorer.text.catalogues template texts.pot
    python -m explorer.text.catalogues update ko
    python -m explorer.text.catalogues compile

`template` collects the texts, `update` begins a language or brings its .po up to date with
them, `compile` makes the .mo that the program reads.
"""

import argparse
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from explorer import __version__
from explorer.text.language import DOMAIN

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

ROOT = Path(__file__).resolve().parent.parent.parent
LOCALE = ROOT / "resources" / "locale"
KEYWORDS: dict[str, Any] = {"_": None, "N_": None, "ngettext": (1, 2), "NN_": (1, 2)}
FOLDERS = ("explorer", "plugins")
RESOURCES = ("glossary", "samples")
TEXT_KEYS = ("title", "term", "sentence")
"""What is translated in the TOML files of those folders."""
PLUGIN_KEYS = ("note", "languages")
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
    for folder in RESOURCES:
        for path in sorted((root / "resources" / folder).glob("*.toml")):
            for message in texts_of(tomllib.loads(path.read_text("utf-8"))):
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
    """Begin a language, or bring its .po up to date; returns its path."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import read_po, write_po

    path = folder / code / "LC_MESSAGES" / f"{DOMAIN}.po"
    path.parent.mkdir(parents=True, exist_ok=True)
    catalogue = Catalog(locale=code, project="PLM Explorer", version=__version__)
    if path.exists():
        with path.open("rb") as stream:
            catalogue = read_po(stream, locale=code)
    # No guesses at what a new text may be like: they take a minute, and are mostly wrong.
    catalogue.update(collect(root), no_fuzzy_matching=True)
    with path.open("wb") as stream:
        # Without lines, which move with every change of the code.
        write_po(stream, catalogue, width=100, include_lineno=False)
    return path


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

    write_mo(target, read_po(source))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the three."""
    parser = argparse.ArgumentParser(prog="catalogues", description=__doc__)
    tasks = parser.add_subparsers(dest="task", required=True)
    tasks.add_parser("template").add_argument("target", type=Path)
    tasks.add_parser("update").add_argument("language")
    tasks.add_parser("compile")
    args = parser.parse_args(arguments)
    if args.task == "template":
        write_template(args.target)
        made = [args.target]
    elif args.task == "update":
        made = [update(args.language)]
    else:
        made = compile_all()
    sys.stdout.writelines(f"{path}\n" for path in made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
