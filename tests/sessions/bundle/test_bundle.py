"""Chosen runs in one file: what is in it, what is not, and how much of a foreign one is read."""

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from explorer.api.question import MachineFault, UserMistake
from explorer.sessions.bundle import reading
from explorer.sessions.bundle.contents import BundledRun, name_of
from explorer.sessions.bundle.reading import is_bundle, read_bundle
from explorer.sessions.bundle.writing import write_bundle
from explorer.sessions.log.log import SessionLog
from explorer.sessions.read.reader import SessionReader

PRIVATE = "/home/somebody/secret project/models/my-bert"


@pytest.fixture
def ids(database, samples, answers):
    run = samples.fill_mask_run()
    stamp = replace(run.models["model"], id=PRIVATE)
    document = run.document.with_option("file_of_sentences.path", f"{PRIVATE}/texts/some.csv")
    mine = replace(
        run, models={"model": stamp}, result=replace(run.result, model=stamp), document=document
    )
    with SessionLog(database, "bundle") as log:
        found = [
            log.record(mine, answers),
            log.record(samples.fill_mask_run("/usr/bin/soup is a path"), answers),
            log.record(samples.failed_run(), answers),
        ]
    assert answers.take(3) == [None] * 3
    return found


@pytest.fixture
def bundle(database, ids, tmp_path):
    written = write_bundle(database, ids, tmp_path / "some.zip", lambda _run: b"a picture")
    assert (written.runs, written.pictures) == (3, 3)
    return tmp_path / "some.zip"


def test_runs_come_back_as_they_were(bundle, database, ids):
    assert is_bundle(bundle)
    runs = read_bundle(bundle)
    assert [one.id for one in runs] == ids
    reader = SessionReader(database)
    for one in runs:
        then, now = reader.run(one.id), one.stored()
        assert now.request == then.request
        assert now.table == then.table
        assert now.document.text == then.document.text
        assert now.document.masks == then.document.masks
        assert (now.versions, now.seed) == (then.versions, then.seed)
        # What the weights are is their hash, on whatever path they lie.
        assert [m.fingerprint for m in now.models.values()] == [
            m.fingerprint for m in then.models.values()
        ]
    assert runs[2].failure.startswith("Nothing is masked")


def test_texts_answers_pictures_and_captions_are_files_to_read(bundle, ids):
    with zipfile.ZipFile(bundle) as archive:
        names = archive.namelist()
        assert {
            f"runs/{ids[0]}/{one}" for one in ("run.json", "table.csv", "caption.txt", "page.png")
        } <= {*names}
        assert f"runs/{ids[2]}/table.csv" not in names  # it failed
        assert json.loads(archive.read("bundle.json"))["runs"] == ids


def test_no_private_path_is_in_it(bundle, database, tmp_path):
    with zipfile.ZipFile(bundle) as archive:
        whole = b"".join(archive.read(name) for name in archive.namelist()).decode()
    for private in (PRIVATE, "secret project", "somebody", str(tmp_path), str(Path.home())):
        assert private not in whole, [whole[max(0, whole.find(private) - 90) :][:200]]
    assert "my-bert" in whole
    # What a model read is no path of a file.
    assert "/usr/bin/soup is a path" in whole


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("/home/me/model", "model"),
        ("C:\\Users\\me\\model", "model"),
        ("/home/me/model/", "model"),
        ("google-bert/bert-base-cased", "google-bert/bert-base-cased"),
        ("and/or", "and/or"),
        ("/", "/"),
        ("s/he", "s/he"),
    ],
)
def test_names_of_paths(text, name):
    assert name_of(text) == name


def test_what_can_be_no_bundle(database, ids, tmp_path):
    with pytest.raises(UserMistake, match="is no name of a bundle"):
        write_bundle(database, ids, tmp_path / "some.tar")
    with pytest.raises(UserMistake, match="No run is logged that fits"):
        write_bundle(database, [], tmp_path / "some.zip")
    with pytest.raises(UserMistake, match="There is no run"):
        write_bundle(database, ["nope"], tmp_path / "some.zip")
    with pytest.raises(MachineFault):
        write_bundle(database, ids, tmp_path / "gone" / "some.zip")
    assert not (tmp_path / "some.zip").exists()


def changed(bundle, target, **members):
    """A bundle with other members; None takes one out."""
    with zipfile.ZipFile(bundle) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        kept = {name: old.read(name) for name in old.namelist()}
        for name, content in {**kept, **members}.items():
            if content is not None:
                new.writestr(name, content)
    return target


def test_a_bundle_of_somebody_else_is_bounded(bundle, ids, tmp_path, monkeypatch):
    first = f"runs/{ids[0]}/run.json"
    listed = {"kind": "plm-explorer bundle", "version": 1, "runs": ids}

    def refused(why, **members):
        with pytest.raises(UserMistake, match=why):
            read_bundle(changed(bundle, tmp_path / "other.zip", **members))

    refused("larger than any run", **{first: b"[" + b"0," * 20_000_000 + b"0]"})  # packs well
    refused("nested too deeply", **{first: b"[" * 500 + b"]" * 500})
    refused("is missing in it", **{first: None})
    refused("is no bundle", **{first: b"not JSON"})
    refused("is no bundle", **{first: b'{"id": 3}'})
    refused("does not say that it is one", **{"bundle.json": b"{}"})
    refused("newer version", **{"bundle.json": json.dumps({**listed, "version": 2})})
    for runs in (["../../etc"], "all", [1], ids * 1000):
        refused("does not list its runs", **{"bundle.json": json.dumps({**listed, "runs": runs})})
    monkeypatch.setattr(reading, "MOST_MEMBERS", 3)
    refused("has more than 3 files")
    monkeypatch.undo()
    monkeypatch.setattr(reading, "MOST_BYTES", 100)
    refused("larger than any run")
    monkeypatch.undo()
    monkeypatch.setattr(reading, "LARGEST", 100)
    refused("takes more than")


def test_what_is_no_zip_file_at_all(tmp_path):
    other = tmp_path / "some.zip"
    other.write_bytes(b"PK nonsense")
    assert not is_bundle(other)
    with pytest.raises(UserMistake, match=r"some\.zip is no bundle of runs, or is damaged"):
        read_bundle(other)
    with pytest.raises(UserMistake):
        read_bundle(tmp_path / "gone.zip")
    assert not is_bundle(tmp_path)
    assert not is_bundle(Path("/dev/null"))


def test_a_question_of_a_plugin_that_is_gone(bundle):
    run = replace(read_bundle(bundle)[0], operation="somebodys_own")
    assert isinstance(run, BundledRun)
    assert run.stored().request is None
