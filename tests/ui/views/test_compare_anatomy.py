"""The view that lays two models side by side."""

import pytest

from explorer.api import Context, LoadOptions
from explorer.document import Document
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.plugins.host import PluginHost
from explorer.engine.runner import Runner
from explorer.paths import Paths
from explorer.questions.architecture.compare_architectures.page import lineage
from explorer.questions.architecture.compare_architectures.question import (
    CHOSEN,
    OPERATION,
    CompareAnatomy,
)
from explorer.ui.matrices.block import MatrixView
from explorer.ui.matrices.scale import number
from explorer.ui.theme.schemes import theme_of
from tests.ui.pages import choose, kind_of, words_on

PATHS = Paths.standard()
FIRST, SECOND = (option.key for option in CHOSEN.values())


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    host = PluginHost(PATHS.bundled_plugins, entry_points=False)
    made = Runner(
        host, Catalogue(host, PATHS.bundled_models, tmp_path_factory.mktemp("hub"), offline=True)
    )
    for slot, name in (("A", "distilbert-miniature"), ("B", "bert-miniature")):
        made.load(slot, name, LoadOptions(device="cpu"), Context())
    return made


@pytest.fixture
def view(qtbot):
    made = kind_of("compare_architectures")()
    qtbot.addWidget(made)
    made.resize(900, 600)
    return made


def test_it_waits_for_two(view, runner):
    assert view.request_of(Document("")) is None
    assert "two models" in view.empty_hint(Document(""))
    one = Document().with_option(FIRST, "gpt3-small")
    assert view.request_of(one) is None
    two = one.with_option(SECOND, "gpt3-175b")
    assert view.request_of(two) == CompareAnatomy("gpt3-small", "gpt3-175b")
    assert OPERATION.cast({}, "A", two) == {}


def test_what_is_loaded_is_compared_by_itself(view, runner):
    view.set_models(runner.cards, "A")
    assert view.request_of(Document()) == CompareAnatomy("distilbert-miniature", "bert-miniature")
    assert OPERATION.cast(runner.cards, "A", Document()) == {"first": "A", "second": "B"}
    view.set_models(runner.cards, "B")
    assert OPERATION.cast(runner.cards, "B", Document()) == {"first": "B", "second": "A"}
    assert view.request_of(Document()) == CompareAnatomy("bert-miniature", "distilbert-miniature")
    only = {"A": runner.cards["A"]}
    view.set_models(only, "A")
    assert view.request_of(Document()) is None


def test_a_student_is_told_from_its_teacher(view, runner):
    request = CompareAnatomy("distilbert-miniature", "bert-miniature")
    result = runner.ask(request, {"first": "A", "second": "B"}, Context())
    view.show_result(result, Document())
    said = lineage(result, result.ancestry)
    assert "0 from 0, 1 from 2" in said
    # Each cosine is said, and the matrix can be looked into.
    value = number(float(result.ancestry.cosines[1, 2]))
    told = [spot.words for spot in view.page.page.spots]
    assert f"Layer 1 of the first, layer 2 of the second: {value}" in told
    (matrix,) = view.page.findChildren(MatrixView)
    assert matrix.words_at(1, 2) in told
    figure = view.figure(900.0, theme_of("dark"))
    assert figure.height > 400
    columns = view.table().columns
    assert columns[:2] == ("part", "verdict")
    assert "Model: distilbert-miniature" in view.caption()


def test_without_weights_it_says_what_to_do(view, runner):
    result = runner.ask(CompareAnatomy("gpt3-small", "openai-community/gpt2"), {}, Context())
    assert result.ancestry is None
    view.show_result(result, Document())
    assert view.figure(500.0, theme_of("dark")).height > 100
    assert "load one model as A and the other as B" in words_on(view)


def test_swapping(view, runner):
    view.set_models(runner.cards, "A")
    view.set_document(Document())
    request = view.request_of(Document())
    view.show_result(runner.ask(request, {"first": "A", "second": "B"}, Context()), Document())
    seen = []
    view.edit_requested.connect(lambda edit: seen.append(edit.on(Document())))
    choose(view, ("swap",))
    (swapped,) = seen
    assert swapped.option(FIRST) == "bert-miniature"
    assert swapped.option(SECOND) == "distilbert-miniature"
