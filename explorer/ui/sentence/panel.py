"""The sentence: as text, with its tools, and as the tokens of the model that answers."""

from dataclasses import replace
from typing import TypeVar

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.document import Document
from explorer.questions.masking.masked_tokens.question import MaskedTokensResult
from explorer.questions.tokenizers.tokens.question import TokensResult
from explorer.samples.sample_files import Sample
from explorer.text import _
from explorer.ui.controls.buttons.menu_button import MenuButton
from explorer.ui.controls.buttons.menu_titles import MenuTitles
from explorer.ui.document.edits import Edits
from explorer.ui.guarded import guarded
from explorer.ui.sentence.samples_menu import SamplesMenu
from explorer.ui.sentence.second_tools import SecondTools
from explorer.ui.sentence.text_editor import TextEditor
from explorer.ui.sentence.tokens.strip import TokenStrip
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.theme.schemes import theme_signals

Button = TypeVar("Button", bound=QToolButton)

WHOLE_WORDS = "masking.whole_words"
"""The document's option: masks cover all pieces of a word."""

LEAST_TEXT = 460
"""Pixels that the text gets before the titles of the menus fold, and the tools lose their words."""
LEAST_BESIDE_ICONS = 360
"""Pixels that it gets before what is found in the menus, too, leaves the row."""
LEAST_BESIDE = 200
"""Pixels that it gets beside models and tools before it has a row of its own."""

MARGINS = 40
"""Pixels between and around all of these."""
WORDS = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
ICON = Qt.ToolButtonStyle.ToolButtonIconOnly

STRIP_LINES = 190
"""Height in pixels the tokens may take before they scroll."""


