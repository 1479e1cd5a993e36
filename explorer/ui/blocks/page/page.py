"""How the answers of one question look: a pure function to blocks, and what goes with it.

A page holds no widget, no document and no state. It is declared once, as PAGE at the end of a
question's page.py; being there is the registration.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from explorer.api.question import Detail, Entry, ModelCard, Option, Question, Table
from explorer.api.question.parts.part import other_tables_of
from explorer.api.question.rows.compared import never
from explorer.document import Document
from explorer.text import said
from explorer.ui.blocks.block import Block, page_of
from explorer.ui.blocks.figure import Figure
from explorer.ui.blocks.page.beside import with_beside
from explorer.ui.blocks.page.entities import entities_left_out, masks_lifted
from explorer.ui.blocks.page.last_values import remembered
from explorer.ui.blocks.page.left_out import known_first
from explorer.ui.blocks.page.parts import alone
from explorer.ui.blocks.page.pins import (
    PinComparison,
    against,
    of_pinned,
    pinned_blocks,
    with_pinned,
)
from explorer.ui.blocks.page.shown import Origin, Shown
from explorer.ui.blocks.tables.sorting import with_sorting
from explorer.ui.document.gestures import Edit
from explorer.ui.theme.schemes import Theme


@dataclass(frozen=True)
class Select:
    """A gesture: turn to a token of the model's input everywhere; None to none."""

    position: int | None


@dataclass(frozen=True)
class Load:
    """A gesture: load a checkpoint.

    Attributes:
        checkpoint: Its id.
        slot: Where to.
        also: Another one that is loaded after it.
    """

    checkpoint: str
    slot: str
    also: "Load | None" = None

    @property
    def each(self) -> "tuple[Load, ...]":
        """All that is loaded, in order."""
        return (self, *(() if self.also is None else self.also.each))


@dataclass(frozen=True)
class Move:
    """A gesture: set an option as a slider does; quick moves are one step of the history.

    Attributes:
        option: Which one.
        value: What it becomes.
    """

    option: Option[Any]
    value: Any


@dataclass(frozen=True)
class Write:
    """A gesture: type something over a place of the page.

    Attributes:
        text: What stands in the field at first.
        name: Of the field, for a screen reader.
        done: From what was typed to another gesture; None for nothing.
        over: The key of the spot that the field stands over; None for the one that was chosen.
    """

    text: str
    name: str
    done: "Callable[[str], Edit | None]"
    over: Any = None


@dataclass(frozen=True)
class Explain:
    """A gesture: show the words of the place now, without waiting for the mouse to rest."""


@dataclass(frozen=True)
class Run:
    """A gesture: do what is asked, as the Run button does."""


@dataclass(frozen=True)
class Fetch:
    """A gesture: download the tokenizer of a checkpoint alone.

    Attributes:
        checkpoint: Its id on the hub.
        then: What is done once it is there; None to ask the same question again.
    """

    checkpoint: str
    then: "Edit | None" = None


@dataclass(frozen=True)
class Halt:
    """A gesture: stop a download; what has come of it is kept.

    Attributes:
        checkpoint: Whose.
    """

    checkpoint: str


NO_ROWS = PinComparison("")
"""Of an answer that has none to compare."""

Gesture = Explain | Fetch | Halt | Run | Edit | Select | Load | Move | Write | Detail
"""What a click or a key at a place of a page does."""


@dataclass(frozen=True)
class Offer:
    """What an option can be set to with the answer and the models of now.

    Attributes:
        entries: Of a choice; empty for those it declares.
        value: What its widget shows; None for what the document sets.
        there: It stands in the bar at all.
    """

    entries: Sequence[Entry] = ()
    value: Any = None
    there: bool = True


Offers = Callable[[Document, Shown | None, ModelCard | None], Mapping[str, Offer]]
"""From the document of now, what is shown and the model that is asked, where there are such."""


class Writer(Protocol):
    """Writes a file piece by piece; each may raise an OSError."""

    def take(self, result: Any) -> None:
        """Write a part that has come."""

    def finish(self) -> None:
        """All parts have come: the file is whole."""

    def abandon(self) -> None:
        """Leave no file behind."""


