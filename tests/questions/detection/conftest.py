import pytest

from explorer.questions.detection.replaced_tokens.question import ChosenToken
from tests.questions.detection.answers import DOCUMENT, FILLER, JUDGE, card, make


@pytest.fixture
def judged():
    return make()


@pytest.fixture
def alone():
    return make(None, (ChosenToken(3, drawn=False), ChosenToken(5, drawn=False)))


@pytest.fixture
def document():
    return DOCUMENT


@pytest.fixture
def judge_card():
    return card("A", JUDGE, ("replaced_tokens", "many_draws"),
                partner="filler")  # fmt: skip


@pytest.fixture
def filler_card():
    return card("B", FILLER, ("masked_tokens",))
