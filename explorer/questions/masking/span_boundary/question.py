"""What do the two words beside a masked span say of every word in it?"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from explorer.api.question import (
    MODEL,
    PREDICTIONS,
    TOKENS,
    Apart,
    Asks,
    BoundaryPredictor,
    Cell,
    Compared,
    ComparedPlace,
    ComparedSide,
    ComparedWord,
    LeftOut,
    Listing,
    Manner,
    ModelStamp,
    Question,
    Said,
    Token,
    Topic,
    a_mask,
    a_text,
    asked,
    at_most,
    column,
    spaces_stay_visible,
)
from explorer.document import Mask
from explorer.text import N_, NN_, Phrase
from explorer.text.formatting.numbers import decimal
from explorer.text.formatting.probabilities import in_digits
from explorer.text.phrase import NOTHING
from explorer.text.pieces import readable, visible


@dataclass(frozen=True)
class SpanBoundaryRequest(Asks):
    """Ask the span-boundary head for every span: masked tokens side by side are one."""

    text: str
    masks: tuple[Mask, ...] = ()
    top_k: int = asked(PREDICTIONS, 5, made=at_most(5))


@dataclass(frozen=True)
class BoundaryWord:
    """A piece at a place of a span.

    Attributes:
        token: As the tokenizer writes it.
        id: Its number in the vocabulary.
        word: As a person writes it; a part of a word with "…" where the rest would be.
        boundary: Its probability from the two boundary tokens and the place.
        boundary_rank: Its rank there, 1 for the most probable.
        masked_lm: Its probability from the masked token itself; None without that head.
        masked_lm_rank: Its rank there.
        is_original: It is what stands in the text.
    """

    token: str
    id: int
    word: str
    boundary: float
    boundary_rank: int
    masked_lm: float | None = None
    masked_lm_rank: int | None = None
    is_original: bool = False


@dataclass(frozen=True)
class SpanToken:
    """A masked token of a span.

    Attributes:
        position: In the input.
        place: In the span, from 1.
        words: The top pieces of both heads, and the original.
        boundary_entropy: Of the span-boundary head's distribution, in nats.
        masked_lm_entropy: Of the masked-LM head's; None without that head.
    """

    position: int
    place: int
    words: tuple[BoundaryWord, ...]
    boundary_entropy: float
    masked_lm_entropy: float | None = None


@dataclass(frozen=True)
class MaskedSpan:
    """Masked tokens side by side.

    Attributes:
        left: Position of the token before the span.
        right: Position of the token behind it.
        tokens: In order.
        problem: Why there are no numbers; "" where there are.
    """

    left: int
    right: int
    tokens: tuple[SpanToken, ...]
    problem: Phrase = NOTHING


@dataclass(frozen=True)
class SpanBoundaryResult:
    """Predictions from boundaries, beside those of the masked-LM head.

    Attributes:
        model: Who predicts.
        tokens: The input as the model saw it.
        spans: In the order of the input.
        longest: Tokens of the longest span the head has places for.
        left_out: What did not fit, or None.
    """

    model: ModelStamp
    tokens: tuple[Token, ...]
    spans: tuple[MaskedSpan, ...]
    longest: int
    left_out: LeftOut | None = None


@dataclass(frozen=True)
class BoundaryRow:
    """A piece at a masked token, by both heads."""

    span: int = column(N_("span"), compared=False)
    position: int = column(N_("position"), key=True, place=TOKENS)
    place: int = column(N_("place"), compared=False)
    word: str = column(N_("word"), key=True)
    token: str = column(N_("token"), written=visible, compared=False)
    id: int = column(N_("id"), compared=False)
    boundary: float = column(N_("boundary"), written=in_digits)
    boundary_rank: int = column(N_("boundary rank"))
    masked_lm: float | None = column(N_("masked LM"), written=in_digits)
    masked_lm_rank: int | None = column(N_("masked-LM rank"))
    is_original: bool = column(N_("original"), compared=False)
    boundary_entropy: float = column(N_("boundary entropy"), unit=N_("nats"), digits=3)
    masked_lm_entropy: float | None = column(N_("masked-LM entropy"), unit=N_("nats"), digits=3)


def rows(result: SpanBoundaryResult) -> Iterator[BoundaryRow]:
    """One row a piece at a masked token."""
    for number, span in enumerate(result.spans):
        for token in span.tokens:
            for one in token.words:
                yield BoundaryRow(
                    span=number,
                    position=token.position,
                    place=token.place,
                    boundary_entropy=token.boundary_entropy,
                    masked_lm_entropy=token.masked_lm_entropy,
                    **vars(one),
                )


COLUMN_TITLES = {
    "boundary": N_("by the boundary"),
    "masked_lm": N_("by the masked LM"),
    "boundary p(*)": N_("p({which}) by the boundary"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: SpanBoundaryResult) -> dict[str, Cell]:
    """The best words of the first span in one row."""
    tokens = result.spans[0].tokens
    best = [min(token.words, key=lambda one: one.boundary_rank).word for token in tokens]
    plain = [min(token.words, key=lambda one: one.masked_lm_rank or 10**9).word for token in tokens]
    row: dict[str, Cell] = {"boundary": " ".join(best), "masked_lm": " ".join(plain)}
    originals = (one for token in tokens for one in token.words if one.is_original)
    return row | {f"boundary p({one.word})": one.boundary for one in originals}


SMALL = 0.1
"""A difference of probabilities that does not stand out."""
ALONE = N_("The boundary is surest of “{word}” at position {position}, with {boundary}.")
DIFFER = N_(
    "The two ways differ most on “{word}” at position {position}: {boundary} from the boundary, "
    "{masked} from the masked token itself."
)


def parts(result: SpanBoundaryResult) -> Iterator[Said | Compared]:
    """Between which tokens the spans lie, then both heads' words for every token of them."""
    for span in result.spans:
        yield Said(span_said(result, span), Manner.STRONG)
        yield Said(span.problem, near=True)
    tokens = [token for span in result.spans for token in span.tokens]
    has_both = all(one.masked_lm_entropy is not None for one in tokens)
    notes = {one.position: Phrase(N_("place {place}"), place=one.place) for one in tokens}
    ends = (end for span in result.spans for end in (span.left, span.right))
    if tokens:
        yield Compared(
            (ComparedSide("boundary", N_("boundary")), ComparedSide("masked", N_("masked LM"))),
            result.tokens,
            tuple(map(_place, tokens)),
            BoundaryRow,
            partial(rows, result),
            Apart(SMALL, DIFFER) if has_both else Apart(0.0, ALONE),
            notes={**notes, **dict.fromkeys(ends, N_("boundary"))},
        )


