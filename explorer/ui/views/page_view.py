"""The one host of pages: asks, shows, pins and exports what a page declares."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.api.family.checkpoint import Checkpoint
from explorer.api.question import Answered, Detail, Failure, ModelCard, Table
from explorer.document import Document
from explorer.text import _
from explorer.ui.blocks.block import Block, LaidPage, fills, page_of
from explorer.ui.blocks.figure import Figure
from explorer.ui.blocks.page.explained import behind_marks, explanation_of_page
from explorer.ui.blocks.page.focus import focused
from explorer.ui.blocks.page.page import Fetch, Halt, Load, Move, Page, Run, Select
from explorer.ui.blocks.page.shown import Origin, Shown
from explorer.ui.blocks.widget.painted import PaintedPage
from explorer.ui.document.gestures import Edit
from explorer.ui.guarded import guarded
from explorer.ui.theme.schemes import Theme
from explorer.ui.views.comparing import Comparing
from explorer.ui.views.frame.answer_place import AnswerPlace
from explorer.ui.views.frame.dropped_files import DroppedFiles, frame_around, is_dropped
from explorer.ui.views.frame.key_finding import KeyFinding
from explorer.ui.views.frame.page_options import PageOptions
from explorer.ui.views.frame.state_pages import state_label
from explorer.ui.views.held_scales import HeldScales, film_of
from explorer.ui.views.offered import moved_by, offered_by
from explorer.ui.views.page_scroll import MARGIN, TOP, PageScroll
from explorer.ui.views.saved_files import SaveButton
from explorer.ui.views.view import View
from explorer.ui.views.wanted_details import WantedDetails


@guarded
class PageView(View):
    """A page on screen.

    Attributes:
        declared: The page.
        now: The document of now.
        page: The widget of the blocks.
        options: Where the options stand.
        bar: Their controls.
        parts: Details that the page can't be drawn without.
        page_scroll: Where it is scrolled to.
        look_first: The sentence above the answer.
        saves: The buttons of files that it can be saved as.
        told: The position of the token that it heard was chosen.

    Signals:
        settled: An answer is drawn, with all the details that it can't be drawn without.
    """

    declared: ClassVar[Page]
    HANDED_ON = (
        *(*View.HANDED_ON, "now", "_cards", "_active", "_details", "_whole"),
        *("_is_begun", "_library", "_transfers", "_awaited", "told", "scales"),
    )
    settled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.now = Document()
        self.page = PaintedPage(f"{self.question}Page", self)
        self.page.setAccessibleName(self.title)
        self.page.acted.connect(self.act)
        self.page.chosen.connect(self._marked)
        self.page.looked_at.connect(self._look_at)
        self._cards: Mapping[str, ModelCard] = {}
        self._active = ""
        self._details: dict[Detail, Any] = {}
        self.look_first = KeyFinding(self.of)
        self.parts = WantedDetails(self.detail_wanted.emit, self.refresh)
        self._comparing = Comparing(self.declared, self.refresh, self)
        self.told: int | None = None
        self._looked_at: Any = None
        self.laid: list[Block] = []
        self.fitted: Callable[[list[Block]], list[Block]] = list
        self.scales = HeldScales()
        self._on_stage: tuple[str, ...] | None = None
        self.options = PageOptions(self.of.options, self.title, self)
        self.bar = self.options.bar
        self.bar.changed.connect(self.option_changed)
        self.bar.moved.connect(self.option_moved)
        self.bar.edited.connect(self.edit_requested)
        self._whole: Any = None
        self._is_begun = self._is_part = False
        self._library: tuple[Checkpoint, ...] = ()
        self._transfers: Mapping[str, float] = {}
        self._awaited: dict[str, Fetch] = {}
        self._drops = [DroppedFiles(one, self) for one in self.of.options if is_dropped(one)]
        for drops in self._drops:
            drops.dropped.connect(self.bar.take_file)
        self.page_scroll = PageScroll(self.page, f"{self.question}Area", self)
        self.area = self.page_scroll.area
        self.settled.connect(self.page_scroll.settle)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.options.row)
        self.saves = [SaveButton(one, self.shown, self) for one in self.declared.saves]
        self.said = state_label(f"{self.question}Saved", "small", self)
        self.said.setContentsMargins(MARGIN, 0, MARGIN, 4)
        self.said.hide()
        layout.addWidget(self.said)
        for one in self.saves:
            one.told.connect(self._say)
            one.part_wanted.connect(self.detail_wanted)
            one.folder_made.connect(self.folder_made)
            one.acted.connect(self.act)
        self.stays = PaintedPage(f"{self.question}Stays", self)
        self.stays.setAccessibleName(_("{title}, in short", title=self.title))
        self.stays.acted.connect(self.act)
        stays = [self._below(self.stays)] if self.declared.stays is not None else []
        self.stays.setVisible(bool(stays))
        self._place = AnswerPlace([self.area, *stays])
        layout.addLayout(self.options.around(self._place), 1)
        self._show_options()

    @property
    def scrolled(self) -> int:
        """How far the blocks are scrolled, in pixels; where they will be while there are none."""
        return self.page_scroll.far

    def scroll_at_first(self, far: int) -> None:
        """Scroll so far, in pixels, once the first answer is laid out."""
        self.page_scroll.begin_at(far)

    def _below(self, widget: QWidget) -> QWidget:
        band = QWidget(self)
        column = QVBoxLayout(band)
        column.setContentsMargins(MARGIN, 4, MARGIN, 6)
        column.addWidget(widget)
        return band

    def tools(self) -> list[QWidget]:
        """Switches with icons, what it can be saved as, settings; the frame takes them over."""
        more = [self.options.button] if self.options.button is not None else []
        for widget in (widgets := [*self.bar.tools.values(), *self.saves, *more]):
            widget.show()
        self.bar.is_placed = True
        self._show_options()
        return widgets

    def stand_in(self, page: QWidget | None) -> bool:
        """Show a page below the options, which stay and keep the keyboard, or the answer (None)."""
        if not self.bar.row:
            return False
        self._place.stand_in(page)
        return True

    # ---- asking ------------------------------------------------------------------------------

    def request_of(self, document: Document) -> Any | None:
        """What the question declares; until Run was chosen for it, only how far it is."""
        request, begins = self._request_of(document), self.declared.begins
        if request is None or not (self.declared.looks_first or begins is not None):
            return request
        if request != self._whole:
            self._whole, self._is_begun = request, False
        if begins is not None:
            return begins(request) if self._is_begun else request
        return (
            request
            if self._is_begun or self.of.cheap_variant is None
            else self.of.cheap_variant(request)
        )

    def keeps(self, result: Any) -> bool:
        """Not where it may be another one a moment later."""
        return not self.declared.is_fleeting and super().keeps(result)

    def stopped(self) -> bool:
        """What is done is kept, and shown."""
        was_begun, self._is_begun = self._is_begun, False
        return was_begun

    def _request_of(self, document: Document) -> Any | None:
        return self.of.request_among(document, self._cards, self._active)

    def empty_hint(self, document: Document) -> str:
        """What is missing; where nothing is, the question waits for the Run button."""
        missing = self.of.hint(document, self._asked(document))
        return _(missing or self.of.waiting_hint)

    def set_models(self, cards: Mapping[str, ModelCard], active: str) -> None:
        """Know the models: how dear a question is, and what they are called."""
        before, known = self._card, self._cards
        self._cards, self._active = dict(cards), active
        self.bar.show_models(cards, active)
        if known != self._cards and self.parts.try_again():
            # Who could not be asked for a part may be here now.
            self.refresh()
        if self._card != before and (self.of.roles or self.of.delegates_to is not None):
            self._is_begun &= self.declared.goes_on_with(self.result, self._card)
        if self._card != before or self.declared.offers_of is not None:
            self._show_options()

    def _asked(self, document: Document) -> list[ModelCard]:
        """The models that a document is asked of, in the order of the roles."""
        cast = self.of.cast(self._cards, self._active, document)
        return [self._cards[slot] for slot in cast.values() if slot in self._cards]

    @property
    def _card(self) -> ModelCard | None:
        """The model that is asked where one is enough."""
        return self._cards.get(self._active)

    def set_library(self, checkpoints: Iterable[Checkpoint]) -> None:
        """Know the library, for options that name a model and for names of models."""
        every = list(checkpoints)
        super().set_library(every)
        self.bar.show_library(every)
        lacking = {one.id for one in self._library if one.lacks_tokenizer} | set(self._awaited)
        here = [one.id for one in every if one.folder or one.tokenizer_folder]
        came = [name for name in here if name in lacking]
        self._library = tuple(every)
        knows = self.declared.knows_library and self.result is not None
        if knows:
            self.refresh()
        for one in (awaited := [self._awaited.pop(name) for name in came if name in self._awaited]):
            self._go_on(one)
        if came and knows and not awaited and not self.declared.looks_first:
            # It may be one of all that are here, which this page is about.
            self.run_requested.emit()

    def _go_on(self, fetched: Fetch) -> None:
        """A tokenizer has come that was waited for."""
        if fetched.then is not None:
            self.act(fetched.then)
        else:
            self.run_requested.emit()

    def set_transfers(self, transfers: Mapping[str, float]) -> None:
        """Tell pages that know the library."""
        before, self._transfers = self._transfers, dict(transfers)
        if self.declared.knows_library and self.result is not None and before != self._transfers:
            self.refresh()

    def lacks_tokenizer(self, checkpoint: str) -> bool:
        """Whether the tokenizer of a checkpoint is not here, and can be had."""
        return any(one.id == checkpoint and one.lacks_tokenizer for one in self._library)

    def on_demand(self, document: Document) -> bool:
        """What the page declares."""
        card, waits = self._card, self.of.is_expensive
        if self.declared.looks_first:
            return self._is_begun and not self.declared.goes_on_with(self.result, card)
        return waits is not None and card is not None and waits(document, card, self._answered)

    @property
    def _answered(self) -> Answered | None:
        """What is shown, for whoever says whether another answer waits."""
        if self.result is None or self.document is None:
            return None
        return Answered(self.result, self.document)

    def set_document(self, document: Document) -> None:
        """Show the options of now, and draw anew where they changed how the answer looks."""
        before, self.now = self.now, document
        self._show_options()
        changed = (before.options, before.entities) != (document.options, document.entities)
        if self.result is not None and changed:
            self.refresh()
        tab = self.declared.tab
        if tab is not None and tab.of(before) != tab.of(document):
            self.area.verticalScrollBar().setValue(0)

    def _show_options(self) -> None:
        shown, cards, active = self.shown(), self._cards, self._active
        found = offered_by(self.declared, self.now, shown, cards, active)
        self.bar.show_options(self.now, found.off, found.most, found.offers)

    def go_on_with(self, held: Mapping[str, Any], parts: WantedDetails) -> None:
        """Hold what another view of the same question held, and its details; not drawn yet."""
        for name, value in held.items():
            setattr(self, name, value)
        self.parts = parts
        self.parts.serve(self.detail_wanted.emit, self.refresh)
        self.bar.show_models(self._cards, self._active)

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing is waited for, or compared."""
        return self.parts.is_idle and self._comparing.is_idle and not self._awaited

    # ---- drawing -----------------------------------------------------------------------------

    def shown(self, *, alone: bool = False, beside: bool = False) -> Shown | None:
        """What it is made from, for a picture what is `beside` it too; None without an answer."""
        if self.result is None or self.document is None:
            return None
        return Shown(
            self.result,
            self.document,
            self.now,
            self.baseline,
            self._cards,
            {**self._details, **self.parts.known},
            self.told if self.declared.follows else None,
            alone,
            self._looked_at,
            self.parts.complete,
            self._is_begun,
            self._library if self.declared.knows_library else (),
            self._transfers,
            self.twin() if beside else None,
            self.scales.as_now().fit if beside and self.scales.is_held else None,
        )

    def show_result(self, result: Any, document: Document, origin: Origin | None = None) -> None:
        """Show an answer; details were parts of the one before."""
        self._details, self._is_part = {}, False
        if result is not self.result:
            self._looked_at = None
        self._say("")
        super().show_result(result, document, origin)

    def show_part(self, result: Any, document: Document) -> None:
        """Show what there is so far, which may yet change its largest effect."""
        self._is_part = True
        super().show_part(result, document)

    def clear(self) -> None:
        """Forget the answer, and what was shown of it."""
        self.parts.forget()
        self.look_first.forget()
        super().clear()

    def show_detail(self, detail: Detail, result: Any) -> None:
        """Draw with a part that was asked for, or write it where it is for a file."""
        if self.parts.take(detail, result) or any(one.take(detail, result) for one in self.saves):
            return
        self._details = {**self._details, detail: result}
        self.refresh()

    def detail_failed(self, detail: Detail, failure: Failure) -> None:
        """Draw with the reason why there is no such part."""
        if self.parts.fail(detail, failure) or any(one.fail(detail, failure) for one in self.saves):
            return
        self._details = {**self._details, detail: failure}
        self.refresh()

    def refresh(self) -> None:
        """Draw the blocks of what is held now."""
        has_parts = self.declared.has_parts
        if self.result is not None and has_parts:
            pinned = self.baseline
            before = None if pinned is None else (pinned.document, pinned.result.model)
            self.parts.belong_to((self.document, self.result.model, before))
        shown = self.shown()
        if shown is not None and has_parts:
            self.parts.fetch(self.declared.wanted(shown))
            shown = self.shown()
        blocks, self.explanations = behind_marks(self._blocks_of(shown) if shown else ())
        self.explained.emit(explanation_of_page(self.explanations))
        self._show_options()
        for one in self.saves:
            one.enable()
        if (make := self.declared.stays) is not None:
            is_seen = shown is not None and not self._on_stage
            below = list(make(shown)) if shown is not None and is_seen else []
            self.stays.show_page((lambda width: page_of(below, width)) if below else None)
            self._place.give_room()
        film = film_of(self.origin, self.document, self.now)
        self.lay(self.fitted(self.scales.of_frame(film, blocks)))
        if shown is None or shown.pinned is None or shown.before is shown.result:
            self._comparing.forget()
        if shown is not None and self.parts.is_idle and self._comparing.is_idle:
            self.settled.emit()

    def lay(self, blocks: list[Block]) -> None:
        """Show these blocks."""
        self.laid = blocks
        self.page.show_page(self._page_at if blocks else None)
        self.page_scroll.stretch()

    def _blocks_of(self, shown: Shown) -> Iterator[Block]:
        """What to look at first, once the answer is whole, and then the page."""
        if not self._is_part and self._on_stage is None:
            yield from self.look_first.blocks(shown)
        whole = self.declared.drawn(shown, self._comparing.found)
        yield from (self._on_stage and focused(whole, self._on_stage)) or whole

    def stand_on_stage(self, titles: Sequence[str] | None) -> None:
        """Show what a class is to look at, and no sentence on what to look at first.

        Args:
            titles: Of blocks, in English; none for the whole page. None to leave the stage.
        """
        wanted = None if titles is None else tuple(titles)
        if wanted != self._on_stage:
            self._on_stage = wanted
            if self.result is not None:
                self.refresh()

    def _page_at(self, width: float) -> LaidPage:
        return page_of(self.laid, width, max(0.0, self.area.viewport().height() - TOP - MARGIN))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More or less height is there to be filled."""
        super().resizeEvent(event)
        if any(fills(block) for block in self.laid):
            self.page.rearrange()

    @property
    def is_drawn(self) -> bool:
        """Whether all that takes time to draw itself, as a browser does, has done so."""
        return all(getattr(one, "is_drawn", True) for one in self.page.widgets)

    def shut(self) -> None:
        """End what is more than a picture, as a browser is."""
        self._comparing.forget()
        for one in self.page.widgets:
            if hasattr(one, "shut"):
                one.shut()

    def _say(self, words: str) -> None:
        """How it goes with a file; said until another answer is shown."""
        self.said.setText(words)
        self.said.setVisible(bool(words))

    def _look_at(self, what: Any) -> None:
        """Something else is under the mouse."""
        if self.declared.looks and what != self._looked_at:
            self._looked_at = what
            if self.result is not None:
                self.refresh()

    def act(self, gesture: Any) -> None:
        """Pass a gesture on to whoever does it."""
        if isinstance(gesture, Run):
            self._is_begun = True
            self.refresh()
            self.run_requested.emit()
        elif isinstance(gesture, Edit):
            self.edit_requested.emit(gesture)
        elif isinstance(gesture, Select):
            self.select_requested.emit(gesture.position)
        elif isinstance(gesture, Load):
            for one in gesture.each:
                self.load_requested.emit(one.checkpoint, one.slot)
        elif isinstance(gesture, Move):
            option = gesture.option
            if option.of(self.now) == gesture.value:
                self.parts.try_again()
            self.option_moved.emit(option.key, option.written(gesture.value))
        elif isinstance(gesture, Fetch):
            self._awaited[gesture.checkpoint] = gesture
            self.tokenizer_wanted.emit(gesture.checkpoint)
        elif isinstance(gesture, Halt):
            self._awaited.pop(gesture.checkpoint, None)
            self.transfer_unwanted.emit(gesture.checkpoint)
        elif isinstance(gesture, Detail):
            self.detail_wanted.emit(gesture)

    def _marked(self, key: Any) -> None:
        """Set the option that a chart's marker stands for, where it was dragged to."""
        if (moved := moved_by(self.of, key)) is not None:
            self.act(moved)

    def show_position(self, position: int | None) -> None:
        """Bring into sight what the page has of a token, and mark it where the page does."""
        before, self.told = self.told, position
        if self.declared.follows and position != before and self.result is not None:
            self.refresh()
        self.page.show_anchor(position)

    # ---- exporting ---------------------------------------------------------------------------

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """The same blocks, as a picture that is understood alone."""
        shown = self.shown()
        return None if shown is None else self.declared.figure(shown, width, theme)

    def table(self) -> Table | None:
        """The rows, with what a pinned answer adds."""
        return None if (shown := self.shown()) is None else self.declared.rows(shown)

    def tables(self) -> dict[str, Table]:
        """The same, and what else there is in rows, by what it is called."""
        return {} if (shown := self.shown()) is None else self.declared.tables(shown)

    def caption(self, *, rows: bool = False, in_file: bool = False) -> str:
        """How the answer came about, and what it is compared with."""
        if (shown := self.shown()) is None:
            return ""
        return self.declared.legend(shown, self.origin, rows=rows, in_file=in_file)

    def event(self, event: QEvent) -> bool:
        """Know the frame, on which files are dropped."""
        if event.type() == QEvent.Type.ParentChange:
            around = frame_around(self)
            for drops in self._drops:
                drops.watch(around)
        return super().event(event)
