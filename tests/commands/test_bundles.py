"""`sessions bundle` and `sessions open`: runs that another machine asks again."""

import json
import zipfile
from dataclasses import replace

import pytest

from explorer.command_line.asking import asked_again
from explorer.sessions.bundle import data_files, reading
from explorer.sessions.bundle.contents import BundledRun


@pytest.fixture
def bundle(told, tmp_path):
    told("ask", "masked_tokens", "the [MASK] sat .", "--top-k", "3")
    told("ask", "soft_targets", "the [MASK] sat .", "--top-k", "2")
    file = tmp_path / "runs.zip"
    assert "2 runs are in" in told("sessions", "bundle", file, "all", "--no-pictures")
    return file


def opened(told, file, *words):
    return json.loads(told("sessions", "open", file, "--no-log", "--json", *words))["runs"]


def test_on_a_machine_with_the_same_models_they_are_the_same(told, bundle):
    found = opened(told, bundle)
    assert [one["verdict"] for one in found] == ["same", "same"]
    assert [one["operation"] for one in found] == ["masked_tokens", "soft_targets"]
    assert all(one["sentence"].startswith("The same answer") for one in found)
    out = told("sessions", "open", bundle, "--no-log")
    assert "masked_tokens  bert-miniature  the same" in out
    assert "soft_targets  bert-miniature, distilbert-miniature  the same" in out


@pytest.fixture
def changed(bundle, monkeypatch):
    """Open the bundle with its first run changed."""
    runs = reading.read_bundle(bundle)

    def change(**changes):
        first = replace(runs[0], **changes)
        monkeypatch.setattr(reading, "read_bundle", lambda _path: (first,))

    change.stamp = runs[0].models["model"]
    change.rows = runs[0].rows
    return change


def test_another_answer_is_told_with_its_reasons(told, bundle, changed):
    at = next(n for n, cell in enumerate(changed.rows[0]) if isinstance(cell, float))
    first = tuple(0.5 if n == at else cell for n, cell in enumerate(changed.rows[0]))
    other = replace(changed.stamp, fingerprint="f" * 32)
    changed(rows=(first, *changed.rows[1:]), models={"model": other})
    (found,) = opened(told, bundle)
    assert found["verdict"] == "different"
    assert "The answer differs" in found["sentence"]
    assert "other weights, tokenizer or config of the model" in found["sentence"]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("my-own-bert", "The model my-own-bert is missing: it was a folder"),
        (
            "google-bert/bert-large-uncased",
            "The model google-bert/bert-large-uncased is missing: plm-explorer download",
        ),
    ],
)
def test_a_model_that_is_not_here_and_how_it_is_got(told, bundle, changed, name, sentence):
    changed(models={"model": replace(changed.stamp, id=name)})
    (found,) = opened(told, bundle)
    assert found["verdict"] == "missing"
    assert found["sentence"].startswith(sentence)


def test_what_cannot_be_asked_costs_no_other_run_its_verdict(told, bundle, monkeypatch):
    first, second = reading.read_bundle(bundle)
    gone = replace(first, operation="somebodys_own")
    odd = replace(first, request={"text": 3})
    empty = replace(first, request={**first.request, "masks": [], "text": "nothing"})
    runs: tuple[BundledRun, ...] = (gone, odd, empty, second)
    monkeypatch.setattr(reading, "read_bundle", lambda _path: runs)
    found = opened(told, bundle)
    assert [one["verdict"] for one in found] == ["missing", "unreadable", "unreadable", "same"]
    assert "somebodys_own" in found[0]["sentence"]
    assert "can't be read by this version" in found[1]["sentence"]
    assert "Nothing is masked" in found[2]["sentence"]
    assert {*asked_again.BundleVerdict} >= {one["verdict"] for one in found}


@pytest.fixture
def of_a_file(told, tmp_path):
    """A bundle of a run over a file that is not here any more."""
    folder = tmp_path / "private"
    folder.mkdir()
    texts, file = folder / "texts.txt", tmp_path / "texts.zip"
    texts.write_text("the cat sat .\nthe dog sat .\n", "utf-8")
    told("ask", "file_of_sentences", texts, "surprisal")

    def bundled():
        said = told("sessions", "bundle", file, "all", "--no-pictures")
        texts.unlink()
        return file, said

    return bundled


def test_a_small_file_goes_with_its_run(told, of_a_file):
    file, said = of_a_file()
    assert "Too large" not in said
    with zipfile.ZipFile(file) as archive:
        (name,) = (one for one in archive.namelist() if one.endswith("files/texts.txt"))
        assert archive.read(name).startswith(b"the cat sat")
        run = archive.read(name.replace("files/texts.txt", "run.json"))
    assert b"private" not in run
    (found,) = opened(told, file)
    assert found["verdict"] == "same", found["sentence"]


def test_of_a_large_file_it_is_said_that_it_is_needed(told, of_a_file, monkeypatch):
    monkeypatch.setattr(data_files, "LARGEST_FILE", 10)
    file, said = of_a_file()
    assert "Too large to be in it, though runs read them: texts.txt" in said
    (found,) = opened(told, file)
    assert (found["verdict"], "texts.txt" in found["sentence"]) == ("missing", True)


@pytest.mark.parametrize("name", ["../../texts.txt", "/texts.txt", "..", "a\\b", "c:d", ""])
def test_no_file_of_a_bundle_leads_elsewhere(name):
    assert not data_files.is_plain(name)


def test_pictures_are_of_pages_that_need_no_model(told, tmp_path):
    told("ask", "masked_tokens", "the [MASK] sat .", "--top-k", "3")
    file = tmp_path / "drawn.zip"
    told("sessions", "bundle", file, "all")
    with zipfile.ZipFile(file) as archive:
        (picture,) = (name for name in archive.namelist() if name.endswith("page.png"))
        assert archive.read(picture).startswith(b"\x89PNG")
        assert str(tmp_path).encode() not in archive.read(picture)


def test_mistakes_are_told(run, tmp_path):
    status, _out, err = run("sessions", "open", tmp_path / "gone.zip")
    assert status != 0
    assert "gone.zip" in err
    status, _out, err = run("sessions", "bundle", tmp_path / "some.zip", "all")
    assert (status, "No run is logged that fits" in err) == (2, True)
