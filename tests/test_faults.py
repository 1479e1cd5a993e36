"""What goes wrong for a person, tried through the real window and engine: nothing is lost."""

import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.paths import Paths
from explorer.program import Program
from explorer.sessions.read.listing import RunFilter
from explorer.sessions.read.reader import SessionReader
from explorer.settings import SettingsFile
from tests import warm_engine

ROOT = Path(__file__).resolve().parent.parent
TEXT = "The gardener planted the flowers."

# A person at the real window, as a program: types, clicks, and says on standard output what is
# on screen. "shown" is printed from the signal that follows the drawing, so whoever reads it may
# kill the program there and then.
PERSON = """
import sys
from pathlib import Path

def main():
    from explorer.app import Running, application
    from explorer.paths import Paths
    from explorer.program import Program
    from explorer.tour.hands import Hands, wait_until
    from tests import warm_engine

    warm_engine.borrow()
    application()
    running = Running(Program(Paths.profile(Path(sys.argv[1]), {})))
    window = running.window
    window.resize(1100, 760)
    running.show()
    hands = Hands(window)
    wait_until(lambda: bool(running.bench.models.cards), "the miniature")
    if window.view_area.opened == ["overview"]:
        window.view_area.bring_forward("masked_tokens")
    hands.settle()

    def say(what):
        print(what, flush=True)

    exec(sys.argv[2], {**globals(), **locals()})
    running.close()

if __name__ == "__main__":
    main()
"""


def person(profile: Path, acts: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    environment |= warm_engine.lent()
    script = profile.parent / "person.py"
    script.write_text(PERSON, encoding="utf-8")
    return subprocess.Popen(
        [sys.executable, str(script), str(profile), acts],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def said(process: subprocess.Popen[str], beginning: str) -> str:
    """The first line that begins so; fails with what the program said when it ended instead."""
    for line in process.stdout:
        if line.startswith(beginning):
            return line.strip()
    process.wait(20)
    raise AssertionError(process.stderr.read())


SHOWN = f"""
def shown(operation, document, result):
    if operation == "masked_tokens" and document.text == {TEXT!r}:
        say("now " + result.masks[0].predictions[0].word)

running.bench.asking.shown.connect(shown)
hands.type_text({TEXT!r})
hands.click_token("planted")
wait_until(lambda: False, "the end", 60)
"""

SAVED = f"""
from explorer.settings import SettingsFile

def saved():
    # What the program began with may be saved first, and what was typed before what was clicked at.
    document = SettingsFile(Paths.profile(Path(sys.argv[1]), {{}}).settings).load().document
    if document.text == {TEXT!r} and document.masks:
        say("now saved")

hands.type_text({TEXT!r})
running.bench.settings_store.saved.connect(saved)
hands.click_token("planted")
saved()
wait_until(lambda: False, "the end", 60)
"""


def killed_when_it_says_now(profile: Path, acts: str) -> str:
    """Kill the program -9 as soon as it says so; returns what it said."""
    process = person(profile, acts)
    try:
        word = said(process, "now ").removeprefix("now ")
        process.send_signal(signal.SIGKILL)
        process.wait(20)
    finally:
        process.kill()
        process.communicate()
    return word


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_a_run_is_in_the_log_when_the_program_is_killed_right_after_showing_it(tmp_path):
    word = killed_when_it_says_now(tmp_path / "profile", SHOWN)
    reader = SessionReader(Paths.profile(tmp_path / "profile", {}).sessions)
    newest = reader.run(reader.runs()[0].id)
    assert newest.document.text == TEXT
    assert newest.result.masks[0].predictions[0].word == word


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_the_next_start_goes_on_with_the_text_of_a_program_that_was_killed(tmp_path):
    killed_when_it_says_now(tmp_path / "profile", SAVED)
    document = SettingsFile(Paths.profile(tmp_path / "profile", {}).settings).load().document
    assert document.text == TEXT
    start = TEXT.index("planted")
    assert document.is_masked(start, start + len("planted"))


FULL = f"""
import resource
from explorer.api.question import MachineFault
from explorer.export_choices import PictureChoice
from explorer.ui.export import files as export

SMALL = 16_384
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL, hard))
hands.type_text({TEXT!r})
hands.click_token("planted")
view = window.view_of("masked_tokens")
say("while full: " + view.result.masks[0].predictions[0].word)
wait_until(lambda: bool(window.notices.texts), "the banner")
say("banner: " + " | ".join(window.notices.texts).replace(chr(10), " "))
try:
    export.save_picture(view, Path(sys.argv[1]) / "picture.png", PictureChoice())
except MachineFault as fault:
    say("export: " + fault.message)
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
hands.click_token("gardener")
wait_until(lambda: not window.notices.texts, "the banner to go")
say("room again")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
def test_a_full_disk_stops_no_answer_and_what_was_asked_is_logged_when_there_is_room(tmp_path):
    profile = tmp_path / "profile"
    process = person(profile, FULL)
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, output + errors
    lines = dict(line.split(": ", 1) for line in output.splitlines() if ": " in line)
    assert lines["while full"]
    assert "log" in lines["banner"]
    assert lines["export"].endswith(".")
    assert not (profile / "picture.png").exists()
    reader = SessionReader(Paths.profile(profile, {}).sessions)
    texts = [(run.text, run.masks) for run in reader.runs(RunFilter(operation="masked_tokens"))]
    assert (TEXT, 1) in texts  # asked while the disk was full
    assert (TEXT, 2) in texts  # asked when there was room again


# ---- dropped on the window ------------------------------------------------------------------


def no_model(folder: Path, good: Path) -> None:
    (folder / "beach.jpg").write_bytes(b"\xff\xd8\xff\xe0 a picture")


def config_that_is_no_json(folder: Path, good: Path) -> None:
    shutil.copytree(good, folder, dirs_exist_ok=True)
    (folder / "config.json").write_text("{ not json", encoding="utf-8")


def unknown_model_type(folder: Path, good: Path) -> None:
    shutil.copytree(good, folder, dirs_exist_ok=True)
    config = json.loads((good / "config.json").read_text(encoding="utf-8"))
    config["model_type"] = "perceptron-9000"
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")


def truncated(folder: Path, good: Path) -> None:
    shutil.copytree(good, folder, dirs_exist_ok=True)
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1000])


def weights_of_another_shape(folder: Path, good: Path) -> None:
    shutil.copytree(good, folder, dirs_exist_ok=True)
    config = json.loads((good / "config.json").read_text(encoding="utf-8"))
    config["hidden_size"] = 64
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")


def no_tokenizer(folder: Path, good: Path) -> None:
    shutil.copytree(good, folder, dirs_exist_ok=True)
    for name in ("tokenizer.json", "vocab.txt", "tokenizer_config.json"):
        (folder / name).unlink(missing_ok=True)


class Evil:
    """A pickle that would write a file as soon as it is opened."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self):
        return (Path.write_text, (self.path, "run"))


def pickle_that_runs_code(folder: Path, good: Path) -> None:
    shutil.copytree(good, folder, dirs_exist_ok=True)
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Evil(folder / "it-ran")))


