"""How does bertviz draw this model's attention?"""

import functools
import json
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from explorer.api.question import (
    MODEL,
    READS_ENTITIES,
    Attentions,
    Choice,
    Context,
    Entry,
    LeftOut,
    Listing,
    Manner,
    ModelCard,
    ModelStamp,
    OwnPicture,
    Question,
    ReadsEntities,
    Said,
    Switch,
    Table,
    Token,
    Topic,
    UserMistake,
    a_text,
    asked,
    check_text,
    column,
    rows_changed,
    spaces_stay_visible,
)
from explorer.document import Mask
from explorer.questions.attention.stacks import ANSWER, ENTITIES
from explorer.text import N_, NN_, Phrase, _
from explorer.text.bidi import runs_from_right
from explorer.text.lists import all_of
from explorer.text.phrase import NOTHING

HEAD_VIEW, MODEL_VIEW = "head", "model"

MOST_LINES = {MODEL_VIEW: 150_000, HEAD_VIEW: 100_000}
"""Lines that bertviz may draw: it takes 2 s and 640 MB for 150,000 in its model view, 10 s and
2.1 GB for 590,000, 44 s and 7.1 GB for 2,360,000 (two cores, BERT base)."""

MOST_NUMBERS = 1_500_000
"""Weights that a page may hold: bertviz writes all layers into it, though it draws one."""

MOST_ROWS = 20_000
"""Of a table."""

DATA = "const params = "
"""Before it every page of a view begins alike: the scripts that draw it."""

KIND = Choice(
    N_("Attention"),
    "",
    beside=True,
    entries=(
        Entry("", N_("Tokens"), N_("The attention of tokens to tokens")),
        Entry(ENTITIES, N_("Entities"), N_("The attention of entities to each other")),
    ),
)


