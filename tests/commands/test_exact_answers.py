"""Exact answers in the terminal."""

import json

import pytest

from explorer import cli
from explorer.api.question import BESIDE
from explorer.document import Mask
from explorer.exact_answers.asking import About, ExactAnswersRequest
from explorer.questions import all_questions
from tests.hf import tiny
from tests.hf.kept import miniature

MASKED = "The chef cooked the [MASK] in the kitchen."
PLAIN = "The chef cooked the meal in the kitchen."
OVER_MEAL = {"masks": (Mask(20, 24),)}
BERT = ("bert-miniature",)
SECOND = "He used a pan."
PASSAGE = "The chef cooked the soup in the kitchen. Ten minus four is six."
WHO = "Who cooked the soup?"
BESIDES = {
    "masked_tokens": ([MASKED], BERT, {}),
    "candidate_words": ([MASKED, "--words", "soup"], BERT, {}),
    "joint_decoding": ([MASKED], BERT, {}),
    "surprisal": ([PLAIN], BERT, {"every": True}),
    "logit_lens": ([MASKED], BERT, {"top_k": 50}),
    "tuned_lens": ([MASKED], BERT, {"top_k": 50}),
    "soft_targets": ([MASKED], ("bert-miniature", "distilbert-miniature"), {}),
    "replaced_tokens": (
        [PLAIN, "--mask", "meal", "--generator", "electra-miniature-generator"],
        ("electra-miniature-generator",),
        OVER_MEAL,
    ),
    "continuation": (
        ["The chef cooked the", "--max-new-tokens", "3", "--model", "gpt2-miniature"],
        ("gpt2-miniature",),
        {"about": About.NEXT, "taken": ("Ġmeal", "Ġin", "Ġthe")},
    ),
    "sentence_pair": (
        [PLAIN, "--pair", SECOND, "--second", "albert-miniature"],
        ("bert-miniature", "albert-miniature"),
        {"pair": SECOND, "about": About.PAIR},
    ),
    "answer_span": (
        [PASSAGE, "--question", WHO, "--model", "bert-answers-miniature"],
        ("bert-answers-miniature",),
        {"question": WHO, "about": About.ANSWER},
    ),
}
"""What is typed, who is compared with the exact answer, and what else is asked of it."""


@pytest.fixture
def ask(tmp_path, capsys):
    """Run `ask`; gives what was printed, and what was complained of."""

    def run(*arguments, status=0):
        profile = ["--profile", str(tmp_path / "profile"), "--device", "cpu"]
        assert cli.main([*profile, "ask", *arguments]) == status
        return capsys.readouterr()

    return run


def test_every_question_with_the_switch_says_what_is_laid_beside_it():
    switched = {name for name, one in all_questions().items() if BESIDE in one.options}
    assert switched == {name for name, one in all_questions().items() if one.beside}
    assert switched == set(BESIDES)


@pytest.mark.parametrize("name", BESIDES)
def test_json_has_the_exact_answers_beside_the_models(ask, name):
    typed, models, fields = BESIDES[name]
    told = json.loads(ask(name, *typed, "--exact", "--no-log", "--json").out)
    assert [one["model"]["id"] for one in told["exact_answers"]] == list(models)
    for one, model in zip(told["exact_answers"], models, strict=True):
        asked = ExactAnswersRequest(typed[0], **fields)
        expected = tiny.ask(miniature(model), asked)
        assert expected.places
        assert [
            (place["position"], place["divergence"], [word["exact"] for word in place["words"]])
            for place in one["places"]
        ] == [
            (
                place.position,
                pytest.approx(place.divergence, abs=1e-6),
                pytest.approx([word.exact for word in place.words], rel=1e-9),
            )
            for place in expected.places
        ]


def test_a_person_reads_both_and_where_there_is_nothing_exact_why(ask):
    out = ask("masked_tokens", MASKED, "--exact", "--no-log").out
    own, both = out.split("Exact answers (bert-miniature)\n")
    assert "meal" in own
    assert "would be exact" in both
    assert "exact entropy" in both
    out = ask("masked_tokens", "The chef flew the [MASK].", "--exact", "--no-log").out
    assert "leaves the miniatures' world at “flew”" in out
    unmasked = json.loads(ask("logit_lens", PLAIN, "--exact", "--no-log", "--json").out)
    (none,) = unmasked["exact_answers"]
    assert "Nothing is masked" in none["message"]
    err = ask("surprisal", PLAIN, "--method", "whole-word", "--exact", status=2).err
    assert "There is no exact answer to compare with this one." in err


def test_the_picture_has_them_too(ask, tmp_path):
    for more in ([], ["--exact"]):
        ask("masked_tokens", MASKED, *more, "--no-log", "--picture", f"{tmp_path}/p{len(more)}.svg")
    plain, both = ((tmp_path / f"p{n}.svg").read_text("utf-8") for n in (0, 1))
    assert "exact" not in plain
    assert "exact" in both


def test_a_text_outside_the_world_says_where_it_leaves_it(told):
    out = told("ask", "exact_answers", "The chef flew the [MASK].")
    assert "its grammar can't read “flew” there" in out
    out = told("ask", "exact_answers", "The chef cooked the [MASK]")
    assert "it is read as their beginning" in out
    assert "meal" in out
