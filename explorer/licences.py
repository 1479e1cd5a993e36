"""What the program is made of, and under which licences: its own, Python's and every library's.

Read from the metadata of what is installed: the program's requirements, what those require, and
so on. A bundle without Python keeps what its build found (explorer/installers) in a file instead,
with the system's libraries that it brought; a thin one has such a file of what pip did not install.
"""

import os
import platform
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.bootstrap.requirements import normalise, offered
from explorer.engine.environment.bundle import bundle
from explorer.paths import own_resources

if TYPE_CHECKING:
    from packaging.requirements import Requirement

OWN = "plm-explorer"
KEPT = "licences.json"
"""Beside the resources of a bundle: what `components` gives there. In the folder of a thin one:
what pip did not install."""

_IS_TEXT = re.compile(r"(licen[cs]e|copying|notice|copyright)", re.IGNORECASE)
_NO_CODE = {"", ".txt", ".md", ".rst", ".apache", ".bsd", ".external", ".libyaml", ".markdown-it"}

_HOLDERS = {
    "pyside6": "Copyright (C) The Qt Company Ltd. and other contributors.",
    "pyside6-addons": "Copyright (C) The Qt Company Ltd. and other contributors.",
    "pyside6-essentials": "Copyright (C) The Qt Company Ltd. and other contributors.",
    "shiboken6": "Copyright (C) The Qt Company Ltd. and other contributors.",
    "tokenizers": "Copyright The HuggingFace Inc. team. All rights reserved.",
    "sentencepiece": "Copyright 2016 Google Inc.",
    "xstatic-jquery": "Copyright OpenJS Foundation and other contributors",
}
"""Whose they are, of packages that leave the text of their licence to be looked up."""

_INSTEAD = {"pyside6": ("pyside6-essentials", "pyside6-addons")}
"""Packages that only bring others, some of which may have been installed without them."""

_SAY_NOTHING = {"License :: OSI Approved", "License :: DFSG approved"}
_BLANK = re.compile(r"\A(?:[ \t]*\n)+")
_NAMED = {"xstatic-jquery": "MIT"}
"""Licences by their identifiers, where the metadata say no more than that there is one."""


@dataclass(frozen=True)
class LicensedComponent:
    """Something the program is made of.

    Attributes:
        name: As its makers write it.
        version: "" where it has none.
        licence: An SPDX expression, or the words of its metadata.
        home: Where it comes from, an address; "" if it does not say.
        texts: The licence's texts with their file names, in the files' order, each once.
    """

    name: str
    version: str
    licence: str
    home: str = ""
    texts: tuple[tuple[str, str], ...] = ()


def components() -> tuple[LicensedComponent, ...]:
    """Everything, the program first, then Python, then the others by name.

    Takes up to a second, to read some hundred files.
    """
    kept = own_resources().parent / KEPT
    if kept.is_file():
        return from_json(kept.read_bytes())
    found, here = installed(), bundle()
    brought = None if here is None else here.folder / KEPT
    if brought is None or not brought.is_file():
        return found
    names = {normalise(one.name) for one in found}
    others = (one for one in from_json(brought.read_bytes()) if normalise(one.name) not in names)
    return (*found[:2], *sorted((*found[2:], *others), key=_by_name))


def installed(extras: Iterable[str] = ()) -> tuple[LicensedComponent, ...]:
    """What is installed here of what the program needs.

    Args:
        extras: Those of the program's that are meant too.
    """
    others = sorted(map(component_of, _required(tuple(extras)).values()), key=_by_name)
    return (_program(), _python(), *others)


def component_of(one: Distribution) -> LicensedComponent:
    """What its metadata and its files say of a distribution."""
    about = one.metadata
    licence = _NAMED.get(normalise(one.name), "") or _licence(one)
    texts: dict[str, str] = {}
    for place in _licence_files(one):
        # A heading in the middle of the first line stays there.
        text = _BLANK.sub("", place.read_text("utf-8", "replace")).rstrip()
        if text:
            texts.setdefault(text, _name_in(place, one))
    found = tuple((name, text) for text, name in texts.items())
    return LicensedComponent(
        about["Name"], one.version, licence, _home(one), found or _looked_up(one.name, licence)
    )


def to_builtins(found: Iterable[LicensedComponent]) -> list[dict[str, Any]]:
    """As dictionaries and lists, for JSON."""
    import msgspec

    builtins: list[dict[str, Any]] = msgspec.to_builtins(list(found))
    return builtins


def to_json(found: Iterable[LicensedComponent]) -> bytes:
    """What `from_json` reads."""
    import msgspec

    return msgspec.json.encode(tuple(found))


def from_json(text: bytes) -> tuple[LicensedComponent, ...]:
    """What `to_json` wrote."""
    import msgspec

    return msgspec.json.decode(text, type=tuple[LicensedComponent, ...])


def as_text(found: Iterable[LicensedComponent]) -> str:
    """All of them in one text, the licences in full."""
    return "\n\n".join(f"{'=' * 96}\n{one_as_text(one)}" for one in found)


