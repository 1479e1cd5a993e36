"""Messages as they are written down: the list of ids and texts, and which texts were mended."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

BETWEEN = "\0"
"""Between the two texts of a count, as in gettext's own files."""
LISTED, FORMER = "messages.txt", "former_texts.toml"
MOST_BYTES = 2**20
"""Of a file that a plugin brings."""

_PLACE = re.compile(r"\{\w+\}")
_ESCAPED = {"\\": "\\\\", "\n": "\\n", "\t": "\\t"}
_MEANT = {f"\\{sign}": meant for sign, meant in (("\\", "\\"), ("n", "\n"), ("t", "\t"))}


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


def digest(text: str) -> str:
    """The id of a message that is new: 8 hexadecimal digits of its text."""
    import hashlib  # here, since a window that logs nothing does without

    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=4).hexdigest()


def places_of(text: str) -> set[str]:
    """The named places of a text: what it needs values for."""
    return set(_PLACE.findall(text))


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
