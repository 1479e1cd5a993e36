import pytest

from explorer.api.question import Cancelled, Context
from explorer.document import Document, Mask
from explorer.questions.tokenizers.tokens.question import QUESTION, TokensRequest, run
from tests.hf import tiny


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny.load(tiny.save_bert(tmp_path_factory.mktemp("models") / "bert", "BertModel"))


def test_an_answer(model):
    request = TokensRequest.of(Document("the cats", "a dog", (Mask(2, 5, 1),)))
    result = run(model, request, Context())
    assert [token.text for token in result.tokens] == [
        "[CLS]",
        "the",
        "cat",
        "##s",
        "[SEP]",
        "a",
        "[MASK]",
        "[SEP]",
    ]
    assert result.model == model.stamp
    assert result.left_out is None


def test_empty_text_is_fine(model):
    assert [t.text for t in run(model, TokensRequest(""), Context()).tokens] == ["[CLS]", "[SEP]"]


def test_a_cancelled_one_does_nothing(model):
    with pytest.raises(Cancelled):
        run(model, TokensRequest("the cat"), Context(is_cancelled=lambda: True))


def test_the_table(model):
    rows = QUESTION.table(run(model, TokensRequest("cats 😀", masks=(Mask(4, 5),)), Context()))
    assert rows.columns[:3] == ("position", "token", "id")
    assert all(len(row) == len(rows.columns) for row in rows.rows)
    by_name = [dict(zip(rows.columns, row, strict=True)) for row in rows.rows]
    assert [row["position"] for row in by_name] == list(range(5))
    assert [row["special"] for row in by_name] == [True, False, False, False, True]
    assert [row["unknown"] for row in by_name] == [False, False, False, True, False]
    assert [(row["start"], row["end"]) for row in by_name[1:4]] == [(0, 3), (3, 4), (5, 6)]
