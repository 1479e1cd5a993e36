"""The scenes of a lecture by chapter: folded, searched, and marked where they were seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QFrame, QStackedWidget, QVBoxLayout, QWidget

from explorer.lectures import Chapter, Scene
from explorer.questions.former_names import question_named
from explorer.text import _, ngettext
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.controls.rows.tree import RowTree
from explorer.ui.controls.search_field import SearchField
from explorer.ui.guarded import guarded
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.icons import icon
from explorer.ui.theme.schemes import theme_signals
from explorer.ui.theme.text_roles import in_role

if TYPE_CHECKING:
    from explorer.ui.lectures.lecturing import Lecturing

SCENE = Qt.ItemDataRole.UserRole + 1
ROW = 24
"""Pixels of a row at the usual size of text."""


@guarded
class SceneList(QWidget):
    """A field, and below it chapters with their scenes.

    Signals:
        chosen: A Scene, by a click or by Enter.
    """

    chosen = Signal(object)

    def __init__(self, lecturing: Lecturing, parent: QWidget) -> None:
        super().__init__(parent)
        self._lecturing = lecturing
        self._folded: set[str] = set()
        self.search = SearchField(self)
        self.search.setObjectName("scene_search")
        self.search.setPlaceholderText(_("Find a scene"))
        self.search.setAccessibleName(_("Find a scene by its title, its topic or its source"))
        self.search.textChanged.connect(self._fill)
        self._rows = QStandardItemModel(self)
        self.tree = self._make_tree()
        self._nothing = plain_label(self)
        self._nothing.setObjectName("no_scene")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.setWordWrap(True)
        in_role(self._nothing, "muted")
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self.tree)
        self._pages.addWidget(self._nothing)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.search)
        column.addWidget(self._pages, 1)
        self.search.down.connect(self._go_to_rows)
        self.search.returnPressed.connect(self._take_found)
        lecturing.opened.connect(self._opened)
        lecturing.moved.connect(self._mark)
        lecturing.seen_changed.connect(self._mark)
        lecturing.answers.changed.connect(self._mark)
        theme_signals().changed.connect(self._fit)
        self._fill()

    def _make_tree(self) -> RowTree:
        tree = RowTree(self)
        tree.setObjectName("scenes")
        tree.setAccessibleName(_("Scenes of the lecture"))
        tree.setModel(self._rows)
        tree.setHeaderHidden(True)
        tree.setIndentation(14)
        tree.setUniformRowHeights(True)
        tree.setFrameShape(QFrame.Shape.NoFrame)
        tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        tree.setExpandsOnDoubleClick(False)
        tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.clicked.connect(self._take)
        tree.activated.connect(self._take)
        tree.expanded.connect(lambda index: self._fold(index, folded=False))
        tree.collapsed.connect(lambda index: self._fold(index, folded=True))
        return tree

    # ---- rows --------------------------------------------------------------------------------

    def _opened(self) -> None:
        self._folded.clear()
        self.search.clear()
        self._fill()

    def _fill(self, _text: str = "") -> None:
        """List the scenes in which every typed word occurs."""
        words = self.search.text().casefold().split()
        lecture = self._lecturing.lecture
        self._rows.clear()
        for chapter in lecture.chapters if lecture is not None else ():
            found = [scene for scene in chapter.scenes if _has(scene, chapter, words)]
            if not found:
                continue
            heading = self._heading(chapter)
            for scene in found:
                heading.appendRow(self._row(scene))
            self._rows.appendRow(heading)
            is_open = bool(words) or chapter.key not in self._folded
            self.tree.setExpanded(heading.index(), is_open)
        if lecture is None:
            self._nothing.setText(_("Reading the lecture…"))
        elif words:
            self._nothing.setText(_("No scene has these words."))
        self._pages.setCurrentWidget(self.tree if self._rows.rowCount() else self._nothing)
        self._mark()
        if words and not self.tree.currentIndex().isValid():
            self.tree.setCurrentIndex(self._first())

    def _heading(self, chapter: Chapter) -> QStandardItem:
        seen = sum(self._lecturing.is_seen(scene) for scene in chapter.scenes)
        count = len(chapter.scenes)
        title = chapter.title() or _("Scenes")
        heading = QStandardItem(title)
        heading.setData(chapter.key, Qt.ItemDataRole.UserRole)
        heading.setSelectable(False)
        heading.setSizeHint(QSize(0, zoomed(ROW)))
        heading.setToolTip(
            plain_tip(
                ngettext(
                    "{title}: {count} scene, {seen} seen",
                    "{title}: {count} scenes, {seen} seen",
                    count,
                    title=title,
                    seen=seen,
                )
            )
        )
        return heading

    def _row(self, scene: Scene) -> QStandardItem:
        row = QStandardItem(scene.title())
        row.setData(scene, SCENE)
        row.setSizeHint(QSize(0, zoomed(ROW)))
        return row

    def _scene_rows(self) -> list[QStandardItem]:
        headings = (self._rows.item(row) for row in range(self._rows.rowCount()))
        return [one.child(row) for one in headings for row in range(one.rowCount())]

    def _mark(self) -> None:
        """Say of every scene whether it is on screen, was seen, or neither."""
        on_screen = self._lecturing.at.scene if self._lecturing.at is not None else None
        for row in self._scene_rows():
            scene: Scene = row.data(SCENE)
            is_here, seen = scene == on_screen, self._lecturing.is_seen(scene)
            if is_here:
                row.setIcon(icon("play", "accent"))
                told = _("{title}, on screen", title=scene.title())
            elif seen and self._is_done(scene):
                row.setIcon(icon("check", "positive"))
                told = _("{title}, seen", title=scene.title())
            else:
                row.setIcon(icon("circle-small", "edge"))
                told = scene.title()
            row.setData(told, Qt.ItemDataRole.AccessibleTextRole)
            row.setToolTip(plain_tip("\n".join(filter(None, (_tip(scene), self._done(scene))))))
            if is_here:
                self.tree.setCurrentIndex(row.index())
                self.tree.scrollTo(row.index())

    def _is_done(self, scene: Scene) -> bool:
        """Whether nothing is left to answer in it."""
        answers, path = self._lecturing.answers, self._lecturing.path
        return answers.answered(path, scene) == len(scene.asks)

    def _done(self, scene: Scene) -> str:
        """How long a lesson takes, and how much of it is answered; "" where nothing is asked."""
        if not scene.asks:
            return ""
        answers, path = self._lecturing.answers, self._lecturing.path
        done = _(
            "{answered} of {count} questions answered",
            answered=answers.answered(path, scene),
            count=len(scene.asks),
        )
        long = _("about {minutes} minutes", minutes=scene.minutes) if scene.minutes else ""
        return ", ".join(filter(None, (done, long)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The card takes room from the list as soon as a scene runs: it stays in sight."""
        super().resizeEvent(event)
        if self._lecturing.runs:
            self.tree.scrollTo(self.tree.currentIndex())

    def _fit(self, _theme: object = None) -> None:
        """Rows as high as their words, and icons in the colours of now."""
        self._fill()

    # ---- choosing ----------------------------------------------------------------------------

    def _take(self, index: QModelIndex) -> None:
        scene = index.data(SCENE)
        if isinstance(scene, Scene):
            self.chosen.emit(scene)
        elif index.isValid():
            self.tree.setExpanded(index, not self.tree.isExpanded(index))

    def _take_found(self) -> None:
        """Enter in the field: the scene that is marked, or the first."""
        index = self.tree.currentIndex()
        self._take(index if isinstance(index.data(SCENE), Scene) else self._first())

    def _go_to_rows(self) -> None:
        if not self.tree.currentIndex().isValid():
            self.tree.setCurrentIndex(self._first())
        self.tree.setFocus(Qt.FocusReason.TabFocusReason)

    def _first(self) -> QModelIndex:
        rows = self._scene_rows()
        return rows[0].index() if rows else QModelIndex()

    def _fold(self, index: QModelIndex, *, folded: bool) -> None:
        if self.search.text():
            return  # found scenes are shown, whatever is folded
        key = index.data(Qt.ItemDataRole.UserRole)
        (self._folded.add if folded else self._folded.discard)(key)


def _titles_of_questions(scene: Scene) -> list[str]:
    found = (question_named(step.question) for step in scene.steps)
    return list(dict.fromkeys(_(one.title) for one in found if one is not None))


def _tip(scene: Scene) -> str:
    models = dict.fromkeys(name for step in scene.steps for name in step.models)
    return "\n".join(
        line
        for line in (scene.title(), ", ".join(_titles_of_questions(scene)), ", ".join(models))
        if line
    )


def _has(scene: Scene, chapter: Chapter, words: list[str]) -> bool:
    read = (
        scene.name,
        *scene.titles.values(),
        *chapter.titles.values(),
        *scene.shows,
        *scene.sources,
        *_titles_of_questions(scene),
        *(name for step in scene.steps for name in step.models),
    )
    hay = " ".join(read).casefold()
    return all(word in hay for word in words)
