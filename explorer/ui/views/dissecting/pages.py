"""The pages of the architecture view that show one model: its picture and its count."""

from collections.abc import Callable

from explorer.api import Blueprint, Role
from explorer.questions.architecture.architecture.question import AnatomyResult
from explorer.questions.architecture.architecture.sketch import sketch_of
from explorer.questions.architecture.architecture.tree import Part, find, flat
from explorer.text.quantities import in_bytes, in_words
from explorer.ui.blocks.block import Laid, LaidPage, stack
from explorer.ui.blocks.text import Words
from explorer.ui.views.dissecting.bars import Bar, Bars, Shares
from explorer.ui.views.dissecting.board import Board
from explorer.ui.views.dissecting.details import part_blocks
from explorer.ui.views.dissecting.grid import Column, Grid, Row
from explorer.ui.views.dissecting.parts_list import opened_at_first, tree_grid
from explorer.ui.views.dissecting.treemap import Tile, Treemap
from explorer.ui.views.dissecting.words import COLOURS, KINDS, SECTIONS, count, share

MEMORY = {
    "weights": "Weights",
    "hidden_states": "Hidden states between layers",
    "attentions": "Attentions of all heads",
    "activations": "All results of the layers",
}


def heading(result: AnatomyResult, width: float) -> list[tuple[float, Laid]]:
    """Which model this is, in two lines."""
    shape = (
        f"{result.layers} layers x {result.hidden_size:,} wide x {result.heads} heads · "
        f"{result.vocabulary:,} pieces · {result.parameters.unique:,} parameters"
    )
    # A published file may hold heads that its config does not name.
    heads = ", ".join(one.replace("_", " ") for one in result.blueprint.heads_present)
    source = "its weights" if result.loaded else "its config alone, without any weights"
    source += f", heads: {heads or 'none'}"
    return [
        (0, Words(result.title, width, "heading")),
        (2, Words(f"{shape} · counted from {source}", width, "small", "muted")),
    ]


def path_finder(result: AnatomyResult) -> Callable[[tuple[str, ...], str], str]:
    """From the roles of a shape on the board to the part of the tree that has them."""
    # A run of an older version has no roles.
    weights = [(Role(w.role or Role.OTHER).group, w.name) for w in flat(result.tree)]

    def path_of(roles: tuple[str, ...], beginning: str) -> str:
        wanted = {Role(role).group for role in roles}
        names = [
            name.split(".")[:-1]
            for role, name in weights
            if role in wanted and (not beginning or name.startswith((beginning, "shared")))
        ]
        common: list[str] = []
        for segments in zip(*names, strict=False):
            if len(set(segments)) > 1:
                break
            common.append(segments[0])
        while common and find(result.tree, ".".join(common)) is None:
            common.pop()
        return ".".join(common)

    return path_of


def picture_page(result: AnatomyResult, part: str, width: float) -> LaidPage:
    """The board, and the part that was clicked."""
    blocks = heading(result, width)
    if result.blueprint.layers:
        sketch = sketch_of(result.blueprint, result.companion, mine_first=_fills(result.blueprint))
        board = Board(sketch, result.blueprint.traits, width, path_finder(result), part)
        blocks.append((18, board))
    else:
        words = "This family's plugin does not say how its layers are built; see the count."
        blocks.append((18, Words(words, width)))
    opened = find(result.tree, part) if part else None
    if opened is not None:
        blocks += part_blocks(result, opened, width)
    return stack(blocks, width)


def _fills(blueprint: Blueprint) -> bool:
    """Whether a half of a pair is the one that fills masks."""
    return "replaced_token" not in blueprint.heads_present


