import tempfile

import pytest

from explorer.processes.piped import last_line, piped


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
