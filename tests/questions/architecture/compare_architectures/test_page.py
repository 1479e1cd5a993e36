"""The view that lays two models side by side."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QImage, QPainter

from explorer.api.family import Blueprint, LoadOptions
from explorer.api.question import Context, ModelStamp
from explorer.architecture.sketch import sketch_of
from explorer.architecture.weights import Parameters
from explorer.document import Document
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.plugins.host import PluginHost
from explorer.engine.runner import Runner
from explorer.paths import Paths
from explorer.questions.architecture.architecture.question import ArchitectureRequest
from explorer.questions.architecture.compare_architectures.likeness import (
    Relation,
    SharedTensor,
    TensorsCompared,
    grouped,
)
from explorer.questions.architecture.compare_architectures.lineage import lineage
from explorer.questions.architecture.compare_architectures.question import (
    CHOSEN,
    QUESTION,
    CompareArchitecturesRequest,
    CompareArchitecturesResult,
    Level,
)
from explorer.questions.architecture.compare_architectures.tensors import WORDS
from explorer.serialise import to_builtins
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
    assert view.request_of(two) == CompareArchitecturesRequest("gpt3-small", "gpt3-175b")
    assert QUESTION.cast({}, "A", two) == {}


def test_what_is_loaded_is_compared_by_itself(view, runner):
    view.set_models(runner.cards, "A")
    assert view.request_of(Document()) == CompareArchitecturesRequest(
        "distilbert-miniature", "bert-miniature"
    )
    assert QUESTION.cast(runner.cards, "A", Document()) == {"first": "A", "second": "B"}
    view.set_models(runner.cards, "B")
    assert QUESTION.cast(runner.cards, "B", Document()) == {"first": "B", "second": "A"}
    assert view.request_of(Document()) == CompareArchitecturesRequest(
        "bert-miniature", "distilbert-miniature"
    )
    only = {"A": runner.cards["A"]}
    view.set_models(only, "A")
    assert view.request_of(Document()) is None


def test_a_student_is_told_from_its_teacher(view, runner):
    request = CompareArchitecturesRequest("distilbert-miniature", "bert-miniature")
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
    assert "First model: distilbert-miniature" in view.caption()


def test_without_weights_it_says_what_to_do(view, runner):
    result = runner.ask(
        CompareArchitecturesRequest("gpt3-small", "openai-community/gpt2"), {}, Context()
    )
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


def shared(relation, correlation=None, apart=None, **changes):
    """A pair's answer whose token embeddings are in some relation."""
    words = SharedTensor(WORDS, relation, (9, 4), (9, 4), correlation, apart)
    other = SharedTensor("encoder.layer.0.x.weight", Relation.OTHER_SHAPE, (4, 4), (2, 2))
    tensors = TensorsCompared(grouped((words, other)), 0, 3, 1, (words, other))
    judge, filler = (
        Blueprint(0, 0, 0, 0, 0, 0, heads_present=(head,))
        for head in ("replaced_token", "masked_lm")
    )
    stamps = (ModelStamp(name, "electra", "0" * 32, "cpu", "float32") for name in ("j", "f"))
    sums = (Parameters(1000, 1000, 0, 0, 0), Parameters(500, 500, 0, 0, 0))
    made = CompareArchitecturesResult(
        *stamps, ("Judge", "Filler"), (judge, filler), sums, (), None, tensors, Level.TENSORS
    )
    return replace(made, **changes)


@pytest.mark.parametrize("width", [340, 760, 1200])
def test_every_tensor_is_compared_with_its_counterpart(view, width):
    result = shared(Relation.ALIKE, 0.9, 0.2)
    view.show_result(result, Document())
    said = words_on(view)
    assert "gradient-disentangled" in said
    assert "correlation 0.900" in said
    assert "0 of Judge's 1,000 weights (0 %) are Filler's too" in said
    rows = [row for node in view.page.page.nodes for row in node.spots if row.cells]
    cells = {row.cells[0].value: " ".join(c.text for c in row.cells[1:]) for row in rows}
    assert "alike" in cells[WORDS]
    assert "0.900" in cells[WORDS]
    assert "another shape" in cells["encoder.layer.0.x.weight"]
    figure = view.figure(width, theme_of("light"))
    image = QImage(width + 60, int(figure.height) + 60, QImage.Format.Format_RGB32)
    image.fill(theme_of("light").surface)
    painter = QPainter(image)
    painter.translate(30, 30)
    figure.paint(painter)
    painter.end()
    ground = theme_of("light").surface.rgb()
    edges = [image.pixel(x, y) for x in (0, 20, width + 40, width + 59)
             for y in range(image.height())]  # fmt: skip
    assert set(edges) == {ground}


