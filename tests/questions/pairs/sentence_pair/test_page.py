"""A pair on screen: the answer in words, a card a model."""

import pytest

from explorer.api.question import Context
from explorer.document import Document
from explorer.questions.pairs.sentence_pair.question import SentencePairRequest
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.ui.pages import kind_of, words_on

TEXT, PAIR = "The nurse helped the patients at the hospital.", "She used a thermometer."
DOCUMENT = Document(TEXT, PAIR)


@pytest.fixture
def view(shown):
    made = shown(kind_of("sentence_pair"))
    models = {"model": miniature("bert-miniature"), "second": miniature("albert-miniature")}
    request = SentencePairRequest(TEXT, PAIR)
    made.show_result(tiny.ask(models["model"], request, Context(models=models)), DOCUMENT)
    return made


def test_the_answer_is_in_words(view):
    said = words_on(view)
    assert "The second text follows the first: 0.9" in said
    assert "The two texts are in the right order: > 0.9999." in said
    assert "Label 0 is that it follows." in said
    assert "Label 0 is the right order." in said
    assert said.count("Attention between the texts") == 2


def test_a_second_text_is_asked_for(view):
    assert "second text" in view.empty_hint(Document(TEXT))
    assert view.request_of(Document(TEXT)) is None
    assert view.request_of(DOCUMENT) == SentencePairRequest(TEXT, PAIR)
