"""Where packages come from, as the user told pip: uv reads its own settings alone."""

import configparser
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

SAME = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "cert": "SSL_CERT_FILE",
    "proxy": "ALL_PROXY",
}
"""pip's settings, and the variables that tell uv the same. What both call a list is written with
spaces, but for the folders of find-links, between which uv wants commas."""

_OLDER = {"UV_DEFAULT_INDEX": "UV_INDEX_URL", "UV_INDEX": "UV_EXTRA_INDEX_URL"}


def for_uv(environment: Mapping[str, str]) -> dict[str, str]:
    """An environment with pip's settings as uv's, where uv was told nothing of its own."""
    made = dict(environment)
    settings = pip_settings(environment)
    for name, variable in SAME.items():
        told = {variable, _OLDER.get(variable, variable)} & made.keys()
        if name in settings and not told:
            words = settings[name].split()
            made[variable] = (", " if name == "find-links" else " ").join(words).replace(", ", ",")
    return made


def pip_settings(environment: Mapping[str, str]) -> Mapping[str, str]:
    """Pip's settings of where packages come from: its files, then its variables over them."""
    found: dict[str, str] = {}
    for file in _files(environment):
        parser = configparser.RawConfigParser()
        try:
            parser.read(file, encoding="utf-8")
        except (configparser.Error, OSError, UnicodeDecodeError):
            # pip itself tells of a file that it can't read.
            continue
        for section in ("global", "install"):
            if parser.has_section(section):
                found |= {name: text for name, text in parser.items(section) if text}
    for name in SAME:
        told = environment.get(f"PIP_{name.upper().replace('-', '_')}")
        if told:
            found[name] = told
    return {name: text for name, text in found.items() if name in SAME}


def _files(environment: Mapping[str, str]) -> Iterator[Path]:
    """Pip's files, as its documentation lists them; the later ones count more."""
    home = Path(environment.get("HOME") or Path.home())
    if sys.platform == "win32":
        for folder in ("PROGRAMDATA", "APPDATA"):
            if environment.get(folder):
                yield Path(environment[folder]) / "pip/pip.ini"
    else:
        yield Path("/etc/pip.conf")
        if sys.platform == "darwin":
            yield Path("/Library/Application Support/pip/pip.conf")
            yield home / "Library/Application Support/pip/pip.conf"
        yield home / ".pip/pip.conf"
        yield Path(environment.get("XDG_CONFIG_HOME") or home / ".config") / "pip/pip.conf"
    if environment.get("PIP_CONFIG_FILE"):
        yield Path(environment["PIP_CONFIG_FILE"])
