"""A teacher's and a student's distributions side by side, at any temperature."""

from collections.abc import Sequence
from typing import Any, ClassVar

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from explorer.api import Table
from explorer.document import Document
from explorer.questions.distillation.soft_targets.question import OPERATION, SoftTargets, table_at
from explorer.questions.masking.mask_card_text import context_of
from explorer.questions.masking.pinned_places import no_mask_said, places_of
from explorer.ui.blocks.block import Laid, LaidPage, stack
from explorer.ui.blocks.text import Words
from explorer.ui.charts.block import LaidCharts
from explorer.ui.charts.description import Chart
from explorer.ui.document.gestures import put_words
from explorer.ui.theme.schemes import Theme
from explorer.ui.views.distilling.curves import at_temperature
from explorer.ui.views.distilling.labels import LabelBars
from explorer.ui.views.distilling.multiples import Multiples
from explorer.ui.views.distilling.pair_view import SIDE, PairView
from explorer.ui.views.distilling.paired_rows import PairedRows
from explorer.ui.views.distilling.pinned import (
    charts_with_pinned,
    pinned_numbers,
    table_with_pinned,
    with_pinned,
    words_on_pinned,
)
from explorer.ui.views.distilling.roles import legend
from explorer.ui.views.distilling.scene import BY_TEACHER, ORDERS, Scene
from explorer.ui.views.distilling.temperature import TemperatureBox
from explorer.ui.widgets.figure import Figure

TEMPERATURE = "soft_targets.temperature"
WORDS = "soft_targets.words"
ORDER = "soft_targets.order"
MASK = "soft_targets.mask"


