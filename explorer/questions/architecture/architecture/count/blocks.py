"""What of the count is painted: areas, the tree of parts, histograms."""

from collections.abc import Iterator

from explorer.architecture.statistics import Statistics
from explorer.architecture.tree import TreeNode
from explorer.architecture.wording import COLOURS, KINDS, number, share
from explorer.questions.architecture.architecture.count.details import shorter_names
from explorer.questions.architecture.architecture.count.tree_table import tree_table
from explorer.questions.architecture.architecture.question import BY, PART, ArchitectureResult
from explorer.text import _, ngettext
from explorer.text.formatting.quantities import in_words
from explorer.ui.blocks import (
    Block,
    Edit,
    Shown,
    SmallHistogram,
    SmallHistograms,
    Tile,
    Treemap,
    set_options,
)

LARGE = 0.12
"""Of all parameters: a part that holds more is cut into its parts, so that areas say something."""
MOST_PICTURES = 24


def opened_part(shown: Shown, path: str) -> Edit:
    """The gesture that shows a part in full, or no longer."""
    is_open = path == PART.of(shown.now)
    name = path.rpartition(".")[2] if not path.endswith("*") else path
    said = _("close {name}", name=name) if is_open else _("open {name}", name=name)
    return set_options(shown.now, {PART.key: None if is_open else path}, said)


def treemap(shown: Shown) -> Iterator[Block]:
    """Where the parameters are, as areas."""
    tiles = _kind_tiles(shown.result) if BY.of(shown.now) == "kind" else _part_tiles(shown)
    yield Treemap(tuple(tiles))


def tree(shown: Shown) -> Iterator[Block]:
    """Every part, as rows that open."""
    yield tree_table(shown)


def histograms(shown: Shown) -> Iterator[Block]:
    """What the numbers of the first tensors of the open part look like."""
    result: ArchitectureResult = shown.result
    first = result.statistics[:MOST_PICTURES]
    names = shorter_names(result.part, first)
    yield SmallHistograms(tuple(map(_histogram, names, first)))


def _histogram(name: str, one: Statistics) -> SmallHistogram:
    words = _(
        "{name}\nmean {number}, std {number_2}, norm {number_3}",
        name=one.name,
        number=number(one.mean),
        number_2=number(one.std),
        number_3=number(one.norm),
    )
    ends = f"{number(one.minimum)} … {number(one.maximum)}"
    return SmallHistogram(name, one.counts, one.minimum, one.maximum, ends, words)


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

    def add(parts: tuple[TreeNode, ...], above: str) -> None:
        for part in parts:
            if part.parameters > whole * LARGE and part.parts:
                add(part.parts, f"{_several(part)} · " if part.copies > 1 else above)
            elif part.parameters:
                colour = COLOURS[part.kind or part.section]
                says = f"{in_words(part.parameters)}, {share(part.parameters, whole)}"
                words, path = f"{above}{_named(part)}", part.path
                act = opened_part(shown, path)
                found.append(Tile(words, part.parameters, says, colour, ("part", path), act))
        # Weights that stand beside parts are small: a bias, a table of its own.

    add(shown.result.tree, "")
    return found


def _several(part: TreeNode) -> str:
    """Layers that are alike, or whatever else there is several times."""
    if part.section == "backbone":
        return ngettext("{count} layer", "{count} layers", part.copies)
    return f"{part.name.removesuffix('.*')} × {part.copies}"


def _named(part: TreeNode) -> str:
    """What a part is for, before what its weights are called in the files."""
    stem = _several(part) if part.copies > 1 else part.name
    return f"{_(KINDS[part.kind])}: {stem}" if part.kind else stem
