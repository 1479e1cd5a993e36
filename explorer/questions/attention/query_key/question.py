"""Which dimensions make a head look from one token at another?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    MODEL,
    READS_ENTITIES,
    AttentionModules,
    Cards,
    Cell,
    Choice,
    Context,
    LeftOut,
    Listing,
    Manner,
    ModelCard,
    ModelStamp,
    OneCard,
    OwnPicture,
    PairNumbers,
    Places,
    Question,
    ReadsEntities,
    Said,
    Switch,
    Table,
    Token,
    TokenPairs,
    Topic,
    UserMistake,
    a_text,
    alone,
    asked,
    check_text,
    column,
    keys_of,
    layer_and_head,
    queries_of,
    spaces_stay_visible,
    strongest_link,
)
from explorer.document import Mask
from explorer.questions.attention.query_key.pair import default_pair, most_said, sum_said
from explorer.questions.attention.stacks import KIND as ATTENTION_KIND
from explorer.questions.attention.stacks import TITLE as ATTENTION
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import percent

KIND = Choice(N_("Stack"), "", entries=ATTENTION_KIND.entries)
LAYER, HEAD = layer_and_head("query_key")
BY_SIZE = Switch(
    N_("Sort by product"),
    default=False,
    tip=N_("Dimensions in the order of their products, the largest first"),
    redraws=True,
    key="query_key.by_size",
)
PAIR = Places(
    N_("Pair of tokens"),
    (),
    N_("Positions of the query and the key"),
    redraws=True,
    in_bar=False,
    key="query_key.pair",
)


@dataclass(frozen=True)
class QueryKeyRequest(ReadsEntities):
    """Ask for one head's queries and keys; of no kind for the first that the model has."""

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    kind: str = asked(KIND)
    layer: int = asked(LAYER)
    head: int = asked(HEAD)

    def fitting(self, cards: Sequence[ModelCard]) -> Self:
        """With the last layer and head in the place of those that another model had."""
        stacks = cards[0].stacks
        if not stacks:
            return self
        same = (stack for stack in stacks if stack[0] == self.kind)
        _kind, layers, heads = next(same, stacks[0])
        return replace(self, layer=min(self.layer, layers - 1), head=min(self.head, heads - 1))


@dataclass(frozen=True)
class QueryKeyResult:
    """One head's queries and keys.

    Attributes:
        model: Whose they are.
        query_tokens: Those that look.
        key_tokens: Those that are looked at.
        kind: Who attends to whom.
        layer: Counted from 0.
        head: Counted from 0.
        stacks: Kind, layers and heads of each stack that the model has.
        queries: Shape [query tokens, dimensions], float32.
        keys: Shape [key tokens, dimensions], float32.
        scale: What the product is multiplied with.
        bias: Shape [query tokens, key tokens], float32: what positions add to a score; None where
            they add nothing.
        attention: Shape [query tokens, key tokens], float32: softmax of the scores.
        left_out: What did not fit, or None.
        window: How far a token sees to each side in this layer; None for all the text.
        unseen: Shape [query tokens, key tokens]: where a token may not look at another, as the
            run's own mask has it; None for what kind and window say.
        sink: Shape [query tokens], float32: the share that a number of the head's own takes, which
            no token gets; None where tokens share all.
        cap: What content adds is bent below this number, cap * tanh(sum / cap); 0 where it is not.
    """

    model: ModelStamp
    query_tokens: tuple[Token, ...]
    key_tokens: tuple[Token, ...]
    kind: str
    layer: int
    head: int
    stacks: tuple[tuple[str, int, int], ...]
    queries: NDArray[np.float32]
    keys: NDArray[np.float32]
    scale: float
    bias: NDArray[np.float32] | None
    attention: NDArray[np.float32]
    left_out: LeftOut | None = None
    window: int | None = None
    unseen: NDArray[np.bool_] | None = None
    cap: float = 0.0
    sink: NDArray[np.float32] | None = None

    def bent(self, content: NDArray[np.float32]) -> NDArray[np.float32]:
        """Scaled sums of products as the softmax is given them."""
        if not self.cap:
            return content
        bent: NDArray[np.float32] = self.cap * np.tanh(content / self.cap)
        return bent

    def products(self, query: int, key: int) -> NDArray[np.float32]:
        """Query times key, dimension by dimension; scaled, their sum is the content's score."""
        products: NDArray[np.float32] = self.queries[query] * self.keys[key]
        return products

    def score(self, query: int, key: int) -> tuple[float, float, float]:
        """What content adds, what positions add, and their sum: the score before softmax."""
        content = float(self.bent(self.products(query, key).sum() * self.scale))
        position = float(self.bias[query, key]) if self.bias is not None else 0.0
        return content, position, content + position

    @property
    def strongest(self) -> tuple[int, int]:
        """Query and key of the pair of different tokens with most attention."""
        query, key = strongest_link(self.attention, is_own=self.kind != "cross")
        return query, key

    @cached_property
    def hidden(self) -> NDArray[np.bool_]:
        """Where a token may not look at another, which comes later or stands too far away."""
        if self.unseen is not None:
            return self.unseen
        queries, keys = np.indices(self.attention.shape)
        hidden: NDArray[np.bool_] = np.zeros(self.attention.shape, bool)
        if self.kind == "decoder":
            hidden |= keys > queries
        if self.window is not None:
            hidden |= abs(keys - queries) > self.window
        return hidden

    def is_hidden(self, query: int, key: int) -> bool:
        """Whether that is so of a pair."""
        return bool(self.hidden[query, key])

    @cached_property
    def pairs(self) -> TokenPairs:
        """What each pair's score is made of; that of the two words with most attention stands out.

        Of what is added up only the attention is drawn.
        """
        content = self.bent(self.queries @ self.keys.T * self.scale)
        position = self.bias if self.bias is not None else np.zeros_like(content)
        return TokenPairs(
            queries_of(self.query_tokens),
            keys_of(self.key_tokens),
            (
                PairNumbers("content", N_("of content"), content, drawn=False),
                PairNumbers("position", N_("of position"), position, drawn=False),
                PairNumbers("score", N_("score"), content + position, drawn=False),
                PairNumbers("attention", N_("attention"), self.attention),
            ),
            self.hidden if self.hidden.any() else None,
            N_("comes later, and can't be seen")
            if self.window is None and self.unseen is None
            else N_("comes later or is too far away, and can't be seen"),
            default_pair(self.attention, self.query_tokens, self.key_tokens, self.kind),
            tallest=400.0,
            title=N_("Attention of this head"),
        )

    def pair(self, wanted: Sequence[int] = ()) -> tuple[int, int]:
        """The pair that was chosen, where there is such a one; else the one that stands out."""
        default = self.pairs.marked
        assert default is not None
        if len(wanted) != 2:
            return default
        query, key = wanted
        there = 0 <= query < len(self.query_tokens) and 0 <= key < len(self.key_tokens)
        return (query, key) if there and not self.hidden[query, key] else default


