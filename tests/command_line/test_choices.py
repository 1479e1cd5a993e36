"""What a question's option can be is told wherever it is typed, and nothing else is taken."""

from dataclasses import MISSING, fields, replace

import pytest

from explorer.api.question import Choice, Number, Switch, UserMistake, Whole, WordList, Words
from explorer.api.question.options.asks import OF_DOCUMENT, asked_fields, field_of
from explorer.api.question.options.values import as_kept
from explorer.command_line.asking.request_arguments import add_arguments, arguments_of, given
from explorer.command_line.parsing import Parser
from explorer.document import Document, Mask
from explorer.questions import all_questions
from explorer.questions.cause.patching.question import PatchingRequest
from tests.commands.ask_cases import CASES

FIELDS = [
    (name, field, one)
    for name, question in all_questions().items()
    for field, one in asked_fields(question.request).items()
]
CHOICES = [
    (name, field)
    for name, field, one in FIELDS
    if isinstance(one.option, Choice) and not one.option.is_open
]
NUMBERS = [(name, field) for name, field, one in FIELDS if isinstance(one.option, Whole | Number)]


def ids(pairs):
    return [f"{name}-{field}" for name, field in pairs]


def parsed(question, *words):
    parser = Parser(prog="ask")
    add_arguments(parser, question)
    needed = ["x" for one in arguments_of(question) if one.required]
    return given(parser.parse_args([*needed, *words]))


@pytest.mark.parametrize("name", all_questions())
def test_every_field_of_a_request_is_an_option(name):
    request = all_questions()[name].request
    for field in fields(request):
        found = field_of(request, field.name)
        assert found is not None, field.name
        option = found.option
        assert option.label, field.name
        assert option.key
    named = [one.option.key for one in asked_fields(request).values() if one.is_held]
    assert len(named) == len(set(named))


@pytest.mark.parametrize("name", all_questions())
def test_an_untouched_document_asks_with_the_defaults(name):
    request = all_questions()[name].request
    made = request.of(Document("a soup"))
    for field, one in asked_fields(request).items():
        usual = request.__dataclass_fields__[field].default
        if usual is not MISSING and one.is_held and (name, field) not in WITHOUT_DEFAULT:
            assert getattr(made, field) == usual, field


def values_of(option):
    """What else it may be, where that can be told from the option."""
    if isinstance(option, Choice):
        return [entry.value for entry in option.entries]
    if isinstance(option, Whole | Number):
        return [option.low, option.high]
    if isinstance(option, WordList):
        return [["soup", "tea"]]
    if isinstance(option, Words):
        return ["soup"]
    return [True, False] if isinstance(option, Switch) else []


@pytest.mark.parametrize("name", all_questions())
def test_a_document_asks_with_what_it_holds(name):
    """And what is no value of an option, as in a file that somebody edited, is the usual one."""
    request = all_questions()[name].request
    document = Document("the cat sat", "a dog", (Mask(4, 7),), 7)
    made = request.of(document)
    for field, one in asked_fields(request).items():
        if not one.is_held or (name, field) in LIMITED:
            continue
        if one.option is OF_DOCUMENT.get(field):
            assert getattr(made, field) == getattr(document, field), field
            continue
        for value in values_of(one.option):
            asked = request.of(document.with_option(one.option.key, value))
            assert as_kept(one.kept(getattr(asked, field))) == value, field
        odd = request.of(document.with_option(one.option.key, {"odd": 1}))
        assert getattr(odd, field) in (getattr(made, field), one.made(one.option.default)), field


LIMITED = {
    ("continuation", "taken"),  # goes with its text
    ("masking_policy", "random"),  # what is masked leaves it less room
    *((name, "column") for name in ("neurons", "probe")),  # of a file
    ("replaced_tokens", "seed"),  # kept with the words that it has drawn
    ("train_tokenizer", "algorithms"),  # of those that there are
    *(("weights", field) for field in ("kind", "layer", "head", "words")),  # of what is drawn
    *((name, "top_k") for name in ("logit_lens", "tuned_lens", "span_boundary")),  # small cells
}
"""Documents ask otherwise; tests of these questions hold how."""
WITHOUT_DEFAULT = {("exact_answers", "top_k")}
"""Documents show more words than a script asks for."""


