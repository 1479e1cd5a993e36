"""A thin bundle of tiny packages, an index of them on this machine, and what plays uv."""

import hashlib
import json
import os
import shutil
import sys
import threading
import zipfile
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from explorer.engine.environment.bundle import Package, Variant, write_plan

PLAYED_UV = """\
#!{python}
import json, os, pathlib, sys, time
script = json.loads(pathlib.Path({script!r}).read_text("utf-8"))
told = {{name: text for name, text in os.environ.items() if name.startswith("UV_")}}
with pathlib.Path({calls!r}).open("a") as calls:
    calls.write(json.dumps([sys.argv[1:], told]) + "\\n")
for line in script["lines"]:
    if line == "WAIT":
        while not pathlib.Path({go!r}).exists():
            time.sleep(0.01)
    else:
        print(line, file=sys.stderr, flush=True)
target = pathlib.Path(sys.argv[sys.argv.index("--target") + 1])
target.mkdir(parents=True, exist_ok=True)
for name in script["modules"]:
    (target / f"{{name}}.py").write_text(f"NAME = {{name!r}}\\n")
sys.exit(script["status"])
"""


class PlayedUv:
    """A program in uv's place that says and does what a test wants."""

    def __init__(self, program, folder):
        self._script = folder / "script.json"
        self._calls = folder / "calls.jsonl"
        self.go = folder / "go"
        program.parent.mkdir(parents=True)
        program.write_text(
            PLAYED_UV.format(
                python=sys.executable,
                script=str(self._script),
                calls=str(self._calls),
                go=str(self.go),
            )
        )
        program.chmod(0o755)
        self.does()

    def does(self, *lines, status=0, modules=("tiny_torch",)):
        """Print lines; WAIT among them is until the file `go` is there."""
        script = {"lines": lines, "status": status, "modules": modules}
        self._script.write_text(json.dumps(script), "utf-8")

    @property
    def calls(self):
        """Arguments and uv's variables of each call."""
        if not self._calls.exists():
            return []
        return [json.loads(line) for line in self._calls.read_text("utf-8").splitlines()]


def thin_bundle(folder, locks, backends=None):
    """A bundle's folder with a lock a variant: {"cpu": [(name, version, size, hash)]}."""
    engine = folder / "engine"
    engine.mkdir(parents=True)
    variants = []
    for name, packages in locks.items():
        lock = engine / f"{name}.txt"
        lock.write_text(
            "".join(
                f"{one}=={version} --hash=sha256:{digest}\n" for one, version, _, digest in packages
            ),
            "utf-8",
        )
        made = tuple(Package(one, version, size) for one, version, size, _ in packages)
        variants.append(Variant(name, lock, made, (backends or {}).get(name, "")))
    write_plan(folder, tuple(variants))
    return folder


def wheel(folder, name, version, size=0):
    """A wheel of one module; some of it can't be packed, so that it is so many bytes at least."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{name}.py", f"NAME = {name!r}\n")
        archive.writestr(f"{name}_data.bin", os.urandom(size))
        archive.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        )
        archive.writestr(
            f"{info}/WHEEL",
            "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        archive.writestr(f"{info}/RECORD", "")
    return path


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


@dataclass
class Index:
    """A simple index (PEP 503) of the wheels of a folder, on 127.0.0.1.

    Attributes:
        folder: Of the wheels.
        asked: Paths that were asked for.
        most: How many files are served; each one after them is answered by an error.
    """

    folder: Path
    asked: list = field(default_factory=list)
    most: int = 1_000

    def __enter__(self):
        index = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                index.answer(self)

            def do_HEAD(self):
                index.answer(self)

            def log_message(self, *_words):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )
        self._thread.start()
        return self

    def __exit__(self, *_error):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._server.server_port}/simple"

    @property
    def files(self):
        """Files that were asked for, in their order."""
        return [path.rpartition("/")[2] for path in self.asked if path.startswith("/files/")]

    def answer(self, request):
        self.asked.append(request.path)
        parts = request.path.strip("/").split("/")
        body, kind = b"", "text/html"
        if len(parts) == 2 and parts[0] == "simple":
            wheels = self.folder.glob(f"{parts[1].replace('-', '_')}-*.whl")
            body = "".join(f'<a href="/files/{one.name}">{one.name}</a>' for one in wheels).encode()
        elif parts[0] == "files" and len(set(self.files)) <= self.most:
            body, kind = (self.folder / parts[1]).read_bytes(), "application/octet-stream"
        request.send_response(200 if body else 404)
        request.send_header("Content-Type", kind)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        if request.command == "GET":
            request.wfile.write(body)


def real_uv():
    """The real one, where it is installed."""
    beside = Path(sys.executable).with_name("uv")
    return str(beside) if beside.is_file() else shutil.which("uv")
