"""Options of a question: what a tool can be set to, said once for window, log and command line."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from explorer.api.errors import UserMistake
from explorer.api.question.options.values import in_words
from explorer.text import N_, Phrase, _
from explorer.text.formatting.numbers import percent

Value = TypeVar("Value")

REFUSED = N_("--{name} can't be {words}.")
"""What the command line and the engine say of a value that an option has not."""


class Optioned(Protocol):
    """What holds the values of options: a document."""

    def option(self, key: str, default: Any = None) -> Any:
        """What is set under a key ("surprisal.unit"), or the default."""


@dataclass(frozen=True)
class Option(Generic[Value]):
    """One of them; a subclass says which values there are.

    Attributes:
        label: What stands beside the widget, and what a screen reader says.
        default: Its value where nothing was set.
        tip: What it does, in a sentence or two; "" for nothing.
        redraws: It changes only how an answer is drawn, and asks nothing anew.
        in_bar: It has a widget in the bar of options; others are set by gestures in the picture.
        in_sight: It is one of the three that stand above the page; where none of a question's says
            so, the first three do. The others stand in the page's settings.
        when: Whether it means anything with what else a document sets; its widget is there only
            then. None for always.
        idle: Why it changes nothing with what else a document sets, marked with `N_`; "" where it
            does. Its widget is switched off then, and says so. None for never.
        fits: Whether it means anything to a model, by its card; its widget is there only then. None
            for every model.
        key: "operation.name", as documents and logs hold it; a field of Document has no dot. That
            of a request's field follows from the question and the field, and is left out.
    """

    label: str
    default: Value
    tip: str = ""
    redraws: bool = False
    in_bar: bool = True

    texts: ClassVar[tuple[str, ...]] = ("label", "tip")
    """Fields that hold what a person reads."""
    when: Callable[[Optioned], bool] | None = None
    idle: Callable[[Any], str] | None = None
    fits: Callable[[Any], bool] | None = field(default=None, kw_only=True)
    in_sight: bool = field(default=False, kw_only=True)
    key: str = field(default="", kw_only=True)

    def translated(self) -> Self:
        """The same with its texts in the reader's language."""
        said: dict[str, Any] = {name: _(getattr(self, name)) for name in self.texts}
        return replace(self, **said)

    @property
    def name(self) -> str:
        """As the command line has it: "word-left-to-right"."""
        return self.key.rpartition(".")[2].replace("_", "-")

    def applies(self, document: Any) -> bool:
        """Whether it changes anything with what else a document sets."""
        return (self.when is None or self.when(document)) and not (
            self.idle is not None and self.idle(document)
        )

    def said(self, value: Value) -> str:
        """A value in words, as its widget shows it."""
        return in_words(value)

    def said_in(self, document: Optioned) -> str:
        """What a document sets it to, in words."""
        return self.said(self.of(document))

    def accepts(self, value: Any) -> bool:
        """Whether something is a value of this option."""
        return type(value) is type(self.default)

    def held(self, document: Optioned) -> Any:
        """What a document holds of it, whether or not it is a value this version knows."""
        if "." in self.key:
            return document.option(self.key, self.default)
        return getattr(document, self.key)

    def of(self, document: Optioned) -> Value:
        """What a document sets it to; the default where that is nothing this version knows."""
        value = self.held(document)
        return self.cast(value) if self.accepts(value) else self.default

    def mistake(self, _document: Optioned) -> UserMistake | None:
        """What a document holds that its user typed and that can't be asked; None for nothing."""
        return None

    def cast(self, value: Any) -> Value:
        """A value that is accepted, as the type of the default."""
        return value  # type: ignore[no-any-return]

    def written(self, value: Value) -> Any:
        """What a document holds for a value: nothing for the default."""
        return None if value == self.default and "." in self.key else value

    def written_in(self, _document: Optioned, value: Value) -> Any:
        """What a document holds once it has a value; more than that where they share a key."""
        return self.written(value)

    def parse(self, words: str) -> Value:
        """The value that was typed on the command line.

        Raises:
            UserMistake: It is none.
        """
        value = self._read(words)
        if value is None or not self.accepts(value):
            raise self._refusal(repr(words))
        return self.cast(value)

    def check(self, value: Any, name: str = "") -> None:
        """Refuse what a request holds of it and is none of its values.

        Args:
            value: What is asked.
            name: The request's field, as the command line has it; its own name where that is left
                out.

        Raises:
            UserMistake: It is none.
        """
        if not self.accepts(value):
            raise self._refusal(str(value), name)

    def _refusal(self, words: str, name: str = "") -> UserMistake:
        return UserMistake(
            REFUSED,
            N_("Give {values}."),
            name=name or self.name,
            words=words,
            values=self.values(),
        )

    def values(self) -> str:
        """Which values there are, in words."""
        return Phrase(N_("a text"))

    def _read(self, words: str) -> Any:
        return words