def count_page(
    result: AnatomyResult, opened: tuple[str, ...] | None, part: str, by: str, width: float
) -> LaidPage:
    """Sums, areas, memory, work, and the tree."""
    sums = result.parameters
    blocks = heading(result, width)
    sections = {"embedding": sums.embedding, "backbone": sums.backbone, "head": sums.head}
    blocks.append(
        (
            16,
            Shares(
                [
                    Bar(SECTIONS[name], amount, in_words(amount), COLOURS[name])
                    for name, amount in sections.items()
                ],
                width,
            ),
        )
    )
    blocks.append((10, Words(_said_of_sums(result), width)))
    blocks.append((18, Words(f"Where the parameters are, by {by}", width, "title")))
    tiles = _kind_tiles(result) if by == "kind" else _part_tiles(result)
    blocks.append((6, Treemap(tiles, width, max(180.0, min(300.0, width * 0.32)))))
    blocks.append((18, Words(_memory_title(result), width, "title")))
    blocks.append((6, _memory(result, width)))
    blocks.append((18, Words("Multiply-adds for one token", width, "title")))
    work = result.work
    bars = [Bar(w.part, w.multiply_adds, _work(w.multiply_adds)) for w in work]
    total = sum(w.multiply_adds for w in work)
    said = (
        f"{_work(total)} in all: a token's share of a text of {result.length:,} that goes through "
        "the model and its heads once. Matrix products and convolutions are counted, the "
        "attention's too; lookups, norms and activations are not."
    )
    blocks.append((2, Words(said, width, "small", "muted")))
    blocks.append((6, Bars(bars, width)))
    blocks.append((18, Words("Every part", width, "title")))
    said = "Layers that are alike are one row. Click a row to open it."
    blocks.append((2, Words(said, width, "small", "muted")))
    open_now = opened_at_first(result.tree) if opened is None else opened
    blocks.append((6, tree_grid(result.tree, frozenset(open_now), part, width)))
    chosen = find(result.tree, part) if part else None
    if chosen is not None:
        blocks += part_blocks(result, chosen, width)
    return stack(blocks, width)


def _said_of_sums(result: AnatomyResult) -> str:
    sums = result.parameters
    words = (
        f"{count(sums.unique)} parameters: {count(sums.embedding)} in the embeddings, "
        f"{count(sums.backbone)} in the layers, {count(sums.head)} in the heads."
    )
    if sums.saved:
        words += (
            f" If nothing were tied or shared there would be {count(sums.total)}: that saves "
            f"{count(sums.saved)}, or {share(sums.saved, sums.total)}."
        )
    return words


def _work(amount: int) -> str:
    return in_words(amount)


def _kind_tiles(result: AnatomyResult) -> list[Tile]:
    whole = result.parameters.unique
    return [
        Tile(KINDS[kind], amount, f"{in_words(amount)}, {share(amount, whole)}", COLOURS[kind])
        for kind, amount in result.kinds.items()
    ]


def _part_tiles(result: AnatomyResult) -> list[Tile]:
    """Parts that are small enough to be told apart, down to what fills a layer."""
    whole = result.parameters.unique
    found: list[Tile] = []

    def add(parts: tuple[Part, ...], above: str) -> None:
        for part in parts:
            large = part.parameters > whole * 0.12 and part.parts
            if large:
                add(part.parts, f"{above}{_short(part)} · " if part.copies > 1 else above)
            elif part.parameters:
                colour = COLOURS[part.kind or part.section]
                says = f"{in_words(part.parameters)}, {share(part.parameters, whole)}"
                words = f"{above}{_short(part)}"
                found.append(Tile(words, part.parameters, says, colour, ("part", part.path)))
        # Weights that stand beside parts are small: a bias, a table of its own.

    add(result.tree, "")
    return found


def _short(part: Part) -> str:
    stem = part.name.removesuffix(".*")
    return f"{stem} x {part.copies}" if part.copies > 1 else stem


def _memory_title(result: AnatomyResult) -> str:
    texts = "one text" if result.batch == 1 else f"{result.batch:,} texts"
    return f"Memory, for {texts} of {result.length:,} tokens"


def _memory(result: AnatomyResult, width: float) -> Grid:
    dtypes = ("float32", "float16", "bfloat16", "int8")
    columns = [Column("What"), *(Column(dtype, numbers=True) for dtype in dtypes)]
    rows = [
        Row((words, *(in_bytes(result.memory_bytes[what][dtype]) for dtype in dtypes)))
        for what, words in MEMORY.items()
        if what in result.memory_bytes
    ]
    return Grid(columns, rows, width)
