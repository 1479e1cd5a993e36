"""Lessons on web pages: guess and look, answers that the page checks itself, hints, the end."""

import base64
import hashlib
import html
import json
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from explorer import cli, lectures
from explorer.api.question import UserMistake
from explorer.lectures import lecture as bundles
from explorer.lectures.lessons.ask import (
    AskKind,
    LessonAsk,
    is_right,
    kept_answer,
    typed_answer,
    unit_said,
)
from explorer.ui.export.handout import gallery
from explorer.ui.export.handout.lesson import JUDGE, SCRIPT
from tests.lectures.scene_texts import one_mask

LESSON = one_mask(
    "Guess",
    "The chef cooked the meal in the kitchen.",
    "meal",
    """
[steps.en]
look = ["Many words fit & none is sure."]
claim = "It is less than a half."
[steps.ask]
kind = "number"
first = true
within = 10
unit = "%"
answer = "100 * masks[0].predictions[0].probability"
[steps.ask.en]
question = "How sure will it be?"
reveal = "It is {answer}, among many."
[steps.ask.ko]
question = "얼마나 확신할까요?"
[[steps]]
[steps.ask]
kind = "choice"
answer = "argmax([0.5, masks[0].predictions[0].probability])"
[steps.ask.en]
question = "More than a half?"
choices = ["“yes”", "no"]
[[steps]]
[steps.ask]
kind = "word"
answer = "[one.word for one in masks[0].predictions[:2]]"
[steps.ask.en]
question = "Which word?"
hints = ["Look.", "It is eaten."]
[[steps]]
[steps.ask]
kind = "do"
answer = "here.masked == ['kitchen']"
[steps.ask.en]
question = "Hide the kitchen."
hints = ["Click it."]
[steps.ask.solution]
masked = ["kitchen"]
""",
).replace("[en]", "minutes = 5\n[en]", 1)


class Page(HTMLParser):
    """What can be answered on a page, and what is folded."""

    def __init__(self, text):
        super().__init__()
        self.forms, self.folded, self.to = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        of = dict(attrs)
        if tag == "form":
            self.forms.append(of)
        if tag == "details":
            self.folded.append(of.get("id", ""))
        self.to += [value for name, value in attrs if name in ("href", "src")]


@pytest.fixture
def site(tmp_path, monkeypatch, capsys, qapp):
    """A site of a scene and a lesson, as that of the bundled ones is made."""
    for name, text in (("lesson", LESSON), ("scene", one_mask("S", "The cat sat.", "sat"))):
        (tmp_path / f"{name}.toml").write_text(text, "utf-8")
        read = lectures.read(tmp_path / f"{name}.toml")
        attribute = "lessons" if name == "lesson" else "bundled"
        monkeypatch.setattr(bundles, attribute, lambda read=read: read)
    monkeypatch.setattr(gallery, "listed", list)
    arguments = ["--profile", str(tmp_path / "profile"), "--device", "cpu", "scenes", "site"]
    assert cli.main([*arguments, str(tmp_path / "site")]) == 0
    capsys.readouterr()
    return tmp_path / "site"


def test_a_lesson_is_read_guessed_and_answered_without_installing_anything(site):
    for code in ("en", "ko"):
        assert "href='lesson.html'" in (site / code / "index.html").read_text("utf-8")
        assert "<script" not in (site / code / "scene.html").read_text("utf-8")
        text = (site / code / "lesson.html").read_text("utf-8")
        page = Page(text)
        guess, choice, word = (json.loads(one["data-ask"]) for one in page.forms)
        assert (guess["first"], choice["first"], guess["within"]) == (True, False, 10)
        assert (round(float(guess["live"][0])), choice["live"]) == (36, ["0"])
        assert set(word["live"]) == {"meal", "dinner"}
        # What a form opens is there; what is guessed about is folded until then.
        assert {one["data-shows"] for one in page.forms} <= set(page.folded)
        assert text.index("<details") < text.index("<img")
        for to in filter(None, page.to):
            assert (site / code / to).is_file(), to
        # Its own script may run, and no other, and what is claimed does not give it away.
        digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
        assert f"script-src 'sha256-{digest}'" in text
        assert text.count("<script") == 1
        assert "less than a half" not in text
    english = html.unescape((site / "en/lesson.html").read_text("utf-8"))
    assert "The answer is “‘yes’”." in english
    assert "It is 36.1 %. It is 36.1 %, among many." in english
    assert "Hint 2 of 2" in english
    # What is to be done is done in the program; here its end is shown.
    assert "This is done in the program" in english
    assert len(re.findall(r"<img ", english)) == 5
    assert "Hidden word: “kitchen”." in english or "kitchen" in english.rpartition("<img")[2]
    korean = (site / "ko/lesson.html").read_text("utf-8")
    assert "얼마나 확신할까요?" in korean
    assert "How sure" not in korean


NUMBER = LessonAsk(AskKind.NUMBER, "0", within=0.5, unit="nat")
CASES = (
    (NUMBER, 36.4, ("36", " 36,5 nat", "36.91", "−36", "+36.2", "3.6e1", ".5", "5.", "36 37", "x")),
    (replace(NUMBER, unit="%"), 204800, ("204,800", "204 800 %", "204.800", "2048e2", "1,2", "")),
    (LessonAsk(AskKind.WORD, "0"), ["##ing", "Meal"], ("ing", " “MEAL” ", "##meal", "mea", " ")),
)


RUN = """
import json, os, sys
from PySide6.QtCore import QCoreApplication
from PySide6.QtQml import QJSEngine
app, engine = QCoreApplication(sys.argv), QJSEngine()
judge, cases = json.load(sys.stdin)
assert not engine.evaluate(judge).isError()
checked = engine.evaluate("(ask, text) => JSON.stringify(judged(JSON.parse(ask), text))")
found = [checked.call([engine.toScriptValue(one) for one in case]).toString() for case in cases]
print(json.dumps([json.loads(one) for one in found]), flush=True)
os._exit(0)
"""
"""What a browser would say, in a process of its own: nothing of it stays in that of the tests."""


def held(ask, live):
    lives = live if isinstance(live, list) else [live]
    return {
        "kind": ask.kind.value,
        "live": [kept_answer(ask, one) for one in lives],
        "within": ask.within,
        "units": [unit_said(ask), ask.unit, "%"],
    }


def test_the_page_checks_answers_as_the_program_does():
    cases = [(ask, live, text) for ask, live, texts in CASES for text in texts]
    given_to = [(json.dumps(held(ask, live)), text) for ask, live, text in cases]
    asked = json.dumps([JUDGE, given_to])
    command = [sys.executable, "-c", RUN]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    for (ask, live, text), found in zip(cases, json.loads(done.stdout), strict=True):
        try:
            given = typed_answer(ask, text)
        except UserMistake:
            assert found["problem"] == ("no_number" if text.strip() else "empty"), text
        else:
            assert found["right"] is is_right(ask, given, live), text
