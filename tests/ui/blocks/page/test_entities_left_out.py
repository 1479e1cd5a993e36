"""A page says that it leaves out the entities on the text, where its model would read them."""

from dataclasses import replace

import pytest

from explorer.document import Document, Mention
from explorer.questions.layers.layer_similarity.question import LayerSimilarityRequest
from tests.stored_runs.recorded import RECORDED
from tests.ui.fake_engine import CACHED, MINIATURE
from tests.ui.pages import words_on

TEXT = "Anna used a [MASK]"
ENTITIES = (Mention(0, 4, "Q7"),)
NAME, SOURCE = "layer_similarity", "layer_similarity.source"
ASKED = Document(TEXT, entities=ENTITIES).with_option(SOURCE, "english")


@pytest.fixture
def running(engine, start, qtbot):
    result = RECORDED[NAME].result

    def answer(_request, card):
        first = replace(result.first, model=card.stamp)
        return replace(result, model=card.stamp, first=first)

    engine.answers[LayerSimilarityRequest] = answer
    offered = (*MINIATURE.operations, NAME)
    engine.catalogue = (
        replace(MINIATURE, operations=(*offered, "entities")),
        replace(CACHED, operations=offered),
    )
    found = start()
    found.window.view_area.bring_forward(NAME)
    found.bench.state.edit("text", ASKED)
    qtbot.waitUntil(lambda: found.bench.asking.is_idle)
    qtbot.waitUntil(lambda: found.window.view_of(NAME).result is not None)
    return found


def says_so(running):
    return "entities on the text are left out" in words_on(running.window.view_of(NAME))


def test_of_a_reader_of_entities_alone_and_only_while_there_are_any(running, qtbot):
    state = running.bench.state
    assert says_so(running)
    state.edit("text", replace(ASKED, entities=()))
    assert not says_so(running)
    state.stack.undo()
    assert says_so(running)
    state.edit("text", ASKED.with_option(SOURCE, "typed"))
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    assert not says_so(running)
