"""`switch-off`, as a person or a script uses it."""

import csv
import json
from functools import partial

import pytest

TEXT = "The chef cooked the [MASK] in the kitchen."


@pytest.fixture
def switch_off(run):
    return partial(run, "switch-off")


def test_json_and_a_table(switch_off, tmp_path):
    target = tmp_path / "words.csv"
    arguments = ("--head", "1:2", "--head", "2", "--top", "3", "--every", "--csv", str(target))
    status, out, _ = switch_off(TEXT, *arguments, "--json", "--no-log")
    assert status == 0
    found = json.loads(out)
    assert [(one["layer"], one["head"]) for one in found["off"]] == [
        (1, 2),
        *((2, head) for head in range(4)),
    ]
    (mask,) = found["changes"]["masks"]
    words = {word["word"]: word for word in mask["words"]}
    assert words["meal"]["after"] != words["meal"]["before"]
    (effects,) = found["effects"]
    assert [len(row) for row in effects["values"]] == [4, 4, 4, 4]
    assert len({value for row in effects["values"] for value in row}) == 16
    with target.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["word"] for row in rows] == [word["word"] for word in mask["words"]]
    for row in rows:
        change = float(row["after"]) - float(row["before"])
        assert float(row["change"]) == pytest.approx(change, abs=1e-6)


def test_words_for_people(switch_off):
    status, out, _ = switch_off(TEXT, "--head", "1:2", "--every", "--no-log")
    assert status == 0
    assert "layer 1, head 2" in out
    assert "meal" in out
    # A row of shades a layer: what each head does when it alone is off.
    assert sum(line.count("│") == 2 for line in out.splitlines()) >= 4


def test_another_stack_and_a_discriminator(switch_off):
    models = ("--model", "t5-miniature", "--head", "cross:0:2")
    _, out, _ = switch_off(TEXT, *models, "--json", "--no-log")
    assert json.loads(out)["off"] == [{"kind": "cross", "layer": 0, "head": 2}]
    _, out, _ = switch_off(
        "the chef ate the meal", "--model", "electra-miniature-discriminator", "--no-log"
    )
    assert "All 16 heads are on" in out


@pytest.mark.parametrize(
    ("head", "said"),
    [("x", "x is no head"), ("1:2:3", "is no head"), ("9:0", "There is no head 0 in layer 9")],
)
def test_the_users_mistakes(switch_off, head, said):
    status, out, complaint = switch_off(TEXT, "--head", head, "--no-log")
    assert (status, out) == (2, "")
    assert said in complaint