def span_said(result: SpanBoundaryResult, span: MaskedSpan) -> Phrase:
    """Between which tokens a span lies."""
    return Phrase(
        NN_(
            "{count} masked token between “{left}” and “{right}”",
            "{count} masked tokens between “{left}” and “{right}”",
        ),
        count=span.right - span.left - 1,
        left=readable(result.tokens[span.left].text),
        right=readable(result.tokens[span.right].text),
    )


def _place(token: SpanToken) -> ComparedPlace:
    """A masked token, with how unsure each head is there."""
    said = Phrase(
        N_("Place {place}: entropy {boundary_entropy} nats from the boundary")
        if token.masked_lm_entropy is None
        else N_(
            "Place {place}: entropy {boundary_entropy} nats from the boundary, "
            "{masked_lm_entropy} from the masked token"
        ),
        place=token.place,
        boundary_entropy=decimal(token.boundary_entropy, 2),
        masked_lm_entropy=decimal(token.masked_lm_entropy or 0.0, 2),
    )
    words = (
        ComparedWord(
            one.word,
            (one.boundary, one.masked_lm),
            (one.boundary_rank, one.masked_lm_rank),
            N_("original") if one.is_original else "",
            put="" if "…" in one.word else one.word,
        )
        for one in token.words
    )
    return ComparedPlace(token.position, tuple(words), said=(said,))


QUESTION = Question(
    name="span_boundary",
    title=N_("Span boundary"),
    asks=N_("What do the two words next to a masked span say about the words in it?"),
    listing=Listing(Topic.PRETRAINING, 4, "arrow-expand-horizontal", "Alt+3", in_overview=2),
    found_by=("SBO", "span boundary objective", "SpanBERT", "스팬 경계"),
    request=SpanBoundaryRequest,
    result=SpanBoundaryResult,
    parts=parts,
    summary=summary,
    column_titles=COLUMN_TITLES,
    about=N_(
        "SpanBERT predicts each word of a masked span from the two tokens next to the"
        " span and the word's place in it (span-boundary objective; blue). Its "
        "masked-LM head reads the masked token's own state, as in every BERT (green)."
    ),
    conditions=(
        a_text(N_("Type a sentence, then drag over several words to mask them as a span.")),
        a_mask(N_("Drag over several words to mask them as a span.")),
    ),
    roles={MODEL: (BoundaryPredictor,)},
    upgrades=(spaces_stay_visible,),
)
