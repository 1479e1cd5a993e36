"""What a question's option can be is told wherever it is typed, and nothing else is taken."""

from dataclasses import replace

import pytest

from explorer.api import UserMistake
from explorer.command_line.parsing import Parser
from explorer.command_line.request_arguments import add_arguments, arguments_of, given
from explorer.questions import all_operations
from explorer.questions.cause.patching.question import OPERATION as PATCHING
from explorer.questions.cause.patching.question import PatchingRequest

CHOICES = [(name, field) for name, one in all_operations().items() for field in one.choices]


@pytest.mark.parametrize(("name", "field"), CHOICES, ids=[f"{a}-{b}" for a, b in CHOICES])
def test_one_of_a_few_is_told_and_no_other_word_is_taken(name, field, capsys):
    operation = all_operations()[name]
    option = operation.choices[field]
    told = {one.name: one for one in arguments_of(operation)}[field]
    assert told.choices == option.typed != ()
    parser = Parser(prog="ask")
    add_arguments(parser, operation)
    words = (
        ["x"] if any(one.name == "text" and one.required for one in arguments_of(operation)) else []
    )
    for entry in option.entries:
        found = parser.parse_args([*words, told.flag, str(entry.value).replace("_", "-")])
        assert given(found)[field] == entry.value
    with pytest.raises(SystemExit):
        parser.parse_args([*words, told.flag, "nonsense"])
    refused = capsys.readouterr().err
    assert told.flag in refused
    assert all(one in refused for one in option.typed)


def test_a_script_s_request_is_refused_with_what_there_is():
    PATCHING.check_choices(PatchingRequest("the [MASK]"))
    with pytest.raises(UserMistake, match="--component can't be heads") as refused:
        PATCHING.check_choices(replace(PatchingRequest("the [MASK]"), component="heads"))
    assert "residual, attention, feed-forward, head" in str(refused.value.hint)
