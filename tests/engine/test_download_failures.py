import errno
import os
import shutil
import socket
import ssl
from pathlib import Path
from typing import Any

import pytest
from small_hub import SmallHub

from explorer.api.family import CheckpointFault, ExplorerError, MachineFault, UserMistake
from explorer.api.question import Blame
from explorer.engine.downloads.hub import network_fault
from explorer.engine.downloads.partial import Partial
from explorer.engine.downloads.transfer import http_library
from tests.engine.fetching import NAME, WEIGHTS, fetch, partial_of


def test_a_gated_checkpoint_says_how_to_get_in(hub: SmallHub, cache: Path) -> None:
    hub.gated.add(NAME)
    with pytest.raises(UserMistake, match="is gated") as caught:
        fetch(cache)
    assert f"{hub.address}/{NAME}" in caught.value.hint
    assert "hf auth login" in caught.value.hint


@pytest.mark.parametrize(
    ("status", "kind", "words"),
    [
        (401, UserMistake, "no checkpoint"),
        (404, UserMistake, "no checkpoint"),
        (403, UserMistake, "refuses access"),
        (429, MachineFault, "asks to wait"),
        (502, MachineFault, "HTTP status 502"),
    ],
)
def test_what_the_hub_says_of_a_repository_is_put_in_words(
    hub: SmallHub, cache: Path, status: int, kind: type[ExplorerError], words: str
) -> None:
    hub.api_statuses = [status]
    with pytest.raises(kind, match=words) as caught:
        fetch(cache)
    assert caught.value.hint


def test_a_missing_repository_and_a_missing_file_are_told_apart(hub: SmallHub, cache: Path) -> None:
    with pytest.raises(UserMistake, match="no checkpoint owner/nothing on the hub"):
        fetch(cache, "owner/nothing")
    hub.repositories[NAME]["vocab.txt"].statuses = [404]
    with pytest.raises(CheckpointFault, match=r"has no file vocab\.txt"):
        fetch(cache)


@pytest.mark.parametrize(
    "body",
    [b"<html>a hotel's login page</html>", b"{}", b'{"sha": "../..", "siblings": []}', b"[]"],
)
def test_something_that_is_no_hub_is_found_out(hub: SmallHub, cache: Path, body: bytes) -> None:
    hub.api_body = body
    with pytest.raises(CheckpointFault):
        fetch(cache)


SHA = '"sha": "' + "0" * 40 + '"'
ONE = '{"rfilename": "config.json", "blobId": "' + "0" * 40 + '", "size": '


@pytest.mark.parametrize(
    "body",
    [
        '{"sha": null, "siblings": []}',
        '{"sha": 7, "siblings": []}',
        f'{{{SHA}, "siblings": [{ONE}1e999}}]}}',
        f'{{{SHA}, "siblings": [{ONE}1{"0" * 400}}}]}}',
        f'{{{SHA}, "siblings": [{ONE}-5}}]}}',
        f'{{{SHA}, "siblings": [{ONE}[]}}]}}',
        f'{{{SHA}, "siblings": [{{"rfilename": "config.json", "blobId": 5, "size": 1}}]}}',
        f'{{{SHA}, "siblings": [{{"rfilename": "config.json", "lfs": "x"}}]}}',
        f'{{{SHA}, "siblings": 5}}',
        "[" * 200_000,
        " " * 17_000_000 + "{}",
    ],
    ids=range(11),
)
def test_a_listing_of_nonsense_is_one_sentence(hub: SmallHub, cache: Path, body: str) -> None:
    hub.api_body = body.encode()
    with pytest.raises(CheckpointFault, match=r"names no commit|understands|no listing has"):
        fetch(cache)


