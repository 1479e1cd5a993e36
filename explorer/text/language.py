"""Which language the program speaks: what there is, what is asked for, and the one in use."""

import gettext
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from explorer.text import marked, messages
from explorer.text.pseudo import PseudoTranslations

DOMAIN = "plm-explorer"
SOURCE = "en"
"""What the texts in the code are written in."""
PSEUDO = "en_XA"
"""English that looks translated: what stands on the screen without brackets was missed."""
SYSTEM = "system"
"""The setting that leaves it to the environment."""
NAMES = {SOURCE: "English", "ko": "한국어"}
"""What speakers call their language, for lists of languages."""
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


@dataclass(frozen=True)
class Language:
    """A language with its texts.

    Attributes:
        code: As catalogues are named: "en", "de", "pt_BR".
        locale: By which numbers and dates are written: the code, or a country's own "de_AT".
        texts: The catalogue, with those of plugins for what it has not.
        of_plugins: Catalogues of plugins, by their folders as modules are called.
    """

    code: str
    locale: str
    texts: gettext.NullTranslations
    of_plugins: dict[str, gettext.NullTranslations] = field(default_factory=dict)

    @property
    def is_source(self) -> bool:
        """Whether numbers and dates are written as in the code."""
        return self.locale.partition("_")[0] == SOURCE


ENGLISH = Language(SOURCE, SOURCE, gettext.NullTranslations())
_in_use = ENGLISH
_plugins: Path | None = None

_for_now: ContextVar[Language | None] = ContextVar("language for now", default=None)


def current() -> Language:
    """The language in use."""
    return _for_now.get() or _in_use


@contextmanager
def for_programs() -> Iterator[None]:
    """Write as the code does, in this thread: numbers that are stored for any reader."""
    token = _for_now.set(ENGLISH)
    try:
        yield
    finally:
        _for_now.reset(token)


def use(language: Language) -> Language:
    """Speak it from now on; returns the one that was in use.

    What is on screen already stays as it is: whoever changes it then builds the window anew.
    """
    global _in_use
    before, _in_use = _in_use, language
    _say_more(language)
    return before


def bring(plugins: Path) -> None:
    """Let catalogues of plugins say what the program's has not, now and in any language to come.

    Args:
        plugins: With a folder a plugin.
    """
    global _plugins  # noqa: PLW0603 - of this process, as the language in use
    _plugins = plugins
    messages.bring(plugins)
    _say_more(_in_use)


def _say_more(language: Language) -> None:
    if _plugins is None or language.code == SOURCE:
        return
    for path in sorted(_plugins.glob(f"*/locale/{language.code}/LC_MESSAGES/*.mo")):
        # Damaged ones, as whoever writes a plugin sees in English.
        with suppress(OSError, ValueError, LookupError, struct.error), path.open("rb") as stream:
            found = gettext.GNUTranslations(stream)
            language.texts.add_fallback(found)
            language.of_plugins[marked.as_module(path.relative_to(_plugins).parts[0])] = found


def available(folder: Path) -> list[str]:
    """The codes there are texts in, English first."""
    found = folder.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")
    return [SOURCE, *sorted(path.parent.parent.name for path in found)]


def find(wanted: str, folder: Path) -> Language | None:
    """The language that is asked for, or the nearest: "de" for "de_AT"; None without texts.

    Args:
        wanted: "de", "de_AT", or as the environment has it, "de_AT.UTF-8".
        folder: With a folder a language, as gettext has them.
    """
    locale = wanted.partition(".")[0].partition("@")[0].replace("-", "_")
    if locale in ("C", "POSIX"):
        return ENGLISH
    if locale == PSEUDO:
        return Language(PSEUDO, PSEUDO, PseudoTranslations())
    for code in (locale, locale.partition("_")[0]):
        if code == SOURCE:
            return ENGLISH
        path = folder / code / "LC_MESSAGES" / f"{DOMAIN}.mo"
        if code and path.is_file():
            with path.open("rb") as stream:
                texts = gettext.GNUTranslations(stream)
            texts.add_fallback(messages.Reworded(texts))
            return Language(code, locale, texts)
    return None


def of_environment(environment: Mapping[str, str], folder: Path) -> Language:
    """The first language the environment asks for that there are texts in; else English."""
    for wanted in _wanted(environment):
        found = find(wanted, folder)
        if found is not None:
            return found
    return ENGLISH


def of_setting(setting: str, environment: Mapping[str, str], folder: Path) -> Language:
    """The language of a setting; that of the environment where there are no texts in it."""
    found = None if setting == SYSTEM else find(setting, folder)
    return found or of_environment(environment, folder)


def name_of(code: str) -> str:
    """What its speakers call a language."""
    if code in NAMES:
        return NAMES[code]
    from babel import Locale

    return str(Locale.parse(code).get_display_name(code) or code)


def _wanted(environment: Mapping[str, str]) -> Iterator[str]:
    """As gettext looks: a list of languages first, then the locale."""
    for name in VARIABLES:
        if environment.get(name):
            yield from environment[name].split(":")
            return
