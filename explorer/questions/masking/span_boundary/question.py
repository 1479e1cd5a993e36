"""What do the two words beside a masked span say of every word in it?"""

from dataclasses import dataclass

from explorer.api import (
    MODEL,
    TOKENS,
    BoundaryPredictor,
    Cell,
    Headline,
    LeftOut,
    Listing,
    ModelStamp,
    Operation,
    Table,
    Token,
    a_mask,
    a_text,
    column,
    computed,
    spaces_stay_visible,
)
from explorer.api.question.asks import PREDICTIONS, Asks, asked, at_most
from explorer.document import Mask
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_digits, in_percent
from explorer.text.phrase import NOTHING
from explorer.text.pieces import visible


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
class Span:
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
    spans: tuple[Span, ...]
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


def table(result: SpanBoundaryResult) -> Table:
    """One row a piece at a masked token."""
    return Table.of(
        BoundaryRow,
        (
            BoundaryRow(
                span=number,
                position=token.position,
                place=token.place,
                boundary_entropy=token.boundary_entropy,
                masked_lm_entropy=token.masked_lm_entropy,
                **vars(one),
            )
            for number, span in enumerate(result.spans)
            for token in span.tokens
            for one in token.words
        ),
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


def headline(result: SpanBoundaryResult) -> Headline:
    """The word on which both heads differ most; without the other head, the surest word."""
    told = [(one, word) for span in result.spans for one in span.tokens for word in one.words]
    if not told:
        return Headline()  # the page says why

    def apart(both: tuple[SpanToken, BoundaryWord]) -> float:
        masked = both[1].masked_lm
        return both[1].boundary if masked is None else abs(both[1].boundary - masked)

    token, word = max(told, key=apart)
    values = {"word": word.word, "position": str(token.position)}
    share = in_percent(word.boundary)
    if word.masked_lm is None:
        code = N_("The boundary is surest of “{word}” at position {position}, with {share}.")
        return Headline(Phrase(code, share=share, **values), token.position)
    if apart((token, word)) < SMALL:
        return Headline()
    code = N_(
        "The two ways differ most on “{word}” at position {position}: {boundary} from the "
        "boundary, {masked} from the masked token itself."
    )
    masked = in_percent(word.masked_lm)
    return Headline(Phrase(code, boundary=share, masked=masked, **values), token.position)


OPERATION = Operation(
    name="span_boundary",
    title=N_("Span boundary"),
    question=N_("What do the two words beside a masked span say about the words in it?"),
    listing=Listing(N_("Masking"), 13, "arrow-expand-horizontal", "Alt+3"),
    found_by=("SBO", "span boundary objective", "SpanBERT", "스팬 경계"),
    request=SpanBoundaryRequest,
    result=SpanBoundaryResult,
    run=computed(__name__),
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    headline=headline,
    conditions=(
        a_text(N_("Type a sentence, then drag over several words to mask them as a span.")),
        a_mask(N_("Drag over several words to mask them as a span.")),
    ),
    roles={MODEL: (BoundaryPredictor,)},
    upgrades=(spaces_stay_visible,),
)
