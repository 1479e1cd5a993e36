"""A small Hugging Face hub on 127.0.0.1: real HTTP, real ranges, and every way to go wrong."""

import hashlib
import json
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

COMMIT = hashlib.sha1(b"the only commit").hexdigest()
"""Of every main branch."""


@dataclass
class Stored:
    """A file as the hub keeps it.

    Attributes:
        content: Its bytes.
        is_large: Kept by SHA-256 and served by another path after a redirect, as weights are.
        breaks_after: Numbers of bytes after which the next connections break, one each.
        statuses: What the next requests are answered with instead, one each.
        sent: What is really sent, where that is not the content.
        bytes_per_second: How fast; 0 for at once.
        stalls_after: Send so many bytes and then nothing more.
        knows_ranges: Answers a range with that range.
        answers_ranges_from: Begin ranges there instead, as a server that is wrong.
        more: Headers of its answers beside those of every file.
    """

    content: bytes
    is_large: bool = False
    breaks_after: list[int] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    sent: bytes | None = None
    bytes_per_second: int = 0
    stalls_after: int | None = None
    knows_ranges: bool = True
    answers_ranges_from: int | None = None
    more: dict[str, str] = field(default_factory=dict)

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def git_sha1(self) -> str:
        return hashlib.sha1(b"blob %d\0" % len(self.content) + self.content).hexdigest()

    @property
    def etag(self) -> str:
        return self.sha256 if self.is_large else self.git_sha1


@dataclass(frozen=True)
class Named:
    """A branch or tag beside the main one."""

    commit: str
    files: dict[str, Stored]
    is_tag: bool


@dataclass(frozen=True)
class Request:
    """What was asked of the hub."""

    method: str
    path: str
    range: str | None
    authorization: str | None
    query: str = ""