def one_as_text(component: LicensedComponent) -> str:
    """A component with its licences in full; a line for itself, then its texts."""
    head = " ".join(filter(None, (component.name, component.version)))
    lines = [head, f"Licence: {component.licence}"]
    if component.home:
        lines.append(component.home)
    for name, text in component.texts:
        lines += ["", f"--- {name} ---", "", text.rstrip()]
    return "\n".join(lines) + "\n"


def _by_name(one: LicensedComponent) -> str:
    return one.name.casefold()


def _program() -> LicensedComponent:
    from explorer import __version__

    root = own_resources().parents[0]
    places = (root / "LICENSE", *_licence_files(_found(OWN)))
    texts = tuple(("LICENSE", place.read_text("utf-8")) for place in places[:2] if place.is_file())
    return LicensedComponent("PLM Explorer", __version__, "MIT", texts=texts[:1])


def _python() -> LicensedComponent:
    place = Path(os.__file__).parent / "LICENSE.txt"
    texts = (("LICENSE.txt", place.read_text("utf-8")),) if place.is_file() else ()
    home = "https://www.python.org"
    return LicensedComponent("Python", platform.python_version(), "PSF-2.0", home, texts)


def _required(extras: tuple[str, ...]) -> dict[str, Distribution]:
    """Distributions by normalised name that the program stands on, but for itself."""
    from packaging.requirements import Requirement

    found: dict[str, Distribution] = {}
    waiting = [(line, "") for line in _own_lines(extras)]
    seen = set()
    while waiting:
        line, extra = waiting.pop()
        requirement = Requirement(line)
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = normalise(requirement.name)
        one = _found(name)
        if one is None:
            waiting += [(part, "") for part in _INSTEAD.get(name, ())]
        if one is None or name == OWN:
            continue
        found[name] = one
        for wanted in ("", *requirement.extras):
            if (name, wanted) not in seen:
                seen.add((name, wanted))
                waiting += [(needed, wanted) for needed in one.requires or ()]
    return found


def _own_lines(extras: tuple[str, ...]) -> list[str]:
    """What the program requires, of an installed one or of a checkout."""
    root = own_resources().parent
    if (root / "pyproject.toml").is_file():
        lines = offered(root)
        return [line for extra in ("", *extras) for line in lines[extra]]
    from packaging.requirements import Requirement

    own = _found(OWN)
    lines_of = own.requires or () if own is not None else ()
    wanted = ("", *extras)
    return [line for line in lines_of if _holds(Requirement(line), wanted)]


def _holds(requirement: "Requirement", extras: Iterable[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in extras)


@cache
def _found(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def _licence(one: Distribution) -> str:
    """What its metadata say, in a line."""
    about = one.metadata
    if "License-Expression" in about:
        return about["License-Expression"]
    classes = [
        line.rpartition(" :: ")[2]
        for line in about.get_all("Classifier") or ()
        if line.startswith("License ::") and line not in _SAY_NOTHING
    ]
    if classes:
        return ", ".join(classes)
    first = about["License"].strip().partition("\n")[0] if "License" in about else ""
    return first if first and first != "UNKNOWN" else "?"


def _home(one: Distribution) -> str:
    """Its address."""
    about = one.metadata
    if "Home-page" in about:
        return about["Home-page"]
    by_label: dict[str, str] = {}
    for line in about.get_all("Project-URL") or ():
        label, _, address = line.partition(", ")
        by_label.setdefault(label.casefold(), address)
    for label in ("homepage", "home", "source", "source code", "code", "repository", "github"):
        if label in by_label:
            return by_label[label]
    return next(iter(by_label.values()), "")


def _licence_files(one: Distribution | None) -> list[Path]:
    """The files of a distribution that hold licences and notices."""
    if one is None:
        return []
    named = [
        file
        for file in one.files or ()
        if file.suffix.lower() in _NO_CODE
        and (_IS_TEXT.search(file.name) or "licenses" in file.parts)
    ]
    places = [Path(str(one.locate_file(file))) for file in named]
    return [place for place in places if place.is_file()]


def _name_in(place: Path, one: Distribution) -> str:
    """How a text is called among those of its distribution."""
    parts = place.parts
    inside = next((i for i, part in enumerate(parts) if part.endswith(".dist-info")), None)
    if inside is None:
        root = Path(str(one.locate_file("")))
        return place.relative_to(root).as_posix() if place.is_relative_to(root) else place.name
    rest = parts[inside + 1 :]
    return "/".join(rest[1:] if rest[0] == "licenses" and len(rest) > 1 else rest)


def _looked_up(name: str, licence: str) -> tuple[tuple[str, str], ...]:
    """The texts of a licence that is only named, with whose the work is."""
    folder = own_resources() / "licences"
    words = set(re.findall(r"[\w.+-]+", licence))
    if "Apache" in words:
        words.add("Apache-2.0")
    files = [file for file in sorted(folder.glob("*.txt")) if file.stem in words]
    # The lesser licence is written as terms on top of the other, so it comes first.
    files.sort(key=lambda file: not file.stem.startswith("LGPL"))
    holder = _HOLDERS.get(normalise(name), "")
    texts = [(file.stem, file.read_text("utf-8")) for file in files]
    if texts and holder:
        texts[0] = (texts[0][0], f"{holder}\n\n{texts[0][1]}")
    return tuple(texts)
