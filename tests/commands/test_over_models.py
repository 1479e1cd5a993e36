"""`over FILE --ask Q --models M,N`: many models, one file of results; stopped, it goes on."""

import csv
import json
import signal
import sqlite3
import time
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from explorer.files_of_sentences.rows import ResultsReader
from explorer.sessions.read.reader import SessionReader
from tests import warm_program

ROOT = Path(__file__).resolve().parents[2]
MODELS = ("bert-miniature", "gpt2-miniature", "roberta-miniature")
LINES = ["the cat sat.", "the movie was great.", "", "the chef cooked the meal."]
PATIENCE = 240.0


@pytest.fixture
def over(run):
    return partial(run, "over")


@pytest.fixture
def sentences(tmp_path):
    path = tmp_path / "some.txt"
    path.write_text("\n".join(LINES), encoding="utf-8")
    return path


def rows_of(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_each_row_is_what_its_model_alone_answers(over, sentences, tmp_path, profile):
    target = tmp_path / "all.csv"
    names = ",".join(MODELS)
    status, out, err = over(
        sentences, "--models", names, "--csv", target, "--json", "--caption", "file"
    )
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert (found["count"], found["done"], found["failed"]) == (9, 9, 0)
    assert [one["model"]["id"] for one in found["models"]] == list(MODELS)
    said = (tmp_path / "all.caption.txt").read_text(encoding="utf-8")
    assert all(f"Model: {name} (" in said for name in MODELS)
    rows = rows_of(target)
    assert [(row["line"], row["model"]) for row in rows] == [
        (line, name) for line in ("1", "2", "4") for name in MODELS
    ]
    assert [len(row) for row in ResultsReader(Path(found["results"])).every()] == [
        len(found["columns"])
    ] * 9
    for name in MODELS:
        alone = tmp_path / f"{name}.csv"
        assert over(sentences, "--model", name, "--csv", alone, "--no-log")[0] == 0
        own = [row for row in rows if row["model"] == name]
        for mine, one in zip(own, rows_of(alone), strict=True):
            assert {key: mine[key] for key in one} == one
    logged = SessionReader(profile / "data" / "sessions.db").runs()
    assert sorted(one.model_id for one in logged) == sorted(MODELS)


def test_in_columns_a_sentence_is_a_row_with_cells_of_each_model(over, sentences, tmp_path):
    target = tmp_path / "all.csv"
    names = "bert-miniature,gpt2-miniature,tinybert-miniature"
    asked = (sentences, "--models", names, "--in-columns", "--no-log", "--json")
    status, out, err = over(*asked, "--csv", target)
    assert (status, err) == (0, "")
    told = json.loads(out)
    assert (told["count"], told["done"], len(told["results"])) == (3, 3, 3)
    rows = rows_of(target)
    assert [row["line"] for row in rows] == ["1", "2", "4"]
    column = "pseudo-perplexity · {}"
    for row in rows:
        first, third = (float(row[column.format(name)]) for name in names.split(",")[::2])
        found = float(row[column.format("difference of tinybert-miniature")])
        assert found == pytest.approx(third - first)
        assert row[column.format("gpt2-miniature")] == ""
    alone = tmp_path / "alone.csv"
    over(sentences, "--model", "gpt2-miniature", "--csv", alone, "--no-log")
    for row, one in zip(rows, rows_of(alone), strict=True):
        assert row["perplexity · gpt2-miniature"] == one["perplexity"]


def test_one_model_alone_is_not_laid_in_columns(over, sentences):
    status, _, err = over(sentences, "--models", "bert-miniature", "--in-columns")
    assert status == 2
    assert "--in-columns lays 2 to 8 models side by side." in err


def test_a_person_reads_every_model_and_what_failed(over, sentences):
    status, out, err = over(
        sentences, "--ask", "masked_tokens", "--models", "bert-miniature,roberta-miniature"
    )
    assert status == 2  # no sentence has an answer
    assert "3 sentences failed by BERT miniature:" in err
    assert "3 sentences failed by RoBERTa miniature:" in err
    assert "RoBERTa miniature  (roberta, " in out
    assert out.count("3 of 3 sentences") == 2
    assert out.count("rows: ") == 1


def test_what_the_answers_of_a_model_say_together_is_told_of_each(over, tmp_path):
    file = tmp_path / "masked.txt"
    file.write_text("the chef cooked the [MASK] .\nthe [MASK] cooked the meal .\n", "utf-8")
    names = ("bert-miniature", "tinybert-miniature")
    asked = (file, "--ask", "exact_answers", "--no-log", "--json")
    _, out, _ = over(*asked, "--models", ",".join(names))
    together = json.loads(out)["models"]
    alone = [json.loads(over(*asked, "--model", name)[1]) for name in names]
    assert together[0]["pooled"] != together[1]["pooled"]
    for key in ("pooled", "pooled_table"):
        assert [one[key] for one in together] == [one[key] for one in alone]


def test_pairs_are_judged_by_each_model_alone_though_two_could_be_asked_at_once(over, tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(
        "text,pair,label\n"
        "The nurse helped the patients.,She used a thermometer.,0\n"
        "The nurse helped the patients.,The drivers drove the taxi.,1\n",
        "utf-8",
    )
    names = ("bert-miniature", "mobilebert-miniature")
    asked = (path, "--ask", "sentence_pair", "--json", "--no-log")
    status, out, err = over(*asked, "--models", ",".join(names))
    assert (status, err) == (0, "")
    told = json.loads(out)
    assert [one["model"]["id"] for one in told["models"]] == list(names)
    assert "second_label" not in told["columns"]
    alone = [json.loads(over(*asked, "--model", name)[1]) for name in names]
    assert [one["pooled"] for one in told["models"]] == [one["pooled"] for one in alone]


def test_a_failed_sentence_has_a_row_for_each_model(over, sentences, tmp_path):
    sentences.write_text("the [MASK] sat.\nno mask here.\n", "utf-8")
    target = tmp_path / "all.csv"
    models = "bert-miniature,distilbert-miniature"
    arguments = (sentences, "--ask", "masked_tokens", "--models", models, "--no-log")
    assert over(*arguments, "--csv", target)[0] == 0
    rows = rows_of(target)
    assert [bool(row["failure"]) for row in rows] == [False, False, True, True]
    assert [row["model"] for row in rows] == models.split(",") * 2
    _, out, _ = over(*arguments, "--json")
    assert json.loads(out)["failed"] == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--models", "bert-miniature,nobody"), "no checkpoint named nobody"),
        (("--models", ","), "names no model"),
        (
            (
                "--ask",
                "masked_tokens",
                "--models",
                "bert-miniature,electra-miniature-discriminator",
            ),
            "electra-miniature-discriminator does not answer",
        ),
        (("--ask", "distillation_losses", "--models", "bert-miniature"), "two models at once"),
        (("--models", "bert-miniature", "--second", "gpt2-miniature"), "--second is for"),
        (
            (
                "--ask",
                "sentence_pair",
                "--models",
                "bert-miniature,albert-miniature",
                "--second",
                "ernie-miniature",
            ),
            "--second is for",
        ),
    ],
)
def test_mistakes_are_told_before_anyone_is_asked(over, sentences, profile, arguments, words):
    status, out, err = over(sentences, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert words in err
    assert not list(profile.rglob("*.results.db"))


def counts(profile):
    """How many rows each results file has now."""
    found = {}
    for place in (profile / "data" / "results").glob("*.results.db"):
        with closing(sqlite3.connect(f"file:{place}?mode=ro", uri=True)) as database:
            try:
                found[place] = database.execute("SELECT count(*) FROM rows").fetchone()[0]
            except sqlite3.Error:
                found[place] = 0
    return found


def test_stopped_in_the_second_model_it_goes_on_there(over, profile, tmp_path):
    """A real process and a real Ctrl-C; what the first model answered is not asked again."""
    count = 400
    path = tmp_path / "many.txt"
    lines = [f"the cat number {each:05} liked the meal." for each in range(count)]
    path.write_text("\n".join(lines), encoding="utf-8")
    names = ("gpt2-miniature", "bert-miniature")
    arguments = (path, "--ask", "surprisal", "--models", ",".join(names), "--no-log")
    process = warm_program.start("--profile", profile, "--device", "cpu", "over", *arguments)
    try:
        give_up = time.monotonic() + PATIENCE
        while len(kept := counts(profile)) < 2 or not all(kept.values()):
            assert process.poll() is None, process.ended()
            assert time.monotonic() < give_up
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
    except BaseException:
        process.kill()
        raise
    done = process.ended()
    assert (done.returncode, done.stdout) == (130, ""), done.stderr
    assert "goes on from there" in done.stderr
    stopped = counts(profile)
    assert max(stopped.values()) == count
    assert 0 < min(stopped.values()) < count
    before = {place: list(ResultsReader(place).every())[:kept] for place, kept in stopped.items()}

    status, out, _ = over(*arguments, "--json")
    assert status == 0
    found = json.loads(out)
    assert (found["done"], found["count"], found["failed"]) == (2 * count, 2 * count, 0)
    for place, rows in before.items():
        assert list(ResultsReader(place).every())[: len(rows)] == rows
    together = list(ResultsReader(Path(found["results"])).every())
    own = found["columns"].index("model")
    assert [(row[1], row[own]) for row in together] == [
        (line, name) for line in lines for name in names
    ]
    again = json.loads(over(*arguments, "--json")[1])
    assert (again["results"], again["done"]) == (found["results"], 2 * count)
