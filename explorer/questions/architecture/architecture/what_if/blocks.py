"""What changed numbers come to, beside what they were."""

from collections.abc import Iterator

from explorer.api import Table
from explorer.questions.architecture.architecture.counting.amounts import Amount, amounts
from explorer.questions.architecture.architecture.question import CHANGES, ArchitectureResult
from explorer.questions.architecture.architecture.what_if.changes import Outcome, embedding_sum
from explorer.questions.architecture.architecture.what_if.panel import (
    Numbers,
    WhatIfPanel,
    panel_height,
)
from explorer.questions.architecture.architecture.words import COLOURS, KINDS, SECTIONS, count
from explorer.text import _
from explorer.text.numbers import decimal
from explorer.text.quantities import in_bytes, in_words
from explorer.ui.blocks.bar_table import BarTable
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.panel import Panel
from explorer.ui.blocks.rows import Column, Row
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.text import Text, heading, note

SIDE_BY_SIDE = 560.0


def what_if_blocks(shown: Shown) -> Iterator[Block]:
    """Sliders, then parameters, memory and work before and after."""
    result: ArchitectureResult = shown.result
    before, after = outcomes(result)
    if not shown.alone:
        content = Numbers(shown.now, after.blueprint, CHANGES.of(shown.now), result.possible)
        yield Panel(WhatIfPanel, content, panel_height)
    yield Text(_("{title}, changed", title=result.title), "title", above=14)
    if result.refused:
        yield Text(result.refused, colour="warning", above=4)
    yield Text(_embedding_words(before, after))
    kinds = [
        Amount(KINDS[kind], amount, in_words(amount), COLOURS[kind], before.kinds[kind])
        for kind, amount in after.kinds.items()
        if amount or before.kinds[kind]
    ]
    was = {work.part: work.multiply_adds for work in before.work}
    work = [
        Amount(_(w.part), w.multiply_adds, in_words(w.multiply_adds), was=was.get(w.part, 0))
        for w in after.work
    ]
    yield Columns(
        [
            Card([_sums(before, after)], _("Before and after")),
            Card(
                [
                    heading(_("Parameters by kind")),
                    amounts(kinds, _("Parameters by kind")),
                    heading(_("Multiply-adds for one token")),
                    amounts(work, _("Multiply-adds for one token")),
                    note(_("The line in each bar is where it was."), above=8),
                ],
                _("As bars"),
            ),
        ],
        narrowest=SIDE_BY_SIDE,
        framed=False,
        above=14,
    )


def outcomes(result: ArchitectureResult) -> tuple[Outcome, Outcome]:
    """What the model comes to, and what it came to with the changes that were asked about."""
    before = Outcome(
        result.blueprint, result.parameters, result.kinds, result.memory_bytes, result.work
    )
    return before, result.changed or before


def what_if_table(result: ArchitectureResult) -> Table:
    """Every number before and after."""
    return Table(("what", "before", "after"), tuple(_rows(*outcomes(result))))


def _rows(before: Outcome, after: Outcome) -> list[tuple[str, int, int]]:
    rows = [
        ("parameters", before.parameters.unique, after.parameters.unique),
        (_("without sharing"), before.parameters.total, after.parameters.total),
    ]
    rows += [
        (name, getattr(before.parameters, name), getattr(after.parameters, name))
        for name in SECTIONS
    ]
    rows += [
        (_("{what}, bytes in float32", what=what), was["float32"], after.memory[what]["float32"])
        for what, was in before.memory.items()
    ]
    rows.append((_("multiply-adds a token"), before.multiply_adds, after.multiply_adds))
    return rows


def _embedding_words(before: Outcome, after: Outcome) -> str:
    was, sum_before = embedding_sum(before.blueprint)
    now, sum_after = embedding_sum(after.blueprint)
    if was == now:
        return _("From pieces to layers: {now} = {sum_after}.", now=now, sum_after=sum_after)
    times = max(sum_before, sum_after) / max(1, min(sum_before, sum_after))
    word = "fewer" if sum_after < sum_before else "more"
    return _(
        "From pieces to layers: {now} = {sum_after}, instead of {was} = {sum_before}: "
        "{times} times {word}.",
        now=now,
        sum_after=sum_after,
        was=was,
        sum_before=sum_before,
        times=decimal(times, 1),
        word=word,
    )


def _sums(before: Outcome, after: Outcome) -> BarTable:
    columns = tuple(map(Column, (_("As it is"), _("Changed"), _("Difference"))))
    rows = []
    for what, was, now in _rows(before, after):
        memory = "bytes" in what
        says = in_bytes if memory else count
        words = SECTIONS.get(what, what[0].upper() + what[1:])
        words = words.replace("_", " ").replace(", bytes in float32", ", float32")
        sign = "+" if now > was else "−" if now < was else ""
        difference = f"{sign}{says(abs(now - was))}" if sign else "none"
        if sign and was:
            difference += f" ({100 * (now - was) / was:+.1f} %)".replace("-", "−")
        colour = "muted" if not sign else "warning" if now > was else "positive"
        rows.append(Row(words, (says(was), says(now), difference), inks=("", "", colour)))
    return BarTable(rows, columns, title=_("Before and after"), label=Column(_("What")), bold=False)
