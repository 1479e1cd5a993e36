"""`check`: what a plugin's author reads, and the exit status."""

import json
import shutil
from functools import partial
from pathlib import Path

import pytest

from explorer.engine.runner import Runner
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.questions.masking.surprisal.question import SurprisalRequest
from explorer.questions.tokenizers.tokens.question import TokensRequest
from tests import plugin_question

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def check(run):
    return partial(run, "check")


def test_a_plugin_in_order(check):
    status, out, _ = check(ROOT / "plugins" / "distilbert", "--question", "masked_tokens")
    assert status == 0
    lines = out.splitlines()
    assert "ok    plugin.toml" in lines
    assert "ok    distilbert-tiny: equals a plain forward" in lines
    assert lines[-1] == "It conforms."


def test_a_broken_one(check, tmp_path):
    folder = tmp_path / "broken"
    shutil.copytree(ROOT / "plugins" / "distilbert", folder)
    (folder / "__init__.py").write_text("FAMILY = 1\n", encoding="utf-8")
    status, out, _ = check(folder)
    assert status == 1
    assert "FAIL  import" in out
    assert "Its FAMILY lacks id" in out
    assert out.splitlines()[-1] == "1 of 2 checks failed."


def test_json(check, tmp_path):
    folder = tmp_path / "empty"
    folder.mkdir()
    status, out, _ = check(folder, "--json")
    (finding,) = json.loads(out)["findings"]
    assert status == 1
    assert (finding["check"], finding["outcome"]) == ("plugin.toml", "failed")


def test_one_question_alone(check, monkeypatch):
    asked = []
    ask = Runner.ask
    monkeypatch.setattr(
        Runner,
        "ask",
        lambda self, request, *rest: asked.append(type(request)) or ask(self, request, *rest),
    )
    status, out, _ = check(ROOT / "plugins" / "distilbert", "--question", "surprisal")
    assert status == 0
    assert "ok    distilbert-tiny: is cancelled within one layer" in out.splitlines()
    # Tokens are asked to find the longest text, masks for the plain forward.
    assert set(asked) == {SurprisalRequest, TokensRequest, MaskedTokensRequest}
    status, out, _ = check(ROOT / "plugins" / "distilbert", "--question", "surprise")
    assert status == 1
    assert "There is no question surprise." in out


def test_no_folder(check, tmp_path):
    status, out, error = check(tmp_path / "nothing")
    assert (status, out) == (2, "")
    assert "is not a folder" in error


def test_a_page_that_raises_and_a_question_that_is_not_tried(check, tmp_path):
    """What would conform if nothing were drawn, and nothing but refused."""
    folder = plugin_question.write(tmp_path)
    change = partial(plugin_question.change, folder)
    status, out, _ = check(folder)
    assert (status, out.splitlines()[-1]) == (0, "It conforms.")
    drawn = "bert-tiny: draws its page, light and dark, in every language"
    assert f"ok    {drawn}" in out.splitlines()
    change("page.py", "digits = 0 if shown.value(ROUND) else 2", "digits = 1 // 0")
    status, out, _ = check(folder)
    assert status == 1
    assert f"FAIL  {drawn}" in out.splitlines()
    assert "ZeroDivisionError" in out
    assert "(page.py line 9, in blocks)" in out
    narrow = "digits = 2\n    yield BarTable([BarRow('a', ('x' * 40,) * 3, (Bar(0.5),))], NAMED)"
    change("page.py", "digits = 1 // 0", narrow)
    change("page.py", "import Page,", "import Bar, BarColumn, BarRow, BarTable, Page,")
    named = "NAMED = (BarColumn('one'),) * 3\n\n\ndef blocks"
    change("page.py", "def blocks", named)
    status, out, _ = check(folder, "--json")
    (finding,) = [one for one in json.loads(out)["findings"] if one["outcome"] == "failed"]
    assert "84 mm wide, in English: " in finding["message"]
    assert "dispensable" in finding["hint"]
    assert finding["traceback"] == ""
    change("page.py", narrow, "digits = 2")
    change("compute.py", "    import torch\n", '    raise UserMistake("Never.", "No.")\n')
    status, out, _ = check(folder)
    assert status == 1
    assert f"?     bert-tiny: answers {plugin_question.NAME}" in out.splitlines()
    assert out.splitlines()[-1].endswith("were not tried: nobody knows whether it conforms.")
