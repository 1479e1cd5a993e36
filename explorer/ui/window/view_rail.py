"""The list of views: a click shows one, with Ctrl beside what is shown already; topics fold."""

from collections.abc import Collection, Iterable, Mapping

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.api.question import ModelCard
from explorer.text import _, said
from explorer.ui import overview
from explorer.ui.controls.fold_button import FoldButton
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.theme.schemes import theme_signals
from explorer.ui.theme.text_roles import in_role
from explorer.ui.views import Listed

LEAST_WIDE, NARROW = 206, 46
"""Pixels with and without words."""
IN_BUTTON, BESIDE = 16, 24
"""Pixels in a button beside its icon and its words, and beside the buttons: margins, scroll bar."""
ICON, ARROW, APART = 18, 12, 6
"""Pixels of a view's icon, of a topic's arrow, and what an icon has more in width beside words."""
ABOVE = 2
"""Pixels above the first row."""
LOWEST, LOWEST_TOPIC = 18, 15
"""Pixels of a button's height and of a topic's, than which they are not squeezed lower: the list
is scrolled where they do not fit so."""


@guarded
class ViewRail(QScrollArea):
    """A button a view, under the topics they belong to, which fold.

    The topic of a view that is shown is always open.

    Attributes:
        buttons: By operation.
        topics: The headings that fold, by the topic.

    Signals:
        chosen: Show this operation's view.
        beside_chosen: Show it beside what is shown.
        folded: The topics that are folded now, after the user or a shown view changed that.
    """

    chosen = Signal(str)
    beside_chosen = Signal(str)
    folded = Signal(tuple)

    def __init__(self, pages: tuple[Listed, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("view_rail")
        self.setAccessibleName(_("Views"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.buttons: dict[str, QToolButton] = {}
        self.topics: dict[str, FoldButton] = {}
        # The overview stands above all topics.
        self._topic_of: dict[str, str] = {one.of.name: one.heading for one in pages}
        self._folded: tuple[str, ...] = ()
        self._wide, self._usual = LEAST_WIDE, (0, 0)
        self._items: list[QToolButton] = []
        self._inside = inside = QWidget(self)
        self.setWidget(inside)
        column = QVBoxLayout(inside)
        column.setContentsMargins(6, ABOVE, 6, 0)
        column.setSpacing(0)
        about = _("What stands out for this sentence and these models, the strongest first")
        self._items.append(
            self._button(overview.NAME, _("Overview"), about, "view-dashboard-outline")
        )
        for one in pages:
            if one.heading not in self.topics:
                self._items.append(self._heading(one.heading))
            of = one.of
            self._items.append(self._button(of.name, _(of.title), _(of.asks), of.listing.icon))
        for item in self._items:
            column.addWidget(item)
        column.addStretch(1)
        self._is_narrow = False
        for button in [*self.buttons.values()][:1]:
            self._stop_at(button)
        theme_signals().changed.connect(self._fit)
        self._fit()
        self._show_folds()

    @property
    def is_narrow(self) -> bool:
        """Whether it shows icons only."""
        return self._is_narrow

    def set_narrow(self, narrow: bool) -> None:
        """Show icons only, or icons and words."""
        if narrow == self._is_narrow:
            return
        self._is_narrow = narrow
        style = (
            Qt.ToolButtonStyle.ToolButtonIconOnly
            if narrow
            else Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        )
        for item in self._items:
            item.setToolButtonStyle(style)
        self._fit()

    def fold(self, topics: Collection[str]) -> None:
        """Fold these topics and no others; those of views that are shown stay open."""
        self._folded = tuple(topics)
        self._show_folds()

    @property
    def wide(self) -> int:
        """Pixels with all words in full."""
        return self._wide

    def _measure(self) -> None:
        """Find out what the words and the icons need, which takes long for so many buttons."""
        # A button has two blanks more.
        words = (b.fontMetrics().horizontalAdvance(f"{b.text()}  ") for b in self.buttons.values())
        widest = max(words, default=0) + zoomed(ICON + APART) + IN_BUTTON
        self._wide = max(LEAST_WIDE, widest + BESIDE)
        self._usual = _highest(self.buttons.values()), _highest(self.topics.values())

    def _fit(self, _theme: object = None) -> None:
        icon_size = zoomed(ICON)
        apart = 0 if self._is_narrow else zoomed(APART)
        for button in self.buttons.values():
            button.setIconSize(QSize(icon_size + apart, icon_size))
        self._measure()
        self.setFixedWidth(zoomed(NARROW) if self._is_narrow else self.wide)
        self._squeeze()

    def _squeeze(self) -> None:
        """Let rows be lower where more of them are seen so."""
        rows = sum(not one.isHidden() for one in self.buttons.values())
        room = self.viewport().height() - ABOVE
        usual, topic = self._usual
        lowest = zoomed(LOWEST)
        high, topic_high = min(usual, lowest), min(topic, zoomed(LOWEST_TOPIC))
        for lower in (topic, topic_high):
            fitting = (room - lower * len(self.topics)) // rows if rows else usual
            if fitting >= lowest:
                high, topic_high = min(usual, fitting), lower
                break
        for items, fixed in ((self.buttons, high), (self.topics, topic_high)):
            for item in items.values():
                if fixed and item.minimumHeight() != fixed:
                    item.setFixedHeight(fixed)

    def unfold(self) -> None:
        """Open all topics, as at the first start."""
        for topic in self.topics:
            self._set_folded(topic, folded=False)

    def mark(self, operation: str, shown: bool) -> None:
        """Show whether a view can be seen."""
        button = self.buttons.get(operation)
        if button is not None:
            button.setChecked(shown)
            if shown:
                self._set_folded(self._topic_of.get(operation, ""), folded=False)
            self._show_folds()
            if shown and not self.isAncestorOf(QApplication.focusWidget() or QWidget()):
                self._stop_at(button)
            if shown:
                self.ensureWidgetVisible(button)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What is shown stays in sight where there is less room."""
        super().resizeEvent(event)
        self._squeeze()
        for button in self.buttons.values():
            if button.isChecked():
                self.ensureWidgetVisible(button)

    def tell_keys(self, operation: str, keys: str) -> None:
        """Say in a view's tip by which keys it is shown."""
        button = self.buttons.get(operation)
        if button is not None:
            question = str(button.property("question"))
            button.setProperty("question", f"{question} ({keys})")
            button.setToolTip(plain_tip(button.toolTip().replace(question, f"{question} ({keys})")))

    @property
    def _held(self) -> set[str]:
        """The topics of the views that are shown."""
        return {topic for name, topic in self._topic_of.items() if self.buttons[name].isChecked()}

    def _set_folded(self, topic: str, *, folded: bool) -> None:
        if folded == (topic in self._folded) or (folded and topic in self._held):
            return
        others = tuple(one for one in self._folded if one != topic)
        self._folded = (*others, topic) if folded else others
        self._show_folds()
        self.folded.emit(self._folded)

    def _show_folds(self) -> None:
        held = self._held
        for topic, heading in self.topics.items():
            stays = topic in held
            turned = heading.set_open(stays or topic not in self._folded, stays=stays)
            if turned or not heading.toolTip():
                heading.setToolTip(plain_tip(_fold_tip(_(topic), heading)))
        for operation, topic in self._topic_of.items():
            button, heading = self.buttons[operation], self.topics[topic]
            if not heading.is_open and button.focusPolicy() != Qt.FocusPolicy.NoFocus:
                had_focus = button.hasFocus()
                self._stop_at(heading)
                heading.setFocus(Qt.FocusReason.OtherFocusReason) if had_focus else None
            if button.isHidden() is heading.is_open:
                button.setVisible(heading.is_open)
        self._squeeze()

    def _stop_at(self, button: QToolButton) -> None:
        """Let Tab stop at one button alone: the others are reached from it by the arrows."""
        for other in self._items:
            stops = other is button
            other.setFocusPolicy(Qt.FocusPolicy.TabFocus if stops else Qt.FocusPolicy.NoFocus)

    def take_key(self, item: QToolButton, event: QKeyEvent) -> bool:
        """Arrows go through the list and fold its topics; Home and End go to its ends.

        Returns:
            Whether this was such a key.
        """
        key = Qt.Key(event.key())
        to = self._turned(item, key) or self._from(item, key)
        if to is None:
            return False
        self._stop_at(to)
        to.setFocus(Qt.FocusReason.TabFocusReason)
        self.ensureWidgetVisible(to)
        return True

    def _turned(self, item: QToolButton, key: Qt.Key) -> QToolButton | None:
        """Left folds a topic, or goes from a view to its topic; Right unfolds, or goes into it."""
        if key not in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            return None
        away = key == Qt.Key.Key_Left
        for topic, heading in self.topics.items():
            inside = [self.buttons[name] for name, its in self._topic_of.items() if its == topic]
            if item in inside:
                return heading if away else item
            if item is heading:
                if not away and heading.is_open:
                    return inside[0]
                self._set_folded(topic, folded=away)
        return item

    def _from(self, item: QToolButton, key: Qt.Key) -> QToolButton | None:
        """Where the other arrows, Home and End go among what is not folded away."""
        there = [one for one in self._items if not one.isHidden()]
        views = [one for one in there if not isinstance(one, FoldButton)]
        at = there.index(item)
        return {
            Qt.Key.Key_Up: there[max(at - 1, 0)],
            Qt.Key.Key_Down: there[min(at + 1, len(there) - 1)],
            Qt.Key.Key_Home: (views or there)[0],
            Qt.Key.Key_End: there[-1],
        }.get(key)

    def show_models(self, cards: Mapping[str, ModelCard], active: str) -> None:
        """Say in the tips what the active model can't answer."""
        card = cards.get(active)
        for operation, button in self.buttons.items():
            question = str(button.property("question"))
            why = said(card.unavailable.get(operation, "")) if card is not None else ""
            button.setToolTip(plain_tip(f"{question}\n\n{why}" if why else question))

    def _heading(self, topic: str) -> FoldButton:
        heading = _Topic(_(topic), self, self._inside)
        heading.setObjectName(f"topic_{topic}")
        in_role(heading, "small")
        icon_in_size(heading, ARROW)
        heading.setAutoRaise(True)
        heading.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        heading.clicked.connect(lambda: self._set_folded(topic, folded=heading.is_open))
        self.topics[topic] = heading
        return heading

    def _button(self, operation: str, title: str, question: str, glyph: str) -> QToolButton:
        button = _Page(self, self._inside)
        button.setObjectName(f"show_{operation}")
        button.setText(title)
        button.setAccessibleName(_("Show {title}", title=title))
        button.setAccessibleDescription(question)
        button.setProperty("question", question)
        button.setToolTip(plain_tip(question))
        button.setIcon(icon(glyph, "text"))
        button.setCheckable(True)
        button.setAutoRaise(True)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.clicked.connect(lambda: self._clicked(operation))
        button.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        button.customContextMenuRequested.connect(lambda at: self._show_menu(operation, at))
        self.buttons[operation] = button
        return button

    def _clicked(self, operation: str) -> None:
        # The mark follows what can be seen, not the click.
        self.buttons[operation].setChecked(True)
        held = QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ControlModifier
        (self.beside_chosen if held else self.chosen).emit(operation)

    def _show_menu(self, operation: str, place: QPoint) -> None:
        button = self.buttons[operation]
        menu = QMenu(self)
        menu.setObjectName("rail_menu")
        menu.addAction(_("Show"), lambda: self.chosen.emit(operation))
        beside = menu.addAction(_("Show beside"), lambda: self.beside_chosen.emit(operation))
        beside.setToolTip(_("Ctrl+click does the same"))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(button.mapToGlobal(place))


def _highest(items: Iterable[QToolButton]) -> int:
    """The height of the highest of some buttons, as they would have it."""
    return max((one.sizeHint().height() for one in items), default=0)


@guarded
class _Page(QToolButton):
    """A view in the list."""

    def __init__(self, rail: ViewRail, parent: QWidget) -> None:
        super().__init__(parent)
        self._rail = rail

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The list's keys come before a button's own."""
        if not self._rail.take_key(self, event):
            super().keyPressEvent(event)


@guarded
class _Topic(FoldButton):
    """A topic in the list."""

    def __init__(self, words: str, rail: ViewRail, parent: QWidget) -> None:
        super().__init__(words, parent)
        self._rail = rail

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The list's keys come before a button's own."""
        if not self._rail.take_key(self, event):
            super().keyPressEvent(event)


def _fold_tip(topic: str, heading: FoldButton) -> str:
    """What a press does; the topic too, for it has no words in a narrow list."""
    if heading.stays:
        return _("{topic}: stays open, for a page of it is shown", topic=topic)
    if heading.is_open:
        return _("{topic}: fold these pages away (Left)", topic=topic)
    return _("{topic}: show these pages (Right)", topic=topic)