@dataclass(frozen=True)
class Switch(Option[bool]):
    """On or off.

    Attributes:
        glyph: The icon of the Material Design set that stands for it on a button; "" for a box
            to tick.
    """

    glyph: str = ""

    def values(self) -> str:
        """The two of them."""
        return Phrase(N_("on or off"))

    def _read(self, words: str) -> Any:
        return {
            "on": True,
            "yes": True,
            "true": True,
            "off": False,
            "no": False,
            "false": False,
        }.get(words.casefold())


@dataclass(frozen=True)
class Entry:
    """One value of a choice.

    Attributes:
        value: As it is written: a word, or a number.
        title: What the user reads.
        tip: What it means; "" for nothing.
    """

    value: Any
    title: str
    tip: str = ""


@dataclass(frozen=True)
class Choice(Option[Any]):
    """One of a few.

    Attributes:
        entries: In the order they are shown.
        beside: They stand side by side as buttons instead of in a list that opens.
        is_open: Whatever the page offers counts, too, as the columns of a file.
    """

    entries: Sequence[Entry] = field(default_factory=tuple)
    beside: bool = False
    is_open: bool = False

    def translated(self) -> Self:
        """Its entries, too."""
        said = (replace(one, title=_(one.title), tip=_(one.tip)) for one in self.entries)
        return replace(super().translated(), entries=tuple(said))

    @property
    def typed(self) -> tuple[str, ...]:
        """The entries' values as they are typed; the one that stands for none is not."""
        return tuple(str(one.value).replace("_", "-") for one in self.entries if one.value != "")

    def accepts(self, value: Any) -> bool:
        """Whether it is one of the entries', or may be one that is offered."""
        if self.is_open and type(value) is type(self.default):
            return True
        return any(type(value) is type(one.value) and value == one.value for one in self.entries)

    def entry(self, value: Any) -> Entry:
        """The entry of a value.

        Raises:
            KeyError: There is none.
        """
        for one in self.entries:
            if one.value == value:
                return one
        raise KeyError(value)

    def said(self, value: Any) -> str:
        """The entry's title, with the value where two are called the same.

        Of what only a page offers it is the value.
        """
        try:
            title = self.entry(value).title
        except KeyError:
            return super().said(value)
        alike = sum(one.title == title for one in self.entries)
        return _(title) if alike == 1 else f"{_(title)} ({str(value).replace('_', '-')})"

    def values(self) -> str:
        """All of them."""
        choices = ", ".join(self.typed)
        return Phrase(N_("one of {choices}"), choices=choices)

    def _read(self, words: str) -> Any:
        wanted = words.replace("-", "_").casefold()
        written = ((str(e.value).replace("-", "_").casefold(), e.value) for e in self.entries)
        return next((value for name, value in written if name == wanted), None)


