"""Tab goes on with what is typed in a shell."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from explorer import cli
from explorer.command_line import completion

ROOT = Path(__file__).parents[2]


LINES = {
    "a": {"ask", "architecture", "attend"},
    "sessions ": {"list", "replay"},
    "completion ": {"bash", "zsh", "fish"},
    "ask masked": {"masked_tokens"},
    'ask masked_tokens "the cat [MASK]" --to': {"--top-k"},
    "ask joint_decoding x --method ": {"beam", "left-to-right"},
    "ask soft_targets x --te": {"--teacher"},
    "over sentences.txt --ask surp": {"surprisal"},
    # Options that another word brings.
    "over sentences.txt --ask surprisal --met": {"--method"},
    "over sentences.txt --ask tokens --met": set(),
    "ask tokens x -m electra": {"electra-miniature-generator"},
    "models --family deb": {"deberta"},
    "--offline fill x --model bert-m": {"bert-miniature"},
}
"""What is offered for each, among others where it is more than one word."""
EXACT = {"ask masked", "over sentences.txt --ask tokens --met", "models --family deb"}

CODE = """
import io, json, os, sys
from explorer import cli
from explorer.command_line import completion
from explorer.paths import Paths
from explorer.program import Program

class Ended(Exception): pass

def end(status): raise Ended

os.environ.update(_ARGCOMPLETE="1", COMP_TYPE="9", _ARGCOMPLETE_IFS="|", _ARGCOMPLETE_SHELL="fish")
found = {}
for line in json.load(sys.stdin):
    whole = f"plm-explorer {line}"
    os.environ.update(COMP_LINE=whole, COMP_POINT=str(len(whole.encode())))
    out = io.StringIO()
    try:
        completion.complete(
            cli.build_parser(cli.all_commands()),
            lambda: Program(Paths.profile(sys.argv[1])),
            output_stream=out, exit_method=end,
        )
    except Ended:
        rows = (row.partition("\\t")[0].strip() for row in out.getvalue().split("|"))
        found[line] = [row for row in rows if row]
print(json.dumps([found, sorted({"PySide6", "torch", "transformers"} & set(sys.modules))]))
"""


@pytest.fixture(scope="module")
def offered(tmp_path_factory):
    """What every line goes on with; a process of its own, of which argcomplete takes a stream."""
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(tmp_path_factory.mktemp("profile"))],
        cwd=ROOT,
        input=json.dumps([*LINES]),
        capture_output=True,
        encoding="utf-8",
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    found, imported = json.loads(done.stdout)
    assert imported == []
    return found


@pytest.mark.parametrize("line", LINES)
def test_a_line_goes_on(offered, line):
    assert {*offered[line]} >= LINES[line]
    if line in EXACT:
        assert {*offered[line]} == LINES[line]


def test_a_former_name_is_understood_and_not_offered(offered):
    assert "anatomy" not in offered["a"]


def test_words_before_the_cursor():
    def typed(line, point=None):
        at = len(line.encode()) if point is None else point
        return completion.typed_so_far({"COMP_LINE": line, "COMP_POINT": str(at)})

    assert typed("plm-explorer ask to") == ["ask"]
    assert typed("plm-explorer ask ") == ["ask"]
    assert typed('plm-explorer ask tokens "the ca') == ["ask", "tokens"]
    assert typed('plm-explorer ask tokens "the cat\'s" --mo') == ["ask", "tokens", "the cat's"]
    assert typed("plm-explorer ask tokens x", len("plm-explorer ask to")) == ["ask"]


@pytest.mark.parametrize("shell", completion.SHELLS)
def test_a_script_for_each_shell(shell, capsys):
    assert cli.main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "plm-explorer" in script
    assert "_ARGCOMPLETE" in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True, timeout=60)


def test_nothing_that_runs_models_is_imported(tmp_path):
    line = "plm-explorer ask tokens x --model bert-min"
    out = tmp_path / "completions"
    asked = {
        **os.environ,
        "_ARGCOMPLETE": "1",
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(out),
    }
    code = (
        "import os, sys; end = os._exit\n"
        "def told(status):\n"
        "    print(status, {'PySide6', 'torch', 'transformers'} & set(sys.modules), flush=True)\n"
        "    end(status)\n"
        "os._exit = told\n"
        "from explorer.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=asked,
        capture_output=True,
        encoding="utf-8",
        timeout=240,
    )
    assert (done.stdout, done.stderr) == ("0 set()\n", "")
    assert out.read_text("utf-8").strip() == "bert-miniature"
