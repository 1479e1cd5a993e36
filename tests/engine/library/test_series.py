"""Which moments of a model are here, and what keeps two of them apart."""

import json
import shutil
from pathlib import Path

import pytest

from explorer.api.family import CheckpointFault, UserMistake
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.library.series import at_step, series_of
from explorer.engine.plugins.host import PluginHost
from explorer.paths import Paths
from tests.series.moments import MODELS, damage, frames_of

PATHS = Paths.standard()
STEPS = (10, 100, 1000)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return frames_of("distilbert-miniature", tmp_path_factory.mktemp("made") / "run", STEPS)


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "training" / "run"))


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    host = PluginHost(PATHS.bundled_plugins, None)
    return Catalogue(host, PATHS.bundled_models, tmp_path / "hub", training=tmp_path / "training")


def test_frames_are_in_the_order_of_their_steps_with_their_sizes(
    catalogue: Catalogue, run: Path
) -> None:
    for text in ("run", str(run), str(run / "checkpoint-100")):
        series = series_of(catalogue, text)
        assert series is not None
        assert (series.id, series.title, series.steps) == (str(run), "run", STEPS)
        for frame in series.frames:
            weights = run / frame.name / "model.safetensors"
            assert frame.id == str(weights.parent)
            assert frame.size_bytes == weights.stat().st_size
            assert (frame.problem, frame.difference) == ("", "")


def test_a_frame_and_what_was_made_of_it_are_called_by_their_run(
    catalogue: Catalogue, run: Path
) -> None:
    beside = shutil.copytree(run / "checkpoint-100", run / "checkpoint-100-former-heads")
    alone = shutil.copytree(beside, run / "checkpoint-7-former-heads")
    titles = [catalogue.inspect(one).title for one in (run / "checkpoint-100", beside, alone)]
    assert titles == ["run@100", "run@100, former heads", "checkpoint-7-former-heads"]
    # It is no moment of the training.
    series = series_of(catalogue, "run")
    assert series is not None
    assert series.steps == STEPS


def test_what_is_no_series_is_none(catalogue: Catalogue, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for text in ("", "bert-miniature", str(MODELS), str(tmp_path / "empty"), "nobody/nothing"):
        assert series_of(catalogue, text) is None
    with pytest.raises(UserMistake, match="bert-miniature has no steps of training"):
        at_step(catalogue, "bert-miniature", 10)


def test_a_frame_is_found_by_its_step_and_the_last_one_without(
    catalogue: Catalogue, run: Path
) -> None:
    for text in ("run", str(run)):
        assert catalogue.find(text).id == str(run / "checkpoint-1000")
        for typed in ("@10", "@step10", "@checkpoint-10"):
            assert catalogue.find(f"{text}{typed}").id == str(run / "checkpoint-10")
        assert at_step(catalogue, text, 100) == str(run / "checkpoint-100")
        with pytest.raises(UserMistake, match="no step 11"):
            at_step(catalogue, text, 11)
    assert catalogue.inspect(run).id == str(run / "checkpoint-1000")
    with pytest.raises(UserMistake):
        catalogue.find("run@11")


def test_a_folder_with_a_model_of_its_own_is_that_model(catalogue: Catalogue, run: Path) -> None:
    shutil.copytree(run / "checkpoint-10", run, dirs_exist_ok=True)
    assert catalogue.find(str(run)).id == str(run)
    assert at_step(catalogue, str(run), 1000) == str(run / "checkpoint-1000")


def test_a_damaged_frame_is_named_and_the_others_stay(catalogue: Catalogue, run: Path) -> None:
    damage(run / "checkpoint-100")
    shutil.rmtree(run / "checkpoint-10")
    (run / "checkpoint-10").mkdir()
    series = series_of(catalogue, "run")
    assert series is not None
    assert [bool(one.problem) for one in series.frames] == [True, True, False]
    for step in (10, 100):
        with pytest.raises(CheckpointFault) as caught:
            series.at(step)
        assert caught.value.problem == series.frame(step).problem
    assert series.at(1000).name == "checkpoint-1000"


def test_what_differs_beside_the_weights_is_said(catalogue: Catalogue, run: Path) -> None:
    config = run / "checkpoint-100" / "config.json"
    told = json.loads(config.read_text("utf-8"))
    changed = {**told, "dropout": 0.3, "transformers_version": "4.0.0", "_name_or_path": "x"}
    config.write_text(json.dumps(changed), "utf-8")
    tokenizer = run / "checkpoint-1000" / "tokenizer.json"
    tokenizer.write_text(tokenizer.read_text("utf-8").replace("meal", "maal"), "utf-8")
    series = series_of(catalogue, "run")
    assert series is not None
    assert [str(one.difference) for one in series.frames] == [
        "",
        "Its config.json differs: dropout.",
        "Its tokenizer differs: tokenizer.json.",
    ]