@dataclass(frozen=True)
class Whole(Option[int]):
    """A whole number.

    Attributes:
        low: The least.
        high: The greatest.
        counts: What of a model it counts from 0, "layers" or "heads": it ends at the last one of
            the model that is asked; "" for nothing.
        least_said: What the least number is called, where it stands for something else, as "as many
            as needed"; "" for a number like the others.
        next_said: What a button beside it says that goes to the next number, as to draw again
            with another seed; "" for no button.
        next_glyph: The button's icon of the Material Design set.
    """

    low: int = 0
    high: int = 100
    counts: str = ""
    least_said: str = ""
    next_said: str = ""
    next_glyph: str = ""

    texts: ClassVar[tuple[str, ...]] = (*Option.texts, "least_said", "next_said")

    def said(self, value: int) -> str:
        """The number, or what the least one stands for."""
        return _(self.least_said) if self.least_said and value == self.low else in_words(value)

    def accepts(self, value: Any) -> bool:
        """Whether it is in the range; True and False are no numbers."""
        return type(value) is int and self.low <= value <= self.high

    def values(self) -> str:
        """The range."""
        return Phrase(N_("a whole number from {low} to {high}"), low=self.low, high=self.high)

    def _read(self, words: str) -> Any:
        try:
            return int(words)
        except ValueError:
            return None


@dataclass(frozen=True)
class Number(Option[float]):
    """A number, chosen with a slider that has a field beside it.

    Attributes:
        low: The least.
        high: The greatest.
        decimals: How many are written.
        step: Of the arrow keys.
        slider: It is a slider with a field; else a field alone.
        ratios: The slider goes by ratios: each way the same factor.
    """

    low: float = 0.0
    high: float = 1.0
    decimals: int = 2
    step: float = 0.01
    slider: bool = True
    ratios: bool = False

    def accepts(self, value: Any) -> bool:
        """Whether it is a number in the range."""
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number and math.isfinite(value) and self.low <= value <= self.high

    def cast(self, value: Any) -> float:
        """A whole number too as one with a point."""
        return float(value)

    def values(self) -> str:
        """The range."""
        return Phrase(N_("a number from {low} to {high}"), low=self.low, high=self.high)

    def _read(self, words: str) -> Any:
        try:
            return float(words)
        except ValueError:
            return None


@dataclass(frozen=True)
class Share(Number):
    """A share of a whole, shown in percent.

    Attributes:
        most: The greatest beside what else a document sets, as of two shares of one whole; None
            for the greatest there is.
    """

    most: Callable[[Optioned], float] | None = None

    def said(self, value: float) -> str:
        """In percent."""
        return percent(value)

    def of(self, document: Optioned) -> float:
        """What a document sets it to, at most what is left of the whole."""
        return min(super().of(document), self.limit(document))

    def limit(self, document: Optioned) -> float:
        """The greatest value beside the document's others."""
        return self.high if self.most is None else self.most(document)


@dataclass(frozen=True)
class Words(Option[str]):
    """Something typed.

    Attributes:
        placeholder: Shown where nothing is typed.
        is_long: It is a sentence rather than a word, and its field has room for one.
        is_input: The model reads it beside the texts: it is shown wherever they are shown alone.
    """

    placeholder: str = ""
    is_long: bool = False
    is_input: bool = False

    texts: ClassVar[tuple[str, ...]] = (*Option.texts, "placeholder")


@dataclass(frozen=True)
class FilePath(Option[str]):
    """A file, by its path: chosen with a dialog, or dropped on the page.

    Attributes:
        kinds: As a file dialog has them: "Sentences (*.txt *.csv)".
        endings: Of files that are taken where they are dropped: ".txt".
        resets: Options that another file sets back, by their keys.
        takes: Whether a file or a folder is taken where it is dropped, in the place of endings;
            None for what the endings say.
        is_folder: The dialog is for a folder.
        adds_to: The key of a list of words to which the path is added, in the place of being its
            own value; "" for its own.
        sets: The key of another option, whose value the path becomes in the place of its own; ""
            for its own.
    """

    kinds: str = ""
    endings: tuple[str, ...] = ()
    resets: tuple[str, ...] = ()
    takes: Callable[[PurePath], bool] | None = None
    is_folder: bool = False
    adds_to: str = ""
    sets: str = ""

    def said(self, value: str) -> str:
        """The file's name: where it lies is nobody's business."""
        return in_words(PurePath(value).name)


@dataclass(frozen=True)
class ModelName(Words):
    """A checkpoint by its id or path, whether or not its weights are here.

    Nothing typed stands for a model that is loaded.

    Attributes:
        other: For the other of two loaded models, not the active one.
    """

    other: bool = False
