"""A file of sentences that the engine's process shares with another one: real processes."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from listening import is_running, wait_until

from explorer.api.family import Context, LoadOptions
from explorer.api.worker_context import Parallelism
from explorer.document import Document
from explorer.engine.configuration import EngineConfiguration, build_runner
from explorer.engine.messages import Ask, Died, LoadModel, Progress
from explorer.files_of_sentences.rows import ResultsReader
from explorer.files_of_sentences.runners.other_process import WORKER
from explorer.paths import Paths
from explorer.questions.many.file_of_sentences.question import FileOfSentencesRequest
from explorer.questions.tokenizers.tokens.question import TokensRequest
from tests.hf import tiny

SENTENCES = 20_000


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
@pytest.mark.usefixtures("warm_engine")
def test_it_keeps_no_question_waiting_ends_with_the_engine_and_is_gone_on_with(
    start_engine: Callable[..., tuple[Any, Any]], paths: Paths, tmp_path: Path
) -> None:
    folder = str(tiny.save_bert(tmp_path / "bert"))
    file = tmp_path / "sentences.txt"
    file.write_text("".join(f"the cat sat on mat {n}\n" for n in range(SENTENCES)), "utf-8")
    real = EngineConfiguration.of(paths, threads=2, sharing=Parallelism(2))
    names = EngineConfiguration.__dataclass_fields__
    engine, listener = start_engine(**{name: getattr(real, name) for name in names})
    listener.end_of("load:A", engine.submit("load:A", LoadModel("A", folder, LoadOptions("cpu"))))
    question = FileOfSentencesRequest(str(file), "tokens")
    engine.submit("file", Ask(question))
    listener.wait_for(Progress, lambda event: event.lane == "file" and event.done > 500)
    own = psutil.Process(engine.pid)
    (other,) = (
        one.pid
        for one in own.children()
        # A copy of the engine, or where there can be none a process of its own.
        if one.cmdline() == own.cmdline() or WORKER in one.cmdline()
    )
    asked = engine.submit("tokens", Ask(TokensRequest.of(Document("the cat"))))
    assert listener.end_of("tokens", asked).result.tokens
    os.kill(engine.pid, signal.SIGKILL)
    listener.wait_for(Died, timeout=10)
    assert wait_until(lambda: not is_running(other))

    runner = build_runner(EngineConfiguration.of(paths, sharing=Parallelism(1)))
    runner.load("A", folder, LoadOptions("cpu"), Context())
    context = Context(results=paths.results)
    looked = runner.ask(
        FileOfSentencesRequest(str(file), "tokens", start=False), {"model": "A"}, context
    )
    assert 0 < looked.done < SENTENCES
    result = runner.ask(question, {"model": "A"}, context)
    assert (result.done, result.failed) == (SENTENCES, 0)
    numbers = [row[0] for row in ResultsReader(Path(result.results)).every()]
    assert numbers == list(range(1, SENTENCES + 1))
