"""A part of a result, and what follows from the parts of one: rows, summary, headline."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, ClassVar, get_args, get_type_hints

from explorer.api.question.beside import Deferred, beside
from explorer.api.question.headline import Headline
from explorer.api.question.options.lists import Places
from explorer.api.question.options.options import Option
from explorer.api.question.rows.rows import Cell, Table

SILENT = Headline()
"""Nothing stands out."""


@dataclass(frozen=True)
class Part:
    """Numbers of one kind, and what everybody needs to know of them.

    A kind is a dataclass of what it is made of: arrays stay arrays, and what is read of them is
    made when it is asked for.

    Attributes:
        title: What stands above it on a page, where it is not the only one; marked for
            translation, "" for nothing.
        file: What its file is called, where not as its title; marked for translation.
        in_files: Whether files have its rows; False where another part has them there.
    """

    OPTIONS: ClassVar[tuple[Option[Any], ...]] = ()
    """What it is looked at with; each is the question's, under its key: "at" as "<question>.at"."""
    TITLES: ClassVar[Mapping[str, str]] = {}
    """What the cells of its summary are called where they are read."""
    DRAWN_BY: ClassVar[str] = ""
    """The module whose `blocks` draw it, of a kind that a question has for itself: its own picture,
    as "explorer.questions.detection.confusion"; "" for the module of the kind's name."""
    DRAWS_PINNED: ClassVar[bool] = False
    """Whether it shows a pinned answer itself; below others stand the rows that changed most."""
    FOLLOWS: ClassVar[bool] = False
    """Whether it shows which token was turned to, as one does in which a token can be chosen."""

    title: str = field(default="", kw_only=True)
    file: str = field(default="", kw_only=True)
    in_files: bool = field(default=True, kw_only=True)

    def table(self) -> Table:
        """Its rows, as files have them; sentences and what only holds other parts have none."""
        return Table((), ())

    def parts_with_rows(self) -> "Iterator[tuple[str, Part]]":
        """Itself and what it holds, as far as it has rows, each by what its file is called."""
        if self.in_files and type(self).table is not Part.table:
            yield self.file or self.title, self

    def summary(self) -> Mapping[str, Cell]:
        """It in a few cells; a film or a file of sentences plots those that are numbers."""
        return {}

    def headline(self) -> Headline:
        """What to look at first; SILENT where nothing stands out."""
        return SILENT

    def offered(self) -> Mapping[str, Sequence[str]]:
        """What options that are words can be set to in this answer, by their keys in OPTIONS."""
        return {}


CHOSEN = "at"
"""The key of the option that says what was chosen in a picture."""


def chosen(label: str, count: int = 1) -> Places:
    """The option of a kind in whose picture something is chosen, to be shown whole.

    Args:
        label: What it is, marked for translation: "Token".
        count: How many numbers say which: 1 for a token, 2 for a head of a layer.
    """
    return Places(label, (), redraws=True, in_bar=False, count=count, key=CHOSEN)


Making = Callable[..., Iterable[Part]]
"""From a result, and values of the options that it is looked at with, to its parts."""


@dataclass(frozen=True)
class MadeBeside(Deferred):
    """A function that makes parts, in another file than the question's.

    Attributes:
        kinds: Kinds among them whose options are the question's.
    """

    kinds: tuple[type[Part], ...] = ()


def made_of(question: str, *kinds: type[Part]) -> MadeBeside:
    """The function `parts` of the file of that name beside a question.py, which imports no Qt.

    Args:
        question: The question's module, as `__name__` in it.
        kinds: Those whose options are the question's: all others are what the function returns.
    """
    made = beside(question, "parts", "parts")
    return MadeBeside(made.module, made.name, kinds)


def fields_of(result: type) -> Mapping[str, type[Part]]:
    """The fields of a result that are parts, by name."""
    if not is_dataclass(result):
        return {}
    hints = get_type_hints(result)
    kinds = {one.name: _kinds_in(hints[one.name]) for one in fields(result)}
    return {name: found[0] for name, found in kinds.items() if found}


def kinds_of(parts: Making) -> tuple[type[Part], ...]:
    """The kinds of parts that a function makes.

    Args:
        parts: What it returns is typed: `tuple[Labels, Curves]`, `Sequence[Labels | Curves]`.
    """
    function = parts.function if isinstance(parts, Deferred) else parts
    return _kinds_in(get_type_hints(function).get("return"))


def _kinds_in(declared: Any) -> tuple[type[Part], ...]:
    if isinstance(declared, type) and issubclass(declared, Part):
        return (declared,)
    inner = (kind for one in get_args(declared) for kind in _kinds_in(one))
    return tuple(dict.fromkeys(inner))


def table_of(parts: Iterable[Part]) -> Table:
    """The rows of the first of an answer's parts; the others have files of their own."""
    first = next(_with_rows(parts), None)
    return Table((), ()) if first is None else first[1].table()


def other_tables_of(parts: Sequence[Part]) -> Mapping[str, Callable[[], Table]]:
    """The rows of the parts that are not the first, by their titles; one without has no file."""
    others = list(_with_rows(parts))[1:]
    return {title: part.table for title, part in others if title}


def _with_rows(parts: Iterable[Part]) -> Iterator[tuple[str, Part]]:
    return (one for part in parts for one in part.parts_with_rows())


def summary_of(parts: Sequence[Part]) -> Mapping[str, Cell]:
    """All cells of an answer's parts; of equal names those of the first part."""
    return {name: cell for part in reversed(parts) for name, cell in part.summary().items()}


def titles_of(kinds: Sequence[type[Part]]) -> Mapping[str, str]:
    """What the cells of a summary are called, of all kinds of parts."""
    return {name: title for kind in kinds for name, title in kind.TITLES.items()}


def headline_of(parts: Sequence[Part]) -> Headline:
    """That of the first part that is not silent."""
    return next((one for part in parts if (one := part.headline()).sentence), SILENT)
