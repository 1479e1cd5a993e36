"""The engine as the program runs it: real plugins, a real model, a real process."""

import os
import signal
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from explorer.api.family import Context, LoadOptions
from explorer.api.family.checkpoint import Source
from explorer.api.question import ModelCard
from explorer.document import Document
from explorer.engine.configuration import EngineConfiguration, build_runner
from explorer.engine.messages import Answer, Ask, Died, Failed, ListCheckpoints, LoadModel, Ready
from explorer.paths import Paths
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from tests import warm_engine

QUESTION = MaskedTokensRequest.of(Document("The teacher reads a [MASK] in the library .", top_k=5))
MODEL = "bert-miniature"


@pytest.fixture
def real(paths: Paths, configuration: EngineConfiguration) -> dict[str, Any]:
    """What makes the engine of the other tests the real one."""
    real = EngineConfiguration.of(paths, threads=1)
    return {
        name: getattr(real, name)
        for name in EngineConfiguration.__dataclass_fields__
        if getattr(real, name) != getattr(configuration, name)
    }


def test_the_library_is_there_before_torch_and_the_numbers_are_the_runners(
    start_engine: Callable[..., tuple[Any, Any]],
    real: dict[str, Any],
    paths: Paths,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engine, listener = start_engine(**real)
    library = engine.submit("library", ListCheckpoints())
    load = engine.submit("load:A", LoadModel("A", MODEL))
    asked = engine.submit("view", Ask(QUESTION))
    rows = listener.end_of("library", library).result
    assert [row.id for row in rows if row.source is Source.BUNDLED and row.id == MODEL] == [MODEL]
    card = listener.end_of("load:A", load).result
    assert isinstance(card, ModelCard)
    answer = listener.end_of("view", asked)
    assert isinstance(answer, Answer), answer
    kinds = [type(event).__name__ for event in listener.events]
    ready = listener.wait_for(Ready, lambda event: event.devices != ())
    assert kinds.index("Answer") < listener.events.index(ready)
    assert {"torch", "transformers", "tokenizers"} <= set(ready.versions)

    runner = build_runner(EngineConfiguration.of(paths))
    here = runner.load("A", MODEL, LoadOptions(device="cpu"), Context())
    assert replace(here, duration=0.0) == replace(card, duration=0.0)
    expected = runner.ask(QUESTION, {"model": "A"}, Context())
    for got, wanted in zip(answer.result.masks, expected.masks, strict=True):
        assert [p.token for p in got.predictions] == [p.token for p in wanted.predictions]
        assert [p.probability for p in got.predictions] == pytest.approx(
            [p.probability for p in wanted.predictions], rel=1e-4
        )
    assert answer.result.tokens == expected.tokens

    missing = listener.end_of("load:B", engine.submit("load:B", LoadModel("B", "no such model")))
    assert isinstance(missing, Failed)
    empty = listener.end_of("view", engine.submit("view", Ask(QUESTION, {"model": "B"})))
    assert "No model is loaded as B" in empty.failure.message

    if os.name == "posix":
        warm_engine.use(monkeypatch)  # the first start was a cold one
        before = len(listener.events)
        os.kill(engine.pid, signal.SIGKILL)
        again = engine.submit("view", Ask(QUESTION))
        listener.wait_for(Died, after=before)
        reloaded = listener.wait_for(Answer, lambda e: e.lane == "load:A", after=before)
        assert reloaded.result.stamp == card.stamp
        end = next(e for e in listener.events if isinstance(e, Died)).lost
        if end:
            again = engine.submit("view", Ask(end[0].request.request))
        assert listener.end_of("view", again).result == answer.result
