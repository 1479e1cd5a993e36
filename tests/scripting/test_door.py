"""`import explorer`: what it asks is what the command line asks, and it refuses the same."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import explorer
from explorer import cli
from explorer.api.question import Mask
from explorer.command_line.options.look_options import looks_of
from explorer.scripting import asking, listing, mistakes, model, process, runs
from explorer.scripting.requests import options_of
from explorer.sessions.read.reader import SessionReader
from tests.series.moments import frames_of

ROOT = Path(__file__).resolve().parents[2]
CHEF = "the chef cooked the [MASK] ."
PLAIN = "the chef cooked the meal ."


def test_import_brings_nothing_before_it_is_needed():
    code = (
        "import sys, explorer; explorer.open; explorer.Mistake;"
        "print({'torch', 'transformers', 'PySide6', 'pyqtgraph', 'numpy'} & set(sys.modules))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert ran.stdout.strip() == "set()", ran.stderr


def test_its_names_are_those_of_the_stub():
    stub = (ROOT / "explorer/__init__.pyi").read_text("utf-8")
    named = {line.split()[5] for line in stub.splitlines() if line.startswith("from")}
    assert named == set(explorer._DOOR)
    assert explorer.ask is asking.ask
    assert explorer.open is model.open
    assert explorer.Mistake is mistakes.Mistake
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = explorer.nothing


def test_a_moment_of_a_series_is_opened_by_its_step(door, tmp_path):
    run = frames_of("distilbert-miniature", tmp_path / "run", (10, 100))
    early, late = (door.open(run, step=step) for step in (10, 100))
    assert early.name == str(run / "checkpoint-10")
    assert early.fingerprint != late.fingerprint
    assert door.open(run).fingerprint == late.fingerprint
    assert early.masked_tokens(CHEF).frame is not None
    with pytest.raises(explorer.Mistake, match="no step 11"):
        door.open(run, step=11)


def test_it_answers_what_the_command_line_answers(door, capsys, tmp_path):
    bert = door.open("bert-miniature")
    answer = bert.ask("masked_tokens", CHEF, top_k=3)
    words = ["ask", "masked_tokens", CHEF, "--top-k", "3", "--json", "--no-log", "--csv"]
    file = tmp_path / "rows.csv"
    profile = ["--profile", str(tmp_path / "profile"), "--device", "cpu"]
    assert cli.main([*profile, *words, str(file)]) == 0
    told = json.loads(capsys.readouterr().out)
    one = answer.result.masks[0].predictions[0]
    assert told["masks"][0]["predictions"][0]["probability"] == one.probability
    answer.to_csv(tmp_path / "same.csv")
    assert (tmp_path / "same.csv").read_bytes() == file.read_bytes()
    assert answer.summary["mask 1"] == one.token
    assert one.token in answer.headline
    assert "bert-miniature (family bert, fingerprint" in answer.caption
    assert [stamp.id for stamp in answer.models.values()] == ["bert-miniature"]


def test_a_question_is_a_method_with_its_options_in_help(door):
    bert = door.open("bert-miniature")
    with_method = bert.masked_tokens(CHEF, top_k=3, logged=False)
    assert with_method.table == bert.ask("fill_mask", CHEF, top_k=3, logged=False).table
    assert "masked_tokens" in dir(bert)
    assert "a whole number from 1 to 1,000,000" in bert.masked_tokens.__doc__
    with pytest.raises(AttributeError, match="'masked_tokns'; did you mean masked_tokens"):
        bert.masked_tokns(CHEF)


def test_masks_are_words_places_or_masks(door):
    bert = door.open("bert-miniature")
    ways = ("meal", ["meal"], [(20, 24)], ["20-24"], [Mask(20, 24)])
    first, *others = (bert.masked_tokens(PLAIN, masks=way, logged=False) for way in ways)
    assert first.request.masks == (Mask(20, 24),)
    assert all(one.table == first.table for one in others)


def test_several_models_play_roles_and_what_redraws_is_followed(door):
    roles = {"teacher": "bert-miniature", "student": door.open("distilbert-miniature")}
    answer = door.ask("soft_targets", CHEF, **roles, temperature=4)
    assert [stamp.id for stamp in answer.models.values()] == [
        "bert-miniature",
        "distilbert-miniature",
    ]
    assert "T = 4" in answer.headline
    method = door.open("bert-miniature").soft_targets(CHEF, **roles, logged=False)
    assert "T = 4" not in method.headline
    half = door.open("bert-miniature").soft_targets(CHEF, student=roles["student"], logged=False)
    assert half.models == method.models
    assert door.log()[0].headline == answer.headline


def test_values_are_refused_with_a_sentence_and_what_to_do(door):
    bert = door.open("bert-miniature")
    for options, sentence, advice in (
        ({"top_k": 0}, "top_k can't be 0.", "Give a whole number from 1 to 1,000,000."),
        ({"topk": 3}, "masked_tokens has no option topk.", "Did you mean top_k?"),
        ({"masks": "soup"}, 'There is no word "soup"', "Write one of its words"),
        ({"top_k": "many"}, "top_k: 'many' is not a whole number", "Give"),
        ({"student": "bert-miniature"}, "has no option student", "Its options are"),
    ):
        with pytest.raises(explorer.Mistake) as caught:
            bert.masked_tokens(PLAIN, **options)
        assert sentence in str(caught.value)
        assert any(note.startswith(advice) for note in getattr(caught.value, "__notes__", [advice]))
    with pytest.raises(explorer.Mistake, match='no question "masked_token"') as caught:
        bert.ask("masked_token", PLAIN)
    assert "masked_tokens" in caught.value.__notes__[0]
    with pytest.raises(explorer.Mistake, match="no checkpoint named nobody"):
        door.open("nobody")
    assert door.log() == door.log()[:0], "what was mistyped is not logged"


def test_a_model_is_loaded_once_and_let_go(door):
    first, again = door.open("bert-miniature"), door.open("bert-miniature")
    assert first == again
    opened = [door.open(name) for name in ("distilbert-miniature", "tinybert-miniature")]
    assert {one.name for one in opened} == {"distilbert-miniature", "tinybert-miniature"}
    with opened[0] as distilbert:
        assert distilbert.fingerprint
    with pytest.raises(explorer.Mistake, match="was closed"):
        distilbert.masked_tokens(CHEF)
    assert first.masked_tokens(CHEF, logged=False).result.masks
    assert "BERT" in repr(first)


def test_a_model_gives_its_numbers(door, tmp_path):
    bert = door.open("bert-miniature")
    found = bert.values(CHEF, "states", "logits")
    assert set(found.arrays) >= {"states", "log_probabilities"}
    assert found.arrays["states"].values.shape == (5, len(found.tokens), 128)
    found.save(tmp_path / "values.npz")
    with np.load(tmp_path / "values.npz") as saved:
        np.testing.assert_array_equal(saved["states"], found.arrays["states"].values)
    with pytest.raises(explorer.Mistake, match="can't be written as values"):
        found.save(tmp_path / "values.txt")
    masked = bert.values(PLAIN, "logits", masks="meal").arrays["log_probabilities"].values
    answer = bert.masked_tokens(PLAIN, masks="meal", logged=False).result.masks[0]
    best = answer.predictions[0]
    assert masked[answer.position].argmax() == best.id
    assert bert.loaded.module.config.hidden_size == 128


def test_the_log_is_searched_and_read(door, tmp_path):
    bert = door.open("bert-miniature")
    asked = bert.masked_tokens(CHEF, top_k=4)
    bert.surprisal("the nurse is here .")
    bert.masked_tokens("the nurse [MASK] here .", logged=False)
    assert [one.operation for one in door.log().summaries] == ["surprisal", "masked_tokens"]
    found = door.log("chef", question="masked_tokens")
    assert len(found) == 1
    assert found[0].table == asked.table
    assert found[0].caption.rpartition(" ")[0] == asked.caption.rpartition(" ")[0]
    assert found[asked.id].request == asked.request
    assert [one.question for one in door.log()] == ["surprisal", "masked_tokens"]
    assert "chef" in repr(found) or "masked_tokens" in repr(found)
    with pytest.raises(explorer.Mistake, match="no run"):
        door.log()["ZZ"]
    session = SessionReader(tmp_path / "profile/data/sessions.db").sessions()
    assert [one.name for one in session] == ["Python"]


def test_a_file_is_asked_sentence_by_sentence(door, tmp_path):
    file = tmp_path / "two.txt"
    file.write_text(f"{PLAIN}\nthe nurse is here .\n", "utf-8")
    answer = door.ask_file(file, "surprisal", model="bert-miniature")
    assert answer.table.column("text") == (PLAIN, "the nurse is here .")
    alone = door.ask("surprisal", PLAIN, model="bert-miniature", logged=False)
    mine = {name: answer.table.column(name)[0] for name in answer.table.columns}
    for name, value in alone.summary.items():
        assert mine[name] == pytest.approx(value, abs=1e-6), name
    with pytest.raises(explorer.Mistake, match="no option methd"):
        door.ask_file(file, "surprisal", methd="original")


def test_an_answer_says_which_columns_of_a_table_it_took_for_what(door, tmp_path):
    file = tmp_path / "two.csv"
    file.write_text(f"note,text,pair\na,{PLAIN},he ate it .\nb,the nurse is here .,so .\n", "utf-8")
    asked = {"model": "bert-miniature", "logged": False}
    found = door.ask_file(file, "sentence_pair", **asked)
    assert "second text from “pair”" in found.read_as
    assert found.read_as in repr(found)
    alone = door.ask_file(file, "surprisal", pair_column=None, **asked)
    assert "text from column 2, “text”" in alone.read_as
    assert "second" not in alone.read_as
    assert alone.table.column("pair") == (None, None)
    named = door.ask_file(file, "surprisal", column="text", pair_column="note", **asked)
    assert "second text from “note”" in named.read_as
    assert door.ask("surprisal", PLAIN, **asked).read_as == ""


def test_entities_and_second_texts(door):
    ernie = door.open("ernie-thu-miniature")
    text = "Anna works in the kitchen ."
    answer = ernie.masked_tokens(text, masks="kitchen", entities=["Anna=Q7"], logged=False)
    assert answer.request.entities[0].entity == "Q7"
    pair = door.ask("sentence_pair", PLAIN, pair="he ate it .", model="bert-miniature")
    assert pair.request.pair == "he ate it ."


def test_models_and_plugins_are_listed(door):
    assert listing.models is door.models
    assert "bert-miniature" in [one.id for one in door.models()]
    assert "\nbert-miniature  BERT miniature\n" in repr(door.models())
    assert "bert" in [one.id for one in door.plugins()]


def test_offline_downloads_nothing(door, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("TRANSFORMERS_OFFLINE", "1")
    door.offline()
    with pytest.raises(explorer.Trouble, match="the program is offline"):
        door.open("google-bert/bert-base-uncased", download=True)


def test_no_option_hides_what_every_question_takes():
    from explorer.questions import all_questions

    for operation in all_questions().values():
        names = {*options_of(operation), *looks_of(operation)}
        assert not names & {"logged", "exact", *operation.roles}, operation.name


def test_runs_are_of_the_process_that_looked(door):
    assert isinstance(door.log(), runs.LoggedRuns)
    assert process.current().program.paths.sessions.name == "sessions.db"
