"""What a request is made of: fields that are options, each declared once.

    @dataclass(frozen=True)
    class PatchingRequest(Asks):
        text: str
        masks: tuple[Mask, ...] = ()
        window: int = asked(Whole(N_("Layers at once"), 1, low=1, high=12))

From such a field follow its default, its range, its place in the bar of options, what a document
holds of it, the argument of the command line with its help, and what replay puts back.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from typing import Any, Self, TypeVar, overload

from explorer.api.model import ModelCard
from explorer.api.question.options.lists import Places
from explorer.api.question.options.options import Option, Whole, Words
from explorer.api.question.options.values import as_kept
from explorer.text import N_

Value = TypeVar("Value")
Made = TypeVar("Made")

_ASKED = "asked"
FOLLOWED = 200
"""Words at a mask that are asked for at every step: one that is likely late was rare before."""
MOST_PREDICTIONS = 1_000_000
"""Words that a mask is given at most: more than any vocabulary has."""

OF_DOCUMENT: Mapping[str, Option[Any]] = {
    "text": Words(N_("Text"), "", N_("The sentence; a [MASK] in it is a mask."), key="text"),
    "pair": Words(N_("Second text"), "", N_("The second sentence."), key="pair"),
    "masks": Words(
        N_("Masks"),
        "",
        N_(
            "What is masked: a word of the text, or its characters from 0 on, as in 4-8; pair:4-8 "
            "is in the second text, and 4-5#2 only the second of several tokens over these "
            "characters. May be given several times."
        ),
        key="masks",
    ),
    "entities": Words(
        N_("Entities"),
        "",
        N_(
            "Which entity of the model's knowledge graph some words name, as in Anna=Q7 or "
            "0-4=Q7. May be given several times."
        ),
        key="entities",
    ),
    "top_k": Whole(
        N_("Top"),
        10,
        N_("How many predictions are listed."),
        low=1,
        high=MOST_PREDICTIONS,
        key="top_k",
    ),
}
"""What documents hold themselves, by the request's field that has it."""
PREDICTIONS = OF_DOCUMENT["top_k"]
"""How many predictions a mask has: the option that all questions share."""


@dataclass(frozen=True)
class AskedField:
    """How a request's field is an option.

    Attributes:
        option: Its range, its words, and where documents hold it.
        made: From what a document sets it to to what the request holds.
        kept: And back, for a document and for the option's range.
        is_held: Documents hold it. What is not held is said by programs and on the command line.
        also: What programs and the command line may ask for besides the option's values.
    """

    option: Option[Any]
    made: Callable[[Any], Any]
    kept: Callable[[Any], Any] = as_kept
    is_held: bool = True
    also: tuple[Any, ...] = ()

    def check(self, value: Any, name: str) -> None:
        """Refuse what a request holds of it and is none of its values.

        Args:
            value: What is asked.
            name: The field.

        Raises:
            UserMistake: It is none.
        """
        if value in self.also:
            return
        try:
            kept = as_kept(self.kept(value))
        except (AttributeError, TypeError, ValueError):  # of another kind than its values
            kept = value
        self.option.check(kept, name.replace("_", "-"))


@overload
def asked(
    option: Option[Value], *, kept: Callable[[Value], Any] = ..., is_held: bool = ...
) -> Value: ...


@overload
def asked(
    option: Option[Any],
    default: Value,
    *,
    kept: Callable[[Value], Any] = ...,
    is_held: bool = ...,
) -> Value: ...


@overload
def asked(option: Option[Value], *, required: bool) -> Value: ...


@overload
def asked(
    option: Option[Value],
    default: Made = ...,
    *,
    made: Callable[[Value], Made],
    kept: Callable[[Made], Any] = ...,
    is_held: bool = ...,
    also: tuple[Made, ...] = ...,
) -> Made: ...


def asked(
    option: Option[Any],
    default: Any = MISSING,
    *,
    made: Callable[[Any], Any] | None = None,
    kept: Callable[[Any], Any] = as_kept,
    is_held: bool = True,
    also: tuple[Any, ...] = (),
    required: bool = False,
) -> Any:
    """A field of a request that is an option.

    Args:
        option: Without a key it has that of the question and the field.
        default: What the request holds where nothing is said, if that is not what the option's
            default makes.
        made: From the option's value to the request's, as an enum of a choice's value.
        kept: From the request's value to the option's.
        is_held: Documents hold it; what is not held is said by programs and on the command line.
        also: What programs and the command line may ask for besides the option's values.
        required: Nothing can be asked without it.
    """
    if default is MISSING:
        default = option.default if made is None else made(option.default)
    if isinstance(default, list):
        default = tuple(default)
    found = AskedField(option, made or _as_it_is, kept, is_held, also)
    return field(default=MISSING if required else default, metadata={_ASKED: found})


def one_place(option: Places) -> int | None:
    """A field that is the one number of a place in the answer; None where none was chosen."""
    return asked(
        option,
        made=lambda chosen: chosen[0] if chosen else None,
        kept=lambda number: [] if number is None else [number],
    )


