"""The page of a pass: its film stops where the document says."""

import pytest

from explorer.api.question import Context
from explorer.document import Document
from explorer.questions.layers.forward_pass.compute import run
from explorer.questions.layers.forward_pass.question import ForwardPassRequest
from tests.hf.kept import miniature
from tests.ui.pages import kind_of

TEXT = "The chef cooked the meal in the [MASK] ."


@pytest.fixture(scope="module")
def result():
    return run(miniature("bert-miniature"), ForwardPassRequest(TEXT), Context())


def test_the_page_shows_the_step_of_its_document(result, shown):
    view = shown(kind_of("forward_pass"))
    document = Document(TEXT).with_option("forward_pass.step", "1.weights")
    view.set_document(document)
    view.show_result(result, document)
    (film,) = view.page.widgets
    assert film.scenes[film.at].name == "1.weights"
    assert film.width() > 300