@dataclass(frozen=True)
class SavedFile:
    """A file of its own kind that an answer can be saved as, by a button in the header.

    Attributes:
        name: Of the button.
        label: What the button does, in a few words.
        tip: The same in a sentence.
        kind: As a file dialog has it: "NumPy arrays (*.npz)".
        file_name: What it suggests.
        write: Begins a file.
        parts: Details that it holds beside the answer: asked for one after the other, and each
            written before the next one comes.
        writing: What is said meanwhile, with places for the {number} of the part and their {count}.
        glyph: The button's icon of the Material Design set.
        when: Whether there is anything to save yet.
        opens: It is a folder that can be opened as a checkpoint's: the library lists it.
        then: The gesture that follows once it is saved, as keeping where; None for none.
    """

    name: str
    label: str
    tip: str
    kind: str
    file_name: Callable[[Shown], str]
    write: Callable[[Shown, Path], Writer]
    parts: Callable[[Shown], Sequence[Detail]] = lambda _shown: ()
    writing: str = ""
    glyph: str = "content-save-outline"
    when: Callable[[Shown], bool] = lambda _shown: True
    opens: bool = False
    then: Callable[[Shown, Path], Edit] | None = None


@dataclass(frozen=True)
class Page:
    """A page.

    Attributes:
        of: The question.
        blocks: From what is shown to blocks.
        follows: It shows which token the user turned to.
        draws_pinned: Its blocks show a pinned answer themselves; below those of any other page
            stand the rows that changed most.
        stays: Blocks that stay in sight below the others while those are scrolled; None for none.
        table: The rows for export, where they follow how the answer is looked at. What a pinned
            answer adds is added to them.
        pinned_table: The pinned answer's rows, where more is known of what is shown than its own
            table has; None for the same as of the answer of now.
        table_name: What they are called, where there are other tables.
        other_tables: More rows for export, by what they are called; None where there are none.
        disabled: Options that mean nothing with the answer, by key, and why; what follows from the
            document alone is the option's own `idle`.
        offers: What options can be set to, by key, where it is not all that they declare.
        wants: Details that it can't be drawn without, besides what the question lays beside an
            answer: asked for as soon as it is shown so.
        looks: It is drawn anew for what is under the mouse in a live part.
        saves: Files of their own kinds.
        looks_first: The question's quick form, which only looks how far it is, is asked at once;
            the question itself waits for the gesture Run.
        begins: What the gesture Run asks in place of the page's question, which only looks; None
            for the same.
        is_fleeting: Its answers may be other ones a moment later, with nothing changed here: none
            is shown again without asking.
        is_live: What it shows grows while it works, and is not dimmed.
        offers_of: What options can be set to with the models that are loaded, by key: from the
            document, their cards and the active slot.
        knows_library: It is drawn anew when the library, or how far downloads are, is another.
        tab: The option that chooses which of several pages this is: another one begins at its top.
        goes_on: Of a page that looks first, whether what was begun goes on by itself with another
            model: from the answer that is shown and that model's card. None where it never does.
    """

    of: Question[Any, Any]
    blocks: Callable[[Shown], Iterable[Block]]
    follows: bool = False
    draws_pinned: bool = False
    stays: Callable[[Shown], Iterable[Block]] | None = None
    table: Callable[[Shown], Table] | None = None
    pinned_table: Callable[[Shown], Table | None] | None = None
    table_name: str = ""
    other_tables: Mapping[str, Callable[[Shown], Table | None]] = field(default_factory=dict)
    disabled: Callable[[Document, Any], Mapping[str, str]] | None = None
    offers: Offers | None = None
    wants: Callable[[Shown], Sequence[Detail]] | None = None
    looks: bool = False
    saves: tuple[SavedFile, ...] = ()
    looks_first: bool = False
    begins: Callable[[Any], Any] | None = None
    is_fleeting: bool = False
    is_live: bool = False
    offers_of: Callable[[Document, Mapping[str, ModelCard], str], Mapping[str, Offer]] | None = None
    knows_library: bool = False
    tab: Option[Any] | None = None
    goes_on: Callable[[Any, ModelCard], bool] | None = None

    def goes_on_with(self, result: Any, card: ModelCard | None) -> bool:
        """Whether what was begun goes on by itself with a model, from what is shown."""
        if self.goes_on is None or result is None or card is None:
            return False
        return self.goes_on(result, card)

    def wanted(self, shown: Shown) -> Sequence[Detail]:
        """All that it can't be drawn without: its own parts, and what is laid beside an answer."""
        own = self.wants(shown) if self.wants is not None else ()
        return (*own, *self.of.laid_beside(shown.result, shown.asked, shown.now))

    @property
    def has_parts(self) -> bool:
        """Whether there may be any."""
        return self.wants is not None or self.of.beside is not None

    def drawn(
        self, shown: Shown, compare: "Callable[[Shown], PinComparison | None] | None" = None
    ) -> list[Block]:
        """The blocks of the page, and what the frame adds to those of any.

        Args:
            shown: The answer.
            compare: Finds what the pinned answer adds, or gives None while that is looked for;
                None to find it now.
        """
        first = (
            *entities_left_out(self.of, shown),
            *masks_lifted(self.of, shown),
            *known_first(shown.result),
        )
        blocks = with_beside([*first, *self.blocks(shown)], shown)
        blocks = with_sorting(blocks, shown, self.of.name)
        if shown.pinned is not None and not self.draws_pinned and shown.before is not shown.result:
            found = (compare or self.against)(shown)
            if found is not NO_ROWS:
                blocks += pinned_blocks(shown, found, self.of.name)
        return blocks

    def against(self, shown: Shown, stopped: Callable[[], bool] = never) -> PinComparison:
        """What the pinned answer adds; nothing where either has no rows.

        It makes the rows of both, and may take seconds.

        Raises:
            Cancelled: Nobody waits for it any more, as `stopped` says.
        """
        now, before = self._rows(shown), self._rows_before(shown)
        if now is None or before is None:
            return NO_ROWS
        return against(shown, now, before, stopped)

    def alone(self, shown: Shown) -> list[Block]:
        """The blocks of a picture that is understood alone.

        They are on the scale of the page beside it, and of the frames of a series that were seen.
        """
        still = replace(shown, alone=True)
        below = self.stays(still) if self.stays is not None else ()
        blocks = alone([*self.drawn(still), *below])
        blocks = blocks if shown.held is None else shown.held(blocks)
        twin = shown.twin
        return blocks if twin is None else twin.fit(blocks, self.alone(twin.shown))

    def figure(self, shown: Shown, width: float, theme: Theme) -> Figure:
        """These as a picture of this width."""
        return page_of(self.alone(shown), width).figure(theme)

    def rows(self, shown: Shown) -> Table | None:
        """The rows for export, with what a pinned answer adds; None where there are none."""
        return _with_pinned(shown, self._rows(shown), lambda: self._rows_before(shown))

    def _rows(self, shown: Shown) -> Table | None:
        """Those of an answer alone."""
        if self.table is not None:
            return self.table(shown)
        return _table_of(self.of, shown.result, **self.of.table_settings_of(shown.now))

    def _rows_before(self, shown: Shown) -> Table | None:
        """Those of the pinned answer."""
        if self.pinned_table is not None:
            return self.pinned_table(shown)
        return self._rows(of_pinned(shown))

    def tables(self, shown: Shown) -> dict[str, Table]:
        """All rows for export, by what they are called."""
        every = {self.table_name: self.rows(shown)}
        others: dict[str, Callable[[Shown], Table | None]]
        others = {name: partial(self._rows_of, name) for name in self._others(shown)}
        others |= self.other_tables
        for name, make in others.items():
            every[name] = _with_pinned(shown, make(shown), partial(_before, make, shown))
        return {said(name): table for name, table in every.items() if table is not None}

    def _others(self, shown: Shown) -> Mapping[str, Callable[[], Table]]:
        """The rows of the parts that are not the first, by their titles."""
        return other_tables_of(self.of.parts_of(shown.result, **self.of.settings_of(shown.now)))

    def _rows_of(self, name: str, shown: Shown) -> Table | None:
        """Those of the part of this title; None where the answer has none."""
        make = self._others(shown).get(name)
        return None if make is None else make()

    def legend(
        self, shown: Shown, origin: Origin, *, rows: bool = False, in_file: bool = False
    ) -> str:
        """How the answer came about, how it is looked at, and what it is compared with.

        Args:
            shown: The answer.
            origin: When and with what it was made.
            rows: It is told of rows, which need not follow how it is looked at.
            in_file: It goes into a file with rows, where moments stay in ISO 8601.
        """
        follows = self.table is not None or bool(self.of.table_settings_of(shown.now))
        looked_at = shown.now if follows or not rows else None
        provenance = origin.provenance(self.of, shown.asked, shown.result)
        said = [provenance.said(in_file=in_file, looked_at=looked_at)]
        if shown.pinned is not None:
            then = shown.pinned
            provenance = then.origin.provenance(self.of, then.document, then.result)
            said.append(provenance.said_as_pinned())
        return " ".join(said)


@remembered(4)
def _table_of(of: Question[Any, Any], result: Any, **settings: Any) -> Table:
    return of.table(result, **settings)


def _with_pinned(
    shown: Shown, now: Table | None, before: Callable[[], Table | None]
) -> Table | None:
    """Rows with what a pinned answer adds; they alone where it has none, or is the same."""
    if now is None or shown.pinned is None or (then := before()) is None:
        return now
    return with_pinned(shown, now, then)


def _before(make: Callable[[Shown], Table | None], shown: Shown) -> Table | None:
    return make(of_pinned(shown))
