"""The conformance kit tries the questions that a plugin brings, and tells what is wrong."""

import functools
from pathlib import Path

import pytest

from explorer.engine.plugins.conformance import CheckOutcome, check_plugin, reading
from tests import plugin_question

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def imported_elsewhere(request, monkeypatch):
    """Start no interpreter for a check whose outcome the test does not look at."""
    if request.node.name != "test_a_question_in_order":
        nothing = {"question": [], "page": []}
        monkeypatch.setattr(reading, "_probed", lambda *_: (nothing, ""))


def failures(findings):
    return {one.check: one.message for one in findings if one.failed}


BEHIND_A_PAIR = """    if request.pair is None:
        raise UserMistake("It compares two texts.", "Add one.")
    1 / 0
    import torch
"""
FOUR_LETTERS = """    if request.text != "four":
        raise UserMistake("It knows one word.", "Ask about it.")
    import torch
"""
AT_AN_END = """    if request.unit == "bytes":
        1 / 0
    import torch
"""


@pytest.fixture
def question(tmp_path):
    """The plugin with a question that the documents show, its compute.py or page.py changed."""

    def write(file="compute.py", old="    import torch\n", new="    import torch\n", tail=""):
        folder = plugin_question.write(tmp_path)
        plugin_question.change(folder, file, old, new)
        path = folder / plugin_question.PLACE / "question.py"
        path.write_text(path.read_text("utf-8") + tail, encoding="utf-8")
        return folder

    return write


check_alone = functools.partial(check_plugin, others=ROOT / "plugins")


def test_a_question_in_order(question):
    findings = check_alone(question())
    assert all(one.ok for one in findings)
    (answered,) = [one for one in findings if one.check == "its questions answer"]
    assert answered.message == f"1 of them: {plugin_question.NAME}"


EXAMPLES_WITH_AN_ANSWER = """
EXAMPLES = (
    (
        ExpectedLength("a b", masks=(Mask(0, 1),)),
        ExpectedLengthResult(
            ModelStamp("m", "bert", "", "cpu", "float32"), (), (AtMask(0, LENGTH, "a"),)
        ),
    ),
)
"""


def test_a_headline_that_never_speaks_is_not_tried(question):
    """What a tiny model says rarely stands out: the branch that speaks may never have run."""
    silent = "    if one.length < 99:\n        return Headline()\n    said = "
    folder = question("question.py", "    said = ", silent)
    (open_,) = [one for one in check_alone(folder) if not one.ok]
    assert (open_.check, open_.outcome) == ("says what to look at first", CheckOutcome.NOT_TRIED)
    assert plugin_question.NAME in open_.message
    path = folder / plugin_question.PLACE / "question.py"
    text = path.read_text("utf-8")
    with_answer = EXAMPLES_WITH_AN_ANSWER.replace("LENGTH", "999.0")
    path.write_text(text + with_answer, encoding="utf-8")
    assert all(one.ok for one in check_alone(folder))
    path.write_text(text.replace("{one.position}", "{1 // 0}") + with_answer, encoding="utf-8")
    (wrong,) = [one for one in check_alone(folder) if one.failed]
    assert "its headline: it raised ZeroDivisionError" in wrong.message
    assert "(question.py line 76, in headline)" in wrong.message
    assert wrong.traceback.startswith("Traceback")


def test_a_question_is_asked_until_it_has_answered(question):
    """Refused without a second text: what divides by zero behind that was never reached."""
    told = failures(check_alone(question(new=BEHIND_A_PAIR)))
    assert list(told) == [f"answers {plugin_question.NAME}"]
    assert "ZeroDivisionError" in next(iter(told.values()))


def test_a_question_that_never_answers_is_not_tried_and_not_ok(question):
    findings = check_alone(question(new=FOUR_LETTERS))
    assert failures(findings) == {}
    open_ = [one for one in findings if not one.ok]
    assert {one.outcome for one in open_} == {CheckOutcome.NOT_TRIED}
    assert "It knows one word." in open_[0].message
    assert "EXAMPLES" in open_[0].hint


def test_examples_that_a_question_brings_are_asked(question):
    tail = 'EXAMPLES = (ExpectedLength("four", masks=(Mask(0, 4),)),)\n'
    assert all(one.ok for one in check_alone(question(new=FOUR_LETTERS, tail=tail)))


def test_options_are_tried_at_their_ends(question):
    told = failures(check_alone(question(new=AT_AN_END)))
    assert list(told) == ["answers with its options at their ends"]
    assert "with --unit Bytes of UTF-8" in next(iter(told.values()))


def test_rows_that_can_not_be_made(question):
    told = failures(check_alone(question("question.py", "return Table.of(", "return 1 / 0, (")))
    assert "ZeroDivisionError" in told[f"answers {plugin_question.NAME}"]


def test_questions_without_a_family_to_ask_are_not_tried(question):
    findings = check_plugin(question())
    assert [one.outcome for one in findings if not one.ok] == [CheckOutcome.NOT_TRIED]
