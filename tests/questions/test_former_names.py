"""A question is found by every name it had, and by those of the questions it has absorbed."""

import json
import shutil
import sqlite3
import textwrap
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

import explorer.questions
from explorer.cli import main
from explorer.document import Document
from explorer.files_of_sentences.results import ResultsKey
from explorer.questions import all_questions, own_folders, question_folders
from explorer.questions.former_names import document_today, name_today, names_of, question_named
from explorer.sessions.read.listing import RunFilter
from explorer.sessions.read.reader import SessionReader

STORED = sorted((Path(__file__).parents[1] / "stored_runs").glob("*.db"))
FIRST_NAMES = {
    "anatomy", "attention", "bertviz_page", "compare_anatomy", "compare_fillings", "cost",
    "detect_many", "detect_replaced", "disentangle", "distillation", "embedding_sharing",
    "fill_jointly", "fill_mask", "over_file", "query_key", "score_words", "soft_targets",
    "span_boundary", "sweep", "switch_off", "tokenize", "training_mask",
}  # fmt: skip
"""Of the questions as logs, settings and scripts have them."""
FORMER = sorted(
    (old, one.name)
    for one in all_questions().values()
    for old in names_of(one.name)
    if old != one.name
)


@pytest.fixture
def command(tmp_path, capsys):
    """The real command; gives its status and what it printed."""

    def run(*words):
        status = main(["--profile", str(tmp_path / "profile"), "--device", "cpu", *map(str, words)])
        out, err = capsys.readouterr()
        return status, out, err

    return run


def runs_of_then(path, *names):
    """What was kept under these names; what is asked today is kept under another."""
    marks = ", ".join("?" * len(names))
    with closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as database:
        kept = database.execute(f"SELECT id FROM runs WHERE operation IN ({marks})", names)
        return [SessionReader(path).run(run_id) for (run_id,) in kept]


def test_a_question_is_called_as_its_folder():
    folders = {folder.rpartition(".")[2] for folder in question_folders()}
    assert folders <= set(all_questions())
    for name, one in all_questions().items():
        assert one.request.__module__.split(".")[-2] == name


