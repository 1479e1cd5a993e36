"""What changed numbers come to, beside what they were."""

from explorer.api import Table
from explorer.questions.architecture.architecture.what_if import Outcome, embedding_sum
from explorer.text.quantities import in_bytes, in_words
from explorer.ui.blocks.block import Laid, LaidPage, stack
from explorer.ui.blocks.text import Words
from explorer.ui.views.dissecting.bars import Bar, Bars
from explorer.ui.views.dissecting.grid import Column, Grid, Row
from explorer.ui.views.dissecting.words import COLOURS, KINDS, SECTIONS, count


def what_if_page(
    title: str, before: Outcome, after: Outcome, width: float, refused: str = ""
) -> LaidPage:
    """Parameters, memory and work before and after.

    Args:
        title: What was begun with.
        before: As it is.
        after: With the changes.
        width: Of the page.
        refused: Why there is no model with the changes; "" where there is.
    """
    blocks: list[tuple[float, Laid]] = [(0, Words(f"{title}, changed", width, "title"))]
    if refused:
        blocks.append((4, Words(refused, width, "body", "warning")))
    blocks.append((6, Words(_embedding_words(before, after), width)))
    blocks.append((14, _sums(before, after, width)))
    blocks.append((16, Words("Parameters by kind", width, "strong")))
    bars = [
        Bar(KINDS[kind], amount, in_words(amount), COLOURS[kind], before.kinds[kind])
        for kind, amount in after.kinds.items()
        if amount or before.kinds[kind]
    ]
    blocks.append((4, Bars(bars, width)))
    blocks.append((16, Words("Multiply-adds for one token", width, "strong")))
    was = {work.part: work.multiply_adds for work in before.work}
    bars = [
        Bar(w.part, w.multiply_adds, in_words(w.multiply_adds), ghost=was.get(w.part, 0))
        for w in after.work
    ]
    blocks.append((4, Bars(bars, width)))
    words = "The line in each bar is where it was."
    blocks.append((8, Words(words, width, "small", "muted")))
    return stack(blocks, width)


def what_if_table(before: Outcome, after: Outcome) -> Table:
    """Every number before and after."""
    return Table(("what", "before", "after"), tuple(_rows(before, after)))


def _rows(before: Outcome, after: Outcome) -> list[tuple[str, int, int]]:
    rows = [
        ("parameters", before.parameters.unique, after.parameters.unique),
        ("without sharing", before.parameters.total, after.parameters.total),
    ]
    rows += [
        (name, getattr(before.parameters, name), getattr(after.parameters, name))
        for name in SECTIONS
    ]
    rows += [
        (f"{what}, bytes in float32", was["float32"], after.memory[what]["float32"])
        for what, was in before.memory.items()
    ]
    rows.append(("multiply-adds a token", before.multiply_adds, after.multiply_adds))
    return rows


def _embedding_words(before: Outcome, after: Outcome) -> str:
    was, sum_before = embedding_sum(before.blueprint)
    now, sum_after = embedding_sum(after.blueprint)
    if was == now:
        return f"From pieces to layers: {now} = {sum_after:,}."
    times = max(sum_before, sum_after) / max(1, min(sum_before, sum_after))
    word = "fewer" if sum_after < sum_before else "more"
    return (
        f"From pieces to layers: {now} = {sum_after:,}, instead of {was} = {sum_before:,}: "
        f"{times:.1f} times {word}."
    )


def _sums(before: Outcome, after: Outcome, width: float) -> Grid:
    columns = (
        Column("What"),
        Column("As it is", numbers=True),
        Column("Changed", numbers=True),
        Column("Difference", numbers=True),
    )
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
        rows.append(Row((words, says(was), says(now), difference), colours={3: colour}))
    return Grid(columns, rows, width)