@dataclass
class SmallHub:
    """The hub's content and what it was asked."""

    address: str = ""
    repositories: dict[str, dict[str, Stored]] = field(default_factory=dict)
    """Their main branches."""
    revisions: dict[str, dict[str, "Named"]] = field(default_factory=dict)
    """Other branches and tags by repository and name."""
    gated: set[str] = field(default_factory=set)
    facts: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What a search tells of repositories beside their names: cardData, config, downloads."""
    api_statuses: list[int] = field(default_factory=list)
    api_body: bytes | None = None
    cdn: str = ""
    """Another host that large files are redirected to; "" for this one."""
    requests: list[Request] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)

    def add(self, name: str, files: dict[str, bytes]) -> dict[str, Stored]:
        """A repository; weight files are large ones."""
        self.repositories[name] = {
            file: Stored(content, is_large=file.endswith((".safetensors", ".bin", ".h5")))
            for file, content in files.items()
        }
        return self.repositories[name]

    def add_revision(
        self, name: str, revision: str, files: dict[str, bytes], *, is_tag: bool = False
    ) -> str:
        """A branch or tag of a repository, whose commit is given."""
        content = {
            file: Stored(one, is_large=file.endswith((".safetensors", ".bin", ".h5")))
            for file, one in files.items()
        }
        commit = hashlib.sha1(f"{name}@{revision}".encode()).hexdigest()
        self.revisions.setdefault(name, {})[revision] = Named(commit, content, is_tag)
        return commit

    def at(self, name: str, revision: str) -> tuple[str, dict[str, Stored]] | None:
        """The commit and the files of a branch, a tag or a commit."""
        if revision in {"main", COMMIT}:
            return COMMIT, self.repositories[name]
        for other, one in self.revisions.get(name, {}).items():
            if revision in {other, one.commit}:
                return one.commit, one.files
        return None

    def asked_for(self, file: str) -> list[Request]:
        """The requests for a file by its name, not those a redirect led to."""
        return [request for request in self.requests if request.path.endswith(f"/{file}")]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: SmallHub

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass

    def do_HEAD(self) -> None:
        self._serve()

    def do_GET(self) -> None:
        self._serve()

    def _serve(self) -> None:
        path, query = urlsplit(self.path)[2:4]
        headers = self.headers
        told = headers.get("Range"), headers.get("Authorization")
        self.hub.requests.append(Request(self.command, path, *told, query))
        try:
            if path == "/api/models":
                self._search({name: value[-1] for name, value in parse_qs(query).items()})
            elif path.startswith("/api/models/"):
                self._describe(path.removeprefix("/api/models/"))
            elif path.startswith("/cdn/"):
                self._send_file(self._by_digest(path.removeprefix("/cdn/")))
            else:
                self._resolve(path)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _search(self, asked: dict[str, str]) -> None:
        if self.hub.api_statuses:
            self._refuse(self.hub.api_statuses.pop(0))
            return
        found: list[dict[str, Any]] = [
            {"id": name, "gated": "manual" if name in self.hub.gated else False}
            | self.hub.facts.get(name, {})
            for name in self.hub.repositories
            if asked["search"] in name
        ]
        found.sort(key=lambda one: -one.get(asked["sort"], 0))
        self._send_json(found[: int(asked["limit"])])

    def _describe(self, name: str) -> None:
        if self.hub.api_statuses:
            self._refuse(self.hub.api_statuses.pop(0))
            return
        name, _, revision = name.partition("/revision/")
        name, is_refs, _ = name.partition("/refs")
        name, is_commits, _ = name.partition("/commits/")
        if name not in self.hub.repositories:
            self._refuse(401, "RepoNotFound")
            return
        if is_refs or is_commits:
            self._send_json(self._refs(name) if is_refs else self._commits(name))
            return
        found = self.hub.at(name, unquote(revision) or "main")
        if found is None:
            self._refuse(404, "RevisionNotFound")
            return
        commit, files = found
        siblings = []
        for file, stored in files.items():
            one: dict[str, Any] = {
                "rfilename": file,
                "size": len(stored.content),
                "blobId": stored.git_sha1,
            }
            if stored.is_large:
                one["lfs"] = {
                    "sha256": stored.sha256,
                    "size": len(stored.content),
                    "pointerSize": 134,
                }
            siblings.append(one)
        self._send_json({"id": name, "sha": commit, "siblings": siblings})

    def _send_json(self, value: Any) -> None:
        body = self.hub.api_body
        if body is None:
            body = json.dumps(value).encode()
        self._head(200, {"Content-Type": "application/json"}, len(body))
        self._write(body)

    def _refs(self, name: str) -> dict[str, Any]:
        others = self.hub.revisions.get(name, {})
        branches = {"main": COMMIT, **{k: v.commit for k, v in others.items() if not v.is_tag}}
        tags = {k: v.commit for k, v in others.items() if v.is_tag}
        return {
            kind: [
                {"name": one, "ref": f"refs/{where}/{one}", "targetCommit": commit}
                for one, commit in named.items()
            ]
            for kind, where, named in (("branches", "heads", branches), ("tags", "tags", tags))
        } | {"converts": []}

    @staticmethod
    def _commits(_name: str) -> list[dict[str, Any]]:
        one = {"id": COMMIT, "title": "Add the model", "message": "", "authors": []}
        return [one | {"date": "2024-05-01T10:00:00.000Z"}]

    def _resolve(self, path: str) -> None:
        name, _, rest = path.strip("/").partition("/resolve/")
        revision, _, file = rest.partition("/")
        if name in self.hub.gated:
            self._refuse(401, "GatedRepo")
            return
        found = self.hub.at(name, unquote(revision)) if name in self.hub.repositories else None
        commit, files = found or ("", {})
        stored = files.get(file)
        if stored is None:
            self._refuse(404, "EntryNotFound")
        elif stored.is_large:
            facts = {
                "Location": f"{self.hub.cdn}/cdn/{stored.sha256}",
                "X-Repo-Commit": commit,
                "X-Linked-Etag": f'"{stored.sha256}"',
                "X-Linked-Size": str(len(stored.content)),
                **stored.more,
            }
            self._head(302, facts, 0)
        else:
            self._send_file(stored, commit)

    def _by_digest(self, digest: str) -> Stored:
        others = (one.files for named in self.hub.revisions.values() for one in named.values())
        return next(
            stored
            for files in (*self.hub.repositories.values(), *others)
            for stored in files.values()
            if stored.sha256 == digest
        )

    def _send_file(self, stored: Stored, commit: str = COMMIT) -> None:
        if stored.statuses:
            self._refuse(stored.statuses.pop(0))
            return
        content = stored.content if stored.sent is None else stored.sent
        facts = {"ETag": f'"{stored.etag}"', "X-Repo-Commit": commit, "Accept-Ranges": "bytes"}
        asked = self.headers.get("Range")
        start = 0
        if asked is not None and stored.knows_ranges:
            start = int(asked.removeprefix("bytes=").rstrip("-"))
            if stored.answers_ranges_from is not None:
                start = stored.answers_ranges_from
            if start >= len(content):
                self._refuse(416)
                return
            facts["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        self._head(206 if "Content-Range" in facts else 200, facts, len(content) - start)
        if stored.breaks_after:
            self._write(content[start : start + stored.breaks_after.pop(0)])
            self._break()
        elif stored.stalls_after is not None:
            self._write(content[start : start + stored.stalls_after])
            self.hub.closing.wait(60)
            self._break()
        elif stored.bytes_per_second:
            step = max(1, stored.bytes_per_second // 50)
            for i in range(start, len(content), step):
                if self.hub.closing.is_set():
                    self._break()
                    return
                self._write(content[i : i + step])
                time.sleep(0.02)
        else:
            self._write(content[start:])

    def _refuse(self, status: int, code: str = "") -> None:
        body = b"no"
        self._head(status, {"X-Error-Code": code} if code else {}, len(body))
        self._write(body)

    def _head(self, status: int, headers: dict[str, str], length: int) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def _write(self, body: bytes) -> None:
        if self.command != "HEAD":
            self.wfile.write(body)

    def _break(self) -> None:
        self.wfile.flush()
        self.close_connection = True


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.connections: list[socket.socket] = []

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        self.connections.append(connection)
        return connection, address

    def handle_error(self, request: Any, client_address: Any) -> None:
        # A client that left, or one that was hung up on.
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)

    def hang_up(self) -> None:
        """End connections that clients keep for later."""
        for connection in self.connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def small_hub() -> Iterator[SmallHub]:
    """A hub that runs as long as it is wanted."""
    hub = SmallHub()
    handler = type("Handler", (_Handler,), {"hub": hub})
    server = _Server(("127.0.0.1", 0), handler)
    hub.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), name="small hub")
    thread.start()
    try:
        yield hub
    finally:
        hub.closing.set()
        server.shutdown()
        server.hang_up()
        server.server_close()
        thread.join()
