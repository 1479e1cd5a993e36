import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_hub import COMMIT, SmallHub, Stored, small_hub

from explorer.api.family import Cancelled, CheckpointFault, MachineFault
from explorer.api.question import Blame
from tests.engine.fetching import FILES, NAME, WEIGHTS, Told, fetch, partial_of


def test_what_a_checkpoint_needs_comes_and_nothing_else(hub: SmallHub, cache: Path) -> None:
    folder = fetch(cache)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == FILES
    asked = {r.path.rpartition("/")[2] for r in hub.requests if "/resolve/" in r.path}
    assert asked == set(FILES)


def test_huggingface_hub_finds_everything(hub: SmallHub, cache: Path) -> None:
    from huggingface_hub import hf_hub_download, scan_cache_dir, snapshot_download

    folder = fetch(cache)
    found = snapshot_download(NAME, cache_dir=cache, local_files_only=True)
    assert Path(found) == folder == cache / "models--owner--small-bert" / "snapshots" / COMMIT
    file = hf_hub_download(NAME, "model.safetensors", cache_dir=cache, local_files_only=True)
    assert Path(file).read_bytes() == WEIGHTS
    scan = scan_cache_dir(cache)
    assert scan.warnings == []
    assert [repo.repo_id for repo in scan.repos] == [NAME]
    assert [set(revision.refs) for repo in scan.repos for revision in repo.revisions] == [{"main"}]


