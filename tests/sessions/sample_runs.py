"""Runs as the engine would answer them, made without a model."""

from explorer.api.question import Blame, Failure, MaskPredictions, ModelStamp, Prediction, Token
from explorer.document import Document
from explorer.questions.masking.masked_tokens import question as fill_mask
from explorer.questions.masking.masked_tokens.question import (
    MaskedTokensRequest,
    MaskedTokensResult,
)
from explorer.questions.tokenizers.tokens import question as tokenize
from explorer.questions.tokenizers.tokens.question import TokensRequest, TokensResult
from explorer.sessions.records import LoggedRun

STAMP = ModelStamp("bert-miniature", "bert", "0123456789abcdef" * 2, "cpu", "float32")
VERSIONS = {"python": "3.11.7", "torch": "2.13.0", "plm-explorer": "0.1.0"}
SOUP = (("soup", 0.31), ("meal", 0.2), ("tea", 0.11), ("film", 0.001))


def _tokens(text: str) -> tuple[Token, ...]:
    tokens, start = [Token("[CLS]", 2, 0, 0, special=True)], 0
    for word in text.split():
        start = text.index(word, start)
        tokens.append(Token(word, 100 + len(tokens), start, start + len(word), special=False))
        start += len(word)
    return tuple(tokens)


def fill_mask_run(text="I liked the soup", model=STAMP, masked="soup", words=SOUP, **changes):
    """Predictions at the last word."""
    start = text.rindex(masked)
    document = Document(text).with_mask(start, start + len(masked))
    predictions = tuple(
        Prediction(word, 200 + i, chance, word, i + 1) for i, (word, chance) in enumerate(words)
    )
    result = MaskedTokensResult(
        model,
        _tokens(text),
        (MaskPredictions(4, predictions, Prediction(masked, 200, 0.31, masked, 1), 1.25),),
    )
    known = {"seed": 7, "duration": 0.125, "versions": VERSIONS, **changes}
    return LoggedRun(
        fill_mask.QUESTION,
        document,
        MaskedTokensRequest.of(document),
        result,
        {"model": model},
        **known,
    )


def tokenize_run(text="두 번째 문장", model=STAMP):
    """A Korean pair, cut at the spaces."""
    document = Document(text, pair="=1+1 and the rest")
    result = TokensResult(model, _tokens(text))
    return LoggedRun(
        tokenize.QUESTION,
        document,
        TokensRequest.of(document),
        result,
        {"model": model},
        versions=VERSIONS,
    )


def failed_run(text="nothing is masked here"):
    """The user's mistake."""
    document = Document(text)
    failure = Failure(Blame.USER, "Nothing is masked.", "Click a word.")
    return LoggedRun(
        fill_mask.QUESTION,
        document,
        MaskedTokensRequest.of(document),
        None,
        {"model": STAMP},
        versions=VERSIONS,
        failure=failure,
    )
