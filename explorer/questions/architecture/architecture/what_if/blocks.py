"""What changed numbers come to, beside what they were."""

from collections.abc import Iterator
from dataclasses import dataclass

from explorer.api import Table
from explorer.questions.architecture.architecture.question import CHANGES, ArchitectureResult
from explorer.questions.architecture.architecture.what_if.changes import (
    Outcome,
    embedding_sum,
)
from explorer.questions.architecture.architecture.what_if.panel import (
    Numbers,
    WhatIfPanel,
    panel_height,
)
from explorer.questions.architecture.architecture.words import COLOURS, KINDS, SECTIONS, count
from explorer.text import N_, _, said
from explorer.text.formatting.numbers import decimal, percent
from explorer.text.formatting.quantities import in_bytes, in_words
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.panel import Panel
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.tables.amounts import Amount, amounts
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Column, Row
from explorer.ui.blocks.text import Text, heading, note


def what_if_blocks(shown: Shown) -> Iterator[Block]:
    """Sliders, then parameters, memory and work before and after."""
    result: ArchitectureResult = shown.result
    before, after = outcomes(result)
    if result.blueprint.has_other_layers:
        yield Text(result.title, "heading")
        yield Text(
            _("This model’s config says no sizes that could be changed."), above=Space.SECTION
        )
        return
    content = Numbers(shown.now, after.blueprint, CHANGES.of(shown.now), result.possible)
    yield Panel(WhatIfPanel, content, panel_height)
    yield Text(_("{title}, changed", title=result.title), "title", above=Space.APART)
    if result.refused:
        yield Text(said(result.refused), colour="warning")
    yield Text(_embedding_words(before, after))
    kinds = [
        Amount(_(KINDS[kind]), amount, in_words(amount), COLOURS[kind], before.kinds[kind])
        for kind, amount in after.kinds.items()
        if amount or before.kinds[kind]
    ]
    was = {work.part: work.multiply_adds for work in before.work}
    work = [
        Amount(said(w.part), w.multiply_adds, in_words(w.multiply_adds), was=was.get(w.part, 0))
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
                    note(_("The line in each bar is where it was.")),
                ],
                _("As bars"),
            ),
        ],
        narrowest=CardWidth.WIDE,
        framed=False,
    )


def outcomes(result: ArchitectureResult) -> tuple[Outcome, Outcome]:
    """What the model comes to, and what it came to with the changes that were asked about."""
    before = Outcome(
        result.blueprint, result.parameters, result.kinds, result.memory_bytes, result.work
    )
    return before, result.changed or before


def what_if_table(result: ArchitectureResult) -> Table:
    """Every number before and after."""
    rows = tuple((one.name, one.was, one.now) for one in _sums_of(*outcomes(result)))
    return Table(("what", "before", "after"), rows)


@dataclass(frozen=True)
class Sum:
    """A number before and after.

    Attributes:
        name: In files.
        title: What a person calls it, as catalogues have it.
        was: Before.
        now: After.
        in_bytes: It is memory.
    """

    name: str
    title: str
    was: int
    now: int
    in_bytes: bool = False


MEMORY = {
    "weights": N_("Weights, float32"),
    "hidden_states": N_("Hidden states, float32"),
    "attentions": N_("Attentions, float32"),
    "activations": N_("Activations, float32"),
}


def _sums_of(before: Outcome, after: Outcome) -> Iterator[Sum]:
    was, now = before.parameters, after.parameters
    yield Sum("parameters", N_("Parameters"), was.unique, now.unique)
    yield Sum("without sharing", N_("Without sharing"), was.total, now.total)
    for name, title in SECTIONS.items():
        yield Sum(name, title, getattr(was, name), getattr(now, name))
    for what, amount in before.memory.items():
        name, title = f"{what}, bytes in float32", MEMORY.get(what, what)
        yield Sum(name, title, amount["float32"], after.memory[what]["float32"], in_bytes=True)
    what = "multiply-adds a token"
    yield Sum(what, N_("Multiply-adds per token"), before.multiply_adds, after.multiply_adds)


def _embedding_words(before: Outcome, after: Outcome) -> str:
    was, sum_before = embedding_sum(before.blueprint)
    now, sum_after = embedding_sum(after.blueprint)
    if was == now:
        return _("From tokens to layers: {now} = {sum_after}.", now=now, sum_after=sum_after)
    times = max(sum_before, sum_after) / max(1, min(sum_before, sum_after))
    places = {
        "now": now,
        "sum_after": sum_after,
        "was": was,
        "sum_before": sum_before,
        "times": decimal(times, 1),
    }
    if sum_after < sum_before:
        return _(
            "From tokens to layers: {now} = {sum_after}, instead of {was} = {sum_before}: "
            "{times} times fewer.",
            **places,
        )
    return _(
        "From tokens to layers: {now} = {sum_after}, instead of {was} = {sum_before}: "
        "{times} times more.",
        **places,
    )


def _sums(before: Outcome, after: Outcome) -> BarTable:
    columns = tuple(map(Column, (_("As it is"), _("Changed"), _("Difference"))))
    rows = []
    for one in _sums_of(before, after):
        was, now, says = one.was, one.now, in_bytes if one.in_bytes else count
        sign = "+" if now > was else "−" if now < was else ""
        difference = f"{sign}{says(abs(now - was))}" if sign else _("none")
        if sign and was:
            difference += f" ({sign}{percent(abs(now - was) / was, 1)})"
        colour = "muted" if not sign else "warning" if now > was else "positive"
        rows.append(Row(_(one.title), (says(was), says(now), difference), inks=("", "", colour)))
    return BarTable(rows, columns, title=_("Before and after"), label=Column(_("What")), bold=False)
