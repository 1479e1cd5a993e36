"""Messages by their ids: what one says today, whenever and wherever its words were written down.

A message is known by its English text as the code has it, and by an id that it keeps when the
text is mended: a digest of the first text that it had. `resources/locale/messages.txt` lists ids
and texts of the program, `former_texts.toml` beside it says which texts were mended; both are
maintained by `explorer.text.catalogues`, and read when somebody first asks. A plugin's messages
are what its sources mark, with ids under the name of its folder ("rhymes/5f3e1a2b"); its former
texts stand in `locale/former_texts.toml` of its folder.
"""

import gettext
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path

from explorer.paths import own_resources
from explorer.text.marked import Owned, as_module, listed_in, owner_of
from explorer.text.message_files import (
    BETWEEN,
    FORMER,
    LISTED,
    FormerTexts,
    Message,
    digest,
    places_of,
    read_list,
)


class Messages:
    """The messages of the program, or of a plugin.

    Args:
        table: Where former texts are written down.
        listed: Gives what is said today, by what `former` says.
    """

    def __init__(self, table: Path, listed: Callable[[FormerTexts], Iterable[Message]]) -> None:
        self._table, self._listed = table, listed

    @cached_property
    def former(self) -> FormerTexts:
        """What is written down of texts that changed; nothing where it can't be read."""
        with suppress(OSError, ValueError, AttributeError, TypeError, RecursionError):
            return FormerTexts.read(self._table)
        return FormerTexts({})

    @cached_property
    def _all(self) -> tuple[Message, ...]:
        return tuple(self._listed(self.former))

    @cached_property
    def by_text(self) -> Mapping[str, Message]:
        """Of a count by its text for one."""
        return {one.text: one for one in self._all}

    @cached_property
    def by_id(self) -> Mapping[str, Message]:
        """The same by their ids."""
        return {one.id: one for one in self._all}


@cache
def of_program() -> Messages:
    """The program's own."""
    folder = own_resources() / "locale"
    return Messages(folder / FORMER, lambda _former: read_list(folder / LISTED))


_plugins: Path | None = None


def bring(plugins: Path) -> None:
    """Know the messages of plugins as well.

    Args:
        plugins: With a folder a plugin.
    """
    global _plugins  # noqa: PLW0603 - of this process, as the language in use
    _plugins = plugins
    _of_plugins.cache_clear()


@cache
def _of_plugins() -> Mapping[str, Messages]:
    with suppress(OSError):
        folders = () if _plugins is None else _plugins.iterdir()
        found = sorted(one for one in folders if one.is_dir())
        return {one.name: Messages(one / "locale" / FORMER, listed_in(one)) for one in found}
    return {}


def id_of(code: str) -> str:
    """The id of a message; "" of what is none, as a user's words.

    Args:
        code: As a Phrase has it.
    """
    text = code.partition(BETWEEN)[0]
    own = [
        messages
        for name, messages in (_of_plugins() if owner_of(code) else {}).items()
        if as_module(name) == owner_of(code)
    ]
    for messages in (*own, of_program(), *_of_plugins().values()):
        if text in messages.by_text:
            return messages.by_text[text].id
    return ""


def today(code: str, known: str = "") -> str:
    """What a message says today; what nobody knows stays as it is.

    Args:
        code: As a Phrase had it when it was written down.
        known: The id that was written beside it; "" where none was. Without it a single word stays
            as it is, for it may be somebody's own.
    """
    owner = as_module(known.rpartition("/")[0])
    now = _today(code, known)
    return Owned(now, owner) if owner else now


def _today(code: str, known: str) -> str:
    text = code.partition(BETWEEN)[0]
    if not known and " " not in text:
        return code
    for messages in _asked_for(text, known):
        now = messages.former.today.get(text)
        if now is not None:
            return _in_place_of(code, messages.by_text.get(now))
        if known and known.rpartition("/")[2] != digest(text):
            # Another version of the program says it in other words.
            return _in_place_of(code, messages.by_id.get(known))
    return code


def _asked_for(text: str, known: str) -> Iterator[Messages]:
    """Whose message it may be."""
    plugin = known.rpartition("/")[0]
    if plugin:
        yield from (one for name, one in _of_plugins().items() if name == plugin)
        return
    yield of_program()
    # No plugin says what a text was once that the program itself says.
    if not known and _of_plugins() and text not in of_program().by_text:
        yield from _of_plugins().values()


class Reworded(gettext.NullTranslations):
    """Translates former texts as those of today, where a catalogue has not found a text.

    Args:
        catalogue: It.
    """

    def __init__(self, catalogue: gettext.NullTranslations) -> None:
        super().__init__()
        self._catalogue = catalogue

    def gettext(self, message: str) -> str:
        """The translation of today's text."""
        now = today(message)
        if now == message:
            return super().gettext(message)
        return self._catalogue.gettext(now.partition(BETWEEN)[0])

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The same with a count."""
        code = f"{msgid1}{BETWEEN}{msgid2}"
        singular, _between, plural = today(code).partition(BETWEEN)
        if singular == msgid1:
            return super().ngettext(msgid1, msgid2, n)
        return self._catalogue.ngettext(singular, plural, n)


def _in_place_of(code: str, message: Message | None) -> str:
    """A message's text, if what stands in the places of another text can stand in its own."""
    if message is None or bool(message.plural) != (BETWEEN in code):
        return code
    return message.code if places_of(message.code) == places_of(code) else code
