import os
import tempfile
import textwrap
import threading
from collections.abc import Iterator
from io import FileIO

import pytest

from explorer.processes.piped import PipedMessages, last_line, piped


@pytest.mark.parametrize(
    ("written", "last"),
    [(b"", ""), (b"\n \n", ""), ("one\ntwo ü\n\n".encode(), "two ü"), (b"\xff\n", "\ufffd")],
)
def test_the_last_line_is_where_the_reason_stands(written, last):
    with tempfile.TemporaryFile() as errors:
        errors.write(written)
        assert last_line(errors) == last


def test_a_process_is_told_and_answers_and_its_end_has_a_reason():
    with tempfile.TemporaryFile() as errors:
        # Python's own: it reads lines and writes them as JSON, or says what is wrong with them.
        with piped("json.tool", errors, PYTHONUTF8="1") as process:
            said, _ = process.communicate(b'{"one":  1}', timeout=60)
        assert (process.returncode, said.split()) == (0, [b"{", b'"one":', b"1", b"}"])
        assert last_line(errors) == ""
        with piped("json.tool", errors) as process:
            process.communicate(b"{", timeout=60)
        assert process.returncode
        assert "line 1 column 2" in last_line(errors)


@pytest.fixture
def ends() -> Iterator[tuple[PipedMessages, PipedMessages]]:
    """Two ends of the same two pipes."""
    (first_read, second_written), (second_read, first_written) = os.pipe(), os.pipe()
    made = tuple(
        PipedMessages(FileIO(read, "rb"), FileIO(written, "wb"))
        for read, written in ((first_read, first_written), (second_read, second_written))
    )
    yield made
    for one in made:
        one.close()


def test_messages_arrive_whole_and_in_turn(ends):
    """A large one is more than a pipe holds, so that it is written and read in pieces."""
    here, there = ends
    sent = [b"", b"short", bytes(range(256)) * 4096, b"last"]
    writer = threading.Thread(target=lambda: [here.write(one) for one in sent])
    writer.start()
    assert [bytes(there.read()) for _ in sent] == sent
    writer.join()
    there.write(b"back")
    assert here.read() == b"back"


def test_the_end_of_the_other_is_told_to_who_reads_and_writes(ends):
    here, there = ends
    there.close()
    with pytest.raises(EOFError):
        here.read()
    with pytest.raises(BrokenPipeError):
        here.write(b"anybody?")
    here.close()
    here.close()


def test_half_a_message_is_none(ends):
    here, there = ends
    here._written.write(b"\x05\0\0\0\0\0\0\0abc")
    here.close()
    with pytest.raises(EOFError):
        there.read()


def test_what_a_library_prints_does_not_come_between(tmp_path, monkeypatch):
    """Neither through Python nor past it, and nobody can read what was meant for another."""
    (tmp_path / "talker.py").write_text(
        textwrap.dedent("""
            import os, sys
            from explorer.processes.piped import own_messages

            messages = own_messages()
            print("printed", flush=True)
            os.write(1, b"past Python\\n")
            messages.write(bytes(messages.read()).upper())
            messages.write(repr(sys.stdin.read()).encode())
        """),
        encoding="utf-8",
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with tempfile.TemporaryFile() as errors:
        process = piped("talker", errors, buffering=0)
        messages = PipedMessages.with_process(process)
        messages.write(b"heard")
        assert [messages.read(), messages.read()] == [b"HEARD", b"''"]
        messages.close()
        assert process.wait() == 0
        errors.seek(0)
        assert errors.read().split(b"\n") == [b"printed", b"past Python", b""]


def test_what_lies_where_somebody_is_does_not_stand_in_for_a_library(tmp_path, monkeypatch):
    """A text named json.py beside a text that is studied, for one."""
    (tmp_path / "json.py").write_text("raise SystemExit(7)", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with tempfile.TemporaryFile() as errors:
        process = piped("json.tool", errors)
        assert process.communicate(b"[1]")[0].split() == [b"[", b"1", b"]"]
