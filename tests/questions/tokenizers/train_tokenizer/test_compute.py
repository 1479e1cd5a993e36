"""Training through the question: in a process of its own, kept, cancelled, refused, saved."""

import json
import os
import threading
import time
from dataclasses import replace

import pytest

from explorer.api.question import Cancelled, Context, MachineFault, UserMistake
from explorer.cli import main
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.library.shelf import CatalogueShelf
from explorer.questions.tokenizers.merge_steps.question import MergeStepsRequest
from explorer.questions.tokenizers.side_by_side.question import SideBySideRequest
from explorer.questions.tokenizers.train_tokenizer import compute
from explorer.questions.tokenizers.train_tokenizer.options import Algorithm, Case, World
from explorer.questions.tokenizers.train_tokenizer.question import (
    QUESTION,
    TrainTokenizerRequest,
    measures_table,
    only_look,
    save,
    table,
)
from explorer.questions.tokenizers.train_tokenizer.trainer import apart
from explorer.questions.tokenizers.train_tokenizer.trainer.kept import find
from explorer.questions.tokenizers.train_tokenizer.trainer.texts import EVERY, digest_of, lines
from explorer.serialise import from_json, to_json
from tests import users_python
from tests.hf import tiny
from tests.hf.kept import MODELS

TEXT = "The Chef cooked 😀 unbelievably"
LINES = [
    f"the chef cooked a {dish} in the {place} and liked it"
    for dish in ("soup", "meal", "cake", "salad")
    for place in ("kitchen", "garden", "house")
] * 2


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("texts") / "dishes.txt"
    path.write_text("\n".join(LINES), "utf-8")
    return str(path)


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def result(file, cache):
    return QUESTION.run(None, TrainTokenizerRequest(TEXT, path=file, vocabulary=300), kept(cache))


def kept(cache):
    return Context(cache=cache)


def ask(request, cache=None):
    return tiny.ask(None, request, Context(cache=cache))


def test_every_algorithm_cuts_the_same_text(result):
    assert [one.algorithm for one in result.trained] == list(Algorithm)
    assert [one.checkpoint for one in result.cut.cuttings] == [one.value for one in Algorithm]
    assert (result.source.lines, result.source.held_out) == (22, 2)
    words, pieces, *_ = result.cut.cuttings
    assert words.unknown == 2  # the emoji, and a word with letters that the file has not
    assert pieces.unknown == 0
    assert pieces.read_back == TEXT
    assert words.read_back.startswith("the chef cooked [UNK]")


def test_it_is_found_again_without_training(result, file, cache, monkeypatch):
    monkeypatch.setattr(apart, "WORKER", "no.such.module")
    request = TrainTokenizerRequest(TEXT, path=file, vocabulary=300)
    assert to_json(ask(request, cache)) == to_json(result)
    assert to_json(ask(only_look(request), cache)) == to_json(result)
    other = ask(only_look(replace(request, vocabulary=310)), cache)
    assert other.missing == tuple(Algorithm)
    assert other.trained == ()
    assert other.cut is None
    assert QUESTION.is_provisional(other)
    assert not QUESTION.is_provisional(result)
    with pytest.raises(MachineFault, match="ended before it was done"):
        ask(replace(request, vocabulary=310), cache)


def test_training_twice_gives_the_same(result, file, tmp_path):
    request = TrainTokenizerRequest(TEXT, path=file, vocabulary=300)
    assert to_json(ask(request, tmp_path)) == to_json(result)
    assert from_json(QUESTION.result, to_json(result)).trained[0].pieces == result.trained[0].pieces


def test_what_the_user_told_another_python_does_not_keep_it_from_training(
    result, file, tmp_path, monkeypatch
):
    users_python.tell(monkeypatch, tmp_path)
    request = TrainTokenizerRequest(TEXT, path=file, vocabulary=300)
    again = QUESTION.run(None, request, kept(tmp_path / "cache"))
    assert to_json(again) == to_json(result)


def test_case_and_rows(result, file, cache):
    wordpiece, of_bytes, *_ = result.trained
    assert wordpiece.lowercase
    assert not of_bytes.lowercase
    algorithms = (Algorithm.BYTES,)
    request = TrainTokenizerRequest(TEXT, algorithms, file, case=Case.LOWER, vocabulary=300)
    assert ask(request, cache).trained[0].lowercase
    rows = table(result)
    first = dict(zip(rows.columns, rows.rows[0], strict=True))
    assert first["occurrences"] == int(wordpiece.counts[0])
    assert first["piece"] == wordpiece.pieces[wordpiece.merges[0, 2]]
    assert len(rows.rows) == sum(
        len(one.merges) + max(0, len(one.scores) - one.special) for one in result.trained
    )
    measured = measures_table(result)
    assert len(measured.rows) == sum(2 * len(one.sizes) for one in result.trained)


