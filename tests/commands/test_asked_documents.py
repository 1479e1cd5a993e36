"""The document that is logged with what was typed: the window asks the same of it."""

import dataclasses

import pytest

from explorer import cli
from explorer.command_line.asking.request_arguments import document_asking
from explorer.document import Document
from explorer.paths import Paths
from explorer.questions import all_questions
from explorer.sessions.read.reader import SessionReader
from tests.commands.test_ask import CASES


def test_two_architectures_are_logged_with_what_they_were_compared_by(tmp_path, capsys):
    named = ("--request-first", "bert-miniature", "--request-second", "electra-miniature-generator")
    words = ("--profile", str(tmp_path / "profile"), "ask", "compare_architectures", *named)
    assert cli.main([*words, "--level", "tensors"]) == 0, capsys.readouterr().err
    reader = SessionReader(Paths.profile(tmp_path / "profile").sessions)
    (logged,) = reader.runs()
    question = all_questions()["compare_architectures"]
    document = reader.run(logged.id).document
    told = {option.key: option.of(document) for option in question.options}
    assert told == {
        "compare_architectures.first": "bert-miniature",
        "compare_architectures.second": "electra-miniature-generator",
        "compare_architectures.level": "tensors",
    }


NOT_IN_OPTIONS = {
    "attention": {"heads"},
    "bertviz": {"dark"},
    "candidate_words": {"words"},
    "cost": {"seconds"},
    "distil": {"train"},
    "file_of_sentences": {"request"},
    "over_steps": {"request"},
    "replaced_tokens": {"replacements"},
    "soft_targets": {"keep_all", "temperatures"},
    "train": {"train"},
    "tune": {"train"},
    "vocabulary": {"most", "partly"},
}
"""What a document says in another way, or the command line alone can set."""


@pytest.mark.parametrize("name", CASES)
def test_a_document_asks_what_was_typed(name):
    _, request, _ = CASES[name]
    question = all_questions()[name]
    blank = Document(*(getattr(request, field, None) for field in ("text", "pair")))
    blank = dataclasses.replace(
        blank,
        text=blank.text or "",
        masks=getattr(request, "masks", ()),
        entities=getattr(request, "entities", ()),
        top_k=getattr(request, "top_k", blank.top_k),
    )
    document = document_asking(question, request, blank)
    asked = dataclasses.asdict(question.with_entities_of(type(request).of(document), document))
    wanted = dataclasses.asdict(request)
    for field in NOT_IN_OPTIONS.get(name, ()):
        del asked[field], wanted[field]
    assert asked == wanted
