"""The answers of a class: what was answered how often, and who answered what."""

import html
from collections.abc import Callable

from PySide6.QtWidgets import QDialogButtonBox, QWidget

from explorer.lectures.lessons.classroom import (
    SIGNS_OF_ANSWERS,
    AskedQuestion,
    ClassAnswers,
    GivenCount,
)
from explorer.text import _, ngettext
from explorer.ui.notices.reading_pages import ReadingPage
from explorer.ui.theme.schemes import current_theme, theme_signals

WIDEST = 28
"""Signs of the longest bar."""
CELL = "padding:2px 14px 2px 0"


class ClassPage(ReadingPage):
    """A distribution for each question, and below them everybody's answers.

    Args:
        answers: Of the class.
        export: Asks where, and writes the table as CSV.
        parent: The window.
    """

    def __init__(
        self, answers: ClassAnswers, export: Callable[[ClassAnswers], object], parent: QWidget
    ) -> None:
        super().__init__("class_answers", _("Answers of a class"), parent)
        self._answers = answers
        self.export = self.buttons.addButton(
            _("Export as &CSV…"), QDialogButtonBox.ButtonRole.ActionRole
        )
        self.export.setObjectName("class_export")
        self.export.setEnabled(bool(answers.sheets))
        self.export.clicked.connect(lambda: export(answers))
        # Colours are written into the text.
        theme_signals().changed.connect(self._fill)
        self.resize(860, 640)
        self._fill()

    def _fill(self, _theme: object = None) -> None:
        answers = self._answers
        count = len(answers.sheets)
        said = ngettext("{count} file of answers.", "{count} files of answers.", count)
        broken = "".join(f"<p>{html.escape(one)}</p>" for one in answers.broken)
        questions = "".join(map(_question, answers.questions))
        heading = html.escape(_("Everybody's answers"))
        table = f"<h3>{heading}</h3>{_table(_rows(answers))}" if count else ""
        self.text.setHtml(f"<p><b>{html.escape(said)}</b></p>{broken}{questions}{table}")


def _question(one: AskedQuestion) -> str:
    distribution = one.distribution
    most = max((given.count for given in distribution), default=0)
    rows = "".join(_bar(given, most) for given in distribution)
    place = html.escape(f"{one.title} · {one.step}")
    return (
        f"<h3>{html.escape(one.question)}</h3><p>{place}<br><b>{html.escape(one.told)}</b></p>"
        f"<table>{rows}</table>"
    )


def _bar(given: GivenCount, most: int) -> str:
    """An answer with its sign and a bar; what is right is in bold and in the colour of that."""
    theme = current_theme()
    is_right = given.right is True
    tint = (theme.positive if is_right else theme.accent).name()
    said = html.escape(given.said)
    bar = "█" * max(1, round(WIDEST * given.count / most)) if given.count else ""
    return (
        f"<tr><td style='padding-right:6px;color:{tint}'>{SIGNS_OF_ANSWERS[given.right]}</td>"
        f"<td style='{CELL}'>{f'<b>{said}</b>' if is_right else said}</td>"
        f"<td style='{CELL};color:{tint}'>{bar}</td>"
        f"<td align='right'>{given.count}</td></tr>"
    )


def _rows(answers: ClassAnswers) -> list[list[str]]:
    """The table; of one lesson the numbers of its steps say enough, and leave it narrow."""
    heading, *people = answers.rows()
    if len({one.lesson for one in answers.questions}) == 1:
        heading = [heading[0], *(str(one.step) for one in answers.questions)]
    return [heading, *people]


def _table(rows: list[list[str]]) -> str:
    heading, *people = rows
    head = "".join(f"<th align='left' style='{CELL}'>{html.escape(one)}</th>" for one in heading)
    body = "".join(
        "<tr>" + "".join(f"<td style='{CELL}'>{html.escape(one)}</td>" for one in row) + "</tr>"
        for row in people
    )
    return f"<table cellspacing='0'><tr>{head}</tr>{body}</table>"
