"""The overview's page: its title, how far it is, and the rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from explorer.text import _, ngettext, said
from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.widget.painted import PaintedPage
from explorer.ui.controls.plain_words import plain_label
from explorer.ui.controls.scrolling import scrolling
from explorer.ui.guarded import guarded
from explorer.ui.overview.gestures import Go, LoadFor
from explorer.ui.overview.miniature import Miniatures
from explorer.ui.overview.plan import LeftAside
from explorer.ui.overview.rows import blocks_of
from explorer.ui.runs.unable import NO_MODEL
from explorer.ui.theme.schemes import theme_signals
from explorer.ui.theme.text_roles import in_role
from explorer.ui.views.frame.view_frame import FrameState, ViewFrame

if TYPE_CHECKING:
    from explorer.ui.workbench.workbench import Workbench

MARGIN = 14


def title() -> str:
    """What the page is called."""
    return _("Overview")


@guarded
class HowFar(QWidget):
    """How many of the questions are answered, and a button that stops or goes on.

    Attributes:
        label: The count.
        button: Stops, or goes on.
    """

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._survey = bench.overview
        self.label = plain_label(self)
        self.label.setObjectName("overviewHowFar")
        in_role(self.label, "small")
        self.button = QToolButton(self)
        self.button.setObjectName("overviewStop")
        self.button.clicked.connect(self._press)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.label)
        row.addWidget(self.button)

    def show_now(self) -> None:
        """Say how far it is; nothing where there is nothing to ask."""
        whole = len(self._survey.plan.asked)
        done = whole - len(self._survey.pending)
        if done < whole:
            self.label.setText(_("{done} of {count} asked", done=done, count=whole))
        else:
            self.label.setText(ngettext("{count} question asked", "{count} questions asked", whole))
        self.label.setVisible(whole > 0)
        self.button.setVisible(done < whole)
        self.button.setText(_("Go on") if self._survey.is_stopped else _("Stop"))

    def _press(self) -> None:
        if self._survey.is_stopped:
            self._survey.go_on()
        else:
            self._survey.stop()


@guarded
class OverviewFrame(ViewFrame):
    """Shows what a survey finds.

    Attributes:
        page: The rows.
        how_far: The count and its button.
        miniatures: The small pictures.

    Signals:
        page_wanted: The name of a question: open its page.
        position_wanted: The position of a token in the model's input: turn to it.
    """

    page_wanted = Signal(str)
    position_wanted = Signal(int)

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        content = QWidget()
        self._bench, self._survey = bench, bench.overview
        self.how_far = HowFar(bench)
        about = _("What stands out for this sentence and these models, the strongest first")
        super().__init__(title(), about, content, [self.how_far], parent)
        self.setObjectName("viewFrame_overview")
        self.export_button.hide()
        self.header.help.hide()
        inside = QWidget(content)
        self.page = PaintedPage("overviewPage", inside)
        self.page.setAccessibleName(title())
        self.page.acted.connect(self.act)
        column = QVBoxLayout(inside)
        column.setContentsMargins(MARGIN, 2, MARGIN, MARGIN)
        column.addWidget(self.page)
        column.addStretch(1)
        layout = QVBoxLayout(content)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scrolling(inside, "overviewArea", content))
        self.miniatures = Miniatures(self)
        self.miniatures.drawn.connect(self.page.update)
        self._survey.changed.connect(self._draw)
        # After the small pictures of the other colours are forgotten.
        theme_signals().changed.connect(self._draw)
        self._draw()

    def _draw(self, _theme: object = None) -> None:
        """Show what is known of the models, the document and the answers of now."""
        self.how_far.show_now()
        models, state = self._bench.models, self._bench.state
        loading = models.loading.get(models.active)
        if models.active_card is None and (loading is not None or models.are_expected):
            self.show_working()
            if loading is not None:
                words = _("Loading {title}", title=loading.title)
                self.set_progress(words, loading.done, loading.total, said(loading.stage))
        elif models.active_card is None:
            self._show_empty(_(NO_MODEL), (_("Open the library"), self._open_library))
        elif not state.document.text.strip():
            sentence = _("Type a sentence above: what stands out for it is shown here.")
            self._show_empty(sentence, *self._bench.examples.any_way())
        else:
            self.miniatures.sharpness = self.devicePixelRatioF()
            self.miniatures.want(self._survey.standing_out)
            blocks = list(blocks_of(self._survey, self.miniatures.of, self._way_for))
            self.page.show_page(partial(page_of, blocks))
            if self.state is not FrameState.RESULT:
                self.show_result()

    def _show_empty(self, sentence: str, *ways: tuple[str, Callable[[], None]]) -> None:
        self.page.show_page(None)
        self.show_empty(sentence, ways=ways)

    def _open_library(self) -> None:
        self._bench.actions.library_wanted.emit(self._bench.models.active)

    def _way_for(self, one: LeftAside) -> LoadFor | None:
        """The first button that the question's own page would offer."""
        request = one.of.request_among(self._bench.state.document, {}, "")
        ways = self._bench.asking.ways(one.of, request, one.cast)
        # The last one is the library, where no model here can.
        return LoadFor(one.of.name, ways[0]) if len(ways) > 1 else None

    def act(self, gesture: object) -> None:
        """Go where a row leads, or load what a question needs."""
        if isinstance(gesture, LoadFor):
            _words, load = gesture.way
            self.page_wanted.emit(gesture.question)
            load()
        elif isinstance(gesture, Go):
            self._go(gesture)

    def _go(self, gesture: Go) -> None:
        """Open the page, and turn to the head, the layer, the cell or the token."""
        from explorer.questions import all_questions
        from explorer.ui.views.frame.key_finding import place_of

        self.page_wanted.emit(gesture.question)
        if gesture.headline is None or gesture.document is None:
            return
        of = all_questions()[gesture.question]
        edit = place_of(of, gesture.headline, self._bench.state.document)
        if edit is not None:
            self._bench.state.apply(edit)
        elif gesture.headline.position is not None:
            self.position_wanted.emit(gesture.headline.position)
