import subprocess
import sys
from pathlib import Path

import pytest

import explorer.questions
from explorer.document import Document
from explorer.questions import all_questions, question_of
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest


def test_every_folder_of_a_topic_is_a_question():
    folder = Path(explorer.questions.__file__).parent
    places = {path.parent.relative_to(folder).as_posix() for path in folder.glob("*/*/question.py")}
    folders = {
        path.parent.relative_to(folder).as_posix() for path in folder.glob("*/*/__init__.py")
    }
    assert places == folders
    assert len(places) == len(all_questions())


def test_every_question_asks_something():
    for question in all_questions().values():
        assert question.asks.endswith("?"), question.name
        assert question.title


def test_what_parts_are_looked_at_with_is_an_option_of_the_question():
    for question in all_questions().values():
        known = {one.key for one in question.options}
        wanted = {f"{question.name}.{one.key}" for k in question.part_kinds for one in k.OPTIONS}
        assert wanted <= known, question.name


def test_models_change_roles_where_a_question_lets_them():
    questions = [one for one in all_questions().values() if one.swap]
    assert len(questions) > 2
    for one in questions:
        swapped = Document("a film").with_option(one.swap, True)
        for document, slots in ((Document("a film"), ["A", "B"]), (swapped, ["B", "A"])):
            assert one.cast({}, "A", document) == dict(zip(one.roles, slots, strict=False))
        assert one.request.of(swapped) == one.request.of(Document("a film"))


def test_the_operation_of_a_request():
    assert question_of(MaskedTokensRequest("x")).name == "masked_tokens"
    with pytest.raises(KeyError):
        question_of("x")


def test_listing_them_imports_no_torch():
    code = (
        "import sys; from explorer.questions import all_questions; assert all_questions();"
        "assert not {'torch', 'transformers'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
