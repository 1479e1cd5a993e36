"""The `architecture` command, in process."""

import csv
import json
from functools import partial

import pytest

from explorer.cli import main


@pytest.fixture
def anatomy(told):
    return partial(told, "--offline", "architecture")


def test_one_json_object_with_these_keys(anatomy):
    out = anatomy("google/electra-small-discriminator", "--json", "--no-log")
    assert out.count("\n") == 1
    answer = json.loads(out)
    wanted = {"model", "family", "parameters", "layers", "hidden_size", "heads", "vocabulary"}
    assert wanted | {"memory_bytes", "published", "tree"} <= set(answer)
    assert answer["family"] == "electra"
    assert set(answer["parameters"]) == {"total", "unique", "embedding", "backbone", "head"}
    assert answer["parameters"]["unique"] == 13_549_057
    assert (answer["layers"], answer["hidden_size"], answer["heads"]) == (12, 256, 4)
    for one in answer["published"]:
        assert {"what", "value", "source"} <= set(one)
    assert sum(part["parameters"] for part in answer["tree"]) == 13_549_057


def test_for_people(anatomy):
    out = anatomy("albert/albert-base-v2", "--length", "512", "--no-log")
    assert "11,221,680" in out
    assert "ALBERT base" in out
    assert "counted from its config alone, heads: masked LM" in " ".join(out.split())
    assert "Memory, for one text of 512 tokens" in out
    assert "Lan et al. 2020" in out


def test_a_config_file_and_a_table(anatomy, tmp_path):
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"model_type": "gpt2", "n_layer": 2, "n_embd": 8, "n_head": 2}))
    table = tmp_path / "out.csv"
    answer = json.loads(anatomy(str(config), "--json", "--csv", str(table), "--no-log"))
    assert answer["layers"] == 2
    with table.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert any(row["part"] == "transformer.h.*" for row in rows)


def test_two_models_with_their_weights(anatomy):
    out = anatomy(
        "distilbert-miniature", "--against", "bert-miniature", "--weights", "--json", "--no-log"
    )
    answer = json.loads(out)
    assert answer["ancestry"]["came_from"] == [0, 2]
    out = anatomy("gpt3-small", "--against", "gpt3-medium", "--no-log")
    assert "GPT-3 Medium" in out


def test_the_numbers_of_a_part(anatomy):
    out = anatomy("bert-miniature", "--weights", "--part", "bert.pooler", "--no-log")
    assert "bert.pooler\n" in out
    assert out.index("mean") < out.index("dense.weight")


def test_what_if(anatomy):
    wide = ("google-bert/bert-base-uncased", "--no-log", "--what-if", "layers=24")
    answer = json.loads(anatomy(*wide, "--what-if", "sharing=all", "--json"))
    before, after = answer["parameters"], answer["changed"]["parameters"]
    assert 12 * after["backbone"] == before["backbone"]
    assert f"{2 * before['backbone']:,}" in anatomy(*wide)
    err = anatomy(*wide, "--what-if", "colour=3", status=2)
    assert "colour can't be changed" in err
    err = anatomy(*wide, "--what-if", "hidden_size=770", status=2)
    assert "12 heads" in err


def test_no_such_model(anatomy):
    err = anatomy("no/such-model", "--no-log", status=2)
    assert "no checkpoint named" in err


def test_it_is_logged(anatomy, tmp_path, capsys):
    anatomy("gpt3-small")
    code = main(["--profile", str(tmp_path / "profile"), "sessions", "--json"])
    runs = json.loads(capsys.readouterr().out)["runs"]
    assert code == 0
    assert [(run["operation"], run["model_id"]) for run in runs] == [("architecture", "gpt3-small")]