def test_every_first_name_is_some_question_and_no_name_is_two():
    assert all(question_named(name) is not None for name in FIRST_NAMES)
    names = [old for one in all_questions() for old in names_of(one)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(("old", "new"), FORMER)
def test_an_old_name_is_its_question_on_the_command_line(command, old, new):
    for written in (old, old.replace("_", "-"), new.replace("_", "-")):
        status, out, _ = command("ask", written, "--help")
        assert (status, out) == command("ask", new, "--help")[:2]
    listed = json.loads(command("ask", "--list", "--json")[1])["questions"]
    assert old not in [one["name"] for one in listed]
    assert command("sessions", "list", "--operation", old)[0] == 0


@pytest.mark.parametrize(("old", "new"), FORMER)
def test_runs_of_then_are_listed_and_filtered_by_either_name(old, new):
    found = 0
    for path in STORED:
        reader = SessionReader(path)
        runs = [run for run in reader.runs() if run.operation == new]
        assert (
            reader.runs(RunFilter(operation=old)) == runs == reader.runs(RunFilter(operation=new))
        )
        assert (new in reader.operations()) == bool(runs)
        assert old not in reader.operations()
        for run in runs:
            assert reader.run(run.id).summary.operation == new
            found += 1
    assert found


@pytest.mark.parametrize(("old", "new"), FORMER)
def test_options_of_then_are_those_of_today(old, new):
    document = Document("the cat").with_option(f"{old}.some", 5)
    assert document_today(document) == Document("the cat").with_option(f"{new}.some", 5)
    both = document.with_option(f"{new}.some", 6)
    assert document_today(both) == Document("the cat").with_option(f"{new}.some", 6)


@pytest.mark.parametrize(
    "words",
    [
        ("sweep", "the cat sat"),
        ("surprisal", "the cat sat"),
        ("ask", "sweep", "the cat sat"),
        ("anatomy", "gpt3-small"),
        ("switch-off", "the [MASK] sat", "--head", "1:2"),
        ("disentangle", "the cat", "--model", "deberta-v1-miniature"),
        ("detect-many", "the cat", "--generator", "electra-miniature-generator", "--draws", "1"),
    ],
)
def test_old_commands_answer(command, words):
    status, out, err = command(*words, "--json")
    assert status == 0, err
    assert json.loads(out)


def test_a_file_that_was_begun_under_an_old_name_goes_on(command, tmp_path):
    """Its rows are kept by what was asked, the name of the question too."""
    file = tmp_path / "two.txt"
    file.write_text("the cat sat\nthe dog ran\n", "utf-8")

    def asked():
        status, out, err = command("over", file, "--ask", "sweep", "--json")
        assert status == 0, err
        told = json.loads(out)
        assert (told["operation"], told["done"]) == ("surprisal", 2)
        return Path(told["results"])

    place = asked()
    # As a program of then would have left it.
    then = replace(ResultsKey.of(place), operation="sweep")
    older = place.replace(then.place(place.parent))
    with closing(sqlite3.connect(older)) as database, database:
        database.execute("UPDATE about SET value = ? WHERE key = 'asked'", (then.to_json(),))
        database.execute("DELETE FROM rows WHERE position = 2")
    assert asked() == older
    assert not place.exists()
    runs = SessionReader(tmp_path / "profile" / "data" / "sessions.db").runs()
    assert {run.operation for run in runs} == {"file_of_sentences"}


TALLY = """
    from dataclasses import dataclass
    from explorer.api.question import Asks, Headline, Question, Table, Whole, asked

    @dataclass(frozen=True)
    class Tally(Asks, question="tally"):
        text: str
        least: int = asked(Whole("Least", 1))

    @dataclass(frozen=True)
    class Tallied:
        letters: int

    QUESTION = Question(
        "tally", "Tally", "How many letters?", Tally, Tallied,
        lambda model, request, context: Tallied(len(request.text)),
        lambda result: Table(("letters",), ((result.letters,),)),
        summary=lambda result: {"letters": result.letters},
        headline=lambda result: Headline(f"{result.letters} letters."),
    )
"""
COUNTING = """
    from dataclasses import dataclass
    from explorer.api.question import Absorbed, Asks, Headline, Question, Table, Whole, asked

    @dataclass(frozen=True)
    class Counting(Asks, question="counting"):
        text: str
        from_length: int = asked(Whole("Beginning length", 1))

    @dataclass(frozen=True)
    class Counted:
        counts: dict[str, int]
        longest: int

    def become(asked, answered):
        asked["from_length"] = asked.pop("least", 1)
        if answered is not None:
            answered["counts"] = {"letters": answered.pop("letters")}

    def longest(asked, answered):
        if answered is not None:
            answered["longest"] = max(answered["counts"].values())

    QUESTION = Question(
        "counting", "Counting", "How many of what?", Counting, Counted,
        lambda model, request, context: Counted({"letters": len(request.text)}, len(request.text)),
        lambda result: Table(("what", "count"), tuple(result.counts.items())),
        summary=lambda result: {"longest": result.longest},
        headline=lambda result: Headline(f"The longest has {result.longest}."),
        roles={"reader": ()},
        upgrades=(longest,),
        replaces={
            "tally": Absorbed(become, roles={"model": "reader"}, options={"least": "from_length"})
        },
    )
"""


@pytest.fixture
def questions(tmp_path, monkeypatch):
    """Puts questions beside the program's own, found as all are: by their folders."""

    def put(topic, name, code):
        folder = tmp_path / "more" / topic / name
        folder.mkdir(parents=True)
        for package in (folder.parent, folder):
            (package / "__init__.py").write_text("", "utf-8")
        (folder / "question.py").write_text(textwrap.dedent(code), "utf-8")
        forget()

    def forget():
        own_folders.cache_clear()
        all_questions.cache_clear()

    there = [*explorer.questions.__path__, str(tmp_path / "more")]
    monkeypatch.setattr(explorer.questions, "__path__", there)
    yield put
    monkeypatch.undo()
    forget()


def test_a_question_takes_the_runs_of_another_one_over(questions, command, tmp_path, monkeypatch):
    from explorer import headless

    monkeypatch.setattr(headless, "USUAL", {**headless.USUAL, "reader": headless.DEFAULT_MODEL})
    questions("before", "tally", TALLY)
    status, out, err = command("ask", "tally", "the cat", "--least", "2", "--json")
    printed = {"letters": 7, "table": {"columns": ["letters"], "rows": [[7]]}}
    assert (status, json.loads(out)) == (0, {"operation": "tally", **printed}), err
    log = SessionReader(tmp_path / "profile" / "data" / "sessions.db")
    (then,) = log.runs()

    shutil.rmtree(tmp_path / "more" / "before")
    questions("after", "counting", COUNTING)
    assert name_today("tally") == "counting"
    (now,) = log.runs()
    assert (now.id, now.operation) == (then.id, "counting")
    assert log.operations() == ["counting"]
    run = log.run(now.id)
    assert run.unreadable == ""
    assert (run.request.text, run.request.from_length) == ("the cat", 2)
    assert (run.result.counts, run.result.longest) == ({"letters": 7}, 7)
    assert run.table.columns == ("what", "count")
    assert run.table.rows == (("letters", 7),)
    assert run.summary_row == {"longest": 7}
    assert list(run.models) == ["reader"]
    assert run.document.option("counting.from_length") == 2

    status, out, err = command("sessions", "replay", now.id, "--json")
    assert status == 0, err
    again = log.run(json.loads(out)["replayed_as"])
    assert (again.request, again.result, again.models) == (run.request, run.result, run.models)
    target = tmp_path / "all.csv"
    assert command("sessions", "export", "all", target)[0] == 0
    assert "letters" in target.read_text("utf-8-sig")
    status, out, err = command("ask", "tally", "the cat", "--json")
    assert (status, json.loads(out)["longest"]) == (0, 7), err
    for name in ("tally", "counting"):
        listed = json.loads(command("sessions", "list", "--operation", name, "--json")[1])
        assert len(listed["runs"] if isinstance(listed, dict) else listed) == 3


def test_two_models_are_compared_word_by_word_in_soft_targets(command, tmp_path):
    """As a script of then asks, and as a log of then has it."""
    from explorer.questions.distillation.soft_targets.settings import WHAT

    words = ("the chef [MASK] a soup", "--first", "bert-miniature")
    for name in ("compare-fillings", "two_models"):
        status, out, err = command("ask", name, *words, "--second", "roberta-miniature", "--json")
        assert status == 0, err
        told = json.loads(out)
        assert (told["model"]["id"], told["other"]["id"]) == ("bert-miniature", "roberta-miniature")
        assert len(told["by_word"]) == 1
    log = SessionReader(tmp_path / "profile" / "data" / "sessions.db")
    newest = log.run(log.runs()[0].id)
    assert (newest.summary.operation, newest.request.what) == ("soft_targets", "words")
    assert WHAT.of(newest.document) == "words"
    seen = 0
    for path in STORED:
        for run in runs_of_then(path, "two_models", "compare_fillings"):
            assert (run.summary.operation, run.request.what) == ("soft_targets", "words")
            seen += 1
            # The window asks the same of it again.
            assert WHAT.of(run.document) == "words"
            assert list(run.models) == ["teacher", "student"]
            assert run.table.columns[2:5] == ("word", "teacher", "teacher_rank")
            assert run.summary_row["total_variation"] == run.result.by_word[0].total_variation
            assert run.result.vocabulary.shared <= run.result.vocabulary.teacher_size
    assert seen >= 3


def test_weight_sharing_is_a_comparison_tensor_by_tensor(command, tmp_path):
    """As a script of then asks, of who was asked then, and as a log of then has it."""
    from explorer.questions.architecture.compare_architectures.question import LEVEL

    judge = "electra-miniature-discriminator"
    for name, words in (
        ("embedding-sharing", ()),
        ("weight_sharing", ("--discriminator", judge, "--generator", f"{judge[:18]}generator")),
    ):
        status, out, err = command("ask", name, *words, "--json")
        assert status == 0, err
        told = json.loads(out)
        assert (told["model"]["id"], told["level"]) == (judge, "tensors")
        tensors = {one["name"]: one["relation"] for one in told["tensors"]["tensors"]}
        assert tensors["embeddings.word_embeddings.weight"] == "equal values"
    seen = 0
    for path in STORED:
        for run in runs_of_then(path, "weight_sharing", "embedding_sharing"):
            assert (run.summary.operation, run.request.level) == (
                "compare_architectures",
                "tensors",
            )
            seen += 1
            assert LEVEL.of(run.document) == "tensors"
            assert list(run.models) == ["first", "second"]
            assert run.table.columns[:2] == ("tensor", "relation")
            assert len(run.table.rows) == len(run.result.tensors.tensors) > 5
    assert seen >= 3


def test_options_that_counted_layers_from_1_mean_the_same_layers():
    """Under a name of their own since: a document does not say which program wrote it."""
    from explorer.questions.distillation.distillation_losses.settings import MAP, settings_of
    from explorer.questions.layers.word_journey.question import VECTOR

    for then, now in (("3", "2"), ("embeddings", "emb."), ("last", "last"), ("mean", "mean")):
        document = document_today(Document("a").with_option("word_journey.vector", then))
        assert VECTOR.of(document) == now
        assert document_today(document) == document
    for name in ("distillation", "distillation_losses"):
        document = document_today(Document("a").with_option(f"{name}.map", [3, 4, "x", 0]))
        assert MAP.held(document) == [2, 3, "x", -1]
        assert settings_of(document).own_map == (3, 4, 0, 0)
        document = document_today(Document("a").with_option(f"{name}.map", "last"))
        assert MAP.of(document) == "last"
    broken = Document("a", options=(("word_journey.vector", "{"),))
    assert VECTOR.of(document_today(broken)) == VECTOR.default
    # What is set today is not taken back to what was kept of then.
    both = Document("a").with_option("word_journey.vector", "3").with_option(VECTOR.key, "0")
    assert VECTOR.of(document_today(both)) == "0"