@pytest.mark.parametrize(
    ("relation", "said"),
    [
        (Relation.EQUAL, "are shared, as ELECTRA trains them"),
        (Relation.SAME_MEMORY, "are shared, as ELECTRA trains them"),
        (Relation.UNRELATED, "have nothing to do with each other"),
        (Relation.OTHER_SHAPE, "so they can't be shared"),
    ],
)
def test_what_the_token_embeddings_say_of_the_training(view, relation, said):
    view.show_result(shared(relation, 0.01, 1.0), Document())
    assert said in words_on(view)
    alone = Blueprint(0, 0, 0, 0, 0, 0, heads_present=("masked_lm",))
    view.show_result(shared(relation, 0.01, 1.0, blueprints=(alone, alone)), Document())
    assert "ELECTRA" not in words_on(view)


def test_without_weights_there_are_no_tensors_and_it_says_so(view):
    view.show_result(shared(Relation.EQUAL, tensors=None), Document())
    assert "load one model as A and the other as B" in words_on(view)
    assert view.table().rows == ()


def test_what_is_kept_of_an_answer_is_in_no_language(runner, speak):
    """Rows are read by scripts, and a log in another language than it was written in."""
    requests = (
        CompareArchitecturesRequest("gpt3-small", "albert/albert-base-v2"),
        CompareArchitecturesRequest("google/electra-base-discriminator", "distilbert-miniature"),
        ArchitectureRequest("t5-small"),
    )
    before = [to_builtins(runner.ask(request, {}, Context())) for request in requests]
    speak("en_XA")
    assert [to_builtins(runner.ask(request, {}, Context())) for request in requests] == before


def test_a_decoder_is_drawn_alike_in_every_language(runner, speak):
    """A pattern of attention is a name that the picture looks at."""
    blueprint = runner.ask(ArchitectureRequest("t5-small"), {}, Context()).blueprint

    def patterns():
        layers = [item for c in sketch_of(blueprint).columns for item in c.items]
        inside = [shape for item in layers for shape in getattr(item, "items", ())]
        return [getattr(shape, "pattern", "") for shape in inside]

    before = patterns()
    assert any("before" in one for one in before)
    speak("en_XA")
    assert patterns() == before


def test_many_tensors_of_another_shape_are_said_once(view):
    """Two models of different width listed "another shape" some 60 times."""
    words = SharedTensor(WORDS, Relation.ALIKE, (9, 4), (9, 4), 0.9, 0.2)
    apart = tuple(
        SharedTensor(f"encoder.layer.{n}.x.weight", Relation.OTHER_SHAPE, (4, 4), (2, 2))
        for n in range(60)
    )
    like = SharedTensor("encoder.layer.0.y.bias", Relation.EQUAL, (4,), (4,), 1.0, 0.0)
    both = (words, *apart, like)
    result = shared(Relation.ALIKE, tensors=TensorsCompared(grouped(both), 0, 3, 1, both))
    view.show_result(result, Document())
    said = words_on(view)
    assert said.count("another shape") == 0
    assert "60 tensors have the same names and other shapes, as encoder.layer.0.x.weight" in said
    rows = [row.cells[0].value for node in view.page.page.nodes for row in node.spots if row.cells]
    assert rows[-2:] == [WORDS, "encoder.layer.0.y.bias"]
    assert not [one for one in rows if ".x.weight" in one]
    assert len(view.table().rows) >= 60, "the table for export has all"
