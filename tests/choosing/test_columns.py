"""The table of models: cells equal what is found without it; what nobody knows is empty."""

import csv
import json
import math
from dataclasses import replace

import pytest
from safetensors.torch import load_file

from explorer.api.family.checkpoint import Source
from explorer.choosing.asked import asked_of
from explorer.choosing.columns import in_order, rows_of, table_of
from explorer.choosing.times import SENTENCE, KeptTimes, times_file
from explorer.engine.library.training_notes import with_training
from explorer.published.literature import score_tables, training_costs
from explorer.questions import all_questions, answered_with
from tests.hf.kept import MODELS, lend_to_commands, miniature

TIMED = "electra-miniature-discriminator"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    from explorer.paths import Paths
    from explorer.program import Program

    return Program(Paths.profile(tmp_path_factory.mktemp("profile")), device="cpu", offline=True)


@pytest.fixture(scope="module")
def host(program):
    return program.plugin_host()


@pytest.fixture(scope="module")
def library(program, host):
    return {one.id: one for one in program.catalogue(host).list()}


def test_numbers_are_those_of_the_weights(library):
    names = ("bert-miniature", "albert-miniature", "t5-miniature")
    free = 5_000_000
    rows = {one.id: one for one in rows_of(library.values(), (), free)}
    for name in names:
        # Tied weights are stored once.
        stored = load_file(MODELS / name / "model.safetensors").values()
        parameters = sum(one.numel() for one in stored if one.is_floating_point())
        row = rows[name]
        assert (row.parameters, row.memory) == (parameters, 4 * parameters)
        assert row.fits == ("float32" if 4 * parameters <= free else "float16")
        assert row.download == (MODELS / name / "model.safetensors").stat().st_size
    assert sum(one.numel() for one in miniature("bert-miniature").module.parameters()) == (
        rows["bert-miniature"].parameters
    )
    # As much as its files say of what was trained here, and nothing of what was not.
    assert rows["bert-miniature"].trained_on == "the small world, in English"
    assert (rows["bert-miniature"].steps, rows["bert-miniature"].training_seconds) == (8500, 1980.0)
    card = (MODELS / "bert-miniature" / "README.md").read_text(encoding="utf-8")
    assert "| 86.5% | 88.2% |" in card
    assert (rows["bert-miniature"].right, rows["bert-miniature"].right_best) == (0.865, 0.882)
    assert rows["bert-miniature"].licence == "MIT"
    film = rows["bert-film@step8000"]
    curve = (MODELS.parent / "films" / "bert-film" / "curve.jsonl").read_text(encoding="utf-8")
    last = json.loads(curve.splitlines()[-1])
    assert last["step"] == film.steps
    assert film.multiply_adds == last["multiply_adds"]
    published = rows["google-bert/bert-base-uncased"]
    assert (published.steps, published.seconds, published.flops) == (None, None, None)
    assert published.heads == "Masked language model, Next sentence"


