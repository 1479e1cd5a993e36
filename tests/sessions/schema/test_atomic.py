"""A file is the old one or the new one, never something between."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.api.question import MachineFault
from explorer.sessions.schema.atomic import write_atomically

KILLED = """
import os, signal, sys, threading
from pathlib import Path
from explorer.sessions.schema.atomic import write_atomically

path = Path(sys.argv[1])
number = 0
while True:
    write_atomically(path, str(number % 10).encode() * 200_000)
    number += 1
    if number == 5:
        print("writing", flush=True)
"""


def test_it_writes_and_replaces_and_leaves_nothing_else(tmp_path):
    folder = tmp_path / "exports"
    folder.mkdir()
    path = folder / "table.csv"
    write_atomically(path, b"one")
    write_atomically(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(folder.iterdir()) == [path]


def test_killed_at_any_moment_the_file_is_whole(tmp_path, run_python):
    path = tmp_path / "state.json"
    for _ in range(5):
        process = run_python(KILLED, path)
        assert process.stdout.readline() == b"writing" + os.linesep.encode()
        process.kill()
        process.wait()
        content = path.read_bytes()
        assert len(content) == 200_000
        assert content == content[:1] * 200_000


@pytest.mark.skipif(sys.platform == "win32", reason="an open file can't be replaced there")
def test_who_reads_meanwhile_sees_a_whole_file(tmp_path, run_python):
    """What a reader sees at any moment is what a kill at that moment would leave."""
    path = tmp_path / "state.json"
    process = run_python(KILLED, path)
    assert process.stdout.readline() == b"writing\n"
    seen = set()
    for _ in range(2000):
        content = path.read_bytes()
        assert len(content) == 200_000
        assert content == content[:1] * 200_000
        seen.add(content[:1])
    assert len(seen) > 1


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (errno.ENOSPC, "table.csv can't be written: the disk is full."),
        (errno.EACCES, "table.csv can't be written: you may not write to"),
        (errno.EROFS, "table.csv can't be written: you may not write to"),
        (errno.EIO, "table.csv can't be written (Input/output error)."),
    ],
)
def test_a_write_that_fails_leaves_the_older_file(tmp_path, monkeypatch, number, message):
    path = tmp_path / "table.csv"
    path.write_bytes(b"older")

    def refuse(_descriptor):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(MachineFault) as fault:
        write_atomically(path, b"newer")
    assert fault.value.message.startswith(message)
    assert fault.value.hint
    assert path.read_bytes() == b"older"
    assert list(tmp_path.glob(".*")) == []


@pytest.mark.parametrize("target", ["absent/table.csv", "file/table.csv"])
def test_a_folder_that_is_not_there(tmp_path, target):
    (tmp_path / "file").touch()
    with pytest.raises(MachineFault, match="does not exist"):
        write_atomically(tmp_path / target, b"x")


def test_a_folder_in_the_place_of_the_file(tmp_path):
    with pytest.raises(MachineFault, match="can't be written"):
        write_atomically(tmp_path, b"x")
    assert tmp_path.is_dir()


@pytest.mark.skipif(sys.platform == "win32", reason="needs links and permissions")
def test_a_link_and_the_files_permissions_stay(tmp_path):
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_bytes(b"older")
    real.chmod(0o640)
    link.symlink_to(real)
    write_atomically(link, b"newer")
    assert link.is_symlink()
    assert real.read_bytes() == b"newer"
    assert real.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_a_disk_that_really_refuses(tmp_path):
    """A process that may not write more than 1000 bytes to any file."""
    path = tmp_path / "table.csv"
    path.write_bytes(b"older")
    code = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from explorer.sessions.schema.atomic import write_atomically\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try:\n    write_atomically(Path(sys.argv[1]), b'x' * 5000)\n"
        "except Exception as error: print(error)\n"
    )
    root = Path(__file__).resolve().parent.parent.parent
    done = subprocess.run(
        [sys.executable, "-B", "-c", code, str(path)],
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "table.csv can't be written: the disk is full.\n", done.stderr
    assert path.read_bytes() == b"older"
    assert [entry.name for entry in tmp_path.iterdir() if entry.is_file()] == ["table.csv"]
