"""`attend` prints attention for people and machines, and writes it."""

import csv
import json

import numpy as np
import pytest

from explorer.api.question import Attentions, Context
from explorer.cli import main
from explorer.hf.kept import forget
from tests.hf import tiny

TEXT = "the cats sat on the mat"


@pytest.fixture(autouse=True)
def nothing_kept():
    yield
    forget()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny.save_bert(tmp_path_factory.mktemp("models") / "bert")


@pytest.fixture(scope="module")
def stack(folder):
    model = tiny.load(folder)
    return model.port(Attentions).capture(model.encode(TEXT), Context())["encoder"]


@pytest.fixture
def attend(folder, tmp_path, capsys):
    def call(*options, text=TEXT):
        arguments = ["attend", text, "--model", str(folder), "--no-log", "--device", "cpu"]
        status = main([*arguments, "--profile", str(tmp_path / "profile"), *options])
        return status, *capsys.readouterr()

    return call


def test_one_head_as_json(attend, stack):
    status, out, _ = attend("--layer", "1", "--head", "2", "--json")
    assert status == 0
    found = json.loads(out)
    assert found["queries"] == found["keys"]
    assert [place["label"] for place in found["queries"]][:3] == ["[CLS]", "the", "cat"]
    assert (found["layers"], found["heads"], found["kind"]) == (3, 4, "encoder")
    np.testing.assert_allclose(found["weights"][0], stack.weights[1][2], atol=1e-6)


def test_without_a_head_a_summary_of_each(attend, stack):
    status, out, _ = attend("--json")
    assert status == 0
    found = json.loads(out)
    measures = dict(zip(found["measure_names"], found["measures"], strict=True))
    assert np.array(measures["first"], float).shape == (3, 4)
    first = np.mean([stack.weights[1][2][i][0] for i in range(len(stack.queries))])
    assert measures["first"][1][2] == pytest.approx(float(first), abs=1e-6)


def test_for_people(attend):
    status, out, _ = attend("--layer", "0", "--head", "0", "--words")
    assert status == 0
    assert "cats" in out
    # A row a word in shades, with the word that it looks at most.
    assert sum(line.count("│") == 2 for line in out.splitlines()) == 8
    status, out, _ = attend()
    assert status == 0
    assert "previous token" in out
    rows = [line.split() for line in out.splitlines()]
    assert sum(len(row) > 2 and row[0] in "0123" for row in rows) == 12


def test_several_heads_as_one(attend, stack):
    _, out, _ = attend("--over", "mean", "--json")
    expected = np.stack(stack.weights).mean(axis=(0, 1))
    np.testing.assert_allclose(json.loads(out)["weights"][0], expected, atol=1e-6)
    _, out, _ = attend("--layer", "2", "--head", "max", "--json")
    expected = stack.weights[2].max(axis=0)
    np.testing.assert_allclose(json.loads(out)["weights"][0], expected, atol=1e-6)


def test_files(attend, stack, tmp_path):
    status, _, _ = attend("--npz", str(tmp_path / "a.npz"), "--csv", str(tmp_path / "a.csv"))
    assert status == 0
    with np.load(tmp_path / "a.npz", allow_pickle=False) as found:
        for layer in range(3):
            np.testing.assert_allclose(found[f"layer_{layer}"], stack.weights[layer], atol=1e-6)
        assert found["key_labels"][2] == "cat"
    with (tmp_path / "a.csv").open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 12
    assert {"layer", "head", "entropy"} <= set(rows[0])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--layer", "1"), "named by its layer and its number"),
        (("--over", "mean", "--layer", "1", "--head", "1"), "--over is of all heads"),
        (("--layer", "9", "--head", "0"), "There is no layer 9"),
        (("--kind", "cross"), "has no cross attention"),
    ],
)
def test_mistakes_are_one_clear_line(attend, options, words):
    status, out, error = attend(*options)
    assert status == 2
    assert out == ""
    assert words in error


def test_numbers_must_be_numbers(attend):
    status, _, error = attend("--layer", "x", "--head", "0")
    assert status == 2
    assert "'x' is not a number from 0 on" in error
