"""What the user has told their Python for other purposes reaches the engine's process too."""

from pathlib import Path

import pytest
from listening import Listener

from explorer.document import Document
from explorer.engine.configuration import EngineConfiguration
from explorer.engine.messages import Answer, Ask, LoadModel
from explorer.engine.process.client import EngineProcess
from explorer.paths import Paths
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from tests import users_python

QUESTION = MaskedTokensRequest.of(Document("The teacher reads a [MASK] in the library .", top_k=5))


def test_scripts_and_a_python_that_went_do_not_keep_it_from_answering(
    paths: Paths, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    users_python.tell(monkeypatch, tmp_path)
    engine, told = EngineProcess(EngineConfiguration.of(paths, threads=1)), Listener()
    try:
        engine.start(told)
        loaded = told.end_of("load:A", engine.submit("load:A", LoadModel("A", "bert-miniature")))
        assert isinstance(loaded, Answer), loaded
        ended = told.end_of("view", engine.submit("view", Ask(QUESTION, {"model": "A"})))
        assert isinstance(ended, Answer), ended
    finally:
        engine.close()