def test_what_there_is_so_far_is_shown(file, tmp_path):
    shown, stages = [], set()
    context = Context(
        cache=tmp_path,
        show=lambda make: shown.append(len(make().trained)),
        progress=lambda stage, *_: stages.add(str(stage)),
    )
    QUESTION.run(None, TrainTokenizerRequest(TEXT, path=file, vocabulary=280), context)
    assert shown == [1, 2, 3, 4]
    assert {"training WordPiece", "training unigram models"} <= stages


def test_a_cancel_ends_the_process_at_once(tmp_path):
    """A trainer of the library can't be interrupted; its process can."""
    large = tmp_path / "large.txt"
    large.write_text("\n".join(f"{line} {n} {n * 7919}" for n in range(9000) for line in LINES[:8]))
    started, cancelled = threading.Event(), threading.Event()
    begun = []

    def progress(stage, *_):
        if str(stage) == "training WordPiece":
            begun.append(time.monotonic())
            started.set()

    context = Context(is_cancelled=cancelled.is_set, progress=progress, cache=tmp_path / "cache")
    ended = []

    def run():
        with pytest.raises(Cancelled):
            QUESTION.run(None, TrainTokenizerRequest(TEXT, path=str(large)), context)
        ended.append(True)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        assert started.wait(120)
    finally:
        cancelled.set()
        thread.join(60)
    assert ended == [True]
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "There is no text in odd.txt."),
        (b" \n\t\n ", "There is no text in odd.txt."),
        ("안녕".encode("cp949"), "odd.txt is not in UTF-8 (near line 1)."),
        (b"a\0b", "odd.txt is not a text file."),
        (b"x" * 100_001, "Line 1 of odd.txt is longer than 100000 characters."),
    ],
)
def test_files_that_are_no_text(content, said, tmp_path):
    path = tmp_path / "odd.txt"
    path.write_bytes(content)
    with pytest.raises(UserMistake) as mistake:
        ask(only_look(TrainTokenizerRequest(TEXT, path=str(path))))
    assert mistake.value.message.replace(",", "") == said


def test_other_files(tmp_path):
    with pytest.raises(UserMistake, match=r"none\.txt can't be read"):
        ask(TrainTokenizerRequest(TEXT, path=str(tmp_path / "none.txt")))
    utf16 = tmp_path / "utf16.txt"
    utf16.write_text("한 글\nzwei", "utf-16")
    assert lines(str(utf16), World.ENGLISH).training == ("한 글", "zwei")
    rows = tmp_path / "rows.csv"
    rows.write_text("id,sentence\n1,the cat sat\n2,a dog ran\n")
    assert lines(str(rows), World.ENGLISH).training == ("the cat sat", "a dog ran")
    many = tmp_path / "many.txt"
    many.write_text("\n".join(map(str, range(25))))
    found = lines(str(many), World.ENGLISH)
    assert found.held_out == ("9", "19")
    assert len(found.training) == 25 - 25 // EVERY
    assert digest_of(str(many), World.ENGLISH) != digest_of(str(rows), World.ENGLISH)
    many.write_text("another text that is longer than the one before it was, by far")
    again = digest_of(str(many), World.ENGLISH)
    assert again[0] != digest_of(str(rows), World.ENGLISH)[0]
    assert digest_of("", World.ENGLISH) != digest_of("", World.KOREAN)


def test_what_can_t_be_asked(file, cache):
    with pytest.raises(UserMistake, match=r"No algorithm is chosen"):
        ask(TrainTokenizerRequest(TEXT, ()))
    with pytest.raises(UserMistake, match="--vocabulary can't be 10"):
        TrainTokenizerRequest(TEXT, vocabulary=10).check()
    with pytest.raises(UserMistake):
        ask(TrainTokenizerRequest(" "))


def test_a_vocabulary_without_room_is_told_and_remembered(file, cache, monkeypatch):
    request = TrainTokenizerRequest(TEXT, path=file, vocabulary=100)
    found = ask(request, cache)
    (refused,) = found.refused
    assert refused.algorithm is Algorithm.BYTES
    assert str(refused.why).startswith("256 letters or bytes and its special tokens need 261")
    rest = [one for one in Algorithm if one is not Algorithm.BYTES]
    assert [one.algorithm for one in found.trained] == rest
    monkeypatch.setattr(apart, "WORKER", "no.such.module")
    assert ask(only_look(request), cache).refused == found.refused