@pytest.mark.parametrize(("name", "field"), CHOICES, ids=ids(CHOICES))
def test_one_of_a_few_is_told_and_no_other_word_is_taken(name, field, capsys):
    question = all_questions()[name]
    one = asked_fields(question.request)[field]
    told = {one.name: one for one in arguments_of(question)}[field]
    also = tuple(str(as_kept(value)).replace("_", "-") for value in one.also)
    assert told.choices == (*one.option.typed, *also) != ()
    for entry in one.option.entries:
        if entry.value == "":
            continue
        found = parsed(question, told.flag, str(entry.value).replace("_", "-"))
        assert as_kept(one.kept(found[field])) == entry.value
    with pytest.raises(SystemExit):
        parsed(question, told.flag, "nonsense")
    refused = capsys.readouterr().err
    assert told.flag in refused
    assert all(value in refused for value in one.option.typed)


@pytest.mark.parametrize(("name", "field"), NUMBERS, ids=ids(NUMBERS))
def test_a_number_beyond_its_ends_is_refused_by_command_and_request(name, field, capsys):
    question = all_questions()[name]
    one = asked_fields(question.request)[field]
    option, step = one.option, 0.5 if type(one.made(one.option.low)) is float else 1
    told = {one.name: one for one in arguments_of(question)}[field]
    base = CASES[name][1]
    for value in (option.low - step, option.high + step):
        with pytest.raises(SystemExit):
            parsed(question, f"{told.flag}={value}")
        assert "Give a" in capsys.readouterr().err
        with pytest.raises(UserMistake, match=f"--{field.replace('_', '-')} can't be"):
            replace(base, **{field: value}).check()
    for value in (option.low, option.high):
        replace(base, **{field: one.made(value)}).check()


def test_a_script_s_request_is_refused_with_what_there_is():
    PatchingRequest("the [MASK]").check()
    with pytest.raises(UserMistake, match="--component can't be heads") as refused:
        replace(PatchingRequest("the [MASK]"), component="heads").check()
    assert "residual, attention, feed-forward, head" in str(refused.value.hint)


@pytest.mark.parametrize(("name", "field"), CHOICES + NUMBERS, ids=ids(CHOICES + NUMBERS))
def test_a_value_of_another_kind_is_refused_and_no_fault(name, field):
    for odd in ({"odd": 1}, object(), ["x"]):
        with pytest.raises(UserMistake, match=f"--{field.replace('_', '-')} can't be"):
            replace(CASES[name][1], **{field: odd}).check()


def test_a_mistyped_question_is_told_the_nearest(capsys):
    from explorer.cli import main

    assert main(["ask", "maskd_tokens", "a [MASK]"]) == 2
    told = capsys.readouterr().err
    assert "maskd_tokens" in told
    assert "masked-tokens" in told
    assert "attribution" not in told


def test_the_help_of_a_question_is_in_the_reader_s_language(capsys):
    from explorer.cli import main

    assert main(["ask", "attribution", "--help", "--language", "ko"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "순서를 뽑는 시드입니다" in told
    assert "Attributes" not in told
    for words in ("Points on the way", "The sentence", "print one JSON object"):
        assert words not in told


def test_what_is_beyond_an_option_s_ends_is_told_in_the_reader_s_language(capsys):
    from explorer.cli import main

    assert main(["ask", "edits", "a [MASK]", "--neighbours", "99", "--language", "ko"])
    told = capsys.readouterr().err
    assert "쓸 수 있는 값: 1부터 20까지의 정수." in told
    assert "can't be" not in told
