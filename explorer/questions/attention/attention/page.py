"""All attention heads at once, and one of them in full: as a matrix, or as lines."""

from dataclasses import replace
from typing import Any, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from explorer.api import Failure, Table
from explorer.document import Document
from explorer.questions.attention.attention.question import OPERATION, Attention, AttentionResult
from explorer.ui.blocks.block import stack
from explorer.ui.blocks.shown import Detail
from explorer.ui.blocks.text import Words
from explorer.ui.document.gestures import set_options
from explorer.ui.guarded import guarded
from explorer.ui.matrices.attention_lines_painting import MOST, LinesContent, head_colours
from explorer.ui.matrices.head_grid_painting import Head
from explorer.ui.theme.schemes import Theme, current_theme
from explorer.ui.views.attending.fetching import Fetching
from explorer.ui.views.attending.head_panes import AllHeadsPane, OneHeadPane
from explorer.ui.views.attending.reading import (
    Difference,
    coarse,
    describe_head,
    fits,
    grid_content,
    head_of,
    heat_content,
    is_same_grid,
    labels_of,
    meaning_of,
    meaning_of_choice,
    title_of,
    why_not_subtract,
    with_pinned,
)
from explorer.ui.views.attending.saving import SavingAll
from explorer.ui.views.attending.tools import HeadsTools, threshold_of
from explorer.ui.views.state_pages import label
from explorer.ui.views.view import View
from explorer.ui.widgets.figure import Figure

FIRST = "0.0"
NARROW = 620
"""Width below which the panes of a view that is high stand one above the other."""


