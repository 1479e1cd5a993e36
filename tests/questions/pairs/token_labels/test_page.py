"""The page of token labels: a token is chosen to see all its labels."""

import pytest

from explorer.document import Document
from explorer.questions.pairs.token_labels.question import QUESTION, TokenLabelsRequest
from tests.hf import tiny
from tests.questions.answers import LABELS
from tests.ui.pages import choose, kind_of, spot, words_on

pytest.importorskip("torch")

TEXT, PAIR = "the cat sat on the mat", "it was great"


def test_a_token_is_chosen_to_see_all_its_labels(shown, qtbot):
    result = tiny.ask(tiny.load(LABELS), TokenLabelsRequest(TEXT, PAIR))
    view = shown(kind_of("token_labels"))
    document = Document(TEXT, PAIR)
    view.show_result(result, document)
    (labels,) = QUESTION.parts_of(result)
    first = labels.labelled[0]
    assert f"All labels of “{result.tokens[first].text}”" in words_on(view)
    other = next(n for n in labels.places if n != first)
    assert result.labels[labels.best[other]] in spot(view, ("token", other)).words
    with qtbot.waitSignal(view.edit_requested) as told:
        choose(view, ("token", other))
    after = told.args[0].on(document)
    assert after.option("token_labels.at") == [other]
    assert view.request_of(after) == view.request_of(document)
    view.set_document(after)
    assert f"All labels of “{result.tokens[other].text}”" in words_on(view)