def test_notes_that_nobody_can_read_cost_no_row(library, tmp_path):
    run = tmp_path / "run"
    frame = run / "checkpoint-8"
    frame.mkdir(parents=True)
    row = replace(library["bert-miniature"], folder=str(frame), training=None)
    assert with_training(row) is row
    plan = json.loads((MODELS.parent / "films" / "bert-film" / "plan.json").read_text("utf-8"))
    (run / "plan.json").write_text(json.dumps(plan | {"format": 99}), encoding="utf-8")
    rows = ({"step": 4, "tokens": 30, "seconds": 1.5}, {"step": 12, "tokens": 90, "seconds": 4.5})
    (run / "curve.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in rows), "utf-8")
    # As far as the frame was trained, whichever version of the program made the plan.
    notes = with_training(row).training
    assert (notes.steps, notes.tokens, notes.seconds, notes.corpus) == (8, 30, 1.5, "")
    (run / "curve.jsonl").write_text('{"step": 4, "tokens": "many"}\n', encoding="utf-8")
    assert with_training(row) is row


def test_published_figures_are_of_models_that_are_listed_and_all_were_checked(library):
    rows = {one.id: one for one in rows_of(library.values(), (), 0)}
    named = [(table, row) for table in score_tables() for row in table.rows if row.of]
    assert {row.of for _table, row in named} <= library.keys()
    for table, row in named:
        said = dict(zip(table.columns, row.scores, strict=True))
        shown = rows[row.of]
        assert (shown.mnli, shown.sst2, shown.squad2) == tuple(
            map(said.get, ("MNLI", "SST-2", "SQuAD 2.0 F1"))
        )
        assert shown.scores_source == f"{table.source}: {row.model}"
    for cost in training_costs():
        assert (rows[cost.of].flops, rows[cost.of].flops_source) == (cost.flops, cost.source)
        assert "table" in cost.source
        assert "not checked" not in cost.source
    assert sum(one.mnli is not None for one in rows.values()) == len(named)


def test_who_can_be_asked_is_who_answers_once_loaded(library):
    for name in ("bert-miniature", TIMED, "gpt2-miniature"):
        answered = answered_with(miniature(name).ports)
        for question in all_questions().values():
            if question.roles:
                found = asked_of(question, library[name])
                assert (question.first_role in found.roles) == (question.name in answered)
                assert bool(found.roles) != bool(found.why), question.name
    replaced, architecture = (all_questions()[one] for one in ("replaced_tokens", "architecture"))
    assert asked_of(replaced, library[TIMED]).roles == ("discriminator",)
    assert "discriminator" in asked_of(replaced, library["gpt2-miniature"]).why
    # Its weights were never published: its config can be read, and nothing else be asked.
    unreleased = library["gpt3-175b"]
    assert unreleased.source is Source.CONFIG
    assert asked_of(architecture, unreleased).roles == ("model",)
    assert asked_of(replaced, unreleased).why == unreleased.problem
    away = library["google/electra-small-discriminator"]
    assert away.problem
    assert asked_of(replaced, away).roles == ("discriminator",)


def test_rows_are_sorted_with_what_is_empty_at_the_end(library):
    rows = rows_of(library.values(), (), 10**9)
    table = table_of(rows, asked=False)
    for falls in (False, True):
        sizes = [rows[n].parameters for n in in_order(table, "parameters", falls=falls)]
        there = [one for one in sizes if one is not None]
        assert there == sorted(there, reverse=falls)
        assert sizes[: len(there)] == there
        scores = [rows[n].mnli for n in in_order(table, "mnli", falls=falls)]
        count = sum(one is not None for one in scores)
        assert None not in scores[:count]
        assert scores[:count] == sorted(scores[:count], reverse=falls)
    names = [rows[n].model for n in in_order(table, "model")]
    assert names == sorted(names, key=str.casefold)


def test_the_command_line_measures_what_is_asked_for_alone(program, library, monkeypatch, capsys):
    from explorer import cli

    lend_to_commands(monkeypatch)
    profile = program.paths.config.parent
    seen = ("models", "--where", "bundled", "--family", "electra")

    def run(*words):
        status = cli.main(["--profile", str(profile), "--device", "cpu", *map(str, words)])
        out = capsys.readouterr().out
        assert status == 0
        return out

    run(*seen, "--answers", "replaced-tokens", "--measure")
    (kept,) = KeptTimes(times_file(program.paths.cache)).all()
    assert kept.checkpoint == TIMED
    assert (kept.device, kept.dtype) == ("cpu", "float32")
    assert kept.fastest <= kept.lower <= kept.seconds <= kept.upper
    assert kept.tokens == len(miniature(TIMED).encode(SENTENCE, None, ()).tokens)
    path = profile / "models.csv"
    listed = json.loads(run(*seen, "--json", "--csv", path, "--asked", "replaced-tokens"))
    cells = [one["table"] for one in listed]
    assert [one["id"] for one in cells if one["seconds"] is not None] == [TIMED]
    timed = next(one for one in cells if one["id"] == TIMED)
    assert math.isclose(timed["seconds"], kept.seconds)
    assert timed["measured_as"].startswith("float32 on cpu")
    # Who can be asked comes first; the file has the same cells.
    can = [one["asked"] != "no" for one in cells]
    assert can == sorted(can, reverse=True)
    with path.open(encoding="utf-8-sig", newline="") as file:
        written = list(csv.DictReader(file))
    for row, one in zip(written, cells, strict=True):
        assert row == {name: "" if cell is None else str(cell) for name, cell in one.items()}
    told = run(*seen, "--columns", "model,seconds", "--sort", "seconds").splitlines()
    assert told[1].startswith("ELECTRA miniature, discriminator")
    assert told[1].endswith("s")
    # Other files of the same name, as of a folder that was trained anew, have no time.
    one = library[TIMED]
    assert rows_of([one], [kept], 0)[0].seconds == kept.seconds
    assert rows_of([one], [replace(kept, parameters=1)], 0)[0].seconds is None
    # Whether other programs were at work is measured, and said of the time.
    assert 0.0 < kept.share <= 1.0
    quiet = replace(kept, fastest=kept.seconds, share=1.0)
    (row,) = rows_of([one], [quiet], 0)
    assert (row.measured_as, row.is_rough) == ("float32 on cpu", False)
    (row,) = rows_of([one], [replace(quiet, fastest=kept.seconds / 3)], 0)
    assert "scatter" in row.measured_as
    assert row.is_rough
    (row,) = rows_of([one], [replace(quiet, share=0.5)], 0)
    assert row.measured_as.endswith("while other programs were at work: measure it again")
    assert row.is_rough