@guarded
class AttentionView(View):
    """Layers x heads on one side, the chosen head on the other."""

    of: ClassVar = OPERATION
    order = 50
    group = "Attention"
    glyph = "grid"
    pinnable = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._options = Document()
        self._drawn: tuple[Any, Any, bool, str] = (None, None, False, "")
        self.heads_tools = HeadsTools(self)
        self.heads_tools.changed.connect(self.option_changed)
        self.heads_tools.moved.connect(self.option_moved)
        self.note = label("attentionNote", "small", self)
        self.note.setWordWrap(True)
        self.all = AllHeadsPane(self)
        self.one = OneHeadPane(self)
        self.one.tools.changed.connect(self.option_changed)
        self.one.tools.moved.connect(self.option_moved)
        self.one.lines.counted.connect(self._count_lines)
        grid = self.all.grid
        grid.describe = self._describe
        grid.chosen.connect(lambda layer, head: self._choose(f"{layer}.{head}"))
        grid.toggled.connect(self._toggle)
        grid.opened.connect(self.one.take_focus)
        self.fetching = Fetching(self._want, self._draw_one)
        self.saving = SavingAll(self)
        self.heads_tools.save.clicked.connect(self.saving.ask)
        self.panes = QSplitter(Qt.Orientation.Horizontal, self)
        self.panes.setObjectName("attentionPanes")
        self.panes.setChildrenCollapsible(False)
        self.panes.setHandleWidth(9)
        for pane in (self.all, self.one):
            self.panes.addWidget(pane)
        self.panes.setStretchFactor(0, 5)
        self.panes.setStretchFactor(1, 6)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 2, 10, 8)
        layout.setSpacing(6)
        layout.addWidget(self.heads_tools)
        layout.addWidget(self.note)
        layout.addWidget(self.panes, 1)
        self.refresh()

    # ---- what is asked ----------------------------------------------------------------------

    def request_of(self, document: Document) -> Attention | None:
        """Asked as soon as there is text; which head is looked at is no part of it."""
        return Attention.of(document) if document.text.strip() else None

    def empty_hint(self, _document: Document) -> str:
        """Say what it needs."""
        return "Type a sentence to see what each attention head looks at."

    def set_document(self, document: Document) -> None:
        """Show what is chosen; the answer that is held is drawn anew."""
        self._options = document
        self.heads_tools.show_options(document)
        self.one.tools.show_options(document)
        if self.result is not None:
            self._draw()

    def tools(self) -> list[QWidget]:
        """Which attention, all heads or one, and saving all; the frame takes them over."""
        self.heads_tools.show_what.show()
        self.heads_tools.save.show()
        return [self.heads_tools.kind, self.heads_tools.show_what, self.heads_tools.save]

    def _want(self, detail: Detail) -> None:
        self.detail_wanted.emit(detail)

    def show_detail(self, detail: Detail, result: Any) -> None:
        """Draw the heads that have come."""
        if self.saving.takes(detail, result):
            return
        self.fetching.take(detail, result)

    def detail_failed(self, detail: Detail, failure: Failure) -> None:
        """Say why; the head is drawn from the overview."""
        if self.saving.stopped(detail, failure):
            return
        self.fetching.fail(detail, failure)

    # ---- what is chosen ---------------------------------------------------------------------

    @property
    def choice(self) -> str:
        """What is shown in full, as in "3.5", "mean" or "rollout"."""
        chosen = str(self._options.option("attention.head", FIRST))
        return chosen if self.result is not None and fits(chosen, self.result) else FIRST

    @property
    def choices(self) -> tuple[str, ...]:
        """What is shown as lines: the choice, and the heads that were added to it."""
        chosen = [self.choice]
        if self._draws_lines and self.baseline is None:
            added = self._options.option("attention.lines", [])
            if isinstance(added, list):
                chosen += [one for one in map(str, added) if fits(one, self.result)]
        return tuple(dict.fromkeys(chosen))[: len(head_colours(current_theme()))]

    @property
    def _draws_lines(self) -> bool:
        return bool(self._options.option("attention.draw", "matrix") == "lines")

    @property
    def _shown(self) -> str:
        return str(self._options.option("attention.show", "both"))

    @property
    def _logarithmic(self) -> bool:
        return bool(self._options.option("attention.log", False))

    def _choose(self, choice: str) -> None:
        if choice == self.choice and self.fetching.now is None and self.fetching.is_idle:
            self._fetch()  # it was cancelled or could not be had, and is wanted once more
        self.option_moved.emit("attention.head", choice if choice != FIRST else None)

    def _toggle(self, layer: int, head: int) -> None:
        """Add a head to the lines, or take it away; the first one added turns lines on."""
        added = [one for one in self.choices if one != self.choice]
        one = f"{layer}.{head}"
        if one == self.choice:
            return
        added = [other for other in added if other != one] if one in added else [*added, one]
        values: dict[str, object] = {"attention.lines": added or None}
        if added and not self._draws_lines:
            values["attention.draw"] = "lines"
        self.edit_requested.emit(set_options(self._options, values, f"draw head {one}"))

    @property
    def before(self) -> AttentionResult | None:
        """The pinned answer where it can be taken from this one."""
        pinned = self.baseline.result if self.baseline is not None else None
        if self.result is None or pinned is None or pinned is self.result:
            return None
        return pinned if not why_not_subtract(self.result, pinned) else None

    # ---- what is drawn ----------------------------------------------------------------------

    def refresh(self) -> None:
        """Draw what is held now."""
        self.heads_tools.show_result(
            self.result, self._options, change=self._grid_before() is not None
        )
        if self.result is None:
            self.all.grid.set_content(None)
            self.one.heat.set_content(None)
            self.one.lines.set_content(None)
            self.note.hide()
            return
        self._draw()

    def _grid_before(self) -> AttentionResult | None:
        before = self.before
        return before if before is not None and is_same_grid(self.result, before) else None

    def _draw(self) -> None:
        self.note.setText(" ".join(self._notes()))
        self.note.setVisible(bool(self.note.text()))
        self.all.setVisible(self._shown != "one")
        self.one.setVisible(self._shown != "all")
        self._draw_all()
        self._fetch()

    def _draw_all(self) -> None:
        rank = str(self._options.option("attention.rank", ""))
        before = self._grid_before()
        drawn = (self.result, before, self._logarithmic, rank)
        # Compared by identity: results hold arrays, and a new answer is another object.
        if any(a is not b for a, b in zip(drawn[:2], self._drawn[:2], strict=True)) or (
            drawn[2:] != self._drawn[2:]
        ):
            self._drawn = drawn
            content = grid_content(self.result, before, logarithmic=self._logarithmic, rank=rank)
            self.all.grid.set_content(content)
        self.all.about.setText(" ".join(self._about_all(rank, before)))
        colours = head_colours(current_theme())
        also: list[tuple[Head, QColor]] = []
        if self._draws_lines and len(self.choices) > 1:
            for number, choice in enumerate(self.choices):
                head = head_of(choice)
                if head is not None:
                    also.append((head, colours[number]))
        self.all.grid.set_chosen(head_of(self.choice), also)

    def _about_all(self, rank: str, before: AttentionResult | None) -> list[str]:
        result: AttentionResult = self.result
        said = [f"{result.layers} layers x {result.heads} heads."]
        if max(result.block) > 1:
            rows, columns = result.block
            said.append(f"A dot is the strongest of {rows} x {columns} weights.")
        if before is not None:
            said.append("Now less before.")
        content = self.all.grid.content
        said.append(meaning_of(rank) if content is not None and content.order else "")
        return [one for one in said if one]

    def _notes(self) -> list[str]:
        result: AttentionResult = self.result
        notes = [result.note] if result.note else []
        if result.left_out is not None:
            notes.append(f"{result.left_out.tokens} tokens did not fit into the model.")
        pinned = self.baseline.result if self.baseline is not None else None
        if pinned is not None and pinned is not result:
            why = why_not_subtract(result, pinned)
            if why:
                notes.append(f"{why} This is the answer itself.")
            elif not is_same_grid(result, pinned):
                notes.append(
                    f"The pinned model has {pinned.layers} layers of {pinned.heads} heads; all "
                    "heads are shown as they are, the chosen one as the difference."
                )
        return notes

    def _fetch(self) -> None:
        """Ask for the chosen heads where they are not known yet."""
        assert self.document is not None
        request = replace(Attention.of(self.document), heads=self.choices)
        before = None
        if self.before is not None and self.baseline is not None:
            pinned = replace(Attention.of(self.baseline.document), heads=(self.choice,))
            if fits(self.choice, self.before):
                before = Detail(pinned, self.before.model, "before")
        self.fetching.fetch(Detail(request, self.result.model, "now"), before)

    def _draw_one(self) -> None:
        """The chosen heads have come, or can't."""
        if self.result is None:
            return
        result: AttentionResult = self.result
        self.one.show_lines(self._draws_lines)
        self.one.tools.show_choices(result, self.choice)
        now, before = self.fetching.now, self.fetching.before
        said = [meaning_of_choice(self.choice)]
        if self.fetching.why:
            said.append(f"{self.fetching.why} This is the head as small as among all heads.")
        difference = Difference(before.weights[0], before) if before is not None else None
        if now is not None:
            content = heat_content(
                result, now.weights[0], difference, logarithmic=self._logarithmic
            )
            self.one.heat.set_content(content)
            self.one.lines.set_content(self._lines(now, difference))
        else:
            head = head_of(self.choice)
            small = coarse(result, head) if head is not None else None
            self.one.heat.set_content(small)
            self.one.lines.set_content(None)
        if difference is not None:
            said.append("Now less before: orange is more than it was, blue less.")
        if now is not None and now.half:
            said.append("Kept with 11 bits, as all heads together are very large.")
        self.one.about.setText(" ".join(one for one in said if one))
        self.one.about.setVisible(bool(self.one.about.text()))

    def _lines(self, now: AttentionResult, difference: Difference | None) -> LinesContent:
        weights: Any = now.weights
        if difference is not None:
            weights = weights[:1] - difference.weights[None]
        others = (
            (difference.result.queries, difference.result.keys)
            if difference is not None
            else (None, None)
        )
        return LinesContent(
            tuple(title_of(choice) for choice in now.chosen[: len(weights)]),
            weights,
            labels_of(self.result.queries, others[0]),
            labels_of(self.result.keys, others[1]),
            threshold_of(self._options),
            signed=difference is not None,
        )

    def _count_lines(self, count: int) -> None:
        names = self.one.lines.content.names if self.one.lines.content is not None else ()
        said = f"{count:,} lines" if count != 1 else "1 line"
        if count > MOST:
            said = f"The strongest {MOST:,} of {said}"
        self.one.count.setText(f"{said}, {len(names)} heads" if len(names) > 1 else said)

    def _describe(self, head: Head) -> str:
        return describe_head(self.result, head) if self.result is not None else ""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Panes side by side, or one above the other."""
        super().resizeEvent(event)
        narrow = self.width() < NARROW and self.height() > self.width()
        wanted = Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal
        if self.panes.orientation() != wanted:
            self.panes.setOrientation(wanted)

    # ---- what leaves ------------------------------------------------------------------------

    def table(self) -> Table | None:
        """The weights of the head where it is shown alone; else the measures of all heads."""
        now = self.fetching.now
        if self.result is None or self._shown != "one" or now is None:
            return super().table()
        before = self.fetching.before
        return (
            with_pinned(OPERATION.table(now), before)
            if before is not None
            else (OPERATION.table(now))
        )

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """What is shown: the head, all heads, or both one below the other."""
        if self.result is None:
            return None
        blocks: list[tuple[float, Any]] = []
        if self._shown != "all":
            shown = self.one.lines if self._draws_lines else self.one.heat
            figure = shown.figure(width, theme)
            if figure is not None:
                blocks.append((0, Words(self._title_of_figure(), width, "strong")))
                blocks.append((6, Pictured(figure)))
        if self._shown != "one":
            figure = self.all.grid.figure(width, theme)
            if figure is not None:
                blocks.append((18 if blocks else 0, Words("All heads", width, "strong")))
                blocks.append((2, Words(self.all.about.text(), width, "small", "muted")))
                blocks.append((6, Pictured(figure)))
        return stack(blocks, width).figure(theme)

    def _title_of_figure(self) -> str:
        heads = " · ".join(title_of(choice) for choice in self.choices)
        return f"{heads} (now less before)" if self.fetching.before is not None else heads


class Pictured:
    """A picture as a block of a page."""

    spots = ()

    def __init__(self, figure: Figure) -> None:
        self._figure = figure
        self.height = figure.height

    def paint(self, painter: Any, _theme: Theme) -> None:
        """Paint it with its corner at (0, 0)."""
        self._figure.paint(painter)


VIEW = AttentionView
