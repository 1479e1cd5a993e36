import pytest

from explorer.api.question import MaskPredictions, Prediction
from explorer.questions.masking.masked_tokens.question import MaskedTokensResult
from tests.questions.two_texts import DOCUMENT, LEFT_OUT, STAMP, TOKENS


def predictions(words):
    return tuple(Prediction(word, 50 + n, 0.4 / 2**n, word, n + 1) for n, word in enumerate(words))


SOUP = MaskPredictions(
    2, predictions(["meal", "soup", "tea"]), Prediction("soup", 51, 0.2, "soup", 2), 1.5
)
SMILED = MaskPredictions(
    11, predictions(["left", "sat", "slept"]), Prediction("smiled", 99, 3e-6, "smiled", 1214), 0.0
)


@pytest.fixture
def document():
    return DOCUMENT


@pytest.fixture
def filled():
    return MaskedTokensResult(STAMP, TOKENS, (SOUP, SMILED))


@pytest.fixture
def filled_once():
    return MaskedTokensResult(STAMP, TOKENS, (SOUP,))


@pytest.fixture
def filled_short():
    return MaskedTokensResult(STAMP, TOKENS, (SOUP, SMILED), LEFT_OUT)
