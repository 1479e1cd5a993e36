"""The command line: options anywhere, exit statuses, clean output; with a played model."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from explorer import __version__, cli
from explorer.api.question import (
    CheckpointFault,
    MaskPredictions,
    ModelStamp,
    Prediction,
    Token,
    Unavailable,
    UserMistake,
)
from explorer.program import Program
from explorer.questions.masking.masked_tokens.question import MaskedTokensResult
from tests import users_python

ROOT = Path(__file__).resolve().parent.parent
STAMP = ModelStamp("bert-miniature", "bert", "f" * 32, "cpu", "float32")
RESULT = MaskedTokensResult(
    STAMP,
    (Token("[CLS]", 1, 0, 0, special=True), Token("[MASK]", 2, 0, 6, special=False, masked=True)),
    (
        MaskPredictions(
            1,
            (Prediction("soup", 7, 0.5, "soup", 1), Prediction("국", 8, 0.25, "국", 2)),
            None,
            1.25,
        ),
    ),
)


class PlayedRunner:
    """Loads in no time and answers what it is told."""

    is_apart = False

    def __init__(self, answer=RESULT):
        self.answer = answer
        self.models = {}
        self.cards = {}
        self.loaded = []
        self.asked = []

    def load(self, slot, checkpoint_id, options, context):
        if checkpoint_id == "nobody":
            raise UserMistake("There is no checkpoint named nobody.", "Choose one.")
        if checkpoint_id == "damaged":
            raise CheckpointFault("model.safetensors is cut short.", "Fetch it again.")
        print("a library that prints")
        self.loaded.append((checkpoint_id, options))
        self.cards[slot] = SimpleNamespace(languages=(), stamp=STAMP, title="Miniature")

    def versions(self):
        return {}

    def ask(self, request, slot, context):
        print("a library that prints")
        self.asked.append(request)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.fixture
def runner(monkeypatch):
    played = PlayedRunner()
    monkeypatch.setattr(Program, "runner", lambda self: played)
    return played


@pytest.fixture(autouse=True)
def no_settings_of_the_hub(environment_is_put_back, monkeypatch):
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_HUB_CACHE"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)


@pytest.fixture
def profile(tmp_path):
    return ["--profile", str(tmp_path / "profile")]


def parse(*arguments):
    return cli.build_parser(cli.all_commands()).parse_args(arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--device", "cuda:1", "--offline", "--safe-mode", "--profile", "p", "models"],
        ["models", "--device", "cuda:1", "--offline", "--safe-mode", "--profile", "p"],
        ["--offline", "--profile", "p", "models", "--safe-mode", "--device", "cuda:1"],
        ["sessions", "list", "--device", "cuda:1", "--offline", "--safe-mode", "--profile", "p"],
        ["--offline", "sessions", "--safe-mode", "search", "x", "--profile=p", "--device=cuda:1"],
    ],
)
def test_global_options_stand_before_or_after_the_command(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HF_HOME")
    program = cli.read_program(parse(*arguments))
    assert (program.device, program.offline, program.safe_mode) == ("cuda:1", True, True)
    assert program.paths.data == tmp_path / "p" / "data"
    assert os.environ["HF_HUB_OFFLINE"] == os.environ["TRANSFORMERS_OFFLINE"] == "1"
    assert os.environ["HF_HUB_CACHE"] == str(tmp_path / "p" / "hub")


def test_defaults_reach_the_network_only_where_asked_and_never_tell_on_the_user(own_folders):
    program = cli.read_program(parse())
    assert (program.device, program.offline, program.safe_mode) == ("auto", False, False)
    assert own_folders in program.paths.data.parents
    assert "HF_HUB_OFFLINE" not in os.environ
    assert os.environ["HF_HUB_DISABLE_TELEMETRY"] == "1"


def test_commands_are_the_files_of_the_folder():
    files = {path.stem for path in (ROOT / "explorer/commands").rglob("*.py")} - {"__init__"}
    assert set(cli.all_commands()) == {name.replace("_", "-") for name in files}
    assert {"models", "fill", "sessions", "tour", "test"} <= files


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nonsense"], "nonsense"),
        (["fill"], "TEXT"),
        (["fill", "x", "--top", "0"], "number from 1 on"),
        (["fill", "x", "--top", "many"], "number from 1 on"),
        (["--device", "toaster", "models"], "toaster"),
        (["test"], "python main.py test"),
        (["sessions", "show", "01NOSUCHRUN"], "01NOSUCHRUN"),
    ],
)
def test_mistakes_get_one_line_and_status_two(arguments, words, capsys):
    assert cli.main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert words in said.err
    assert said.err.count("\n") == 1, said.err


def test_profile_that_is_a_file_is_a_mistake(tmp_path, capsys):
    (tmp_path / "file").touch()
    assert cli.main(["--profile", str(tmp_path / "file"), "models"]) == 2
    assert "is not a folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("model", "status", "words"),
    [("nobody", 2, "no checkpoint named nobody"), ("damaged", 1, "Fetch it again.")],
)
def test_whose_fault_it_is_decides_the_status(runner, profile, capsys, model, status, words):
    assert cli.main([*profile, "fill", "a [MASK]", "--model", model]) == status
    said = capsys.readouterr()
    assert words in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)


def test_a_bug_shows_its_traceback_and_is_status_one(runner, profile, capsys):
    runner.answer = ZeroDivisionError("oops")
    assert cli.main([*profile, "fill", "a [MASK]"]) == 1
    said = capsys.readouterr()
    assert "Traceback" in said.err
    assert "ZeroDivisionError: oops" in said.err.splitlines()[-1]


def test_ctrl_c_ends_quietly(runner, profile, capsys):
    runner.ask = lambda *_: (_ for _ in ()).throw(KeyboardInterrupt)
    assert cli.main([*profile, "fill", "a [MASK]"]) == 130
    assert "Traceback" not in capsys.readouterr().err


def test_fill_asks_what_was_typed(runner, profile):
    arguments = ["fill", "a [MASK]", "--pair", "b", "--top", "3", "-m", "x", "--allow-pickle"]
    assert cli.main([*profile, "--device", "cpu", *arguments]) == 0
    request = runner.asked[0]
    assert (request.text, request.pair, request.top_k) == ("a [MASK]", "b", 3)
    model, options = runner.loaded[0]
    assert (model, options.device, options.allow_pickle) == ("x", "cpu", True)


def test_fill_reads_stdin(runner, profile, monkeypatch):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(read=lambda: "from [MASK]\n"))
    assert cli.main([*profile, "fill", "-"]) == 0
    assert runner.asked[0].text == "from [MASK]"


def test_fill_for_people(runner, profile, capsys):
    assert cli.main([*profile, "fill", "[MASK]"]) == 0
    said = capsys.readouterr()
    lines = said.out.splitlines()
    assert lines[0] == "Miniature  (bert, float32 on cpu)"
    assert "mask 1 of 1, token 1  (entropy 1.25 nats)" in lines
    assert lines[-2].split() == ["1", "soup", "0.5000", "█" * 15]
    assert lines[-1].split() == ["2", "국", "0.2500", "█" * 7 + "▌"]
    assert "a library that prints" in said.err


def test_fill_as_json_prints_one_object_with_the_results_fields(runner, profile, capsys):
    assert cli.main([*profile, "fill", "[MASK]", "--json"]) == 0
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    found = json.loads(out)
    assert list(found) == ["operation", "model", "tokens", "masks", "left_out", "note", "table"]
    assert found["model"]["fingerprint"] == "f" * 32
    assert found["masks"][0]["predictions"][1] == {
        "token": "국", "id": 8, "probability": 0.25, "word": "국", "rank": 2, "ids": [],
        "glue": "",
    }  # fmt: skip


def test_fill_writes_the_table_as_csv(runner, profile, tmp_path):
    target = tmp_path / "table.csv"
    assert cli.main([*profile, "fill", "[MASK]", "--csv", str(target)]) == 0
    with target.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["word"], float(row["probability"])) for row in rows] == [
        ("soup", 0.5),
        ("국", 0.25),
    ]


@pytest.mark.parametrize("place", ["file", "comment"])
def test_the_caption_of_a_csv_goes_where_it_is_wanted(runner, profile, tmp_path, place):
    target = tmp_path / "table.csv"
    assert cli.main([*profile, "fill", "[MASK]", "--csv", str(target), "--caption", place]) == 0
    first, *rows = target.read_text(encoding="utf-8-sig").splitlines()
    beside = tmp_path / "table.caption.txt"
    assert beside.exists() == (place == "file")
    said = beside.read_text(encoding="utf-8") if place == "file" else first
    assert ("Masked tokens" in said, "fingerprint ffffffffffff" in said) == (True, True)
    assert len(rows) == (2 if place == "file" else 3)


def test_csv_that_cannot_be_written_is_said(runner, profile, tmp_path, capsys):
    assert cli.main([*profile, "fill", "[MASK]", "--csv", str(tmp_path / "no/such/x.csv")]) != 0
    said = capsys.readouterr()
    assert said.out == ""
    assert "x.csv" in said.err
    assert "Traceback" not in said.err


def listed(profile, capsys, *arguments):
    capsys.readouterr()
    assert cli.main([*profile, "sessions", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)["runs"]


def test_runs_are_logged_failed_ones_too_unless_told_not_to(runner, profile, capsys):
    assert cli.main([*profile, "fill", "first [MASK]"]) == 0
    assert cli.main([*profile, "fill", "secret [MASK]", "--no-log"]) == 0
    runner.answer = Unavailable("This model has no masked-LM head.")
    assert cli.main([*profile, "fill", "second [MASK]"]) == 2
    runs = listed(profile, capsys, "list")
    assert [(run["text"], run["failed"]) for run in runs] == [
        ("second [MASK]", True),
        ("first [MASK]", False),
    ]
    assert [run["text"] for run in listed(profile, capsys, "search", "first")] == ["first [MASK]"]
    assert listed(profile, capsys, "list", "--model", "other") == []


def test_sessions_show_export_and_replay(runner, profile, capsys, tmp_path):
    cli.main([*profile, "fill", "first [MASK]"])
    run_id = listed(profile, capsys, "list")[0]["id"]

    assert cli.main([*profile, "sessions", "show", run_id]) == 0
    out = capsys.readouterr().out
    assert "first [MASK]" in out
    assert "soup" in out

    target = tmp_path / "run.csv"
    assert cli.main([*profile, "sessions", "export", run_id, str(target)]) == 0
    assert "soup" in target.read_text("utf-8-sig")
    capsys.readouterr()

    assert cli.main([*profile, "sessions", "replay", run_id]) == 0
    assert capsys.readouterr().out == "The same answer, to the last digit.\n"
    assert runner.asked[-1] == runner.asked[0]
    assert len(listed(profile, capsys, "list")) == 2

    mask = RESULT.masks[0]
    changed = (Prediction("soup", 7, 0.5 + 2**-10, "soup", 1), mask.predictions[1])
    runner.answer = MaskedTokensResult(
        STAMP, RESULT.tokens, (MaskPredictions(1, changed, None, 1.25),)
    )
    assert cli.main([*profile, "sessions", "replay", run_id, "--no-log"]) == 0
    assert "differs: by up to 0.000977, in the column probability" in capsys.readouterr().out


def test_without_a_command_the_log_is_listed_for_people(runner, profile, capsys):
    assert cli.main([*profile, "sessions"]) == 0
    assert capsys.readouterr().err == "No run is logged that fits.\n"
    cli.main([*profile, "fill", "first [MASK]"])
    capsys.readouterr()
    assert cli.main([*profile, "sessions"]) == 0
    assert "first [MASK]" in capsys.readouterr().out
    for arguments in (["--json"], ["--json", "list"], ["list", "--json"]):
        assert cli.main([*profile, "sessions", *arguments]) == 0
        assert len(json.loads(capsys.readouterr().out)["runs"]) == 1


@pytest.mark.parametrize(
    ("variables", "platform", "expected"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"QT_QPA_PLATFORM": "offscreen"}, "linux", True),
        ({}, "darwin", True),
        ({}, "win32", True),
    ],
)
def test_display_is_looked_for_on_linux_only(variables, platform, expected):
    assert cli.has_display(variables, platform) is expected


def test_no_display_means_the_tour(monkeypatch, capsys, profile, tmp_path):
    taken = []
    monkeypatch.setattr(cli, "has_display", lambda environment: False)
    monkeypatch.setattr("explorer.commands.tour.take", lambda program, out: taken.append(out) or 0)
    monkeypatch.chdir(tmp_path)
    assert cli.main(profile) == 0
    assert taken == [Path("tour")]
    assert f"taking the tour instead, into {tmp_path / 'tour'}" in capsys.readouterr().err


def test_missing_libraries_are_named_before_the_window_is_tried(monkeypatch, capsys, profile):
    from explorer import system_libraries

    monkeypatch.setattr(cli, "has_display", lambda environment: True)
    monkeypatch.setattr(system_libraries, "missing", lambda wanted: wanted[:1])
    assert cli.main(profile) == 1
    assert "libGL.so.1" in capsys.readouterr().err


def test_version_is_the_packages():
    ran = subprocess.run(
        [sys.executable, "-m", "explorer.cli", "--version"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stdout) == (0, f"PLM Explorer {__version__}\n")


def test_scripts_of_the_users_are_not_taken_for_what_is_installed(tmp_path):
    scripts = users_python.folder_of_scripts(tmp_path / "scripts")
    path = os.pathsep.join(filter(None, (str(scripts), os.environ.get("PYTHONPATH"))))
    # Python itself looks there for its own library until the program begins.
    for name in ("queue", "random"):
        (scripts / f"{name}.py").unlink()
    command = [sys.executable, "-m", "explorer.cli", "--profile", str(tmp_path / "profile")]
    ran = subprocess.run(
        [*command, "fill", "the chef cooked the [MASK] .", "--no-log"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("arguments", [["--help"], ["models"]])
def test_a_reader_that_has_had_enough_is_no_fault(tmp_path, arguments):
    process = subprocess.Popen(
        [sys.executable, "-m", "explorer.cli", "--profile", str(tmp_path), *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == ""
    assert process.wait() == 0
