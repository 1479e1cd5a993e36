"""`ask -`: many questions in one process, a line of JSON each."""

import io
import json

import pytest

from explorer.command_line.asking import request_lines
from explorer.command_line.asking.request_lines import LONGEST, words_of
from explorer.paths import Paths
from explorer.questions import all_questions
from explorer.sessions.read.reader import SessionReader
from tests.commands.conftest import profile, run  # noqa: F401 - the same commands

MASKED = {"question": "masked_tokens", "text": "the chef cooked the meal .", "masks": ["chef"]}


@pytest.fixture
def answers(run, monkeypatch):  # noqa: F811
    """Type lines; gives the exit status, an object for each, and what was complained of."""

    def asked(*lines, options=()):
        written = "".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in lines)
        monkeypatch.setattr("sys.stdin", io.StringIO(written))
        status, out, err = run("ask", "-", *options)
        return status, [json.loads(line) for line in out.splitlines()], err

    return asked


def test_every_line_is_answered_as_the_command_answers_it(answers, run, profile):  # noqa: F811
    lines = (
        {**MASKED, "top_k": 2, "id": "first"},
        "",
        {"question": "soft-targets", "text": "the [MASK] sat", "top_k": 1, "id": 7},
        {"question": "tokens", "text": "--the cat", "model": "distilbert-miniature"},
    )
    status, found, err = answers(*lines)
    assert (status, err) == (0, "")
    assert [(one["line"], one.get("id"), one["operation"]) for one in found] == [
        (1, "first", "masked_tokens"),
        (3, 7, "soft_targets"),
        (4, None, "tokens"),
    ]
    typed = ("masked_tokens", MASKED["text"], "--mask", "chef", "--top-k", "2")
    alone = json.loads(run("ask", *typed, "--json", "--no-log")[1])
    assert {name: found[0][name] for name in alone} == alone
    assert found[2]["model"]["id"] == "distilbert-miniature"
    logged = SessionReader(Paths.profile(profile).sessions).runs()
    assert sorted(one.operation for one in logged) == ["masked_tokens", "soft_targets", "tokens"]


def test_a_bad_line_gives_its_sentence_and_the_rest_goes_on(answers):
    bad = (
        ("nonsense", "The line is no JSON"),
        ("[1]", "no object of JSON"),
        ("[" * 200 + "]" * 200, "nested too deeply"),
        ({"text": "x"}, "names no question"),
        ({"question": "maked_tokens"}, 'There is no question "maked_tokens"'),
        ({**MASKED, "top_k": "many"}, "'many' is not a whole number"),
        ({**MASKED, "picture": "x.png"}, "has no field picture"),
        ({**MASKED, "masks": [[4, 900]]}, "no characters 4-900"),
        ({**MASKED, "model": "nobody"}, "no checkpoint named nobody"),
        ({"question": "tokens", "text": "-"}, "hyphen alone"),
        ({"question": "tokens"}, "TEXT"),
        ({"question": "tokens", "text": "x" * LONGEST}, "longer than"),
    )
    status, found, err = answers(*(line for line, _why in bad), MASKED, options=("--no-log",))
    assert status == 0
    assert err == f"{len(bad)} requests were not answered.\n"
    for (_line, why), one in zip(bad, found, strict=False):
        assert why in one["error"]
        assert one["advice"] or "characters" in one["error"]
    assert found[-1]["masks"]


def test_where_nothing_is_answered_the_status_says_so(answers):
    assert answers("nonsense", options=("--no-log",))[0] == 2
    status, found, err = answers()
    assert (status, found) == (2, [])
    assert "No request came on standard input" in err


def test_a_model_is_loaded_once(answers, monkeypatch):
    loaded = []
    load = request_lines.headless.load

    def counted(runner, program, model, **options):
        loaded.append((options["slot"], model))
        load(runner, program, model, **options)

    monkeypatch.setattr(request_lines.headless, "load", counted)
    bert, gpt2 = "bert-miniature", "gpt2-miniature"
    cat = {"question": "tokens", "text": "the cat"}
    models = (bert, gpt2, bert, gpt2, "t5-miniature", bert)
    lines = [{**cat, "model": name} for name in models]
    both = {"question": "soft_targets", "text": "the [MASK] sat", "teacher": bert}
    status, _found, err = answers(*lines, both, options=("--no-log",))
    assert status == 0, err
    assert [name for _slot, name in loaded] == [
        *(bert, gpt2, "t5-miniature", bert),
        "distilbert-miniature",
    ]


@pytest.mark.parametrize("name", ["masked_tokens", "head_ablation", "soft_targets", "attention"])
def test_every_field_can_be_said(name):
    """Whatever a request holds is written as words that its own parser takes."""
    question = all_questions()[name]
    told = {
        one.name: one.default
        for one in request_lines.arguments_of(question)
        if one.default not in (None, [], ())
    }
    typed = [*words_of(question, {**told, "text": "the cat"})]
    args = vars(request_lines._parser(name).parse_args(typed))
    assert {f"request.{field}" for field in (*told, "text")} <= {*args}