def run(model: Any, request: QueryKeyRequest, context: Context) -> QueryKeyResult:
    """The model's own queries and keys (Vaswani et al. 2017, section 3.2.1).

    Raises:
        UserMistake: The text is empty, or the layer or head is not there.
    """
    check_text(request.text)
    attention = model.port(AttentionModules)
    stacks = attention.stacks()
    kind, layers, heads = next((s for s in stacks if s[0] == request.kind), stacks[0])
    if not (0 <= request.layer < layers and 0 <= request.head < heads):
        raise UserMistake(
            N_(
                "There is no head {head} in layer {layer}: this model has {layers} layers of "
                "{heads} heads, counted from 0."
            ),
            N_("Choose one that is there."),
            head=request.head,
            layer=request.layer,
            layers=layers,
            heads=heads,
        )
    context.check()
    encoded = model.encode(request.text, request.pair, request.masks)
    found = attention.queries_and_keys(encoded, context, layers={request.layer})
    layer = next(one for one in found if one.kind == kind)
    head = request.head
    bias = None
    if layer.bias is not None:
        bias = _owned(layer.bias[head if len(layer.bias) > 1 else 0])
    return QueryKeyResult(
        model=model.stamp,
        query_tokens=layer.query_tokens,
        key_tokens=layer.key_tokens,
        kind=kind,
        layer=request.layer,
        head=head,
        stacks=stacks,
        queries=_owned(layer.queries[head]),
        keys=_owned(layer.keys[head]),
        scale=layer.scale,
        bias=bias,
        attention=_owned(layer.shares()[head]),
        left_out=encoded.left_out,
        window=layer.window,
        unseen=_unseen(layer.seen, head),
        cap=layer.cap,
        sink=None if layer.sink is None else _owned(1 - layer.shares()[head].sum(-1)),
    )


def _unseen(seen: Any, head: int) -> NDArray[np.bool_] | None:
    """Where a head may not look, as the run's own mask has it."""
    if seen is None:
        return None
    found: NDArray[np.bool_] = ~seen[head if len(seen) > 1 else 0].cpu().numpy()
    found.setflags(write=False)
    return found


def _owned(tensor: Any) -> NDArray[np.float32]:
    """A read-only copy in the machine's memory."""
    array: NDArray[np.float32] = tensor.cpu().contiguous().numpy().copy()
    array.setflags(write=False)
    return array


