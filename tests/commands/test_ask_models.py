"""`ask QUESTION --models M,N`: one question, an answer of each model."""

import csv
import json
from functools import partial

import pytest

from explorer.paths import Paths
from explorer.questions.cause.attribution_benchmark.question import (
    QUESTION,
    AttributionBenchmarkRequest,
)
from explorer.questions.cause.attribution_benchmark.rules import rule_results
from explorer.sessions.read.reader import SessionReader
from tests.hf import tiny
from tests.hf.kept import miniature

BOTH = ("tinybert-miniature", "distilbert-miniature")
FEW = ("--places", "3", "--steps", "4", "--samples", "2")


@pytest.fixture
def ask(run):
    return partial(run, "ask")


def test_the_benchmark_of_many_models_is_each_ones_own(ask, tmp_path):
    target = tmp_path / "rows.csv"
    typed = ("attribution_benchmark", "--models", ",".join(BOTH), *FEW)
    status, out, err = ask(*typed, "--json", "--csv", target)
    assert (status, out.count("\n")) == (0, 1), err
    told = json.loads(out)["models"]
    assert [one["model"]["id"] for one in told] == list(BOTH)
    with target.open(encoding="utf-8-sig", newline="") as file:
        first, *rows = csv.reader(file)
    assert first == ["model", *QUESTION.table(asked(BOTH[0])).columns]
    for name, one in zip(BOTH, told, strict=True):
        expected = asked(name)
        assert one["shares"] == {way.way.name: way.share for way in expected.ways}
        assert [way["picks"] for way in one["ways"]] == [list(w.picks) for w in expected.ways]
        methods = [one.method for one in (*expected.ways, *rule_results(expected.places))]
        assert [row[1] for row in rows if row[0] == name] == methods
    logged = SessionReader(Paths.profile(tmp_path / "profile").sessions).runs()
    assert {one.model_id for one in logged} == set(BOTH)


def asked(name):
    return tiny.ask(miniature(name), AttributionBenchmarkRequest(places=3, steps=4, samples=2))


def test_a_person_reads_one_after_the_other(ask):
    text = "The chef cooked the [MASK] in the kitchen."
    status, out, _err = ask("masked_tokens", text, "--models", ",".join(BOTH), "--no-log")
    assert status == 0
    first, second = out.split("\n\nDistilBERT miniature  (")
    assert first.startswith("TinyBERT miniature  (")
    assert "meal" in first
    assert "meal" in second


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (("--models", "bert-miniature,electra-miniature-discriminator"), "does not answer"),
        # Of one alone there is nothing to leave out: what is needed is said.
        (("--models", "electra-miniature-discriminator"), "discriminator does not answer"),
        (("--models", " , "), "names no model"),
        (("--models", "bert-miniature", "--model", "xlm-miniature"), "--models asks many models"),
        (("--models", "bert-miniature", "--picture", "a.svg"), "--models asks many models"),
    ],
)
def test_what_can_not_be_asked_is_said_before_anybody_is(ask, more, complaint):
    status, out, err = ask("masked_tokens", "the [MASK] .", *more)
    assert (status, out) == (2, "")
    assert complaint in err
    assert ("Leave it out." in err) == ("answer" in complaint and "," in more[1])


def test_a_question_that_two_models_can_answer_is_asked_of_many_each_alone(ask):
    pair = ("The nurse helped the patients.", "--pair", "She used a thermometer.")
    names = ("bert-miniature", "albert-miniature")
    status, out, err = ask("sentence_pair", *pair, "--models", ",".join(names), "--json")
    assert status == 0, err
    told = json.loads(out)["models"]
    assert [[j["model"]["id"] for j in one["judgements"]] for one in told] == [[n] for n in names]
    status, out, err = ask(
        "sentence_pair", *pair, "--models", ",".join(names), "--second", "ernie-miniature"
    )
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "--second names a second one" in err
