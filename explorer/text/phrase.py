"""Texts as data: in English for programs, with what is needed to say them in any language.

    Phrase(N_("{count} tokens were cut off."), count=3)

is the sentence "3 tokens were cut off.", wherever a string is wanted. It crosses processes with its
code and values and is stored with its id too (`explorer.text.messages`); `said` words it in the
language of whoever reads it. A count has `NN_` with two texts in the place of `N_`, and is called
count.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Self

from explorer.text.formatting.numbers import localised, with_percent
from explorer.text.marked import Owned, owner_of
from explorer.text.message_files import BETWEEN
from explorer.text.messages import id_of, today
from explorer.text.translation import _, in_english, ngettext

Value = str | int | float

_NUMBER = re.compile(r"([<>] )?[+−-]?\d{1,3}(,\d{3})*(\.\d+)?( ?[%A-Za-z]+)?")
"""As Python writes them, with a unit or without."""


class Phrase(str):
    """A text made where no language is known.

    Attributes:
        parts: Its sentences, each as catalogues have it and what stands in its places.
    """

    __slots__ = ("parts",)

    parts: tuple[tuple[str, Mapping[str, Value]], ...]

    def __new__(cls, code: str = "", /, **values: object) -> Self:
        """A text, marked with `N_`, with places such as "{path}".

        Args:
            code: In English, as catalogues have it.
            values: What stands in the places; a Phrase is itself worded when this one is.
        """
        return cls._of(((code, {name: _plain(one) for name, one in values.items()}),))

    @classmethod
    def _of(cls, parts: Iterable[tuple[str, Mapping[str, Value]]], between: str = " ") -> Self:
        kept = tuple((code, values) for code, values in parts if code)
        # What has no places is taken as it is: it may be what an older program wrote.
        words = (_english(code, values) if values else code for code, values in kept)
        made = super().__new__(cls, between.join(words))
        made.parts = kept
        return made

    @classmethod
    def joined(cls, sentences: Iterable[str]) -> Self:
        """Several sentences, one behind the other."""
        return cls._of(part for one in sentences for part in parts_of(one))

    @classmethod
    def read(cls, stored: Any) -> Self:
        """What `stored` gave, or a plain string that an older program stored; as it is said today.

        Raises:
            ValueError: It is neither.
        """
        if isinstance(stored, str):
            return cls(today(stored))
        if not isinstance(stored, list):
            raise ValueError("it is no text")
        return cls._of(
            (today(str(one["code"]), str(one.get("id", ""))), _values(one.get("values", {})))
            for one in stored
        )

    @property
    def stored(self) -> list[dict[str, Any]]:
        """As JSON holds it: a message by its id, with its English text of today beside it."""
        return [
            {
                **({"id": known} if (known := id_of(code)) else {}),
                "code": code,
                "values": {name: _kept(one) for name, one in values.items()},
            }
            for code, values in self.parts
        ]

    @property
    def is_worded(self) -> bool:
        """Whether its English words are not enough to say it in another language."""
        return len(self.parts) > 1 or any(values for _code, values in self.parts)

    @property
    def said(self) -> str:
        """In the reader's language."""
        return " ".join(_said(code, values) for code, values in self.parts)

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (type(self), self.parts)


NOTHING = Phrase()
"""The empty text."""


def said(text: str) -> str:
    """A text in the reader's language; one of before there were phrases is looked up as it is."""
    return text.said if isinstance(text, Phrase) else _(text)


class _Verbatim(Phrase):
    """A text that is said as it stands."""

    __slots__ = ()

    @property
    def said(self) -> str:
        return str(self)


def verbatim(text: str) -> Phrase:
    """A text that no language changes, as a user's word, where one is said that is marked."""
    return _Verbatim("{text}", text=text)


def parts_of(text: str) -> tuple[tuple[str, Mapping[str, Value]], ...]:
    """A text's sentences, with what stands in their places."""
    return text.parts if isinstance(text, Phrase) else ((text, {}),)


def _plain(value: object) -> Value:
    """What a log and another process can hold."""
    return value if isinstance(value, str | int | float) else str(value)


def _english(code: str, values: Mapping[str, Value]) -> str:
    singular, _between, plural = code.partition(BETWEEN)
    is_one = not plural or values.get("count") == 1
    return in_english(singular if is_one else plural, values)


def _said(code: str, values: Mapping[str, Value]) -> str:
    worded = {name: _worded(one) for name, one in values.items()}
    owner = owner_of(code)
    texts = code.split(BETWEEN)
    singular, plural = (Owned(one, owner) if owner else one for one in (*texts, "")[:2])
    count = worded.pop("count", 0) if plural else 0
    if plural and isinstance(count, int):
        return ngettext(singular, plural, count, **worded)
    return _(singular, **worded)


def _worded(value: Value) -> Value:
    """A value as the reader has it; numbers are stored as the code writes them."""
    if isinstance(value, Phrase):
        return value.said
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return with_percent(value[:-1].rstrip()) if value.endswith("%") else localised(value)
    return value


def _kept(value: Value) -> Any:
    return value.stored if isinstance(value, Phrase) else value


def _values(stored: Mapping[str, Any]) -> dict[str, Value]:
    return {
        name: Phrase.read(one) if isinstance(one, list) else one for name, one in stored.items()
    }


def _made_again(kind: type[Phrase], parts: tuple[tuple[str, Mapping[str, Value]], ...]) -> Phrase:
    return kind._of(parts)  # noqa: SLF001  of its own
