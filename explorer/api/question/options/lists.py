"""Options that hold several values: words, numbers, places in an answer."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from explorer.api.errors import UserMistake
from explorer.api.question.options.options import Option, Optioned
from explorer.api.question.options.values import in_words
from explorer.text import N_, Phrase, _


@dataclass(frozen=True)
class WordList(Option[tuple[str, ...]]):
    """Words with commas between them, told when all of them are typed.

    Attributes:
        placeholder: Shown where nothing is typed.
        most: How many there can be; None for as many as anybody types.
    """

    placeholder: str = ""
    most: int | None = None

    texts: ClassVar[tuple[str, ...]] = (*Option.texts, "placeholder")

    def accepts(self, value: Any) -> bool:
        """Whether it is a list of texts, as a document keeps it, and no longer than it may be."""
        if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
            return False
        return self.most is None or len(value) <= self.most

    def mistake(self, document: Optioned) -> UserMistake | None:
        """What is typed and can't be asked: more words than it takes."""
        held = self.held(document)
        return self._too_many(len(held)) if isinstance(held, list | tuple) else None

    def check(self, value: Any, name: str = "") -> None:
        """Refuse more words than it takes by how many there are."""
        mistake = self._too_many(len(value)) if isinstance(value, list | tuple) else None
        if mistake is not None:
            raise mistake
        super().check(value, name)

    def _too_many(self, count: int) -> UserMistake | None:
        if self.most is None or count <= self.most:
            return None
        return UserMistake(
            N_("“{label}” takes {most} words at most, and there are {count}."),
            N_("Take some out."),
            label=Phrase(self.label),
            most=self.most,
            count=count,
        )

    def cast(self, value: Any) -> tuple[str, ...]:
        """A list too as what can't change."""
        return tuple(value)

    def written(self, value: tuple[str, ...]) -> Any:
        """A list, as JSON has it; nothing for none."""
        return None if value == self.default else list(value)

    def values(self) -> str:
        """What is typed, and how many."""
        if self.most is not None:
            return Phrase(N_("words with commas between them, {most} at most"), most=self.most)
        return Phrase(N_("words with commas between them"))

    def _read(self, words: str) -> Any:
        return self.parts(words)

    @staticmethod
    def parts(typed: str) -> tuple[str, ...]:
        """The words between the commas."""
        return tuple(word for word in (part.strip() for part in typed.split(",")) if word)


@dataclass(frozen=True)
class Items(Option[tuple[Any, ...]]):
    """Several of what a request alone knows, as JSON has it."""

    def accepts(self, value: Any) -> bool:
        """Whether it is a list."""
        return isinstance(value, list | tuple)

    def cast(self, value: Any) -> tuple[Any, ...]:
        """A list as what can't change."""
        return tuple(value)

    def written(self, value: tuple[Any, ...]) -> Any:
        """A list, as JSON has it; nothing for the default."""
        return None if value == self.default else list(value)

    def values(self) -> str:
        """What is typed."""
        return Phrase(N_("a list in JSON"))


@dataclass(frozen=True)
class Numbers(Option[tuple[float, ...]]):
    """A few numbers that belong together, each with a name and a field.

    Attributes:
        names: What each is, in order; as many as the default has.
        low: The least.
        high: The greatest.
        decimals: How many are written.
        step: Of the arrow keys.
    """

    names: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1000.0
    decimals: int = 2
    step: float = 0.5

    def said(self, value: tuple[float, ...]) -> str:
        """Each with its name."""
        named = zip(self.names, value, strict=True)
        return ", ".join(f"{_(name)} {in_words(one)}" for name, one in named)

    def accepts(self, value: Any) -> bool:
        """Whether it is a list of as many numbers, each in the range."""
        is_list = isinstance(value, list | tuple) and len(value) == len(self.default)
        return is_list and all(self._is_number(one) for one in value)

    def _is_number(self, value: Any) -> bool:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number and math.isfinite(value) and self.low <= value <= self.high

    def cast(self, value: Any) -> tuple[float, ...]:
        """Whole numbers too as some with a point."""
        return tuple(map(float, value))

    def written(self, value: tuple[float, ...]) -> Any:
        """A list, as JSON has it; nothing for the default."""
        return None if value == self.default else list(value)

    def values(self) -> str:
        """How many there are, and the range."""
        names = ", ".join(self.names)
        return Phrase(
            N_("{count} numbers from {low} to {high}: {names}"),
            count=len(self.default),
            low=self.low,
            high=self.high,
            names=names,
        )

    def _read(self, words: str) -> Any:
        try:
            return tuple(float(part) for part in words.split(","))
        except ValueError:
            return None


@dataclass(frozen=True)
class Places(Option[tuple[int, ...]]):
    """Whole numbers from 0 on that say a place in an answer, as a query's and a key's; () for none.

    Attributes:
        count: How many numbers say it.
    """

    count: int = 2

    def accepts(self, value: Any) -> bool:
        """Whether it is a list of as many numbers, as a document keeps it."""
        if not isinstance(value, list | tuple) or len(value) not in (0, self.count):
            return False
        return all(type(one) is int and one >= 0 for one in value)

    def cast(self, value: Any) -> tuple[int, ...]:
        """A list as what can't change."""
        return tuple(value)

    def written(self, value: tuple[int, ...]) -> Any:
        """A list, as JSON has it; nothing for the default."""
        return None if value == self.default else list(value)

    def values(self) -> str:
        """How many there are."""
        return Phrase(N_("{count} whole numbers with commas between them"), count=self.count)

    def _read(self, words: str) -> Any:
        try:
            return tuple(int(part) for part in words.split(","))
        except ValueError:
            return None