def test_a_cache_that_can_t_be_written_is_told(file, tmp_path):
    blocked = tmp_path / "blocked"
    blocked.write_text("")
    request = TrainTokenizerRequest(TEXT, (Algorithm.CHARACTERS,), file, vocabulary=100)
    assert not ask(request, blocked).is_kept
    damaged = tmp_path / "trained_tokenizers"
    assert ask(request, tmp_path).is_kept
    (one,) = damaged.iterdir()
    one.write_text("{")
    assert ask(only_look(request), tmp_path).trained == ()


@pytest.mark.parametrize("world", [World.ENGLISH, World.KOREAN])
def test_what_comes_with_the_program_is_found_at_once(world, monkeypatch):
    monkeypatch.setattr(apart, "WORKER", "no.such.module")
    found = ask(TrainTokenizerRequest(TEXT, world=world))
    assert [one.algorithm for one in found.trained] == list(Algorithm)
    assert found.source.name == ""
    assert found.source.held_out > 100


def test_what_comes_with_the_program_is_what_is_trained_today():
    """Else the page would show tokenizers of another text, or of another library."""
    request = TrainTokenizerRequest(TEXT, (Algorithm.BYTES, Algorithm.UNIGRAM), world=World.KOREAN)
    wanted = compute.wanted_by(request, digest_of("", World.KOREAN)[0])
    shipped = {one: find(what, None) for one, what in wanted.items()}
    today = dict(compute.trained(request, wanted, Context()))
    assert {one: to_json(it) for one, it in today.items()} == {
        one: to_json(it) for one, it in shipped.items()
    }


# ---- saving ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(result, tmp_path_factory):
    place = tmp_path_factory.mktemp("saved") / "mine"
    save(result, place)
    return place


@pytest.mark.parametrize("algorithm", list(Algorithm))
def test_transformers_opens_the_folder_and_cuts_as_on_the_page(result, folder, algorithm):
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder / algorithm.value)
    shown = next(one for one in result.cut.cuttings if one.checkpoint == algorithm.value)
    assert tokenizer(TEXT, add_special_tokens=False)["input_ids"] == shown.ids
    assert len(tokenizer) == shown.vocabulary
    around = tokenizer("the chef")["input_ids"]
    if tokenizer.cls_token is not None:
        assert (around[0], around[-1]) == (tokenizer.cls_token_id, tokenizer.sep_token_id)
        assert tokenizer.mask_token_id in tokenizer(f"the {tokenizer.mask_token}")["input_ids"]


def test_the_program_opens_the_folder_side_by_side_and_step_by_step(result, folder):
    host = tiny.families()
    context = Context(shelf=CatalogueShelf(host, Catalogue(host, MODELS)))
    names = tuple(str(folder / one.value) for one in Algorithm)
    found = tiny.ask(None, SideBySideRequest(TEXT, names), context)
    assert found.missing == ()
    for opened, shown in zip(found.cuttings, result.cut.cuttings, strict=True):
        assert opened.ids == shown.ids
        assert opened.algorithm == shown.algorithm
    for name in names:
        walked = tiny.ask(None, MergeStepsRequest("a kitchen", "kitchen", name), context)
        assert walked.agrees


def test_nothing_is_written_over(result, folder, tmp_path):
    for taken in (folder, folder / "wordpiece" / "tokenizer.json"):
        before = sorted(folder.rglob("*"))
        with pytest.raises(UserMistake, match="there already"):
            save(result, taken)
        assert sorted(folder.rglob("*")) == before
    empty = tmp_path / "empty"
    empty.mkdir()
    save(replace(result, trained=result.trained[:1]), empty)
    names = {"tokenizer.json", "tokenizer_config.json", "config.json"}
    assert {one.name for one in empty.iterdir()} == names
    size = json.loads((empty / "config.json").read_text())["vocab_size"]
    assert size == len(result.trained[0].pieces)
    with pytest.raises(UserMistake):
        save(replace(result, trained=()), tmp_path / "none")


def test_the_command_line_trains_and_saves(file, tmp_path, capsys):
    target = tmp_path / "out"
    given = ["--profile", str(tmp_path / "profile"), "ask", "train_tokenizer", TEXT, "--path", file]
    given += ["--algorithms", "bpe", "--vocabulary", "120", "--json", "--save", str(target)]
    assert main(given) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["trained"][0]["algorithm"] == "bpe"
    assert said["measures"][-1]["vocabulary"] == len(said["trained"][0]["pieces"])
    assert (target / "tokenizer.json").is_file()
    assert main(given) == 2
    assert "out is there already" in capsys.readouterr().err
    if os.name == "posix" and os.geteuid() != 0:
        locked = tmp_path / "locked"
        locked.mkdir(mode=0o500)
        assert main([*given[:-1], str(locked / "out")]) == 1