@guarded
class StripArea(QScrollArea):
    """Where the tokens are scrolled, if there are many.

    Signals:
        resized: It has another size: the tokens wrap anew.
    """

    resized = Signal()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell."""
        super().resizeEvent(event)
        self.resized.emit()


@guarded
class SentencePanel(QWidget):
    """Editors and their tools in one row, between models and menus; and the tokens.

    Args:
        edits: Of the document.
        strip_parent: In which the tokens stand, which are laid out below that row.
        parent: In which the row stands.

    Signals:
        selected: Position of the chosen token in the model's input, or None.
        sample_taken: The question that a chosen sample is made for.
        room_wanted: Give the views more room, or less again.
    """

    selected = Signal(object)
    sample_taken = Signal(str)
    room_wanted = Signal()

    def __init__(self, edits: Edits, strip_parent: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("sentence")
        self._edits = edits
        self._strip_document: Document | None = None
        self._tokens: TokensResult | None = None
        self._models: QWidget | None = None
        self._menus: MenuTitles | None = None
        self._is_beside = True
        self._taken: tuple[int, ...] = ()
        self._grid = QGridLayout(self)
        self._filled: MaskedTokensResult | None = None
        self.editors = (
            self._editor(0, "sentence_text", _("Type or paste a sentence"), _("Sentence")),
            self._editor(1, "sentence_pair", _("Type a second sentence"), _("Second sentence")),
        )
        self.second = SecondTools(edits, self)
        self.strip_area = self._strip_area(strip_parent)
        self.strip = TokenStrip(self.strip_area)
        self.strip_area.setWidget(self.strip)
        self.strip_area.resized.connect(self._fit_strip)
        self.samples = self._samples_button()
        self.pair = self._tool("pair_button", _("Second text"), "text-box-plus-outline")
        self.pair.setCheckable(True)
        self.pair.setToolTip(_("Add a second text, for models that take two"))
        self.clear = self._tool("clear_masks_button", _("Clear masks"), "eraser")
        self.clear.setToolTip(_("Unmask everything"))
        self.whole = self._tool("whole_words_button", _("Whole words"), "format-letter-spacing")
        self.whole.setCheckable(True)
        self.whole.setToolTip(
            _(
                "Mask whole words: a click masks all pieces of a word, a drag a span of words "
                "(W masks the word in focus)"
            )
        )
        self.details = self._tool("token_details_button", _("Token"), "information-outline")
        self.details.setToolTip(_("What is known of the chosen token (Ctrl+I)"))
        self.details.clicked.connect(self.strip.details_wanted)
        self.room = self._tool("room_button", _("More room"), "arrow-expand-horizontal")
        self.room.setToolButtonStyle(ICON)
        self.room.setToolTip(_("More room for the pages: hide the side panels (F9)"))
        self.room.clicked.connect(self.room_wanted)
        self._lay_out()
        self._connect()
        self._said: object = None
        self._show(edits.document)

    def hold(self, models: QWidget, menus: MenuTitles) -> None:
        """Have the models before the text, and the menus after its tools, in one row."""
        self._models, self._menus = models, menus
        self._grid.addWidget(models, 0, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(menus, 0, 3, Qt.AlignmentFlag.AlignTop)

    def event(self, event: QEvent) -> bool:
        """Models and menus take another room, or the panel has another one."""
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self._fit_tools()
        return super().event(event)

    def _fit_anew(self, _theme: object = None) -> None:
        """Texts and icons have another size."""
        self._taken = ()
        self._fit_tools()

    def _fit_tools(self) -> None:
        """Fold what the text needs the room of: the menus first, what they have too last."""
        models, menus = self._models, self._menus
        if models is None or menus is None:
            return
        taken = self.width(), models.sizeHint().width(), menus.bar.sizeHint().width()
        if taken == self._taken:
            return
        self._taken = taken
        left = self.width() - models.sizeHint().width() - MARGINS
        for folded, least in enumerate((LEAST_TEXT, LEAST_TEXT, LEAST_BESIDE_ICONS, 0)):
            menus.fold(folded > 0)
            for button in (self.pair, self.clear, self.whole, self.details):
                button.setToolButtonStyle(WORDS if folded < 2 else ICON)
            self.samples.setToolButtonStyle(WORDS if folded < 3 else ICON)
            self.room.setVisible(folded < 3)
            if left - self._wide >= zoomed(least):
                break
        is_beside = left - self._wide >= zoomed(LEAST_BESIDE)
        if is_beside != self._is_beside:
            self._is_beside = is_beside
            self._grid.removeItem(self._texts)
            self._grid.addLayout(self._texts, *((0, 1) if is_beside else (1, 0, 1, 4)))

    @property
    def _wide(self) -> int:
        """Of tools and menus, as they are now."""
        row = (self.samples, self.pair, self.clear, self.whole, self.details, self.room)
        tools = sum(one.sizeHint().width() + 2 for one in row if not one.isHidden())
        return tools + self._menus.sizeHint().width() if self._menus is not None else tools

    def show_tokens(
        self, document: Document, result: TokensResult, *, answer_follows: bool = False
    ) -> None:
        """Show the tokens a model made of a document; those of an older one are ignored.

        Args:
            document: What was tokenised.
            result: The tokens.
            answer_follows: Predictions are on their way: those that stand under the masks of the
                same model stay until then, so that nothing jumps.
        """
        now = self._edits.document
        if (document.text, document.pair) != (now.text, now.pair):
            return
        before, self._tokens = self._tokens, result
        self._strip_document = document
        self.strip.set_tokens(result.tokens, result.left_out, document)
        if (document.masks, document.entities) != (now.masks, now.entities):
            self.strip.set_masks(now)
        is_same_model = before is not None and before.model == result.model
        self._note_predictions(keep=answer_follows and is_same_model)

    def show_no_tokens(self) -> None:
        """Show plain words: there is no model to cut the text."""
        self._strip_document = self._tokens = None
        self.strip.set_plain_words(self._edits.document)
        self._fit_strip()

    def show_predictions(self, result: MaskedTokensResult) -> None:
        """Write the best guesses under the masks, as long as these very tokens are shown."""
        self._filled = result
        self._note_predictions(keep=True)

    def expect_guesses(self, come: bool) -> None:
        """Keep room for guesses, or give it to the page where none of them come."""
        self.strip.expect_guesses(come)
        self._fit_strip()

    def _note_predictions(self, *, keep: bool) -> None:
        tokens, filled = self._tokens, self._filled
        fits = (
            tokens is not None
            and filled is not None
            and filled.model.fingerprint == tokens.model.fingerprint
            and filled.tokens == tokens.tokens
        )
        if fits and filled is not None:
            best = {m.position: m.predictions[0].word for m in filled.masks if m.predictions}
            self.strip.set_predictions(best)
        elif not keep:
            self.strip.set_predictions({})
        self._fit_strip()

    @property
    def _seen(self) -> Document:
        """The document that the tokens are of: a slow model's tokens come after the text."""
        now, shown = self._edits.document, self._strip_document
        return now if shown is None else replace(shown, masks=now.masks, entities=now.entities)

    def mask_selection(self) -> None:
        """Mask what is selected in the editor that has the focus, or in the strip."""
        for editor in self.editors:
            if editor.hasFocus():
                start, end = editor.selected_range()
                if start < end:
                    self._edits.toggle_mask(start, end, editor.part)
                return
        self.strip.mask_selection()

    def open_samples(self) -> None:
        """Let a sample be chosen."""
        self.samples.menu().popup(self.samples.mapToGlobal(self.samples.rect().bottomLeft()))

    def take_sample(self, sample: Sample) -> None:
        """Go to a sample, and ask for the page that it is made for."""
        self._edits.take_sample(sample)
        if sample.view:
            self.sample_taken.emit(sample.view)

    def focus_text(self) -> None:
        """Put the cursor into the sentence."""
        self.editors[0].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focus_tokens(self) -> None:
        """Go to the tokens."""
        self.strip.setFocus(Qt.FocusReason.TabFocusReason)

    # ---- making ------------------------------------------------------------------------------

    def _editor(self, part: int, name: str, placeholder: str, spoken: str) -> TextEditor:
        editor = TextEditor(part, self)
        editor.setObjectName(name)
        editor.setPlaceholderText(placeholder)
        editor.setAccessibleName(spoken)
        editor.typed.connect(lambda text: self._edits.type_text(text, part))
        return editor

    def _strip_area(self, parent: QWidget) -> StripArea:
        area = StripArea(parent)
        area.setObjectName("token_area")
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return area

    def _tool(self, name: str, text: str, glyph: str) -> QToolButton:
        return self._dressed(QToolButton(self), name, text, glyph)

    def _dressed(self, button: Button, name: str, text: str, glyph: str) -> Button:
        button.setObjectName(name)
        button.setText(text)
        button.setAccessibleName(text)
        button.setIcon(icon(glyph))
        icon_in_size(button)
        button.setToolButtonStyle(WORDS)
        return button

    def _samples_button(self) -> MenuButton:
        button = self._dressed(MenuButton(self), "samples_button", _("Samples"), "playlist-star")
        menu = SamplesMenu(button)
        menu.taken.connect(self.take_sample)
        button.opens(menu)
        return button

    def _lay_out(self) -> None:
        tools = QHBoxLayout()
        tools.setContentsMargins(0, 0, 0, 0)
        tools.setSpacing(2)
        for button in (self.samples, self.pair, self.clear, self.whole, self.details, self.room):
            tools.addWidget(button)
        self._texts = texts = QVBoxLayout()
        texts.setSpacing(4)
        texts.addWidget(self.editors[0])
        beside = QHBoxLayout()
        beside.setSpacing(4)
        beside.addWidget(self.editors[1], 1)
        beside.addWidget(self.second, 0, Qt.AlignmentFlag.AlignTop)
        texts.addLayout(beside)
        self._grid.setContentsMargins(10, 3, 8, 3)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._grid.addLayout(texts, 0, 1)
        self._grid.addLayout(tools, 0, 2, Qt.AlignmentFlag.AlignTop)

    def _connect(self) -> None:
        edits = self._edits
        edits.state.changed.connect(self._show)
        theme_signals().changed.connect(self._fit_anew)
        theme_signals().changed.connect(self._fit_strip)
        self.pair.clicked.connect(self.set_pair)
        self.clear.clicked.connect(edits.clear_masks)
        self.whole.clicked.connect(lambda on: edits.set_option(WHOLE_WORDS, on or None))
        self.strip.mask_toggled.connect(
            lambda start, end, part: edits.toggle_mask(start, end, part, self._seen)
        )
        self.strip.click_taken_back.connect(
            lambda start, end, part: edits.take_back_mask(start, end, part, self._seen)
        )
        self.strip.token_toggled.connect(lambda one: edits.toggle_token(one, self._seen))
        self.strip.token_taken_back.connect(lambda one: edits.take_back_token(one, self._seen))
        self.strip.mask_span.connect(
            lambda start, end, part: edits.mask(start, end, part, self._seen)
        )
        self.strip.replaced.connect(
            lambda start, end, words, part: edits.put_words(start, end, words, part, self._seen)
        )
        self.strip.unmask_all.connect(edits.clear_masks)
        self.strip.entity_put.connect(lambda one: edits.put_entity(one, self._seen))
        self.strip.selected.connect(self.selected)

    def set_pair(self, wanted: bool) -> None:
        """Open the second text for typing, or take it away."""
        was_typed_in = self.editors[1].hasFocus()
        self._edits.set_pair(wanted)
        if wanted:
            self.editors[1].setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif was_typed_in:
            self.focus_text()

    # ---- showing -----------------------------------------------------------------------------

    def _show(self, document: Document) -> None:
        self.second.show_document(document)
        whole = document.option(WHOLE_WORDS, False) is True
        said = (document.text, document.pair, document.masks, document.entities, whole)
        if said == self._said:
            # Only a view's option changed: arranging 512 tokens anew takes longer than the view.
            return
        self._said = said
        for editor in self.editors:
            masks = [(m.start, m.end) for m in document.masks if m.part == editor.part]
            editor.show_text(document.part(editor.part), masks)
        self.editors[1].setVisible(document.pair is not None)
        self.second.setVisible(document.pair is not None)
        self.pair.setChecked(document.pair is not None)
        self.clear.setEnabled(bool(document.masks))
        self.strip.whole_words = whole
        self.whole.setChecked(whole)
        shown = self._strip_document
        if shown is None:
            self.strip.set_plain_words(document)
        elif (shown.text, shown.pair) == (document.text, document.pair):
            self.strip.set_masks(document)
        self._fit_strip()

    def _fit_strip(self, _theme: object = None) -> None:
        # Its viewport hears of a new width only once the window is seen.
        bar = self.strip_area.verticalScrollBar()
        width = max(self.strip_area.width() - (bar.width() if bar.isVisible() else 0), 200)
        height = min(self.strip.heightForWidth(width), STRIP_LINES)
        if self.strip_area.height() != height:
            self.strip_area.setFixedHeight(max(height, 34))
