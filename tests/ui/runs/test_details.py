"""Parts of an answer come from the model that gave it, and are not logged."""

from dataclasses import replace
from typing import ClassVar

import pytest

from explorer.api.family import LoadOptions
from explorer.api.question import Blame, Detail, Failure
from explorer.engine.messages import Ask
from explorer.questions.tokenizers.tokens.question import QUESTION, TokensRequest, TokensResult
from explorer.ui.library.models import ModelSlots
from explorer.ui.runs.details import Details
from explorer.ui.views.view import View
from tests.ui.fake_engine import CACHED, MINIATURE


class Curious(View):
    of: ClassVar = QUESTION

    def __init__(self):
        super().__init__()
        self.told = []

    def refresh(self):
        pass

    def show_detail(self, detail, result):
        self.told.append((detail, result))

    def detail_failed(self, detail, failure):
        self.told.append((detail, failure))


@pytest.fixture
def view(bridge, qtbot):
    made = Curious()
    qtbot.addWidget(made)
    made.models = ModelSlots(bridge)
    for slot, checkpoint in (("A", MINIATURE), ("B", CACHED)):
        made.models.load(slot, checkpoint.id, checkpoint.title, LoadOptions())
    qtbot.waitUntil(lambda: len(made.models.cards) == 2)
    made.details = Details(made.question, lambda: made, made.models, bridge)
    made.details.serve(made)
    return made


def asked(engine):
    return [call.request for call in engine.calls if isinstance(call.request, Ask)]


def test_the_model_that_answered_is_asked_wherever_it_is(view, engine, qtbot):
    for slot in ("A", "B"):
        detail = Detail(TokensRequest("the cat"), view.models.cards[slot].stamp)
        view.detail_wanted.emit(detail)
        qtbot.waitUntil(lambda detail=detail: bool(view.told) and view.told[-1][0] is detail)
        assert isinstance(view.told[-1][1], TokensResult)
        assert asked(engine)[-1] == Ask(TokensRequest("the cat"), {"model": slot})


def test_a_model_that_is_gone_is_said(view, engine):
    stamp = replace(view.models.cards["A"].stamp, fingerprint="0" * 32)
    view.detail_wanted.emit(Detail(TokensRequest("the cat"), stamp))
    failure = view.told[-1][1]
    assert failure.blame is Blame.USER
    assert failure.message == f"{stamp.id} is not loaded any more."
    assert asked(engine) == []


def test_a_failure_is_told(view, engine, qtbot):
    failure = Failure(Blame.MACHINE, "No memory.")
    engine.failures["detail:tokens"] = failure
    detail = Detail(TokensRequest("the cat"), view.models.cards["A"].stamp)
    view.detail_wanted.emit(detail)
    qtbot.waitUntil(lambda: bool(view.told))
    assert view.told == [(detail, failure)]


def test_a_dead_engine_is_told(view, engine, qtbot):
    engine.held.add("detail:")
    view.detail_wanted.emit(Detail(TokensRequest("the cat"), view.models.cards["A"].stamp, "lines"))
    assert engine.calls[-1].lane == "detail:tokens:lines"
    engine.die()
    qtbot.waitUntil(lambda: bool(view.told))
    assert view.told[0][1].message == "The engine was killed."
