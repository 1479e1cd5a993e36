"""`ask`: every question is reachable, with options made from its request."""

import csv
import json
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from explorer import cli
from explorer.api.family import LoadOptions
from explorer.api.question import Context
from explorer.headless import AnsweredRun
from explorer.paths import Paths
from explorer.printing.parts.answer import print_answer
from explorer.program import Program
from explorer.questions import all_questions
from explorer.questions.many.file_of_sentences.question import FileOfSentencesRequest
from explorer.serialise import to_builtins
from explorer.sessions.read.reader import SessionReader
from explorer.sessions.records import LoggedRun
from explorer.text import language
from tests import warm_program
from tests.commands.ask_cases import CASES, CHEF, PLAIN

ROOT = Path(__file__).resolve().parents[2]

MEASURED = {"looked", "seconds", "fastest", "slowest", "runs", "how", "lower", "upper"}


@pytest.fixture
def ask(run):
    return partial(run, "ask")


def without_times(value):
    """The same without what a clock says."""
    if isinstance(value, dict):
        return {key: without_times(one) for key, one in value.items() if key not in MEASURED}
    return [without_times(one) for one in value] if isinstance(value, list) else value


def plain(result):
    """As JSON has it: NaN as null, tuples as lists."""
    import msgspec

    return json.loads(msgspec.json.encode(to_builtins(result)))


def test_every_question_has_a_case():
    assert set(CASES) == set(all_questions())


LENSES = ("logit_lens", "tuned_lens")


def has_the_form_of_a_lens(told, result):
    """A list a layer, the last one last; in it a list a position; in it predictions."""
    assert told["layers"] == ["emb.", "0", "1", "2", "3"]
    assert len(told["cells"]) == len(told["layers"])
    grid = result.grid
    for layer, row in enumerate(told["cells"]):
        assert len(row) == len(told["tokens"])
        for position, cell in enumerate(row):
            assert len(cell) == 3
            best = grid.best(layer, grid.column(position))
            for one, expected in zip(cell, best, strict=True):
                assert {"token", "id", "probability"} <= set(one)
                assert (one["token"], one["id"]) == (expected.token, expected.id)
                assert one["probability"] == pytest.approx(expected.probability)


@pytest.mark.parametrize("name", CASES)
def test_json_is_what_the_runner_answers(ask, profile, tmp_path, capsys, name):
    typed, request, models = CASES[name]
    file = tmp_path / "two.txt"
    file.write_text(f"{PLAIN}\nthe cat sat .\n", "utf-8")
    typed = [str(file) if one == "{file}" else one for one in typed]
    if name == "file_of_sentences":
        request = FileOfSentencesRequest(str(file), "surprisal")
    status, out, err = ask(name, *typed, "--json")
    assert (status, out.count("\n")) == (0, 1), err

    program = Program(Paths.profile(profile), device="cpu")
    runner = program.runner()
    cast = dict(zip(models, ("A", "B"), strict=False))
    for role, slot in cast.items():
        runner.load(slot, models[role], LoadOptions("cpu"), Context())
    at = program.paths
    context = Context(results=at.results, cache=at.cache, training=at.training)
    expected = runner.ask(request, cast, context)
    derived = all_questions()[name].derived
    more = {} if derived is None else plain(derived(expected))
    printed = json.loads(out)
    table = printed.pop("table")
    if name != "file_of_sentences":  # which tells the question that it asks, under this name
        assert printed.pop("operation") == name
    assert without_times(printed) == without_times({**plain(expected), **more})
    if name in LENSES:
        has_the_form_of_a_lens(printed, expected)

    reader = SessionReader(program.paths.sessions)
    (logged,) = reader.runs()
    assert logged.operation == name
    kept = reader.run(logged.id)
    assert kept.request == request
    named = {role: name.partition(":")[0] for role, name in models.items()}  # "name:bfloat16"
    assert {role: stamp.id for role, stamp in kept.models.items()} == named
    run = LoggedRun(all_questions()[name], kept.document, kept.request, expected, kept.models)
    has_the_rows_of(table, run.table)
    reads_well(AnsweredRun(expected, run), capsys)


def has_the_rows_of(told, table):
    """The JSON has what --csv writes, under the same names."""
    if table is None:
        assert told is None
        return
    assert told["columns"] == list(table.columns)
    assert len(told["rows"]) == len(table.rows)
    if not MEASURED.intersection(table.columns):  # cells that a clock says are others each time
        assert told["rows"] == plain(table.rows)


def reads_well(answered, capsys):
    """A person reads who answered and the numbers, in words: nothing of what holds them."""
    capsys.readouterr()
    before = language.current()
    for code in ("en", "ko"):
        language.use(language.find(code, ROOT / "resources/locale") or before)
        print_answer(answered)
        out = capsys.readouterr().out
        assert all(stamp.name in out for stamp in answered.run.models.values())
        assert re.search(r"\d", out)
        assert not re.search(r"\bNone\b|\bnan\b| at 0x|Phrase\(", out)
        # No block is empty, and none is told twice.
        assert "\n\n\n" not in out
    language.use(before)


