"""The choices with their scores, and the paths to one of them."""

from __future__ import annotations

from explorer.api.question.compared import change
from explorer.questions.knowledge.graph_question.options import CHOICE, CUT_PATHS, written
from explorer.questions.knowledge.graph_question.question import (
    GraphQuestionResult,
    JudgedChoice,
    ReadPath,
)
from explorer.questions.knowledge.graph_question.wording import (
    joined,
    path_said,
    relation_said,
    share_said,
)
from explorer.text import _
from explorer.text.formatting.numbers import signed
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row

LABELS = 0.88
"""Of the table's room, what the paths take at most: they are to be read whole."""
MOST_ROWS = 20
"""Paths that are listed; the exported table has all."""


def choices_table(shown: Shown, number: int) -> BarTable:
    """A row a choice: its score, that without any path, how many paths; the pinned one beside."""
    result: GraphQuestionResult = shown.result
    before = pinned_scores(shown)
    columns = [
        Column(_("score"), strong=True),
        Column(
            _("no paths"),
            words=_("The score of the same choice where the network is given no path."),
            dispensable=True,
        ),
        Column(_("paths"), dispensable=True),
    ]
    if before:
        columns.append(Column(_("change"), words=_("Since the pinned answer.")))
    rows = []
    for at, one in enumerate(result.choices):
        cells = [in_digits(one.score), in_digits(one.without), str(one.count)]
        if before:
            moved = change(one.score, before.get(one.text))
            cells.append("" if moved is None else signed(moved, 3))
        rows.append(
            Row(
                one.text,
                tuple(cells),
                (Bar(one.score, "mask" if at == result.best else "bar"),),
                mark=before.get(one.text),
                strong=at == result.best,
                ground="selection" if at == number else "",
                words=_("Click to see the graph and the paths of “{choice}”.", choice=one.text),
                key=("choice", at),
                act=shown.setting(CHOICE, (at,), _("look at {choice}", choice=one.text)),
            )
        )
    return BarTable(
        rows, tuple(columns), Axis(titled=False), title=_("Choices"), bold=False, track=True
    )


def pinned_scores(shown: Shown) -> dict[str, float]:
    """Scores of the pinned answer to the same question, by choice."""
    before: GraphQuestionResult | None = shown.before
    if before is None or before.question != shown.result.question:
        return {}
    return {one.text: one.score for one in before.choices}


def paths_table(shown: Shown, choice: JudgedChoice) -> BarTable:
    """A row a path, most attended to first; choosing one cuts it."""
    every = choice.attended
    top = every[0][0] or 1.0
    rows = [
        Row(
            path_said(path),
            (share_said(share), share_said(path.attention), in_digits(path.transe)),
            (Bar(share, "accent" if number == 0 else "bar"),),
            strong=number == 0,
            words=_told(path),
            key=("path", *path.concepts),
            act=None if shown.alone else _cut(shown, path),
        )
        for number, (share, path) in enumerate(every[:MOST_ROWS])
    ]
    if len(every) > MOST_ROWS:
        rest = sum(share for share, _path in every[MOST_ROWS:])
        words = _("{count} more", count=len(every) - MOST_ROWS)
        rows.append(Row(words, (share_said(rest), "", ""), muted=True, key="more"))
    return BarTable(
        rows,
        (
            Column(_("share"), strong=True),
            Column(_("of its pair"), dispensable=True),
            Column("TransE", dispensable=True),
        ),
        Axis(top=top, titled=False),
        title=_("Paths to “{choice}”", choice=choice.text),
        bold=False,
        track=True,
        label_share=LABELS,
    )


def _told(path: ReadPath) -> str:
    """What a row can be clicked for, and relations that stand beside those that are read."""
    beside = [
        f"{one} – {other}: {', '.join(map(relation_said, relations[1:]))}"
        for one, other, relations in zip(
            path.concepts, path.concepts[1:], path.relations, strict=False
        )
        if len(relations) > 1
    ]
    told = [path_said(path), _("Click to cut this path.")]
    if beside:
        told.append(_("Not read: {relations}", relations="; ".join(beside)))
    return "\n".join(told)


def _cut(shown: Shown, path: ReadPath) -> object:
    cut = (*CUT_PATHS.of(shown.now), written(path.concepts))
    return shown.setting(CUT_PATHS, cut, _("cut {path}", path=joined(path.concepts)))
