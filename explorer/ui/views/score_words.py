"""The user's own words at every mask: probability, rank and log-odds, whole words always."""

from typing import ClassVar

from PySide6.QtWidgets import QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from explorer.api import Table
from explorer.document import Document, Mask
from explorer.operations.score_words import (
    OPERATION,
    GapScores,
    ScoreWords,
    ScoreWordsResult,
    probability_of,
)
from explorer.ui.gestures import put_words
from explorer.ui.glossary import explain
from explorer.ui.theme import Theme
from explorer.ui.views.filling.scores import Scores, axis_of, rows_of
from explorer.ui.views.filling.sentence import Sentence
from explorer.ui.views.mask_card_text import left_out_said
from explorer.ui.views.pinned_masks import compared_with
from explorer.ui.views.pinned_places import matched, no_mask_said
from explorer.ui.views.view import Pinned, View
from explorer.ui.widgets.figure import Figure
from explorer.ui.widgets.painted_page import Block, Page, PaintedPage, Words, stack
from explorer.ui.widgets.scrolling import scrolling

MARGIN = 14
OPTION = "score_words.words"
ABOUT = (
    "The axis counts in powers of ten, so that rare words can be told apart. Rank: the place in "
    "the whole vocabulary, where a word of several pieces has none. Log-odds: 0 is as likely as "
    "not."
)


class ScoreWordsView(View):
    """A line for the words, and a table for every gap."""

    of: ClassVar = OPERATION
    order = 14
    group = "Masking"
    glyph = "format-list-numbered"
    pinnable = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = QLineEdit(self)
        self.words.setObjectName("ownWords")
        self.words.setAccessibleName("Words to score, with commas between them")
        self.words.setPlaceholderText("soup, fried rice, …")
        self.words.setToolTip(
            "Your words, with commas between them. A word that the model cuts into pieces is "
            f"scored whole.\n{explain('log-odds')}"
        )
        self.words.setClearButtonEnabled(True)
        self.words.setMinimumWidth(190)
        self.words.setMaximumWidth(420)
        self.words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.words.textEdited.connect(lambda text: self.option_moved.emit(OPTION, text or None))
        self.words.hide()
        self.page = PaintedPage("scorePage", self)
        self.page.setAccessibleName("My own words")
        self.page.chosen.connect(self._put)
        inside = QWidget(self)
        column = QVBoxLayout(inside)
        column.setContentsMargins(MARGIN, 2, MARGIN, MARGIN)
        column.addWidget(self.page)
        column.addStretch(1)
        self.area = scrolling(inside, "scoreArea", self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.area, 1)

    def request_of(self, document: Document) -> ScoreWords | None:
        """Asked as soon as something is masked and there are words."""
        request = ScoreWords.of(document)
        masked = document.masks or document.literal_masks()
        return request if document.text.strip() and masked and request.words else None

    def empty_hint(self, document: Document) -> str:
        """Say what is missing: a text, a mask, or words."""
        if not document.text.strip():
            return "Type a sentence, then click a word to mask it."
        if not (document.masks or document.literal_masks()):
            return "Click a word to mask it, then type your own words for it above."
        return "Type your own words for the mask above, with commas between them: soup, fried rice."

    def set_document(self, document: Document) -> None:
        """Show the words that are asked for, unless the user is typing them."""
        words = document.option(OPTION, "")
        words = words if isinstance(words, str) else ""
        if words != self.words.text():
            self.words.setText(words)
            self.words.setCursorPosition(0)

    def tools(self) -> list[QWidget]:
        """The line for the words; the frame takes it over."""
        self.words.show()
        return [self.words]

    def refresh(self) -> None:
        """Paint what is held now."""
        self.page.show_page(self._page_at if self.result is not None else None)

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """The page with the sentence, which on screen stands above it."""
        if self.result is None:
            return None
        page = score_page(self.result, self.document, self.baseline, width, alone=True)
        return page.figure(theme)

    def table(self) -> Table | None:
        """The words; with a pinned answer, what each had there beside them."""
        plain = super().table()
        if plain is None or self.baseline is None:
            return plain
        known = _pinned_probabilities(self.result, self.document, self.baseline)
        place = {name: index for index, name in enumerate(plain.columns)}
        rows = []
        for row in plain.rows:
            gap, word, now = (row[place[name]] for name in ("gap", "word", "probability"))
            words = (known[gap] if isinstance(gap, int) else None) or {}
            before = words.get(str(word))
            change = now - before if isinstance(now, float) and before is not None else None
            rows.append((*row, before, change))
        return Table((*plain.columns, "pinned_probability", "change"), tuple(rows))

    def caption(self) -> str:
        """With a pinned answer, what it was."""
        return super().caption() + compared_with(self.baseline)

    def _page_at(self, width: float) -> Page:
        return score_page(self.result, self.document, self.baseline, width)

    def _put(self, key: tuple[str, int, str]) -> None:
        """Put a word into its gap."""
        if key[0] != "word" or self.document is None:
            return
        gap: GapScores = self.result.gaps[key[1]]
        place = Mask(gap.start, gap.end, gap.part)
        self.edit_requested.emit(put_words(self.document, (place, key[2])))


