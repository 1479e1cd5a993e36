"""How a row of the tree of pages looks: a topic, or a page with its icon, star and link."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QIcon, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView

from explorer.ui.guarded import guarded
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.icons import icon
from explorer.ui.theme.schemes import Theme, current_theme
from explorer.ui.theme.shapes import draw_rounded
from explorer.ui.window.tree.page_model import HAS_STAR, LINK, QUESTION, WHY

LEAST_HIGH = 24
EDGE, GAP, INSIDE = 6, 6, 14
"""Pixels at both ends of a row, between its parts, and before a page's icon."""
ICON, ARROW, STAR = 16, 14, 12
CORNER = 5

Index = QModelIndex | QPersistentModelIndex


@guarded
class PageRow(QStyledItemDelegate):
    """Paints the rows of a tree."""

    def __init__(self, tree: QTreeView) -> None:
        super().__init__(tree)
        self._tree = tree
        self._open, self._folded = (icon(one) for one in ("chevron-down", "chevron-right"))
        self._star, self._load = icon("star", "accent"), icon("tray-arrow-down", "accent")

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        """Its words in full."""
        body = QFontMetrics(Theme.font("body" if index.data(QUESTION) else "strong"))
        high = max(zoomed(LEAST_HIGH), body.height() + 6)
        return QSize(self.wide(index), high)

    def wide(self, index: Index) -> int:
        """Pixels that the words of a row take with what stands before them."""
        name, words = index.data(QUESTION), str(index.data())
        font = Theme.font("body" if name else "strong")
        before = self._before(index)
        return before + QFontMetrics(font).horizontalAdvance(words) + zoomed(EDGE)

    def link_box(self, row: QRect, index: Index) -> QRect:
        """Where a row's one click is; nowhere if it has none."""
        words = self._said_by_link(row, index)
        if not index.data(LINK):
            return QRect()
        small = QFontMetrics(Theme.font("small"))
        wide = small.horizontalAdvance(words) + 2 * zoomed(GAP) if words else zoomed(ICON) + 2
        return QRect(row.right() + 1 - wide, row.top(), wide, row.height())

    def _said_by_link(self, row: QRect, index: Index) -> str:
        """The words of a row's one click; "" where they would cut the page's name."""
        words = str(index.data(LINK) or "")
        small = QFontMetrics(Theme.font("small"))
        wide = small.horizontalAdvance(words) + 2 * zoomed(GAP)
        return words if self.wide(index) - zoomed(EDGE) + wide <= row.width() else ""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a topic or a page."""
        painter.save()
        try:  # the painter is Qt's, and goes on to the next row whatever becomes of this one
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint(painter, option, index)
        finally:
            painter.restore()

    def _before(self, index: Index) -> int:
        """Pixels of a row before its words."""
        if not index.data(QUESTION):
            return zoomed(EDGE) + zoomed(ARROW) + zoomed(GAP) // 2
        inside = zoomed(INSIDE) if index.parent().isValid() else 0
        return zoomed(EDGE) + inside + zoomed(ICON) + zoomed(GAP)

    def _paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, row, state = current_theme(), option.rect, option.state
        plate = QRectF(row).adjusted(2.5, 0.5, -2.5, -0.5)
        if state & QStyle.StateFlag.State_Selected:
            draw_rounded(painter, plate, CORNER, theme.selection)
        elif state & QStyle.StateFlag.State_MouseOver:
            draw_rounded(painter, plate, CORNER, theme.hover)
        if state & QStyle.StateFlag.State_HasFocus:
            draw_rounded(painter, plate, CORNER, edge=theme.focus)
        is_page, is_grey = bool(index.data(QUESTION)), bool(index.data(WHY))
        start, end = row.left() + self._before(index), row.right() - zoomed(EDGE)
        if is_page:
            glyph, size = index.data(Qt.ItemDataRole.DecorationRole), zoomed(ICON)
            at = start - zoomed(GAP) - size
        else:
            glyph = self._open if self._tree.isExpanded(index) else self._folded
            size, at = zoomed(ARROW), row.left() + zoomed(EDGE)
        _paint_glyph(painter, glyph, QRect(at, row.top(), size, row.height()), is_grey=is_grey)
        link = self.link_box(row, index)
        if not link.isEmpty():
            painter.setFont(Theme.font("small"))
            painter.setPen(theme.accent)
            if words := self._said_by_link(row, index):
                painter.drawText(link, Qt.AlignmentFlag.AlignCenter, words)
            else:
                size = zoomed(ARROW)
                box = QRect(link.left(), link.top(), size, link.height())
                _paint_glyph(painter, self._load, box, is_grey=False)
            end = link.left()
        elif index.data(HAS_STAR):
            size = zoomed(STAR)
            box = QRect(end - size, row.top(), size, row.height())
            _paint_glyph(painter, self._star, box, is_grey=False)
            end = box.left() - 2
        painter.setFont(Theme.font("body" if is_page else "strong"))
        painter.setPen(theme.muted if is_grey else theme.text)
        words = painter.fontMetrics().elidedText(
            str(index.data()), Qt.TextElideMode.ElideRight, end - start
        )
        box = QRect(start, row.top(), end - start + 1, row.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)


def _paint_glyph(painter: QPainter, glyph: QIcon, box: QRect, *, is_grey: bool) -> None:
    mode = QIcon.Mode.Disabled if is_grey else QIcon.Mode.Normal
    glyph.paint(painter, box, Qt.AlignmentFlag.AlignCenter, mode)
