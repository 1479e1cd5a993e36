"""`download` against a small hub: the whole, or the tokenizer alone, which is then laid beside."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from explorer import cli
from explorer.paths import Paths
from tests.hub.small_hub import COMMIT, small_hub

ROOT = Path(__file__).resolve().parents[2]
BERT, OTHER = "google-bert/bert-base-uncased", "somebody/gpt"
MODELS = Paths.standard().bundled_models


@pytest.fixture
def hub(monkeypatch):
    """The miniatures under other names, and a repository without a tokenizer."""
    with small_hub() as running:
        monkeypatch.setenv("HF_ENDPOINT", running.address)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        for name, folder in ((BERT, "bert-miniature"), (OTHER, "gpt2-miniature")):
            files = (MODELS / folder).iterdir()
            running.add(name, {file.name: file.read_bytes() for file in files})
        bare = {"config.json": b'{"model_type": "bert"}', "tokenizer_config.json": b"{}"}
        running.add("somebody/bare", {**bare, "model.safetensors": b"weights"})
        yield running


@pytest.fixture
def run(tmp_path, capsys, monkeypatch):
    """Run a command; gives its exit status and what it wrote."""
    monkeypatch.setenv("HF_HOME", str(tmp_path / "huggingface"))

    def call(*arguments):
        status = cli.main(["--profile", str(tmp_path / "profile"), "--device", "cpu", *arguments])
        return status, *capsys.readouterr()

    return call


def fetched(hub):
    return {r.path.rpartition("/")[2] for r in hub.requests if "/resolve/" in r.path}


@pytest.mark.parametrize("name", [BERT, OTHER])
def test_a_tokenizer_alone_comes_without_weights_and_is_laid_beside_the_others(hub, run, name):
    status, out, err = run("download", name, "--tokenizer", "--json")
    assert (status, err) == (0, "")
    row = json.loads(out)
    assert (row["source"], row["folder"]) == ("hub", None)
    assert row["note"].startswith("Only its tokenizer is on this computer.")
    assert "config.json" in fetched(hub)
    assert "tokenizer.json" in fetched(hub)
    assert not fetched(hub) & {"model.safetensors", "README.md", "curve.json"}
    (line,) = [line for line in run("models")[1].splitlines() if line.startswith(name)]
    assert "tokenizer here" in line

    ask = ("ask", "side_by_side", "the chef", "--json", "--no-log")
    status, out, err = run(*ask, "--tokenizers", f"{name},bert-miniature")
    assert (status, err) == (0, "")
    assert [one["tokenizer"] for one in json.loads(out)["tokenizers"]] == [name, "bert-miniature"]
    # Among all that are here it is one of those with its vocabulary.
    told = json.loads(run(*ask)[1])["cuttings"]
    alike = [{one["checkpoint"], *one["alike"]} for one in told]
    assert sum(name in one for one in alike) == 1


def test_its_steps_are_followed_as_well(hub, run):
    run("download", OTHER, "--tokenizer")
    asked = ("ask", "merge_steps", "unbelievable", "--tokenizer", OTHER, "--json", "--no-log")
    status, out, _ = run(*asked)
    assert (status, json.loads(out)["tokenizer"]) == (0, OTHER)
    assert json.loads(out)["agrees"]


def test_the_rest_of_it_comes_later_and_no_file_twice(hub, run):
    run("download", BERT, "--tokenizer")
    before = fetched(hub)
    hub.requests.clear()
    status, out, _ = run("download", BERT)
    assert status == 0
    assert out.startswith("BERT base, uncased is on this computer: ")
    assert "model.safetensors" in fetched(hub)
    assert not fetched(hub) & before
    rows = json.loads(run("models", "--json")[1])
    (row,) = [one for one in rows if one["id"] == BERT]
    assert (row["source"], row["tokenizer_folder"]) == ("cache", None)


def test_offline_it_is_refused_in_a_sentence(hub, run):
    status, out, err = run("--offline", "download", BERT, "--tokenizer")
    assert (status, out, hub.requests) == (2, "", [])
    assert err == (
        f"The tokenizer of {BERT} can't be downloaded: the program is offline. "
        "Start it without --offline to download.\n"
    )


def test_the_hub_is_searched_by_words_and_nothing_is_fetched(hub, run):
    card = {"language": "en", "license": "mit"}
    config = {"model_type": "bert", "architectures": ["BertForMaskedLM"]}
    hub.facts[BERT] = {"cardData": card, "config": config, "downloads": 1234}
    hub.gated.add("somebody/bare")
    hub.add("somebody/vit-b", {"config.json": b"{}", "model.safetensors": b"weights"})
    hub.facts["somebody/vit-b"] = {"config": {"model_type": "vit"}}
    status, out, err = run("download", "--search", "b")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    names = ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json")
    size = sum((MODELS / "bert-miniature" / name).stat().st_size for name in names)
    assert (status, err, fetched(hub)) == (0, "", set())
    assert lines[0].startswith("NAME SIZE TYPE")
    assert lines[1] == f"{BERT} {size / 1e6:.2f} MB bert BertForMaskedLM en MIT 1,234"
    ends = {line.split()[0]: line for line in lines}
    assert ends["somebody/bare"].endswith("0 gated")
    assert ends["somebody/vit-b"].endswith("0 no plugin knows its type")
    (row,) = json.loads(run("download", "--search", OTHER, "--json")[1])
    assert (row["id"], row["is_gated"], row["problem"]) == (OTHER, False, None)
    status, out, _ = run("download", "--search", "nothing")
    assert (status, out) == (
        0,
        "The hub has no model for “nothing”: try fewer words, or others.\n",
    )
    hub.requests.clear()
    status, _, err = run("--offline", "download", "--search", "bert")
    assert (status, hub.requests) == (2, [])
    assert err.startswith("The hub can't be searched: the program is offline.")


def test_without_a_network_it_says_so(hub, run, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    status, out, err = run("download", BERT, "--tokenizer")
    assert (status, out) == (1, "")
    assert err.count("\n") == 1
    assert "refuses connections" in err


def test_what_has_no_tokenizer_is_refused(hub, run):
    status, _, err = run("download", "somebody/bare", "--tokenizer")
    assert (status, fetched(hub)) == (1, set())
    assert "has no tokenizer this program can read" in err
    status, _, err = run("download", "nobody/nothing", "--tokenizer")
    assert status == 2
    assert "no checkpoint nobody/nothing on the hub" in err


def test_stopped_with_ctrl_c_it_goes_on_from_there(hub, run, tmp_path):
    vocabulary = hub.repositories[BERT]["tokenizer.json"]
    vocabulary.bytes_per_second = 10_000
    command = [sys.executable, str(ROOT / "main.py"), "--profile", str(tmp_path / "profile")]
    process = subprocess.Popen(
        [*command, "download", BERT, "--tokenizer"], stderr=subprocess.PIPE, encoding="utf-8"
    )
    try:
        partials = tmp_path / "huggingface" / "hub"
        while not any(one.stat().st_size > 3000 for one in partials.rglob("*.incomplete")):
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert err == "Stopped. What has come is kept: the same command goes on from there.\n"
    assert process.returncode == 130
    vocabulary.bytes_per_second = 0
    hub.requests.clear()
    assert run("download", BERT, "--tokenizer")[0] == 0
    (asked,) = hub.asked_for("tokenizer.json")
    assert int(asked.range.removeprefix("bytes=").rstrip("-")) > 3000


@pytest.fixture
def steps(hub):
    """Three steps of a model's training: two branches and a tag, whose weights differ."""
    import torch
    from safetensors.torch import load_file, save

    files = {one.name: one.read_bytes() for one in (MODELS / "bert-miniature").iterdir()}
    weights = load_file(MODELS / "bert-miniature" / "model.safetensors")
    for step in (10, 100, 1000):
        moved = {
            name: one * (1 + 1 / step) if one.is_floating_point() else one
            for name, one in weights.items()
        }
        files["model.safetensors"] = save({k: v.to(torch.float32) for k, v in moved.items()})
        hub.add_revision(BERT, f"step{step}", files, is_tag=step == 1000)
    return hub


