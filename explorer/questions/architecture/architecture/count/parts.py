"""The page of the count: sums, areas, memory, work, and the tree."""

from collections.abc import Iterator
from dataclasses import dataclass

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
    Width,
    column,
)
from explorer.architecture.tree import find
from explorer.architecture.wording import COLOURS, SECTIONS, count, share
from explorer.questions.architecture.architecture.count.details import part_parts
from explorer.questions.architecture.architecture.question import ArchitectureResult
from explorer.text import N_, Phrase, said
from explorer.text.formatting.quantities import in_bytes, in_words

MEMORY = {
    "weights": N_("Weights"),
    "hidden_states": N_("Hidden states between layers"),
    "attentions": N_("Attentions of all heads"),
    "activations": N_("All results of the layers"),
}
WHERE = {
    "part": N_("Where the parameters are, by part"),
    "kind": N_("Where the parameters are, by kind"),
}


def count_parts(
    result: ArchitectureResult, by: str, part: str
) -> Iterator[Amounts | Said | OwnPicture | Cards | Rows]:
    """From the sums to every part."""
    sums = result.parameters
    sections = {"embedding": sums.embedding, "backbone": sums.backbone, "head": sums.head}
    shares = tuple(
        Amount(name, SECTIONS[name], amount, written=in_words, colour=COLOURS[name])
        for name, amount in sections.items()
    )
    yield Amounts(shares, in_summary=False, look=Look.SHARES)
    yield Said(_sums_said(result), Manner.PLAIN)
    yield Said(WHERE[by], Manner.TITLE)
    yield OwnPicture("treemap")
    cards = [OneCard(_memory_title(result), (_memory(result),))]
    # What a text takes is not counted where the model reads none.
    if not result.blueprint.has_other_layers:
        cards.append(OneCard(N_("Multiply-adds for one token"), tuple(_work(result))))
    yield Cards(tuple(cards), Width.WIDE, framed=False)
    yield Said(N_("Every part"), Manner.TITLE)
    yield Said(N_("Layers that are alike are one row."), near=True)
    yield Said(N_("Click a row to open it."), Manner.HINT, near=True)
    yield OwnPicture("tree")
    chosen = find(result.tree, part) if part else None
    if chosen is not None:
        yield from part_parts(result, chosen)


def _sums_said(result: ArchitectureResult) -> Phrase:
    sums = result.parameters
    told = Phrase(
        N_(
            "{count} parameters: {count_2} in the embeddings, {count_3} in the layers, {count_4} "
            "in the heads."
        ),
        count=count(sums.unique),
        count_2=count(sums.embedding),
        count_3=count(sums.backbone),
        count_4=count(sums.head),
    )
    if not sums.saved:
        return told
    tied = Phrase(
        N_(
            "If nothing were tied or shared there would be {count}: that saves {count_2}, or "
            "{share}."
        ),
        count=count(sums.total),
        count_2=count(sums.saved),
        share=share(sums.saved, sums.total),
    )
    return Phrase.joined([told, tied])


def _memory_title(result: ArchitectureResult) -> str:
    if result.blueprint.has_other_layers:
        return N_("Memory")
    several = Phrase(N_("{batch} texts"), batch=result.batch)
    texts = Phrase(N_("one text")) if result.batch == 1 else several
    title = N_("Memory, for {texts} of {length} tokens")
    return Phrase(title, texts=texts, length=result.length)


@dataclass(frozen=True)
class MemoryRow:
    """What takes memory, in bytes by the type of its numbers."""

    what: str = column(N_("what"), key=True, written=said)
    float32: int = column("float32", written=in_bytes)
    float16: int = column("float16", written=in_bytes)
    bfloat16: int = column("bfloat16", written=in_bytes)
    int8: int = column("int8", written=in_bytes)


def _memory(result: ArchitectureResult) -> Rows:
    rows = (
        MemoryRow(words, **result.memory_bytes[what])
        for what, words in MEMORY.items()
        if what in result.memory_bytes
    )
    return Rows(MemoryRow, tuple(rows), in_files=False)


def _work(result: ArchitectureResult) -> Iterator[Amounts | Said]:
    work = tuple(
        Amount(str(one.part), one.part, one.multiply_adds, written=in_words) for one in result.work
    )
    title = N_("Multiply-adds for one token")
    yield Amounts(work, in_summary=False, look=Look.BARS, title=title)
    code = N_(
        "{in_words} in all: a token's share of a text of {length} that goes through the model and "
        "its heads once. Matrix products and convolutions are counted, the attention's too; "
        "lookups, norms and activations are not."
    )
    total = sum(one.multiply_adds for one in result.work)
    yield Said(Phrase(code, in_words=in_words(total), length=result.length), near=True)
