"""Which pieces does this model cut the text into?"""

from dataclasses import dataclass
from typing import Any

from explorer.api import (
    TOKENS,
    Cell,
    Choice,
    Context,
    Entry,
    LeftOut,
    Listing,
    ModelStamp,
    Operation,
    Table,
    Token,
    a_text,
    column,
    spaces_stay_visible,
    stated,
)
from explorer.api.question.asks import Asks
from explorer.document import Mask
from explorer.text import N_
from explorer.text.pieces import visible

SORT = Choice(
    N_("What rows are sorted by"),
    "position",
    redraws=True,
    in_bar=False,
    entries=tuple(
        Entry(f"{sign}{name}", name)
        for name in ("position", "piece", "id", "text", "characters", "notes")
        for sign in ("", "-")
    ),
    key="tokens.sort",
)


@dataclass(frozen=True)
class TokensRequest(Asks):
    """Ask for the tokens of a text.

    Attributes:
        text: The sentence.
        pair: The second sentence, or None.
        masks: Masked ranges of characters.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()


@dataclass(frozen=True)
class TokensResult:
    """Tokens as the model would see them.

    Attributes:
        model: Whose tokenizer it was.
        tokens: In order, special ones included.
        left_out: What did not fit, or None.
    """

    model: ModelStamp
    tokens: tuple[Token, ...]
    left_out: LeftOut | None = None


def run(model: Any, request: TokensRequest, context: Context) -> TokensResult:
    """Tokenise with the model's own tokenizer."""
    context.check()

    encoded = model.encode(request.text, request.pair, request.masks)
    return TokensResult(model.stamp, encoded.tokens, encoded.left_out)


@dataclass(frozen=True)
class TokenRow:
    """A token as the model sees it."""

    position: int = column(N_("position"), key=True, place=TOKENS)
    token: str = column(N_("token"), written=visible)
    id: int = column(N_("id"))
    start: int = column(N_("first character"))
    end: int = column(N_("one past the last"))
    part: int = column(N_("text"))
    special: bool = column(N_("special"), compared=False)
    masked: bool = column(N_("masked"), compared=False)
    unknown: bool = column(N_("unknown"), compared=False)


def table(result: TokensResult) -> Table:
    """One row a token."""
    rows = (
        TokenRow(i, t.text, t.id, t.start, t.end, t.part, t.special, t.masked, t.unknown)
        for i, t in enumerate(result.tokens)
    )
    return Table.of(TokenRow, rows)


COLUMN_TITLES = {
    "tokens": N_("tokens"),
    "of the text": N_("of the text"),
    "unknown": N_("unknown"),
    "left out": N_("left out"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: TokensResult) -> dict[str, Cell]:
    """How many tokens the model sees, and how many of them the vocabulary lacks."""
    own = [token for token in result.tokens if not token.special]
    return {
        "tokens": len(result.tokens),
        "of the text": len(own),
        "unknown": sum(token.unknown for token in own),
        "left out": result.left_out.tokens if result.left_out is not None else 0,
    }


OPERATION = Operation(
    name="tokens",
    title=N_("Tokens"),
    question=N_("Which pieces does this model cut the text into?"),
    listing=Listing(N_("Tokenizers"), 20, "content-cut", "Alt+8"),
    found_by=(
        "tokenizer",
        "tokenization",
        "subwords",
        "WordPiece",
        "SentencePiece",
        "token ids",
        "토크나이저",
        "토큰화",
        "서브워드",
    ),
    request=TokensRequest,
    result=TokensResult,
    run=run,
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    headline=stated(__name__),
    options=(SORT,),
    conditions=(a_text(N_("Type a sentence to see its tokens.")),),
    upgrades=(spaces_stay_visible,),
    formerly=("tokenize",),
)
