"""What a model is made of: its picture, its count, what was published, and what if."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from explorer.api import Checkpoint, ModelCard, Table
from explorer.document import Document
from explorer.questions.architecture.architecture.question import LONGEST, OPERATION, Anatomy
from explorer.questions.architecture.architecture.what_if import (
    FIELDS,
    NOTES,
    NOTES_SIZES,
    SHARING,
    Changes,
    Outcome,
)
from explorer.ui.blocks.block import LaidPage
from explorer.ui.blocks.painted import PaintedPage
from explorer.ui.theme.schemes import Theme
from explorer.ui.views.dissecting.choices import Choices
from explorer.ui.views.dissecting.details import statistics_table
from explorer.ui.views.dissecting.literature import (
    FIRST_MEASURE,
    literature_page,
    literature_table,
)
from explorer.ui.views.dissecting.pages import count_page, picture_page
from explorer.ui.views.dissecting.parts_list import opened_at_first
from explorer.ui.views.dissecting.picker import Picker
from explorer.ui.views.dissecting.what_if_page import what_if_page, what_if_table
from explorer.ui.views.dissecting.what_if_panel import WhatIfPanel
from explorer.ui.views.view import View
from explorer.ui.widgets.figure import Figure
from explorer.ui.widgets.scrolling import scrolling

PAGES = (
    ("picture", "Picture"),
    ("count", "Count"),
    ("published", "Published"),
    ("what_if", "What if"),
)
FIRST = "google-bert/bert-base-uncased"
"""What is taken apart while no model is loaded and none is chosen."""
MARGIN = 14
DEFAULT_LENGTH = 128


class AnatomyView(View):
    """A bar to choose the model and the page, and below it the page."""

    of: ClassVar = OPERATION
    order = 70
    group = "Architecture"
    glyph = "sitemap-outline"
    needs_model = False

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._now = Document()
        self._cards: Mapping[str, ModelCard] = {}
        self._active = ""
        self.picker = Picker("anatomyModel", "Which model is taken apart", self)
        self.picker.chosen.connect(
            lambda name: self._choose("architecture.checkpoint", name or None)
        )
        self.pages = Choices("anatomyPages", "Page", PAGES, self)
        self.pages.chosen.connect(lambda key: self._choose("architecture.page", key))
        self.by = Choices("anatomyBy", "Areas by", (("part", "by part"), ("kind", "by kind")), self)
        self.by.chosen.connect(lambda key: self._choose("architecture.by", key))
        self.length = self._spin("anatomyLength", "tokens", "Tokens of a text")
        self.length.valueChanged.connect(lambda n: self.option_moved.emit("architecture.length", n))
        self.batch = self._spin("anatomyBatch", "at once", "Texts at once")
        self.batch.valueChanged.connect(lambda n: self.option_moved.emit("architecture.batch", n))
        self.panel = WhatIfPanel(self)
        self.panel.moved.connect(lambda v: self.option_moved.emit("architecture.what_if", v))
        self.panel.chosen.connect(lambda v: self.option_changed.emit("architecture.what_if", v))
        self.page = PaintedPage("architecturePage", self)
        self.page.setAccessibleName("Anatomy")
        self.page.chosen.connect(self._chosen)
        self._lay_out()
        self.set_document(self._now)

    def _spin(self, name: str, suffix: str, spoken: str) -> QSpinBox:
        box = QSpinBox(self)
        box.setObjectName(name)
        box.setAccessibleName(spoken)
        box.setToolTip(f"{spoken}, for memory and work")
        box.setRange(1, LONGEST)
        box.setSuffix(f" {suffix}")
        box.setGroupSeparatorShown(True)
        box.setKeyboardTracking(False)
        return box

    def _lay_out(self) -> None:
        inside = QWidget(self)
        column = QVBoxLayout(inside)
        column.setContentsMargins(MARGIN, 6, MARGIN, MARGIN)
        column.addWidget(self.page)
        column.addStretch(1)
        self.area = scrolling(inside, "architectureArea", self)
        self._tools = QWidget(self)
        tools = QHBoxLayout(self._tools)
        tools.setContentsMargins(MARGIN, 0, MARGIN, 0)
        label = QLabel("Areas", self._tools)
        label.setProperty("role", "small")
        for widget in (label, self.by, self.length, self.batch):
            tools.addWidget(widget)
        tools.addStretch(1)
        bar = QHBoxLayout()
        bar.setContentsMargins(MARGIN, 0, MARGIN, 0)
        bar.addWidget(self.pages)
        bar.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(bar)
        layout.addWidget(self._tools)
        layout.addWidget(self.panel)
        layout.addWidget(self.area, 1)

    def tools(self) -> list[QWidget]:
        """The list of models: it stays in reach when a choice can't be taken apart."""
        return [self.picker]

    # ---- what it asks ------------------------------------------------------------------------

    def set_models(self, cards: Mapping[str, ModelCard], active: str) -> None:
        """A loaded model can be taken apart with its numbers."""
        self._cards, self._active = cards, active
        card = cards.get(active)
        self.picker.set_first(f"{card.title} (loaded)" if card else "")

    def set_library(self, checkpoints: Iterable[Checkpoint]) -> None:
        """Offer every checkpoint whose config is known, here or not."""
        self.picker.set_choices(
            (one.id, one.title) for one in checkpoints if one.family and one.architecture
        )

    def request_of(self, document: Document) -> Anatomy:
        """Asked at once: it takes no sentence."""
        name = str(document.option("architecture.checkpoint", ""))
        if not name and self._active not in self._cards:
            name = FIRST
        what_if, sizes = self._changes(document)
        if sizes:
            name = NOTES
        loaded = not name or any(card.stamp.id == name for card in self._cards.values())
        return Anatomy(
            checkpoint=name,
            length=int(document.option("architecture.length", DEFAULT_LENGTH)),
            batch=int(document.option("architecture.batch", 1)),
            part=str(document.option("architecture.part", "")) if loaded and not sizes else "",
            sizes=sizes,
            what_if=what_if,
        )

    @staticmethod
    def _changes(document: Document) -> tuple[Changes, Changes]:
        """What is changed, and what was changed of the notes' example before; of its page only."""
        if document.option("architecture.page", "picture") != "what_if":
            return (), ()
        values = document.option("architecture.what_if") or {}
        known = {**dict.fromkeys(FIELDS, int), SHARING: str}
        asked = tuple((name, kind(values[name])) for name, kind in known.items() if name in values)
        return asked, NOTES_SIZES if values.get("base") == "notes" else ()

    def empty_hint(self, _document: Document) -> str:
        """Say where models come from."""
        return "Choose a model above: its weights need not be on this computer."

    def set_document(self, document: Document) -> None:
        """Show the options; those that only draw are drawn at once."""
        drawn = self._drawn(self._now) != self._drawn(document)
        self._now = document
        self.picker.show_choice(str(document.option("architecture.checkpoint", "")))
        key = self._key
        self.pages.set_choice(key)
        self.by.set_choice(str(document.option("architecture.by", "part")))
        for box, name, default in (
            (self.length, "architecture.length", DEFAULT_LENGTH),
            (self.batch, "architecture.batch", 1),
        ):
            with QSignalBlocker(box):
                box.setValue(int(document.option(name, default)))
        self._tools.setVisible(key == "count")
        self.panel.setVisible(key == "what_if")
        if drawn:
            self.refresh()

    @staticmethod
    def _drawn(document: Document) -> tuple[Any, ...]:
        return tuple(pair for pair in document.options if pair[0].startswith("architecture."))

    @property
    def _key(self) -> str:
        return str(self._now.option("architecture.page", "picture"))

    # ---- what it shows -----------------------------------------------------------------------

    def refresh(self) -> None:
        """Paint what is held now."""
        if self.result is not None:
            values = self._now.option("architecture.what_if") or {}
            self.panel.show_values(self._outcomes()[1].blueprint, values, self.result.possible)
        self.page.show_page(self._page_at if self.result is not None else None)

    def _page_at(self, width: float) -> LaidPage:
        part = str(self._now.option("architecture.part", ""))
        key = self._key
        if key == "count":
            opened = self._now.option("architecture.open")
            by = str(self._now.option("architecture.by", "part"))
            return count_page(self.result, tuple(opened) if opened else None, part, by, width)
        if key == "published":
            sorting = self._now.option("architecture.sort", {})
            measure = str(self._now.option("architecture.score", FIRST_MEASURE))
            return literature_page(self.result, sorting, measure, width)
        if key == "what_if":
            before, after = self._outcomes()
            return what_if_page(self.result.title, before, after, width, self.result.refused)
        return picture_page(self.result, part, width)

    def _outcomes(self) -> tuple[Outcome, Outcome]:
        """What the model comes to, and what it came to with the changes that were asked about."""
        one = self.result
        before = Outcome(one.blueprint, one.parameters, one.kinds, one.memory_bytes, one.work)
        return before, one.changed or before

    def table(self) -> Table | None:
        """The rows of the page that is shown."""
        if self.result is None:
            return None
        if self._key == "published":
            return literature_table(self.result)
        if self._key == "what_if":
            return what_if_table(*self._outcomes())
        if self.result.statistics:
            return statistics_table(self.result)
        return super().table()

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """The page that is shown."""
        return self._page_at(width).figure(theme) if self.result is not None else None

    # ---- what the user does ------------------------------------------------------------------

    def _choose(self, key: str, value: object) -> None:
        self.option_changed.emit(key, value)

    def _chosen(self, key: tuple[Any, ...]) -> None:
        kind, *rest = key
        if kind == "part":
            part = str(self._now.option("architecture.part", ""))
            self._choose("architecture.part", None if rest[0] == part else rest[0])
        elif kind == "row":
            self._toggle(rest[0])
        elif kind == "measure":
            self._choose("architecture.score", rest[0])
        elif kind == "sort":
            self._sort(*rest)

    def _toggle(self, path: str) -> None:
        """Open or close a row of the tree; the one that was opened is shown in full."""
        held = self._now.option("architecture.open")
        opened = list(held) if held else list(opened_at_first(self.result.tree))
        opened = [p for p in opened if p != path] if path in opened else [*opened, path]
        self._choose("architecture.open", opened or ["-"])
        if path in opened:
            self._choose("architecture.part", path)

    def _sort(self, table: str, column: int) -> None:
        """By a column: numbers fall first, and rise the second time."""
        sorting = dict(self._now.option("architecture.sort", {}))
        at, falls = sorting.get(table, (None, None))
        sorting[table] = [column, not falls if at == column else column > 0]
        self._choose("architecture.sort", sorting)


VIEW = AnatomyView