class SoftTargetsView(PairView):
    """Controls above a page that redraws itself from the logits of one answer."""

    of: ClassVar = OPERATION
    order = 40
    glyph = "school-outline"
    pinnable = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scenes: dict[int, Scene] = {}
        self._pinned: dict[int, Scene | None] = {}
        self.temperature = TemperatureBox("softTemperature", self)
        self.temperature.moved.connect(self._moved)
        self.masks = QComboBox(self)
        self.masks.setObjectName("softMask")
        self.masks.setAccessibleName("Mask to compare")
        self.masks.activated.connect(lambda n: self.option_changed.emit(MASK, n or None))
        self.words = QLineEdit(self)
        self.words.setObjectName("softWords")
        self.words.setAccessibleName("Words to restrict both distributions to")
        self.words.setPlaceholderText("Only these words: boring, fun, happy …")
        self.words.setToolTip(
            "Restrict both distributions to these words, with commas between them; they are "
            "renormalised over them. Empty: the whole vocabulary."
        )
        self.words.setClearButtonEnabled(True)
        self.words.editingFinished.connect(self._restrict)
        self.sorting = QComboBox(self)
        self.sorting.setObjectName("softOrder")
        self.sorting.setAccessibleName("Order of the words")
        for key, title in ORDERS:
            self.sorting.addItem(title, key)
        self.sorting.activated.connect(
            lambda n: self.option_changed.emit(ORDER, ORDERS[n][0] if n else None)
        )
        self.page = self.painted("softTargetsPage", "Both distributions")
        self.page.chosen.connect(self._chosen)
        self.area = self.scrolling("softTargetsArea", self.page)
        self._lay_out()
        self.refresh()

    def _lay_out(self) -> None:
        choices = QHBoxLayout()
        choices.setSpacing(8)
        choices.addWidget(self.masks)
        choices.addWidget(self.words, 1)
        choices.addWidget(self.sorting)
        top = QVBoxLayout()
        top.setContentsMargins(SIDE, 0, SIDE, 4)
        top.setSpacing(6)
        top.addWidget(self.temperature)
        top.addLayout(choices)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addWidget(self.area, 1)

    # ---- asking -----------------------------------------------------------------------------

    def request_of(self, document: Document) -> SoftTargets | None:
        """Asked as soon as something is masked, or both models are classifiers."""
        if not document.text.strip():
            return None
        masked = bool(document.masks or document.literal_masks())
        if not masked and not self._can_classify(document):
            return None
        return SoftTargets(
            document.text,
            document.pair,
            document.masks,
            document.top_k,
            words_of(document),
        )

    def _can_classify(self, document: Document) -> bool:
        heads = [{head.name for head in card.heads if head.present} for card in self.cards.values()]
        wanted = {"classifier"} | ({"next_sentence"} if document.pair else set())
        return len(heads) == 2 and all(wanted & one for one in heads)

    def empty_hint(self, document: Document) -> str:
        """Say how to mask."""
        if not document.text.strip():
            return "Type a sentence, then mask a word to compare what two models expect there."
        return "Mask a word to compare what the two models expect there."

    def set_document(self, document: Document) -> None:
        """Take the options over; those that only concern the picture redraw it."""
        stale = self.take_options(document)
        with QSignalBlocker(self.sorting):
            keys = [key for key, _ in ORDERS]
            order = document.option(ORDER, BY_TEACHER)
            self.sorting.setCurrentIndex(keys.index(order) if order in keys else 0)
        self.temperature.set_temperature(temperature_of(document))
        if not self.words.hasFocus() or not self.words.isModified():
            self.words.setText(", ".join(words_of(document)))
        if stale:
            self._draw()

    def _restrict(self) -> None:
        words = tuple(w for w in (part.strip() for part in self.words.text().split(",")) if w)
        self.words.setModified(False)
        if words != words_of(self.options):
            self.option_changed.emit(WORDS, list(words) or None)

    def _moved(self, temperature: float) -> None:
        """Redraw at once; the document hears of it too."""
        self.options = self.options.with_option(TEMPERATURE, temperature)
        self._draw()
        self.option_moved.emit(TEMPERATURE, temperature)

    def _chosen(self, key: tuple[str, Any]) -> None:
        what, value = key
        if what == "temperature":
            self.option_changed.emit(TEMPERATURE, value)
        elif what == "word" and self.document is not None:
            position = self.result.masks[self._targets_number()].position
            (place,) = places_of(self.result.tokens, [position])
            self.edit_requested.emit(put_words(self.document, (place, value)))

    # ---- drawing ----------------------------------------------------------------------------

    def refresh(self) -> None:
        """Another answer, or none."""
        self._scenes, self._pinned = {}, {}
        self._list_masks()
        self._draw()

    def _list_masks(self) -> None:
        masks = self.result.masks if self.result is not None else ()
        with QSignalBlocker(self.masks):
            self.masks.clear()
            for number, one in enumerate(masks):
                self.masks.addItem(self._title_of(number, one.position))
        self.masks.setVisible(len(masks) > 1)

    def _title_of(self, number: int, position: int) -> str:
        if position < 0:
            return "The whole text"
        context = context_of(self.result.tokens, position, self.document, around=2)
        return f"{number + 1}: {context.before} [MASK] {context.after}".strip()

    def _targets_number(self) -> int:
        wanted = self.options.option(MASK, 0)
        count = len(self.result.masks)
        return min(max(wanted, 0), count - 1) if isinstance(wanted, int) else 0

    def scene(self) -> Scene | None:
        """What is drawn now, computed once for each mask of an answer."""
        if self.result is None:
            return None
        number = self._targets_number()
        if number not in self._scenes:
            self._scenes[number] = Scene(self.result.masks[number])
        return self._scenes[number]

    def _pinned_scene(self) -> Scene | None:
        """The pinned answer's mask at the same place in the text, computed once."""
        number = self._targets_number()
        if number not in self._pinned:
            then = self._pinned_numbers()[number]
            self._pinned[number] = None
            if self.baseline is not None and then is not None:
                self._pinned[number] = Scene(self.baseline.result.masks[then])
        return self._pinned[number]

    def _pinned_numbers(self) -> tuple[int | None, ...]:
        """For every mask, the number of the pinned one."""
        if self.baseline is None or self.document is None:
            return (None,) * len(self.result.masks)
        return pinned_numbers(self.result, self.document, self.baseline)

    def _draw(self) -> None:
        scene = self.scene()
        if scene is None:
            self.page.show_page(None)
            return
        with QSignalBlocker(self.masks):
            self.masks.setCurrentIndex(self._targets_number())
        self.page.show_page(self._maker(scene))

    def _maker(self, scene: Scene) -> Any:
        """Makes the page at a width; what does not depend on the width is computed here."""
        temperature = temperature_of(self.options)
        both = scene.at(temperature)
        rows = scene.rows(both, self.options.option(ORDER, BY_TEACHER))
        result = self.result
        pair = self.pair()
        chooses = scene.targets.position >= 0
        charts: Sequence[Chart] = scene.charts()
        told: list[str] = []
        before = self._pinned_scene()
        if before is not None and self.baseline is not None:
            rows = with_pinned(rows, before, temperature)
            charts = charts_with_pinned(charts, before)
            told = [words_on_pinned(self.baseline.result, before.at(temperature), both)]
        elif self.baseline is not None and self.document is not None:
            told = [no_mask_said(self.document, self.baseline.document)]

        marked = at_temperature(charts, temperature)

        def make(width: float) -> LaidPage:
            blocks: list[tuple[float, Laid]] = [(0, legend(pair).at(width))]
            blocks += [(4, Words(note, width, "small", "muted")) for note in result.notes]
            blocks += [(6, Words(words, width, "body", "mask")) for words in told]
            blocks += [
                (8, PairedRows(rows, width, chooses=chooses)),
                (12, Words(scene.verdict(both), width)),
                (22, Words("Hard label beside soft label", width, "strong")),
                (6, LabelBars(rows, width)),
                (22, Words("At four temperatures, on one scale", width, "strong")),
                (6, Multiples(scene.multiples, temperature, width)),
                (24, Words("What the temperature does", width, "strong")),
                (8, LaidCharts(marked, width)),
            ]
            return stack(blocks, width)

        return make

    # ---- exporting --------------------------------------------------------------------------

    def table(self) -> Table | None:
        """The rows at the temperatures of the small pictures and at the one that is chosen."""
        if self.result is None:
            return None
        chosen = sorted({*self.result.temperatures, temperature_of(self.options)})
        if self.baseline is not None:
            numbers = self._pinned_numbers()
            return table_with_pinned(self.result, self.baseline.result, numbers, chosen)
        return table_at(self.result, chosen)

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """The page as it is on screen."""
        scene = self.scene()
        if scene is None:
            return None
        page: LaidPage = self._maker(scene)(width)
        return page.figure(theme)


def temperature_of(document: Document) -> float:
    """The temperature a document is looked at with."""
    chosen = document.option(TEMPERATURE, 1.0)
    is_number = isinstance(chosen, int | float) and not isinstance(chosen, bool)
    return float(chosen) if is_number and chosen > 0 else 1.0


def words_of(document: Document) -> tuple[str, ...]:
    """The words both distributions are restricted to."""
    chosen = document.option(WORDS, [])
    return tuple(str(word) for word in chosen) if isinstance(chosen, list) else ()


VIEW = SoftTargetsView
