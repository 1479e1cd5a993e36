"""What editors see of a model's methods is what its questions' fields say."""

import subprocess
import sys
from pathlib import Path

from explorer.scripting import methods, model
from explorer.scripting.stubs import PLACE, main, stub

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import explorer

bert = explorer.open("bert-miniature")
reveal_type(bert.masked_tokens("a [MASK]", top_k=5))
bert.masked_tokens("a [MASK]", top_k="many")
bert.masked_tokens("a [MASK]", topk=5)
bert.surprisal("a", method="whole-word")
bert.surprisal("a", method="by-heart")
explorer.ask("soft_targets", "a", teacher="bert-miniature", student=bert)
"""


def test_the_stub_says_what_the_fields_say(tmp_path, monkeypatch):
    assert PLACE.read_text("utf-8") == stub(), "python -m explorer.scripting.stubs writes it"
    monkeypatch.setattr("explorer.scripting.stubs.PLACE", tmp_path / "methods.pyi")
    assert main() == 0
    assert (tmp_path / "methods.pyi").read_text("utf-8") == stub()


def test_types_are_checked_by_it(tmp_path):
    """Beside the stubs only what a model is made of is looked into."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, "utf-8")
    room = Path(methods.__file__).parent
    known = [ROOT / "explorer/__init__.pyi", Path(model.__file__), room / "methods.pyi"]
    known += [room / f"{name}.py" for name in ("process", "answer", "asking")]
    settings = ["--follow-imports=skip", "--ignore-missing-imports", "--cache-dir", tmp_path]
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file=", *settings, script, *known],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=170,
    )
    told = [line for line in ran.stdout.splitlines() if line.startswith(str(script))]
    said = [line for line in told if "defined in" not in line]
    assert len(said) == 4, ran.stdout
    assert 'Revealed type is "explorer.scripting.answer.ModelAnswer"' in said[0]
    assert '"top_k" to "masked_tokens"' in said[1]
    assert 'Unexpected keyword argument "topk"' in said[2]
    assert "by-heart" in said[3]