@pytest.mark.parametrize(
    "name", ["surprisal", "joint_decoding", "query_key", "head_ablation", "disentangled_attention"]
)
def test_the_window_asks_the_same_of_the_logged_document(ask, profile, name):
    typed, request, _ = CASES[name]
    assert ask(name, *typed)[0] == 0
    reader = SessionReader(Paths.profile(profile).sessions)
    (logged,) = reader.runs()
    document = reader.run(logged.id).document
    assert document.text == request.text
    assert type(request).of(document) == request


def test_a_person_reads_who_answered_and_one_table(ask, tmp_path):
    target = tmp_path / "table.csv"
    status, out, err = ask("tokens", "요리사 cooked", "--csv", target, "--no-log")
    assert (status, err) == (0, "")
    head, text, *rest = out.splitlines()
    assert head == "BERT miniature  (bert, float32 on cpu)"
    assert text == "요리사 cooked"
    # Behind what is to be looked at first; what all rows have in common stands above them.
    rows = rest[rest.index("") + 1 :]
    common = rows.pop(0)
    with target.open(encoding="utf-8-sig", newline="") as file:
        written = list(csv.reader(file))
    # People read the titles of the screen, programs the names.
    titles = ["first character", "one past the last", "text", "special", "masked", "unknown"]
    seen = {*re.split(r"  +", rows[0]), *re.findall(r"([a-z ]+): ", common)}
    assert {one.strip() for one in seen} == {"position", "token", "id", *titles}
    assert written[0][:5] == ["position", "token", "id", "start", "end"]
    assert len(written[0]) == len(titles) + 3
    assert len(rows) == len(written)
    assert any("cooked" in row for row in rows)


def test_columns_stand_below_their_names_in_korean_too(capsys):
    from explorer.api.question import Table
    from explorer.printing.columns import columns_of
    from explorer.printing.tables import print_table

    print_table(Table(("word", "p"), (("국", 0.5), ("soup", 0.25), (None, None))))
    first, second, third, fourth = capsys.readouterr().out.split("\n")[:4]
    assert columns_of("국") == 2
    assert (first, third) == ("word     p", "soup  0.25")
    assert columns_of(second) == columns_of(third)
    assert second == "국     0.5"
    assert fourth == ""


def test_the_log_is_left_alone_where_that_is_asked(ask, profile):
    assert ask("tokens", "the cat", "--no-log")[0] == 0
    assert not Paths.profile(profile).sessions.exists()


def test_list_tells_all(ask):
    status, out, _ = ask("--list", "--json")
    assert status == 0
    listed = {one["name"]: one for one in json.loads(out)["questions"]}
    assert set(listed) == set(all_questions())
    for name, question in all_questions().items():
        one = listed[name]
        assert {"name", "title", "topic", "roles", "ports", "options"} <= set(one)
        assert one["title"] == question.title
        assert one["roles"] == list(question.roles)
        folder = ROOT / "explorer/questions" / one["topic"]
        assert one["topic"]
        assert (folder / question.request.__module__.split(".")[-2] / "question.py").is_file()
    options = {one["name"]: one for one in listed["joint_decoding"]["options"]}
    assert options["text"]["required"] is True
    assert options["width"] == {
        "name": "width",
        "flag": "--width",
        "type": "whole number",
        "choices": [],
        "default": 8,
        "required": False,
        "help": "Beam search: how many fillings are kept at every mask, the most probable ones.",
        "label": "Beam",
    }
    assert listed["head_ablation"]["ports"]["model"][1] == ["Predictor", "Discriminator"]
    assert set(listed["soft_targets"]["ports"]) == {"teacher", "student"}
    assert options["method"]["choices"] == [
        "beam",
        "left-to-right",
        "confident",
        "by-hand",
        "independent",
    ]
    _, out, _ = ask("--list")
    assert all(any(row.startswith(f"{name} ") for row in out.splitlines()) for name in listed)


def test_the_list_stands_by_topic_and_is_filtered(ask):
    listed = ask("--list")[1].splitlines()
    assert listed[2] == "Predict"
    assert listed[3].startswith("masked_tokens ")
    _, found, _ = ask("--list", "--search", "perplex", "--json")
    assert [one["name"] for one in json.loads(found)["questions"]] == ["surprisal"]
    # The field's terms and everyday words, in every language that they are kept in.
    _, found, _ = ask("--list", "--search", "정확도")
    assert "file_of_sentences" in found
    _, found, _ = ask("--list", "--answered-by", "gpt2", "--json")
    names = {one["name"] for one in json.loads(found)["questions"]}
    assert "continuation" in names
    assert "sentence_pair" not in names
    _, found, _ = ask("--list", "--answered-by", "bert-answers-miniature", "--json")
    assert "answer_span" in {one["name"] for one in json.loads(found)["questions"]}
    assert ask("--list", "--search", "xyzzy")[0] == 2
    assert "no checkpoint named nobody" in ask("--list", "--answered-by", "nobody")[2]


