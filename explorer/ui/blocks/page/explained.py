"""Explanations behind an (i): that of the title above them, or that of the page's header.

On paper, where nothing can be pointed at, they stay paragraphs in small letters.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page.page import Explain
from explorer.ui.blocks.page.parts import HEADINGS
from explorer.ui.blocks.text import Text


@dataclass(frozen=True)
class Explanation:
    """What is behind one (i).

    Attributes:
        title: After which it stands; "" for the page's header.
        text: Paragraphs, a line each.
    """

    title: str
    text: str


def behind_marks(blocks: Iterable[Block]) -> tuple[list[Block], tuple[Explanation, ...]]:
    """A page's blocks as the window shows them, and what is behind their marks.

    Returns:
        The blocks without explanations, titles that have some with a mark; what each mark says,
        from above, the header's first.
    """
    of_page: list[str] = []
    kept, beyond, found = _walk(blocks, of_page)
    texts = [*of_page, *beyond]
    header = [Explanation("", _joined(texts))] if texts else []
    return kept, (*header, *dict.fromkeys(found))


def _walk(
    blocks: Iterable[Block], of_page: list[str]
) -> tuple[list[Block], list[str], list[Explanation]]:
    """Blocks with marks, what is to be explained above them, and what their marks say.

    Args:
        blocks: From above.
        of_page: Takes what explains the whole page.
    """
    kept: list[Block] = []
    beyond: list[str] = []
    below: dict[int, list[str]] = {}
    inner: dict[int, list[Explanation]] = {}
    title: int | None = None
    for one in blocks:
        block = one
        if isinstance(block, Text) and block.explains:
            if block.explains == "page":
                of_page.append(block.text)
            else:
                (beyond if title is None else below.setdefault(title, [])).append(block.text)
            continue
        if isinstance(block, Text) and block.role in HEADINGS:
            title = len(kept)
        if isinstance(block, Columns):
            block, more, inside = _marked_cards(block, of_page)
            inner[len(kept)] = inside
            (beyond if title is None else below.setdefault(title, [])).extend(more)
        kept.append(block)
    found: list[Explanation] = []
    for number, block in enumerate(kept):
        if isinstance(block, Text) and (texts := below.get(number)):
            words = _joined([*filter(None, [block.words]), *texts])
            kept[number] = replace(block, words=words, marked=True, act=block.act or Explain())
            found.append(Explanation(block.text, _joined(texts)))
        # A block whose parts have marks of their own, as charts, says what is behind them.
        found += (*inner.get(number, []), *getattr(block, "explained", ()))
    return kept, beyond, found


def _marked_cards(
    columns: Columns, of_page: list[str]
) -> tuple[Columns, list[str], list[Explanation]]:
    """Cards with marks; one that is chosen as a whole has no place of its own for them."""
    cards: list[Card] = []
    beyond: list[str] = []
    found: list[Explanation] = []
    for card in columns.cards:
        if card.act is not None:
            cards.append(card)
            continue
        blocks, more, inside = _walk(card.blocks, of_page)
        cards.append(replace(card, blocks=blocks))
        beyond += more
        found += inside
    return replace(columns, cards=cards), beyond, found


def _joined(texts: Iterable[str]) -> str:
    return "\n".join(dict.fromkeys(texts))


def explanation_of_page(explanations: Iterable[Explanation]) -> str:
    """What is behind the (i) of the header; "" for nothing."""
    return next((one.text for one in explanations if not one.title), "")
