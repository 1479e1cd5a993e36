"""A run as a command asks what was asked."""

import shlex
from dataclasses import replace

import pytest

from explorer.api.question import Mask, ModelStamp
from explorer.as_code.as_command import as_command
from explorer.as_code.asked import AskedRun, literal
from explorer.as_code.in_python import in_python
from explorer.command_line.asking.question_arguments import add_question, given_models
from explorer.command_line.asking.request_arguments import asked
from explorer.command_line.options.look_options import looks_of, with_looks
from explorer.command_line.parsing import Parser
from explorer.document import Document
from explorer.questions import all_questions
from explorer.questions.distillation.soft_targets.question import SoftTargetsRequest
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.sessions.read.reader import SessionReader
from tests.commands.ask_cases import CASES
from tests.test_stored_runs import FOLDER, NEWEST, RUNS


def run_of(name, request, models):
    stamps = {role: ModelStamp(one, "bert", "f" * 32, "cpu", "float32") for role, one in models}
    return AskedRun(all_questions()[name], request, Document(), stamps)


def typed(command):
    """The question, the request and the models that a command is."""
    program, word, name, *words = shlex.split(command)
    assert (program, word) == ("plm-explorer", "ask")
    operation = all_questions()[name]
    parser = Parser()
    add_question(parser, operation)
    args = parser.parse_args(words)
    return name, asked(operation, args)[0], given_models(args)


@pytest.mark.parametrize("name", CASES)
def test_the_command_of_every_question_asks_the_same(name):
    _words, request, models = CASES[name]
    assert typed(as_command(run_of(name, request, models.items()))) == (name, request, models)


@pytest.mark.parametrize(
    "summary", [run for path, run in RUNS if path.name == NEWEST], ids=lambda run: run.operation
)
def test_the_command_of_every_stored_run_asks_the_same(summary):
    stored = SessionReader(FOLDER / NEWEST).run(summary.id)
    name, request, models = typed(as_command(AskedRun.of(stored)))
    assert (name, request) == (stored.summary.operation, stored.request)
    assert models == {role: stamp.id for role, stamp in stored.models.items()}


def test_what_only_redraws_an_answer_is_in_it():
    _words, request, models = CASES["logit_parts"]
    run = run_of("logit_parts", request, models.items())
    document = Document()
    for name, value in (("most", 5), ("order", "model")):
        option = looks_of(run.question)[name]
        document = document.with_option(option.key, option.written_in(document, value))
    command = as_command(replace(run, document=document))
    assert {"--look=order=model", "--look=most=5"} < {*shlex.split(command)}
    assert typed(command) == ("logit_parts", request, models)
    parser = Parser()
    add_question(parser, run.question)
    args = parser.parse_args(shlex.split(command)[3:])
    assert with_looks(run.question, args, Document()).options == document.options


def test_each_model_is_named_with_the_numbers_it_was_loaded_as():
    stamps = {
        role: ModelStamp("bert-miniature", "bert", "f" * 32, "cpu", dtype)
        for role, dtype in (("teacher", "float32"), ("student", "int8 + float32"))
    }
    question = all_questions()["soft_targets"]
    run = AskedRun(question, SoftTargetsRequest("a [MASK]"), Document(), stamps)
    named = {"teacher": "bert-miniature", "student": "bert-miniature:8bit"}
    assert typed(as_command(run))[2] == named
    assert 'student="bert-miniature:8bit"' in in_python(run)


def test_what_a_shell_or_a_parser_would_take_for_its_own_is_quoted():
    masks = (Mask(0, 2),)
    request = MaskedTokensRequest("-- it's $HOME", pair="-x", masks=masks, languages=("a,b", " c"))
    assert typed(as_command(run_of("masked_tokens", request, [])))[1] == request


def test_values_are_written_as_python_has_them():
    value = {"a": [None, True, 1.5, 'say "é"'], "b": ()}
    assert eval(literal(value)) == {"a": [None, True, 1.5, 'say "é"'], "b": []}
