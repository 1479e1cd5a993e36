"""`ask sentence_pair` and `ask answer_span` with all that they can be told, as scripts read it."""

import json

import pytest

from explorer import cli

PASSAGE = (
    "The chef cooked a meal in the kitchen. He used a pan. The gardener planted the flowers in the "
    "garden. She used a trowel. The pilot flew the plane in the sky."
)


@pytest.fixture
def ask(tmp_path, capsys):
    """The printed object."""

    def run(*arguments):
        everywhere = ["--profile", str(tmp_path / "profile"), "--device", "cpu"]
        status = cli.main([*everywhere, "ask", *arguments, "--json"])
        out, err = capsys.readouterr()
        assert status == 0, err
        return json.loads(out)

    return run


def test_answers_have_a_text_its_characters_and_a_score(ask):
    question = ("answer_span", PASSAGE, "--question", "What did the gardener use?")
    usual = ask(*question)
    assert usual["answers"][0]["text"] == "a trowel"
    told = ask(
        *question,
        *("--top-k", "3", "--max-answer-len", "4", "--max-seq-len", "28", "--doc-stride", "6"),
        "--no-answer",
    )
    assert len(told["answers"]) == 3
    for one in told["answers"]:
        assert PASSAGE[one["start"] : one["end"]] == one["text"]
        assert 0.0 < one["score"] <= 1.0 + len(told["windows"])
    assert (told["max_answer_len"], told["max_seq_len"], told["doc_stride"]) == (4, 28, 6)
    assert len(told["windows"]) > 2
    assert told["null"] == min(window["null"] for window in told["windows"])


def test_a_question_without_an_answer_has_none_among_its_answers(ask):
    told = ask(
        "answer_span", PASSAGE, "--question", "When did the chef cook the meal?", "--no-answer"
    )
    first = told["answers"][0]
    assert (first["text"], first["start"], first["end"]) == ("", 0, 0)
    assert told["null_logit"] > told["best_logit"]


def test_a_pair_is_judged_with_the_attention_between_its_texts(ask):
    texts = ("The nurse helped the patients at the hospital.", "--pair", "She used a bandage.")
    told = ask("sentence_pair", *texts, "--second", "albert-miniature")
    next_one, ordered = told["judgements"]
    assert next_one["labels"] == ["is next", "is not next"]
    assert ordered["labels"] == ["right order", "swapped"]
    assert all(one["logits"][0] > one["logits"][1] for one in (next_one, ordered))
    rows = next_one["between"]
    assert [len(rows), len(rows[0])] == [9, 5]
    assert all(0.0 <= weight <= 1.0 for row in rows for weight in row)
