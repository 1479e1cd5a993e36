"""A query and a key with their product by dimension, for any pair of tokens of any head."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from explorer.api import ModelCard, Table, Token
from explorer.document import Document
from explorer.questions.attention.query_key.question import OPERATION, QueryKey, QueryKeyResult
from explorer.ui.blocks.block import Laid, LaidPage, stack
from explorer.ui.blocks.painted import PaintedPage
from explorer.ui.blocks.text import Words
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.heat_map import HeatMap
from explorer.ui.matrices.heat_painting import heat_figure
from explorer.ui.matrices.scale import Scale, number
from explorer.ui.sentence.pieces import of_tokens
from explorer.ui.sentence.token_layout import MASK_LABEL
from explorer.ui.theme.schemes import Theme
from explorer.ui.views.state_pages import label
from explorer.ui.views.taking_apart.beside import Inner, Picture
from explorer.ui.views.taking_apart.dimension_bars import dimension_bars
from explorer.ui.views.taking_apart.place_controls import PlaceControls, shape_of
from explorer.ui.views.view import View
from explorer.ui.widgets.figure import Figure
from explorer.ui.widgets.scrolling import scrolling

MARGIN = 14
STACKS = {
    "encoder": "Encoder",
    "decoder": "Decoder",
    "cross": "Decoder to encoder",
}
BY_SIZE = "query_key.by_size"
"""Option: dimensions in the order of their products."""
PAIR = "query_key.pair"
"""Option: [query, key], positions of the two tokens; only how the answer is drawn."""
PRODUCTS = (
    "The same query with every key: a row a key, a column a dimension. What is orange makes the "
    "query look there, what is blue away."
)


class QueryKeyView(View):
    """The head's attention to choose a pair in, its vectors, and the products with all keys."""

    of: ClassVar = OPERATION
    order = 56
    group = "Attention"
    glyph = "key-outline"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shape: tuple[int, int] | None = None
        self._pair: object = None
        self._hovered: tuple[int, int] | None = None
        self.place = PlaceControls("queryKeyPlace", self)
        self.place.hide()
        self.place.layer_moved.connect(lambda n: self.option_moved.emit("query_key.layer", n))
        self.place.head_moved.connect(lambda n: self.option_moved.emit("query_key.head", n))
        self.place.stack_chosen.connect(
            lambda kind: self.option_changed.emit("query_key.kind", kind)
        )
        self.by_size = QToolButton(self)
        self.by_size.setObjectName("dimensionsBySize")
        self.by_size.setText("Sort by product")
        self.by_size.setCheckable(True)
        self.by_size.setToolTip("Dimensions in the order of their products, the largest first")
        self.by_size.clicked.connect(
            lambda on: self.option_changed.emit(BY_SIZE, True if on else None)
        )
        self.by_size.hide()
        self.sum_line = label("sumLine", "body", self)
        self.attention = HeatMap("pairMap", self)
        self.attention.setAccessibleName("Attention of this head: choose a query and a key")
        self.attention.clicked.connect(self._choose)
        self.attention.hovered.connect(self._look_at)
        self.attention.setFixedSize(300, 270)
        self.page = PaintedPage("dimensionPage", self)
        self.page.setAccessibleName("Query, key and product by dimension")
        self.products = HeatMap("productMap", self)
        self.products.setAccessibleName("Products of the query with every key, by dimension")
        self.products.clicked.connect(self._choose_key)
        self.about = label("productsAbout", "small", self)
        self.about.setText(PRODUCTS)
        self._lay_out()
        self.refresh()

    def _lay_out(self) -> None:
        board = QWidget(self)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(self.attention, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.page, 1)
        inside = QVBoxLayout(board)
        inside.setContentsMargins(MARGIN, 2, MARGIN, MARGIN)
        inside.setSpacing(8)
        inside.addWidget(self.sum_line)
        inside.addLayout(row)
        inside.addWidget(self.about)
        inside.addWidget(self.products)
        inside.addStretch(1)
        self.area = scrolling(board, "queryKeyArea", self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2, 0, 0)
        layout.addWidget(self.area)

    # ---- what is asked ----------------------------------------------------------------------

    def set_models(self, cards: Mapping[str, ModelCard], active: str) -> None:
        """Know how many layers and heads there are."""
        self._shape = shape_of(cards.get(active))

    def request_of(self, document: Document) -> QueryKey | None:
        """Asked as soon as there is text; a layer that another model had becomes the last one."""
        if not document.text.strip():
            return None
        asked = QueryKey.of(document)
        if self._shape is None:
            return asked
        layers, heads = self._shape
        return replace(asked, layer=min(asked.layer, layers - 1), head=min(asked.head, heads - 1))

    def empty_hint(self, _document: Document) -> str:
        """Say what is needed."""
        return "Type a sentence to see the queries and keys of its tokens."

    def set_document(self, document: Document) -> None:
        """Show the place, and draw another pair or order."""
        asked = self.request_of(document) or QueryKey.of(document)
        if self._shape is not None:
            self.place.set_shape(*self._shape)
        self.place.set_place(asked.layer, asked.head)
        by_size, pair = bool(document.option(BY_SIZE, False)), document.option(PAIR)
        if by_size != self.by_size.isChecked() or pair != self._pair:
            self.by_size.setChecked(by_size)
            self._pair = pair
            self.refresh()

    def tools(self) -> list[QWidget]:
        """The order of the dimensions and the place; the frame takes them over."""
        self.by_size.show()
        self.place.show()
        return [self.by_size, self.place]

    # ---- what is shown ----------------------------------------------------------------------

    @property
    def pair(self) -> tuple[int, int]:
        """The query and the key that are looked at: under the mouse, else those chosen."""
        hovered = self._hovered
        if hovered is not None and not self.result.is_hidden(*hovered):
            return hovered
        return chosen_pair(self.result, self._pair)

    def refresh(self) -> None:
        """Show what is held now."""
        result: QueryKeyResult | None = self.result
        self._hovered = None
        self.about.setVisible(result is not None)
        self.products.setVisible(result is not None)
        self.attention.setVisible(result is not None)
        if result is None:
            self.sum_line.setText("")
            self.page.show_page(None)
            return
        stacks = [(kind, STACKS[kind]) for kind, _, _ in result.stacks]
        self.place.set_stacks(stacks, result.kind)
        layers, heads = next((n, h) for kind, n, h in result.stacks if kind == result.kind)
        self.place.set_shape(layers, heads)
        queries, keys = self._labels()
        self.attention.set_content(attention_content(result, queries, keys))
        self.products.setFixedHeight(min(max(140, 22 * len(keys) + 80), 520))
        self._show_pair()
        self._mark_pair()

    def _show_pair(self) -> None:
        """Show the vectors of the pair that is looked at."""
        queries, keys = self._labels()
        pair = self.pair
        names = (queries[pair[0]], keys[pair[1]])
        self.sum_line.setText(sum_said(self.result, pair, names))
        self.products.set_content(products_content(self.result, pair[0], keys))
        self.page.show_page(self._vectors_at)

    def _look_at(self, cell: tuple[int, int] | None) -> None:
        """Follow the mouse over the attention; without it, go back to the pair that was chosen."""
        if self.result is None or cell == self._hovered:
            return
        before, self._hovered = self.pair, cell
        if self.pair != before:
            self._show_pair()
        if cell is None:
            self._mark_pair()

    def _mark_pair(self) -> None:
        """Mark the pair in the map, which is not the mouse's doing and is told to nobody."""
        with QSignalBlocker(self.attention):
            self.attention.point_at(self.pair)

    def _labels(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return (
            labels_of(self.result.query_tokens, self.document),
            labels_of(self.result.key_tokens, self.document),
        )

    def _vectors_at(self, width: float) -> LaidPage:
        queries, keys = self._labels()
        query, key = self.pair
        names = (queries[query], keys[key])
        bars = dimension_bars(
            self.result, self.pair, names, width, by_size=self.by_size.isChecked()
        )
        most = most_said(self.result, self.pair)
        return stack([(0, bars), (6, Words(most, width, "small", "muted"))], width)

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """The sum, the vectors, the attention and the products, one below the other."""
        if self.result is None:
            return None
        result: QueryKeyResult = self.result
        queries, keys = self._labels()
        pair = self.pair
        said = sum_said(result, pair, (queries[pair[0]], keys[pair[1]]))
        attention = attention_content(result, queries, keys)
        products = products_content(result, pair[0], keys)
        where = f"{STACKS[result.kind]}, layer {result.layer}, head {result.head}"
        vectors = self._vectors_at(width)
        blocks: list[tuple[float, Laid]] = [
            (0, Words(where, width, "strong")),
            (2, Words(said, width)),
            (10, Inner(vectors)),
            (12, Words("Attention of this head", width, "strong")),
            (4, Picture(lambda t: heat_figure(attention, width, t), theme)),
            (12, Words(PRODUCTS, width, "small", "muted")),
            (4, Picture(lambda t: heat_figure(products, width, t), theme)),
        ]
        return stack(blocks, width).figure(theme)

    def table(self) -> Table | None:
        """The pair's dimensions, a row each."""
        if self.result is None:
            return None
        query, key = self.pair
        result: QueryKeyResult = self.result
        products = result.products(query, key)
        rows = tuple(
            (n, float(q), float(k), float(p))
            for n, (q, k, p) in enumerate(
                zip(result.queries[query], result.keys[key], products, strict=True)
            )
        )
        return Table(("dimension", "query", "key", "product"), rows)

    # ---- what the user does -----------------------------------------------------------------

    def _choose(self, query: int, key: int) -> None:
        if not self.result.is_hidden(query, key):
            self.option_changed.emit(PAIR, [query, key])

    def _choose_key(self, key: int, _dimension: int) -> None:
        self._choose(self.pair[0], key)


def labels_of(tokens: tuple[Token, ...], document: Document | None) -> tuple[str, ...]:
    """Tokens as labels."""
    pieces = of_tokens(tokens, document)
    return tuple(MASK_LABEL if piece.masked else piece.text for piece in pieces)


def chosen_pair(result: QueryKeyResult, wanted: Any) -> tuple[int, int]:
    """The pair that was chosen, or the two different words with most attention between them."""
    import numpy as np

    rows, columns = result.attention.shape
    if (
        isinstance(wanted, list)
        and len(wanted) == 2
        and all(isinstance(one, int) for one in wanted)
        and 0 <= wanted[0] < rows
        and 0 <= wanted[1] < columns
        and not result.is_hidden(*wanted)
    ):
        return wanted[0], wanted[1]
    weights = result.attention.copy()
    weights[[not _is_word(token) for token in result.query_tokens]] -= 2
    weights[:, [not _is_word(token) for token in result.key_tokens]] -= 2
    if result.kind != "cross":
        np.fill_diagonal(weights, weights.diagonal() - 1)
    if result.kind == "decoder":
        weights[np.triu_indices(rows, 1)] = -9
    best = np.unravel_index(int(weights.argmax()), weights.shape)
    return int(best[0]), int(best[1])


def _is_word(token: Token) -> bool:
    return not token.special and any(character.isalnum() for character in token.text)


def attention_content(
    result: QueryKeyResult, queries: tuple[str, ...], keys: tuple[str, ...]
) -> HeatContent:
    """The head's attention; what comes later is hatched where it can't be seen."""
    import numpy as np

    blocked = None
    if result.kind == "decoder":
        blocked = np.triu(np.ones(result.attention.shape, bool), 1)
    return HeatContent(
        result.attention,
        queries,
        keys,
        Scale.from_zero(result.attention),
        blocked=blocked,
        blocked_words="comes later, and can't be seen",
        row_title="query",
        column_title="key",
    )


def products_content(result: QueryKeyResult, query: int, keys: tuple[str, ...]) -> HeatContent:
    """Products of one query with every key."""
    products = result.queries[query] * result.keys
    dimensions = tuple(str(n) for n in range(products.shape[1]))
    return HeatContent(
        products,
        keys,
        dimensions,
        Scale.about_zero(products),
        row_title="key",
        column_title="dimension",
        signed=True,
    )


def sum_said(result: QueryKeyResult, pair: tuple[int, int], names: tuple[str, str]) -> str:
    """From the products to the attention, in numbers."""
    query, key = pair
    content, position, score = result.score(query, key)
    total = float(result.products(query, key).sum())
    said = f"{names[0]} → {names[1]}: products add up to {number(total, signed=True)}"
    if result.scale != 1.0:
        said += f", × {result.scale:.4f} = {number(content, signed=True)}"
    if result.bias is not None:
        said += (
            f"; positions add {number(position, signed=True)}: score {number(score, signed=True)}"
        )
    weight = number(float(result.attention[query, key]))
    return f"{said}. After the softmax, attention {weight}."


def most_said(result: QueryKeyResult, pair: tuple[int, int]) -> str:
    """Which dimensions matter most for a pair."""
    import numpy as np

    products = result.products(*pair)
    order = np.argsort(-np.abs(products), kind="stable")[:3]
    parts = [f"{int(n)} ({number(float(products[n]), signed=True)})" for n in order]
    whole = float(np.abs(products).sum()) or 1.0
    share = float(np.abs(products[order]).sum()) / whole
    return f"Largest products: dimensions {', '.join(parts)}; {share:.0%} of all products' sizes."


VIEW = QueryKeyView