def right_answer() -> str | None:
    """A field for what is right, which a file tells; None where it is not known."""
    words = N_("What is right, to be counted with; a file has it.")
    return asked(Words(N_("Right answer"), "", words), None, is_held=False)


def at_most(most: int) -> Callable[[int], int]:
    """For a field that takes no more than so many of what a document asks for."""
    return lambda number: min(number, most)


@dataclass(frozen=True)
class Loaded:
    """The models that there are while a request is made.

    Attributes:
        cards: By slot.
        active: The slot that is asked where one model is enough, loaded or not; None where nobody
            said.
        playing: The cards of those that are asked, in the order of the roles.
    """

    cards: Mapping[str, ModelCard] = field(default_factory=dict)
    active: str | None = None
    playing: Sequence[ModelCard] = ()

    @property
    def has_no_active(self) -> bool:
        """Whether the slot that is asked is known to be empty."""
        return self.active is not None and self.active not in self.cards


NOTHING_LOADED = Loaded()
"""No model, no entities: what a request is made of a document with in a test or a file."""


class Asks:
    """What every request is: made of a document, and refused beyond the ends of its options."""

    def __init_subclass__(cls, question: str = "", **more: Any) -> None:
        """Name the options that have no name yet after the question and the field.

        Args:
            question: The question's name; that of the folder that its question.py lies in where
                nothing else is said.
            more: Other bases'.
        """
        super().__init_subclass__(**more)
        *_above, folder, _module = ("", "", *cls.__module__.split("."))
        for name, one in vars(cls).items():
            found = one.metadata.get(_ASKED) if isinstance(one, Field) else None
            if found is not None and not found.option.key:
                object.__setattr__(found.option, "key", f"{question or folder}.{name}")

    @classmethod
    def of(cls, document: Any, loaded: Loaded = NOTHING_LOADED) -> Self:
        """The question that a document asks.

        Args:
            document: The user's.
            loaded: Of a model that is asked, what it has not is left out, as a layer that was
                chosen in a deeper one.
        """
        request = cls(**cls.fields_of(document, loaded))
        return request.fitting(loaded.playing) if loaded.playing else request

    @property
    def is_whole(self) -> bool:
        """Whether it can be asked; conditions say what a document lacks, in words."""
        return True

    @classmethod
    def fields_of(
        cls,
        document: Any,
        loaded: Loaded = NOTHING_LOADED,  # noqa: ARG003 - some fields follow from the models
    ) -> dict[str, Any]:
        """What a document says of each field; a field that it says nothing of is not there."""
        found: dict[str, Any] = {}
        own = asked_fields(cls)
        for name, one in own.items():
            if one.is_held:
                found[name] = one.made(one.option.of(document))
        for name in DOCUMENTS_OWN:
            if name in cls.__dataclass_fields__ and name not in own:  # type: ignore[attr-defined]
                found[name] = getattr(document, name)
        return found

    def fitting(self, cards: Sequence[ModelCard]) -> Self:  # noqa: ARG002
        """The same without what the models that are asked have not.

        Args:
            cards: Theirs, in the order of the roles; at least one.
        """
        return self

    def for_rows(self) -> Self:
        """The same as it is asked about every row of a file."""
        return self

    def for_steps(self) -> Self:
        """The same as it is asked at every step: with words enough that one can be followed."""
        if "top_k" not in self.__dataclass_fields__:  # type: ignore[attr-defined]
            return self
        words = {"top_k": max(getattr(self, "top_k", 0), FOLLOWED)}
        return replace(self, **words)  # type: ignore[type-var]

    def check(self) -> None:
        """Refuse what is none of an option's values, before it is taken for something else.

        Raises:
            UserMistake: With the values that there are.
        """
        for one in fields(self):  # type: ignore[arg-type]
            value, asks = getattr(self, one.name), field_of(type(self), one.name)
            if asks is not None and one.name not in TYPED and value != one.default:
                asks.check(value, one.name)


TYPED = frozenset({"text", "pair", "masks", "entities"})
"""Fields whose values are read with the text: it says what they can be, and no option does."""
DOCUMENTS_OWN = tuple(name for name in OF_DOCUMENT if name != "entities")
"""Fields that documents have, too. Entities are put on a request by whoever knows its models."""


def asked_fields(request: Any) -> Mapping[str, AskedField]:
    """The fields of a request that are options, in their order."""
    return {one.name: one.metadata[_ASKED] for one in fields(request) if _ASKED in one.metadata}


def field_of(request: Any, name: str) -> AskedField | None:
    """How a field is an option: its own one, or what documents hold; None for neither."""
    own = asked_fields(request).get(name)
    held = OF_DOCUMENT.get(name)
    return own if own is not None or held is None else AskedField(held, _as_it_is)


def _as_it_is(value: Any) -> Any:
    return value
