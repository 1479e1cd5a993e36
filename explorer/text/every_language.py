"""A text of the program as the other languages have it, whichever the window speaks."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from explorer.text import language as languages
from explorer.text.language import Language


class EveryLanguage:
    """Finds what a text that is shown is called in the languages that are not.

    Args:
        folder: With a folder a language, as gettext has them.
    """

    def __init__(self, folder: Path) -> None:
        now = languages.current()
        self._others = [
            one
            for code in languages.available(folder)
            if code != now.code and (one := _read(code, folder)) is not None
        ]
        self._sources = {} if now.is_source else _sources(now)

    def of(self, text: str) -> tuple[str, ...]:
        """The same text in the other languages; none where it is in no catalogue.

        Args:
            text: As the language in use has it.
        """
        sources = self._sources.get(text, [text]) if text else []
        found = (one.texts.gettext(source) for source in sources for one in self._others)
        return tuple(dict.fromkeys(one for one in found if one != text))


@cache
def _read(code: str, folder: Path) -> Language | None:
    return languages.find(code, folder)


def _sources(language: Language) -> Mapping[str, list[str]]:
    """English texts by their translations; gettext has no way of its own to look there.

    Several texts have one translation where a language does without capitals or the plural.
    """
    found: dict[str, list[str]] = {}
    for source, translated in vars(language.texts).get("_catalog", {}).items():
        if isinstance(source, str):
            found.setdefault(translated, []).append(source)
    return found
