"""What changed numbers come to, beside what they were."""

from collections.abc import Iterator
from dataclasses import dataclass

from explorer.api.family import Blueprint
from explorer.api.question import (
    Amount,
    Amounts,
    Cards,
    Look,
    Manner,
    OneCard,
    OwnPicture,
    Rows,
    Said,
    Table,
    Width,
    column,
)
from explorer.architecture.counting import ArchitectureCount
from explorer.architecture.wording import COLOURS, KINDS, SECTIONS, count
from explorer.questions.architecture.architecture.question import ArchitectureResult
from explorer.text import N_, Phrase, _, said, verbatim
from explorer.text.formatting.numbers import decimal, percent
from explorer.text.formatting.quantities import in_bytes, in_words

MEMORY = {
    "weights": N_("Weights, float32"),
    "hidden_states": N_("Hidden states, float32"),
    "attentions": N_("Attentions, float32"),
    "activations": N_("Activations, float32"),
}


def what_if_parts(result: ArchitectureResult) -> Iterator[Said | OwnPicture | Cards]:
    """Sliders, then parameters, memory and work before and after."""
    before, after = outcomes(result)
    if result.blueprint.has_other_layers:
        yield Said(verbatim(result.title), Manner.HEADING)
        said = N_("This model’s config says no sizes that could be changed.")
        yield Said(said, Manner.PLAIN)
        return
    yield OwnPicture("changes")
    title = Phrase(N_("{title}, changed"), title=verbatim(result.title))
    yield Said(title, Manner.TITLE)
    yield Said(result.refused, Manner.WARNING)
    yield Said(_embedding_words(before, after), Manner.PLAIN, near=True)
    kinds = tuple(
        Amount(kind, KINDS[kind], amount, written=in_words, colour=COLOURS[kind], was=was)
        for kind, amount in after.kinds.items()
        if (was := before.kinds[kind]) or amount
    )
    then = {work.part: work.multiply_adds for work in before.work}
    work = tuple(
        Amount(str(w.part), w.part, w.multiply_adds, written=in_words, was=then.get(w.part, 0))
        for w in after.work
    )
    bars = (
        Said(N_("Parameters by kind"), Manner.TITLE),
        Amounts(kinds, in_summary=False, look=Look.BARS, title=N_("Parameters by kind")),
        Said(N_("Multiply-adds for one token"), Manner.TITLE),
        Amounts(work, in_summary=False, look=Look.BARS, title=N_("Multiply-adds for one token")),
        Said(N_("The line in each bar is where it was."), near=True),
    )
    yield Cards((OneCard("", (_sums(before, after),)), OneCard("", bars)), Width.WIDE, framed=False)


def outcomes(result: ArchitectureResult) -> tuple[ArchitectureCount, ArchitectureCount]:
    """What the model comes to, and what it came to with the changes that were asked about."""
    before = ArchitectureCount(
        result.blueprint, result.parameters, result.kinds, result.memory_bytes, result.work
    )
    return before, result.changed or before


class Bytes(int):
    """An amount of memory."""


def _amount(value: int) -> str:
    return in_bytes(value) if isinstance(value, Bytes) else count(value)


def _difference(value: int) -> str:
    return f"{'+' if value > 0 else '−'}{_amount(type(value)(abs(value)))}" if value else _("none")


def _ink(value: float) -> str:
    return "warning" if value > 0 else "positive" if value else "muted"


@dataclass(frozen=True)
class SumRow:
    """A number before and after; memory is in bytes."""

    title: str = column(N_("what"), filed=False, written=said)
    what: str = column(N_("what"), key=True, shown=False)
    before: int = column(N_("as it is"), written=_amount)
    after: int = column(N_("changed"), written=_amount)
    difference: int = column(N_("difference"), filed=False, written=_difference, ink=_ink)
    share: float | None = column(
        N_("share"),
        filed=False,
        written=lambda one: percent(one, 1),
        is_signed=True,
        ink=_ink,
        dispensable=True,
    )


def what_if_table(result: ArchitectureResult) -> Table:
    """Every number before and after."""
    return _sums(*outcomes(result)).table()


def _sums(before: ArchitectureCount, after: ArchitectureCount) -> Rows:
    title = N_("Before and after")
    return Rows(SumRow, tuple(_sums_of(before, after)), title=title, in_files=False)


def _sums_of(before: ArchitectureCount, after: ArchitectureCount) -> Iterator[SumRow]:
    was, now = before.parameters, after.parameters
    yield _sum("parameters", N_("Parameters"), was.unique, now.unique)
    yield _sum("without sharing", N_("Without sharing"), was.total, now.total)
    for name, title in SECTIONS.items():
        yield _sum(name, title, getattr(was, name), getattr(now, name))
    for what, amount in before.memory.items():
        name, title = f"{what}, bytes in float32", MEMORY.get(what, what)
        yield _sum(name, title, amount["float32"], after.memory[what]["float32"], memory=True)
    what = "multiply-adds a token"
    yield _sum(what, N_("Multiply-adds per token"), before.multiply_adds, after.multiply_adds)


def _sum(name: str, title: str, was: int, now: int, *, memory: bool = False) -> SumRow:
    kind = Bytes if memory else int
    share = (now - was) / was if was and now != was else None
    return SumRow(title, name, kind(was), kind(now), kind(now - was), share)


def _embedding_words(before: ArchitectureCount, after: ArchitectureCount) -> Phrase:
    was, sum_before = embedding_sum(before.blueprint)
    now, sum_after = embedding_sum(after.blueprint)
    if was == now:
        code = N_("From tokens to layers: {now} = {sum_after}.")
        return Phrase(code, now=now, sum_after=sum_after)
    times = max(sum_before, sum_after) / max(1, min(sum_before, sum_after))
    places = {
        "now": now,
        "sum_after": sum_after,
        "was": was,
        "sum_before": sum_before,
        "times": decimal(times, 1),
    }
    more = N_(
        "From tokens to layers: {now} = {sum_after}, instead of {was} = {sum_before}: {times} "
        "times more."
    )
    fewer = N_(
        "From tokens to layers: {now} = {sum_after}, instead of {was} = {sum_before}: {times} "
        "times fewer."
    )
    return Phrase(fewer if sum_after < sum_before else more, **places)


def embedding_sum(blueprint: Blueprint) -> tuple[str, int]:
    """The matrices between a piece's number and the layers' width, as the notes write them.

    Without positions and biases: "30,000 x 64 + 64 x 768", and what that comes to.
    """
    pieces, inner, width = (
        blueprint.vocabulary,
        blueprint.embedding_size,
        blueprint.hidden_size,
    )
    if inner == width:
        return f"{pieces:,} × {width:,}", pieces * width
    return f"{pieces:,} × {inner:,} + {inner:,} × {width:,}", pieces * inner + inner * width