def parts(
    result: QueryKeyResult,
    card: ModelCard | None = None,
    *,
    pair: Sequence[int] = (),
    **_how: bool,
) -> Sequence[Said | Cards | TokenPairs | OwnPicture]:
    """The sum; the head's attention beside the pair's vectors; the products with all keys."""
    query, key = result.pair(pair)
    products, weight = result.products(query, key), float(result.attention[query, key])
    names = (alone(result.query_tokens[query]), alone(result.key_tokens[key]))
    reads_entities = card is not None and READS_ENTITIES in card.operations
    where = Phrase(
        N_("{stack}, layer {layer}, head {head}"),
        stack=Phrase(KIND.entry(result.kind).title),
        layer=str(result.layer),
        head=str(result.head),
    )
    score = (*result.score(query, key), result.scale, result.bias is not None, result.cap)
    title = N_("Query, key and product by dimension")
    dimensions = OwnPicture("dimensions", partial(_dimensions, result, query, key), title=title)
    return (
        Said(Phrase(OF_TOKENS, attention=Phrase(ATTENTION)) if reads_entities else "", near=True),
        Said(sum_said(products, score, weight, names), Manner.PLAIN, near=True),
        Cards(
            (
                OneCard(where, (result.pairs,)),
                OneCard("", (dimensions, Said(most_said(products), near=True))),
            ),
            framed=False,
            shares=(2, 3),
        ),
        Said(PRODUCTS, Manner.ABOUT),
        OwnPicture("products"),
        *(Said(one, near=True) for one in _sink_said(result, query)),
    )


def _sink_said(result: QueryKeyResult, query: int) -> tuple[Phrase, ...]:
    """What of a row no token gets; nothing where tokens share all."""
    if result.sink is None:
        return ()
    said = N_(
        "A row is not 100 %: tokens share the softmax with a sink, a number of the head's own, "
        "which takes {share} of this one."
    )
    return (Phrase(said, share=percent(float(result.sink[query]), 1)),)


@dataclass(frozen=True)
class DimensionRow:
    """One dimension of a query, a key and their product."""

    dimension: int = column(N_("dimension"), key=True)
    query: float = column(N_("query"), digits=3)
    key: float = column(N_("key"), digits=3)
    product: float = column(N_("product"), digits=3)


def _dimensions(result: QueryKeyResult, query: int, key: int) -> Table:
    """A pair's dimensions, a row each."""
    every = (result.queries[query], result.keys[key], result.products(query, key))
    numbers = zip(*(one.tolist() for one in every), strict=True)
    return Table.of(DimensionRow, (DimensionRow(n, *one) for n, one in enumerate(numbers)))


OF_TOKENS = N_(
    "These are queries and keys of tokens. Entities have their own, which are not drawn here; "
    "“{attention}” draws how they attend to each other."
)
PRODUCTS = N_(
    "The same query with every key: a row is a key, a column a dimension. Orange "
    "draws the query there, blue keeps it away."
)


def summary(result: QueryKeyResult) -> Mapping[str, Cell]:
    """The pair of different tokens with most attention in this head."""
    query, key = result.strongest
    content, position, score = result.score(query, key)
    return {
        "layer": result.layer,
        "head": result.head,
        "query_token": result.query_tokens[query].text,
        "key_token": result.key_tokens[key].text,
        "content": content,
        "position": position,
        "score": score,
        "attention": float(result.attention[query, key]),
    }


QUESTION = Question(
    name="query_key",
    title=N_("Query and key"),
    asks=N_("Which dimensions make a head look from one token at another?"),
    listing=Listing(Topic.LOOK_INSIDE, 5, "key-outline", "Alt+Shift+6", in_overview=1),
    found_by=(
        "QKV",
        "query key value",
        "dot product",
        "scaled dot-product attention",
        "쿼리",
        "내적",
    ),
    request=QueryKeyRequest,
    result=QueryKeyResult,
    run=run,
    parts=parts,
    summary=summary,
    column_titles={
        "layer": N_("layer"),
        "head": N_("head"),
        "query_token": N_("query"),
        "key_token": N_("key"),
        "content": N_("of content"),
        "position": N_("of position"),
        "score": N_("score"),
        "attention": N_("attention"),
    },
    follows={"pair": PAIR, "by_size": BY_SIZE},
    roles={MODEL: (AttentionModules,)},
    options=(BY_SIZE, PAIR),
    conditions=(a_text(N_("Type a sentence to see the queries and keys of its tokens.")),),
    upgrades=(spaces_stay_visible,),
)