def test_the_list_is_in_the_readers_language_and_json_is_not(ask):
    _, out, _ = ask("--list", "--language", "ko")
    _, listed, _ = ask("--list", "--json", "--language", "ko")
    told = {one["name"]: one["question"] for one in json.loads(listed)["questions"]}
    for name, question in all_questions().items():
        (row,) = (row for row in out.splitlines() if row.startswith(f"{name} "))
        assert question.asks not in row
        assert re.search("[가-힣]", row), row
        assert told[name] == question.asks


@pytest.mark.parametrize("name", CASES)
def test_help_tells_every_option(ask, name):
    status, out, _ = ask(name, "--help")
    assert status == 0
    _, listed, _ = ask("--list", "--json")
    (told,) = (one for one in json.loads(listed)["questions"] if one["name"] == name)
    for option in told["options"]:
        flag = "--mask" if option["name"] == "masks" else option["flag"]
        assert (flag or option["name"].upper()) in out
        assert option["help"], f"{name}.{option['name']} is not described"
    assert all(f"--{role}" in out for role in told["roles"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "Name a question"),
        (("nonsense", "x"), "invalid choice: 'nonsense'"),
        (("masked_tokens",), "TEXT"),
        (("masked_tokens", "x", "--top-k", "many"), "'many' is not a whole number"),
        (("distillation_losses", "x", "--temperature", "nan"), "'nan' is not a number"),
        (("surprisal", "x", "--method", "sideways"), "'sideways' is none of original"),
        (("attention", "x", "--heads", "[1"), "is no JSON list"),
        (("head_ablation", "x", "--heads", "1:2"), "as encoder:1:2"),
        (("head_ablation", "x", "--heads", "[1]"), "can't be read as JSON"),
        (("masked_tokens", "the cat", "--mask", "dog"), 'There is no word "dog" in the text'),
        (("masked_tokens", "the cat", "--mask", "cat", "--mask", "cat"), "not masked yet"),
        (("masked_tokens", "the cat", "--mask", "4-90"), "no characters 4-90 in the text"),
        (("masked_tokens", "the cat", "--mask", "pair:a"), "in the second text"),
        (("masked_tokens", "the cat"), "Nothing is masked"),
        (("masked_tokens", "x", "--teacher", "bert-miniature"), "--teacher"),
        (
            ("file_of_sentences", "x.txt", "surprisal", "--teacher", "bert-miniature"),
            "no teacher in this",
        ),
        (("file_of_sentences", "x.txt", "nonsense"), 'no question "nonsense"'),
        (("surprisal", "x", "--model", "nobody"), "no checkpoint named nobody"),
        (("disentangled_attention", "x", "--model", "bert-miniature"), "Only DeBERTa's attention"),
        (("architecture",), "No model is loaded"),
        (
            ("masking_policy", "the cat", "--seed", "-4"),
            "--seed can't be -4. Give a whole number from 0",
        ),
        (
            ("replaced_tokens", "the cat", "--seed", "-4"),
            "--seed can't be -4. Give a whole number from 0",
        ),
        (
            ("many_draws", "the cat", "--seed", "-4"),
            "--seed can't be -4. Give a whole number from 0",
        ),
        (("bertviz", "the cat", "--view", "side"), "'side' is none of head, model"),
        (("attention", "the cat", "--special", "odd"), "'odd' is none of shown, hidden"),
        (("soft_targets", "a [MASK]", "--what", "odd"), "'odd' is none of words"),
        (("joint_decoding", "a [MASK]", "--width", "257"), "a beam keeps at most 256 fillings"),
    ],
)
def test_mistakes_are_one_clear_line(ask, arguments, words):
    status, out, err = ask(*arguments)
    assert (status, out, err.count("\n")) == (2, "", 1), err
    assert words in err


def test_in_a_process_of_its_own(profile):
    def main(*arguments, typed=None):
        return warm_program.run("ask", *arguments, "--profile", profile, typed=typed or "")

    done = main("masked_tokens", "-", "--json", typed=f"{CHEF}\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["masks"][0]["predictions"]
    code = (
        "import sys; from explorer import cli; cli.main(['ask', '--list', '--json']);"
        "print({'PySide6', 'torch', 'transformers'} & set(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=240
    )
    assert done.stderr == "set()\n"
    assert len(json.loads(done.stdout)["questions"]) == len(all_questions())


def test_help_has_a_line_for_each_command(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    assert cli.main(["--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    first = lines.index("  COMMAND") + 1
    listed = lines[first : first + len(cli.all_commands())]
    assert [line.split()[0] for line in listed] == list(cli.all_commands())
    assert all(len(line.split()) > 1 for line in listed)


def test_an_attention_that_the_model_has_not_is_refused(ask, tmp_path):
    """By a sentence, by its own status, and with nothing printed; it is no answer in the log."""
    status, out, err = ask("attention", "the cat sat", "--kind", "cross", "--json")
    assert (status, out) == (2, "")
    assert err == "BERT miniature has no cross attention. It has encoder.\n"
    status, out, _ = ask(
        "attention", "the cat", "--kind", "cross", "--model", "t5-miniature", "--json"
    )
    assert (status, json.loads(out)["kind"]) == (0, "cross")
