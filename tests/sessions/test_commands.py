"""What the command line asks of the log is plain data."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from explorer.api.question import MachineFault, UserMistake
from explorer.sessions import commands
from explorer.sessions.log.log import SessionLog
from explorer.sessions.read.listing import RunFilter
from explorer.text.formatting import dates


@pytest.fixture
def ids(database, samples, answers):
    with SessionLog(database, "commands") as log:
        found = [
            log.record(samples.fill_mask_run(), answers),
            log.record(samples.tokenize_run(), answers),
            log.record(samples.failed_run(), answers),
        ]
    assert answers.take(3) == [None] * 3
    return found


def test_list_and_search(database, ids):
    listed = commands.list_runs(database)
    assert [run["id"] for run in listed] == ids[::-1]
    assert json.loads(json.dumps(listed)) == listed
    assert commands.list_runs(database, RunFilter(operation="tokens")) == [listed[1]]
    assert commands.list_runs(database, RunFilter("soup")) == [listed[2]]
    assert commands.list_runs(database, limit=1, before=ids[2]) == [listed[1]]
    with pytest.raises(UserMistake, match="At least one run"):
        commands.list_runs(database, limit=0)


def test_show(database, ids, samples):
    shown = json.loads(json.dumps(commands.show_run(database, ids[0])))
    assert shown["result"]["masks"][0]["predictions"][0]["word"] == "soup"
    assert shown["document"]["text"] == "I liked the soup"
    assert shown["table"]["columns"] == list(samples.fill_mask_run().table.columns)
    assert shown["caption"].startswith("Masked tokens.")
    assert shown["caption"].endswith(f" {shown['summary']['created_at']}.")
    read = commands.show_run(database, ids[0], in_file=False)["caption"]
    assert read.endswith(f" {dates.in_full(shown['summary']['created_at'])}.")
    assert commands.show_run(database, ids[2])["failure"]["message"] == "Nothing is masked."


@pytest.mark.parametrize("name", ["table.csv", "table.JSON"])
def test_export(database, ids, tmp_path, name):
    target = tmp_path / name
    done = commands.export_run(database, ids[0], target)
    assert done == {"id": ids[0], "file": str(target), "rows": 4}
    written = target.read_bytes().decode("utf-8")
    assert "soup" in written


def test_what_cannot_be_exported(database, ids, tmp_path):
    with pytest.raises(UserMistake, match="failed and has no table: Nothing is masked"):
        commands.export_run(database, ids[2], tmp_path / "a.csv")
    with pytest.raises(UserMistake, match="can't be written as xlsx"):
        commands.export_run(database, ids[0], tmp_path / "a.xlsx")
    with pytest.raises(UserMistake, match="a file without an ending"):
        commands.export_run(database, ids[0], tmp_path / "a")
    with pytest.raises(UserMistake, match="There is no run"):
        commands.show_run(database, "nope")
    with pytest.raises(MachineFault, match="does not exist"):
        commands.export_run(database, ids[0], tmp_path / "absent" / "a.csv")


def test_two_runs_are_compared(database, samples, answers):
    with SessionLog(database) as log:
        first = log.record(samples.fill_mask_run(), answers)
        words = (("soup", 0.41), ("tea", 0.2))
        second = log.record(samples.fill_mask_run("I hated the soup", words=words), answers)
        third = log.record(samples.tokenize_run(), answers)
    assert answers.take(3) == [None] * 3
    compared = commands.compare_runs(database, first, second)
    assert not compared.same
    assert "another text" in compared.sentence
    assert "probability" in compared.table.columns[-4]
    again = commands.compare_runs(database, first, first)
    assert again.same
    assert again.sentence == "The same answer, to the last digit."
    with pytest.raises(UserMistake, match="can't be compared"):
        commands.compare_runs(database, first, third)


def test_requests_are_compared_and_not_documents(database, samples, answers):
    """What only the command line sets is in no document; options of other pages are in every."""
    run = samples.fill_mask_run()
    elsewhere = run.document.with_option("attention.layer", 3)
    more = replace(run.request, top_k=run.request.top_k + 5)
    words = (("soup", 0.31), ("tea", 0.2))
    with SessionLog(database) as log:
        first = log.record(run, answers)
        other = samples.fill_mask_run(words=words)
        moved = log.record(replace(other, document=elsewhere), answers)
        longer = log.record(replace(other, request=more), answers)
    assert answers.take(3) == [None] * 3
    unknown = "the machine adds numbers in another order"
    assert unknown in commands.compare_runs(database, first, moved).sentence
    sentence = commands.compare_runs(database, first, longer).sentence
    assert f"another value of Top ({run.request.top_k} then, {more.top_k} now)" in sentence


def test_an_exported_run_names_both_models_and_what_was_set(tmp_path):
    stored = Path(__file__).parents[1] / "stored_runs" / "every-question-schema-4.db"
    (run,) = commands.list_runs(stored, RunFilter(operation="replaced_tokens"))
    commands.export_run(stored, run["id"], tmp_path / "rows.csv", "file")
    said = (tmp_path / "rows.caption.txt").read_text("utf-8")
    assert "Generator: electra-miniature-generator (family electra, fingerprint " in said
    assert "Settings: Replaced = 50 %." in said
    commands.export_run(stored, run["id"], tmp_path / "rows.json")
    told = json.loads((tmp_path / "rows.json").read_text("utf-8"))
    assert told["caption"] == said.rstrip("\n")
    assert [one["role"] for one in told["provenance"]["models"]] == ["discriminator", "generator"]
    assert told["provenance"]["options"]["rate"] == 0.5
    assert told["provenance"]["seed"] == 7