@dataclass(frozen=True)
class BertvizRequest(ReadsEntities):
    """Ask for a page that draws attention as bertviz does (Vig 2019).

    A literal [MASK] in the text counts as a mask.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    view: str = asked(
        Choice(
            N_("View"),
            HEAD_VIEW,
            beside=True,
            entries=(
                Entry(
                    HEAD_VIEW,
                    N_("Head view"),
                    N_("One layer's heads between two columns of tokens"),
                ),
                Entry(MODEL_VIEW, N_("Model view"), N_("Every head of every layer, small")),
            ),
        )
    )
    dark: bool = asked(
        Switch(N_("Dark"), False, N_("Light letters on a dark ground")), is_held=False
    )
    answer: str = asked(replace(ANSWER, in_bar=False))
    kind: str = asked(KIND)

    def fitting(self, cards: Sequence[ModelCard]) -> Self:
        """Of tokens where the model reads no entities."""
        reads = READS_ENTITIES in cards[0].operations
        return self if reads or not self.kind else replace(self, kind="")


@dataclass(frozen=True)
class BertvizResult:
    """A page that stands alone: it needs no network and no other file.

    Attributes:
        model: Whose attention it is.
        tokens: What the model read; of entities, those that they are on, by their names.
        view: "head" or "model".
        kinds: What attention it holds: "encoder", "decoder", "cross"; or "entities".
        layers: Of each kind.
        heads: In a layer.
        lines: That it draws when it is opened.
        packed: The HTML, compressed by zlib; `html` reads it.
        left_out: What did not fit into the model, or None.
        note: What must be known; "" where there is nothing to say.
    """

    model: ModelStamp
    tokens: tuple[Token, ...]
    view: str
    kinds: tuple[str, ...]
    layers: tuple[int, ...]
    heads: int
    lines: int
    packed: bytes
    left_out: LeftOut | None = None
    note: Phrase = NOTHING

    @property
    def html(self) -> str:
        """The page."""
        return zlib.decompress(self.packed).decode("utf-8")


def run(model: Any, request: BertvizRequest, context: Context) -> BertvizResult:
    """Let bertviz make its page of this model's attention, its scripts put into it.

    Raises:
        UserMistake: The text is empty, or so long that bertviz becomes unusable; the model has no
            such attention.
        MachineFault: bertviz or one of its scripts is not installed.
        Cancelled: The run was cancelled.
    """
    from explorer.hf.attention.cache import captured_for
    from explorer.questions.attention.attention.entity_stack import attending_said, entity_stack
    from explorer.questions.attention.bertviz.html import page_of

    check_text(request.text)
    captured = captured_for(
        model, request.text, request.pair, request.masks, request.answer, context
    )
    stacks, tokens, said = captured.stacks, captured.encoded.tokens, NOTHING
    if request.kind:
        stacks = entity_stack(model, captured, context)
        if request.kind not in stacks:
            raise UserMistake(
                N_("{model} has no {kind} attention."),
                N_("It has {kinds}."),
                model=model.title,
                kind=request.kind,
                kinds=all_of((*captured.stacks, *stacks)),
            )
        own = stacks[request.kind]
        tokens, said = own.queries, attending_said(model, captured, own, context)
    sizes = [
        (stack.layers, stack.heads, len(stack.queries), len(stack.keys))
        for stack in stacks.values()
    ]
    lines = check_size(request, sizes)
    context.check()
    turned = runs_from_right(request.text)
    html = page_of(model.tokenizer, stacks, view=request.view, dark=request.dark, from_right=turned)
    context.check()
    return BertvizResult(
        model=model.stamp,
        tokens=tokens,
        view=request.view,
        kinds=tuple(stacks),
        layers=tuple(stack.layers for stack in stacks.values()),
        heads=next(iter(stacks.values())).heads,
        lines=lines,
        packed=pack(html),
        left_out=captured.encoded.left_out,
        note=said,
    )


def pack(html: str) -> bytes:
    """A page, compressed by zlib; what pages begin with alike is compressed once.

    That is nearly all of a page, and to compress it took most of the time that an answer took.
    """
    at = max(html.find(DATA), 0)
    packed, packing = _begun(html[:at])
    rest = packing.copy()
    own: bytes = rest.compress(html[at:].encode("utf-8"))
    last: bytes = rest.flush()
    return packed + own + last


@functools.lru_cache(maxsize=4)
def _begun(beginning: str) -> tuple[bytes, Any]:
    """A beginning compressed, and what goes on compressing behind it."""
    packing = zlib.compressobj(6)
    return packing.compress(beginning.encode("utf-8")), packing


def check_size(request: BertvizRequest, sizes: list[tuple[int, int, int, int]]) -> int:
    """Refuse what bertviz can't draw in a time that a person waits.

    Args:
        request: Which view.
        sizes: Layers, heads, queries and keys of every kind of attention.

    Returns:
        The lines it draws.

    Raises:
        UserMistake: There are too many, or too many numbers.
    """
    drawn = [
        heads * queries * keys * (layers if request.view == MODEL_VIEW else 1)
        for layers, heads, queries, keys in sizes
    ]
    lines, most = max(drawn), MOST_LINES[request.view]
    # Of a pair, bertviz writes the attention inside and between the texts once more.
    copies = 2 if request.pair else 1
    numbers = copies * sum(one * two * three * four for one, two, three, four in sizes)
    if lines <= most and numbers <= MOST_NUMBERS:
        return lines
    tokens = sizes[drawn.index(lines)][2]
    share = min(most / lines, MOST_NUMBERS / numbers)
    fitting = max(1, int(tokens * share**0.5))
    what = (
        _("{lines} lines", lines=lines)
        if lines > most
        else _("a page of {numbers} numbers", numbers=numbers)
    )
    other = _(" The head view takes longer texts.") if request.view == MODEL_VIEW else ""
    raise UserMistake(
        N_(
            "bertviz would make {what} for {tokens} tokens; it draws every weight, and is "
            "unusable beyond {most} lines or {most_numbers} numbers."
        ),
        N_(
            "Shorten the text to about {fitting} tokens, or open the Attention page, "
            "which has no such limit.{other}"
        ),
        what=what,
        tokens=tokens,
        most=most,
        most_numbers=MOST_NUMBERS,
        fitting=fitting,
        other=other,
    )


@dataclass(frozen=True)
class HeadWeightRow:
    """A weight of a head, from a token to another."""

    kind: str = column(N_("kind"), key=True)
    layer: int = column(N_("layer"), key=True)
    head: int = column(N_("head"), key=True)
    from_position: int = column(N_("position of the query"), compared=False)
    query: str = column(N_("query"), key=True, name="from")
    to_position: int = column(N_("position of the key"), compared=False)
    to: str = column(N_("key"), key=True)
    weight: float = column(N_("weight"), digits=3)


def table(result: BertvizResult) -> Table:
    """One row a weight that the page draws; the largest where there are very many."""
    stacks = weights_in(result.html)
    rows = [
        (stack["name"] or result.kinds[0], layer, head, m, query, n, key, float(weight))
        for stack in stacks
        for layer, heads in enumerate(stack["attn"])
        for head, of_head in enumerate(heads)
        for m, (query, row) in enumerate(zip(stack["left_text"], of_head, strict=True))
        for n, (key, weight) in enumerate(zip(stack["right_text"], row, strict=True))
    ]
    if len(rows) > MOST_ROWS:
        least = sorted((row[-1] for row in rows), reverse=True)[MOST_ROWS - 1]
        rows = [row for row in rows if row[-1] >= least][:MOST_ROWS]
    return Table.of(HeadWeightRow, rows)


def parts(result: BertvizResult) -> tuple[Said, Said, OwnPicture]:
    """What must be known, how much it draws, and the page."""
    lines = Phrase(
        NN_("bertviz draws {count} line.", "bertviz draws {count} lines."), count=result.lines
    )
    return (
        Said(result.note, Manner.WARNING, near=True),
        Said(lines, near=True),
        OwnPicture("page"),
    )


def weights_in(html: str) -> list[dict[str, Any]]:
    """The attention in bertviz' page: of every kind its name, its tokens, layers of heads.

    Of a pair the page has the attention inside and between the texts once more, which is left
    out. An empty list where the page is not understood.
    """
    found = re.search(r"\bparams = (?=\{)", html)
    if found is None:
        return []
    params, _end = json.JSONDecoder().raw_decode(html, found.end())
    stacks: list[dict[str, Any]] = params["attention"]
    return [one for one in stacks if "->" not in (one["name"] or "")]


QUESTION = Question(
    name="bertviz",
    title="bertviz",
    asks=N_("How does bertviz draw this model's attention?"),
    listing=Listing(Topic.LOOK_INSIDE, 4, "vector-line", "Alt+Shift+5"),
    found_by=("head view", "model view", "attention lines", "어텐션 시각화"),
    request=BertvizRequest,
    result=BertvizResult,
    run=run,
    parts=parts,
    table=table,
    summary=None,
    roles={MODEL: (Attentions,)},
    conditions=(a_text(N_("Type a sentence to see bertviz draw it.")),),
    formerly=("bertviz_page",),
    upgrades=(rows_changed, spaces_stay_visible),
)