@pytest.mark.parametrize(
    "address",
    [
        *("http://hub:99999999", "http://hub:port", "http://[::1", "http://", "https://:80"),
        *("ftp://hub", "http://me:secret@hub:port", "http://me:secret@"),
    ],
)
def test_an_address_of_nonsense_is_the_user_s_mistake(
    cache: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", address)
    with pytest.raises(UserMistake, match="HF_ENDPOINT is not an address") as caught:
        fetch(cache)
    assert "secret" not in caught.value.message + caught.value.hint


def test_a_password_in_the_address_is_never_told(
    hub: SmallHub, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", hub.address.replace("://", "://me:secret@"))
    hub.gated.add(NAME)
    with pytest.raises(UserMistake, match="is gated") as caught:
        fetch(cache)
    assert f"{hub.address}/{NAME}" in caught.value.hint
    assert "secret" not in caught.value.message + caught.value.hint
    hub.api_body = b"[]"
    with pytest.raises(CheckpointFault) as told:
        fetch(cache)
    assert "secret" not in told.value.message + told.value.hint


@pytest.mark.parametrize("name", ["", "a/b/c", "../x", "a b", "x--y", "/etc", "a/../b", "a/.b"])
def test_what_is_no_name_is_refused_before_the_hub_is_asked(
    hub: SmallHub, cache: Path, name: str
) -> None:
    with pytest.raises(UserMistake, match=r"not a name|empty name"):
        fetch(cache, name)
    assert hub.requests == []


def test_offline_refuses_before_any_socket(
    hub: SmallHub, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_socket(*_arguments: Any) -> None:
        pytest.fail("a socket was opened")

    monkeypatch.setattr(socket, "socket", no_socket)
    monkeypatch.setattr(socket, "getaddrinfo", no_socket)
    with pytest.raises(UserMistake, match="offline") as caught:
        fetch(cache, offline=True)
    assert "--offline" in caught.value.hint
    assert hub.requests == []


def test_nobody_listens(hub: SmallHub, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{port}")
    with pytest.raises(MachineFault, match="refuses connections"):
        fetch(cache)


def test_a_name_that_cannot_be_looked_up(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_arguments: Any, **_options: Any) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    monkeypatch.setenv("HF_ENDPOINT", "http://hub.example")
    with pytest.raises(MachineFault, match=r"hub\.example could not be looked up") as caught:
        fetch(cache)
    assert "online" in caught.value.hint


def test_an_endpoint_that_is_no_address(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "hub.example")
    with pytest.raises(UserMistake, match="HF_ENDPOINT"):
        fetch(cache)


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("kind", "cause", "words"),
    [
        ("ConnectError", OSError(errno.ENETUNREACH, "unreachable"), "no network"),
        ("ConnectError", ssl.SSLCertVerificationError("self-signed"), "could not prove"),
        ("ConnectTimeout", TimeoutError(), "cannot be reached"),
        ("ProxyError", ValueError(), "proxy"),
        ("ReadTimeout", TimeoutError(), "connection broke"),
        ("ReadError", OSError(errno.ECONNRESET, "reset"), "connection broke"),
    ],
)
def test_network_errors_are_put_in_words(kind: str, cause: Exception, words: str) -> None:
    error = caused(getattr(http_library(), kind)("technical words"), cause)
    fault = network_fault(error)
    assert fault.blame is Blame.MACHINE
    assert words in fault.message
    assert fault.hint


def test_no_space_is_found_out_before_anything_comes(
    hub: SmallHub, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(Path.home())
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage._replace(free=66_900_000))
    with pytest.raises(MachineFault, match=r"needs 3 MB more, .* 66\.9 MB left"):
        fetch(cache)
    assert [request.path for request in hub.requests] == [f"/api/models/{NAME}"]
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage._replace(free=67_100_000))
    fetch(cache)


def test_a_disk_that_fills_up_keeps_what_came(
    hub: SmallHub, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Partial.write

    def write_until_full(self: Partial, chunk: bytes) -> None:
        if self.size > 1_000_000:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(self, chunk)

    monkeypatch.setattr(Partial, "write", write_until_full)
    with pytest.raises(MachineFault, match="The disk is full") as caught:
        fetch(cache)
    assert str(cache) in caught.value.hint
    kept = partial_of(cache, hub).read_bytes()
    assert len(kept) > 1_000_000
    assert kept == WEIGHTS[: len(kept)]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_cache_that_cannot_be_written(hub: SmallHub, cache: Path) -> None:
    cache.mkdir()
    cache.chmod(0o500)
    with pytest.raises(MachineFault, match="can't be written"):
        fetch(cache)


def test_a_file_where_the_cache_should_be(hub: SmallHub, cache: Path) -> None:
    cache.write_text("not a folder", encoding="utf-8")
    with pytest.raises(MachineFault, match="can't be written") as caught:
        fetch(cache)
    assert "HF_HOME" in caught.value.hint
