"""What the window and the exports need of a view."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from explorer.api.family.checkpoint import Checkpoint
from explorer.api.question import Detail, Failure, ModelCard, ModelStamp, Question, Table
from explorer.document import Document
from explorer.sessions.export.provenance import Provenance
from explorer.text import N_, _
from explorer.ui.blocks.figure import Figure
from explorer.ui.blocks.page.explained import Explanation
from explorer.ui.blocks.page.shown import Origin, Pinned, Twin, now
from explorer.ui.theme.schemes import Theme


class View(QWidget):
    """How the answers of one question look.

    The one kind of view there is hosts a page (`page_view.py`); tests have plainer ones.

    Attributes:
        of: The question.
        name: What the window calls the page; the question's name, but of a second page of it.
        needs_model: It asks nothing before a model is loaded.
        second_model_hint: What to do while one of two models is missing.
        baseline: The pinned answer, or None.
        twin: Gives the same page that stands beside it, for pictures; None where none does.
        explanations: How the answer that is shown is read: what is behind each (i).
        is_live: What it shows grows while it works, and is not dimmed.

    Signals:
        edit_requested: An Edit: a gesture that changes the text or the masks, or several options.
        select_requested: The position of a token in the model's input, or None.
        load_requested: A checkpoint's id and the slot to load it into.
        folder_made: A folder's path that was written and can be opened as a checkpoint's.
        option_changed: A field of Document, or an option's key, and its new value.
        option_moved: The same of a slider that moves: quick changes are one step.
        run_requested: Ask now, as the frame's Run button does.
        baseline_changed: An answer was pinned, or let go.
        tokenizer_wanted: A checkpoint's id: download its tokenizer alone.
        transfer_unwanted: A checkpoint's id: stop its download.
        explained: What is behind the (i) of the page's header; "" for nothing.
        detail_wanted: A Detail; `show_detail` or `detail_failed` is called when it is there.
    """

    of: ClassVar[Question[Any, Any]]
    needs_model: ClassVar[bool] = True
    is_live: ClassVar[bool] = False
    second_model_hint: ClassVar[str] = N_("This page compares two models: load a second one as B.")

    HANDED_ON: ClassVar[tuple[str, ...]] = ("result", "document", "origin", "baseline", "_titles")
    """What a view that takes its place goes on with (kept_page.py)."""

    edit_requested = Signal(object)
    select_requested = Signal(object)
    load_requested = Signal(str, str)
    folder_made = Signal(str)
    option_changed = Signal(str, object)
    option_moved = Signal(str, object)
    run_requested = Signal()
    baseline_changed = Signal()
    explained = Signal(str)
    detail_wanted = Signal(object)
    tokenizer_wanted = Signal(str)
    transfer_unwanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = self.question
        self.setObjectName(self.question)
        self.setAccessibleName(self.title)
        self.result: Any = None
        self.document: Document | None = None
        self.origin = Origin("")
        self.baseline: Pinned | None = None
        self.twin: Callable[[], Twin | None] = lambda: None
        self.explanations: tuple[Explanation, ...] = ()
        self._titles: Mapping[str, str] = {}

    @property
    def question(self) -> str:
        """The question's name."""
        return self.of.name

    def call(self, name: str) -> None:
        """Have another name, as a second page of the question."""
        self.name = name
        self.setObjectName(name)

    @property
    def title(self) -> str:
        """What the window calls it."""
        return _(self.of.title)

    @property
    def asks(self) -> str:
        """What it answers, in one sentence, and how it counts layers."""
        return self.of.question_said

    @property
    def has_result(self) -> bool:
        """Whether there is something to export."""
        return self.result is not None

    @property
    def is_drawn(self) -> bool:
        """Whether what it holds can be seen."""
        return True

    def request_of(self, document: Document) -> Any | None:
        """The question a document asks, or None where it asks nothing."""
        raise NotImplementedError

    def empty_hint(self, document: Document) -> str:
        """What to do, where a document asks nothing."""
        raise NotImplementedError

    def set_models(self, cards: Mapping[str, ModelCard], active: str) -> None:
        """Hear which models are loaded, by slot, and which slot is active."""

    def set_library(self, checkpoints: Iterable[Checkpoint]) -> None:
        """Hear which checkpoints are known, and what they are called."""
        self._titles = {one.id: one.title for one in checkpoints}

    def set_transfers(self, transfers: Mapping[str, float]) -> None:
        """Hear how far downloads are, by checkpoint."""

    def title_of(self, stamp: ModelStamp) -> str:
        """What the user reads for a model, loaded or not; its name where the library has none."""
        title = self._titles.get(stamp.id, stamp.name)
        both = self.origin.models.values()
        is_twin = any(one.id == stamp.id and one.dtype != stamp.dtype for one in both)
        # One checkpoint as two kinds of numbers: its name says nothing of who is meant.
        return f"{title}, {stamp.dtype}" if is_twin else title

    def on_demand(self, _document: Document) -> bool:
        """Whether a document's question is so dear that it waits for the Run button."""
        return False

    def keeps(self, result: Any) -> bool:
        """Whether an answer may be shown again without asking."""
        passing = self.of.is_provisional
        return passing is None or not passing(result)

    def stopped(self) -> bool:
        """Hear that its question was cancelled; True to be asked for another one at once."""
        return False

    def set_document(self, document: Document) -> None:
        """Show the document's options in the view's tools."""

    def tools(self) -> list[QWidget]:
        """Widgets for the header of the view's frame."""
        return []

    def stand_in(self, _page: QWidget | None) -> bool:
        """Show a page below the options in the place of an answer, or the answer again (None).

        Returns:
            Whether it does: one without options of its own shows none.
        """
        return False

    def show_result(self, result: Any, document: Document, origin: Origin | None = None) -> None:
        """Show an answer.

        Args:
            result: The question's.
            document: The one that asked.
            origin: For the caption; None means now, with the seed 0.
        """
        self.result, self.document = result, document
        self.origin = origin or Origin(now())
        self.refresh()

    def show_part(self, result: Any, document: Document) -> None:
        """Show what there is of an answer so far."""
        self.result, self.document = result, document
        self.origin = Origin(now())
        self.refresh()

    def show_detail(self, detail: Detail, result: Any) -> None:
        """Show a part that was asked for."""

    def detail_failed(self, detail: Detail, failure: Failure) -> None:
        """Say why a part can't be shown."""

    def pin(self) -> None:
        """Compare what comes with the answer that is shown now."""
        if self.result is not None and self.document is not None:
            self.pin_answer(Pinned(self.result, self.document, self.origin))

    def pin_answer(self, pinned: Pinned) -> None:
        """Compare what is shown, and what comes, with an answer."""
        self.baseline = pinned
        self.refresh()
        self.baseline_changed.emit()

    def unpin(self) -> None:
        """Compare no longer."""
        if self.baseline is not None:
            self.baseline = None
            self.refresh()
            self.baseline_changed.emit()

    @property
    def scrolled(self) -> int:
        """How far it is scrolled, in pixels."""
        return 0

    def scroll_at_first(self, far: int) -> None:
        """Scroll so far, in pixels, once its first answer is shown."""

    def shut(self) -> None:
        """Let go of what must be gone before the window is."""

    def clear(self) -> None:
        """Forget the answer."""
        self.result = self.document = None
        self.refresh()

    def refresh(self) -> None:
        """Draw what is held now."""
        raise NotImplementedError

    def table(self) -> Table | None:
        """The answer's rows, or None without one."""
        return self.of.table(self.result) if self.result is not None else None

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """The answer as a picture of this width, or None without one."""
        raise NotImplementedError

    def caption(self, *, rows: bool = False, in_file: bool = False) -> str:
        """What a picture needs below it to be understood alone; "" without an answer.

        Args:
            rows: It is told of the answer's rows, which may not follow how it is looked at.
            in_file: It goes into a file with rows, where moments stay in ISO 8601.
        """
        provenance = self.provenance()
        looked_at = None if rows else self.document
        return "" if provenance is None else provenance.said(in_file=in_file, looked_at=looked_at)

    def provenance(self) -> Provenance | None:
        """How the answer came about, field by field; None without one."""
        if self.result is None or self.document is None:
            return None
        return self.origin.provenance(self.of, self.document, self.result)
