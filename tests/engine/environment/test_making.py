"""The engine's environment is made by a uv that is played: progress, a stop, failures, the end."""

import importlib
import subprocess
import sys
import threading

import pytest

from explorer.api.family import Cancelled, MachineFault
from explorer.engine.environment import making
from explorer.engine.environment import place as places
from explorer.engine.environment.making import DOWNLOADING, LOOKING, UNPACKING, WAITING, make
from explorer.processes.own_processes import environment
from tests import users_python

COMES = ("Resolved 2 packages in 3ms", "Downloading tiny-torch (1.0KiB)")


def variant(came_in, name="cpu"):
    return came_in.variants[name]


def test_it_is_made_and_imported_here_and_in_processes_that_begin_then(came_in, uv, place):
    assert place.ready(came_in) == ""
    make(came_in, place, variant(came_in))
    assert place.ready(came_in) == "cpu"
    place.use()
    assert importlib.import_module("tiny_torch").NAME == "tiny_torch"
    code = "import tiny_torch; print(tiny_torch.NAME)"
    ran = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True)
    assert ran.stdout.strip() == b"tiny_torch"


def test_hashes_are_required_and_the_lock_is_all_there_is(came_in, uv, place):
    make(came_in, place, variant(came_in))
    ((arguments, variables),) = uv.calls
    assert arguments[:2] == ["pip", "install"]
    assert {"--require-hashes", "--no-deps"} <= set(arguments)
    assert arguments[arguments.index("--torch-backend") + 1] == "cpu"
    assert arguments[-2:] == ["-r", str(variant(came_in).lock)]
    assert variables["UV_CACHE_DIR"] == str(place.cache)


def test_what_the_user_told_another_python_is_not_the_installers(
    came_in, uv, place, monkeypatch, tmp_path
):
    # What plays uv is a Python itself, as those are that uv starts.
    users_python.tell(monkeypatch, tmp_path)
    make(came_in, place, variant(came_in))
    assert place.ready(came_in) == "cpu"


@pytest.mark.parametrize("name", ["UV_FIND_LINKS", "PIP_FIND_LINKS", "UV_TORCH_BACKEND"])
def test_who_names_places_of_their_own_is_asked_those(came_in, uv, place, monkeypatch, name):
    monkeypatch.setenv(name, "/some/wheels")
    make(came_in, place, variant(came_in))
    ((arguments, variables),) = uv.calls
    assert "--torch-backend" not in arguments
    assert "/some/wheels" in variables.values()


def test_it_says_how_far_it_is(came_in, uv, place):
    uv.does(
        *COMES, "Downloading tiny-helper (0.5KiB)", " Downloaded tiny-torch",
        " Downloaded tiny-helper", "Prepared 2 packages in 1s", "Installed 2 packages in 2ms",
    )  # fmt: skip
    steps = []
    make(came_in, place, variant(came_in), steps.append)
    assert [(one.stage, one.name, one.done) for one in steps] == [
        (LOOKING, "", 0),
        (DOWNLOADING, "tiny-torch", 0),
        # The larger one is what one waits for.
        (DOWNLOADING, "tiny-torch", 0),
        (DOWNLOADING, "tiny-helper", 1000),
        (LOOKING, "", 1500),
        (UNPACKING, "", 1500),
    ]
    assert {one.total for one in steps} == {1500}


def test_a_stop_ends_uv_and_keeps_what_was_there(came_in, uv, place):
    make(came_in, place, variant(came_in))
    uv.does(*COMES, "WAIT", modules=("tiny_helper",))
    stop = threading.Event()
    with pytest.raises(Cancelled):
        make(
            came_in,
            place,
            variant(came_in, "cuda"),
            lambda step: stop.set() if step.stage == DOWNLOADING else None,
            stop.is_set,
        )
    assert place.ready(came_in) == "cpu"
    assert [path.name for path in place.packages.iterdir()] == ["tiny_torch.py"]
    # Another try goes on, with what has come.
    uv.go.touch()
    make(came_in, place, variant(came_in, "cuda"))
    assert place.ready(came_in) == "cuda"
    assert [path.name for path in place.packages.iterdir()] == ["tiny_helper.py"]
    assert len({variables["UV_CACHE_DIR"] for _, variables in uv.calls}) == 1


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["error: error sending request for url", "dns error"], "index can't be reached"),
        (["error: No space left on device (os error 28)"], "The disk is full"),
        (
            ["  x Failed to download `tiny-torch==2.0`", "Hash mismatch for `tiny-torch==2.0`"],
            "What came as tiny-torch==2.0 is not what this program was made with",
        ),
        (["error: something else"], "The installer failed (error: something else)"),
    ],
)
def test_each_failure_is_one_sentence_with_what_to_do(came_in, uv, place, lines, said):
    uv.does(*lines, status=1)
    with pytest.raises(MachineFault, match=said.replace("(", r"\(").replace(")", r"\)")) as caught:
        make(came_in, place, variant(came_in))
    assert caught.value.hint
    assert place.ready(came_in) == ""
    uv.does()
    make(came_in, place, variant(came_in))
    assert place.ready(came_in) == "cpu"


def test_a_disk_that_is_too_small_is_told_before_anything_is_fetched(
    came_in, uv, place, monkeypatch
):
    full = type("Usage", (), {"free": int(1500 * making.UNPACKED) - 1})
    monkeypatch.setattr(making.shutil, "disk_usage", lambda _folder: full)
    with pytest.raises(MachineFault, match="not enough room"):
        make(came_in, place, variant(came_in))
    assert uv.calls == []


def test_a_bundle_without_its_uv_is_told(came_in, place):
    with pytest.raises(MachineFault, match="The installer uv can't be started"):
        make(came_in, place, variant(came_in))


def test_a_folder_that_cannot_be_made_is_told(came_in, uv, place):
    place.folder.write_text("a file", "utf-8")
    with pytest.raises(MachineFault, match="engine can't be written"):
        make(came_in, place, variant(came_in))


def test_of_two_windows_one_installs_and_the_other_finds_it_done(came_in, uv, place):
    uv.does(*COMES, "WAIT")
    first = threading.Thread(target=make, args=(came_in, place, variant(came_in)))
    first.start()
    while not uv.calls:
        assert first.is_alive()

    def tell(step):
        assert step.stage == WAITING
        uv.go.touch()

    make(came_in, place, variant(came_in), tell)
    first.join()
    assert len(uv.calls) == 1
    assert place.ready(came_in) == "cpu"


@pytest.mark.parametrize("change", ["lock", "python", "packages", "stamp"])
def test_what_another_release_or_python_made_is_not_used(came_in, uv, place, monkeypatch, change):
    make(came_in, place, variant(came_in))
    if change == "lock":
        came_in.variants["cpu"].__dict__["digest"] = "another"
    elif change == "python":
        monkeypatch.setattr(places, "_python", lambda: "3.99")
    elif change == "packages":
        place.packages.rename(place.folder / "gone")
    else:
        (place.folder / places.READY).write_text("no json", "utf-8")
    assert place.ready(came_in) == ""
