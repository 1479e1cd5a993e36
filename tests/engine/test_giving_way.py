"""A long run lets the others go first between two of its steps: real processes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import standin

from explorer.document import Document
from explorer.engine.configuration import EngineConfiguration
from explorer.engine.messages import Answer, Ask, Failed, LoadModel, Progress, Stopped, Unload
from explorer.paths import Paths
from explorer.questions.many.file_of_sentences.question import FileOfSentencesRequest
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.questions.tokenizers.tokens.question import TokensRequest

Start = Callable[..., tuple[Any, Any]]
SENTENCE = "The teacher reads a [MASK] in the library ."


def begun(engine: Any, listener: Any, request: Any, lane: str, slot: str = "A") -> int:
    """The number of a call that works already."""
    number: int = engine.submit(lane, Ask(request, {"model": slot}))
    listener.wait_for(Progress, lambda event: (event.lane, event.number) == (lane, number))
    return number


def ended(listener: Any, lane: str) -> bool:
    return any(not isinstance(event, Progress) for event in listener.of_lane(lane))


def test_questions_and_loads_are_answered_while_a_long_run_goes_on(
    start_engine: Start, tmp_path: Path
) -> None:
    engine, listener = start_engine()
    listener.end_of("load:A", engine.submit("load:A", LoadModel("A", "first")))
    enough = tmp_path / "enough"
    long = begun(engine, listener, standin.Share(50, "long", str(enough)), "file")
    for number in range(20):
        asked = engine.submit("view", Ask(standin.Echo(number)))
        assert listener.end_of("view", asked).result == number
    card = listener.end_of("load:A", engine.submit("load:A", LoadModel("A", "second")))
    assert card.result.title == "second"
    assert listener.end_of("load:A", engine.submit("load:A", Unload("A"))).result is None
    assert not ended(listener, "file"), "it was to last longer than all of these"
    enough.touch()
    worked = listener.end_of("file", long)
    assert isinstance(worked, Answer), worked
    assert worked.result.count("long") == 50
    assert "long rests" in worked.result


def test_two_long_runs_take_turns(start_engine: Start) -> None:
    engine, listener = start_engine()
    first = begun(engine, listener, standin.Share(300, "first"), "file")
    second = engine.submit("other", Ask(standin.Share(50, "second")))
    turns = [name for name in listener.end_of("other", second).result if "rests" not in name]
    assert not ended(listener, "file")
    assert turns[:6] == ["second", "first"] * 3
    assert listener.end_of("file", first).result.count("first") == 300


def test_a_long_run_that_rests_is_cancelled_at_once(start_engine: Start) -> None:
    engine, listener = start_engine()
    long = begun(engine, listener, standin.Share(6_000, "long"), "file")
    work = begun(engine, listener, standin.Work(6_000), "view")
    engine.cancel("file")
    assert isinstance(listener.end_of("file", long, timeout=5), Stopped)
    again = engine.submit("file", Ask(standin.Share(3, "again")))
    assert not ended(listener, "view")
    engine.cancel("view")
    assert isinstance(listener.end_of("view", work), Stopped)
    assert listener.end_of("file", again).result == ("again",) * 3
    assert listener.end_of("view", engine.submit("view", Ask(standin.Echo(1)))).result == 1


def test_a_long_run_is_replaced_by_a_newer_one_while_it_rests(start_engine: Start) -> None:
    engine, listener = start_engine()
    begun(engine, listener, standin.Share(6_000, "old"), "file")
    work = begun(engine, listener, standin.Work(6_000), "view")
    new = engine.submit("file", Ask(standin.Share(5, "new")))
    engine.cancel("view")
    assert isinstance(listener.end_of("view", work), Stopped)
    assert listener.end_of("file", new).result == ("new",) * 5


@pytest.mark.usefixtures("warm_engine")
def test_a_file_of_sentences_keeps_no_other_question_waiting(
    start_engine: Start, configuration: EngineConfiguration, paths: Paths, tmp_path: Path
) -> None:
    if not (Path(paths.bundled_models) / "bert-miniature" / "config.json").is_file():
        pytest.skip("the miniature is not built")
    real = EngineConfiguration.of(paths, threads=1)
    names = EngineConfiguration.__dataclass_fields__
    engine, listener = start_engine(**{name: getattr(real, name) for name in names})
    listener.end_of("load:A", engine.submit("load:A", LoadModel("A", "bert-miniature")))
    file = tmp_path / "sentences.txt"
    lines = (f"{SENTENCE} {number}\n" for number in range(20_000))  # equal ones are asked once
    file.write_text("".join(lines), encoding="utf-8")
    lane = "view:file_of_sentences"
    question = FileOfSentencesRequest(str(file), "masked_tokens", start=True)
    engine.submit(lane, Ask(question))
    listener.wait_for(Progress, lambda event: event.lane == lane and event.done > 5)
    document = Document(SENTENCE)
    tokens = listener.end_of("tokens", engine.submit("tokens", Ask(TokensRequest.of(document))))
    assert tokens.result.tokens
    alone = listener.end_of("view", engine.submit("view", Ask(MaskedTokensRequest.of(document))))
    assert alone.result.masks[0].predictions
    card = listener.end_of(
        "load:B", engine.submit("load:B", LoadModel("B", "distilbert-miniature"))
    )
    assert card.result.title
    assert not ended(listener, lane)
    done = max(e.done for e in listener.events if isinstance(e, Progress) and e.lane == lane)
    again = engine.submit(lane, Ask(question))
    listener.wait_for(Progress, lambda e: e.number == again and e.lane == lane and e.done >= done)
    engine.cancel(lane)
    assert isinstance(listener.end_of(lane, again), Stopped)
    far = FileOfSentencesRequest(str(file), "masked_tokens", start=False)
    answer = listener.end_of(lane, engine.submit(lane, Ask(far)))
    assert not isinstance(answer, Failed), answer
    assert answer.result.done >= done
    assert answer.result.failed == 0