DROPPED = (
    no_model,
    config_that_is_no_json,
    unknown_model_type,
    truncated,
    weights_of_another_shape,
    no_tokenizer,
    pickle_that_runs_code,
)


def test_each_bad_folder_dropped_on_the_window_gets_its_own_sentence(
    paths, qtbot, tmp_path, warm_engine
):
    from explorer.app import Running
    from explorer.tour.hands import Hands, wait_until

    good = paths.bundled_models / "bert-miniature"
    running = Running(Program(paths))
    asked: list[str] = []
    try:
        window, bench = running.window, running.bench
        bench.consent = lambda checkpoint, agreed: (asked.append(checkpoint.id), agreed())
        running.show()
        hands = Hands(window)
        wait_until(lambda: bool(bench.models.cards), "the miniature")
        hands.settle()
        before = (
            bench.state.document,
            bench.models.cards["A"],
            window.view_of("masked_tokens").result,
        )
        sentences = set()
        for make in DROPPED:
            folder = tmp_path / make.__name__
            folder.mkdir()
            make(folder, good)
            for notice in window.notices.keys:
                window.notices.dismiss(notice)
            hands.drop(folder)
            wait_until(lambda: bool(window.notices.texts), f"a sentence on {make.__name__}")
            hands.settle()
            (sentence,) = window.notices.texts
            assert "inside the program" not in sentence, sentence
            sentences.add(sentence.replace(make.__name__, ""))
            after = (
                bench.state.document,
                bench.models.cards["A"],
                window.view_of("masked_tokens").result,
            )
            assert after == before
        assert len(sentences) == len(DROPPED)
        assert len(asked) == 1  # the pickle alone
        assert not (tmp_path / "pickle_that_runs_code" / "it-ran").exists()
    finally:
        running.close()
