"""Messages by their ids: what one says today, whenever and wherever its words were written down.

A message is known by its English text as the code has it, and by an id that it keeps when the
text is mended: a digest of the first text that it had. `resources/locale/messages.txt` lists ids
and texts of the program, `former_texts.toml` beside it says which texts were mended; both are
maintained by `explorer.text.catalogues`, and read when somebody first asks. A plugin's messages
are what its sources mark, with ids under the name of its folder ("rhymes/5f3e1a2b"); its former
texts stand in `locale/former_texts.toml` of its folder.
"""

import ast
import gettext
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Self

from explorer.paths import own_resources

BETWEEN = "\0"
"""Between the two texts of a count, as in gettext's own files."""
LISTED, FORMER = "messages.txt", "former_texts.toml"
MOST_BYTES, MOST_FILES = 2**20, 200
"""Of a plugin, in which messages are looked for."""

IN_PLUGINS = "plm_explorer_plugin_folder_"
"""How modules of plugins in the user's folder are called, before the names of their folders."""

_MARKS = {"_": 1, "N_": 1, "ngettext": 2, "NN_": 2}
_PLACE = re.compile(r"\{\w+\}")
_ESCAPED = {"\\": "\\\\", "\n": "\\n", "\t": "\\t"}
_MEANT = {f"\\{sign}": meant for sign, meant in (("\\", "\\"), ("n", "\n"), ("t", "\t"))}


class Owned(str):
    """A text that a plugin marks: it is said in its own words, whoever else has such a text.

    Attributes:
        owner: The plugin's folder, as modules are called.
    """

    __slots__ = ("owner",)

    owner: str

    def __new__(cls, text: str, owner: str) -> Self:
        """A text of a plugin."""
        made = super().__new__(cls, text)
        made.owner = owner
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Owned, (str(self), self.owner)


def owner_of(text: str) -> str:
    """The plugin whose text it is; "" for the program's."""
    return text.owner if isinstance(text, Owned) else ""


def as_module(folder: str) -> str:
    """The name of a plugin's folder as modules are called."""
    return folder.replace("-", "_")


class Message(NamedTuple):
    """What the program can say; thousands are read at once.

    Attributes:
        id: What it keeps when its text is mended.
        text: In English, as the code has it today; of a count the text for one.
        plural: Of a count the text for several.
    """

    id: str
    text: str
    plural: str = ""

    @property
    def code(self) -> str:
        """As a Phrase has it."""
        return f"{self.text}{BETWEEN}{self.plural}" if self.plural else self.text


@dataclass(frozen=True)
class FormerTexts:
    """What is written down of texts that changed.

    Attributes:
        mended: Today's texts, each with those that it had before, the first one first.
        deleted: Texts that left, although another one came that is like them.
    """

    mended: Mapping[str, tuple[str, ...]]
    deleted: frozenset[str] = frozenset()

    @staticmethod
    def read(path: Path) -> "FormerTexts":
        """What a file says; nothing where there is none.

        Raises:
            ValueError: It is damaged.
        """
        if not path.is_file():
            return FormerTexts({})
        if path.stat().st_size > MOST_BYTES:
            raise ValueError("it is too large")
        import tomllib  # here, since a program that is only started reads nothing of this

        content = tomllib.loads(path.read_text("utf-8"))
        mended = content.get("mended", {})
        return FormerTexts(
            {str(now): tuple(map(str, former)) for now, former in mended.items()},
            frozenset(map(str, content.get("deleted", ()))),
        )

    @cached_property
    def today(self) -> Mapping[str, str]:
        """The text of today by each former one."""
        # What is said today is no former text, so that nobody is sent in a circle.
        return {
            former: now
            for now, texts in self.mended.items()
            for former in texts
            if former not in self.mended
        }

    def text_of(self, then: str) -> str:
        """What a text says today that certainly is the program's own."""
        return self.today.get(then, then)

    def first(self, text: str) -> str:
        """The text that a message had when it was new."""
        return next(iter(self.mended.get(text, ())), text)


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


def digest(text: str) -> str:
    """The id of a message that is new: 8 hexadecimal digits of its text."""
    import hashlib  # here, since a window that logs nothing does without

    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=4).hexdigest()


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
        return {one.name: Messages(one / "locale" / FORMER, _listed_in(one)) for one in found}
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


def places_of(text: str) -> set[str]:
    """The named places of a text: what it needs values for."""
    return set(_PLACE.findall(text))


def marked(tree: ast.AST) -> Iterator[tuple[ast.Call, tuple[str, ...]]]:
    """Where a source says a message: the call that marks it, and its text, of a count both."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            texts = node.args[: _MARKS.get(node.func.id, 0)]
            values = [one.value for one in texts if isinstance(one, ast.Constant)]
            said = tuple(one for one in values if isinstance(one, str))
            if said and len(said) == len(texts):
                yield node, said


def read_list(path: Path) -> Iterator[Message]:
    """The messages that a file lists."""
    if path.is_file():
        for line in path.read_text("utf-8").rstrip("\n").split("\n"):
            fields = line.split("\t")
            yield Message(*map(_meant, fields) if "\\" in line else fields)


def write_list(path: Path, messages: Iterable[Message]) -> None:
    """List messages, a line each, by their ids: what two people add seldom stands side by side."""
    lines = sorted("\t".join(map(_escaped, one[: 3 if one.plural else 2])) for one in messages)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="\n")


def _escaped(text: str) -> str:
    return text.translate({ord(sign): written for sign, written in _ESCAPED.items()})


def _meant(text: str) -> str:
    return re.sub(r"\\.", lambda one: _MEANT.get(one[0], one[0]), text)


def _in_place_of(code: str, message: Message | None) -> str:
    """A message's text, if what stands in the places of another text can stand in its own."""
    if message is None or bool(message.plural) != (BETWEEN in code):
        return code
    return message.code if places_of(message.code) == places_of(code) else code


def marked_in(folder: Path) -> list[Message]:
    """What the sources of a plugin mark."""
    return list(_listed_in(folder)(FormerTexts({})))


def _listed_in(folder: Path) -> Callable[[FormerTexts], Iterator[Message]]:
    def listed(former: FormerTexts) -> Iterator[Message]:
        for path in sorted(islice(folder.rglob("*.py"), MOST_FILES)):
            for texts in _marked_in(path):
                yield Message(f"{folder.name}/{digest(former.first(texts[0]))}", *texts)

    return listed


def _marked_in(path: Path) -> Iterator[tuple[Any, ...]]:
    # One that is damaged says nothing, as whoever writes it sees on loading.
    with suppress(OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        if path.stat().st_size <= MOST_BYTES:
            yield from (texts for _call, texts in marked(ast.parse(path.read_bytes())))
