"""`ask continuation`, as a person or a script uses it, and over a file."""

import csv
import json

MODEL = ("--model", "gpt2-miniature")


def found(run, *arguments):
    status, out, complaint = run(
        "ask", "continuation", "The chef cooked the", *MODEL, *arguments, "--json", "--no-log"
    )
    assert status == 0, complaint
    return json.loads(out)


def test_json_has_the_tokens_and_the_text(run):
    answer = found(run, "--strategy", "greedy", "--max-new-tokens", 4)
    assert [one["token"] for one in answer["tokens"]] == ["Ġmeal", "Ġin", "Ġthe", "Ġkitchen"]
    assert answer["text"] == " meal in the kitchen"
    assert all(0 < one["probability"] <= 1 and one["id"] > 0 for one in answer["tokens"])


def test_options_are_declared_and_the_same_seed_draws_the_same(run):
    drawn = ("--strategy", "combined", "--temperature", 2, "--top-k", 30, "--top-p", 0.95)
    cuts = ("--min-p", 0.01, "--typical-p", 0.9, "--max-new-tokens", 6, "--seed")
    first, again, other = (found(run, *drawn, *cuts, seed) for seed in (1, 1, 2))
    assert first["tokens"] == again["tokens"]
    assert first["text"] != other["text"]
    beams = found(run, "--strategy", "beam", "--num-beams", 2, "--max-new-tokens", 3)
    assert {one["fate"] for one in beams["tree"]} == {"kept", "pruned", "ended"}


def test_what_is_out_of_range_is_one_line(run):
    status, _, complaint = run("ask", "continuation", "The chef", *MODEL, "--top-p", 0, "--no-log")
    assert status == 2
    assert "--top-p can't be 0" in complaint


def test_a_file_has_a_row_a_sentence(run, tmp_path):
    lines = ["The chef cooked the", "Today is Friday. Tomorrow is"]
    file, csv_file = tmp_path / "some.txt", tmp_path / "some.csv"
    file.write_text("\n".join(lines), encoding="utf-8")
    status, _, complaint = run(
        *("over", file, "--ask", "continuation", *MODEL, "--max-new-tokens", 3),
        *("--csv", csv_file, "--no-log"),
    )
    assert status == 0, complaint
    with csv_file.open(encoding="utf-8-sig", newline="") as opened:
        rows = list(csv.DictReader(opened))
    assert [row["text"] for row in rows] == lines
    assert rows[0]["continuation"] == "meal in the"
    assert rows[1]["continuation"].startswith("Saturday")
    assert all(float(row["mean_surprisal"]) > 0 for row in rows)


def test_a_replay_from_the_log_draws_the_same(run):
    drawn = ("--strategy", "temperature", "--temperature", 2, "--seed", 8, "--max-new-tokens", 6)
    taken = ("--taken", "Ġfish,Ġin")
    status, out, complaint = run(
        "ask", "continuation", "The chef cooked the", *MODEL, *drawn, *taken, "--json"
    )
    assert status == 0, complaint
    text = json.loads(out)["text"]
    assert text.startswith(" fish in")
    status, out, complaint = run("sessions", "list", "--json")
    (logged,) = json.loads(out)["runs"]
    status, out, complaint = run("sessions", "replay", logged["id"], "--json")
    assert status == 0, complaint
    assert json.loads(out)["same"] is True