def test_what_huggingface_hub_fetched_is_not_fetched_again(
    hub: SmallHub, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from huggingface_hub import constants, hf_hub_download

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    hf_hub_download(NAME, "model.safetensors", cache_dir=cache, endpoint=hub.address)
    hub.requests.clear()
    folder = fetch(cache)
    assert hub.asked_for("model.safetensors") == []
    assert (folder / "model.safetensors").read_bytes() == WEIGHTS


def test_a_second_download_fetches_nothing(hub: SmallHub, cache: Path) -> None:
    folder = fetch(cache)
    hub.requests.clear()
    told = Told()
    assert fetch(cache, tell=told) == folder
    assert [request.path for request in hub.requests] == [f"/api/models/{NAME}"]
    assert told.all[-1][1] == told.all[-1][2] == sum(map(len, FILES.values()))


def test_shards_come_with_their_index(hub: SmallHub, cache: Path) -> None:
    wanted = {
        "config.json": b"{}",
        "spiece.model": b"pieces",
        "model-00001-of-00002.safetensors": b"one",
        "model-00002-of-00002.safetensors": b"two",
        "model.safetensors.index.json": b"{}",
    }
    hub.add("owner/sharded", {**wanted, "pytorch_model.bin": b"pickle", "notes.model": b""})
    folder = fetch(cache, "owner/sharded")
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == wanted


def test_a_pickle_comes_only_where_there_are_no_safetensors(hub: SmallHub, cache: Path) -> None:
    hub.add("old", {"config.json": b"{}", "pytorch_model.bin": b"pickle", "tf_model.h5": b"tf"})
    assert {file.name for file in fetch(cache, "old").iterdir()} == {
        "config.json",
        "pytorch_model.bin",
    }


@pytest.mark.parametrize("files", [{"model.safetensors": b"x"}, {"config.json": b"{}"}])
def test_a_repository_without_config_or_weights_is_refused(
    hub: SmallHub, cache: Path, files: dict[str, bytes]
) -> None:
    hub.add("odd", {**files, "tf_model.h5": b"tf"})
    with pytest.raises(CheckpointFault, match=r"has no (config\.json|weights)"):
        fetch(cache, "odd")
    assert not [request for request in hub.requests if "/resolve/" in request.path]


def test_progress_is_in_bytes_with_rate_and_time_left(hub: SmallHub, cache: Path) -> None:
    hub.repositories[NAME]["model.safetensors"].bytes_per_second = 3_000_000
    told = Told()
    fetch(cache, tell=told)
    total = sum(map(len, FILES.values()))
    assert told.all[0] == ("Asking the hub", 0.0, 0.0, "")
    assert told.all[-1] == ("Downloading model.safetensors", total, total, "")
    during = [entry for entry in told.all if entry[0] == "Downloading model.safetensors"]
    assert [entry[1] for entry in during] == sorted(entry[1] for entry in during)
    assert {entry[2] for entry in during} == {total}
    details = [entry[3] for entry in during if entry[3]]
    assert any("MB/s, 1 s left" in detail for detail in details)


def test_a_broken_connection_is_taken_up_where_it_broke(hub: SmallHub, cache: Path) -> None:
    hub.repositories[NAME]["model.safetensors"].breaks_after = [1_000_000, 500_000]
    folder = fetch(cache)
    assert (folder / "model.safetensors").read_bytes() == WEIGHTS
    ranges = [request.range for request in hub.asked_for("model.safetensors")]
    assert ranges == [None, "bytes=1000000-", "bytes=1500000-"]


def test_a_connection_that_keeps_breaking_is_given_up_and_gone_on_with_later(
    hub: SmallHub, cache: Path
) -> None:
    stored = hub.repositories[NAME]["model.safetensors"]
    stored.breaks_after = [2_000_000, 0, 0, 0]
    with pytest.raises(MachineFault, match="connection broke") as caught:
        fetch(cache)
    assert "go on from there" in caught.value.hint
    assert partial_of(cache, hub).read_bytes() == WEIGHTS[:2_000_000]
    assert not (cache / "models--owner--small-bert" / "snapshots").exists()
    hub.requests.clear()
    told = Told()
    folder = fetch(cache, tell=told)
    assert (folder / "model.safetensors").read_bytes() == WEIGHTS
    assert [r.range for r in hub.asked_for("model.safetensors")] == ["bytes=2000000-"]
    first = next(entry for entry in told.all if entry[0] == "Downloading model.safetensors")
    assert first[1] > 2_000_000


def test_a_cancel_is_answered_within_a_second_and_keeps_what_came(
    hub: SmallHub, cache: Path
) -> None:
    hub.repositories[NAME]["model.safetensors"].stalls_after = 700_000
    cancelled = threading.Event()
    cancelled_at: list[float] = []

    def tell(_stage: str, done: float, _total: float, _detail: str) -> None:
        if done >= 700_000 and not cancelled_at:
            cancelled_at.append(time.monotonic())
            cancelled.set()

    with pytest.raises(Cancelled):
        fetch(cache, tell=tell, is_cancelled=cancelled.is_set)
    assert time.monotonic() - cancelled_at[0] < 1.0
    partial = partial_of(cache, hub)
    assert partial.read_bytes() == WEIGHTS[: partial.stat().st_size]
    assert partial.stat().st_size > 600_000
    hub.repositories[NAME]["model.safetensors"].stalls_after = None
    assert (fetch(cache) / "model.safetensors").read_bytes() == WEIGHTS


def test_a_cancel_does_not_wait_for_a_silent_hub(hub: SmallHub, cache: Path) -> None:
    hub.repositories[NAME]["config.json"].stalls_after = 0
    cancelled = threading.Event()
    timer = threading.Timer(0.2, cancelled.set)
    timer.start()
    started = time.monotonic()
    with pytest.raises(Cancelled):
        fetch(cache, is_cancelled=cancelled.is_set)
    assert time.monotonic() - started < 1.2
    timer.join()


def test_bytes_that_are_not_what_was_promised_are_deleted(hub: SmallHub, cache: Path) -> None:
    for name in ("model.safetensors", "vocab.txt"):
        stored = hub.repositories[NAME][name]
        stored.sent = b"X" + stored.content[1:]
        with pytest.raises(CheckpointFault, match=f"{name} of {NAME} arrived damaged"):
            fetch(cache)
        assert not partial_of(cache, hub, name).exists()
        assert not (cache / "models--owner--small-bert" / "snapshots").exists()
        stored.sent = None
        assert (fetch(cache) / name).read_bytes() == stored.content
        shutil.rmtree(cache)


def test_more_bytes_than_promised_are_not_taken(hub: SmallHub, cache: Path) -> None:
    hub.repositories[NAME]["vocab.txt"].sent = FILES["vocab.txt"] + b"more"
    with pytest.raises(CheckpointFault, match=r"vocab\.txt .* damaged"):
        fetch(cache)


def test_a_damaged_beginning_is_found_out(hub: SmallHub, cache: Path) -> None:
    partial = partial_of(cache, hub)
    partial.parent.mkdir(parents=True)
    partial.write_bytes(b"\0" * 1000)
    with pytest.raises(CheckpointFault, match="damaged"):
        fetch(cache)
    assert (fetch(cache) / "model.safetensors").read_bytes() == WEIGHTS


@pytest.mark.parametrize("length", [len(WEIGHTS), len(WEIGHTS) + 5])
def test_a_whole_or_too_long_beginning_is_coped_with(
    hub: SmallHub, cache: Path, length: int
) -> None:
    partial = partial_of(cache, hub)
    partial.parent.mkdir(parents=True)
    partial.write_bytes((WEIGHTS + b"extra")[:length])
    assert (fetch(cache) / "model.safetensors").read_bytes() == WEIGHTS
    assert len(hub.asked_for("model.safetensors")) == (0 if length == len(WEIGHTS) else 1)


def test_a_hub_that_knows_no_ranges_sends_all_again(hub: SmallHub, cache: Path) -> None:
    stored = hub.repositories[NAME]["model.safetensors"]
    stored.breaks_after = [1_000_000]
    stored.knows_ranges = False
    assert (fetch(cache) / "model.safetensors").read_bytes() == WEIGHTS


def test_a_range_from_another_place_is_not_appended(hub: SmallHub, cache: Path) -> None:
    stored = hub.repositories[NAME]["model.safetensors"]
    stored.breaks_after = [1_000_000]
    stored.answers_ranges_from = 5
    assert (fetch(cache) / "model.safetensors").read_bytes() == WEIGHTS


def test_a_hub_that_never_reaches_the_end_is_given_up(hub: SmallHub, cache: Path) -> None:
    stored = hub.repositories[NAME]["model.safetensors"]
    stored.breaks_after = [1_000_000] * 50
    stored.knows_ranges = False
    with pytest.raises(MachineFault, match="connection broke"):
        fetch(cache)
    assert len(stored.breaks_after) > 40


def test_a_busy_hub_is_asked_again(hub: SmallHub, cache: Path) -> None:
    hub.repositories[NAME]["model.safetensors"].statuses = [503, 500]
    assert (fetch(cache) / "model.safetensors").read_bytes() == WEIGHTS
    hub.repositories[NAME]["vocab.txt"].statuses = [503] * 9
    shutil.rmtree(cache)
    with pytest.raises(MachineFault, match="HTTP status 503"):
        fetch(cache)


@pytest.mark.parametrize("without", [("symlink_to",), ("symlink_to", "hardlink_to")])
def test_without_links_the_files_themselves_are_there(
    hub: SmallHub, cache: Path, monkeypatch: pytest.MonkeyPatch, without: tuple[str, ...]
) -> None:
    def refuse(*_arguments: Any, **_options: Any) -> None:
        raise OSError("A required privilege is not held by the client")

    for method in without:
        monkeypatch.setattr(Path, method, refuse)
    same = {"vocab.json": b"{}", "added_tokens.json": b"{}"}
    for name, content in same.items():
        hub.repositories[NAME][name] = Stored(content)
    folder = fetch(cache)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == {**FILES, **same}
    assert not any(file.is_symlink() for file in folder.iterdir())
    hub.requests.clear()
    assert fetch(cache) == folder
    assert len(hub.requests) == 1


def test_two_downloads_at_once_fetch_every_file_once(hub: SmallHub, cache: Path) -> None:
    hub.repositories[NAME]["model.safetensors"].bytes_per_second = 6_000_000
    told = Told()
    other = threading.Thread(target=fetch, args=(cache,))
    other.start()
    folder = fetch(cache, tell=told)
    other.join()
    assert (folder / "model.safetensors").read_bytes() == WEIGHTS
    assert len(hub.asked_for("model.safetensors")) == 1


def test_a_token_is_not_sent_on_to_another_host(
    hub: SmallHub, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    with small_hub() as mirror:
        mirror.repositories = hub.repositories
        # What is in Xet storage comes as any other file, and nobody else is asked for its key.
        hub.repositories[NAME]["model.safetensors"].more = {
            "X-Xet-Hash": "a" * 64,
            "X-Xet-Refresh-Route": f"{mirror.address}/api/models/{NAME}/xet-read-token/main",
        }
        redirected = fetch_through(hub, mirror, cache)
    assert redirected
    assert {request.path.split("/")[1] for request in mirror.requests} == {"cdn"}
    assert all(request.authorization is None for request in mirror.requests)
    assert hub.requests[0].authorization == "Bearer hf_secret"


def fetch_through(hub: SmallHub, mirror: SmallHub, cache: Path) -> bool:
    """Download with the weights on another host than the hub."""
    hub.cdn = mirror.address.replace("127.0.0.1", "localhost")
    fetch(cache)
    return bool(mirror.requests)


def test_downloading_through_the_engine(
    hub: SmallHub, start_engine: Callable[..., tuple[Any, Any]], cache: Path
) -> None:
    from explorer.engine.messages import Answer, Ask, Download, Progress, Stopped

    stored = hub.repositories[NAME]["model.safetensors"]
    stored.bytes_per_second = 500_000
    engine, listener = start_engine(hub_cache=cache)
    number = engine.submit("download", Download(NAME))
    listener.wait_for(Progress, lambda event: event.done > 100_000)
    import standin

    assert listener.end_of("view", engine.submit("view", Ask(standin.Echo(1)))).result == 1
    engine.cancel("download")
    started = time.monotonic()
    assert isinstance(listener.end_of("download", number), Stopped)
    assert time.monotonic() - started < 1.0
    stored.bytes_per_second = 0
    answer = listener.end_of("download", engine.submit("download", Download(NAME)))
    assert isinstance(answer, Answer)
    assert answer.result.id == NAME
    assert [r.range is None for r in hub.asked_for("model.safetensors")] == [True, False]


def test_offline_through_the_engine(
    hub: SmallHub, start_engine: Callable[..., tuple[Any, Any]]
) -> None:
    from explorer.engine.messages import Download, Failed

    engine, listener = start_engine(offline=True)
    failed = listener.end_of("download", engine.submit("download", Download(NAME)))
    assert isinstance(failed, Failed)
    assert failed.failure.blame is Blame.USER
    assert "offline" in failed.failure.message
    assert hub.requests == []
