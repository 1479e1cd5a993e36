"""`ask --values` and `over --values`: what models have inside, as files."""

import json

import numpy as np
import pytest


def test_of_each_model_by_its_role(told, tmp_path):
    target = tmp_path / "both.npz"
    asked = ("soft_targets", "the [MASK] sat .", "--value", "states,attention", "--no-log")
    told("ask", *asked, "--values", target)
    with np.load(target) as found:
        assert {"teacher.states", "student.states", "student.attention.encoder"} <= {*found.files}
        assert "teacher.queries.encoder" not in found.files
        assert json.loads(str(found["teacher.about"]))["model"]["id"] == "bert-miniature"
        # What is masked is masked here too.
        assert [*found["student.tokens"]][2] == "[MASK]"


def test_of_every_sentence_of_a_file(told, tmp_path):
    file, target = tmp_path / "some.csv", tmp_path / "rows.npz"
    file.write_text("text,kind\nthe cat sat .,a\n,b\nthe dog ran away .,c\n", "utf-8")
    asked = ("--ask", "tokens", "--no-log", "--values", target, "--value", "states")
    told("over", file, *asked)
    with np.load(target) as found:
        arrays = {name for name in found.files if name.endswith(".states")}
        assert arrays == {"line_2.states", "line_4.states"}
        assert found["line_4.states"].shape[1] == len(found["line_4.tokens"])


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--values", "{}/v.csv"), "can't be written as v.csv"),
        (("--values", "{}/gone/v.npz"), "v.npz"),
        (("--values", "{}/v.npz", "--value", "stats"), "'stats' is none of states"),
        (("--values", "{}/v.npz", "--models", "bert-miniature,gpt2-miniature"), "of one answer"),
    ],
)
def test_mistakes_are_told_before_anything_is_asked(run, tmp_path, words, why):
    typed = (one.format(tmp_path) for one in words)
    status, out, err = run("ask", "tokens", "the cat", *typed, "--no-log")
    assert status != 0
    assert out == ""
    assert why in err
