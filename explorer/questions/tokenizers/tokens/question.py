"""Which pieces does this model cut the text into?"""

from dataclasses import dataclass
from typing import Any

from explorer.api.question import (
    Asks,
    Context,
    LeftOut,
    Listing,
    ModelStamp,
    Question,
    Token,
    Topic,
    a_text,
    spaces_stay_visible,
)
from explorer.api.question.parts.tokens.pieces import Pieces
from explorer.document import Mask
from explorer.text import N_


@dataclass(frozen=True)
class TokensRequest(Asks):
    """Ask for the tokens of a text."""

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


def parts(result: TokensResult) -> tuple[Pieces]:
    """The pieces."""
    return (Pieces(result.tokens, result.left_out),)


QUESTION = Question(
    name="tokens",
    title=N_("Tokens"),
    asks=N_("How is the text tokenized?"),
    listing=Listing(Topic.TOKENIZERS, 1, "content-cut", "Alt+8", in_overview=1),
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
    parts=parts,
    conditions=(a_text(N_("Type a sentence to see its tokens.")),),
    upgrades=(spaces_stay_visible,),
    formerly=("tokenize",),
)