def score_page(
    result: ScoreWordsResult,
    document: Document | None,
    pinned: Pinned | None,
    width: float,
    *,
    alone: bool = False,
) -> Page:
    """The whole page at a width.

    Args:
        result: What is shown.
        document: Whose characters the tokens show.
        pinned: What it is compared with.
        width: In pixels.
        alone: It is to be understood without the window: with the sentence.
    """
    blocks: list[tuple[float, Block]] = []
    missing = left_out_said(result.left_out)
    if missing:
        blocks.append((0, Words(missing, width, "small", "warning")))
    before = _pinned_probabilities(result, document, pinned)
    every = [rows_of(gap, words) for gap, words in zip(result.gaps, before, strict=True)]
    axis = max(axis_of(rows) for rows in every)
    names = [f"mask {number}" for number in range(1, len(every) + 1)]
    notes = {}
    if len(every) > 1:
        notes = {gap.positions[0]: name for gap, name in zip(result.gaps, names, strict=True)}
    if alone or notes:
        blocks.append((4, Sentence(result.tokens, document, width, notes, {})))
    for number, rows in enumerate(every):
        if len(every) > 1:
            blocks.append((16, Words(names[number].capitalize(), width, "title")))
        if before[number] is None and pinned is not None and document is not None:
            said = no_mask_said(document, pinned.document)
            blocks.append((4, Words(said, width, "small", "muted")))
        blocks.append((6, Scores(rows, number, width, axis)))
    blocks.append((10, Words(ABOUT, width, "small", "muted")))
    blocks.append((3, Words(result.method, width, "small", "muted")))
    if result.note:
        blocks.append((3, Words(result.note, width, "small", "muted")))
    return stack(blocks, width)


def _pinned_probabilities(
    result: ScoreWordsResult, document: Document | None, pinned: Pinned | None
) -> tuple[dict[str, float] | None, ...]:
    """For every gap, the pinned probability of each word asked for, the hidden one included.

    None for a gap that the pinned answer has not.
    """
    if pinned is None or document is None:
        return (None,) * len(result.gaps)
    then: ScoreWordsResult = pinned.result
    places, pinned_places = (
        [Mask(gap.start, gap.end, gap.part) for gap in one.gaps] for one in (result, then)
    )
    numbers = matched(places, document, pinned_places, pinned.document)
    return tuple(_probabilities(then.gaps[n]) if n is not None else None for n in numbers)


def _probabilities(gap: GapScores) -> dict[str, float]:
    scores = [*gap.scores, *([gap.original] if gap.original is not None else [])]
    values = {one.word: probability_of(one) for one in scores}
    return {word: value for word, value in values.items() if value is not None}


VIEW = ScoreWordsView
