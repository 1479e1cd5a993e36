"""The overview's blocks: a row for what stands out, and a line for what does not."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap

from explorer.api.question import Question
from explorer.text import _, said
from explorer.ui.blocks.block import Block, PlacedBlock, Spot
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.picture import Picture
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import Text
from explorer.ui.overview.gestures import Go, LoadFor
from explorer.ui.overview.miniature import HIGH, WIDE
from explorer.ui.overview.plan import LeftAside
from explorer.ui.overview.survey import OverviewSurvey, SurveyFinding
from explorer.ui.theme.schemes import Theme
from explorer.ui.theme.shapes import draw_rounded, painter_moved
from explorer.ui.typesetting.one_line import draw_text, text_width

PAD, GAP = 6.0, 16.0
CORNER = 6.0
NARROW = 460.0
"""Pixels of a row below which its words need the room of the picture."""
PALE = 0.45
"""How much of an answer to what was asked before is seen, until that of now has come."""

Small = Callable[[SurveyFinding], QPixmap | None]
"""The small picture of an answer, once it is painted."""


class FindingRow(PlacedBlock):
    """What stands out in one answer, at a width.

    Args:
        finding: Which one.
        width: In pixels.
        small: Its picture.
        is_first: It stands out most.
        is_new: It is about what is asked now.
    """

    def __init__(
        self, finding: SurveyFinding, width: float, small: Small, *, is_first: bool, is_new: bool
    ) -> None:
        self._finding, self._small, self._width = finding, small, width
        self._is_new = is_new
        self._has_picture = width >= NARROW
        self._opens = _("open ▸")
        x = PAD + (WIDE + GAP if self._has_picture else 0.0)
        end = text_width("small", self._opens) + 2 * PAD if self._has_picture else PAD
        self._words_at, inside = x, width - x - end
        title, sentence = _(finding.of.title), said(finding.headline.sentence)
        self._title = Text(title, "small", "muted").at(inside)
        self._sentence = Text(sentence, "strong" if is_first else "body").at(inside)
        words = self._title.height + self._sentence.height + 2
        self._top = max(0.0, (HIGH - words) / 2) if self._has_picture else 0.0
        self.height = 2 * PAD + max(words, HIGH if self._has_picture else 0.0)
        go = Go(finding.of.name, finding.headline, finding.document)
        self.spots = (
            Spot(
                QRectF(0, 0, width, self.height),
                ("finding", finding.of.name),
                finding.of.question_said,
                f"{title}: {sentence}",
                go,
            ),
        )

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The picture, whose it is, and the sentence."""
        box = QRectF(0, 0, self._width, self.height)
        draw_rounded(
            painter, box.adjusted(0.5, 0.5, -0.5, -0.5), CORNER, edge=QPen(theme.border, 1.0)
        )
        painter.save()
        painter.setOpacity(1.0 if self._is_new else PALE)
        made = self._small(self._finding) if self._has_picture else None
        if made is not None:
            painter.drawPixmap(QPointF(PAD, (self.height - HIGH) / 2), made)
        with painter_moved(painter, self._words_at, PAD + self._top):
            self._title.paint(painter, theme)
        with painter_moved(painter, self._words_at, PAD + self._top + self._title.height + 2):
            self._sentence.paint(painter, theme)
        if self._has_picture:
            right = box.adjusted(0, 0, -PAD, 0)
            align = Qt.AlignmentFlag.AlignRight
            draw_text(painter, right, self._opens, "small", theme.accent, align)
        painter.restore()


def blocks_of(
    survey: OverviewSurvey, small: Small, ways: Callable[[LeftAside], LoadFor | None]
) -> Iterator[Block]:
    """All that is known by now.

    Args:
        survey: Has asked.
        small: The pictures that are painted.
        ways: What loads a model that answers a question.
    """
    for number, finding in enumerate(survey.standing_out):
        is_new = survey.is_new(finding.of.name)

        def row(
            width: float,
            one: SurveyFinding = finding,
            first: bool = number == 0,
            new: bool = is_new,
        ) -> PlacedBlock:
            return FindingRow(one, width, small, is_first=first, is_new=new)

        yield Picture(row, Space.NEAR)
    silent = [(one.of, "") for one in survey.silent]
    yield from _line(_("Nothing stands out:"), [_page(*one) for one in silent], Space.SECTION)
    plan = survey.plan
    lacking = [_page(one.of, one.why) for one in plan.lacking]
    yield from _line(_("Need something more from you:"), lacking)
    dear = [_page(one.of, _("It takes a while here: open it, and press Run.")) for one in plan.dear]
    yield from _line(_("Not asked, since they take long here:"), dear)
    failed = [
        _page(one.of, one.failure.said if one.failure is not None else "") for one in survey.failed
    ]
    unable = [_loads(one, ways(one)) for one in plan.unable]
    yield from _line(_("These models can't answer:"), [*failed, *unable])


def _line(title: str, chips: Sequence[Chip], above: Space = Space.APART) -> Iterator[Block]:
    if chips:
        yield Chips(chips, above, title)


def _page(of: Question[Any, Any], why: str) -> Chip:
    """Opens the page of a question."""
    tip = f"{of.question_said}\n{why}".strip()
    return Chip(_(of.title), Go(of.name), tip=tip, key=("page", of.name))


def _loads(one: LeftAside, way: LoadFor | None) -> Chip:
    """Loads what a question needs, or opens its page, which says what that is."""
    if way is None:
        return _page(one.of, one.why)
    words, _does = way.way
    return Chip(
        _(one.of.title), way, tip=f"{one.of.question_said}\n{words}", key=("page", one.of.name)
    )
