"""What a page is made from: an answer, the documents around it, and what it is compared with."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from explorer.api.family.checkpoint import Checkpoint
from explorer.api.question import SLOTS, Detail, ModelCard, ModelStamp, Option, Question
from explorer.document import Document, ranges_of
from explorer.sessions.export.provenance import Provenance, everybody
from explorer.sessions.records import LoggedRun, StoredRun
from explorer.ui.document.gestures import Edit, set_options

if TYPE_CHECKING:
    from explorer.ui.blocks.block import Block

Value = TypeVar("Value")


@dataclass(frozen=True)
class Origin:
    """How an answer came about, for its caption.

    Attributes:
        created_at: UTC, ISO 8601.
        seed: The one used.
        versions: Of Python, torch, transformers and the program.
        request: As it was logged; None where that is not known.
        models: Who played which role.
        is_brief: Models are told by their ids alone.
    """

    created_at: str
    seed: int = 0
    versions: Mapping[str, str] = field(default_factory=dict)
    request: Any = None
    models: Mapping[str, ModelStamp] = field(default_factory=dict)
    is_brief: bool = False

    @staticmethod
    def of(stored: StoredRun) -> "Origin":
        """Of a logged run."""
        return Origin(
            stored.summary.created_at,
            stored.seed,
            stored.versions,
            request=stored.request,
            models=stored.models,
        )

    @staticmethod
    def of_run(run: LoggedRun) -> "Origin":
        """Of a run that was answered just now."""
        return Origin(now(), run.seed, run.versions, request=run.request, models=run.models)

    def provenance(self, of: Question[Any, Any], document: Document, result: Any) -> Provenance:
        """The whole record of an answer.

        Args:
            of: The question.
            document: The one that asked.
            result: The answer.
        """
        return Provenance(
            of.name,
            document,
            self.request or of.request_among(document, {}, SLOTS[0]),
            result,
            everybody(of, self.models, result.model),
            self.seed,
            self.versions,
            self.created_at,
            self.is_brief,
        )


def now() -> str:
    """This moment in UTC, ISO 8601 with seconds."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True)
class Pinned:
    """An answer that later ones are compared with."""

    result: Any
    document: Document
    origin: Origin


@dataclass(frozen=True)
class Twin:
    """The page of the same question that stands beside a page.

    Attributes:
        shown: What it shows.
        origin: How that came about.
        titles: What the two are of, the page's own first.
        fit: Lays the first one's blocks on the scale that both share.
    """

    shown: "Shown"
    origin: Origin
    titles: tuple[str, str]
    fit: "Callable[[Sequence[Block], Sequence[Block]], list[Block]]"


@dataclass(frozen=True)
class Shown:
    """All that a page may know.

    Attributes:
        result: The question's.
        asked: The document that asked; places in the result are places in it.
        now: The document of now; options that only redraw are read from it.
        pinned: The answer that this one is compared with; None where nothing is pinned.
        cards: The loaded models, by slot.
        details: What came of the parts that were asked for: a result, or a Failure.
        selected: The position of the token that the user turned to; None for none.
        alone: It is to be understood without the window: with the sentence.
        looked_at: What is under the mouse or the keyboard in a live part, as that part tells it;
            None for nothing, and always where the page does not say that it `looks`.
        complete: The details that the page wanted when all of them were there the last time. What
            is drawn of them stays until those that it wants now are there, too.
        is_begun: Run was chosen for the question that it is the answer of.
        library: The checkpoints that are known; told to pages that say `knows_library`.
        transfers: Of the downloads under way, by checkpoint, how far each is, from 0 to 1;
            negative where that is not known yet.
        twin: The same page of another model, text or setting beside it, whose scale its pictures
            share; None for none.
        held: Lays its pictures on the scales that are held while a series is moved through; None
            where none are.
    """

    result: Any
    asked: Document
    now: Document
    pinned: Pinned | None = None
    cards: Mapping[str, ModelCard] = field(default_factory=dict)
    details: Mapping[Detail, Any] = field(default_factory=dict)
    selected: int | None = None
    alone: bool = False
    looked_at: Any = None
    complete: tuple[Detail, ...] = ()
    is_begun: bool = False
    library: tuple[Checkpoint, ...] = ()
    transfers: Mapping[str, float] = field(default_factory=dict)
    twin: Twin | None = None
    held: "Callable[[Sequence[Block]], list[Block]] | None" = None

    def turned(self, origin: Origin) -> "Shown | None":
        """What the twin shows, with this as its twin; None without one.

        Args:
            origin: How this answer came about.
        """
        twin = self.twin
        if twin is None:
            return None
        own, other = twin.titles
        back = Twin(replace(self, twin=None), origin, (other, own), twin.fit)
        return replace(twin.shown, twin=back)

    @property
    def before(self) -> Any:
        """What the pinned answer holds; None where nothing is pinned."""
        return self.pinned.result if self.pinned is not None else None

    def title_of(self, stamp: ModelStamp) -> str:
        """What the user reads for a model: its title while it is loaded, else its name."""
        loaded = (
            card.title
            for card in self.cards.values()
            if (card.stamp.id, card.stamp.fingerprint) == (stamp.id, stamp.fingerprint)
        )
        return next(loaded, stamp.name)

    def setting(self, option: Option[Value], value: Value, name: str) -> Edit:
        """The gesture of setting an option, by the name of its step in the history."""
        return set_options(self.now, {option.key: option.written(value)}, name)

    def value(self, option: Option[Any]) -> Any:
        """What an option is set to: one that redraws now, any other when this was asked."""
        return option.of(self.now if option.redraws else self.asked)

    def settings_of(self, operation: Question[Any, Any]) -> dict[str, Any]:
        """What the sentences about its answer follow, as they are set now."""
        return {name: self.value(option) for name, option in operation.follows.items()}


def masked_text(document: Document, part: int = 0, sign: str = "___") -> str:
    """A text with a sign for what is masked.

    Args:
        document: Where it is.
        part: The text (0) or its pair (1).
        sign: An underscore, or as a model writes it.
    """
    text = document.part(part)
    for mask in reversed([m for m in ranges_of(document.masks) if m.part == part]):
        text = f"{text[: mask.start]}{sign}{text[mask.end :]}"
    return text
