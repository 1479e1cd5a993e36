import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_hub import SmallHub

from explorer.api.family import Cancelled, CheckpointFault, MachineFault, UserMistake
from explorer.engine.downloads import search
from explorer.engine.downloads.offered import MOST_FOUND, DownloadSize, FoundModel
from explorer.engine.downloads.search import search_hub
from tests.engine.fetching import FILES, NAME, Told, never

GATED, UNFIT = "owner/gated-bert", "owner/onnx-bert"
FACTS: dict[str, dict[str, Any]] = {
    NAME: {
        "cardData": {"language": ["ko", "en"], "license": "apache-2.0"},
        "config": {"model_type": "bert", "architectures": ["BertForMaskedLM"]},
        "downloads": 12,
        "library_name": "transformers",
    },
    GATED: {"cardData": {"language": "ko\n\u001b[2J" + "o" * 999}, "downloads": 1_234_567},
}


def find(words: str, cache: Path, **options: Any) -> tuple[FoundModel, ...]:
    is_cancelled = options.pop("is_cancelled", never)
    return search_hub(words, cache, options.pop("tell", Told()), is_cancelled, **options)


def test_what_is_found_is_what_the_library_of_the_hub_finds_with_sizes(
    hub: SmallHub, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As huggingface_hub's own search has it; the token of its store goes to the hub alone."""
    from huggingface_hub import HfApi, constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    stored = tmp_path / "token"
    stored.write_text("hf_stored", encoding="utf-8")
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(stored))
    monkeypatch.delenv("HF_TOKEN", raising=False)
    hub.add(GATED, FILES)
    hub.gated.add(GATED)
    hub.add(UNFIT, {"config.json": b"{}", "model.onnx": b"onnx"})
    hub.add("owner/other", FILES)
    hub.facts = FACTS
    told = Told()
    found = find("  bert ", cache, tell=told, knows=lambda kind: kind != "bert")
    assert [one.id for one in found] == [GATED, NAME, UNFIT]
    assert told.all[-1] == ("Asking how large they are", 3, 3, "")
    first, second, third = found
    size = sum(map(len, FILES.values()))
    assert [one.size and (one.size.whole, one.size.missing) for one in found] == [
        *[(size, size)] * 2,
        None,
    ]
    assert (first.is_known, second.is_known) == (True, False)
    assert third.problem is not None
    assert "no weights this program can read" in third.problem.said
    assert (first.is_gated, second.is_gated) == (True, False)
    assert first.page == f"{hub.address}/{GATED}"
    # What its author wrote is a line, and a short one.
    assert first.languages[0].isprintable()
    assert len(first.languages[0]) < 100

    assert {request.authorization for request in hub.requests} == {"Bearer hf_stored"}
    assert "hf_stored" not in repr((found, told.all))
    assert not [request for request in hub.requests if "/resolve/" in request.path]
    asked = hub.requests[0]
    rows = HfApi(endpoint=hub.address).list_models(
        search="bert",
        sort="downloads",
        limit=MOST_FOUND,
        expand=["cardData", "config", "downloads", "gated", "library_name"],
    )
    theirs = {one.id: one for one in rows}
    assert hub.requests[-1].query == asked.query
    assert hub.requests[-1].path == asked.path
    assert [*theirs] == [one.id for one in found]
    card, config = theirs[NAME].card_data, theirs[NAME].config
    assert (second.languages, second.licence) == (tuple(card["language"]), "Apache-2.0")
    assert second.architectures == tuple(config["architectures"])
    assert (second.downloads, second.library) == (
        theirs[NAME].downloads,
        theirs[NAME].library_name,
    )


def test_a_search_is_bounded_cancelled_and_refused_in_a_sentence(
    hub: SmallHub, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = ",".join(f'{{"id": "../{n}"}}, {{"id": "owner/bert-{n}"}}' for n in range(1000))
    hub.api_body = f"[{rows}]".encode()
    found = find("bert", cache)
    assert [one.id for one in found] == [f"owner/bert-{n}" for n in range(MOST_FOUND // 2)]
    assert len(hub.requests) == 1 + len(found)
    for body in (b"{}", b"5", b'[{"id": "owner/x", "config": "?"}]', b'[{"downloads": 1}]'):
        hub.api_body = body
        with pytest.raises(CheckpointFault, match="did not answer a search"):
            find("bert", cache)
    hub.api_body = b" " * 17_000_000 + b"[]"
    with pytest.raises(CheckpointFault, match="no search has"):
        find("bert", cache)
    hub.api_body = None
    for status, kind, words in (
        (401, UserMistake, "refuses to be searched"),
        (429, MachineFault, "asks to wait"),
        (404, MachineFault, "HTTP status 404"),
    ):
        hub.api_statuses = [status]
        with pytest.raises(kind, match=words):
            find("bert", cache)
    for nothing in ("", "  ", "x" * 201):
        with pytest.raises(UserMistake, match="one word at least"):
            find(nothing, cache)

    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{silent.getsockname()[1]}")
        cancelled = threading.Event()
        timer = threading.Timer(0.1, cancelled.set)
        timer.start()
        begun = time.monotonic()
        with pytest.raises(Cancelled):
            find("bert", cache, is_cancelled=cancelled.is_set)
        assert time.monotonic() - begun < 1.1
        timer.join()

    # Ctrl-C while sizes are asked for: it is over at once, whatever the hub does.
    monkeypatch.setenv("HF_ENDPOINT", hub.address)
    hub.add("owner/second-bert", FILES)
    waits = threading.Event()

    def silent_size(name: str, _cache: Path, is_over: Callable[[], bool]) -> DownloadSize:
        if name == NAME:
            assert waits.wait(20)
            return DownloadSize("", 1, 1)
        waits.set()
        end = time.monotonic() + 20
        while time.monotonic() < end and not is_over():
            pass
        raise Cancelled

    def interrupt(_stage: str, done: float, _total: float, _detail: str) -> None:
        if done:
            raise KeyboardInterrupt

    monkeypatch.setattr(search, "download_size", silent_size)
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        find("bert", cache, tell=interrupt)
    assert time.monotonic() - begun < 1.1

    def no_socket(*_arguments: Any) -> None:
        pytest.fail("a socket was opened")

    monkeypatch.setattr(socket, "socket", no_socket)
    with pytest.raises(UserMistake, match="the program is offline"):
        find("bert", cache, offline=True)
