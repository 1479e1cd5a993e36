"""The page of the count: sums, areas, memory, work, and the tree."""

from collections.abc import Iterator

from explorer.questions.architecture.architecture.counting.details import opened_part, part_blocks
from explorer.questions.architecture.architecture.counting.tree import Part, find
from explorer.questions.architecture.architecture.counting.tree_table import tree_table
from explorer.questions.architecture.architecture.counting.treemap import Tile, Treemap
from explorer.questions.architecture.architecture.question import BY, PART, ArchitectureResult
from explorer.questions.architecture.architecture.words import (
    COLOURS,
    KINDS,
    SECTIONS,
    count,
    share,
)
from explorer.text import N_, _, said
from explorer.text.formatting.quantities import in_bytes, in_words
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.picture import Picture
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.tables.amounts import Amount, amounts
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Column, Row
from explorer.ui.blocks.tables.shares import Shares
from explorer.ui.blocks.text import Text, heading, note

MEMORY = {
    "weights": N_("Weights"),
    "hidden_states": N_("Hidden states between layers"),
    "attentions": N_("Attentions of all heads"),
    "activations": N_("All results of the layers"),
}
DTYPES = ("float32", "float16", "bfloat16", "int8")
LARGE = 0.12
"""Of all parameters: a part that holds more is cut into its parts, so that areas say something."""


def count_blocks(shown: Shown) -> Iterator[Block]:
    """From the sums to every part."""
    result: ArchitectureResult = shown.result
    sums = result.parameters
    sections = {"embedding": sums.embedding, "backbone": sums.backbone, "head": sums.head}
    yield Shares(
        [
            Amount(_(SECTIONS[name]), amount, in_words(amount), COLOURS[name])
            for name, amount in sections.items()
        ]
    )
    yield Text(_said_of_sums(result), above=Space.APART)
    by = BY.of(shown.now)
    yield heading(_("Where the parameters are, by {by}", by=by))
    tiles = _kind_tiles(result) if by == "kind" else _part_tiles(shown)
    yield Picture(lambda width: Treemap(tiles, width, max(180.0, min(300.0, width * 0.32))))
    memory = Card([heading(_memory_title(result)), _memory(result)], _("Memory"))
    # What a text takes is not counted where the model reads none.
    work = [] if result.blueprint.has_other_layers else [Card(list(_work(result)), _("Work"))]
    yield Columns([memory, *work], narrowest=CardWidth.WIDE, framed=False, above=Space.SECTION)
    yield heading(_("Every part"))
    alike = _("Layers that are alike are one row.")
    yield note(alike, above=Space.TIGHT, hint=_("Click a row to open it."))
    yield tree_table(shown)
    part = PART.of(shown.now)
    chosen = find(result.tree, part) if part else None
    if chosen is not None:
        yield from part_blocks(result, chosen)


def _said_of_sums(result: ArchitectureResult) -> str:
    sums = result.parameters
    words = _(
        "{count} parameters: {count_2} in the embeddings, {count_3} in the layers, "
        "{count_4} in the heads.",
        count=count(sums.unique),
        count_2=count(sums.embedding),
        count_3=count(sums.backbone),
        count_4=count(sums.head),
    )
    if sums.saved:
        words += _(
            " If nothing were tied or shared there would be {count}: that saves "
            "{count_2}, or {share}.",
            count=count(sums.total),
            count_2=count(sums.saved),
            share=share(sums.saved, sums.total),
        )
    return words


def _kind_tiles(result: ArchitectureResult) -> list[Tile]:
    whole = result.parameters.unique
    return [
        Tile(_(KINDS[kind]), amount, f"{in_words(amount)}, {share(amount, whole)}", COLOURS[kind])
        for kind, amount in result.kinds.items()
    ]


def _part_tiles(shown: Shown) -> list[Tile]:
    """Parts that are small enough to be told apart, down to what fills a layer."""
    whole = shown.result.parameters.unique
    found: list[Tile] = []

    def add(parts: tuple[Part, ...], above: str) -> None:
        for part in parts:
            if part.parameters > whole * LARGE and part.parts:
                add(part.parts, f"{above}{_short(part)} · " if part.copies > 1 else above)
            elif part.parameters:
                colour = COLOURS[part.kind or part.section]
                says = f"{in_words(part.parameters)}, {share(part.parameters, whole)}"
                words, path = f"{above}{_short(part)}", part.path
                act = opened_part(shown, path)
                found.append(Tile(words, part.parameters, says, colour, ("part", path), act))
        # Weights that stand beside parts are small: a bias, a table of its own.

    add(shown.result.tree, "")
    return found


def _short(part: Part) -> str:
    stem = part.name.removesuffix(".*")
    return f"{stem} × {part.copies}" if part.copies > 1 else stem


def _memory_title(result: ArchitectureResult) -> str:
    if result.blueprint.has_other_layers:
        return _("Memory")
    texts = _("one text") if result.batch == 1 else _("{batch} texts", batch=result.batch)
    return _("Memory, for {texts} of {length} tokens", texts=texts, length=result.length)


def _memory(result: ArchitectureResult) -> BarTable:
    rows = [
        Row(words, tuple(in_bytes(result.memory_bytes[what][dtype]) for dtype in DTYPES))
        for what, words in MEMORY.items()
        if what in result.memory_bytes
    ]
    return BarTable(rows, tuple(map(Column, DTYPES)), title=_("Memory"), bold=False)


def _work(result: ArchitectureResult) -> Iterator[Block]:
    total = sum(one.multiply_adds for one in result.work)
    yield heading(_("Multiply-adds for one token"))
    yield amounts(
        [
            Amount(said(one.part), one.multiply_adds, in_words(one.multiply_adds))
            for one in result.work
        ],
        _("Multiply-adds for one token"),
    )
    yield note(
        _(
            "{in_words} in all: a token's share of a text of {length} that goes through the "
            "model and its heads once. Matrix products and convolutions are counted, the "
            "attention's too; lookups, norms and activations are not.",
            in_words=in_words(total),
            length=result.length,
        )
    )
