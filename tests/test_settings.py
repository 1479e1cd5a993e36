"""Settings: kept, forgiving, and whole at every moment."""

import json
import os
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path

import pytest

from explorer.api.question import MachineFault
from explorer.document import Document
from explorer.export_choices import PictureChoice, TableChoice
from explorer.given_answers import GivenAnswer
from explorer.settings import ModelTableLook, OwnPlace, PageLayout, Settings, SettingsFile

ROOT = Path(__file__).resolve().parent.parent

EVERYTHING = Settings(
    model_table=ModelTableLook(("model", "mnli"), {"model": 240}, "-parameters"),
    color_scheme="dark",
    device="cuda:1",
    dtype="float16",
    top_k=25,
    recent_folders=("/models/국", "C:\\models"),
    checkpoints={"A": "bert-miniature", "B": "google-bert/bert-base-uncased"},
    document=Document("I liked the soup", "It was hot", top_k=3)
    .with_mask(12, 16)
    .with_mask(0, 2, 1),
    disabled_plugins=("gpt",),
    window_geometry="AdnQywADAAA=",
    window_state="AAAA/w==",
    pages=PageLayout(
        "probe",
        (("", "tokens"), ("cost",)),
        (600, 400),
        ((300, 300), (600,)),
        {"edits": (5, 5, 9, 9)},
    ),
    debounce_ms=100,
    log_enabled=False,
    keep_days=90,
    open_topics=("Explain",),
    pages_folded=True,
    starred=("probe",),
    recent_pages=("tokens", "probe"),
    scrolls={"fill_mask": 130},
    font_scale=1.5,
    new_words_told=("quiche",),
    picture=PictureChoice("svg", "own", 99.5, 8.5, 600, title=False, dark=True, outlines=True),
    table=TableChoice("json", "comment"),
    lecture="/lectures/강의.zip",
    own_place=OwnPlace("attention", Document("국 cat").with_mask(0, 1), {"B": "bert-miniature"}),
    scenes_seen=("#why_a_temperature", "/lectures/강의.zip#first"),
    slot_devices={"B": "cpu"},
    lesson_answers={
        "lessons#token#1": GivenAnswer("36.5", False, 2),
        "lessons#token#2": GivenAnswer(),
    },
    lesson_steps={"lessons#t": 2},
    language="ko",
    first_steps=True,
    options_open=True,
    recent_documents=("/documents/강의.plm",),
    open_document="/documents/강의.plm",
    document_digest="00ff",
    training_at_close="pause",
    film_pace=10,
    film_repeats=True,
    offline=True,
)

KILLED = """
import sys
from dataclasses import replace
from pathlib import Path
from explorer.document import Document
from explorer.settings import SettingsFile

file = SettingsFile(Path(sys.argv[1]))
settings = file.load()
assert file.problem == "", file.problem
number = settings.top_k
while True:
    number = number % 1000 + 1
    text = f"{number} " * 20_000
    file.save(replace(settings, top_k=number, document=Document(text)))
    if number % 5 == 0:
        print("saved", flush=True)
"""


@pytest.fixture
def file(tmp_path):
    return SettingsFile(tmp_path / "config" / "settings.json")


def test_the_sample_differs_from_the_defaults_everywhere():
    defaults = Settings()
    for one in fields(Settings):
        assert getattr(EVERYTHING, one.name) != getattr(defaults, one.name), one.name


def test_what_is_saved_is_loaded(file):
    file.save(EVERYTHING)
    again = SettingsFile(file.path)
    assert again.load() == EVERYTHING
    assert again.problem == ""
    assert [path.name for path in file.path.parent.iterdir()] == ["settings.json"]


def test_the_first_start_has_the_defaults_and_makes_nothing(file):
    assert file.load() == Settings()
    assert file.problem == ""
    assert not file.path.parent.exists()


def test_keys_of_another_version_stay(file):
    file.path.parent.mkdir()
    file.path.write_text('{"top_k": 7, "from_the_future": {"a": [1, null]}}')
    settings = file.load()
    assert settings == Settings(top_k=7)
    file.save(replace(settings, top_k=8))
    stored = json.loads(file.path.read_text())
    assert (stored["top_k"], stored["from_the_future"]) == (8, {"a": [1, None]})


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[1]", b"null", b"\xff\xfe", b'{"top_k": 7', b"[" * 100_000, b"\x00" * 500],
)
def test_a_damaged_file_is_set_aside(file, content):
    file.path.parent.mkdir()
    file.path.write_bytes(content)
    assert file.load() == Settings()
    assert file.problem == (
        "The settings file was damaged, and the defaults are used;"
        " the old file is kept as settings-damaged.json."
    )
    damaged = file.path.with_name("settings-damaged.json")
    assert damaged.read_bytes() == content
    file.save(EVERYTHING)
    assert file.load() == EVERYTHING
    assert file.problem == ""


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("color_scheme", "sepia"),
        ("device", ""),
        ("dtype", 16),
        ("top_k", 0),
        ("top_k", "many"),
        ("recent_folders", "/one"),
        ("checkpoints", {"A": None}),
        ("document", {"text": 5}),
        ("disabled_plugins", None),
        ("window_state", []),
        ("debounce_ms", -1),
        ("log_enabled", "yes"),
        ("font_scale", 100),
    ],
)
def test_a_value_that_makes_no_sense_falls_back_alone(file, key, value):
    file.path.parent.mkdir()
    content = json.dumps({"window_geometry": "kept", key: value})
    file.path.write_text(content)
    assert file.load() == Settings(window_geometry="kept")
    assert file.problem == (
        f"Not understood in the settings, and at the default now: {key};"
        " the old file is kept as settings-damaged.json."
    )
    assert file.path.with_name("settings-damaged.json").read_text() == content


def test_a_file_that_cannot_be_read_is_not_overwritten(file):
    file.path.mkdir(parents=True)
    assert file.load() == Settings()
    assert file.problem.startswith("The settings could not be read (")
    with pytest.raises(MachineFault, match="are not saved"):
        file.save(EVERYTHING)


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "config").write_text("a file")
    with pytest.raises(MachineFault, match="can't be made"):
        SettingsFile(tmp_path / "config" / "settings.json").save(Settings())


def test_half_a_character_does_not_stop_the_saving(file):
    odd = replace(EVERYTHING, recent_folders=("/bytes/\udcff",))
    file.save(odd)
    assert file.load() == odd


def test_killed_at_any_moment_the_settings_are_whole(file, tmp_path):
    for _ in range(5):
        with subprocess.Popen(
            [sys.executable, "-c", KILLED, str(file.path)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            line = process.stdout.readline()
            process.kill()
            assert line.split() == [b"saved"], process.stderr.read()
        settings = file.load()
        assert file.problem == ""
        assert settings.document.text == f"{settings.top_k} " * 20_000