def test_branches_tags_and_commits_are_listed(steps, run):
    status, out, err = run("download", BERT, "--revisions")
    assert (status, err) == (0, "")
    lines = [line.split()[:2] for line in out.splitlines()[1:]]
    assert lines[:4] == [
        ["main", "branch"],
        ["step10", "branch"],
        ["step100", "branch"],
        ["step1000", "tag"],
    ]
    assert lines[4] == [COMMIT, "commit"]
    assert not fetched(steps)


def test_a_revision_is_kept_apart_from_the_main_branch_and_runs_say_its_commit(
    steps, run, tmp_path
):
    commit = steps.revisions[BERT]["step100"].commit
    status, out, _ = run("download", BERT, "--revision", "step100", "--size")
    assert (status, fetched(steps)) == (0, set())
    assert out.startswith(f"{BERT}@step100: ")
    status, out, _ = run("download", BERT, "--revision", "step100", "--json")
    row = json.loads(out)
    assert (status, row["id"], row["commit"]) == (0, f"{BERT}@step100", commit)
    assert Path(row["folder"]).name == commit
    # The main branch is still to be downloaded.
    rows = {one["id"]: one for one in json.loads(run("models", "--json")[1])}
    assert rows[BERT]["source"] == "hub"
    assert rows[f"{BERT}@step100"]["source"] == "cache"

    run("download", BERT)
    run("download", f"{BERT}@{steps.revisions[BERT]['step10'].commit}")
    ask = ("ask", "masked_tokens", "the chef [MASK] it", "--json", "--caption", "file")
    tables, caption = [], tmp_path / "table.caption.txt"
    for typed, kept, at in (
        ("", "", COMMIT),
        ("@step100", "@step100", commit),
        (f"@{commit[:8]}", f"@{commit}", commit),
    ):
        named = ("--model", f"{BERT}{typed}", "--csv", str(tmp_path / "table.csv"))
        tables.append(json.loads(run(*ask, *named)[1])["table"])
        assert f"{BERT}{kept} {at}" in caption.read_text()
    assert tables[0] != tables[1] == tables[2]


def test_steps_are_chosen_from_the_list_and_said_with_their_sizes(steps, run):
    status, out, err = run("download", BERT, "--steps", "50-1000")
    assert status == 0
    assert err.startswith(f"{BERT}@step100: ")
    assert "Together at most" in err
    assert out.count("is on this computer") == 2
    status, _, err = run("download", BERT, "--steps", "11")
    assert status == 2
    assert "Its steps are 10, 100, 1000." in err
    status, _, err = run("download", OTHER, "--steps", "all")
    assert status == 2
    assert "no branch or tag of a step" in err


def test_a_revision_that_is_not_there_is_said_in_a_sentence(steps, run):
    status, _, err = run("download", BERT, "--revision", "step11")
    assert status == 2
    assert f"{BERT} has no branch, tag or commit step11." in err
    status, _, err = run("download", f"{BERT}@../../x")
    assert status == 2
    assert "no name of a branch" in err
    status, _, err = run("ask", "masked_tokens", "a [MASK]", "--model", "nobody/nothing@step1")
    assert status == 2
    assert "download nobody/nothing --revision step1" in err
    status, _, err = run("--offline", "download", BERT, "--revisions")
    assert status == 2
    assert "the program is offline" in err
