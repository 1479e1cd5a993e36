"""Films that come with the program: found by name, wherever they lie, and opened as any series."""

import shutil
from pathlib import Path

import pytest

from explorer.api.family import CheckpointFault, Context, LoadOptions, UserMistake
from explorer.api.family.checkpoint import Source
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.library.inspection import inspect_folder
from explorer.engine.library.series import at_step, series_of
from explorer.engine.plugins.host import PluginHost
from explorer.engine.runner import Runner
from explorer.paths import Paths
from explorer.series.naming import series_named
from explorer.series.row_scales import FILE

PATHS = Paths.standard()
FILMS = PATHS.bundled_models.with_name("films")
FILM = "bert-film"
TOKENIZER = "tokenizer.json"


@pytest.fixture(scope="module")
def host() -> PluginHost:
    return PluginHost(PATHS.bundled_plugins, None)


@pytest.fixture(scope="module")
def catalogue(host: PluginHost, tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    folder = tmp_path_factory.mktemp("none")
    return Catalogue(host, PATHS.bundled_models, folder / "hub", training=folder / "training")


def test_a_frame_is_called_by_its_film_and_its_step(catalogue: Catalogue) -> None:
    series = series_of(catalogue, FILM)
    assert series is not None
    assert (series.id, len(series.frames)) == (FILM, 16)
    assert all(not one.problem and not one.difference for one in series.frames)
    assert series.losses is not None
    assert series.losses.floor is not None
    last = catalogue.find(FILM)
    assert (last.id, last.source) == (f"{FILM}@step{series.steps[-1]}", Source.BUNDLED)
    assert last.title == f"BERT film@{series.steps[-1]}"
    assert last.world == ("en",)
    for text in (f"{FILM}@64", f"{FILM}@step64", f"{FILM}@checkpoint-64"):
        assert catalogue.find(text).id == f"{FILM}@step64" == at_step(catalogue, FILM, 64)
    # By its folder, too.
    assert catalogue.find(str(FILMS / FILM / "checkpoint-64")).id == f"{FILM}@step64"
    assert catalogue.find(str(FILMS / FILM)).id == last.id
    for text in (f"{FILM}@64", str(FILMS / FILM)):
        again = series_of(catalogue, text)
        assert again is not None
        assert again.frames == series.frames
    assert {series_named(one.id) for one in series.frames} == {FILM}


def test_the_library_has_the_finished_model_alone(catalogue: Catalogue) -> None:
    rows = [one for one in catalogue.list() if one.id.startswith(FILM)]
    assert [one.id for one in rows] == [catalogue.find(FILM).id]
    assert FILM not in catalogue.bundled()
    assert rows[0].operations


def test_what_is_no_frame_is_refused(catalogue: Catalogue) -> None:
    with pytest.raises(UserMistake, match="no step 65"):
        at_step(catalogue, FILM, 65)
    for text in (f"{FILM}@65", "no-film", "..@64"):
        with pytest.raises(UserMistake):
            catalogue.find(text)


def test_moving_through_it_gives_what_loading_gives(catalogue: Catalogue, host: PluginHost) -> None:
    import torch

    runner = Runner(host, catalogue)
    for step in (0, 8000, 64):
        runner.load("A", f"{FILM}@{step}", LoadOptions("cpu"), Context())
    runner.load("B", f"{FILM}@64", LoadOptions("cpu"), Context())
    assert runner.cards["A"].stamp == runner.cards["B"].stamp
    one, other = (runner.models[slot].module.state_dict() for slot in "AB")
    assert one.keys() == other.keys()
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_a_tokenizer_of_all_frames_is_that_of_each(tmp_path: Path) -> None:
    """The same model, whether its tokenizer lies beside its weights or beside its film's frames."""
    from explorer.hf.loading.checkpoint import load_tokenizer
    from explorer.hf.loading.fingerprint import fingerprint

    film, alone = FILMS / FILM, tmp_path / "checkpoint-64"
    shutil.copytree(film / "checkpoint-64", alone)
    assert not inspect_folder(alone).has_tokenizer
    for name in (TOKENIZER, "tokenizer_config.json"):
        shutil.copyfile(film / name, alone / name)
    shared, own = inspect_folder(film / "checkpoint-64"), inspect_folder(alone)
    assert (shared.tokenizer_folder, own.tokenizer_folder) == (film, alone)
    assert fingerprint(shared) == fingerprint(own)
    one, other = load_tokenizer(shared), load_tokenizer(own)
    assert type(one) is type(other)
    assert one.get_vocab() == other.get_vocab()
    assert one.init_kwargs["do_lower_case"] is other.init_kwargs["do_lower_case"] is True
    # Where nothing names its class, the config of the frame does, as if they lay together.
    (alone / "tokenizer_config.json").unlink()
    (alone / TOKENIZER).rename(tmp_path / TOKENIZER)
    bare = inspect_folder(alone)
    assert bare.tokenizer_folder == tmp_path
    assert type(load_tokenizer(bare)) is type(one)
    # A frame's own is the one that counts.
    shutil.copyfile(film / TOKENIZER, alone / TOKENIZER)
    assert inspect_folder(alone).tokenizer_folder == alone


def test_a_damaged_frame_is_named_and_the_others_are_shown(
    host: PluginHost, tmp_path: Path
) -> None:
    place = tmp_path / "films" / FILM
    for step in (0, 64, 512):
        frame = f"checkpoint-{step}"
        shutil.copytree(FILMS / FILM / frame, place / frame)
    shutil.copyfile(FILMS / FILM / TOKENIZER, place / TOKENIZER)
    cut = place / "checkpoint-64" / FILE
    cut.write_bytes(cut.read_bytes()[:1000])
    catalogue = Catalogue(host, tmp_path / "models", tmp_path / "hub")
    series = series_of(catalogue, FILM)
    assert series is not None
    assert [bool(one.problem) for one in series.frames] == [False, True, False]
    assert "cut short" in str(series.frame(64).problem)
    with pytest.raises(CheckpointFault, match="cut short"):
        at_step(catalogue, FILM, 64)
    assert at_step(catalogue, FILM, 512) == f"{FILM}@step512"
