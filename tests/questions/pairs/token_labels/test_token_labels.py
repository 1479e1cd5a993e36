"""Labels of tokens: transformers' own, on screen and in words."""

import numpy as np
import pytest

from explorer.api.question import Unavailable, UserMistake
from explorer.questions.pairs.token_labels.question import QUESTION, TokenLabelsRequest
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.questions.answers import LABELS

torch = pytest.importorskip("torch")

TEXT, PAIR = "the cat sat on the mat", "it was great"


@pytest.fixture(scope="module")
def result():
    return tiny.ask(tiny.load(LABELS), TokenLabelsRequest(TEXT, PAIR))


def test_labels_are_those_of_transformers_class(result):
    from transformers import AutoTokenizer, BertForTokenClassification

    module = BertForTokenClassification.from_pretrained(LABELS).eval()
    inputs = AutoTokenizer.from_pretrained(LABELS)(TEXT, PAIR, return_tensors="pt")
    with torch.no_grad():
        expected = module(**inputs).logits[0].numpy()
    np.testing.assert_allclose(result.logits, expected, atol=1e-5)
    assert result.labels == ("O", "B-PER", "I-PER", "B-LOC")
    own = [n for n, one in enumerate(result.tokens) if not one.special]
    rows = QUESTION.table(result).rows
    (part,) = QUESTION.parts_of(result)
    assert [row[0] for row in rows] == own
    labels = [result.labels[n] for n in expected.argmax(-1)]
    assert [row[5] for row in rows] == [labels[n] for n in own]
    assert [labels[n] != "O" for n in own] == [n in part.labelled for n in own]
    assert QUESTION.summary(result)["labelled"] == len(part.labelled) > 0


def test_what_can_not_be_labelled_is_said():
    with pytest.raises(UserMistake, match="no text"):
        tiny.ask(miniature("bert-miniature"), TokenLabelsRequest(" "))
    with pytest.raises(Unavailable, match="no token classifier head"):
        tiny.ask(miniature("bert-miniature"), TokenLabelsRequest(TEXT))
